//! A track, round by round, is what a loop of so many rounds is.

use oddsmith_exact::{Answer, Budget, RBig, Rounds, answers};
use oddsmith_rules::load;

/// What a state begins with, when it is over, and what a round does.
const TRACKS: [(&str, &str, &str); 15] = [
    // Dice that do not depend on the state, taken out of sums, limits and comparisons.
    ("let a = 0", "a == 6", "set a = min(a + 1d4, 6)"),
    (
        "let a = 9",
        "a == 0",
        "set a = max(a - highest(2d4) + 1, 0)",
    ),
    (
        "let a = 0",
        "a == 3",
        "set a = if 1d6 > a + 2 then a + 1 else a",
    ),
    (
        "let a = 1",
        "a == 0",
        "set a = match 1d6 + a { <= 4: 0, <= 6: 1, else: 2 }",
    ),
    // Dice that do.
    ("let a = 3", "a == 0", "set a = count((a)d6, <= 4)"),
    (
        "let a = 5",
        "a == 0",
        "set a = max(if a > 2 then a - 1d4 else a - 1d2, 0)",
    ),
    ("let a = 0", "a >= 5", "set a = a + 1d3 + 1d2"),
    // Ends of many classes.
    ("let a = 0", "a >= 40", "set a = a + 1d40"),
    // Several variables, one after the other.
    (
        "let a = 5\nlet b = 5",
        "a == 0 or b == 0",
        "set a = max(a - 1d4, 0)\nset b = if a > 0 then max(b - 1d6, 0) else b",
    ),
    (
        "let a = 6\nlet b = 2",
        "a == 0",
        "let hit = 1d6 >= 3\nlet d = if b > 0 then 1d2 else 1d6\nset a = if hit then max(a - d, 0) else a\nset b = if hit and b > 0 then b - 1 else b",
    ),
    // What is set before it is read, and what is read only later.
    (
        "let a = 0\nlet b = 0",
        "a >= 4",
        "set b = 1d3\nlet c = b * 2\nset a = a + (if c > 3 then 1 else 0) + (if b == 3 then 1 else 0)",
    ),
    (
        "let a = 0\nlet b = 1",
        "a >= 5",
        "let c = b + a\nset a = a + b\nset b = if 1d6 > c then 2 else 1",
    ),
    // Dice that are set anew before anything reads them.
    (
        "let a = 0",
        "a >= 4",
        "let d = sum(1d3)\nset d = if a > 1 then 2 else 1\nset a = a + d",
    ),
    // Dice that meet the state through two numbers of a few values, and what they come to, which meets it again.
    (
        "let a = 0\nlet b = 0",
        "a >= 6",
        "let low = if a < 3 then 1 else 0\nlet hurt = min(b, 1)\nlet roll = 1d4 + low - hurt\nlet band = if roll > 3 then 2 else if roll > hurt then 1 else 0\n\
         set a = a + band\nlet pain = if band == 0 then 1d2 else 0\nset b = min(b + pain, 3)",
    ),
    // A loop within a round, which passes `a` on.
    (
        "let a = 4",
        "a == 0",
        "let n = 0\nrepeat 2 until n > 2 { set n = n + 1d2 }\nset a = max(a - n, 0)",
    ),
];

/// More rounds are not looked at.
const MOST: usize = 5;

#[test]
fn rounds_are_those_of_a_loop_that_counts() {
    for (before, until, body) in TRACKS {
        let text = format!(
            "name = \"Rounds\"\n[checks.loop]\nrules = \"\"\"\n{before}\nlet played = 0\nrepeat {MOST} until {until} {{\n{body}\nset played = played + 1\n}}\nshow over = if {until} then played else -1\n\"\"\"\n\
             [tracks.track]\nrules = \"\"\"\n{before}\nrepeat until {until} {{\n{body}\n}}\nshow last = a\n\"\"\"\n"
        );
        let model = load("rounds.toml", text.as_bytes())
            .unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
        let (check, track) = (model.check("loop").unwrap(), model.track("track").unwrap());
        let budget = Budget::unlimited();
        let rounds = Rounds::new(track, &track.defaults(), &budget).unwrap();
        let lengths = rounds.lengths(MOST, &budget).unwrap();
        for n in 0..=MOST {
            let query = check.query(&format!("P(over == {n})"), "query").unwrap();
            let expected = &answers(check, &check.defaults(), &[query], &budget).unwrap()[0];
            let weight = lengths.weights.get(n).cloned().unwrap_or_default();
            let found = RBig::from_parts(weight.into(), lengths.total.clone());
            assert_eq!(Some(found), expected.to_ratio(), "{n} rounds of {body}");
            let query = track.query(&format!("P(rolls == {n})"), "query").unwrap();
            let asked = &answers(track, &track.defaults(), &[query], &budget).unwrap()[0];
            assert_eq!(
                asked.to_ratio(),
                expected.to_ratio(),
                "{n} rounds of {body}"
            );
        }
    }
}

