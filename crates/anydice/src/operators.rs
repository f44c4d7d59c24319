//! Operators on values of all kinds, and what they make of a kind that they do not take.

use std::cmp::Ordering;

use oddsmith_dist::{Budget, Dist, UBig};

use crate::dice::{Dice, Roll, lift};
use crate::fault::Fault;
use crate::numbers::{no_power, number, power, sum};
use crate::syntax::{Operator, Prefix};
use crate::value::Value;

/// What makes a value of two; `@` and `d` have modules of their own.
pub(crate) fn binary(
    operator: Operator,
    left: &Value,
    right: &Value,
    budget: &Budget,
) -> Result<Value, Fault> {
    match operator {
        Operator::Equal
        | Operator::Differs
        | Operator::Less
        | Operator::More
        | Operator::AtMost
        | Operator::AtLeast => compare(operator, left, right, budget),
        _ => arithmetic(operator, left, right, budget),
    }
}

/// A sequence counts as its sum, and a number among dice as a die that always shows it.
fn arithmetic(
    operator: Operator,
    left: &Value,
    right: &Value,
    budget: &Budget,
) -> Result<Value, Fault> {
    if let (Some(left), Some(right)) = (as_number(left, budget)?, as_number(right, budget)?) {
        return Ok(Value::Number(number(operator, left, right)?));
    }
    let is_number = are_numbers(operator, left, right);
    let (left, right) = (as_dice(left, budget)?, as_dice(right, budget)?);
    if left.is_counted_empty() || right.is_counted_empty() {
        return Ok(Value::Dice(beside_counted(
            operator, &left, &right, budget,
        )?));
    }
    let dice = lift([&left, &right], budget, |rolls| match rolls {
        [Some(left), Some(right)] => {
            let (left, right) = (left.sum(budget)?, right.sum(budget)?);
            of_dice(operator, &left, &right, budget).map(Some)
        }
        [None, None] => Ok(None),
        [Some(only), None] => beside_empty(operator, only, None, budget),
        [None, Some(only)] => beside_empty(operator, only, Some(Prefix::Minus), budget),
    })?;
    Ok(as_value(dice, is_number))
}

/// Whether two values come to a number: numbers do, and what is added to the empty die does if it is one.
fn are_numbers(operator: Operator, left: &Value, right: &Value) -> bool {
    let is_adding = matches!(operator, Operator::Plus | Operator::Minus | Operator::Or);
    let is_number = |value: &Value| match value {
        Value::Number(_) | Value::Cut(_) | Value::Sequence(_) => true,
        Value::Dice(dice) => is_adding && dice.is_empty(),
    };
    is_number(left) && is_number(right)
}

/// Dice that always show the same number as that number, if it `is_number`.
fn as_value(dice: Dice, is_number: bool) -> Value {
    let roll = dice.roll.as_ref();
    let constant = roll.and_then(|roll| roll.die.as_constant());
    match (constant.filter(|_| is_number), &dice.clean) {
        (Some(number), None) => Value::Number(number),
        (Some(number), Some(_)) => Value::Cut(number),
        (None, _) => Value::Dice(dice),
    }
}

/// An operator on dice and the empty die, which counts as 0 where something is added, and makes everything else empty. Several
/// dice stay what they are; a single die that is subtracted gets its `sign`.
fn beside_empty(
    operator: Operator,
    dice: &Roll,
    sign: Option<Prefix>,
    budget: &Budget,
) -> Result<Option<Roll>, Fault> {
    match (operator, dice.count) {
        (Operator::Plus | Operator::Minus | Operator::Or, 2..) => Ok(Some(dice.clone())),
        (Operator::Minus, 1) if sign.is_some() => Ok(Some(dice.negate(budget)?)),
        (Operator::Plus | Operator::Minus, _) => Ok(Some(dice.clone())),
        (Operator::Or, _) => Ok(Some(dice.map(budget, |x| Ok(i64::from(x != 0)))?)),
        _ => Ok(None),
    }
}

