//! Tracks that may never end.

use oddsmith_rules::program::Expr;
use oddsmith_rules::{Policy, Query, QueryKind, Span};
use oddsmith_simulate::{Error, Estimate, MOST_ROUNDS, Simulation, Tally};

use crate::support::{check_of, held, model_of, query_of, rolled, track_of};

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
    // One in six is stuck from the first roll on, and all others take three; nothing shows at an end that is not reached.
    let stuck = tally.unfinished;
    assert_eq!((held(&tally, 0), held(&tally, 1)), (0, TRIALS - stuck));
    assert!(
        (3_000..3_670).contains(&stuck),
        "{stuck} of 20,000 are stuck"
    );
}

#[test]
fn they_are_stopped_after_the_most_rounds() {
    let script = "let n = 0\nrepeat until n < 0 { set n = 0 }\nshow at_last = n";
    let texts = [
        format!("P(rolls == {MOST_ROUNDS})"),
        format!("P(rolls > {MOST_ROUNDS})"),
        "P(at_last == 0)".to_owned(),
        "mean(at_last)".to_owned(),
    ];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let tally = tally(script, &texts);
    let counts = [0, 1, 2].map(|at| held(&tally, at));
    // They have more rounds than that, and nothing at an end happens to them.
    assert_eq!((tally.unfinished, counts), (TRIALS, [0, TRIALS, 0]));
    let mean = &tally.sums[3];
    assert_eq!((mean.trials, mean.unfinished), (0, TRIALS));
    assert_eq!(
        Estimate::of(&QueryKind::Mean(Expr::constant(0, Span::default())), mean),
        None
    );
}

/// One in six finds it, one in six never will.
const SHOT: &str = "let found = 0\nrepeat until found == 1 {\n  show die = 1d6\n  \
    set found = if found == 2 then 2 else match die { 6: 1, 1: 2, else: 0 }\n}\n\
    let item = [5, 7][found]\nshow hit = found == 1\nshow got = item";

#[test]
fn nothing_at_the_end_happens_to_what_does_not_end() {
    let queries = [
        "P(hit)",
        "P(not hit)",
        "P(die == 1)",
        "P(die == 1 & rolls > 3)",
        "P(hit | die == 1)",
        "P(hit | rolls > 1)",
        "mean(got | hit)",
        "mean(die)",
        "mean(got)",
    ];
    let tally = tally(SHOT, &queries);
    let shares: Vec<(u64, u64)> = tally
        .sums
        .iter()
        .map(|sums| (sums.trials, sums.unfinished))
        .collect();
    let (stuck, one) = (tally.unfinished, held(&tally, 2));
    assert_eq!(held(&tally, 0), TRIALS - stuck);
    assert_eq!(
        (held(&tally, 1), held(&tally, 3), held(&tally, 4)),
        (0, one, 0)
    );
    assert_eq!(shares[4], (one, 0));
    // What found is 2 for has no item there, and nobody asks for it.
    assert_eq!((shares[6], shares[7]), ((TRIALS - stuck, 0), (TRIALS, 0)));
    assert_eq!(shares[8], (TRIALS - stuck, stuck));
    assert!(
        (9_600..10_400).contains(&stuck),
        "{stuck} of 20,000 are stuck"
    );
}

/// What plays a track reads its end: a trial in which that is not come to has nothing to go on with.
#[test]
fn a_track_that_is_played_has_to_end() {
    let rules = "name = \"Test\"\n[tracks.six]\nrules = \"let n = 0 repeat until n == 6 { set n = 1d6 } show last = n\"\n\
                 [checks.main]\nrules = \"show double = 2 * six().last\"\n";
    let model = model_of(rules);
    let check = model.check("main").expect("it is there");
    let query = query_of(check, "P(double == 12)");
    let run = |rounds| {
        let (config, policy) = (check.defaults(), Policy::default());
        let queries = std::slice::from_ref(&query);
        let simulation = Simulation::stopped_after(rounds, check, &config, queries, &policy);
        simulation.and_then(|simulation| simulation.run(5, 0..TRIALS))
    };
    let tally = run(1_000).expect("it ends, but for one trial in 10 to the 75");
    assert_eq!((held(&tally, 0), tally.unfinished), (TRIALS, 0));
    let Err(Error::Rule(error)) = run(5) else {
        panic!("it is not over after five rounds")
    };
    let message = "`six` is played, and in a trial it had not ended after 5 rounds";
    assert_eq!(error.message, message);
    let help = error.help.as_deref().unwrap_or_default();
    assert!(help.contains("`--rounds 1e6`"), "{help}");
}

#[test]
fn the_number_of_rounds_can_be_set() {
    let track = track_of(SHOT);
    let queries = ["P(rolls <= 2)", "P(hit)"].map(|text| query_of(&track, text));
    let config = track.defaults();
    let policy = Policy::default();
    let run = |rounds| {
        let simulation = Simulation::stopped_after(rounds, &track, &config, &queries, &policy);
        simulation
            .and_then(|simulation| simulation.run(5, 0..TRIALS))
            .expect("it rolls")
    };
    let (short, long) = (run(2), run(300));
    assert_eq!(held(&short, 0), held(&short, 1));
    assert_eq!(short.unfinished, TRIALS - held(&short, 1));
    assert!(long.unfinished < short.unfinished);
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
        let sums = &tally.sums[0];
        let ended = 100 - unfinished;
        assert_eq!(
            (sums.trials, sums.unfinished),
            (ended, unfinished),
            "{rounds} rounds"
        );
        let all = i128::from(MOST_ROUNDS) * i128::from(ended);
        assert_eq!(sums.powers[0], all, "{rounds} rounds");
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
