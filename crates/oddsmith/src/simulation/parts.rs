//! Trials in parts: chunks of trials of each configuration, which are counted apart and added up.

use std::ops::Range;

use oddsmith_simulate::{Simulation as Rolls, Sums, Tally};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::part::Whole;

/// What some trials of a configuration came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Rolled {
    /// The place of the configuration among all.
    pub(super) configuration: usize,
    /// The trials, by their numbers.
    pub(super) trials: Range<u64>,
    /// The counts; none if a trial met a rule that can't be carried out.
    pub(super) counts: Option<Counts>,
}

/// A [`Tally`] as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Counts {
    unfinished: u64,
    dice: u64,
    sums: Vec<CountedSums>,
}

/// [`Sums`] as they are written: sums have no bound that JSON knows, so they are text.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CountedSums {
    trials: u64,
    powers: Vec<String>,
    unfinished: u64,
}

impl Counts {
    pub(super) fn of(tally: &Tally) -> Self {
        let sums = tally.sums.iter().map(|sums| CountedSums {
            trials: sums.trials,
            powers: sums.powers.iter().map(ToString::to_string).collect(),
            unfinished: sums.unfinished,
        });
        Self {
            unfinished: tally.unfinished,
            dice: tally.dice,
            sums: sums.collect(),
        }
    }

    /// The counts of so many trials; none if a sum is no number.
    fn tally(&self, trials: u64) -> Option<Tally> {
        let sums = self.sums.iter().map(|sums| {
            let powers = sums.powers.iter().map(|power| power.parse().ok());
            Some(Sums {
                trials: sums.trials,
                powers: powers.collect::<Option<Vec<i128>>>()?,
                unfinished: sums.unfinished,
            })
        });
        Some(Tally {
            trials,
            unfinished: self.unfinished,
            dice: self.dice,
            sums: sums.collect::<Option<Vec<Sums>>>()?,
        })
    }
}

/// What was rolled in parts, configuration by configuration.
#[derive(Debug, Default)]
pub(super) struct RolledParts(Vec<Vec<Rolled>>);

impl RolledParts {
    /// All of it, for so many configurations with so many trials each.
    pub(super) fn read(whole: &Whole, configurations: usize, trials: u64) -> Result<Self, Error> {
        let mut all: Vec<Vec<Rolled>> = vec![Vec::new(); configurations];
        for rolled in whole.results::<Rolled>()? {
            let own = all.get_mut(rolled.configuration).ok_or_else(others)?;
            let next = own.last().map_or(0, |before| before.trials.end);
            if rolled.trials.start != next || rolled.trials.end <= next {
                return Err(others());
            }
            own.push(rolled);
        }
        let is_whole = |own: &Vec<Rolled>| own.last().is_some_and(|own| own.trials.end == trials);
        if trials > 0 && !all.iter().all(is_whole) {
            return Err(others());
        }
        Ok(Self(all))
    }

    /// The trials of a configuration. Those that met a rule that can't be carried out are rolled once more, for the error.
    pub(super) fn tally(
        &self,
        configuration: usize,
        rolls: &Rolls,
        seed: u64,
    ) -> Result<Tally, Error> {
        let mut all = Tally::default();
        for rolled in self.0.get(configuration).into_iter().flatten() {
            let Range { start, end } = rolled.trials;
            let tally = match &rolled.counts {
                Some(counts) => counts.tally(end - start).ok_or_else(others)?,
                None => rolls.run(seed, start..end)?,
            };
            all.add(&tally)?;
        }
        Ok(all)
    }
}

/// The error that parts hold other trials than were asked for.
fn others() -> Error {
    let message = "the parts hold other trials than were asked for";
    Error::advice(message, "make the parts anew")
}
