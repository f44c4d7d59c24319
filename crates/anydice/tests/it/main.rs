//! Programs against cases, against enumeration by hand, and against those who mean harm.

mod cases;
mod cut;
mod errors;
mod hostile;
mod rolls;
mod translate;

use oddsmith_anydice::{Depths, Error, Output, Program};
use oddsmith_diagnostics::Source;
use oddsmith_dist::{Budget, RBig};

/// Steps that a program of a test may take.
const LIMIT: u64 = 2_000_000_000;

/// The outputs of a program.
fn run(text: &str) -> Result<Vec<Output>, Error> {
    Program::parse(text)?.run(&Depths::default(), &Budget::new(LIMIT))
}

/// The outputs of a program that has no error.
fn answers(text: &str) -> Vec<Output> {
    run(text).unwrap_or_else(|error| {
        panic!(
            "{}",
            error.diagnostic(&Source::new("test", text)).render(false)
        )
    })
}

/// The odds of an output.
fn odds(output: &Output) -> Vec<(i64, RBig)> {
    let dist = output.distribution.iter();
    dist.flat_map(|dist| dist.support().map(|x| (x, dist.pmf(x))))
        .collect()
}
