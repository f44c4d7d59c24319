//! Probes that tell small changes of a script: a number that is one more, a comparison that is another one, an operand that
//! is missing.
//!
//! A configuration in which several inputs are away from their defaults tells many changes at once, also those that need
//! several to matter. So some of those come first; then, for each change that is left, settings of the inputs that decide
//! at its place, and of any.

use std::collections::BTreeSet;

use oddsmith_exact::{Error, left_of};
use oddsmith_rules::program::{InputId, Statement};
use oddsmith_rules::{Check, Config, Domain, Role};
use rayon::prelude::*;

use super::{Search, Why, places_in, take_needless};
use crate::Questions;
use crate::probe::change::{Change, changes};
use crate::probe::coverage::{PLAYS, is_legal};
use crate::probe::odds::{Odds, Subject};

/// The search in one check ends after so many predicted steps, some seconds.
const STEPS: u64 = 2_000_000_000;

/// The steps that the odds of one configuration are counted as at the least.
const LEAST: u64 = 20_000;

/// Configurations with several inputs moved are tried until so many in a row tell nothing new.
const IDLE: usize = 40;

/// The configurations that are drawn at a time, of which the one that takes the fewest steps is tried.
const DRAWN: usize = 3;

/// The settings that are tried for a change that is left, as far as its share of the steps allows.
const TRIES: usize = 320;
const SHARES: u64 = 8;

/// Half of these set no more inputs than this.
const TOGETHER: usize = 4;
/// No probe sets more.
const READABLE: usize = 7;

/// Odds that take more steps than this, or than so many times the odds of the defaults, are not looked at: there are less
/// dear configurations.
const DEAR: u64 = 2_000_000;
const TIMES: u64 = 4;

/// Most of the settings that are tried for a change may take only one part in so many of its steps.
const CHEAP: u64 = 10;

/// The small changes that no probe tells yet.
pub(super) struct Open<'c> {
    suspects: Vec<Suspect<'c>>,
    /// How many there were at first.
    all: u64,
    steps: u64,
    /// Settings that make odds less dear by themselves, such as fewer dice.
    cheaper: Vec<(InputId, i64)>,
}

/// A small change of a check.
struct Suspect<'c> {
    /// The place of the change, in bytes.
    place: (usize, usize),
    change: What<'c>,
}

