//! Flat modifiers that do what a change does.

use oddsmith_dist::{Dist, IBig, RBig, UBig};

/// How often a number reaches every threshold.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The outcomes, ascending, each with the weight of it or more: falling weights, the first one is the total.
    tails: Vec<(i64, UBig)>,
}

impl Reach {
    /// The tails of a distribution.
    #[must_use]
    pub fn of(dist: &Dist) -> Self {
        let mut sum = UBig::ZERO;
        let mut tails: Vec<(i64, UBig)> = Vec::with_capacity(dist.len());
        for (x, weight) in dist.iter().rev() {
            sum += weight;
            tails.push((x, sum.clone()));
        }
        tails.reverse();
        Self { tails }
    }

    /// The flat modifier `x` with `P(N + x >= threshold) = chance`, between whole numbers by linear interpolation. Where
    /// several whole numbers do, since N has gaps, it is the one nearest to 0. None if the chance is 0 or 1, which every
    /// modifier beyond some size gives, and so no single one.
    ///
    /// # Cost
    /// Logarithmic in the number of outcomes.
    ///
    /// ```
    /// use oddsmith_analysis::value::Reach;
    /// use oddsmith_dist::{Dist, RBig};
    /// // A d6 reaches 5 in 2/6 of the rolls, with +1 in 3/6; 5/12 lies halfway between.
    /// let reach = Reach::of(&Dist::die(6)?);
    /// let half = RBig::from_parts(1.into(), 2_u8.into());
    /// assert_eq!(reach.modifier(5, &RBig::from_parts(5.into(), 12_u8.into())), Some(half));
    /// assert_eq!(reach.modifier(5, &RBig::ONE), None);
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    #[must_use]
    pub fn modifier(&self, threshold: i64, chance: &RBig) -> Option<RBig> {
        if *chance <= RBig::ZERO || *chance >= RBig::ONE {
            return None;
        }
        // Everything over the product of both denominators.
        let (_, total) = self.tails.first()?;
        let wanted = UBig::try_from(chance.numerator().clone()).ok()? * total;
        let scaled = |weight: &UBig| weight * chance.denominator();
        // The last outcome that is reached more often than wanted; the least one always is.
        let next = self.tails.partition_point(|(_, own)| scaled(own) > wanted);
        let (over, high) = &self.tails[next.checked_sub(1)?];
        let (high, low) = match self.tails.get(next) {
            Some((outcome, low)) if scaled(low) == wanted => {
                // Every number above that one, up to this outcome, is reached as often as wanted.
                let nearest = threshold.clamp(over.checked_add(1)?, *outcome);
                return threshold.checked_sub(nearest).map(RBig::from);
            }
            Some((_, low)) => (scaled(high), scaled(low)),
            None => (scaled(high), UBig::ZERO),
        };
        // With one more than this, N is as good as the outcome that is reached too often.
        let whole = threshold.checked_sub(over.checked_add(1)?)?;
        let part = RBig::from_parts(IBig::from(&wanted - &low), high - low);
        Some(RBig::from(whole) + part)
    }
}
