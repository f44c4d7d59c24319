//! `oddsmith tune`, as it is used: what it finds, the change that it proposes, and what it says if there is none.

use std::fs;

use crate::support::{Place, Run, records, words};

/// Lantern with comments in odd places, a list and a reading.
const GAME: &str = r#"# The lantern game.
name = "Lantern"

[params]   # numbers to tune
boon_cap = { default = 2, domain = "0..=5" }   # boons beyond this many are ignored
lines    = { default = [
  7,    # a Weak
  10,   # a Strong
], domain = "2..=12" }

[params.ties]
domain  = ["low", "high"]
default = 'low'  # as the text says

[checks.check]
bands = ["Miss", "Weak", "Strong"]
require = ["lines[0] < lines[1]"]
axes.boons = { default = 0, domain = "0..=5" }
rules = '''
show total = (2 + min(boons, boon_cap))d6kh2 + (if ties == high then 1 else 0)
show band  = match total { < lines[0]: Miss, < lines[1]: Weak, else: Strong }
'''

[checks.test]
rules = "show score = 1d6 + boon_cap"

# What the designer is after.
[tune]
vary = ["boon_cap=0..=5", "lines[1]=8..=12"]

[[tune.goals]]
intent   = "A beginner is often weak."
query    = "Weak"
at_least = 0.4

[[tune.goals]]
intent = "Boons lift the odds of a Strong to three in five."
query  = "Strong"
set    = "boons=5"
near   = "60 %"

[[tune.keep]]
intent = "The first step stays."
query  = "Miss"
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("game.toml", GAME);
    place
}

fn tune(place: &Place, more: &str) -> Run {
    place.run(&format!("tune game.toml {more}"))
}

/// The answer as text, for a run that ends with this status.
fn text(place: &Place, status: i32, more: &str) -> String {
    let run = tune(place, more);
    assert_eq!((run.status, run.err.as_str()), (Some(status), ""), "{more}");
    run.out
}

#[test]
fn answers_read_well() {
    let place = place();
    let mut page = String::new();
    for (status, more) in [
        (0, ""),
        (
            0,
            "--vary 'lines=[7,10],[7,11],[8,7]' --goal 'Strong in [0, 0.2]'",
        ),
        (
            0,
            "--vary boon_cap=0..=5 --vary ties=all --goal 'Strong @ boons=5 ~ 0.4' \
             --goal 'Miss ~ 0.3 weight 1/2' --goal 'test: mean(score) ~ 6' --top 3",
        ),
        (
            1,
            "--vary boon_cap --goal 'Strong @ boons=5 at least 70 %' \
             --goal 'test: mean(score) at most 6' --keep Miss",
        ),
        (1, "--vary 'lines[1]=2..=7' --goal 'Strong at most 1'"),
        (
            0,
            "--vary boon_cap=1..=3 --goal 'Miss at most 0.6' \
             --goal 'P(total > 3 | total > 50) ~ 0.2'",
        ),
        (0, "--format markdown"),
        (0, "--format csv"),
        (0, "--format json --top 1"),
    ] {
        let shown: Vec<String> = words(more).iter().map(|word| format!("'{word}'")).collect();
        page += &format!("$ oddsmith tune game.toml {}\n", shown.join(" "));
        page += &text(&place, status, more);
        page += "\n";
    }
    insta::assert_snapshot!(page);
}

#[test]
fn errors_read_well() {
    let place = place();
    let mut page = String::new();
    place.write("goals.toml", "[tune]\nvary = \"boon_cap=1,9\"\ngoal = []\n[[tune.goals]]\nintent = \"x\"\nquery = \"Week\"\nnear = 1.5\nat_most = 1\n");
    place.write(
        "none.toml",
        &GAME[..GAME.find("# What the designer").expect("there")],
    );
    for line in [
        "game.toml --vary boon_cap=1 --goal 'Strong >= 50%'",
        "game.toml --vary boon_cap=1 --goal 'Strong @ boons=2 between 40 % and 60 %'",
        "game.toml --vary boon_cap=1 --goal 'Strong at least 50 % @ boons=2'",
        "game.toml --vary boon_cap=1 --goal 'mean(total) ~ 60 %'",
        "game.toml --goal 'Miss ~ 40 %'",
        "game.toml --pick 99999",
        "game.toml --vary bon_cap=1",
        "game.toml --vary boons=1",
        "game.toml --vary lines=7..=9",
        "game.toml --vary 'lines=[7,8],[7]'",
        "game.toml --vary boon_cap=1 --vary boon_cap=2",
        "game.toml --vary boon_cap=1 --goal Strong",
        "game.toml --vary boon_cap=1 --goal 'Strong @ bons=1, boons=9 in [0, 1]'",
        "game.toml --vary boon_cap=1 --goal 'tst: mean(score) at most 3'",
        "game.toml --vary boon_cap=1 --goal 'Strong in [40, 50]'",
        "game.toml --vary boon_cap=1 --goal 'Strong ~ half'",
        "game.toml --vary boon_cap=1 --goal 'Strong @ boon_cap=2 ~ 0.5'",
        "game.toml --vary boon_cap=1 --keep 'P(total > 3 | total > 50)'",
        "game.toml --file goals.toml",
        "none.toml",
    ] {
        page += &format!("$ oddsmith tune {}\n", words(line).join(" "));
        page += &place.refusal(&format!("tune {line}"));
        page += "\n";
    }
    insta::assert_snapshot!(page);
}

