//! Tracks that choose in their rounds: what is best by hand, what has no best, and what is refused.

use oddsmith_exact::{
    Budget, DecisionRow, Error, RBig, Rounds, UBig, Worth, answers, best, decisions, policy,
};
use oddsmith_rules::program::Party;
use oddsmith_rules::{Check, Known};
use oddsmith_testkit::rulesets::model_of;

/// A track `main` with this goal.
fn track(goal: &str, rules: &str) -> Check {
    let text =
        format!("name = \"Demo\"\n[tracks.main]\nmaximise = '{goal}'\nrules = '''\n{rules}\n'''\n");
    model_of(&text).track("main").expect("it is there").clone()
}

fn ask_within(track: &Check, query: &str, budget: &Budget) -> Result<String, Error> {
    let query = track.query(query, "<query>").expect("a query");
    let found = answers(track, &track.defaults(), &[query], budget)?;
    Ok(found[0]
        .to_ratio()
        .map_or("infinite".to_owned(), |ratio| ratio.to_string()))
}

fn ask(track: &Check, query: &str) -> String {
    ask_within(track, query, &Budget::unlimited()).expect("an answer")
}

fn refusal(track: &Check, query: &str) -> String {
    let refused = ask_within(track, query, &Budget::unlimited());
    refused.expect_err("it has no answer").to_string()
}

/// What is chosen, by what is known.
fn chosen(track: &Check) -> Vec<(Vec<Known>, Known)> {
    let policy = policy(track, &track.defaults(), &Budget::unlimited()).expect("a policy");
    let rows = policy.choices.into_iter().flat_map(|table| table.rows);
    rows.collect()
}

const FILLING: &str = "let filled = 0
repeat until filled == 2 {
  choose boldly in 0..=1
  set filled = min(filled + (if boldly == 1 then 2 * (1d4 > 1) else 1), 2)
}";

#[test]
fn the_example_of_the_readme() {
    let track = track("-rolls", FILLING);
    assert_eq!(ask(&track, "mean(rolls)"), "4/3");
    assert_eq!(ask(&track, "P(rolls == 2)"), "3/16");
    let number = Known::Number;
    let expected = [(vec![number(0)], number(1)), (vec![number(1)], number(0))];
    assert_eq!(chosen(&track), expected);
    let found = decisions(&track, &track.defaults(), &Budget::unlimited()).unwrap();
    // Nobody comes to 1; from 0 it is 4/3 rounds, and 2/3 fewer than carefully.
    assert_eq!((found.len(), found[0].rows.len()), (1, 1));
    let row = &found[0].rows[0];
    assert_eq!(row.probability, RBig::ONE);
    assert_eq!(row.worth, RBig::from_parts((-4).into(), 3_u8.into()));
    assert_eq!(row.lead, Some(RBig::from_parts(2.into(), 3_u8.into())));
    let rounds = Rounds::new(&track, &track.defaults(), &Budget::unlimited()).unwrap();
    assert_eq!(rounds.never(), &RBig::ZERO);
}

/// To wait is as good as to go, but nobody gets anywhere by waiting.
#[test]
fn who_waits_for_ever_does_not_arrive() {
    let rules = "let at = 0
repeat until at > 0 {
  choose go in 0..=2
  set at = if go == 0 then 0 else if go == 1 then 3 else 1d2
}
show there = at == 1";
    let sure = track("there", rules);
    assert_eq!(ask(&sure, "there"), "1/2");
    assert_eq!(ask(&sure, "mean(rolls)"), "1");
    // All are as good, so the first that leads on is taken.
    let never = track("at_end == 4", &format!("{rules} show at_end = at"));
    assert_eq!(ask(&never, "at_end == 4"), "0");
    assert_eq!(ask(&never, "mean(at_end)"), "3");
    assert_eq!(chosen(&never), [(vec![], Known::Number(1))]);
}

#[test]
fn the_first_of_equals_is_taken() {
    let rules = "let n = 3
repeat until n == 0 { choose step in 1..=2 set n = max(n - step * (1d2 == 1), 0) }";
    let track = track("n_end == 0", &format!("{rules} show n_end = n"));
    assert_eq!(ask(&track, "n_end == 0"), "1");
    assert_eq!(ask(&track, "mean(rolls)"), "6");
    assert!(
        chosen(&track)
            .iter()
            .all(|(_, option)| *option == Known::Number(1))
    );
}

