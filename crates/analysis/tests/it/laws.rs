//! Laws of comparing, on generated distributions; and small cases by hand.

use std::collections::BTreeMap;

use oddsmith_analysis::compare::{Difference, Order};
use oddsmith_dist::{Dist, RBig, UBig};
use proptest::collection::btree_map;
use proptest::prelude::*;

/// Few outcomes, near one another or far apart.
fn dist() -> impl Strategy<Value = Dist> {
    let near = btree_map(-3_i64..4, 1_u64..6, 1..6);
    let far = btree_map(-5_000_000_i64..5_000_000, 1_u64..6, 1..6);
    prop_oneof![4 => near, 1 => far].prop_map(|weights| of(&weights))
}

fn of(weights: &BTreeMap<i64, u64>) -> Dist {
    let weights = weights.iter().map(|(x, weight)| (*x, UBig::from(*weight)));
    Dist::from_weights(weights).expect("weights are positive")
}

fn ratio(numerator: i64, denominator: u64) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

fn size(number: RBig) -> RBig {
    number.clone().max(-number)
}

/// The outcomes of both, ascending.
fn outcomes(a: &Dist, b: &Dist) -> Vec<i64> {
    let mut outcomes: Vec<i64> = a.support().chain(b.support()).collect();
    outcomes.sort_unstable();
    outcomes.dedup();
    outcomes
}

fn is_higher(a: &Dist, b: &Dist) -> bool {
    let outcomes = outcomes(a, b);
    outcomes.iter().all(|x| a.at_least(*x) >= b.at_least(*x))
        && outcomes.iter().any(|x| a.at_least(*x) > b.at_least(*x))
}

proptest! {
    #[test]
    fn variation_and_distance_are_their_definitions(a in dist(), b in dist()) {
        let difference = Difference::of(&a, &b);
        let outcomes = outcomes(&a, &b);
        let apart = outcomes.iter().map(|x| size(a.pmf(*x) - b.pmf(*x)));
        prop_assert_eq!(difference.variation, apart.fold(RBig::ZERO, |sum, own| sum + own) / ratio(2, 1));
        // Between two outcomes the chance of at least as much does not change.
        let steps = outcomes.windows(2).map(|pair| {
            let gap = RBig::from(pair[1] - pair[0]);
            size(a.at_least(pair[1]) - b.at_least(pair[1])) * gap
        });
        prop_assert_eq!(difference.distance, steps.fold(RBig::ZERO, |sum, own| sum + own));
    }

    #[test]
    fn both_are_metrics(a in dist(), b in dist(), c in dist()) {
        let (ab, ba) = (Difference::of(&a, &b), Difference::of(&b, &a));
        let (bc, ac) = (Difference::of(&b, &c), Difference::of(&a, &c));
        prop_assert_eq!(&ab.variation, &ba.variation);
        prop_assert_eq!(&ab.distance, &ba.distance);
        prop_assert!(ac.variation <= &ab.variation + bc.variation);
        prop_assert!(ac.distance <= &ab.distance + bc.distance);
        prop_assert!(ab.variation <= RBig::ONE);
        let is_equal = outcomes(&a, &b).iter().all(|x| a.pmf(*x) == b.pmf(*x));
        prop_assert_eq!(ab.variation == RBig::ZERO, is_equal);
        prop_assert_eq!(ab.distance == RBig::ZERO, is_equal);
        prop_assert_eq!(ab.order == Order::Equal, is_equal);
    }

    #[test]
    fn order_is_stochastic_dominance(a in dist(), b in dist()) {
        let difference = Difference::of(&a, &b);
        let expected = match (is_higher(&a, &b), is_higher(&b, &a)) {
            (true, _) => Order::First,
            (_, true) => Order::Second,
            _ if difference.variation == RBig::ZERO => Order::Equal,
            _ => Order::Neither,
        };
        prop_assert_eq!(difference.order, expected);
        let turned = match expected {
            Order::First => Order::Second,
            Order::Second => Order::First,
            same => same,
        };
        let other = Difference::of(&b, &a);
        prop_assert_eq!(other.order, turned);
        let [first, second] = difference.leads;
        prop_assert_eq!([second, first], other.leads);
        // Where one is higher the distance is the difference of the means; else it is more than that.
        let means = size(a.mean() - b.mean());
        match expected {
            Order::Neither => prop_assert!(difference.distance > means),
            _ => prop_assert_eq!(difference.distance, means),
        }
        if expected == Order::First {
            prop_assert!(a.mean() > b.mean());
        }
    }

    #[test]
    fn leads_say_where(a in dist(), b in dist()) {
        let difference = Difference::of(&a, &b);
        for (lead, (own, other)) in difference.leads.iter().zip([(&a, &b), (&b, &a)]) {
            let by = |x: i64| own.at_least(x) - other.at_least(x);
            let is_in = |x: i64| {
                let mut stretches = lead.iter().flat_map(|lead| &lead.stretches);
                stretches.any(|(low, high)| (*low..=*high).contains(&x))
            };
            for x in outcomes(&a, &b) {
                prop_assert_eq!(is_in(x), by(x) > RBig::ZERO, "at {}", x);
            }
            if let Some(lead) = lead {
                prop_assert_eq!(&lead.by, &by(lead.at));
                prop_assert!(outcomes(&a, &b).into_iter().all(|x| by(x) <= lead.by));
            }
        }
    }
}

/// A d6 against 2d3: the same from 4 on up to a sixth, and 2d3 never shows a 1.
#[test]
fn a_die_against_two_smaller_ones() {
    let two = of(&BTreeMap::from([(2, 1), (3, 2), (4, 3), (5, 2), (6, 1)]));
    let difference = Difference::of(&Dist::die(6).expect("a die"), &two);
    // P(>= 2) to P(>= 6) of the d6: 15, 12, 9, 6, 3 of 18; of 2d3: 18, 16, 12, 6, 2.
    assert_eq!(difference.order, Order::Neither);
    assert_eq!(difference.distance, ratio(3 + 4 + 3 + 1, 18));
    let [a, b] = difference.leads.map(|lead| lead.expect("both lead"));
    assert_eq!((a.stretches, a.at, a.by), (vec![(6, 6)], 6, ratio(1, 18)));
    assert_eq!((b.stretches, b.at, b.by), (vec![(2, 4)], 3, ratio(4, 18)));
    // 3, 3, 3, 3, 3, 3 of 18 against 0, 2, 4, 6, 4, 2.
    assert_eq!(difference.variation, ratio(3 + 1 + 1, 18));
}

#[test]
fn two_that_have_nothing_in_common() {
    let difference = Difference::of(&Dist::constant(-4), &Dist::constant(6));
    assert_eq!(difference.variation, RBig::ONE);
    assert_eq!(difference.distance, ratio(10, 1));
    assert_eq!(difference.order, Order::Second);
}
