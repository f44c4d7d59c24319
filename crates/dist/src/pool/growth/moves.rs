//! How one die leads from state to state.

use std::collections::BTreeMap;

use crate::{Budget, Error};

/// A way from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Move {
    pub(super) to: usize,
    pub(super) from: usize,
    pub(super) weight: u64,
}

/// All ways from state to state by one die.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// For each state after the other, from where it is come to and with which weight.
    pub(super) sources: Vec<(usize, u64)>,
    /// For each state the end of its sources.
    pub(super) until: Vec<usize>,
}

impl Moves {
    /// Adds up moves between the same of so many states.
    pub(super) fn new(mut moves: Vec<Move>, states: usize) -> Self {
        moves.sort_unstable();
        moves.dedup_by(|next, kept| {
            let same = (next.to, next.from) == (kept.to, kept.from);
            if same {
                kept.weight += next.weight;
            }
            same
        });
        let ends = |state| moves.partition_point(|step| step.to <= state);
        Self {
            until: (0..states).map(ends).collect(),
            sources: moves.iter().map(|step| (step.from, step.weight)).collect(),
        }
    }

    pub(super) fn states(&self) -> usize {
        self.until.len()
    }

    fn iter(&self) -> impl Iterator<Item = Move> {
        let starts = std::iter::once(0).chain(self.until.iter().copied());
        let states = starts.zip(&self.until).enumerate();
        states.flat_map(|(to, (start, end))| {
            let sources = self.sources[start..*end].iter();
            sources.map(move |&(from, weight)| Move { to, from, weight })
        })
    }

    /// The class of each state, and the moves between classes. States of one class are of the same kind, and lead to each
    /// class with the same weight; classes are as few as can be, and are numbered as they are first met.
    ///
    /// All of a kind are one class at first, and classes are parted until they stay: Moore, "Gedanken-experiments on
    /// sequential machines", 1956.
    pub(super) fn merged(
        &self,
        kinds: &[usize],
        budget: &Budget,
    ) -> Result<(Vec<usize>, Self), Error> {
        const MOVE_STEPS: u128 = 20;

        let mut leads = vec![Vec::new(); self.states()];
        self.iter()
            .for_each(|step| leads[step.from].push((step.to, step.weight)));
        let (mut classes, mut count) = (kinds.to_vec(), 0);
        loop {
            budget.charge(MOVE_STEPS * self.sources.len() as u128)?;
            let mut found = BTreeMap::new();
            let parted = classes.iter().zip(&leads).map(|(class, leads)| {
                let next = found.len();
                *found
                    .entry((*class, by_class(leads, &classes)))
                    .or_insert(next)
            });
            let parted: Vec<usize> = parted.collect();
            classes = parted;
            if found.len() == count {
                break;
            }
            count = found.len();
        }
        // All states of a class lead on alike, so its first one tells for all.
        let mut moves = Vec::new();
        let mut seen = 0;
        for (from, leads) in classes.iter().zip(&leads) {
            if *from == seen {
                seen += 1;
                let moved = |(to, weight)| Move {
                    to,
                    from: *from,
                    weight,
                };
                moves.extend(by_class(leads, &classes).into_iter().map(moved));
            }
        }
        Ok((classes, Self::new(moves, count)))
    }
}

/// The weights with which a state leads to each class.
fn by_class(leads: &[(usize, u64)], classes: &[usize]) -> Vec<(usize, u64)> {
    let mut sums: Vec<(usize, u64)> = Vec::with_capacity(leads.len());
    for (to, weight) in leads {
        match sums.iter_mut().find(|(class, _)| *class == classes[*to]) {
            Some((_, sum)) => *sum += weight,
            None => sums.push((classes[*to], *weight)),
        }
    }
    sums.sort_unstable();
    sums
}
