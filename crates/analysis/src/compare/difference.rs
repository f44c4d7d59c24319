//! One distribution against another.

use oddsmith_dist::{Dist, IBig, RBig, UBig};

/// How far two distributions of ordered outcomes are apart, and which of them is the higher one.
///
/// ```
/// use oddsmith_analysis::compare::{Difference, Order};
/// use oddsmith_dist::{Dist, RBig};
/// // A d6 against a d4: 1 to 4 have 1/6 against 1/4, 5 and 6 have 1/6 against nothing.
/// let difference = Difference::of(&Dist::die(6)?, &Dist::die(4)?);
/// assert_eq!(difference.order, Order::First);
/// assert_eq!(difference.variation, RBig::from_parts(1.into(), 3_u8.into()));
/// assert_eq!(difference.distance, RBig::ONE); // The means, 7/2 and 5/2.
/// # Ok::<(), oddsmith_dist::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The total variation: `sum |P(A = x) - P(B = x)| / 2`, from 0 (equal) to 1 (nothing in common).
    pub variation: RBig,
    /// The Wasserstein distance of order 1: `sum |P(A >= x) - P(B >= x)|` over all whole `x`, in the unit of the
    /// outcomes. So far does a share have to be moved on average to make the one into the other; where one is the
    /// higher, it is the difference of the means.
    pub distance: RBig,
    /// The order of the two: which is the higher one.
    pub order: Order,
    /// The leads: the outcomes that A reaches more often than B, and those that B reaches more often than A.
    pub leads: [Option<Lead>; 2],
}

/// First-order stochastic dominance: A is higher than B if `P(A >= x) >= P(B >= x)` for every `x`, and `>` for some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The two are equal.
    Equal,
    /// A is the higher one.
    First,
    /// B is the higher one.
    Second,
    /// Each is reached more often somewhere.
    Neither,
}

impl Order {
    /// Each order, as they are counted.
    pub const ALL: [Self; 4] = [Self::Equal, Self::First, Self::Second, Self::Neither];
}

/// The outcomes `x` for which `P(X >= x)` is greater on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// Stretches of such outcomes, lowest and highest of each, among the outcomes that either side has; ascending,
    /// with at least one.
    pub stretches: Vec<(i64, i64)>,
    /// The outcome at which the gap is the greatest; the lowest such outcome.
    pub at: i64,
    /// The gap: by how much it is greater there; positive.
    pub by: RBig,
}

impl Difference {
    /// A against B.
    ///
    /// # Cost
    /// Proportional to the outcomes that either has.
    #[must_use]
    pub fn of(a: &Dist, b: &Dist) -> Self {
        let total = a.total() * b.total();
        let mut excess = excess(a, b);
        let ratio = |weight: UBig| RBig::from_parts(weight.into(), total.clone());
        let positive = excess.iter().filter(|(_, weight)| *weight > IBig::ZERO);
        let variation: IBig = positive.map(|(_, weight)| weight).sum();
        // From the top down every excess becomes that of reaching its outcome.
        for at in (1..excess.len()).rev() {
            let (below, above) = excess.split_at_mut(at);
            below[at - 1].1 += &above[0].1;
        }
        let reach = excess;
        let steps = reach.windows(2);
        let distance: UBig = steps
            .map(|pair| magnitude(&pair[1].1) * UBig::from(pair[0].0.abs_diff(pair[1].0)))
            .sum();
        let leads = [lead(&reach, 1, &total), lead(&reach, -1, &total)];
        Self {
            variation: ratio(magnitude(&variation)),
            distance: ratio(distance),
            order: match (&leads[0], &leads[1]) {
                (None, None) => Order::Equal,
                (Some(_), None) => Order::First,
                (None, Some(_)) => Order::Second,
                (Some(_), Some(_)) => Order::Neither,
            },
            leads,
        }
    }
}

/// Every outcome that A or B has, ascending, with `P(A = x) - P(B = x)` as a weight over the product of the totals.
fn excess(a: &Dist, b: &Dist) -> Vec<(i64, IBig)> {
    let weights = |of: &Dist, factor: &UBig, sign: i8| -> Vec<(i64, IBig)> {
        let scaled = of.iter().map(|(x, weight)| (x, weight * factor));
        scaled
            .map(|(x, weight)| (x, IBig::from(weight) * IBig::from(sign)))
            .collect()
    };
    let (mut ours, theirs) = (weights(a, b.total(), 1), weights(b, a.total(), -1));
    ours.extend(theirs);
    ours.sort_by_key(|(x, _)| *x);
    ours.dedup_by(|(x, weight), (before, sum)| {
        let is_same = x == before;
        if is_same {
            *sum += std::mem::take(weight);
        }
        is_same
    });
    ours
}

/// The outcomes whose weight, over `total`, has this sign.
fn lead(reach: &[(i64, IBig)], sign: i8, total: &UBig) -> Option<Lead> {
    let mut stretches: Vec<(i64, i64)> = Vec::new();
    let mut most: Option<(i64, UBig)> = None;
    let mut goes_on = false;
    for (x, weight) in reach {
        let leads = IBig::from(sign) * weight > IBig::ZERO;
        match (leads, stretches.last_mut()) {
            (false, _) => {}
            (true, Some((_, end))) if goes_on => *end = *x,
            (true, _) => stretches.push((*x, *x)),
        }
        goes_on = leads;
        let weight = magnitude(weight);
        if leads && most.as_ref().is_none_or(|(_, most)| weight > *most) {
            most = Some((*x, weight));
        }
    }
    let (at, by) = most?;
    Some(Lead {
        stretches,
        at,
        by: RBig::from_parts(by.into(), total.clone()),
    })
}

fn magnitude(weight: &IBig) -> UBig {
    weight.clone().into_parts().1
}