/// One may always go on, and it is never certain that this is over.
const LOST: &str = "let at = 0
repeat until at == 1 {
  choose go in 0..=1
  set at = if at == 2 then 2 else match 1d4 { 1: 1, 2: 2, 3: if go == 1 then 1 else 2, else: 0 }
}
show there = at == 1";

#[test]
fn what_never_surely_ends_has_no_mean_to_strive_for() {
    let fewest = track("-rolls", LOST);
    assert!(refusal(&fewest, "mean(rolls)").contains("not certain that this track ends"));
    assert!(refusal(&fewest, "P(rolls <= 2)").contains("not certain that this track ends"));
    let likeliest = track("there", LOST);
    assert_eq!(ask(&likeliest, "there"), "2/3");
    let rounds = Rounds::new(&likeliest, &likeliest.defaults(), &Budget::unlimited()).unwrap();
    assert_eq!(rounds.never().to_string(), "1/3");
}

#[test]
fn a_way_to_choose_that_surely_ends_is_taken_if_there_is_one() {
    let rules = "let at = 0
repeat until at == 1 {
  choose risk in 0..=1
  set at = if at == 2 then 2 else if risk == 1 then (if 1d6 <= 5 then 1 else 2) else (1d6 == 6)
}
show there = at == 1";
    let track = track("-rolls", rules);
    assert_eq!(ask(&track, "mean(rolls)"), "6");
}

#[test]
fn what_can_grow_without_end_has_no_greatest() {
    let rules = "let more = 1
let paid = 0
repeat until more == 0 { choose again in 0..=1 set more = again set paid = paid + again }
show got = paid";
    let greedy = track("got", rules);
    assert!(refusal(&greedy, "mean(got)").contains("greater without end"));
    let modest = track("-got", rules);
    assert_eq!(ask(&modest, "mean(got)"), "0");
    assert_eq!(ask(&modest, "mean(rolls)"), "1");
    // Going on costs what it brings: all ways are equal, and the first one ends.
    let even = track("got - (rolls - 1)", rules);
    assert_eq!(ask(&even, "mean(rolls)"), "1");
}

/// What nobody comes to who must end may be worth what it will.
#[test]
fn what_is_given_up_for_an_end_has_no_say() {
    let rules = "let at = 0
let paid = 0
repeat until at == 1 {
  choose risk in 0..=1
  set paid = paid + (if at == 3 then 1 - risk else 0)
  set at = if at == 2 then 2 else if at == 3 then (if risk == 1 then 1 else 3) else if risk == 1 then 1 + 1d2 else 1
}
show got = paid";
    // From 0 it is risky to come to 3, where there is no end of gains: one may come to 2, where there is no end.
    assert_eq!(ask(&track("got", rules), "mean(got)"), "0");
    let safe = rules.replace("1 + 1d2", "3");
    assert!(refusal(&track("got", &safe), "mean(got)").contains("greater without end"));
}

#[test]
fn luck_is_known_that_was_rolled_before() {
    let rules = "let n = 2
repeat until n == 0 {
  let luck = 1d4
  choose use in 0..=1
  set n = max(n - (if use == 1 then luck >= 3 else 1d2 == 1), 0)
}";
    let track = track("-rolls", rules);
    // With 3 or 4 it is sure, otherwise a coin: 3 of 4, so 4/3 rounds for each.
    assert_eq!(ask(&track, "mean(rolls)"), "8/3");
    let found = decisions(&track, &track.defaults(), &Budget::unlimited()).unwrap();
    let names: Vec<&str> = found[0]
        .seen
        .iter()
        .map(|seen| seen.name.as_str())
        .collect();
    assert_eq!(names, ["luck"]);
}

