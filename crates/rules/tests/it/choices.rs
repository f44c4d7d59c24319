//! `choose`: what it may be made from, what it strives for, and the slips that are made with it.

use oddsmith_rules::program::{Expr, Kind, Options, Program, Statement};
use oddsmith_rules::{load, validate};

use crate::page::{Page, good};

/// A ruleset whose check `push` has these rules and strives for `goal`.
fn push(goal: &str, rules: &str) -> String {
    format!(
        r#"name = "Demo"
[params]
price = {{ default = 2, domain = "0..=9" }}
worth = {{ default = [0, 3], domain = "0..=9" }}
[functions]
half = "(n) => floor(n / 2)"
luck = "(n) => n + 1d6"
[checks.push]
bands = ["Miss", "Hit"]
axes.effort = {{ default = 3, domain = "0..=5" }}
axes.mood = {{ default = "calm", domain = ["calm", "wild"] }}
{goal}
rules = """
{rules}
show band = if 2d6 >= 7 then Hit else Miss
"""
"#
    )
}

/// Rules that are right.
const RULES: &str = "let roll = 2d6
choose spent in 0..=effort where spent != 1
let gap = 9 - roll
show total = roll + spent
show paid = spent";

const GOAL: &str = "maximise = \"total - price * paid\"";

/// The statements of a program at any depth, also those of the checks that it plays.
fn visit<'p>(statements: &'p [Statement], seen: &mut dyn FnMut(&'p Statement)) {
    for statement in statements {
        seen(statement);
        if let Statement::Repeat { body, .. } = statement {
            visit(body, seen);
        }
        statement.for_each_part(&mut |part| inside(part, seen));
    }
}

fn inside<'p>(expr: &'p Expr, seen: &mut dyn FnMut(&'p Statement)) {
    if let Kind::Block { statements, .. } = &expr.kind {
        visit(statements, seen);
    }
    expr.for_each_part(&mut |part| inside(part, seen));
}

/// For each choice, what it binds and what it strives for, by their names and by the places of their goals.
fn choices(program: &Program) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    visit(program.statements(), &mut |statement| {
        if let Statement::Choose { var, goal, .. } = statement {
            assert_eq!(program.variable(*goal).name(), "maximise");
            found.push((program.variable(*var).name(), goal.0));
        }
    });
    found
}

#[test]
fn a_choice_has_its_options_and_its_goal() {
    let model = good(&push(GOAL, RULES));
    assert!(validate(&model).is_ok_and(|coverage| coverage.complete));
    let check = &model.checks[0];
    let goal = check.own_goal().expect("it chooses");
    assert_eq!(choices(check.program()), [("spent", goal.0)]);
    let measure = check.goal.as_ref().expect("it is in the file");
    assert_eq!(measure.text, "total - price * paid");
    let Some(Statement::Let { var, value }) = check.program().statements().last() else {
        panic!("the goal is bound last");
    };
    assert_eq!((var, value), (&goal, &measure.value));
    let chosen = |statement: &&Statement| matches!(statement, Statement::Choose { .. });
    let choice = check.program().statements().iter().find(chosen);
    let Some(Statement::Choose {
        options: Options::Range(from, to),
        condition,
        ..
    }) = choice
    else {
        panic!("it chooses a number");
    };
    assert_eq!(from.as_constant(), Some(0));
    assert!(to.fixed && condition.is_some());
    // What is chosen is no outcome by itself.
    let names: Vec<&str> = check
        .outcomes
        .iter()
        .map(|shown| shown.name.as_str())
        .collect();
    assert_eq!(names, ["total", "paid", "band"]);
}

