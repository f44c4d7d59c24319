//! Programs as rulesets: the scripts of checks, and why there is none.

use oddsmith_anydice::{Depths, Program, ruleset};

/// The script of the last `output`, or the reason.
fn script(program: &str) -> Result<String, String> {
    let program = Program::parse(program).expect(program);
    let last = program
        .translate(&Depths::default())
        .pop()
        .expect("there is an output");
    match last.check {
        Ok(check) => Ok(check.script.trim_end().replace("show value = ", "")),
        Err(reason) => Err(reason.message),
    }
}

const SCRIPTS: [(&str, &str); 37] = [
    ("output d[absolute -4]", "(1)d(4)"),
    ("output #(1d(!2d2))", "1"),
    ("output #(d(2d2))", "2"),
    (
        "output [2d3 contains 9223372036854775807]",
        "(if count((2)d(3), == 9223372036854775807) >= 1 then 1 else 0)",
    ),
    ("output 1@d(2d2)", "nth((2)d(2), 1)"),
    ("output 3", "3"),
    ("output -3 + 1", "(0 - 2)"),
    ("output 7 / 2", "3"),
    ("output 2d6 + 3", "((2)d(6) + 3)"),
    ("output d{1, 1, 5}", "(1)d{1: 2, 5: 1}"),
    ("output 2d(3d4)", "(2)d[(3)d(4)]"),
    ("output #(3d6)", "3"),
    ("output d6 > d4", "(if (1)d(6) > (1)d(4) then 1 else 0)"),
    (
        "output d6 = 6 & d6 != 1",
        "(if ((1)d(6) == 6) and ((1)d(6) != 1) then 1 else 0)",
    ),
    ("output !(d6 - 1)", "(if ((1)d(6) - 1) == 0 then 1 else 0)"),
    ("output 2 @ 3d6", "nth((3)d(6), 2)"),
    ("output 0 @ 3d6", "0"),
    ("output 0d6 + 1", "({0} + 1)"),
    ("output #(0d6) @ 3d6", "nth((3)d(6), 1)"),
    ("output {1..2} @ 3d6", "highest((3)d(6), 2)"),
    ("output [highest 3 of 4d6]", "highest((4)d(6), 3)"),
    (
        "output [lowest 1 of d6 and 2d8 and 3]",
        "lowest({(1)d(6), (2)d(8), {3}}, 1)",
    ),
    ("output [highest of d6 and 3]", "max((1)d(6), 3)"),
    ("output [absolute d6 - d6]", "abs(((1)d(6) - (1)d(6)))"),
    ("output [explode d6]", "(1)d(6)!(2)"),
    (
        "set \"explode depth\" to 4 output 3d[explode d6]",
        "(3)d[(1)d(6)!(4)]",
    ),
    ("output [count {4..6} in 5d6]", "count((5)d(6), 4..=6)"),
    (
        "output [2d6 contains 6]",
        "(if count((2)d(6), == 6) >= 1 then 1 else 0)",
    ),
    ("X: d6 output X + X", "((1)d(6) + (1)d(6))"),
    ("output (d2)d6", "((1)d(2))d(6)"),
    (
        "function: cap A:n { if A > 4 { result: 4 } result: A } output [cap d6]",
        "let given_1 = 0 + (1)d(6)\n(if (given_1 > 4) then 0 + 4 else 0 + given_1)",
    ),
    (
        "function: best A:s { result: 1@A + #A } output [best 3d6]",
        "let given_1 = (3)d(6)\n(nth(given_1, 1) + 3)",
    ),
    (
        "function: hits A:s { result: A >= 5 } output [hits 3d6]",
        "let given_1 = (3)d(6)\ncount(given_1, >= 5)",
    ),
    (
        "function: hits A:s { result: 5 < A } output [hits 3d6]",
        "let given_1 = (3)d(6)\ncount(given_1, > 5)",
    ),
    ("loop N over {1..3} { output Nd6 }", "(axis_n)d(6)"),
    (
        "loop COUNT over {1..3} { X: COUNT * 2 output Xd6 }",
        "((count * 2))d(6)",
    ),
    (
        "function: twice A { result: A + A } output [twice d6]",
        "((1)d(6) + (1)d(6))",
    ),
];

#[test]
fn what_has_a_counterpart() {
    for (program, expected) in SCRIPTS {
        assert_eq!(script(program).as_deref(), Ok(expected), "{program}");
    }
}

