//! Rules that can't be carried out: an error if and only if a trial comes to it, whatever is asked.

use oddsmith_exact::{Budget, Error as ExactError, answers, distribution};
use oddsmith_rules::Check;
use oddsmith_rules::program::InputId;
use oddsmith_simulate::{CHUNK, Error, Simulation, Tally};
use rayon::ThreadPoolBuilder;

use crate::support::{check_with, parity_of, policy_of, report, rolled};

const SEED: u64 = 3;
const TRIALS: u64 = 4_000;

/// A script whose number `zero` the checker does not know.
fn check_of(script: &str) -> Check {
    let keys = "axes.zero = { default = 0, domain = \"0..=1\" }";
    check_with("", keys, script)
}

fn found(check: &Check, outcome: usize) -> Result<Tally, Error> {
    let query = parity_of(&check.outcomes[outcome]);
    rolled(check, &check.defaults(), &[query], SEED, TRIALS)
}

/// What a script's only outcome says, and where.
fn complaint(script: &str, part: &str, place: &str) -> Option<String> {
    let check = check_of(script);
    let exact = distribution(
        &check,
        &check.defaults(),
        &check.outcomes[0],
        &Budget::unlimited(),
    );
    let exact = match exact {
        Ok(_) => return Some(format!("{script}\n  the exact engine has odds for this")),
        Err(error) => error.to_string(),
    };
    match found(&check, 0) {
        Ok(_) => Some(format!(
            "{script}\n  no error, but the exact engine says: {exact}"
        )),
        Err(Error::Rule(error)) => {
            let text = error.render(false);
            let is_right = text.contains(part) && text.contains(place) && !text.contains("{}");
            (!is_right).then(|| format!("{script}\n  {text}\n  the exact engine says: {exact}"))
        }
        Err(other) => Some(format!("{script}\n  {other}")),
    }
}

