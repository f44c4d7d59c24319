//! Values that are looked at again and again, taken to where they are going.
//!
//! Where each look changes all values by nearly the same part of what the look before changed, the changes to come are a geometric
//! series, and its sum is added at once. Values are floats here, and decide nothing: what a leap misses further looks mend.
//!
//! ```text
//! x = 1 + x / 2, looked at from 0:  0, 1, 1.5, 1.75, …     each change is half of the one before
//! so all further changes are 0.25 · (1/2 + 1/4 + …) = 0.25, and 1.75 is taken to 2
//! ```

/// Changes that shrink by less than this in a look are not looked ahead of: what is left of them can't be told well.
const MOST_LEFT: f64 = 0.98;
/// Two looks in a row have to leave as much of a change, up to this part of what they take off it.
const ALIKE: f64 = 0.1;
/// What changes by less than this part of itself may be no more than what floats round.
const LEAST: f64 = 1e-13;

/// The values of a block as they were.
#[derive(Debug, Default)]
pub(super) struct Leap {
    last: Vec<f64>,
    /// What the look before has changed; empty if there was none since a leap.
    change: Vec<f64>,
    /// What the look before has left of the change before that; no number if there was none since a leap.
    left: f64,
}

impl Leap {
    /// The values of a block before the first look.
    pub(super) fn begin(&mut self, values: &[f64]) {
        self.last.clear();
        self.last.extend_from_slice(values);
        self.start();
    }

    fn start(&mut self) {
        self.change.clear();
        self.left = f64::NAN;
    }

    /// Takes values further after a look that has changed them by so large a part of themselves.
    pub(super) fn take(&mut self, values: &mut [f64], changed: f64) {
        if changed < LEAST || values.len() == 1 {
            return;
        }
        let changes = |last: &[f64], values: &[f64]| {
            let both = values.iter().zip(last);
            both.map(|(value, last)| value - last).collect::<Vec<f64>>()
        };
        let now = changes(&self.last, values);
        let both = now.iter().zip(&self.change);
        let (along, before) = both.fold((0.0, 0.0), |(along, square), (now, before)| {
            (along + now * before, square + before * before)
        });
        // It is no number at the first look.
        let left = along / before;
        let is_alike = (left - self.left).abs() < ALIKE * (1.0 - left);
        (self.change, self.left) = (now, left);
        if is_alike && left > 0.0 && left < MOST_LEFT {
            let further = left / (1.0 - left);
            let all = values.iter_mut().zip(&self.change);
            all.for_each(|(value, change)| *value += further * change);
            self.start();
        }
        self.last.copy_from_slice(values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that go to 2 and 4, the second one by way of the first, in few looks.
    #[test]
    fn what_is_left_of_a_series_is_added_at_once() {
        let mut values = [0.0, 0.0];
        let mut leap = Leap::default();
        leap.begin(&values);
        let mut looks = 0;
        loop {
            let before = values;
            values[0] = 0.2 + 0.9 * values[0];
            values[1] = 0.4 + values[0] + 0.4 * values[1];
            let off = (values[0] - before[0])
                .abs()
                .max((values[1] - before[1]).abs());
            looks += 1;
            if off <= 1e-9 {
                break;
            }
            leap.take(&mut values, off);
        }
        assert!(
            (values[0] - 2.0).abs() < 1e-6 && (values[1] - 4.0).abs() < 1e-6,
            "{values:?}"
        );
        assert!(looks < 60, "{looks} looks, and without leaps 188");
    }
}
