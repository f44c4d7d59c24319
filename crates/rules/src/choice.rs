//! Ordered lists of labels.

/// An ordered list of labels; two with the same labels are the same type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// In their order; at least one, all different.
    pub labels: Vec<String>,
}

impl Choice {
    /// The label at a place.
    ///
    /// # Panics
    /// If there is none: places come from this list.
    #[must_use]
    pub fn label(&self, place: i64) -> &str {
        usize::try_from(place)
            .ok()
            .and_then(|i| self.labels.get(i))
            .expect("a place of this list")
    }

    /// The place of a label.
    #[must_use]
    pub fn place(&self, label: &str) -> Option<i64> {
        self.labels
            .iter()
            .position(|known| known == label)
            .map(place)
    }
}

/// A list's index as a value.
pub(crate) fn place(index: usize) -> i64 {
    i64::try_from(index).expect("lists are shorter than 2^63")
}
