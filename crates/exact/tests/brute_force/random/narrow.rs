//! Rounds whose dice meet the state through a few numbers that are made of it, as a Check meets Wounds through its Banes: dice may
//! be rolled once for all states in which these are the same.

use oddsmith_testkit::random::model_of;
use proptest::prelude::*;

use super::{cases, complaint_of, track_complaint};

/// What a step makes of two numbers that are there already, by their places.
#[derive(Clone, Copy, Debug)]
struct Made {
    kind: u8,
    from: usize,
    other: usize,
}

fn steps() -> impl Strategy<Value = Vec<Made>> {
    let made = (0..9_u8, 0..16_usize, 0..16_usize);
    let made = made.prop_map(|(kind, from, other)| Made { kind, from, other });
    prop::collection::vec(made, 3..9)
}

/// The statements of steps after two numbers of the state.
fn written(steps: &[Made]) -> String {
    let mut text = String::from("let v0 = min(hurt, 1)\nlet v1 = if filled > 1 then 1 else turn\n");
    for (at, made) in steps.iter().enumerate() {
        let here = at + 2;
        // What has just been made is read most often.
        let name = |place: usize| format!("v{}", here - 1 - place.min(place % here));
        let (from, other) = (name(made.from / 4), name(made.other / 2));
        let state = ["hurt", "filled", "turn"][made.from % 3];
        let value = match made.kind {
            0 | 1 => format!("1d2 + {from}"),
            2 => format!("min(1d3, {from} + 1)"),
            3 => format!("count((max(0, min({from}, 2)))d2, 2) + {other}"),
            4 => format!("if {from} > {other} then 1 else 0"),
            5 => format!("if {from} > 1 then 1d2 else {other}"),
            6 => format!("min({from} + {other}, 3)"),
            7 => format!("max({from} - {state}, 0)"),
            _ => format!("if {state} > 0 then {from} else {other}"),
        };
        text += &format!("let v{here} = {value}\n");
    }
    text
}

proptest! {
    #![proptest_config(cases(400))]
    #[test]
    fn rounds_that_meet_the_state_narrowly_have_their_odds(
        steps in steps(),
        sets in prop::collection::vec((0..3_usize, 0..10_usize), 1..4),
        shows in any::<bool>(),
    ) {
        let text = written(&steps);
        let name = |place: &usize| format!("v{}", steps.len() + 1 - place % (steps.len() + 1));
        let set = |(target, place): &(usize, usize)| match target {
            0 => format!("set hurt = min(hurt + max({}, 0), 2)\n", name(place)),
            1 => format!("set filled = clamp(filled + {} - 1, 0, 4)\n", name(place)),
            _ => format!("set turn = if {} > 1 then 1 - turn else turn\n", name(place)),
        };
        let sets: String = sets.iter().map(set).collect();
        let shown = if shows { format!("show lead = {}\n", name(&0)) } else { String::new() };
        let script = format!(
            "let hurt = 0\nlet filled = 0\nlet turn = 0\nrepeat until filled == 4 or rolls == 3 {{\n{text}{shown}{sets}\
             set filled = min(filled + ({} > 1), 4)\n}}\nshow end = hurt + filled\n",
            name(&1)
        );
        let model = model_of("tracks", "", &script).expect("it is well formed");
        let track = model.track("main").expect("it is there");
        let complaint = complaint_of(|| track_complaint(track, 0));
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "{script}{}", complaint.unwrap_err());
    }
}
