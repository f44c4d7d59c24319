//! Questions that cost more than the budget.

use oddsmith_exact::{Budget, Error, Sweep, answers, distribution};
use oddsmith_rules::{Check, expression, load};

use crate::support::{BUDGET, check_of, config_of, refusal};

/// Asks for the distribution of an expression: an answer or a refusal.
fn outcome_of(text: &str) -> Option<Error> {
    let check = expression(text, "<expression>").unwrap_or_else(|e| panic!("{e}"));
    answer_or_refusal(&check)
}

fn answer_or_refusal(check: &Check) -> Option<Error> {
    let outcome = check.outcomes.last().expect("something is shown");
    distribution(check, &check.defaults(), outcome, &Budget::new(BUDGET)).err()
}

/// Asserts that it is refused with a prediction.
fn refused(text: &str) {
    let error = outcome_of(text);
    let Some(Error::OverBudget {
        predicted,
        limit,
        help,
        what,
    }) = error
    else {
        panic!("{text}: {error:?}");
    };
    assert_eq!(limit, BUDGET);
    assert!(predicted > u128::from(limit), "{text}: {predicted}");
    assert!(
        !what.is_empty() && help.contains("--budget"),
        "{text}: {what}; {help}"
    );
}

#[test]
fn too_much_work_is_refused() {
    refused("100000d100000");
    refused("(1000d1000) * (1000d1000)");
    refused("matches(80d{1..=50:3, 51..=70:2})");
    refused("1000000d6 * 1000000d6");
    refused("highest(10000d10000, 5000)");
    let error = outcome_of("100000d100000").expect("it is refused");
    let message = error.to_string();
    assert!(message.starts_with("`100000d100000` needs "), "{message}");
    assert!(
        message.ends_with(" steps or more; the budget is 1.0e8"),
        "{message}"
    );
}

/// Answered or refused, but never by way of minutes or gigabytes.
#[test]
fn huge_things_end_soon() {
    for text in [
        "1d{0, 1000000000} + 1d{0, 3000000}",
        "20d{0, 1000000000} + 20d{0, 7}",
        "1000000d6 * 1000000",
        "10d{0, 1, 1000000007, 9999999967}",
        "100d{0, 1, 100000, 1000000000}",
        "d4294967295",
        "d{1..=4000000000}",
        "2d100000000",
        "1000000d2 kh 1",
        "4000000000d2",
        "matches(1000000d6)",
        "count(1000000d6, 6)",
        "wins(100d100, 100d100)",
        "wins(10d1000 kh 5, 8d1000)",
        "2d20!(1000000)",
        "10d10!(200) kh 5",
        "1d[1d[1d[100d100]]] * 100d100",
        "100d[20d20 kh 3]",
        "highest({100d6, 100d8, 100d10, 100d12}, 50)",
        "d1000000 * d1000000",
        "d100000 * d10000 + d100000 * d10000",
        "d1000 * d1000 * d1000 * d1000",
        "{50d6 kh 20, 50d8 kh 20} kh 20",
    ] {
        let error = outcome_of(text);
        let refused = matches!(
            error,
            None | Some(Error::OverBudget { .. } | Error::Rule(_))
        );
        assert!(refused, "{text}: {error:?}");
    }
}

/// Scripts that carry much from step to step.
#[test]
fn huge_scripts_end_soon() {
    for script in [
        "let p = 40d20 show a = p + highest(p) * matches(p) * nth(p, 7) * count(p, 3)",
        "let p = 30d20 let q = 30d20 show a = wins(p, q) + wins(p, p kh 3) + matches({p, q})",
        "let t = 0 repeat 1000000 { set t = t + d6 } show a = t",
        "let t = 0 let u = 0 repeat 1000 { set t = t + d100 set u = u * 3 + t } show a = u",
        "let t = 0 repeat 100000000 { set t = d6 } show a = t",
        "let t = 0 repeat 1000000000 until d6 == 7 { set t = min(t + 1, 3) } show a = t",
        "let a1 = 100d100 let a2 = 100d100 let a3 = 100d100 show a = a1 * a2 - a1 * a3 + a2",
        "let p = 10d10 repeat 5 { set p = {p kh 5, 5d10} } show a = p",
        "let s = 10d1000 show a = 50d[d6 + s]",
    ] {
        let error = answer_or_refusal(&check_of(script));
        let refused = matches!(
            error,
            None | Some(Error::OverBudget { .. } | Error::Rule(_))
        );
        assert!(refused, "{script}: {error:?}");
    }
}

#[test]
fn a_sweep_that_costs_too_much_is_refused_before_it_starts() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../rulesets/stars-and-signs.toml"
    );
    let text = std::fs::read(path).expect("the ruleset is there");
    let model = load("stars-and-signs", &text).expect("the ruleset is right");
    let check = &model.checks[0];
    let ranges = [
        "flat=all",
        "circ_boons=all",
        "skill_rank=all",
        "ability_rank=all",
    ];
    let ranges = ranges.map(|text| check.sweep(text, "sweep").unwrap());
    let (base, queries, budget) = (
        check.defaults(),
        check.own_queries(),
        Budget::new(1_000_000_000),
    );
    let error = Sweep::new(check, &base, &ranges, &queries, &budget).unwrap_err();
    let Error::OverBudget {
        predicted,
        limit,
        help,
        ..
    } = error
    else {
        panic!("{error}")
    };
    assert!(predicted > u128::from(limit));
    assert!(help.contains("`flat` alone has 20001"), "{help}");
    assert_eq!(budget.spent(), 0);
}

