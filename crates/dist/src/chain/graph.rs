//! The part of a chain that matters for a start, in an order to work in.

use std::ops::Range;

use dashu_int::UBig;

use super::states::Move;
use crate::Components;

/// Not seen yet, or not part of anything.
const NONE: usize = usize::MAX;

/// The states that a start can reach, by places: first the states that can still come to an end,
/// then the ends, then one place for all that can't.
pub(super) struct Graph {
    /// The states at the first places. They stand in blocks of states that can return to one
    /// another, and moves lead forward from block to block.
    pub(super) states: Vec<usize>,
    /// The ends at the places that follow, ascending.
    pub(super) ends: Vec<usize>,
    /// The places of `states` that belong to each block.
    pub(super) blocks: Vec<Range<usize>>,
    /// The blocks that are as many steps from the start, by the longest way.
    pub(super) levels: Vec<Range<usize>>,
    places: Vec<usize>,
}

/// Whether the start can come to states from which no end can be reached.
pub(super) fn loses(moves: &[Vec<Move>], start: &[(usize, UBig)]) -> bool {
    let search = Search::from(moves, start);
    search.leads_on.contains(&false)
}

/// Whether a way from the start comes back to a state, and some move of it adds to the gain at this place.
pub(super) fn grows(moves: &[Vec<Move>], start: &[(usize, UBig)], gain: usize) -> bool {
    let search = Search::from(moves, start);
    search.components.all().any(|state| {
        let component = search.components.of(state);
        let stays = |step: &&Move| search.components.of(step.to) == component;
        let mut within = moves[state].iter().filter(stays);
        within.any(|step| step.gains[gain] != 0)
    })
}

impl Graph {
    pub(super) fn new(moves: &[Vec<Move>], start: &[(usize, UBig)]) -> Self {
        Search::from(moves, start).into_graph()
    }

    /// The place of a state that can be reached.
    pub(super) fn place(&self, state: usize) -> usize {
        self.places[state]
    }

    /// The place of each state; none if it can't be reached, or no end from there.
    pub(super) fn useful_places(&self) -> Vec<Option<usize>> {
        let places = self.places.iter().copied();
        let useful = places.map(|place| Some(place).filter(|place| *place < self.lost()));
        useful.collect()
    }

    /// The place of all states from which no end can be reached.
    pub(super) fn lost(&self) -> usize {
        self.states.len() + self.ends.len()
    }
}

/// The components of what a start can reach.
struct Search<'a> {
    moves: &'a [Vec<Move>],
    components: Components,
    /// For each component whether it leads to an end.
    leads_on: Vec<bool>,
}

impl<'a> Search<'a> {
    /// The components of all that can be reached from a start.
    fn from(moves: &'a [Vec<Move>], start: &[(usize, UBig)]) -> Self {
        let begins = start.iter().filter(|(_, weight)| !weight.is_zero());
        let next = |state: usize, nth: usize| Some(moves[state].get(nth)?.to);
        let roots = begins.map(|(state, _)| *state);
        let mut search = Self {
            moves,
            components: Components::reached(moves.len(), roots, next),
            leads_on: Vec::new(),
        };
        for component in 0..search.components.len() {
            let leads_on = search.leads_on(component);
            search.leads_on.push(leads_on);
        }
        search
    }

    /// Whether a component leads to an end, if that is known of those before it.
    fn leads_on(&self, component: usize) -> bool {
        let mut states = self.components.places(component);
        states.any(|state| {
            let others = self.moves[state].iter();
            let mut others = others.filter_map(|step| self.components.of(step.to));
            self.moves[state].is_empty() || others.any(|to| to < component && self.leads_on[to])
        })
    }

    /// Whether a component is worked through: it is left, and leads to an end.
    fn is_block(&self, component: usize) -> bool {
        let first = self.components.places(component).next();
        self.leads_on[component] && first.is_some_and(|state| !self.moves[state].is_empty())
    }

    /// The longest way to each block, in blocks.
    fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.components.len()];
        for component in (0..depths.len()).rev().filter(|c| self.is_block(*c)) {
            for state in self.components.places(component) {
                for step in &self.moves[state] {
                    let next = self.components.of(step.to);
                    let next = next.expect("what a state leads to is reached");
                    if next != component {
                        depths[next] = depths[next].max(depths[component] + 1);
                    }
                }
            }
        }
        depths
    }

    fn into_graph(self) -> Graph {
        let depths = self.depths();
        let blocks = (0..depths.len()).rev().filter(|c| self.is_block(*c));
        let mut order: Vec<usize> = blocks.collect();
        order.sort_by_key(|component| depths[*component]);
        let mut states = Vec::with_capacity(self.components.all().len());
        let mut blocks = Vec::with_capacity(order.len());
        for component in &order {
            let first = states.len();
            states.extend(self.components.places(*component));
            blocks.push(first..states.len());
        }
        let mut levels = Vec::new();
        let mut first = 0;
        for same in order.chunk_by(|a, b| depths[*a] == depths[*b]) {
            levels.push(first..first + same.len());
            first += same.len();
        }
        let found = self.components.all();
        let mut ends: Vec<usize> = found
            .filter(|state| self.moves[*state].is_empty())
            .collect();
        ends.sort_unstable();
        let lost = states.len() + ends.len();
        let mut places = vec![NONE; self.moves.len()];
        for state in self.components.all() {
            places[state] = lost;
        }
        for (place, state) in states.iter().chain(&ends).enumerate() {
            places[*state] = place;
        }
        Graph {
            states,
            ends,
            blocks,
            levels,
            places,
        }
    }
}
