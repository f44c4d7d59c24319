//! From numbers to places: round steps, and how far along something lies.

use oddsmith_numbers::decimal::decimal;
use oddsmith_numbers::{IBig, RBig, UBig, narrow};

use super::super::figure::Unit;

/// A stretch of numbers with marks at round ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The marks, ascending, and how they read.
    pub(crate) ticks: Vec<(f64, String)>,
    /// From a mark to the next.
    step: RBig,
}

/// Beyond this, differences of numbers could overflow.
const BEYOND: f64 = 1e300;

impl Scale {
    /// From nothing to certain.
    pub(crate) fn percent() -> Self {
        Self::with_step(0.0, 1.0, part(4), Unit::Probability)
    }

    /// A scale for these numbers, from a round number to a round one. Probabilities that take up much of what there is
    /// stand on all of it, and what is not far above 0 begins there.
    pub(crate) fn of(numbers: impl Iterator<Item = f64>, unit: Unit) -> Self {
        let numbers = numbers.filter(|x| x.is_finite());
        let range = numbers
            .map(|x| x.clamp(-BEYOND, BEYOND))
            .fold(None, |range, x| {
                let (low, high) = range.unwrap_or((x, x));
                Some((x.min(low), x.max(high)))
            });
        let (mut low, mut high) = range.unwrap_or((0.0, 1.0));
        if unit == Unit::Probability && high - low >= 0.5 {
            return Self::percent();
        }
        if low > 0.0 && low <= 0.5 * high {
            low = 0.0;
        }
        if high < 0.0 && high >= 0.5 * low {
            high = 0.0;
        }
        if high - low <= 1e-9 * high.abs().max(low.abs()) || high - low < 1e-290 {
            (low, high) = alone(low, high, unit);
        }
        let step = round_step((high - low) / 5.0);
        Self::with_step(low, high, step, unit)
    }

    /// The scale with marks at the multiples of `step`, widened to the nearest of them.
    #[allow(clippy::cast_possible_truncation)]
    fn with_step(low: f64, high: f64, step: RBig, unit: Unit) -> Self {
        let length = decimal(&step);
        // Few steps lead from 0 to numbers that are not as good as one.
        let first = (low / length + 1e-9).floor() as i64;
        let last = (high / length - 1e-9).ceil() as i64;
        let names = match unit {
            Unit::Number | Unit::Difference => narrow::marks(first..=last, &step),
            Unit::Probability | Unit::Points => {
                let names = narrow::marks(first..=last, &(&step * RBig::from(100)));
                let sign = if unit == Unit::Points { "" } else { "%" };
                names.into_iter().map(|name| name + sign).collect()
            }
        };
        let place = |multiple: i64| multiple as f64 * length;
        Self {
            low: place(first),
            high: place(last),
            ticks: (first..=last).map(place).zip(names).collect(),
            step,
        }
    }

    /// The scale with its steps halved if it has three, so that another scale has round numbers beside them.
    pub(crate) fn parted(self) -> Self {
        if self.ticks.len() != 4 {
            return self;
        }
        let step = self.step / RBig::from(2);
        Self::with_step(self.low, self.high, step, Unit::Probability)
    }

    /// From nothing to certain, with marks only where this scale has some.
    pub(crate) fn beside(&self) -> Self {
        let step = match self.ticks.len() {
            6 => part(5),
            5 => part(4),
            _ => part(2),
        };
        Self::with_step(0.0, 1.0, step, Unit::Probability)
    }

    /// The scale that reaches as far below 0 as above.
    pub(crate) fn symmetric(numbers: impl Iterator<Item = f64>, unit: Unit) -> Self {
        let numbers = numbers.filter(|x| x.is_finite());
        let most = numbers.fold(0.0_f64, |most, x| most.max(x.abs()));
        Self::of([-most, most].into_iter(), unit)
    }

