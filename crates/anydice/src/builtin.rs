//! The functions that every program has.

use oddsmith_dist::{BitTest, Budget, Dist, Feature, Kept, Pool, RBig, UBig};

use crate::account::Account;
use crate::dice::{Clean, Dice, Roll, lift, reduced};
use crate::expand::{Rolled, mixed, numbers, rows};
use crate::fault::Fault;
use crate::numbers::sum;
use crate::operators::as_dice;
use crate::syntax::{Order, Shape, shape_words};
use crate::value::{Row, Value};

/// A function that every program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    Absolute,
    Contains,
    Count,
    Explode,
    Maximum,
    Reverse,
    Sort,
    HigherOf,
    LowerOf,
    Highest,
    Lowest,
    Middle,
}

/// All of them, by the words that call them.
const BUILTINS: [(&str, Builtin); 16] = [
    ("[absolute ?]", Builtin::Absolute),
    ("[? contains ?]", Builtin::Contains),
    ("[count ? in ?]", Builtin::Count),
    ("[explode ?]", Builtin::Explode),
    ("[maximum of ?]", Builtin::Maximum),
    ("[reverse ?]", Builtin::Reverse),
    ("[sort ?]", Builtin::Sort),
    ("[highest of ? and ?]", Builtin::HigherOf),
    ("[lowest of ? and ?]", Builtin::LowerOf),
    ("[highest ? of ?]", Builtin::Highest),
    ("[highest ? of ? and ?]", Builtin::Highest),
    ("[highest ? of ? and ? and ?]", Builtin::Highest),
    ("[lowest ? of ?]", Builtin::Lowest),
    ("[lowest ? of ? and ?]", Builtin::Lowest),
    ("[lowest ? of ? and ? and ?]", Builtin::Lowest),
    ("[middle ? of ?]", Builtin::Middle),
];

/// The shapes of all of them.
pub(crate) fn shapes<'a>() -> impl Iterator<Item = &'a str> {
    BUILTINS.iter().map(|(words, _)| *words)
}

/// The one that a shape calls.
pub(crate) fn of_shape(shape: &Shape) -> Option<Builtin> {
    let words = shape_words(shape);
    let found = BUILTINS.iter().find(|(known, _)| *known == words);
    found.map(|(_, builtin)| *builtin)
}

/// What a call may depend on beside its arguments.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) order: Order,
    pub(crate) explode_depth: u32,
    pub(crate) budget: &'a Budget,
}

impl Builtin {
    pub(crate) fn call(self, arguments: &[Value], around: Around<'_>) -> Result<Value, Fault> {
        let budget = around.budget;
        let plain: Vec<Value> = arguments.iter().map(Value::plain).collect();
        match (self, plain.as_slice()) {
            (Self::Absolute, [value]) => absolute(value, budget),
            (Self::Contains, [row, wanted]) => contains(row, wanted, budget),
            (Self::Count, [wanted, row]) => count(wanted, row, budget),
            (Self::Explode, [die]) => explode(&as_dice(die, budget)?, around),
            (Self::Maximum, [die]) => maximum(&as_dice(die, budget)?, budget),
            (Self::Reverse | Self::Sort, [row]) => self.ordered(row, around),
            (Self::HigherOf | Self::LowerOf, [left, right]) => self.of_two(left, right, budget),
            (Self::Highest | Self::Lowest | Self::Middle, [keep, pools @ ..]) => {
                let pools = pools.iter().map(|pool| as_dice(pool, budget));
                let pools = pools.collect::<Result<Vec<Dice>, Fault>>()?;
                each(keep, budget, |keep| self.kept(keep, &pools, budget))
            }
            _ => unreachable!("the shape of a call has as many arguments as its function"),
        }
    }

    /// `[sort ROW]` and `[reverse ROW]`; of a roll both come to its sum.
    fn ordered(self, row: &Value, around: Around<'_>) -> Result<Value, Fault> {
        let row = match row {
            Value::Dice(dice) => return Ok(Value::Dice(dice.sum(around.budget)?)),
            Value::Number(number) | Value::Cut(number) => Row::one(*number),
            Value::Sequence(row) => row.clone(),
        };
        if self == Self::Reverse && row.is_empty() {
            return Ok(Value::Number(0));
        }
        around.budget.charge(row.len() as u128 * 20)?;
        let ordered = || {
            let mut row = row.to_vec();
            match (self, around.order) {
                (Self::Reverse, _) => row.reverse(),
                (_, Order::LowestFirst) => row.sort_unstable(),
                (_, Order::HighestFirst) => row.sort_unstable_by(|a, b| b.cmp(a)),
            }
            row
        };
        let ordered = Row::collected(row.len(), around.budget, ordered)?;
        Ok(Value::Sequence(ordered))
    }

