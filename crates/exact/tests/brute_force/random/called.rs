//! Checks and tracks that play one another against what their drawn trees say.

use oddsmith_exact::{Budget, Error, RBig, answers};
use oddsmith_rules::{Check, Model, load};
use oddsmith_testkit::oracle;
use oddsmith_testkit::random::calls;
use oddsmith_testkit::random::calls::played::Player;
use proptest::prelude::*;

use super::cases;
use crate::support::{config_of, queries_of};

/// Pairs of results beyond which a case is not compared.
const MOST_RESULTS: usize = 300;

/// Trials beyond which the oracle gives up.
const MOST_TRIALS: usize = 3_000;

/// Steps that answers may take: more is too long to say.
const MOST_STEPS: u64 = 1_000_000_000;

/// # Panics
/// If the checker refuses it: all that is drawn is well formed.
fn model_of(text: &str) -> Model {
    load("calls.toml", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// What is wrong with the answers to some queries; none if it is too long to say.
fn complaint(
    check: &Check,
    settings: &str,
    expected: &[(String, RBig)],
) -> Option<Result<(), String>> {
    let texts: Vec<&str> = expected.iter().map(|(text, _)| text.as_str()).collect();
    let queries = queries_of(check, &texts);
    let config = config_of(check, settings);
    let found = match answers(check, &config, &queries, &Budget::new(MOST_STEPS)) {
        Ok(found) => found,
        Err(Error::OverBudget { .. }) => return None,
        Err(error) => return Some(Err(error.to_string())),
    };
    for ((text, expected), found) in expected.iter().zip(found) {
        if found.to_ratio().as_ref() != Some(expected) {
            let complaint = format!("{text}: {found:?}, not {expected} at {settings}");
            return Some(Err(complaint));
        }
    }
    Some(Ok(()))
}

proptest! {
    #![proptest_config(cases(400))]
    #[test]
    fn calls_are_played_with_their_axes(checks in calls::checks(), values in [-3_i64..6, -3_i64..6, -3_i64..6]) {
        let text = calls::text(&checks, false);
        let model = model_of(&text);
        let (axes, settings) = calls::settings(&checks, values);
        let odds = Player::new(&checks).play(checks.len() - 1, axes);
        prop_assume!(odds.len() <= MOST_RESULTS);
        let pair = |((s0, s1), p): ((i64, i64), RBig)| (format!("P(s0 == {s0} & s1 == {s1})"), p);
        let expected: Vec<(String, RBig)> = odds.into_iter().map(pair).collect();
        let complaint = complaint(model.check("main").expect("it is there"), &settings, &expected);
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "{text}{}", complaint.unwrap_err());
    }

    /// The oracle knows what is called by the program alone, and tracks that are played by linear equations.
    #[test]
    fn the_oracle_plays_calls_as_their_trees_say(checks in calls::checks(), values in [-3_i64..6, -3_i64..6, -3_i64..6]) {
        let text = calls::text(&checks, false);
        let model = model_of(&text);
        let check = model.check("main").expect("it is there");
        let (axes, settings) = calls::settings(&checks, values);
        let joint = oracle::joint(check, &config_of(check, &settings), MOST_TRIALS);
        prop_assume!(joint.is_some());
        let odds = Player::new(&checks).play(checks.len() - 1, axes).into_iter();
        let odds: oracle::Joint = odds.map(|((s0, s1), p)| (vec![s0, s1], p)).collect();
        prop_assert!(joint.as_ref() == Some(&odds), "{text}at {settings}: {joint:?}, not {odds:?}");
    }

    /// A round moves the track by 1 if `s0 < s1`, else by 2, until it is at 3 or more.
    #[test]
    fn tracks_play_calls_with_their_axes(checks in calls::checks(), values in [-3_i64..6, -3_i64..6, -3_i64..6]) {
        let text = calls::text(&checks, true);
        let model = model_of(&text);
        let (axes, settings) = calls::settings(&checks, values);
        let odds = Player::new(&checks).play(checks.len() - 1, axes);
        prop_assume!(odds.len() <= MOST_RESULTS);
        let one: RBig = odds.iter().filter(|((s0, s1), _)| s0 < s1).map(|(_, p)| p.clone()).fold(RBig::ZERO, |sum, p| sum + p);
        let two = RBig::ONE - &one;
        let both = one.clone() * &one;
        let expected = [
            ("P(rolls <= 2)", RBig::ONE - &both),
            ("mean(rolls)", RBig::from(2) + &both),
            ("P(end == 4)", two.clone() * &two + both * &two),
        ];
        let expected = expected.map(|(text, p)| (text.to_owned(), p));
        let complaint = complaint(model.track("main").expect("it is there"), &settings, &expected);
        prop_assume!(complaint.is_some());
        let complaint = complaint.expect("just checked");
        prop_assert!(complaint.is_ok(), "{text}{}", complaint.unwrap_err());
    }
}