    /// How far along a number lies, from 0 to 1.
    pub(crate) fn share(&self, x: f64) -> f64 {
        let x = x.clamp(-BEYOND, BEYOND);
        ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

/// What surrounds numbers that are as good as one.
fn alone(low: f64, high: f64, unit: Unit) -> (f64, f64) {
    match unit {
        Unit::Probability => (0.0, 1.0),
        _ if high.max(-low) >= 1e-290 => (low.min(0.0), high.max(0.0)),
        Unit::Number => (0.0, 1.0),
        Unit::Points => (-0.01, 0.01),
        Unit::Difference => (-1.0, 1.0),
    }
}

/// One of so many parts.
fn part(of: u8) -> RBig {
    RBig::from_parts(IBig::ONE, of.into())
}

/// The least of 1, 2, 2.5, 5 times a power of ten that is not much below `step`.
#[allow(clippy::cast_possible_truncation)]
fn round_step(step: f64) -> RBig {
    let exponent = step.log10().floor() as i32;
    let power = 10_f64.powf(f64::from(exponent));
    let halves = [2_u8, 4, 5, 10, 20];
    let rounded = halves
        .into_iter()
        .find(|halves| f64::from(*halves) / 2.0 * power >= step * 0.999_999);
    let factor = RBig::from(rounded.unwrap_or(20)) * part(2);
    let ten = RBig::from(UBig::from(10_u8).pow(exponent.unsigned_abs() as usize));
    match exponent < 0 {
        true => factor / ten,
        false => factor * ten,
    }
}

#[cfg(test)]
mod tests {
    use super::{Scale, Unit};

    fn ticks(numbers: &[f64], unit: Unit) -> Vec<String> {
        let scale = Scale::of(numbers.iter().copied(), unit);
        scale.ticks.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn scales_are_round() {
        assert_eq!(
            ticks(&[0.01, 0.9], Unit::Probability),
            ["0%", "25%", "50%", "75%", "100%"]
        );
        assert_eq!(ticks(&[0.91, 0.92], Unit::Probability).len(), 6);
        assert_eq!(
            ticks(&[-3.0, 4.0], Unit::Number),
            ["−4", "−2", "0", "2", "4"]
        );
        assert_eq!(ticks(&[], Unit::Number).len(), 6);
        assert_eq!(
            ticks(&[-0.165, 0.165], Unit::Points),
            ["−20", "−10", "0", "10", "20"]
        );
        let nothing = Scale::symmetric([0.0, 0.0].into_iter(), Unit::Points);
        assert!((nothing.share(0.0) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn scales_hold_their_numbers() {
        let tiny = f64::MIN_POSITIVE;
        for numbers in [
            vec![0.0],
            vec![-7.0],
            vec![1e300, -1e300],
            vec![f64::MAX],
            vec![tiny, 2.0 * tiny],
            vec![1e9, 1e9 + 1.0],
            vec![0.1, f64::NAN],
        ] {
            let scale = Scale::of(numbers.iter().copied(), Unit::Number);
            assert!(
                (2..=12).contains(&scale.ticks.len()),
                "{numbers:?}: {scale:?}"
            );
            assert!(scale.low < scale.high, "{numbers:?}: {scale:?}");
            for number in numbers.iter().filter(|x| x.abs() <= 1e300) {
                assert!(
                    (scale.low..=scale.high).contains(number),
                    "{number}: {scale:?}"
                );
            }
        }
    }

    #[test]
    fn the_scale_beside_another_has_its_marks_beside_those() {
        for highest in 1..100 {
            let scale = Scale::of(
                [0.0, f64::from(highest) / 100.0].into_iter(),
                Unit::Probability,
            )
            .parted();
            for (value, _) in scale.beside().ticks {
                let mark = |(other, _): &(f64, String)| (scale.share(*other) - value).abs() < 1e-9;
                assert!(scale.ticks.iter().any(mark), "{highest}: {scale:?}");
            }
        }
    }
}