    /// `[highest of A and B]`, and the lowest.
    fn of_two(self, left: &Value, right: &Value, budget: &Budget) -> Result<Value, Fault> {
        if let (Value::Number(x), Value::Number(y)) = (left, right) {
            let chosen = match self {
                Self::HigherOf => x.max(y),
                _ => x.min(y),
            };
            return Ok(Value::Number(*chosen));
        }
        let dice = lift(
            [&as_dice(left, budget)?, &as_dice(right, budget)?],
            budget,
            |rolls| {
                let [Some(left), Some(right)] = rolls else {
                    return Ok(None);
                };
                let (left, right) = (left.sum(budget)?.die, right.sum(budget)?.die);
                budget.charge(4 * (left.steps_to_map() + right.steps_to_map()))?;
                let chosen = |_: &Budget| {
                    Ok(match self {
                        Self::HigherOf => left.highest_of(&right),
                        _ => left.lowest_of(&right),
                    })
                };
                Roll::made(left.bytes_with(&right), budget, chosen).map(Some)
            },
        )?;
        Ok(Value::Dice(dice))
    }

    /// The sum of the highest, lowest or middle dice of up to three pools together.
    fn kept(self, keep: i64, pools: &[Dice], budget: &Budget) -> Result<Dice, Fault> {
        // None of no dice is nothing, and none of a die without faces is 0.
        let is_nothing = self == Self::Middle && pools.iter().all(|pool| pool.count() == 0);
        let sum_of = |rolls: &[Option<&Roll>]| {
            let dice = rolls.iter().flatten().map(|roll| u64::from(roll.count));
            if u32::try_from(dice.sum::<u64>()).is_err() {
                let message = "these are too many dice".to_owned();
                return Err(Fault::Large(
                    message,
                    "there may be 2^32 - 1 dice in a pool",
                ));
            }
            let groups = rolls.iter().flatten();
            let pool = Pool::new(groups.map(|roll| (roll.die.clone(), roll.count)));
            if pool.size() == 0 && (keep > 0 || is_nothing) {
                return Ok(None);
            }
            let kept = Feature::sum(self.places(keep, pool.kept_all()));
            Roll::made(0, budget, |budget| Ok(pool.read(&kept, budget)?)).map(Some)
        };
        match pools {
            [one] => lift([one], budget, |rolls| sum_of(&rolls)),
            [one, two] => lift([one, two], budget, |rolls| sum_of(&rolls)),
            [one, two, three] => lift([one, two, three], budget, |rolls| sum_of(&rolls)),
            _ => unreachable!("the shapes have one to three pools"),
        }
    }

    /// The places that are kept. Where the middle can't lie evenly it lies higher.
    fn places(self, keep: i64, all: Kept) -> Kept {
        let keep = u32::try_from(keep.max(0))
            .unwrap_or(u32::MAX)
            .min(all.len());
        match self {
            Self::Highest => all.keep_highest(keep),
            Self::Lowest => all.keep_lowest(keep),
            _ => all.drop_highest((all.len() - keep) / 2).keep_highest(keep),
        }
    }
}

/// Calls a function of a number with each number that a value can be.
fn each(
    value: &Value,
    budget: &Budget,
    of: impl Fn(i64) -> Result<Dice, Fault>,
) -> Result<Value, Fault> {
    Ok(Value::Dice(match numbers(value, budget)? {
        Rolled::One(number) => of(number)?,
        Rolled::Several(numbers) => mixed(numbers, budget, of)?.unwrap_or_else(Dice::empty),
    }))
}

fn absolute(value: &Value, budget: &Budget) -> Result<Value, Fault> {
    let checked = |x: i64| x.checked_abs().ok_or_else(|| Fault::overflow(0, "-", x));
    if let Value::Number(number) = value {
        return Ok(Value::Number(checked(*number)?));
    }
    let dice = lift([&as_dice(value, budget)?], budget, |[roll]| {
        roll.map(|roll| roll.map(budget, checked)).transpose()
    })?;
    Ok(Value::Dice(dice))
}

/// How often the numbers of a sequence are in another, or on the dice of a roll.
fn count(wanted: &Value, row: &Value, budget: &Budget) -> Result<Value, Fault> {
    match rows(wanted, Order::default(), budget)? {
        Rolled::One(wanted) => count_of(&wanted, row, budget),
        Rolled::Several(rolls) => {
            let count = |wanted: Row| as_dice(&count_of(&wanted, row, budget)?, budget);
            Ok(Value::Dice(
                mixed(rolls, budget, count)?.unwrap_or_else(Dice::empty),
            ))
        }
    }
}

