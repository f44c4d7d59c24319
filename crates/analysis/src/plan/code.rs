//! The outcome of a check, as one number: its worth, its band and what was spent on it.

use oddsmith_dist::{IBig, RBig, UBig, least_common_multiple};
use oddsmith_rules::program::{BinaryOp, Expr, Kind, VarId};
use oddsmith_rules::{Check, Measure, Number, Span, Spending, Utility};

/// Writes what comes of a check as one number, `(worth * bands + band) * spans + spent + most`, and reads it back. The
/// worth of a band is not a part of it: it need not be whole.
pub(super) struct Code {
    bands: i64,
    /// The most points that there may be: no more are spent, and no more come back.
    most: i64,
    /// One more than the greatest `spent + most`.
    spans: i64,
    /// The worth of each band, if it is the bands that are worth something.
    worth: Option<Vec<RBig>>,
}

/// An outcome of a check.
pub(super) struct Outcome {
    /// The worth as an expression has it; 0 if it is the band that has a worth.
    worth: i64,
    /// The place of its band; 0 if it has none.
    pub(super) band: usize,
    /// The points that were spent, below 0 if some came back; one more than the greatest number of points stands for all
    /// that is more.
    pub(super) spent: i64,
}

impl Code {
    /// For up to `most` points.
    pub(super) fn new(spending: &Spending, most: i64) -> Self {
        let bands = spending.check.band();
        let count = bands.map_or(1, |(_, bands)| bands.labels().len());
        let ratio = |number: &Number| number.value.clone();
        Self {
            bands: i64::try_from(count).expect("a few bands"),
            most,
            spans: 2 * most + 2,
            worth: match &spending.utility {
                Utility::Bands(numbers) => Some(numbers.iter().map(ratio).collect()),
                Utility::Measure(_) => None,
            },
        }
    }

    /// The check, which strives for this number.
    pub(super) fn coded(&self, spending: &Spending) -> Check {
        let check = spending.check.clone();
        let span = check.span;
        let number = |value| Expr::constant(value, span);
        let spent = match spending.spent {
            Some(var) => variable(var, span),
            None => Expr::input(spending.axis, span),
        };
        let spent = binary(BinaryOp::Max, spent, number(-self.most));
        let spent = binary(BinaryOp::Min, spent, number(self.most + 1));
        let band = check.band();
        let band = band.map_or(number(0), |(band, _)| variable(band.var, span));
        let worth = match &spending.utility {
            Utility::Bands(_) => number(0),
            Utility::Measure(measure) => measure.value.clone(),
        };
        let place = binary(
            BinaryOp::Add,
            binary(BinaryOp::Multiply, worth, number(self.bands)),
            band,
        );
        let place = binary(BinaryOp::Multiply, place, number(self.spans));
        let value = binary(
            BinaryOp::Add,
            place,
            binary(BinaryOp::Add, spent, number(self.most)),
        );
        check.striving_for(Measure {
            value,
            labels: None,
            text: "the worth of the scene".to_owned(),
        })
    }

    /// The outcome that a value of the goal stands for.
    pub(super) fn read(&self, value: i64) -> Outcome {
        let place = value.div_euclid(self.spans);
        Outcome {
            worth: place.div_euclid(self.bands),
            band: usize::try_from(place.rem_euclid(self.bands)).expect("not negative"),
            spent: value.rem_euclid(self.spans) - self.most,
        }
    }

    /// The worth of an outcome by itself, over [`Code::denominator`].
    pub(super) fn worth(&self, outcome: &Outcome, denominator: &UBig) -> IBig {
        match &self.worth {
            Some(bands) => numerator(&bands[outcome.band], denominator),
            None => IBig::from(outcome.worth) * IBig::from(denominator.clone()),
        }
    }

    /// A denominator of all worths and of these values.
    pub(super) fn denominator<'v>(&'v self, values: impl Iterator<Item = &'v RBig>) -> UBig {
        let all = values.chain(self.worth.iter().flatten());
        let all: Vec<UBig> = all.map(|value| value.denominator().clone()).collect();
        least_common_multiple(all.iter())
    }
}

/// The numerator of a value over a multiple of its denominator.
pub(super) fn numerator(value: &RBig, denominator: &UBig) -> IBig {
    value.numerator() * IBig::from(denominator / value.denominator())
}

fn variable(var: VarId, span: Span) -> Expr {
    Expr::new(Kind::Var(var), span)
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr::binary(op, left, right, span)
}
