//! Scripts with choices, and the policies behind them.

mod many;
mod single;

use oddsmith_rules::Check;

use crate::decisions;
use crate::policies;
use crate::support::{MOST_TRIALS, complaint, config_of, model_of, report, without_panic};
use crate::worths;

/// What every script here can use.
const AROUND: &str = r#"
name = "Test"
[params]
prize = { default = 3, domain = "0..=9" }
worth = { default = [0, 2, 5], domain = "0..=9" }
[functions]
price = "(v) => if v == 3 then 0 else v"
again = "(old, yes) => if yes == 1 then d4 else old"
GRADE
[checks.spender]
maximise = "2 * success - paid"
axes.skill = { domain = "-5..=9", default = 1 }
axes.purse = { domain = "0..=2", default = 1 }
rules = """
let raw = d4 + skill
choose coins in 0..=purse
show paid = coins
show success = raw + coins >= 4
"""
[checks.gambler]
maximise = "got"
axes.safe = { domain = "0..=9", default = 2 }
rules = """
choose risk in 0..=1
let die = d4
show got = if risk == 1 then die else safe
"""
[checks.keeper]
maximise = "sum"
axes.n = { domain = "0..=3", default = 2 }
rules = """
let hand = (clamp(n, 0, 3))d3
choose kept in subsets(hand) where size(kept) <= 1
let rest = d2
show sum = kept + (if size(kept) == 0 then 2 * rest else 0)
show thrown = size(hand) - size(kept)
"""
"#;

/// The same for those that show a band.
const BANDS: &str = r#"bands = ["Low", "Mid", "High"]"#;
const GRADE: &str = r#"grade = "(t) => match t { <= 3: Low, 4..=5: Mid, else: High }""#;

/// Compares scripts that choose, each with what it strives for, and the policies found for them.
fn all_agree(scripts: &[(&str, &str)]) {
    agree_in(&[""], scripts);
}

/// In several configurations.
fn agree_in(settings: &[&str], scripts: &[(&str, &str)]) {
    let mut complaints = Vec::new();
    for (goal, script) in scripts {
        let check = check_of(goal, script);
        for setting in settings {
            if let Err(complaint) = all_complaints(&check, setting) {
                complaints.push(format!("{goal}: {script} ({setting})\n  => {complaint}"));
            }
        }
    }
    report(&complaints);
}

/// What is wrong with a check's odds, or with its policy.
fn all_complaints(check: &Check, setting: &str) -> Result<(), String> {
    let config = config_of(check, setting);
    complaint(check, &config)?;
    without_panic(|| {
        let policy = decisions::agree(check, &config, MOST_TRIALS);
        policy.expect("the script is small")
    })?;
    without_panic(|| {
        let worths = worths::agree(check, &config, MOST_TRIALS);
        worths.expect("the script is small")
    })?;
    without_panic(|| {
        let exported = policies::agree(check, &config, MOST_TRIALS);
        exported.expect("the script is small")
    })
}

/// A check `main` with an axis `k`; without a goal if that is empty.
fn check_of(goal: &str, script: &str) -> Check {
    let has_bands = script.contains("show band");
    let (bands, grade) = if has_bands {
        (BANDS, GRADE)
    } else {
        Default::default()
    };
    let maximise = if goal.is_empty() {
        String::new()
    } else {
        format!("maximise = '''{goal}'''")
    };
    let axes = "axes.k = { domain = '0..=3', default = 1 }";
    let check = format!("[checks.main]\n{bands}\n{maximise}\n{axes}");
    let around = AROUND.replace("GRADE", grade);
    let text = format!("{around}\n{check}\nrules = \"\"\"\n{script}\n\"\"\"\n");
    let model = model_of(&text);
    model.check("main").expect("it is there").clone()
}
