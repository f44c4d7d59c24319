//! Jobs in parts: whatever way they are cut and put together, the answer is that of one process.

use oddsmith::part::{Job, PartNumber, Parts, Source, Whole};
use oddsmith::wire::TuningOdds;
use oddsmith::{Error, Game, Limits, TableRequest, TuneRequest};
use proptest::prelude::*;
use proptest::sample::SizeRange;

const RULES: &str = r#"
name = "Parts"
require = ["line <= 11 or boons > 0"]
[params]
line = { default = 7, domain = "2..=12" }
step = { default = 1, domain = "0..=3" }
[checks.check]
bands = ["Miss", "Hit", "Best"]
axes.boons = { default = 0, domain = "0..=3" }
axes.flat = { default = 1, domain = "-2..=2" }
axes.state = { default = "ok", domain = ["ok", "weak"] }
rules = """
let raw = (2 + boons)d6kh2 + flat * step
show total = if state == weak then floor(raw / (flat + 2)) else raw
show band = match total { < line: Miss, < line + 3: Hit, else: Best }
"""
"#;

fn game() -> Game {
    Game::parse("parts.toml", RULES.as_bytes()).expect("the rules are right")
}

fn number(part: u64, of: u64) -> PartNumber {
    PartNumber::new(part, of).expect("there is such a part")
}

/// What the whole of some parts writes, or the same as a file of parts.
fn bytes(parts: &Parts) -> Vec<u8> {
    let mut bytes = Vec::new();
    let written = parts.write(|more| {
        bytes.extend_from_slice(more);
        Ok(())
    });
    written.expect("memory takes it");
    bytes
}

fn read(sources: impl IntoIterator<Item = Vec<u8>>) -> Parts {
    Parts::read(sources.into_iter().map(Source::from)).expect("they are parts of one job")
}

/// The order in which parts come, and where they are cut into groups that are put together first.
fn groups(most: usize) -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    (1..=most).prop_flat_map(|parts| {
        let order: Vec<usize> = (0..parts).collect();
        let sizes = prop::collection::vec(1_usize..4, SizeRange::from(parts));
        (Just(order).prop_shuffle(), sizes)
    })
}

/// The parts put together group by group, and the groups then.
fn put_together(parts: &[Vec<u8>], (order, sizes): &(Vec<usize>, Vec<usize>)) -> Whole {
    let mut rest = order.iter();
    let mut larger = Vec::new();
    for size in sizes {
        let group: Vec<Vec<u8>> = rest
            .by_ref()
            .take(*size)
            .map(|at| parts[*at].clone())
            .collect();
        if !group.is_empty() {
            larger.push(bytes(&read(group)));
        }
    }
    let all = read(larger);
    assert_eq!(
        bytes(&all),
        bytes(&read(parts.to_vec())),
        "in whatever order"
    );
    all.whole().expect("none is missing")
}

fn table_request(sweeps: &[&str]) -> TableRequest {
    TableRequest {
        sweeps: sweeps.iter().map(|text| (*text).to_owned()).collect(),
        queries: vec!["mean(total)".to_owned(), "P(total >= 8 | Hit)".to_owned()],
        ..TableRequest::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn a_table_is_the_sum_of_its_parts(
        groups in groups(12),
        sweeps in prop::sample::subsequence(vec!["boons=all", "flat=all", "state=all", "line=2..=12"], 1..=4),
    ) {
        let (game, request, limits) = (game(), table_request(&sweeps), Limits::default());
        let table = game.table(&request).expect("it fits the game");
        let job = Job::of(&game, "table", &request).expect("it is JSON");
        let of = groups.0.len() as u64;
        let part = |part| table.part(&job, number(part, of), &limits, Vec::new());
        let parts: Vec<Vec<u8>> = (1..=of).map(|at| part(at).expect("it is small").0).collect();
        let whole = put_together(&parts, &groups);
        whole.demand(&job).expect("it is this job");
        let told = |rows: Result<_, Error>| format!("{rows:?}");
        let merged = table.merged_with_gaps(&whole, &limits);
        prop_assert_eq!(told(merged), told(table.rows_with_gaps(&limits)));
        match (table.merged(&whole, &limits), table.rows(&limits)) {
            (Ok(merged), Ok(rows)) => prop_assert_eq!(merged, rows),
            (merged, rows) => prop_assert_eq!(
                merged.map_err(|error| error.to_string()),
                rows.map_err(|error| error.to_string())
            ),
        }
    }

    #[test]
    fn a_search_is_the_sum_of_its_parts(
        groups in groups(9),
        goals in prop::sample::subsequence(vec![
            "Hit at least 30 %", "Best @ boons=2 in [0.1, 0.2]", "mean(total) ~ 8",
            "Miss @ flat=-1 ~ 40 %", "Best at most 1 %", "Miss at most 1 %",
        ], 1..=6),
        from in 0_u64..20, top in 1_usize..6,
    ) {
        let (game, limits) = (game(), Limits::default());
        let request = TuneRequest {
            vary: vec!["line=2..=12".to_owned(), "step=0..=3".to_owned()],
            goals: goals.iter().map(|goal| (*goal).to_owned()).collect(),
            from: from.saturating_sub(10),
            top,
            ..TuneRequest::default()
        };
        let tuning = game.tune(&request).expect("it fits the game");
        let job = tuning.job().expect("it reads no file");
        let of = groups.0.len() as u64;
        let part = |part| tuning.part((&job, number(part, of)), &limits, &mut (), Vec::new());
        let parts = (1..=of).map(|at| part(at).expect("it is small").expect("nobody ends it"));
        let whole = put_together(&parts.collect::<Vec<Vec<u8>>>(), &groups);
        let merged = tuning.merged(&whole, &limits).expect("it is small");
        let alone = tuning.answer(&limits, &mut ()).expect("it is small");
        let json = |answer| serde_json::to_string(&TuningOdds::of(&game, answer)).expect("JSON");
        prop_assert_eq!(json(&merged), json(&alone));
    }
}

fn refused<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => panic!("it is not refused"),
        Err(error) => error.to_string(),
    }
}

