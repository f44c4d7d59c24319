//! The expectations in the examples of `docs/language.md` hold.

use oddsmith_analysis::expect::verdicts;
use oddsmith_rules::load;

#[test]
fn expectations_of_the_reference_hold() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    let document = std::fs::read_to_string(path).expect("the reference is there");
    let blocks = document.split("```toml\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("```\n").next().unwrap_or(rest));
    // Those that do not load are there for their errors, which are tested with the language.
    let models = blocks.filter_map(|text| load("example", text.as_bytes()).ok());
    let mut expectations = 0;
    for model in models {
        for verdict in verdicts(&model, 1_000_000_000) {
            let intent = &model.expectations[verdict.expectation].intent;
            assert!(verdict.holds(), "{intent} {:?}", verdict.outcome);
            expectations += 1;
        }
    }
    assert!(expectations >= 9, "{expectations}");
}
