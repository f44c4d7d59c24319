//! What a value can be, one number or one roll at a time.

use std::sync::Arc;

use oddsmith_dist::{Budget, RBig, UBig};

use crate::dice::{Dice, Part, Roll};
use crate::fault::Fault;
use crate::numbers::sum;
use crate::syntax::Order;
use crate::value::Value;

/// The bytes that a case takes beside its numbers.
const CASE_BYTES: u128 = 120;

/// A case: what a value is then, its weight, and the part of that which no limit cut off.
pub(crate) type Case<T> = (T, UBig, RBig);

/// What a value can be.
pub(crate) enum Rolled<T> {
    /// It is not rolled.
    One(T),
    Several(Vec<Case<T>>),
}

/// What each case comes to, as parts of a mixture.
pub(crate) fn parts<T>(
    cases: Vec<Case<T>>,
    mut of: impl FnMut(T) -> Result<Dice, Fault>,
) -> Result<Vec<Part>, Fault> {
    let part = |(case, weight, share)| {
        let dice = of(case)?;
        Ok(Part {
            weight,
            share,
            dice,
        })
    };
    cases.into_iter().map(part).collect()
}

/// The numbers that a value can be: those of the sum of dice, from the lowest. The sum of a sequence is a case as well, so
/// that what follows is a die.
pub(crate) fn numbers(value: &Value, budget: &Budget) -> Result<Rolled<i64>, Fault> {
    let dice = match value {
        Value::Number(number) | Value::Cut(number) => return Ok(Rolled::One(*number)),
        Value::Sequence(row) => {
            return Ok(Rolled::Several(vec![(sum(row)?, UBig::ONE, RBig::ONE)]));
        }
        Value::Dice(dice) => dice.sum(budget)?,
    };
    let Some(roll) = &dice.roll else {
        return Ok(Rolled::Several(Vec::new()));
    };
    budget.charge(roll.die.steps_to_map() * 4)?;
    budget.charge_memory(roll.die.len() as u128 * CASE_BYTES)?;
    let cases = roll.die.iter().map(|(number, weight)| {
        let share = share(
            &dice,
            |clean| clean.die.pmf(number),
            || roll.die.pmf(number),
        );
        (number, weight, share)
    });
    let cases = cases.collect();
    budget.release_memory(roll.die.len() as u128 * CASE_BYTES);
    Ok(Rolled::Several(cases))
}

/// The sequences that a value can be: sorted rolls of dice, those of several dice from the highest or from the lowest on, those
/// of a single die from its lowest face.
pub(crate) fn rows(
    value: &Value,
    order: Order,
    budget: &Budget,
) -> Result<Rolled<Arc<[i64]>>, Fault> {
    let dice = match value {
        Value::Number(number) | Value::Cut(number) => {
            return Ok(Rolled::One(Arc::from([*number])));
        }
        Value::Sequence(row) => return Ok(Rolled::One(Arc::clone(row))),
        Value::Dice(dice) => dice,
    };
    let Some(roll) = &dice.roll else {
        return Ok(Rolled::Several(Vec::new()));
    };
    let all = roll.pool().multisets(budget)?;
    let clean = match &dice.clean {
        Some(clean) => match &clean.roll {
            Some(roll) => Some(roll.pool().multisets(budget)?),
            None => None,
        },
        None => None,
    };
    let chance = |weight: UBig, total: &UBig| RBig::from_parts(weight.into(), total.clone());
    let cases = all.iter().map(|(row, weight)| {
        let share = share(
            dice,
            |_| {
                let clean = clean.as_ref();
                clean.map_or(RBig::ZERO, |clean| chance(clean.weight(row), clean.total()))
            },
            || chance(weight.clone(), all.total()),
        );
        let mut row = row.clone();
        if order == Order::LowestFirst {
            row.reverse();
        }
        (Arc::from(row), weight.clone(), share)
    });
    let mut cases: Vec<Case<Arc<[i64]>>> = cases.collect();
    match (roll.count, order) {
        (1, _) => {}
        (_, Order::HighestFirst) => cases.reverse(),
        (_, Order::LowestFirst) => cases.sort_by(|a, b| a.0.cmp(&b.0)),
    }
    Ok(Rolled::Several(cases))
}

/// Which part of a case no limit cut off: its probability among clean rolls, times theirs, by that among all.
fn share(dice: &Dice, clean: impl Fn(&Roll) -> RBig, all: impl Fn() -> RBig) -> RBig {
    match (&dice.clean, dice.clean()) {
        (None, _) => RBig::ONE,
        (_, (Some(roll), mass)) => clean(roll) * mass / all(),
        (_, (None, _)) => RBig::ZERO,
    }
}
