//! Tracks: what they show and when, and the slips that are made in them.

use oddsmith_rules::program::{Statement, plays_track};
use oddsmith_rules::{Check, OutcomeKind, load, validate};

use crate::page::{Page, good};

/// A ruleset with a check and the track `clock`, which has these rules.
fn clock(rules: &str) -> String {
    format!(
        r#"name = "Demo"
[params]
grace = {{ default = 1, domain = "0..=3" }}
[functions]
capped = "(n, most) => min(n, most)"
[checks.strike]
bands = ["Miss", "Hit"]
axes.skill = {{ default = 2, domain = "0..=5" }}
rules = """
let roll = 2d6
show total = roll + skill
show band = if total >= 9 then Hit else Miss
"""
[tracks.clock]
inherit = ["strike"]
axes.slots = {{ default = 4, domain = "1..=12" }}
rules = """
{rules}
"""
"#
    )
}

/// A track that is right.
const RULES: &str = "let filled = 0
repeat until filled == slots {
  let s = strike(..)
  show gain = if s.band == Hit then 1d4 else grace
  set filled = capped(filled + gain, slots)
}";

fn outcomes(check: &Check) -> Vec<(&str, bool)> {
    let outcomes = check.outcomes.iter();
    outcomes
        .map(|outcome| (outcome.name.as_str(), outcome.first_round))
        .collect()
}

/// The number of loops without a count that stand at the top of the rules.
fn loops(track: &Check) -> usize {
    let statements = track.program().statements().iter();
    statements
        .filter(|statement| statement.is_own_loop())
        .count()
}

#[test]
fn a_track_shows_its_rolls_its_first_round_and_its_end() {
    let text = clock(&format!(
        "show goal = slots\n{RULES}\nlet left = rolls - 1\nshow overtime = max(0, left)\nshow Late = rolls > 5"
    ));
    let model = good(&text);
    assert!(validate(&model).is_ok());
    assert_eq!(model.checks.len(), 1);
    assert!(model.check("clock").is_none());
    let track = model.track("clock").expect("it is a track");
    assert_eq!(
        outcomes(track),
        [
            ("goal", false),
            ("rolls", false),
            ("gain", true),
            ("overtime", false),
            ("Late", false)
        ]
    );
    assert_eq!(track.rounds, Some(track.outcomes[1].var));
    assert_eq!(track.outcomes[1].kind, OutcomeKind::Observable);
    assert_eq!(loops(track), 1);
    let names: Vec<&str> = track
        .inputs
        .iter()
        .map(|input| input.name.as_str())
        .collect();
    assert_eq!(names, ["grace", "skill", "slots"]);
    // What is shown at other times can be asked for in one query.
    for query in [
        "rolls <= 3",
        "P(gain == 0 | rolls > 4)",
        "mean(rolls * gain)",
        "Late",
    ] {
        assert!(track.query(query, "--query").is_ok(), "{query}");
    }
}

