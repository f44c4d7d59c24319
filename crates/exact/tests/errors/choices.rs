//! Choices that can't be made, or take too long to make.

use oddsmith_exact::{Budget, Error, decisions};
use oddsmith_rules::Check;

use crate::support::{BUDGET, config_of, error_of, is_rule_error, model_of};

const EMPTY: &str = "nothing to choose from";
const FACES: &str = "a die needs at least one face";
const COUNT: &str = "a pool can't have fewer than 0 dice";

/// A check that strives for `got`.
fn check_of(script: &str) -> Check {
    let model = model_of("checks", "maximise = 'got'", script);
    model.check("main").expect("it is there").clone()
}

/// What there is instead of the odds, and of the policy.
fn complaint(check: &Check, setting: &str) -> Option<Error> {
    let error = error_of(check, setting);
    let config = config_of(check, setting);
    let also = decisions(check, &config, &Budget::new(BUDGET)).err();
    assert_eq!(error, also);
    error
}

fn fails(script: &str, setting: &str, message: &str, place: &str) {
    let check = check_of(script);
    let error = complaint(&check, setting);
    is_rule_error(&check, setting, error.as_ref(), message, place);
}

fn works(script: &str, setting: &str) {
    let error = complaint(&check_of(script), setting);
    assert_eq!(error, None, "{script}\n{setting}");
}

#[test]
fn without_an_option() {
    let script = "choose n in 1..=x show got = n";
    fails(script, "x=0", EMPTY, "choose n in 1..=x");
    works(script, "x=1");
    let script = "let a = d4 choose n in 0..=3 where n > a show got = n";
    fails(script, "", EMPTY, "choose n in 0..=3 where n > a");
    works(
        "let a = d4 choose n in 0..=3 where n >= a - 1 show got = n",
        "",
    );
    let script = "let p = 2d3 choose k in subsets(p) where size(k) == x show got = k";
    let choice = "choose k in subsets(p) where size(k) == x";
    fails(script, "x=3 who=them", EMPTY, choice);
    works(script, "x=2");
    // A pool without dice has one part.
    works("let p = 0d3 choose k in subsets(p) show got = k", "");
    // Only what is reached can fail.
    let script =
        "let t = 0 repeat 3 until t >= x { choose n in 1..=(2 - t) set t = t + n } show got = t";
    fails(script, "x=3 who=them", EMPTY, "choose n in 1..=(2 - t)");
    works(script, "x=1");
    works(
        "choose n in 1..=x show got = if x >= 1 then n else 0",
        "x=1",
    );
}

/// An option that leads to what can't be carried out is no reason to take another.
#[test]
fn options_that_lead_nowhere() {
    let script = "choose n in 0..=1 show got = if n == 1 then d(x) else 7";
    fails(script, "x=0", FACES, "d(x)");
    works(script, "x=2");
    let script = "choose n in 0..=2 let p = (n - 1)d6 show got = p";
    fails(script, "", COUNT, "(n - 1)d6");
    works("choose n in 1..=2 let p = (n - 1)d6 show got = p", "");
    let script = "choose n in 0..=2 where n != 1 show got = [5, 7, d3][n + x]";
    let outside = "the list has 3 items, at 0 to 2";
    fails(script, "", outside, "[5, 7, d3][n + x]");
    works(script, "x=0");
}

/// A choice that does not matter is made all the same: without an option it fails.
#[test]
fn choices_that_do_not_matter() {
    let nothing = "nothing to choose from";
    let script = "choose n in 1..=x show other = n show got = 2 * x";
    fails(script, "x=0", nothing, "choose n in 1..=x");
    works(script, "x=1");
    fails(
        "choose n in 1..=x show got = d6",
        "x=0",
        nothing,
        "choose n in 1..=x",
    );
}

/// Asserts that it is refused soon, with a prediction.
fn refused(script: &str) {
    let error = complaint(&check_of(script), "");
    let Some(Error::OverBudget {
        what,
        predicted,
        limit,
        help,
    }) = error
    else {
        panic!("{script}: {error:?}");
    };
    assert!(predicted > u128::from(limit), "{script}: {predicted}");
    assert!(!what.is_empty(), "{script}");
    assert!(help.contains("--budget"), "{script}: {help}");
}

#[test]
fn too_many_options() {
    refused("choose n in 0..=1000000000 show got = n");
    refused("let p = 30d20 choose kept in subsets(p) show got = highest(kept) * size(kept)");
    refused("choose a in 0..=9999 choose b in 0..=9999 show got = a * (5000 - b) + b");
    refused(
        "let p = 12d12 repeat 3 { choose kept in subsets(p) set p = {kept, (12 - size(kept))d12} } show got = matches(p)",
    );
    refused(
        "let t = 0 repeat 2000 { let d = d100 choose n in 0..=50 set t = t + d * n } show got = t",
    );
}

/// Answered or refused, but never by way of minutes or gigabytes.
#[test]
fn large_choices_end_soon() {
    for script in [
        "let p = 5d6 repeat 2 { choose kept in subsets(p) set p = {kept, (5 - size(kept))d6} } show got = matches(p) == 5",
        "let t = 0 repeat 100 { choose n in 1..=6 set t = min(t + (n)d6, 300) } show got = if t > 250 then 0 else t",
        "let t = 0 repeat 1000000 { choose n in 0..=1 set t = if n == 1 then d6 else t } show got = t",
        "let a = 100d100 choose n in 0..=100 show got = if a + n >= 5100 then 100 - n else 0",
        "choose n in 0..=100 let a = 100d100 show got = if a + n >= 5100 then 100 - n else 0",
        "let p = 200d2 choose kept in subsets(p) show got = if kept == 250 then 1 else 0",
    ] {
        let error = complaint(&check_of(script), "");
        let soon = matches!(
            error,
            None | Some(Error::OverBudget { .. } | Error::Rule(_))
        );
        assert!(soon, "{script}: {error:?}");
    }
}
