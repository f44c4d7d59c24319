//! Strongly connected components against what can be reached from where.

use oddsmith_dist::Components;
use proptest::prelude::*;

/// For each place whether each other one can be reached, by no step or more.
fn reached(steps: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let count = steps.len();
    let mut reached = vec![vec![false; count]; count];
    for (from, row) in reached.iter_mut().enumerate() {
        let mut open = vec![from];
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut row[place], true) {
                open.extend(&steps[place]);
            }
        }
    }
    reached
}

/// Graphs of up to twelve places, some of which lead nowhere, to themselves, or twice to one other; and some roots.
fn graphs() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<usize>)> {
    (1_usize..=12).prop_flat_map(|count| {
        let steps = prop::collection::vec(prop::collection::vec(0..count, 0..4), count);
        (steps, prop::collection::vec(0..count, 0..4))
    })
}

proptest! {
    #[test]
    fn components_are_what_leads_to_one_another((steps, roots) in graphs()) {
        let next = |place: usize, nth: usize| steps[place].get(nth).copied();
        let found = Components::reached(steps.len(), roots.iter().copied(), next);
        let reached = reached(&steps);
        let is_reached = |place: usize| roots.iter().any(|root| reached[*root][place]);
        let mut all = Vec::new();
        for component in 0..found.len() {
            for place in found.places(component) {
                prop_assert_eq!(found.of(place), Some(component));
                all.push(place);
                for to in &steps[place] {
                    prop_assert!(found.of(*to) <= Some(component), "it comes after what it leads to");
                }
            }
        }
        prop_assert!(found.all().eq(all.iter().copied()));
        prop_assert_eq!(found.is_empty(), roots.is_empty());
        all.sort_unstable();
        prop_assert!((0..steps.len()).filter(|place| is_reached(*place)).eq(all.iter().copied()));
        for one in &all {
            for other in &all {
                let is_one = reached[*one][*other] && reached[*other][*one];
                prop_assert_eq!(found.of(*one) == found.of(*other), is_one);
            }
        }
    }
}