fn count_of(wanted: &[i64], row: &Value, budget: &Budget) -> Result<Value, Fault> {
    budget.charge(wanted.len() as u128 * 20)?;
    let _wanted = Account::of(wanted.len() as u128 * 8, budget)?;
    let mut wanted = wanted.to_vec();
    wanted.sort_unstable();
    let times = |face: i64| {
        let below = wanted.partition_point(|x| *x < face);
        let times = wanted[below..].partition_point(|x| *x == face);
        i64::try_from(times).unwrap_or(i64::MAX)
    };
    if let Some(row) = row.row() {
        budget.charge(row.len() as u128 * 20)?;
        return Ok(Value::Number(sum(row.iter().map(|x| times(*x)))?));
    }
    let dice = lift([&as_dice(row, budget)?], budget, |[roll]| {
        let Some(roll) = roll else { return Ok(None) };
        let pool = roll.pool();
        budget.charge(roll.die.steps_to_map() * 4)?;
        // The faces, and the table of what they count.
        let _table = Account::of(roll.die.len() as u128 * 56, budget)?;
        let hits = Feature::sum_of(pool.kept_all(), pool.faces(), times);
        Ok(Some(roll.read(&hits, budget)?))
    })?;
    Ok(Value::Dice(dice))
}

/// Whether a number is in a sequence, or on a die of a roll.
fn contains(row: &Value, wanted: &Value, budget: &Budget) -> Result<Value, Fault> {
    let truth = |number: i64| -> Result<Value, Fault> {
        Ok(match count_of(&[number], row, budget)? {
            Value::Dice(dice) => Value::Dice(lift([&dice], budget, |[roll]| {
                roll.map(|roll| roll.map(budget, |x| Ok(i64::from(x > 0))))
                    .transpose()
            })?),
            Value::Number(count) => Value::Number(i64::from(count > 0)),
            Value::Sequence(_) | Value::Cut(_) => unreachable!("a count is a number"),
        })
    };
    match (row, wanted) {
        (Value::Number(_) | Value::Sequence(_), Value::Number(wanted)) => truth(*wanted),
        _ => each(wanted, budget, |wanted| as_dice(&truth(wanted)?, budget)),
    }
}

/// The greatest sum; 0 of the empty die.
fn maximum(dice: &Dice, budget: &Budget) -> Result<Value, Fault> {
    let sum = dice.sum(budget)?;
    Ok(Value::Number(sum.roll.map_or(0, |roll| roll.die.max())))
}

/// The greatest sum is rolled again and added, until the depth is reached.
fn explode(dice: &Dice, around: Around<'_>) -> Result<Value, Fault> {
    let (budget, depth) = (around.budget, around.explode_depth);
    let dice = dice.sum(budget)?;
    let Some(all) = &dice.roll else {
        return Ok(Value::Dice(dice));
    };
    let top = all.die.max();
    let exploded = |budget: &Budget| Ok(all.die.explode(|face| face == top, depth, budget)?);
    let exploded = Dice::of(Some(Roll::made(0, budget, exploded)?));
    let (clean, mass) = dice.clean();
    let Some(clean) = clean else {
        return Ok(Value::Dice(exploded.all_cut()));
    };
    let clean = stopped(&clean.die, top, &mass, around)?;
    Ok(Value::Dice(exploded.with_clean(clean)))
}

/// What ends before a die has shown its highest face as often as it may, of rolls that go on with a `mass`.
///
/// With `mass = m / q`, `t` the total of the die, `w` the weight of a face and `h` that of the highest, a roll that ends after
/// `k` highest faces has the probability `(m h)^k m w (q t)^(depth - k) / (q t)^(depth + 1)`.
fn stopped(die: &Dist, top: i64, mass: &RBig, around: Around<'_>) -> Result<Clean, Fault> {
    let (budget, depth) = (around.budget, around.explode_depth);
    if die.support().all(|face| face == top) {
        return Clean::new(None, RBig::ZERO, budget);
    }
    let (_, above) = mass.numerator().clone().into_parts();
    let below = mass.denominator() * die.total();
    let bits = (u128::from(depth) + 1).saturating_mul(below.bit_len() as u128 + 1);
    let words = bits / 64 + 1;
    let rolls = u128::from(depth) + 1;
    let ends = rolls.saturating_mul(die.len() as u128);
    let powers = rolls.saturating_mul(words).saturating_mul(words);
    let steps = ends.saturating_mul(20 + words).saturating_add(powers);
    budget.charge(steps.saturating_mul(4))?;
    let [count, bits] = [ends, bits].map(|many| usize::try_from(many).unwrap_or(usize::MAX));
    let highest = &above * die.weight(top);
    let mut all = UBig::ZERO;
    let pairs = || {
        let mut pairs = Vec::with_capacity(count);
        let mut going_on = above.clone();
        for rolls in 0..=depth {
            let rest = below.pow((depth - rolls) as usize);
            let each = &going_on * rest;
            // The greatest sum fits, since the die was exploded before.
            let more = top * i64::from(rolls);
            let faces = die.iter().filter(|(face, _)| *face != top);
            pairs.extend(faces.map(|(face, weight)| (face + more, weight * &each)));
            going_on *= &highest;
        }
        all = pairs.iter().map(|(_, weight)| weight).sum();
        pairs
    };
    let roll = reduced(Roll::of_weights(count, bits, budget, pairs)?, budget)?;
    let mass = RBig::from_parts(all.into(), below.pow(depth as usize + 1));
    Clean::new(Some(roll), mass, budget)
}