/// What has led to a choice may be forgotten when it is made. Then several rounds come to one choice, and perhaps one of them
/// alone if all is done as is best.
#[test]
fn a_choice_that_several_rounds_come_to_is_worth_what_it_is() {
    let track = track(
        "won",
        "let hp   = [2: 3]
let foe  = 1
let left = 1
repeat until sum(hp) == 0 or foe == 0 {
  for h in 0..=2 {
    choose drink in 0..=left
    set left  = left - drink
    set hp[h] = hp[h] + drink * 1d3
    set foe   = if drink == 0 and hp[h] > 0 and 1d2 == 1 then 0 else foe
  }
  let at = min(index(hp, > 0), 2)
  set hp[at] = if foe > 0 then max(hp[at] - 1d3, 0) else hp[at]
}
show won = foe == 0",
    );
    let found = decisions(&track, &track.defaults(), &Budget::unlimited()).unwrap();
    assert_eq!(found.len(), 3);
    for decision in &found {
        let likely = decision.rows.iter().map(|row| &row.probability);
        assert_eq!(
            likely.fold(RBig::ZERO, |sum, likely| sum + likely),
            RBig::ONE
        );
        let mut leads = decision.rows.iter().filter_map(|row| row.lead.as_ref());
        assert!(leads.all(|lead| *lead >= RBig::ZERO));
    }
    let won = ask(&track, "P(won)");
    let is_start = |row: &&DecisionRow| row.worth.to_string() == won;
    assert!(
        found[0].rows.iter().any(|row| is_start(&row)),
        "it begins with that choice"
    );
}

/// What was chosen first is forgotten, and only one of it is come to.
#[test]
fn a_choice_is_worth_something_if_one_way_to_it_is_taken() {
    let track = track(
        "good",
        "let at = 0
repeat until at >= 2 {
  choose x in 0..=1
  choose y in 0..=1
  set at = if 1d2 == 1 then 2 + y else x
}
show good = at == 3",
    );
    let found = decisions(&track, &track.defaults(), &Budget::unlimited()).unwrap();
    let rows = found.iter().flat_map(|decision| &decision.rows);
    let chosen: Vec<(Known, RBig)> = rows
        .map(|row| (row.chosen.clone(), row.worth.clone()))
        .collect();
    let number = Known::Number;
    assert_eq!(chosen, [(number(0), RBig::ONE), (number(1), RBig::ONE)]);
}

#[test]
fn several_choices_of_a_round_and_counted_loops_beside_them() {
    let rules = "let n = 4
let spent = 0
repeat until n == 0 {
  choose pay in 0..=1
  let dice = 1 + pay
  let hits = 0
  repeat 2 { set hits = hits + (1d2 == 1) }
  choose twice in 0..=1 where twice <= hits
  set spent = spent + pay
  set n = max(n - hits * dice - twice, 0)
}
show cost = spent";
    let free = track("-rolls", rules);
    let dear = track("-cost", rules);
    assert_eq!(ask(&dear, "mean(cost)"), "0");
    let (fewest, more) = (ask(&free, "mean(rolls)"), ask(&dear, "mean(rolls)"));
    assert_ne!(fewest, more);
    // By hand: paying and taking the most, 1 hit takes 3 and 2 hits take 5; from 1, any hit is enough.
    // x(1) = 4/3, x(4) = (1 + x(1) / 2) / (3/4)
    assert_eq!(fewest, "20/9");
}

#[test]
fn the_end_may_roll_and_the_first_round_shows() {
    let rules = "let n = 0
repeat until n >= 2 { choose bold in 0..=1 show step = if bold == 1 then 1d3 - 1 else 1 set n = n + step }
let die = 1d6
show prize = if n == 3 then die + 3 else die";
    let track = track("prize", rules);
    // From 1 boldly: 1/3 to 1, 2, 3 each, so that 3 has a half; from 0 no one comes to 3 but over 1, or to 2.
    assert_eq!(ask(&track, "mean(prize)"), "5");
    assert_eq!(ask(&track, "mean(step)"), "1");
    assert_eq!(ask(&track, "P(step == 1)"), "1");
}

