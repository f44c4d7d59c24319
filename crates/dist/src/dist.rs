//! The distribution itself: how it is stored, built and looked at.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use dashu_int::UBig;

use crate::Error;
use crate::number::weights::Weights;
use crate::number::{Number, bits, bytes_of_number, gcd, with_width, words};

/// Most outcomes that [`Dist::uniform`] lays out.
const MAX_UNIFORM: u64 = 1 << 24;

/// The bytes of a distribution beside its outcomes and weights.
const FIXED_BYTES: u128 = 150;

/// A finite distribution over `i64`, held as exact integer weights.
///
/// `P(X = x) = weight(x) / total()`; nothing is ever rounded, and nothing is reduced: two
/// d6 have the total 36, so counts can be compared with counts made by hand.
///
/// Invariants: the support is not empty, and the weights sum to the total. Equality is that of
/// values: the same outcomes with the same weights. (1 and 2 evenly, as a d2 or as a d6 halved,
/// are different values of this type.) Cloning is cheap: the weights are shared.
///
/// ```
/// use oddsmith_dist::{Budget, Dist, RBig, UBig};
/// let budget = Budget::unlimited();
/// let two = Dist::die(6)?.sum_of(2, &budget)?;
/// assert_eq!(two.weight(7), UBig::from(6_u8));
/// assert_eq!(two.pmf(7), RBig::from_parts(1.into(), 6_u8.into()));
/// assert_eq!((two.min(), two.max(), two.len()), (2, 12, 11));
/// # Ok::<(), oddsmith_dist::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Dist(Arc<Repr>);

/// The one representation of a value: which support and which width follow from the value.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Repr {
    total: UBig,
    support: Support,
    weights: Weights,
    /// How many weights are positive.
    len: usize,
}

/// The outcomes that the weights belong to.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Support {
    /// Weight `i` belongs to `first + i`; weights inside may be zero, those at the ends are not.
    Dense { first: i64 },
    /// Weight `i` belongs to outcome `i`; ascending, and no weight is zero.
    Sparse(Vec<i64>),
}

/// Whether `len` outcomes within `span` places are stored with the gaps between them.
fn is_dense(span: u128, len: usize) -> bool {
    span <= 64 || span <= 4 * len as u128
}

/// The bytes of a weight that is packed beside a row of such numbers; short ones stay where they are.
pub(crate) fn bytes_of_packed(bits: usize) -> u128 {
    match words(bits as u128) {
        1 | 2 => 0,
        words => 8 * words,
    }
}

/// The bytes that a row of so many places takes, of numbers of so many bits, while it becomes a distribution.
pub(crate) fn bytes_of_row(places: u128, stride: u64, bits: usize) -> u128 {
    // Where there are many gaps, the places that have none are listed beside.
    let each = 2 * bytes_of_number(bits) + bytes_of_packed(bits);
    let listed = match stride {
        1 => 0,
        _ => Dist::bytes_to_make(places, bits),
    };
    places.saturating_mul(each).saturating_add(listed)
}

/// Places from `low` to `high`, both included.
pub(crate) fn span(low: i64, high: i64) -> u128 {
    u128::from(high.abs_diff(low)) + 1
}

/// `first + index`, which the caller knows to be an outcome.
pub(crate) fn outcome(first: i64, index: usize) -> i64 {
    // From the least number to the greatest it is more than an `i64` holds.
    let index = u64::try_from(index).expect("places are numbers of 64 bits");
    first.wrapping_add_unsigned(index)
}

/// How far `x` lies above `first`, as an index; `x` is at least `first` and nearby.
pub(crate) fn index(first: i64, x: i64) -> usize {
    usize::try_from(x.abs_diff(first)).expect("rows fit in memory")
}

/// The outcome `index` steps of `stride` above `first`.
fn strided(first: i64, index: usize, stride: u64) -> i64 {
    let stride = usize::try_from(stride).expect("a stride spans a row in memory");
    outcome(first, index * stride)
}

impl Dist {
    /// The distribution that is always `x`, with a total of 1.
    pub fn constant(x: i64) -> Self {
        Self::certain(x, UBig::ONE)
    }

    /// Always `x`, with any positive total.
    pub(crate) fn certain(x: i64, total: UBig) -> Self {
        let weights = Weights::pack(vec![total.clone()], &total);
        Self::assemble(Support::Dense { first: x }, weights, total, 1)
    }

