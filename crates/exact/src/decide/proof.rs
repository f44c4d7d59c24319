//! The proof that a way to choose is the best: what everything is worth with it, and no option that is worth more.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use oddsmith_dist::{Budget, Chain, Form, IBig, Move, StateNumbers, UBig};

use oddsmith_rules::program::Party;

use super::enclosure::{Enclosure, Goal};
use super::graph::Choice;
use super::leaving::{Marks, reaching, reaching_against};
use super::web::{Step, Web};
use crate::Error;
use crate::choices::{Value, lead};
use crate::states::States;

/// The bytes of a move of the chain, and of a place.
const MOVE_BYTES: u128 = 96;
const PLACE_BYTES: u128 = 64;

/// What is striven for in a track.
pub(super) struct Proof<'g> {
    pub(super) web: &'g Web<'g>,
    /// From where it can be made certain that there is an end, if it must be.
    pub(super) inside: &'g Marks,
    pub(super) goal: Goal,
    /// How often each sum counts, times `unit`.
    pub(super) form: Form,
    pub(super) budget: &'g Budget,
}

/// What everything is worth with what is chosen.
pub(super) struct Values<'p> {
    proof: &'p Proof<'p>,
    chosen: Vec<u32>,
    enclosure: Option<Enclosure>,
    /// What no enclosure could tell; found when it is needed.
    exact: Option<Exact>,
}

/// What everything is worth, exactly.
struct Exact {
    worths: StateNumbers,
    /// What is added to the goal for each of the graph's gains, over the total.
    gains: Vec<IBig>,
    known: BTreeMap<usize, IBig>,
    /// What all values are over.
    total: Rc<UBig>,
    memory: Budget,
}

impl<'g> Proof<'g> {
    /// The rounds with what is chosen as a chain of all places.
    fn chain(&self, chosen: &[u32]) -> Chain {
        let graph = self.web.graph;
        let adds = self.form.coefficients.iter().any(|count| *count != 0);
        let step = |step: Step, weight: UBig| Move {
            to: step.to as usize,
            weight,
            gains: match adds {
                true => graph.gains[step.gain as usize].clone(),
                false => Box::default(),
            },
        };
        let moves = (0..self.web.places()).map(|at| {
            let steps = self.web.steps(at);
            match self.web.party(at) {
                _ if !self.inside.at(at) => Vec::new(),
                Some(_) => vec![step(steps[chosen[at] as usize], UBig::ONE)],
                None => {
                    let steps = steps.iter().zip(self.web.weights(at));
                    steps.map(|(to, weight)| step(*to, weight)).collect()
                }
            }
        });
        Chain::new(moves.collect())
    }

    /// What everything is worth with what is chosen.
    fn values(&'g self, chosen: &[u32]) -> Result<Values<'g>, Error> {
        let is_chosen = |at: usize, nth: usize| chosen[at] as usize == nth;
        let live = reaching(self.web, &is_chosen, self.budget)?;
        let live = live.and(self.inside);
        Ok(Values {
            proof: self,
            enclosure: Enclosure::new(self.web, &self.goal, (chosen, &live), self.budget)?,
            chosen: chosen.to_vec(),
            exact: None,
        })
    }

    fn exact(&self, chosen: &[u32]) -> Result<Exact, Error> {
        let wrap = |error: oddsmith_dist::Error| {
            Error::of_charge("solving the rounds of this track for what is best", &error)
        };
        let memory = self.budget.part();
        let bytes =
            MOVE_BYTES * self.web.all_steps() as u128 + PLACE_BYTES * self.web.places() as u128;
        memory.charge_memory(bytes).map_err(wrap)?;
        let form = match self.form.coefficients.iter().any(|count| *count != 0) {
            true => self.form.clone(),
            false => Form::none(),
        };
        let worths = self
            .chain(chosen)
            .worths(&self.goal.ends, &form, self.budget);
        let worths = worths.map_err(wrap)?;
        let total = worths.total() * &self.goal.unit;
        let whole = IBig::from(total.clone());
        Ok(Exact {
            gains: self
                .goal
                .gains
                .iter()
                .map(|gain| IBig::from(*gain) * &whole)
                .collect(),
            known: BTreeMap::new(),
            total: Rc::new(total),
            worths,
            memory,
        })
    }

    /// How often each place is come to with what is chosen, over one total.
    pub(super) fn visits(
        &self,
        chosen: &[u32],
        starts: &States,
    ) -> Result<impl Fn(usize) -> Result<UBig, Error> + use<>, Error> {
        let wrap = |error: oddsmith_dist::Error| {
            Error::of_charge(
                "counting how often each choice of this track is come to",
                &error,
            )
        };
        let starts = starts.iter();
        let starts =
            starts.map(|(key, weight)| (self.web.place(self.web.graph.place(key)), weight.clone()));
        let starts: Vec<(usize, UBig)> = starts.collect();
        let visits = self
            .chain(chosen)
            .visits(&starts, self.budget)
            .map_err(wrap)?;
        Ok(move |place: usize| {
            let (_, visits) = visits.of(place).map_err(wrap)?.into_parts();
            Ok(visits)
        })
    }

    /// The steps of a choice that may be taken, with their numbers.
    pub(super) fn allowed(&self, at: usize) -> impl Iterator<Item = (usize, Step)> {
        let options = self.web.steps(at).iter().copied().enumerate();
        options.filter(|(_, step)| self.inside.at(step.to as usize))
    }

    /// Puts the best option in the place of each that is worse for this party, whose choice it is; whether there was one.
    pub(super) fn improve(
        &self,
        party: Party,
        chosen: &mut [u32],
        values: &mut Values<'_>,
    ) -> Result<bool, Error> {
        let better = match party {
            Party::Player => Ordering::Greater,
            Party::Opponent => Ordering::Less,
        };
        let mut has_changed = false;
        let own = (0..self.web.places()).filter(|at| self.web.party(*at) == Some(party));
        for at in own.filter(|at| self.inside.at(*at)) {
            for (option, step) in self.allowed(at) {
                let best = self.web.steps(at)[chosen[at] as usize];
                if values.compare(step, best)? == better {
                    chosen[at] = u32::try_from(option).expect("options are few");
                    has_changed = true;
                }
            }
        }
        Ok(has_changed)
    }

    /// Makes the opponent's choices the best against what the player has chosen; what everything is worth then.
    ///
    /// Better options take the place of worse ones, with the worth of everything found anew each time. It falls, so this comes
    /// to an end, and then no option is better than what is chosen. That makes it the least worth wherever something good is
    /// come to whatever the opponent does. Elsewhere a worth that only going on for ever avoids could pass for the least: there
    /// the opponent stays where nothing good is come to from the beginning, if not to end is allowed.
    pub(super) fn answered(
        &'g self,
        may_not_end: bool,
        chosen: &mut [u32],
    ) -> Result<Values<'g>, Error> {
        if !self.web.graph.is_opposed() {
            return self.values(chosen);
        }
        if may_not_end {
            self.avoid(chosen)?;
        }
        let mut values = self.values(chosen)?;
        while self.improve(Party::Opponent, chosen, &mut values)? {
            values = self.values(chosen)?;
        }
        Ok(values)
    }

