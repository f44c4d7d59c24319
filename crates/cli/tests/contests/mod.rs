//! Contests: two sides against each other.

use std::path::Path;

use crate::support::{Place, records};

/// A die and a bonus; a coin with labels; a list to set.
const ARENA: &str = r#"name = "Arena"

[params]
ladder = { default = [4, 6, 8], domain = "2..=12" }

[checks.duel]
contest = "score"
axes.rank  = { default = 1, domain = "0..=2" }
axes.bonus = { default = 0, domain = "-5..=5" }
rules = '''
let die      = 1d(ladder[rank])
show score   = die + bonus
show Perfect = die == ladder[rank]
'''

[checks.toss]
bands   = ["tails", "heads"]
contest = "band"
ties    = "defender"
axes.skill = { default = 1, domain = "0..=4" }
rules = "show band = if 1d4 <= skill then heads else tails"

[checks.quiet]
rules = "show noise = 1d6"

[tracks.siege]
rules = "let won = 0 repeat until won == 1 { show hit = 1d2 set won = hit - 1 }"
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("arena.toml", ARENA);
    place
}

/// `outcome weight/total` for each row.
fn rows(place: &Place, words: &str) -> Vec<String> {
    let mut rows = records(&place.answer(&format!("{words} --format csv")));
    assert_eq!(rows.remove(0).join(","), "outcome,weight,total,probability");
    rows.iter()
        .map(|row| format!("{} {}/{}", row[0], row[1], row[2]))
        .collect()
}

#[test]
fn a_contest_in_every_format() {
    let place = place();
    let ask = |format| {
        let words = "contest arena.toml --a bonus=1 --b rank=2 --query P(rounds<=2)";
        place.answer(&format!("{words} --format {format}"))
    };
    insta::assert_snapshot!("duel", ask("table"));
    insta::assert_snapshot!("duel_csv", ask("csv"));
    insta::assert_snapshot!("duel_markdown", ask("markdown"));
    let json: serde_json::Value = serde_json::from_str(&ask("json")).expect("JSON");
    assert_eq!(
        json["configuration"],
        serde_json::json!({ "a.bonus": 1, "b.rank": 2 })
    );
    assert_eq!(
        (&json["check"], &json["against"]),
        (&"duel".into(), &"duel".into())
    );
    assert_eq!(json["ties"], "reroll");
    assert_eq!(json["compare"], serde_json::json!(["score", "score"]));
}

#[test]
fn two_dice_of_six_sides_tie_once_in_six() {
    let place = place();
    let found = rows(&place, "contest arena.toml");
    assert_eq!(
        found,
        [
            "A 15/36",
            "tie 6/36",
            "B 15/36",
            "A|decided 15/30",
            "B|decided 15/30",
            "mean(rounds) 6/5",
            "decided 30/36",
            "a_wins 1/2",
            "b_wins 1/2",
            "a.Perfect 1/6",
            "b.Perfect 1/6",
        ]
    );
    let defender = rows(&place, "contest arena.toml --ties defender");
    assert_eq!(
        defender[5..9],
        [
            "mean(rounds) 1/1",
            "decided 30/36",
            "a_wins 5/12",
            "b_wins 7/12"
        ]
    );
    let both = rows(&place, "contest arena.toml --ties both");
    assert_eq!(both[7..9], ["a_wins 7/12", "b_wins 7/12"]);
}

#[test]
fn sides_are_set_together_or_apart() {
    let place = place();
    let one = rows(
        &place,
        "contest arena.toml --set rank=2 --a rank=0,bonus=3 --b bonus=1",
    );
    for same in [
        "contest arena.toml --set a.rank=0 --set b.rank=2 --set a.bonus=3 --set b.bonus=1",
        "contest arena.toml --a rank=0 --a bonus=3 --b bonus=1 --b rank=2",
        "contest arena.toml --a ladder=[4,6,8],rank=0,bonus=3 --b ladder=[4,6,8],bonus=1,rank=2",
        "contest arena.toml --a ladder=[4,2,2],rank=0,bonus=3 --b ladder[0]=8,bonus=1,rank=0",
    ] {
        assert_eq!(rows(&place, same), one, "{same}");
    }
    let shown = place.answer("contest arena.toml --set bonus=2 --a rank=0");
    assert!(shown.contains("\nboth  bonus=2\nA     rank=0\n"), "{shown}");
}