    /// Every outcome from `lo` to `hi` once, both included.
    ///
    /// # Errors
    /// [`Error::Empty`] if `lo > hi`; [`Error::TooMany`] for more than 2^24 outcomes.
    pub fn uniform(lo: i64, hi: i64) -> Result<Self, Error> {
        if lo > hi {
            return Err(Error::Empty);
        }
        let count = span(lo, hi);
        let len = u64::try_from(count).ok().filter(|n| *n <= MAX_UNIFORM);
        let limit = MAX_UNIFORM;
        let len = len.ok_or(Error::TooMany { count, limit })?;
        let weights = Weights::Small(vec![1; index(lo, hi) + 1]);
        let (support, places) = (Support::Dense { first: lo }, weights.len());
        Ok(Self::assemble(support, weights, UBig::from(len), places))
    }

    /// A fair die with the faces `1..=sides`.
    ///
    /// A d0 is refused: whether a null die means 0, or nothing, is for a game to say.
    ///
    /// # Errors
    /// [`Error::Empty`] for `sides == 0`; [`Error::TooMany`] for more than 2^24 sides.
    pub fn die(sides: u32) -> Result<Self, Error> {
        Self::uniform(1, i64::from(sides))
    }

    /// The distribution with these outcomes and weights, in any order: weights of equal
    /// outcomes are added, outcomes without weight dropped. The total is the sum.
    ///
    /// # Errors
    /// [`Error::Empty`] if no weight is positive.
    pub fn from_weights(pairs: impl IntoIterator<Item = (i64, UBig)>) -> Result<Self, Error> {
        let mut pairs: Vec<_> = pairs.into_iter().collect();
        pairs.retain(|(_, weight)| !weight.is_zero());
        let total: UBig = pairs.iter().map(|(_, weight)| weight).sum();
        if total.is_zero() {
            return Err(Error::Empty);
        }
        Ok(Self::from_unsorted(pairs, total))
    }

    /// Merges pairs in any order; the weights sum to `total`, which is positive.
    pub(crate) fn from_unsorted<W: Number>(mut pairs: Vec<(i64, W)>, total: UBig) -> Self {
        merge_pairs(&mut pairs);
        Self::from_merged(pairs, total)
    }

    /// The bytes of `from_merged` beside the pairs, the result among them.
    pub(crate) fn bytes_of_merged<W: Number>(pairs: &[(i64, W)], total: &UBig) -> u128 {
        let places = span(pairs[0].0, pairs[pairs.len() - 1].0);
        // The row, and for long numbers the words that it is packed in.
        let number = size_of::<W>() as u128 + bytes_of_packed(bits(total));
        match is_dense(places, pairs.len()) {
            true => places * number,
            false => pairs.len() as u128 * (8 + number),
        }
    }

    /// Takes pairs in their order, each of another outcome and with a positive weight, that sum to `total`.
    pub(crate) fn from_merged<W: Number>(pairs: Vec<(i64, W)>, total: UBig) -> Self {
        let (first, _) = pairs[0];
        let last = pairs[pairs.len() - 1].0;
        let (places, len) = (span(first, last), pairs.len());
        if is_dense(places, len) {
            let mut row = vec![W::zero(); index(first, last) + 1];
            for (x, weight) in pairs {
                row[index(first, x)] = weight;
            }
            let weights = Weights::pack(row, &total);
            return Self::assemble(Support::Dense { first }, weights, total, len);
        }
        let (support, row) = pairs.into_iter().unzip();
        let weights = Weights::pack(row, &total);
        Self::assemble(Support::Sparse(support), weights, total, len)
    }

    /// Takes a row whose place `i` is the outcome `first + i * stride`; the first weight is
    /// positive, and all of them sum to `total`.
    pub(crate) fn from_row<W: Number>(first: i64, stride: u64, row: Vec<W>, total: UBig) -> Self {
        Self::from_weights_row(first, stride, W::into_weights(row), total)
    }

