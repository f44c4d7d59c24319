//! Probabilities, quantiles and moments, as exact fractions.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::Dist;

impl Dist {
    /// The weight of all outcomes up to and including `x`.
    ///
    /// # Cost
    /// Linear in the support, as for all cumulative questions here.
    pub fn at_most_weight(&self, x: i64) -> UBig {
        let below = self.iter().take_while(|(outcome, _)| *outcome <= x);
        below.map(|(_, weight)| weight).sum()
    }

    /// The weight of all outcomes from `x` up.
    pub fn at_least_weight(&self, x: i64) -> UBig {
        let above = self.iter().rev().take_while(|(outcome, _)| *outcome >= x);
        above.map(|(_, weight)| weight).sum()
    }

    /// `weight / total` as a fraction.
    fn share(&self, weight: UBig) -> RBig {
        RBig::from_parts(weight.into(), self.total().clone())
    }

    /// `P(X = x)`.
    pub fn pmf(&self, x: i64) -> RBig {
        self.share(self.weight(x))
    }

    /// `P(X <= x)`.
    pub fn cdf(&self, x: i64) -> RBig {
        self.share(self.at_most_weight(x))
    }

    /// `P(X >= x)`, with `x` included.
    pub fn at_least(&self, x: i64) -> RBig {
        self.share(self.at_least_weight(x))
    }

    /// The most likely outcome; of several the lowest.
    ///
    /// ```
    /// use oddsmith_dist::Dist;
    /// assert_eq!(Dist::die(6).unwrap().mode(), 1);
    /// ```
    pub fn mode(&self) -> i64 {
        let mut best = (self.min(), UBig::ZERO);
        for (x, weight) in self.iter() {
            if weight > best.1 {
                best = (x, weight);
            }
        }
        best.0
    }

    /// The smallest outcome `x` with `cdf(x) >= p`, for `0 < p <= 1`; `quantile(1/2)` is the
    /// lower median. A `p` of 0 or less gives the lowest outcome, above 1 the highest.
    ///
    /// For every outcome `x`: `quantile(p) <= x` exactly if `p <= cdf(x)`, up to `p = 1`.
    pub fn quantile(&self, p: &RBig) -> i64 {
        // cdf(x) >= num/den  <=>  at_most(x) * den >= num * total.
        let needed: IBig = p.numerator() * IBig::from(self.total().clone());
        let unit = IBig::from(p.denominator().clone());
        let mut reached = IBig::ZERO;
        for (x, weight) in self.iter() {
            reached += IBig::from(weight) * &unit;
            if reached >= needed {
                return x;
            }
        }
        self.max()
    }

    /// The mean, `sum of x * weight(x) / total`.
    pub fn mean(&self) -> RBig {
        let sum: IBig = self.iter().map(|(x, weight)| IBig::from(weight) * x).sum();
        RBig::from_parts(sum, self.total().clone())
    }

    /// The variance, `sum of x^2 * weight(x) / total - mean^2`: that of the population, so
    /// 35/12 for a d6.
    pub fn variance(&self) -> RBig {
        let (mut first, mut second) = (IBig::ZERO, IBig::ZERO);
        for (x, weight) in self.iter() {
            let term = IBig::from(weight) * x;
            second += &term * x;
            first += term;
        }
        let total = self.total();
        let numerator = second * IBig::from(total.clone()) - &first * &first;
        RBig::from_parts(numerator, total * total)
    }
}
