//! Differences as they are found, in an order that does not matter: totals, and the largest ones.

use std::cmp::Reverse;

use oddsmith_dist::{RBig, UBig};
use oddsmith_exact::{Budget, Error};

use crate::expect::Value;
use crate::memory;

/// How finely the mean of differences is added up: to 2^-64, rounded down.
const MEAN_BITS: usize = 64;

/// A column of a table: one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// As it was asked.
    pub name: String,
    /// The greatest difference that is no drift.
    pub tolerance: RBig,
}

/// One answer that is no longer what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// In which configuration.
    pub configuration: String,
    /// Of which [`Measure`].
    pub measure: usize,
    /// As it was accepted; none if there was no answer.
    pub before: Option<Value>,
    /// As it is computed; none if there is no answer.
    pub after: Option<Value>,
}

impl Moved {
    /// `after - before`; none if one of them is no number.
    #[must_use]
    pub fn difference(&self) -> Option<RBig> {
        difference(self.before.as_ref(), self.after.as_ref())
    }

    /// What comes first is larger: what can't be measured, then by size.
    fn rank(&self) -> Reverse<(bool, Option<RBig>)> {
        let size = self.difference().map(size);
        Reverse((size.is_none(), size))
    }
}

/// What one measure did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// In how many configurations it moved beyond its tolerance.
    pub configurations: u64,
    /// The largest difference among these, with its sign; of equals the first. None if none could be measured.
    pub largest: Option<RBig>,
    /// Those that could be measured.
    measured: u64,
    /// The sum of their sizes, in units of `2^-64`.
    sum: UBig,
}

impl Summary {
    /// The mean of the sizes of the differences beyond the tolerance, each rounded down to `2^-64`; none if none could
    /// be measured.
    #[must_use]
    pub fn mean(&self) -> Option<RBig> {
        let count = UBig::from(self.measured) << MEAN_BITS;
        (self.measured > 0).then(|| RBig::from_parts(self.sum.clone().into(), count))
    }

    fn add(&mut self, difference: Option<&RBig>) {
        self.configurations += 1;
        let Some(difference) = difference else { return };
        let size = size(difference.clone());
        self.measured += 1;
        let (weight, total) = size.clone().into_parts();
        self.sum += (weight.into_parts().1 << MEAN_BITS) / total;
        let largest = self.largest.as_ref();
        if largest.is_none_or(|largest| size > self::size(largest.clone())) {
            self.largest = Some(difference.clone());
        }
    }
}

/// `after - before`; none if one of them is no number.
fn difference(before: Option<&Value>, after: Option<&Value>) -> Option<RBig> {
    match (before, after) {
        (Some(Value::Finite(before)), Some(Value::Finite(after))) => Some(after - before),
        _ => None,
    }
}

/// The magnitude.
fn size(difference: RBig) -> RBig {
    let opposite = -difference.clone();
    difference.max(opposite)
}

/// All that differs between a table as it was accepted and as it is computed.
///
/// ```
/// use oddsmith_analysis::{drift::{Drift, Measure}, expect::Value};
/// use oddsmith_exact::{Budget, RBig};
/// let sixth = |n: i32| Some(Value::Finite(RBig::from_parts(n.into(), 6_u8.into())));
/// let hit = Measure { name: "Hit".into(), tolerance: RBig::ZERO };
/// let (mut drift, budget) = (Drift::new(vec![hit], Some(10)), Budget::unlimited());
/// drift.compare(|| "stat=0".into(), &[sixth(1)], &[sixth(1)], &budget)?;
/// drift.compare(|| "stat=1".into(), &[sixth(2)], &[sixth(3)], &budget)?;
/// assert_eq!((drift.configurations(), drift.moved_configurations()), (2, 1));
/// assert_eq!(drift.moved()[0].configuration, "stat=1");
/// assert_eq!(drift.summaries()[0].largest, Some(RBig::from_parts(1.into(), 6_u8.into())));
/// # Ok::<(), oddsmith_exact::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Drift {
    measures: Vec<Measure>,
    /// How many differences are remembered; none is all.
    most: Option<usize>,
    moved: Vec<Moved>,
    moved_answers: u64,
    summaries: Vec<Summary>,
    configurations: u64,
    moved_configurations: u64,
    within_tolerance: u64,
    new: Unmatched,
    gone: Unmatched,
}