    /// Like `from_row`, for weights of any width.
    pub(crate) fn from_weights_row(first: i64, stride: u64, mut row: Weights, total: UBig) -> Self {
        debug_assert!(!row.is_zero(0), "the support begins at the first place");
        let positive = |row: &Weights| (0..row.len()).rev().find(|i| !row.is_zero(*i));
        row.truncate(positive(&row).map_or(0, |last| last + 1));
        let weights = row.fitted(&total);
        if stride == 1 {
            let len = weights.count_positive();
            if is_dense(weights.len() as u128, len) {
                return Self::assemble(Support::Dense { first }, weights, total, len);
            }
        }
        with_width!(bits(&total), W => {
            let places = weights.unpack::<W>().into_iter().enumerate();
            let pairs = places.map(|(i, weight)| (strided(first, i, stride), weight));
            Self::from_unsorted(pairs.collect(), total)
        })
    }

    /// A distribution of these parts; `len` of the weights are positive.
    fn assemble(support: Support, weights: Weights, total: UBig, len: usize) -> Self {
        debug_assert_eq!(len, weights.count_positive());
        Self(Arc::new(Repr {
            total,
            support,
            weights,
            len,
        }))
    }

    /// The sum of all weights; positive.
    pub fn total(&self) -> &UBig {
        &self.0.total
    }

    /// An arbitrary but fixed order of values. (`Ord` would hide [`min`](Self::min).)
    pub(crate) fn fixed_order(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }

    /// Steps of an operation that takes every outcome once and so is not charged for, as [`map`](Self::map): for whoever
    /// does many, or with long weights.
    pub fn steps_to_map(&self) -> u128 {
        // Big integers are allocated, one by one.
        let each = match words(self.bits() as u128) {
            0..=2 => 6,
            words => 40 + words,
        };
        self.0.weights.len() as u128 * each
    }

    /// About the bytes that the distribution takes: clones share them.
    ///
    /// ```
    /// # use oddsmith_dist::Dist;
    /// let die = Dist::die(1_000_000)?;
    /// assert_eq!(die.bytes() / 1000, 8_000); // a word for each face
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    pub fn bytes(&self) -> u128 {
        let listed = match &self.0.support {
            Support::Dense { .. } => 0,
            Support::Sparse(support) => 8 * support.len() as u128,
        };
        let weights = self.0.weights.len() as u128;
        FIXED_BYTES + listed + weights * 8 * words(self.bits() as u128)
    }

    /// The most bytes that are taken at once to make a distribution of `outcomes` pairs, in any order, whose total has `bits`
    /// bits: for whoever calls what is not charged for, as [`from_weights`](Self::from_weights), whose pairs take the more,
    /// or [`mix`](Self::mix). The distribution itself is among them.
    ///
    /// ```
    /// # use oddsmith_dist::Dist;
    /// let die = Dist::die(1_000_000)?;
    /// assert!(Dist::bytes_to_make(1_000_000, 20) > 2 * die.bytes());
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    pub fn bytes_to_make(outcomes: u128, bits: usize) -> u128 {
        // Pairs and their order; or pairs, and a row that has up to four places for each.
        let each = match words(bits as u128) {
            1 => 48,
            2 => 96,
            words => 144_u128.saturating_add(words.saturating_mul(40)),
        };
        outcomes.saturating_mul(each).saturating_add(FIXED_BYTES)
    }

    /// The most bytes that [`map`](Self::map) takes at once beside the distribution.
    pub fn bytes_to_map(&self) -> u128 {
        Self::bytes_to_make(self.len() as u128, self.bits())
    }

    /// The most bytes that [`highest_of`](Self::highest_of), [`lowest_of`](Self::lowest_of) and [`compare`](Self::compare) take
    /// at once beside both distributions.
    pub fn bytes_with(&self, other: &Self) -> u128 {
        let outcomes = self.len() as u128 + other.len() as u128;
        Self::bytes_to_make(2 * outcomes, self.bits() + other.bits())
    }

    /// The number of weights that are stored, those of gaps among them.
    pub(crate) fn places_count(&self) -> u128 {
        self.0.weights.len() as u128
    }

    /// Whether the weights are stored as a row with the gaps.
    pub(crate) fn is_row(&self) -> bool {
        matches!(self.0.support, Support::Dense { .. })
    }

    /// Bits of the total.
    pub(crate) fn bits(&self) -> usize {
        bits(self.total())
    }

