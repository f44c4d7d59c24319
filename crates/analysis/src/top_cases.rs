//! The top cases of many: those of the greatest size.

/// The most cases that are kept.
const KEPT: usize = 5;

/// Top cases: those of the greatest size, and the number of all.
#[derive(Clone, Debug)]
pub(crate) struct TopCases<K, T> {
    pub(crate) count: u64,
    /// How bad each is; the worst one first, and of equals the first one found.
    kept: Vec<(K, T)>,
}

impl<K, T> Default for TopCases<K, T> {
    fn default() -> Self {
        Self {
            count: 0,
            kept: Vec::new(),
        }
    }
}

impl<K: Ord, T> TopCases<K, T> {
    /// Counts a case, and keeps it if it is among the worst.
    pub(crate) fn add(&mut self, size: K, case: impl FnOnce() -> T) {
        self.count += 1;
        let at = self.kept.partition_point(|(known, _)| *known >= size);
        if at < KEPT {
            self.kept.insert(at, (size, case()));
            self.kept.truncate(KEPT);
        }
    }

    /// Counts a case as [`Self::add`] does; of cases that are alike only the worst one is kept,
    /// though all are counted.
    pub(crate) fn add_unlike(
        &mut self,
        size: K,
        case: impl FnOnce() -> T,
        are_alike: impl Fn(&T, &T) -> bool,
    ) {
        self.count += 1;
        if self.kept.len() == KEPT && self.kept[KEPT - 1].0 >= size {
            return;
        }
        let case = case();
        let mut kept = self.kept.iter();
        if let Some(known) = kept.position(|(_, known)| are_alike(known, &case)) {
            if self.kept[known].0 >= size {
                return;
            }
            self.kept.remove(known);
        }
        let at = self.kept.partition_point(|(known, _)| *known >= size);
        self.kept.insert(at, (size, case));
        self.kept.truncate(KEPT);
    }

    /// The worst cases.
    pub(crate) fn cases(self) -> Vec<T> {
        self.kept.into_iter().map(|(_, case)| case).collect()
    }
}
