//! The part of a chain that matters for a start, in an order to work in.

use std::ops::Range;

use dashu_int::UBig;

use super::states::Move;

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
    search.components.iter().any(|(_, is_live)| !is_live)
}

/// Whether a way from the start comes back to a state, and some move of it adds to the gain at this place.
pub(super) fn grows(moves: &[Vec<Move>], start: &[(usize, UBig)], gain: usize) -> bool {
    let search = Search::from(moves, start);
    search.found.iter().any(|&state| {
        let component = search.component[state];
        let stays = |step: &&Move| search.component[step.to] == component;
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

/// The search for strongly connected components by Tarjan, without recursion.
struct Search<'a> {
    moves: &'a [Vec<Move>],
    /// When each state was first seen.
    seen: Vec<usize>,
    /// The earliest state seen that is known to be in the same component.
    low: Vec<usize>,
    component: Vec<usize>,
    /// States seen that have no component yet.
    open: Vec<usize>,
    /// States by component; a component comes after those that it leads to.
    found: Vec<usize>,
    /// The components in their order: where each begins in `found`, and whether it leads to an end.
    components: Vec<(usize, bool)>,
    count: usize,
    /// States that are being visited, and how many of their moves have been followed.
    calls: Vec<(usize, usize)>,
}

impl<'a> Search<'a> {
    /// The components of all that can be reached from a start.
    fn from(moves: &'a [Vec<Move>], start: &[(usize, UBig)]) -> Self {
        let mut search = Self::new(moves);
        for (state, weight) in start {
            if !weight.is_zero() {
                search.visit(*state);
            }
        }
        search
    }

    fn new(moves: &'a [Vec<Move>]) -> Self {
        let states = moves.len();
        Self {
            moves,
            seen: vec![NONE; states],
            low: vec![NONE; states],
            component: vec![NONE; states],
            open: Vec::with_capacity(states),
            found: Vec::with_capacity(states),
            components: Vec::with_capacity(states),
            count: 0,
            calls: Vec::with_capacity(states),
        }
    }

    fn enter(&mut self, state: usize) {
        self.seen[state] = self.count;
        self.low[state] = self.count;
        self.count += 1;
        self.open.push(state);
        self.calls.push((state, 0));
    }

    fn visit(&mut self, root: usize) {
        if self.seen[root] == NONE {
            self.enter(root);
        }
        while let Some((state, followed)) = self.calls.last_mut() {
            let state = *state;
            if let Some(step) = self.moves[state].get(*followed) {
                *followed += 1;
                if self.seen[step.to] == NONE {
                    self.enter(step.to);
                } else if self.component[step.to] == NONE {
                    self.low[state] = self.low[state].min(self.seen[step.to]);
                }
                continue;
            }
            self.calls.pop();
            if let Some((caller, _)) = self.calls.last() {
                self.low[*caller] = self.low[*caller].min(self.low[state]);
            }
            if self.low[state] == self.seen[state] {
                self.close(state);
            }
        }
    }

    /// Closes a component: everything open from `first` on.
    fn close(&mut self, first: usize) {
        let begin = self.found.len();
        let number = self.components.len();
        while let Some(state) = self.open.pop() {
            self.component[state] = number;
            self.found.push(state);
            if state == first {
                break;
            }
        }
        let leads_on = |state: &usize| {
            let moves = &self.moves[*state];
            let others = moves.iter().map(|step| self.component[step.to]);
            let mut others = others.filter(|other| *other != number);
            moves.is_empty() || others.any(|other| self.components[other].1)
        };
        let live = self.found[begin..].iter().any(leads_on);
        self.components.push((begin, live));
    }

    fn states_of(&self, component: usize) -> &[usize] {
        let end = self.components.get(component + 1);
        let end = end.map_or(self.found.len(), |(begin, _)| *begin);
        &self.found[self.components[component].0..end]
    }

    /// Whether a component is worked through: it is left, and leads to an end.
    fn is_block(&self, component: usize) -> bool {
        let (begin, live) = self.components[component];
        live && !self.moves[self.found[begin]].is_empty()
    }

    /// The longest way to each block, in blocks.
    fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.components.len()];
        for component in (0..depths.len()).rev().filter(|c| self.is_block(*c)) {
            for state in self.states_of(component) {
                for step in &self.moves[*state] {
                    let next = self.component[step.to];
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
        let mut states = Vec::with_capacity(self.found.len());
        let mut blocks = Vec::with_capacity(order.len());
        for component in &order {
            let first = states.len();
            states.extend_from_slice(self.states_of(*component));
            blocks.push(first..states.len());
        }
        let mut levels = Vec::new();
        let mut first = 0;
        for same in order.chunk_by(|a, b| depths[*a] == depths[*b]) {
            levels.push(first..first + same.len());
            first += same.len();
        }
        let found = self.found.iter().copied();
        let mut ends: Vec<usize> = found
            .filter(|state| self.moves[*state].is_empty())
            .collect();
        ends.sort_unstable();
        let lost = states.len() + ends.len();
        let mut places = vec![NONE; self.moves.len()];
        for state in &self.found {
            places[*state] = lost;
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
