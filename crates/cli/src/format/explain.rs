//! How an expression was answered: algorithms, number types, what was predicted and what it took.

use std::time::Duration;

use oddsmith_exact::{Dist, Note};
use serde_json::{Value, json};

use crate::format::grid::{Align, Cell, Grid, markdown};
use crate::format::words::{BOLD, DIM};

/// An answer with the notes that were taken on the way.
#[derive(Debug)]
pub(crate) struct Explained {
    pub(crate) expression: String,
    pub(crate) dist: Dist,
    pub(crate) notes: Vec<Note>,
    /// Predicted for all of it, and what it took.
    pub(crate) steps: u64,
    pub(crate) took: Duration,
}

const HEAD: [&str; 5] = ["question", "algorithm", "numbers", "predicted", "took"];
const ALIGNS: [Align; 5] = [
    Align::Left,
    Align::Left,
    Align::Left,
    Align::Right,
    Align::Right,
];

impl Explained {
    /// A row for each note, and one for the whole.
    fn rows(&self) -> Vec<[String; 5]> {
        let row = |note: &Note| {
            let Note {
                plan,
                steps,
                took,
                depth,
            } = note;
            let question = format!("{}{}", "  ".repeat(*depth), plan.question);
            let numbers = numbers(plan.bits);
            [
                question,
                plan.algorithm.to_owned(),
                numbers,
                predicted(*steps),
                time(*took),
            ]
        };
        let outcomes = self.dist.len();
        let whole = [
            format!(
                "all of it: {outcomes} {}",
                if outcomes == 1 { "outcome" } else { "outcomes" }
            ),
            String::new(),
            String::new(),
            predicted(self.steps),
            time(self.took),
        ];
        self.notes.iter().map(row).chain([whole]).collect()
    }

    /// For people: the table, then why each algorithm was chosen.
    pub(crate) fn text(&self) -> String {
        let mut grid = Grid::new(&ALIGNS);
        grid.head(&HEAD);
        for row in self.rows() {
            grid.push(row.into_iter().map(Cell::from).collect());
        }
        let mut text = format!("{BOLD}{}{BOLD:#}\n{}", self.expression, grid.render("  "));
        for Note { plan, .. } in &self.notes {
            text += &format!("{DIM}{}: {}{DIM:#}\n", plan.algorithm, plan.reason);
        }
        text
    }

    pub(crate) fn pipes(&self) -> String {
        let rows: Vec<Vec<String>> = self.rows().into_iter().map(Vec::from).collect();
        markdown(&HEAD, &ALIGNS, &rows)
    }

    /// A row per note; the whole is no row.
    pub(crate) fn csv(&self) -> anyhow::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record([
            "depth",
            "question",
            "algorithm",
            "reason",
            "bits",
            "numbers",
            "predicted_ns",
            "took_ns",
        ])?;
        for Note {
            plan,
            steps,
            took,
            depth,
        } in &self.notes
        {
            writer.write_record([
                &depth.to_string(),
                &plan.question,
                plan.algorithm,
                &plan.reason,
                &plan.bits.to_string(),
                &numbers(plan.bits),
                &steps.to_string(),
                &took.as_nanos().to_string(),
            ])?;
        }
        Ok(writer.into_inner()?)
    }

    pub(crate) fn json(&self) -> Value {
        let object = |Note {
                          plan,
                          steps,
                          took,
                          depth,
                      }: &Note| {
            json!({
                "depth": depth,
                "question": plan.question,
                "algorithm": plan.algorithm,
                "reason": plan.reason,
                "bits": plan.bits,
                "numbers": numbers(plan.bits),
                "predicted_ns": steps,
                "took_ns": nanoseconds(*took),
            })
        };
        json!({
            "expression": self.expression,
            "outcomes": self.dist.len(),
            "predicted_ns": self.steps,
            "took_ns": nanoseconds(self.took),
            "steps": self.notes.iter().map(object).collect::<Vec<Value>>(),
        })
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The type of numbers that hold a total of so many bits.
fn numbers(bits: usize) -> String {
    match bits {
        0..=64 => "u64".to_owned(),
        65..=128 => "u128".to_owned(),
        _ => format!("{} words", bits.div_ceil(64)),
    }
}

/// A step stands for a nanosecond.
fn predicted(steps: u64) -> String {
    time(Duration::from_nanos(steps))
}

/// Three digits are enough.
fn time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s => (s * 1e6, "µs"),
    };
    let digits = match number {
        n if n >= 99.95 => 0,
        n if n >= 9.995 => 1,
        _ => 2,
    };
    format!("{number:.digits$} {unit}")
}