#[test]
fn good_choices() {
    let cases = [
        ("band == Hit", "choose a in 0..=2"),
        ("Hit", "choose a in 0..=2"),
        ("Hit and not total > 3", "choose a in 0..=2 show total = a"),
        ("worth[band] - half(total) + effort", "choose a in -2..=2 show total = a"),
        ("index(band) * 3", "choose a in 0..=(if mood == wild then effort else 0)"),
        ("mood == wild", "choose a in 0..=price"),
        ("total", "let roll = 3d6 choose kept in subsets(roll) where size(kept) >= 1 show total = sum(kept) + 1d6"),
        ("total", "choose kept in subsets({2d6, 1d8}) show total = kept"),
        // What can be chosen may depend on a roll.
        ("total", "let roll = 1d6 let low = roll - 3 choose a in low..=roll where a < roll show total = a"),
        // Several choices, one in a loop, have one goal.
        ("total", "let hand = 5d6 choose b in 0..=1 repeat 2 { choose kept in subsets(hand) set hand = {kept, (5 - size(kept))d6} }
                   show total = matches(hand) + b"),
        // What is chosen may be changed like any value.
        ("total", "choose a in 0..=3 choose kept in subsets(3d6) repeat 2 until a > 2 { set a = a + 1 set kept = {kept, 1d6} } show total = a + sum(kept)"),
        ("total", "choose a in 0..=3 let b = a show total = b"),
    ];
    for (goal, rules) in cases {
        let text = push(&format!("maximise = '{goal}'"), rules);
        let model = good(&text);
        validate(&model).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        let check = &model.checks[0];
        let goal = check.own_goal().expect("it chooses").0;
        let goals: Vec<usize> = choices(check.program())
            .iter()
            .map(|(_, goal)| *goal)
            .collect();
        assert!(goals.iter().all(|found| *found == goal), "{rules}");
        assert_eq!(goals.len(), rules.matches("choose").count());
    }
}

#[test]
fn a_check_that_is_played_has_its_own_goal() {
    let text = push(GOAL, RULES)
        + "[checks.raid]\nmaximise = \"total\"\nrules = \"\"\"
let p = push(..)
choose more in 0..=2
let twice = 2d[push(effort = more).total]
show total = p.total + more + twice
\"\"\"
[checks.plain]\nrules = \"show total = push(..).total\"
[tracks.clock]\nrules = \"let n = 0 repeat until n >= 9 { let p = push(..) set n = min(9, n + p.total) }\"\n";
    let model = good(&text);
    assert!(validate(&model).is_ok());
    let raid = model.check("raid").expect("it is a check");
    let found = choices(raid.program());
    let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["spent", "more", "spent"]);
    let own = raid.own_goal().expect("it chooses").0;
    assert_eq!(found[1].1, own);
    assert!(found[0].1 != own && found[2].1 != own && found[0].1 != found[2].1);
    let plain = model.check("plain").expect("it is a check");
    assert!(plain.goal.is_none() && plain.own_goal().is_none());
    assert_eq!(choices(plain.program()).len(), 1);
    assert_eq!(choices(model.tracks[0].program()).len(), 1);
}

