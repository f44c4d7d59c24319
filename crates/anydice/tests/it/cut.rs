//! What a limit cuts off, and going on beyond it.

use oddsmith_anydice::{Depths, Program};
use oddsmith_dist::{Budget, RBig};

use super::{answers, odds};

fn fraction(above: i64, below: u64) -> RBig {
    RBig::from_parts(above.into(), below.into())
}

/// A die with `faces` whose highest face shows in every roll up to the limit is cut off.
#[test]
fn explosions_of_every_depth() {
    for faces in 2..=4_u64 {
        for depth in 1..=5_u32 {
            let program = format!("set \"explode depth\" to {depth} output [explode d{faces}]");
            let output = &answers(&program)[0];
            let top = fraction(1, faces);
            assert_eq!(
                output.cut,
                top.pow(isize::try_from(depth + 1).expect("small"))
            );
            // A total below the end of the chain is a number of tops, and a face below.
            for (total, chance) in odds(output) {
                let faces_signed = i64::try_from(faces).expect("small");
                let tops = (total - 1) / faces_signed;
                let tops = tops.min(i64::from(depth));
                let expected = fraction(1, faces).pow(isize::try_from(tops + 1).expect("small"));
                assert_eq!(chance, expected, "{program}: {total}");
            }
        }
    }
}

#[test]
fn settings_go_on_beyond_what_a_program_sets() {
    let program =
        Program::parse("set \"explode depth\" to 1 output [explode d2]").expect("it is read");
    let deeper = Depths {
        explode_depth: Some(9),
        ..Depths::default()
    };
    let output = &program
        .run(&deeper, &Budget::new(1_000_000))
        .expect("it is run")[0];
    assert_eq!(output.cut, fraction(1, 1024));
    assert_eq!(odds(output).len(), 11);

    let program = Program::parse(
        "function: again N:n { if N = 2 { result: 2 + [again d2] } result: 1 } output [again d2]",
    )
    .expect("it is read");
    for depth in [1, 3, 20] {
        let settings = Depths {
            function_depth: Some(depth),
            ..Depths::default()
        };
        let output = &program
            .run(&settings, &Budget::new(10_000_000))
            .expect("it is run")[0];
        assert_eq!(
            output.cut,
            fraction(1, 2).pow(isize::try_from(depth).expect("small"))
        );
    }
}

/// A call that went too deep is carried out again where there is more room, and one that did not is not.
#[test]
fn what_is_remembered_holds_at_its_depth() {
    let program = "set \"maximum function depth\" to 3
        function: down N:n { if N = 0 { result: 100 } result: 1 + [down N - 1] }
        function: below N:n { result: [down N] }
        output [down 3] output [down 2] output [below 2] output [below 1] output [down 2] output [down 3]";
    let outputs = answers(program);
    let only: Vec<(i64, RBig)> = outputs
        .iter()
        .map(|output| (odds(output)[0].0, output.cut.clone()))
        .collect();
    // The fourth call is the empty die, which adds nothing.
    let expected = [(3, 1), (102, 0), (2, 1), (101, 0), (102, 0), (3, 1)];
    let expected = expected.map(|(value, cut)| (value, RBig::from(cut)));
    assert_eq!(only, expected);
}

/// Equal calls are carried out once, or this would take 2^60 of them.
#[test]
fn recursion_is_remembered() {
    let program = "set \"maximum function depth\" to 100
        function: tree N:n { if N = 0 { result: 1 } result: [tree N - 1] + [tree N - 1] }
        output [tree 60]
        function: chain D:d left N:n { if N = 0 { result: D } result: [highest of [chain D left N - 1] and [chain D left N - 1]] }
        output [chain d2 left 6]";
    let outputs = answers(program);
    assert_eq!(odds(&outputs[0]), [(1 << 60, RBig::ONE)]);
    // The higher of 64 coins.
    assert_eq!(odds(&outputs[1])[0], (1, fraction(1, 2).pow(64)));
}
