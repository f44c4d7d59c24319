//! Tracks that never end, grow without end, or are over from the start.

use oddsmith_exact::{Answer, Budget, Error, Rounds, answers, distribution, policy};
use oddsmith_rules::{Check, load};

use crate::support::{BUDGET, config_of, model_of, refusal};

fn track_of(script: &str) -> Check {
    let model = model_of("tracks", "", script);
    model.track("main").expect("it is there").clone()
}

fn answer(check: &Check, setting: &str, query: &str) -> Answer {
    let query = check.query(query, "query").expect("a query");
    let config = config_of(check, setting);
    let found = answers(check, &config, &[query], &Budget::new(BUDGET));
    found.unwrap_or_else(|error| panic!("{error}")).remove(0)
}

/// Asserts a part of what is said of a question, and the words that it points at.
fn fails(script: &str, query: &str, part: &str, place: &str) {
    let Some(Error::Rule(found) | Error::Unsupported(found)) =
        refusal(&track_of(script), "", query)
    else {
        panic!("{query}: {script}");
    };
    assert!(found.message.contains(part), "{query}: {}", found.message);
    let pointed_at = &found.source.text[found.span.start..found.span.end];
    assert_eq!(pointed_at, place, "{query}");
}

/// It ends with a chance of 1/3.
const TRAP: &str = r"
let at = 0
let paid = 0
repeat until at == 1 {
  show first = d3
  set at = if at == 0 then first else at
  set paid = paid + 2
}
show place = at
show cost = paid";

#[test]
fn ends_that_need_not_come() {
    let check = track_of(TRAP);
    for query in [
        "mean(place)",
        "variance(place)",
        "mean(cost)",
        "variance(cost + rolls)",
        "mean(place + first)",
        "mean(place | rolls > 5)",
    ] {
        let error = refusal(&check, "", query).expect("there may be no end");
        let message = format!("`{query}` has no answer: with a chance of 2/3 `main` never ends");
        assert_eq!(error.to_string(), message);
    }
    let budget = Budget::new(BUDGET);
    let place = &check.outcomes[2];
    assert_eq!(place.name, "place");
    let error = distribution(&check, &check.defaults(), place, &budget).unwrap_err();
    let message = "`place` has no answer: with a chance of 2/3 `main` never ends";
    assert_eq!(error.to_string(), message);
    // Chances, and what is asked of those that end, have answers.
    for query in [
        "P(place == 1)",
        "P(cost == 2 | rolls < 4)",
        "P(place == 1 | rolls > 5)",
        "mean(cost | rolls == 1)",
        "mean(first)",
    ] {
        assert!(answer(&check, "", query).to_ratio().is_some(), "{query}");
    }
    let rounds = Rounds::new(&check, &check.defaults(), &budget).expect("a number of rounds");
    assert_eq!(rounds.never().to_string(), "2/3");
}

#[test]
fn means_beyond_all_numbers() {
    let check = track_of(TRAP);
    for (query, falls) in [
        ("mean(rolls)", false),
        ("variance(rolls)", false),
        ("mean(3 * rolls - first)", false),
        ("mean(rolls | first > 1)", false),
        ("mean(rolls | rolls > 4)", false),
        ("mean(first - rolls)", true),
        ("variance(first - rolls)", false),
    ] {
        let answer = answer(&check, "", query);
        assert!(answer.is_infinite(), "{query}");
        assert_eq!(answer.weight < 0.into(), falls, "{query}");
    }
    for query in [
        "mean(rolls | first == 1)",
        "mean(min(rolls, 9))",
        "mean(rolls | rolls < 9)",
    ] {
        assert!(answer(&check, "", query).to_ratio().is_some(), "{query}");
    }
}

#[test]
fn first_rounds_that_are_none() {
    let script = "let filled = 0 let full = d2 - x repeat until filled >= full { show gain = d2 set filled = filled + gain } show end = filled";
    let message = "the first round shows nothing";
    for query in [
        "P(gain == 1)",
        "P(gain == 1 & rolls == 1)",
        "mean(end | gain == 2)",
    ] {
        fails(script, query, message, "filled >= full");
    }
    let check = track_of(script);
    assert_eq!(refusal(&check, "x=0", "P(gain == 1 & rolls == 1)"), None);
    assert_eq!(refusal(&check, "", "mean(rolls)"), None);
    assert_eq!(refusal(&check, "", "P(rolls == 0)"), None);
}

const FALLS: &str = "let at = 0 let debt = 0 repeat until at == 2 { let d = d3 set at = min(at + d - 1, 2) set debt = debt + d - 2 } show owed = debt";

