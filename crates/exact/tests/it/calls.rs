//! Checks that are played by others: what a call leads to is worked out by itself, whatever stands beside it.

use oddsmith_exact::{Budget, distribution};
use oddsmith_testkit::rulesets::model_of;

const PAIRS: &str = r#"
name = "Pairs"
[checks.one]
rules = """
let first  = 4d10
let more   = (count(first, 10))d10
show value = fold face, many of {first, more} with best = 0 { set best = max(best, many * face) }
"""
[checks.two]
rules = """
let mine   = one()
let theirs = one()
show lead  = mine.value - theirs.value
"""
[checks.three]
rules = """
let mine   = one()
let theirs = one()
let others = one()
show lead  = mine.value - max(theirs.value, others.value)
show most  = max(mine.value, theirs.value)
"""
[checks.beside]
rules = """
let luck   = d6
let mine   = one()
show Lucky = luck == 6
show lead  = mine.value + luck
"""
"#;

/// The steps that an outcome takes.
fn steps(name: &str, outcome: &str) -> u64 {
    let model = model_of(PAIRS);
    let check = model.check(name).expect("it is there");
    let mut outcomes = check.outcomes.iter();
    let outcome = outcomes.find(|known| known.name == outcome);
    let budget = Budget::unlimited();
    let outcome = outcome.expect("it is shown");
    distribution(check, &check.defaults(), outcome, &budget).expect("odds");
    budget.spent()
}

/// Each of some hundred pools of one call was played beside all of the next.
#[test]
fn a_call_costs_the_same_beside_others() {
    let alone = steps("one", "value");
    for (name, outcome, calls) in [
        ("two", "lead", 2),
        ("three", "lead", 3),
        ("three", "most", 2),
        ("beside", "lead", 1),
    ] {
        let steps = steps(name, outcome);
        let most = (calls + 1) * alone;
        assert!(
            steps < most,
            "{name}.{outcome}: {steps} steps, alone {alone}"
        );
    }
}