    /// The weight of `x`; 0 outside the support.
    pub fn weight(&self, x: i64) -> UBig {
        let place = match &self.0.support {
            Support::Dense { first } => {
                (*first..=self.max()).contains(&x).then(|| index(*first, x))
            }
            Support::Sparse(support) => support.binary_search(&x).ok(),
        };
        place.map_or(UBig::ZERO, |i| self.0.weights.get(i))
    }

    /// The outcome that belongs to weight `i`.
    fn outcome_at(&self, i: usize) -> i64 {
        match &self.0.support {
            Support::Dense { first } => outcome(*first, i),
            Support::Sparse(support) => support[i],
        }
    }

    /// Places of positive weights, ascending.
    fn places(&self) -> impl DoubleEndedIterator<Item = usize> {
        let weights = &self.0.weights;
        let has_gaps = self.has_gaps();
        (0..weights.len()).filter(move |i| !has_gaps || !weights.is_zero(*i))
    }

    /// Whether there are places without weight.
    fn has_gaps(&self) -> bool {
        self.0.len < self.0.weights.len()
    }

    /// Outcomes with their weights, ascending; every weight is positive.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (i64, UBig)> {
        self.places()
            .map(|i| (self.outcome_at(i), self.0.weights.get(i)))
    }

    /// Outcomes of positive weight, ascending.
    pub fn support(&self) -> impl DoubleEndedIterator<Item = i64> {
        self.places().map(|i| self.outcome_at(i))
    }

    /// The outcomes in ascending order, as a list.
    pub(crate) fn outcomes(&self) -> Vec<i64> {
        let mut outcomes = Vec::with_capacity(self.0.weights.len());
        outcomes.extend(self.support());
        outcomes
    }

    /// The lowest outcome.
    pub fn min(&self) -> i64 {
        self.outcome_at(0)
    }

    /// The highest outcome.
    pub fn max(&self) -> i64 {
        self.outcome_at(self.0.weights.len() - 1)
    }

    /// The number of outcomes; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a distribution is never empty")]
    pub fn len(&self) -> usize {
        self.0.len
    }

    /// The outcome if there is only one.
    pub fn as_constant(&self) -> Option<i64> {
        (self.0.weights.len() == 1).then(|| self.min())
    }

    /// The first outcome and the weights from there on, gaps included, if the total is below
    /// 2^127 and the support is dense: at most 64 places, or 4 for each outcome.
    ///
    /// A view for hot loops: sums of weights, and differences in `i128`, can't overflow.
    pub fn dense_u128(&self) -> Option<(i64, Vec<u128>)> {
        match &self.0.support {
            Support::Dense { first } if self.bits() <= 127 => {
                Some((*first, self.0.weights.unpack()))
            }
            _ => None,
        }
    }

    /// The row from `min` to `max` with zeros in the gaps, if it is stored so.
    pub(crate) fn row<W: Number>(&self) -> Option<Vec<W>> {
        match &self.0.support {
            Support::Dense { .. } => Some(self.0.weights.unpack()),
            Support::Sparse(_) => None,
        }
    }

    /// Outcomes with positive weights in the width `W`, ascending.
    pub(crate) fn pairs<W: Number>(&self) -> Vec<(i64, W)> {
        let mut pairs = Vec::with_capacity(self.0.len);
        let has_gaps = self.has_gaps();
        self.0.weights.for_each(|i, weight: W| {
            if !has_gaps || !weight.is_zero() {
                pairs.push((self.outcome_at(i), weight));
            }
        });
        pairs
    }

    /// Calls `visit` with outcomes and the words of their weights, the lowest word first; some weights may be 0.
    pub(crate) fn for_each_words(&self, mut visit: impl FnMut(i64, &[u64])) {
        let weights = &self.0.weights;
        weights.for_each_words(|place, words| visit(self.outcome_at(place), words));
    }

    /// The greatest distance of which all distances between outcomes are multiples; at least 1.
    pub(crate) fn stride(&self) -> u64 {
        if let (Support::Dense { .. }, true) = (&self.0.support, self.0.weights.len() > 1)
            && !self.0.weights.is_zero(1)
        {
            return 1;
        }
        let low = self.min();
        let mut stride = 0;
        for x in self.support() {
            stride = gcd(stride, x.abs_diff(low));
            if stride == 1 {
                break;
            }
        }
        stride.max(1)
    }

    /// The distribution `k` further on, with the same weights; the caller has checked the range.
    pub(crate) fn moved(&self, k: i64) -> Self {
        let support = match &self.0.support {
            Support::Dense { first } => Support::Dense { first: first + k },
            Support::Sparse(support) => Support::Sparse(support.iter().map(|x| x + k).collect()),
        };
        let (weights, total) = (self.0.weights.clone(), self.total().clone());
        Self::assemble(support, weights, total, self.0.len)
    }

    /// The mirror image; the caller has checked the range.
    pub(crate) fn mirrored(&self) -> Self {
        let support = match &self.0.support {
            Support::Dense { .. } => Support::Dense { first: -self.max() },
            Support::Sparse(support) => Support::Sparse(support.iter().rev().map(|x| -x).collect()),
        };
        let (weights, total) = (self.0.weights.reversed(), self.total().clone());
        Self::assemble(support, weights, total, self.0.len)
    }

    /// Whether `self` has the outcomes and weights of `other` up to the highest of these.
    pub(crate) fn begins_like(&self, other: &Self) -> bool {
        match (&self.0.support, &other.0.support) {
            (Support::Dense { first }, Support::Dense { first: low }) => {
                first == low && self.0.weights.starts_with(&other.0.weights)
            }
            _ => {
                let top = other.max();
                self.iter().take_while(|(x, _)| *x <= top).eq(other.iter())
            }
        }
    }

    /// Whether all outcomes have the same weight.
    pub(crate) fn is_even(&self) -> bool {
        match &self.0.weights {
            Weights::Small(row) => row.iter().all(|w| *w == row[0] || *w == 0),
            _ => {
                let weight = self.0.weights.get(0);
                self.iter().all(|(_, other)| other == weight)
            }
        }
    }

    /// Weights by their places, counted in steps of `stride` from the lowest outcome, with the
    /// gaps; every outcome lies at a step.
    pub(crate) fn strided_row<W: Number>(&self, stride: u64) -> Vec<W> {
        let mut weights = self.0.weights.unpack::<W>();
        if let Support::Dense { .. } = self.0.support
            && stride == 1
        {
            return weights;
        }
        let place = |x: i64| {
            let steps = x.abs_diff(self.min()) / stride;
            usize::try_from(steps).expect("the caller has seen that a row fits")
        };
        let mut row = vec![W::zero(); place(self.max()) + 1];
        for i in self.places() {
            std::mem::swap(&mut row[place(self.outcome_at(i))], &mut weights[i]);
        }
        row
    }

    /// Steps of `stride` from the lowest outcome to the highest.
    pub(crate) fn steps(&self, stride: u64) -> u64 {
        self.max().abs_diff(self.min()) / stride
    }
}

