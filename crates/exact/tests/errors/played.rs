//! Tracks that are played by other rules, and can't be there.

use oddsmith_exact::{Answer, Budget, Error, answers};
use oddsmith_rules::{Check, Diagnostic, Model, load};

/// `fair` ends for sure, after any number of rounds; `maybe` never, if it shows a 1 before a 2; `counted` after three
/// rounds at the most.
const RULES: &str = r#"
name = "Test"
[tracks.fair]
rules = """
let done = 0
let paid = 0
repeat until done == 2 {
  let die  = 1d6
  set done = done + (die >= 5)
  set paid = paid + die
}
show price = paid
"""
[tracks.maybe]
axes.sides = { domain = "2..=6", default = 6 }
rules = """
let found = 0
repeat until found == 2 { set found = if found == 1 then 1 else match 1d(sides) { 1: 1, 2: 2, else: 0 } }
"""
[tracks.counted]
rules = """
let done = 0
let paid = 0
repeat until done == 2 or rolls == 3 {
  let die  = 1d2
  set done = min(done + die, 2)
  set paid = paid + die
}
show price = paid
"""
[tracks.falling]
rules = """
let left = 3
let lost = 0
repeat until left == 0 {
  let blow = 1d2
  set left = max(left - blow, 0)
  set lost = lost + blow - 1
}
show price = lost
"""
[checks.price]
rules = "show price = fair().price"
[checks.length]
rules = "show rounds = fair(..).rolls"
[checks.stuck]
rules = "show ended = maybe(..).rolls >= 0"
[checks.bounded]
rules = """
let c = counted()
show price  = c.price
show rounds = c.rolls
"""
[checks.fallen]
rules = """
let f = falling()
show price  = f.price
show rounds = f.rolls
"""
[tracks.outer]
rules = """
let n = 0
repeat until n == 2 {
  let m = maybe(sides = 2)
  set n = n + 1
}
"""
"#;

fn model() -> Model {
    load("test.toml", RULES.as_bytes()).expect("it is a ruleset")
}

fn answer(check: &Check, query: &str, budget: &Budget) -> Result<Answer, Error> {
    let query = check.query(query, "query").expect("it is a question");
    let answers = answers(check, &check.defaults(), &[query], budget);
    answers.map(|mut answers| answers.remove(0))
}

fn found(name: &str, query: &str) -> Result<Answer, Error> {
    let model = model();
    let check = model.check(name).or(model.track(name));
    answer(check.expect("it is there"), query, &Budget::unlimited())
}

fn refused(name: &str, query: &str) -> Error {
    found(name, query).expect_err("it has no answer")
}

/// What stands at the place of an error.
fn written(error: &Diagnostic) -> &str {
    &error.source.text[error.span.start..error.span.end]
}

fn ratio(name: &str, query: &str) -> String {
    let found = found(name, query).expect("it has an answer");
    found.to_ratio().expect("it is a number").to_string()
}

#[test]
fn what_grows_without_an_end_is_not_read() {
    for (name, query, sum) in [
        ("price", "P(price >= 3)", "paid"),
        ("length", "mean(rounds)", "rolls"),
    ] {
        let error = refused(name, query);
        let Error::Unsupported(found) = &error else {
            panic!("{error}")
        };
        let message = format!("`{sum}` has no upper end when `fair` has ended, and is read there");
        assert_eq!(found.message, message);
        assert_eq!(written(found), "done == 2");
        let help = found.help.as_deref().unwrap_or_default();
        assert!(help.contains("until … or rolls == 100"), "{help}");
    }
}

/// Of 1d2, until 2 is reached: 2, or 1 and 1 or 2. Blows of 1 or 2 against 3: 111, 112, 12, 21, 22.
#[test]
fn what_has_an_end_is_read() {
    assert_eq!(ratio("bounded", "P(price == 2 & rounds == 1)"), "1/2");
    assert_eq!(ratio("bounded", "P(price == 3 & rounds == 2)"), "1/4");
    assert_eq!(ratio("bounded", "mean(rounds)"), "3/2");
    assert_eq!(ratio("fallen", "P(price == 1 & rounds == 3)"), "1/8");
    assert_eq!(ratio("fallen", "P(price == 1)"), "5/8");
    assert_eq!(ratio("fallen", "P(price == 2)"), "1/4");
}

