//! Texts that would act on a terminal or break a table, and names that two columns would have.

use oddsmith_rules::{Diagnostics, load};

use crate::page::{Page, good};

/// A ruleset in which `@1@` to `@9@` stand in every kind of text; `keep` says which of them stays one.
const TEXTS: &str = r#"name = "Demo @1@"
help = "A game @2@"
[params]
cap = { default = 3, domain = "0..=10", help = "a cap @3@", reading = "open @4@" }
[functions]
f = "(n) => n # @5@"
[checks.check]
help = "a check @6@"
bands = ["Miss", "Hit @7@"]
axes.state = { default = "ok", domain = ["ok", "frail @8@"], help = "@9@" }
rules = """
show total = f(1d6) # @10@
show band = if total > cap then "Miss" else "Miss"
"""
[[charts]]
title = "A chart @11@"
x = "state"
[[expect]]
intent = "A game of chance @12@"
query = "Miss"
at_least = 0
[[accept]]
finding = "unreachable/check/Miss"
reason = "So it is @13@"
[tune]
vary = ["cap=1..=2"]
[[tune.goals]]
intent = "A goal @14@"
query = "Miss"
at_least = 0
"#;

/// How many places [`TEXTS`] has.
const PLACES: usize = 14;

/// The texts with `what` at one of the places.
fn with(place: usize, what: &str) -> String {
    let mut text = TEXTS.to_owned();
    for at in 1..=PLACES {
        text = text.replace(&format!("@{at}@"), if at == place { what } else { "x" });
    }
    text
}

fn errors(text: &str) -> Diagnostics {
    match load("game.toml", text.as_bytes()) {
        Ok(_) => Diagnostics(Vec::new()),
        Err(errors) => errors,
    }
}

/// Characters that no text may hold, of every block of them.
const REFUSED: [char; 26] = [
    '\u{0}',
    '\u{7}',
    '\u{8}',
    '\u{c}',
    '\u{1b}',
    '\u{1f}',
    '\u{7f}',
    '\u{85}',
    '\u{9b}',
    '\u{ad}',
    '\u{61c}',
    '\u{200b}',
    '\u{200d}',
    '\u{200e}',
    '\u{200f}',
    '\u{2028}',
    '\u{2029}',
    '\u{202a}',
    '\u{202e}',
    '\u{2060}',
    '\u{2066}',
    '\u{2069}',
    '\u{feff}',
    '\u{fff9}',
    '\u{e0001}',
    '\u{e007f}',
];

/// A character that TOML itself keeps out of strings.
fn is_of_toml(c: char) -> bool {
    c != '\t' && (c < ' ' || c == '\u{7f}')
}

#[test]
fn hidden_characters_are_refused_in_every_text_and_however_they_are_written() {
    good(&with(0, "x"));
    for place in 1..=PLACES {
        for c in REFUSED {
            let code = u32::from(c);
            let escaped = [format!("\\u{code:04X}"), format!("\\U{code:08X}")];
            let fits = if code > 0xffff {
                &escaped[1..]
            } else {
                &escaped[..]
            };
            let itself = (!is_of_toml(c)).then(|| c.to_string());
            for written in fits.iter().chain(&itself) {
                let text = with(place, &format!("x{written}x"));
                let found = errors(&text).0;
                let named = |message: &str| message.contains(&format!("U+{code:04X}"));
                let at = text.find(written.as_str()).expect("it was put there");
                assert!(
                    found
                        .iter()
                        .any(|error| named(&error.message) && error.span.start == at),
                    "place {place}, {written:?}: {found:?}"
                );
                assert!(
                    found.iter().all(|error| !error.to_string().contains(c)),
                    "place {place}: {found:?}"
                );
            }
        }
    }
}