/// Sorts pairs by their outcomes. What sorts moves outcomes and places alone, so it is compiled once; weights of any width are
/// moved once.
pub(crate) fn sort_pairs<W: Number>(pairs: &mut Vec<(i64, W)>) {
    if pairs.is_sorted_by_key(|(x, _)| *x) {
        return;
    }
    let outcomes = pairs.iter().enumerate();
    let mut order: Vec<(i64, usize)> = outcomes.map(|(place, (x, _))| (*x, place)).collect();
    order.sort_unstable();
    let taken = |(x, place): (i64, usize)| (x, std::mem::replace(&mut pairs[place].1, W::zero()));
    *pairs = order.into_iter().map(taken).collect();
}

/// Pairs in their order, each of another outcome and with a positive weight.
pub(crate) fn merge_pairs<W: Number>(pairs: &mut Vec<(i64, W)>) {
    sort_pairs(pairs);
    merge_equal(pairs);
    pairs.retain(|(_, weight)| !weight.is_zero());
}

/// Adds up runs of equal keys in a sorted list.
pub(crate) fn merge_equal<K: PartialEq, W: Number>(pairs: &mut Vec<(K, W)>) {
    pairs.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1.add(&next.1);
        }
        same
    });
}

/// Outcomes and weights as `{1: 1, 2: 1} / 2`.
impl fmt::Debug for Dist {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (x, weight) in self.iter() {
            map.entry(&x, &format_args!("{weight}"));
        }
        map.finish()?;
        write!(f, " / {}", self.total())
    }
}
