//! Dice: equal dice rolled together, and how likely it is that a limit cut their rolls off.

use std::sync::Arc;

use oddsmith_dist::{
    BitTest, Budget, Dist, Feature, Pool, RBig, UBig, greatest_common_divisor,
    least_common_multiple,
};

use crate::account::{Account, with_bytes};
use crate::chance;
use crate::fault::Fault;

/// Equal dice that are rolled together: at least one, each with at least one face.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Roll {
    pub(crate) die: Dist,
    pub(crate) count: u32,
    account: Account,
}

impl Roll {
    /// A single die that always shows a number.
    pub(crate) fn number(number: i64) -> Self {
        Self {
            die: Dist::constant(number),
            count: 1,
            account: Account::nothing(),
        }
    }

    /// A single die, whose memory is charged for from now on.
    pub(crate) fn one(die: Dist, budget: &Budget) -> Result<Self, Fault> {
        let account = Account::of(die.bytes(), budget)?;
        Ok(Self {
            die,
            count: 1,
            account,
        })
    }

    /// A single die that is made with so many bytes, beside those that are charged for on the way.
    pub(crate) fn made(
        bytes: u128,
        budget: &Budget,
        make: impl FnOnce(&Budget) -> Result<Dist, Fault>,
    ) -> Result<Self, Fault> {
        Self::one(with_bytes(bytes, budget, make)?, budget)
    }

    /// A single die with so many faces and weights.
    pub(crate) fn of_weights(
        count: usize,
        bits: usize,
        budget: &Budget,
        pairs: impl FnOnce() -> Vec<(i64, UBig)>,
    ) -> Result<Self, Fault> {
        // Weights are numbers of any length before they are packed.
        let bytes = Dist::bytes_to_make(count as u128, bits.max(129));
        Self::made(bytes, budget, |_| Ok(Dist::from_weights(pairs())?))
    }

    /// As many of the same dice.
    pub(crate) fn times(&self, count: u32) -> Self {
        Self {
            count,
            ..self.clone()
        }
    }

    /// The sum as a single die.
    pub(crate) fn sum(&self, budget: &Budget) -> Result<Self, Fault> {
        match self.count {
            1 => Ok(self.clone()),
            count => Self::made(0, budget, |budget| Ok(self.die.sum_of(count, budget)?)),
        }
    }

    pub(crate) fn pool(&self) -> Pool {
        Pool::new([(self.die.clone(), self.count)])
    }

    /// A number that is read of every roll, as a die.
    pub(crate) fn read(&self, feature: &Feature, budget: &Budget) -> Result<Self, Fault> {
        Self::made(0, budget, |budget| Ok(self.pool().read(feature, budget)?))
    }

    /// Each die mirrored.
    pub(crate) fn negate(&self, budget: &Budget) -> Result<Self, Fault> {
        budget.charge(self.die.steps_to_map())?;
        let mirrored = Self::made(self.die.bytes(), budget, |_| Ok(self.die.negate()?))?;
        Ok(mirrored.times(self.count))
    }

    /// The sum with a function of it.
    pub(crate) fn map(
        &self,
        budget: &Budget,
        of: impl FnMut(i64) -> Result<i64, Fault>,
    ) -> Result<Self, Fault> {
        let sum = self.sum(budget)?.die;
        budget.charge(sum.steps_to_map())?;
        Self::made(sum.bytes_to_map(), budget, |_| sum.try_map(of))
    }
}

/// The rolls that no limit cut off, on condition that none did.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Clean {
    /// Nothing if there is no such roll, or if it is the empty die.
    pub(crate) roll: Option<Roll>,
    /// How likely they are.
    pub(crate) mass: RBig,
    account: Account,
}

impl Clean {
    /// Whose mass is charged for from now on.
    pub(crate) fn new(roll: Option<Roll>, mass: RBig, budget: &Budget) -> Result<Self, Fault> {
        let account = Account::of(chance::bytes(&mass), budget)?;
        Ok(Self {
            roll,
            mass,
            account,
        })
    }

