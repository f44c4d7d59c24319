//! Tracks: scripts that go round until something is full.
//!
//! What a round leaves behind is a state of the variables that `set` changes, and a round leads from one state
//! to others with weights: a finite chain ([`oddsmith_dist::Chain`]) that ends where the loop's condition holds.
//! Its states are found by playing rounds from the first one on. A variable that is only added to, such as the
//! number of rounds or the stress paid so far, has no end of values and is no part of the state: it is a running
//! sum ([`sums`]), whose mean and variance the chain gives exactly. Where a query compares one with a number, it
//! is counted up to just beyond that number.

mod add_up;
mod best;
mod chain;
mod ends;
mod lengths;
mod moves;
mod parts;
mod played;
mod rolled;
mod round;
mod search;
mod sums;
mod tally;

use oddsmith_dist::{Budget, Dist, Lengths, RBig, UBig};
use oddsmith_rules::program::{Expr, InputId, Kind, VarId};
use oddsmith_rules::{Check, Config, Outcome, Query, QueryKind, Statistic};

use crate::cache::Cache;
use crate::evaluate::Env;
use crate::inputs::{inputs_of_script, inputs_through};
use crate::joint::{self, Joint};
use crate::moments::{Group, answers_of, dist_of};
use crate::requirements::charge_script;
use crate::residual::{Purpose, Residual, all_known, specialise};
use crate::scope::Scope;
use crate::states::States;
use crate::{Answer, Error};
use add_up::tally_of;
use chain::{Laid, Layout};
use ends::{end_answers, end_answers_from_each};
use parts::{Track, before_first_round, first_round, has_choice, is_of_first_round};
use sums::EndView;
pub use sums::OpenEnd;

/// Groups of queries, of which those are one that go through the same states and may be one: their rounds are laid out once.
pub(crate) fn joined(
    check: &Check,
    config: &Config,
    groups: Vec<Group>,
    may_be_one: &dyn Fn(&Group, &Group) -> bool,
) -> Vec<Group> {
    if check.rounds.is_none() || groups.len() < 2 {
        return groups;
    }
    let of_end = |group: &&Group| {
        let mut outcomes = group.outcomes.iter();
        !outcomes.any(|var| is_of_first_round(check, *var))
    };
    let (ends, mut others): (Vec<Group>, Vec<Group>) =
        groups.into_iter().partition(|group| of_end(&group));
    // Each with the variables that its states are of.
    let mut joint: Vec<(Group, Option<Vec<VarId>>)> = Vec::new();
    for group in ends {
        let states = carried(check, config, &group);
        let join = joint.iter_mut().find_map(|(other, others)| {
            let both = other.with(&group);
            let is_same = states.is_some()
                && other.after == group.after
                && may_be_one(other, &group)
                && states == *others
                && states == carried(check, config, &both);
            is_same.then_some((other, both))
        });
        match join {
            Some((other, both)) => *other = both,
            None => joint.push((group, states)),
        }
    }
    others.extend(joint.into_iter().map(|(group, _)| group));
    others
}

/// The variables that states are of; none if outcomes do not depend on rounds, or ask for more than there is.
fn carried(check: &Check, config: &Config, group: &Group) -> Option<Vec<VarId>> {
    let (known, outcomes) = (all_known(config), &group.outcomes);
    let residual = specialise(&group.script(check), &known, outcomes, Purpose::Run);
    let track = Track::of(&residual.script)?;
    let scope = Scope::new(&check.source, &residual);
    let view = EndView::new(&scope, &track, &residual, outcomes).ok()?;
    let head = track.head.iter();
    Some(
        head.filter(|var| !view.sums.contains(var))
            .copied()
            .collect(),
    )
}

/// The answers to one group of queries, in its order.
pub(crate) fn group_answers(
    check: &Check,
    config: &Config,
    queries: &[Query],
    group: &Group,
    means: (&Budget, &Cache),
) -> Result<Vec<Answer>, Error> {
    let (known, outcomes) = (all_known(config), &group.outcomes);
    let residual = specialise(&group.script(check), &known, outcomes, Purpose::Run);
    script_answers(check, config, &residual, queries, group, means)
}

/// Whether what is asked is what the first round shows, and nothing else.
fn is_of_first_round_alone(check: &Check, group: &Group) -> bool {
    let of_first_round = |var: &VarId| is_of_first_round(check, *var);
    !group.outcomes.is_empty() && group.outcomes.iter().all(of_first_round)
}

