//! Writes random programs with their answers, a JSON object a line: `random COUNT SEED`. `random -` answers a program of
//! standard input in their place.
//!
//! A line has `program` and either `outputs`, which has pairs of outcome and fraction for each output, `error`, or `refused`.
//! `scripts/compare-anydice` has another interpreter answer them.

#![expect(clippy::print_stdout, reason = "an example shows its answer")]

mod writer;

use oddsmith_anydice::{Depths, Error, ErrorKind, Output, Program};
use oddsmith_diagnostics::Source;
use oddsmith_dist::Budget;
use serde_json::{Value, json};
use writer::Writer;

/// Steps that a random program may take, and one of standard input: as many as `oddsmith anydice` allows.
const LIMITS: [u64; 2] = [1_000_000_000, 10_000_000_000];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|only| only == "-") {
        let text = std::io::read_to_string(std::io::stdin()).expect("standard input is a text");
        return println!("{}", answer(&text, LIMITS[1]));
    }
    let mut numbers = arguments.iter().map(|text| text.parse::<u64>());
    let count = numbers.next().and_then(Result::ok).unwrap_or(100);
    let seed = numbers.next().and_then(Result::ok).unwrap_or(0);
    for number in 0..count {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
        println!("{}", answer(&Writer::new(seed).program(), LIMITS[0]));
    }
}

/// A program with its answer.
fn answer(text: &str, limit: u64) -> Value {
    let answer = Program::parse(text)
        .map_err(Error::from)
        .and_then(|program| program.run(&Depths::default(), &Budget::new(limit)));
    match answer {
        Ok(outputs) => {
            let outputs: Vec<Value> = outputs.iter().map(fractions).collect();
            json!({ "program": text, "outputs": outputs })
        }
        Err(error) if error.kind == ErrorKind::Refused => {
            json!({ "program": text, "refused": error.to_string() })
        }
        Err(error) => {
            let shown = error.diagnostic(&Source::new("random", text)).render(false);
            json!({ "program": text, "error": shown })
        }
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