/// An operator on a pool whose only die is empty: nothing can be added to it but the empty die itself.
fn beside_counted(
    operator: Operator,
    left: &Dice,
    right: &Dice,
    budget: &Budget,
) -> Result<Dice, Fault> {
    let empty = lift([left, right], budget, |_| Ok(None))?;
    let is_kept = matches!(operator, Operator::Plus | Operator::Minus | Operator::Or)
        && left.is_empty()
        && right.is_empty()
        && left.is_counted_empty() != right.is_counted_empty();
    Ok(if is_kept { empty.counted() } else { empty })
}

/// An arithmetical operator on two independent dice.
fn of_dice(operator: Operator, left: &Roll, right: &Roll, budget: &Budget) -> Result<Roll, Fault> {
    let plain = |x: i64, y: i64| number(operator, x, y).ok();
    if let Operator::And | Operator::Or = operator {
        let truth = |roll: &Roll| roll.map(budget, |x| Ok(i64::from(x != 0)));
        let (left, right) = (truth(left)?, truth(right)?);
        return Roll::made(0, budget, |budget| {
            Ok(left.die.product(&right.die, plain, budget)?)
        });
    }
    let (left, right) = (&left.die, &right.die);
    // A subtraction mirrors the right one.
    Roll::made(right.bytes(), budget, |budget| {
        Ok(match operator {
            Operator::Plus => left.convolve(right, budget)?,
            Operator::Minus => left.subtract(right, budget)?,
            Operator::Power if right.min() < 0 && !left.weight(0).is_zero() => {
                return Err(no_power(right.min()));
            }
            Operator::Power => left.product(right, power, budget)?,
            _ => left.product(right, plain, budget)?,
        })
    })
}

/// Comparisons: a sequence and a number count how often it holds, two sequences compare their first different numbers, and
/// a sequence against dice counts as its sum.
fn compare(
    operator: Operator,
    left: &Value,
    right: &Value,
    budget: &Budget,
) -> Result<Value, Fault> {
    let count = |row: &[i64], holds: &dyn Fn(i64) -> bool| {
        budget.charge(row.len() as u128)?;
        let count = row.iter().filter(|x| holds(**x)).count();
        Ok(Value::Number(i64::try_from(count).unwrap_or(i64::MAX)))
    };
    let is_number = are_numbers(operator, left, right);
    let has_row = [left, right]
        .into_iter()
        .any(|value| matches!(value, Value::Sequence(_)));
    if has_row && is_number && (*left != left.plain() || *right != right.plain()) {
        return compare(operator, &left.plain(), &right.plain(), budget);
    }
    match (left, right) {
        (Value::Number(x), Value::Number(y)) => {
            Ok(Value::Number(i64::from(holds(operator, x.cmp(y)))))
        }
        (Value::Sequence(row), Value::Number(y)) => count(row, &|x| holds(operator, x.cmp(y))),
        (Value::Number(x), Value::Sequence(row)) => count(row, &|y| holds(operator, x.cmp(&y))),
        (Value::Sequence(x), Value::Sequence(y)) => {
            budget.charge(x.len().min(y.len()) as u128)?;
            Ok(Value::Number(i64::from(holds(operator, x[..].cmp(y)))))
        }
        _ => {
            let (left, right) = (as_dice(left, budget)?, as_dice(right, budget)?);
            let dice = lift([&left, &right], budget, |rolls| {
                let [Some(left), Some(right)] = rolls else {
                    return Ok(None);
                };
                let (left, right) = (left.sum(budget)?.die, right.sum(budget)?.die);
                budget.charge(2 * (left.steps_to_map() + right.steps_to_map()))?;
                let compared = || odds(operator, &left, &right);
                Roll::made(left.bytes_with(&right), budget, |_| compared()).map(Some)
            })?;
            Ok(as_value(dice, is_number))
        }
    }
}

