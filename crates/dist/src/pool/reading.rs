//! All that is known of a reading: where it starts, how it goes on with the dice of a face, what it comes to, whether
//! it is a sum, within which bounds it lies, and its words.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::Error;
use crate::change::checked;

/// A reading: the number that is made of the kept dice.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reading {
    /// The sum of their faces.
    Sum,
    /// The sum of a value for each face: pairs of face and value, sorted by face. Values of 0
    /// and 1 count successes. Every face of the pool needs a value.
    SumOf(Arc<[(i64, i64)]>),
    /// The size of the `k`-th largest set of equal faces: `Matches(1)` is the size of the
    /// largest set, and a roll of 5 5 5 2 2 has `Matches(2)` of 2. It is 0 if there are fewer
    /// sets, and for `k = 0`. A single die is a set of 1.
    Matches(u32),
    /// Anything else that is made face by face. It is answered by the fold.
    Steps(Steps),
}

/// Steps: a reading of one's own, which is made face by face, from the highest to the lowest.
///
/// What has to be known of the faces so far is a few numbers, the cells. They may hold more than
/// what was seen, such as what the steps turn on. The fewer different cells there are, the
/// faster the answer.
///
/// ```
/// use oddsmith_dist::{Budget, Dist, Feature, Pool, Reading, Steps, UBig};
/// // The faces of which there is an odd number of dice.
/// let odd = Steps::new(
///     "the odd sets",
///     [0],
///     |cells, _face, count| cells[0] += count % 2,
///     |cells| cells[0],
/// );
/// let pool = Pool::new([(Dist::die(6)?, 3)]);
/// let feature = Feature::new(pool.kept_all(), Reading::Steps(odd));
/// let odd = pool.read(&feature, &Budget::unlimited())?;
/// assert_eq!(odd.weight(3), UBig::from(6_u8 * 5 * 4));
/// assert_eq!(odd.weight(1), UBig::from(216_u8 - 6 * 5 * 4));
/// # Ok::<(), oddsmith_dist::Error>(())
/// ```
#[derive(Clone)]
pub struct Steps {
    words: &'static str,
    start: Arc<[i64]>,
    /// What no dice read.
    none: i64,
    made: Made,
}

/// How cells are changed and read.
#[derive(Clone)]
enum Made {
    Plain(Step, fn(&[i64]) -> i64),
    Carried(Arc<dyn Carry>, Arc<str>),
}

/// What becomes of the cells by a face and the number of kept dice that show it.
type Step = fn(&mut [i64], i64, i64);

/// Steps that know something: rules that were read, say. See [`Steps::carried`].
pub trait Carry: Send + Sync {
    /// Takes in a face and the number of kept dice that show it, 1 or more.
    fn step(&self, cells: &mut [i64], face: i64, count: i64);

    /// What the cells come to.
    fn result(&self, cells: &[i64]) -> i64;
}

impl std::fmt::Debug for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps")
            .field("words", &self.words)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

impl Steps {
    /// A reading of these `words`, such as `the odd sets`, whose cells are `start` before any die.
    ///
    /// `step(cells, face, count)` is called once for each face that `count` of the kept dice show,
    /// 1 or more of them, from the highest face to the lowest; `result` says what the cells come
    /// to. Both must be pure, and say something for every roll. No dice read 0, whatever `start`
    /// comes to.
    pub fn new(
        words: &'static str,
        start: impl Into<Arc<[i64]>>,
        step: fn(&mut [i64], i64, i64),
        result: fn(&[i64]) -> i64,
    ) -> Self {
        Self {
            words,
            start: start.into(),
            none: 0,
            made: Made::Plain(step, result),
        }
    }

    /// The same with steps that know something. Steps with the same `words`, `start` and `key` are the same. No dice read
    /// what `start` comes to.
    ///
    /// ```
    /// use oddsmith_dist::{Carry, Reading, Steps};
    /// /// A sum of at most some number.
    /// struct Capped(i64);
    /// impl Carry for Capped {
    ///     fn step(&self, cells: &mut [i64], face: i64, count: i64) {
    ///         cells[0] = (cells[0] + face * count).min(self.0);
    ///     }
    ///     fn result(&self, cells: &[i64]) -> i64 {
    ///         cells[0]
    ///     }
    /// }
    /// let capped = Steps::carried("the capped sum", "7", [2], std::sync::Arc::new(Capped(7)));
    /// let capped = Reading::Steps(capped);
    /// assert_eq!((capped.of_roll(&[3, 1]), capped.of_roll(&[6, 1])), (Some(6), Some(7)));
    /// assert_eq!(capped.of_roll(&[]), Some(2));
    /// ```
    pub fn carried(
        words: &'static str,
        key: impl Into<Arc<str>>,
        start: impl Into<Arc<[i64]>>,
        carry: Arc<dyn Carry>,
    ) -> Self {
        let start = start.into();
        Self {
            words,
            none: carry.result(&start),
            start,
            made: Made::Carried(carry, key.into()),
        }
    }

