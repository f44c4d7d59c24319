//! Scenes and plans: what is played, and what comes of it.

use oddsmith_exact::{Decision, Error as ExactError, RBig};
use oddsmith_rules::Config;
use thiserror::Error as ThisError;

use super::holdings::Holdings;

/// Checks that are made one after the other, and the points that there are for all of them.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The configuration of each check, in the order of play; at least one. What it says of the axis of the points is not read.
    pub checks: Vec<Config>,
    /// The points of each resource at the beginning, in the order of [`Spending::outlays`](oddsmith_rules::Spending).
    pub pool: Vec<u32>,
}

impl Scene {
    /// The best decision in a turn of its plan with so many points of each resource left; none if there are never so many, or
    /// every way to play may come to spend more.
    #[must_use]
    pub fn state<'t>(&self, turn: &'t Turn, left: &[i64]) -> Option<&'t State> {
        let pool = self.pool.iter().map(|pool| i64::from(*pool));
        let place = Holdings::new(pool.collect()).place(left.iter().copied())?;
        turn.states[place].as_ref()
    }
}

/// The best plan for a scene, and others beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenePlan {
    /// Ways to play the scene, the best one last.
    pub ways: Vec<Played>,
    /// The best decisions in each check, in the order of play.
    pub turns: Vec<Turn>,
    /// How each resource can be spent on one check.
    pub allowances: Vec<Allowance>,
}

/// How points of a resource can be spent on one check of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The most points that can be spent on it.
    pub cap: i64,
    /// Whether the points for a check, and the way to spend them, are set before it is rolled; else they are chosen in it.
    pub is_before: bool,
}

/// A way to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Nothing is spent: the plan without points.
    Never,
    /// Play as well as can be without points of the resource at this place.
    Without(usize),
    /// Always as much as may be of the resource at this place, before the roll; others as well as can be.
    Always(usize),
    /// The resource at a place by a label of the axis that tells ways of spending apart, with as many points for a check as
    /// can't come to more than is left, and others as well as can be. Nothing is spent on a check on which even none of them
    /// might.
    Named(usize, i64),
    /// Play as well as can be for each check by itself, as if it were the last.
    Greedy,
    /// Play as well as can be for the whole scene.
    Best,
}

/// A scene that is played in some way, and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// How it is played.
    pub manner: Manner,
    /// The result; none if it may come to spend more than there is.
    pub result: Option<Tally>,
}

/// Means over a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The mean of the worth of all outcomes together.
    pub value: RBig,
    /// The mean of the points of each resource that are spent, less those that come back: those for which there is room in what the
    /// scene began with.
    pub spent: Vec<RBig>,
    /// The mean number of checks that come to each band; empty without bands.
    pub bands: Vec<RBig>,
}

/// The best decisions in one check of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// How many checks are still to be made, with this one.
    pub left: usize,
    /// For all points from 0 to the whole pool, the last resource changing quickest; none where every way to play may come to
    /// spend more.
    pub states: Vec<Option<State>>,
}

/// The best decision with some points left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The points of each resource that are left.
    pub left: Vec<i64>,
    /// The worth of this check and all that follow.
    pub value: RBig,
    /// The worth of one more point of each resource; none if that can't be played. Where there are all that the scene begins with, it
    /// is that of a scene that begins with one more.
    pub more: Vec<Option<RBig>>,
    /// How likely the best plan comes here with so many points.
    pub probability: RBig,
    /// The value of the axis that tells ways of spending each resource apart, if there is one.
    pub labels: Vec<Option<i64>>,
    /// The values of the axes of the points: the most that may be spent on this check, or how much is.
    pub points: Vec<i64>,
    /// The best choices within this check.
    pub decisions: Vec<Decision>,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum Error {
    /// A question has no answer.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// Every way to play a check may spend more than there is.
    #[error("however a check is played, it may spend more than the points that are left")]
    Unaffordable,
}
