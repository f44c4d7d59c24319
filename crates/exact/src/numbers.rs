//! The numbers that an expression without dice makes of many states: one is worked out for all states that agree on what
//! the expression reads.

use oddsmith_rules::evaluate::PlainValue as _;
use oddsmith_rules::program::{Expr, Kind, VarId};

use crate::Error;
use crate::columns;
use crate::evaluate::{Env, FAILED, Roll};
use crate::residual::collect_vars;
use crate::states::States;

/// Fewer states are not worth looking for what they have in common.
const MANY: usize = 32;

/// Numbers are shared where the values that are read have, for each state, no more combinations than these.
const COMBINATIONS: usize = 4;

/// No later number reads the only one.
const UNREAD: VarId = VarId(usize::MAX);

impl Env<'_> {
    /// The number that an expression makes of each state over `before`; none if it turns out to make several of one.
    pub(crate) fn numbers(
        &mut self,
        value: &Expr,
        before: &[VarId],
        states: &States,
    ) -> Result<Option<Vec<i64>>, Error> {
        self.account.charge_states(states.len(), &states.total)?;
        let found = match self.combinations(value, before, states) {
            Some(combinations) => self.shared_numbers(value, before, states, &combinations),
            None => self.numbers_one_by_one(value, before, states),
        };
        self.unbind_all(before);
        found
    }

    fn numbers_one_by_one(
        &mut self,
        value: &Expr,
        before: &[VarId],
        states: &States,
    ) -> Result<Option<Vec<i64>>, Error> {
        let number = std::iter::once((UNREAD, value));
        let column = columns::of_keys(self, before, &states.keys(), number);
        let column = column.and_then(|mut columns| columns.pop());
        let mut numbers = Vec::with_capacity(states.len());
        for (row, key) in states.keys().enumerate() {
            let found = column.as_ref().map(|column| columns::at(column, row));
            if let Some(number) = found.filter(|number| *number != FAILED) {
                numbers.push(number);
                continue;
            }
            self.bind_all(before, key);
            let Some(number) = self.number_if_one(value)? else {
                return Ok(None);
            };
            numbers.push(number);
        }
        Ok(Some(numbers))
    }

    fn shared_numbers(
        &mut self,
        value: &Expr,
        before: &[VarId],
        states: &States,
        combinations: &Combinations,
    ) -> Result<Option<Vec<i64>>, Error> {
        let mut numbers = Vec::with_capacity(states.len());
        let mut known = vec![None; combinations.count];
        for key in states.keys() {
            let place = combinations.place(key);
            let number = match known[place] {
                Some(number) => number,
                None => {
                    for column in &combinations.columns {
                        self.bind(before[column.at], key[column.at]);
                    }
                    let Some(number) = self.number_if_one(value)? else {
                        return Ok(None);
                    };
                    known[place] = Some(number);
                    number
                }
            };
            numbers.push(number);
        }
        Ok(Some(numbers))
    }

    /// The number of an expression, all that it reads being bound; none if it is rolled.
    fn number_if_one(&mut self, value: &Expr) -> Result<Option<i64>, Error> {
        if let Some(number) = self.plain(value) {
            return Ok(Some(number));
        }
        Ok(match self.roll(value)? {
            Roll::Known(number) => Some(number),
            Roll::Rolled(_) => None,
        })
    }

    /// The combinations of what an expression reads in the states, if there are several states for each.
    fn combinations(
        &self,
        value: &Expr,
        before: &[VarId],
        states: &States,
    ) -> Option<Combinations> {
        if states.len() < MANY || value.any(&mut may_charge) {
            return None;
        }
        let mut read = Vec::new();
        collect_vars(value, self.scope.fixed, &mut read);
        let places = (0..before.len()).filter(|&at| read.contains(&before[at]));
        let places: Vec<usize> = places.collect();
        if places.len() == before.len() {
            return None;
        }
        Combinations::new(&places, states)
    }
}

/// Whether working out a part takes steps that are charged, which is done for each state.
fn may_charge(part: &Expr) -> bool {
    matches!(
        part.kind,
        Kind::Block { .. } | Kind::Wins(..) | Kind::Gather(_) | Kind::Each { .. }
    )
}

/// A place for each combination of values between the lowest and the highest of some variables.
struct Combinations {
    columns: Vec<Column>,
    count: usize,
}

/// One of the variables.
struct Column {
    /// Its place in a state.
    at: usize,
    lowest: i64,
    /// From one of its values to the next.
    stride: usize,
}

impl Combinations {
    /// Of the variables at these places; none if there are too many to be worth it.
    fn new(places: &[usize], states: &States) -> Option<Self> {
        let most = COMBINATIONS * states.len();
        let mut combinations = Self {
            columns: Vec::with_capacity(places.len()),
            count: 1,
        };
        for &at in places {
            let values = states.keys().map(|key| key[at]);
            let ends = values.fold((i64::MAX, i64::MIN), |(low, high), value| {
                (low.min(value), high.max(value))
            });
            let (lowest, highest) = ends;
            combinations.columns.push(Column {
                at,
                lowest,
                stride: combinations.count,
            });
            let values = usize::try_from(highest.abs_diff(lowest)).ok()?;
            combinations.count = values.checked_add(1)?.checked_mul(combinations.count)?;
            if combinations.count > most {
                return None;
            }
        }
        Some(combinations)
    }

    fn place(&self, key: &[i64]) -> usize {
        let columns = self.columns.iter();
        let places = columns.map(|column| {
            let value = usize::try_from(key[column.at].abs_diff(column.lowest));
            column.stride * value.expect("it is one of those that were counted")
        });
        places.sum()
    }
}
