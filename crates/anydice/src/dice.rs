//! Dice: equal dice rolled together, and how likely it is that a limit cut their rolls off.

use std::sync::Arc;

use oddsmith_dist::{
    BitTest, Budget, Dist, Feature, Pool, RBig, UBig, greatest_common_divisor,
    least_common_multiple,
};

use crate::fault::Fault;

/// Equal dice that are rolled together: at least one, each with at least one face.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Roll {
    pub(crate) die: Dist,
    pub(crate) count: u32,
}

impl Roll {
    /// A single die.
    pub(crate) fn one(die: Dist) -> Self {
        Self { die, count: 1 }
    }

    /// The sum as a single die.
    pub(crate) fn sum(&self, budget: &Budget) -> Result<Dist, Fault> {
        Ok(self.die.sum_of(self.count, budget)?)
    }

    pub(crate) fn pool(&self) -> Pool {
        Pool::new([(self.die.clone(), self.count)])
    }

    /// A number that is read of every roll, as a die.
    pub(crate) fn read(&self, feature: &Feature, budget: &Budget) -> Result<Self, Fault> {
        Ok(Self::one(self.pool().read(feature, budget)?))
    }

    /// Each die mirrored.
    pub(crate) fn negate(&self, budget: &Budget) -> Result<Self, Fault> {
        budget.charge(self.die.steps_to_map())?;
        Ok(Self {
            die: self.die.negate()?,
            count: self.count,
        })
    }

    /// The sum with a function of it.
    pub(crate) fn map(&self, budget: &Budget, of: impl FnMut(i64) -> i64) -> Result<Self, Fault> {
        let sum = self.sum(budget)?;
        budget.charge(sum.steps_to_map())?;
        Ok(Self::one(sum.map(of)))
    }
}

/// The rolls that no limit cut off, on condition that none did.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Clean {
    /// Nothing if there is no such roll, or if it is the empty die.
    pub(crate) roll: Option<Roll>,
    /// How likely they are.
    pub(crate) mass: RBig,
}

impl Clean {
    /// Rolls by their probabilities, which add up to their mass.
    pub(crate) fn of(chances: Vec<(i64, RBig)>) -> Result<Self, Fault> {
        let mass = total(&chances);
        if mass.is_zero() {
            return Ok(Self { roll: None, mass });
        }
        let weights = in_whole_numbers(chances);
        let roll = Some(Roll::one(Dist::from_weights(weights)?));
        Ok(Self { roll, mass })
    }
}

/// A value that is rolled: dice, or the empty die.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Dice {
    /// All rolls; nothing for the empty die.
    pub(crate) roll: Option<Roll>,
    /// Whether the empty die is the only one of a pool, and so counts as a die.
    is_counted: bool,
    /// Nothing if no limit cut any roll off.
    pub(crate) clean: Option<Arc<Clean>>,
}

impl Dice {
    /// The empty die.
    pub(crate) fn empty() -> Self {
        Self::of(None)
    }

    /// What a call comes to that is deeper than allowed: the empty die, all of it cut off.
    pub(crate) fn cut() -> Self {
        Self::empty().all_cut()
    }

    /// The same dice, all rolls of which were cut off.
    pub(crate) fn all_cut(self) -> Self {
        self.with_clean(Clean {
            roll: None,
            mass: RBig::ZERO,
        })
    }

    /// The empty die that a rolled number of dice, or a rolled number of faces, makes.
    pub(crate) fn counted_empty() -> Self {
        Self::empty().counted()
    }

    /// The empty die as one that counts as a die.
    pub(crate) fn counted(self) -> Self {
        Self {
            is_counted: true,
            ..self
        }
    }

    /// Whether it is the empty die, and counts as a die.
    pub(crate) fn is_counted_empty(&self) -> bool {
        self.is_empty() && self.is_counted
    }

    /// Dice that no limit cut off.
    pub(crate) fn of(roll: Option<Roll>) -> Self {
        Self {
            roll,
            is_counted: false,
            clean: None,
        }
    }

    /// A single die that no limit cut off.
    pub(crate) fn one(die: Dist) -> Self {
        Self::of(Some(Roll::one(die)))
    }

    pub(crate) fn with_clean(self, clean: Clean) -> Self {
        let clean = Some(Arc::new(clean)).filter(|clean| !clean.mass.is_one());
        Self { clean, ..self }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.roll.is_none()
    }

    /// How many dice there are.
    pub(crate) fn count(&self) -> u32 {
        match &self.roll {
            Some(roll) => roll.count,
            None => u32::from(self.is_counted),
        }
    }

