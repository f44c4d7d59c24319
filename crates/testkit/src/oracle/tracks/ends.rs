//! Where rounds end, by linear equations over all states.

use std::collections::BTreeMap;

use oddsmith_dist::RBig;

use super::{Round, Track};
use crate::oracle::linear;
use crate::oracle::{Halt, Value, Values};

/// How sums are looked at.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// Whether ends are told apart by what the first round shows.
    pub(super) by_first: bool,
    /// For each sum up to which number it is counted; none is not at all.
    pub(super) most: Vec<Option<i64>>,
    /// For each sum how often what is beyond that counts in `R`.
    pub(super) slopes: Vec<i64>,
}

/// All that begins with the same first round.
pub(super) struct Class {
    /// What it shows, in the order of [`Track::shown`].
    pub(super) shown: Vec<i64>,
    pub(super) ends: Vec<End>,
    /// The probability of the class without an end.
    pub(super) never: RBig,
}

pub(super) struct End {
    /// With the sums as far as they are counted.
    pub(super) values: Values,
    pub(super) moments: Moments,
}

/// `P(here)`, `E[R; here]`, `E[R^2; here]`.
type Moments = [RBig; 3];

/// A state, and what its sums are counted to.
type Node = (Values, Vec<i64>);

/// A way to a node.
struct Move {
    to: usize,
    p: RBig,
    /// What it adds to `R`.
    r: RBig,
}

/// The chain's nodes, and where each leads.
#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    places: BTreeMap<Node, usize>,
    moves: Vec<Vec<Move>>,
}

/// More states than this are not compared.
const MOST_NODES: usize = 600;

impl Track<'_> {
    /// All classes, in the order of what they show.
    ///
    /// # Panics
    /// If ends are told apart by the first round, and there may be none.
    pub(super) fn classes(&self, look: &Look) -> Result<Vec<Class>, Halt> {
        let mut graph = Graph::default();
        let mut starts: BTreeMap<Vec<i64>, Vec<Move>> = BTreeMap::new();
        for (mut state, p) in self.starts()? {
            let sums = self.take_sums(&mut state);
            let mut begin = |shown, state, sums: &[i64], p| {
                let (counted, r) = look.count(None, sums);
                let to = graph.place((state, counted));
                starts.entry(shown).or_default().push(Move { to, p, r });
            };
            if !look.by_first {
                begin(Vec::new(), state, &sums, p);
                continue;
            }
            assert!(!self.is_over(&state), "no first round");
            for mut round in self.round(&state)? {
                let shown = self.take_shown(&mut round.to);
                let sums = sums.iter().zip(&round.gains).map(|(sum, gain)| sum + gain);
                let sums: Vec<i64> = sums.collect();
                begin(shown, round.to, &sums, &p * round.p);
            }
        }
        self.lay_out(&mut graph, look)?;
        let class = |(shown, starts): (Vec<i64>, Vec<Move>)| {
            let mut never = starts.iter().fold(RBig::ZERO, |sum, start| sum + &start.p);
            let mut ends = Vec::new();
            for (at, moments) in graph.moments(&starts) {
                never -= &moments[0];
                let (mut values, counted) = graph.nodes[at].clone();
                for (sum, value) in self.sums.iter().zip(counted) {
                    values[sum.0] = Some(Value::Number(value));
                }
                ends.push(End { values, moments });
            }
            Class { shown, ends, never }
        };
        Ok(starts.into_iter().map(class).collect())
    }

    /// Finds all states. Those in which the loop is over lead nowhere.
    fn lay_out(&self, graph: &mut Graph, look: &Look) -> Result<(), Halt> {
        while let Some((state, counted)) = graph.nodes.get(graph.moves.len()).cloned() {
            if graph.nodes.len() > MOST_NODES {
                return Err(Halt::TooMany);
            }
            let mut moves = Vec::new();
            if !self.is_over(&state) {
                for Round { mut to, gains, p } in self.round(&state)? {
                    self.take_shown(&mut to);
                    let (counted, r) = look.count(Some(&counted), &gains);
                    let to = graph.place((to, counted));
                    moves.push(Move { to, p, r });
                }
            }
            graph.moves.push(moves);
        }
        Ok(())
    }
}

impl Look {
    /// What the sums are counted to after gains, and what that adds to `R`.
    fn count(&self, counted: Option<&[i64]>, gains: &[i64]) -> (Vec<i64>, RBig) {
        let mut next = Vec::new();
        let mut r = 0;
        for (at, gain) in gains.iter().enumerate() {
            let so_far = counted.map_or(0, |counted| counted[at]);
            let value = match self.most[at] {
                None => 0,
                Some(most) => {
                    assert!(*gain >= 0 || counted.is_none(), "a counted sum never falls");
                    (so_far + gain).min(most)
                }
            };
            r += self.slopes[at] * (so_far + gain - value);
            next.push(value);
        }
        (next, RBig::from(r))
    }
}

impl Graph {
    fn place(&mut self, node: Node) -> usize {
        let Self { nodes, places, .. } = self;
        *places.entry(node).or_insert_with_key(|node| {
            nodes.push(node.clone());
            nodes.len() - 1
        })
    }

    /// The moments at each end that can be come to.
    fn moments(&self, starts: &[Move]) -> Vec<(usize, Moments)> {
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