/// Rounds without dice leave what they have changed, in tracks and in checks, and not what they began with.
#[test]
fn what_rounds_change_is_read_as_they_leave_it() {
    let rules = r#"
name = "Test"
[tracks.two]
rules = "let n = 0 repeat until n >= 2 { set n = n + 2 } show end = n"
[checks.three]
rules = "let n = 0 repeat 3 { set n = n + 1 } show end = n"
[checks.main]
rules = """
show a = if two().end < 1 then 1 else 0
show b = if three().end < 1 then 1 else 0
"""
"#;
    let model = load("test.toml", rules.as_bytes()).expect("it is a ruleset");
    let check = model.check("main").expect("it is there");
    for query in ["P(a == 0)", "P(b == 0)", "P(a == 0 & b == 0)"] {
        let found = answer(check, query, &Budget::unlimited()).expect("it has an answer");
        let found = found.to_ratio().expect("it is a number").to_string();
        assert_eq!(found, "1", "{query}");
    }
}

#[test]
fn who_may_never_end_is_not_played() {
    let error = refused("stuck", "P(ended)");
    let Error::Rule(found) = &error else {
        panic!("{error}")
    };
    assert_eq!(found.message, "`maybe` may never end where it is played");
    assert_eq!(&*found.label, "with a probability of 1/2 this never holds");
    assert_eq!(written(found), "found == 2");
    let help = found.help.as_deref().unwrap_or_default();
    assert!(help.contains("give `maybe` another end"), "{help}");
    let text = refused("outer", "mean(rolls)").to_string();
    assert!(
        text.contains("`maybe` may never end where it is played"),
        "{text}"
    );
}

/// The budget is met before the work, and what it was for has a name.
#[test]
fn what_costs_too_much_says_which_track_does() {
    let rules = r#"
name = "Test"
[tracks.long]
axes.goal = { domain = "1..=1000000000", default = 1000000000 }
rules = "let n = 0 repeat until n == goal { set n = min(n + 1d6, goal) } show end = n"
[checks.outer]
rules = "show over = long(..).end == 3"
"#;
    let model = load("test.toml", rules.as_bytes()).expect("it is a ruleset");
    let check = model.check("outer").expect("it is there");
    let error = answer(check, "P(over)", &Budget::new(1_000_000));
    let error = error.expect_err("it is too much");
    let Error::OverBudget { what, help, .. } = &error else {
        panic!("{error}")
    };
    assert!(
        what.starts_with("`long`, which is played here: a track of "),
        "{what}"
    );
    assert!(help.contains("`n` has had"), "{help}");
}

/// Who chooses in a track of too many states is told which of them there are.
#[test]
fn too_many_states_to_choose_in_are_told_by_variable() {
    // What is told depends on what the budget ends in: here where states are made.
    let help = |rules: &str, goal: &str| {
        let rules =
            format!("name = \"Test\"\n[tracks.long]\nmaximise = \"{goal}\"\nrules = \"{rules}\"\n");
        let model = load("test.toml", rules.as_bytes()).expect("it is a ruleset");
        let track = model.track("long").expect("it is there");
        let refused = |limit: u64| match answer(track, "mean(rolls)", &Budget::new(limit)) {
            Err(Error::OverBudget { what, help, .. }) => {
                what.starts_with("choosing in a track of ").then_some(help)
            }
            _ => None,
        };
        let mut limits = (1..40).rev().map(|part| part * 10_000);
        limits.find_map(refused).expect("some budget ends there")
    };
    let endless = "let n = 50 repeat until n == 0 { choose more in 0..=1 set n = n - 1d6 - more }";
    let told = help(endless, "-rolls");
    assert!(told.contains("`n` has had"), "{told}");
    let wide = "let a = 10 let b = 10 let c = 10 repeat until a + b + c == 0 {
  choose more in 0..=1 set a = max(a - 1d3 * more, 0) set b = max(b - 1d3, 0) set c = max(c - 1d3, 0)
}";
    let told = help(&wide.replace('\n', " "), "-rolls");
    assert!(told.contains("its states so far are some of a "), "{told}");
    assert!(told.contains(" × b "), "{told}");
}

/// The number of rounds can't be given an end: what is read of it can be carried along.
#[test]
fn who_reads_the_round_is_told_to_carry_what_it_tells() {
    let rules = r#"
name = "Test"
[tracks.long]
rules = "let n = 0 repeat until n == 9 { set n = min(n + (1d6 >= 6 and rolls > 0), 9) } show end = n"
"#;
    let model = load("test.toml", rules.as_bytes()).expect("it is a ruleset");
    let track = model.track("long").expect("it is there");
    let error = answer(track, "P(end == 9)", &Budget::new(1_000_000));
    let error = error.expect_err("it is too much");
    let Error::OverBudget { help, .. } = &error else {
        panic!("{error}")
    };
    assert!(help.contains("`rolls` has had"), "{help}");
    assert!(help.contains("set to 0"), "{help}");
}
