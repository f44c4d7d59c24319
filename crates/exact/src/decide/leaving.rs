//! Which ways to choose come to an end.

use oddsmith_dist::Budget;
use oddsmith_rules::program::Party;

use super::graph::{Graph, Node, Way};
use crate::Error;

/// For each node and each state whether something holds there.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) nodes: Vec<bool>,
    pub(super) states: Vec<bool>,
}

impl Marks {
    pub(super) fn all(graph: &Graph, value: bool) -> Self {
        Self {
            nodes: vec![value; graph.nodes.len()],
            states: vec![value; graph.keys.len()],
        }
    }

    /// Those of the marks that can be come to from some states without leaving them.
    fn from(&self, graph: &Graph, starts: &[usize]) -> Self {
        let mut kept = Self::all(graph, false);
        let starts = starts.iter().map(|state| Way::State(*state, 0));
        let mut open: Vec<Way> = starts.filter(|way| self.at(*way)).collect();
        while let Some(way) = open.pop() {
            let mark = match way {
                Way::Node(node) => &mut kept.nodes[node],
                Way::State(state, _) => &mut kept.states[state],
            };
            if std::mem::replace(mark, true) {
                continue;
            }
            match way {
                Way::State(state, _) => open.extend(graph.first[state]),
                Way::Node(node) => match &graph.nodes[node] {
                    Node::Roll(ways) => open.extend(ways.iter().map(|(way, _)| *way)),
                    Node::Choice(choice) => {
                        let options = choice.options.iter().map(|(_, way)| *way);
                        open.extend(options.filter(|way| self.at(*way)));
                    }
                },
            }
        }
        kept
    }

    pub(super) fn at(&self, way: Way) -> bool {
        match way {
            Way::Node(node) => self.nodes[node],
            Way::State(state, _) => self.states[state],
        }
    }
}

/// What an option may lead to.
pub(super) type Allowed<'a> = dyn Fn(usize, usize) -> bool + 'a;

/// Who would rather not come to an end: whose choices take any of the options that are allowed, not those that suit.
pub(super) type Against<'a> = dyn Fn(Party) -> bool + 'a;

/// Where an end can be reached, if a choice takes one of the options that are allowed, whichever suits.
fn reaching(graph: &Graph, allowed: &Allowed<'_>, budget: &Budget) -> Result<Marks, Error> {
    let (any_end, nobody) = (|_: usize| true, |_: Party| false);
    reaching_against(graph, &any_end, allowed, &nobody, budget)
}

/// Where one of these ends can be reached whatever is done against it, with the options that are allowed.
pub(super) fn reaching_against(
    graph: &Graph,
    is_wanted: &dyn Fn(usize) -> bool,
    allowed: &Allowed<'_>,
    against: &Against<'_>,
    budget: &Budget,
) -> Result<Marks, Error> {
    let mut marks = Marks::all(graph, false);
    for (state, first) in graph.first.iter().enumerate() {
        marks.states[state] = first.is_none() && is_wanted(state);
    }
    loop {
        pay(graph, budget)?;
        let mut has_more = false;
        for at in graph.backwards() {
            let reaches = match &graph.nodes[at] {
                Node::Roll(ways) => ways.iter().any(|(way, _)| marks.at(*way)),
                Node::Choice(choice) => {
                    let options = choice.options.iter().enumerate();
                    let mut options = options.filter(|(option, _)| allowed(at, *option));
                    let reaches = |(_, (_, way)): (usize, &(i64, Way))| marks.at(*way);
                    match against(choice.party) {
                        true => options.all(reaches),
                        false => options.any(reaches),
                    }
                }
            };
            has_more |= reaches && !marks.nodes[at];
            marks.nodes[at] |= reaches;
        }
        for (state, first) in graph.first.iter().enumerate() {
            let reaches = first.is_some_and(|way| marks.at(way));
            has_more |= reaches && !marks.states[state];
            marks.states[state] |= reaches;
        }
        if !has_more {
            return Ok(marks);
        }
    }
}

/// From where it can be made certain that there is an end, of what can be come to from some states without giving that up.
///
/// What may lead elsewhere is left out, again and again, until an end can be reached from all that is left.
pub(super) fn certain(graph: &Graph, starts: &[usize], budget: &Budget) -> Result<Marks, Error> {
    let mut inside = Marks::all(graph, true);
    loop {
        pay(graph, budget)?;
        for at in graph.backwards() {
            inside.nodes[at] = match &graph.nodes[at] {
                Node::Roll(ways) => ways.iter().all(|(way, _)| inside.at(*way)),
                Node::Choice(choice) => choice.options.iter().any(|(_, way)| inside.at(*way)),
            };
        }
        let allowed = |node: usize, option: usize| match &graph.nodes[node] {
            Node::Choice(choice) => inside.at(choice.options[option].1),
            Node::Roll(_) => false,
        };
        let reaching = reaching(graph, &allowed, budget)?;
        let mut next = inside.clone();
        for (state, first) in graph.first.iter().enumerate() {
            next.states[state] &= first.is_none_or(|way| inside.at(way) && reaching.at(way));
        }
        if next.states == inside.states {
            return Ok(inside.from(graph, starts));
        }
        inside = next;
    }
}

/// Where no end is reached with what is chosen, the first option that is allowed and leads where one is takes its place, again
/// and again. Where an end is reached after all that.
pub(super) fn lead_out(
    graph: &Graph,
    chosen: &mut [usize],
    allowed: &Allowed<'_>,
    budget: &Budget,
) -> Result<Marks, Error> {
    lead_out_against(graph, chosen, allowed, &|_| false, budget)
}

/// The same where some would rather not come to an end: what they have chosen stays, and does not count, for they may take any
/// option that is allowed.
pub(super) fn lead_out_against(
    graph: &Graph,
    chosen: &mut [usize],
    allowed: &Allowed<'_>,
    against: &Against<'_>,
    budget: &Budget,
) -> Result<Marks, Error> {
    loop {
        let reached = {
            let may_be_taken = |node: usize, option: usize| match &graph.nodes[node] {
                Node::Choice(choice) if against(choice.party) => allowed(node, option),
                _ => chosen[node] == option,
            };
            reaching_against(graph, &|_| true, &may_be_taken, against, budget)?
        };
        let mut has_changed = false;
        let stuck = graph.choices().filter(|(at, _)| !reached.nodes[*at]);
        for (at, choice) in stuck.filter(|(_, choice)| !against(choice.party)) {
            let mut options = choice.options.iter().enumerate();
            let out = options.find(|(option, (_, way))| allowed(at, *option) && reached.at(*way));
            if let Some((option, _)) = out {
                chosen[at] = option;
                has_changed = true;
            }
        }
        if !has_changed {
            return Ok(reached);
        }
    }
}

/// Charges for looking at every way once.
pub(super) fn pay(graph: &Graph, budget: &Budget) -> Result<(), Error> {
    let steps = 3 * graph.ways() + 3 * graph.nodes.len() + 2 * graph.keys.len();
    let charged = budget.charge(steps as u128);
    charged.map_err(|error| Error::of_charge("choosing in the rounds of this track", &error))
}
