//! What a value can be, one number or one roll at a time.

use oddsmith_dist::{BitTest, Budget, RBig, UBig};

use crate::account::Account;
use crate::dice::{Dice, Part, Roll, mix};
use crate::fault::Fault;
use crate::numbers::sum;
use crate::syntax::Order;
use crate::value::{Row, Value};

/// The bytes of a case beside its numbers, in the list that it stands in and in the one that is made of it.
const CASE_BYTES: u128 = 250;

/// A case: what a value is then, its weight, and the part of that which no limit cut off.
pub(crate) type Case<T> = (T, UBig, RBig);

/// Cases in their order.
pub(crate) struct Cases<T> {
    pub(crate) list: Vec<Case<T>>,
    account: Account,
}

impl<T> Cases<T> {
    fn none() -> Self {
        Self {
            list: Vec::new(),
            account: Account::nothing(),
        }
    }

    /// The same cases as values.
    pub(crate) fn map<U>(self, value: impl Fn(T) -> U) -> Cases<U> {
        let list = self.list.into_iter();
        let list = list.map(|(case, weight, share)| (value(case), weight, share));
        Cases {
            list: list.collect(),
            account: self.account,
        }
    }
}

/// What a value can be.
pub(crate) enum Rolled<T> {
    /// It is not rolled.
    One(T),
    Several(Cases<T>),
}

/// The mixture of what each case comes to; nothing if there is no case.
pub(crate) fn mixed<T>(
    cases: Cases<T>,
    budget: &Budget,
    mut of: impl FnMut(T) -> Result<Dice, Fault>,
) -> Result<Option<Dice>, Fault> {
    let part = |(case, weight, share)| {
        let dice = of(case)?;
        Ok(Part {
            weight,
            share,
            dice,
        })
    };
    let parts: Result<Vec<Part>, Fault> = cases.list.into_iter().map(part).collect();
    let parts = parts?;
    (!parts.is_empty()).then(|| mix(&parts, budget)).transpose()
}

/// The bytes of so many cases with numbers of such a length each.
fn case_account(
    count: usize,
    numbers: u128,
    roll: &Roll,
    budget: &Budget,
) -> Result<Account, Fault> {
    let weight = roll.die.total().bit_len() as u128 * u128::from(roll.count) / 8;
    let each = CASE_BYTES + numbers * 8 + 2 * weight;
    Account::of((count as u128).saturating_mul(each), budget)
}

/// The numbers that a value can be: those of the sum of dice, from the lowest. The sum of a sequence is a case as well, so
/// that what follows is a die.
pub(crate) fn numbers(value: &Value, budget: &Budget) -> Result<Rolled<i64>, Fault> {
    let dice = match value {
        Value::Number(number) | Value::Cut(number) => return Ok(Rolled::One(*number)),
        Value::Sequence(row) => {
            budget.charge(row.len() as u128)?;
            let sum = sum(row.iter().copied())?;
            let list = vec![(sum, UBig::ONE, RBig::ONE)];
            return Ok(Rolled::Several(Cases {
                list,
                ..Cases::none()
            }));
        }
        Value::Dice(dice) => dice.sum(budget)?,
    };
    let Some(roll) = &dice.roll else {
        return Ok(Rolled::Several(Cases::none()));
    };
    budget.charge(roll.die.steps_to_map() * 4)?;
    let account = case_account(roll.die.len(), 0, roll, budget)?;
    let cases = roll.die.iter().map(|(number, weight)| {
        let share = share(
            &dice,
            |clean| clean.die.pmf(number),
            || roll.die.pmf(number),
        );
        (number, weight, share)
    });
    let list = cases.collect();
    Ok(Rolled::Several(Cases { list, account }))
}

/// The sequences that a value can be: sorted rolls of dice, those of several dice from the highest or from the lowest on, those
/// of a single die from its lowest face.
pub(crate) fn rows(value: &Value, order: Order, budget: &Budget) -> Result<Rolled<Row>, Fault> {
    let dice = match value {
        Value::Number(number) | Value::Cut(number) => return Ok(Rolled::One(Row::one(*number))),
        Value::Sequence(row) => return Ok(Rolled::One(row.clone())),
        Value::Dice(dice) => dice,
    };
    let Some(roll) = &dice.roll else {
        return Ok(Rolled::Several(Cases::none()));
    };
    let all = roll.pool().multisets(budget)?;
    let account = case_account(all.len(), 3 * u128::from(roll.count), roll, budget)?;
    let clean = match dice.clean.as_ref().and_then(|clean| clean.roll.as_ref()) {
        Some(roll) => Some(roll.pool().multisets(budget)?),
        None => None,
    };
    let _clean = match &clean {
        Some(clean) => case_account(clean.len(), u128::from(roll.count), roll, budget)?,
        None => Account::nothing(),
    };
    let chance = |weight: UBig, total: &UBig| RBig::from_parts(weight.into(), total.clone());
    let total = all.total().clone();
    let cases = all.into_iter().map(|(mut row, weight)| {
        let share = share(
            dice,
            |_| {
                let clean = clean.as_ref();
                clean.map_or(RBig::ZERO, |clean| {
                    chance(clean.weight(&row), clean.total())
                })
            },
            || chance(weight.clone(), &total),
        );
        if order == Order::LowestFirst {
            row.reverse();
        }
        (Row::new(row, Account::nothing()), weight, share)
    });
    let mut list: Vec<Case<Row>> = cases.collect();
    match (roll.count, order) {
        (1, _) => {}
        (_, Order::HighestFirst) => list.reverse(),
        (_, Order::LowestFirst) => list.sort_by(|a, b| a.0[..].cmp(&b.0[..])),
    }
    Ok(Rolled::Several(Cases { list, account }))
}

/// Which part of a case no limit cut off: its probability among clean rolls, times theirs, by that among all.
fn share(dice: &Dice, clean: impl Fn(&Roll) -> RBig, all: impl Fn() -> RBig) -> RBig {
    match (&dice.clean, dice.clean()) {
        (None, _) => RBig::ONE,
        (_, (Some(roll), mass)) => clean(roll) * mass / all(),
        (_, (None, _)) => RBig::ZERO,
    }
}
