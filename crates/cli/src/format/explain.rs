//! How an expression was answered: algorithms, number types, what was predicted and what it took.

use std::time::Duration;

use oddsmith_exact::{Dist, Note};
use serde_json::{Value, json};

use crate::document::{Block, Column, Document, Medium, Span, Table};
use crate::format::words::plural;

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

impl Explained {
    /// A row for each note, one for what they don't tell, and one for the whole.
    fn rows(&self) -> Vec<[String; 6]> {
        let row = |note: &Note| {
            let plan = &note.plan;
            [
                format!("{}{}", "  ".repeat(note.depth), plan.question),
                plan.algorithm.to_owned(),
                numbers(plan.bits),
                predicted(note.steps),
                time(note.took),
                plan.reason.clone(),
            ]
        };
        let sum = |what: String, steps, took| {
            let none = String::new;
            [what, none(), none(), predicted(steps), time(took), none()]
        };
        let (steps, took) = self.rest();
        let rest = "all else: reading, adding up, comparing".to_owned();
        let whole = format!("all of it: {}", plural(self.dist.len() as u64, "outcome"));
        let sums = [sum(rest, steps, took), sum(whole, self.steps, self.took)];
        self.notes.iter().map(row).chain(sums).collect()
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

    /// The table, and why each algorithm was chosen: on a terminal below it, on a page in its last column.
    pub(crate) fn document(&self) -> Document {
        let [question, algorithm, numbers] = ["question", "algorithm", "numbers"].map(Column::left);
        let [predicted, took] = ["predicted", "took"].map(Column::right);
        let why = Column::left("why").only(Medium::Page);
        let columns = [question, algorithm, numbers, predicted, took, why];
        let mut reasons: Vec<String> = Vec::new();
        for Note { plan, .. } in &self.notes {
            let reason = format!("{}: {}", plan.algorithm, plan.reason);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let reasons = Block::paragraph(Span::muted(reasons.join("\n")));
        let mut document = Document::default();
        document.push([
            Block::paragraph(Span::strong(&self.expression)).only(Medium::Terminal),
            Block::table(Table::new(columns).with_rows(self.rows())),
            reasons.only(Medium::Terminal),
        ]);
        document
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
        for note in &self.notes {
            let plan = &note.plan;
            writer.write_record([
                &note.depth.to_string(),
                &plan.question,
                plan.algorithm,
                &plan.reason,
                &plan.bits.to_string(),
                &numbers(plan.bits),
                &note.steps.to_string(),
                &note.took.as_nanos().to_string(),
            ])?;
        }
        let (steps, took) = (self.steps.to_string(), self.took.as_nanos().to_string());
        writer.write_record(["", "all of it", "", "", "", "", &steps, &took])?;
        Ok(writer.into_inner()?)
    }

    pub(crate) fn json(&self) -> Value {
        let object = |note: &Note| {
            let plan = &note.plan;
            json!({
                "depth": note.depth,
                "question": plan.question,
                "algorithm": plan.algorithm,
                "reason": plan.reason,
                "bits": plan.bits,
                "numbers": numbers(plan.bits),
                "predicted_ns": note.steps,
                "took_ns": nanoseconds(note.took),
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
