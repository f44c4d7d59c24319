//! Random scripts.
//!
//! [`trees`] draws them, [`text`] writes them down, and the functions here put a ruleset around them. The rulesets of
//! [`calls`] are drawn as wholes, and have odds of their own.

pub mod calls;
pub mod text;
pub mod trees;

use oddsmith_rules::{Check, Model, load};

/// The head of a ruleset, with what every script can call.
pub const AROUND: &str = r#"name = "Random"
[dice.rune]
faces = [{}, { star = 1 }, { star = 2, moon = 1 }, { star = -1 }]
[functions]
twice = "(x) => x + x"
odd   = "(v) => if v > 1 then v else 5 - v"
below = "(p, x) => count(p, < x)"
best  = "(p) => p kh 1"
hand  = "(n) => (clamp(n, 0, 2))d2"
mix   = "(p, x) => if x > 1 then sum(p) + d2 else highest(p)"
[checks.inner]
axes.n = { domain = "0..=3", default = 1 }
rules = """
let spent = 0
repeat 2 until spent >= n { set spent = spent + d2 }
show rest = spent - n
show even = d2 == 2
"""
[checks.bold]
maximise = "got - 2 * (got < need)"
axes.need = { domain = "0..=3", default = 2 }
rules = """
let one = d2
choose risk in 0..=1
show got = if risk == 1 then 2 * d2 - 1 else one
"""
"#;

/// The table of a check or a track, such as `checks.main`, with the axis `k`, which is its first input.
#[must_use]
pub fn table(name: &str, keys: &str, script: &str) -> String {
    let axis = "axes.k = { domain = \"0..=3\", default = 1 }";
    format!("[{name}]\n{keys}\n{axis}\nrules = \"\"\"\n{script}\"\"\"\n")
}

/// The key that says what a check strives for, if it does.
#[must_use]
pub fn maximise(goal: Option<&String>) -> String {
    goal.map_or(String::new(), |goal| format!("maximise = '{goal}'"))
}

/// The ruleset with a check (`checks`) or a track (`tracks`) `main` of this script. None if the checker refuses it: an arm
/// of a `match` that can't be reached, say.
///
/// # Panics
/// If it is refused, and the variable `SHOW_REFUSED` is set.
#[must_use]
pub fn model_of(kind: &str, keys: &str, script: &str) -> Option<Model> {
    let text = AROUND.to_owned() + &table(&format!("{kind}.main"), keys, script);
    let model = load("random.toml", text.as_bytes());
    if let (Err(errors), Ok(_)) = (&model, std::env::var("SHOW_REFUSED")) {
        let message = errors.to_string();
        assert!(message.is_empty(), "{message}\n{script}");
    }
    model.ok()
}

/// The check of a script that strives for a goal, if it does. None if the checker refuses it.
#[must_use]
pub fn check_of(script: &str, goal: Option<&String>) -> Option<Check> {
    let model = model_of("checks", &maximise(goal), script)?;
    model.check("main").cloned()
}
