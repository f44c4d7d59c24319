//! The ways into the program that inputs are tried on.

mod answers;
mod files;
mod programs;
mod texts;

use proptest::test_runner::TestRunner;

use crate::{BUDGET, Cost, MOST_BYTES, longest, measured};
use oddsmith::{Limits, Table, TableRow};
use oddsmith_exact::answers;

/// A way into the program.
#[derive(Debug)]
pub struct Target {
    /// What it is called on the command line, and in the corpus.
    pub name: &'static str,
    /// Takes an input, and complains of wrong answers.
    pub run: fn(&[u8]) -> Result<(), String>,
    /// The inputs that others are made of.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Draws an input as a tree, if there is something to draw.
    pub drawn: Option<fn(&mut TestRunner) -> Vec<u8>>,
}

impl Target {
    /// The target of a name.
    ///
    /// # Errors
    /// If there is none: what they are called.
    pub fn named(name: &str) -> Result<&'static Self, String> {
        let target = TARGETS.iter().find(|target| target.name == name);
        target.ok_or_else(|| {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            format!("there is no target `{name}`, only {}", names.join(", "))
        })
    }
}

/// All targets.
pub const TARGETS: &[Target] = &[
    answers::RULESET,
    answers::SCRIPT,
    answers::EXPRESSION,
    texts::QUERY,
    texts::SETTINGS,
    texts::GOALS,
    programs::ANYDICE,
    files::CASES,
    files::PROJECT,
    files::MANIFEST,
];

/// What a question may cost here.
fn limits() -> Limits {
    Limits::steps(BUDGET)
}

/// An answer that is to keep to the limits three times over in time; `questions` is how many budgets there are.
fn within<T>(what: &str, questions: u32, ask: impl Fn() -> T) -> Result<T, String> {
    within_bytes(what, questions, MOST_BYTES, ask)
}

/// What [`within`] is for an answer that may take so many bytes.
fn within_bytes<T>(
    what: &str,
    questions: u32,
    most: usize,
    ask: impl Fn() -> T,
) -> Result<T, String> {
    let (answer, mut cost) = measured(&ask);
    // Whatever else the machine does makes a run slower, never faster.
    for _ in 0..3 {
        if !is_slow(cost, questions) {
            break;
        }
        cost.time = measured(&ask).1.time.min(cost.time);
    }
    if is_slow(cost, questions) {
        return Err(format!("{what}: took {:?} of the processor", cost.time));
    }
    if cost.bytes > most {
        return Err(format!("{what}: took {} bytes", cost.bytes));
    }
    Ok(answer)
}

fn is_slow(cost: Cost, questions: u32) -> bool {
    cost.time > longest(questions)
}

/// The input as text; most inputs are.
fn text(input: &[u8]) -> String {
    String::from_utf8_lossy(input).into_owned()
}

/// Some rows of a table are the odds of their configurations alone.
fn rows_stand_alone(table: &Table, rows: &[TableRow]) -> Result<(), String> {
    for row in rows.iter().step_by(1 + rows.len() / 3) {
        let mut config = table.config.clone();
        for (range, value) in table.ranges.iter().zip(&row.values) {
            config.put(range.input, *value);
        }
        let budget = Limits::default().budget();
        let alone = answers(&table.check, &config, &table.queries, &budget);
        let alone =
            alone.map_err(|error| format!("{:?} has odds in a table only: {error}", row.values))?;
        let mut pairs = alone.iter().zip(&row.answers);
        if !pairs.all(|(a, b)| a.to_ratio() == b.to_ratio()) {
            let (values, rows) = (&row.values, &row.answers);
            return Err(format!(
                "{values:?}: {rows:?} in the table, {alone:?} alone"
            ));
        }
    }
    Ok(())
}
