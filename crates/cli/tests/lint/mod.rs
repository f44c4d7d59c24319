//! `oddsmith balance lint`: what each rule finds, and what it passes over.

mod coverage;
mod shipped;

use serde_json::Value;

use crate::support::{Place, Run};

/// A ruleset whose only check has these axes and this script.
fn ruleset(head: &str, script: &str) -> String {
    format!("name = \"Small\"\n[checks.try]\n{head}\nrules = '''\n{script}\n'''\n")
}

/// What is found in it.
fn lint(text: &str, more: &str) -> Run {
    let place = Place::new();
    place.write("small.toml", text);
    place.run(&format!("balance lint small.toml {more}"))
}

/// The findings, as JSON.
fn findings(text: &str, more: &str) -> Vec<Value> {
    let run = lint(text, &format!("--format json {more}"));
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
    let only = format!("--only {id}");
    let found = findings(bad, &only);
    assert_eq!(ids(&found), [id]);
    assert_eq!(found[0]["severity"], severity);
    assert_eq!(ids(&findings(good, &only)), Vec::<&str>::new());
    found[0].clone()
}

/// The fractions that a case shows.
fn values_of(case: &Value) -> Vec<&str> {
    let stands = case["values"].as_array().expect("a list").iter();
    let values = stands.map(|stand| stand["value"].as_str());
    values.map(|value| value.expect("a fraction")).collect()
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
    let said = "looked at all 10 configurations";
    assert!(finding["message"].as_str().expect("a text").contains(said));
    let certain = ruleset(
        BANDS,
        "show Sure = 1d6 >= 1\nshow band = if 1d6 > 3 then hit else miss",
    );
    assert_eq!(
        ids(&findings(&certain, "--only unreachable")),
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
        ids(&findings(&text, "--only unreachable")),
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
        ids(&findings(&ruleset(axes, &script), "--only dead")),
        Vec::<&str>::new()
    );
}

#[test]
fn an_axis_that_needs_four_others_is_not_dead() {
    let axes = |last: u8| {
        let gates = ["a", "b", "c", "d"]
            .map(|name| format!("axes.{name} = {{ default = 0, domain = '0..={last}' }}\n"));
        let luck = "axes.luck = { default = 0, domain = '0..=2' }";
        format!("{BANDS}\n{}{luck}", gates.concat())
    };
    // It acts in one of 4 * 4 * 4 * 4 surroundings.
    let script = hit("1d6 + (if a == 2 and b == 2 and c == 1 and d == 1 then luck else 0) > 4");
    let found = findings(&ruleset(&axes(3), &script), "--only dead-axis");
    assert_eq!(ids(&found), Vec::<&str>::new());
    // Of 31^4 surroundings not all can be looked at, and that is said.
    let rare = script.replace("== 2", "== 17").replace("== 1 ", "== 13 ");
    let only = "--only dead-axis/try/luck";
    let found = findings(&ruleset(&axes(30), &rare), only);
    let count = |key: &str| found[0][key].as_u64().expect("a count");
    let (looked, all) = (count("configurations"), count("of_configurations"));
    assert_eq!(all, 31 * 31 * 31 * 31 * 3);
    assert!(looked > 2_000 && looked < all, "{looked}");
    let message = found[0]["message"].as_str().expect("a text");
    assert!(message.contains("of 2,770,563 configurations"), "{message}");
}