/// Rounds that a state counts, up to [`COUNTED`], are those that queries count.
#[test]
fn rounds_and_ends_are_those_of_a_state_that_counts() {
    const COUNTED: u32 = 40;
    for (before, until, body) in TRACKS {
        let text = format!(
            "name = \"Rounds\"\n[tracks.track]\nrules = \"\"\"\n{before}\nlet round = 0\nrepeat until {until} {{\n{body}\nset round = min(round + 1, {COUNTED})\n}}\n\
             show last = a\nshow high = a > 3\nshow luck = 1d2 + (if a > 3 then 1 else 0)\nshow counted = round\n\"\"\"\n"
        );
        let model = load("rounds.toml", text.as_bytes());
        let model = model.unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
        let track = &model.tracks[0];
        let query = |text: &str| track.query(text, "query").expect(text);
        let asked = |text: &str| {
            let asked = [query(text)];
            let found = answers(track, &track.defaults(), &asked, &Budget::unlimited());
            found.ok().map(|found| found[0].to_ratio())
        };
        let (mut together, mut known) = (Vec::new(), Vec::new());
        for question in [
            "P(high & R <= 2)",
            "P(high or R == 3)",
            "P(high | R > 1)",
            "P(R < 5 | high)",
            "P(last == 0 & R == 4)",
            "mean(last | R <= 3)",
            "variance(last | R >= 2)",
            "mean(min(R, 6) | high)",
            "mean(last * (if R > 2 then 1 else -1))",
            "max(last | R <= 2)",
            "mode(min(R, 7) | last <= 5)",
            "median(R | high)",
            "quantile(R, 0.9 | last <= 3)",
            "quantile(-R, 0.1 | last <= 3)",
            "quantile(2 * R + 1, 0.6 | R <= 4 & last < 5)",
            "min(R | high)",
            "P(luck == 2 & R <= 3)",
            "quantile(R, 0.8 | luck != 2)",
            "quantile(R, 0.8 | high & R > 1)",
        ] {
            let found = asked(&question.replace('R', "rolls"));
            let expected = asked(&question.replace('R', "counted"));
            assert_eq!(found, expected, "{question} of {body}");
            if let Some(found) = found {
                together.push(query(&question.replace('R', "rolls")));
                known.push(found);
            }
        }
        assert!(known.len() >= 9, "{} answers of {body}", known.len());
        let found = answers(track, &track.defaults(), &together, &Budget::unlimited());
        let found = found.unwrap_or_else(|error| panic!("{body}: {error}"));
        let found: Vec<_> = found.iter().map(Answer::to_ratio).collect();
        assert_eq!(found, known, "all at once of {body}");
    }
}

/// The number of rounds given who won is told by a pass over the moves for each round; with the rounds in the states this is far
/// above the budget.
#[test]
fn how_long_a_long_fight_takes_given_who_won() {
    let rules = r#"
name = "Fight"
[tracks.duel]
bands = ["ours", "theirs"]
rules = """
let a = 60
let b = 80
repeat until a == 0 or b == 0 {
  set b = if 1d20 > 10 then max(b - 1d8, 0) else b
  set a = if b > 0 and 1d20 > 8 then max(a - 1d6, 0) else a
}
show band = if a > 0 then ours else theirs
"""
"#;
    let model = load("fight.toml", rules.as_bytes()).expect("it is a ruleset");
    let track = &model.tracks[0];
    let asked = |text: &str| {
        let query = track.query(text, "query").expect(text);
        let found = answers(
            track,
            &track.defaults(),
            &[query],
            &Budget::new(3_000_000_000),
        );
        let found = found.unwrap_or_else(|error| panic!("{text}: {error}"));
        found[0].to_ratio().expect("an answer")
    };
    let ours = asked("ours");
    for (share, text) in [
        (RBig::from(9) / RBig::from(10), "0.9"),
        (RBig::ONE / RBig::from(2), "0.5"),
    ] {
        let most = asked(&format!("quantile(rolls, {text} | ours)"));
        let by_then = asked(&format!("P(ours & rolls <= {most})"));
        let before = asked(&format!("P(ours & rolls < {most})"));
        assert!(
            by_then >= &share * &ours && before < &share * &ours,
            "{text}: {most}"
        );
    }
}

#[test]
fn no_number_of_rounds_is_the_most_where_there_may_be_no_end() {
    let rules = "name = \"Stuck\"\n[tracks.track]\nrules = \"\"\"\nlet s = 0\nrepeat until s == 1 {\n  \
                 set s = if s == 2 then 2 else match 1d6 { 6: 1, 1: 2, else: 0 }\n}\nshow over = s\n\"\"\"\n";
    let model = load("stuck.toml", rules.as_bytes()).expect("it is a ruleset");
    let track = &model.tracks[0];
    for (text, is_infinite) in [
        ("max(rolls)", true),
        ("quantile(rolls, 1)", true),
        ("quantile(rolls, 0.49)", false),
        ("quantile(rolls, 0.51)", true),
    ] {
        let query = track.query(text, "query").expect(text);
        let found = answers(track, &track.defaults(), &[query], &Budget::unlimited());
        let found = found.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(found[0].is_infinite(), is_infinite, "{text}");
    }
}

