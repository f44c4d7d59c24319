//! Rules that can't be carried out, with their place and configuration.

use oddsmith_exact::{Budget, Error, answers};
use oddsmith_testkit::rulesets;

use crate::support::{BUDGET, check_of, config_of, error_of, fails, model_of, refusal, works};

const DIVISION: &str = "division by zero";
const FACES: &str = "a die needs at least one face";
const COUNT: &str = "a pool can't have fewer than 0 dice";
const KEEP: &str = "can't keep or drop fewer than 0 dice";

#[test]
fn division_by_zero() {
    let script = "show a = floor(2d6 / x)";
    fails(script, "x=0", DIVISION, "x");
    works(script, "x=2");
    fails("show a = share(d6, x - 1)", "", DIVISION, "parts");
    fails(
        "show a = ceil(7 / (x + 1))",
        "x=-1 who=them",
        DIVISION,
        "(x + 1)",
    );
    // Only what is reached can fail.
    let script = "show a = if d6 > 5 then floor(d6 / x) else 1";
    fails(script, "x=0", DIVISION, "x");
    works("show a = if d6 > 6 then floor(d6 / x) else 1", "x=0");
    works("show a = if x == 0 then 0 else floor(d6 / x)", "x=0");
    // What is asked about does not matter.
    fails(
        "let unused = floor(6 / x) show a = d6",
        "x=0",
        DIVISION,
        "x",
    );
    fails("show b = floor(d6 / x) show a = d6", "x=0", DIVISION, "x");
}

/// An argument is carried out before the call, wherever the call stands and whether the function reads it or not.
#[test]
fn arguments_that_nothing_reads() {
    for argument in [
        "[1, 2][1d3]",
        "9223372036854775807 + 1d2",
        "floor(2 / (1d2 - 1))",
    ] {
        let call = format!("first(2, {argument})");
        for script in [
            format!("show a = {call}"),
            format!("show a = {call} + 1"),
            format!("show a = {call} <= 1"),
            format!("show a = max({call}, 3)"),
            format!("show a = match {call} {{ 2: 1, else: 0 }}"),
            format!("show a = if {call} == 2 then 1 else 0"),
            format!("show a = if x == 1 then {call} * 2 else 0"),
            format!("show a = [4, 5, 6][{call}]"),
            format!("show a = {call} == 2 and x == 1"),
            format!("show a = first({call} + 1, 3) - 1"),
            format!("let b = {call} + 1 show a = x"),
            format!("show a = 1d({call})"),
            format!("show a = highest(2d({call} + 2))"),
            format!("show a = 1d{{1: {call}, 3}}"),
            format!("show a = 1d{{{call}..=3}}"),
            format!("show a = count(draw(2, {{1: {call}, 2}}), 1)"),
            format!("let b = d{{1: {call}, 3}} show a = x"),
        ] {
            let rules = format!(
                "name = \"Test\"\n[functions]\nfirst = \"(x, y) => x\"\n[checks.main]\naxes.x = {{ domain = \"0..=3\", default = 1 }}\nrules = \"{script}\"\n"
            );
            let model = rulesets::model_of(&rules);
            let check = model.check("main").expect("it is there");
            assert!(error_of(check, "").is_some(), "{script}");
        }
    }
}

/// A pool that is held roll by roll is added up like one that is rolled at once.
#[test]
fn sums_of_held_faces() {
    let beyond = "a number leaves the range of 64 bits";
    let values = "[0, 5000000000000000001, 5000000000000000002]";
    let read = format!("map(hand, {values})");
    let held =
        format!("let hand = 2d2 repeat 1 {{ set hand = {{hand kh 1, 1d2}} }} show a = {read}");
    fails(&held, "", beyond, &read);
    let read = format!("map(2d2, {values})");
    fails(&format!("show a = {read}"), "", beyond, &read);
    // What counts is the whole sum, in whatever order it is added up.
    let values = "[0, -9000000000000000000, 9000000000000000000, 9000000000000000000]";
    works(
        &format!(
            "let hand = {{1, 2, 3}} repeat 1 {{ set hand = {{hand kh 2, 1d1}} }} show a = map(hand, {values})"
        ),
        "",
    );
}