    /// The rolls that no limit cut off, and how likely they are.
    pub(crate) fn clean(&self) -> (Option<&Roll>, RBig) {
        match &self.clean {
            None => (self.roll.as_ref(), RBig::ONE),
            Some(clean) => (clean.roll.as_ref(), clean.mass.clone()),
        }
    }

    /// About the bytes that the dice take.
    pub(crate) fn bytes(&self) -> u128 {
        let clean = self.clean.as_ref().and_then(|clean| clean.roll.as_ref());
        let dice = [self.roll.as_ref(), clean].into_iter().flatten();
        let words = |die: &Dist| die.total().bit_len() as u128 / 64 + 2;
        let bytes = dice.map(|roll| roll.die.len() as u128 * 8 * words(&roll.die));
        bytes.sum::<u128>() + 64
    }

    /// Dice in a label: `2d6` if they are fair and numbered from 1.
    pub(crate) fn label(&self) -> String {
        let Some(roll) = &self.roll else {
            return "d{}".to_owned();
        };
        let count = match roll.count {
            1 => String::new(),
            count => count.to_string(),
        };
        let faces = roll.die.max();
        let is_fair = roll.die.min() == 1 && Dist::uniform(1, faces).is_ok_and(|d| d == roll.die);
        match is_fair {
            true => format!("{count}d{faces}"),
            false => format!("{count}d{{?}}"),
        }
    }

    /// The dice as a single die with their sum.
    pub(crate) fn sum(&self, budget: &Budget) -> Result<Self, Fault> {
        if self.count() == 1 {
            return Ok(self.clone());
        }
        lift([self], |[roll]| match roll {
            Some(roll) => Ok(Some(Roll::one(roll.sum(budget)?))),
            None => Ok(None),
        })
    }

    /// `count` of the die; fewer than none are so many mirrored ones, and none of them show 0.
    pub(crate) fn times(&self, count: i64, budget: &Budget) -> Result<Self, Fault> {
        let die = self.sum(budget)?;
        if count == 0 {
            let zero = || Roll::one(Dist::constant(0));
            return Ok(Self::of(die.roll.as_ref().map(|_| zero())));
        }
        let number = u32::try_from(count.unsigned_abs()).map_err(|_| {
            let message = format!("{count} dice are too many");
            Fault::Large(message, "there may be 2^32 - 1 dice in a pool")
        })?;
        let pool = lift([&die], |[roll]| {
            let Some(roll) = roll else { return Ok(None) };
            let roll = match count < 0 {
                true => roll.negate(budget)?,
                false => roll.clone(),
            };
            Ok(Some(Roll {
                count: number,
                ..roll
            }))
        })?;
        let Some(clean) = &pool.clean else {
            return Ok(pool);
        };
        let bits = clean.mass.denominator().bit_len() as u128;
        budget.charge(bits.saturating_mul(number.into()))?;
        let clean = Clean {
            mass: clean
                .mass
                .pow(isize::try_from(number).unwrap_or(isize::MAX)),
            roll: clean.roll.clone(),
        };
        Ok(pool.with_clean(clean))
    }
}

/// A function of independent dice: of all their rolls, and of those that no limit cut off.
pub(crate) fn lift<const N: usize>(
    dice: [&Dice; N],
    of: impl Fn([Option<&Roll>; N]) -> Result<Option<Roll>, Fault>,
) -> Result<Dice, Fault> {
    let all = Dice::of(of(dice.map(|dice| dice.roll.as_ref()))?);
    if dice.iter().all(|dice| dice.clean.is_none()) {
        return Ok(all);
    }
    let mass = dice
        .iter()
        .fold(RBig::ONE, |mass, dice| mass * dice.clean().1);
    let roll = match mass.is_zero() {
        true => None,
        false => of(dice.map(|dice| dice.clean().0))?,
    };
    Ok(all.with_clean(Clean { roll, mass }))
}

/// One of several things that happen: its weight, which part of that no limit cut off so far, and what it comes to.
pub(crate) struct Part {
    pub(crate) weight: UBig,
    pub(crate) share: RBig,
    pub(crate) dice: Dice,
}

