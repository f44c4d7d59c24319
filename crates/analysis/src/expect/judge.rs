//! Whether a claim holds where it is made.

use oddsmith_dist::{RBig, UBig};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{
    Bounds, Check, Claim, Direction, Expectation, InputRange, Number, Printed, PrintedTable,
    in_turn,
};

use crate::expect::finding::{Broken, Error, Failure, Findings, Stand};
use crate::expect::tally::Tally;
use crate::number::Value;

/// Configurations that a claim sets beside one another: they differ in what it compares along, or in its options.
#[derive(Debug)]
pub(crate) struct Group {
    /// The values of the swept inputs.
    pub(crate) swept: Vec<i64>,
    /// The configurations in their order; only those that the rules allow.
    pub(crate) points: Vec<Point>,
}

/// One configuration.
#[derive(Debug)]
pub(crate) struct Point {
    /// The configuration's place among all that are compared, or its option.
    pub(crate) place: usize,
    /// A value for each query, or the one of their sum; none where there is no number.
    pub(crate) values: Vec<Option<Value>>,
}

/// An expectation that is being judged.
pub(crate) struct Judge<'a> {
    check: &'a Check,
    expectation: &'a Expectation,
    tally: Tally,
    /// The queries whose values are given, or the sum.
    subjects: Vec<String>,
    /// For each subject whether it has happened in some configuration.
    reached: Vec<bool>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(check: &'a Check, expectation: &'a Expectation) -> Self {
        let texts = expectation.queries.iter().map(|query| query.text.clone());
        let mut subjects: Vec<String> = texts.collect();
        if expectation.is_sum {
            subjects = vec![subjects.join(" + ")];
        }
        Self {
            check,
            expectation,
            tally: Tally::default(),
            reached: vec![false; subjects.len()],
            subjects,
        }
    }

    /// Takes what was found in a group of configurations.
    pub(crate) fn take(&mut self, group: &Group) {
        self.tally.configurations += group.points.len() as u64;
        for at in 0..self.subjects.len() {
            for point in &group.points {
                if point.values[at].is_none() && !self.may_lack_answers() {
                    self.tally.stated += 1;
                    let failure = self.failure_at(group, point.place, at, Broken::NoAnswer);
                    self.tally.fail(Value::Infinite, || failure);
                }
            }
            self.take_subject(group, at);
        }
    }

    /// Whether it asks for one configuration only.
    fn may_lack_answers(&self) -> bool {
        matches!(self.expectation.claim, Claim::Reachable { somewhere: true })
    }

    /// Takes the values of one query, or those of the sum.
    fn take_subject(&mut self, group: &Group, at: usize) {
        let values = group.points.iter();
        let values = values.filter_map(|point| Some((point.place, point.values[at].as_ref()?)));
        match &self.expectation.claim {
            Claim::Within(bounds) => {
                for (place, value) in values {
                    self.state(group, at, place, outside(bounds, value), || {
                        Broken::Value(value.clone())
                    });
                }
            }
            Claim::Reachable { somewhere: false } => {
                for (place, value) in values {
                    let off = (*value <= Value::ZERO).then_some(Value::ZERO);
                    self.state(group, at, place, off, || Broken::Never);
                }
            }
            Claim::Reachable { somewhere: true } => {
                self.tally.stated += 1;
                self.reached[at] |= { values }.any(|(_, value)| *value > Value::ZERO);
            }
            Claim::Unreachable => {
                for (place, value) in values {
                    let off = (*value > Value::ZERO).then(|| value.clone());
                    self.state(group, at, place, off, || Broken::Value(value.clone()));
                }
            }
            Claim::Printed(table) => {
                for (place, value) in values {
                    if let Some(printed) = &table.cells[cell(table, place, at)] {
                        let off = misprint(printed, value);
                        self.state(group, at, place, off, || Broken::Printed {
                            printed: printed.clone(),
                            value: value.clone(),
                        });
                    }
                }
            }
            Claim::Monotone { .. } | Claim::Step { .. } | Claim::Ordered { .. } => {
                let values: Vec<(usize, &Value)> = values.collect();
                for pair in values.windows(2) {
                    self.take_change(group, at, pair[0], pair[1]);
                }
            }
        }
    }

    /// Takes a value and the next one.
    fn take_change(
        &mut self,
        group: &Group,
        at: usize,
        from: (usize, &Value),
        to: (usize, &Value),
    ) {
        let off = match &self.expectation.claim {
            Claim::Step { change, .. } => match to.1.minus(from.1) {
                Some(found) => outside(change, &found),
                None => Some(Value::Infinite),
            },
            Claim::Monotone {
                direction: Direction::Down,
                strictly,
                ..
            } => risen(to.1, from.1, *strictly),
            Claim::Monotone { strictly, .. } | Claim::Ordered { strictly, .. } => {
                risen(from.1, to.1, *strictly)
            }
            _ => None,
        };
        self.tally.stated += 1;
        if let Some(off) = off {
            let [from, to] = [from, to].map(|(place, value)| Stand {
                at: in_turn(&self.place_words(place)),
                value: value.clone(),
            });
            let failure = self.failure(&group.swept, None, at, Broken::Change { from, to });
            self.tally.fail(off, || failure);
        }
    }

    /// Counts a statement about one configuration, which is off by so much, or holds.
    fn state(
        &mut self,
        group: &Group,
        at: usize,
        place: usize,
        off: Option<Value>,
        broken: impl FnOnce() -> Broken,
    ) {
        self.tally.stated += 1;
        if let Some(off) = off {
            let failure = self.failure_at(group, place, at, broken());
            self.tally.fail(off, || failure);
        }
    }

    /// The findings; an error if there was nothing to look at.
    pub(crate) fn findings(mut self) -> Result<Findings, Error> {
        if self.tally.stated == 0 {
            return Err(Error::NothingToCompare);
        }
        if self.may_lack_answers() {
            for at in 0..self.subjects.len() {
                if !self.reached[at] {
                    let failure = self.failure(&[], None, at, Broken::Never);
                    self.tally.fail(Value::ZERO, || failure);
                }
            }
        }
        Ok(self.tally.findings())
    }

    /// A failure in one configuration of a group.
    fn failure_at(&self, group: &Group, place: usize, at: usize, broken: Broken) -> Failure {
        self.failure(&group.swept, Some(place), at, broken)
    }

    fn failure(&self, swept: &[i64], place: Option<usize>, at: usize, broken: Broken) -> Failure {
        Failure {
            configuration: self.name(swept, place),
            query: self.subjects[at].clone(),
            broken,
        }
    }

    /// `rank=2 boons=1`: the swept inputs, in the order of the check, with all others that differ from their defaults;
    /// behind them what is compared, if it is said.
    fn name(&self, swept: &[i64], place: Option<usize>) -> String {
        let Expectation { sweep, config, .. } = self.expectation;
        let inputs = self.check.inputs.iter().enumerate();
        let words = inputs.filter_map(|(id, input)| {
            let mut ranges = sweep.iter().zip(swept);
            let swept = ranges.find(|(range, _)| range.input.0 == id);
            let value = match swept {
                Some((_, value)) => *value,
                None if config[InputId(id)] != input.default => config[InputId(id)],
                None => return None,
            };
            Some(input.told_with_title(value))
        });
        let place = place.map(|place| self.place_words(place));
        let words: Vec<String> = words.chain(place.into_iter().flatten()).collect();
        match words.as_slice() {
            [] => "the default configuration".to_owned(),
            words => in_turn(words),
        }
    }

    /// `boons=1`, or an option; nothing if one configuration stands by itself.
    fn place_words(&self, mut place: usize) -> Vec<String> {
        if let Claim::Ordered { options, .. } = &self.expectation.claim {
            return vec![options[place].text.clone()];
        }
        let ranges: Vec<&InputRange> = self.expectation.claim.ranges().collect();
        let mut words = Vec::new();
        for range in ranges.into_iter().rev() {
            let input = &self.check.inputs[range.input.0];
            let value = range.values[place % range.values.len()];
            words.push(input.told_with_title(value));
            place /= range.values.len();
        }
        words.reverse();
        words
    }
}

