//! What is chosen, and what it is chosen for, as data: found before a script is run on, and played then.

use std::rc::Rc;

use oddsmith_dist::{IBig, RBig, UBig};
use oddsmith_rules::program::{Party, VarId};

use crate::Error;
use crate::hash::Map;
use crate::residual::{Script, Step};
use crate::states::{self, Key, States};

/// What the values of a goal are worth, as fractions over one denominator.
pub struct Worth<'w> {
    /// The numerator for a value of the goal; none if it is barred: it must not come to that.
    pub of: &'w (dyn Fn(i64) -> Option<IBig> + Sync),
    /// The denominator.
    pub total: UBig,
}

impl std::fmt::Debug for Worth<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worth")
            .field("total", &self.total)
            .finish_non_exhaustive()
    }
}

/// A choice in a script: what it binds, and the rounds of the loops around it.
pub(crate) type Place = (VarId, Vec<usize>);

/// What is chosen, by the values that matter at a choice. Where there is only one option, and nobody asks what it is worth, it may
/// say nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Policy {
    keys: states::Keys,
    chosen: Vec<Chosen>,
}

impl Policy {
    /// What is chosen in these states.
    pub(crate) fn new(keys: states::Keys, chosen: Vec<Chosen>) -> Self {
        Self {
            keys: keys.indexed(),
            chosen,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// What is chosen in a state, if it says so.
    pub(crate) fn of(&self, key: &[i64]) -> Option<&Chosen> {
        Some(&self.chosen[self.keys.find(key)?])
    }

    /// Notes what is chosen in a state, in place of what was.
    pub(crate) fn insert(&mut self, key: &[i64], chosen: Chosen) {
        let place = self.keys.place(key);
        match self.chosen.get_mut(place) {
            Some(known) => *known = chosen,
            None => self.chosen.push(chosen),
        }
    }

    /// Adds what is chosen in other states, or in the same ones. What was chosen by other values has been played, and is forgotten.
    pub(crate) fn extend(&mut self, other: Self) {
        if self.is_empty() || self.keys.width() != other.keys.width() {
            *self = other;
            return;
        }
        for (key, chosen) in other.keys.iter().zip(other.chosen) {
            self.insert(key, chosen);
        }
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &[i64]> {
        self.keys.iter()
    }

    /// Each state with what is chosen there.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[i64], &Chosen)> {
        self.keys().zip(&self.chosen)
    }
}

/// What was found best in a state.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub(crate) option: i64,
    /// What that is worth; none where nobody asks.
    pub(crate) value: Option<Value>,
}

/// What the best option of a state is worth. Most states are never asked for it, so no fraction is made of that.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    /// The mean of what the goal is worth with it, over the total.
    pub(crate) worth: IBig,
    /// By how much the best of the other options falls short, over the total; none if there is no other, or all of them are
    /// barred.
    pub(crate) lead: Option<IBig>,
    /// What states share.
    pub(crate) total: Rc<UBig>,
}

impl Value {
    /// The mean of what the goal is worth with it.
    pub(crate) fn worth(&self) -> RBig {
        self.ratio(&self.worth)
    }

    /// By how much the best of the other options falls short, if there is one.
    pub(crate) fn lead(&self) -> Option<RBig> {
        self.lead.as_ref().map(|lead| self.ratio(lead))
    }

    fn ratio(&self, part: &IBig) -> RBig {
        RBig::from_parts(part.clone(), (*self.total).clone())
    }
}

/// By how much the worth of what is chosen is better than that of another option, for whoever chooses.
pub(crate) fn lead(party: Party, worth: &IBig, other: &IBig) -> IBig {
    match party {
        Party::Player => worth - other,
        Party::Opponent => other - worth,
    }
}

/// Which variables the keys of policies hold, by the places of choices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    places: Vec<Place>,
    vars: Map<Place, Vec<VarId>>,
}

impl Keys {
    /// Notes the variables at a place, which are the same whenever it is come to.
    pub(crate) fn note(&mut self, place: &Place, vars: &[VarId]) {
        match self.vars.get(place) {
            Some(known) => assert_eq!(known, vars, "a choice has one kind of key"),
            None => {
                self.places.push(place.clone());
                self.vars.insert(place.clone(), vars.to_vec());
            }
        }
    }