/// The part of the script that a `^` stands under.
#[test]
fn errors_that_a_trial_meets_name_their_place() {
    let list = "the list has 3 items, at 0 to 2";
    let pool = "fewer than 0 dice";
    let keep = "can't keep or drop fewer than 0 dice";
    let range = "a number leaves the range of 64 bits";
    let cases = [
        (
            "show value = [1, 2, 3][1d4 - 1]",
            list,
            "there is none at 3",
        ),
        (
            "show value = [1, 2, 3][1d4 - 2]",
            list,
            "there is none at -1",
        ),
        ("show value = [1, 2, 3][1d3 + 5]", list, "there is none at"),
        (
            "show value = [2d6, 3d6, 4][1d4 - 1]",
            list,
            "there is none at 3",
        ),
        ("show value = map(2d4, [4, 5, 6])", list, "there is none at"),
        ("show value = (1d4 - 2)d6", pool, "the count is -1 here"),
        ("show value = (0 - 1d4)d6", pool, "the count is -"),
        (
            "show value = sum(4d6 kh (1d4 - 2))",
            keep,
            "the number is -1 here",
        ),
        (
            "show value = sum(4d6 dl (0 - 1d4))",
            keep,
            "the number is -",
        ),
        (
            "let p = (1d3)d6\nshow value = sum(p kl (1d4 - 2))",
            keep,
            "the number is -1 here",
        ),
        (
            "let n = d2 * 4611686018427387904\nshow value = n - 1",
            range,
            "here",
        ),
        (
            "let n = 9223372036854775807 - d2\nshow value = n + d3",
            range,
            "here",
        ),
        (
            "let n = 0 - 9223372036854775807 - d2\nshow value = n",
            range,
            "here",
        ),
        (
            "let n = 0 - 9223372036854775805 - d3\nshow value = abs(n)",
            range,
            "here",
        ),
        (
            "let n = 0 - 9223372036854775805 - d3\nshow value = 0 - n",
            range,
            "here",
        ),
        (
            "let n = 0 - 9223372036854775805 - d3\nshow value = floor(n / -1)",
            range,
            "here",
        ),
        (
            "let n = d6 * 1000000000\nshow value = n * n * n",
            range,
            "here",
        ),
        (
            "let n = 0 + d2\nrepeat 63 { set n = n * 2 }\nshow value = n",
            range,
            "here",
        ),
        (
            "let n = 0 + d2\nrepeat 62 { set n = n * 2 }\nshow value = n",
            range,
            "here",
        ),
        (
            "let v = if d2 == 1 then floor(d6 / zero) else 1\nshow value = if v >= 2 then d6 else 1",
            "division by zero",
            "this is 0",
        ),
        (
            "let v = floor(6 / zero)\nlet n = 0\nlet m = 0\nrepeat 4 until m >= 2 { set n = n + 1\nset m = m + v }\nshow value = n",
            "division by zero",
            "this is 0",
        ),
        (
            "show value = floor(d6 / zero)",
            "division by zero",
            "this is 0",
        ),
        (
            "show value = if d6 > 3 then floor(d6 / zero) else 1",
            "division by zero",
            "this is 0",
        ),
        (
            "let x = floor(d6 / zero)\nshow value = if d6 > 3 then x else 1",
            "division by zero",
            "this is 0",
        ),
        (
            "show value = if d6 > 3 then 1d(zero) else 1",
            "a die needs at least one face",
            "this is d0",
        ),
        (
            "show value = if d6 > 3 then sum(2d{1: zero}) else 1",
            "a face of positive weight",
            "none here",
        ),
        (
            "show value = if d6 > 3 then 1d6r<(7 + zero) else 1",
            "every face is rerolled",
            "no face stands",
        ),
        (
            "show value = if d6 > 3 then 1d6!(zero - 1) else 1",
            "a depth is 0 or more",
            "this is -1",
        ),
        (
            "show value = if d6 > 3 then matches(2d6, zero) else 1",
            "sets are counted from 1",
            "this is 0",
        ),
        (
            "show value = sum(draw(5, {6: 2, 1: 2}))",
            "5 cannot be drawn from a bag of 4",
            "here",
        ),
        (
            "let n = 0\nrepeat 3 { set n = n + [1, 2, 3][1d4 - 1] }\nshow value = n",
            list,
            "there is none at 3",
        ),
        (
            "let n = 0\nrepeat 3 until n > 5 { set n = n + sum((1d4 - 2)d6) }\nshow value = n",
            pool,
            "the count is -1",
        ),
        (
            "let n = 0\nrepeat 5 until [0, 2, 1][n] == 2 { set n = n + 1d3 - 1 }\nshow value = n",
            list,
            "there is none at",
        ),
    ];
    let wrong = cases
        .iter()
        .filter_map(|(script, part, place)| complaint(script, part, place));
    report(&wrong.collect::<Vec<_>>());
}

