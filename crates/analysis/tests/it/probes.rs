//! Probes: configurations that move every input and go every way of a script.

use oddsmith_analysis::expect::Value;
use oddsmith_analysis::probe::{Coverage, ProbePlan, Subject, Why, plan, play_sweep, ways_of};
use oddsmith_exact::{Budget, answers};
use oddsmith_rules::{Check, Model, OutcomeKind, load};
use oddsmith_testkit::rulesets;
use rayon::prelude::*;

use crate::run;

const STEPS: u64 = 100_000_000;

fn rulesets() -> Vec<Model> {
    let texts = rulesets::all();
    let models = texts.iter().map(|(path, text)| {
        load(&path.display().to_string(), text.as_bytes()).expect("it is a ruleset")
    });
    models.collect()
}

fn model(rules: &str) -> Model {
    load("test.toml", rules.as_bytes()).expect("it is a ruleset")
}

fn settings(check: &Check, plan: &ProbePlan, wanted: impl Fn(Why) -> bool) -> Vec<String> {
    let probes = plan.probes.iter().filter(|probe| wanted(probe.why));
    probes.map(|probe| probe.describe(check)).collect()
}

#[test]
fn the_odds_of_a_configuration_are_the_answers_to_queries() {
    for model in rulesets() {
        for check in &model.checks {
            let subject = Subject::new(check);
            let odds = subject.odds(&check.defaults(), &Budget::new(STEPS));
            let odds = odds.unwrap_or_else(|error| panic!("{}: {error}", check.name));
            let own = check.own_queries();
            let found = answers(check, &check.defaults(), &own, &Budget::unlimited());
            let found = found.expect("the defaults have odds");
            for (query, answer) in own.iter().zip(found) {
                let columns = subject.columns().iter();
                let at = columns.clone().position(|column| column.name == query.text);
                let at = at.expect("each own query is a column");
                let expected = answer.to_ratio().map(Value::Finite);
                assert_eq!(odds.values[at], expected, "{} {}", check.name, query.text);
            }
        }
    }
}

#[test]
fn any_change_of_the_joint_odds_is_a_change_of_what_is_written() {
    let rules = |second: &str| {
        model(&format!(
            "name = \"Two\"\n[checks.check]\nrules = '''\nlet a = 1d6\nshow one = a\nshow two = {second}\n'''"
        ))
    };
    let written = |second: &str| {
        let model = rules(second);
        let check = &model.checks[0];
        let odds = Subject::new(check).odds(&check.defaults(), &Budget::new(STEPS));
        let odds = odds.expect("it is cheap");
        let mut bytes = Vec::new();
        odds.write(&mut bytes).expect("memory is there");
        (odds.values, bytes)
    };
    let (same, together) = written("a");
    // Each number by itself has the same odds.
    let (alike, apart) = written("1d6");
    assert_eq!(same, alike);
    assert_ne!(together, apart);
    assert_eq!(written("7 - a").0, same);
    assert_ne!(written("7 - a").1, together);
    assert_eq!(written("a + 0").1, together);
}

const MOOD: &str = r#"
name = "Moods"
[params]
gain = { default = 2, domain = "1..=3" }
[functions]
lifted = "(x) => if x > 12 then 12 else x"
[checks.check]
bands = ["miss", "hit"]
require = ["asset <= 4"]
axes.skill = { default = 0, domain = "0..=5", sweep = "all" }
axes.asset = { default = 0, domain = "0..=5" }
axes.mood  = { default = "calm", domain = ["calm", "angry", "sad"] }
rules = """
let bonus  = if mood == sad and asset > 1 then asset * gain else 0
let other  = match mood { calm: 0, angry: -1, sad: if skill == 5 and asset == 4 then 3 else 0 }
show total = lifted(2d6 + skill + bonus + other)
show band  = if total >= 9 then hit else miss
"""
[tracks.run]
inherit = ["check"]
rules = """
let hits = 0
repeat until hits == 2 {
  let one = check(..)
  set hits = min(hits + (one.band == hit), 2)
}
"""
"#;

#[test]
fn every_input_is_moved_where_it_matters_and_every_way_is_gone() {
    let model = model(MOOD);
    let check = &model.checks[0];
    let plan = plan(check, &[], run(STEPS));
    assert_eq!((plan.unreached.len(), plan.asleep.len()), (0, 0));
    let star = settings(check, &plan, |why| {
        matches!(why, Why::Default | Why::Moves(_))
    });
    for wanted in ["", "gain=1", "gain=3", "asset=5", "mood=angry", "mood=sad"] {
        assert!(star.iter().any(|one| one == wanted), "{wanted}: {star:?}");
    }
    // The default sweep has these.
    assert!(!star.iter().any(|one| one.contains("skill=")), "{star:?}");
    let all = settings(check, &plan, |_| true);
    let wakes = |one: &String| one.contains("gain=") && one.contains("mood=sad");
    assert!(all.iter().any(wakes), "{all:?}");
    // What takes three inputs at once.
    let mut reach = Coverage::new(check);
    play_sweep(&mut reach);
    for probe in &plan.probes {
        reach.play(&probe.config(check), 96);
    }
    assert!(ways_of(check).is_subset(reach.seen()));
}

#[test]
fn what_earlier_checks_have_in_their_text_is_left_to_their_probes() {
    let model = model(MOOD);
    let (check, track) = (&model.checks[0], &model.tracks[0]);
    let (alone, beside) = (
        plan(track, &[], run(STEPS)),
        plan(track, &[check], run(STEPS)),
    );
    assert!(beside.probes.len() < alone.probes.len());
    assert!(beside.unreached.is_empty() && beside.asleep.is_empty());
}

#[test]
fn the_same_rules_have_the_same_probes() {
    let (a, b) = (model(MOOD), model(MOOD));
    assert_eq!(
        plan(&a.checks[0], &[], run(STEPS)),
        plan(&b.checks[0], &[], run(STEPS))
    );
}

#[test]
fn a_way_that_no_setting_leads_to_is_told() {
    let model = model(
        "name = \"Never\"\n[checks.check]\naxes.x = { default = 0, domain = \"0..=3\" }\nrules = 'show total = if x > 5 then 1d6 else 1d8'",
    );
    let plan = plan(&model.checks[0], &[], run(STEPS));
    let text = |at: usize| {
        let span = plan.unreached[at].span();
        &model.source.text[span.start..span.end]
    };
    assert_eq!(plan.unreached.len(), 1);
    assert_eq!(text(0), "if x > 5 then 1d6 else 1d8");
    // The input is read, and nothing depends on it.
    assert_eq!(plan.asleep.len(), 1);
}

#[test]
fn hardly_any_way_of_the_shipped_games_is_not_gone() {
    let of_model = |model: &Model| {
        let (mut ways, mut unreached) = (0, 0);
        let mut before = Vec::new();
        for check in model.checks.iter().filter(|check| is_small(check)) {
            ways += ways_of(check).len();
            unreached += plan(check, &before, run(STEPS)).unreached.len();
            before.push(check);
        }
        (ways, unreached)
    };
    let models = rulesets();
    let found: Vec<(usize, usize)> = models.par_iter().map(of_model).collect();
    let (ways, unreached): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let (ways, unreached): (usize, usize) = (ways.iter().sum(), unreached.iter().sum());
    assert!(unreached * 50 < ways, "{unreached} of {ways}");
}

/// Whether a test in a debug build has the time for its probes.
fn is_small(check: &Check) -> bool {
    let shows = check.outcomes.iter();
    shows
        .filter(|one| one.kind == OutcomeKind::Observable)
        .count()
        < 6
}
