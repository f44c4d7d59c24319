//! Contests: two configurations against each other.

use oddsmith_rules::program::{Expr, Kind, Statement, VarId};
use oddsmith_rules::{Check, ContestError, OutcomeKind, QueryKind, Role, Ties, load, validate};

use crate::page::{Page, good};

/// Two checks that compare numbers, one that compares bands, one that compares nothing, and a track.
const TEXT: &str = r#"name = "Demo"
require = ["cap > 0"]
[params]
cap = { default = 3, domain = "0..=9" }
bonus = { default = [0, 1, 2], domain = "0..=9" }
[functions]
capped = "(n) => min(n, cap)"
[checks.strike]
bands = ["Miss", "Hit"]
axes.skill = { default = 2, domain = "0..=5", sweep = "all", help = "of who strikes" }
axes.mood = { default = "calm", domain = ["calm", "wild"] }
require = ["skill < 5 or mood == calm"]
contest = "total"
rules = """
let roll = 2d6
show total = roll + capped(skill) + bonus[index(mood)]
show Lucky = roll == 12
show feeling = mood
show band = if total >= 9 then Hit else Miss
"""
[checks.guard]
axes.armour = { default = 4, domain = "0..=9" }
axes.skill = { default = 1, domain = "0..=3" }
contest = "block > 3"
ties = "defender"
rules = "show block = armour + 1d4 - skill"
[checks.mettle]
bands = ["Miss", "Hit"]
contest = "band"
rules = "show band = if 1d6 > 3 then Hit else Miss"
[checks.idle]
rules = "show n = 1d6"
[tracks.clock]
rules = "let n = 0 repeat until n == 3 { set n = n + 1 }"
"#;

fn rendered(error: &oddsmith_rules::Diagnostic) -> String {
    error.render(false)
}

fn against(a: &str, b: &str, ties: Ties) -> Check {
    let model = good(TEXT);
    assert!(validate(&model).is_ok());
    let check = |name| model.check(name).expect("it is there");
    check(a)
        .against(check(b), ties)
        .expect("they can be compared")
}

fn names(check: &Check) -> Vec<&str> {
    check
        .inputs
        .iter()
        .map(|input| input.name.as_str())
        .collect()
}

/// Every variable that an expression reads or binds.
fn variables(expr: &Expr, found: &mut Vec<VarId>) {
    if let Kind::Var(var) = expr.kind {
        found.push(var);
    }
    if let Kind::Block { statements, .. } = &expr.kind {
        statements
            .iter()
            .for_each(|statement| bound(statement, found));
    }
    expr.for_each_part(&mut |part| variables(part, found));
}

fn bound(statement: &Statement, found: &mut Vec<VarId>) {
    match statement {
        Statement::Let { var, .. } | Statement::Set { var, .. } => found.push(*var),
        Statement::Choose { var, goal, .. } => found.extend([*var, *goal]),
        Statement::Repeat { body, .. } => body.iter().for_each(|inner| bound(inner, found)),
    }
    statement.for_each_part(&mut |part| variables(part, found));
}

#[test]
fn a_contest_has_the_inputs_of_both_sides() {
    let contest = against("strike", "strike", Ties::Reroll);
    assert_eq!(contest.name, "strike");
    assert_eq!(
        names(&contest),
        [
            "a.cap",
            "a.bonus[0]",
            "a.bonus[1]",
            "a.bonus[2]",
            "b.cap",
            "b.bonus[0]",
            "b.bonus[1]",
            "b.bonus[2]",
            "a.skill",
            "a.mood",
            "b.skill",
            "b.mood",
        ]
    );
    let roles: Vec<Role> = contest.inputs.iter().map(|input| input.role).collect();
    assert_eq!(roles[..8], [Role::Parameter; 8]);
    assert_eq!(roles[8..], [Role::Axis; 4]);
    assert_eq!(contest.requires.len(), 4);
    assert_eq!(contest.default_sweep().len(), 2);
    assert_eq!(
        contest.describe(&contest.defaults()),
        "the default configuration"
    );
}

#[test]
fn a_contest_of_two_checks_has_what_each_of_them_has() {
    let model = good(TEXT);
    let check = |name| model.check(name).expect("it is there");
    let contest = against("strike", "guard", check("guard").ties);
    assert_eq!(contest.name, "strike v guard");
    assert_eq!(contest.ties, Ties::Defender);
    let expected = [
        "a.cap",
        "a.bonus[0]",
        "a.bonus[1]",
        "a.bonus[2]",
        "b.cap",
        "b.bonus[0]",
        "b.bonus[1]",
        "b.bonus[2]",
        "a.skill",
        "a.mood",
        "b.armour",
        "b.skill",
    ];
    assert_eq!(names(&contest), expected);
    let shown: Vec<&str> = contest
        .outcomes
        .iter()
        .map(|shown| shown.name.as_str())
        .collect();
    assert_eq!(
        shown,
        [
            "band",
            "decided",
            "a_wins",
            "b_wins",
            "rounds",
            "a.total",
            "a.Lucky",
            "a.feeling",
            "a.band",
            "b.block"
        ]
    );
}