    /// What two readings differ by: functions at the same place are the same.
    fn key(&self) -> (&str, &[i64], usize, usize, &str) {
        let (step, result, key) = match &self.made {
            Made::Plain(step, result) => (*step as usize, *result as usize, ""),
            Made::Carried(_, key) => (0, 0, &**key),
        };
        (self.words, &self.start, step, result, key)
    }

    fn step(&self, cells: &mut [i64], face: i64, count: i64) {
        match &self.made {
            Made::Plain(step, _) => step(cells, face, count),
            Made::Carried(carry, _) => carry.step(cells, face, count),
        }
    }

    fn result(&self, cells: &[i64]) -> i64 {
        match &self.made {
            _ if cells.is_empty() => self.none,
            Made::Plain(_, result) => result(cells),
            Made::Carried(carry, _) => carry.result(cells),
        }
    }
}

impl PartialEq for Steps {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Steps {}

impl PartialOrd for Steps {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Steps {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Steps {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}

/// The faces of a pool, as far as a reading asks for them.
pub(super) trait Faces {
    /// The least face and the greatest.
    fn ends(&self) -> [Option<i64>; 2];
    /// All faces.
    fn all(&self) -> Vec<i64>;
    /// Whether these are all dice, and their sum is an `i64` whatever they show.
    fn has_sum_of(&self, dice: u32) -> bool;
}

/// What faces count for in a sum.
#[derive(Clone, Copy)]
pub(super) enum Values<'a> {
    /// Themselves.
    Faces,
    /// What a table says, which has every face of the pool.
    Table(&'a [(i64, i64)]),
}

impl Values<'_> {
    pub(super) fn of(self, face: i64) -> i64 {
        match self {
            Self::Faces => face,
            Self::Table(values) => {
                let place = values.binary_search_by_key(&face, |(at, _)| *at);
                values[place.expect("the faces of the pool were checked")].1
            }
        }
    }
}

impl Reading {
    /// What faces count for, if it is a sum: then it follows from its parts, in any order.
    pub(super) fn values(&self) -> Option<Values<'_>> {
        match self {
            Self::Sum => Some(Values::Faces),
            Self::SumOf(values) => Some(Values::Table(values)),
            Self::Matches(_) | Self::Steps(_) => None,
        }
    }

    /// How many cells it has for so many different faces and dice; without cells it reads 0.
    pub(super) fn cells(&self, faces: usize, dice: usize) -> usize {
        match self {
            Self::Sum | Self::SumOf(_) => 1,
            // There are no more sets than faces or dice.
            Self::Matches(k) if *k as usize > faces.min(dice) => 0,
            // The sizes of the `k` largest sets, in order.
            Self::Matches(k) => *k as usize,
            Self::Steps(_) if dice == 0 => 0,
            Self::Steps(steps) => steps.start.len(),
        }
    }

    /// Puts what is known before any die in cells that hold 0.
    pub(super) fn start(&self, cells: &mut [i64]) {
        match self {
            Self::Sum | Self::SumOf(_) | Self::Matches(_) => {}
            // Without cells nothing is known.
            Self::Steps(steps) => cells.copy_from_slice(&steps.start[..cells.len()]),
        }
    }

    /// Takes in the kept dice that show a face: `count` of them, at least one.
    #[inline]
    pub(super) fn step(&self, cells: &mut [i64], face: i64, count: i64) {
        match self {
            Self::Sum => cells[0] += count * face,
            Self::SumOf(values) => cells[0] += count * Values::Table(values).of(face),
            Self::Matches(_) => insert_descending(cells, count),
            Self::Steps(_) if cells.is_empty() => {}
            Self::Steps(steps) => steps.step(cells, face, count),
        }
    }

    /// Whether dice that show the face next add anything, and not only take a place.
    pub(super) fn adds(&self, face: i64) -> bool {
        self.values().is_none_or(|values| values.of(face) != 0)
    }

