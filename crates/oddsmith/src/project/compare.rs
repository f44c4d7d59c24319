//! What of two tables is compared: the one that was accepted, and the one that is computed now.

use oddsmith_analysis::drift::Measure;
use oddsmith_analysis::expect::Value;
use oddsmith_analysis::probe::Subject;
use oddsmith_exact::RBig;
use oddsmith_rules::{Check, Query};

use super::renames::Renames;
use super::tolerances::Tolerances;
use crate::baseline::{ManifestTable, Parsed, ProbeKind, Setting};
use crate::{AnswerKind, Error, questions};

/// Between the values of a key; not in any label.
pub(super) const BETWEEN: &str = "\u{1f}";

/// What of two tables is compared, and how far it is.
pub(super) struct Comparison<'a> {
    pub(super) old: &'a ManifestTable,
    pub(super) new: &'a ManifestTable,
    pub(super) check: &'a Check,
    renames: &'a Renames,
    pub(super) queries: Vec<Query>,
    /// Where each measure is in both tables.
    pub(super) sides: Vec<[Side; 2]>,
    pub(super) measures: Vec<Measure>,
}

/// Where a measure is in the odds of probes, as accepted and as computed.
pub(super) type Sides = [Option<usize>; 2];

/// Where a measure is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Column(usize),
    /// A band that is not there never happens.
    Never,
}

impl Side {
    pub(super) fn value(self, row: &Parsed) -> Option<Value> {
        match self {
            Self::Column(at) => row.values[at].clone(),
            Self::Never => Some(Value::Finite(RBig::ZERO)),
        }
    }
}

impl<'a> Comparison<'a> {
    pub(super) fn new(
        check: &'a Check,
        old: &'a ManifestTable,
        new: &'a ManifestTable,
        renames: &'a Renames,
        tolerances: &Tolerances,
    ) -> Result<Self, Error> {
        let columns = questions::of_report(check)?;
        let mut comparison = Self {
            old,
            new,
            check,
            renames,
            queries: columns.iter().map(|(_, query)| query.clone()).collect(),
            sides: Vec::new(),
            measures: Vec::new(),
        };
        let have_bands = !old.bands.is_empty() && !new.bands.is_empty();
        for (at, (kind, query)) in columns.iter().enumerate() {
            let accepted = renames.before(&query.text);
            let before = match old.columns.iter().position(|column| column == accepted) {
                Some(at) => Side::Column(at),
                None if *kind == AnswerKind::Band && have_bands => Side::Never,
                None => continue,
            };
            let sides = [before, Side::Column(at)];
            comparison.push(&query.text, kind.is_probability(), sides, tolerances);
        }
        for band in old.bands.iter().filter(|_| have_bands) {
            if !new.columns.contains(band) && !renames.is_before(band) {
                let at = old.columns.iter().position(|column| column == band);
                let before = at.map_or(Side::Never, Side::Column);
                comparison.push(band, true, [before, Side::Never], tolerances);
            }
        }
        comparison.push_probes(tolerances);
        Ok(comparison)
    }

    /// Adds what only probes show: the variances of a track, the odds of its first round, the outcomes of a contest.
    fn push_probes(&mut self, tolerances: &Tolerances) {
        for kind in ProbeKind::ALL {
            let Some(check) = kind.check(self.check) else {
                continue;
            };
            for column in Subject::new(&check).columns() {
                if !self.measures.iter().any(|known| known.name == column.name) {
                    self.measures.push(Measure {
                        name: column.name.clone(),
                        is_probability: column.is_probability,
                        tolerance: tolerances.of(&column.name, column.is_probability),
                    });
                }
            }
        }
    }

    /// For each measure its place among the accepted columns and among those of now; none of both where one side lacks it,
    /// which is told of the columns.
    pub(super) fn probe_sides(&self, before: &[String], now: &[&str]) -> Vec<Sides> {
        let place = |measure: &Measure| -> Sides {
            let accepted = self.renames.before(&measure.name);
            let old = before.iter().position(|column| column == accepted);
            let new = now.iter().position(|column| *column == measure.name);
            match (old, new) {
                (Some(_), Some(_)) => [old, new],
                _ => [None; 2],
            }
        };
        self.measures.iter().map(place).collect()
    }

    fn push(
        &mut self,
        name: &str,
        is_probability: bool,
        sides: [Side; 2],
        tolerances: &Tolerances,
    ) {
        self.sides.push(sides);
        self.measures.push(Measure {
            name: name.to_owned(),
            is_probability,
            tolerance: tolerances.of(name, is_probability),
        });
    }

    /// What a row that was accepted is now called, if it is still in the table; axes that were swept and are fixed now
    /// leave one of their values, axes that are gone leave all.
    pub(super) fn key_of(&self, row: &Parsed) -> Option<String> {
        let accepted = |axis: &str| {
            let swept = self.old.sweep.iter().position(|(name, _)| name == axis);
            swept.map(|at| row.axes[at].clone())
        };
        let is_left_out = |(axis, value): &(String, Setting)| {
            accepted(axis).is_some_and(|accepted| accepted != value.to_string())
        };
        if self.new.fixed.iter().any(is_left_out) {
            return None;
        }
        let value = |(axis, _): &(String, Vec<Setting>)| {
            let fixed = self.old.fixed.iter().find(|(name, _)| name == axis);
            let fixed = fixed.map(|(_, value)| value.to_string());
            accepted(axis)
                .or(fixed)
                .unwrap_or_else(|| self.default(axis))
        };
        let values: Vec<String> = self.new.sweep.iter().map(value).collect();
        Some(values.join(BETWEEN))
    }

    /// The value of an axis where nothing is said.
    fn default(&self, axis: &str) -> String {
        let input = self.check.inputs.iter().find(|input| input.name == axis);
        input.map_or(String::new(), |input| input.domain.show(input.default))
    }

    /// Whether several accepted rows may be one row now.
    pub(super) fn has_lost_axes(&self) -> bool {
        let mut axes = self.old.sweep.iter();
        axes.any(|(axis, _)| self.check.input(axis).is_none())
    }
}