/// [`group_answers`] of the script that a configuration leaves.
pub(crate) fn script_answers(
    check: &Check,
    config: &Config,
    residual: &Residual,
    queries: &[Query],
    group: &Group,
    (budget, cache): (&Budget, &Cache),
) -> Result<Vec<Answer>, Error> {
    let mut env = Env::new(&check.source, config, budget, cache, residual);
    let results = &residual.results;
    let Some(track) = Track::of(&residual.script) else {
        if group
            .outcomes
            .iter()
            .any(|var| is_of_first_round(check, *var))
        {
            demand_first_round(check, config, budget, cache)?;
        }
        let states = env.run(&residual.script, &[], States::certain(&[]))?;
        let vars = residual.script.final_vars(&[]);
        return answers_of(&mut env, results, vars, group, queries, &states);
    };
    best::decide(&mut env, check, &track, residual)?;
    if is_of_first_round_alone(check, group) {
        let (states, vars) = first_round(&mut env, &track, track.shown)?;
        return answers_of(&mut env, results, &vars, group, queries, &states);
    }
    let view = EndView::new(&env.scope, &track, residual, &group.outcomes)?;
    let asked: Vec<&Query> = group.queries.iter().map(|&place| &queries[place]).collect();
    let (answers, _) = end_answers(check, &mut env, &track, &view, &asked)?;
    Ok(answers)
}

/// The inputs that say where a track begins and nothing else: whatever they are, its rounds are the same, and so is what follows
/// them and what is asked. None of a track that chooses, since its goal is looked for from where it begins; and none where only
/// its first round is asked about.
pub(crate) fn start_inputs(check: &Check, residual: &Residual, group: &Group) -> Vec<InputId> {
    let (fixed, script) = (&residual.fixed, &residual.script);
    let track = Track::of(script).filter(|_| !has_choice(script));
    let Some(track) = track.filter(|_| !is_of_first_round_alone(check, group)) else {
        return Vec::new();
    };
    let mut others = inputs_of_script(track.body, fixed);
    others.extend(inputs_of_script(&track.after, fixed));
    let ends = residual.results.iter().chain([track.until]);
    others.extend(ends.flat_map(|expr| inputs_through(expr, fixed)));
    let mut inputs = inputs_of_script(&track.before, fixed);
    inputs.retain(|input| !others.contains(input));
    inputs
}

/// [`script_answers`] in several configurations that differ in [`start_inputs`] alone, which the script leaves open: the rounds
/// are laid out once. The queries are about whole rounds, and pick no value of a running sum.
pub(crate) fn answers_from_each(
    check: &Check,
    configs: &[Config],
    residual: &Residual,
    queries: &[Query],
    group: &Group,
    (budget, cache): (&Budget, &Cache),
) -> Result<Vec<Result<Vec<Answer>, Error>>, Error> {
    let env_of = |config| Env::new(&check.source, config, budget, cache, residual);
    let Some((first, track)) = configs.first().zip(Track::of(&residual.script)) else {
        return Ok(Vec::new());
    };
    let mut env = env_of(first);
    let view = EndView::new(&env.scope, &track, residual, &group.outcomes)?;
    let layout = Layout::new(&mut env, &track, &view);
    let begin = |own| env.beside(env_of(own), |own| layout.starts(own));
    let starts = configs.iter().map(begin);
    let starts = starts.collect::<Result<Vec<_>, Error>>()?;
    let asked: Vec<&Query> = group.queries.iter().map(|&place| &queries[place]).collect();
    end_answers_from_each(check, &mut env, layout, &view, &asked, starts)
}

/// [`group_answers`], with the rounds that they are about; none if they are not about whole rounds, or count sums alone.
pub(crate) fn answers_and_rounds(
    check: &Check,
    config: &Config,
    queries: &[Query],
    group: &Group,
    budget: &Budget,
) -> Result<Option<(Vec<Answer>, Rounds)>, Error> {
    let (known, outcomes, cache) = (all_known(config), &group.outcomes, Cache::default());
    let residual = specialise(&group.script(check), &known, outcomes, Purpose::Run);
    let track = Track::of(&residual.script).filter(|track| track.shown.is_empty());
    let Some(track) = track else { return Ok(None) };
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    best::decide(&mut env, check, &track, &residual)?;
    let view = EndView::new(&env.scope, &track, &residual, outcomes)?;
    let asked: Vec<&Query> = group.queries.iter().map(|&place| &queries[place]).collect();
    let (answers, laid) = end_answers(check, &mut env, &track, &view, &asked)?;
    let rounds = laid.map(|chain| Rounds::of(chain, config, budget));
    Ok(rounds.transpose()?.map(|rounds| (answers, rounds)))
}