#[test]
fn dice_without_faces() {
    fails("show a = 2d(x)", "x=0", FACES, "2d(x)");
    fails("show a = 2d(x) kh 1", "x=-2", FACES, "2d(x)");
    works("show a = if x <= 0 then 0 else 2d(x)", "x=0");
    works(
        "let p = if x <= 0 then {} else 2d(x) show a = p kh 1",
        "x=0",
    );
    fails(
        "let y = d2 show a = if y == 2 then d(x) else 0",
        "x=0",
        FACES,
        "d(x)",
    );
    let weightless = "a die needs a face of positive weight";
    fails(
        "show a = d{1:(x), 2:(x)}",
        "x=0",
        weightless,
        "d{1:(x), 2:(x)}",
    );
    let negative = "a face can't have a weight below 0";
    fails("show a = d{1:(x), 2:3}", "x=-1", negative, "d{1:(x), 2:3}");
    let empty = "an empty range of faces";
    fails("show a = d{0..=x, 7}", "x=-1", empty, "d{0..=x, 7}");
}

#[test]
fn negative_counts() {
    fails("show a = (x)d6", "x=-1", COUNT, "(x)d6");
    fails(
        "let p = (x)d6 show b = p kh 1 show a = size(p)",
        "x=-1",
        COUNT,
        "(x)d6",
    );
    fails("let n = d3 show a = (n - 2)d6", "", COUNT, "(n - 2)d6");
    fails("show a = (d3 - 2)d6", "", COUNT, "(d3 - 2)d6");
    works("let n = d3 show a = (n - x)d6", "");
    works("show a = (max(0, x))d6", "x=-1");
    let rounds = "the number of rounds can't be below 0";
    fails(
        "let t = 0 repeat x { set t = t + d6 } show a = t",
        "x=-2",
        rounds,
        "x",
    );
    // What rounds that do nothing hang on is carried out as well.
    fails("repeat x { } show a = d6", "x=-1", rounds, "x");
    let outside = "the list has 2 items, at 0 to 1";
    let script = "let n = d3 repeat 1 until [5, 7][n] == 5 { } show a = n";
    fails(script, "", outside, "[5, 7][n]");
    let script = "let n = d3 let t = 0 repeat 1 until [5, 7][n] == 5 { set t = 0 + t } show a = n";
    fails(script, "", outside, "[5, 7][n]");
}

/// What faces are compared with is carried out whether there are faces or not, and whatever was compared before.
#[test]
fn bounds_without_faces() {
    let script = "let p = 1d3 dh 1 show a = count(p, floor(1 / x))";
    fails(script, "x=0", DIVISION, "x");
    works(script, "x=1");
    let script = "let p = 2d3 show b = highest(p) show a = count(p dl 2, floor(1 / x))";
    fails(script, "x=0", DIVISION, "x");
}

