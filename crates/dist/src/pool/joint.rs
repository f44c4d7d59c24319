//! Readings of a roll as evaluators: sums, sets, and several readings of the same roll.

use super::codes::Codes;
use super::dice::Pool;
use super::fold::Evaluator;
use super::kept::{Feature, Kept};
use super::reading::{Reading, Values};
use crate::number::bits;
use crate::power::multisets;
use crate::{Budget, Error, Plan, Weighted, words};

/// A feature as a fold reads it.
struct Part<'a> {
    reading: &'a Reading,
    kept: Kept,
    /// Whether the lowest dice of the roll are kept.
    to_end: bool,
    /// The lowest face that adds anything; `None` if no face does.
    lowest: Option<i64>,
    /// Cells of the state.
    cells: usize,
    /// The cap: the most that the reading comes to.
    cap: i64,
    /// What faces count for in a sum that never falls and has a cap: then it is settled there.
    grows: Option<Values<'a>>,
}

impl<'a> Part<'a> {
    fn new(feature: &'a Feature, size: u32, faces: &[i64]) -> Self {
        let Feature { kept, reading, cap } = feature;
        let kept = kept.within(size);
        let cells = reading.cells(faces.len(), kept.len() as usize);
        let lowest = faces.iter().copied().find(|face| reading.adds(*face));
        let never_falls = |values: &Values<'_>| faces.iter().all(|face| values.of(*face) >= 0);
        Self {
            reading,
            kept,
            to_end: kept.end == size,
            lowest: lowest.filter(|_| cells > 0 && !kept.is_empty()),
            cells,
            cap: cap.unwrap_or(i64::MAX),
            grows: cap.and_then(|_| reading.values().filter(never_falls)),
        }
    }

    /// Takes in the kept dice on a face; at the cap a sum is not told apart.
    #[inline]
    fn step(&self, own: &mut [i64], face: i64, taken: i64) {
        self.reading.step(own, face, taken);
        if self.grows.is_some() {
            own[0] = own[0].min(self.cap);
        }
    }

    /// With how many dice on `face` the cap is reached; `None` if it may fall again or the face
    /// adds nothing.
    fn reaches_cap(&self, placed: u32, sum: i64, face: i64) -> Option<u32> {
        let value = self.grows?.of(face);
        if value == 0 && sum < self.cap {
            return None;
        }
        if sum >= self.cap {
            return Some(0);
        }
        let dice = (self.cap - sum - 1) / value + 1;
        // Dice before the kept ones add nothing.
        let skipped = self.kept.start.saturating_sub(placed);
        u32::try_from(dice).ok()?.checked_add(skipped)
    }

    /// With how many dice on `face` it is settled.
    fn enough(&self, placed: u32, own: &[i64], face: i64) -> Option<u32> {
        if self.lowest.is_none_or(|lowest| lowest > face) {
            return Some(0);
        }
        let capped = own
            .first()
            .and_then(|sum| self.reaches_cap(placed, *sum, face));
        if self.to_end {
            return capped;
        }
        let open = self.kept.end.saturating_sub(placed);
        let ended = if self.reading.is_settled(own, open) {
            0
        } else {
            open
        };
        Some(capped.map_or(ended, |capped| capped.min(ended)))
    }

    /// The number of dice placed from which on it makes no difference how many they are, for faces
    /// below `face`.
    fn border(&self, face: i64) -> u32 {
        match self.lowest {
            Some(lowest) if lowest < face && self.to_end => self.kept.start,
            Some(lowest) if lowest < face => self.kept.end,
            _ => 0,
        }
    }
}

/// Several readings of the same roll, with cells in an array `C`.
struct JointReader<'a, C> {
    parts: Vec<Part<'a>>,
    /// The cells before any die.
    start: C,
}

impl<C> JointReader<'_, C> {
    /// The parts with their cells.
    fn zip<'s>(&'s self, mut cells: &'s [i64]) -> impl Iterator<Item = (&'s Part<'s>, &'s [i64])> {
        self.parts.iter().map(move |part| {
            let (own, others) = cells.split_at(part.cells);
            cells = others;
            (part, own)
        })
    }
}

