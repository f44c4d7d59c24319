//! What was asked, so that what ranges of candidates ask is counted as what a search through all of them asks.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The questions about some goals that were asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundAsked {
    /// The first of the goals.
    pub goal: usize,
    /// How many questions one place is: a place is what is asked for at once and kept.
    pub each: u64,
    /// The stretches of places that were asked for, each with its first place and the one behind its last; ascending, and
    /// none touches the next one.
    pub stretches: Vec<(u64, u64)>,
    /// How many questions were asked of one candidate after the other, without keeping what was found.
    pub of_candidates: u64,
}

impl FoundAsked {
    /// Takes the places behind those that are there.
    pub(crate) fn push(&mut self, places: Range<u64>) {
        match self.stretches.last_mut() {
            Some(last) if places.start <= last.1 => last.1 = last.1.max(places.end),
            _ => self.stretches.push((places.start, places.end)),
        }
    }

    fn count(&self) -> u64 {
        let places = { self.stretches.iter() }.fold(0_u64, |sum, (from, to)| {
            sum.saturating_add(to.saturating_sub(*from))
        });
        { self.each.saturating_mul(places) }.saturating_add(self.of_candidates)
    }
}

/// How many questions these are.
pub(crate) fn count(asked: &[FoundAsked]) -> u64 {
    asked
        .iter()
        .map(FoundAsked::count)
        .fold(0, u64::saturating_add)
}

/// How many questions these are that several ranges asked: what more than one of them asked is one question.
pub(crate) fn count_together<'f>(asked: impl Iterator<Item = &'f FoundAsked>) -> u64 {
    let mut all: BTreeMap<(usize, u64), FoundAsked> = BTreeMap::new();
    for own in asked {
        let whole = all.entry((own.goal, own.each)).or_default();
        (whole.goal, whole.each) = (own.goal, own.each);
        whole.stretches.extend(&own.stretches);
        whole.of_candidates = whole.of_candidates.saturating_add(own.of_candidates);
    }
    let whole = all.into_values().map(|mut whole| {
        let mut stretches = std::mem::take(&mut whole.stretches);
        stretches.sort_unstable();
        for (from, to) in stretches {
            whole.push(from..to);
        }
        whole
    });
    count(&whole.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{FoundAsked, count, count_together};

    #[test]
    fn what_two_ranges_ask_is_asked_once() {
        let asked = |stretches: &[(u64, u64)], of_candidates| FoundAsked {
            goal: 1,
            each: 3,
            stretches: stretches.to_vec(),
            of_candidates,
        };
        let both = [asked(&[(0, 4), (6, 8)], 5), asked(&[(3, 7), (9, 10)], 2)];
        assert_eq!(count(&both), 3 * 6 + 5 + 3 * 5 + 2);
        assert_eq!(count_together(both.iter()), 3 * 9 + 7);
        let other = FoundAsked {
            goal: 2,
            ..asked(&[(0, 1)], 0)
        };
        assert_eq!(count_together(both.iter().chain([&other])), 3 * 10 + 7);
    }
}
