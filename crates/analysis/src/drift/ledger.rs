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
    /// The question as it was asked.
    pub name: String,
    /// Whether its answers are probabilities; others have units of their own.
    pub is_probability: bool,
    /// The greatest difference that is no drift.
    pub tolerance: RBig,
}

/// One answer that is no longer what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The configuration in which it moved.
    pub configuration: String,
    /// The [`Measure`] that it answers, by its place.
    pub measure: usize,
    /// The answer as it was accepted; none if there was none.
    pub before: Option<Value>,
    /// The answer as it is computed; none if there is none.
    pub after: Option<Value>,
}

impl Moved {
    /// `after - before`; none if there was no answer or is none now.
    #[must_use]
    pub fn difference(&self) -> Option<Value> {
        difference(self.before.as_ref(), self.after.as_ref())
    }

    /// The rank of a difference: the larger one comes first, and before all others one that can't be measured.
    fn rank(&self) -> Reverse<(bool, Option<Value>)> {
        let size = self.difference().map(|difference| difference.size());
        Reverse((size.is_none(), size))
    }
}

/// The drift of one measure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of configurations in which it moved beyond its tolerance.
    pub configurations: u64,
    /// The largest difference among these, of equals the first. None if none could be measured.
    pub largest: Option<Largest>,
    /// The size of the largest difference that is not beyond the tolerance; none if there is none.
    pub within: Option<RBig>,
    /// How many of the differences are finite.
    finite: u64,
    /// The sum of their sizes, in units of `2^-64`.
    sum: UBig,
}

/// A difference, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Largest {
    /// The configuration that it is in.
    pub configuration: String,
    /// With its sign; infinite if the answer was or is.
    pub difference: Value,
}

impl Summary {
    /// The mean of the sizes of the differences beyond the tolerance, each rounded down to `2^-64`: infinite if one of
    /// them is. None if none could be measured.
    #[must_use]
    pub fn mean(&self) -> Option<Value> {
        let largest = &self.largest.as_ref()?.difference;
        if !matches!(largest, Value::Finite(_)) {
            return Some(Value::Infinite);
        }
        let count = UBig::from(self.finite) << MEAN_BITS;
        let mean = RBig::from_parts(self.sum.clone().into(), count);
        Some(Value::Finite(mean))
    }

    fn add(&mut self, difference: Option<Value>, configuration: impl FnOnce() -> String) {
        self.configurations += 1;
        let Some(difference) = difference else { return };
        let size = difference.size();
        if let Value::Finite(size) = &size {
            self.finite += 1;
            let (weight, total) = size.clone().into_parts();
            self.sum += (weight.into_parts().1 << MEAN_BITS) / total;
        }
        let largest = self.largest.as_ref();
        if largest.is_none_or(|largest| size > largest.difference.size()) {
            self.largest = Some(Largest {
                configuration: configuration(),
                difference,
            });
        }
    }

    fn add_within(&mut self, size: RBig) {
        self.within = self.within.take().max(Some(size));
    }
}

/// `after - before`; none if there is none of the two, or both are the same infinity.
fn difference(before: Option<&Value>, after: Option<&Value>) -> Option<Value> {
    after?.minus(before?)
}

