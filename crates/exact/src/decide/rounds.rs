//! The choices of a track: the same in every round, and the best of all ways to choose.
//!
//! A track may go on for ever, so there is no last layer to come back from. What is best in a state is then what no other option
//! improves: with what is chosen the rounds are a chain, which is solved exactly; where an option is worth more it is taken
//! instead, until there is none. Where that begins is found in floats; that nothing is left to improve is exact.
//!
//! An event that is striven for does not happen to those who never come to an end. A number is striven for by ways to choose
//! with which there surely is an end, by others not at all.

use std::rc::Rc;

use oddsmith_dist::{Form, IBig, RBig, UBig, least_common_multiple};
use oddsmith_rules::program::{Party, VarId};

use super::graph::{Graph, Loop, Node};
use super::leaving::{Marks, certain, lead_out, lead_out_against, reaching_against};
use super::proof::{Proof, Values};
use super::search::guess;
use crate::Error;
use crate::choices::{Chosen, Policy, Visit, lead};
use crate::evaluate::Env;
use crate::hash::Map;
use crate::states::{Key, States};

/// A track's rounds, and what its choices strive for.
pub(crate) struct Rounds<'s> {
    pub(crate) lap: Loop<'s>,
    /// How often each sum counts in the goal.
    pub(crate) counts: Vec<i64>,
    /// Whether it is an event, so that it does not happen to those who never come to an end.
    pub(crate) is_event: bool,
}

/// What the goal is worth without the sums, in a state that is an end.
pub(crate) type WorthOfEnd<'f> = dyn FnMut(&mut Env<'_>, &Key) -> Result<RBig, Error> + 'f;

