//! From numbers to places: round steps, and how far along something lies.

use super::super::figure::Unit;
use super::super::number;

/// A stretch of numbers with marks at round ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The marks, ascending, and how they read.
    pub(crate) ticks: Vec<(f64, String)>,
}

/// Beyond this, differences of numbers could overflow.
const BEYOND: f64 = 1e300;

impl Scale {
    /// From nothing to certain.
    pub(crate) fn percent() -> Self {
        Self::with_step(0.0, 1.0, 0.25, Unit::Probability)
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
    fn with_step(low: f64, high: f64, step: f64, unit: Unit) -> Self {
        let first = (low / step + 1e-9).floor();
        let last = (high / step - 1e-9).ceil();
        let mut places = Vec::new();
        let mut place = first;
        while place <= last {
            places.push(place * step);
            place += 1.0;
        }
        let names = match unit {
            Unit::Number | Unit::Difference => number::ticks(&places, step),
            Unit::Probability | Unit::Points => {
                let hundredfold: Vec<f64> = places.iter().map(|p| p * 100.0).collect();
                let names = number::ticks(&hundredfold, step * 100.0);
                let sign = if unit == Unit::Points { "" } else { "%" };
                names.into_iter().map(|name| name + sign).collect()
            }
        };
        Self {
            low: first * step,
            high: last * step,
            ticks: places.into_iter().zip(names).collect(),
        }
    }

    /// The scale with its steps halved if it has three, so that another scale has round numbers beside them.
    pub(crate) fn parted(self) -> Self {
        if self.ticks.len() != 4 {
            return self;
        }
        let step = (self.high - self.low) / 6.0;
        Self::with_step(self.low, self.high, step, Unit::Probability)
    }

    /// From nothing to certain, with marks only where this scale has some.
    pub(crate) fn beside(&self) -> Self {
        let step = match self.ticks.len() {
            6 => 0.2,
            5 => 0.25,
            _ => 0.5,
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

/// The least of 1, 2, 2.5, 5 times a power of ten that is not much below `step`.
pub(crate) fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let rounded = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .find(|factor| factor * power >= step * 0.999_999);
    rounded.unwrap_or(10.0) * power
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
