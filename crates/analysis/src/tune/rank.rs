//! The best of many candidates, and those that no other one dominates.

use std::cmp::Ordering;

use oddsmith_exact::{Budget, Error};

use crate::memory::charge_steps;
use crate::number::Value;
use crate::tune::distance::Distance;
use crate::tune::space::Change;

/// The order of candidates that are equally good: the nearest to the ruleset as it is, then the first one. No two are
/// alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) change: Change,
    pub(crate) number: u64,
}

impl Place {
    /// The place by what both choose together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            change: self.change.plus(other.change),
            number: self.number + other.number,
        }
    }
}

/// A candidate and how far it misses each wish, weighted.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) place: Place,
    pub(crate) parts: Vec<Distance>,
    /// The sum of the parts' floors.
    floor: u128,
    /// The sum of the parts.
    pub(crate) total: Value,
}

/// The best candidates by their totals; of equals those that come first by their [`Place`].
#[derive(Debug, Default)]
pub(crate) struct Best {
    most: usize,
    /// How many have the least total.
    pub(crate) equals: u64,
    /// The best one first.
    pub(crate) ranked: Vec<Ranked>,
}

impl Best {
    /// Room for the best `most`.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            equals: 0,
            ranked: Vec::new(),
        }
    }

    /// Takes a candidate, if it is among the best so far.
    pub(crate) fn offer(&mut self, place: Place, parts: &[&Distance]) {
        let floor = floor_sum(parts.iter().copied());
        if self.is_surely_worse(floor, parts.len()) {
            return;
        }
        if parts.is_empty() && self.is_late(place) {
            // Without parts all totals are 0.
            self.equals += 1;
            return;
        }
        let total = parts
            .iter()
            .try_fold(Value::ZERO, |sum, part| sum.plus(&part.exact));
        let ranked = Ranked {
            place,
            parts: parts.iter().map(|part| (*part).clone()).collect(),
            floor,
            total: total.unwrap_or(Value::Infinite),
        };
        self.insert(ranked, 1);
    }

    /// Whether a candidate of that floor is no better than any that is kept: a total lies at its floor or above it, by
    /// less than one for each part.
    fn is_surely_worse(&self, floor: u128, parts: usize) -> bool {
        self.ranked.len() == self.most
            && self.ranked.last().is_none_or(|last| {
                parts > 0 && floor >= last.floor.saturating_add(parts as u128) && floor < u128::MAX
            })
    }

    /// Whether candidates enough are kept that come before this one among equals.
    fn is_late(&self, place: Place) -> bool {
        let last = self.ranked.last();
        self.ranked.len() == self.most && last.is_none_or(|last| last.place < place)
    }

    /// Takes the candidates of another block.
    pub(crate) fn merge(&mut self, other: Self) {
        // The best ones of the block are counted with its first one.
        let mut equals = other.equals;
        for ranked in other.ranked {
            self.insert(ranked, std::mem::take(&mut equals));
        }
    }

    /// Takes a candidate, which stands for so many that are as good.
    fn insert(&mut self, ranked: Ranked, alike: u64) {
        match self
            .ranked
            .first()
            .map(|best| ranked.total.cmp(&best.total))
        {
            None | Some(Ordering::Less) => self.equals = alike,
            Some(Ordering::Equal) => self.equals += alike,
            Some(Ordering::Greater) => {}
        }
        let order = |known: &Ranked| {
            let totals = known.total.cmp(&ranked.total);
            totals.then_with(|| known.place.cmp(&ranked.place))
        };
        let at = self.ranked.partition_point(|known| order(known).is_lt());
        if at == self.most {
            return;
        }
        self.ranked.insert(at, ranked);
        self.ranked.truncate(self.most);
    }
}

fn floor_sum<'d>(mut parts: impl Iterator<Item = &'d Distance>) -> u128 {
    let sum = parts.try_fold(0_u128, |sum, part| sum.checked_add(part.floor));
    sum.unwrap_or(u128::MAX)
}

/// The Pareto set: candidates that no other one dominates, which is as near in every wish and nearer in one. Of those
/// that are alike in all wishes the one that comes first by its [`Place`] is kept and the others are counted.
#[derive(Clone, Debug)]
pub(crate) struct Front<D = Distance> {
    pub(crate) members: Vec<Member<D>>,
}

impl<D> Default for Front<D> {
    fn default() -> Self {
        Self {
            members: Vec::new(),
        }
    }
}

/// A candidate of the Pareto set.
#[derive(Clone, Debug)]
pub(crate) struct Member<D = Distance> {
    pub(crate) place: Place,
    pub(crate) parts: Vec<D>,
    /// How many candidates are like this one, itself among them.
    pub(crate) alike: u64,
}

/// The place of one member of a comparison beside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    Alike,
    Dominates,
    IsDominated,
    Neither,
}

impl<D: Ord + Clone> Front<D> {
    /// Takes a candidate unless one dominates it; those that it dominates go.
    ///
    /// # Errors
    /// If comparing it is over the budget.
    pub(crate) fn offer(
        &mut self,
        place: Place,
        parts: &[&D],
        budget: &Budget,
    ) -> Result<(), Error> {
        if self.is_refused(parts, (place, 1), budget)? {
            return Ok(());
        }
        self.members.push(Member {
            place,
            parts: parts.iter().map(|part| (*part).clone()).collect(),
            alike: 1,
        });
        Ok(())
    }

    /// Takes the candidates of another block.
    ///
    /// # Errors
    /// As [`Front::offer`].
    pub(crate) fn merge(&mut self, later: Self, budget: &Budget) -> Result<(), Error> {
        for member in later.members {
            let parts: Vec<&D> = member.parts.iter().collect();
            if !self.is_refused(&parts, (member.place, member.alike), budget)? {
                self.members.push(member);
            }
        }
        Ok(())
    }

    /// Whether a candidate is dominated, or is like one that is there, which then counts it.
    fn is_refused(
        &mut self,
        parts: &[&D],
        (place, alike): (Place, u64),
        budget: &Budget,
    ) -> Result<bool, Error> {
        const COMPARISON_STEPS: u128 = 10;
        let steps = COMPARISON_STEPS * self.members.len() as u128;
        let count = self.members.len();
        let what = || format!("a Pareto set of more than {count} candidates");
        let help = "make fewer wishes, or bounds of some of them; or raise the budget (`--budget`)";
        charge_steps(budget, steps, (what, help))?;
        for at in 0..self.members.len() {
            match beside(&self.members[at].parts, parts) {
                Beside::Neither => {}
                Beside::Alike => {
                    let known = &mut self.members[at];
                    known.alike += alike;
                    known.place = known.place.min(place);
                    return Ok(true);
                }
                Beside::Dominates => {
                    // What dominates one candidate most likely dominates the next.
                    self.members.swap(0, at);
                    return Ok(true);
                }
                Beside::IsDominated => {
                    self.members
                        .retain(|known| beside(&known.parts, parts) != Beside::IsDominated);
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }
}

/// The place of the first beside the second.
fn beside<D: Ord>(own: &[D], other: &[&D]) -> Beside {
    let (mut nearer, mut farther) = (false, false);
    for (own, other) in own.iter().zip(other) {
        match own.cmp(*other) {
            Ordering::Less => nearer = true,
            Ordering::Equal => {}
            Ordering::Greater => farther = true,
        }
        if nearer && farther {
            return Beside::Neither;
        }
    }
    match (nearer, farther) {
        (false, false) => Beside::Alike,
        (true, _) => Beside::Dominates,
        (_, true) => Beside::IsDominated,
    }
}
