//! `@`: digits of a number, numbers of a sequence, dice of a sorted roll.

use oddsmith_dist::{BitTest, Budget, Evaluator, Feature, Kept};

use crate::dice::{Dice, Roll, lift};
use crate::fault::Fault;
use crate::numbers::{digit, sum};
use crate::syntax::Order;
use crate::value::Value;

/// `places @ value`; several places are added up, and a place that there is not counts 0.
pub(crate) fn at(
    places: &Value,
    value: &Value,
    order: Order,
    budget: &Budget,
) -> Result<Value, Fault> {
    let places = places.row().ok_or_else(|| {
        Fault::Value(
            "the place before `@` is a die".to_owned(),
            "a place is a number or a sequence; a function with a parameter :n takes a die one face at a time",
        )
    })?;
    budget.charge(places.len() as u128 * 10)?;
    let of_row = |row: &[i64]| {
        let numbers = places.iter().map(|place| {
            let place = place.checked_sub(1).and_then(|p| usize::try_from(p).ok());
            place.and_then(|p| row.get(p)).copied().unwrap_or(0)
        });
        sum(numbers)
    };
    match value {
        Value::Number(number) | Value::Cut(number) => {
            let digits: i64 = places.iter().map(|p| digit(*number, *p, order)).sum();
            Ok(Value::Number(digits))
        }
        Value::Sequence(row) => Ok(Value::Number(of_row(row)?)),
        Value::Dice(dice) => Ok(Value::Dice(of_dice(places, dice, order, budget)?)),
    }
}

/// The sum of the dice at some places.
fn of_dice(places: &[i64], dice: &Dice, order: Order, budget: &Budget) -> Result<Dice, Fault> {
    let count = dice.count();
    if count == 0 {
        return Ok(dice.clone());
    }
    let from_highest = |place: &i64| {
        let place = u32::try_from(*place).ok()?;
        match order {
            Order::HighestFirst => place.checked_sub(1).filter(|place| *place < count),
            Order::LowestFirst => count.checked_sub(place).filter(|place| *place < count),
        }
    };
    let mut places: Vec<u32> = places.iter().filter_map(from_highest).collect();
    places.sort_unstable();
    if places.is_empty() {
        return Ok(Dice::number(0));
    }
    lift([dice], budget, |[roll]| {
        roll.map(|roll| kept(roll, &places, budget)).transpose()
    })
}

/// The sum of the dice at places that are counted from the highest, sorted, and may be there several times.
fn kept(roll: &Roll, places: &[u32], budget: &Budget) -> Result<Roll, Fault> {
    let times = places
        .iter()
        .take_while(|place| **place == places[0])
        .count();
    let times_each = i64::try_from(times).unwrap_or(i64::MAX);
    let is_range = places
        .chunks(times)
        .zip(places[0]..)
        .all(|(same, place)| same.len() == times && same.iter().all(|p| *p == place));
    if is_range {
        let (start, end) = (places[0], places[places.len() - 1] + 1);
        let read = roll.read(&Feature::sum(Kept { start, end }), budget)?;
        let times = |x: i64| {
            let product = x.checked_mul(times_each);
            product.ok_or_else(|| Fault::overflow(x, "*", times_each))
        };
        return match times_each {
            1 => Ok(read),
            _ => read.map(budget, times),
        };
    }
    let most = roll
        .die
        .min()
        .unsigned_abs()
        .max(roll.die.max().unsigned_abs());
    let face = roll.die.max();
    let count = i64::try_from(places.len()).unwrap_or(i64::MAX);
    if most
        .checked_mul(places.len() as u64)
        .is_none_or(|sum| i64::try_from(sum).is_err())
    {
        return Err(Fault::overflow(face, "*", count));
    }
    let sums = roll.pool().fold(&Places(places), budget)?;
    let bits = sums.total().bit_len();
    Roll::of_weights(sums.len(), bits, budget, || sums.into_iter().collect())
}

/// Sums the dice at some places, sorted, counted from the highest.
struct Places<'a>(&'a [u32]);

impl Places<'_> {
    /// How many of the places lie before one.
    fn before(&self, place: u32) -> usize {
        self.0.partition_point(|kept| *kept < place)
    }
}

impl Evaluator for Places<'_> {
    /// How many dice have their place, and the sum so far.
    type State = (u32, i64);
    type Outcome = i64;

    fn start(&self, _size: u32) -> Self::State {
        (0, 0)
    }

    fn step(&self, (placed, sum): &Self::State, face: i64, count: u32) -> Self::State {
        let times = self.before(placed + count) - self.before(*placed);
        // The largest sum fits, as was seen before.
        (
            placed + count,
            sum + face * i64::try_from(times).unwrap_or(0),
        )
    }

    fn enough(&self, (placed, _): &Self::State, _face: i64) -> Option<u32> {
        let last = self.0[self.0.len() - 1];
        Some((last + 1).saturating_sub(*placed))
    }

    fn finish(&self, (_, sum): Self::State) -> i64 {
        sum
    }
}
