//! The answers of one configuration for people and programs: a row per band, flag and query.

use anyhow::Result;
use oddsmith_exact::{Answer, IBig, RBig};
use oddsmith_rules::{Check, Config, Domain, Query, QueryKind};
use serde_json::{Map, Value, json};

use crate::document::{Block, Column, Document, Medium, Role, Span, Table};
use crate::format::words::{self, Form};
use crate::number;

/// What an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Band,
    Flag,
    Probability,
    Mean,
    Variance,
}

impl Kind {
    /// What a query of the user's asks for.
    pub(crate) fn of(query: &Query) -> Self {
        match query.kind {
            QueryKind::Probability(_) => Self::Probability,
            QueryKind::Mean(_) => Self::Mean,
            QueryKind::Variance(_) => Self::Variance,
        }
    }

    pub(crate) fn is_probability(self) -> bool {
        !matches!(self, Self::Mean | Self::Variance)
    }

    /// Bands, flags and queries stand apart.
    fn section(self) -> u8 {
        match self {
            Self::Band => 0,
            Self::Flag => 1,
            Self::Probability | Self::Mean | Self::Variance => 2,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Band => "band",
            Self::Flag => "flag",
            Self::Probability => "probability",
            Self::Mean => "mean",
            Self::Variance => "variance",
        }
    }
}

/// A question and its exact answer.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) answer: Answer,
}

impl Line {
    /// The answer as a decimal, without end as infinity; a single configuration's answers exist.
    pub(crate) fn decimal(&self) -> f64 {
        decimal(&self.answer).unwrap_or(f64::NAN)
    }

    /// The answer in lowest terms; none if it is infinite.
    pub(crate) fn ratio(&self) -> Option<RBig> {
        self.answer.to_ratio()
    }

    /// JSON has no infinity: it is text there.
    fn json_decimal(&self) -> Value {
        if self.answer.is_infinite() {
            return Value::from(infinite(&self.answer));
        }
        Value::from(self.decimal())
    }

    /// The answer as it is; nothing if it is said already, or if no one would read it.
    fn exact(&self, form: Form) -> String {
        let exact = self.ratio().map(|ratio| ratio.to_string());
        let is_said = |exact: &String| form.is_fraction() && *exact == self.shown(form);
        let exact = exact.filter(|exact| exact.len() <= LONGEST && !is_said(exact));
        exact.unwrap_or_default()
    }

    /// `12.35%` for a probability, `7.5` for a number, `inf` without end.
    pub(crate) fn shown(&self, form: Form) -> String {
        match self.ratio() {
            None => infinite(&self.answer).to_owned(),
            Some(ratio) if self.kind.is_probability() => form.show_ratio(&ratio),
            Some(ratio) => words::value(&ratio),
        }
    }
}

/// A mean without end.
pub(crate) const INFINITE: &str = "inf";

/// What stands for a mean without end, or for one that falls without end.
pub(crate) fn infinite(answer: &Answer) -> &'static str {
    if answer.weight < IBig::ZERO {
        "-inf"
    } else {
        INFINITE
    }
}

/// The nearest float, infinity included; none if there is no answer.
pub(crate) fn decimal(answer: &Answer) -> Option<f64> {
    if answer.is_infinite() {
        let falls = answer.weight < IBig::ZERO;
        return Some(if falls {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        });
    }
    number::quotient(&answer.weight, &answer.total)
}

/// The inputs in which a configuration differs from the defaults.
pub(crate) fn configuration(check: &Check, config: &Config) -> Map<String, Value> {
    let changed = check
        .inputs
        .iter()
        .zip(config.values())
        .filter(|(input, value)| input.default != **value);
    changed
        .map(|(input, &value)| (input.name.clone(), setting(&input.domain, value)))
        .collect()
}

/// A number, or a label's text.
pub(crate) fn setting(domain: &Domain, value: i64) -> Value {
    match domain {
        Domain::Range(..) => Value::from(value),
        Domain::Choice(_) => Value::from(domain.show(value)),
    }
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
        let mut probability = Vec::new();
        number::push_decimal(line.decimal(), &mut probability);
        writer.write_field(&line.name)?;
        writer.write_field(line.answer.weight.to_string())?;
        writer.write_field(line.answer.total.to_string())?;
        writer.write_field(probability)?;
        further.iter().try_for_each(|_| writer.write_field(""))?;
        writer.write_record(None::<&[u8]>)?;
    }
    Ok(writer.into_inner()?)
}

/// One object per line; whole numbers as text, since they may exceed what JSON readers hold.
pub(crate) fn json(lines: &[Line]) -> Value {
    let object = |line: &Line| {
        json!({
            "outcome": line.name,
            "kind": line.kind.name(),
            "weight": line.answer.weight.to_string(),
            "total": line.answer.total.to_string(),
            "probability": line.json_decimal(),
        })
    };
    lines.iter().map(object).collect()
}

/// Cells of a bar that stands for certainty.
pub(crate) const BAR: u32 = 30;
/// Fractions of at most this many characters stand on a page.
const LONGEST: usize = 60;

/// The answers alone.
pub(crate) fn document(lines: &[Line], form: Form) -> Document {
    let mut document = Document::default();
    document.push([Block::table(table(lines, form))]);
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
        if at > 0 && lines[at - 1].kind.section() != line.kind.section() {
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
