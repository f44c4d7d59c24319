//! Sorting by comparisons that do not depend on what is compared.

/// Pairs to be put in order, one after the other, so that in the end all is in order: Batcher's merge exchange.
///
/// `n` numbers take about `n log² n / 4` pairs. Those whose results nobody reads are left out later, so that the
/// highest of `n` costs `n - 1` comparisons.
///
/// Source: K. E. Batcher, *Sorting networks and their applications*, 1968; D. Knuth, TAOCP 3, algorithm 5.2.2M.
pub(super) fn pairs(n: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    if n < 2 {
        return pairs;
    }
    let top = n.next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            let here = (0..n - d).filter(|i| i & p == r);
            pairs.extend(here.map(|i| (i, i + d)));
            if q == p {
                break;
            }
            d = q - p;
            q /= 2;
            r = p;
        }
        p /= 2;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::pairs;

    /// All sequences of 0 and 1 suffice (Knuth, theorem 5.3.4Z).
    #[test]
    fn every_sequence_of_zeros_and_ones_is_sorted() {
        for n in 0..=14 {
            let pairs = pairs(n);
            for bits in 0..1_u32 << n {
                let mut items: Vec<bool> = (0..n).map(|at| bits >> at & 1 == 1).collect();
                for (a, b) in &pairs {
                    (items[*a], items[*b]) = (items[*a] | items[*b], items[*a] & items[*b]);
                }
                assert!(items.is_sorted_by(|a, b| a >= b), "{n} {bits:b}");
            }
        }
    }

    #[test]
    fn a_few_numbers_take_few_pairs() {
        let sizes: Vec<usize> = (0..=8).map(|n| pairs(n).len()).collect();
        assert_eq!(sizes, [0, 0, 1, 3, 5, 9, 12, 16, 19]);
    }
}