/// What no trial comes to is no error.
#[test]
fn errors_that_no_trial_meets_are_none() {
    let scripts = [
        // Branches that are not taken.
        "let d = 0 + 1d4\nshow value = if d < 4 then [1, 2, 3][d - 1] else 9",
        "let d = 0 + 1d4\nshow value = match d { 4: 0, else: [1, 2, 3][d - 1] }",
        "let d = 0 + 1d4\nshow value = if d >= 2 and [0, 1, 2][d - 2] == 1 then 5 else 6",
        "let d = 0 + 1d4\nshow value = if d < 2 or [0, 1, 2][d - 2] == 1 then 5 else 6",
        "let d = 0 + 1d4\nshow value = [0, sum((d - 2)d6)][min(max(d - 1, 0), 1) * (if d >= 2 then 1 else 0)]",
        "let d = 0 + 1d4\nshow value = if d >= 2 then sum((d - 2)d6) else 0",
        "let d = 0 + 1d4\nshow value = sum(if d >= 2 then (d - 2)d6 else 3d4)",
        "let d = 0 + 1d4\nshow value = if d >= 2 then sum(3d6 kh (d - 2)) else 0",
        "let d = 0 + 1d4\nshow value = if d > 4 then floor(d / zero) else 0",
        "let d = 0 + 1d4\nshow value = if d < 4 then d * 2000000000000000000 else d * 1000000000000000000 * 2",
        "let d = 0 + 1d4\nshow value = count(2d6, >= (if d > 9 then [1][d] else 3))",
        "show value = map(3d3, [9, 5, 6, 7])",
        "let d = 0 + 1d4\nshow value = match d { 1: 0, 2..=4: sum((d - 2)d6) }",
        // Rounds that are not played.
        "let n = 3\nrepeat 0 { set n = floor(1 / zero) }\nshow value = n",
        "let n = 0 + d3\nrepeat 0 { set n = floor(d6 / zero) }\nshow value = n",
        "let n = 0 + d3\nrepeat 3 until n >= 1 { set n = floor(d6 / zero) }\nshow value = n",
        "let n = 0 + d3\nrepeat 9 until n >= 3 { set n = [0, 2, 3][n] }\nshow value = n",
        "let n = 0 + d3\nrepeat 62 until n >= 1000 { set n = n * 2 }\nshow value = n",
        "let n = 0 + d3\nrepeat 200 until n >= 1000 { set n = n * 3 }\nshow value = n",
        "let n = 2\nrepeat 61 { set n = n * 2 }\nshow value = n - 1 + n - d2",
        "let n = 0 + d2\nrepeat 61 { set n = n * 2 }\nshow value = n",
        "let n = d2 - 2\nrepeat 63 { set n = n * 2 }\nshow value = n",
        "let n = 9223372036854775806\nshow value = n + (d2 - 1)",
        "let n = 0 - 9223372036854775807\nshow value = n - (d2 - 1)",
        "let n = 0 - 9223372036854775806 - d2\nshow value = floor(n / 2) + ceil(n / -2)",
    ];
    let complaint = |script: &&str| {
        let check = check_of(script);
        let judged = crate::chances::judge(&check, &check.defaults(), SEED, TRIALS);
        let exact = distribution(
            &check,
            &check.defaults(),
            &check.outcomes[0],
            &Budget::unlimited(),
        );
        let complaint = match exact {
            Err(error) => Some(format!("the exact engine: {error}")),
            Ok(_) => judged.err(),
        };
        complaint.map(|complaint| format!("{script}\n  {complaint}"))
    };
    report(&scripts.iter().filter_map(complaint).collect::<Vec<_>>());
}

/// What the script says is carried out, whether anybody reads it or not: both engines refuse.
#[test]
fn errors_of_what_nobody_reads_are_errors() {
    let scripts = [
        "let d = 0 + 1d4\nlet unread = [1, 2, 3][d]\nshow value = d",
        "let d = 0 + 1d4\nlet unread = (d - 2)d6\nshow value = d",
        "let d = 0 + 1d4\nlet unread = 3d6 kh (d - 2)\nshow value = d",
        "let d = 0 + 1d4\nlet unread = d * 9000000000000000000\nshow value = d",
        "let d = 0 + 1d4\nlet unread = floor(d / zero)\nshow value = d",
        "let d = 0 + 1d4\nlet unread = 1d(zero)\nshow value = d",
        "let d = 0 + 1d4\nlet unread = [1, 2, 3][d]\nlet more = unread + 2\nshow value = d",
        "let d = 0 + 1d4\nlet n = 0\nrepeat 3 { set n = n + [1, 2, 3][d] }\nshow value = d",
        "let d = 0 + 1d4\nlet n = 0\nlet m = 1\nrepeat 3 { set n = n + [1, 2, 3][d]\nset m = m + d }\nshow value = m",
        "let d = 0 + 1d4\nlet n = floor(1 / zero)\nrepeat 3 { set n = 0 + d }\nshow value = d",
        "let d = 0 + 1d4\nlet n = 0\nlet m = 0\nrepeat 3 { set n = floor(d / zero)\nset m = m + d }\nshow value = m",
        "let d = 0 + 1d4\nlet unread = 0 * (d + 9223372036854775807)\nshow value = d",
        "let d = 0 + 1d4\nlet unread = [1, 2, 3][d] == 99 and 1 == 2\nshow value = d",
        "let d = 0 + 1d4\nlet unread = 1 == 1 and floor(d / zero) == 1\nshow value = d",
        "let d = 0 + 1d4\nlet unread = d == 9 or [1, 2, 3][d] == 2\nshow value = d",
        "show value = 0 * (1d6 + 9223372036854775807)",
        "show value = [1, 2, 3][1d6] == 99 and 1 == 2",
        "let far = d4 * 3000000000000000000\nshow value = if d4 < 4 then 0 else 0 * far",
    ];
    let complaint = |script: &&str| {
        let check = check_of(script);
        let exact = distribution(
            &check,
            &check.defaults(),
            &check.outcomes[0],
            &Budget::unlimited(),
        );
        let exact = exact.is_ok().then_some("the exact engine has odds");
        let rolled = found(&check, 0).is_ok().then_some("no trial fails");
        Some(format!("{script}\n  {}", exact.or(rolled)?))
    };
    report(&scripts.iter().filter_map(complaint).collect::<Vec<_>>());
}

