//! The dice of a roll that are read, and the number that is read of them.

use super::reading::Reading;

/// The dice of a pool that are read, by their place in the roll sorted from the highest: places
/// `start..end`, counted from 0.
///
/// The methods narrow a range and can be chained, each acting on what the one before has left:
/// the middle one of three dice is `Kept::all(3).drop_highest(1).keep_highest(1)`. Keeping
/// more dice than there are keeps them all; dropping more leaves an empty range, of which
/// every reading is 0. Places beyond the pool are not read.
///
/// ```
/// use oddsmith_dist::Kept;
/// let kept = Kept::all(5).drop_lowest(1).keep_lowest(3);
/// assert_eq!(kept, Kept { start: 1, end: 4 });
/// assert_eq!(kept.keep_highest(9), kept);
/// assert_eq!(kept.drop_highest(9).len(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kept {
    /// The place of the highest die that is read.
    pub start: u32,
    /// The place after the lowest die that is read.
    pub end: u32,
}

impl Kept {
    /// All of `n` dice.
    pub fn all(n: u32) -> Self {
        Self { start: 0, end: n }
    }

    /// The highest `k` of these dice.
    #[must_use]
    pub fn keep_highest(self, k: u32) -> Self {
        let end = self.start.saturating_add(k).min(self.end);
        Self { end, ..self }
    }

    /// The lowest `k` of these dice.
    #[must_use]
    pub fn keep_lowest(self, k: u32) -> Self {
        let start = self.end.saturating_sub(k).max(self.start);
        Self { start, ..self }
    }

    /// These dice without the highest `k`.
    #[must_use]
    pub fn drop_highest(self, k: u32) -> Self {
        self.keep_lowest(self.len().saturating_sub(k))
    }

    /// These dice without the lowest `k`.
    #[must_use]
    pub fn drop_lowest(self, k: u32) -> Self {
        self.keep_highest(self.len().saturating_sub(k))
    }

    /// The number of dice read.
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether no die is read.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The range of places, as far as a pool of `size` dice has them.
    pub(crate) fn within(self, size: u32) -> Self {
        let end = self.end.min(size);
        let start = self.start.min(end);
        Self { start, end }
    }

    /// How many of the `count` places from `placed` on are read.
    pub(crate) fn overlap(self, placed: u32, count: u32) -> u32 {
        let end = self.end.min(placed + count);
        end.saturating_sub(self.start.max(placed))
    }
}

/// A question to a roll: which dice, and what of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Feature {
    /// The dice that are read.
    pub kept: Kept,
    /// The number that is read of them.
    pub reading: Reading,
    /// The cap: more than this counts as this; see [`Feature::capped`].
    pub cap: Option<i64>,
}

impl Feature {
    /// Any reading of some dice.
    pub fn new(kept: Kept, reading: Reading) -> Self {
        let cap = None;
        Self { kept, reading, cap }
    }

    /// The lower of this and `cap`. Where it matters only whether a count is reached, saying so
    /// spares telling higher counts apart.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Feature, Pool, UBig};
    /// let pool = Pool::new([(Dist::die(6)?, 4)]);
    /// let sixes = Feature::sum_of(pool.kept_all(), pool.faces(), |face| i64::from(face == 6));
    /// let best = Feature::sum(pool.kept_all().keep_highest(1));
    /// let both = pool.read_jointly(&[sixes.capped(2), best], &Budget::unlimited())?;
    /// assert_eq!(both.weight(&vec![2, 6]), UBig::from(171_u8)); // 150 + 20 + 1
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    #[must_use]
    pub fn capped(self, cap: i64) -> Self {
        let cap = Some(cap);
        Self { cap, ..self }
    }

    /// The sum of the faces of the kept dice.
    pub fn sum(kept: Kept) -> Self {
        Self::new(kept, Reading::Sum)
    }

    /// The sum of `value(face)` over the kept dice, for a pool with these `faces`.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Feature, Pool, RBig};
    /// let pool = Pool::new([(Dist::die(10)?, 3)]);
    /// let hits = Feature::sum_of(pool.kept_all(), pool.faces(), |face| i64::from(face >= 7));
    /// let hits = pool.read(&hits, &Budget::unlimited())?;
    /// assert_eq!(hits.mean(), RBig::from_parts(6.into(), 5_u8.into())); // 3 * 4/10
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    pub fn sum_of(
        kept: Kept,
        faces: impl IntoIterator<Item = i64>,
        mut value: impl FnMut(i64) -> i64,
    ) -> Self {
        let mut values: Vec<_> = faces.into_iter().map(|face| (face, value(face))).collect();
        values.sort_unstable();
        values.dedup_by_key(|(face, _)| *face);
        Self::new(kept, Reading::SumOf(values.into()))
    }

    /// The size of the `k`-th largest set of equal faces among the kept dice.
    pub fn matches(kept: Kept, k: u32) -> Self {
        Self::new(kept, Reading::Matches(k))
    }
}
