//! Errors: what they say, where, and what they advise.

use oddsmith_anydice::{ErrorKind, Errors, Program};
use oddsmith_diagnostics::Source;

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
        let shown = error
            .diagnostic(&Source::new("demo", program))
            .render(false);
        assert!(shown.contains(&format!("--> demo:{place}\n")), "{shown}");
        for part in parts {
            assert!(shown.contains(part), "{part} in\n{shown}");
        }
        assert_ne!(error.kind, ErrorKind::Refused, "{shown}");
        if let Err(errors) = Program::parse(program) {
            assert_eq!(errors.iter().count(), 1, "{program}: {errors}");
        }
    }
}

/// Programs with several errors: the place of each, and a part of its message.
const SEVERAL: [(&str, &[(&str, &str)]); 18] = [
    (
        "output 2d6 +\nX: 3\nouput X\noutput 4 5\noutput X",
        &[
            ("2:2", "expected a statement, found `:`"),
            ("3:1", "expected a statement, found `ouput`"),
            ("4:10", "expected a statement, found `5`"),
        ],
    ),
    (
        "output )\noutput 2\nX 3\noutput (4",
        &[
            ("1:8", "expected a value, found `)`"),
            ("3:3", "expected `:` after the name"),
            ("4:10", "expected `)` that closes"),
        ],
    ),
    (
        "ouput 1\nouput 2\nfuntion: f { result: 1 }\noutput 3",
        &[
            ("1:1", "found `ouput`"),
            ("2:1", "found `ouput`"),
            ("3:1", "found `funtion`"),
        ],
    ),
    (
        "if 1 { output ) X: 2 } else { output ] }\nloop X over {1, 2 3} { output * }\noutput 1",
        &[
            ("1:15", "found `)`"),
            ("1:38", "found `]`"),
            ("2:19", "expected `}` that closes this sequence"),
            ("2:31", "found `*`"),
        ],
    ),
    (
        "function: f X:q { Y: ) result: {1 2} }\noutput [f )]\noutput [f 1]",
        &[
            ("1:15", "expected n, s or d"),
            ("1:22", "found `)`"),
            ("1:35", "expected `}` that closes this sequence"),
            ("2:11", "found `)`"),
        ],
    ),
    (
        "output (1 + 2\noutput {3\noutput [f 4\noutput 5",
        &[
            ("2:1", "expected `)`"),
            ("3:1", "expected `}`"),
            ("4:9", "expected `]`"),
        ],
    ),
    (
        "function: f { result: 1\noutput [f]\noutput )",
        &[("2:1", "expected `}` after a result"), ("3:8", "found `)`")],
    ),
    (
        "function: f N:n { if N { result: 1 output [f 1]\noutput )",
        &[
            ("1:36", "expected `}` after a result"),
            ("2:8", "found `)`"),
        ],
    ),
    (
        "loop X over {1..3} { output X\noutput )",
        &[("2:8", "found `)`")],
    ),
    (
        "loop X over {1..3} { output X\noutput 1",
        &[("2:9", "expected `}` that ends this block")],
    ),
    (
        "if 1 { output 1 } }\noutput )",
        &[("1:19", "found `}`"), ("2:8", "found `)`")],
    ),
    (
        "function: f { output 1 set \"a\" to 2 X: ) result: 1 }\noutput )",
        &[
            ("1:15", "`output` stands inside a function"),
            ("1:28", "there is no setting \"a\""),
            ("1:40", "found `)`"),
            ("2:8", "found `)`"),
        ],
    ),
    (
        "function: f { result: 1 X: 2 Y: 3 result: ) }\noutput 1",
        &[
            ("1:25", "expected `}` after a result"),
            ("1:43", "found `)`"),
        ],
    ),
    (
        "output 3 × 2 – 1\noutput ≥ 2\noutput 4 ÷ 2",
        &[
            ("1:10", "`×` has no meaning"),
            ("1:14", "`–` has no meaning"),
            ("2:8", "`≥` has no meaning"),
            ("3:10", "`÷` has no meaning"),
        ],
    ),
    (
        "output “2d6” named “x”\noutput é\noutput 2 named 'x\noutput )",
        &[
            ("1:8", "`“` has no meaning"),
            ("1:20", "`“` has no meaning"),
            ("2:8", "`é` has no meaning"),
            ("3:16", "`'` has no meaning"),
            ("4:8", "found `)`"),
        ],
    ),
    (
        "output 99999999999999999999 + 99999999999999999999 output )",
        &[
            ("1:8", "64 bits"),
            ("1:31", "64 bits"),
            ("1:59", "found `)`"),
        ],
    ),
    (
        "output ) \\ no end",
        &[("1:8", "found `)`"), ("1:10", "this comment has no end")],
    ),
    (
        "output ) named \"no end",
        &[("1:8", "found `)`"), ("1:16", "this text has no end")],
    ),
];

#[test]
fn several_errors_are_told_at_once() {
    let mut complaints = Vec::new();
    for (program, expected) in SEVERAL {
        let errors = Program::parse(program).expect_err(program);
        let source = Source::new("demo", program);
        let told = errors.iter().map(|error| {
            let place = error.diagnostic(&source).to_string();
            place.replacen("demo:", "", 1)
        });
        let told: Vec<String> = told.collect();
        let is_expected = told.len() == expected.len()
            && told.iter().zip(expected).all(|(told, (place, message))| {
                told.starts_with(&format!("{place}: ")) && told.contains(message)
            });
        if !is_expected {
            complaints.push(format!("{program}\n\n{}", told.join("\n")));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n---\n"));
}

#[test]
fn no_more_than_a_hundred_errors_are_told() {
    for program in [
        "output )\n".repeat(5_000),
        "é ".repeat(5_000),
        "}".repeat(5_000),
    ] {
        let errors = Program::parse(&program).expect_err("it is no program");
        let count = errors.iter().count();
        let last = errors.iter().last().map(|error| error.message.as_str());
        match program.starts_with('}') {
            true => assert_eq!(count, 1),
            false => {
                assert_eq!(count, Errors::MOST);
                assert!(
                    last.is_some_and(|last| last.contains("there are more errors")),
                    "{last:?}"
                );
            }
        }
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
    let shown = error
        .diagnostic(&Source::new("a\u{1b}b\nc", program))
        .render(false);
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
    assert!(!error.to_string().contains('\u{1b}'));
}
