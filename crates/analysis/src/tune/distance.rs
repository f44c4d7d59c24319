//! How far an answer is from what it should be, so that many can be compared fast and none wrongly.

use std::cmp::Ordering;

use oddsmith_dist::{RBig, UBig};
use oddsmith_exact::RowAnswer;
use oddsmith_rules::{Goal, Number, QueryKind};

use crate::number::Value;

/// A distance from 0 on. Their order is that of the exact values, most often found from the whole parts alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Distance {
    /// `floor(exact * 2^64)`, or the greatest number there is if that does not fit.
    pub(crate) floor: u128,
    pub(crate) exact: Value,
}

impl Distance {
    /// The distance of that size.
    pub(crate) fn of(exact: Value) -> Self {
        let floor = match &exact {
            Value::Finite(ratio) => floor_of(ratio),
            _ => u128::MAX,
        };
        Self { floor, exact }
    }

    /// No distance.
    pub(crate) fn zero() -> Self {
        Self::of(Value::ZERO)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.floor == 0 && self.exact == Value::ZERO
    }
}

/// `floor(ratio * 2^64)` of what is not negative, as far as it fits.
fn floor_of(ratio: &RBig) -> u128 {
    let (above, below) = (ratio.numerator(), ratio.denominator());
    if let (Ok(above), Ok(below)) = (u64::try_from(above), u128::try_from(below)) {
        return (u128::from(above) << 64) / below;
    }
    let above = UBig::try_from(above.clone()).unwrap_or(UBig::ZERO);
    u128::try_from((above << 64) / below).unwrap_or(u128::MAX)
}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Distance {
    fn cmp(&self, other: &Self) -> Ordering {
        let floors = self.floor.cmp(&other.floor);
        floors.then_with(|| self.exact.cmp(&other.exact))
    }
}

/// A want: what an answer should be.
#[derive(Clone, Debug)]
pub(crate) struct Want {
    /// The lower end of where it may lie; of a wish, both ends are the number that it should be near to.
    low: Option<Bound>,
    high: Option<Bound>,
    /// 100 points make a probability; other answers are counted in their own units.
    scale: RBig,
    /// The weight of a point or a unit.
    weight: RBig,
}

/// An end of an interval.
#[derive(Clone, Debug)]
struct Bound {
    value: Value,
    /// The value as numerator and denominator, if both are shorter than 63 bits.
    short: Option<(i128, i128)>,
}

impl Bound {
    fn new(value: Value) -> Self {
        let short = match &value {
            Value::Finite(ratio) => {
                let above = i64::try_from(ratio.numerator()).ok();
                let below = i64::try_from(ratio.denominator()).ok();
                above.zip(below)
            }
            _ => None,
        };
        Self {
            value,
            short: short.map(|(above, below)| (above.into(), below.into())),
        }
    }

    /// How an answer compares with it; none if there is no answer.
    fn compare(&self, answer: RowAnswer<'_>) -> Option<Ordering> {
        const SHORT: i128 = 1 << 63;
        if let (RowAnswer::Small { weight, total }, Some((above, below))) = (answer, self.short)
            && (1..SHORT).contains(&total)
            && (-SHORT..SHORT).contains(&weight)
        {
            return Some((weight * below).cmp(&(above * total)));
        }
        Some(Value::of(answer)?.cmp(&self.value))
    }
}

impl Want {
    /// The want of a goal whose answer is `now` with the file's own parameters.
    ///
    /// # Errors
    /// Nothing, if there is no number to keep.
    pub(crate) fn of(goal: &Goal, now: Option<Value>) -> Option<Self> {
        use oddsmith_rules::Aim::{Keep, Near, Within};
        let bound = |value| Some(Bound::new(value));
        let (low, high, weight) = match &goal.aim {
            Within(bounds) => {
                let end = |end: &Option<Number>| bound(Value::Finite(end.as_ref()?.value.clone()));
                (end(&bounds.at_least), end(&bounds.at_most), RBig::ONE)
            }
            Keep(within) => {
                let (now, within) = (now?, Value::Finite(within.value.clone()));
                (
                    bound(now.minus(&within)?),
                    bound(now.plus(&within)?),
                    RBig::ONE,
                )
            }
            Near { number, weight } => {
                let number = Value::Finite(number.value.clone());
                (bound(number.clone()), bound(number), weight.value.clone())
            }
        };
        let is_chance = matches!(goal.query.kind, QueryKind::Probability(_));
        let scale = if is_chance { 100_u8 } else { 1 };
        Some(Self {
            low,
            high,
            scale: RBig::from(scale),
            weight,
        })
    }

    /// Whether an answer is what it should be; no answer never is.
    pub(crate) fn is_met(&self, answer: RowAnswer<'_>) -> bool {
        let is = |end: &Option<Bound>, wrong| match end {
            Some(bound) => bound.compare(answer).is_some_and(|order| order != wrong),
            None => Value::of(answer).is_some(),
        };
        is(&self.low, Ordering::Less) && is(&self.high, Ordering::Greater)
    }

    /// On which side of what it should be an answer lies: 0 below, 1 where it is right, 2 above; none without an answer.
    pub(crate) fn side(&self, answer: RowAnswer<'_>) -> Option<u32> {
        Value::of(answer)?;
        let is = |end: &Option<Bound>, wrong| {
            let order = end.as_ref().map(|bound| bound.compare(answer));
            order.is_some_and(|order| order == Some(wrong))
        };
        Some(
            match (
                is(&self.low, Ordering::Less),
                is(&self.high, Ordering::Greater),
            ) {
                (true, _) => 0,
                (_, true) => 2,
                _ => 1,
            },
        )
    }

    /// The miss of an answer, in points of a probability or units of another number; without end if there is no answer.
    pub(crate) fn off(&self, value: Option<&Value>) -> Value {
        let Some(value) = value else {
            return Value::Infinite;
        };
        let below = self.low.as_ref().filter(|low| *value < low.value);
        let above = self.high.as_ref().filter(|high| *value > high.value);
        let off = match (below, above) {
            (Some(low), _) => low.value.minus(value),
            (_, Some(high)) => value.minus(&high.value),
            _ => return Value::ZERO,
        };
        match off {
            Some(Value::Finite(off)) => Value::Finite(off * &self.scale),
            _ => Value::Infinite,
        }
    }

    /// A miss with its weight.
    pub(crate) fn weighted(&self, off: Value) -> Value {
        match off {
            Value::Finite(off) if self.weight != RBig::ONE => Value::Finite(off * &self.weight),
            off => off,
        }
    }

    /// The weighted miss of an answer.
    pub(crate) fn distance(&self, answer: RowAnswer<'_>) -> Distance {
        Distance::of(self.weighted(self.off(Value::of(answer).as_ref())))
    }
}
