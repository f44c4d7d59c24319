//! Lines of a table to play by: states in which the same is best, as ranges of what is known.
//!
//! A line has a range of one number, such as what a turn has come to, and may have a range of a second one, such as the other
//! side's score: over that range the first number decides alike. Which numbers these are is what makes the fewest lines.
//!
//! ```text
//! theirs  turn 15  turn 20  turn 25      theirs   turn      hold
//!   70     roll     hold     hold        70 to 80 15        no
//!   80     roll     hold     hold        70 to 80 20 to 25  yes
//!   90     roll     roll     hold        90       15 to 20  no, and so on
//! ```

use std::collections::BTreeMap;

use oddsmith_exact::{Decision, DecisionRow, RBig, Seen};
use oddsmith_rules::Known;

use crate::format::policy::known;

/// A line: the rows in which the same is best.
#[derive(Clone, Debug)]
pub(super) struct Line<'d> {
    pub(super) rows: Vec<&'d DecisionRow>,
}

impl<'d> Line<'d> {
    pub(super) fn probability(&self) -> RBig {
        let all = self.rows.iter();
        all.fold(RBig::ZERO, |sum, row| sum + &row.probability)
    }

    /// The mean worth of the states in it.
    pub(super) fn worth(&self) -> RBig {
        let all = self.rows.iter();
        let sum = all.fold(RBig::ZERO, |sum, row| sum + &row.worth * &row.probability);
        sum / self.probability()
    }

    /// The least and the greatest of what is seen at a place.
    pub(super) fn range(&self, at: usize) -> (&'d Known, &'d Known) {
        let values = self.rows.iter().map(|row| &row.seen[at]);
        let least = values.clone().min().expect("a line has rows");
        (least, values.max().expect("a line has rows"))
    }

    /// What is seen at a place, in words: a value, or the least and the greatest.
    pub(super) fn range_words(&self, at: usize, seen: &Seen) -> String {
        let (least, most) = self.range(at);
        match least == most {
            true => known(least, seen),
            false => format!("{} to {}", known(least, seen), known(most, seen)),
        }
    }
}

/// The rows of a decision in the fewest lines, in the order of what is seen.
pub(super) fn lines(decision: &Decision) -> Vec<Line<'_>> {
    let numbers: Vec<usize> = (0..decision.seen.len())
        .filter(|at| is_number(decision, *at))
        .collect();
    // The last number first, and one range before two, where none makes fewer lines.
    let mut best = plain_lines(decision);
    for run in numbers.iter().rev() {
        let others = numbers.iter().rev().filter(|other| *other != run);
        let seconds = std::iter::once(None).chain(others.map(Some));
        for second in seconds {
            let found = lines_along(decision, *run, second.copied());
            if found.len() < best.len() {
                best = found;
            }
        }
    }
    best
}

/// Whether all that is seen at a place are numbers without names.
fn is_number(decision: &Decision, at: usize) -> bool {
    let mut rows = decision.rows.iter();
    decision.seen[at].labels.is_none() && rows.all(|row| matches!(row.seen[at], Known::Number(_)))
}

/// A line for each row.
fn plain_lines(decision: &Decision) -> Vec<Line<'_>> {
    let rows = decision.rows.iter();
    rows.map(|row| Line { rows: vec![row] }).collect()
}

/// Rows that differ in a number alone, and perhaps in a second one, by the first number; those of each number choose alike.
type Group<'d> = BTreeMap<&'d Known, Vec<&'d DecisionRow>>;

/// The lines with ranges of the number at `run`, and of that at `second`.
fn lines_along(decision: &Decision, run: usize, second: Option<usize>) -> Vec<Line<'_>> {
    let mut groups: BTreeMap<Vec<&Known>, Group<'_>> = BTreeMap::new();
    for row in &decision.rows {
        let seen = row.seen.iter().enumerate();
        let mut key: Vec<&Known> = seen
            .filter(|(at, _)| *at != run && Some(*at) != second)
            .map(|(_, value)| value)
            .collect();
        key.extend(second.map(|at| &row.seen[at]));
        let group = groups.entry(key).or_default();
        group.entry(&row.seen[run]).or_default().push(row);
    }
    let mut merged: Vec<(Vec<&Known>, Group<'_>)> = Vec::new();
    for (mut key, group) in groups {
        if second.is_some() {
            key.pop();
        }
        let last = merged
            .last_mut()
            .filter(|(known, _)| second.is_some() && *known == key);
        match last.and_then(|(_, last)| together(last, &group).map(|both| (last, both))) {
            Some((last, both)) => *last = both,
            None => merged.push((key, group)),
        }
    }
    let mut lines: Vec<Line<'_>> = merged.iter().flat_map(|(_, group)| runs(group)).collect();
    let order = |line: &Line<'_>| -> Vec<Known> {
        let places = 0..decision.seen.len();
        places.map(|at| line.range(at).0.clone()).collect()
    };
    lines.sort_by_cached_key(order);
    lines
}

