//! A way to choose that is the best or nearly so, found in floats: where the proof begins.

use oddsmith_dist::{Budget, RBig};
use oddsmith_rules::program::Party;

use super::graph::{Graph, Node, Way};
use super::leaving::{Marks, pay};
use crate::Error;

/// The most rounds that are looked ahead.
const MOST: usize = 1000;
/// What changes by less than this part of itself stays as it is.
const LITTLE: f64 = 1e-13;
/// Options that differ by less than this part of their worth are equally good here.
const ALIKE: f64 = 1e-9;

/// What everything is worth, as far as one has looked ahead.
struct Worths<'g> {
    graph: &'g Graph,
    /// For each roll the chances of its ways.
    chances: Vec<Vec<f64>>,
    /// What is added to the goal, for each of the graph's gains.
    gains: &'g [f64],
    nodes: Vec<f64>,
    states: Vec<f64>,
}

impl Worths<'_> {
    fn of(&self, way: Way) -> f64 {
        match way {
            Way::Node(node) => self.nodes[node],
            Way::State(state, gain) => self.states[state] + self.gains[gain],
        }
    }

    /// Looks one round further; the greatest change, and the greatest worth.
    fn look(&mut self, inside: &Marks) -> (f64, f64) {
        let graph = self.graph;
        for at in graph.backwards().filter(|at| inside.nodes[*at]) {
            self.nodes[at] = match &graph.nodes[at] {
                Node::Roll(ways) => {
                    let shares = ways.iter().zip(&self.chances[at]);
                    shares
                        .map(|((way, _), chance)| chance * self.of(*way))
                        .sum()
                }
                Node::Choice(choice) => {
                    let options = choice.options.iter().filter(|(_, way)| inside.at(*way));
                    let worths = options.map(|(_, way)| self.of(*way));
                    best_of(choice.party, worths)
                }
            };
        }
        let (mut change, mut most) = (0.0_f64, 0.0_f64);
        for (state, first) in graph.first.iter().enumerate() {
            if let Some(first) = first.filter(|way| inside.at(*way)) {
                let worth = self.of(first);
                change = change.max((worth - self.states[state]).abs());
                most = most.max(worth.abs());
                self.states[state] = worth;
            }
        }
        (change, most)
    }

    /// The first of the options that seem best.
    fn best(&self, inside: &Marks) -> Vec<usize> {
        let mut chosen = vec![0; self.graph.nodes.len()];
        for (at, choice) in self.graph.choices() {
            let options = || choice.options.iter().enumerate();
            let allowed = || options().filter(|(_, (_, way))| inside.at(*way));
            let worths = allowed().map(|(_, (_, way))| self.of(*way));
            let best = best_of(choice.party, worths);
            let near = ALIKE * best.abs().max(1.0);
            let mut good = allowed().filter(|(_, (_, way))| (self.of(*way) - best).abs() <= near);
            chosen[at] = good
                .next()
                .or_else(|| allowed().next())
                .map_or(0, |(option, _)| option);
        }
        chosen
    }
}

/// The worth that is best for whoever chooses.
fn best_of(party: Party, worths: impl Iterator<Item = f64>) -> f64 {
    match party {
        Party::Player => worths.fold(f64::NEG_INFINITY, f64::max),
        Party::Opponent => worths.fold(f64::INFINITY, f64::min),
    }
}

/// For each node that chooses the place of an option. `ends` are the worths of states that are ends, and 0 for others.
pub(super) fn guess(
    graph: &Graph,
    ends: Vec<f64>,
    gains: &[f64],
    inside: &Marks,
    budget: &Budget,
) -> Result<Vec<usize>, Error> {
    let chances = graph.nodes.iter().map(|node| match node {
        Node::Choice(_) => Vec::new(),
        Node::Roll(ways) => {
            let total = ways.iter().map(|(_, weight)| weight).sum();
            let share = |weight: &oddsmith_dist::UBig, total: &oddsmith_dist::UBig| {
                let share = RBig::from_parts(weight.clone().into(), total.clone());
                share.to_f64().value()
            };
            ways.iter()
                .map(|(_, weight)| share(weight, &total))
                .collect()
        }
    });
    let mut worths = Worths {
        graph,
        chances: chances.collect(),
        gains,
        nodes: vec![0.0; graph.nodes.len()],
        states: ends,
    };
    for _ in 0..MOST {
        pay(graph, budget)?;
        let (change, most) = worths.look(inside);
        if change <= LITTLE * most {
            break;
        }
    }
    Ok(worths.best(inside))
}