#[test]
fn a_change_keeps_its_promise_and_all_else() {
    let place = place();
    let run = tune(&place, "--apply new.toml --patch new.patch");
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(run.err.contains("has the odds of candidate"), "{}", run.err);
    let best = &records(&tune(&place, "--format csv").out)[1];
    let expected = GAME
        .replace("default = 2,", &format!("default = {},", best[1]))
        .replace("  10,   #", &format!("  {},   #", best[2]));
    assert_eq!(place.read("new.toml"), expected);
    assert_ne!(expected, GAME);
    // The new file answers what was promised, by its own parameters.
    for (query, set, column) in [
        ("Weak", "boons=0", 3),
        ("Strong", "boons=5", 4),
        ("Miss", "boons=0", 5),
    ] {
        let asked = format!("odds new.toml --set {set} --query {query} --format csv");
        let rows = records(&place.answer(&asked));
        let row = rows
            .iter()
            .find(|row| row[0] == query)
            .expect("it is asked");
        assert_eq!(row[3], best[column], "{query}");
    }
    // The patch makes the same file, wherever that is.
    let applied = place.shell("patch -p1 < new.patch");
    if applied.status == Some(0) {
        assert_eq!(place.read("game.toml"), expected);
    }
}

#[test]
fn an_answer_is_headed_by_the_check_that_its_goals_are_about() {
    let place = place();
    for (goal, head) in [
        ("'Strong at least 0.1'", "Lantern · check\n"),
        ("'test: mean(score) at most 9'", "Lantern\n"),
        (
            "'test: mean(score) at most 9' --goal 'Strong at least 0.1'",
            "Lantern · check\n",
        ),
    ] {
        let run = tune(&place, &format!("--vary boon_cap --goal {goal}"));
        assert!(run.out.starts_with(head), "{goal}: {}", run.out);
    }
}

/// A patch is applied from where it was made, to no file but the one that it is for.
#[test]
fn patches_name_their_file() {
    let place = Place::new();
    std::fs::create_dir(place.path("games")).expect("a directory");
    place.write("games/game.toml", GAME);
    for (name, told) in [
        ("games/game.toml", "games/game.toml"),
        ("./games/game.toml", "games/game.toml"),
    ] {
        let patch = place.answer(&format!("tune {name} --patch -"));
        let heads: Vec<&str> = patch.lines().take(2).collect();
        assert_eq!(heads, [format!("--- a/{told}"), format!("+++ b/{told}")]);
    }
    let outside =
        place.shell("cd games && mkdir deep && cd deep && oddsmith tune ../game.toml --patch -");
    if outside.status == Some(0) {
        assert!(
            outside.out.starts_with("--- a/game.toml\n"),
            "{}",
            outside.out
        );
    }
}

#[test]
fn the_ruleset_is_replaced_only_if_that_is_said() {
    let place = place();
    let goal = "--vary boon_cap=0..=5 --goal 'Strong @ boons=5 ~ 0.4'";
    let refused = tune(&place, &format!("{goal} --apply game.toml"));
    assert_eq!(refused.status, Some(2));
    assert!(refused.err.contains("--overwrite"), "{}", refused.err);
    let refused = tune(&place, &format!("{goal} --patch game.toml"));
    assert_eq!(refused.status, Some(2));
    assert_eq!(place.read("game.toml"), GAME);
    let done = tune(&place, &format!("{goal} --apply game.toml --overwrite"));
    assert_eq!(done.status, Some(0), "{}", done.err);
    assert_ne!(place.read("game.toml"), GAME);
    assert_eq!(
        place
            .files()
            .iter()
            .filter(|name| name.contains("partial"))
            .count(),
        0
    );
}

#[test]
fn nothing_is_written_for_nothing() {
    let place = place();
    let words =
        "--vary boon_cap=0..=5 --goal 'Strong at least 0.9' --apply new.toml --patch new.patch";
    let run = tune(&place, words);
    assert_eq!(run.status, Some(1));
    assert!(run.err.contains("nothing was written"), "{}", run.err);
    assert!(!place.files().iter().any(|name| name.starts_with("new.")));
}