    /// In the order in which the script first comes to them.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = (&Place, &[VarId])> {
        let vars = |place| (place, self.vars[place].as_slice());
        self.places.iter().map(vars)
    }
}

/// How often each state comes to a choice when a script is run.
#[derive(Clone, Debug)]
pub(crate) struct Visit {
    pub(crate) place: Place,
    /// The variables that a state's key holds.
    pub(crate) vars: Vec<VarId>,
    pub(crate) states: States,
}

/// The choices of a script while it is run.
#[derive(Default)]
pub(crate) struct Choices<'a> {
    /// The rounds of the loops that are being played, outermost first.
    pub(crate) rounds: Vec<usize>,
    /// A goal whose values are worth something else than themselves.
    pub(crate) worth: Option<(VarId, &'a Worth<'a>)>,
    /// The choices that an opponent makes.
    pub(crate) opposed: Vec<VarId>,
    /// What is chosen where.
    pub(crate) policies: Map<Place, Policy>,
    /// The choices of a track, which are the same in every round, and the variables that the keys of their policies hold: not
    /// all that are known there.
    pub(crate) standing: Map<VarId, Vec<VarId>>,
    /// The states in which choices are made, if they are wanted.
    pub(crate) visits: Option<Vec<Visit>>,
    /// What the keys of `policies` hold, if that is wanted.
    pub(crate) keys: Option<Keys>,
}

impl Choices<'_> {
    /// Whether what is chosen is told, and not played alone: then each state has its line.
    pub(crate) fn are_told(&self) -> bool {
        self.visits.is_some() || self.keys.is_some()
    }

    /// Where a choice stands in the rounds that are being played.
    pub(crate) fn place(&self, var: VarId) -> Place {
        (var, self.rounds.clone())
    }

    /// Notes whose choice binds a variable.
    pub(crate) fn note(&mut self, party: Party, var: VarId) {
        if party == Party::Opponent && !self.opposed.contains(&var) {
            self.opposed.push(var);
        }
    }

    /// Whose choice binds a variable, as it has been noted.
    pub(crate) fn party(&self, var: VarId) -> Party {
        match self.opposed.contains(&var) {
            true => Party::Opponent,
            false => Party::Player,
        }
    }

    /// What was found best at a place.
    ///
    /// # Panics
    /// If nothing has been looked for there.
    pub(crate) fn policy(&self, place: &Place) -> &Policy {
        let policy = self.policies.get(place);
        policy.expect("choices are made before they are played")
    }

    /// What was found best at a place, for states over `before`.
    ///
    /// # Panics
    /// If nothing has been looked for there.
    pub(crate) fn chooser(&self, place: &Place, before: &[VarId]) -> Chooser<'_> {
        let place_of = |var: &VarId| {
            let found = before.iter().position(|other| other == var);
            found.expect("what a choice depends on is known there")
        };
        let standing = self.standing.get(&place.0);
        Chooser {
            policy: self.policy(place),
            places: standing.map(|vars| vars.iter().map(place_of).collect()),
        }
    }
}

/// What was found best at a place.
pub(crate) struct Chooser<'c> {
    policy: &'c Policy,
    /// Of the values of a state those that the choice goes by, if not by all.
    places: Option<Vec<usize>>,
}

impl Chooser<'_> {
    /// The best option of a state; none where it has only one.
    pub(crate) fn option(&self, key: &[i64]) -> Option<i64> {
        let chosen = match &self.places {
            None => self.policy.of(key),
            Some(places) => {
                let own: Key = places.iter().map(|at| key[*at]).collect();
                self.policy.of(&own)
            }
        };
        chosen.map(|chosen| chosen.option)
    }
}

/// What running a script leaves to those who look ahead, and who run parts of it themselves.
pub(crate) trait Decide {
    /// Makes the choices that `script` makes for goals that it binds itself, from step `first` on; the states there are over
    /// `before`.
    fn decide(
        &mut self,
        script: &Script,
        first: usize,
        before: &[VarId],
        states: &States,
    ) -> Result<(), Error>;

    /// The only option that a choice, which is a step, has in a state over `before`.
    fn only_option(&mut self, step: &Step, before: &[VarId], key: &[i64]) -> Result<i64, Error>;
}