#[test]
fn negative_keeps() {
    fails("show a = 3d6 kh x", "x=-1", KEEP, "3d6 kh x");
    fails("show a = highest(3d6, x)", "x=-1", KEEP, "highest(3d6, x)");
    fails("show a = 3d6 dl(d3 - 2)", "", KEEP, "3d6 dl(d3 - 2)");
    // A pool that is read in several ways, all at once.
    let script = "let p = 3d6 show b = sum(p) show c = p kh x show a = p kl 2 + c";
    fails(script, "x=-1", KEEP, "p kh x");
    let script = "let p = 3d6 let n = d3 show b = sum(p) show a = (p dh(n - 2)) + b";
    fails(script, "", KEEP, "(p dh(n - 2))");
    // The failing reading is in a branch that is never taken.
    let script = "let p = 3d6 show b = sum(p) show a = if x < 0 then b else p kh x";
    works(script, "x=-1");
    let script = "let p = 3d6 show b = p kh x show a = sum(p) + highest(p)";
    fails(script, "x=-1", KEEP, "p kh x");
    let script = "let p = 3d6 let s = sum(p) show a = if s > 18 then p kh x else p kl 1";
    works(script, "x=-1");
    let script = "let p = 3d6 let s = sum(p) show a = if s > 17 then p kh x else p kl 1";
    fails(script, "x=-1", KEEP, "p kh x");
    fails("show a = nth(3d6, x)", "x=0", KEEP, "nth(3d6, x)");
    let sets = "sets are counted from 1, the largest";
    fails("show a = matches(3d6, x)", "x=0", sets, "x");
    let script = "let p = 3d6 show b = matches(p, x) show a = b + highest(p)";
    fails(script, "x=0", sets, "x");
}

#[test]
fn lists_and_matches() {
    let outside = "the list has 2 items, at 0 to 1";
    fails("show a = [5, d6][x]", "x=2", outside, "[5, d6][x]");
    fails("let n = d3 show a = [5, d6][n]", "", outside, "[5, d6][n]");
    fails("show a = [5, 7][d3 - 1]", "", outside, "[5, 7][d3 - 1]");
    works("let n = d3 show a = if n < 2 then [5, d6][n] else 0", "");
    fails("show a = map(2d2, [5, 7])", "", outside, "[5, 7]");
    works("show a = map(2d{0, 1}, [5, 7])", "");
    let gap = "match x * x + 2d2 { < 4: 1, 6..=19: 2, else: 3 }";
    works(&format!("show a = {gap}"), "x=2");
}

/// What the script says is carried out, whatever is asked: an error in what nothing reads is one of every question.
#[test]
fn what_nothing_reads() {
    let outside = "the list has 3 items, at 0 to 2";
    let script = "let unused = [1, 2, 3][d6] show a = 2d6";
    fails(script, "", outside, "[1, 2, 3][d6]");
    let script = "let unused = d6r<(x + 6) show a = 2d6";
    fails(script, "", "every face is rerolled for ever", "d6r<(x + 6)");
    fails(
        "let unused = (0 - d2)d6 show a = 2d6",
        "",
        COUNT,
        "(0 - d2)d6",
    );
    let range = "a number leaves the range of 64 bits";
    let script = "show a = 0 * (d6 + 9223372036854775807)";
    fails(script, "", range, "(d6 + 9223372036854775807)");
    let script = "show b = [1, 2, 3][d6] == 99 and 1 == 2 show a = d6";
    fails(script, "", outside, "[1, 2, 3][d6]");
    // Of several errors the first in the script is told.
    let script = "let p = d6 + 9223372036854775807 show b = floor(d6 / x) show a = [5][d6]";
    fails(script, "x=0", range, "d6 + 9223372036854775807");
    // What is not reached is not carried out.
    works(
        "let unused = 1 == 2 and [1, 2, 3][d6] == 99 show a = d6",
        "",
    );
    works(
        "let unused = 1 == 1 or floor(d6 / x) == 1 show a = d6",
        "x=0",
    );
    works(
        "let unused = if d6 > 6 then d(x) else 2d6 show a = d6",
        "x=0",
    );
}

/// Zero dice are no roll, whatever their faces would be.
#[test]
fn no_dice_of_no_faces() {
    works("show a = 0d(x)", "x=0");
    works("show a = (x)d(x)", "x=0");
    works("let n = d2 - 1 show a = (n * x)d(x) + n", "x=0");
    works("let p = 0d{1: (x)} show a = size(p)", "x=0");
    fails("show a = (d2 - 1)d(x)", "x=0", FACES, "(d2 - 1)d(x)");
}

