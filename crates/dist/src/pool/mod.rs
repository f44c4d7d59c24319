//! Dice rolled together, and what is read of the roll.

mod few;
mod fold;
mod growth;
mod joint;
mod keep;
mod kept;
mod layers;
mod plan;
mod position;
mod range;
mod range_cost;
mod sets;
mod waiting;
mod wins;

pub use fold::Evaluator;
pub use growth::Growth;
pub use kept::{Feature, Kept, Reading};

use dashu_int::UBig;

use crate::change::checked;
use crate::number::bits;
use crate::{Budget, Dist, Error, Plan, words};
use plan::Candidates;

/// Some dice rolled together: independent dice of any kinds, or pieces drawn from a bag
/// without putting them back.
///
/// Dice of a pool have no order; pools with the same dice are equal. A roll is looked at
/// through a [`Feature`], and every reading has the total of the pool: the product of the
/// totals of its dice, or for a draw of `n` out of `N` pieces the `C(N, n)` ways to draw.
///
/// ```
/// use oddsmith_dist::{Budget, Dist, Feature, Pool, RBig};
/// let pool = Pool::new([(Dist::die(6)?, 4)]);
/// let best_three = Feature::sum(pool.kept_all().keep_highest(3));
/// let sum = pool.read(&best_three, &Budget::unlimited())?;
/// assert_eq!(sum.mean(), RBig::from_parts(15869.into(), 1296_u16.into()));
/// # Ok::<(), oddsmith_dist::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pool {
    source: Source,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Source {
    /// Dice with their numbers: sorted, different, none of them zero times.
    Dice(Vec<(Dist, u32)>),
    /// Faces with their numbers: sorted, different, none of them zero times.
    Bag { pieces: Vec<(i64, u32)>, drawn: u32 },
}

impl Pool {
    /// A pool of independent dice: each of `groups` is a die and how many there are of it. A
    /// pool without dice is fine; it reads as 0.
    ///
    /// # Panics
    /// If there are more than `u32::MAX` dice in all.
    pub fn new(groups: impl IntoIterator<Item = (Dist, u32)>) -> Self {
        let mut groups: Vec<_> = groups.into_iter().filter(|(_, count)| *count > 0).collect();
        groups.sort_by(|a, b| a.0.fixed_order(&b.0));
        let size = groups
            .iter()
            .map(|(_, count)| u64::from(*count))
            .sum::<u64>();
        assert!(
            u32::try_from(size).is_ok(),
            "a pool of {size} dice is too large"
        );
        groups.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Self {
            source: Source::Dice(groups),
        }
    }

    /// `n` pieces drawn without putting them back, from a bag with so many pieces of each
    /// face. Entries of the same face are added.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Feature, Pool, UBig};
    /// // Five cards of a deck with 4 aces (as 1) and 48 others (as 0).
    /// let hand = Pool::draw(&[(1, 4), (0, 48)], 5)?;
    /// let aces = hand.read(&Feature::sum(hand.kept_all()), &Budget::unlimited())?;
    /// assert_eq!(aces.total(), &UBig::from(2_598_960_u32));
    /// assert_eq!(aces.weight(4), UBig::from(48_u8));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BagTooSmall`] if the bag holds fewer than `n` pieces; [`Error::TooMany`] if it
    /// holds more than `u32::MAX`.
    pub fn draw(bag: &[(i64, u32)], n: u32) -> Result<Self, Error> {
        let mut pieces: Vec<_> = bag
            .iter()
            .copied()
            .filter(|(_, count)| *count > 0)
            .collect();
        let held: u64 = pieces.iter().map(|(_, count)| u64::from(*count)).sum();
        if held < u64::from(n) {
            return Err(Error::BagTooSmall { asked: n, held });
        }
        if u32::try_from(held).is_err() {
            let limit = u64::from(u32::MAX);
            return Err(Error::TooMany {
                count: held.into(),
                limit,
            });
        }
        merge_pieces(&mut pieces);
        Ok(Self {
            source: Source::Bag { pieces, drawn: n },
        })
    }

    /// The number of dice rolled, or of pieces drawn.
    pub fn size(&self) -> u32 {
        match &self.source {
            Source::Dice(groups) => groups.iter().map(|(_, count)| count).sum(),
            Source::Bag { drawn, .. } => *drawn,
        }
    }

    /// The pool's dice and how many there are of each; `None` for a draw, whose pieces depend on one another.
    pub fn groups(&self) -> Option<&[(Dist, u32)]> {
        match &self.source {
            Source::Dice(groups) => Some(groups),
            Source::Bag { .. } => None,
        }
    }

