//! The outcome of a check, as one number: its worth, its band and what was spent on it.

use oddsmith_dist::{IBig, RBig, UBig, least_common_multiple};
use oddsmith_rules::program::{BinaryOp, Expr, Kind, VarId};
use oddsmith_rules::{Check, Measure, Number, Span, Spending, Utility};

/// Writes what comes of a check as one number, `(worth * bands + band) * spans + spent + most`, with such a last step for each
/// resource, and reads it back. The worth of a band is not a part of it: it need not be whole.
pub(super) struct Code {
    bands: i64,
    /// The most points of each resource that there may be: no more are spent, and no more come back.
    most: Vec<i64>,
    /// The worth of each band, if it is the bands that are worth something.
    worth: Option<Vec<RBig>>,
}

/// An outcome of a check.
pub(super) struct Outcome {
    /// The worth as an expression has it; 0 if it is the band that has a worth.
    worth: i64,
    /// The place of its band; 0 if it has none.
    pub(super) band: usize,
    /// The points of each resource that were spent, below 0 if some came back; one more than the greatest number of points
    /// stands for all that is more.
    pub(super) spent: Vec<i64>,
}

impl Code {
    /// For up to `most` points of each resource.
    pub(super) fn new(spending: &Spending, most: Vec<i64>) -> Self {
        let bands = spending.check.band();
        let count = bands.map_or(1, |(_, bands)| bands.labels().len());
        let ratio = |number: &Number| number.value.clone();
        Self {
            bands: i64::try_from(count).expect("a few bands"),
            most,
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
        let outlays = spending.outlays.iter().zip(&self.most);
        let value = outlays.fold(place, |place, (outlay, &most)| {
            let spent = match outlay.spent {
                Some(var) => variable(var, span),
                None => Expr::input(outlay.axis, span),
            };
            let spent = binary(BinaryOp::Max, spent, number(-most));
            let spent = binary(BinaryOp::Min, spent, number(most + 1));
            let spent = binary(BinaryOp::Add, spent, number(most));
            let place = binary(BinaryOp::Multiply, place, number(spans(most)));
            binary(BinaryOp::Add, place, spent)
        });
        check.striving_for(Measure {
            value,
            labels: None,
            text: "the worth of the scene".to_owned(),
        })
    }

    /// The outcome that a value of the goal stands for.
    pub(super) fn read(&self, value: i64) -> Outcome {
        let (mut place, mut spent) = (value, self.most.clone());
        for own in spent.iter_mut().rev() {
            let most = *own;
            *own = place.rem_euclid(spans(most)) - most;
            place = place.div_euclid(spans(most));
        }
        Outcome {
            worth: place.div_euclid(self.bands),
            band: usize::try_from(place.rem_euclid(self.bands)).expect("not negative"),
            spent,
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

/// One more than the greatest `spent + most`.
fn spans(most: i64) -> i64 {
    2 * most + 2
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