/// The cell of a table that a configuration fills with the value of a query.
fn cell(table: &PrintedTable, place: usize, query: usize) -> usize {
    let columns = table.x.as_ref().map_or(1, |x| x.values.len());
    match table.by {
        Some(_) => place,
        None => query * columns + place,
    }
}

/// The miss of a value that lies outside of bounds: by how much.
fn outside(bounds: &Bounds, value: &Value) -> Option<Value> {
    let end = |end: &Option<Number>| Some(Value::Finite(end.as_ref()?.value.clone()));
    let (low, high) = (end(&bounds.at_least), end(&bounds.at_most));
    if let Some(low) = low.filter(|low| value < low) {
        return low.minus(value);
    }
    high.filter(|high| value > high)
        .and_then(|high| value.minus(&high))
}

/// The miss of a value that fails to be as high as an earlier one, or `strictly` higher.
fn risen(from: &Value, to: &Value, strictly: bool) -> Option<Value> {
    if to > from || to == from && !strictly {
        return None;
    }
    Some(from.minus(to).unwrap_or(Value::ZERO))
}

/// The miss of a value that does not round to what is printed, halves up.
fn misprint(printed: &Printed, value: &Value) -> Option<Value> {
    let off = value.minus(&Value::Finite(printed.number.value.clone()))?;
    let is_right = match (&off, &printed.last_digit) {
        (Value::Finite(off), Some(last_digit)) => {
            let half = RBig::from_parts(1.into(), UBig::from(2_u8) * last_digit);
            -&half <= *off && *off < half
        }
        _ => off == Value::ZERO,
    };
    (!is_right).then(|| off.size())
}
