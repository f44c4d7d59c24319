//! Which of several changes moved a table: it is computed again with accepted values of parameters.

use oddsmith_analysis::drift::Drift;
use oddsmith_rules::{Check, Config};

use super::cause::{Cause, Place};
use super::causes::{Changed, Own};
use super::ledger::Outcome;
use crate::Error;
use crate::baseline::Manifest;

/// Of so many parameters each is tried alone; of more it is only told that all of them together have a part in it.
const MOST: usize = 8;

/// What moved a table.
#[derive(Debug)]
pub(super) struct Blame {
    /// Parameters without whose change the odds would be others.
    pub(super) parameters: Vec<Cause>,
    /// Whether something is left that only the rules, or the program, can have done.
    pub(super) rules: Share,
}

/// Whether the rules, as opposed to the parameters, have a part in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    None,
    Some,
    /// It can't be told: with the accepted parameters the rules of today can't be carried out.
    Perhaps,
}

/// Computes the table once more with all parameters as they were accepted, and then with each of them. `run` computes it
/// for a configuration; `outcome` is what it is now.
pub(super) fn blame(
    check: &Check,
    outcome: &Outcome,
    changed: &[Changed],
    own: &[Own],
    run: impl Fn(&Config) -> Result<Outcome, Error>,
) -> Blame {
    let share = |drift: &Drift| match needs_rules(drift, own) {
        true => Share::Some,
        false => Share::None,
    };
    let all = || {
        changed
            .iter()
            .map(|changed| changed.cause.clone())
            .collect()
    };
    if changed.is_empty() {
        return Blame {
            parameters: Vec::new(),
            rules: share(&outcome.drift),
        };
    }
    let with = |accepted: &[Changed]| run(&config(check, accepted)?).ok();
    let Some(before) = with(changed) else {
        return Blame {
            parameters: all(),
            rules: Share::Perhaps,
        };
    };
    if before.digest == outcome.digest {
        return Blame {
            parameters: Vec::new(),
            rules: share(&outcome.drift),
        };
    }
    let tried = if changed.len() > MOST { &[] } else { changed };
    let has_part = |one: &&Changed| {
        with(std::slice::from_ref(*one)).is_none_or(|without| without.digest != outcome.digest)
    };
    let parts = tried.iter().filter(has_part);
    let parts: Vec<Cause> = parts.map(|one| one.cause.clone()).collect();
    Blame {
        parameters: if parts.is_empty() { all() } else { parts },
        rules: share(&before.drift),
    }
}

/// What is said of what the rules, or the program, did to a table.
pub(super) fn of_rules(old: &Manifest, new: &Manifest, check: &Check, blame: &Blame) -> Cause {
    let engine = format!("oddsmith {} -> {}", old.engine, new.engine);
    let text = match (old.rules != new.rules, old.engine != new.engine) {
        (true, true) => format!("the rules changed, and {engine}"),
        (true, false) => "the rules changed".to_owned(),
        (false, true) => engine,
        (false, false) => {
            "neither the ruleset nor the version of oddsmith changed, but what it computes".into()
        }
    };
    let text = match blame.rules {
        Share::Perhaps => {
            "perhaps more than parameters: with their accepted values this can't be computed".into()
        }
        _ if blame.parameters.is_empty() => text,
        _ => format!("and {text}"),
    };
    let place = match old.lines.edited(&new.lines) {
        Some(line) => Place { line, column: 1 },
        None => Place::of(&check.source, check.span),
    };
    Cause { text, place }
}

/// Whether a table moved in a way that what changed about itself does not explain.
fn needs_rules(drift: &Drift, own: &[Own]) -> bool {
    let moves = drift.moved_answers() > 0 || drift.within_tolerance() > 0;
    let falls_otherwise = drift.moved_elsewhere().is_some() && own.is_empty();
    let adds = drift.new_configurations().is_some() || drift.gone_configurations().is_some();
    falls_otherwise
        || moves && !own.iter().any(|own| own.moves_answers)
        || adds && !own.iter().any(|own| own.is_of_axes)
}

/// The defaults, but for parameters as they were accepted; none if one of these values is legal no more.
fn config(check: &Check, accepted: &[Changed]) -> Option<Config> {
    let mut config = check.defaults();
    for changed in accepted {
        let input = check.input(&changed.name)?;
        config.put(input, changed.before.value(&check.inputs[input.0].domain)?);
    }
    Some(config)
}
