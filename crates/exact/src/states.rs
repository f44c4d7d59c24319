//! Weighted states: the values of the variables that still matter, jointly.

use oddsmith_dist::UBig;

/// Values of the live variables, in the order of their ids.
pub(crate) type Key = Vec<i64>;

/// States with weights; `weight / total` is the probability. The weights need not sum to the total: a part
/// of all that can happen is a set of states too.
#[derive(Clone, Debug)]
pub(crate) struct States {
    pub(crate) entries: Vec<(Key, UBig)>,
    pub(crate) total: UBig,
}

impl States {
    /// One certain state.
    pub(crate) fn certain(key: Key) -> Self {
        Self {
            entries: vec![(key, UBig::ONE)],
            total: UBig::ONE,
        }
    }

    /// Sorts by key and adds up the weights of equal keys.
    pub(crate) fn merge(&mut self) {
        self.entries.sort_by(|a, b| a.0.cmp(&b.0));
        self.entries.dedup_by(|next, kept| {
            let equal = next.0 == kept.0;
            if equal {
                kept.1 += &next.1;
            }
            equal
        });
    }
}