/// A table of tracks, none of whose rows is dear, but all of them together are.
#[test]
fn a_sweep_of_tracks_that_costs_too_much_is_refused_soon() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../rulesets/stars-and-signs.toml"
    );
    let text = std::fs::read(path).expect("the ruleset is there");
    let model = load("stars-and-signs", &text).expect("the ruleset is right");
    let track = model.track("counter").expect("it is there");
    let ranges = ["flat=-100..=100", "circ_boons=all", "slots=all"];
    let ranges = ranges.map(|text| track.sweep(text, "sweep").unwrap());
    let queries = [track.query("mean(rolls)", "query").unwrap()];
    let (base, budget) = (track.defaults(), Budget::new(100_000_000));
    let error = Sweep::new(track, &base, &ranges, &queries, &budget).unwrap_err();
    assert!(matches!(error, Error::OverBudget { .. }), "{error}");
    assert!(budget.spent() < budget.limit() / 10, "{}", budget.spent());
}

#[test]
fn rounds_that_can_not_all_be_played_are_refused_before_the_first() {
    let check = check_of("let s = 0\nrepeat 1000000000 { set s = s + d6 }\nshow v = s");
    let budget = Budget::new(10_000_000_000);
    let outcome = check.outcomes.last().expect("something is shown");
    let refused = distribution(&check, &check.defaults(), outcome, &budget);
    assert!(
        matches!(refused, Err(Error::OverBudget { predicted, .. }) if predicted >= 135_000_000_000)
    );
    assert!(
        budget.spent() < 100_000,
        "{} steps were spent",
        budget.spent()
    );
    // One round less than the budget has steps for is begun.
    let check = check_of("let s = 0\nrepeat 1000 until s > 6 { set s = s + d6 }\nshow v = s");
    let outcome = check.outcomes.last().expect("something is shown");
    let budget = Budget::new(100_000);
    assert!(distribution(&check, &check.defaults(), outcome, &budget).is_ok());
}

/// What the function makes of each of 100,000 faces has 1000 parts and more, 10^8 in all.
#[test]
fn parts_of_a_function_of_faces_are_charged() {
    fn sum(terms: usize) -> String {
        match terms {
            1 => "n".to_owned(),
            _ => format!("({} + {})", sum(terms / 2), sum(terms - terms / 2)),
        }
    }
    let text = format!(
        "name = 'G'\nfunctions.f = '(n) => {}'\n[checks.main]\nrules = 'show v = map(1d100000, f)'",
        sum(1000)
    );
    let model = load("test", text.as_bytes()).expect("the ruleset is right");
    let check = model.check("main").expect("it is there");
    let outcome = check.outcomes.last().expect("something is shown");
    let budget = Budget::new(100_000_000);
    let refused = distribution(check, &check.defaults(), outcome, &budget);
    assert!(
        matches!(refused, Err(Error::OverBudget { .. })),
        "{refused:?}"
    );
}

/// Values that later lines read one by one are told apart together: the line that makes them too many is named.
#[test]
fn too_many_combinations_name_their_line() {
    let check = check_of(
        "let a = 3d200\nlet b = 3d300\nlet c = 1d100\nshow v = if a > b then c else 0\nshow w = if b > c then a else 0",
    );
    let error = refusal(&check, "", "P(v == w)").expect("it is dear");
    let Error::OverBudget { what, help, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(what, "`b` in line 11, for each of 598 combinations of `a`,");
    let way_out = "before line 11, bind what later lines need of `a` to fewer or smaller values";
    assert!(help.starts_with(way_out), "{help}");
    let check = check_of(
        "let t = 0 let u = 0\nrepeat 1000 { set t = t + d100\nset u = u * 3 + t }\nshow a = u",
    );
    let error = refusal(&check, "", "mean(a)").expect("it is dear");
    let Error::OverBudget { what, help, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(
        what,
        "`t` in line 10, for each of 10000 combinations of `t` and `u`,"
    );
    assert!(help.contains("later lines need of `t` and `u`"), "{help}");
}

/// The odds of a track's ends cost more than its rounds: they are foreseen, and the line with the most moves is named.
#[test]
fn a_chain_that_is_too_dear_names_its_line() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/cases/questions/volley.toml"
    );
    let text = std::fs::read(path).expect("the ruleset is there");
    let model = load("volley", &text).expect("the ruleset is right");
    let duel = model.track("duel").expect("it is there");
    let config = config_of(duel, "strength=20");
    let won = [duel.query("won", "query").unwrap()];
    let unlimited = Budget::unlimited();
    answers(duel, &config, &won, &unlimited).expect("there is no limit");
    let budget = Budget::new(unlimited.spent() / 10 * 9);
    let error = answers(duel, &config, &won, &budget).unwrap_err();
    let Error::OverBudget { what, help, .. } = error else {
        panic!("{error}")
    };
    let line = "`max(0, ours - taken.damage)` in line 27, with the 9430 moves of its track between 861 states,";
    assert_eq!(what, line);
    assert!(help.contains("has 21 values: with fewer"), "{help}");
}