#[test]
fn letters_of_all_scripts_and_emoji_stand_in_texts() {
    let words = [
        "Erfolg mit Größe",
        "成功",
        "הצלחה",
        "نجاح",
        "e\u{301}t\u{e9}",
        "👩\u{200d}🚀",
        "❤\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
        "می\u{200c}خواهم",
        "葛\u{e0100}",
    ];
    for word in words {
        for place in 1..=PLACES {
            good(&with(place, word));
        }
    }
}

#[test]
fn texts_that_are_refused() {
    let mut page = Page::default();
    page.file("unit separator", &with(7, r"\u001f"));
    page.file("escape", &with(1, r"\u001b[31mred"));
    page.file("short escape", &with(2, r"bell\b"));
    page.file("bidirectional override", &with(9, "\u{202e}abc"));
    page.file("byte order mark", &with(11, "a\u{feff}b"));
    page.file("line separator", &with(3, r"a\u2028b"));
    page.file("idle joiner", &with(8, "a\u{200d}b"));
    page.errors(
        "two",
        2,
        Err(errors(&with(1, r"\u001b").replace("A game x", r"\u200b"))),
    );
    page.file(
        "key",
        &with(0, "")
            .replace("cap = { def", "\"c\\u001bap\" = { def")
            .replace("> cap", "> 3")
            .replace("\"cap=1..=2\"", ""),
    );
    page.file("lines in a help", &with(6, r"a\nb"));
    page.file("tab in a title", &with(11, r"a\tb"));
    page.file("tab in a label", &with(7, r"a\tb"));
    page.file(
        "space behind a label",
        &with(7, "").replace("\"Miss\", ", "\"Miss\", \"Hit\", "),
    );
    page.file(
        "column of tables",
        &with(0, "").replace("\"Miss\",", "\"Miss\", \"weight:Miss\","),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}

const NAMES: &str = r#"name = "Demo"
[params]
cap = { default = 3, domain = "0..=10" }
lines = { default = [1, 2], domain = "0..=10" }
[checks.parent]
axes.goal = { default = 3, domain = "0..=10" }
rules = "show value = 1"
[checks.check]
inherit = ["parent"]
bands = ["Miss", "Hit"]
axes.rank = { default = 2, domain = "-2..=5", sweep = "0,1" }
rules = """
show total = rank + lines[0]
show Twist = total > cap
show band = if total > goal then "Miss" else "Hit"
"""
[tracks.clock]
bands = ["short", "long"]
rules = """
let filled = 0
repeat until filled >= 3 { set filled = filled + 1 }
show band = if rolls > 5 then "long" else "short"
"""
"#;

#[test]
fn names_that_two_columns_would_have() {
    good(NAMES);
    let but = |old: &str, new: &str| NAMES.replace(old, new);
    let mut page = Page::default();
    page.file("band and axis", &but("\"Hit\"", "\"rank\""));
    page.file("band and inherited axis", &but("\"Hit\"", "\"goal\""));
    page.file("band and parameter", &but("\"Hit\"", "\"cap\""));
    page.file("band and list", &but("\"Hit\"", "\"lines\""));
    page.file("band and item of a list", &but("\"Hit\"", "\"lines[1]\""));
    page.file("band and flag", &but("\"Hit\"", "\"Twist\""));
    page.file("band and number", &but("\"Hit\"", "\"total\""));
    page.file("band and itself", &but("\"Hit\"", "\"band\""));
    page.file("band and rounds", &but("\"long\"", "\"rolls\""));
    page.file("flag and parameter", &but("show Twist", "show lines"));
    page.file("number and parameter", &but("total", "cap"));
    page.errors(
        "two",
        2,
        Err(errors(&but("\"Miss\"", "\"rank\"").replace("Hit", "cap"))),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// They differ in every output, as their columns do.
#[test]
fn a_name_with_a_capital_is_another_name() {
    good(
        &NAMES
            .replace("\"Hit\"", "\"Goal\"")
            .replace("\"Miss\"", "\"goals\""),
    );
}
