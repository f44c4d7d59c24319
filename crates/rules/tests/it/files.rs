//! Slips in the file around the scripts.

use oddsmith_rules::{all_games, load, validate};
use toml_parser::lexer::TokenKind;

use crate::page::{Page, good};

const TEXT: &str = r#"name = "Demo"
require = ["cap < 9"]
[params]
cap = { default = 3, domain = "0..=10", help = "a cap" }
[functions]
f = "(n) => n"
[checks.check]
bands = ["Miss", "Hit"]
axes.rank = { default = 2, domain = "-2..=5", sweep = "0,1" }
axes.state = { default = "ok", domain = ["ok", "fragile"] }
rules = "show band = if rank > 1 then Hit else Miss"
"#;

/// The ruleset with one change.
fn but(old: &str, new: &str) -> String {
    assert!(TEXT.contains(old), "{old}");
    TEXT.replacen(old, new, 1)
}

#[test]
fn what_is_no_ruleset() {
    let mut page = Page::default();
    page.file("empty", "");
    page.file("blank", "\n\n  \n");
    page.file("only comments", "# a game\n# of dice\n");
    page.errors(
        "not UTF-8",
        1,
        load("game.toml", b"# a comment\nname = \"Caf\xe9\"\n").map(|_| ()),
    );
    page.errors(
        "UTF-16",
        1,
        load("game.toml", b"\xff\xfen\0a\0m\0e\0").map(|_| ()),
    );
    let cases = [
        ("no closing quote", but("\"Demo\"", "\"Demo")),
        ("no value", but("name = \"Demo\"", "name =")),
        ("no equals sign", but("name = \"Demo\"", "name \"Demo\"")),
        ("open bracket", but("[params]", "[params")),
        (
            "no equals sign in a table",
            but("{ default = 3,", "{ default 3,"),
        ),
        ("no comma in a table", but("default = 3, ", "default = 3 ")),
        ("curly quotes", but("\"Demo\"", "“Demo”")),
        (
            "a range without quotes",
            but("domain = \"-2..=5\"", "domain = -2..=5"),
        ),
        (
            "a range of another tool",
            but("domain = \"0..=10\"", "domain = 0-10"),
        ),
        (
            "a range of letters",
            but("domain = \"0..=10\"", "domain = low..=high"),
        ),
        ("a leading zero", but("default = 3", "default = 03")),
        ("colons", but("default = 3", "default: 3")),
        (
            "a list in braces",
            but("[\"Miss\", \"Hit\"]", "{\"Miss\", \"Hit\"}"),
        ),
        (
            "a number and no comma",
            but("default = 3, domain", "default = 3 domain"),
        ),
        ("rules never end", but("rules = \"", "rules = \"\"\"")),
        (
            "duplicate key",
            but("name = \"Demo\"", "name = \"Demo\"\nname = \"Again\""),
        ),
        ("duplicate axis", but("axes.state = {", "axes.rank = {")),
        (
            "duplicate table",
            but("[functions]\nf = \"(n) => n\"", "[params]"),
        ),
    ];
    for (title, text) in cases {
        page.file(title, &text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// What is never closed is told once, where it was opened, and nothing else is.
#[test]
fn what_is_never_closed_is_told_where_it_is_opened() {
    for (name, text) in all_games() {
        let tokens = toml_parser::Source::new(text).lex().into_vec();
        let closings = tokens.iter().filter_map(|token| {
            let (start, end) = (token.span().start(), token.span().end());
            match token.kind() {
                TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => Some(start..end),
                TokenKind::MlLiteralString | TokenKind::MlBasicString => Some(end - 3..end),
                _ => None,
            }
        });
        for at in closings {
            let closing = &text[at.clone()];
            let without = [&text[..at.start], &text[at.end..]].concat();
            let errors = load(name, without.as_bytes())
                .expect_err("something is open")
                .0;
            let line = 1 + text[..at.start].matches('\n').count();
            let told: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
            let what = format!("{name}:{line}: {closing}: {told:#?}");
            assert_eq!(errors.len(), 1, "{what}");
            assert!(
                told[0].starts_with(&format!("the closing `{closing}` of")),
                "{what}"
            );
        }
    }
}

#[test]
fn what_is_open_looks_like_this() {
    let mut page = Page::default();
    let cases = [
        ("a list", but("\"Hit\"]", "\"Hit\"")),
        ("a list of several lines", but("\"Hit\"]", "\"Hit\",\n")),
        ("a table", but("help = \"a cap\" }", "help = \"a cap\"")),
        ("a list in a table", but("\"fragile\"] }", "\"fragile\" }")),
        (
            "a list in a table, and the table",
            but("\"fragile\"] }", "\"fragile\""),
        ),
        (
            "a table of several lines",
            but("{ default = 2, domain", "{\n  default = 2\n  domain"),
        ),
        (
            "quotes in a table",
            but("help = \"a cap\" }", "help = \"a cap }"),
        ),
        ("a list at the end", format!("{TEXT}charts = [1, 2\n")),
        (
            "rules before rules",
            but("rules = \"", "rules = '''\n").replace("Miss\"\n", "Miss\n")
                + "[checks.other]\nrules = '''\nshow x = 1d6\n'''\n[checks.third]\nrules = '''\nshow x = 1d6\n'''\n",
        ),
        (
            "a heading, and a key that is there twice",
            but("[functions]", "[functions").replace("bands =", "f = 1\nbands = [\"A\"]\nbands ="),
        ),
    ];
    for (title, text) in cases {
        page.file(title, &text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn keys() {
    let rules = "rules = \"show band = if rank > 1 then Hit else Miss\"\n";
    let cases = [
        ("unknown in the file", but("require =", "requires =")),
        ("unknown table", but("[functions]", "[function]")),
        ("unknown in a parameter", but("help =", "hlep =")),
        (
            "unknown in a check",
            but("rules =", "goal = \"rank\"\nrules ="),
        ),
        ("misspelt bands", but("bands =", "band =")),
        ("unknown in an axis", but("sweep =", "sweeps =")),
        (
            "unknown in a check, known in the file",
            but("rules =", "params = \"rank\"\nrules ="),
        ),
        (
            "a parameter's key in the file",
            but("require =", "domain = \"0..=3\"\nrequire ="),
        ),
        (
            "reading of an axis",
            but("sweep =", "reading = \"open\", sweep ="),
        ),
        (
            "a reading that says nothing",
            but("help = \"a cap\"", "reading = \" \""),
        ),
        (
            "a reading that is a number",
            but("help = \"a cap\"", "reading = 3"),
        ),
        (
            "sweep of a parameter",
            but("help = \"a cap\"", "sweep = \"1,2\""),
        ),
        (
            "no default",
            but("axes.rank = { default = 2, ", "axes.rank = { "),
        ),
        (
            "misspelt default",
            but("axes.rank = { default", "axes.rank = { defualt"),
        ),
        (
            "no domain",
            but(
                "cap = { default = 3, domain = \"0..=10\",",
                "cap = { default = 3,",
            ),
        ),
        ("no name", but("name = \"Demo\"\n", "")),
        ("no checks", "name = \"Demo\"\n".to_owned()),
        ("no rules", but(rules, "")),
        ("misspelt rules", but("rules =", "rule =")),
        (
            "checks is a list",
            "name = \"Demo\"\nchecks = []\n".to_owned(),
        ),
        ("checks is empty", "name = \"Demo\"\n[checks]\n".to_owned()),
        (
            "a check without a name",
            "name = \"Demo\"\n[checks]\nbands = [\"Miss\", \"Hit\"]\naxes.bonus = 0\nrules = \"show x = 1d6\"\n".to_owned(),
        ),
        (
            "a check is a string",
            "name = \"Demo\"\nchecks.a = \"show x = 1\"\n".to_owned(),
        ),
        ("the name is a number", but("name = \"Demo\"", "name = 5")),
        (
            "rules is a list",
            but(rules, "rules = [\"show band = Miss\"]\n"),
        ),
        (
            "a parameter is a number",
            but("cap = {", "top = 3\ncap = {"),
        ),
        (
            "a name that is no word",
            but("axes.state", "axes.\"my-state\""),
        ),
        ("a name that is a keyword", but("axes.state", "axes.if")),
        (
            "an axis named like a parameter",
            but("axes.state", "axes.cap"),
        ),
        (
            "a check named like a function",
            but("[checks.check]", "[checks.f]"),
        ),
        (
            "inherit from nothing",
            but("bands =", "inherit = [\"chek\"]\nbands ="),
        ),
        (
            "inherit from itself",
            but("bands =", "inherit = [\"check\"]\nbands ="),
        ),
        (
            "escapes in rules",
            but("rank > 1 then", "rank > 1 \\n then"),
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
fn values() {
    let no_bands = "show x = rank";
    let script = "show band = if rank > 1 then Hit else Miss";
    let bands = "[\"Miss\", \"Hit\"]";
    let cases = [
        (
            "duplicate band",
            but(bands, "[\"Miss\", \"Hit\", \"Miss\"]"),
        ),
        (
            "a band that queries can't name",
            but(bands, "[\"Miss\", \"Hit\", \"Hit & Run\"]"),
        ),
        ("no bands", but(bands, "[]")),
        ("bands is a string", but(bands, "\"Miss\"")),
        (
            "a band that is a number",
            but(bands, "[\"Miss\", \"Hit\", 6]"),
        ),
        ("bands but no `show band`", but(script, no_bands)),
        (
            "`show band` but no bands",
            but(script, "show band = 2d6").replace("bands = [\"Miss\", \"Hit\"]\n", ""),
        ),
        (
            "`show band` with labels but no bands",
            TEXT.replace("bands = [\"Miss\", \"Hit\"]\n", ""),
        ),
        (
            "nothing shown",
            but(script, "let a = 1").replace("bands = [\"Miss\", \"Hit\"]\n", ""),
        ),
        (
            "empty rules",
            but(script, "").replace("bands = [\"Miss\", \"Hit\"]\n", ""),
        ),
        (
            "default outside the domain",
            but("default = 3", "default = 30"),
        ),
        (
            "default that is no label",
            but("default = \"ok\"", "default = \"fragle\""),
        ),
        (
            "default that is a string",
            but("default = 3", "default = \"3\""),
        ),
        (
            "default that is a fraction",
            but("default = 3", "default = 3.5"),
        ),
        (
            "default of a parameter that the rules use",
            but("default = 2,", "default = 12,"),
        ),
        ("list for an axis", but("default = 2", "default = [2, 3]")),
        (
            "empty list",
            but("default = 3", "default = []").replace("cap < 9", "1 < 9"),
        ),
        (
            "an item outside the domain",
            but("default = 3", "default = [3, 11]").replace("cap < 9", "cap[0] < 9"),
        ),
        ("two dots", but("\"-2..=5\"", "\"-2..5\"")),
        ("upside down", but("\"-2..=5\"", "\"5..=-2\"")),
        ("domain that is a number", but("\"-2..=5\"", "5")),
        (
            "label twice",
            but("[\"ok\", \"fragile\"]", "[\"ok\", \"ok\"]"),
        ),
        ("sweep outside the domain", but("\"0,1\"", "\"0,9\"")),
        ("sweep twice the same", but("\"0,1\"", "\"0,1,0\"")),
        ("sweep list twice the same", but("\"0,1\"", "[0, 1, 0]")),
        ("sweep of nothing", but("\"0,1\"", "[]")),
        ("sweep list outside the domain", but("\"0,1\"", "[0, 9]")),
        ("sweep that is a number", but("\"0,1\"", "1")),
        ("requirement that is a number", but("cap < 9", "cap")),
        ("requirement of an unknown name", but("cap < 9", "cup < 9")),
        ("requirement of dice", but("cap < 9", "1d6 < 9")),
        ("requirement that does not read", but("cap < 9", "cap <")),
        ("requirement that is no string", but("[\"cap < 9\"]", "[9]")),
    ];
    let mut page = Page::default();
    for (title, text) in cases {
        page.file(title, &text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn five_slips_are_five_errors() {
    let of_every_kind = r#"name = "Demo"
author = "me"
[params]
cap = { default = 30, domain = "0..=10" }
[checks.check]
bands = ["Miss", "Hit", "Miss"]
axes.state = { default = "ok", domain = ["ok", "broken"] }
rules = """
let pool = 2d6 + cpa
let low = pool kl 1
show total = state + cap
show band = if total > 3 then Hit else Miss
"""
"#;
    let in_one_script = r#"name = "Demo"
[checks.check]
axes.rank = { default = 2, domain = "0..=5" }
rules = """
let a = (rank + 1
let b = 2d6 + rnk
let c = if rank then 1 else 0
show x = a + b + c
show y = matches(2d6, 1d2)
show z = match 2d6 { < 7: 0, > 7: 1 }
"""
"#;
    let in_several_checks = r#"name = "Demo"
[params]
cap = { default = 3, domain = "0..10" }
top = { default = 3 }
[functions]
f = "(n) => n + cpa"
[checks.one]
rules = "show x = f(cap) + top"
[checks.two]
axes.a = { default = 7, domain = "0..=5", swep = "all" }
rules = "show x = one(..).x + f(a)"
[checks.three]
rules = "show x = one(..).y"
"#;
    let mut page = Page::default();
    page.errors(
        "of every kind",
        5,
        load("game.toml", of_every_kind.as_bytes()).map(|_| ()),
    );
    page.errors(
        "in one script",
        5,
        load("game.toml", in_one_script.as_bytes()).map(|_| ()),
    );
    let result = load("game.toml", in_several_checks.as_bytes()).map(|_| ());
    page.errors("in several checks", 6, result);
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn readings_of_the_game() {
    let reading = "The text does not say whether the cap counts Banes. It does.";
    let with = |value: &str| but("help = \"a cap\"", &format!("reading = '{value}'"));
    let model = good(&with(reading));
    assert_eq!(model.params[0].reading, reading);
    assert_eq!(model.params[0].help, "");
    for input in model.checks[0].inputs.iter() {
        let is_cap = input.name == "cap";
        assert_eq!(input.reading.is_empty(), !is_cap, "{}", input.name);
    }
    // Every element of a list has it.
    let list = with(reading)
        .replace("default = 3", "default = [3, 4]")
        .replace("cap < 9", "cap[1] < 9");
    let model = good(&list);
    let readings: Vec<&str> = model
        .params
        .iter()
        .map(|param| param.reading.as_str())
        .collect();
    assert_eq!(readings, [reading, reading]);
    assert_eq!(good(TEXT).params[0].reading, "");
}

#[test]
fn line_ends_and_byte_order_marks_do_not_matter() {
    let windows = TEXT.replace('\n', "\r\n");
    assert!(validate(&good(&windows)).is_ok());
    assert!(validate(&good(&format!("\u{feff}{TEXT}"))).is_ok());
    assert!(validate(&good(&format!("\u{feff}{windows}"))).is_ok());

    let script = "rules = \"\"\"\nlet a = 1\nlet é = 2\nshow band = Hti\n\"\"\"";
    let wrong = but(
        "rules = \"show band = if rank > 1 then Hit else Miss\"",
        script,
    )
    .replace("let é = 2", "# é");
    let place = |text: &str| {
        let errors = load("game.toml", text.as_bytes()).expect_err("a wrong band");
        assert_eq!(errors.0.len(), 1);
        let error = &errors.0[0];
        assert_eq!(&error.source.text[error.span.start..error.span.end], "Hti");
        error.to_string()
    };
    let expected = "game.toml:14:13: unknown label `Hti`";
    assert_eq!(place(&wrong), expected);
    assert_eq!(place(&wrong.replace('\n', "\r\n")), expected);
    assert_eq!(place(&format!("\u{feff}{wrong}")), expected);
}

/// Scripts would read a die where these names stand.
#[test]
fn names_that_begin_like_dice() {
    let mut page = Page::default();
    let cases = [
        ("an axis", but("axes.rank", "axes.d6")),
        (
            "a parameter",
            but("cap = {", "dF = {").replace("cap < 9", "1 < 9"),
        ),
        (
            "a list",
            but("cap = { default = 3", "d = { default = [3]").replace("cap < 9", "1 < 9"),
        ),
        ("a function", but("f = ", "d20_bonus = ")),
        ("a function with brackets", but("f = ", "d = ")),
        ("a function's parameter", but("(n) => n", "(d6) => 3")),
        ("a check", but("[checks.check]", "[checks.d100]")),
        ("a check with brackets", but("[checks.check]", "[checks.d]")),
        (
            "a check like a function",
            but("[checks.check]", "[checks.floor]"),
        ),
        (
            "a track",
            but(
                "[checks.check]",
                "[tracks.d6]\nrules = 'let n = 0 repeat until n == 1 { set n = 1 }'\n[checks.check]",
            ),
        ),
        (
            "an outcome",
            but("\"show band", "\"show d6_total = 1 show band"),
        ),
        (
            "a label",
            but("\"Hit\"]", "\"d6\"]").replace("then Hit", "then d6"),
        ),
        (
            "an item of a list",
            but("\"show band", "\"let d = [1, 2] show x = d[0] show band"),
        ),
    ];
    for (title, text) in cases {
        page.file(
            title,
            &text.replace(
                "if rank > 1 then Hit",
                if title == "an axis" {
                    "if 2 > 1 then Hit"
                } else {
                    "if rank > 1 then Hit"
                },
            ),
        );
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}