#[test]
fn sums_that_fall() {
    let message = "can't be counted up to a number";
    fails(FALLS, "P(owed <= 3)", message, "at == 2");
    fails(FALLS, "mean(owed | owed > 0)", message, "at == 2");
    fails(
        FALLS,
        "mean(max(owed, 0) + 1)",
        "`debt` grows from round to round",
        "mean(max(owed, 0) + 1)",
    );
    assert_eq!(
        refusal(&track_of(FALLS), "", "variance(owed | rolls < 3)"),
        None
    );
}

#[test]
fn sums_without_an_upper_end() {
    let script = "let at = 0 let a = 0 let b = 0 repeat until at == 2 { let d = d2 set at = min(at + d - 1, 2) set a = a + d set b = b + 1 } show one = a show two = b show product = a * b show capped = min(a, 5) show short = min(0, 3 - a) show thrown = a + d6";
    let check = track_of(script);
    for query in [
        "mean(product)",
        "P(one > two)",
        "P(one * one > 4)",
        "mean(abs(one))",
        "mean(short)",
        "mean(min(one, 2 * one))",
        "P(one + 1 > one)",
        "mean(thrown)",
    ] {
        let error = refusal(&check, "", query)
            .expect("it is refused")
            .to_string();
        assert!(
            error.contains("grows from round to round"),
            "{query}: {error}"
        );
    }
    for query in [
        "mean(one - 2 * two)",
        "P(one > 4 & two <= 3)",
        "mean(capped)",
        "mean(min(one, 7))",
        "P(2 * one - 1 == 5)",
    ] {
        assert_eq!(refusal(&check, "", query), None, "{query}");
    }
    let budget = Budget::new(BUDGET);
    let one = check
        .outcomes
        .iter()
        .find(|outcome| outcome.name == "one")
        .expect("it is shown");
    let error = distribution(&check, &check.defaults(), one, &budget).unwrap_err();
    assert!(
        error.to_string().contains("grows from round to round"),
        "{error}"
    );
}

/// Refused before memory or patience are at an end, with the name of what grows.
fn too_large(script: &str, query: &str, name: &str) {
    let error = refusal(&track_of(script), "", query).expect("it is refused");
    let (message, help) = match &error {
        Error::Unsupported(diagnostic) => (
            &diagnostic.message,
            diagnostic.help.clone().unwrap_or_default(),
        ),
        Error::OverBudget { what, help, .. } => (what, help.clone()),
        other => panic!("{script}: {other}"),
    };
    let named = format!("`{name}`");
    assert!(
        message.contains(&named) || help.contains(&named),
        "{script}: {message}; {help}"
    );
    let cap = format!("set {name} = min(");
    assert!(help.contains(&cap), "{script}: {help}");
}

#[test]
fn states_that_grow() {
    too_large(
        "let at = 0 let odd = 0 let n = 0 repeat until at == 3 { set n = n + d2 set odd = n * n set at = if d2 == 1 then min(at + (if odd > 9 then 1 else 0), 3) else 0 }",
        "mean(rolls)",
        "n",
    );
    too_large(
        "let n = 1 let at = 0 repeat until at == 1 { set n = 2 * n - 1 + d2 set at = if d6 == 1 then 1 else 0 } show end = n",
        "P(end > 5)",
        "n",
    );
    too_large(
        "let hand = 1d6 let at = 0 repeat until at == 1 { set hand = {hand, d6} set at = if d6 == 1 then 1 else 0 } show best = matches(hand)",
        "mean(best)",
        "hand",
    );
    too_large(
        "let a = 0 let b = 0 repeat until a >= 5000 and b >= 5000 { set a = min(a + d6, 5000) set b = min(b + d6, 5000) }",
        "mean(rolls)",
        "b",
    );
}

/// Answered or refused, but never by way of minutes or gigabytes.
#[test]
fn large_tracks_end_soon() {
    for (script, query) in [
        (
            "let a = 0 repeat until a >= 100000 { set a = min(a + d6, 100000) }",
            "mean(rolls)",
        ),
        (
            "let a = 0 repeat until a >= 300 { set a = clamp(a + 1d21 - 11, 0, 300) }",
            "variance(rolls)",
        ),
        (
            "let a = 0 let paid = 0 repeat until a >= 50 { let d = d6 set a = min(a + d, 50) set paid = paid + 7 - d } show cost = paid",
            "P(cost <= 1000000)",
        ),
        (
            "let a = 0 repeat until a == 1 { set a = if 1000d1000 > 600000 then 1 else 0 }",
            "mean(rolls)",
        ),
        (
            "let a = 50 repeat until a == 0 or a == 100 { set a = a + 2 * d2 - 3 }",
            "P(rolls <= 1000000)",
        ),
    ] {
        let error = refusal(&track_of(script), "", query);
        let soon = matches!(
            error,
            None | Some(Error::OverBudget { .. } | Error::Unsupported(_))
        );
        assert!(soon, "{script}: {error:?}");
    }
}

