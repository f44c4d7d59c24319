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

    fn name(&self) -> &'static str {
        match self {
            Self::Place(_) => "order statistic",
            Self::Scheme(..) => "Horner scheme",
            Self::Walk(_) => "walk down the faces",
        }
    }

    /// What makes it fit.
    fn reason(&self) -> &'static str {
        match self {
            Self::Place(_) => "one die of the sorted roll",
            Self::Scheme(..) => "equal dice, kept from one end",
            Self::Walk(_) => "the dice are one another, cut short",
        }
    }
}

/// The ways that fit, with their prices.
pub(super) struct Candidates<'a> {
    kept: Kept,
    ways: [Option<(u128, Way<'a>)>; 3],
}

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
        let ways = [place, scheme, family.map(Way::Walk)];
        let ways = ways.map(|way| way.map(|way| (way.cost(kept), way)));
        Self { kept, ways }
    }

    fn best(&self) -> Option<(u128, &Way<'a>)> {
        let ways = self.ways.iter().flatten();
        let best = ways.min_by_key(|(steps, _)| *steps);
        best.map(|(steps, way)| (*steps, way))
    }

    /// The algorithm that is chosen, and why; none if none fits.
    pub(super) fn choice(&self) -> Option<(&'static str, String)> {
        let (least, best) = self.best()?;
        let mut reason = best.reason().to_owned();
        for (steps, way) in self.ways.iter().flatten() {
            if way.name() != best.name() {
                let times = steps / least.max(1);
                let other = way.name();
                reason += &match times {
                    0 | 1 => format!("; cheaper than the {other}"),
                    _ => format!("; {times} times cheaper than the {other}"),
                };
            }
        }
        Some((best.name(), reason))
    }

    /// The sum of the kept dice; none if no way fits.
    pub(super) fn sum(&self, budget: &Budget) -> Result<Option<Dist>, Error> {
        let Some((steps, way)) = self.best() else {
            return Ok(None);
        };
        budget.charge(steps)?;
        Ok(Some(match way {
            Way::Place(groups) => position::read(groups, self.kept.start),
            Way::Scheme(faces, n) => faces.highest(*n, self.kept.end),
            Way::Walk(family) => family.sum(self.kept, budget)?,
        }))
    }
}
