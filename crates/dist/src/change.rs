//! One distribution changed: moved, mirrored, scaled, relabelled, rerolled.

use std::convert::Infallible;

use dashu_int::UBig;

use crate::number::with_width;
use crate::{Dist, Error};

impl Dist {
    /// Every outcome plus `k`.
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] if an outcome leaves `i64`.
    pub fn shift(&self, k: i64) -> Result<Self, Error> {
        for x in [self.min(), self.max()] {
            checked(x, "+", k, i64::checked_add)?;
        }
        Ok(self.moved(k))
    }

    /// Every outcome with its sign turned.
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] if `i64::MIN` is an outcome.
    pub fn negate(&self) -> Result<Self, Error> {
        checked(0, "-", self.min(), i64::checked_sub)?;
        Ok(self.mirrored())
    }

    /// Every outcome times `k`. With `k = 0` all weight falls on 0; the total stays.
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] if an outcome leaves `i64`.
    pub fn scale(&self, k: i64) -> Result<Self, Error> {
        self.try_map(|x| checked(x, "*", k, i64::checked_mul))
    }

    /// The distribution of `f(X)`. Weights of outcomes that `f` makes equal are added, so the
    /// total stays.
    ///
    /// ```
    /// # use oddsmith_dist::{Dist, UBig};
    /// let success = Dist::die(10)?.map(|face| i64::from(face >= 7));
    /// assert_eq!(success.weight(1), UBig::from(4_u8));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    pub fn map(&self, mut f: impl FnMut(i64) -> i64) -> Self {
        match self.try_map(|x| Ok::<_, Infallible>(f(x))) {
            Ok(mapped) => mapped,
            Err(never) => match never {},
        }
    }

    /// Like [`map`](Self::map), for a function that can fail: `f` is called once for each
    /// outcome, ascending, until it does.
    ///
    /// # Errors
    /// The first error of `f`.
    pub fn try_map<E>(&self, mut f: impl FnMut(i64) -> Result<i64, E>) -> Result<Self, E> {
        with_width!(self.bits(), W => {
            let mut pairs = self.pairs::<W>();
            for (x, _) in &mut pairs {
                *x = f(*x)?;
            }
            Ok(Self::from_unsorted(pairs, self.total().clone()))
        })
    }

    /// The die rolled again for as long as `again` holds: the die of the other faces, with
    /// their weights. The total shrinks to the sum of these.
    ///
    /// # Errors
    /// [`Error::Empty`] if `again` holds for every face, so that rolling would never end.
    pub fn reroll(&self, mut again: impl FnMut(i64) -> bool) -> Result<Self, Error> {
        Self::from_weights(self.iter().filter(|(x, _)| !again(*x)))
    }

    /// The die rolled again once if `again` holds; the second face stands, whatever it is.
    ///
    /// With `T` the total and `A` the weight of the matching faces, `x` has the weight
    /// `A * weight(x)`, plus `T * weight(x)` if it does not match; the new total is `T^2`.
    #[must_use]
    pub fn reroll_once(&self, mut again: impl FnMut(i64) -> bool) -> Self {
        let faces: Vec<_> = self.iter().map(|(x, w)| (x, w, again(x))).collect();
        let total = self.total();
        let rolled: UBig = faces.iter().filter(|f| f.2).map(|f| &f.1).sum();
        let stands = total + &rolled;
        let pairs = faces.into_iter().map(|(x, weight, matches)| {
            let ways = if matches { &rolled } else { &stands };
            (x, weight * ways)
        });
        Self::from_weights(pairs).expect("a positive weight keeps the die from being empty")
    }
}

/// `f(left, right)`, or an error naming both.
pub(crate) fn checked(
    left: i64,
    operation: &'static str,
    right: i64,
    f: impl Fn(i64, i64) -> Option<i64>,
) -> Result<i64, Error> {
    f(left, right).ok_or(Error::OutcomeOverflow {
        left,
        operation,
        right,
    })
}