#[test]
fn a_goal_can_be_given() {
    let model = good(&push(GOAL, RULES));
    let check = &model.checks[0];
    for text in [
        "Hit",
        "band == Hit or total > 9",
        "-paid",
        "total >= 9",
        " total ",
        "match total { < 2 * paid + 3: 1, else: 0 }",
    ] {
        let changed = check.with_goal(text, "--maximise");
        let changed = changed.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        let goal = changed.goal.as_ref().expect("it has one");
        assert_eq!(goal.text, text.trim());
        assert!(goal.labels.is_none());
        assert_eq!(changed.own_goal(), check.own_goal());
        let Some(Statement::Let { value, .. }) = changed.program().statements().last() else {
            panic!("the goal is bound last");
        };
        assert_eq!(*value, goal.value);
    }
    let mut page = Page::default();
    for text in [
        "",
        "band",
        "mood",
        "Hitt",
        "gap",
        "spent",
        "totl",
        "gravitas",
        "mean(total)",
        "P(Hit)",
        "variance(total)",
        "total + 1d6",
        "total / 2",
        "luck(total)",
        "Hit | total > 3",
        "3 and Hit",
        "total +",
    ] {
        let errors = check.with_goal(text, "--maximise").expect_err(text);
        page.errors(&format!("--maximise '{text}'"), 1, Err(errors));
    }
    let plain = good(&push("", "show total = 2d6"));
    let errors = plain.checks[0]
        .with_goal("total", "--maximise")
        .expect_err("no choice");
    page.errors("of a check that chooses nothing", 1, Err(errors));
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn goals() {
    let cases = [
        ("none", ""),
        ("misspelt", "maximize = \"total\""),
        ("a label", "maximise = \"band\""),
        ("a label of an axis", "maximise = \"mood\""),
        ("a list", "maximise = \"worth\""),
        ("a `let` that is not shown", "maximise = \"gap\""),
        ("what is chosen, not shown", "maximise = \"-spent\""),
        ("a name with a slip", "maximise = \"totl\""),
        ("an unknown name", "maximise = \"glory\""),
        ("an unknown label", "maximise = \"band == Hti\""),
        ("dice", "maximise = \"total + 1d6\""),
        ("dice of a function", "maximise = \"luck(total)\""),
        ("a query", "maximise = \"mean(total)\""),
        ("a chance", "maximise = \"P(Hit)\""),
        ("a given", "maximise = \"Hit | total > 3\""),
        ("a part that is a number", "maximise = \"Hit and total\""),
        ("nothing", "maximise = \"\""),
        ("half of something", "maximise = \"total -\""),
        ("a number", "maximise = 3"),
        ("a list of goals", "maximise = [\"total\"]"),
        ("escapes", "maximise = \"band == \\\"Hit\\\"\""),
    ];
    let mut page = Page::default();
    for (title, goal) in cases {
        page.file(title, &push(goal, RULES));
    }
    page.file(
        "nothing is chosen",
        &push(GOAL, "show total = 2d6 show paid = 0"),
    );
    page.file(
        "only a check that is played chooses",
        &(push(GOAL, RULES)
            + "[checks.raid]\nmaximise = \"t\"\nrules = \"show t = push(..).total\"\n"),
    );
    page.file(
        "a check that is played has none",
        &push("", RULES).replace(
            "[checks.push]",
            "[checks.raid]\nrules = \"show t = push(..).total\"\n[checks.push]",
        ),
    );
    page.errors(
        "one goal is missing, one is wrong",
        2,
        load(
            "game.toml",
            (push("", RULES)
                + "[checks.raid]\nmaximise = \"x\"\nrules = \"choose a in 0..=1 show t = a\"\n")
                .as_bytes(),
        )
        .map(|_| ()),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn options() {
    let cases = [
        ("dice as an end", "choose a in 0..=1d6"),
        ("dice of a function as an end", "choose a in 0..=luck(2)"),
        ("dice in `where`", "choose a in 0..=3 where a > 1d6"),
        ("a check in an end", "choose a in 0..=other(..).x"),
        ("a label as an end", "choose a in 0..=mood"),
        ("a pool of a number", "choose a in subsets(3)"),
        ("a pool of a list", "choose a in subsets(worth)"),
        ("`where` that is a number", "choose a in 0..=3 where a"),
        (
            "`where` of an unknown name",
            "choose a in 0..=3 where b > 1",
        ),
        ("an end that is chosen now", "choose a in 0..=a"),
        ("an end of an unknown name", "choose a in 0..=efort"),
        (
            "`subsets` in a `let`",
            "let a = subsets(3d6) choose b in 0..=1",
        ),
        (
            "`subsets` in a function's argument",
            "choose a in 0..=1 show x = highest(subsets(3d6))",
        ),
        (
            "a depth that is chosen",
            "choose a in 1..=3 show x = 2d6!(a)",
        ),
        ("an axis's name", "choose effort in 0..=3"),
        ("a value's name", "let a = 3 choose a in 0..=3"),
        ("chosen twice", "choose a in 0..=3 choose a in 0..=3"),
        ("named again", "choose a in 0..=3 let a = 4"),
        (
            "chosen in a round, named after it",
            "repeat 2 { choose a in 0..=3 } show x = a",
        ),
        ("set to a pool", "choose a in subsets(3d6) set a = 3"),
        ("chosen in a function", "let f = choose a in 0..=3"),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        let text = push("maximise = \"band == Hit\"", rules)
            + "[checks.other]\nrules = \"show x = 1d6\"\n";
        page.file(title, &text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn configurations_of_choices() {
    let cases = [
        ("an empty range", "choose a in 1..=effort"),
        ("an empty range by default", "choose a in 4..=effort"),
        ("an empty range of numbers", "choose a in 3..=1"),
        (
            "an end without a value",
            "choose a in 0..=floor(6 / effort)",
        ),
        (
            "`where` without a value",
            "choose a in 0..=3 where floor(6 / effort) > 1",
        ),
        (
            "sides in a loop with a choice",
            "repeat 2 { choose a in 0..=1 let b = d(effort) }",
        ),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        let model = good(&push("maximise = \"Hit\"", rules));
        page.errors(title, 1, validate(&model).map(|_| ()));
    }
    let model = good(&push("maximise = \"floor(total / (effort - 5))\"", RULES));
    page.errors("a goal without a value", 1, validate(&model).map(|_| ()));
    insta::assert_snapshot!(page.text);
    page.finish();
    let fine = [
        "choose a in 0..=effort",
        "choose a in 1..=max(1, effort)",
        "let r = 1d6 choose a in 7 - r..=r",
    ];
    for rules in fine {
        let coverage = validate(&good(&push("maximise = \"Hit\"", rules)));
        assert!(coverage.is_ok_and(|coverage| coverage.complete), "{rules}");
    }
}
