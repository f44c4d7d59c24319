//! What steps are worth over many configurations.

use oddsmith_dist::RBig;

use crate::value::Worth;

/// A number over many configurations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The median: the middle one of all in their order; of an even count the mean of the middle two.
    pub typical: RBig,
    /// The least one.
    pub least: RBig,
    /// The greatest one.
    pub most: RBig,
    /// How many there are.
    pub count: usize,
}

impl Spread {
    /// Of numbers in any order; none of no numbers.
    ///
    /// # Cost
    /// Proportional to their count.
    #[must_use]
    pub fn of(mut numbers: Vec<RBig>) -> Option<Self> {
        let count = numbers.len();
        let least = numbers.iter().min()?.clone();
        let most = numbers.iter().max()?.clone();
        let (below, middle, _) = numbers.select_nth_unstable(count / 2);
        let typical = match below.iter().max() {
            Some(other) if count.is_multiple_of(2) => (&*middle + other) / RBig::from(2),
            _ => middle.clone(),
        };
        Some(Self {
            typical,
            least,
            most,
            count,
        })
    }
}

/// Some steps of a lever in all configurations. Spreads are over those steps that change something: what a step is worth
/// where it matters. If none does they are over all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many steps the rules allow, over all configurations.
    pub count: usize,
    /// How many of them change something.
    pub active: usize,
    /// See [`Worth::changes`]; none where no step has an answer.
    pub changes: Vec<Option<Spread>>,
    /// See [`Worth::flats`].
    pub flats: Vec<Option<Spread>>,
}

impl Summary {
    /// Of those steps that are wanted.
    #[must_use]
    pub fn of(worths: &[Worth], is_wanted: impl Fn(usize) -> bool) -> Self {
        let mut wanted: Vec<&Worth> = worths
            .iter()
            .filter(|worth| is_wanted(worth.step))
            .collect();
        let count = wanted.len();
        let active = wanted.iter().filter(|worth| worth.is_active()).count();
        if active > 0 {
            wanted.retain(|worth| worth.is_active());
        }
        let spreads = |numbers: fn(&Worth) -> &[Option<RBig>]| {
            let columns = worths.first().map_or(0, |worth| numbers(worth).len());
            let column = |at: usize| {
                let own = wanted.iter().filter_map(|worth| numbers(worth)[at].clone());
                Spread::of(own.collect())
            };
            (0..columns).map(column).collect()
        };
        Self {
            count,
            active,
            changes: spreads(|worth| &worth.changes),
            flats: spreads(|worth| &worth.flats),
        }
    }
}
