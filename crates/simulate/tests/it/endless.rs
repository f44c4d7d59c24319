//! Tracks that may never end.

use oddsmith_rules::Query;
use oddsmith_simulate::{MOST_ROUNDS, Tally};

use crate::support::{check_of, held, query_of, rolled, track_of};

const TRIALS: u64 = 20_000;

fn tally(script: &str, queries: &[&str]) -> Tally {
    let track = track_of(script);
    let queries: Vec<Query> = queries.iter().map(|text| query_of(&track, text)).collect();
    let tally = rolled(&track, &track.defaults(), &queries, 5, TRIALS);
    tally.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn what_never_ends_is_stopped_and_counted() {
    let script = "let stuck = 0\nlet full = 0\nrepeat until full >= 3 {\n  let die = 1d6\n  \
                  set stuck = if die == 1 and full == 0 then 1 else stuck\n  \
                  set full = if stuck == 1 then full else full + 1\n}\nshow never = stuck == 1";
    let tally = tally(script, &["P(never)", "P(rolls == 3)"]);
    // One in six is stuck from the first roll on, and all others take three.
    let stuck = held(&tally, 0);
    assert_eq!(tally.unfinished, stuck);
    assert_eq!(held(&tally, 1), TRIALS - stuck);
    assert!(
        (3_000..3_670).contains(&stuck),
        "{stuck} of 20,000 are stuck"
    );
}

#[test]
fn they_are_stopped_after_the_most_rounds() {
    let script = "let n = 0\nrepeat until n < 0 { set n = 0 }\nshow at_last = n";
    let last = format!("P(rolls == {MOST_ROUNDS})");
    let tally = tally(script, &[&last]);
    assert_eq!((tally.unfinished, held(&tally, 0)), (TRIALS, TRIALS));
}

#[test]
fn what_takes_exactly_the_most_rounds_has_ended() {
    for (rounds, unfinished) in [(MOST_ROUNDS, 0), (MOST_ROUNDS + 1, 100)] {
        let script = format!(
            "let n = 0\nrepeat until n == {rounds} {{ set n = n + 1d1 }}\nshow at_last = n"
        );
        let track = track_of(&script);
        let query = query_of(&track, "mean(rolls)");
        let tally = rolled(&track, &track.defaults(), &[query], 5, 100).expect("it rolls");
        assert_eq!(tally.unfinished, unfinished, "{rounds} rounds");
        let most = i128::from(MOST_ROUNDS) * 100;
        assert_eq!(tally.sums[0].powers[0], most, "{rounds} rounds");
    }
}

#[test]
fn what_ends_is_not_counted() {
    let script = "let n = 0\nrepeat until n >= 30 { set n = n + 1d2 - 1 }\nshow at_last = n";
    let tally = tally(script, &["P(rolls >= 60)"]);
    assert_eq!(tally.unfinished, 0);
}

/// A loop that no trial plays takes no time and leaves nothing unfinished.
#[test]
fn rerolls_of_a_branch_that_is_not_taken_are_not_unfinished() {
    let check = check_of(
        "let low = 1d6\nshow value = if low > 3 then 1d[low + 1d2]r<=4 else 0\nshow other = low",
    );
    let queries = ["P(value == 0)", "mean(value)"].map(|text| query_of(&check, text));
    let tally = rolled(&check, &check.defaults(), &queries, 5, 2_000).expect("it rolls");
    assert_eq!(tally.unfinished, 0);
}

/// Exactly computed, this is an error; rolled as well, once somebody has waited long enough.
#[test]
fn rerolls_that_no_face_ends_are_an_error() {
    let check = check_of("let low = 0 + 1d6\nshow value = sum(1d[low]r<=4)");
    let query = query_of(&check, "P(value >= 5)");
    let error = rolled(&check, &check.defaults(), &[query], 5, 2_000).expect_err("none stands");
    assert!(error.to_string().contains("rerolled for ever"), "{error}");
}