#[test]
fn what_is_refused_says_why() {
    let sums = track("rolls <= 5", FILLING);
    assert!(refusal(&sums, "rolls <= 5").contains("compares what grows"));
    let worth = Worth {
        of: &|_| None,
        total: UBig::ONE,
    };
    let found = best(&sums, &sums.defaults(), &worth, &Budget::unlimited());
    assert!(matches!(found, Err(Error::Unsupported(_))));
    let first = track(
        "-rolls",
        &FILLING.replace("set filled", "show one = 1d6 set filled"),
    );
    let errors = first
        .with_goal("one", "--maximise")
        .expect_err("not at the end");
    assert!(errors.to_string().contains("first round alone"));
    assert!(first.with_goal("rolls", "--maximise").is_ok());
}

#[test]
fn what_is_too_much_is_refused_before_it_is_done() {
    let wide = track("-rolls", &FILLING.replace("0..=1\n", "0..=1000000000000\n"));
    let long = FILLING
        .replace("== 2", "== 20000000")
        .replace(", 2)", ", 20000000)");
    for track in [wide, track("-rolls", &long)] {
        let budget = Budget::new(100_000_000);
        let found = ask_within(&track, "mean(rolls)", &budget);
        assert!(matches!(found, Err(Error::OverBudget { .. })), "{found:?}");
    }
    let small = track("-rolls", FILLING);
    for steps in 0..3000 {
        match ask_within(&small, "mean(rolls)", &Budget::new(steps)) {
            Ok(found) => assert_eq!(found, "4/3"),
            Err(error) => assert!(matches!(error, Error::OverBudget { .. }), "{error}"),
        }
    }
}

#[test]
fn an_opponent_may_go_on_for_ever_to_be_spared() {
    let rules = "let at = 0
repeat until at > 0 { oppose go in 0..=1 set at = go * 1d2 }
show there = at == 2";
    let track = track("there", rules);
    assert_eq!(ask(&track, "there"), "0");
    assert_eq!(chosen(&track), [(vec![], Known::Number(0))]);
    let rounds = Rounds::new(&track, &track.defaults(), &Budget::unlimited()).unwrap();
    assert_eq!(rounds.never(), &RBig::ONE);
}

/// Where it is over whatever is chosen, an opponent has nothing but the worse end.
#[test]
fn two_sides_take_turns() {
    let rules = "let mine = 1
let theirs = 1
let mover = 1
repeat until mine == 2 or theirs == 2 {
  choose bold in 0..=mover
  oppose rash in 0..=1 - mover
  let steps = if bold + rash == 1 then 2 * (1d3 == 1) else 1d2 == 1
  set mine = min(mine + mover * steps, 2)
  set theirs = min(theirs + (1 - mover) * steps, 2)
  set mover = 1 - mover
}
show won = mine == 2";
    let track = track("won", rules);
    // Who moves is there half of the time: x = 1/2 + (1 - x) / 2 = 2/3.
    let found = decisions(&track, &track.defaults(), &Budget::unlimited()).unwrap();
    let names: Vec<(Party, &str)> = found
        .iter()
        .map(|decision| (decision.party, decision.name.as_str()))
        .collect();
    assert_eq!(names, [(Party::Player, "bold"), (Party::Opponent, "rash")]);
    let fraction = |n: u8, d: u8| RBig::from_parts(n.into(), d.into());
    for (decision, worth) in found.iter().zip([fraction(2, 3), fraction(1, 3)]) {
        // Whose turn it is not has one option alone.
        let mut own = decision.rows.iter().filter(|row| row.lead.is_some());
        let level = own.next().expect("it is each side's turn");
        assert!(own.next().is_none(), "nothing but whose turn it is differs");
        assert_eq!((&level.chosen, &level.worth), (&Known::Number(0), &worth));
        // Boldly it is 1/3 + 2/3 · 1/3, which is 1/9 less for whoever moves.
        assert_eq!(level.lead, Some(fraction(1, 9)));
    }
}