enum What<'c> {
    /// The script is another one.
    Script(Subject<'c>),
    /// The requirements are others.
    Requirement(&'c Check),
    /// The default of an input is another one.
    Default(InputId, i64),
}

/// The answer of a configuration.
#[derive(PartialEq, Eq)]
enum Told {
    Odds(Box<Odds>),
    /// A requirement forbids it.
    Forbidden,
    /// No requirement forbids it; nobody asked for the odds.
    Allowed,
    /// A rule can't be carried out in it.
    Broken,
    /// The odds would take too long.
    Dear,
}

impl Told {
    /// Whether somebody who watches this configuration sees that it is another one.
    fn differs(&self, other: &Self) -> bool {
        self != other && ![self, other].contains(&&Self::Dear)
    }
}

impl Search<'_> {
    /// The changes at places that stand in no earlier check.
    pub(super) fn own_changes(&self) -> Vec<Change> {
        let all = changes(self.check, |input| self.slice.beside(input)).into_iter();
        all.filter(|change| !self.known.contains(&change.place))
            .collect()
    }

    /// These changed checks, and defaults that are one more or less.
    pub(super) fn open<'c>(&self, changed: &'c [(Change, Check)]) -> Open<'c> {
        let mut open = self.open_scripts(changed);
        let own = self.inputs.iter().filter(|id| self.is_own_input(**id));
        open.suspects.extend(own.flat_map(|&id| {
            let input = &self.check.inputs[id.0];
            let beside = [1, -1]
                .map(|by| input.default.saturating_add(by))
                .into_iter();
            let legal = beside.filter(|value| input.domain.contains(*value));
            legal.map(move |value| Suspect {
                place: (input.span.start, input.span.end),
                change: What::Default(id, value),
            })
        }));
        open.all = SHARES.max(open.suspects.len() as u64);
        open
    }

    /// These changed checks.
    pub(super) fn open_scripts<'c>(&self, changed: &'c [(Change, Check)]) -> Open<'c> {
        let mut required = BTreeSet::new();
        for one in &self.check.requires {
            places_in(&one.condition, &mut required);
        }
        let scripts = changed.iter().map(|(change, changed)| Suspect {
            place: change.place,
            change: match required.contains(&change.place) {
                true => What::Requirement(changed),
                false => What::Script(Subject::new(changed)),
            },
        });
        let suspects: Vec<Suspect<'_>> = scripts.collect();
        Open {
            all: SHARES.max(suspects.len() as u64),
            suspects,
            steps: STEPS,
            cheaper: self.cheaper(),
        }
    }

    /// Configurations in which several inputs that are chosen have other values than their defaults.
    pub(super) fn several_moved(&mut self, open: &mut Open<'_>) {
        let inputs = self.inputs.iter().copied();
        let inputs: Vec<InputId> = inputs.filter(|id| self.is_choosable(*id)).collect();
        let mut idle = 0;
        while idle < IDLE && !open.suspects.is_empty() && open.steps > STEPS / 2 {
            let drawn: Vec<_> = (0..DRAWN).map(|_| self.several(&inputs)).collect();
            // Each input by itself has been moved.
            let drawn = drawn.into_iter().filter(|settings| settings.len() > 1);
            let priced = drawn.filter_map(|settings| {
                let budget = self.run.share_of(self.most);
                let odds = self.subject.odds(&self.config(&settings), &budget);
                odds.is_ok().then(|| (budget.spent(), settings))
            });
            let cheapest = priced.min_by_key(|(steps, _)| *steps);
            idle += 1;
            if let Some((_, settings)) = cheapest
                && let Some(place) = self.tells(&settings, open)
            {
                self.reach.play(&self.config(&settings), PLAYS);
                self.push(settings, Why::Tells(place.0, place.1));
                idle = 0;
            }
        }
    }

    /// Random settings, of so few inputs that somebody can read them.
    fn several(&mut self, inputs: &[InputId]) -> Vec<(InputId, i64)> {
        let mut settings = self.random_settings(inputs);
        self.thin(&mut settings, READABLE);
        self.make_legal(&mut settings);
        settings
    }

    /// Looks for what tells each change that no probe tells: settings of the inputs that decide at its place.
    pub(super) fn tell_apart(&mut self, open: &mut Open<'_>) {
        let there = self.plan.probes.iter().map(|probe| probe.settings.clone());
        for settings in there.collect::<Vec<_>>() {
            if open.steps > STEPS / 4 {
                self.tells(&settings, open);
            }
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
        let mut share = (SHARES * STEPS / open.all).min(open.steps);
        open.steps -= share;
        let inputs = match suspect.change {
            What::Script(_) | What::Requirement(_) => self.slice.at(suspect.place),
            What::Default(input, _) => self.slice.beside(input),
        };
        let everything = self.inputs.clone();
        let choosable = |all: &[InputId]| -> Vec<InputId> {
            let all = all.iter().copied();
            all.filter(|id| self.is_choosable(*id)).collect()
        };
        // What dice decide may hang on any input.
        let kinds = [
            choosable(&inputs),
            choosable(&everything),
            inputs,
            everything,
        ];
        let near = match suspect.change {
            What::Default(_, value) => Some(value),
            _ => None,
        };
        let mut found = None;
        for number in 0..TRIES {
            let mut settings = self.any_settings(&kinds[number % 4]);
            // A default shows only where its input is not set.
            settings
                .retain(|(id, _)| !matches!(suspect.change, What::Default(own, _) if own == *id));
            // What needs many inputs is found with all of them moved; what most of them spoil, with a few.
            if number / 4 % 2 == 0 {
                self.thin(&mut settings, TOGETHER);
            }
            self.beside(near, &mut settings);
            if number % 3 < 2 {
                self.cheapen(&open.cheaper, &mut settings);
            }
            // What a requirement forbids tells changes of requirements alone.
            if !matches!(suspect.change, What::Requirement(_)) {
                self.make_legal(&mut settings);
            }
            if settings.is_empty() {
                continue;
            }
            let most = match number < TRIES * 3 / 4 {
                true => self.most / CHEAP,
                false => self.most,
            };
            let (is_told, mut steps) = self.is_told(suspect, &settings, most);
            if is_told {
                steps += self.shorten(suspect, &mut settings, most);
                if settings.len() <= READABLE && self.is_cheap(&settings) {
                    found = Some(settings);
                }
            }
            share = share.saturating_sub(steps);
            if found.is_some() || share == 0 && steps > 0 {
                break;
            }
        }
        open.steps += share;
        found
    }

    /// Takes away the settings that are not needed to tell a change; the steps that it took.
    fn shorten(&self, suspect: &Suspect<'_>, settings: &mut Vec<(InputId, i64)>, most: u64) -> u64 {
        let mut all = 0;
        take_needless(settings, 1, |rest| {
            let is_allowed = matches!(suspect.change, What::Requirement(_))
                || is_legal(self.check, &self.config(rest));
            if !is_allowed {
                return false;
            }
            let (is_told, steps) = self.is_told(suspect, rest, most);
            all += steps;
            is_told
        });
        all
    }

    /// Whether some settings tell a change, and the steps that it took to find out.
    fn is_told(
        &self,
        suspect: &Suspect<'_>,
        settings: &[(InputId, i64)],
        most: u64,
    ) -> (bool, u64) {
        if self.is_left_alone(suspect, settings, &self.left(settings)) {
            return (false, LEAST);
        }
        let (before, steps) = self.told_before(suspect, settings, most);
        let (after, more) = self.told_of(suspect, settings, most);
        (before.differs(&after), steps + more)
    }

    /// What a configuration leaves of the check.
    fn left(&self, settings: &[(InputId, i64)]) -> Option<Vec<Statement>> {
        left_of(self.check, &self.config(settings))
    }

    /// Whether a change is of nothing that a configuration leaves: then nobody sees it there.
    fn is_left_alone(
        &self,
        suspect: &Suspect<'_>,
        settings: &[(InputId, i64)],
        left: &Option<Vec<Statement>>,
    ) -> bool {
        let after = || match &suspect.change {
            What::Script(subject) => left_of(subject.check(), &self.config(settings)),
            What::Default(input, value) => {
                left_of(self.check, &self.config_beside(settings, (*input, *value)))
            }
            What::Requirement(_) => None,
        };
        left.is_some() && *left == after()
    }

    /// The steps that a configuration may take in this search.
    pub(super) fn most_steps(subject: &Subject<'_>, defaults: &Config, run: Questions<'_>) -> u64 {
        let own = run.share();
        let found = subject.odds(defaults, &own);
        let price = if found.is_ok() { own.spent() } else { 0 };
        price.saturating_mul(TIMES).max(DEAR).min(run.limit)
    }

    /// The settings of single inputs with which odds take at most half as long as those of the defaults.
    fn cheaper(&self) -> Vec<(InputId, i64)> {
        let price = |settings: &[(InputId, i64)]| {
            let (told, steps) = self.told(&self.subject, settings, None, self.most);
            matches!(told, Told::Odds(_)).then_some(steps)
        };
        let usual = price(&[]).unwrap_or(self.most);
        let inputs = self.inputs.iter().filter(|id| self.is_choosable(**id));
        let settings = inputs.flat_map(|&id| self.few[id.0].iter().map(move |value| (id, *value)));
        let is_cheaper =
            |one: &(InputId, i64)| price(&[*one]).is_some_and(|steps| 2 * steps <= usual);
        settings.filter(is_cheaper).collect()
    }

    /// Adds a setting that makes odds less dear, if its input has none.
    fn cheapen(&mut self, cheaper: &[(InputId, i64)], settings: &mut Vec<(InputId, i64)>) {
        if cheaper.is_empty() {
            return;
        }
        let one = cheaper[self.below(cheaper.len())];
        if !settings.iter().any(|(input, _)| *input == one.0) {
            settings.push(one);
            settings.sort_unstable();
        }
    }

    /// Whether an input is what players or designers choose: an axis, or a parameter that has labels.
    pub(super) fn is_choosable(&self, input: InputId) -> bool {
        let input = &self.check.inputs[input.0];
        input.role == Role::Axis || matches!(input.domain, Domain::Choice(_))
    }

    /// Moves numbers to a value that a default is compared with, or beside it, every other time.
    fn beside(&mut self, near: Option<i64>, settings: &mut [(InputId, i64)]) {
        let Some(near) = near else { return };
        for (input, value) in settings {
            let domain = &self.check.inputs[input.0].domain;
            let by = [-1, 0, 0, 1, 0, 0, 0, 0][self.below(8)];
            let other = near.saturating_add(by);
            if matches!(domain, Domain::Range(..)) && domain.contains(other) && self.below(2) == 0 {
                *value = other;
            }
        }
    }

    /// Takes away the changes that a configuration tells: the place of the first of them.
    fn tells(&self, settings: &[(InputId, i64)], open: &mut Open<'_>) -> Option<(usize, usize)> {
        if open.is_done() {
            return None;
        }
        let (before, steps) = self.told(&self.subject, settings, None, self.most);
        open.pay(steps);
        let left = self.left(settings);
        let after = open
            .suspects
            .par_iter()
            .map(|suspect| match suspect.change {
                What::Requirement(changed) => {
                    let after = self.allowed(changed, settings);
                    ((after == Told::Forbidden) != (before == Told::Forbidden), 0)
                }
                _ if self.is_left_alone(suspect, settings, &left) => (false, LEAST),
                _ => {
                    let (after, steps) = self.told_of(suspect, settings, self.most);
                    (before.differs(&after), steps)
                }
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

    /// The answer of the check in a configuration, as far as a change of it can tell, and the steps that it took.
    fn told_before(
        &self,
        suspect: &Suspect<'_>,
        settings: &[(InputId, i64)],
        most: u64,
    ) -> (Told, u64) {
        match suspect.change {
            What::Requirement(_) => (self.allowed(self.check, settings), 0),
            _ => self.told(&self.subject, settings, None, most),
        }
    }

    /// The answer of a changed check in a configuration, and the steps that it took.
    fn told_of(
        &self,
        suspect: &Suspect<'_>,
        settings: &[(InputId, i64)],
        most: u64,
    ) -> (Told, u64) {
        match &suspect.change {
            What::Script(subject) => self.told(subject, settings, None, most),
            What::Requirement(changed) => (self.allowed(changed, settings), 0),
            What::Default(input, value) => {
                self.told(&self.subject, settings, Some((*input, *value)), most)
            }
        }
    }

    /// Whether a configuration is legal, whatever its odds are.
    fn allowed(&self, check: &Check, settings: &[(InputId, i64)]) -> Told {
        match is_legal(check, &self.config(settings)) {
            true => Told::Allowed,
            false => Told::Forbidden,
        }
    }

    /// A configuration in which an input that is not set has another default.
    fn config_beside(&self, settings: &[(InputId, i64)], (input, value): (InputId, i64)) -> Config {
        let mut config = self.config(settings);
        if !settings.iter().any(|(id, _)| *id == input) {
            config.put(input, value);
        }
        config
    }

    /// The answer of a configuration, maybe with another default of an input, and the steps that it took.
    fn told(
        &self,
        subject: &Subject<'_>,
        settings: &[(InputId, i64)],
        default: Option<(InputId, i64)>,
        most: u64,
    ) -> (Told, u64) {
        let config = match default {
            Some(default) => self.config_beside(settings, default),
            None => self.config(settings),
        };
        let budget = self.run.share_of(most);
        let told = match subject.odds(&config, &budget) {
            Ok(odds) => Told::Odds(Box::new(odds)),
            Err(Error::Requirement { .. }) => Told::Forbidden,
            Err(Error::OverBudget { .. }) => Told::Dear,
            Err(_) => Told::Broken,
        };
        (told, budget.spent().max(LEAST))
    }
}

/// The check with each of some changes.
pub(super) fn changed(check: &Check, changes: &[Change]) -> Vec<(Change, Check)> {
    let changes = changes.par_iter();
    changes.map(|one| (*one, one.apply(check))).collect()
}

impl Open<'_> {
    fn is_done(&self) -> bool {
        self.suspects.is_empty() || self.steps == 0
    }

    fn pay(&mut self, steps: u64) {
        self.steps = self.steps.saturating_sub(steps);
    }
}
