//! In which order diagrams ask for the dials.

/// Dials for which every order is weighed; of more the next one is always the one that is best then.
const MOST_WEIGHED: usize = 14;

/// The dials in an order in which few combinations of options have to be told apart on the way, by their sizes and by
/// which of them each question reads. A dial is forgotten as soon as all that reads it is decided, so dials of one
/// question stand together.
pub(crate) fn order(sizes: &[usize], reads: &[Vec<usize>]) -> Vec<usize> {
    if sizes.len() > MOST_WEIGHED {
        return by_greed(sizes, reads);
    }
    let sets = 1_usize << sizes.len();
    // For each set of dials that come first: the least cost, and the last of them.
    let mut best: Vec<(u128, usize)> = vec![(u128::MAX, 0); sets];
    best[0].0 = 0;
    for set in 0..sets {
        let is_first = |dial: usize| set >> dial & 1 == 1;
        let open = open(sizes, reads, is_first);
        for dial in (0..sizes.len()).filter(|&dial| !is_first(dial)) {
            let step = open.saturating_mul(sizes[dial] as u128);
            let cost = best[set].0.saturating_add(step);
            let next = &mut best[set | 1 << dial];
            *next = (*next).min((cost, dial));
        }
    }
    let (mut order, mut set) = (Vec::new(), sets - 1);
    while set != 0 {
        let (_, last) = best[set];
        order.push(last);
        set &= !(1 << last);
    }
    order.reverse();
    order
}

/// How many combinations may have to be told apart where some dials are said: those of the dials among them that
/// something reads together with others.
fn open(sizes: &[usize], reads: &[Vec<usize>], is_first: impl Fn(usize) -> bool) -> u128 {
    let is_open = |dial: usize| {
        let mut own = reads.iter().filter(|own| own.contains(&dial));
        own.any(|own| own.iter().any(|&other| !is_first(other)))
    };
    let open = (0..sizes.len()).filter(|&dial| is_first(dial) && is_open(dial));
    open.fold(1, |all, dial| all.saturating_mul(sizes[dial] as u128))
}

fn by_greed(sizes: &[usize], reads: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < sizes.len() {
        let with = |next: usize| open(sizes, reads, |dial| dial == next || order.contains(&dial));
        let left = (0..sizes.len()).filter(|dial| !order.contains(dial));
        let next = left.min_by_key(|&dial| with(dial)).expect("one is left");
        order.push(next);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::{by_greed, order};

    #[test]
    fn what_is_read_with_everything_comes_first() {
        // Five steps of a ladder, each read with the cap by a question of its own.
        let sizes = [10, 10, 10, 10, 10, 4];
        let reads: Vec<Vec<usize>> = (0..5).map(|step| vec![step, 5]).collect();
        let found = order(&sizes, &reads);
        assert!(found[..2].contains(&5), "{found:?}");
        let mut all = found.clone();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn many_dials_have_an_order() {
        let sizes = vec![3; 20];
        let reads: Vec<Vec<usize>> = (0..10).map(|at| vec![2 * at, 2 * at + 1]).collect();
        for found in [order(&sizes, &reads), by_greed(&sizes, &reads)] {
            // Each question is decided before the next one begins.
            for pair in found.chunks(2) {
                assert_eq!(pair[0] / 2, pair[1] / 2, "{found:?}");
            }
        }
    }
}
