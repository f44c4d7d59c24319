//! Which configurations beside the default sweep are watched.

mod tell;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use oddsmith_exact::{Budget, Error};
use oddsmith_rules::program::{Expr, InputId, Kind, Statement};
use oddsmith_rules::{Check, Config};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

use super::branch::Branch;
use super::coverage::{Coverage, PLAYS, is_legal, play_sweep, ways_of};
use super::odds::{Odds, Subject};
use super::slice::Slice;
use super::values::{around, few, few_or_swept, numbers_of, values};
use crate::Questions;
use crate::levers::is_read;
use tell::changed;

/// How often a configuration is played that is only tried.
const TRIED: usize = 6;

/// The most pairs of settings that are tried.
const PAIRS: usize = 4_000;

/// The random settings that are tried for a way that no pair goes, and for an input that no pair wakes.
const FURTHER: usize = 300;

/// An input that changes nothing by itself is moved beside as many settings as these steps allow, a part of a second in all.
const WAKING: u64 = 200_000_000;

/// The values that are tried of an input that an earlier check reads as well.
const AGAIN: usize = 2;

/// A configuration that is watched: the inputs that are not at their defaults, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Each with its value.
    pub settings: Vec<(InputId, i64)>,
    /// The purpose of the probe.
    pub why: Why,
}

/// The purpose of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The probe is the default configuration.
    Default,
    /// The probe moves this input; all others are at their defaults.
    Moves(InputId),
    /// The probe moves this input where others make it matter.
    Wakes(InputId),
    /// The probe goes a way that no other one goes.
    Reaches(Branch),
    /// The probe tells a small change of the script at this place, in bytes, which no other one tells.
    Tells(usize, usize),
}

/// A plan: the configurations that are watched of a check beside its default sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProbePlan {
    /// The first is the default configuration.
    pub probes: Vec<Probe>,
    /// Ways that stand in the text of the check, and not in that of an earlier one, and that nothing which was tried
    /// goes.
    pub unreached: Vec<Branch>,
    /// Inputs that are read, and by no earlier check, and that change no odds in anything that was tried.
    pub asleep: Vec<InputId>,
}

/// Looks for the probes of a check or a track. What checks that stand `before` it in its ruleset have in their text, since
/// it plays them or calls the same functions, is left to their probes. Odds that would take more than the limit are left
/// out. All that is tried is charged to the run; once that is used up, or who watches it has cancelled the search, the plan
/// is worth nothing.
#[must_use]
pub fn plan(check: &Check, before: &[&Check], run: Questions<'_>) -> ProbePlan {
    let mut search = Search::new(check, before, run);
    play_sweep(&mut search.reach);
    search.star();
    let changed = changed(check, &search.own_changes());
    let mut open = search.open(&changed);
    search.several_moved(&mut open);
    search.pairs();
    search.further();
    search.wake();
    search.tell_apart(&mut open);
    let unreached = ways_of(check);
    let unreached = unreached.difference(search.reach.seen());
    let own = unreached.filter(|way| search.is_own(**way)).copied();
    search.plan.unreached = own.collect();
    search.plan
}

/// The few probes of a contest of the check that stands `before` it, against itself: what decides it, and what a tie means.
/// Side A moves each input a little, all else at the defaults; and whatever tells changes of what is compared. The check's
/// own probes watch the rest.
#[must_use]
pub fn contest_plan(contest: &Check, before: &[&Check], run: Questions<'_>) -> ProbePlan {
    let mut search = Search::new(contest, before, run);
    search.push(Vec::new(), Why::Default);
    for input in search.inputs.clone() {
        let input_of = &contest.inputs[input.0];
        for value in few(input_of).into_iter().take(AGAIN) {
            let settings = vec![(input, value)];
            if input_of.name.starts_with("a.") && search.is_cheap(&settings) {
                search.push(settings, Why::Moves(input));
            }
        }
    }
    let changed = changed(contest, &search.own_changes());
    let mut open = search.open_scripts(&changed);
    search.several_moved(&mut open);
    search.tell_apart(&mut open);
    search.plan
}

