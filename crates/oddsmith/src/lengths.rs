//! How many rolls a track takes.

use oddsmith_exact::{Answer, Budget, IBig, Lengths, RBig, Rounds, UBig};
use oddsmith_rules::{Check, Config, Query, RoundName};

use crate::{Error, questions, settings};

/// Numbers of rolls that programs are given unless they ask for more.
pub const MOST: usize = 60;
/// One part in this many may come later than what is shown.
const REST: u32 = 1000;
/// People are shown more than [`MOST`] rolls, in groups: up to this many,
pub const FARTHEST: usize = 3000;
/// if that needs no more steps than this.
const CHEAP: u64 = 500_000_000;
/// In percent, and in words.
pub const QUANTILES: [(u32, &str); 5] = [
    (10, "one time in ten"),
    (25, "one time in four"),
    (50, "half of the time"),
    (75, "three times in four"),
    (90, "nine times in ten"),
];

/// The number of rolls until a track ends.
#[derive(Debug)]
pub struct TrackLengths {
    /// The track's name for it.
    pub name: String,
    /// What people call a roll of it.
    pub unit: RoundName,
    /// `P(rolls == n)` at `n`, up to the horizon; over `total`.
    pub weights: Vec<UBig>,
    /// What the weights are over.
    pub total: UBig,
    /// The probability of more rolls than that, but not for ever.
    pub later: RBig,
    /// The probability that it never ends.
    pub never: RBig,
    /// The mean number of rolls; without end if it may never end.
    pub mean: Answer,
    /// Its variance.
    pub variance: Answer,
    /// For each of [`QUANTILES`].
    pub quantiles: [Quantile; QUANTILES.len()],
}

/// The least number of rolls by which so many tracks have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantile {
    /// So many.
    Rolls(usize),
    /// More than were looked at.
    Above(usize),
    /// So many never end.
    Never,
}

/// The mean and the variance of the number of rounds, as questions.
pub(crate) fn moments(track: &Check) -> Result<Vec<Query>, Error> {
    let name = questions::rounds_name(track);
    let moments = [format!("mean({name})"), format!("variance({name})")];
    Ok(settings::queries(track, &moments)?)
}

impl TrackLengths {
    /// Of a track's `rounds`: up to [`MOST`] rolls, or to where hardly any are left.
    pub fn of(
        track: &Check,
        config: &Config,
        rounds: &Rounds,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let playable = rounds.playable(track, config, budget);
        let found = playable.answers(&moments(track)?)?;
        Self::with_moments(track, rounds, found, (None, MOST), budget)
    }

    /// Of a track's `rounds`, with the answers to [`moments`]: up to `horizon` rolls, or else to where hardly any are left,
    /// if that is no farther than `farthest`.
    pub(crate) fn with_moments(
        track: &Check,
        rounds: &Rounds,
        found: Vec<Answer>,
        (horizon, farthest): (Option<usize>, usize),
        budget: &Budget,
    ) -> Result<Self, Error> {
        let name = questions::rounds_name(track).to_owned();
        let found = <[Answer; 2]>::try_from(found);
        let [mean, variance] = found.expect("an answer for each query");
        let never = rounds.never().clone();
        let settled = || rounds.settled(REST, MOST, &budget.beside(budget.limit()));
        let mut known = match horizon {
            Some(horizon) => horizon,
            None => settled().ok().flatten().map_or(MOST, |rolls| rolls.max(1)),
        };
        let mut lengths = rounds.lengths(known, budget)?;
        let cheap = budget.beside(CHEAP.min(budget.limit()));
        while known < farthest && nearly_all(&lengths, &never).is_none() {
            known = (known * 5).min(farthest);
            match rounds.lengths(known, &cheap) {
                Ok(longer) => lengths = longer,
                Err(_) => break,
            }
        }
        let shown = horizon.unwrap_or_else(|| shown(&lengths, &never));
        let quantiles = QUANTILES.map(|(percent, _)| match quantile(&lengths, &never, percent) {
            above @ Quantile::Above(_) => {
                let found = rounds.quantile(percent, &budget.beside(budget.limit()));
                found.ok().flatten().map_or(above, Quantile::Rolls)
            }
            known => known,
        });
        let Lengths {
            mut weights, total, ..
        } = lengths;
        weights.resize(shown + 1, UBig::ZERO);
        let ended: UBig = weights.iter().sum();
        let left = RBig::from_parts(IBig::from(&total - ended), total.clone());
        Ok(Self {
            name,
            unit: questions::round_name(track),
            weights,
            total,
            later: left - &never,
            never,
            mean,
            variance,
            quantiles,
        })
    }

    /// The highest number that is shown.
    pub fn horizon(&self) -> usize {
        self.weights.len() - 1
    }

    /// `n` and its weight: from 1 on, or from 0 if a track can be over before it begins.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &UBig)> {
        let first = usize::from(self.weights[0] == UBig::ZERO);
        self.weights.iter().enumerate().skip(first)
    }
}

/// How many rolls are worth showing: a round number if they are many.
fn shown(lengths: &Lengths, never: &RBig) -> usize {
    let last = lengths.weights.len().saturating_sub(1);
    match nearly_all(lengths, never) {
        Some(n) if n > MOST => n.next_multiple_of(100).min(last),
        Some(n) => n.max(1),
        None => last.max(1),
    }
}

/// The first number of rolls after which less than one part in [`REST`] is to come, if it is known.
fn nearly_all(lengths: &Lengths, never: &RBig) -> Option<usize> {
    let total = RBig::from(lengths.total.clone());
    let enough = &total * (RBig::ONE - never) - &total / RBig::from(REST);
    let mut ended = UBig::ZERO;
    lengths.weights.iter().position(|weight| {
        ended += weight;
        RBig::from(ended.clone()) > enough
    })
}

fn quantile(lengths: &Lengths, never: &RBig, percent: u32) -> Quantile {
    let needed = &lengths.total * UBig::from(percent);
    let mut ended = UBig::ZERO;
    let found = lengths.weights.iter().position(|weight| {
        ended += weight;
        &ended * UBig::from(100_u8) >= needed
    });
    // So many that end at all are so many only after all of them.
    let ever = RBig::ONE - never;
    match found {
        Some(n) => Quantile::Rolls(n),
        None if ever <= RBig::from_parts(percent.into(), 100_u8.into()) => Quantile::Never,
        None => Quantile::Above(lengths.weights.len().saturating_sub(1)),
    }
}
