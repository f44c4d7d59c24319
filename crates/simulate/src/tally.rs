//! Tallies: what trials add up to.

/// The sums that trials add up to: integers, so that the order in which they are added does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Trials rolled.
    pub trials: u64,
    /// Trials of a track that were stopped because they had gone on for too many rounds; see
    /// [`crate::Simulation::stopped_after`].
    pub unfinished: u64,
    /// Dice rolled.
    pub dice: u64,
    /// For each query, in its order.
    pub sums: Vec<Sums>,
}

/// The sums of one query's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Trials in which the query applies: all of them, or for `… | given` those in which `given` holds.
    pub trials: u64,
    /// The sums over those trials of the value's first power, second, and so on: one for a probability (whose
    /// value is 0 or 1), two for a mean, four for a variance.
    pub powers: Vec<i128>,
    /// Trials to which the query applies, but which were stopped: what a mean or a variance is about they do not have,
    /// and they are not among `trials`.
    pub unfinished: u64,
}