    /// The opponent's choices stay where no end that is worth something is come to, if they can.
    fn avoid(&self, chosen: &mut [u32]) -> Result<(), Error> {
        let web = self.web;
        let mut is_good = vec![false; web.places()];
        for (state, worth) in &self.goal.ends {
            is_good[*state] = *worth > IBig::ZERO;
        }
        let good = {
            let may_be_taken = |at: usize, nth: usize| match web.party(at) {
                Some(Party::Player) => chosen[at] as usize == nth,
                _ => true,
            };
            let against = |party| party == Party::Opponent;
            reaching_against(web, &|at| is_good[at], &may_be_taken, &against, self.budget)?
        };
        for at in (0..web.places()).filter(|at| web.party(*at) == Some(Party::Opponent)) {
            let leads_to_good = |step: &Step| good.at(step.to as usize);
            if !good.at(at) && leads_to_good(&web.steps(at)[chosen[at] as usize]) {
                let bad = web.steps(at).iter().position(|step| !leads_to_good(step));
                let bad = bad.expect("one of them is, or this would not be bad");
                chosen[at] = u32::try_from(bad).expect("options are few");
            }
        }
        Ok(())
    }
}

impl Values<'_> {
    /// Which of two steps is worth more.
    pub(super) fn compare(&mut self, one: Step, other: Step) -> Result<Ordering, Error> {
        if (one.to, one.gain) == (other.to, other.gain) {
            return Ok(Ordering::Equal);
        }
        let told = self.enclosure.as_ref();
        match told.and_then(|enclosure| enclosure.compare(one, other)) {
            Some(told) => Ok(told),
            None => Ok(self.of(one)?.cmp(&self.of(other)?)),
        }
    }

    /// What a step is worth, times the total.
    pub(super) fn of(&mut self, step: Step) -> Result<IBig, Error> {
        if self.exact.is_none() {
            self.exact = Some(self.proof.exact(&self.chosen)?);
        }
        let exact = self.exact.as_mut().expect("it has been found");
        let worth = exact.of(step)?;
        debug_assert!(
            self.enclosure
                .as_ref()
                .is_none_or(|enclosure| enclosure.may_be(step, &worth, &exact.total)),
            "what is exact is within its bounds"
        );
        Ok(worth)
    }

    /// What a place that chooses is worth with the best of its options, which is `chosen`, beyond what the round has added to
    /// the goal so far; and by how much the best of the others falls short.
    pub(super) fn value(
        &mut self,
        (at, choice): (usize, &Choice),
        chosen: u32,
    ) -> Result<Value, Error> {
        let steps = self.proof.web.steps(at);
        let most = self.of(steps[chosen as usize])?;
        let mut least: Option<IBig> = None;
        for (other, step) in self.proof.allowed(at) {
            if other != chosen as usize {
                let lead = lead(choice.party, &most, &self.of(step)?);
                least = Some(least.map_or(lead.clone(), |least| least.min(lead)));
            }
        }
        let exact = self.exact.as_ref().expect("it has been asked for");
        Ok(Value {
            worth: most - &exact.gains[choice.gains],
            lead: least,
            total: Rc::clone(&exact.total),
        })
    }
}

impl Exact {
    fn of(&mut self, step: Step) -> Result<IBig, Error> {
        let place = step.to as usize;
        if !self.known.contains_key(&place) {
            let wrap = |error| Error::of_charge("comparing what is best in this track", &error);
            let worth = self.worths.of(place).map_err(wrap)?;
            let bytes = u128::from(oddsmith_dist::BitTest::bit_len(&worth) as u64) / 8 + 64;
            self.memory.charge_memory(bytes).map_err(wrap)?;
            self.known.insert(place, worth);
        }
        Ok(&self.known[&place] + &self.gains[step.gain as usize])
    }
}