const REASONS: [(&str, &str); 25] = [
    ("output #(1d(-(2d2)))", "digits"),
    ("output [explode 0d6]", "only a single die explodes"),
    (
        "set \"maximum function depth\" to 1 function: f A { result: [absolute A] } output [f d6]",
        "deeper than the program allows",
    ),
    (
        "set \"maximum function depth\" to d6 function: f A { result: A } output [f d6]",
        "a depth is no plain number",
    ),
    ("output {1, 2}", "sequences have no counterpart"),
    ("output d{}", "the empty die"),
    ("output 0d{}", "the empty die"),
    ("output d6 / 2", "a division"),
    ("output 2 ^ d6", "a power"),
    ("output d0", "without faces above 0"),
    ("output -2d6", "fewer dice than none"),
    ("output {1, 3} @ 3d6", "these places"),
    (
        "set \"position order\" to \"lowest first\" output 1 @ 3d6",
        "from the lowest die on",
    ),
    ("output 1 @ (d6 + d6)", "only dice of a pool"),
    ("output #305", "digits"),
    ("output [explode 2d6]", "only a single die explodes"),
    (
        "output [middle 1 of 3d6]",
        "this function has no counterpart",
    ),
    ("output [count {1, 3} in 2d6]", "no range"),
    ("if 1 { output 5 }", "it stands in an `if`"),
    (
        "TOTAL: 0 loop N over {1..3} { TOTAL: TOTAL + N output TOTAL }",
        "changes from round to round",
    ),
    (
        "loop N over {1..3} { X: N } output X",
        "changes from round to round",
    ),
    (
        "function: f A:n { if A > 2 { result: A } } output [f d6]",
        "without a result",
    ),
    (
        "function: f A:n { X: A result: X } output [f d6]",
        "variables or loops",
    ),
    (
        "function: f A:n { result: [f A] } output [f d6]",
        "calls itself",
    ),
    (
        "function: f A:n { result: 2dA } output [f d6]",
        "what a function makes of a roll",
    ),
];

/// What a script can't hold is told before it is written: brackets beyond its levels.
#[test]
fn what_lies_too_deep_has_no_counterpart() {
    for (depth, is_told) in [(80, false), (100, true)] {
        let program = format!("output d4 + {}d6", "-".repeat(depth));
        let program = Program::parse(&program).expect("it is read");
        let check = program.translate(&Depths::default()).remove(0).check;
        let reason = check.err().map(|reason| reason.message);
        let is_deep = reason.is_some_and(|reason| reason.contains("too deep in brackets"));
        assert_eq!(is_deep, is_told, "{depth}");
    }
}

#[test]
fn what_has_none_has_a_reason() {
    for (program, expected) in REASONS {
        let reason = script(program).expect_err(program);
        assert!(reason.contains(expected), "{program}: {reason}");
    }
}

/// A variable that holds what a function makes of a roll would be the same roll wherever it stands.
#[test]
fn rolls_with_names_stay_in_their_output() {
    let function = "function: cap A:n { if A > 4 { result: 4 } result: A } ";
    for after in [
        "X: [cap d6] output X - X",
        "output 2d[cap d6]",
        "output [highest 1 of 2d[cap d6]]",
    ] {
        let reason = script(&format!("{function}{after}")).expect_err(after);
        assert!(reason.contains("makes of a roll"), "{after}: {reason}");
    }
    let two = script(&format!("{function}output [cap d6] - [cap d6]")).expect("two rolls");
    assert!(
        two.contains("let given_1") && two.contains("let given_2"),
        "{two}"
    );
}

#[test]
fn loops_are_axes() {
    let program =
        Program::parse("loop N over {3, 1, 3} { loop M_SIDES over {4..6} { output NdM_SIDES } }")
            .expect("it is read");
    let check = program
        .translate(&Depths::default())
        .remove(0)
        .check
        .expect("it has a counterpart");
    let toml = ruleset("A \"game\"", [&check]);
    assert_eq!(
        toml,
        "name = \"A \\\"game\\\"\"\n\n[checks.output_1]\naxes.axis_n = { default = 1, domain = \"1..=3\", sweep = \"1,3\" }\naxes.m_sides = { default = 4, domain = \"4..=6\", sweep = \"4,5,6\" }\nrules = \"\"\"\nshow value = (axis_n)d(m_sides)\n\"\"\"\n"
    );
}

/// Doubled again and again, a variable would be longer than memory holds.
#[test]
fn what_is_written_out_has_an_end() {
    let doubled = format!("X: d6 {}output X", "X: X + X ".repeat(200));
    assert!(script(&doubled).expect_err("too long").contains("too long"));
    let deep = format!(
        "function: f A:n {{ {} result: A }} output [f d6]",
        "if A { result: [f A] }".repeat(30)
    );
    assert!(script(&deep).is_err());
}
