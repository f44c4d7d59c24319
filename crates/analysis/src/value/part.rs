//! Some of the configurations of a valuation, whose answers are noted for whoever values all of them.

use std::ops::Range;

use oddsmith_exact::Budget;
use oddsmith_rules::{Check, Config, InputRange, Query};
use rayon::prelude::*;

use crate::grading::Grading;
use crate::levers::{Lever, configuration};
use crate::rows::{Asked, configurations, note_rows};

/// What is valued: a field, and the levers that are moved in it.
#[derive(Clone, Copy, Debug)]
pub struct Valued<'a> {
    /// The check that is rolled.
    pub check: &'a Check,
    /// The values of all inputs that are not swept.
    pub config: &'a Config,
    /// The inputs that are swept; the last one is the fastest.
    pub ranges: &'a [InputRange],
    /// The queries that are asked.
    pub queries: &'a [Query],
    /// The number behind the bands, if there is one.
    pub grading: Option<&'a Grading>,
    /// The levers.
    pub levers: &'a [Lever],
}

/// Asks what a valuation asks of some configurations of its field, for the transcript of the budget. What has no answer is
/// passed over: whoever values all of them meets it.
pub fn note(valued: &Valued<'_>, wanted: Range<u64>, budget: &Budget) {
    let bases = valued.bases();
    for base in &bases {
        // What is over the budget, or forbidden, is so for whoever values all of them.
        let _ = note_rows(
            (valued.check, base, valued.ranges),
            (valued.queries, budget),
            wanted.clone(),
        );
    }
    let Some(grading) = valued.grading else {
        return;
    };
    let asked = Asked::of(valued.check);
    wanted.into_par_iter().for_each(|number| {
        for base in &bases {
            let config = configuration(base, valued.ranges, number);
            let _ = asked.distribution(&config, &grading.number, budget);
        }
    });
}

impl Valued<'_> {
    /// How many configurations the field has.
    pub fn configurations(&self) -> u64 {
        configurations(self.ranges)
    }

    /// What the field is asked around: the configuration, and those with each other value of a lever that is not swept.
    fn bases(&self) -> Vec<Config> {
        let mut bases = vec![self.config.clone()];
        let is_swept = |lever: &&Lever| self.ranges.iter().any(|own| own.input == lever.input);
        for lever in self.levers.iter().filter(|lever| !is_swept(lever)) {
            for value in lever
                .values
                .iter()
                .filter(|value| self.config[lever.input] != **value)
            {
                let mut base = self.config.clone();
                base.put(lever.input, *value);
                bases.push(base);
            }
        }
        bases
    }
}
