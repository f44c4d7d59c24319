//! Chains of nodes, and where they end, by linear equations.

use std::collections::BTreeMap;

use oddsmith_dist::RBig;

use super::linear;

/// `P(here)`, `E[R; here]`, `E[R^2; here]`.
pub(super) type Moments = [RBig; 3];

/// A way to a node.
pub(super) struct Move {
    pub(super) to: usize,
    pub(super) p: RBig,
    /// What it adds to `R`.
    pub(super) r: RBig,
}

/// The chain's nodes, and where each leads.
pub(super) struct Graph<N> {
    pub(super) nodes: Vec<N>,
    places: BTreeMap<N, usize>,
    /// Of the nodes from the first one on; an end has none.
    pub(super) moves: Vec<Vec<Move>>,
}

/// More states than this are not compared.
pub(super) const MOST_NODES: usize = 600;

impl<N> Default for Graph<N> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            places: BTreeMap::new(),
            moves: Vec::new(),
        }
    }
}

impl<N: Clone + Ord> Graph<N> {
    /// The place of a node, which is found or made.
    pub(super) fn place(&mut self, node: N) -> usize {
        let Self { nodes, places, .. } = self;
        *places.entry(node).or_insert_with_key(|node| {
            nodes.push(node.clone());
            nodes.len() - 1
        })
    }

    /// The moments at each end that can be come to.
    pub(super) fn moments(&self, starts: &[Move]) -> Vec<(usize, Moments)> {
        let n = self.nodes.len();
        // Over all rounds, how often each state is come to, with R and with R^2; where it comes from first.
        let mut total = [0, 1, 2].map(|_| vec![RBig::ZERO; n]);
        for start in starts {
            total[0][start.to] += &start.p;
            total[1][start.to] += &start.p * &start.r;
            total[2][start.to] += &start.p * &start.r * &start.r;
        }
        let passing = self.passing();
        for k in 0..3 {
            for &from in &passing {
                for Move { to, p, r } in &self.moves[from] {
                    // Who comes with R from here has R + r there.
                    let more = match k {
                        0 => RBig::ZERO,
                        1 => p * r * &total[0][from],
                        _ => {
                            let twice = RBig::from(2) * p * r * &total[1][from];
                            twice + p * r * r * &total[0][from]
                        }
                    };
                    total[k][*to] += more;
                }
            }
            let solution = linear::solve(self.equations(&passing, &total[k]));
            for (&at, found) in passing.iter().zip(solution) {
                total[k][at] = found;
            }
            for &from in &passing {
                for Move { to, p, .. } in &self.moves[from] {
                    if self.moves[*to].is_empty() {
                        let more = p * &total[k][from];
                        total[k][*to] += more;
                    }
                }
            }
        }
        let ends = (0..n).filter(|&at| self.moves[at].is_empty());
        let moments = ends.map(|at| (at, [0, 1, 2].map(|k: usize| total[k][at].clone())));
        let come_to = moments.filter(|(_, moments)| moments[0] != RBig::ZERO);
        come_to.collect()
    }

    /// `total[at] = entering[at] + sum over moves from there of p * total[from]`, for the passing states.
    fn equations(&self, passing: &[usize], entering: &[RBig]) -> Vec<Vec<RBig>> {
        let places: BTreeMap<usize, usize> = passing.iter().copied().zip(0..).collect();
        let row = |(place, &at): (usize, &usize)| {
            let mut row = vec![RBig::ZERO; passing.len() + 1];
            row[place] = RBig::ONE;
            row[passing.len()] = entering[at].clone();
            row
        };
        let mut rows: Vec<Vec<RBig>> = passing.iter().enumerate().map(row).collect();
        for (place, &from) in passing.iter().enumerate() {
            for Move { to, p, .. } in &self.moves[from] {
                if let Some(row) = places.get(to) {
                    rows[*row][place] -= p;
                }
            }
        }
        rows
    }

    /// The states from which an end can be reached, ends left out: sooner or later they are left for good.
    fn passing(&self) -> Vec<usize> {
        let mut can_end: Vec<bool> = self.moves.iter().map(Vec::is_empty).collect();
        loop {
            let mut found = false;
            for (at, moves) in self.moves.iter().enumerate() {
                if !can_end[at] && moves.iter().any(|step| can_end[step.to]) {
                    can_end[at] = true;
                    found = true;
                }
            }
            if !found {
                break;
            }
        }
        let is_passing = |at: &usize| can_end[*at] && !self.moves[*at].is_empty();
        (0..self.moves.len()).filter(is_passing).collect()
    }
}
