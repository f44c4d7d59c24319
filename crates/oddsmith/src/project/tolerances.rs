//! The largest differences that are no drift.

use std::collections::BTreeMap;
use std::sync::Arc;

use oddsmith_exact::RBig;
use oddsmith_rules::{Diagnostic, Diagnostics, Source, Span, nearest};

use crate::number;

/// A tolerance as it is written: a decimal from 0 on, exactly; none if it is no such number.
pub fn tolerance(text: &str) -> Option<RBig> {
    number::exact_decimal(text).filter(|tolerance| *tolerance >= RBig::ZERO)
}

/// The largest differences that are no drift: probabilities in points, other numbers as they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Tolerances {
    pub(super) usual: RBig,
    /// By column, with the place where each is said.
    pub(super) columns: BTreeMap<String, (RBig, Span)>,
    pub(super) source: Option<Arc<Source>>,
}

impl Tolerances {
    /// That of a column, as a difference of its values.
    pub(super) fn of(&self, column: &str, is_probability: bool) -> RBig {
        let own = self.columns.get(column).map(|(tolerance, _)| tolerance);
        let tolerance = own.unwrap_or(&self.usual).clone();
        if is_probability {
            return tolerance / RBig::from(100);
        }
        tolerance
    }

    /// Refuses tolerances of columns that no table has.
    pub(super) fn demand_columns(&self, known: &[&str]) -> Result<(), Diagnostics> {
        let Some(source) = &self.source else {
            return Ok(());
        };
        let unknown = self.columns.iter();
        let unknown = unknown.filter(|(column, _)| !known.contains(&column.as_str()));
        let errors = unknown.map(|(column, (_, span))| {
            let message = format!("no table has a column `{column}`");
            let error = Diagnostic::new(source, *span, message);
            match nearest(column, known.iter().copied()) {
                Some(near) => error.with_label(format!("did you mean `{near}`?")),
                None => error.with_label("not a band, flag or mean that is accepted"),
            }
        });
        Diagnostics::if_any(errors)
    }
}