/// The differences between a table as it was accepted and as it is computed.
///
/// ```
/// use oddsmith_analysis::{drift::{Drift, Measure}, expect::Value};
/// use oddsmith_exact::{Budget, RBig};
/// let sixth = |n: i32| Some(Value::Finite(RBig::from_parts(n.into(), 6_u8.into())));
/// let hit = Measure { name: "Hit".into(), is_probability: true, tolerance: RBig::ZERO };
/// let (mut drift, budget) = (Drift::new(vec![hit], Some(10)), Budget::unlimited());
/// drift.compare(|| "stat=0".into(), &[sixth(1)], &[sixth(1)], &budget)?;
/// drift.compare(|| "stat=1".into(), &[sixth(2)], &[sixth(3)], &budget)?;
/// let drift = drift.finish();
/// assert_eq!((drift.configurations(), drift.moved_configurations()), (2, 1));
/// assert_eq!(drift.moved()[0].configuration, "stat=1");
/// let largest = drift.summaries()[0].largest.as_ref();
/// assert_eq!(largest.map(|largest| largest.difference.clone()), sixth(1));
/// # Ok::<(), oddsmith_exact::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Drift {
    measures: Vec<Measure>,
    /// How many differences of each kind are remembered; none is all.
    most: Option<usize>,
    /// The largest differences of probabilities, and those of other numbers.
    kept: [Vec<Moved>; 2],
    /// All of them, once they are sorted.
    moved: Vec<Moved>,
    moved_answers: u64,
    summaries: Vec<Summary>,
    configurations: u64,
    moved_configurations: u64,
    within_tolerance: u64,
    new: Unmatched,
    gone: Unmatched,
    elsewhere: Unmatched,
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
    /// A drift without differences. The largest `most` differences of probabilities are remembered, and as many of
    /// other numbers; or all of them.
    #[must_use]
    pub fn new(measures: Vec<Measure>, most: Option<usize>) -> Self {
        Self {
            summaries: vec![Summary::default(); measures.len()],
            measures,
            most,
            kept: [Vec::new(), Vec::new()],
            moved: Vec::new(),
            moved_answers: 0,
            configurations: 0,
            moved_configurations: 0,
            within_tolerance: 0,
            new: Unmatched::default(),
            gone: Unmatched::default(),
            elsewhere: Unmatched::default(),
        }
    }

    /// A configuration in which no answer moved, though its odds are not what they were: what is shown falls together in
    /// another way, or is spread otherwise about the same mean.
    pub fn elsewhere(&mut self, configuration: impl FnOnce() -> String) {
        self.elsewhere.add(configuration);
    }

    /// The number of configurations in which odds moved although no answer did, and the first of them.
    #[must_use]
    pub fn moved_elsewhere(&self) -> Option<(u64, &str)> {
        self.elsewhere.get()
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
            let summary = &mut self.summaries[measure];
            if let Some(Value::Finite(size)) = difference.as_ref().map(Value::size)
                && size <= self.measures[measure].tolerance
            {
                summary.add_within(size);
                continue;
            }
            moves = true;
            summary.add(difference, &configuration);
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
        let kept = &mut self.kept[usize::from(!self.measures[moved.measure].is_probability)];
        match self.most {
            None => memory::charge(budget, 1, 2, || "a list of all differences".to_owned())?,
            Some(most) if kept.len() > most.saturating_mul(2) => trim(kept, self.most),
            Some(_) => {}
        }
        kept.push(moved);
        Ok(())
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
        for kept in &mut self.kept {
            trim(kept, self.most);
            self.moved.append(kept);
        }
        self
    }

    /// Whether something moved beyond its tolerance, or a configuration is new or gone.
    #[must_use]
    pub fn is_any(&self) -> bool {
        let unmatched = [&self.new, &self.gone, &self.elsewhere];
        self.moved_answers > 0 || unmatched.iter().any(|one| one.count > 0)
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

    /// The drift of each column.
    #[must_use]
    pub fn summaries(&self) -> &[Summary] {
        &self.summaries
    }

    /// The largest differences after [`Drift::finish`]: of probabilities, then of other numbers. Of each kind the
    /// largest comes first; before it where an answer is new or gone.
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

    /// Configurations of which an answer moved beyond its tolerance.
    #[must_use]
    pub fn moved_configurations(&self) -> u64 {
        self.moved_configurations
    }

    /// Configurations of which answers moved, but none beyond its tolerance.
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

/// Largest first; of equals in the order in which they were found.
fn trim(kept: &mut Vec<Moved>, most: Option<usize>) {
    kept.sort_by_cached_key(Moved::rank);
    kept.truncate(most.unwrap_or(usize::MAX));
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
            is_probability: true,
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
        let sizes = |drift: &Drift| -> Vec<Value> {
            let size = |moved: &super::Moved| moved.difference().expect("a number").size();
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
        let largest = summary.largest.clone().expect("it moved");
        assert_eq!(
            (Some(largest.difference), &*largest.configuration),
            (most, "1")
        );
        let hundredths = |n: u8| RBig::from_parts(n.into(), 100_u8.into());
        assert_eq!(summary.within, Some(hundredths(3)));
        // 4/100 in units of 2^-64, rounded down.
        let units: u128 = (4 << 64) / 100;
        let mean = RBig::from_parts(units.into(), (1_u128 << 64).into());
        assert_eq!(summary.mean(), Some(Value::Finite(mean)));
    }

    #[test]
    fn infinity_is_the_largest_of_the_numbers() {
        let measure = |name: &str, is_probability, tolerance: u32| Measure {
            name: name.to_owned(),
            is_probability,
            tolerance: RBig::from(tolerance),
        };
        let measures = vec![measure("mean(rolls)", false, 1000), measure("Hit", true, 0)];
        let mut drift = Drift::new(measures, Some(3));
        let budget = Budget::unlimited();
        let infinite = Some(Value::Infinite);
        for (name, before, after) in [
            ("a", number(0), number(900_000)),
            ("b", number(0), infinite.clone()),
            ("c", infinite.clone(), infinite.clone()),
            ("d", number(0), number(100)),
            ("e", infinite, None),
        ] {
            let (before, after) = ([before, number(1)], [after, number(2)]);
            let compared = drift.compare(|| name.to_owned(), &before, &after, &budget);
            compared.expect("the budget has no limit");
        }
        let drift = drift.finish();
        let moved = drift.moved().iter();
        let moved: Vec<(usize, &str)> = moved.map(|m| (m.measure, &*m.configuration)).collect();
        let expected = [(1, "a"), (1, "b"), (1, "c"), (0, "e"), (0, "b"), (0, "a")];
        assert_eq!(moved, expected);
        let summary = &drift.summaries()[0];
        assert_eq!(summary.configurations, 3);
        let largest = summary
            .largest
            .as_ref()
            .map(|l| (&*l.configuration, &l.difference));
        assert_eq!(largest, Some(("b", &Value::Infinite)));
        assert_eq!(summary.mean(), Some(Value::Infinite));
    }
}