/// What stands right of `and` or `or` is left out where the left side decides, and dice that are not rolled need no faces.
#[test]
fn what_is_left_out_is_no_error() {
    let scripts = [
        "let d = 0 + 1d4\nlet unread = 1 == 2 and [1, 2, 3][d] == 99\nshow value = d",
        "let d = 0 + 1d4\nlet unread = d < 9 or floor(d / zero) == 1\nshow value = d",
        "let d = 0 + 1d4\nlet unread = if d > 4 then floor(d / zero) else 0\nshow value = d",
        "let d = 0 + 1d4\nlet unread = 0d(zero)\nshow value = d",
        "show value = sum(0d(zero)) + (zero)d(zero)",
        "let d = 1d2 - 1\nshow value = if d == 0 then sum((d)d(zero)) else 3",
        "let d = 1d2 - 1\nshow value = sum((zero * d)d(zero)) + d",
    ];
    let complaint = |script: &&str| {
        let check = check_of(script);
        let judged = crate::chances::judge(&check, &check.defaults(), SEED, TRIALS);
        Some(format!("{script}\n  {}", judged.err()?))
    };
    report(&scripts.iter().filter_map(complaint).collect::<Vec<_>>());
}

/// Of two outcomes, one without odds: who asks for the other meets the same error.
#[test]
fn an_outcome_s_error_is_everybody_s() {
    let scripts = [
        "show good = 1d6 + 0\nshow bad = [1, 2][1d3 - 1]",
        "show good = 1d6 + 0\nshow bad = (1d3 - 2)d4",
        "show good = 1d6 + 0\nshow bad = sum(3d4 kh (1d3 - 2))",
        "show good = 1d6 + 0\nshow bad = if good > 3 then floor(good / zero) else 0",
        "show good = 1d6 + 0\nshow bad = good * 9000000000000000000",
        "show good = 1d6 + 0\nshow bad = [2d6, 1d4][1d3 - 1]",
        "show good = 1d6 + 0\nshow bad = map((2)d4, [4, 5, 6])",
        "show good = 1d6 + 0\nshow bad = match good { 1..=5: 1, else: [5][good] }",
        "let n = 0\nlet m = 0\nrepeat 3 { set n = n + [1, 2][1d3 - 1]\nset m = m + d4 }\nshow good = m\nshow bad = n",
    ];
    let complaint = |script: &&str| {
        let check = check_of(script);
        let bad = found(&check, 1)
            .is_ok()
            .then(|| "no error for `bad`".to_owned());
        let good = found(&check, 0)
            .is_ok()
            .then(|| "no error for `good`".to_owned());
        Some(format!("{script}\n  {}", bad.or(good)?))
    };
    report(&scripts.iter().filter_map(complaint).collect::<Vec<_>>());
}

