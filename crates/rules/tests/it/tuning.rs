//! What may change and what for: as texts, and as a file's `[tune]`.

use oddsmith_rules::{Aim, Bounds, Goal, Model, Number, load_goals};

use crate::page::{Page, good};

const GAME: &str = r#"
name = "Game"
[params]
cap    = { default = 2, domain = "0..=5" }
wide   = { default = 2, domain = "0..=500" }
ladder = { default = [4, 6, 8], domain = "0..=20" }
mode   = { default = "sum", domain = ["sum", "best"] }
[checks.check]
bands = ["Miss", "Hit"]
axes.rank  = { default = 1, domain = "0..=2" }
axes.light = { default = "dim", domain = ["dim", "bright"] }
rules = '''
show total = (2 + cap)d(ladder[rank]) + (if mode == sum then wide else 0) + index(light)
show band  = if total >= 9 then Hit else Miss
'''
[tracks.clock]
inherit = ["check"]
axes.slots = { default = 2, domain = "1..=9" }
rules = '''
let filled = 0
repeat until filled == slots { set filled = min(filled + index(check(..).band), slots) }
'''
[tune]
vary = ["cap=3,1", "ladder=[4,6,8],[4,8,12]"]
[[tune.goals]]
intent  = "Half."
query   = "Hit"
set     = ["rank=2", "light=bright"]
between = [0.45, "55 %"]
[[tune.goals]]
intent = "Short."
check  = "clock"
query  = "mean(rolls)"
near   = 4
weight = "1/2"
[[tune.keep]]
intent = "As it was."
query  = ["Miss", "mean(total)"]
within = 0.01
"#;

fn number(text: &str) -> Number {
    Number::parse(text).expect(text)
}

fn options(model: &Model, text: &str) -> Vec<Vec<i64>> {
    let dial = model.checks[0].dial(text, "--vary");
    dial.unwrap_or_else(|error| panic!("{}", error.render(false)))
        .options
}

fn goal(model: &Model, text: &str) -> Goal {
    let goal = model.goal(&model.checks[0], text, "--goal");
    goal.unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

#[test]
fn dials_are_parameters_elements_and_lists() {
    let model = good(GAME);
    assert_eq!(options(&model, "cap=3..=5"), [[3], [4], [5]]);
    assert_eq!(options(&model, "cap"), [[0], [1], [2], [3], [4], [5]]);
    assert_eq!(options(&model, "mode=best,sum"), [[1], [0]]);
    assert_eq!(options(&model, "ladder[1]=8,10"), [[8], [10]]);
    assert_eq!(
        options(&model, " ladder = [4, 6, 8] , [2,3,4]"),
        [[4, 6, 8], [2, 3, 4]]
    );
    let check = &model.checks[0];
    let dial = check
        .dial("ladder=[4,6,8],[2,3,4]", "--vary")
        .expect("it is right");
    assert_eq!(dial.show(check, 1), "[2,3,4]");
    assert_eq!(dial.inputs.len(), 3);
}

#[test]
fn goals_say_what_they_are_about() {
    let model = good(GAME);
    let within = |low: Option<&str>, high: Option<&str>| {
        Aim::Within(Bounds {
            at_least: low.map(number),
            at_most: high.map(number),
        })
    };
    let hit = goal(
        &model,
        "P(total >= 9) @ rank=2, light=bright in [ 0.5, 60 % ]",
    );
    assert_eq!(hit.aim, within(Some("1/2"), Some("3/5")));
    assert_eq!(hit.query.text, "P(total >= 9)");
    assert_eq!(model.checks[0].describe(&hit.config), "rank=2 light=bright");
    assert_eq!(hit.set.len(), 2);
    assert_eq!(
        goal(&model, "Hit at least 30 %").aim,
        within(Some("0.3"), None)
    );
    assert_eq!(
        goal(&model, "Hit@rank=0 at most 1/3").aim,
        within(None, Some("1/3"))
    );
    let wish = goal(&model, "clock: mean(rolls) @ slots=3 ~ 4.5 weight 2");
    let (near, weight) = (number("9/2"), number("2"));
    assert_eq!(
        wish.aim,
        Aim::Near {
            number: near,
            weight
        }
    );
    assert_eq!(wish.check, "clock");
    let kept = model.keep(&model.checks[0], "Hit @ rank=2 within 1 %", "--keep");
    assert_eq!(kept.expect("it is right").aim, Aim::Keep(number("0.01")));
}

#[test]
fn a_file_says_the_same() {
    let model = good(GAME);
    let tuning = model.tuning.as_ref().expect("it has [tune]");
    let names: Vec<&str> = tuning.dials.iter().map(|dial| dial.name.as_str()).collect();
    assert_eq!(names, ["cap", "ladder"]);
    let said = [
        "Hit @ rank=2 light=bright in [0.45, 0.55]",
        "clock: mean(rolls) ~ 4 weight 0.5",
    ];
    for (found, text) in tuning.goals.iter().zip(said) {
        let said = goal(&model, text);
        assert_eq!((&found.aim, &found.check), (&said.aim, &said.check));
        assert_eq!((&found.config, &found.set), (&said.config, &said.set));
        assert_eq!(found.query.text, said.query.text);
    }
    assert_eq!(tuning.goals[0].intent, "Half.");
    assert_eq!(tuning.goals.len(), 4, "a goal for each that is kept");
    assert_eq!(tuning.goals[3].aim, Aim::Keep(number("1/100")));
    // The same from a file of its own.
    let at = GAME.find("[tune]").expect("it is there");
    let alone = load_goals(&model, "goals.toml", &GAME.as_bytes()[at..]).expect("it is right");
    assert_eq!(format!("{:?}", alone.dials), format!("{:?}", tuning.dials));
    assert_eq!(alone.goals.len(), 4);
}

/// A `[tune]` with one slip.
fn slip(page: &mut Page, title: &str, from: &str, to: &str) {
    let text = GAME.replacen(from, to, 1);
    assert_ne!(text, GAME, "{title}");
    page.file(title, &text);
}

#[test]
fn slips_have_their_places() {
    let mut page = Page::default();
    slip(
        &mut page,
        "no values",
        "vary = [\"cap=3,1\", ",
        "vary = [\"wide\", ",
    );
    slip(&mut page, "an axis", "\"cap=3,1\"", "\"rank=1\"");
    slip(&mut page, "twice", "\"cap=3,1\"", "\"ladder[1]=6,8\"");
    slip(
        &mut page,
        "nothing varies",
        "vary = [\"cap=3,1\", \"ladder=[4,6,8],[4,8,12]\"]",
        "",
    );
    slip(&mut page, "no number", "between = [0.45, \"55 %\"]", "");
    slip(
        &mut page,
        "two goals",
        "near   = 4",
        "near = 4\nat_most = 5",
    );
    slip(
        &mut page,
        "weight of bounds",
        "between = [",
        "weight = 2\nbetween = [",
    );
    slip(&mut page, "no weight", "weight = \"1/2\"", "weight = 0");
    slip(
        &mut page,
        "no probability",
        "between = [0.45",
        "between = [-0.45",
    );
    slip(
        &mut page,
        "below nothing",
        "within = 0.01",
        "within = -0.01",
    );
    slip(&mut page, "no such check", "\"clock\"", "\"clok\"");
    slip(&mut page, "no intent", "intent = \"Short.\"\n", "");
    insta::assert_snapshot!(page.text);
    page.finish();
}
