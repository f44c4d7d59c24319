//! `oddsmith balance lint`: what each rule finds, and what it passes over.

mod shipped;

use serde_json::Value;

use crate::support::{Place, Run};

/// A ruleset whose only check has these axes and this script.
fn ruleset(head: &str, script: &str) -> String {
    format!("name = \"Small\"\n[checks.try]\n{head}\nrules = '''\n{script}\n'''\n")
}

/// What is found in it.
fn lint(text: &str, more: &[&str]) -> Run {
    let place = Place::new();
    place.write("small.toml", text);
    place.run(&[&["balance", "lint", "small.toml"], more].concat())
}

/// The findings, as JSON.
fn findings(text: &str, more: &[&str]) -> Vec<Value> {
    let run = lint(text, &[&["--format", "json"], more].concat());
    assert!(run.status < Some(2), "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    report["findings"].as_array().expect("a list").clone()
}

fn ids(findings: &[Value]) -> Vec<&str> {
    let ids = findings.iter().map(|finding| finding["id"].as_str());
    ids.map(|id| id.expect("an id")).collect()
}

/// Asserts that the one ruleset has this finding, and that the other one has not.
fn found(id: &str, severity: &str, bad: &str, good: &str) -> Value {
    let only = ["--only", id];
    let found = findings(bad, &only);
    assert_eq!(ids(&found), [id]);
    assert_eq!(found[0]["severity"], severity);
    assert_eq!(ids(&findings(good, &only)), Vec::<&str>::new());
    found[0].clone()
}

const BANDS: &str = "bands = ['miss', 'hit']";

/// `bands` and an axis.
fn with_axis(axis: &str) -> String {
    format!("{BANDS}\naxes.{axis}")
}

fn hit(condition: &str) -> String {
    format!("show band = if {condition} then hit else miss")
}

#[test]
fn what_never_happens_is_unreachable() {
    let axis = with_axis("skill = { default = 0, domain = '0..=9', sweep = '0..=2' }");
    let never = ruleset(&axis, &hit("1d6 + skill > 20"));
    let late = ruleset(&axis, &hit("1d6 + skill > 6"));
    let finding = found("unreachable/try/hit", "warning", &never, &late);
    let said = "in none of 3 configurations of the default sweep";
    assert!(finding["message"].as_str().expect("a text").contains(said));
    let certain = ruleset(
        BANDS,
        "show Sure = 1d6 >= 1\nshow band = if 1d6 > 3 then hit else miss",
    );
    assert_eq!(
        ids(&findings(&certain, &["--only", "unreachable"])),
        ["unreachable/try/not Sure"]
    );
}

#[test]
fn what_only_an_axis_without_a_sweep_brings_is_reachable() {
    let text = ruleset(
        &with_axis("skill = { default = 0, domain = '0..=9' }"),
        &hit("1d6 + skill > 14"),
    );
    assert_eq!(
        ids(&findings(&text, &["--only", "unreachable"])),
        Vec::<&str>::new()
    );
}

#[test]
fn an_axis_that_changes_nothing_is_dead() {
    let axis = with_axis("luck = { default = 0, domain = '0..=3' }");
    let dead = ruleset(&axis, &hit("1d6 + max(luck, 5) > 8"));
    let live = ruleset(&axis, &hit("1d6 + luck > 4"));
    found("dead-axis/try/luck", "warning", &dead, &live);
    // Nothing reads it: that is certain.
    let unread = ruleset(&axis, &hit("1d6 > 4"));
    found("dead-axis/try/luck", "error", &unread, &live);
}

#[test]
fn an_axis_that_needs_two_others_is_not_dead() {
    let axes = "\
bands = ['miss', 'hit']
axes.gate  = { default = 'shut', domain = ['shut', 'open'] }
axes.bonus = { default = 0, domain = '0..=3' }
axes.kind  = { default = 'plain', domain = ['plain', 'double'] }";
    let script = hit(
        "1d6 + (if gate == open then (if kind == double then 2 * bonus else bonus) else 0) > 4",
    );
    assert_eq!(
        ids(&findings(&ruleset(axes, &script), &["--only", "dead"])),
        Vec::<&str>::new()
    );
}

#[test]
fn steps_that_change_nothing_are_dead() {
    let axis = with_axis("rank = { default = 0, domain = '0..=5' }");
    let pairs = ruleset(&axis, &hit("1d10 + floor(rank / 2) > 6"));
    let each = ruleset(&axis, &hit("1d10 + rank > 6"));
    let finding = found("dead-step/try/rank", "warning", &pairs, &each);
    let stretches = serde_json::json!([["0", "1"], ["2", "3"], ["4", "5"]]);
    assert_eq!(finding["facts"]["stretches"], stretches);
}

#[test]
fn a_step_that_matters_beside_another_axis_is_not_dead() {
    // From 3 on a bonus is of no use, unless there is a penalty, which is not swept.
    let axes = "\
bands = ['miss', 'hit']
axes.bonus   = { default = 0, domain = '0..=9' }
axes.penalty = { default = 0, domain = '0..=9' }";
    let text = ruleset(axes, &hit("1d6 <= 3 + bonus - penalty"));
    let found = findings(&text, &["--only", "dead-step", "--only", "plateau"]);
    assert_eq!(ids(&found), ["plateau/try/bonus", "plateau/try/penalty"]);
    let stretches = |at: usize| found[at]["facts"]["stretches"].clone();
    assert_eq!(stretches(0), serde_json::json!([["3", "9"]]));
    assert_eq!(stretches(1), serde_json::json!([["3", "9"]]));
}

#[test]
fn an_axis_that_stops_early_has_a_plateau() {
    let axes = |last: u8| {
        format!(
            "{BANDS}\naxes.skill = {{ default = 0, domain = '0..={last}' }}\naxes.need = {{ default = 4, domain = '4..=20' }}"
        )
    };
    let script = hit("1d6 + skill >= need");
    let (bad, good) = (ruleset(&axes(9), &script), ruleset(&axes(3), &script));
    found("plateau/try/skill", "note", &bad, &good);
}

#[test]
fn odds_that_rise_and_fall_are_non_monotone() {
    let axis = with_axis("dice = { default = 1, domain = '1..=3' }");
    // 1/2, 3/4, 1/8
    let turning = ruleset(
        &axis,
        &hit("(if dice == 3 then lowest(3d6) else highest(dice d6)) > 3"),
    );
    let rising = ruleset(&axis, &hit("highest(dice d6) > 3"));
    let finding = found("non-monotone/try/dice/band", "warning", &turning, &rising);
    let values: Vec<&str> = finding["evidence"][0]["values"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|stand| stand["value"].as_str().expect("a fraction"))
        .collect();
    assert_eq!(values, ["1/2", "3/4", "1/8"]);
}

#[test]
fn an_axis_that_helps_here_and_hurts_there_has_a_sign() {
    let axes = "\
bands = ['miss', 'hit']
axes.push  = { default = 0, domain = '0..=1' }
axes.place = { default = 0, domain = '0..=1', sweep = 'all' }";
    let both = ruleset(axes, &hit("1d6 + (if place == 1 then -push else push) > 3"));
    let one = ruleset(axes, &hit("1d6 + place + push > 3"));
    let finding = found("sign/try/push/band", "warning", &both, &one);
    assert_eq!([&finding["seen"], &finding["of"]], [1, 2]);
}

#[test]
fn a_large_step_is_a_cliff() {
    let axis = with_axis("skill = { default = 0, domain = '0..=2' }");
    let steep = ruleset(&axis, &hit("1d6 + 2 * skill > 5")); // 1/6, 1/2, 5/6
    let even = ruleset(&axis, &hit("1d6 + skill > 5"));
    let finding = found("cliff/try/skill/band", "warning", &steep, &even);
    assert_eq!([&finding["seen"], &finding["of"]], [2, 2]);
    let lower = findings(&even, &["--only", "cliff", "--cliff", "16"]);
    assert_eq!(ids(&lower), ["cliff/try/skill/band"]);
    assert!(findings(&steep, &["--only", "cliff", "--cliff", "33.4"]).is_empty());
}

#[test]
fn a_cliff_that_is_not_where_one_starts_is_a_note() {
    let axes = "\
bands = ['miss', 'hit']
axes.skill = { default = 0, domain = '0..=1' }
axes.sides = { default = 20, domain = '2..=20', sweep = '2,20' }";
    let found = findings(
        &ruleset(axes, &hit("1d(sides) + skill > 2")),
        &["--only", "cliff/try/skill"],
    );
    assert_eq!(found[0]["severity"], "note");
    assert_eq!(found[0]["evidence"][0]["configuration"], "sides=2");
}

#[test]
fn levers_that_do_the_same_are_one_finding() {
    let axes = "\
bands = ['miss', 'hit']
axes.skill = { default = 0, domain = '0..=2', sweep = 'all' }
axes.help  = { default = 0, domain = '0..=1', sweep = 'all' }";
    let found = findings(
        &ruleset(axes, &hit("1d6 + 2 * (skill + help) > 5")),
        &["--only", "cliff"],
    );
    assert_eq!(ids(&found), ["cliff/try/skill/band"]);
    assert_eq!(found[0]["alike"], serde_json::json!(["help"]));
}

#[test]
fn an_option_that_is_never_better_is_dominated() {
    let axis = with_axis("stance = { default = 'even', domain = ['low', 'even', 'high'] }");
    // Three labels of which each is better than the one before are a scale.
    let bad = ruleset(
        &with_axis("stance = { default = 'even', domain = ['low', 'even'] }"),
        &hit("1d6 + (if stance == low then 0 else 1) > 3"),
    );
    let scale = ruleset(&axis, &hit("1d6 + index(stance) > 3"));
    let finding = found("dominated/try/stance/low", "warning", &bad, &scale);
    assert_eq!(
        finding["facts"],
        serde_json::json!({ "label": "low", "by": "even" })
    );
}

#[test]
fn an_option_with_a_price_is_not_dominated() {
    let text = ruleset(
        &with_axis("stance = { default = 'even', domain = ['low', 'even'] }"),
        "let roll = 1d6
show wounds = if stance == low then 1d4 else 1d8
show band = if roll + (if stance == low then 0 else 1) > 3 then hit else miss",
    );
    assert!(findings(&text, &["--only", "dominated"]).is_empty());
}

#[test]
fn options_of_which_each_is_better_somewhere_cross() {
    let axes = "\
bands = ['miss', 'hit']
axes.need = { default = 4, domain = '2..=8', sweep = 'all' }
axes.with = { default = 'die', domain = ['die', 'bonus'] }";
    let crossing = hit("1d6 + (if with == die then 1d4 else 2) >= need");
    let finding = found(
        "crossing/try/with",
        "note",
        &ruleset(axes, &crossing),
        &ruleset(axes, &hit("1d6 + (if with == die then 1d4 else 1) >= need")),
    );
    let pair = &finding["facts"]["pairs"][0];
    assert_eq!(pair["labels"], serde_json::json!(["die", "bonus"]));
    let better = |need: usize| pair["split"][need - 2]["wins"]["better"].clone();
    assert_eq!(pair["split"][0]["at"], "need=2");
    assert_eq!(better(3), serde_json::json!([0, 1]));
    assert_eq!(better(8), serde_json::json!([1, 0]));
}

#[test]
fn what_a_step_up_gains_may_not_be_what_one_down_loses() {
    let axis = with_axis("boons = { default = 0, domain = '-2..=2' }");
    // A Boon is a third die, of which the best two count; a Bane leaves the worst two.
    let pool = "(if boons >= 0 then (2 + boons)d6 kh 2 else (2 - boons)d6 kl 2)";
    let uneven = ruleset(&axis, &hit(&format!("{pool} > 9")));
    let even = ruleset(&axis, &hit("1d6 + boons > 3"));
    let finding = found("asymmetric/try/boons", "note", &uneven, &even);
    let values: Vec<&Value> = finding["evidence"][0]["values"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|s| &s["value"])
        .collect();
    assert_eq!(values, ["11/216", "1/6", "77/216"]);
}

#[test]
fn opposed_axes_are_compared_too() {
    let axes = "\
bands = ['miss', 'hit']
axes.boons = { default = 0, domain = '0..=2' }
axes.banes = { default = 0, domain = '0..=2' }";
    let net = "(boons - banes)";
    let pool = format!("(if {net} >= 0 then (2 + {net})d6 kh 2 else (2 - {net})d6 kl 2)");
    let text = ruleset(axes, &hit(&format!("{pool} > 9")));
    let found = findings(&text, &["--only", "asymmetric", "--change", "2"]);
    assert_eq!(ids(&found), ["asymmetric/try/boons+banes"]);
}

#[test]
fn a_reading_that_changes_odds_is_told() {
    let text = |other: u8| {
        let check = ruleset(
            &with_axis("skill = { default = 0, domain = '0..=2', sweep = 'all' }"),
            &hit("1d6 + skill > (if edge == over then 4 else LIMIT)"),
        );
        let check = check.replace("LIMIT", &other.to_string());
        check.replace(
            "[checks.try]",
            "[params.edge]\ndefault = 'over'\ndomain = ['over', 'at']\nreading = 'It is open.'\n[checks.try]",
        )
    };
    let finding = found("reading/edge", "note", &text(3), &text(4));
    let values = &finding["evidence"][0]["values"];
    assert_eq!(
        values[0],
        serde_json::json!({ "at": "edge=over", "value": "1/3" })
    );
    assert_eq!(
        values[1],
        serde_json::json!({ "at": "edge=at", "value": "1/2" })
    );
}

// Acceptances and the exit status.

const STEEP: &str = "\
name = 'Small'
[checks.try]
bands = ['miss', 'hit']
axes.skill = { default = 0, domain = '0..=2' }
rules = 'show band = if 1d6 + 2 * skill > 5 then hit else miss'
";

fn accepting(finding: &str) -> String {
    format!("{STEEP}\n[[accept]]\nfinding = '{finding}'\nreason = 'Skill is meant to tell.'\n")
}

#[test]
fn what_is_accepted_is_not_told_again() {
    let open = lint(STEEP, &[]);
    assert_eq!(open.status, Some(1));
    assert!(
        open.out.contains("warning: a step of `skill`"),
        "{}",
        open.out
    );
    for pattern in ["cliff/try/skill/band", "cliff/*/skill/*"] {
        let closed = lint(&accepting(pattern), &[]);
        assert_eq!(
            (closed.status, closed.out.as_str()),
            (Some(0), "small.toml: nothing; 1 accepted\n")
        );
        let all = lint(&accepting(pattern), &["--all"]);
        assert_eq!(all.status, Some(0));
        assert!(all.out.contains("Skill is meant to tell."), "{}", all.out);
    }
}

#[test]
fn an_acceptance_that_meets_nothing_is_stale() {
    let mild = accepting("cliff/try/skill/band").replace("2 * skill", "skill");
    let run = lint(&mild, &[]);
    assert_eq!(run.status, Some(1));
    assert!(run.out.contains("warning: `cliff/try/skill/band` is accepted, and there is no such finding any more (small.toml:8)"), "{}", run.out);
    // With another limit there are other findings; that says nothing of those that were accepted.
    assert_eq!(lint(&mild, &["--cliff", "30"]).status, Some(0));
    assert_eq!(lint(&mild, &["--only", "dead"]).status, Some(0));
    assert_eq!(lint(&mild, &["--deny", "error"]).status, Some(0));
}

#[test]
fn the_exit_status_is_that_of_what_is_denied() {
    let status = |deny: &str| lint(STEEP, &["--deny", deny]).status;
    assert_eq!(
        [status("note"), status("warning"), status("error")],
        [Some(1), Some(1), Some(0)]
    );
    let unknown = lint(&accepting("clif/try/skill/band"), &[]);
    assert_eq!(unknown.status, Some(2));
    assert!(
        unknown.err.contains("did you mean `cliff`?"),
        "{}",
        unknown.err
    );
}

#[test]
fn formats_for_machines_and_comments() {
    let github = lint(STEEP, &["--format", "github"]);
    let line = "::warning file=small.toml,line=4,col=6,title=cliff/try/skill/band::a step of `skill` moves";
    assert!(github.out.contains(line), "{}", github.out);
    let markdown = lint(STEEP, &["--format", "markdown"]);
    assert!(
        markdown.out.starts_with("### small.toml: 1 warning\n"),
        "{}",
        markdown.out
    );
    assert!(
        markdown
            .out
            .contains("<summary>cliff/try/skill/band</summary>"),
        "{}",
        markdown.out
    );
    let threads = |n| lint(STEEP, &["--threads", n]).out;
    assert_eq!(threads("1"), threads("3"));
}