/// Whether two rows choose alike: the same, where there is another option, or where there is none.
fn is_alike(one: &DecisionRow, other: &DecisionRow) -> bool {
    one.chosen == other.chosen && one.lead.is_some() == other.lead.is_some()
}

/// Two groups as one, if no number chooses in two ways then, and there are no more runs than in one of them.
fn together<'d>(one: &Group<'d>, other: &Group<'d>) -> Option<Group<'d>> {
    let mut both = one.clone();
    for (value, rows) in other {
        let known = both.entry(value).or_default();
        if known.first().is_some_and(|row| !is_alike(row, rows[0])) {
            return None;
        }
        known.extend(rows);
    }
    let count = |group: &Group<'_>| runs(group).len();
    (count(&both) <= count(one).max(count(other))).then_some(both)
}

/// Neighbouring numbers that choose alike.
fn runs<'d>(group: &Group<'d>) -> Vec<Line<'d>> {
    let mut runs: Vec<Line<'d>> = Vec::new();
    for rows in group.values() {
        match runs.last_mut().filter(|run| is_alike(run.rows[0], rows[0])) {
            Some(run) => run.rows.extend(rows),
            None => runs.push(Line { rows: rows.clone() }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use oddsmith_exact::Seen;
    use oddsmith_rules::program::Party;
    use proptest::prelude::*;

    use super::*;

    /// A decision that knows three numbers, of which some rows are there; what is chosen turns on sums of them.
    fn decisions() -> impl Strategy<Value = Decision> {
        let rows = prop::collection::btree_map([0_i64..4, 0..5, 0..3], 0_i64..9, 1..40);
        (rows, [-1_i64..=2, -1..=2, -1..=2], 1_i64..6).prop_map(|(rows, factors, border)| {
            let row = |(seen, noise): ([i64; 3], i64)| {
                let sum: i64 = seen
                    .iter()
                    .zip(factors)
                    .map(|(value, factor)| value * factor)
                    .sum();
                let chosen = if noise == 0 {
                    2
                } else {
                    i64::from(sum >= border)
                };
                DecisionRow {
                    seen: seen.map(Known::Number).to_vec(),
                    chosen: Known::Number(chosen),
                    probability: RBig::ONE,
                    worth: RBig::from(sum),
                    lead: (noise != 1).then_some(RBig::ONE),
                }
            };
            let seen = |name: &str| Seen {
                name: name.to_owned(),
                labels: None,
            };
            Decision {
                party: Party::Player,
                name: "hold".to_owned(),
                rounds: Vec::new(),
                number: 1,
                seen: ["mine", "theirs", "turn"].map(seen).to_vec(),
                rows: rows.into_iter().map(row).collect(),
            }
        })
    }

    proptest! {
        /// Every row is in one line; whoever plays by the ranges of a line does what its rows say.
        #[test]
        fn lines_say_what_rows_say(decision in decisions()) {
            let lines = lines(&decision);
            let mut rows: Vec<&DecisionRow> = lines.iter().flat_map(|line| line.rows.clone()).collect();
            rows.sort_by_key(|row| &row.seen);
            prop_assert!(rows.into_iter().eq(&decision.rows));
            for line in &lines {
                let is_within = |row: &&DecisionRow| (0..3).all(|at| {
                    let (least, most) = line.range(at);
                    (least..=most).contains(&&row.seen[at])
                });
                for row in decision.rows.iter().filter(is_within) {
                    prop_assert!(is_alike(row, line.rows[0]), "{row:?} is not what {line:?} says");
                }
            }
        }
    }

    /// Whoever holds at 20, or at 25 if the other is near the end, needs four lines.
    #[test]
    fn a_border_that_moves_once_makes_two_ranges() {
        let row = |theirs: i64, turn: i64| DecisionRow {
            seen: vec![Known::Number(theirs), Known::Number(turn)],
            chosen: Known::Number(i64::from(turn >= if theirs >= 86 { 25 } else { 20 })),
            probability: RBig::ONE,
            worth: RBig::ONE,
            lead: Some(RBig::ONE),
        };
        let seen = |name: &str| Seen {
            name: name.to_owned(),
            labels: None,
        };
        let decision = Decision {
            party: Party::Player,
            name: "hold".to_owned(),
            rounds: Vec::new(),
            number: 1,
            seen: vec![seen("theirs"), seen("turn")],
            rows: (0..100)
                .flat_map(|theirs| (2..40).map(move |turn| row(theirs, turn)))
                .collect(),
        };
        let lines = lines(&decision);
        let ranges: Vec<String> = lines
            .iter()
            .map(|line| {
                format!(
                    "{:?} {:?} {:?}",
                    line.range(0),
                    line.range(1),
                    line.rows[0].chosen
                )
            })
            .map(|text| text.replace("Number", ""))
            .collect();
        assert_eq!(
            ranges,
            [
                "((0), (85)) ((2), (19)) (0)",
                "((0), (85)) ((20), (39)) (1)",
                "((86), (99)) ((2), (24)) (0)",
                "((86), (99)) ((25), (39)) (1)"
            ]
        );
    }
}