/// Refuses a track that is over before it begins: its first round shows nothing, whatever that would be.
fn demand_first_round(
    check: &Check,
    config: &Config,
    budget: &Budget,
    cache: &Cache,
) -> Result<(), Error> {
    let rounds: Vec<VarId> = check.rounds.into_iter().collect();
    let known = all_known(config);
    let residual = specialise(check.program(), &known, &rounds, Purpose::Run);
    let Some(track) = Track::of(&residual.script) else {
        return Ok(());
    };
    let mut env = Env::new(&check.source, config, budget, cache, &residual);
    before_first_round(&mut env, &track).map(|_| ())
}

/// What the first round shows, jointly; or all that a script shows which does not depend on its rounds.
pub(crate) fn first_round_of(
    check: &Check,
    env: &mut Env<'_>,
    residual: &Residual,
) -> Result<Joint, Error> {
    let Some(track) = Track::of(&residual.script) else {
        return joint::all_of(env, residual);
    };
    best::decide(env, check, &track, residual)?;
    let (states, vars) = first_round(env, &track, track.shown)?;
    Joint::of(env, residual, &vars, &states)
}

/// The number of rounds that a track or a contest takes.
#[derive(Debug)]
pub struct Rounds {
    chain: Laid,
    never: RBig,
    /// The configuration that was played.
    pub(crate) config: Config,
}

impl Rounds {
    fn of(chain: Laid, config: &Config, budget: &Budget) -> Result<Self, Error> {
        let never = chain.never(budget)?;
        Ok(Self {
            chain,
            never,
            config: config.clone(),
        })
    }

    /// Whether a first round is certain: it is over nowhere before that.
    #[must_use]
    pub fn begins(&self) -> bool {
        self.chain.begins()
    }

    /// The probability of going round for ever.
    #[must_use]
    pub fn never(&self) -> &RBig {
        &self.never
    }

    /// `P(rounds = n)` for `n` up to `horizon`, or up to the most that are possible (none if it can't end), and
    /// what is beyond.
    ///
    /// # Errors
    /// If the cost is over the budget.
    pub fn lengths(&self, horizon: usize, budget: &Budget) -> Result<Lengths, Error> {
        self.chain.lengths(horizon, budget)
    }

    /// An upper bound of the probability that it takes more than so many rounds and ends all the same; see
    /// [`oddsmith_dist::Chain::late`].
    ///
    /// # Errors
    /// If the cost is over the budget.
    pub fn late(&self, rounds: usize, budget: &Budget) -> Result<f64, Error> {
        self.chain.late(rounds, budget)
    }

    /// The least number of rounds by which it has ended with so many percent; none if there is none, or if floats can't
    /// tell, see [`oddsmith_dist::Chain::quantile`].
    ///
    /// # Errors
    /// If the cost is over the budget.
    pub fn quantile(&self, percent: u32, budget: &Budget) -> Result<Option<usize>, Error> {
        self.chain.quantile(percent, budget)
    }

    /// A number of rounds, up to `most`, after which less than one part in `parts` has not ended and still may: the least that
    /// floats can tell; none if there is none, see [`oddsmith_dist::Chain::settled`].
    ///
    /// # Errors
    /// If the cost is over the budget.
    pub fn settled(
        &self,
        parts: u32,
        most: usize,
        budget: &Budget,
    ) -> Result<Option<usize>, Error> {
        self.chain.settled(parts, most, budget)
    }
}

/// [`Rounds::new`] in a configuration that can be played.
pub(crate) fn rounds(check: &Check, config: &Config, budget: &Budget) -> Result<Rounds, Error> {
    charge_script(check, budget)?;
    let counter = check.rounds.expect("only tracks and contests have rounds");
    let cache = Cache::default();
    let found = || {
        let residual = specialise(
            check.program(),
            &all_known(config),
            &[counter],
            Purpose::Run,
        );
        let mut env = Env::new(&check.source, config, budget, &cache, &residual);
        let track =
            Track::of(&residual.script).expect("the number of rounds depends on the rounds");
        best::decide(&mut env, check, &track, &residual)?;
        let view = EndView::new(&env.scope, &track, &residual, &[counter])?;
        let mut layout = Layout::new(&mut env, &track, &view);
        let starts = layout.starts(&mut env)?;
        let nothing = vec![None; view.sums.len()];
        let chain = layout.chain(&mut env, &starts, &nothing, true)?;
        Rounds::of(chain, config, budget)
    };
    found().map_err(|error: Error| error.in_config(check, config))
}

