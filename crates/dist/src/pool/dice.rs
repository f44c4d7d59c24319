//! The dice of a pool.

use dashu_int::UBig;

use super::kept::Kept;
use crate::number::bits;
use crate::{Dist, Error};

/// Some dice rolled together: independent dice of any kinds, or pieces drawn from a bag
/// without putting them back.
///
/// Dice of a pool have no order; pools with the same dice are equal. A roll is looked at
/// through a [`Feature`](crate::Feature), and every reading has the total of the pool: the product of the
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
    pub(super) source: Source,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Source {
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

    /// How many faces its kinds of dice have, each by itself.
    pub(super) fn faces_by_kind(&self) -> usize {
        match &self.source {
            Source::Dice(groups) => groups.iter().map(|(die, _)| die.len()).sum(),
            Source::Bag { pieces, .. } => pieces.len(),
        }
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
    pub(super) fn bits_bound(&self) -> u128 {
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

    /// The pool with each face replaced by another.
    pub(super) fn with_faces(&self, face: impl Fn(i64) -> i64) -> Self {
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
