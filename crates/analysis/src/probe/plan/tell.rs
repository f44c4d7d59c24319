//! Probes that tell small changes of a script: a number that is one more, a comparison that is another one, an operand that
//! is missing.
//!
//! A configuration in which every input is away from its default tells most changes at once, also those that need several
//! inputs to matter. So a few of those come first; then, for each change that is left, settings of the inputs that decide
//! at its place.

use oddsmith_exact::{Budget, Error};
use oddsmith_rules::Check;
use oddsmith_rules::program::InputId;
use rayon::prelude::*;

use super::{PLAYS, Search, Why};
use crate::probe::change::{Change, changes};
use crate::probe::odds::{Odds, Subject};

/// The search in one check ends after so many predicted steps, some seconds.
const STEPS: u64 = 2_000_000_000;

/// What the odds of one configuration are counted as at the least.
const LEAST: u64 = 20_000;

/// Configurations with everything moved are tried until so many in a row tell nothing new.
const IDLE: usize = 12;

/// Of so many configurations that are drawn the one that takes the fewest steps is tried.
const DRAWN: usize = 3;

/// So many settings are tried for a change that is left.
const TRIES: usize = 120;

/// What no probe tells yet.
pub(super) struct Open<'c> {
    suspects: Vec<Suspect<'c>>,
    steps: u64,
}

/// A small change of a check.
struct Suspect<'c> {
    /// Where it is made, in bytes.
    place: (usize, usize),
    change: What<'c>,
}

enum What<'c> {
    /// Its script, or what it requires.
    Script(Subject<'c>),
    /// The default of an input.
    Default(InputId, i64),
}

/// What is said of a configuration.
#[derive(PartialEq, Eq)]
enum Told {
    Odds(Box<Odds>),
    /// A requirement forbids it.
    Forbidden,
    /// A rule can't be carried out in it.
    Broken,
}