    /// No roll at all.
    fn nothing() -> Self {
        Self {
            roll: None,
            mass: RBig::ZERO,
            account: Account::nothing(),
        }
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
        self.with_clean(Clean::nothing())
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

    /// A die that always shows a number.
    pub(crate) fn number(number: i64) -> Self {
        Self::of(Some(Roll::number(number)))
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
        dice.map(|roll| roll.die.bytes()).sum::<u128>() + 64
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
        let (faces, each) = (roll.die.max(), roll.die.len());
        let is_one_each = roll.die.total() == &each.into();
        match roll.die.min() == 1 && usize::try_from(faces) == Ok(each) && is_one_each {
            true => format!("{count}d{faces}"),
            false => format!("{count}d{{?}}"),
        }
    }

    /// The dice as a single die with their sum.
    pub(crate) fn sum(&self, budget: &Budget) -> Result<Self, Fault> {
        if self.count() == 1 {
            return Ok(self.clone());
        }
        lift([self], budget, |[roll]| {
            roll.map(|roll| roll.sum(budget)).transpose()
        })
    }

    /// `count` of the die; fewer than none are so many mirrored ones, and none of them show 0.
    pub(crate) fn times(&self, count: i64, budget: &Budget) -> Result<Self, Fault> {
        let die = self.sum(budget)?;
        if count == 0 {
            return Ok(Self::of(die.roll.as_ref().map(|_| Roll::number(0))));
        }
        let number = u32::try_from(count.unsigned_abs()).map_err(|_| {
            let message = format!("{count} dice are too many");
            Fault::Large(message, "there may be 2^32 - 1 dice in a pool")
        })?;
        let pool = lift([&die], budget, |[roll]| {
            let Some(roll) = roll else { return Ok(None) };
            let roll = match count < 0 {
                true => roll.negate(budget)?,
                false => roll.clone(),
            };
            Ok(Some(roll.times(number)))
        })?;
        let Some(clean) = &pool.clean else {
            return Ok(pool);
        };
        let mass = chance::power(&clean.mass, number, budget)?;
        let clean = Clean::new(clean.roll.clone(), mass, budget)?;
        Ok(pool.with_clean(clean))
    }
}

/// A function of independent dice: of all their rolls, and of those that no limit cut off.
pub(crate) fn lift<const N: usize>(
    dice: [&Dice; N],
    budget: &Budget,
    of: impl Fn([Option<&Roll>; N]) -> Result<Option<Roll>, Fault>,
) -> Result<Dice, Fault> {
    let all = Dice::of(of(dice.map(|dice| dice.roll.as_ref()))?);
    if dice.iter().all(|dice| dice.clean.is_none()) {
        return Ok(all);
    }
    let mut masses = dice.iter().map(|dice| dice.clean().1);
    let mass = masses.try_fold(RBig::ONE, |mass, other| {
        chance::product(&mass, &other, budget)
    })?;
    let roll = match mass.is_zero() {
        true => None,
        false => of(dice.map(|dice| dice.clean().0))?,
    };
    Ok(all.with_clean(Clean::new(roll, mass, budget)?))
}

/// One of several things that happen: its weight, which part of that no limit cut off so far, and what it comes to.
pub(crate) struct Part {
    pub(crate) weight: UBig,
    pub(crate) share: RBig,
    pub(crate) dice: Dice,
}

/// The bytes of a part in the lists of a mixture.
const PART_BYTES: u128 = 300;

/// The mixture of parts. Those that come to the empty die are left out, and the others take their place.
pub(crate) fn mix(parts: &[Part], budget: &Budget) -> Result<Dice, Fault> {
    let bytes = parts.len() as u128 * PART_BYTES;
    with_bytes(bytes, budget, |budget| {
        let is_whole = |part: &Part| part.share.is_one() && part.dice.clean.is_none();
        match parts.iter().all(is_whole) {
            true => untouched(parts, budget),
            false => with_clean(parts, budget),
        }
    })
}

/// The mixture of parts that no limit cut off.
fn untouched(parts: &[Part], budget: &Budget) -> Result<Dice, Fault> {
    let mut dice = Vec::with_capacity(parts.len());
    for part in parts {
        if let Some(roll) = part.dice.sum(budget)?.roll {
            dice.push((roll, part.weight.clone()));
        }
    }
    Ok(Dice::of(mixture(&dice, budget)?))
}

/// The mixture of parts, and of what no limit cut off of each.
fn with_clean(parts: &[Part], budget: &Budget) -> Result<Dice, Fault> {
    let (mut all, mut clean) = (Vec::new(), Vec::new());
    // What the clean mass is a part of: everything but what is empty without a limit.
    let mut whole = RBig::ZERO;
    for part in parts {
        let dice = part.dice.sum(budget)?;
        let weight = RBig::from(part.weight.clone());
        let (roll, mass) = dice.clean();
        let unhurt = chance::product(&part.share, &mass, budget)?;
        let unhurt = chance::product(&weight, &unhurt, budget)?;
        whole = chance::plus(&whole, &weight, budget)?;
        match (&dice.roll, roll) {
            (None, _) => whole = chance::plus(&whole, &-unhurt, budget)?,
            (Some(_), Some(roll)) => clean.push((roll.clone(), unhurt)),
            (Some(_), None) => {}
        }
        if let Some(roll) = dice.roll {
            all.push((roll, part.weight.clone()));
        }
    }
    let mixed = Dice::of(mixture(&all, budget)?);
    if whole.is_zero() {
        return Ok(mixed);
    }
    let mass = chance::part(&chance::total(&clean, budget)?, &whole, budget)?;
    let roll = mixture(&chance::in_whole_numbers(clean, budget)?, budget)?;
    Ok(mixed.with_clean(Clean::new(roll, mass, budget)?))
}

/// The mixture of single dice, reduced; nothing if none has a weight.
fn mixture(parts: &[(Roll, UBig)], budget: &Budget) -> Result<Option<Roll>, Fault> {
    let weighted = || parts.iter().filter(|(_, weight)| !weight.is_zero());
    let dice = || weighted().map(|(roll, _)| &roll.die);
    let Some(greatest) = dice().map(Dist::total).max() else {
        return Ok(None);
    };
    // The totals are compared, and mostly they are the same.
    let totals = dice().filter(|die| die.total() != greatest);
    let shared = totals.map(|die| words(die.total()) * words(greatest));
    budget.charge(shared.sum::<u128>() * 2 + 50 * parts.len() as u128)?;
    let common = least_common_multiple(dice().map(Dist::total));
    let steps = weighted().map(|(roll, weight)| {
        let die = &roll.die;
        let factor = words(weight) + words(&common) - words(die.total());
        let product = product_steps(words(die.total()), factor + 1);
        die.steps_to_map() + die.len() as u128 * product
    });
    // What is not too long is reduced as well.
    let times = match words(&common) {
        ..=LONGEST_REDUCED => 2,
        _ => 1,
    };
    budget.charge(steps.sum::<u128>() * times)?;
    let parts: Vec<_> = weighted()
        .map(|(roll, weight)| (weight.clone(), roll.die.clone()))
        .collect();
    let shares: UBig = parts.iter().map(|(weight, _)| weight).sum();
    let bytes = Dist::bytes_to_mix(&parts, common.bit_len() + shares.bit_len());
    let mixed = Roll::made(bytes, budget, |_| Ok(Dist::mix(&parts)?))?;
    Ok(Some(reduced(mixed, budget)?))
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
        33..=256 => long * (short * 32).isqrt(),
        _ => long * u128::midpoint((short * 32).isqrt(), 90),
    }
}

/// Totals with more words are not reduced: a divisor of such numbers takes longer than what it saves.
const LONGEST_REDUCED: u128 = 256;

/// The same odds with the smallest weights, so that what is equal is found to be, and no weight grows for nothing.
pub(crate) fn reduced(roll: Roll, budget: &Budget) -> Result<Roll, Fault> {
    let die = &roll.die;
    let length = words(die.total());
    if length > LONGEST_REDUCED || die.total().is_one() {
        return Ok(roll);
    }
    budget.charge(length * length + die.len() as u128 * (length * 2 + 20))?;
    let mut shared = die.weight(die.min());
    for (_, weight) in die.iter() {
        shared = greatest_common_divisor([&shared, &weight].into_iter());
        if shared.is_one() {
            break;
        }
    }
    if shared.is_one() {
        return Ok(roll);
    }
    let pairs = die.iter().map(|(face, weight)| (face, weight / &shared));
    Roll::of_weights(die.len(), die.total().bit_len(), budget, || pairs.collect())
}
