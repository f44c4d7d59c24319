//! What can't be answered: rules that can't be carried out, with their place and configuration, and questions
//! that cost more than the budget.

use oddsmith_exact::{Budget, Error, Sweep, answers, distribution};
use oddsmith_rules::{Check, Config, expression, load};

/// A hundredth of what the command line allows: what is too much shows at once.
const BUDGET: u64 = 100_000_000;

/// A check `main` of one script with an axis `x` and a choice `who`.
fn check_of(script: &str) -> Check {
    let text = format!(
        r#"name = "Test"
[functions]
share = "(n, parts) => floor(n / parts)"
[checks.main]
require = ["x != 3 or who == them"]
axes.x = {{ domain = "-3..=3", default = 1 }}
axes.who = {{ domain = ["us", "them"], default = "us" }}
rules = """
{script}
"""
"#
    );
    let model = load("test.toml", text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    model.check("main").expect("it is there").clone()
}

fn config_of(check: &Check, setting: &str) -> Config {
    let mut config = check.defaults();
    for assignment in setting.split_whitespace() {
        check
            .set(&mut config, assignment, "setting")
            .unwrap_or_else(|e| panic!("{e}"));
    }
    config
}

/// The error of asking for the mean of the last outcome. `distribution` must report the same.
fn error_of(check: &Check, setting: &str) -> Option<Error> {
    let config = config_of(check, setting);
    let outcome = check.outcomes.last().expect("something is shown");
    let query = check
        .query(&format!("mean({})", outcome.name), "query")
        .unwrap_or_else(|e| panic!("{e}"));
    let budget = Budget::new(BUDGET);
    let error = answers(check, &config, &[query], &budget).err();
    let also = distribution(check, &config, outcome, &Budget::new(BUDGET)).err();
    assert_eq!(error, also);
    error
}

/// Asserts the message and the words that it points at.
fn fails(script: &str, setting: &str, message: &str, place: &str) {
    let check = check_of(script);
    let error = error_of(&check, setting);
    let Some(Error::Rule(diagnostic)) = &error else {
        panic!("{script}\n{setting}: {error:?}");
    };
    let span = diagnostic.span;
    let found = (
        diagnostic.message.as_str(),
        &check.source.text[span.start..span.end],
    );
    let shown = check.describe(&config_of(&check, setting));
    assert_eq!(
        found,
        (format!("{message}, for {shown}").as_str(), place),
        "{script}"
    );
    let rendered = diagnostic.to_string();
    assert!(rendered.starts_with("test.toml:"), "{rendered}");
}

fn works(script: &str, setting: &str) {
    assert_eq!(
        error_of(&check_of(script), setting),
        None,
        "{script}\n{setting}"
    );
}

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
        "x + 1",
    );
    // Only what is reached can fail.
    let script = "show a = if d6 > 5 then floor(d6 / x) else 1";
    fails(script, "x=0", DIVISION, "x");
    works("show a = if d6 > 6 then floor(d6 / x) else 1", "x=0");
    works("show a = if x == 0 then 0 else floor(d6 / x)", "x=0");
    works("let unused = floor(6 / x) show a = d6", "x=0");
    works("show b = floor(d6 / x) show a = d6", "x=0");
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
    // The failing reading is in a branch that is never taken, or not asked for.
    let script = "let p = 3d6 show b = sum(p) show a = if x < 0 then b else p kh x";
    works(script, "x=-1");
    works(
        "let p = 3d6 show b = p kh x show a = sum(p) + highest(p)",
        "x=-1",
    );
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
        "x=3 breaks a requirement: `x != 3 or who == them` (with x=3 who=us)"
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

/// Asks for the distribution of an expression: an answer or a refusal.
fn outcome_of(text: &str) -> Option<Error> {
    let check = expression(text, "<expression>").unwrap_or_else(|e| panic!("{e}"));
    answer_or_refusal(&check)
}

fn answer_or_refusal(check: &Check) -> Option<Error> {
    let outcome = check.outcomes.last().expect("something is shown");
    distribution(check, &check.defaults(), outcome, &Budget::new(BUDGET)).err()
}

/// Asserts that it is refused with a prediction.
fn refused(text: &str) {
    let error = outcome_of(text);
    let Some(Error::OverBudget {
        predicted,
        limit,
        help,
        what,
    }) = error
    else {
        panic!("{text}: {error:?}");
    };
    assert_eq!(limit, BUDGET);
    assert!(predicted > u128::from(limit), "{text}: {predicted}");
    assert!(
        !what.is_empty() && help.contains("--budget"),
        "{text}: {what}; {help}"
    );
}

