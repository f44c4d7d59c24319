//! Writes random programs with their answers, a JSON object a line: `random COUNT SEED`.
//!
//! A line has `program` and either `outputs`, which has pairs of outcome and fraction for each output, `error`, or `refused`.
//! `scripts/compare-anydice` has another interpreter answer them.

#![expect(clippy::print_stdout, reason = "an example shows its answer")]

mod writer;

use oddsmith_anydice::{ErrorKind, Output, Program, Settings};
use oddsmith_dist::Budget;
use serde_json::{Value, json};
use writer::Writer;

/// Steps that a program may take.
const LIMIT: u64 = 1_000_000_000;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let count = arguments.next().and_then(Result::ok).unwrap_or(100);
    let seed = arguments.next().and_then(Result::ok).unwrap_or(0);
    for number in 0..count {
        let text = Writer::new(seed.wrapping_mul(1_000_003).wrapping_add(number)).program();
        let answer = Program::parse(&text)
            .and_then(|program| program.run(&Settings::default(), &Budget::new(LIMIT)));
        let line = match answer {
            Ok(outputs) => {
                let outputs: Vec<Value> = outputs.iter().map(fractions).collect();
                json!({ "program": text, "outputs": outputs })
            }
            Err(error) if error.kind == ErrorKind::Refused => {
                json!({ "program": text, "refused": error.to_string() })
            }
            Err(error) => json!({ "program": text, "error": error.render("random", &text, false) }),
        };
        println!("{line}");
    }
}

/// The odds of an output, with its label first.
fn fractions(output: &Output) -> Value {
    let dist = output.distribution.iter();
    let pairs = dist.flat_map(|dist| {
        let outcomes = dist.support();
        outcomes.map(|x| json!([x, dist.pmf(x).to_string()]))
    });
    json!({ "label": output.label, "odds": pairs.collect::<Vec<_>>() })
}
