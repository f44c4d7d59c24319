//! Tracks that a script plays on its way: each goes on to its end, and what it leaves is read there.
//!
//! Such a track is a chain as well. It begins in every state that differs in what its rounds read or change, and of each of
//! these its ends are found once in an evaluation, however often it is played from there. What is read at the end has to be
//! bounded: a running sum is a part of the state here, unless it would have no end of values, which is an error.

use oddsmith_dist::{BitTest as _, Moments};
use oddsmith_rules::program::VarId;

use crate::Error;
use crate::evaluate::Env;
use crate::hash::Map;
use crate::residual::Step;
use crate::run::{Made, Source};
use crate::states::{Key, States};
use crate::track::chain::{Laid, Layout, Start};
use crate::track::moves::{keep_in_loops, reads, writes};
use crate::track::parts::{Track, over_budget};
use crate::track::sums::{EndView, sums_of};

impl Env<'_> {
    /// What a track that is played here leaves of the variables `after`, for each state before it. States that agree on what
    /// its rounds read and change share the work.
    pub(crate) fn played_out<'k>(
        &mut self,
        name: &str,
        step: &Step,
        before: &[VarId],
        after: &[VarId],
        keys: impl ExactSizeIterator<Item = &'k [i64]>,
    ) -> Result<Made, Error> {
        let step = narrowed(self, step);
        let track = Track::played(&step);
        let sources = Source::find_all(track.head, &[], before);
        let mut places: Map<Key, usize> = Map::default();
        let mut starts: Vec<Key> = Vec::new();
        let mut of_state = Vec::with_capacity(keys.len());
        for key in keys {
            let key = Source::key(&sources, key, &[]);
            let next = starts.len();
            let place = *places.entry(key).or_insert_with_key(|key| {
                starts.push(key.clone());
                next
            });
            of_state.push(place);
        }
        let mut vars = writes(&step);
        vars.retain(|var| after.contains(var));
        let known = (step.clone(), vars.clone());
        let mut ended = self.ended.remove(&known).unwrap_or_default();
        let is_new = |key: &&Key| !ended.contains_key(*key);
        let new: Vec<Key> = starts.iter().filter(is_new).cloned().collect();
        if !new.is_empty() {
            let found = self.ends_of(name, &track, &new, &vars);
            let found = found.map_err(|error| of_track(name, error))?;
            ended.extend(new.into_iter().zip(found));
        }
        let distinct = starts.iter().map(|start| ended[start].clone()).collect();
        self.ended.insert(known, ended);
        Ok(Made {
            distinct,
            vars,
            of_state,
        })
    }

    /// The states over `vars` at the end, for each start.
    fn ends_of(
        &mut self,
        name: &str,
        track: &Track<'_>,
        starts: &[Key],
        vars: &[VarId],
    ) -> Result<Vec<States>, Error> {
        let starts: Vec<Start> = starts.iter().map(|key| Start::certain(key)).collect();
        let mut sums = sums_of(&self.scope, track);
        sums.retain(|sum| vars.contains(sum));
        if !sums.is_empty() {
            let view = EndView::of_rounds(track, sums);
            let laid = self.rounds_of(track, &view, &starts)?;
            let budget = self.account.budget;
            let unbounded = laid.unbounded_sum(view.sums.len(), budget)?;
            if let Some(sum) = unbounded {
                // Who never comes to an end has a sum without an end as well.
                self.leave(name, track, &laid, &starts, &[])?;
                return Err(self.no_bounds(name, track, view.sums[sum]));
            }
        }
        let view = EndView::of_rounds(track, Vec::new());
        let laid = self.rounds_of(track, &view, &starts)?;
        self.leave(name, track, &laid, &starts, vars)
    }

    fn rounds_of(
        &mut self,
        track: &Track<'_>,
        view: &EndView,
        starts: &[Start],
    ) -> Result<Laid, Error> {
        let mut layout = Layout::new(self, track, view);
        layout.chain(self, starts, &vec![None; view.sums.len()], true)
    }

    /// What the rounds leave of `vars` from each start.
    fn leave(
        &mut self,
        name: &str,
        track: &Track<'_>,
        laid: &Laid,
        starts: &[Start],
        vars: &[VarId],
    ) -> Result<Vec<States>, Error> {
        let sources = Source::find_all(vars, &[], track.head);
        let mut left = Vec::with_capacity(starts.len());
        let budget = self.account.budget;
        laid.ends_from_each(&[], Moments::First, budget, |_, ends| {
            if !ends.never.is_zero() {
                return Err(self.no_end(name, track, &ends.never().to_string()));
            }
            let mut states = States::with_capacity(ends.ends.len(), sources.len(), ends.total);
            for end in ends.ends {
                let (key, _) = laid.state(end.state);
                states.push(Source::values(&sources, key, &[]), end.weight);
            }
            states.merge(0);
            states.reduce();
            self.account.charge_states(states.len(), &states.total)?;
            self.charge_kept(&states, track)?;
            left.push(states);
            Ok(())
        })?;
        Ok(left)
    }

    /// Charges for what is kept of an end: a state's values and weight, and what the map takes.
    fn charge_kept(&self, states: &States, track: &Track<'_>) -> Result<(), Error> {
        const ROW_BYTES: u128 = 64;
        let row = ROW_BYTES + (states.total.bit_len() / 8) as u128 + 8 * track.head.len() as u128;
        let kept = self.account.hold_more(row * (states.len() + 1) as u128);
        kept.map_err(over_budget)
    }

    fn no_end(&self, name: &str, track: &Track<'_>, chance: &str) -> Error {
        let message = format!("`{name}` may never end where it is played");
        let label = format!("with a probability of {chance} this never holds");
        let help = format!(
            "whoever plays it goes on once it has ended: give `{name}` another end, as in `until … or rolls == 100`"
        );
        let span = track.until.span;
        self.scope.error_with_help(span, message, &label, help)
    }

    fn no_bounds(&self, name: &str, track: &Track<'_>, sum: VarId) -> Error {
        let sum = self.scope.name(sum);
        let message =
            format!("`{sum}` has no upper end when `{name}` has ended, and is read there");
        let label = "this may take any number of rounds";
        let help = format!(
            "read only what has two ends; or give it one in `{name}`, as in `until … or rolls == 100`"
        );
        let span = track.until.span;
        let error = self.scope.error_with_help(span, message, label, help);
        error.unsupported()
    }
}

/// The same loop over what its rounds read or change alone.
fn narrowed(env: &Env<'_>, step: &Step) -> Step {
    let matters = reads(&env.scope, step);
    let mut narrowed = step.clone();
    if let Step::Repeat { head, .. } = step {
        let passes = |var: &VarId| head.contains(var) && !matters.contains(var);
        keep_in_loops(&mut narrowed, &|var| !passes(var));
    }
    narrowed
}

/// A refusal with the name of the track that is too much.
fn of_track(name: &str, error: Error) -> Error {
    match error {
        Error::OverBudget {
            what,
            predicted,
            limit,
            help,
        } => Error::OverBudget {
            what: format!("`{name}`, which is played here: {what}"),
            predicted,
            limit,
            help,
        },
        other => other,
    }
}
