//! The rulesets that the first pages write from scratch are right, and give the odds that it is natural to expect.

use oddsmith_exact::{Budget, RBig, answers};
use oddsmith_rules::{Model, load, validate};

/// The `toml` blocks of the first game's page, in order.
fn blocks() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/first-game.md");
    let text = std::fs::read_to_string(path).expect("the page is there");
    let mut parts = text.split("```toml\n").skip(1);
    let block = |part: &str| part.split("```").next().unwrap_or_default().to_owned();
    let blocks: Vec<String> = parts.by_ref().map(block).collect();
    assert_eq!(
        blocks.len(),
        3,
        "a first game, the game grown, a second check"
    );
    blocks
}

fn odds(model: &Model, check: &str, sets: &[&str], query: &str) -> RBig {
    let check = model.check(check).unwrap();
    let mut config = check.defaults();
    sets.iter()
        .for_each(|set| check.set(&mut config, set, "set").unwrap());
    let query = check.query(query, "query").unwrap();
    let answers = answers(check, &config, &[query], &Budget::unlimited()).unwrap();
    answers[0].to_ratio().unwrap()
}

fn fraction(numerator: i64, denominator: u64) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

#[test]
fn the_first_game() {
    let model = load("first-game.md", blocks()[0].as_bytes()).unwrap();
    validate(&model).unwrap();
    // 2d6 + 2: 15 of 36 rolls are 8 or more.
    assert_eq!(
        odds(&model, "check", &["stat=2"], "Strong hit"),
        fraction(15, 36)
    );
}

#[test]
fn the_game_grown_by_a_parameter_and_a_second_check() {
    let [_, grown, second] = blocks().try_into().unwrap();
    let model = load("first-game.md", format!("{grown}\n{second}").as_bytes()).unwrap();
    validate(&model).unwrap();
    // The best two of 3d6 are 11 or 12 in 43 of 216 rolls.
    let sets = ["boons=1", "strong=11"];
    assert_eq!(
        odds(&model, "check", &sets, "Strong hit"),
        fraction(43, 216)
    );
    // Of 216 rolls of 3d6, 15 hold one six and a pair of something else.
    assert_eq!(odds(&model, "crew", &[], "Hit & Twist"), fraction(15, 216));
}
