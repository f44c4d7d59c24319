//! The choices of a track: the same in every round, and the best of all ways to choose.
//!
//! A track may go on for ever, so there is no last layer to come back from. What is best in a state is then what no other option
//! improves: where an option is worth more than what is chosen it is taken instead, until there is none. Where that begins is
//! found in floats; that nothing is left to improve is told by sure bounds, and where these touch by exact worths.
//!
//! An event that is striven for does not happen to those who never come to an end. A number is striven for by ways to choose
//! with which there surely is an end, by others not at all.

use std::cmp::Ordering;

use oddsmith_dist::{Form, IBig, RBig, UBig, least_common_multiple};
use oddsmith_rules::program::{Party, VarId};

use super::enclosure::Goal;
use super::graph::{Graph, Loop};
use super::leaving::{Marks, certain, lead_out, lead_out_against, reaching_against};
use super::proof::{Proof, Values};
use super::search::guess;
use super::web::Web;
use crate::Error;
use crate::choices::{Chosen, Policy, Visit};
use crate::evaluate::Env;
use crate::hash::Map;
use crate::states::States;

/// A track's rounds, and what its choices strive for.
pub(crate) struct Rounds<'s> {
    pub(crate) lap: Loop<'s>,
    /// How often each sum counts in the goal.
    pub(crate) counts: Vec<i64>,
    /// Whether it is an event, so that it does not happen to those who never come to an end.
    pub(crate) is_event: bool,
}

/// What the goal is worth without the sums, in a state that is an end.
pub(crate) type WorthOfEnd<'f> = dyn FnMut(&mut Env<'_>, &[i64]) -> Result<RBig, Error> + 'f;

