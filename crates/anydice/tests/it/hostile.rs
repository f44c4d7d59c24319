//! Programs that ask for too much: they are refused, and nothing overflows. How long that takes, and how much memory, is seen by
//! the target `anydice` of `fuzzing`.

use oddsmith_anydice::{Depths, ErrorKind, Program};
use oddsmith_dist::{Budget, Watch};

use super::{answers, run};

/// Refused, whatever the budget allows.
fn is_refused(program: &str) {
    let shown: String = program.chars().take(80).collect();
    let error = run(program).expect_err(&shown);
    assert_eq!(error.kind, ErrorKind::Refused, "{shown}: {error}");
}

#[test]
fn what_lies_too_deep_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("-", ""),
        ("#", ""),
        ("d", ""),
        ("[absolute ", "]"),
    ] {
        for depth in [1_000, 200_000] {
            // A row of `d` is one word, so that there is a space between.
            let open = format!("{open} ");
            is_refused(&format!(
                "output {}1{}",
                open.repeat(depth),
                close.repeat(depth)
            ));
        }
    }
    is_refused(&format!(
        "{}{}",
        "if 1 { ".repeat(100_000),
        "}".repeat(100_000)
    ));
    is_refused(&format!(
        "{}{}",
        "loop X over {1} { ".repeat(100_000),
        "}".repeat(100_000)
    ));
}

#[test]
fn what_is_long_is_not_deep() {
    let sum = format!("output 1{}", " + 1".repeat(50_000));
    let output = &answers(&sum)[0];
    assert_eq!(
        output
            .distribution
            .as_ref()
            .and_then(oddsmith_dist::Dist::as_constant),
        Some(50_001)
    );
    let arms = format!(
        "X: 7 if X = 0 {{ output 0 }} {}",
        "else if X = 1 { output 1 } ".repeat(20_000)
    );
    assert!(answers(&arms).is_empty());
    let row = format!("output {{{}}}", "1, ".repeat(50_000) + "1");
    assert_eq!(answers(&row).len(), 1);
}

#[test]
fn what_is_too_much_is_refused() {
    for program in [
        "output 1000000000d6",
        "output 4000000000d6",
        "output 9223372036854775807d6",
        "output d9223372036854775807",
        "output d1000000000000",
        "output {1..9223372036854775807}",
        "output {-9223372036854775807..9223372036854775807}",
        "output {1:9223372036854775807}",
        "output {{1..1000000}:1000000}",
        "output {1..1000000000:9223372036854775807}",
        "loop X over {1..100000000} { Y: X }",
        "S: {1..10} loop X over {1..60} { S: {S, S} }",
        "D: d2 loop X over {1..60} { D: D + D * 1000 }",
        "D: d1000 loop X over {1..30} { D: D * D / 7 }",
        "D: d3 loop X over {1..40} { D: D d D }",
        "function: f A:s B:s { result: A > B } output [f 20d20 20d20]",
        "function: f A:s { result: 1 } output [f 100d100]",
        "output [highest 50 of 100d{1, 10, 100, 1000, 10000, 100000, 1000000, 10000000}]",
        "output 3 @ 4000000000d{1, 2}",
        "output [highest 1 of 4000000000d6 and 4000000000d6]",
        "set \"explode depth\" to 4000000000 output [explode d6]",
        "output [explode d{1, 3:4000000000}]",
        "output [count {1..100000} in 3000000000d6]",
    ] {
        is_refused(program);
    }
}

#[test]
fn recursion_without_an_end_ends() {
    // Ten calls by default, and then the empty die.
    let output = &answers("function: f N:n { result: 1 + [f N + 1] } output [f 1]")[0];
    let number = output
        .distribution
        .as_ref()
        .and_then(oddsmith_dist::Dist::as_constant);
    assert_eq!(number, Some(10));
    assert_eq!(output.cut, 1.into());
    // As many as the program likes: the stack has room, or it is refused.
    for depth in ["1000", "1000000", "4294967295"] {
        let set = format!("set \"maximum function depth\" to {depth} ");
        let call = "((((((((((((((((((((([f (N + 1)])))))))))))))))))))))";
        for body in [call.to_owned(), format!("0 + {call}"), format!("-{call}")] {
            let program = format!(
                "{set} function: f N:n {{ if 1 {{ if 1 {{ result: {body} }} }} }} output [f 1]"
            );
            match run(&program) {
                Ok(outputs) => assert_eq!(outputs[0].cut, 1.into()),
                Err(error) => assert_eq!(error.kind, ErrorKind::Refused, "{error}"),
            }
        }
    }
    // Two calls in each are one with a memory of calls, and with new numbers each they are 2^40.
    is_refused(
        "set \"maximum function depth\" to 40 function: f N:n { result: [f 2*N] + [f 2*N+1] } output [f 1]",
    );
}

/// A limit is kept to: whatever a small budget allows takes little time, and what it refuses says so.
#[test]
fn every_budget_is_kept_to() {
    let program = Program::parse(
        "function: f R:s { result: 1@R * 10 + 2@R } loop N over {2..6} { output [f Nd8] output 1@Nd[f 2d4] }",
    )
    .expect("it is read");
    let mut refused = 0;
    for limit in [
        0,
        1,
        10,
        100,
        1_000,
        10_000,
        100_000,
        1_000_000,
        10_000_000,
        100_000_000,
        1_000_000_000,
    ] {
        let budget = Budget::new(limit);
        if let Err(error) = program.run(&Depths::default(), &budget) {
            assert_eq!(error.kind, ErrorKind::Refused);
            refused += 1;
        }
        assert!(budget.spent() <= limit);
    }
    assert!((5..11).contains(&refused), "{refused} were refused");
}

#[test]
fn cancelled_work_ends() {
    let watch = Watch::default();
    watch.cancel();
    let program = Program::parse("output 2d6").expect("it is read");
    let error = program.run(&Depths::default(), &Budget::watched(1_000_000, &watch));
    assert!(
        error
            .expect_err("it is cancelled")
            .to_string()
            .contains("cancelled")
    );
}

/// Whatever is cut out of a program, or put into it, comes to an answer or an error.
#[test]
fn broken_texts_are_no_trouble() {
    let text = "function: f A:n B:s { if A > 1@B { result: {A, B:2} } else { result: d{} } }\nset \"explode depth\" to 3\nloop X over {1..2} { output [f d2 Xd3] named \"[X] of {1..2}\" }\n\\ é \u{202e} \\ output #-3 @ [explode d4]";
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for (place, &at) in places.iter().enumerate() {
        let _ = run(&text[..at]);
        let next = places.get(place + 1).copied().unwrap_or(text.len());
        let _ = run(&format!("{}{}", &text[..at], &text[next..]));
        for put in ["(", "}", "d", "\"", "99999"] {
            let _ = run(&format!("{}{put}{}", &text[..at], &text[at..]));
        }
    }
}
