//! Weighted states: the values of the variables that still matter, jointly.

use oddsmith_dist::{UBig, least_common_multiple};

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

    /// Everything in any of the parts, over one total: the least common multiple of theirs.
    pub(crate) fn union(parts: Vec<Self>) -> Self {
        let total = least_common_multiple(parts.iter().map(|part| &part.total));
        let mut entries = Vec::with_capacity(parts.iter().map(|part| part.entries.len()).sum());
        for part in parts {
            let scale = &total / &part.total;
            entries.extend(
                part.entries
                    .into_iter()
                    .map(|(key, weight)| (key, weight * &scale)),
            );
        }
        let mut joined = Self { entries, total };
        joined.merge();
        joined
    }
}