#[test]
fn what_is_shown_is_of_the_first_round_but_for_the_winner() {
    for (_, ties) in Ties::ALL {
        let contest = against("strike", "strike", ties);
        let (band, labels) = contest.band().expect("it has bands");
        assert_eq!(labels.labels(), ["B", "tie", "A"]);
        assert!(band.first_round);
        for outcome in &contest.outcomes {
            let is_final = ["a_wins", "b_wins", "rounds"].contains(&outcome.name.as_str());
            assert_eq!(outcome.first_round, !is_final, "{}", outcome.name);
        }
        let side_band = contest.outcomes.iter().find(|shown| shown.name == "a.band");
        assert!(matches!(
            side_band.expect("it is shown").kind,
            OutcomeKind::Label(_)
        ));
        let rounds = contest.outcomes.iter().find(|shown| shown.name == "rounds");
        assert_eq!(contest.rounds, rounds.map(|rounds| rounds.var));
        assert!(contest.contest.is_none() && contest.goal.is_none());
        let own: Vec<String> = contest
            .own_queries()
            .into_iter()
            .map(|query| query.text)
            .collect();
        assert_eq!(
            own,
            [
                "B", "tie", "A", "decided", "a_wins", "b_wins", "a.Lucky", "b.Lucky"
            ]
        );
    }
}

#[test]
fn the_sides_share_no_variable() {
    let contest = against("strike", "guard", Ties::Reroll);
    let endless = contest
        .program()
        .statements()
        .iter()
        .find_map(|statement| match statement {
            Statement::Repeat {
                count: None,
                until: Some(_),
                body,
                ..
            } => Some(body),
            _ => None,
        });
    let body = endless.expect("a contest goes on until it is decided");
    let model = good(TEXT);
    let (a, b) = (model.checks[0].program(), model.checks[1].program());
    let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
    let (first, rest) = body.split_at(a.statements().len());
    first
        .iter()
        .for_each(|statement| bound(statement, &mut of_a));
    // What A compares stands between the two.
    let of_side_b = &rest[1..=b.statements().len()];
    of_side_b
        .iter()
        .for_each(|statement| bound(statement, &mut of_b));
    assert!(of_a.iter().all(|var| var.0 < a.variables().len()));
    let place = |var: &VarId| contest.program().variable(*var).name().to_owned();
    assert!(
        of_b.iter().all(|var| var.0 > a.variables().len()),
        "{:?}",
        of_b.iter().map(place).collect::<Vec<_>>()
    );
}

#[test]
fn a_name_without_a_side_sets_both() {
    let contest = against("strike", "strike", Ties::Reroll);
    let described = |assignments: &[&str]| {
        let mut config = contest.defaults();
        for assignment in assignments {
            contest
                .set(&mut config, assignment, "--set")
                .unwrap_or_else(|error| panic!("{}", error.render(false)));
        }
        contest.describe(&config)
    };
    assert_eq!(described(&["skill=4"]), "a.skill=4 b.skill=4");
    assert_eq!(described(&["a.skill=4"]), "a.skill=4");
    assert_eq!(described(&["skill=4", "b.skill=2"]), "a.skill=4");
    assert_eq!(described(&["mood=wild", "a.mood=calm"]), "b.mood=wild");
    assert_eq!(described(&[" b.cap = 1"]), "b.cap=1");
    assert_eq!(described(&["bonus[1]=7"]), "a.bonus[1]=7 b.bonus[1]=7");
    assert_eq!(
        described(&["bonus=[0,1,5]", "b.bonus=[1,1,5]", "a.bonus[0]=9"]),
        "a.bonus[0]=9 a.bonus[2]=5 b.bonus[0]=1 b.bonus[2]=5"
    );
    let two = against("strike", "guard", Ties::Reroll);
    let mut config = two.defaults();
    for assignment in ["armour=1", "mood=wild", "skill=3"] {
        two.set(&mut config, assignment, "--set").expect(assignment);
    }
    assert_eq!(
        two.describe(&config),
        "a.skill=3 a.mood=wild b.armour=1 b.skill=3"
    );
}

