//! Checks that are played for what their goals are worth, not for the goals themselves.

use std::collections::BTreeMap;

use oddsmith_exact::{Best, Budget, IBig, RBig, UBig, Worth, best};
use oddsmith_rules::{Check, Config};

use oddsmith_testkit::oracle::Game;

/// What a value is worth, in sevenths; none if it is barred.
type Sevenths = fn(i64) -> Option<i64>;

/// Up and down and up again, so that what is best is not what it is by itself.
const WORTHS: [Sevenths; 3] = [
    |value| Some((value * value + 3 * value).rem_euclid(11) - 4),
    |value| (value.rem_euclid(3) != 1).then_some(value),
    |value| (value > 1).then_some(-value),
];

/// Far below everything that a small script can be worth.
const BARRED: i64 = -1_000_000_000_000_000;

/// Compares a check that is played for what its goal is worth with the brute force, in several ways. None if that
/// takes more trials than allowed.
///
/// # Errors
/// What is wrong, in words.
pub(crate) fn agree(check: &Check, config: &Config, trials: usize) -> Option<Result<(), String>> {
    if check.own_goal().is_none() {
        return Some(Ok(()));
    }
    let all: Option<Vec<Result<(), String>>> = WORTHS
        .iter()
        .map(|worth| agrees(check, config, *worth, trials))
        .collect();
    Some(all?.into_iter().collect())
}

fn agrees(
    check: &Check,
    config: &Config,
    worth: Sevenths,
    trials: usize,
) -> Option<Result<(), String>> {
    let of = |value| worth(value).map(IBig::from);
    let sevenths = Worth {
        of: &of,
        total: UBig::from(7_u8),
    };
    let found = match best(check, config, &sevenths, &Budget::unlimited()) {
        Ok(found) => found,
        Err(error) => return Some(Err(format!("not played: {error}"))),
    };
    let ratio = |value: i64| RBig::from_parts(value.into(), 7_u8.into());
    let with_bars = |value| ratio(worth(value).unwrap_or(BARRED));
    // What is barred, if it happens at all, outweighs everything else.
    let bar = ratio(BARRED / 1_000_000);
    let played = Game::new(check, config, trials).with_worth(&with_bars);
    let played = played.with_bar(bar.clone()).joint(None)?;
    let most = played.worth.expect("it has a goal");
    let is_barred = most < bar;
    Some(match found {
        None if is_barred => Ok(()),
        Some(best) if !is_barred => same(&best, &most, &played.goals),
        found => Err(format!("{found:?}, worth {most}")),
    })
}

fn same(best: &Best, worth: &RBig, goals: &BTreeMap<i64, RBig>) -> Result<(), String> {
    let found: BTreeMap<i64, RBig> = best
        .goal
        .support()
        .map(|value| (value, best.goal.pmf(value)))
        .collect();
    if (&best.worth, &found) == (worth, goals) {
        return Ok(());
    }
    Err(format!(
        "worth {} with {found:?}, not {worth} with {goals:?}",
        best.worth
    ))
}
