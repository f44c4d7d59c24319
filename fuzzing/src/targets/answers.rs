//! Rulesets and expressions: loaded, answered under a small budget, and held against other ways to the same answer.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use oddsmith::simulation::Simulation;
use oddsmith::{
    Check, Config, Dice, Error, Game, IBig, NamedAnswer, OddsRequest, RBig, SimulationRequest,
    TableRequest, TrackRequest,
};
use oddsmith_exact::distribution;
use oddsmith_testkit::oracle::{Joint, joint_unless_broken};
use oddsmith_testkit::random::{AROUND, calls, maximise, table, text, trees};
use oddsmith_testkit::rulesets::LANTERN;
use proptest::prelude::Rng as _;
use proptest::strategy::{BoxedStrategy, Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;

use super::{Target, limits, rows_stand_alone, text as text_of, within, within_bytes};
use crate::seeds;

/// Whole ruleset files.
pub(super) const RULESET: Target = Target {
    name: "ruleset",
    run: ruleset,
    seeds: seeds::rulesets,
    drawn: None,
};

/// Rulesets of random scripts, which are mostly right.
pub(super) const SCRIPT: Target = Target {
    name: "script",
    run: ruleset,
    seeds: || vec![LANTERN.as_bytes().to_vec()],
    drawn: Some(script),
};

/// Dice expressions.
pub(super) const EXPRESSION: Target = Target {
    name: "expression",
    run: expression,
    seeds: seeds::expressions,
    drawn: None,
};

/// Checks with more trials are not played out.
const MOST_TRIALS: usize = 1_000;
/// Tables with more rows are not computed.
const MOST_ROWS: u64 = 300;
/// The probability of a false alarm of one simulation: there are millions of them.
const LEVEL: f64 = 1e-13;
/// The most memory of a simulation. It keeps thousands of trials at once, of pools of up to 4096 dice: that is bounded,
/// and no part of the budget.
const MOST_ROLLED: usize = 400 << 20;
/// Trials of a simulation.
const TRIALS: u64 = 500;

thread_local! {
    /// What scripts, tracks and checks that call one another are drawn from; to make these takes longer than to draw.
    static DRAWN: (BoxedStrategy<trees::Tree>, BoxedStrategy<trees::Round>, BoxedStrategy<Vec<calls::Check>>) =
        (trees::script(true).boxed(), trees::track().boxed(), calls::checks().boxed());
}

fn script(runner: &mut TestRunner) -> Vec<u8> {
    let kind = runner.rng().next_u32() % 4;
    DRAWN
        .with(|(scripts, tracks, checks)| match kind {
            0 => calls::text(&drawn(checks, runner), false),
            1 => {
                AROUND.to_owned() + &table("tracks.main", "", &text::track(&drawn(tracks, runner)))
            }
            _ => {
                let (script, goal) = text::script(&drawn(scripts, runner));
                AROUND.to_owned() + &table("checks.main", &maximise(goal.as_ref()), &script)
            }
        })
        .into_bytes()
}

fn drawn<T: std::fmt::Debug>(strategy: &BoxedStrategy<T>, runner: &mut TestRunner) -> T {
    let tree = strategy
        .new_tree(runner)
        .expect("there is always something to draw");
    tree.current()
}

fn ruleset(input: &[u8]) -> Result<(), String> {
    let game = match within("loading", 1, || Game::parse("fuzz.toml", input))? {
        Ok(game) => game,
        Err(error) => return says_why(&error),
    };
    // The last ones are those that were drawn.
    for check in game.model().checks.iter().rev().take(2) {
        one_check(&game, check)?;
    }
    for track in game.model().tracks.iter().rev().take(1) {
        let request = TrackRequest {
            track: Some(track.name.clone()),
            ..TrackRequest::default()
        };
        // The summary asks for the rolls and for each ending.
        let questions = 4 + u32::try_from(track.outcomes.len()).unwrap_or(0) * 4;
        if let Err(error) = within("a track", questions, || {
            game.track(&request, &limits()).map(drop)
        })? {
            says_why(&error)?;
        }
    }
    Ok(())
}

/// A refusal has words.
fn says_why(error: &Error) -> Result<(), String> {
    match error.to_string().is_empty() {
        true => Err("an error without words".to_owned()),
        false => Ok(()),
    }
}

fn one_check(game: &Game, check: &Check) -> Result<(), String> {
    let request = OddsRequest {
        check: Some(check.name.clone()),
        ..OddsRequest::default()
    };
    let odds = within("the odds", 1, || game.odds(&request, &limits()))?;
    let Ok(odds) = odds else {
        return Ok(());
    };
    if !is_large(&game.model().source.text) {
        is_played_out(check, &check.defaults())?;
    }
    are_probabilities(&odds.outcomes)?;
    same_in_a_table(game, check)?;
    same_by_trials(Some(check), |request| {
        game.simulate(request, &limits(), &mut ())
    })
}

fn are_probabilities(answers: &[NamedAnswer]) -> Result<(), String> {
    for named in answers.iter().filter(|named| named.kind.is_probability()) {
        let Some(ratio) = named.ratio() else { continue };
        if ratio < RBig::ZERO || ratio > RBig::ONE {
            return Err(format!("P({}) is {ratio}", named.name));
        }
    }
    Ok(())
}

/// The rows of the default sweep are the odds of their configurations.
fn same_in_a_table(game: &Game, check: &Check) -> Result<(), String> {
    let request = TableRequest {
        check: Some(check.name.clone()),
        sweeps: vec!["all".to_owned()],
        ..TableRequest::default()
    };
    let Ok(table) = game.table(&request) else {
        return Ok(());
    };
    let rows = table
        .ranges
        .iter()
        .map(|range| range.values.len() as u64)
        .product::<u64>();
    if rows > MOST_ROWS {
        return Ok(());
    }
    let Ok(rows) = within("a table", 1, || table.rows(&limits()))? else {
        return Ok(());
    };
    rows_stand_alone(&table, &rows)
}

/// The trials of a simulation come up as the odds say.
fn same_by_trials(
    check: Option<&Check>,
    simulate: impl Fn(&SimulationRequest) -> Result<Simulation, Error>,
) -> Result<(), String> {
    let request = SimulationRequest {
        check: check.map(|check| check.name.clone()),
        trials: Some(TRIALS),
        level: LEVEL,
        ..SimulationRequest::default()
    };
    // Exact odds, choices and dice have budgets of their own.
    let simulated = within_bytes("a simulation", 6, MOST_ROLLED, || simulate(&request))?;
    match simulated {
        Ok(simulation) if simulation.contrary() > 0 => Err("trials contradict the odds".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => says_why(&error),
    }
}

/// Whether there is a number in a text with so many digits that a brute force would list thousands of faces.
fn is_large(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() > 3)
}

/// All trials together have the odds of a check, where they are few.
fn is_played_out(check: &Check, config: &Config) -> Result<(), String> {
    // Numbers beyond its range end the brute force, which is for small ones.
    let play = || joint_unless_broken(check, config, MOST_TRIALS);
    let Ok(Some(played)) = catch_unwind(AssertUnwindSafe(play)) else {
        return Ok(());
    };
    match played {
        Some(joint) => same_distributions(check, config, &joint),
        None => Err("there are odds of rules that can't be carried out".to_owned()),
    }
}

fn same_distributions(check: &Check, config: &Config, joint: &Joint) -> Result<(), String> {
    for (at, outcome) in check.outcomes.iter().enumerate() {
        let Ok(found) = distribution(check, config, outcome, &limits().budget()) else {
            continue;
        };
        let mut expected: BTreeMap<i64, RBig> = BTreeMap::new();
        for (row, p) in joint {
            *expected.entry(row[at]).or_default() += p;
        }
        let share = |weight| RBig::from_parts(IBig::from(weight), found.total().clone());
        let found: BTreeMap<i64, RBig> = found
            .iter()
            .map(|(value, weight)| (value, share(weight)))
            .collect();
        if found != expected {
            return Err(format!("{}: {found:?}, not {expected:?}", outcome.name));
        }
    }
    Ok(())
}

fn expression(input: &[u8]) -> Result<(), String> {
    let text = text_of(input);
    let dice = match within("reading", 1, || Dice::parse(&text))? {
        Ok(dice) => dice,
        Err(error) => return says_why(&error),
    };
    let found = within("the distribution", 1, || dice.distribution(&limits()))?;
    if found.is_err() {
        return Ok(());
    }
    if !is_large(&text) {
        is_played_out(&dice.check, &dice.check.defaults())?;
    }
    same_by_trials(None, |request| dice.simulate(request, &limits(), &mut ()))
}