/// A pool that a fold reads beside others is read jointly: as a whole it has far too many rolls.
#[test]
fn folds_beside_other_readings_take_few_steps() {
    for made in [
        "map(p, twice)",
        "fold f, n of p with k = 0 { set k = max(k, n) }",
    ] {
        let rules = format!(
            "name = \"Many\"\nfunctions.twice = \"(x) => x + x\"\n[checks.main]\nrules = \"\"\"\nlet p = 100d6\nshow b = highest(p)\nshow a = {made}\n\"\"\"\n"
        );
        let model = load("many.toml", rules.as_bytes()).expect("it is a ruleset");
        let check = &model.checks[0];
        let query = check
            .query("P(a >= 10 & b == 6)", "query")
            .expect("a query");
        let found = answers(
            check,
            &check.defaults(),
            &[query],
            &Budget::new(1_000_000_000),
        );
        found.unwrap_or_else(|error| panic!("{made}: {error}"));
    }
}

/// Values that one configuration leaves alone, which others change; and a track that is over before it begins.
const LEFT_ALONE: &str = r#"
name = "Left alone"
[tracks.track]
axes.k = { default = 0, domain = "0..=3" }
rules = """
let v = 0
let h = 1
let list = [1, 1]
let flat = 7
repeat until v == 1 or k == 3 {
  show first = flat
  set h       = if k == 1 then 0 else h
  set list[min(k, 1)] = 0
  set v       = 1d2 - 1
}
show a = max(h, 0)
show b = max(list[1], 0)
show c = max(min(v, 1), 0)
"""
"#;

#[test]
fn what_no_round_changes_is_a_number_like_any_other() {
    let rules = LEFT_ALONE;
    let model = load("alone.toml", rules.as_bytes()).expect("the rules are right");
    let track = &model.tracks[0];
    let asked = |k: i64, text: &str| {
        let mut config = track.defaults();
        config.put(track.input("k").expect("it is there"), k);
        let query = track.query(text, "<query>").expect(text);
        let found = answers(track, &config, &[query], &Budget::unlimited())?;
        Ok::<_, oddsmith_exact::Error>(found[0].to_ratio().expect("an answer").to_string())
    };
    for (k, text, expected) in [
        (0, "mean(a)", "1"),
        (1, "mean(a)", "0"),
        (0, "mean(b)", "1"),
        (1, "max(b)", "0"),
        (0, "max(c) after 2", "1"),
        (0, "min(c | c == 1) after 1", "1"),
        (0, "mode(c) after 2", "1"),
        (0, "P(first == 7)", "1"),
        // There is no round.
        (3, "max(rolls)", "0"),
        (3, "median(rolls - c)", "0"),
        (3, "quantile(rolls, 1)", "0"),
    ] {
        let found = asked(k, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(found, expected, "k={k} {text}");
    }
    for text in ["P(first == 7)", "mean(first)"] {
        let error = asked(3, text).expect_err("no round shows anything");
        assert!(
            error.to_string().contains("the first round shows nothing"),
            "{text}: {error}"
        );
    }
}

/// A running sum that counts for nothing changes no answer, wherever it stands: each question beside the one without it.
#[test]
fn sums_that_count_for_nothing_change_nothing() {
    let rules = r#"
name = "Fees"
[params]
fee = { default = 0, domain = "0..=3" }
[tracks.errand]
rules = """
let done = 0
let paid = 0
repeat until done == 1 {
  set paid = paid + 1d2
  set done = 1d2 - 1
}
show cost = paid + fee * rolls
show spent = paid
show debt = 0 * paid - rolls
show over = done
show rich = paid + rolls - rolls >= 3 and done == 1
"""
"#;
    let model = load("test.toml", rules.as_bytes()).expect("it is a ruleset");
    let track = model.track("errand").expect("it is there");
    for (with, without) in [
        ("P(cost <= 3)", "P(spent <= 3)"),
        ("P(cost >= 2 & over == 1)", "P(spent >= 2)"),
        ("mean(over | cost >= 2)", "mean(over | spent >= 2)"),
        ("median(cost)", "median(spent)"),
        ("quantile(cost, 0.99)", "quantile(spent, 0.99)"),
        ("P(spent + rolls - rolls >= 2 | over >= 0)", "P(spent >= 2)"),
        ("P(0 * spent + rolls >= 2)", "P(rolls >= 2)"),
        ("P(spent >= 2 + 0 * rolls)", "P(spent >= 2)"),
        ("min(spent + rolls - rolls)", "min(spent)"),
        ("P(debt <= -2)", "P(rolls >= 2)"),
        ("rich", "P(spent >= 3)"),
        ("P(rich | debt >= -3)", "P(spent >= 3 | rolls <= 3)"),
    ] {
        let queries = [with, without].map(|text| track.query(text, "query").expect(text));
        let found = answers(track, &track.defaults(), &queries, &Budget::unlimited());
        let found = found.unwrap_or_else(|error| panic!("{with}: {error}"));
        let [with_it, without_it] = &found[..] else {
            panic!("two answers")
        };
        assert_eq!(with_it.to_ratio(), without_it.to_ratio(), "{with}");
    }
}
