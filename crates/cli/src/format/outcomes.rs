//! The answers of one configuration for programs and documents: a row per band, flag and query.

use anyhow::Result;
use oddsmith_exact::Answer;
use oddsmith_rules::{Query, QueryKind};
use serde_json::{Value, json};

use crate::format::grid::{Align, markdown};
use crate::format::words;
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

    fn name(self) -> &'static str {
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
    /// The answer as a decimal; a single configuration's answers exist.
    pub(crate) fn decimal(&self) -> f64 {
        number::quotient(&self.answer.weight, &self.answer.total).unwrap_or(f64::NAN)
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
            "probability": line.decimal(),
        })
    };
    lines.iter().map(object).collect()
}

/// A pipe table.
pub(crate) fn pipes(lines: &[Line]) -> String {
    let row = |line: &Line| {
        let ratio = words::ratio(&line.answer.weight, &line.answer.total);
        let shown = if line.kind.is_probability() {
            words::percent(words::share(&line.answer.weight, &line.answer.total))
        } else {
            words::value(&ratio)
        };
        vec![line.name.clone(), shown, ratio.to_string()]
    };
    let rows: Vec<Vec<String>> = lines.iter().map(row).collect();
    markdown(
        &["outcome", "odds", "exact"],
        &[Align::Left, Align::Right, Align::Right],
        &rows,
    )
}
