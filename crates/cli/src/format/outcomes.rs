//! The answers of one configuration for people and programs: a row per band, flag and query.

use anyhow::Result;
use oddsmith::questions::query_title;
use oddsmith::{Answer, shortest};
pub(crate) use oddsmith::{AnswerKind as Kind, INFINITE, NamedAnswer as Line, decimal, infinite};
use oddsmith_exact::RBig;
use oddsmith_rules::Check;

use crate::document::{Block, Column, Document, Medium, Role, Span, Table};
use crate::format::words::{self, Form};

/// Bands, flags and queries stand apart.
fn section(kind: Kind) -> u8 {
    match kind {
        Kind::Band => 0,
        Kind::Flag => 1,
        Kind::Probability | Kind::Mean | Kind::Variance | Kind::Deviation | Kind::Value => 2,
    }
}

/// What people read of an answer.
pub(crate) trait Shown {
    /// `12.35%` for a probability, `7.5` for a number, `inf` without end.
    fn shown(&self, form: Form) -> String;

    /// The answer as it is; nothing if it is said already, or if no one would read it.
    fn exact(&self, form: Form) -> String;
}

impl Shown for Line {
    fn shown(&self, form: Form) -> String {
        match self.ratio() {
            None => infinite(&self.answer).to_owned(),
            Some(ratio) if self.kind.is_probability() => form.show_ratio(&ratio),
            Some(ratio) => words::value(&ratio),
        }
    }

    fn exact(&self, form: Form) -> String {
        let exact = self.ratio().map(|ratio| ratio.to_string());
        let is_said = |exact: &String| form.is_fraction() && *exact == self.shown(form);
        let exact = exact.filter(|exact| exact.len() <= LONGEST && !is_said(exact));
        exact.unwrap_or_default()
    }
}

/// The answers as people read them: with labels in place of names.
pub(crate) fn told(check: &Check, lines: Vec<Line>) -> Vec<Line> {
    let told = lines.into_iter().map(|line| Line {
        name: query_title(check, &line.name),
        ..line
    });
    told.collect()
}

/// A cell of CSV: the nearest decimal; nothing where there is no answer.
pub(crate) fn csv_cell(answer: Option<&Answer>) -> String {
    answer.and_then(decimal).map(shortest).unwrap_or_default()
}

/// `outcome,weight,total,probability`, then `empty` columns named by `further`.
pub(crate) fn csv(lines: &[Line], further: &[&str]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(
        ["outcome", "weight", "total", "probability"]
            .iter()
            .chain(further),
    )?;
    for line in lines {
        let probability = shortest(line.decimal());
        writer.write_field(&line.name)?;
        writer.write_field(line.answer.weight.to_string())?;
        writer.write_field(line.answer.total.to_string())?;
        writer.write_field(probability)?;
        further.iter().try_for_each(|_| writer.write_field(""))?;
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(writer.into_inner()?)
}

/// Cells of a bar that stands for certainty.
pub(crate) const BAR: u32 = 30;
/// Fractions of at most this many characters stand on a page.
const LONGEST: usize = 60;

/// The answers alone.
pub(crate) fn document(lines: &[Line], form: Form) -> Document {
    let mut document = Document::default();
    document.push([Block::table(table(lines, form))]);
    if lines.iter().any(|line| line.kind == Kind::Variance) {
        document.add(Block::note(words::VARIANCE));
    }
    document
}

/// Bands with what is at least as good, flags, queries: on a terminal name, odds, bar and fraction, on a page name, odds
/// and what is exact.
pub(crate) fn table(lines: &[Line], form: Form) -> Table {
    let exact: Vec<String> = lines.iter().map(|line| line.exact(form)).collect();
    let bands: Vec<&Line> = { lines.iter() }
        .filter(|line| line.kind == Kind::Band)
        .collect();
    let at_least = if bands.is_empty() { "" } else { "at least" };
    let [name, odds, bar, fraction] = columns(form);
    let at_least = Column::right(at_least).only(Medium::Terminal);
    let mut columns = vec![name, odds, at_least, bar, fraction];
    if !form.is_fraction() || exact.iter().any(|exact| !exact.is_empty()) {
        columns.push(Column::right("exact").only(Medium::Page));
    }
    let mut table = Table::new(columns);
    // The best band comes first, the whole last.
    let reached = bands.iter().rev().scan(RBig::ZERO, |sum, band| {
        *sum += band.ratio().unwrap_or(RBig::ZERO);
        Some(form.show_ratio(sum))
    });
    let mut reached: Vec<String> = reached.collect();
    let mut place = 0;
    for (at, (line, exact)) in lines.iter().zip(exact).enumerate() {
        if at > 0 && section(lines[at - 1].kind) != section(line.kind) {
            table.push_gap();
        }
        let [name, odds, mut bar, fraction] = row(line, form);
        let mut at_least = String::new();
        if line.kind == Kind::Band {
            let count = bands.len();
            bar = Span::bar(line.decimal(), BAR, Role::Ranked { place, count });
            at_least = reached.pop().unwrap_or_default();
            place += 1;
        }
        table.push([name, odds, at_least.into(), bar, fraction, exact.into()]);
    }
    table
}

/// The columns of [`row`].
pub(crate) fn columns(form: Form) -> [Column; 4] {
    // Odds may be fractions themselves.
    let fraction = if form.is_fraction() { "" } else { "fraction" };
    [
        Column::left("").on_page("outcome"),
        Column::right("odds"),
        Column::left("").wide(BAR).only(Medium::Terminal),
        Column::left(fraction).only(Medium::Terminal),
    ]
}

/// Name, odds, bar and fraction of a line.
pub(crate) fn row(line: &Line, form: Form) -> [Span; 4] {
    let [name, shown] = [line.name.clone(), line.shown(form)].map(Span::from);
    let (bar, fraction) = match line.ratio() {
        None => (Span::default(), String::new()),
        Some(ratio) if !line.kind.is_probability() => (Span::default(), words::exact_value(&ratio)),
        Some(ratio) => {
            let share = words::share(&line.answer.weight, &line.answer.total);
            let fraction = match form.is_fraction() {
                true => String::new(),
                false => words::odds(&ratio),
            };
            (Span::bar(share, BAR, Role::Bar), fraction)
        }
    };
    [name, shown, bar, Span::muted(fraction)]
}
