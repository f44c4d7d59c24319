//! How an expression was answered: algorithms, number types, what was predicted and what it took.

use std::time::Duration;

use oddsmith::explanation::{Explanation, number_type};
use oddsmith_exact::Note;

use crate::document::{Block, Column, Document, Medium, Span, Table};
use crate::format::words::plural;

/// A row for each note, one for what they don't tell, and one for the whole.
fn rows(explanation: &Explanation) -> Vec<[String; 6]> {
    let row = |note: &Note| {
        let plan = &note.plan;
        [
            format!("{}{}", "  ".repeat(note.depth), plan.question),
            plan.algorithm.to_owned(),
            number_type(plan.bits),
            predicted(note.steps),
            time(note.took),
            plan.reason.clone(),
        ]
    };
    let sum = |what: String, steps, took| {
        let none = String::new;
        [what, none(), none(), predicted(steps), time(took), none()]
    };
    let (steps, took) = explanation.rest();
    let rest = "all else: reading, adding up, comparing".to_owned();
    let whole = format!(
        "all of it: {}",
        plural(explanation.dist.len() as u64, "outcome")
    );
    let sums = [
        sum(rest, steps, took),
        sum(whole, explanation.steps, explanation.took),
    ];
    explanation.notes.iter().map(row).chain(sums).collect()
}

/// The table, and why each algorithm was chosen: on a terminal below it, on a page in its last column.
pub(crate) fn document(explanation: &Explanation) -> Document {
    let [question, algorithm, numbers] = ["question", "algorithm", "numbers"].map(Column::left);
    let [predicted, took] = ["predicted", "took"].map(Column::right);
    let why = Column::left("why").only(Medium::Page);
    let columns = [question, algorithm, numbers, predicted, took, why];
    let mut reasons: Vec<String> = Vec::new();
    for Note { plan, .. } in &explanation.notes {
        let reason = format!("{}: {}", plan.algorithm, plan.reason);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    let reasons = Block::paragraph(Span::muted(reasons.join("\n")));
    let mut document = Document::default();
    document.push([
        Block::paragraph(Span::strong(&explanation.expression)).only(Medium::Terminal),
        Block::table(Table::new(columns).with_rows(rows(explanation))),
        reasons.only(Medium::Terminal),
    ]);
    document
}

/// A row per note, and one for the whole, which has no depth.
pub(crate) fn csv(explanation: &Explanation) -> anyhow::Result<Vec<u8>> {
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
    for note in &explanation.notes {
        let plan = &note.plan;
        writer.write_record([
            &note.depth.to_string(),
            &plan.question,
            plan.algorithm,
            &plan.reason,
            &plan.bits.to_string(),
            &number_type(plan.bits),
            &note.steps.to_string(),
            &note.took.as_nanos().to_string(),
        ])?;
    }
    let (steps, took) = (
        explanation.steps.to_string(),
        explanation.took.as_nanos().to_string(),
    );
    writer.write_record(["", "all of it", "", "", "", "", &steps, &took])?;
    Ok(writer.into_inner()?)
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