#[test]
fn labels_are_compared_by_their_order() {
    let place = place();
    let shown = place.answer("contest arena.toml:toss --a skill=3");
    insta::assert_snapshot!("toss", shown);
}

#[test]
fn checks_of_different_kinds_meet() {
    let place = place();
    place.refuses(
        "contest arena.toml --against quiet --compare P",
        &["--compare:1:1"],
    );
    place.write(
        "loud.toml",
        &ARENA.replace(
            "rules = \"show noise",
            "contest = \"noise\"\nrules = \"show noise",
        ),
    );
    let met = rows(&place, "contest loud.toml --against quiet");
    assert_eq!(met[..3], ["A 15/36", "tie 6/36", "B 15/36"]);
}

#[test]
fn a_tie_for_ever_is_said_in_words() {
    let place = place();
    let words = "contest arena.toml --compare rank";
    let text = place.answer(words);
    assert!(
        text.contains("always a tie, so it is never decided"),
        "{text}"
    );
    let run = place.run(&format!("{words} --format csv"));
    assert_eq!(run.status, Some(0));
    assert!(run.err.contains("no `A|decided`"), "{}", run.err);
    assert!(
        run.out.contains("\nB,0,1,0.0\nmean(rounds),1,0,inf\n"),
        "{}",
        run.out
    );
}

#[test]
fn what_can_not_be_compared_is_refused() {
    let place = place();
    let cases: &[(&str, &[&str])] = &[
        (
            "--a rank",
            &[
                "`--a rank`: `rank` is not name=value",
                "`--a rank=3,bonus=1`",
            ],
        ),
        ("--b rank=1,,bonus=2", &["is not name=value"]),
        ("--a ranc=1", &["no axis or parameter `a.ranc`", "`a.rank`"]),
        ("--a rank=7", &["7 is outside the domain 0..=2"]),
        (
            "--against duell",
            &["no check `duell`", "`arena.toml:duel`"],
        ),
        ("--against siege", &["`siege` is a track"]),
        (
            "--against quiet",
            &[
                "`quiet` does not say what a contest compares",
                "`--compare noise`",
            ],
        ),
        ("--against toss", &["can't be compared", "`--compare`"]),
        ("--ties never", &["never", "reroll"]),
        ("--query P(score>3)", &["`score`"]),
        ("--budget 3", &["steps or more", "the budget is 3"]),
    ];
    for (words, says) in cases {
        place.refuses(&format!("contest arena.toml {words}"), says);
    }
}

#[test]
fn verify_knows_tracks_and_contests() {
    let place = place();
    place.write(
        "cases.csv",
        "\
id,question,target,set,query,numerator,denominator
a,contest,arena.toml:duel,,A|decided,1,2
set,contest,arena.toml:duel,rank=0 a.bonus=3,A,15,16
rounds,contest,arena.toml:duel,rank=2,mean(rounds),8,7
siege,track,arena.toml:siege,,mean(rolls),2,1
tied,contest,arena.toml:toss,skill=0,mean(rounds),1,1
for ever,contest,arena.toml:duel,\"ladder=[2,2,2] a.bonus=5\",P(rounds==1),1,1
",
    );
    assert_eq!(place.answer("verify cases.csv"), "6 passed, 0 failed\n");
    place.write(
        "cases.csv",
        "\
id,question,target,set,query,numerator,denominator
inf,track,stuck.toml,,mean(rolls),inf,
one over zero,track,stuck.toml,,mean(rolls),1,0
finite,track,stuck.toml,,mean(rolls),7,2
infinite,contest,arena.toml:duel,,mean(rounds),1,0
kind,odds,arena.toml:siege,,hit,1,2
quiet,contest,arena.toml:quiet,,A,1,2
",
    );
    place.write(
        "stuck.toml",
        &ARENA.replace("set won = hit - 1", "set won = 0"),
    );
    let run = place.run("verify cases.csv");
    assert_eq!(run.status, Some(1));
    insta::assert_snapshot!("verify", run.out);
}

#[test]
fn the_shipped_tracks_and_contests_are_right() {
    let place = place();
    for file in ["tracks.csv", "contests.csv"] {
        let cases = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/cases")
            .join(file);
        let said = place.answer(&format!("verify '{}'", cases.display()));
        assert!(said.ends_with(" passed, 0 failed\n"), "{said}");
    }
}
