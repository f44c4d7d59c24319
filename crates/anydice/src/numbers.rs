//! Operators on whole numbers.

use crate::fault::Fault;
use crate::syntax::{Operator, Order};

/// An operator on two numbers: arithmetic, or 1 where a comparison holds.
pub(crate) fn number(operator: Operator, left: i64, right: i64) -> Result<i64, Fault> {
    let truth = |holds: bool| Ok(i64::from(holds));
    let whole =
        |value: Option<i64>| value.ok_or_else(|| Fault::overflow(left, operator.sign(), right));
    match operator {
        Operator::Plus => whole(left.checked_add(right)),
        Operator::Minus => whole(left.checked_sub(right)),
        Operator::Times => whole(left.checked_mul(right)),
        Operator::Divide if right == 0 => Ok(0),
        Operator::Divide => whole(left.checked_div(right)),
        Operator::Power if left == 0 && right < 0 => Err(no_power(right)),
        Operator::Power => whole(power(left, right)),
        Operator::And => truth(left != 0 && right != 0),
        Operator::Or => truth(left != 0 || right != 0),
        Operator::Equal => truth(left == right),
        Operator::Differs => truth(left != right),
        Operator::Less => truth(left < right),
        Operator::More => truth(left > right),
        Operator::AtMost => truth(left <= right),
        Operator::AtLeast => truth(left >= right),
        Operator::Dice | Operator::At => unreachable!("these are no operators on numbers alone"),
    }
}

/// The error of a power of 0 that would be a division by 0.
pub(crate) fn no_power(exponent: i64) -> Fault {
    let message = format!("0 ^ {exponent} has no value, since it divides by 0");
    Fault::Value(
        message,
        "keep exponents at 0 or more where the base can be 0",
    )
}

/// A power whose fraction is dropped; nothing where it has no value in 64 bits.
pub(crate) fn power(base: i64, exponent: i64) -> Option<i64> {
    match (base, exponent) {
        (_, 0) => Some(1),
        (0 | 1, 1..) => Some(base),
        (1, _) => Some(1),
        (-1, _) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        (0, _) => None,
        (_, ..0) => Some(0),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

/// The digit of a number at a place from 1 on, with the sign of the number; 0 where it has none.
pub(crate) fn digit(number: i64, place: i64, order: Order) -> i64 {
    let digits = number.unsigned_abs().to_string().into_bytes();
    let Some(place) = place.checked_sub(1).and_then(|p| usize::try_from(p).ok()) else {
        return 0;
    };
    let digit = match order {
        Order::HighestFirst => digits.get(place),
        Order::LowestFirst => digits.iter().rev().nth(place),
    };
    digit.map_or(0, |digit| i64::from(digit - b'0') * number.signum())
}

/// How many digits a number has.
pub(crate) fn digits(number: i64) -> i64 {
    number
        .unsigned_abs()
        .checked_ilog10()
        .map_or(1, |log| i64::from(log) + 1)
}

/// The sum of numbers.
pub(crate) fn sum(numbers: impl Iterator<Item = i64>) -> Result<i64, Fault> {
    let sum: i128 = numbers.map(i128::from).sum();
    i64::try_from(sum).map_err(|_| {
        let message = format!("the sum of this sequence, {sum}, does not fit in 64 bits");
        Fault::Value(message, "keep numbers between -2^63 and 2^63 - 1")
    })
}