struct Search<'a> {
    check: &'a Check,
    before: &'a [&'a Check],
    subject: Subject<'a>,
    /// All odds that are asked for.
    run: Questions<'a>,
    /// The steps that a configuration may take to be looked at for changes.
    most: u64,
    reach: Coverage<'a>,
    /// The places of the expressions of earlier checks.
    known: BTreeSet<(usize, usize)>,
    /// The inputs that the check reads.
    inputs: Vec<InputId>,
    slice: Slice,
    /// A few values of each input, and values around the numbers of the rules.
    few: Vec<Vec<i64>>,
    near: Vec<Vec<i64>>,
    plan: ProbePlan,
    dice: SplitMix64,
}

impl<'a> Search<'a> {
    fn new(check: &'a Check, before: &'a [&'a Check], run: Questions<'a>) -> Self {
        let inputs = (0..check.inputs.len()).map(InputId);
        let mut known = BTreeSet::new();
        for earlier in before {
            places(earlier.program().statements(), &mut known);
            for required in &earlier.requires {
                places_in(&required.condition, &mut known);
            }
        }
        let numbers = numbers_of(check);
        let subject = Subject::new(check);
        Self {
            check,
            before,
            few: check.inputs.iter().map(few_or_swept).collect(),
            near: check
                .inputs
                .iter()
                .map(|input| around(input, &numbers))
                .collect(),
            most: Self::most_steps(&subject, &check.defaults(), run),
            subject,
            run,
            reach: Coverage::new(check),
            known,
            inputs: inputs.filter(|id| is_read(check, *id)).collect(),
            slice: Slice::of(check),
            plan: ProbePlan::default(),
            dice: SplitMix64::seed_from_u64(0),
        }
    }

    /// Whether a way stands in no earlier check.
    fn is_own(&self, way: Branch) -> bool {
        let span = way.span();
        !self.known.contains(&(span.start, span.end))
    }

    /// Whether no earlier check reads an input.
    fn is_own_input(&self, input: InputId) -> bool {
        let name = &self.check.inputs[input.0].name;
        let reads = |check: &&&Check| check.input(name).is_some_and(|id| is_read(check, id));
        !self.before.iter().any(|check| reads(&check))
    }

    fn config(&self, settings: &[(InputId, i64)]) -> Config {
        config_with(self.check, settings)
    }

    /// Whether its odds can be watched: they are known, refused by a requirement, or broken by a rule; not if they would
    /// take too long.
    fn is_cheap(&self, settings: &[(InputId, i64)]) -> bool {
        let own = self.run.share();
        let odds = self.subject.odds(&self.config(settings), &own);
        !matches!(odds, Err(Error::OverBudget { .. }))
    }

    fn odds(&self, settings: &[(InputId, i64)]) -> Option<Odds> {
        self.paid_odds(settings, &Purse::new(u64::MAX))
    }

    /// The odds of what is legal, paid for.
    fn paid_odds(&self, settings: &[(InputId, i64)], purse: &Purse) -> Option<Odds> {
        let config = self.config(settings);
        match is_legal(self.check, &config) {
            true => purse
                .pay(&self.run.share(), |budget| {
                    self.subject.odds(&config, budget)
                })
                .ok(),
            false => None,
        }
    }

    fn push(&mut self, settings: Vec<(InputId, i64)>, why: Why) {
        self.plan.probes.push(Probe { settings, why });
    }

    /// The defaults, and each input by itself.
    fn star(&mut self) {
        let mut star = vec![(Vec::new(), None)];
        for &input in &self.inputs {
            let values = match self.is_own_input(input) {
                true => values(self.check, input),
                false => few_beside(self.check, input),
            };
            let values = values.into_iter();
            star.extend(values.map(|value| (vec![(input, value)], Some(input))));
        }
        for (settings, input) in star {
            if self.is_cheap(&settings) {
                self.reach.play(&self.config(&settings), PLAYS);
                self.push(settings, input.map_or(Why::Default, Why::Moves));
            }
        }
    }

    /// A few values of every axis, and of every parameter that has labels.
    fn settings(&self) -> Vec<(InputId, i64)> {
        let inputs = self.inputs.iter().filter(|id| self.is_choosable(**id));
        let settings = inputs.flat_map(|&id| {
            few(&self.check.inputs[id.0])
                .into_iter()
                .map(move |v| (id, v))
        });
        settings.collect()
    }

    /// Pairs of settings of different inputs, or about `most` of them.
    fn all_pairs(&self, most: usize) -> Vec<Vec<(InputId, i64)>> {
        let settings = self.settings();
        let all = settings.len() * settings.len().saturating_sub(1) / 2;
        let pairs = (0..settings.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let pairs = pairs.step_by((all / most) | 1);
        let pairs = pairs.map(|(a, b)| vec![settings[a], settings[b]]);
        pairs.filter(|pair| pair[0].0 != pair[1].0).collect()
    }

    /// Pairs of settings.
    fn pairs(&mut self) {
        for pair in self.all_pairs(PAIRS) {
            if self.is_done() {
                return;
            }
            self.try_out(pair);
        }
    }

    /// Whether there is nothing to look for: all ways are gone, or stand in earlier checks.
    fn is_done(&self) -> bool {
        let ways = ways_of(self.check);
        let is_open = |way: &Branch| self.is_own(*way) && !self.reach.seen().contains(way);
        !ways.iter().any(is_open)
    }

    /// Ways of the script that were not gone: random settings of the inputs that decide about each.
    fn further(&mut self) {
        let open: Vec<Branch> = ways_of(self.check)
            .into_iter()
            .filter(|way| self.is_own(*way))
            .collect();
        for way in open {
            let span = way.span();
            let inputs = self.slice.at((span.start, span.end));
            for _ in 0..FURTHER {
                if self.reach.seen().contains(&way) {
                    break;
                }
                let settings = self.random_settings(&inputs);
                self.try_out(settings);
            }
        }
    }

    /// Each of some inputs at one of a few values, about a quarter of them at their defaults, and more where a requirement
    /// forbids all of them together.
    fn random_settings(&mut self, inputs: &[InputId]) -> Vec<(InputId, i64)> {
        let mut settings = self.any_settings(inputs);
        self.make_legal(&mut settings);
        settings
    }

    /// Takes settings away at random until no more than `most` are left.
    fn thin(&mut self, settings: &mut Vec<(InputId, i64)>, most: usize) {
        while settings.len() > most {
            settings.remove(self.below(settings.len()));
        }
    }

    /// Takes settings away until no requirement forbids what is left.
    fn make_legal(&mut self, settings: &mut Vec<(InputId, i64)>) {
        while !settings.is_empty() && !is_legal(self.check, &self.config(settings)) {
            settings.remove(self.below(settings.len()));
        }
    }

    /// Each of some inputs at one of a few values, whether a requirement forbids that or not.
    fn any_settings(&mut self, inputs: &[InputId]) -> Vec<(InputId, i64)> {
        let values = inputs
            .iter()
            .map(|&input| Some((input, self.random_value(input)?)));
        values.flatten().collect()
    }

    /// One of a few values of an input, or one that a number of the rules may be compared with; none for its default.
    fn random_value(&mut self, input: InputId) -> Option<i64> {
        let kind = self.below(8);
        let number = usize::try_from(self.dice.next_u64() >> 1).unwrap_or(0);
        let pick = |values: &Vec<i64>| values.get(number % values.len().max(1)).copied();
        match kind {
            0 | 1 => None,
            2 | 3 => pick(&self.near[input.0]).or_else(|| pick(&self.few[input.0])),
            _ => pick(&self.few[input.0]),
        }
    }

    /// Watches a configuration that goes a new way, without the settings that it does not need for that.
    fn try_out(&mut self, mut settings: Vec<(InputId, i64)>) {
        let config = self.config(&settings);
        if !is_legal(self.check, &config) {
            return;
        }
        let mut fresh = self.reach.play(&config, TRIED);
        fresh.retain(|way| self.is_own(*way));
        let Some(&branch) = fresh.first() else { return };
        take_needless(&mut settings, 1, |rest| {
            self.goes(&self.config(rest), &fresh)
        });
        if self.is_cheap(&settings) {
            self.reach.play(&self.config(&settings), PLAYS);
            self.push(settings, Why::Reaches(branch));
        }
    }

    /// Whether plays of a configuration go all of these ways.
    fn goes(&self, config: &Config, ways: &[Branch]) -> bool {
        let mut alone = Coverage::new(self.check);
        alone.play(config, PLAYS);
        ways.iter().all(|way| alone.seen().contains(way))
    }

    /// Moves each input that changed nothing so far beside settings that make it matter.
    fn wake(&mut self) {
        let known: Vec<Option<Odds>> = self
            .plan
            .probes
            .iter()
            .map(|probe| self.odds(&probe.settings))
            .collect();
        let inputs = self.inputs.clone().into_iter();
        let asleep: Vec<InputId> = inputs
            .filter(|&input| {
                let is_swept = !self.check.inputs[input.0].sweep.is_empty();
                !is_swept && self.is_own_input(input) && !self.has_moved(input, &known)
            })
            .collect();
        let purse = Purse::new(WAKING);
        let mut bases = Bases::default();
        let probes = self.plan.probes.iter().map(|probe| probe.settings.clone());
        let (single, several): (Vec<_>, Vec<_>) = probes.partition(|base| base.len() < 2);
        let pairs = self.all_pairs(PAIRS);
        for input in asleep {
            let companions = self.slice.beside(input);
            let random: Vec<_> = (0..FURTHER)
                .map(|_| self.random_settings(&companions))
                .collect();
            let settings = [&several, &random, &single, &pairs].into_iter().flatten();
            match self.surroundings(input, settings, &mut bases, &purse) {
                Some(base) => self.push_woken(input, &base),
                None => self.plan.asleep.push(input),
            }
        }
    }

    fn push_woken(&mut self, input: InputId, base: &[(InputId, i64)]) {
        let values = few(&self.check.inputs[input.0]).into_iter();
        let moved = values.map(|value| with(base, input, value));
        let all: Vec<Vec<(InputId, i64)>> = std::iter::once(base.to_vec()).chain(moved).collect();
        for settings in all {
            let is_new = !self
                .plan
                .probes
                .iter()
                .any(|probe| probe.settings == settings);
            if is_new && self.is_cheap(&settings) {
                self.push(settings, Why::Wakes(input));
            }
        }
    }

    /// Whether two probes that differ in nothing but an input have different odds.
    fn has_moved(&self, input: InputId, known: &[Option<Odds>]) -> bool {
        let probes = self.plan.probes.iter().zip(known);
        let with = probes.filter(|(probe, _)| probe.settings.iter().any(|(id, _)| *id == input));
        for (probe, odds) in with {
            let mut rest = probe.settings.clone();
            rest.retain(|(id, _)| *id != input);
            let before = match self
                .plan
                .probes
                .iter()
                .position(|other| other.settings == rest)
            {
                Some(at) => known.get(at).cloned().flatten(),
                None => self.odds(&rest),
            };
            if before != *odds {
                return true;
            }
        }
        false
    }

    /// The first of some settings beside which an input changes the odds, without those that it does not need; none if
    /// there are none, or if finding them would take too long.
    fn surroundings<'s>(
        &self,
        input: InputId,
        settings: impl Iterator<Item = &'s Vec<(InputId, i64)>>,
        bases: &mut Bases,
        purse: &Purse,
    ) -> Option<Vec<(InputId, i64)>> {
        for base in settings {
            if base.iter().any(|(id, _)| *id == input) {
                continue;
            }
            if purse.is_empty() {
                return None;
            }
            if !self.wakes(input, base, bases, purse) {
                continue;
            }
            let mut base = base.clone();
            take_needless(&mut base, 0, |rest| self.wakes(input, rest, bases, purse));
            return Some(base);
        }
        None
    }

    /// Whether an input changes the odds beside some settings.
    fn wakes(
        &self,
        input: InputId,
        base: &Vec<(InputId, i64)>,
        bases: &mut Bases,
        purse: &Purse,
    ) -> bool {
        if !bases.contains_key(base) {
            bases.insert(base.clone(), self.paid_odds(base, purse));
        }
        let Some(Some(odds)) = bases.get(base) else {
            return false;
        };
        few(&self.check.inputs[input.0]).into_iter().any(|value| {
            let moved = self.paid_odds(&with(base, input, value), purse);
            moved.is_some_and(|moved| moved != *odds)
        })
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.dice.next_u64() % count as u64).unwrap_or(0)
    }
}