impl Rounds<'_> {
    /// Makes the choices for all states that can follow these, which are over the head with all sums at 0. Where visits are
    /// wanted, they say how often each choice is come to in each state, of all times that it is come to.
    pub(crate) fn decide(
        &self,
        env: &mut Env<'_>,
        starts: &States,
        worth_of_end: &mut WorthOfEnd<'_>,
    ) -> Result<(), Error> {
        let mut policies: Map<_, Policy> = Map::default();
        for (var, seen) in self.lap.choices() {
            let place = (var, Vec::new());
            if let Some(keys) = &mut env.choices.keys {
                keys.note(&place, &seen);
            }
            policies.insert(var, Policy::default());
            env.choices.standing.insert(var, seen);
        }
        let graph = Graph::new(env, &self.lap, starts)?;
        let budget = env.account.budget;
        let first: Vec<usize> = starts.keys().map(|key| graph.place(key)).collect();
        let inside = self.inside(env, &graph, &first)?;
        let mut ends = Vec::new();
        for state in (0..graph.keys.len()).filter(|state| graph.first[*state].is_none()) {
            ends.push((state, worth_of_end(env, &graph.keys[state])?));
        }
        let unit = least_common_multiple(ends.iter().map(|(_, worth)| worth.denominator()));
        let proof = Proof {
            graph: &graph,
            inside: &inside,
            form: self.form(env, &unit)?,
            ends: ends
                .into_iter()
                .map(|(state, worth)| (state, whole(&worth, &unit)))
                .collect(),
            unit,
            budget,
        };
        let chosen = self.first_guess(&proof)?;
        let (chosen, values) = self.proven(env, &proof, chosen)?;
        self.write(&proof, &chosen, values, &mut policies)?;
        if let Some(known) = &mut env.choices.visits {
            known.extend(self.visits(&proof, &chosen, starts)?);
        }
        for (var, policy) in policies {
            env.choices.policies.insert((var, Vec::new()), policy);
        }
        Ok(())
    }

    /// What may be come to: all, or that from where there surely is an end if that must be.
    fn inside(&self, env: &Env<'_>, graph: &Graph, first: &[usize]) -> Result<Marks, Error> {
        let (all, budget) = (Marks::all(graph, true), env.account.budget);
        if self.is_event {
            return Ok(all);
        }
        if graph.is_opposed() {
            let (any, anybody) = (|_: usize| true, |_: Party| true);
            let surely = reaching_against(graph, &any, &|_, _| true, &anybody, budget)?;
            return match surely == all {
                true => Ok(all),
                false => Err(self.may_be_drawn_out(env)),
            };
        }
        let inside = certain(graph, first, budget)?;
        match first.iter().all(|state| inside.states[*state]) {
            true => Ok(inside),
            false => Err(self.may_not_end(env)),
        }
    }

    /// How often each sum counts, over the unit.
    fn form(&self, env: &Env<'_>, unit: &UBig) -> Result<Form, Error> {
        let unit = i64::try_from(unit).ok();
        let scaled = |count: &i64| match count {
            0 => Some(0),
            count => count.checked_mul(unit?),
        };
        let coefficients: Option<Vec<i64>> = self.counts.iter().map(scaled).collect();
        let Some(coefficients) = coefficients else {
            let message = "what is striven for has too many parts to weigh them".to_owned();
            let help = "roll in the rounds, not after them; or strive for less at once".to_owned();
            return Err(self.refused(env, message, "in this track", help));
        };
        Ok(Form {
            per_move: 0,
            coefficients,
        })
    }

    /// A way to choose that is nearly the best, and comes to an end where that must be.
    fn first_guess(&self, proof: &Proof<'_>) -> Result<Vec<usize>, Error> {
        let graph = proof.graph;
        let mut worths = vec![0.0; graph.keys.len()];
        for (state, worth) in &proof.ends {
            worths[*state] = worth.to_f64().value();
        }
        let added = |gains: &[i64]| -> f64 {
            let terms = proof.form.coefficients.iter().zip(gains);
            terms
                .map(|(count, gain)| *count as f64 * *gain as f64)
                .sum()
        };
        let gains: Vec<f64> = graph.gains.iter().map(|gains| added(gains)).collect();
        let mut chosen = guess(graph, worths, &gains, proof.inside, proof.budget)?;
        let allowed = |node: usize, option: usize| is_allowed(proof, node, option);
        lead_out(graph, &mut chosen, &allowed, proof.budget)?;
        Ok(chosen)
    }

    /// The best way to choose, and what everything is worth with it.
    ///
    /// Where an opponent chooses, the player's choices are made better once all of the opponent's are the best answer to them,
    /// again and again (Hoffman and Karp). Let v be what all is worth with that answer. The options that are put in are worth
    /// more than v; so whatever the opponent answers, v is no more than the mean of itself one step on. Where that goes on for
    /// ever, v is equal all over and nothing was put in: the opponent could have gone on before, and v is 0. Elsewhere it comes
    /// to ends, so that all is worth v at the least, and more where something was put in. So no choices come twice, and in the
    /// end no option of either is better than what is chosen. Then the opponent's choices keep all at v whatever the player
    /// does, for v is no less than the mean of itself one step on; and the player's choices bring v whatever the opponent does.
    fn proven<'g>(
        &self,
        env: &Env<'_>,
        proof: &Proof<'g>,
        mut chosen: Vec<usize>,
    ) -> Result<(Vec<usize>, Values<'g>), Error> {
        let mut values = proof.answered(self.is_event, &mut chosen)?;
        while proof.improve(Party::Player, &mut chosen, &mut values)? {
            if !self.is_event {
                let none = |_: usize, _: usize| false;
                let reached = lead_out(proof.graph, &mut chosen, &none, proof.budget)?;
                let ends = |at: usize| !proof.inside.nodes[at] || reached.nodes[at];
                if !(0..proof.graph.nodes.len()).all(ends) {
                    return Err(self.has_no_most(env));
                }
            }
            values = proof.answered(self.is_event, &mut chosen)?;
        }
        self.first_of_equals(proof, &mut chosen, &mut values)?;
        Ok((chosen, values))
    }

    /// Takes the first of equal options; where nothing would ever end so, the first that leads on to where it does. Any of
    /// equals is good for an opponent; but where an opponent could go on for ever among equals, so that a player never comes to
    /// what is striven for, the player leads on first, whatever the opponent takes.
    fn first_of_equals(
        &self,
        proof: &Proof<'_>,
        chosen: &mut [usize],
        values: &mut Values<'_>,
    ) -> Result<(), Error> {
        let mut is_best: Vec<Vec<bool>> = vec![Vec::new(); proof.graph.nodes.len()];
        for (at, choice) in proof.graph.choices() {
            let most = values.of(choice.options[chosen[at]].1)?;
            is_best[at] = vec![false; choice.options.len()];
            for option in proof.allowed(choice) {
                is_best[at][option] = values.of(choice.options[option].1)? == most;
            }
            if let Some(first) = is_best[at].iter().position(|is_best| *is_best) {
                chosen[at] = first;
            }
        }
        let allowed = |node: usize, option: usize| is_best[node][option];
        if proof.graph.is_opposed() {
            let against = |party| party == Party::Opponent;
            lead_out_against(proof.graph, chosen, &allowed, &against, proof.budget)?;
        }
        lead_out(proof.graph, chosen, &allowed, proof.budget)?;
        Ok(())
    }

    /// Writes down what is chosen in each state, what that is worth from there on, and by how much.
    fn write(
        &self,
        proof: &Proof<'_>,
        chosen: &[usize],
        mut values: Values<'_>,
        policies: &mut Map<VarId, Policy>,
    ) -> Result<(), Error> {
        let total = Rc::new(values.total());
        for (at, choice) in proof.graph.choices() {
            let (option, way) = choice.options[chosen[at]];
            let most = values.of(way)?;
            let mut least: Option<IBig> = None;
            for other in proof.allowed(choice).filter(|other| *other != chosen[at]) {
                let lead = lead(choice.party, &most, &values.of(choice.options[other].1)?);
                least = Some(least.map_or(lead.clone(), |least| least.min(lead)));
            }
            let found = Chosen {
                option,
                worth: most - values.gain(choice.gains),
                lead: least,
                total: Rc::clone(&total),
            };
            let policy = policies.entry(choice.var).or_default();
            policy.insert(&choice.key, found);
        }
        Ok(())
    }

    /// How often each choice is come to in each state, with what is chosen.
    fn visits(
        &self,
        proof: &Proof<'_>,
        chosen: &[usize],
        starts: &States,
    ) -> Result<Vec<Visit>, Error> {
        let visits = proof.visits(chosen, starts)?;
        let mut found = Vec::new();
        for (var, vars) in self.lap.choices() {
            let mut states = States::with_capacity(0, vars.len(), UBig::ZERO);
            for (at, choice) in proof
                .graph
                .choices()
                .filter(|(_, choice)| choice.var == var)
            {
                let weight = visits(at)?;
                if !weight.is_zero() {
                    states.total += &weight;
                    states.push(choice.key.iter().copied(), weight);
                }
            }
            if !states.is_empty() {
                states.merge(0);
                let place = (var, Vec::new());
                found.push(Visit {
                    place,
                    vars,
                    states,
                });
            }
        }
        Ok(found)
    }

    fn may_not_end(&self, env: &Env<'_>) -> Error {
        let message = "whatever is chosen, it is not certain that this track ends".to_owned();
        let help = "a mean is striven for by what surely ends: strive for an event, which does not happen to those who never end, as in maximise = \"band == goal\"".to_owned();
        self.refused(env, message, "this may never hold", help)
    }

    fn may_be_drawn_out(&self, env: &Env<'_>) -> Error {
        let message = "this track may go on for ever, if that is chosen".to_owned();
        let help = "against an opponent a mean is striven for by what surely ends, whatever is chosen: end the track after so many rounds, as in `until … or rolls == 20`; or strive for an event, which does not happen to those who never end, as in maximise = \"band == goal\"".to_owned();
        self.refused(env, message, "this may never hold", help)
    }

    fn has_no_most(&self, env: &Env<'_>) -> Error {
        let message = "what is striven for can be made greater without end".to_owned();
        let help = "end the track after so many rounds, as in `until … or rolls == 20`; or strive for what rounds do not add to without end".to_owned();
        self.refused(env, message, "going on is worth more than any end", help)
    }

    fn refused(&self, env: &Env<'_>, message: String, label: &str, help: String) -> Error {
        let span = self.lap.until.span;
        let error = env.scope.error_with_help(span, message, label, help);
        error.unsupported()
    }
}

/// Whether an option of a node leads to where there surely is an end, if that must be.
fn is_allowed(proof: &Proof<'_>, node: usize, option: usize) -> bool {
    match &proof.graph.nodes[node] {
        Node::Choice(choice) => proof.inside.at(choice.options[option].1),
        Node::Roll(_) => false,
    }
}

/// A worth as an integer over a multiple of its denominator.
fn whole(worth: &RBig, unit: &UBig) -> IBig {
    worth.numerator() * IBig::from(unit / worth.denominator())
}
