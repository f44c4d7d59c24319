//! A number as an exact fraction.

use oddsmith_dist::{IBig, RBig, SquareRoot as _, UBig};

/// The exact answer to a query: `weight / total`, not reduced.
///
/// A total of 0 stands for no number: a query whose condition never happens (`0 / 0`), or an infinite mean
/// (`1 / 0`, or `-1 / 0` if it falls without end).
///
/// For a probability both are sums of integer weights of rolls; for a mean or a variance they are the
/// fraction's two parts. A standard deviation that is no fraction is cut off behind [`ROOT_DIGITS`] digits after the
/// point, and one more digit, a 1, says that others follow: so it rounds to fewer digits as the root does, and compares
/// with a decimal of fewer digits as the root does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The numerator; negative only for means.
    pub weight: IBig,
    /// The denominator.
    pub total: UBig,
}

/// The digits after the point that a root is worked out to.
pub const ROOT_DIGITS: usize = 60;

impl Answer {
    /// `0 / 0`: a place for an answer to come.
    pub(crate) fn nothing() -> Self {
        Self {
            weight: IBig::ZERO,
            total: UBig::ZERO,
        }
    }

    /// More than any number, a mean that no finite number of rounds reaches; or less than any, if it falls.
    pub(crate) fn infinite(falls: bool) -> Self {
        Self {
            weight: if falls { IBig::NEG_ONE } else { IBig::ONE },
            total: UBig::ZERO,
        }
    }

    /// The value `value`, one that comes up.
    pub(crate) fn whole(value: i64) -> Self {
        Self {
            weight: value.into(),
            total: UBig::ONE,
        }
    }

    /// The square root of a number that is not negative; see [`Answer`] for one that is no fraction.
    pub(crate) fn root(self) -> Self {
        let Some(square) = self.to_ratio() else {
            return self;
        };
        let (part, whole) = square.into_parts();
        let part = UBig::try_from(part).expect("a variance is not negative");
        let roots = [part.sqrt(), whole.sqrt()];
        if roots[0].sqr() == part && roots[1].sqr() == whole {
            let [part, total] = roots;
            return Self {
                weight: part.into(),
                total,
            };
        }
        let scale = UBig::from(10_u8).pow(ROOT_DIGITS);
        let ten = UBig::from(10_u8);
        let cut_off = (part * scale.sqr() / whole).sqrt();
        Self {
            weight: (cut_off * &ten + UBig::ONE).into(),
            total: scale * ten,
        }
    }

    /// Whether it is a root that is no fraction, cut off.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.total == UBig::from(10_u8).pow(ROOT_DIGITS + 1)
    }

    /// Whether it is more than any number, `1 / 0`, or less than any, `-1 / 0`.
    #[must_use]
    pub fn is_infinite(&self) -> bool {
        self.total == UBig::ZERO && self.weight != IBig::ZERO
    }

    /// The value in lowest terms; none if it is infinite or if the total is 0 (the condition of a query never happens).
    #[must_use]
    pub fn to_ratio(&self) -> Option<RBig> {
        if self.total == UBig::ZERO {
            return None;
        }
        Some(RBig::from_parts(self.weight.clone(), self.total.clone()))
    }
}

impl From<RBig> for Answer {
    fn from(ratio: RBig) -> Self {
        let (weight, total) = ratio.into_parts();
        Self { weight, total }
    }
}

#[cfg(test)]
mod tests {
    use oddsmith_dist::{IBig, UBig};

    use super::{Answer, ROOT_DIGITS};

    fn root(weight: i64, total: u64) -> Answer {
        let (weight, total) = (IBig::from(weight), UBig::from(total));
        Answer { weight, total }.root()
    }

    #[test]
    fn the_root_of_a_square_is_exact() {
        let half = root(8, 18).to_ratio().expect("a number");
        assert_eq!(half.to_string(), "2/3");
        assert_eq!(root(0, 5).to_ratio().expect("a number").to_string(), "0");
        assert!(Answer::infinite(false).root().is_infinite());
    }

    /// Of every other root the digits that are there lie below it, and one more of the last lies above.
    #[test]
    fn other_roots_are_cut_off_and_say_so() {
        for square in [2_u64, 3, 35, 99_999_999] {
            let found = root(i64::try_from(square).expect("it is small"), 1);
            let scale = UBig::from(10_u8).pow(ROOT_DIGITS + 1);
            assert_eq!(found.total, scale);
            let found = UBig::try_from(found.weight).expect("a root is positive");
            let whole = UBig::from(square) * scale.sqr();
            assert_eq!(&found % UBig::from(10_u8), UBig::ONE);
            let cut_off = &found - UBig::ONE;
            assert!(cut_off.sqr() < whole && whole < (cut_off + UBig::from(10_u8)).sqr());
        }
    }
}
