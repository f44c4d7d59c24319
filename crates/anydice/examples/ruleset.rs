//! Writes the ruleset that programs become, with the odds that it must show: `ruleset FILE`, a JSON object a line as `corpus`
//! reads them.
//!
//! A line of the answer has `id`, `toml`, and `expected`: check, axes, and pairs of outcome and fraction.

#![expect(clippy::print_stdout, reason = "an example shows its answer")]

use oddsmith_anydice::{Depths, Program, ruleset};
use oddsmith_dist::Budget;
use serde_json::{Value, json};

fn main() {
    let path = std::env::args()
        .nth(1)
        .expect("the path of a file comes first");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("a line is a JSON object");
        let Ok(program) = Program::parse(row["program"].as_str().unwrap_or("")) else {
            continue;
        };
        let Ok(outputs) = program.run(&Depths::default(), &Budget::new(1_000_000_000)) else {
            continue;
        };
        let translations = program.translate(&Depths::default());
        let checks: Vec<_> = translations
            .iter()
            .filter_map(|t| t.check.as_ref().ok())
            .collect();
        let reasons = translations.iter().filter_map(|t| t.check.as_ref().err());
        let reasons: Vec<&str> = reasons.map(|reason| reason.message.as_str()).collect();
        let expected = translations.iter().flat_map(|translation| {
            let same = outputs.iter().filter(|output| output.span == translation.span);
            let check = translation.check.as_ref().ok();
            check.into_iter().flat_map(move |check| {
                same.clone().map(move |output| {
                    let dist = output.distribution.iter();
                    let odds = dist.flat_map(|d| d.support().map(|x| json!([x, d.pmf(x).to_string()])));
                    let axes = check.axes.iter().zip(&output.loops).map(|(axis, (_, value))| format!("{}={value}", axis.name));
                    json!({ "check": check.name, "axes": axes.collect::<Vec<_>>(), "odds": odds.collect::<Vec<_>>() })
                })
            })
        });
        let expected: Vec<Value> = expected.collect();
        let toml = ruleset("From AnyDice", checks.iter().copied());
        println!(
            "{}",
            json!({ "id": row["id"], "toml": toml, "expected": expected, "reasons": reasons })
        );
    }
}
