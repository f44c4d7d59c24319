//! How an expression was answered: algorithms, number types, what was predicted and what it took.

use std::time::Duration;

use oddsmith_exact::{Dist, Note};
use serde_json::{Value, json};

use crate::format::grid::{Align, Cell, Grid};
use crate::format::markup::Markup;
use crate::format::paint::{BOLD, DIM};

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
    /// A row for each note, one for what they don't tell, and one for the whole.
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
        let (steps, took) = self.rest();
        let rest = [
            "all else: reading, adding up, comparing".to_owned(),
            String::new(),
            String::new(),
            predicted(steps),
            time(took),
        ];
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
        self.notes.iter().map(row).chain([rest, whole]).collect()
    }

    /// What is predicted and taken besides what there are notes of.
    fn rest(&self) -> (u64, Duration) {
        let noted = || self.notes.iter().filter(|note| note.depth == 0);
        let steps: u64 = noted().map(|note| note.steps).sum();
        let took: Duration = noted().map(|note| note.took).sum();
        (
            self.steps.saturating_sub(steps),
            self.took.saturating_sub(took),
        )
    }

    /// For people: the table, then why each algorithm was chosen.
    pub(crate) fn text(&self) -> String {
        let mut grid = Grid::new(&ALIGNS);
        grid.head(&HEAD);
        for row in self.rows() {
            grid.push(row.into_iter().map(Cell::from).collect());
        }
        let mut text = format!("{BOLD}{}{BOLD:#}\n{}", self.expression, grid.render("  "));
        let mut told: Vec<(&str, &str)> = Vec::new();
        for Note { plan, .. } in &self.notes {
            let reason = (plan.algorithm, plan.reason.as_str());
            if !told.contains(&reason) {
                text += &format!("{DIM}{}: {}{DIM:#}\n", reason.0, reason.1);
                told.push(reason);
            }
        }
        text
    }

    /// A table for a document; the last column says why.
    pub(crate) fn document(&self, markup: Markup) -> String {
        let reasons = self.notes.iter().map(|note| note.plan.reason.clone());
        let reasons = reasons.chain(std::iter::repeat(String::new()));
        let rows = self.rows().into_iter().zip(reasons);
        let rows: Vec<Vec<String>> = rows
            .map(|(row, reason)| row.into_iter().chain([reason]).collect())
            .collect();
        let head = [&HEAD[..], &["why"]].concat();
        let aligns = [&ALIGNS[..], &[Align::Left]].concat();
        markup.table(&head, &aligns, &rows)
    }

    /// A row per note, and one for the whole, which has no depth.
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
        let (steps, took) = (self.steps.to_string(), self.took.as_nanos().to_string());
        writer.write_record(["", "all of it", "", "", "", "", &steps, &took])?;
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
        s if s >= 1e-6 => (s * 1e6, "µs"),
        s => (s * 1e9, "ns"),
    };
    let digits = match number {
        n if n >= 99.95 => 0,
        n if n >= 9.995 => 1,
        _ => 2,
    };
    format!("{number:.digits$} {unit}")
}