/// What is striven for happens at any end; but there has to be one.
#[test]
fn what_reads_nothing_of_the_rounds_hangs_on_their_end() {
    for (goal, rules) in [
        ("out", "show out = true"),
        ("s >= 3", "show s = 3"),
        ("s <= 3", "show s = -3"),
        ("out", "show out = a == 3"),
    ] {
        let rules = format!(
            "let a = 0
repeat until a == 3 {{ choose step in 0..=1 set a = a + step }}
{rules}"
        );
        let track = track(goal, &rules);
        assert_eq!(ask(&track, "mean(rolls)"), "3", "{goal}");
        let told = decisions(&track, &track.defaults(), &Budget::unlimited()).unwrap();
        let mut told = told.iter().flat_map(|decision| &decision.rows);
        assert!(told.any(|row| row.chosen == Known::Number(1)), "{goal}");
        let played = chosen(&track);
        assert!(
            played.iter().all(|(_, option)| *option == Known::Number(1)),
            "{goal}: {played:?}"
        );
    }
}

/// A choice for the goal of a check is the same in each round that plays it; one for the goal of the track is not.
#[test]
fn what_is_striven_for_at_the_end_is_not_chosen_in_a_single_round() {
    let rules = "let a = 0
repeat until a == 2 {
  choose quick in 0..=1
  let face = 1d6
  set a = a + (if quick == 1 then face > 3 else 1)
}
show won = true";
    let sure = track("won", rules);
    // Both ways end for sure, so that the first option is as good as any.
    assert_eq!(ask(&sure, "P(won)"), "1");
    assert!(
        chosen(&sure)
            .iter()
            .all(|(_, option)| *option == Known::Number(0))
    );
    let never = track("won", &rules.replace("else 1)", "else 0)"));
    assert_eq!(ask(&never, "P(won)"), "1");
    assert!(
        chosen(&never)
            .iter()
            .all(|(_, option)| *option == Known::Number(1))
    );
}

/// What is rolled after the rounds may stand beside what grows in them.
#[test]
fn a_goal_weighs_a_die_that_is_rolled_at_the_end() {
    let rules = "let at = 0
let paid = 0
repeat until at == 2 {
  choose step in 1..=2
  set paid = paid + step * step
  set at = min(at + step, 2)
}
show late = 1d6
show cost = paid";
    for (goal, best) in [
        ("late - cost", "3/2"),
        ("(late > 3) - rolls", "-1/2"),
        ("0 * late - rolls", "-1"),
        ("late * 2 - cost - rolls", "3"),
    ] {
        assert_eq!(
            ask(&track(goal, rules), &format!("mean({goal})")),
            best,
            "{goal}"
        );
    }
}

#[test]
fn choices_of_one_name_are_numbered() {
    let rules = "let done = 0
repeat until done == 1 {
  for at in 0..=1 {
    choose again in 0..=1
    set done = max(done, again * (1d6 > 4 - at))
  }
}
show won = done == 1";
    let track = track("-rolls", rules);
    let found = decisions(&track, &track.defaults(), &Budget::unlimited()).unwrap();
    let names = found.iter().map(|own| own.numbered(&own.name));
    assert_eq!(names.collect::<Vec<_>>(), ["again", "again (2)"]);
    assert!(!found[0].is_same_choice(&found[1]));
}

#[test]
fn a_number_against_an_opponent_needs_a_sure_end() {
    let rules = "let at = 0
repeat until at >= 2 {
  choose pull in 1..=2
  oppose stay in 0..=1
  set at = if stay == 1 then at else at + pull
}";
    let endless = track("-rolls", rules);
    assert!(refusal(&endless, "mean(rolls)").contains("may go on for ever"));
    let late = track("-rolls", &rules.replace("at >= 2", "at >= 2 or rolls == 3"));
    assert_eq!(ask(&late, "mean(rolls)"), "3");
    let quick = track("rolls", &rules.replace("at >= 2", "at >= 2 or rolls == 3"));
    // The opponent hurries: by ones it takes two rounds.
    assert_eq!(ask(&quick, "mean(rolls)"), "2");
    let small = track("-rolls", &rules.replace("at >= 2", "at >= 2 or rolls == 2"));
    for steps in 0..3000 {
        match ask_within(&small, "mean(rolls)", &Budget::new(steps)) {
            Ok(found) => assert_eq!(found, "2"),
            Err(error) => assert!(matches!(error, Error::OverBudget { .. }), "{error}"),
        }
    }
}
