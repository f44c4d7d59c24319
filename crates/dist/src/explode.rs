//! Exploding dice.

use dashu_int::UBig;

use crate::change::checked;
use crate::combine::convolve_pairs;
use crate::notes::power_bits;
use crate::number::{Number, bits, with_width};
use crate::{Budget, Dist, Error, Plan, number, words};

impl Dist {
    /// The die that is rolled again and added whenever `again` holds for the face rolled, at
    /// most `depth` times. The last face stands even if it matches, so no weight is lost; the
    /// result is still one die.
    ///
    /// With `T` the total, the result has the total `T^(depth + 1)`, also for the rolls that
    /// end earlier: `E_0 = X`, and `E_d` is `X` where it stands, plus `E_(d-1)` where not.
    ///
    /// ```
    /// # use oddsmith_dist::{Budget, Dist, RBig};
    /// let die = Dist::die(6)?.explode(|face| face == 6, 2, &Budget::unlimited())?;
    /// assert_eq!(die.max(), 18);
    /// assert_eq!(die.pmf(6), RBig::ZERO); // a 6 is always rolled on
    /// assert_eq!(die.pmf(18), RBig::from_parts(1.into(), 216_u8.into()));
    /// # Ok::<(), oddsmith_dist::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutcomeOverflow`] if a sum leaves `i64`; [`Error::OverBudget`].
    ///
    /// # Cost
    /// `depth` times the matching faces times the outcomes of the result.
    pub fn explode(
        &self,
        mut again: impl FnMut(i64) -> bool,
        depth: u32,
        budget: &Budget,
    ) -> Result<Self, Error> {
        // The list may have room for twice as many, and be copied.
        let list = budget.part();
        list.charge_memory(24 * self.len() as u128)?;
        let matching: Vec<i64> = self.support().filter(|x| again(*x)).collect();
        let standing = self.len() - matching.len();
        if let (Some(low), Some(high)) = (matching.first(), matching.last()) {
            check_chain((*low).min(0), self.min(), depth)?;
            check_chain((*high).max(0), self.max(), depth)?;
        }
        let plan = || Plan {
            question: format!("{}, exploding up to {depth} times", words::dice(self, 1)),
            algorithm: "recursion over explosions",
            reason: "one die".to_owned(),
            bits: power_bits(self.total(), depth.saturating_add(1)),
        };
        budget.noted(plan, |budget| {
            budget.charge(self.explosion_steps(&matching, standing, depth))?;
            let total = self.total().pow(depth as usize + 1);
            let row = self.explosion_row(&matching, standing, depth);
            let row = row.saturating_add(standing as u128);
            budget.charge_memory(Self::bytes_to_make(row, bits(&total)))?;
            Ok(with_width!(bits(&total), W => {
                let pairs = self.chain::<W>(&matching, depth);
                Self::from_unsorted(pairs, total)
            }))
        })
    }

    /// The pairs of `E_depth`, by the recursion given above.
    fn chain<W: Number>(&self, matching: &[i64], depth: u32) -> Vec<(i64, W)> {
        let (rolled, stands): (Vec<_>, Vec<_>) = self
            .pairs::<W>()
            .into_iter()
            .partition(|(x, _)| matching.binary_search(x).is_ok());
        let mut pairs = self.pairs::<W>();
        let mut scale = UBig::ONE;
        for _ in 0..depth {
            scale *= self.total();
            let factor = W::from_big(&scale);
            let standing = stands.iter().map(|(x, w)| (*x, w.times(&factor)));
            pairs = convolve_pairs(&rolled, &pairs, standing);
        }
        pairs
    }

    /// Steps of [`explode`](Self::explode), from a bound on its outcomes.
    fn explosion_steps(&self, matching: &[i64], standing: usize, depth: u32) -> u128 {
        let row = self.explosion_row(matching, standing, depth);
        let depth = u128::from(depth);
        let width = number::words((depth + 1) * self.bits() as u128);
        // Each explosion is a list that is sorted.
        let each = row.saturating_mul(4 * width + 2).saturating_add(300);
        (depth + 1).saturating_mul(each).saturating_add(300)
    }

    /// A bound on the pairs of the last explosion, before equal outcomes meet.
    fn explosion_row(&self, matching: &[i64], standing: usize, depth: u32) -> u128 {
        let (rolled, standing) = (matching.len() as u128, standing as u128);
        let depth = u128::from(depth);
        let reach = matching.iter().map(|x| u128::from(x.unsigned_abs())).max();
        let own = crate::dist::span(self.min(), self.max());
        let places = own + depth * reach.unwrap_or(0) * 2;
        let mut outcomes = rolled + standing;
        match rolled {
            0 | 1 => outcomes += depth * standing,
            _ => {
                for _ in 0..depth.min(128) {
                    outcomes = (standing + rolled * outcomes).min(places);
                }
            }
        }
        standing + rolled * outcomes.min(places)
    }
}

/// Refuses `last + depth * face` beyond `i64`.
fn check_chain(face: i64, last: i64, depth: u32) -> Result<i64, Error> {
    let chain = checked(face, "*", i64::from(depth), i64::checked_mul)?;
    checked(chain, "+", last, i64::checked_add)
}
