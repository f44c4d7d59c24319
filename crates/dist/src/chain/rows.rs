//! The moves of a chain with weights over one total, one at a time or several at once.

use std::ops::Range;

use dashu_int::UBig;

use super::graph::Graph;
use super::states::{Chain, Move};
use crate::combine::greatest_common_divisor;
use crate::combine::least_common_multiple;
use crate::number::{Number, bits, gcd, words};
use crate::{Budget, Error};

/// Moves by the place that they lead from.
pub(super) struct Rows {
    /// One for each word of each weight that is not 0; moves after which nothing ends are left out.
    pub(super) parts: Vec<WeightWord>,
    /// For each place the end of its parts.
    until: Vec<usize>,
    /// How many moves are made at once. Behind the places of states there are as many more, for what ends with the last
    /// of them, with the one before and so on.
    pub(super) at_once: usize,
    /// The total of one move: weights of `n` moves are over `total^n`.
    pub(super) total: UBig,
    /// Whether a state can be come to twice.
    pub(super) returns: bool,
}

/// A word of a weight.
pub(super) struct WeightWord {
    pub(super) from: usize,
    pub(super) to: usize,
    /// How many words stand below it.
    pub(super) shift: usize,
    pub(super) digit: u64,
}

impl Rows {
    /// Single moves.
    ///
    /// # Errors
    /// [`Error::OverBudget`]: each weight may be as long as the total of all states.
    pub(super) fn new(chain: &Chain, graph: &Graph, budget: &Budget) -> Result<Self, Error> {
        let states = graph.states.iter();
        let scales: Vec<_> = states
            .map(|state| lowest_terms(&chain.moves[*state]))
            .collect();
        let total = least_common_multiple(scales.iter().map(|(total, _)| total));
        let ended = graph.states.len();
        let moves = graph.states.iter().map(|state| chain.moves[*state].len());
        let moves: usize = moves.sum();
        let most_parts = (moves as u128).saturating_mul(words(bits(&total) as u128));
        budget.charge(most_parts)?;
        budget.charge_memory(most_parts.saturating_mul(size_of::<WeightWord>() as u128))?;
        let mut rows = Self {
            parts: Vec::with_capacity(moves),
            until: Vec::with_capacity(ended),
            at_once: 1,
            total,
            returns: graph.blocks.len() < ended,
        };
        for (from, (state, (own, shared))) in graph.states.iter().zip(&scales).enumerate() {
            let factor = &rows.total / own;
            for step in &chain.moves[*state] {
                let to = graph.place(step.to);
                rows.returns |= to == from;
                if to != graph.lost() {
                    rows.add(from, to.min(ended), &scaled(&step.weight, shared, &factor));
                }
            }
            rows.until.push(rows.parts.len());
        }
        Ok(rows)
    }

    fn add(&mut self, from: usize, to: usize, weight: &UBig) {
        weight.with_words(|words| {
            let words = words.iter().enumerate().filter(|(_, digit)| **digit != 0);
            self.parts.extend(words.map(|(shift, &digit)| WeightWord {
                from,
                to,
                shift,
                digit,
            }));
        });
    }

    /// Single moves between states the other way round, and what ends with one move from each state.
    pub(super) fn turned(&self) -> (Self, Vec<UBig>) {
        let states = self.states();
        let mut ended = vec![UBig::ZERO; states];
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            match part.to < states {
                true => parts.push(WeightWord {
                    from: part.to,
                    to: part.from,
                    ..*part
                }),
                false => ended[part.from] += UBig::from(part.digit) << (64 * part.shift),
            }
        }
        parts.sort_by_key(|part| part.from);
        let until = (0..states).map(|place| parts.partition_point(|part| part.from <= place));
        let turned = Self {
            until: until.collect(),
            parts,
            at_once: 1,
            total: self.total.clone(),
            returns: self.returns,
        };
        (turned, ended)
    }

    /// As many moves as can be made, up to a horizon.
    pub(super) fn most_moves(&self, graph: &Graph, horizon: usize) -> usize {
        match self.returns {
            true => horizon,
            false => horizon.min(graph.levels.len()),
        }
    }

    /// The number of states.
    pub(super) fn states(&self) -> usize {
        self.until.len()
    }

    fn range(&self, place: usize) -> Range<usize> {
        let first = place.checked_sub(1).map_or(0, |before| self.until[before]);
        first..self.until[place]
    }

    /// The parts that lead from a place.
    pub(super) fn of(&self, place: usize) -> impl Iterator<Item = &WeightWord> {
        self.parts[self.range(place)].iter()
    }

    /// The rows for as many moves at once as make fewer products of a way of `horizon` moves.
    pub(super) fn doubled_while_it_pays(mut self, horizon: usize) -> Self {
        while let Some(twice) = self.doubled(horizon) {
            self = twice;
        }
        self
    }

    /// Twice as many moves at once, if their weights are single words and it pays. A place's weights are together no more
    /// than `total^at_once`, which a word holds.
    fn doubled(&self, horizon: usize) -> Option<Self> {
        let (states, at_once) = (self.states(), 2 * self.at_once);
        if at_once > horizon || bits(&self.total) > 64 / at_once {
            return None;
        }
        let live = self.parts.iter().filter(|part| part.to < states);
        let products: usize = live.map(|part| self.range(part.to).len()).sum();
        if products > self.parts.len() * (horizon / at_once) {
            return None;
        }
        let mut parts = Vec::with_capacity(2 * self.parts.len());
        let mut until = Vec::with_capacity(states);
        let mut row = vec![0; states + at_once];
        let mut found = Vec::with_capacity(row.len().min(self.parts.len()));
        for from in 0..states {
            let mut add = |to: usize, digit: u64| {
                if row[to] == 0 {
                    found.push(to);
                }
                row[to] += digit;
            };
            for part in self.of(from) {
                if part.to >= states {
                    add(part.to + self.at_once, part.digit);
                    continue;
                }
                for next in self.of(part.to) {
                    add(next.to, part.digit * next.digit);
                }
            }
            parts.extend(found.drain(..).map(|to| WeightWord {
                from,
                to,
                shift: 0,
                digit: std::mem::take(&mut row[to]),
            }));
            until.push(parts.len());
        }
        // Half as many rounds, of less than twice the products each.
        (parts.len() < 2 * self.parts.len()).then(|| Self {
            parts,
            until,
            at_once,
            total: self.total.clone(),
            returns: self.returns,
        })
    }
}

/// The total of a state's weights in lowest terms, and what these are divided by for that.
fn lowest_terms(moves: &[Move]) -> (UBig, UBig) {
    let weights = || moves.iter().map(|step| &step.weight);
    let words = weights().try_fold((0, 0_u128), |(shared, total), weight| {
        let weight = u64::try_from(weight).ok()?;
        Some((gcd(weight, shared), total + u128::from(weight)))
    });
    if let Some((shared @ 1.., total)) = words {
        return (UBig::from(total / u128::from(shared)), UBig::from(shared));
    }
    let shared = greatest_common_divisor(weights());
    let total: UBig = weights().sum();
    (total / &shared, shared)
}

/// `weight / shared * factor`, where that is a whole number.
fn scaled(weight: &UBig, shared: &UBig, factor: &UBig) -> UBig {
    let word = |number: &UBig| u64::try_from(number).ok();
    let words = || (word(weight)? / word(shared)?).checked_mul(word(factor)?);
    words().map_or_else(|| weight / shared * factor, UBig::from)
}