/// 1 where a comparison of two independent dice holds, and 0 where it does not.
fn odds(operator: Operator, left: &Dist, right: &Dist) -> Result<Dist, Fault> {
    let compared = left.compare(right);
    let parts = [
        (Ordering::Less, compared.less),
        (Ordering::Equal, compared.equal),
        (Ordering::Greater, compared.greater),
    ];
    let pairs = parts.map(|(order, weight)| (i64::from(holds(operator, order)), weight));
    Ok(Dist::from_weights(pairs)?)
}

/// Whether a comparison holds of what stands in this order.
fn holds(operator: Operator, order: Ordering) -> bool {
    match operator {
        Operator::Equal => order.is_eq(),
        Operator::Differs => order.is_ne(),
        Operator::Less => order.is_lt(),
        Operator::More => order.is_gt(),
        Operator::AtMost => order.is_le(),
        Operator::AtLeast => order.is_ge(),
        _ => unreachable!("only comparisons are asked"),
    }
}

/// The number of a value that is not rolled, and of which nothing was cut off.
pub(crate) fn as_number(value: &Value, budget: &Budget) -> Result<Option<i64>, Fault> {
    match value {
        Value::Number(number) => Ok(Some(*number)),
        Value::Sequence(row) => {
            budget.charge(row.len() as u128)?;
            Ok(Some(sum(row.iter().copied())?))
        }
        Value::Dice(_) | Value::Cut(_) => Ok(None),
    }
}

/// A value as dice; what is not rolled is a die that always shows it.
pub(crate) fn as_dice(value: &Value, budget: &Budget) -> Result<Dice, Fault> {
    Ok(match (value, as_number(value, budget)?) {
        (Value::Dice(dice), _) => dice.clone(),
        (Value::Cut(number), _) => Dice::number(*number).all_cut(),
        (_, number) => Dice::number(number.unwrap_or(0)),
    })
}

/// A die with a value's faces: from 1 on to a number, those of a sequence, or the dice themselves.
pub(crate) fn die_of(value: &Value, budget: &Budget) -> Result<Dice, Fault> {
    match value {
        Value::Number(0) | Value::Cut(0) => Ok(Dice::number(0)),
        Value::Number(faces) | Value::Cut(faces) => {
            let count = u128::from(faces.unsigned_abs());
            budget.charge(count)?;
            let (low, high) = (1.min(*faces), (-1).max(*faces));
            let die = |_: &Budget| Ok(Dist::uniform(low, high)?);
            Ok(Dice::of(Some(Roll::made(count * 8, budget, die)?)))
        }
        Value::Sequence(row) if row.is_empty() => Ok(Dice::empty()),
        Value::Sequence(row) => {
            budget.charge(row.len() as u128 * 40)?;
            let faces = || row.iter().map(|face| (*face, UBig::ONE)).collect();
            let die = Roll::of_weights(row.len(), 64, budget, faces)?;
            Ok(Dice::of(Some(die)))
        }
        Value::Dice(dice) => Ok(dice.clone()),
    }
}

/// `-`: each of several dice is mirrored.
pub(crate) fn minus(value: &Value, budget: &Budget) -> Result<Value, Fault> {
    match as_number(value, budget)? {
        Some(value) => Ok(Value::Number(number(Operator::Minus, 0, value)?)),
        None => {
            let dice = lift([&as_dice(value, budget)?], budget, |[roll]| {
                roll.map(|roll| roll.negate(budget)).transpose()
            })?;
            Ok(as_value(dice, matches!(value, Value::Cut(_))))
        }
    }
}

/// `!`: 1 of 0, and 0 of everything else.
pub(crate) fn not(value: &Value, budget: &Budget) -> Result<Value, Fault> {
    match as_number(value, budget)? {
        Some(number) => Ok(Value::Number(i64::from(number == 0))),
        None => {
            let dice = lift([&as_dice(value, budget)?], budget, |[roll]| {
                roll.map(|roll| roll.map(budget, |x| Ok(i64::from(x == 0))))
                    .transpose()
            })?;
            Ok(as_value(dice, matches!(value, Value::Cut(_))))
        }
    }
}
