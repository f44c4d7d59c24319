//! Rulesets of many checks, each of which is below the budget.

use std::fmt::Write as _;

use crate::support::Place;

/// A ruleset of so many checks, each of which takes some ten thousand steps.
fn many(checks: usize) -> String {
    let mut text = "name = \"Many\"\n".to_owned();
    for at in 0..checks {
        let _ = write!(
            text,
            "[checks.c{at}]\naxes.stat = {{ default = 0, domain = '0..=9', sweep = '0..=9' }}\n\
             rules = 'show hit = {}d20 + stat >= 100'\n\
             [[expect]]\nintent = 'It may hit.'\ncheck = 'c{at}'\nquery = 'hit'\nat_least = 0\nsweep = ['stat']\n",
            30 + at % 10
        );
    }
    text
}

/// The steps that are enough for one check, and not for a hundred.
const BUDGET: &str = "1e6";

const COMMANDS: [&str; 4] = [
    "check many.toml --baseline odds --update",
    "check many.toml --baseline odds",
    "report many.toml -o out",
    "balance lint many.toml --deny error",
];

fn refusals(checks: usize, budget: &str) -> Vec<Option<String>> {
    let place = Place::new();
    place.write("many.toml", &many(checks));
    let ask = |command: &str| {
        let run = place.run(&format!("{command} --budget {budget}"));
        assert!(matches!(run.status, Some(0 | 2)), "{command}: {}", run.err);
        (run.status != Some(0)).then_some(run.err)
    };
    COMMANDS.map(ask).into()
}

#[test]
fn the_budget_is_that_of_the_whole_run() {
    assert_eq!(refusals(1, BUDGET), [const { None }; 4]);
    assert_eq!(refusals(100, "1e10"), [const { None }; 4]);
    for said in refusals(100, BUDGET) {
        let said = said.expect("a refusal");
        let words = "error: all questions of this run together need more than 1e";
        assert!(said.contains(words), "{said}");
        assert!(said.contains("`--budget`"), "{said}");
    }
}

#[test]
fn cases_have_one_budget_together() {
    let place = Place::new();
    let head = "id,question,target,set,query,numerator,denominator\n";
    let row = "a,dist,100d20,,mean(value),1050,1\n";
    let mut text = head.to_owned() + row;
    let ask = |text: &str| {
        place.write("many.csv", text);
        place.run("verify many.csv --budget 1e7")
    };
    let run = ask(&text);
    assert_eq!(run.status, Some(0), "{}", run.err);
    text += &row.repeat(199);
    let run = ask(&text);
    assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{}", run.err);
    assert!(run.err.contains("all questions of this run"), "{}", run.err);
}