/// A gap between arms whose bounds the configuration decides is met when it is reached.
#[test]
fn gaps_between_arms() {
    let script = "show a = match 2d2 { <= x: 1, >= x + 2: 2 }";
    fails(script, "x=2", "no arm takes 3", &script[9..]);
    works(script, "x=-1");
}

#[test]
fn dice_that_never_stand() {
    let message = "every face is rerolled for ever";
    fails("show a = 2d6r<=6", "", message, "2d6r<=6");
    works("show a = 2d6ro<=6", "");
    works("show a = 2d6r<6", "");
}

#[test]
fn bags_that_are_too_small() {
    let message = "4 cannot be drawn from a bag of 3";
    fails(
        "show a = draw(4, {1: 2, 5: 1})",
        "",
        message,
        "draw(4, {1: 2, 5: 1})",
    );
    works("show a = draw(3, {1: 2, 5: 1})", "");
}

#[test]
fn numbers_beyond_64_bits() {
    let big = "let n = 1000000 show a = n * n * n * n * x";
    let message = "a number leaves the range of 64 bits";
    fails(big, "x=2", message, "n * n * n * n");
}

/// What fails in a question, where the rules are fine, is told at the question.
#[test]
fn questions_that_can_not_be_worked_out() {
    let check = check_of("show a = 2d6 + x");
    let track = model_of(
        "tracks",
        "",
        "let n = 0 repeat until n >= 2 { set n = n + d2 } show a = n",
    );
    let track = track.track("main").expect("it is there");
    for (query, message) in [
        (
            "mean(a * 9000000000000000000)",
            "a number leaves the range of 64 bits",
        ),
        (
            "median(a * 9000000000000000000)",
            "a number leaves the range of 64 bits",
        ),
        ("P(floor(12 / (a - 3)) > 2)", DIVISION),
        ("mean(a | floor(12 / (a - 3)) > 2)", DIVISION),
        ("quantile([1, 2][a], 0.5)", "the list has 2 items"),
    ] {
        for check in [&check, track] {
            let Some(Error::Rule(found)) = refusal(check, "", query) else {
                panic!("{query}");
            };
            assert!(
                found.message.contains(message),
                "{query}: {}",
                found.message
            );
            let pointed_at = &found.source.text[found.span.start..found.span.end];
            assert_eq!(pointed_at, query);
        }
    }
}

/// A fold comes to no -2^63, whether its dice are rolled, known or none.
#[test]
fn folds_that_come_to_the_least_number() {
    let message = "a number leaves the range of 64 bits";
    let doubled = "set m = if m + 9223372036854775807 > 0 then m * 2 else m";
    for pool in ["d2", "2d3", "{1, 2}", "{2d3, 5}"] {
        let fold =
            format!("(fold face, n of {pool} with m = -4611686018427387904 {{ {doubled} }})");
        fails(&format!("show a = {fold}"), "", message, &fold);
        works(
            &format!("show a = {}", fold.replace("-4611686018427387904", "-1")),
            "",
        );
    }
    let none = "(fold face, n of {} with m = -9223372036854775807 - 1 { set m = 0 })";
    fails(&format!("show a = {none}"), "", message, none);
}

#[test]
fn requirements_and_conditions() {
    let check = check_of("show a = d6 + x");
    let config = config_of(&check, "x=3");
    let query = check
        .query("mean(a)", "query")
        .unwrap_or_else(|e| panic!("{e}"));
    let error = answers(&check, &config, &[query], &Budget::new(BUDGET)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "x=3 breaks a requirement: `x != 3 or who == them` (with who=us)"
    );
    let query = check
        .query("mean(a | a > 9)", "query")
        .unwrap_or_else(|e| panic!("{e}"));
    let config = config_of(&check, "x=3 who=them");
    let error = answers(&check, &config, &[query], &Budget::new(BUDGET)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`mean(a | a > 9)` has no answer in x=3 who=them: what stands after `|` never happens"
    );
}