/// The mixture of parts. Those that come to the empty die are left out, and the others take their place.
pub(crate) fn mix(parts: &[Part], budget: &Budget) -> Result<Dice, Fault> {
    let (mut all, mut clean) = (Vec::new(), Vec::new());
    if parts
        .iter()
        .all(|part| part.share.is_one() && part.dice.clean.is_none())
    {
        return untouched(parts, budget);
    }
    // What the clean mass is a part of: everything but what is empty without a limit.
    let mut whole = RBig::ZERO;
    for part in parts {
        let dice = part.dice.sum(budget)?;
        let weight = RBig::from(part.weight.clone());
        let (roll, mass) = dice.clean();
        let unhurt = &part.share * mass;
        let unhurt = &weight * unhurt;
        whole += weight;
        match (&dice.roll, roll) {
            (None, _) => whole -= unhurt,
            (Some(_), Some(roll)) => clean.push((roll.die.clone(), unhurt)),
            (Some(_), None) => {}
        }
        if let Some(roll) = dice.roll {
            all.push((roll.die, part.weight.clone()));
        }
    }
    let mixed = Dice::of(mixture(&all, budget)?);
    if whole.is_zero() {
        return Ok(mixed);
    }
    let mass = total(&clean) / whole;
    let roll = mixture(&in_whole_numbers(clean), budget)?;
    Ok(mixed.with_clean(Clean { roll, mass }))
}

/// The mixture of parts that no limit cut off.
fn untouched(parts: &[Part], budget: &Budget) -> Result<Dice, Fault> {
    let mut dice = Vec::new();
    for part in parts {
        if let Some(roll) = part.dice.sum(budget)?.roll {
            dice.push((roll.die, part.weight.clone()));
        }
    }
    Ok(Dice::of(mixture(&dice, budget)?))
}

/// The sum of all chances.
fn total<T>(chances: &[(T, RBig)]) -> RBig {
    let chances = chances.iter().map(|(_, chance)| chance);
    chances.fold(RBig::ZERO, |sum, chance| sum + chance)
}

/// Fractions as integers in the same proportion.
fn in_whole_numbers<T>(parts: Vec<(T, RBig)>) -> Vec<(T, UBig)> {
    let below = parts.iter().map(|(_, chance)| chance.denominator());
    let common = least_common_multiple(below);
    let whole = |chance: RBig| {
        let (above, below) = chance.into_parts();
        above.into_parts().1 * (&common / below)
    };
    let parts = parts.into_iter();
    parts.map(|(of, chance)| (of, whole(chance))).collect()
}

/// The mixture of dice, reduced; nothing if none has a weight.
fn mixture(parts: &[(Dist, UBig)], budget: &Budget) -> Result<Option<Roll>, Fault> {
    let weighted = || parts.iter().filter(|(_, weight)| !weight.is_zero());
    let Some(largest) = weighted().map(|(die, _)| words(die.total())).max() else {
        return Ok(None);
    };
    // The totals are compared, and mostly they are the same.
    let totals = weighted().filter(|(die, _)| die.total() != parts[0].0.total());
    let shared = totals.map(|(die, _)| words(die.total()) * largest);
    budget.charge(shared.sum::<u128>() * 2 + 50 * parts.len() as u128)?;
    let common = least_common_multiple(weighted().map(|(die, _)| die.total()));
    let steps = weighted().map(|(die, weight)| {
        let factor = words(weight) + words(&common) - words(die.total());
        let product = product_steps(words(die.total()), factor + 1);
        die.steps_to_map() + die.len() as u128 * product
    });
    budget.charge(steps.sum::<u128>() * 2)?;
    let parts: Vec<_> = weighted()
        .map(|(die, w)| (w.clone(), die.clone()))
        .collect();
    Ok(Some(Roll::one(reduced(Dist::mix(&parts)?, budget)?)))
}

/// Words of a number.
fn words(number: &UBig) -> u128 {
    number.bit_len() as u128 / 64 + 1
}

/// Steps of a product of numbers with so many words: long ones take less than the product of their lengths.
fn product_steps(left: u128, right: u128) -> u128 {
    let (short, long) = (left.min(right), left.max(right));
    match short {
        0..=32 => short * long + 10,
        _ => long * (short * 32).isqrt(),
    }
}

/// Totals with more words are not reduced: a divisor of such numbers takes longer than what it saves.
const LONGEST_REDUCED: u128 = 256;

/// The same odds with the smallest weights, so that what is equal is found to be, and no weight grows for nothing.
fn reduced(die: Dist, budget: &Budget) -> Result<Dist, Fault> {
    let length = words(die.total());
    if length > LONGEST_REDUCED || die.total().is_one() {
        return Ok(die);
    }
    budget.charge(length * length + die.len() as u128 * (length * 2 + 20))?;
    let weights: Vec<UBig> = die.iter().map(|(_, weight)| weight).collect();
    let shared = greatest_common_divisor(weights.iter());
    if shared.is_one() {
        return Ok(die);
    }
    let pairs = die.support().zip(weights.into_iter().map(|w| w / &shared));
    Ok(Dist::from_weights(pairs)?)
}
