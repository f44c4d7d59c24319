//! Ordered lists of labels.

/// An ordered list of labels; two with the same labels are the same type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    labels: Vec<String>,
}

impl Choice {
    /// The list of these labels; none if there is none, or one is there twice.
    ///
    /// ```
    /// use oddsmith_rules::Choice;
    /// let bands = Choice::new(["Miss", "Hit"].map(str::to_owned)).unwrap();
    /// assert_eq!((bands.place("Hit"), bands.label(0)), (Some(1), "Miss"));
    /// assert!(Choice::new(["Hit", "Hit"].map(str::to_owned)).is_none());
    /// ```
    #[must_use]
    pub fn new(labels: impl IntoIterator<Item = String>) -> Option<Self> {
        let labels: Vec<String> = labels.into_iter().collect();
        let is_new = |(at, label): (usize, &String)| !labels[..at].contains(label);
        let are_labels = !labels.is_empty() && labels.iter().enumerate().all(is_new);
        are_labels.then_some(Self { labels })
    }

    /// What stands for labels that are wrong, while the file that has them is read.
    pub(crate) fn unknown() -> Self {
        Self { labels: Vec::new() }
    }

    /// Whether the labels are wrong: already reported, so that any word may be one of them.
    pub(crate) fn is_unknown(&self) -> bool {
        self.labels.is_empty()
    }

    /// The labels in their order: at least one, all different.
    #[must_use]
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

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