impl Search<'_> {
    /// The changes at places that stand in no earlier check.
    pub(super) fn own_changes(&self) -> Vec<Change> {
        let all = changes(self.check, |input| self.slice.beside(input)).into_iter();
        all.filter(|change| !self.known.contains(&change.place))
            .collect()
    }

    /// These changes, and defaults that are one more or less.
    pub(super) fn open<'c>(&self, changes: &[Change], changed: &'c [Check]) -> Open<'c> {
        let scripts = changes
            .iter()
            .zip(changed)
            .map(|(change, changed)| Suspect {
                place: change.place,
                change: What::Script(Subject::new(changed)),
            });
        let own = self.inputs.iter().filter(|id| self.is_own_input(**id));
        let defaults = own.flat_map(|&id| {
            let input = &self.check.inputs[id.0];
            let beside = [1, -1]
                .map(|by| input.default.saturating_add(by))
                .into_iter();
            let legal = beside.filter(|value| input.domain.contains(*value));
            legal.map(move |value| Suspect {
                place: (input.span.start, input.span.end),
                change: What::Default(id, value),
            })
        });
        Open {
            suspects: scripts.chain(defaults).collect(),
            steps: STEPS,
        }
    }

    /// Configurations in which every input has another value than its default.
    pub(super) fn everything_moved(&mut self, open: &mut Open<'_>) {
        let inputs = self.inputs.clone();
        let mut idle = 0;
        while idle < IDLE && !open.is_done() {
            let drawn: Vec<_> = (0..DRAWN).map(|_| self.random_settings(&inputs)).collect();
            let priced = drawn.into_iter().filter_map(|settings| {
                let budget = Budget::new(self.limit.min(open.steps));
                let odds = self.subject.odds(&self.config(&settings), &budget);
                odds.is_ok().then(|| (budget.spent(), settings))
            });
            let cheapest = priced.min_by_key(|(steps, _)| *steps);
            idle += 1;
            if let Some((_, settings)) = cheapest
                && let Some(place) = self.tells(&settings, open)
            {
                self.reach.play(&self.config(&settings), PLAYS[0]);
                self.push(settings, Why::Tells(place.0, place.1));
                idle = 0;
            }
        }
    }

    /// Looks for what tells each change that no probe tells: settings of the inputs that decide at its place.
    pub(super) fn tell_apart(&mut self, open: &mut Open<'_>) {
        let there = self.plan.probes.iter().map(|probe| probe.settings.clone());
        for settings in there.collect::<Vec<_>>() {
            self.tells(&settings, open);
        }
        while let Some(suspect) = open.suspects.pop() {
            if let Some(settings) = self.telling(&suspect, open) {
                self.tells(&settings, open);
                self.push(settings, Why::Tells(suspect.place.0, suspect.place.1));
            }
        }
    }

    /// Settings that tell a change; none if none of a few does.
    fn telling(
        &mut self,
        suspect: &Suspect<'_>,
        open: &mut Open<'_>,
    ) -> Option<Vec<(InputId, i64)>> {
        let inputs = match suspect.change {
            What::Script(_) => self.slice.at(suspect.place),
            What::Default(input, _) => self.slice.beside(input),
        };
        for number in 0..TRIES {
            if open.steps == 0 {
                return None;
            }
            // What a requirement forbids tells changes of requirements.
            let settings = match number % 4 {
                0 => self.any_settings(&inputs),
                _ => self.random_settings(&inputs),
            };
            let before = self.told(&self.subject, &settings, None);
            let after = self.told_of(suspect, &settings);
            open.pay(before.1 + after.1);
            if before.0 != after.0 && self.is_cheap(&settings) {
                return Some(settings);
            }
        }
        None
    }

    /// Takes away the changes that a configuration tells: the place of the first of them.
    fn tells(&self, settings: &[(InputId, i64)], open: &mut Open<'_>) -> Option<(usize, usize)> {
        if open.is_done() {
            return None;
        }
        let (before, steps) = self.told(&self.subject, settings, None);
        open.pay(steps);
        let after = open.suspects.par_iter().map(|suspect| {
            let (after, steps) = self.told_of(suspect, settings);
            (after != before, steps)
        });
        let after: Vec<(bool, u64)> = after.collect();
        open.pay(after.iter().map(|(_, steps)| steps).sum());
        let mut told = after.iter().map(|(is_told, _)| *is_told);
        let mut first = None;
        open.suspects.retain(|suspect| {
            let is_told = told.next().unwrap_or(false);
            if is_told {
                first = first.or(Some(suspect.place));
            }
            !is_told
        });
        first
    }

    /// What a changed check says of a configuration, and the steps that it took.
    fn told_of(&self, suspect: &Suspect<'_>, settings: &[(InputId, i64)]) -> (Told, u64) {
        match &suspect.change {
            What::Script(subject) => self.told(subject, settings, None),
            What::Default(input, value) => {
                self.told(&self.subject, settings, Some((*input, *value)))
            }
        }
    }

    /// What is said of a configuration, maybe with another default of an input, and the steps that it took.
    fn told(
        &self,
        subject: &Subject<'_>,
        settings: &[(InputId, i64)],
        default: Option<(InputId, i64)>,
    ) -> (Told, u64) {
        let mut config = self.config(settings);
        if let Some((input, value)) = default
            && !settings.iter().any(|(id, _)| *id == input)
        {
            config.0[input.0] = value;
        }
        let budget = Budget::new(self.limit);
        let told = match subject.odds(&config, &budget) {
            Ok(odds) => Told::Odds(Box::new(odds)),
            Err(Error::Requirement { .. }) => Told::Forbidden,
            Err(_) => Told::Broken,
        };
        (told, budget.spent().max(LEAST))
    }
}

/// The check with each of some changes.
pub(super) fn changed(check: &Check, changes: &[Change]) -> Vec<Check> {
    changes.par_iter().map(|one| one.apply(check)).collect()
}

impl Open<'_> {
    fn is_done(&self) -> bool {
        self.suspects.is_empty() || self.steps == 0
    }

    fn pay(&mut self, steps: u64) {
        self.steps = self.steps.saturating_sub(steps);
    }
}
