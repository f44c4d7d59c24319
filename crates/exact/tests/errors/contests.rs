//! Contests that can't be held, or never end.

use oddsmith_exact::{Answer, Budget, Error, IBig, answers};
use oddsmith_rules::{Check, Ties, load};

use crate::support::{BUDGET, refusal};

const RULES: &str = r#"
name = "Test"
[checks.plain]
rules = "show total = d6"
[checks.sum]
contest = "total"
axes.x = { domain = "0..=3", default = 1 }
rules = "show total = d(x) + 1"
[checks.graded]
bands = ["Low", "High"]
contest = "band"
rules = "show band = if d6 > 3 then High else Low"
[checks.other]
bands = ["Low", "Mid", "High"]
contest = "band"
rules = "show band = match d6 { < 3: Low, 3..=4: Mid, else: High }"
"#;

fn check(name: &str) -> Check {
    let model = load("test.toml", RULES.as_bytes()).expect("it is a ruleset");
    model.check(name).expect("it is there").clone()
}

fn refused(a: &str, b: &str) -> String {
    let contest = check(a).against(&check(b), Ties::Reroll);
    contest.expect_err("it can't be held").to_string()
}

#[test]
fn without_a_measure() {
    let nothing = "`plain` does not say what a contest compares";
    assert_eq!(refused("plain", "plain"), nothing);
    assert_eq!(refused("sum", "plain"), nothing);
    assert_eq!(refused("plain", "graded"), nothing);
}

#[test]
fn of_different_measures() {
    let error = refused("sum", "graded");
    assert_eq!(
        error,
        "these can't be compared: A has `total`, a number; B has `band`, one of Low, High"
    );
    let error = refused("other", "graded");
    assert!(error.contains("one of Low, Mid, High"), "{error}");
    assert!(check("other").against(&check("other"), Ties::Both).is_ok());
}

fn answer(contest: &Check, setting: &str, query: &str) -> Result<Answer, Error> {
    let mut config = contest.defaults();
    for assignment in setting.split_whitespace() {
        contest
            .set(&mut config, assignment, "set")
            .expect("a value");
    }
    let query = contest.query(query, "query").expect("a query");
    answers(contest, &config, &[query], &Budget::new(BUDGET)).map(|mut found| found.remove(0))
}

/// With one side on each die, every roll is a tie.
#[test]
fn that_are_never_decided() {
    let contest = check("sum").against(&check("sum"), Ties::Reroll).unwrap();
    for query in ["mean(rounds)", "variance(rounds)", "mean(rounds | tie)"] {
        let answer = answer(&contest, "", query).expect("it is infinite");
        assert!(
            answer.is_infinite() && answer.weight == IBig::ONE,
            "{query}"
        );
    }
    for (query, chance) in [
        ("tie", 1),
        ("A", 0),
        ("decided", 0),
        ("a_wins", 0),
        ("P(rounds > 9)", 1),
    ] {
        let answer = answer(&contest, "", query).expect("a chance");
        let ratio = answer.to_ratio().expect("a number");
        assert_eq!(ratio, chance.into(), "{query}");
    }
    let error = answer(&contest, "", "A | decided").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`A | decided` has no answer in the default configuration: what stands after `|` never happens"
    );
    let error = answer(&contest, "", "mean(a_wins + 0)").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`mean(a_wins + 0)` has no answer: with a chance of 1 `sum` never ends"
    );
    // Another rule for ties ends it.
    let contest = check("sum").against(&check("sum"), Ties::Defender).unwrap();
    let chance = answer(&contest, "", "b_wins").expect("a chance");
    assert_eq!(chance.to_ratio(), Some(1.into()));
}

/// A side that can't be played says so, with both sides' configuration.
#[test]
fn of_a_side_that_fails() {
    let contest = check("sum").against(&check("sum"), Ties::Reroll).unwrap();
    let error = answer(&contest, "b.x=0", "A").unwrap_err();
    assert_eq!(
        error.to_string(),
        "test.toml:8:23: a die needs at least one face, for b.x=0"
    );
    assert_eq!(refusal(&contest, "x=2", "A"), None);
}
