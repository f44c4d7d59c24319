//! Runs programs with published odds, a JSON object a line, and compares: `corpus FILE [STEPS [ID]]`.
//!
//! A line has `id`, `program`, and either `labels` and `data`, which has a list of pairs of outcome and per cent for each output,
//! or `error`.

#![expect(clippy::print_stdout, reason = "an example shows its answer")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use oddsmith_anydice::{Depths, Error, ErrorKind, Output, Program};
use oddsmith_diagnostics::Source;
use oddsmith_dist::{Budget, RBig};
use serde_json::Value;

/// Steps that a program may take: what the command line allows.
const LIMIT: u64 = 10_000_000_000;
/// How far a published percentage may lie from the exact one: they have 14 digits.
const TOLERANCE: f64 = 1e-9;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("the path of a file comes first");
    let steps = arguments.next().and_then(|steps| steps.parse().ok());
    let only = arguments.next();
    let text = std::fs::read_to_string(&path).expect("the file can be read");
    let rows = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is a JSON object"));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut times = Vec::new();
    for row in rows {
        let row: Value = row;
        let id = row["id"].as_str().unwrap_or("?");
        if only.as_ref().is_some_and(|only| only != id) {
            continue;
        }
        let (verdict, taken, steps) = answer(id, &row, steps.unwrap_or(LIMIT));
        *counts.entry(verdict).or_default() += 1;
        times.push((taken, id.to_owned(), steps));
    }
    times.sort();
    for (time, id, steps) in times.iter().rev().take(8) {
        println!("{id} took {time:.2?} and {steps} steps");
    }
    let all: Duration = times.iter().map(|(time, ..)| *time).sum();
    println!("{counts:?}\n{all:.2?} in all");
}

/// Answers a program and tells what differs: a verdict, the time, and the steps.
fn answer(id: &str, row: &Value, limit: u64) -> (&'static str, Duration, u64) {
    let program = row["program"].as_str().unwrap_or("");
    let start = Instant::now();
    let budget = Budget::new(limit);
    let answer = Program::parse(program)
        .map_err(Error::from)
        .and_then(|program| program.run(&Depths::default(), &budget));
    let taken = start.elapsed();
    let verdict = match (&answer, row["data"].as_array()) {
        (Ok(found), Some(data)) => match difference(found, data, &row["labels"]) {
            None => "equal",
            Some(difference) => {
                println!("{id}: {difference}");
                match row["annotations"].is_null() {
                    true => "different",
                    false => "different, marked",
                }
            }
        },
        (Ok(found), None) => {
            let message = row["error"].as_str().unwrap_or("");
            println!(
                "{id}: {} outputs in {taken:.2?}, where the site says: {message}",
                found.len()
            );
            "answered, not by the site"
        }
        (Err(error), data) => {
            println!(
                "{id}: {}",
                error.diagnostic(&Source::new(id, program)).render(false)
            );
            match (error.kind, data) {
                (ErrorKind::Refused, _) => "refused",
                (_, Some(_)) => "an error, but not on the site",
                (_, None) => "an error, as on the site",
            }
        }
    };
    (verdict, taken, budget.spent())
}

/// The first difference between outputs and published ones.
fn difference(found: &[Output], data: &[Value], labels: &Value) -> Option<String> {
    if found.len() != data.len() {
        return Some(format!("{} outputs for {}", found.len(), data.len()));
    }
    found
        .iter()
        .zip(data)
        .enumerate()
        .find_map(|(place, (output, published))| {
            if labels[place] != output.label.as_str() {
                return Some(format!(
                    "the label {:?} for {}",
                    output.label, labels[place]
                ));
            }
            let published = percentages(published);
            let found = exact(output);
            let outcomes: Vec<i64> = found.keys().chain(published.keys()).copied().collect();
            let off = outcomes.into_iter().find(|outcome| {
                let one = found.get(outcome).copied().unwrap_or(0.0);
                let other = published.get(outcome).copied().unwrap_or(0.0);
                (one - other).abs() > TOLERANCE
            });
            off.map(|outcome| {
                format!(
                    "output {} {:?}: {outcome} has {:?}, published {:?}",
                    place + 1,
                    output.label,
                    found.get(&outcome),
                    published.get(&outcome)
                )
            })
        })
}

/// The percentages of an output.
fn exact(output: &Output) -> BTreeMap<i64, f64> {
    let Some(dist) = &output.distribution else {
        return BTreeMap::new();
    };
    let percent = |x: i64| (dist.pmf(x) * RBig::from(100_u8)).to_f64().value();
    dist.support().map(|x| (x, percent(x))).collect()
}

/// The published percentages of an output; gaps have no outcome.
fn percentages(published: &Value) -> BTreeMap<i64, f64> {
    let pairs = published.as_array().into_iter().flatten();
    let pairs = pairs.filter_map(|pair| Some((pair[0].as_i64()?, pair[1].as_f64()?)));
    pairs.collect()
}