    /// All dice of the pool, as a range to narrow down.
    pub fn kept_all(&self) -> Kept {
        Kept::all(self.size())
    }

    /// Faces that the pool can show, ascending.
    pub fn faces(&self) -> Vec<i64> {
        let mut faces: Vec<i64> = match &self.source {
            Source::Dice(groups) if groups.len() == 1 => return groups[0].0.outcomes(),
            Source::Dice(groups) => groups.iter().flat_map(|(die, _)| die.support()).collect(),
            Source::Bag { pieces, .. } => pieces.iter().map(|(face, _)| *face).collect(),
        };
        faces.sort_unstable();
        faces.dedup();
        faces
    }

    /// Faces that a kept die can show, ascending; a few more if dice of different kinds make that hard to tell.
    ///
    /// ```
    /// use oddsmith_dist::{Dist, Pool};
    /// // A die that always shows 4 among dice that never do, of which the two lowest are kept.
    /// let pool = Pool::new([(Dist::constant(4), 1), (Dist::die(3)?, 2)]);
    /// assert_eq!(pool.kept_faces(pool.kept_all().keep_lowest(2)), [1, 2, 3]);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    pub fn kept_faces(&self, kept: Kept) -> Vec<i64> {
        let mut faces = self.faces();
        if kept.within(self.size()) == self.kept_all() && !kept.is_empty() {
            return faces;
        }
        if let Some(groups) = self.groups() {
            let count = |fits: &dyn Fn(&Dist) -> bool| -> u32 {
                groups
                    .iter()
                    .filter(|(die, _)| fits(die))
                    .map(|(_, count)| count)
                    .sum()
            };
            // Of the places from the highest die on, those that a die with this face can have.
            faces.retain(|&face| {
                let (above, below) = (
                    count(&|die| die.min() > face),
                    count(&|die| die.max() < face),
                );
                above < kept.end && self.size() - below > kept.start
            });
        }
        faces
    }

    /// The lowest face that a die can show; `None` without dice.
    pub fn min_face(&self) -> Option<i64> {
        match &self.source {
            Source::Dice(groups) => groups.iter().map(|(die, _)| die.min()).min(),
            Source::Bag { pieces, .. } => pieces.first().map(|(face, _)| *face),
        }
    }

    /// The highest face that a die can show; `None` without dice.
    pub fn max_face(&self) -> Option<i64> {
        match &self.source {
            Source::Dice(groups) => groups.iter().map(|(die, _)| die.max()).max(),
            Source::Bag { pieces, .. } => pieces.last().map(|(face, _)| *face),
        }
    }

    /// The weight of all rolls: the product of the totals of the dice, or the ways to draw.
    pub fn total(&self) -> UBig {
        match &self.source {
            Source::Dice(groups) => groups
                .iter()
                .map(|(die, count)| die.total().pow(*count as usize))
                .product(),
            Source::Bag { pieces, drawn } => {
                let held: u32 = pieces.iter().map(|(_, count)| count).sum();
                let few = (*drawn).min(held - drawn);
                (0..few).fold(UBig::ONE, |ways, i| ways * (held - i) / (i + 1))
            }
        }
    }

    /// A bound on the bits of the total; also a charge for computing it.
    fn bits_bound(&self) -> u128 {
        match &self.source {
            Source::Dice(groups) => {
                let bits = groups
                    .iter()
                    .map(|(die, n)| die.bits() as u128 * u128::from(*n));
                bits.sum()
            }
            Source::Bag { pieces, drawn } => {
                let held: u32 = pieces.iter().map(|(_, count)| count).sum();
                u128::from((*drawn).min(held - drawn)) * bits(&UBig::from(held)) as u128
            }
        }
    }

    /// The distribution of one reading; its total is that of the pool.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Feature, Pool, RBig};
    /// let budget = Budget::unlimited();
    /// // The second highest of two d6 and two d8.
    /// let mixed = Pool::new([(Dist::die(6)?, 2), (Dist::die(8)?, 2)]);
    /// let second = Feature::sum(mixed.kept_all().drop_highest(1).keep_highest(1));
    /// let second = mixed.read(&second, &budget)?;
    /// assert_eq!(second.pmf(6), RBig::from_parts(535.into(), 2304_u16.into()));
    /// // The largest set of equal faces in 8d10.
    /// let pool = Pool::new([(Dist::die(10)?, 8)]);
    /// let largest = pool.read(&Feature::matches(pool.kept_all(), 1), &budget)?;
    /// assert_eq!(largest.pmf(1), RBig::from_parts(567.into(), 31250_u16.into()));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] if a sum can leave `i64`; [`Error::FaceWithoutValue`] for a
    /// face without a value in [`Reading::SumOf`]; [`Error::OverBudget`].
    ///
    /// # Cost
    /// Depends on the question. Sums and counts over the whole pool cost little more than
    /// their outcomes; a single place costs faces times dice; the highest or lowest of equal
    /// dice cost faces times kept dice times sums. All else is a [`fold`](Self::fold).
    pub fn read(&self, feature: &Feature, budget: &Budget) -> Result<Dist, Error> {
        self.check(feature)?;
        let kept = feature.kept.within(self.size());
        budget.charge(self.bits_bound())?;
        if kept.is_empty() {
            let nothing = feature.cap.map_or(0, |cap| cap.min(0));
            return Ok(Dist::certain(nothing, self.total()));
        }
        let feature = Feature {
            kept,
            ..feature.clone()
        };
        let read = match &self.source {
            Source::Dice(groups) => self.read_dice(groups, &feature, budget)?,
            Source::Bag { .. } => None,
        };
        match (read, feature.cap) {
            (Some(read), Some(cap)) => Ok(read.map(|value| value.min(cap))),
            (Some(read), None) => Ok(read),
            (None, _) => self.fold_alone(&feature, budget),
        }
    }

    /// By anything that is faster than the general fold.
    fn read_dice(
        &self,
        groups: &[(Dist, u32)],
        feature: &Feature,
        budget: &Budget,
    ) -> Result<Option<Dist>, Error> {
        let kept = feature.kept;
        let value = |face| feature.reading.value(face);
        match &feature.reading {
            Reading::Sum if kept.len() == self.size() => sum_of_groups(groups, budget).map(Some),
            Reading::Sum => self.kept_sum(groups, feature, budget),
            Reading::SumOf(_) if kept.len() == self.size() => {
                let valued = groups.iter().map(|(die, count)| (die.map(value), *count));
                let valued: Vec<_> = valued.collect();
                let plan = || {
                    let reason = "what dice count for are dice as well".to_owned();
                    self.planned(feature, "sum of dice", reason)
                };
                budget
                    .noted(plan, |budget| sum_of_groups(&valued, budget))
                    .map(Some)
            }
            Reading::SumOf(_) if kept.len() == 1 => {
                let place = self.kept_sum(groups, &Feature::sum(kept), budget)?;
                Ok(place.map(|place| place.map(value)))
            }
            Reading::Matches(1) if kept.len() == self.size() => self.largest_set(groups, budget),
            _ => Ok(None),
        }
    }

    /// The sum of some of the dice.
    fn kept_sum(
        &self,
        groups: &[(Dist, u32)],
        feature: &Feature,
        budget: &Budget,
    ) -> Result<Option<Dist>, Error> {
        let kept = feature.kept;
        let lowest = match groups {
            [(die, n)] => {
                let is_end = kept.start > 0 && kept.end == *n;
                // Mirrored sums must not leave the range.
                is_end && die.min() > -(i64::MAX / i64::from(kept.len()))
            }
            _ => false,
        };
        if !lowest {
            return self.best_sum(groups, kept, feature, budget);
        }
        // The lowest dice are the highest of mirrored ones.
        let mirrored: Vec<_> = groups.iter().map(|(die, n)| (die.mirrored(), *n)).collect();
        let highest = Kept {
            start: 0,
            end: kept.len(),
        };
        let sum = self.best_sum(&mirrored, highest, feature, budget)?;
        Ok(sum.map(|sum| sum.mirrored()))
    }

    /// The sum of `kept` by the best of the ways that fit; `feature` is what was asked.
    fn best_sum(
        &self,
        groups: &[(Dist, u32)],
        kept: Kept,
        feature: &Feature,
        budget: &Budget,
    ) -> Result<Option<Dist>, Error> {
        if let [(die, n)] = groups
            && let Some(face) = die.as_constant()
        {
            let total = die.total().pow(*n as usize);
            return Ok(Some(Dist::certain(face * i64::from(kept.len()), total)));
        }
        let candidates = Candidates::new(groups, kept);
        let Some(best) = candidates.best() else {
            return Ok(None);
        };
        let plan = || self.planned(feature, best.name(), candidates.reason(best));
        budget
            .noted(plan, |budget| best.sum(kept, budget))
            .map(Some)
    }

    fn largest_set(&self, groups: &[(Dist, u32)], budget: &Budget) -> Result<Option<Dist>, Error> {
        let [(die, n)] = groups else { return Ok(None) };
        if die.as_constant().is_some() || !die.is_even() {
            return Ok(None);
        }
        let plan = || {
            let feature = Feature::matches(self.kept_all(), 1);
            let reason = "all of some equal dice, whose faces are equally likely";
            self.planned(&feature, "recurrence over sets", reason.to_owned())
        };
        let sets = budget.noted(plan, |budget| sets::largest(die, *n, budget))?;
        Ok(Some(sets))
    }

    /// One reading by the general fold.
    fn fold_alone(&self, feature: &Feature, budget: &Budget) -> Result<Dist, Error> {
        let plan = || {
            let reason = "nothing faster fits".to_owned();
            self.planned(feature, "fold over faces", reason)
        };
        let features = std::slice::from_ref(feature);
        let read = budget.noted(plan, |budget| joint::read(self, features, budget))?;
        let read = read.into_iter();
        let weights = read.map(|(values, weight)| (values[0], weight)).collect();
        Ok(Dist::from_unsorted(weights, self.total()))
    }

    fn planned(&self, feature: &Feature, algorithm: &'static str, reason: String) -> Plan {
        Plan {
            question: words::question(self, feature),
            algorithm,
            reason,
            bits: bits(&self.total()),
        }
    }

    /// Whether a feature can be read of every roll: each face has a value, and sums are within `i64`, those of a whole pool
    /// by the ends of each die, those of a part of it by the ends of all dice.
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] and [`Error::FaceWithoutValue`], as [`read`](Self::read).
    pub fn check(&self, feature: &Feature) -> Result<(), Error> {
        let kept = feature.kept.within(self.size()).len();
        if kept == self.size() && feature.reading == Reading::Sum && self.has_sums() {
            return Ok(());
        }
        let dice = i64::from(kept);
        let fits = |value| checked(value, "*", dice, i64::checked_mul).map(|_| ());
        match &feature.reading {
            Reading::Sum => [self.min_face(), self.max_face()]
                .into_iter()
                .flatten()
                .try_for_each(fits),
            Reading::SumOf(table) => self.faces().into_iter().try_for_each(|face| {
                let place = table.binary_search_by_key(&face, |(at, _)| *at);
                let place = place.map_err(|_| Error::FaceWithoutValue { face })?;
                fits(table[place].1)
            }),
            Reading::Matches(_) => Ok(()),
        }
    }

    /// Whether the sum of any of the dice is an `i64`.
    fn has_sums(&self) -> bool {
        let Source::Dice(groups) = &self.source else {
            return false;
        };
        let end = |of: fn(&Dist) -> i64, signs: std::ops::RangeInclusive<i64>| {
            let ends = groups
                .iter()
                .map(|(die, count)| (of(die), i128::from(*count)));
            let ends = ends.filter(|(end, _)| signs.contains(end));
            i64::try_from(
                ends.map(|(end, count)| i128::from(end) * count)
                    .sum::<i128>(),
            )
            .is_ok()
        };
        end(Dist::min, i64::MIN..=0) && end(Dist::max, 0..=i64::MAX)
    }

    /// The same pool with each face as another.
    fn with_faces(&self, face: impl Fn(i64) -> i64) -> Self {
        let source = match &self.source {
            Source::Dice(groups) => {
                let groups = groups.iter().map(|(die, n)| (die.map(&face), *n));
                return Self::new(groups);
            }
            Source::Bag { pieces, drawn } => {
                let mut pieces: Vec<_> = pieces.iter().map(|(old, n)| (face(*old), *n)).collect();
                merge_pieces(&mut pieces);
                Source::Bag {
                    pieces,
                    drawn: *drawn,
                }
            }
        };
        Self { source }
    }
}

/// Sorts pieces by their faces, and adds up those of the same face.
fn merge_pieces(pieces: &mut Vec<(i64, u32)>) {
    pieces.sort_unstable();
    pieces.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}

/// The sum of independent dice: equal ones first, then the smallest sums first.
fn sum_of_groups(groups: &[(Dist, u32)], budget: &Budget) -> Result<Dist, Error> {
    let sums = groups.iter().map(|(die, count)| die.sum_of(*count, budget));
    let mut sums: Vec<Dist> = sums.collect::<Result<_, _>>()?;
    sums.sort_by_cached_key(|sum| std::cmp::Reverse(sum.len()));
    let mut all = sums.pop().unwrap_or_else(|| Dist::constant(0));
    while let Some(sum) = sums.pop() {
        all = all.convolve(&sum, budget)?;
    }
    Ok(all)
}