/// What stands after `|` is asked first: where it does not hold, the rest is not needed.
#[test]
fn a_question_s_condition_comes_first() {
    let check = check_of("let d = 0 + 1d4\nshow small = d < 4\nshow value = [1, 2, 3, 4][d - 1]");
    let ask = |text: &str| {
        let query = check
            .query(text, "query")
            .unwrap_or_else(|errors| panic!("{errors}"));
        rolled(&check, &check.defaults(), &[query], SEED, TRIALS)
    };
    let tally = ask("mean(if small then value else 1000 | small)").expect("nothing fails");
    assert!(tally.sums[0].trials < TRIALS && tally.sums[0].trials > TRIALS / 2);
    let never = ask("mean(value | value > 4)").expect("nothing fails");
    assert_eq!((never.sums[0].trials, never.sums[0].powers[0]), (0, 0));
}

#[test]
fn a_configuration_that_is_not_legal_is_refused() {
    let keys = "require = [\"low < high\"]\naxes.low = { default = 1, domain = \"0..=9\" }\n\
                axes.high = { default = 2, domain = \"0..=9\" }";
    let check = check_with("", keys, "show value = low + high d6");
    let mut config = check.defaults();
    let query = parity_of(&check.outcomes[0]);
    let queries = [query];
    assert!(rolled(&check, &config, &queries, SEED, 10).is_ok());
    config.put(InputId(0), 5);
    let refused = rolled(&check, &config, &queries, SEED, 10);
    assert!(
        matches!(refused, Err(Error::Requirement { .. })),
        "{refused:?}"
    );
}

/// Counts of dice within counts of dice are looked at once each.
#[test]
fn counts_within_counts_take_no_time() {
    let count = (0..60).fold("1d2".to_owned(), |count, _| {
        format!("(clamp({count}, 0, 2))d2")
    });
    let check = check_of(&format!("show value = sum({count})"));
    assert!(found(&check, 0).is_ok());
}

/// What fails in a question is told at the question, as the exact engine tells it.
#[test]
fn questions_that_can_not_be_worked_out() {
    let check = check_of("show value = 2d6");
    for text in [
        "mean(value * 9000000000000000000)",
        "P(floor(12 / (value - 3)) > 2)",
        "mean([1, 2][value])",
    ] {
        let query = check.query(text, "query").expect("it is a question");
        let exact = answers(
            &check,
            &check.defaults(),
            std::slice::from_ref(&query),
            &Budget::unlimited(),
        );
        let rolled = rolled(&check, &check.defaults(), &[query], SEED, TRIALS);
        let (Err(ExactError::Rule(exact)), Err(Error::Rule(rolled))) = (exact, rolled) else {
            panic!("{text} has an answer");
        };
        assert_eq!((&exact.message, exact.span), (&rolled.message, rolled.span));
        assert_eq!(
            (exact.source.text.as_str(), rolled.source.text.as_str()),
            (text, text)
        );
    }
}

/// Rare errors of several kinds, which different chunks meet: the first chunk's counts.
#[test]
fn any_number_of_threads_meets_the_same_error() {
    let check = check_of(
        "let d = 0 + 1d200000\nshow value = if d == 1 then [1][d] else if d == 2 then sum((0 - d)d6) else d",
    );
    let query = parity_of(&check.outcomes[0]);
    let policy = policy_of(&check, &check.defaults()).expect("there is nothing to choose");
    let made = Simulation::new(&check, &check.defaults(), &[query], &policy);
    let simulation = made.expect("nothing is wrong before the first trial");
    for seed in 0..5 {
        let on = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("threads can be started");
            pool.install(|| simulation.run(seed, 0..10 * CHUNK))
        };
        let one = on(1);
        assert!(one.is_err(), "no error with the seed {seed}");
        for threads in [2, 3, 7] {
            assert_eq!(on(threads), one, "on {threads} threads");
        }
    }
}
