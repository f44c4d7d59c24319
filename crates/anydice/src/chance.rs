//! Probabilities that no limit was met. Their numbers can be long, so what is done with them is charged for before.

use oddsmith_dist::{BitTest, Budget, RBig, UBig, least_common_multiple};

use crate::fault::Fault;

/// Steps of an operation on short fractions.
const SHORT_STEPS: u128 = 50;

/// Words of both numbers of a fraction.
fn words(chance: &RBig) -> u128 {
    let bits = chance.numerator().bit_len() + chance.denominator().bit_len();
    bits as u128 / 64 + 1
}

/// The bytes of a fraction on the heap.
pub(crate) fn bytes(chance: &RBig) -> u128 {
    words(chance) * 8
}

/// Charges for an operation on two fractions: a product of their numbers, and the divisor that they share.
fn charge(left: &RBig, right: &RBig, budget: &Budget) -> Result<(), Fault> {
    let (one, other) = (words(left), words(right));
    let steps = one.saturating_mul(other) + one * one / 4 + other * other / 4;
    budget.charge(SHORT_STEPS + 4 * steps)?;
    budget.part().charge_memory(32 * (one + other))?;
    Ok(())
}

/// The probability of two things that are independent.
pub(crate) fn product(left: &RBig, right: &RBig, budget: &Budget) -> Result<RBig, Fault> {
    match (left.is_one(), right.is_one()) {
        (true, _) => Ok(right.clone()),
        (_, true) => Ok(left.clone()),
        _ => {
            charge(left, right, budget)?;
            Ok(left * right)
        }
    }
}

/// The probability of something that happens each of so many times.
pub(crate) fn power(chance: &RBig, times: u32, budget: &Budget) -> Result<RBig, Fault> {
    let length = words(chance).saturating_mul(times.into());
    budget.charge(SHORT_STEPS + length.saturating_mul(length.isqrt()))?;
    budget.part().charge_memory(length.saturating_mul(16))?;
    Ok(chance.pow(isize::try_from(times).unwrap_or(isize::MAX)))
}

/// A sum and one more.
pub(crate) fn plus(sum: &RBig, more: &RBig, budget: &Budget) -> Result<RBig, Fault> {
    charge(sum, more, budget)?;
    Ok(sum + more)
}

/// Which part of a whole something is.
pub(crate) fn part(of: &RBig, whole: &RBig, budget: &Budget) -> Result<RBig, Fault> {
    charge(of, whole, budget)?;
    Ok(of / whole)
}

/// The sum of all chances.
pub(crate) fn total<T>(chances: &[(T, RBig)], budget: &Budget) -> Result<RBig, Fault> {
    let mut chances = chances.iter().map(|(_, chance)| chance);
    chances.try_fold(RBig::ZERO, |sum, chance| plus(&sum, chance, budget))
}

/// Fractions as integers in the same proportion.
pub(crate) fn in_whole_numbers<T>(
    parts: Vec<(T, RBig)>,
    budget: &Budget,
) -> Result<Vec<(T, UBig)>, Fault> {
    let below = || parts.iter().map(|(_, chance)| chance.denominator());
    let longest = below().map(BitTest::bit_len).max().unwrap_or(0) as u128 / 64 + 1;
    // The multiples on the way are no longer than all denominators together, and mostly as long as one.
    let mut common = UBig::ONE;
    for number in below() {
        let words = common.bit_len() as u128 / 64 + 1;
        budget.charge(SHORT_STEPS + words * longest)?;
        common = least_common_multiple([&common, number].into_iter());
    }
    let words = common.bit_len() as u128 / 64 + 1;
    let each = SHORT_STEPS + words * (longest + words.isqrt());
    budget.charge(parts.len() as u128 * each)?;
    budget.charge_memory(parts.len() as u128 * words * 8)?;
    let whole = |chance: RBig| {
        let (above, below) = chance.into_parts();
        above.into_parts().1 * (&common / below)
    };
    let parts = parts.into_iter();
    Ok(parts.map(|(of, chance)| (of, whole(chance))).collect())
}