    /// Whether `open` dice more change nothing, whatever they show.
    pub(super) fn is_settled(&self, cells: &[i64], open: u32) -> bool {
        match self {
            // No set to come is larger than the last of these.
            Self::Matches(_) => cells.last().is_some_and(|last| *last >= i64::from(open)),
            Self::Sum | Self::SumOf(_) | Self::Steps(_) => false,
        }
    }

    /// What the cells come to.
    pub(super) fn result(&self, cells: &[i64]) -> i64 {
        match self {
            Self::Sum | Self::SumOf(_) | Self::Matches(_) => cells.last().copied().unwrap_or(0),
            Self::Steps(steps) => steps.result(cells),
        }
    }

    /// What a roll reads, all of whose dice are kept; none if that leaves the range.
    ///
    /// `faces` are sorted from the highest.
    ///
    /// ```
    /// use oddsmith_dist::Reading;
    /// let roll = [5, 5, 5, 2, 2];
    /// assert_eq!(Reading::Matches(2).of_roll(&roll), Some(2));
    /// assert_eq!(Reading::Sum.of_roll(&roll), Some(19));
    /// assert_eq!(Reading::Sum.of_roll(&[i64::MAX, 1]), None);
    /// ```
    ///
    /// # Panics
    /// If a face has no value in [`Reading::SumOf`].
    ///
    /// # Cost
    /// A step for each die.
    pub fn of_roll(&self, faces: &[i64]) -> Option<i64> {
        if let Some(values) = self.values() {
            // Wider, so that only the whole sum must fit and no part of it.
            let values = faces.iter().map(|face| i128::from(values.of(*face)));
            return i64::try_from(values.sum::<i128>()).ok();
        }
        let sets = faces.chunk_by(|a, b| a == b);
        let mut cells = vec![0; self.cells(sets.clone().count(), faces.len())];
        self.start(&mut cells);
        for set in sets {
            let count = i64::try_from(set.len()).expect("a set fits in memory");
            self.step(&mut cells, set[0], count);
        }
        Some(self.result(&cells))
    }

    /// Whether each face of a pool has a value, and so many dice of it read an `i64`.
    pub(super) fn check(&self, pool: &impl Faces, dice: u32) -> Result<(), Error> {
        let fits = |value| checked(value, "*", i64::from(dice), i64::checked_mul).map(|_: i64| ());
        match self {
            Self::Sum if pool.has_sum_of(dice) => Ok(()),
            Self::Sum => pool.ends().into_iter().flatten().try_for_each(fits),
            Self::SumOf(table) => pool.all().into_iter().try_for_each(|face| {
                let place = table.binary_search_by_key(&face, |(at, _)| *at);
                let place = place.map_err(|_| Error::FaceWithoutValue { face })?;
                fits(table[place].1)
            }),
            Self::Matches(_) | Self::Steps(_) => Ok(()),
        }
    }

    /// What is read of these dice, in words: `the sum of the highest 3 of 4d6`. A single die of several is its own sum.
    pub(crate) fn words(&self, dice: &str, is_one_of_several: bool) -> String {
        match self {
            Self::Sum if is_one_of_several => dice.to_owned(),
            Self::Sum => format!("the sum of {dice}"),
            Self::SumOf(values) if values.iter().all(|(_, value)| (0..=1).contains(value)) => {
                counted(values, dice)
            }
            Self::SumOf(_) => format!("the sum of values of {dice}"),
            Self::Matches(1) => format!("the largest set in {dice}"),
            Self::Matches(k) => format!("the size of set {k} in {dice}"),
            Self::Steps(steps) => format!("{} of {dice}", steps.words),
        }
    }
}

/// A count in words.
fn counted(values: &[(i64, i64)], dice: &str) -> String {
    let counted = values.iter().filter(|(_, value)| *value == 1);
    let counted: Vec<i64> = counted.map(|(face, _)| *face).collect();
    match counted.as_slice() {
        [] => format!("a count of nothing in {dice}"),
        [only] => format!("how many of {dice} show {only}"),
        [first, .., last] => format!(
            "how many of {dice} show one of {} faces from {first} to {last}",
            counted.len()
        ),
    }
}

/// Puts `value` in its place in a descending row; the lowest falls off the end.
fn insert_descending(row: &mut [i64], value: i64) {
    let place = row.partition_point(|other| *other >= value);
    if place < row.len() {
        row[place..].rotate_right(1);
        row[place] = value;
    }
}