/// Configurations that only one side has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Unmatched {
    count: u64,
    first: Option<String>,
}

impl Unmatched {
    fn add(&mut self, configuration: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(configuration);
    }

    fn get(&self) -> Option<(u64, &str)> {
        Some((self.count, self.first.as_deref()?))
    }
}

impl Drift {
    /// Nothing yet. The largest `most` differences are remembered, or all of them.
    #[must_use]
    pub fn new(measures: Vec<Measure>, most: Option<usize>) -> Self {
        Self {
            summaries: vec![Summary::default(); measures.len()],
            measures,
            most,
            moved: Vec::new(),
            moved_answers: 0,
            configurations: 0,
            moved_configurations: 0,
            within_tolerance: 0,
            new: Unmatched::default(),
            gone: Unmatched::default(),
        }
    }

    /// A configuration whose answers are what they were.
    pub fn same(&mut self) {
        self.configurations += 1;
    }

    /// A configuration with an answer to every measure, as accepted and as computed.
    ///
    /// # Errors
    /// If all differences are to be remembered, and their memory is over budget.
    pub fn compare(
        &mut self,
        configuration: impl Fn() -> String,
        before: &[Option<Value>],
        after: &[Option<Value>],
        budget: &Budget,
    ) -> Result<(), Error> {
        self.configurations += 1;
        let (mut moves, mut differs) = (false, false);
        for (measure, (before, after)) in before.iter().zip(after).enumerate() {
            if before == after {
                continue;
            }
            differs = true;
            let difference = difference(before.as_ref(), after.as_ref());
            let tolerance = &self.measures[measure].tolerance;
            if difference.clone().is_some_and(|d| size(d) <= *tolerance) {
                continue;
            }
            moves = true;
            self.summaries[measure].add(difference.as_ref());
            let moved = Moved {
                configuration: configuration(),
                measure,
                before: before.clone(),
                after: after.clone(),
            };
            self.remember(moved, budget)?;
        }
        self.moved_configurations += u64::from(moves);
        self.within_tolerance += u64::from(differs && !moves);
        Ok(())
    }

    fn remember(&mut self, moved: Moved, budget: &Budget) -> Result<(), Error> {
        self.moved_answers += 1;
        match self.most {
            None => memory::charge(budget, 1, 2, || "a list of all differences".to_owned())?,
            Some(most) if self.moved.len() > most.saturating_mul(2) => self.trim(),
            Some(_) => {}
        }
        self.moved.push(moved);
        Ok(())
    }

    /// Largest first; of equals in the order in which they were found.
    fn trim(&mut self) {
        self.moved.sort_by_cached_key(Moved::rank);
        self.moved.truncate(self.most.unwrap_or(usize::MAX));
    }

    /// A configuration that was not there.
    pub fn new_configuration(&mut self, configuration: impl FnOnce() -> String) {
        self.new.add(configuration);
    }

    /// A configuration that is no longer there.
    pub fn gone_configuration(&mut self, configuration: impl FnOnce() -> String) {
        self.gone.add(configuration);
    }

    /// All is told: sorts what is remembered.
    #[must_use]
    pub fn finish(mut self) -> Self {
        self.trim();
        self
    }