/// Steps that are left for one part of the search.
struct Purse(Cell<u64>);

impl Purse {
    fn new(steps: u64) -> Self {
        Self(Cell::new(steps))
    }

    fn is_empty(&self) -> bool {
        self.0.get() == 0
    }

    /// Does work within a budget, and takes what it predicted.
    fn pay<T>(&self, budget: &Budget, work: impl FnOnce(&Budget) -> T) -> T {
        /// The steps that each piece of work takes at the least.
        const LEAST: u64 = 10_000;
        let done = work(budget);
        self.0
            .set(self.0.get().saturating_sub(budget.spent().max(LEAST)));
        done
    }
}

/// The odds of settings that were looked at; none where there are none.
type Bases = BTreeMap<Vec<(InputId, i64)>, Option<Odds>>;

/// Takes away one setting after the other without which the rest is enough, as long as more than `least` are left.
fn take_needless(
    settings: &mut Vec<(InputId, i64)>,
    least: usize,
    mut is_enough: impl FnMut(&Vec<(InputId, i64)>) -> bool,
) {
    let mut at = 0;
    while at < settings.len() && settings.len() > least {
        let removed = settings.remove(at);
        if !is_enough(settings) {
            settings.insert(at, removed);
            at += 1;
        }
    }
}

/// Settings with one more.
fn with(base: &[(InputId, i64)], input: InputId, value: i64) -> Vec<(InputId, i64)> {
    let mut settings = base.to_vec();
    settings.push((input, value));
    settings.sort_unstable();
    settings
}

