//! Which algorithm finds the sum of kept dice: the one that is predicted to be the fastest.

use super::keep::Faces;
use super::kept::Kept;
use super::position;
use super::range::Family;
use crate::{Budget, Dist, Error};

/// A way to the answer.
enum Way<'a> {
    /// The weights of all dice being at most a face: one place of the sorted roll.
    Place(&'a [(Dist, u32)]),
    /// Horner's scheme over the lowest kept face: the highest of equal dice.
    Scheme(Faces<'a>, u32),
    /// A walk down the faces: dice that are truncations of one another.
    Walk(Family<'a>),
}

impl Way<'_> {
    /// Predicted steps.
    fn cost(&self, kept: Kept) -> u128 {
        match self {
            Self::Place(groups) => position::cost(groups, kept.start),
            Self::Scheme(faces, n) => faces.cost(*n, kept.end),
            Self::Walk(family) => family.cost(kept),
        }
    }

    /// The most bytes at once, those of the answer among them.
    fn bytes(&self, kept: Kept) -> u128 {
        match self {
            Self::Place(groups) => position::bytes(groups, kept.start),
            Self::Scheme(faces, n) => faces.bytes(*n, kept.end),
            Self::Walk(family) => family.bytes(kept),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Place(_) => "order statistic",
            Self::Scheme(..) => "Horner scheme",
            Self::Walk(_) => "walk down the faces",
        }
    }

    /// The reason why it fits, in words.
    fn reason(&self) -> &'static str {
        match self {
            Self::Place(_) => "one die of the sorted roll",
            Self::Scheme(..) => "equal dice, kept from one end",
            Self::Walk(_) => "the dice are one another, cut short",
        }
    }
}

/// A way that fits, with its price.
pub(super) struct Candidate<'a> {
    /// Predicted steps.
    steps: u128,
    way: Way<'a>,
}

impl Candidate<'_> {
    pub(super) fn name(&self) -> &'static str {
        self.way.name()
    }

    /// The sum of the kept dice.
    pub(super) fn sum(&self, kept: Kept, budget: &Budget) -> Result<Dist, Error> {
        budget.charge(self.steps)?;
        budget.charge_memory(self.way.bytes(kept))?;
        Ok(match &self.way {
            Way::Place(groups) => position::read(groups, kept.start),
            Way::Scheme(faces, n) => faces.highest(*n, kept.end),
            Way::Walk(family) => family.sum(kept),
        })
    }
}

/// The ways that fit.
pub(super) struct Candidates<'a>([Option<Candidate<'a>>; 3]);

impl<'a> Candidates<'a> {
    /// For some, but not all, of these dice.
    pub(super) fn new(groups: &'a [(Dist, u32)], kept: Kept) -> Self {
        let place = (kept.len() == 1).then_some(Way::Place(groups));
        let family = Family::of(groups);
        let scheme = match groups {
            [(die, n)] if kept.start == 0 && family.is_some() => {
                Some(Way::Scheme(Faces::of(die), *n))
            }
            _ => None,
        };
        let priced = |way: Way<'a>| Candidate {
            steps: way.cost(kept),
            way,
        };
        Self([place, scheme, family.map(Way::Walk)].map(|way| way.map(priced)))
    }

    /// The cheapest; none if none fits.
    pub(super) fn best(&self) -> Option<&Candidate<'a>> {
        self.0
            .iter()
            .flatten()
            .min_by_key(|candidate| candidate.steps)
    }

    /// Why it is the best.
    pub(super) fn reason(&self, best: &Candidate<'_>) -> String {
        let mut reason = best.way.reason().to_owned();
        let all = self.0.iter().flatten();
        for other in all.filter(|other| other.name() != best.name()) {
            let name = other.name();
            reason += &match other.steps / best.steps.max(1) {
                0 | 1 => format!("; cheaper than the {name}"),
                times => format!("; {times} times cheaper than the {name}"),
            };
        }
        reason
    }
}