#[test]
fn rules_that_are_right_are_not_changed() {
    let place = place();
    // Seven values do, and 2 is what the cap is.
    let words = "--vary boon_cap=0..=5 --goal 'Miss at most 0.6'";
    let with = |more: &str| tune(&place, &format!("{words} {more}"));
    let table = with("");
    assert!(table.out.contains("nothing has to change"), "{}", table.out);
    assert_eq!(records(&with("--format csv").out)[1][..2], ["2", "2"]);
    // Whatever reads what was asked for goes on: an empty patch, and a copy.
    let run = with("--patch new.patch --apply new.toml");
    assert_eq!(run.status, Some(0));
    assert!(
        run.err
            .contains("the patch is empty, and the new ruleset is a copy"),
        "{}",
        run.err
    );
    assert_eq!(place.read("new.patch"), "");
    assert_eq!(place.read("new.toml"), GAME);
}

#[test]
fn a_ruleset_on_standard_output_is_alone_there() {
    let place = place();
    let words = "--vary boon_cap=3..=5 --goal 'Miss at most 0.6' --apply -";
    let run = tune(&place, words);
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert_eq!(run.out, GAME.replace("default = 2,", "default = 3,"));
    assert!(
        run.err
            .contains("what was written has the odds of candidate 0"),
        "{}",
        run.err
    );
}

#[test]
fn what_has_no_answer_is_said_in_words() {
    let place = place();
    let words = "--vary boon_cap=0..=5 --goal 'P(total > 3 | total > 50) ~ 0.2' --format";
    for format in ["table", "csv", "json"] {
        let told = text(&place, 0, &format!("{words} {format}"));
        assert!(!told.contains("inf"), "{told}");
    }
    let none = "--vary boon_cap=0..=5 --goal 'P(total > 3 | total > 50) at least 0.2'";
    let told = text(&place, 1, none);
    assert!(told.contains("has no answer to goal 1"), "{told}");
}

#[test]
fn any_candidate_can_be_picked() {
    let place = place();
    let goal = "--vary boon_cap=0..=5 --vary ties=all --goal 'Miss at most 0.6' --top 1";
    let patch = |pick: &str| {
        let run = tune(&place, &format!("{goal} --pick {pick} --patch -"));
        assert_eq!(run.status, Some(0), "{}", run.err);
        run.out
    };
    // 2 * 3 + 1: three boons, and high.
    let picked = patch("7");
    assert!(
        picked.contains("+boon_cap = { default = 3,") && picked.contains("+default = \"high\""),
        "{picked}"
    );
    assert_eq!(patch("4"), "", "the ruleset as it is");
    for pick in ["12", "99999999999"] {
        let run = tune(&place, &format!("{goal} --pick {pick}"));
        assert_eq!(run.status, Some(2), "{pick}");
    }
}

#[test]
fn goals_may_stand_in_a_file_of_their_own() {
    let place = place();
    let at = GAME.find("# What the designer").expect("it is there");
    place.write("bare.toml", &GAME[..at]);
    place.write("goals.toml", &GAME[at..]);
    let own = text(&place, 0, "--format csv");
    assert_eq!(
        place.answer("tune bare.toml --file goals.toml --format csv"),
        own
    );
    // Options add to them, and vary in their place.
    let words = "--file goals.toml --vary boon_cap=1 --goal 'test: mean(score) ~ 5' --format csv";
    let rows = records(&text(&place, 0, words));
    assert_eq!(rows[0][..3], ["candidate", "lines[1]", "boon_cap"]);
    assert!(rows[1..].iter().all(|row| row[2] == "1"));
    assert_eq!(rows[0].len(), 3 + 4 + 4);
}

/// Numbers of which one question reads all, and others a few each.
const WIDE: &str = r#"
name = "Wide"
[params]
a = { default = 0, domain = "0..=29" }
b = { default = 0, domain = "0..=29" }
c = { default = 20, domain = "0..=29" }
[checks.check]
rules = """
show one   = 1d6 + a
show two   = 1d6 + b
show three = 1d6 + c
show Hit   = 1d20 + abs(a - b) >= abs(c - 9)
"""
"#;

#[test]
fn what_was_asked_is_said_and_why_each_candidate_was_looked_at() {
    let place = Place::new();
    place.write("game.toml", WIDE);
    let vary = "--vary a=0..=29 --vary b=0..=29 --vary c=0..=29";
    let told = |goals: &str| {
        let told = text(&place, 0, &format!("{vary} {goals}"));
        let line = told.lines().find(|line| line.contains(" asked"));
        line.expect("it is said").to_owned()
    };
    // 27,000 candidates; 30 values each, and both goals of one configuration for every candidate.
    assert_eq!(
        told("--goal 'mean(one) ~ 9' --goal 'mean(three) at least 12'"),
        "60 questions were asked; candidates that do not differ for a goal share its answer."
    );
    assert_eq!(
        told("--goal 'mean(one) at most 9' --goal 'Hit at least 0.4'"),
        "54,000 questions were asked, candidate by candidate, since for goal 2 too many of them differ."
    );
}