#[test]
fn good_tracks() {
    let bands = |rules: &str| {
        clock(rules).replace("inherit =", "bands = [\"danger\", \"goal\"]\ninherit =")
    };
    let good_ones = [
        clock(RULES),
        // The number of rounds may be what ends it, and be read in it.
        clock("let n = 0 repeat until n >= 3 or rolls == 10 { set n = n + 1d2 - 1 + min(rolls, 1) }"),
        // A pool, a label and a flag as a state; loops with a count inside.
        clock(
            "let pool = 3d6 let done = false let last = strike(..).band
             repeat until done {
               repeat 2 until last == Hit { let s = strike(..) set last = s.band }
               set pool = {pool kh 2, 1d6} set done = highest(pool) == 6 or last == Hit }
             show best = highest(pool) show Lucky = last == Hit",
        ),
        clock("let f = 0 repeat until f == slots { set f = slots } let twice = 0 repeat 2 { set twice = twice + 1 } show t = twice"),
        bands(
            "let up = 0 let down = 0
             repeat until up == slots or down == slots {
               let s = strike(skill = 3)
               set up = min(slots, up + index(s.band)) set down = min(slots, down + 1 - index(s.band)) }
             show band = if up == slots then goal else danger",
        ),
        // No checks are needed, and tracks may inherit from each other.
        "name = \"Demo\"
         [tracks.one]
         axes.slots = { default = 4, domain = \"1..=9\" }
         rules = \"let n = 0 repeat until n == slots { set n = min(slots, n + 1d4) }\"
         [tracks.two]
         inherit = [\"one\"]
         rules = \"let n = 0 repeat until n >= slots { show gain = 1d6 set n = min(slots, n + gain) }\""
            .to_owned(),
    ];
    for text in good_ones {
        let model = good(&text);
        validate(&model).unwrap_or_else(|errors| panic!("{}", errors.render(false)));
        for track in &model.tracks {
            assert!(track.rounds.is_some());
            assert_eq!(loops(track), 1, "{text}");
            assert!(track.contest.is_none() && track.goal.is_none());
        }
    }
}

#[test]
fn loops_of_tracks() {
    let cases = [
        ("no loop", "show x = 1d6"),
        ("nothing at all", "let filled = 0"),
        (
            "a loop with a count",
            "let filled = 0 repeat 10 until filled == slots { set filled = filled + 1 }",
        ),
        (
            "two loops",
            "let a = 0 repeat until a == 3 { set a = min(3, a + 1d4) }
repeat until a == 6 { set a = min(6, a + 1d4) }",
        ),
        (
            "two loops, both with a `show`",
            "let a = 0 repeat until a == 3 { show g = 1d4 set a = min(3, a + g) }
repeat until a == 6 { show h = 1d4 set a = min(6, a + h) }",
        ),
        (
            "a loop in a loop",
            "let a = 0 repeat until a == 3 { let b = 0 repeat until b == 1 { set b = 1d4 == 1 } set a = a + 1 }",
        ),
        (
            "a loop in a counted loop",
            "let a = 0 repeat 3 { repeat until a == 3 { set a = min(3, a + 1d4) } }",
        ),
        (
            "dice in `until`",
            "let a = 0 repeat until 1d6 == 6 { set a = 1 }",
        ),
        (
            "a check in `until`",
            "let a = 0 repeat until strike(..).band == Hit { set a = 1 }",
        ),
        (
            "dice of a function in `until`",
            "let a = 0 repeat until capped(a + 1d6, 6) == 6 { set a = a + 1 }",
        ),
        (
            "what a round binds in `until`",
            "repeat until s.band == Hit { let s = strike(..) }",
        ),
        (
            "a shown value in `until`",
            "repeat until gain == 3 { show gain = 1d4 }",
        ),
        (
            "what a round binds in the `until` of a loop with a count",
            "let a = 0 repeat until a > 0 { repeat 3 until b > 2 { let b = 1d6 } set a = 1 }",
        ),
        (
            "`until` of inputs",
            "let a = 0 repeat until slots == 0 { set a = 1 }",
        ),
        (
            "`until` of what is set elsewhere",
            "let a = 0 set a = 3 let b = 0 repeat until a == 4 { set b = 1 }",
        ),
        (
            "`until` that is a number",
            "let a = 0 repeat until a { set a = 1 }",
        ),
        (
            "an unknown name in `until`",
            "let filled = 0 repeat until filed == 3 { set filled = 1 }",
        ),
        (
            "dice in `until` and a slip",
            "let a = 0 repeat until 1d6 == a { set a = skil }",
        ),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        let slips = 1 + usize::from(title.ends_with("and a slip"));
        let result = load("game.toml", clock(rules).as_bytes()).map(|_| ());
        page.errors(title, slips, result);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn names_in_tracks() {
    let but = |old: &str, new: &str| {
        let text = clock(RULES);
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    };
    let cases = [
        (
            "`let rolls` before the loop",
            clock(&format!("let rolls = 3 let a = rolls\n{RULES}")),
        ),
        (
            "`let rolls` in the loop",
            but("let s = strike(..)", "let s = strike(..) let rolls = 3"),
        ),
        (
            "`show rolls`",
            clock(&format!("{RULES}\nshow rolls = filled")),
        ),
        (
            "`set rolls`",
            but("let s = strike(..)", "let s = strike(..) set rolls = 3"),
        ),
        (
            "an axis called `rolls`",
            but("axes.slots", "axes.rolls")
                .replace("== slots", "== 3")
                .replace(", slots)", ", 3)"),
        ),
        (
            "an inherited axis called `rolls`",
            but("axes.skill", "axes.rolls").replace("roll + skill", "roll + rolls"),
        ),
        ("a parameter called `rolls`", but("grace", "rolls")),
        (
            "shown twice in a round",
            but("set filled", "show gain = 3\nset filled"),
        ),
        (
            "shown in a round and after the loop",
            clock(&format!("{RULES}\nshow gain = filled")),
        ),
        (
            "shown in a round, named after the loop",
            clock(&format!("{RULES}\nshow more = gain")),
        ),
        (
            "shown in a loop with a count",
            but("set filled", "repeat 2 { show bonus = 1d4 }\nset filled"),
        ),
        (
            "`choose`, but for what?",
            but("set filled", "choose a in 0..=3 set filled"),
        ),
        (
            "`choose` in a loop with a count",
            but("set filled", "repeat 2 { choose a in 0..=3 } set filled")
                .replace("inherit =", "maximise = '-rolls'\ninherit ="),
        ),
        (
            "`choose` in a check that is played, too",
            "name = \"Demo\"
             [checks.spend]
             maximise = \"got\"
             rules = \"choose a in 0..=1 show got = a\"
             [tracks.clock]
             maximise = \"-rolls\"
             rules = \"let n = 0 repeat until n == 3 { choose b in 0..=1 let s = spend(..) set n = min(n + s.got + b, 3) }\""
                .to_owned(),
        ),
        (
            "nothing to choose",
            clock(RULES).replace("inherit =", "maximise = '-rolls'\ninherit ="),
        ),
        (
            "striving for what the first round shows",
            but("set filled", "choose a in 0..=3 set filled")
                .replace("inherit =", "maximise = 'gain'\ninherit ="),
        ),
        (
            "`choose` before the loop",
            clock(&format!("choose a in 0..=3\n{RULES}\nshow b = a")),
        ),
        (
            "bands, but none is shown",
            but("axes.slots", "bands = [\"a\", \"b\"]\naxes.slots"),
        ),
        (
            "`show band` without bands",
            clock(&format!("{RULES}\nshow band = Hit")),
        ),
        (
            "a label of two lists",
            clock(&format!("{RULES}\nshow was = Hit")) + "[labels]\nshot = ['Hit', 'Wide']\n",
        ),
    ];
    let mut page = Page::default();
    for (title, text) in cases {
        page.file(title, &text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn tables_of_tracks() {
    let but = |old: &str, new: &str| {
        let text = clock(RULES);
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    };
    let key = |line: &str| but("inherit =", &format!("{line}\ninherit ="));
    let cases = [
        ("`contest`", key("contest = \"filled\"")),
        ("`ties`", key("ties = \"both\"")),
        ("`maximise`", key("maximise = \"gain\"")),
        ("an unknown key", key("until = \"filled == slots\"")),
        (
            "no rules",
            but(
                "inherit =",
                "axes.more = { default = 1, domain = \"0..=3\" }\ninherit =",
            )
            .replace(&format!("rules = \"\"\"\n{RULES}\n\"\"\""), ""),
        ),
        (
            "named like a check",
            but("[tracks.clock]", "[tracks.strike]"),
        ),
        (
            "named like a function",
            but("[tracks.clock]", "[tracks.capped]"),
        ),
        ("misspelt table", but("[tracks.clock]", "[track.clock]")),
        ("an empty table", "name = \"Demo\"\n[tracks]\n".to_owned()),
        (
            "an empty table beside a check",
            but("[tracks.clock]", "[tracks]\n[checks.clock]")
                .replace("until filled", "9 until filled")
                .replace("show gain", "let gain")
                .replace("slots)\n}", "slots)\n} show all = filled"),
        ),
        (
            "tracks is a list",
            "name = \"Demo\"\ntracks = []\n".to_owned(),
        ),
        (
            "a track is a string",
            "name = \"Demo\"\ntracks.a = \"show x = 1\"\n".to_owned(),
        ),
        (
            "inherit from nothing",
            but("[\"strike\"]", "[\"strike\", \"escape\"]"),
        ),
        ("inherit from a slip", but("[\"strike\"]", "[\"stike\"]")),
        (
            "inherit from itself",
            but("[\"strike\"]", "[\"strike\", \"clock\"]"),
        ),
        (
            "a check plays a track that plays it",
            but("let roll = 2d6", "let roll = clock(..).rolls"),
        ),
        (
            "a check plays such a track by `let`",
            but("let roll = 2d6", "let c = clock(..) let roll = c.rolls"),
        ),
        (
            "a track plays itself",
            but("strike(..)", "clock(..)").replace("s.band == Hit", "s.rolls == 1"),
        ),
        (
            "a requirement that is a number",
            key("require = [\"slots\"]"),
        ),
        (
            "a requirement of the state",
            key("require = [\"filled < 3\"]"),
        ),
    ];
    let mut page = Page::default();
    for (title, text) in cases {
        page.file(title, &text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// A track that plays `clock`, whose round has these statements.
fn scenes(round: &str) -> String {
    let rules =
        format!("let done = 0\nrepeat until done >= 2 {{\n{round}\nset done = done + 1\n}}");
    format!(
        "{}[tracks.scenes]\nrules = \"\"\"\n{rules}\n\"\"\"\n",
        clock(RULES)
    )
}

/// The names of the tracks that statements play, outside of blocks.
fn played(statements: &[Statement]) -> Vec<&str> {
    let mut names = Vec::new();
    for statement in statements {
        if let Statement::Repeat {
            played: name, body, ..
        } = statement
        {
            names.extend(name.as_deref());
            names.extend(played(body));
        }
    }
    names
}

#[test]
fn a_track_that_is_played_is_a_loop_with_a_name() {
    let model = good(&scenes(
        "let c = clock(slots = 2)\nset done = done + c.rolls",
    ));
    let track = model.track("scenes").expect("it is a track");
    assert_eq!(outcomes(track), [("rolls", false)]);
    assert_eq!(loops(track), 1);
    assert_eq!(played(track.program().statements()), ["clock"]);
    assert!(plays_track(track.program().statements()));
    let clock = model.track("clock").expect("it is there");
    assert!(!plays_track(clock.program().statements()));
    let model = good(&scenes(
        "set done = done + 1d[clock(slots = 2).rolls] - 1d[clock().rolls]",
    ));
    let track = model.track("scenes").expect("it is a track");
    assert!(played(track.program().statements()).is_empty());
    assert!(plays_track(track.program().statements()), "in a die");
}

/// A track with an axis `hurry` that plays `clock`, whose checks have a choice that `hurry` leaves open.
fn policies(given: &str) -> String {
    let text = scenes(&format!(
        "let c = clock(slots = 2, {given})\nset done = done + c.rolls"
    ));
    let axis = "axes.hurry = { default = 0, domain = \"0..=1\" }";
    text.replace("[checks.strike]", &format!("[checks.strike]\nmaximise = \"total\"\n{axis}"))
        .replace("let roll = 2d6", "let bold = 3 * hurry\nchoose stay in 0..=(if hurry == 1 then 2 else bold)\nlet roll = 2d6 + stay")
        .replace("[tracks.scenes]", &format!("[tracks.scenes]\n{axis}"))
}

#[test]
fn a_call_may_leave_one_option() {
    for given in ["hurry = 0", "hurry = 1 - 1", "hurry = min(hurry, 0)"] {
        let model = good(&policies(given));
        let track = model.track("scenes").expect("it is a track");
        let program = format!("{:?}", track.program().statements());
        assert!(!program.contains("Choose"), "{given}: {program}");
        let named = |name: &str| {
            track
                .program()
                .variables()
                .iter()
                .any(|var| var.name() == name)
        };
        assert!(named("stay"), "it is bound all the same");
        let clock = model.track("clock").expect("it is a track");
        let program = format!("{:?}", clock.program().statements());
        assert!(
            program.contains("Choose"),
            "by itself it chooses: {program}"
        );
    }
}

#[test]
fn slips_with_tracks_that_are_played() {
    let read = scenes("let c = clock(slots = 2)\nset done = done + c.rolls");
    let chooses = read
        .replace("let s = ", "choose bold in 0..=1\n  let s = ")
        .replace("[tracks.clock]", "[tracks.clock]\nmaximise = \"-rolls\"");
    let cases = [
        (
            "what the first round shows",
            scenes("let c = clock(slots = 2)\nset done = done + c.gain"),
        ),
        (
            "a slip in a field",
            scenes("let c = clock(slots = 2)\nset done = done + c.rols"),
        ),
        ("a slip in its name", scenes("let c = clok(slots = 2)")),
        ("all of it", scenes("set done = clock(slots = 2)")),
        ("an axis that it has not", scenes("let c = clock(slot = 2)")),
        ("it chooses", chooses),
        ("the caller's axis decides", policies("hurry = hurry")),
        ("`..` passes that axis on", policies("..")),
        (
            "one number, if a condition allows it",
            policies("hurry = 0").replace("bold)", "bold) where stay > 0"),
        ),
    ];
    let mut page = Page::default();
    for (title, text) in cases {
        page.file(title, &text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn configurations_of_tracks() {
    let mut page = Page::default();
    let text = clock(&RULES.replace("1d4", "d(3 - grace - slots)"));
    page.errors("sides", 1, validate(&good(&text)).map(|_| ()));
    let text = clock(RULES).replace("inherit =", "require = [\"slots > 4\"]\ninherit =");
    page.errors(
        "the defaults break one",
        1,
        validate(&good(&text)).map(|_| ()),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn each_slip_of_a_file_with_tracks_is_an_error() {
    let text = clock(&RULES.replace("set filled", "set filed")).replace(
        "[tracks.clock]",
        "[tracks.other]\nrules = \"show x = 1d6\"\n[tracks.third]\nbands = [\"a\"]\n\
         rules = \"let n = 0 repeat until n == 3 { set n = n + 1 }\"\n[tracks.clock]",
    );
    let mut page = Page::default();
    page.errors(
        "three tracks, three slips",
        3,
        load("game.toml", text.as_bytes()).map(|_| ()),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// A file of checks or tracks, each of which but the last plays the next one by these rules, in which `NEXT` is its name.
fn chain(kind: &str, length: usize, rules: &str, last: &str) -> String {
    let mut text = "name = \"Chain\"\n".to_owned();
    for at in 0..=length {
        let rules = match at < length {
            true => rules.replace("NEXT", &format!("c{}", at + 1)),
            false => last.to_owned(),
        };
        text += &format!("[{kind}.c{at}]\nrules = '''\n{rules}\n'''\n");
    }
    text
}

#[test]
fn what_plays_others_too_deeply_or_too_often_is_refused() {
    let told = |text: &str| match load("chain.toml", text.as_bytes()) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.0.into_iter().map(|error| error.message).collect(),
    };
    let checks = |length| chain("checks", length, "show x = NEXT().x + 1", "show x = 1d6");
    assert_eq!(told(&checks(64)), Vec::<String>::new());
    let deep = told(&checks(70));
    assert_eq!(deep, ["calls are nested too deeply"; 6]);
    let round = "let a = 0\nrepeat until a == 1 { let t = NEXT() set a = t.x }\nshow x = a";
    let last = "let a = 0\nrepeat until a == 1 { set a = 1d2 == 1 }\nshow x = a";
    let tracks = |length| chain("tracks", length, round, last);
    assert_eq!(told(&tracks(6)), Vec::<String>::new());
    let deep = told(&tracks(7));
    assert_eq!(deep, ["tracks are played too deeply in one another"]);
    let twice = "show x = NEXT().x + NEXT().x";
    let often = told(&chain("checks", 20, twice, "show x = 1d6"));
    let too_often = |message: &String| message == "these rules play out more than 10000 calls";
    assert!(
        !often.is_empty() && often.iter().all(too_often),
        "{often:?}"
    );
}
