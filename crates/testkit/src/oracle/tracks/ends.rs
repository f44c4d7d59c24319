//! Where rounds end, by linear equations over all states.

use std::collections::BTreeMap;

use oddsmith_dist::RBig;

use super::{Round, Track};
use crate::oracle::graph::{Graph, MOST_NODES, Moments, Move};
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

/// A state, and what its sums are counted to.
type Node = (Values, Vec<i64>);

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
    fn lay_out(&self, graph: &mut Graph<Node>, look: &Look) -> Result<(), Halt> {
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