impl<C: AsRef<[i64]> + AsMut<[i64]> + Ord + Clone> Evaluator for JointReader<'_, C> {
    /// Dice placed, and the cells of all features.
    type State = (u32, C);
    type Outcome = Vec<i64>;

    fn start(&self, _size: u32) -> (u32, C) {
        (0, self.start.clone())
    }

    fn step(&self, (placed, cells): &(u32, C), face: i64, count: u32) -> (u32, C) {
        let mut next = cells.clone();
        let mut rest = next.as_mut();
        let mut border = 0;
        for part in &self.parts {
            let (own, others) = rest.split_at_mut(part.cells);
            rest = others;
            let taken = i64::from(part.kept.overlap(*placed, count));
            if taken > 0 {
                part.step(own, face, taken);
            }
            border = border.max(part.border(face));
        }
        ((placed + count).min(border), next)
    }

    fn enough(&self, (placed, cells): &(u32, C), face: i64) -> Option<u32> {
        self.zip(cells.as_ref())
            .try_fold(0, |most: u32, (part, own)| {
                Some(most.max(part.enough(*placed, own, face)?))
            })
    }

    fn finish(&self, (_, cells): (u32, C)) -> Vec<i64> {
        let read = |(part, own): (&Part<'_>, &[i64])| part.reading.result(own).min(part.cap);
        self.zip(cells.as_ref()).map(read).collect()
    }
}

/// The joint result of readings that were checked.
pub(super) fn read(
    pool: &Pool,
    features: &[Feature],
    budget: &Budget,
) -> Result<Weighted<Vec<i64>>, Error> {
    let faces = pool.faces();
    match merged(pool, &faces, features) {
        Some(merged) => read_told_apart(&merged, &merged.faces(), features, budget),
        None => read_told_apart(pool, &faces, features, budget),
    }
}

/// Reads the features of a pool whose faces are all told apart.
fn read_told_apart(
    pool: &Pool,
    faces: &[i64],
    features: &[Feature],
    budget: &Budget,
) -> Result<Weighted<Vec<i64>>, Error> {
    let part = |feature| Part::new(feature, pool.size(), faces);
    let parts: Vec<Part<'_>> = features.iter().map(part).collect();
    let cells = parts.iter().map(|part| part.cells).sum();
    // Few cells stand in the states themselves.
    match cells {
        0..=1 => fold(pool, parts, [0; 1], budget),
        2 => fold(pool, parts, [0; 2], budget),
        3..=4 => fold(pool, parts, [0; 4], budget),
        _ => fold(pool, parts, vec![0; cells], budget),
    }
}

/// Reads the parts with cells that hold 0, at least as many as the parts have.
fn fold<C: AsRef<[i64]> + AsMut<[i64]> + Ord + Clone>(
    pool: &Pool,
    parts: Vec<Part<'_>>,
    mut start: C,
    budget: &Budget,
) -> Result<Weighted<Vec<i64>>, Error> {
    let mut rest = start.as_mut();
    for part in &parts {
        let (own, others) = rest.split_at_mut(part.cells);
        part.reading.start(own);
        rest = others;
    }
    pool.fold(&JointReader { parts, start }, budget)
}