#[test]
fn what_a_contest_compares_is_not_dead() {
    let axes = "contest = 'score + edge'\n\
axes.edge = { default = 0, domain = '0..=1' }";
    let text = ruleset(axes, "show score = 1d6");
    assert_eq!(ids(&findings(&text, "")), Vec::<&str>::new());
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
    let found = findings(&text, "--only dead-step --only plateau");
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

/// A track that goes six steps, so many in each round.
fn track(axes: &str, step: &str) -> String {
    format!(
        "name = 'Small'\n[tracks.climb]\n{axes}\nrules = '''\nlet height = 0\nrepeat until height == 6 {{\n  \
         set height = min(height + {step}, 6)\n}}\n'''\n"
    )
}

#[test]
fn tracks_have_plateaus_and_turn_too() {
    let axes = "axes.skill = { default = 0, domain = '0..=9' }\naxes.slope = { default = 0, domain = '0..=3' }";
    let rising = track(axes, "1d(20 + skill - slope)");
    // From 5 on the first round is enough, unless it is steep.
    let late = track(axes, "max(1d6 + skill - slope, 1)");
    found("plateau/climb/skill", "note", &late, &rising);
    let early = track(axes, "1d(6 + min(skill, 4) + slope)");
    let finding = found("dead-step/climb/skill", "warning", &early, &rising);
    assert_eq!(
        finding["facts"]["stretches"],
        serde_json::json!([["4", "9"]])
    );
    let turning = track(axes, "(if skill < 5 then 1d6 + skill else 1d4)");
    found("non-monotone/climb/skill/rolls", "note", &turning, &rising);
}

#[test]
fn options_of_a_track_cross() {
    let axes = "axes.with = { default = 'die', domain = ['die', 'bonus'] }\n\
axes.skill = { default = 0, domain = '0..=2', sweep = 'all' }";
    let crossing = track(
        axes,
        "(if with == die then 1d4 else if skill == 0 then 1 else 6)",
    );
    let ordered = track(axes, "(if with == die then 1d4 else 1)");
    let finding = found("crossing/climb/with", "note", &crossing, &ordered);
    assert_eq!(finding["evidence"][0]["kind"], "done by");
}

#[test]
fn a_step_up_of_a_track_may_not_gain_what_one_down_loses() {
    let axes = "axes.edge = { default = 0, domain = '-1..=1' }";
    // 3, 2 and 1 rounds of 2, 3 and 6 steps; and 7, 6 and 5 rounds.
    let uneven = track(axes, "match edge { -1: 1, 0: 3, else: 6 }");
    let even = "name = 'Small'\n[tracks.climb]\n".to_owned()
        + axes
        + "\nrules = '''\nlet height = 0\nrepeat until height == 20 - edge {\n  set height = height + 1\n}\n'''\n";
    found("asymmetric/climb/edge", "note", &uneven, &even);
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
    let values = values_of(&finding["evidence"][0]);
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
fn a_word_that_goes_the_other_way_in_another_check_has_a_sign() {
    let two = |roll: &str| {
        format!(
            "{}[checks.resist]
bands = ['failure', 'success']
axes.diff_boons = {{ default = 0, domain = '0..=3' }}
rules = 'show band = if {roll} > 5 then success else failure'
",
            ruleset(
                &with_axis("circ_boons = { default = 0, domain = '0..=3' }"),
                &hit("1d10 + circ_boons > 5"),
            )
        )
    };
    let (turned, kept) = (two("1d10 - diff_boons"), two("1d10 + diff_boons"));
    let finding = found("sign/resist/diff_boons/band", "note", &turned, &kept);
    let first = serde_json::json!(["circ_boons", "try"]);
    assert_eq!(finding["facts"]["first"], first);
    assert_eq!(finding["facts"]["word"], "boons");
}

#[test]
fn two_sides_of_a_contest_have_no_sign() {
    let axes = "\
bands = ['miss', 'hit']
axes.own_skill   = { default = 0, domain = '0..=3' }
axes.other_skill = { default = 0, domain = '0..=3' }";
    let text = format!(
        "{}[checks.alone]
bands = ['failure', 'success']
axes.skill = {{ default = 0, domain = '0..=3' }}
rules = 'show band = if 1d10 + skill > 5 then success else failure'
",
        ruleset(axes, &hit("1d10 + own_skill - other_skill > 5"))
    );
    assert!(findings(&text, "--only sign").is_empty());
}

#[test]
fn twins_that_are_opposed_elsewhere_and_allied_here_have_a_sign() {
    let axes = "\
bands = ['miss', 'hit']
axes.circ_boons = { default = 0, domain = '0..=3' }
axes.circ_banes = { default = 0, domain = '0..=3' }
axes.die_boons  = { default = 0, domain = '0..=3' }
axes.die_banes  = { default = 0, domain = '0..=3' }";
    let text = |sign: char| {
        let roll = format!("2d10 + circ_boons - circ_banes + 2 * die_boons {sign} 2 * die_banes");
        ruleset(axes, &hit(&format!("{roll} > 12")))
    };
    let id = "sign/try/die_boons+die_banes/band";
    let finding = found(id, "note", &text('+'), &text('-'));
    let opposed = serde_json::json!([["circ_boons", "try"], ["circ_banes", "try"]]);
    assert_eq!(finding["facts"]["opposed"], opposed);
}

#[test]
fn a_step_that_undoes_another_here_and_is_the_same_there_has_a_sign() {
    let axes = "\
bands = ['miss', 'hit']
axes.boons = { default = 0, domain = '0..=3' }
axes.banes = { default = 0, domain = '0..=3' }";
    // Only how far they are apart counts: a Bane alone is a Boon.
    let apart = ruleset(axes, &hit("1d10 + abs(boons - banes) > 5"));
    let net = ruleset(axes, &hit("1d10 + boons - banes > 5"));
    let finding = found("sign/try/boons+banes/band", "warning", &apart, &net);
    let undone = ["1/2", "3/5", "3/5", "1/2"];
    assert_eq!(values_of(&finding["evidence"][0]), undone);
}

/// A reading that is `helps`, and then `other`.
fn pushing(axis: &str, other: &str) -> String {
    let check = ruleset(
        &with_axis(axis),
        &hit(&format!(
            "1d10 + (if pushing == helps then push else {other}) > 5"
        )),
    );
    check.replace(
        "[checks.try]",
        "[params.pushing]\ndefault = 'helps'\ndomain = ['helps', 'other']\nreading = 'It is open.'\n[checks.try]",
    )
}

#[test]
fn a_reading_under_which_an_axis_turns_has_a_sign() {
    let id = "sign/try/push+pushing/band";
    for sweep in ["", ", sweep = 'all'"] {
        let axis = format!("push = {{ default = 0, domain = '0..=2'{sweep} }}");
        let (turned, kept) = (pushing(&axis, "-push"), pushing(&axis, "2 * push"));
        let finding = found(id, "warning", &turned, &kept);
        let values = ["1/2", "7/10", "1/2", "3/10"];
        assert_eq!(values_of(&finding["evidence"][0]), values);
        assert_eq!([&finding["seen"], &finding["of"]], [1, 1]);
    }
}

#[test]
fn a_reading_that_turns_some_lines_is_counted_as_by_hand() {
    let axes = "push = { default = 0, domain = '0..=3', sweep = 'all' }
axes.place = { default = 0, domain = '-4..=9', sweep = 'all' }";
    let text = pushing(axes, "(if place > 2 then -push else push) + place");
    let text = text.replace("then push else", "then push + place else");
    let found = findings(&text, "--only sign/try/push+pushing");
    // Where a d10 is over 5 anyway, or never is, a step of neither reading is one.
    let moves = |sign: i64, place: i64| {
        let hits = |push: i64| (1..=10).filter(|die| die + sign * push + place > 5).count();
        (0..3).any(|push| hits(push) != hits(push + 1))
    };
    let turned = (3..=9).filter(|&place| moves(1, place) && moves(-1, place));
    assert_eq!(found[0]["seen"], turned.count());
    assert_eq!(found[0]["of"], 14);
}

#[test]
fn a_large_step_is_a_cliff() {
    let axis = with_axis("skill = { default = 0, domain = '0..=2' }");
    let steep = ruleset(&axis, &hit("1d6 + 2 * skill > 5")); // 1/6, 1/2, 5/6
    let even = ruleset(&axis, &hit("1d6 + skill > 5"));
    let finding = found("cliff/try/skill/band", "warning", &steep, &even);
    assert_eq!([&finding["seen"], &finding["of"]], [2, 2]);
    // A step that moves two bands is one step, and shows the one that it moves more.
    let grades = steep
        .replace("'miss', 'hit'", "'miss', 'near', 'hit'")
        .replace("hit else miss", "hit else if 1d12 > 11 then near else miss");
    let finding = &findings(&grades, "--only cliff --cliff 30")[0];
    assert_eq!([&finding["seen"], &finding["of"]], [2, 2]);
    assert_eq!(finding["evidence"][0]["outcome"], "hit");
    let lower = findings(&even, "--only cliff --cliff 16");
    assert_eq!(ids(&lower), ["cliff/try/skill/band"]);
    assert!(findings(&steep, "--only cliff --cliff 33.4").is_empty());
}

/// People read labels, in what is said and where it shows; data have names.
#[test]
fn labels_stand_in_words_and_names_in_data() {
    let axes = "\
label = 'The try'
bands = ['miss', 'hit']
axes.skill = { default = 4, domain = '4..=8', sweep = '4,8', label = 'Skill die', labels = { 4 = 'd4', 8 = 'd8' } }
axes.help  = { default = 0, domain = '0..=1', sweep = 'all', label = 'Help of others', labels = { 0 = 'no', 1 = 'yes' } }";
    let text = ruleset(axes, &hit("1d(skill) + 3 * help > 4")); // 0, 1/2; 3/4, 7/8
    let only = "--only cliff";
    let told = lint(&text, only).out;
    let (told, _) = told.split_once("\n\n  ").expect("findings, then advice");
    insta::assert_snapshot!(told, @r"
    small.toml: 1 warning

    warning: a step of Help of others moves `hit` by up to 75.00 points; 2 of 2 steps are cliffs
      cliff/try/help/band (small.toml:6)
        the default configuration: hit 0.00% (Help of others = no), 75.00% (Help of others = yes)
        Skill die = d8: hit 50.00% (Help of others = no), 87.50% (Help of others = yes)
    ");
    let found = findings(&text, only);
    let evidence = &found[0]["evidence"][0];
    assert_eq!(found[0]["levers"], serde_json::json!(["help"]));
    assert_eq!(evidence["configuration"], "the default configuration");
    assert_eq!(evidence["values"][1]["at"], "help=1");
    assert_eq!(found[0]["evidence"][1]["configuration"], "skill=8");
}

#[test]
fn a_cliff_that_is_not_where_one_starts_is_a_note() {
    let axes = "\
bands = ['miss', 'hit']
axes.skill = { default = 0, domain = '0..=1' }
axes.sides = { default = 20, domain = '2..=20', sweep = '2,20' }";
    let found = findings(
        &ruleset(axes, &hit("1d(sides) + skill > 2")),
        "--only cliff/try/skill",
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
        "--only cliff",
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
fn a_default_that_is_never_better_is_a_note() {
    let stance = |default: &str| {
        let axis = format!("stance = {{ default = '{default}', domain = ['low', 'even'] }}");
        let script = hit("1d6 + (if stance == low then 0 else 1) > 3");
        findings(&ruleset(&with_axis(&axis), &script), "--only dominated")
    };
    let (low, even) = (stance("low"), stance("even"));
    assert_eq!(ids(&low), ["dominated/try/stance/low"]);
    assert_eq!(ids(&even), ids(&low));
    assert_eq!(
        [&low[0]["severity"], &even[0]["severity"]],
        ["note", "warning"]
    );
    let said = "`low`, the default of `stance`, is never better than `even`, and worse in 1 of 1";
    let message = low[0]["message"].as_str().expect("a text");
    assert!(message.starts_with(said), "{message}");
}

#[test]
fn an_option_with_a_price_is_not_dominated() {
    let text = ruleset(
        &with_axis("stance = { default = 'even', domain = ['low', 'even'] }"),
        "let roll = 1d6
show wounds = if stance == low then 1d4 else 1d8
show band = if roll + (if stance == low then 0 else 1) > 3 then hit else miss",
    );
    assert!(findings(&text, "--only dominated").is_empty());
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
    let stretch = |values: &[&str], better: [u8; 2], equal: u8| {
        let wins = serde_json::json!({ "better": better, "neither": 0, "equal": equal });
        serde_json::json!({ "axis": "need", "values": values, "wins": wins, "split": [] })
    };
    let expected = [
        stretch(&["2", "3"], [0, 1], 1),
        stretch(&["4", "5", "6", "7", "8"], [5, 0], 0),
    ];
    assert_eq!(pair["split"], serde_json::json!(expected));
    // The cases are those between which it turns.
    let turns = [0, 1].map(|at| finding["evidence"][at]["configuration"].clone());
    assert_eq!(turns, ["need=3", "the default configuration"]);
}

#[test]
fn an_option_that_is_better_nowhere_does_not_cross() {
    // Where need is 1 the wide one misses more often than the plain one and hits more often; else it is better. The high
    // one is better than the wide one where need is 1, and worse where it is 8.
    let axes = "\
bands = ['miss', 'near', 'hit']
axes.need = { default = 5, domain = '1..=8', sweep = 'all' }
axes.way  = { default = 'plain', domain = ['wide', 'plain', 'high'] }";
    let script = "\
let total = 1d6 + (match way { wide: 1d4 - 2, plain: 0, high: 1 })
show band = match total { < need: miss, < need + 1: near, else: hit }";
    let found = findings(&ruleset(axes, script), "--only crossing");
    assert_eq!(ids(&found), ["crossing/try/way"]);
    let pairs = found[0]["facts"]["pairs"].as_array().expect("a list");
    let labels: Vec<&Value> = pairs.iter().map(|pair| &pair["labels"]).collect();
    assert_eq!(labels, [&serde_json::json!(["wide", "high"])]);
    // Where need is 7 neither of these two is better: no case of one is nearer to a case of the other.
    let places = [0, 1].map(|at| found[0]["evidence"][at]["configuration"].clone());
    assert_eq!(places, ["need=6", "need=8"]);
}

/// A step up of `NET` is worth three points, one down a single one.
const UNEVEN: &str = "(if NET > 0 then 3 * NET else NET)";

#[test]
fn what_a_step_up_gains_may_not_be_what_one_down_loses() {
    let axis = with_axis("boons = { default = 0, domain = '-2..=2' }");
    let net = UNEVEN.replace("NET", "boons");
    let graded = |roll: &str, over: u8| {
        let band = hit(&format!("total > {over}"));
        ruleset(&axis, &format!("show total = {roll}\n{band}"))
    };
    let uneven = graded(&format!("1d10 + {net}"), 5);
    // What a flat modifier gains is not what it loses either, if the die has it so: 20, 30 and 80 %.
    let even = graded("d{1:2,2:5,3:1,4:2} + boons", 2);
    let finding = found("asymmetric/try/boons", "note", &uneven, &even);
    let case = &finding["evidence"][0];
    assert_eq!(values_of(case), ["2/5", "1/2", "4/5"]);
    assert_eq!(case["flat"], serde_json::json!(["-1", "3"]));
}

#[test]
fn without_a_number_behind_the_bands_points_must_do() {
    let axis = with_axis("dice = { default = 0, domain = '-1..=1' }");
    // One of two equal numbers, or a pair of sixes: the bands are made of two readings of a pool.
    let pool = "let pool = (2 + dice)d6\n";
    let bands = hit("highest(pool) == 6 or count(pool, 1) > 1");
    let found = findings(
        &ruleset(&axis, &format!("{pool}{bands}")),
        "--only asymmetric --change 1",
    );
    assert_eq!(ids(&found), ["asymmetric/try/dice"]);
    assert_eq!(found[0]["evidence"][0]["flat"], Value::Null);
}

#[test]
fn opposed_axes_are_compared_too() {
    let axes = "\
bands = ['miss', 'hit']
axes.boons = { default = 0, domain = '0..=2' }
axes.banes = { default = 0, domain = '0..=2' }";
    let net = UNEVEN.replace("NET", "(boons - banes)");
    let uneven = ruleset(axes, &hit(&format!("1d10 + {net} > 5")));
    let even = ruleset(axes, &hit("1d10 + boons - banes > 5"));
    found("asymmetric/try/boons+banes", "note", &uneven, &even);
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
    let open = lint(STEEP, "");
    assert_eq!(open.status, Some(1));
    assert!(
        open.out.contains("warning: a step of `skill`"),
        "{}",
        open.out
    );
    for pattern in ["cliff/try/skill/band", "cliff/*/skill/*"] {
        let closed = lint(&accepting(pattern), "");
        assert_eq!(
            (closed.status, closed.out.as_str()),
            (Some(0), "small.toml: nothing; 1 accepted\n")
        );
        let all = lint(&accepting(pattern), "--all");
        assert_eq!(all.status, Some(0));
        assert!(all.out.contains("Skill is meant to tell."), "{}", all.out);
    }
}

#[test]
fn an_acceptance_that_meets_nothing_is_stale() {
    let mild = accepting("cliff/try/skill/band").replace("2 * skill", "skill");
    let run = lint(&mild, "");
    assert_eq!(run.status, Some(1));
    assert!(run.out.contains("warning: `cliff/try/skill/band` is accepted, and there is no such finding any more (small.toml:8)"), "{}", run.out);
    // With another limit there are other findings; that says nothing of those that were accepted.
    assert_eq!(lint(&mild, "--cliff 30").status, Some(0));
    assert_eq!(lint(&mild, "--only dead").status, Some(0));
    assert_eq!(lint(&mild, "--deny error").status, Some(0));
    // It is a warning, and comes before the notes.
    let need = "'0..=9' }\naxes.need = { default = 4, domain = '4..=20' }";
    let flat = mild.replace("'0..=2' }", need).replace("> 5", ">= need");
    for format in ["text", "markdown"] {
        let out = lint(&flat, &format!("--format {format}")).out;
        let places = ["is accepted", "plateau/try/skill"].map(|text| out.find(text));
        let [stale, note] = places.map(|place| place.expect(&out));
        assert!(stale < note, "{out}");
    }
}

#[test]
fn what_begins_no_id_can_not_be_asked_for() {
    let only = |prefix: &str| lint(STEEP, &format!("--only '{prefix}'"));
    for (prefix, said) in [
        ("clif/", "there is no rule `clif`"),
        ("non-monotonic", "did you mean `non-monotone`?"),
        ("cliff/tyr", "there is no check or track `tyr`"),
        ("cliff/try/skil/band", "did you mean `skill`?"),
        ("cliff/try/skill/bands", "did you mean `band`?"),
        ("cliff/*", "there is no check or track `*`"),
    ] {
        let run = only(prefix);
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{prefix}");
        assert!(run.err.contains(said), "{prefix}: {}", run.err);
    }
    for prefix in ["", "c", "cliff", "cliff/", "cliff/t", "cliff/try/skill/b"] {
        assert_eq!(only(prefix).status, Some(1), "{prefix}");
    }
    for prefix in ["non", "dead", "sign/try/skill+sk", "unreachable/try/h"] {
        assert_eq!(only(prefix).status, Some(0), "{prefix}");
    }
}

#[test]
fn points_are_not_negative() {
    let run = lint(STEEP, "--cliff -5");
    assert_eq!(run.status, Some(2));
    assert!(
        run.err.contains("not a number of points from 0 on"),
        "{}",
        run.err
    );
}

#[test]
fn the_exit_status_is_that_of_what_is_denied() {
    let status = |deny: &str| lint(STEEP, &format!("--deny {deny}")).status;
    assert_eq!(
        [status("note"), status("warning"), status("error")],
        [Some(1), Some(1), Some(0)]
    );
    let unknown = lint(&accepting("clif/try/skill/band"), "");
    assert_eq!(unknown.status, Some(2));
    assert!(
        unknown.err.contains("did you mean `cliff`?"),
        "{}",
        unknown.err
    );
}

#[test]
fn formats_for_machines_and_comments() {
    let github = lint(STEEP, "--format github");
    let line = "::warning file=small.toml,line=4,col=6,title=cliff/try/skill/band::a step of `skill` moves";
    assert!(github.out.contains(line), "{}", github.out);
    let markdown = lint(STEEP, "--format markdown");
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
    let threads = |n| lint(STEEP, &format!("--threads {n}")).out;
    assert_eq!(threads("1"), threads("3"));
}