/// Plays a track's rounds from every state that they lead to, and what follows them: so that all choices are met.
/// The variables that states carry along without any effect on a round; none if the script is no track.
pub(crate) fn visit_all(
    check: &Check,
    env: &mut Env<'_>,
    residual: &Residual,
) -> Option<Result<Vec<VarId>, Error>> {
    let track = Track::of(&residual.script)?;
    let decided = best::decide(env, check, &track, residual);
    Some(decided.and_then(|()| track.visit_all(env, residual)))
}

/// Makes the choices of a track; of what does not depend on its rounds there are none.
pub(crate) fn decide(check: &Check, env: &mut Env<'_>, residual: &Residual) -> Result<(), Error> {
    match Track::of(&residual.script) {
        Some(track) => best::decide(env, check, &track, residual),
        None => Ok(()),
    }
}

impl Track<'_> {
    fn visit_all(&self, env: &mut Env<'_>, residual: &Residual) -> Result<Vec<VarId>, Error> {
        let view = EndView::new(&env.scope, self, residual, &[])?;
        let mut layout = Layout::new(env, self, &view);
        let starts = layout.starts(env)?;
        let chain = layout.chain(env, &starts, &vec![None; view.sums.len()], true)?;
        let mut ends = States::with_capacity(0, self.head.len(), UBig::ONE);
        for key in chain.keys() {
            if self.is_over(env, key)? {
                ends.push(key.iter().copied(), UBig::ONE);
            }
        }
        env.run(&view.after, &view.head, ends)?;
        Ok(view.sums.iter().copied().chain([layout.origin()]).collect())
    }
}

/// A value that a track shows, as an expression.
fn number_of(outcome: &Outcome) -> Expr {
    Expr::new(Kind::Var(outcome.var), outcome.span)
}

/// Where what a track shows at its end has no greatest or no least value.
pub(crate) fn open_end(
    check: &Check,
    config: &Config,
    outcome: &Outcome,
    budget: &Budget,
) -> Result<Option<OpenEnd>, Error> {
    let (known, cache) = (all_known(config), Cache::default());
    let residual = specialise(check.program(), &known, &[outcome.var], Purpose::Run);
    let Some(track) = Track::of(&residual.script).filter(|_| !outcome.first_round) else {
        return Ok(None);
    };
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    let view = EndView::new(&env.scope, &track, &residual, &[outcome.var])?;
    view.open_end(&mut env, &number_of(outcome))
}

/// The whole distribution of what a track shows, of its first round or at its end; labels are their places. With a `last`
/// value whatever lies beyond it counts as the next one.
pub(crate) fn distribution(
    check: &Check,
    config: &Config,
    outcome: &Outcome,
    last: Option<i64>,
    budget: &Budget,
) -> Result<Dist, Error> {
    let cache = Cache::default();
    let residual = specialise(
        check.program(),
        &all_known(config),
        &[outcome.var],
        Purpose::Run,
    );
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    let Some(track) = Track::of(&residual.script) else {
        let states = env.run(&residual.script, &[], States::certain(&[]))?;
        return dist_of(
            &mut env,
            &residual,
            residual.script.final_vars(&[]),
            &states,
        );
    };
    best::decide(&mut env, check, &track, &residual)?;
    if outcome.first_round {
        let (states, vars) = first_round(&mut env, &track, track.shown)?;
        return dist_of(&mut env, &residual, &vars, &states);
    }
    let view = EndView::new(&env.scope, &track, &residual, &[outcome.var])?;
    let value = view.cut_off(&mut env, number_of(outcome), last)?;
    // Any value that is picked out of a distribution has the whole of it added up.
    let query = Query::new(
        outcome.name.clone(),
        QueryKind::Statistic(Statistic::Min, value),
    );
    let (_, tally) = tally_of(check, &mut env, &track, &view, &query)?;
    tally.distribution(check, &query)
}
