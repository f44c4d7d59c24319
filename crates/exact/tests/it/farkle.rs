//! Farkle's best turn: choices over many states, too many for a table to play from, so that no simulation has it.

use oddsmith_exact::{Budget, answers};
use oddsmith_testkit::rulesets::model_of;

/// The mean of the best turn of so many rolls.
fn best_turn(throws: i64) -> String {
    let model = model_of(include_str!(
        "../../../../tests/cases/questions/farkle.toml"
    ));
    let check = model.check("best").expect("it is there");
    let query = check.query("mean(won)", "<query>").expect("a query");
    let mut config = check.defaults();
    let throws_input = check.input("throws").expect("it is there");
    config.put(throws_input, throws);
    let found = answers(check, &config, &[query], &Budget::unlimited()).expect("odds");
    found[0].to_ratio().expect("it is finite").to_string()
}

/// From a recursion over score, dice and rolls left, with every part of a roll that scores as an option.
#[test]
fn the_best_turns_are_those_of_a_recursion() {
    assert_eq!(best_turn(1), "266875/864");
    assert_eq!(best_turn(3), "17005269775975/39182082048");
    assert_eq!(best_turn(5), "4752159379857334581725/10661358011223638016");
}