#[test]
fn sweeps_run_over_one_side() {
    let contest = against("strike", "strike", Ties::Reroll);
    let two = against("strike", "guard", Ties::Reroll);
    let swept = |check: &Check, sweep: &str| {
        let range = check.sweep(sweep, "--sweep");
        let range = range.unwrap_or_else(|error| panic!("{}", error.render(false)));
        (check.inputs[range.input.0].name.clone(), range.values)
    };
    assert_eq!(
        swept(&contest, "a.skill=0,2"),
        ("a.skill".to_owned(), vec![0, 2])
    );
    assert_eq!(
        swept(&contest, "b.mood=all"),
        ("b.mood".to_owned(), vec![0, 1])
    );
    assert_eq!(
        swept(&contest, "b.bonus[0]=1..=2"),
        ("b.bonus[0]".to_owned(), vec![1, 2])
    );
    assert_eq!(swept(&two, "armour=3"), ("b.armour".to_owned(), vec![3]));
}

#[test]
fn settings_of_contests() {
    let contest = against("strike", "strike", Ties::Reroll);
    let two = against("strike", "guard", Ties::Reroll);
    let mut page = Page::default();
    for text in [
        "skil=3",
        "a.skil=3",
        "c.skill=3",
        "gravitas=3",
        "b.gravitas=3",
        "a.skill=9",
        "skill=9",
        "mood=wld",
        "a=3",
        "a.=3",
        "bonus=[1,2]",
        "a.bonus=[1,2]",
        "bonus=3",
        "bonus[7]=1",
        "a.bonus[7]=1",
        "skill",
        "total=3",
        "skill=1,mood=wild",
    ] {
        let error = contest
            .set(&mut contest.defaults(), text, "--set")
            .expect_err(text);
        page.add(&format!("--set '{text}'"), &rendered(&error));
    }
    let mut config = two.defaults();
    let error = two
        .set(&mut config, "skill=5", "--set")
        .expect_err("too much for B");
    assert_eq!(config, two.defaults(), "it is set on both sides or on none");
    page.add(
        "--set 'skill=5', where one side can't have it",
        &rendered(&error),
    );
    for text in [
        "skill=all",
        "skil=all",
        "bonus=1",
        "a.bonus=1",
        "bonus[0]=1,2",
        "a.skill=0..=9",
    ] {
        let error = contest.sweep(text, "--sweep").expect_err(text);
        page.add(&format!("--sweep '{text}'"), &rendered(&error));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn queries_of_contests() {
    let contest = against("strike", "strike", Ties::Reroll);
    let band = contest.band().expect("it has bands").0.var;
    for (text, place) in [("B", 0), ("tie", 1), ("A", 2), (" A ", 2)] {
        let query = contest.query(text, "--query").expect(text);
        let QueryKind::Probability(event) = query.kind else {
            panic!("{text} is an event");
        };
        let Kind::Binary(_, left, right) = event.into_kind() else {
            panic!("{text} is a comparison");
        };
        assert_eq!(
            (left.into_kind(), right.as_constant()),
            (Kind::Var(band), Some(place))
        );
    }
    let good_ones = [
        "A|decided",
        "A | decided",
        "P(a.total > b.total & tie)",
        "P(a.band == Hit | b.band == Hit)",
        "mean(a.total - b.total | A)",
        "mean(rounds)",
        "variance(rounds)",
        "P(rounds <= 3 & a_wins)",
        "a_wins",
        "a.Lucky & not b.Lucky",
        "band == A or tie",
        "a.feeling == wild",
        "a.skill > b.skill",
        "P(a.total > a.cap & b.mood == calm)",
        "mean(match a.total { < b.total + 3: 1, else: 0 })",
    ];
    for text in good_ones {
        let query = contest.query(text, "--query");
        let query = query.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        assert_eq!(query.text, text);
        assert_eq!(query.given.is_some(), text.contains('|'), "{text}");
    }
    let mut page = Page::default();
    for text in [
        "C",
        "total > 3",
        "a.totl > 3",
        "skill > 3",
        "a",
        "a > b",
        "a.total",
        "b.band",
        "a.band == Hti",
        "mean(a)",
        "mean(band)",
        "a.roll > 3",
        "roll > 3",
        "winner == A",
        "c.total > 3",
        "a.total == b.band",
        "A & rounds",
        "over",
    ] {
        let errors = contest.query(text, "--query").expect_err(text);
        page.errors(&format!("--query '{text}'"), 1, Err(errors));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn what_can_not_be_compared() {
    let model = good(TEXT);
    let check = |name| model.check(name).expect("it is there");
    let error = |a: &Check, b: &Check| {
        a.against(b, Ties::Reroll)
            .expect_err("no contest")
            .to_string()
    };
    let (strike, idle, mettle) = (check("strike"), check("idle"), check("mettle"));
    let clock = model.track("clock").expect("it is there");
    let feeling = strike.with_contest("feeling", "--by").expect("a label");
    let mut page = Page::default();
    page.add("B compares nothing", &error(strike, idle));
    page.add("A compares nothing", &error(idle, strike));
    page.add("a number and a label", &error(strike, mettle));
    page.add("labels of two lists", &error(&feeling, mettle));
    page.add("a track", &error(clock, strike));
    page.add("against a track", &error(strike, clock));
    insta::assert_snapshot!(page.text);
    assert_eq!(
        idle.against(strike, Ties::Both).expect_err("no contest"),
        ContestError::Nothing {
            check: "idle".to_owned()
        }
    );
    // Labels of the same list, and a number beside a condition, compare.
    assert!(
        mettle
            .against(
                &strike.with_contest("band", "--by").expect("a label"),
                Ties::Both
            )
            .is_ok()
    );
    assert!(strike.against(check("guard"), Ties::Both).is_ok());
}

#[test]
fn what_is_compared_can_be_given() {
    let model = good(TEXT);
    let check = model.check("strike").expect("it is there");
    for (text, is_label) in [
        ("total + 2 * Lucky", false),
        ("band", true),
        ("feeling", true),
        ("Hit", false),
        ("band == Hit", false),
        ("-skill", false),
        (" bonus[1] ", false),
    ] {
        let changed = check.with_contest(text, "--by");
        let changed = changed.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        let measure = changed.contest.as_ref().expect("it has one");
        assert_eq!(
            (measure.text.as_str(), measure.labels.is_some()),
            (text.trim(), is_label)
        );
        assert!(changed.against(&changed, Ties::Reroll).is_ok());
    }
    let mut page = Page::default();
    for text in [
        "",
        "roll",
        "totl",
        "gravitas",
        "total + 1d6",
        "mean(total)",
        "bonus",
        "Hit | Miss",
        "total +",
    ] {
        let errors = check.with_contest(text, "--by").expect_err(text);
        page.errors(&format!("--by '{text}'"), 1, Err(errors));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn what_a_measure_binds_is_the_checks() {
    let measure = "match total { < 3 * Lucky + 4: 1, else: 0 }";
    let model = good(TEXT);
    let given = model.checks[0].with_contest(measure, "--by");
    let given = given.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    let text = TEXT.replacen("\"total\"", &format!("\"{measure}\""), 1);
    for check in [&given, &good(&text).checks[0]] {
        let mut found = Vec::new();
        variables(
            &check.contest.as_ref().expect("it has one").value,
            &mut found,
        );
        assert!(found.len() > 2, "the end of the first arm is a variable");
        let contest = check.against(check, Ties::Reroll).expect("numbers");
        for statement in contest.program().statements() {
            bound(statement, &mut found);
        }
        assert!(
            found
                .iter()
                .all(|var| var.0 < contest.program().variables().len())
        );
    }
}

#[test]
fn contests_in_files() {
    let but = |old: &str, new: &str| {
        assert!(TEXT.contains(old), "{old}");
        TEXT.replacen(old, new, 1)
    };
    let contest = |new: &str| but("contest = \"total\"", new);
    let cases = [
        ("a `let` that is not shown", contest("contest = \"roll\"")),
        ("a name with a slip", contest("contest = \"totl\"")),
        ("an unknown name", contest("contest = \"glory\"")),
        ("what another check shows", contest("contest = \"block\"")),
        ("dice", contest("contest = \"total + 1d6\"")),
        ("a list", contest("contest = \"bonus\"")),
        ("a query", contest("contest = \"mean(total)\"")),
        (
            "labels of two lists",
            contest("contest = \"band == feeling\""),
        ),
        ("nothing", contest("contest = \"\"")),
        ("a number", contest("contest = 3")),
        ("misspelt", contest("contests = \"total\"")),
        ("an unknown rule for ties", but("\"defender\"", "\"none\"")),
        (
            "a slip in a rule for ties",
            but("\"defender\"", "\"defnder\""),
        ),
        (
            "a rule for ties that is a list",
            but("\"defender\"", "[\"both\"]"),
        ),
    ];
    let mut page = Page::default();
    for (title, text) in cases {
        page.file(title, &text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
    for (name, ties) in Ties::ALL {
        let model = good(&but("\"defender\"", &format!("\"{name}\"")));
        assert_eq!(model.checks[1].ties, ties);
        assert_eq!(model.checks[0].ties, Ties::Reroll);
    }
    let fine = [
        "contest = \"band\"",
        "contest = \"Hit\"",
        "contest = \"if Lucky then 99 else total - cap\"",
        "",
        "contest = \"skill\"\nties = \"both\"",
    ];
    for line in fine {
        assert!(
            load("game.toml", contest(line).as_bytes()).is_ok(),
            "{line}"
        );
    }
}