    /// Whether something moved beyond its tolerance, or a configuration is new or gone.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.moved_answers > 0 || self.new.count > 0 || self.gone.count > 0
    }

    /// Whether any answer differs at all, be it within its tolerance, or a configuration is new or gone.
    #[must_use]
    pub fn is_different(&self) -> bool {
        self.is_any() || self.within_tolerance > 0
    }

    /// The columns.
    #[must_use]
    pub fn measures(&self) -> &[Measure] {
        &self.measures
    }

    /// What each column did.
    #[must_use]
    pub fn summaries(&self) -> &[Summary] {
        &self.summaries
    }

    /// The largest differences after [`Drift::finish`], largest first; those that can't be measured, such as a mean
    /// that is now infinite, come before them.
    #[must_use]
    pub fn moved(&self) -> &[Moved] {
        &self.moved
    }

    /// How many answers moved beyond their tolerance.
    #[must_use]
    pub fn moved_answers(&self) -> u64 {
        self.moved_answers
    }

    /// Configurations that were compared.
    #[must_use]
    pub fn configurations(&self) -> u64 {
        self.configurations
    }

    /// Those of them of which an answer moved beyond its tolerance.
    #[must_use]
    pub fn moved_configurations(&self) -> u64 {
        self.moved_configurations
    }

    /// Those of which answers moved, but none beyond its tolerance.
    #[must_use]
    pub fn within_tolerance(&self) -> u64 {
        self.within_tolerance
    }

    /// How many configurations are new, and the first of them.
    #[must_use]
    pub fn new_configurations(&self) -> Option<(u64, &str)> {
        self.new.get()
    }

    /// How many configurations are gone, and the first of them.
    #[must_use]
    pub fn gone_configurations(&self) -> Option<(u64, &str)> {
        self.gone.get()
    }
}

#[cfg(test)]
mod tests {
    use oddsmith_exact::{Budget, RBig};

    use super::{Drift, Measure, Value, difference};

    fn number(n: i32) -> Option<Value> {
        Some(Value::Finite(RBig::from_parts(n.into(), 100_u8.into())))
    }

    fn drift(tolerance: u8, most: Option<usize>, rows: &[(i32, i32)]) -> Drift {
        let measure = Measure {
            name: "Hit".to_owned(),
            tolerance: RBig::from_parts(tolerance.into(), 100_u8.into()),
        };
        let mut drift = Drift::new(vec![measure], most);
        for (at, (before, after)) in rows.iter().enumerate() {
            let (before, after) = ([number(*before)], [number(*after)]);
            let budget = Budget::unlimited();
            let compared = drift.compare(|| at.to_string(), &before, &after, &budget);
            compared.expect("the budget has no limit");
        }
        drift.finish()
    }

    #[test]
    fn the_largest_are_remembered_and_all_are_counted() {
        let rows: Vec<(i32, i32)> = (0..50).map(|at| (50, 50 + (at * 7) % 50 - 25)).collect();
        let (few, all) = (drift(0, Some(3), &rows), drift(0, None, &rows));
        assert_eq!(few.moved()[..], all.moved()[..3]);
        assert_eq!((few.moved_answers(), all.moved().len()), (49, 49));
        let sizes = |drift: &Drift| -> Vec<RBig> {
            let size = |moved: &super::Moved| super::size(moved.difference().expect("a number"));
            drift.moved().iter().map(size).collect()
        };
        assert!(sizes(&all).is_sorted_by(|a, b| a >= b));
        assert_eq!(few.summaries(), all.summaries());
    }

    #[test]
    fn a_difference_of_just_the_tolerance_is_none() {
        let rows = [(10, 13), (10, 14), (10, 6), (10, 10)];
        let drift = drift(3, Some(10), &rows);
        assert_eq!((drift.moved_answers(), drift.within_tolerance()), (2, 1));
        assert!(drift.is_any());
        let summary = &drift.summaries()[0];
        let most = difference(number(10).as_ref(), number(14).as_ref());
        assert_eq!(summary.largest, most);
        // 4/100 in units of 2^-64, rounded down.
        let units: u128 = (4 << 64) / 100;
        let mean = RBig::from_parts(units.into(), (1_u128 << 64).into());
        assert_eq!(summary.mean(), Some(mean));
    }

    #[test]
    fn what_can_not_be_measured_comes_first() {
        let measure = Measure {
            name: "mean(rolls)".to_owned(),
            tolerance: RBig::from(1000),
        };
        let mut drift = Drift::new(vec![measure], Some(2));
        let budget = Budget::unlimited();
        let infinite = Some(Value::Infinite);
        for (name, before, after) in [
            ("a", number(0), number(900_000)),
            ("b", number(0), infinite.clone()),
            ("c", infinite.clone(), infinite),
        ] {
            let compared = drift.compare(|| name.to_owned(), &[before], &[after], &budget);
            compared.expect("the budget has no limit");
        }
        let drift = drift.finish();
        let names: Vec<&str> = drift.moved().iter().map(|m| &*m.configuration).collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!(drift.summaries()[0].configurations, 2);
    }
}