impl Rounds<'_> {
    /// Makes the choices for all states that can follow these, which are over the head with all sums at 0. Where visits are
    /// wanted, they say how often each choice is come to in each state, of all times that it is come to.
    pub(crate) fn decide(
        &self,
        env: &mut Env<'_>,
        starts: &States,
        worth_of_end: &mut WorthOfEnd<'_>,
    ) -> Result<(), Error> {
        for (var, seen) in self.lap.choices() {
            let place = (var, Vec::new());
            if let Some(keys) = &mut env.choices.keys {
                keys.note(&place, &seen);
            }
            env.choices.standing.insert(var, seen);
        }
        let graph = Graph::new(env, &self.lap, starts)?;
        let (budget, memory) = (env.account.budget, env.account.budget.part());
        let web = Web::new(&graph, &memory)?;
        let first: Vec<usize> = starts
            .keys()
            .map(|key| web.place(graph.place(key)))
            .collect();
        let inside = self.inside(env, &web, &first)?;
        let mut ends = Vec::new();
        for state in (0..graph.keys.len()).filter(|state| graph.first[*state].is_none()) {
            ends.push((web.place(state), worth_of_end(env, graph.keys.get(state))?));
        }
        let gains: Vec<i128> = graph.gains.iter().map(|gains| self.gain(gains)).collect();
        let (mut chosen, near) = guess(&web, near_ends(&web, &ends), &gains, &inside, budget)?;
        let is_inside = |at: usize, nth: usize| inside.at(web.steps(at)[nth].to as usize);
        lead_out(&web, &mut chosen, &is_inside, budget)?;
        let unit = least_common_multiple(ends.iter().map(|(_, worth)| worth.denominator()));
        let whole_ends = ends
            .iter()
            .map(|(place, worth)| (*place, whole(worth, &unit)));
        let proof = Proof {
            web: &web,
            inside: &inside,
            form: self.form(env, &unit)?,
            goal: Goal {
                ends: whole_ends.collect(),
                unit,
                gains,
                near,
            },
            budget,
        };
        let (chosen, mut values) = self.proven(env, &proof, chosen)?;
        let mut visits = Vec::new();
        if env.choices.visits.is_some() {
            let found = proof.visits(&chosen, starts)?;
            let found = web.choices().map(|(at, _)| found(at));
            visits = found.collect::<Result<_, _>>()?;
        }
        // What is only played is asked where one comes to.
        let is_taken =
            |at: usize, nth: usize| web.party(at).is_none() || chosen[at] as usize == nth;
        let all = Marks::all(&web, true);
        let wanted = match env.choices.are_told() {
            true => all,
            false => all.from(&web, &first, &is_taken),
        };
        if let Some(known) = &mut env.choices.visits {
            known.extend(self.visits(&web, &visits));
        }
        for (var, policy) in self.policies((&web, &wanted), (&chosen, &mut values), &visits)? {
            env.choices.policies.insert((var, Vec::new()), policy);
        }
        Ok(())
    }

    /// What is chosen in the states that are wanted, by the variables that choices bind; what is visited is told what it is worth.
    fn policies(
        &self,
        (web, wanted): (&Web<'_>, &Marks),
        (chosen, values): (&[u32], &mut Values<'_>),
        visits: &[UBig],
    ) -> Result<Map<VarId, Policy>, Error> {
        let none = self.lap.choices().map(|(var, _)| (var, Policy::default()));
        let mut policies = Map::from_iter(none);
        let places = web.choices().enumerate();
        for (nth, (at, choice)) in places.filter(|(_, (at, _))| wanted.at(*at)) {
            let is_visited = visits.get(nth).is_some_and(|weight| !weight.is_zero());
            let value = is_visited.then(|| values.value((at, choice), chosen[at]));
            let (option, _) = choice.options[chosen[at] as usize];
            let value = value.transpose()?;
            let policy = policies.entry(choice.var).or_default();
            // Several rounds come to one choice: it is worth the same in each, and may be visited in one of them alone.
            if value.is_some() || policy.of(&choice.key).is_none() {
                policy.insert(&choice.key, Chosen { option, value });
            }
        }
        Ok(policies)
    }

    /// What may be come to: all, or that from where there surely is an end if that must be.
    fn inside(&self, env: &Env<'_>, web: &Web<'_>, first: &[usize]) -> Result<Marks, Error> {
        let budget = env.account.budget;
        if self.is_event {
            return Ok(Marks::all(web, true));
        }
        if web.graph.is_opposed() {
            let (any, anybody) = (|_: usize| true, |_: Party| true);
            let surely = reaching_against(web, &any, &|_, _| true, &anybody, budget)?;
            return match surely.is_everywhere() {
                true => Ok(surely),
                false => Err(self.may_be_drawn_out(env)),
            };
        }
        let inside = certain(web, first, budget)?;
        match first.iter().all(|state| inside.at(*state)) {
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

    /// What is added to the goal with what a round has added to the sums.
    fn gain(&self, gains: &[i64]) -> i128 {
        let terms = self.counts.iter().zip(gains);
        terms
            .map(|(count, gain)| i128::from(*count) * i128::from(*gain))
            .sum()
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
        proof: &'g Proof<'g>,
        mut chosen: Vec<u32>,
    ) -> Result<(Vec<u32>, Values<'g>), Error> {
        let mut values = proof.answered(self.is_event, &mut chosen)?;
        while proof.improve(Party::Player, &mut chosen, &mut values)? {
            if !self.is_event {
                let none = |_: usize, _: usize| false;
                let reached = lead_out(proof.web, &mut chosen, &none, proof.budget)?;
                let ends = |at: usize| !proof.inside.at(at) || reached.at(at);
                if !(0..proof.web.places()).all(ends) {
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
        chosen: &mut [u32],
        values: &mut Values<'_>,
    ) -> Result<(), Error> {
        let web = proof.web;
        // By the numbers of steps.
        let mut is_best = vec![false; web.all_steps()];
        for (at, _) in web.choices() {
            let most = web.steps(at)[chosen[at] as usize];
            let mut first = None;
            for (option, step) in proof.allowed(at) {
                if values.compare(step, most)? == Ordering::Equal {
                    is_best[web.first_step(at) + option] = true;
                    first = first.or(Some(option));
                }
            }
            if let Some(first) = first {
                chosen[at] = u32::try_from(first).expect("options are few");
            }
        }
        let allowed = |at: usize, nth: usize| is_best[web.first_step(at) + nth];
        if web.graph.is_opposed() {
            let against = |party| party == Party::Opponent;
            lead_out_against(web, chosen, &allowed, &against, proof.budget)?;
        }
        lead_out(web, chosen, &allowed, proof.budget)?;
        Ok(())
    }

    /// How often each choice is come to in each state, where `weights` are those of all choices.
    fn visits(&self, web: &Web<'_>, weights: &[UBig]) -> Vec<Visit> {
        let mut found = Vec::new();
        for (var, vars) in self.lap.choices() {
            let mut states = States::with_capacity(0, vars.len(), UBig::ZERO);
            let own = web.choices().zip(weights);
            let own = own.filter(|((_, choice), weight)| choice.var == var && !weight.is_zero());
            for ((_, choice), weight) in own {
                states.total += weight;
                states.push(choice.key.iter().copied(), weight.clone());
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
        found
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

/// What places are worth before anything is looked at, in floats: ends what they are, all else nothing.
fn near_ends(web: &Web<'_>, ends: &[(usize, RBig)]) -> Vec<f64> {
    let mut worths = vec![0.0; web.places()];
    for (place, worth) in ends {
        worths[*place] = worth.to_f64().value();
    }
    worths
}

/// A worth as an integer over a multiple of its denominator.
fn whole(worth: &RBig, unit: &UBig) -> IBig {
    worth.numerator() * IBig::from(unit / worth.denominator())
}
