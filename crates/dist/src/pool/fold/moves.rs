//! The moves of what is seen: the plan of a stage, which the evaluator makes and the weights follow.

/// The place where a roll stands after some dice have shown a face.
#[derive(Clone, Copy)]
pub(super) enum Next {
    /// Goes on, as what is seen at this place.
    On(usize),
    /// Is settled, with the outcome at this place.
    Settled(usize),
}

/// Moves of the states that were seen, by the number of dice that show a face.
pub(super) struct Moves {
    /// The count of the first move.
    pub(super) least: u32,
    /// `None` for counts that can't be.
    pub(super) next: Vec<Option<Next>>,
    /// The number of dice from which on the outcome is settled, and its place.
    pub(super) enough: Option<(u32, usize)>,
}

impl Moves {
    pub(super) fn new(
        counts: &[u32],
        enough: Option<(u32, usize)>,
        mut next: impl FnMut(u32) -> Next,
    ) -> Self {
        let least = counts.first().copied().unwrap_or(0);
        let last = counts.last().map_or(0, |last| (last - least) as usize + 1);
        let mut moves = vec![None; last];
        for count in counts {
            moves[(count - least) as usize] = Some(next(*count));
        }
        Self {
            least,
            next: moves,
            enough,
        }
    }

    /// Counts from here on are not told apart.
    pub(super) fn end(&self) -> u32 {
        self.enough.map_or(u32::MAX, |(end, _)| end)
    }

    pub(super) fn next(&self, count: u32) -> Next {
        let next = self.next[(count - self.least) as usize];
        next.expect("the count is one of those that were planned")
    }
}