fn table_part(game: &Game, sweeps: &[&str], (part, of): (u64, u64)) -> Vec<u8> {
    let request = table_request(sweeps);
    let job = Job::of(game, "table", &request).expect("it is JSON");
    let table = game.table(&request).expect("it fits the game");
    let (bytes, _) = table
        .part(&job, number(part, of), &Limits::default(), Vec::new())
        .expect("it is small");
    bytes
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let of_all = |parts: Vec<Vec<u8>>| Parts::read(parts.into_iter().map(Source::from));
    let part = |at| table_part(&game(), &["boons=all"], at);
    let missing = refused(read([part((2, 5)), part((4, 5))]).whole());
    assert_eq!(missing, "parts 1/5, 3/5, 5/5 are missing");
    let twice = refused(of_all(vec![part((1, 3)), part((2, 3)), part((1, 3))]));
    assert_eq!(twice, "part 1/3 comes twice: in a part and in a part");
    let cuts = refused(of_all(vec![part((1, 3)), part((2, 4))]));
    assert_eq!(cuts, "a part is part 2/4, and the others are of 3");
    let other = table_part(&game(), &["flat=0..=2"], (2, 2));
    let asked = refused(of_all(vec![part((1, 2)), other]));
    assert_eq!(asked, "a part is of another job: something else was asked");
    let rules = RULES.replace("default = 7", "default = 8");
    let rules = Game::parse("parts.toml", rules.as_bytes()).expect("the rules are right");
    let file = refused(of_all(vec![
        part((1, 2)),
        table_part(&rules, &["boons=all"], (2, 2)),
    ]));
    let changed = "a part is of another job: `parts.toml` was another file when it was made";
    assert_eq!(file, changed);
    let text = String::from_utf8(part((2, 2))).expect("it is text");
    let version = text.replace("\"engine\":\"", "\"engine\":\"9");
    let version = refused(of_all(vec![part((1, 2)), version.into_bytes()]));
    assert!(
        version.starts_with("a part is of another job: it is of version 9"),
        "{version}"
    );
    let torn = text.as_bytes()[..text.len() - 4].to_vec();
    let torn = refused(of_all(vec![torn]));
    assert_eq!(
        torn,
        "a part is not a part of a job: it ends before its end"
    );
}

#[test]
fn a_part_whose_rows_are_others_is_refused() {
    let (game, request) = (game(), table_request(&["boons=all"]));
    let table = game.table(&request).expect("it fits the game");
    let job = Job::of(&game, "table", &request).expect("it is JSON");
    let (part, _) = table
        .part(&job, number(1, 1), &Limits::default(), Vec::new())
        .expect("it is small");
    let text = String::from_utf8(part).expect("it is text");
    let lines: Vec<&str> = text.lines().collect();
    type Change = dyn Fn(&mut Vec<String>);
    let changes: [&Change; 4] = [
        &|lines| drop(lines.remove(1)),
        &|lines| lines.insert(1, lines[1].clone()),
        &|lines| lines[2] = "1/6".to_owned(),
        &|lines| lines[2] = "+99".to_owned(),
    ];
    for change in changes {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        change(&mut lines);
        let end = format!("end {}", lines.len() - 2);
        *lines.last_mut().expect("there are lines") = end;
        let whole = read([(lines.join("\n") + "\n").into_bytes()]).whole();
        let whole = whole.expect("it is the only part");
        refused(table.merged(&whole, &Limits::default()));
    }
}
