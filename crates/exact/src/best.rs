//! A check played as well as it can be, for what the values of its goal are worth.

use oddsmith_dist::{Budget, Dist, IBig, RBig};
use oddsmith_rules::program::{Statement, VarId};
use oddsmith_rules::{Check, Config, Diagnostic};

use crate::Error;
use crate::cache::Cache;
use crate::carried::carried_out;
use crate::choices::Worth;
use crate::evaluate::Env;
use crate::moments::dist_of;
use crate::policy::Decision;
use crate::requirements::charge_script;
use crate::residual::{Purpose, all_known, specialise};
use crate::states::States;
use crate::track;

/// What comes of a check whose own choices are made for what its goal is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// The values of the goal, as it is played.
    pub goal: Dist,
    /// Their mean worth: the greatest that there is.
    pub worth: RBig,
    /// The choices, as [`crate::decisions`] has them. Without choices of its own there are none.
    pub decisions: Vec<Decision>,
}

/// Plays a check for the greatest mean of what its goal is worth, in place of the goal itself; the choices of checks
/// that it plays strive for what they always do. None if every way to choose may come to something barred.
///
/// # Errors
/// As [`crate::answers`].
///
/// # Panics
/// If the check has no goal.
///
/// ```
/// use oddsmith_exact::{Budget, IBig, UBig, Worth, best};
/// use oddsmith_rules::load;
///
/// let rules = r#"
/// name = "Again?"
/// [checks.gamble]
/// maximise = "total"
/// rules = """
/// let first = 1d6
/// choose again in 0..=1
/// show total = if again == 1 then 1d6 else first
/// """
/// "#;
/// let model = load("again.toml", rules.as_bytes()).unwrap();
/// let check = model.check("gamble").unwrap();
/// // Nothing but a 6 is any good, and that is worth a half.
/// let of = |total| Some(IBig::from(i64::from(total == 6)));
/// let worth = Worth { of: &of, total: UBig::from(2_u8) };
/// let best = best(check, &check.defaults(), &worth, &Budget::unlimited()).unwrap().unwrap();
/// assert_eq!(best.worth.to_string(), "11/72");
/// ```
pub fn best(
    check: &Check,
    config: &Config,
    worth: &Worth<'_>,
    budget: &Budget,
) -> Result<Option<Best>, Error> {
    let goal = check.own_goal().expect("something is striven for");
    if check.rounds.is_some() {
        return Err(not_one_check(check));
    }
    let (dist, decisions) = play(check, config, (goal, Some(worth)), budget)?;
    let mut sum = IBig::ZERO;
    for (value, weight) in dist.iter() {
        let Some(value) = (worth.of)(value) else {
            return Ok(None);
        };
        sum += value * IBig::from(weight);
    }
    Ok(Some(Best {
        worth: RBig::from_parts(sum, dist.total() * &worth.total),
        goal: dist,
        decisions,
    }))
}

/// The best policy for what a check or a track maximises: its choices in the order in which they come, those that matter.
/// Empty if nothing is chosen in this configuration.
///
/// A track's choices are the same in every round. What is likely is then how often a choice is made in a state, of all times
/// that it is made; a state is worth what is still to come; and states from which nothing ever ends are left out.
///
/// # Errors
/// As [`crate::answers`].
pub fn decisions(check: &Check, config: &Config, budget: &Budget) -> Result<Vec<Decision>, Error> {
    match check.own_goal() {
        Some(goal) if check.rounds.is_some() => decisions_of_track(check, config, goal, budget),
        Some(goal) => Ok(play(check, config, (goal, None), budget)?.1),
        None => carried_out(check, config, budget).map(|()| Vec::new()),
    }
}

fn decisions_of_track(
    check: &Check,
    config: &Config,
    goal: VarId,
    budget: &Budget,
) -> Result<Vec<Decision>, Error> {
    carried_out(check, config, budget)?;
    charge_script(check, budget)?;
    let cache = Cache::default();
    // What reads nothing of the rounds may still hang on whether they end.
    let wanted: Vec<VarId> = [goal].into_iter().chain(check.rounds).collect();
    let residual = specialise(check.program(), &all_known(config), &wanted, Purpose::Run);
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    env.choices.visits = Some(Vec::new());
    let decided = track::decide(check, &mut env, &residual);
    decided.map_err(|error| error.in_config(check, config))?;
    Ok(env.visited(check, |_| true))
}

fn not_one_check(track: &Check) -> Error {
    let message = format!(
        "`{}` is a track: its end is weighed by its own goal alone",
        track.name
    );
    let help = "ask with `--maximise` for another goal of a track";
    let diagnostic = Diagnostic::new(&track.source, track.span, message);
    Error::Unsupported(Box::new(diagnostic.with_help(help)))
}

/// The goal's values and the choices of a check that is played for what it is worth, or for itself.
pub(crate) fn play(
    check: &Check,
    config: &Config,
    (goal, worth): (VarId, Option<&Worth<'_>>),
    budget: &Budget,
) -> Result<(Dist, Vec<Decision>), Error> {
    carried_out(check, config, budget)?;
    charge_script(check, budget)?;
    let cache = Cache::default();
    let residual = specialise(check.program(), &all_known(config), &[goal], Purpose::Run);
    let mut env = Env::new(&check.source, config, budget, &cache, &residual);
    env.choices.visits = Some(Vec::new());
    env.choices.worth = worth.map(|worth| (goal, worth));
    let mut played = || {
        let states = env.run(&residual.script, &[], States::certain(&[]))?;
        let vars = residual.script.final_vars(&[]);
        let dist = dist_of(&mut env, &residual, vars, &states)?;
        // Choices of checks that are played inside strive for the goals of those.
        let own = worth.map(|_| own_choices(check.program().statements(), goal));
        let is_wanted = |var| own.as_ref().is_none_or(|own| own.contains(&var));
        Ok((dist, env.visited(check, is_wanted)))
    };
    played().map_err(|error: Error| error.in_config(check, config))
}

/// The variables that statements choose for a goal, at any depth of loops.
fn own_choices(statements: &[Statement], goal: VarId) -> Vec<VarId> {
    let own = |statement: &Statement| match statement {
        Statement::Choose { var, goal: own, .. } if *own == goal => vec![*var],
        Statement::Repeat { body, .. } => own_choices(body, goal),
        _ => Vec::new(),
    };
    statements.iter().flat_map(own).collect()
}
