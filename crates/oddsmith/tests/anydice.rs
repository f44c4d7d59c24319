//! Programs of another language as rulesets: what is written has the odds that it was written for.

use oddsmith::anydice::{AnyDice, Depths};
use oddsmith::{Game, Limits, OddsRequest};

/// The means of an output in every round of its loop, and of its check for every value of its axis.
fn means(program: &str) -> (Vec<String>, Vec<String>) {
    let limits = Limits::default();
    let program = AnyDice::parse("program", program).expect("it is a program");
    let outputs = program
        .outputs(&Depths::default(), &limits)
        .expect("it runs");
    let ruleset = program
        .to_ruleset("Out", &Depths::default(), &outputs, &limits)
        .expect("it is not cancelled");
    let text = ruleset.text.expect("it has a counterpart");
    let game = Game::parse("out.toml", text.as_bytes()).expect("it is a ruleset");
    let own = outputs
        .iter()
        .filter_map(|output| Some(output.distribution.as_ref()?.mean().to_string()));
    let of_axis = |output: &oddsmith::anydice::Output| {
        let mut request = OddsRequest::default();
        let axes = &game.model().checks[0].inputs;
        for (axis, (_, value)) in axes.iter().zip(&output.loops) {
            request.settings.set(&axis.name, value);
        }
        request.queries.push("mean(value)".to_owned());
        let odds = game.odds(&request, &limits).expect("it has odds");
        odds.outcomes[0].ratio().expect("it is finite").to_string()
    };
    (own.collect(), outputs.iter().map(of_axis).collect())
}

#[test]
fn loops_are_axes_with_the_same_odds() {
    for program in [
        "output 3d6",
        "loop N over {1..6} { output Nd6 }",
        "loop N over {2..4} { loop K over {1..2} { output [highest K of Nd8] + K named \"[K] of [N]\" } }",
        "function: wild A:s { if 1@A = 2@A { result: 20 } result: 1@A + 2@A } loop N over {2..3} { output [wild Nd6] }",
        "function: best A:s { result: 1@A + #A } loop N over {1..3} { output [best Nd6] }",
    ] {
        let (own, axis) = means(program);
        assert_eq!(own, axis, "{program}");
    }
}

/// What was compared can't be anything: outputs of another program have other odds, and nothing is written.
#[test]
fn checks_with_other_odds_are_not_written() {
    let limits = Limits::default();
    let asked = |text: &str| AnyDice::parse("program", text).expect("it is a program");
    let program = asked("output 3d6");
    let others = asked("output 3d8")
        .outputs(&Depths::default(), &limits)
        .expect("it runs");
    let ruleset = program
        .to_ruleset("Out", &Depths::default(), &others, &limits)
        .expect("it is not cancelled");
    assert_eq!((ruleset.text, ruleset.checks), (None, 0));
    assert!(
        ruleset.left.to_string().contains("would be others"),
        "{}",
        ruleset.left
    );
    let nothing = program
        .to_ruleset("Out", &Depths::default(), &[], &limits)
        .expect("it is not cancelled");
    assert!(nothing.left.to_string().contains("never reached"));
}

#[test]
fn cancelled_work_writes_nothing() {
    let limits = Limits::default();
    let program = AnyDice::parse("program", "output 3d6").expect("it is a program");
    let outputs = program
        .outputs(&Depths::default(), &limits)
        .expect("it runs");
    limits.watch.cancel();
    assert!(program.outputs(&Depths::default(), &limits).is_err());
    assert!(
        program
            .to_ruleset("Out", &Depths::default(), &outputs, &limits)
            .is_err()
    );
}
