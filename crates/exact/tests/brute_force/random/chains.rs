//! Chains of counts side by side, as players write volleys: what leads to one number alone may be played by itself.

use oddsmith_testkit::random::{check_of, model_of};
use proptest::prelude::*;

use super::{MOST_TRIALS, cases, check_complaint, complaint_of, track_complaint};

/// What a link makes of two numbers that are there already, by their places.
#[derive(Clone, Copy, Debug)]
struct Link {
    chain: usize,
    made: u8,
    from: usize,
    other: usize,
}

fn links() -> impl Strategy<Value = Vec<Link>> {
    let link = (0..3_usize, 0..6_u8, 0..8_usize, 0..8_usize);
    let link = link.prop_map(|(chain, made, from, other)| Link {
        chain,
        made,
        from,
        other,
    });
    prop::collection::vec(link, 2..8)
}

/// The statements of links, and the last number of each chain.
fn written(links: &[Link]) -> (String, Vec<String>) {
    let mut text = String::from("let v0 = 0 + 1d2\nlet v1 = 0 + 1d2\nlet v2 = 1d2 - 1\n");
    let mut chains: Vec<Vec<usize>> = vec![vec![0], vec![1], vec![2]];
    for (at, link) in links.iter().enumerate() {
        let here = chains[link.chain].len();
        let name = |place: usize| format!("v{}", chains[link.chain][place % here]);
        let (from, other) = (name(link.from), name(link.other));
        let far = &chains[link.other % 3];
        let far = format!("v{}", far[link.from % far.len()]);
        let value = match link.made {
            0 => format!("count(({from})d2, 2)"),
            1 => format!("count(({from})d2, 1) + {other}"),
            2 => format!("max(0, {from} - {other})"),
            3 => format!("sum((min({from}, 2))d2) - min({from}, 2)"),
            4 => format!("if {from} > {other} then 1d2 else {other}"),
            _ => format!("min({from} + {far}, 3)"),
        };
        let var = at + 3;
        text += &format!("let v{var} = {value}\n");
        chains[link.chain].push(var);
    }
    let last = |chain: &Vec<usize>| format!("v{}", chain.last().expect("each begins"));
    let last = chains.iter().map(last).collect();
    (text, last)
}

proptest! {
    #![proptest_config(cases(300))]
    #[test]
    fn chains_side_by_side_have_their_odds(links in links()) {
        let (text, last) = written(&links);
        let [a, b, c] = [&last[0], &last[1], &last[2]];
        let script = format!("{text}show s0 = {a} + {b}\nshow s1 = {a} > {b}\nshow s2 = {c} - {b}\n");
        let check = check_of(&script, None).expect("it is well formed");
        let complaint = complaint_of(|| check_complaint(&check, 0, MOST_TRIALS));
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "{script}{}", complaint.unwrap_err());
    }

    #[test]
    fn rounds_of_chains_have_their_odds(links in links(), shows in any::<bool>()) {
        let (text, last) = written(&links);
        let [a, b, c] = [&last[0], &last[1], &last[2]];
        let shown = if shows { format!("show lead = {a} - {b}\n") } else { String::new() };
        let script = format!(
            "let full = 0\nlet low = 0\nrepeat until full == 3 {{\n{text}{shown}\
             set full = min(full + 1 + ({a} > {b}), 3)\nset low = min(low + {b}, 2)\nset full = min(full + ({c} > 1), 3)\n}}\n\
             show end = low\n"
        );
        let model = model_of("tracks", "", &script).expect("it is well formed");
        let track = model.track("main").expect("it is there");
        let complaint = complaint_of(|| track_complaint(track, 0));
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "{script}{}", complaint.unwrap_err());
    }
}
