//! What success is in a check: the outcome that the first figures are about.

use oddsmith_rules::{Check, Diagnostics, OutcomeKind, Query};

use crate::valuation::middle_band;

/// Success: the band in the middle of those above the worst one, as `balance value` has it; without bands the first flag.
pub(super) struct Goal {
    /// What it is called.
    pub(super) title: String,
    /// The question.
    pub(super) query: Query,
    /// Whether `odds` answers it unasked.
    pub(super) is_own: bool,
}

impl Goal {
    /// The goal of a check; none if it has neither bands nor flags.
    pub(super) fn of(check: &Check) -> Result<Option<Self>, Diagnostics> {
        let bands = check.band().map_or(&[][..], |(_, bands)| bands.labels());
        let Some(place) = middle_band(bands.len()) else {
            let mut outcomes = check.outcomes.iter();
            let flag = outcomes.find(|outcome| outcome.kind == OutcomeKind::Flag);
            let flag = flag.map(|flag| Self::asked(check, &flag.name, &flag.name, true));
            return flag.transpose();
        };
        let band = &bands[place];
        let is_best = place + 1 == bands.len();
        let (title, text) = match is_best {
            true => (band.clone(), format!("P(band==\"{band}\")")),
            false => (format!("{band} or better"), format!("P(band>=\"{band}\")")),
        };
        Self::asked(check, &title, &text, is_best).map(Some)
    }

    fn asked(check: &Check, title: &str, text: &str, is_own: bool) -> Result<Self, Diagnostics> {
        Ok(Self {
            title: title.to_owned(),
            query: check.query(text, "the balance sheet")?,
            is_own,
        })
    }
}