/// Collects the places of the expressions of a script and of their parts.
fn places(statements: &[Statement], all: &mut BTreeSet<(usize, usize)>) {
    for statement in statements {
        if let Statement::Repeat { span, .. } | Statement::Choose { span, .. } = statement {
            all.insert((span.start, span.end));
        }
        statement.for_each_part(&mut |part| places_in(part, all));
    }
}

fn places_in(expr: &Expr, all: &mut BTreeSet<(usize, usize)>) {
    expr.for_each(&mut |part| {
        all.insert((part.span.start, part.span.end));
        if let Kind::Block { statements, .. } = &part.kind {
            places(statements, all);
        }
    });
}

/// The values of an input that an earlier check reads as well: a few, and not those of the default sweep.
fn few_beside(check: &Check, input: InputId) -> Vec<i64> {
    let input = &check.inputs[input.0];
    let mut values = few(input);
    values.retain(|value| !input.sweep.contains(value));
    values.truncate(AGAIN);
    values
}

/// The defaults with some settings.
fn config_with(check: &Check, settings: &[(InputId, i64)]) -> Config {
    let mut config = check.defaults();
    for (input, value) in settings {
        config.put(*input, *value);
    }
    config
}

impl Probe {
    /// The configuration: the defaults of the check that it is of, with its settings.
    #[must_use]
    pub fn config(&self, check: &Check) -> Config {
        config_with(check, &self.settings)
    }

    /// The settings as a user writes them, empty for the default configuration: `mood=1, asset_mode=die`. No label has
    /// a comma.
    #[must_use]
    pub fn describe(&self, check: &Check) -> String {
        let words = self.settings.iter().map(|(input, value)| {
            let input = &check.inputs[input.0];
            input.written(*value)
        });
        words.collect::<Vec<_>>().join(", ")
    }
}
