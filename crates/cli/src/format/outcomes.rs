//! The answers of one configuration for programs and documents: a row per band, flag and query.

use anyhow::Result;
use oddsmith_exact::{Answer, IBig, RBig};
use oddsmith_rules::{Check, Config, Domain, Query, QueryKind};
use serde_json::{Map, Value, json};

use crate::format::grid::Align;
use crate::format::markup::Markup;
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

/// Fractions of at most this many characters stand in a document.
const LONGEST: usize = 60;

/// A table for a document; a fraction that no one would read is left out of it, and one that is said already.
pub(crate) fn document(lines: &[Line], markup: Markup, form: Form) -> String {
    let row = |line: &Line| {
        let shown = line.shown(form);
        let is_said = |exact: &str| form.is_fraction() && exact == shown;
        let exact = line.ratio().map(|ratio| ratio.to_string());
        let exact = exact.filter(|exact| exact.len() <= LONGEST && !is_said(exact));
        [line.name.clone(), shown, exact.unwrap_or_default()]
    };
    let rows: Vec<[String; 3]> = lines.iter().map(row).collect();
    let columns = if form.is_fraction() && rows.iter().all(|[_, _, exact]| exact.is_empty()) {
        2
    } else {
        3
    };
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row[..columns].to_vec()).collect();
    markup.table(
        &["outcome", "odds", "exact"][..columns],
        &[Align::Left, Align::Right, Align::Right][..columns],
        &rows,
    )
}
