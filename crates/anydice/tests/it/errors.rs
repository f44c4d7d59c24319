//! Errors: what they say, where, and what they advise.

use oddsmith_anydice::ErrorKind;

use super::run;

/// Programs with errors: the place, and parts of the message with its advice.
const ERRORS: [(&str, &str, &[&str]); 38] = [
    (
        "output 2d6 +",
        "1:13",
        &["expected a value", "the end of the program"],
    ),
    ("output", "1:7", &["expected a value"]),
    (
        "2d6",
        "1:1",
        &["expected a statement", "write `output` before a value"],
    ),
    (
        "ouput 2d6",
        "1:1",
        &["expected a statement", "did you mean `output`?"],
    ),
    (
        "output x",
        "1:8",
        &[
            "expected a value, found `x`",
            "names of variables are written in capitals, X",
        ],
    ),
    ("output dd6", "1:8", &["found `dd`", "d(d6)"]),
    ("output (1 + 2", "1:14", &["expected `)`"]),
    ("output {1, 2", "1:13", &["expected `}`"]),
    ("output [highest 1 of 2d6", "1:25", &["expected `]`"]),
    ("output {1.5}", "1:11", &["expected `.` of a range"]),
    ("output 1 named X", "1:16", &["expected a text in quotes"]),
    (
        "output \"text\"",
        "1:8",
        &["found a text in quotes", "only after `named`"],
    ),
    ("output 1 named \"open", "1:16", &["this text has no end"]),
    (
        "output 1 \\ open",
        "1:10",
        &["this comment has no end", "two backslashes"],
    ),
    (
        "output 99999999999999999999",
        "1:8",
        &["does not fit in 64 bits"],
    ),
    (
        "output 1 % 2",
        "1:10",
        &["`%` has no meaning", "there is no remainder"],
    ),
    (
        "output 3 \u{d7} 2",
        "1:10",
        &["multiplication is written `*`"],
    ),
    ("X: 1\nloop X {1..2} {}", "2:8", &["expected `over`"]),
    (
        "loop 3 over {1..2} {}",
        "1:6",
        &["the name of a variable", "capitals, such as ROLL"],
    ),
    (
        "if 1 output 2",
        "1:6",
        &["expected `{` that begins a block"],
    ),
    (
        "function: f X:q { result: 1 }",
        "1:15",
        &["n, s or d", "n is a number"],
    ),
    (
        "function: f { output 1 }",
        "1:15",
        &["`output` stands inside a function", "result"],
    ),
    (
        "function: f { result: 1 X: 2 }",
        "1:25",
        &["expected `}` after a result"],
    ),
    (
        "result: 5",
        "1:1",
        &["outside of a function", "write `output`"],
    ),
    (
        "function: f { set \"explode depth\" to 3 }",
        "1:15",
        &["`set` stands inside a function"],
    ),
    (
        "set \"explod depth\" to 3",
        "1:5",
        &["there is no setting", "did you mean \"explode depth\"?"],
    ),
    ("set \"position order\" to 3", "1:25", &["\"lowest first\""]),
    (
        "set \"explode depth\" to 0",
        "1:1",
        &["a depth is a number from 1", "this is 0"],
    ),
    ("set \"explode depth\" to d6", "1:1", &["this is d6"]),
    (
        "ROLL: 1\noutput ROL",
        "2:8",
        &["ROL has no value", "did you mean ROLL?"],
    ),
    ("output 1 named \"[NOPE]\"", "1:17", &["NOPE has no value"]),
    (
        "if d6 { output 1 }",
        "1:4",
        &["a condition is a number, and this is a die", "ROLL:n"],
    ),
    ("if {1} { output 1 }", "1:4", &["this is a sequence"]),
    (
        "loop X over d6 { output X }",
        "1:13",
        &["a loop goes over a sequence", "{1..6}"],
    ),
    ("output d6 @ {1}", "1:8", &["the place before `@` is a die"]),
    (
        "output {1..d6}",
        "1:12",
        &["the end of a range is a number, and this is a die"],
    ),
    (
        "output [higest 3 of 4d6]",
        "1:8",
        &[
            "there is no function [higest ? of ?]",
            "did you mean [highest ? of ?]",
        ],
    ),
    ("output 0 ^ -1", "1:8", &["0 ^ -1 has no value"]),
];

#[test]
fn errors_have_their_place_and_a_way_out() {
    for (program, place, parts) in ERRORS {
        let error = run(program).expect_err(program);
        let shown = error.render("demo", program, false);
        assert!(shown.contains(&format!("--> demo:{place}\n")), "{shown}");
        for part in parts {
            assert!(shown.contains(part), "{part} in\n{shown}");
        }
        assert_ne!(error.kind, ErrorKind::Refused, "{shown}");
    }
}

#[test]
fn numbers_beyond_64_bits_are_errors() {
    let large = i64::MAX;
    for expression in [
        format!("{large} + 1"),
        format!("-{large} - 2"),
        format!("{large} * 2"),
        "2 ^ 63".to_owned(),
        format!("{{{large}, 1}} + 0"),
        format!("(-{large} - 1) / -1"),
        format!("-(-{large} - 1)"),
        format!("[absolute -{large} - 1]"),
        format!("d2 + {large}"),
        format!("2d{{{large}}}"),
        format!("d{{0 - {large}, 5}} - {large}"),
        format!("d3 * {large}"),
        "d4 ^ 60".to_owned(),
        format!("[explode d{{{large}}}]"),
        format!("{{1, 1, 3}} @ 3d{{{large}}}"),
        format!("[highest 2 of 3d{{{large}}}]"),
        format!("-d{{-{large} - 1}}"),
    ] {
        let program = format!("output {expression}");
        let error = run(&program).expect_err(&program);
        assert_eq!(error.kind, ErrorKind::Value, "{program}: {error}");
        assert!(error.to_string().contains("64 bits"), "{program}: {error}");
    }
}

/// What a program holds does not act on the terminal that its errors are shown on.
#[test]
fn messages_are_safe_to_show() {
    let program = "output \u{1b}[2J\u{202e}";
    let error = run(program).expect_err("there is no such character");
    let shown = error.render("a\u{1b}b\nc", program, false);
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
    assert!(!error.to_string().contains('\u{1b}'));
}