/// The pool with one face for all that no reading tells apart; `None` if there is no such face.
///
/// They are neighbours, unless every reading is of all dice: then the order of faces is all the
/// same. Pools of several kinds of dice are left as they are, because dice that are one another cut
/// short might be so no longer.
fn merged(pool: &Pool, faces: &[i64], features: &[Feature]) -> Option<Pool> {
    let is_mixed = pool.groups().is_some_and(|groups| groups.len() > 1);
    if is_mixed {
        return None;
    }
    let sums = features.iter().map(|feature| feature.reading.values());
    let sums: Vec<Values<'_>> = sums.collect::<Option<_>>()?;
    let values = |face: i64| sums.iter().map(move |values| values.of(face));
    let mut order = faces.to_vec();
    let all = pool.kept_all();
    if features
        .iter()
        .all(|feature| feature.kept.within(pool.size()) == all)
    {
        order.sort_by(|a, b| values(*a).cmp(values(*b)));
    }
    let alike = order.chunk_by(|a, b| values(*a).eq(values(*b)));
    let mut first: Vec<(i64, i64)> = Vec::with_capacity(faces.len());
    let mut kinds = 0;
    for alike in alike {
        kinds += 1;
        first.extend(alike.iter().map(|face| (*face, alike[0])));
    }
    if kinds == faces.len() {
        return None;
    }
    first.sort_unstable();
    Some(pool.with_faces(|face| {
        let place = first.binary_search_by_key(&face, |(from, _)| *from);
        first[place.expect("every face of the pool is among them")].1
    }))
}

/// The whole roll, sorted from the highest.
struct Roll;

impl Evaluator for Roll {
    type State = Vec<i64>;
    type Outcome = Vec<i64>;

    fn start(&self, size: u32) -> Vec<i64> {
        Vec::with_capacity(size as usize)
    }

    fn step(&self, roll: &Vec<i64>, face: i64, count: u32) -> Vec<i64> {
        let mut roll = roll.clone();
        roll.resize(roll.len() + count as usize, face);
        roll
    }

    fn finish(&self, roll: Vec<i64>) -> Vec<i64> {
        roll
    }
}

impl Pool {
    /// Several readings of the *same* roll: one value for each of `features`, in their order.
    ///
    /// ```
    /// use oddsmith_dist::{Budget, Dist, Feature, Kept, Pool, UBig};
    /// let pool = Pool::new([(Dist::die(6)?, 2)]);
    /// let [high, low] = [Kept::all(2).keep_highest(1), Kept::all(2).keep_lowest(1)];
    /// let both = pool.read_jointly(
    ///     &[Feature::sum(high), Feature::sum(low)],
    ///     &Budget::unlimited(),
    /// )?;
    /// assert_eq!(both.weight(&vec![6, 1]), UBig::from(2_u8));
    /// assert_eq!(both.weight(&vec![1, 6]), UBig::ZERO);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    ///
    /// # Cost
    /// Where all are sums over all dice, that of one sum of dice whose faces are numbers with a digit for each of them;
    /// otherwise that of [`fold`](Self::fold): the states are the different partial readings.
    pub fn read_jointly(
        &self,
        features: &[Feature],
        budget: &Budget,
    ) -> Result<Weighted<Vec<i64>>, Error> {
        for feature in features {
            self.check(feature)?;
        }
        let plan = |algorithm, reason: &str| Plan {
            question: format!("{} readings of {}", features.len(), words::pool(self)),
            algorithm,
            reason: reason.to_owned(),
            bits: bits(&self.total()),
        };
        match Codes::of(self, features) {
            Some(codes) => {
                let reason =
                    "all of them are sums over all dice: a face is a number with a digit for each";
                budget.noted(|| plan("sum of dice", reason), |budget| codes.read(budget))
            }
            None => {
                let reason = "one roll is read several times";
                budget.noted(
                    || plan("fold over faces", reason),
                    |budget| read(self, features, budget),
                )
            }
        }
    }

    /// Every roll, sorted from the highest die, with its weight.
    ///
    /// # Errors
    /// [`Error::OverBudget`]: there are `C(n + s - 1, n)` rolls of `n` dice with `s` faces.
    pub fn multisets(&self, budget: &Budget) -> Result<Weighted<Vec<i64>>, Error> {
        let (size, faces) = (u128::from(self.size()), self.faces().len());
        let rolls = multisets(self.size(), faces);
        budget.charge(rolls.saturating_mul(size + 16))?;
        budget.charge_memory(rolls.saturating_mul(8 * size + 64))?;
        self.fold(&Roll, budget)
    }
}