#[test]
fn a_billion_candidates_fit_the_budget() {
    let place = Place::new();
    let params = (0..6).map(|at| format!("p{at} = {{ default = 9, domain = \"0..=31\" }}\n"));
    let shows = (0..6).map(|at| format!("show s{at} = 1d6 + p{at}\n"));
    let game = format!(
        "name = \"Six\"\n[params]\n{}[checks.check]\nrules = \"\"\"\n{}\"\"\"\n",
        params.collect::<String>(),
        shows.collect::<String>()
    );
    place.write("game.toml", &game);
    // Of 32 values 20 are at least 12, and 12 at most 11.
    let vary = (0..6).map(|at| format!("--vary p{at}=0..=31 "));
    let least = (0..3).map(|at| format!("--goal 'mean(s{at}) at least 15.5' "));
    let most = (3..6).map(|at| format!("--goal 'mean(s{at}) at most 14.5' "));
    let told = text(
        &place,
        0,
        &vary.chain(least).chain(most).collect::<String>(),
    );
    assert!(
        told.contains(
            "13,824,000 of 1,073,741,824 candidates meet the goals: 1,059,917,824 miss a goal"
        ),
        "{told}"
    );
    assert!(told.contains("192 questions were asked"), "{told}");
}

#[test]
fn threads_and_parts_change_nothing() {
    let place = place();
    let words = "--vary boon_cap=0..=5 --vary 'lines[0]=2..=12' --vary 'lines[1]=2..=12' \
        --goal 'Weak @ boons=2 in [0.4, 0.5]' --goal 'mean(total) @ boons=4 ~ 9' --format json";
    let one = text(&place, 0, &format!("{words} --threads 1"));
    assert_eq!(text(&place, 0, &format!("{words} --threads 3")), one);
    let rest = text(&place, 0, &format!("{words} --from 100"));
    assert!(rest.contains("\"from\": 100"), "{rest}");
    let beyond = tune(&place, &format!("{words} --from 726"));
    assert_eq!(beyond.status, Some(2));
}

#[test]
fn sets_are_for_goals_that_do_not_set() {
    let place = place();
    let words = "--vary boon_cap=0..=5 --goal 'Strong ~ 1' --goal 'Strong @ boons=0 ~ 1' \
        --set boons=3 --format csv";
    let rows = records(&text(&place, 0, words));
    assert_ne!(rows[1][2], rows[1][3]);
    // A parameter that is set is a part of the change.
    let run = tune(
        &place,
        "--vary boon_cap=3 --goal 'Strong ~ 1' --set ties=high --patch -",
    );
    assert!(run.out.contains("+default = \"high\""), "{}", run.out);
}

#[test]
fn shipped_rulesets_are_tuned_as_they_are_written() {
    let place = place();
    let words = "tune stars-and-signs --vary 'thresholds[1]=12..=18' \
        --goal 'P(band>=Hit) at least 55 %' --apply stars.toml";
    assert_eq!(place.run(words).status, Some(0));
    // 12 and 13 do as well; 14 changes the least.
    let source = place.answer("rules show stars-and-signs --source");
    let expected = source.replace("default = [10, 15, 20]", "default = [10, 14, 20]");
    assert_eq!(
        fs::read_to_string(place.path("stars.toml")).expect("it is written"),
        expected
    );
}

#[test]
fn files_that_are_there_and_games_that_ship_are_safe() {
    let place = place();
    place.write("notes.txt", "precious\n");
    let asked = "tune lantern.toml --vary boon_cap=0..=5 --goal 'Miss ~ 1/3'";
    for (more, why) in [
        ("--patch notes.txt", "`notes.txt` is there already"),
        ("--apply new.toml --patch new.toml", "name the same file"),
        ("--apply nowhere/new.toml", "can't write in `nowhere`"),
        ("--patch nowhere/new.patch", "can't write in `nowhere`"),
        (
            "--apply stars-and-signs",
            "in place of the game of that name",
        ),
    ] {
        let files = place.files();
        place.refuses(&format!("{asked} {more}"), &[why]);
        assert_eq!(
            (place.files(), place.read("notes.txt").as_str()),
            (files, "precious\n")
        );
    }
    let twice = "tune lantern.toml --vary boon_cap=0..=5 --goal 'Miss @ boons=1,boons=2 ~ 1/3'";
    place.refuses(twice, &["`boons` is set twice"]);
}