/// What this engine can't do, and what nobody can do.
#[test]
fn limits_are_told_from_errors() {
    let falling = track_of(
        "let at = 0 let debt = 0 repeat until at == 3 { let step = d3 set at = min(at + step, 3) set debt = debt + step - 2 } show owed = debt",
    );
    for query in ["P(owed <= 1)", "mean(rolls * rolls)"] {
        let error = refusal(&falling, "", query);
        assert!(matches!(error, Some(Error::Unsupported(_))), "{error:?}");
    }
    let short = track_of(
        "let list = [0, 1, 2] let at = 0 repeat until at == 3 { let step = d3 set at = min(at + list[step], 3) }",
    );
    let error = refusal(&short, "", "mean(rolls)");
    assert!(matches!(error, Some(Error::Rule(_))), "{error:?}");
}

#[test]
fn rounds_of_a_distant_horizon() {
    let check = track_of("let a = 0 repeat until a == 5 { set a = min(a + d6 - 1, 5) }");
    let budget = Budget::new(BUDGET);
    let rounds = Rounds::new(&check, &check.defaults(), &budget).expect("a number of rounds");
    let error = rounds.lengths(10_000_000, &budget).unwrap_err();
    assert!(matches!(error, Error::OverBudget { .. }), "{error}");
}

/// A choice is made for each state that there is; what rounds add up to without an end is in none.
#[test]
fn choices_for_a_sum_without_an_end() {
    let text = r#"
name = "Test"
[checks.pick]
maximise = "got"
axes.given = { domain = "0..=99", default = 1 }
rules = """
choose n in 0..=2
show took = n
show got = given + n * (2 - n)
"""
[tracks.main]
rules = """
let at = 0
let paid = 0
repeat until at == 2 {
  let step = d2
  set at = min(2, at + step)
  set paid = paid + step
}
let last = pick(given = paid)
show end = last.took
"""
"#;
    let model = load("test.toml", text.as_bytes()).expect("a ruleset");
    let track = model.track("main").expect("it is there");
    let expected = "`paid` grows without an upper end, so nothing can be chosen for it";
    let errors = [
        refusal(track, "", "mean(end)"),
        policy(track, &track.defaults(), &Budget::new(BUDGET)).err(),
    ];
    for error in errors {
        let Some(Error::Unsupported(found)) = error else {
            panic!("{error:?}")
        };
        assert_eq!(found.message, expected);
        assert!(
            found
                .help
                .is_some_and(|help| help.contains("set paid = min(paid + …, 10)"))
        );
    }
    // What the rounds can hold in a state is no such sum.
    let capped = text.replace("set paid = paid + step", "set paid = min(9, paid + step)");
    let model = load("test.toml", capped.as_bytes()).expect("a ruleset");
    let track = model.track("main").expect("it is there");
    assert_eq!(refusal(track, "", "mean(end)"), None);
    let policy = policy(track, &track.defaults(), &Budget::new(BUDGET)).expect("a policy");
    assert_eq!(policy.choices.len(), 1);
}

/// A round that leaves nothing behind, with a choice in a loop, before something that may fail: nothing is carried from
/// round to round, not even the number of a state.
#[test]
fn rounds_that_leave_nothing_behind_may_choose_in_a_loop() {
    let text = r#"
name = "Test"
[checks.pick]
maximise = "x"
rules = """
let die = 1d6
let used = 0
repeat 1 {
  choose again in 0..=1
  set die = if again == 1 then 1d6 else die
  set used = used + again
}
show x = die
let unread = ITEMS[die + used - used]
"""
[tracks.main]
inherit = ["pick"]
rules = """
let sum = 0
repeat until sum == 3 {
  let roll  = pick(..)
  show gain = roll.x
  let other = 1
  set other = 2
}
"""
"#;
    let track = |items: &str| {
        let model = load("test.toml", text.replace("ITEMS", items).as_bytes());
        model
            .expect("a ruleset")
            .track("main")
            .cloned()
            .expect("it is there")
    };
    let good = track("[1, 2, 3, 4, 5, 6, 7]");
    let mean = answer(&good, "", "mean(gain)");
    // 4, 5 and 6 are kept: 1/2 * 5 + 1/2 * 7/2.
    assert_eq!(mean.to_ratio().expect("it is finite").to_string(), "17/4");
    let Some(Error::Rule(found)) = refusal(&track("[1, 2, 3]"), "", "mean(gain)") else {
        panic!("a list of three items has no sixth");
    };
    assert!(
        found.message.contains("the list has 3 items"),
        "{}",
        found.message
    );
}