#[test]
fn too_much_work_is_refused() {
    refused("100000d100000");
    refused("(1000d1000) * (1000d1000)");
    refused("matches(60d{1..=50:3, 51..=70:2})");
    refused("1000000d6 * 1000000d6");
    refused("highest(10000d10000, 5000)");
    let error = outcome_of("100000d100000").expect("it is refused");
    let message = error.to_string();
    assert!(
        message.starts_with("`100000d100000` needs about "),
        "{message}"
    );
    assert!(
        message.ends_with(" steps; the budget is 1.0e8"),
        "{message}"
    );
}

/// Answered or refused, but never by way of minutes or gigabytes.
#[test]
fn huge_things_end_soon() {
    for text in [
        "1d{0, 1000000000} + 1d{0, 3000000}",
        "20d{0, 1000000000} + 20d{0, 7}",
        "1000000d6 * 1000000",
        "10d{0, 1, 1000000007, 9999999967}",
        "100d{0, 1, 100000, 1000000000}",
        "d4294967295",
        "d{1..=4000000000}",
        "2d100000000",
        "1000000d2 kh 1",
        "4000000000d2",
        "matches(1000000d6)",
        "count(1000000d6, 6)",
        "wins(100d100, 100d100)",
        "wins(10d1000 kh 5, 8d1000)",
        "2d20!(1000000)",
        "10d10!(200) kh 5",
        "1d[1d[1d[100d100]]] * 100d100",
        "100d[20d20 kh 3]",
        "highest({100d6, 100d8, 100d10, 100d12}, 50)",
        "d1000000 * d1000000",
        "d100000 * d10000 + d100000 * d10000",
        "d1000 * d1000 * d1000 * d1000",
        "{50d6 kh 20, 50d8 kh 20} kh 20",
    ] {
        let error = outcome_of(text);
        let refused = matches!(
            error,
            None | Some(Error::OverBudget { .. } | Error::Rule(_))
        );
        assert!(refused, "{text}: {error:?}");
    }
}

/// Scripts that carry much from step to step.
#[test]
fn huge_scripts_end_soon() {
    for script in [
        "let p = 40d20 show a = p + highest(p) * matches(p) * nth(p, 7) * count(p, 3)",
        "let p = 30d20 let q = 30d20 show a = wins(p, q) + wins(p, p kh 3) + matches({p, q})",
        "let t = 0 repeat 1000000 { set t = t + d6 } show a = t",
        "let t = 0 let u = 0 repeat 1000 { set t = t + d100 set u = u * 3 + t } show a = u",
        "let t = 0 repeat 100000000 { set t = d6 } show a = t",
        "let t = 0 repeat 1000000000 until d6 == 7 { set t = min(t + 1, 3) } show a = t",
        "let a1 = 100d100 let a2 = 100d100 let a3 = 100d100 show a = a1 * a2 - a1 * a3 + a2",
        "let p = 10d10 repeat 5 { set p = {p kh 5, 5d10} } show a = p",
        "let s = 10d1000 show a = 50d[d6 + s]",
    ] {
        let error = answer_or_refusal(&check_of(script));
        let refused = matches!(
            error,
            None | Some(Error::OverBudget { .. } | Error::Rule(_))
        );
        assert!(refused, "{script}: {error:?}");
    }
}

#[test]
fn a_sweep_that_costs_too_much_is_refused_before_it_starts() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../rulesets/stars-and-signs.toml"
    );
    let text = std::fs::read(path).expect("the ruleset is there");
    let model = load("stars-and-signs", &text).expect("the ruleset is right");
    let check = &model.checks[0];
    let ranges = [
        "flat=all",
        "circ_boons=all",
        "skill_rank=all",
        "ability_rank=all",
    ];
    let ranges = ranges.map(|text| check.sweep(text, "sweep").unwrap());
    let (base, queries, budget) = (
        check.defaults(),
        check.own_queries(),
        Budget::new(1_000_000_000),
    );
    let error = Sweep::new(check, &base, &ranges, &queries, &budget).unwrap_err();
    let Error::OverBudget {
        predicted,
        limit,
        help,
        ..
    } = error
    else {
        panic!("{error}")
    };
    assert!(predicted > u128::from(limit));
    assert!(help.contains("`flat` alone has 20001"), "{help}");
    assert_eq!(budget.spent(), 0);
}
