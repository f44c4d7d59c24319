//! The expectations in the examples of `docs/language.md` hold, and its acceptances meet findings.

use oddsmith_analysis::expect::verdicts;
use oddsmith_analysis::lint::{Limits, lint};
use oddsmith_rules::{Check, Model, load};
use oddsmith_testkit::documents::blocks;
use oddsmith_testkit::rulesets::path_of;

use crate::run;

const DOCUMENT: &str = "docs/language.md";

/// The examples that load. Those that do not are there for their errors, which are tested with the language.
fn models() -> Vec<Model> {
    let document = std::fs::read_to_string(path_of(DOCUMENT)).expect("the reference is there");
    let blocks = blocks(DOCUMENT, &document);
    let rulesets = blocks.iter().filter(|block| block.kind == "toml");
    let models = rulesets.filter_map(|block| load("example", block.text().as_bytes()).ok());
    models.collect()
}

#[test]
fn expectations_of_the_reference_hold() {
    let mut expectations = 0;
    for model in models() {
        for verdict in verdicts(&model, run(1_000_000_000)) {
            let intent = &model.expectations[verdict.expectation].intent;
            assert!(verdict.holds(), "{intent} {:?}", verdict.outcome);
            expectations += 1;
        }
    }
    assert!(expectations >= 9, "{expectations}");
}

#[test]
fn acceptances_of_the_reference_are_not_stale() {
    let mut acceptances = 0;
    for model in models()
        .iter()
        .filter(|model| !model.acceptances.is_empty())
    {
        let checks: Vec<&Check> = model.checks.iter().chain(&model.tracks).collect();
        let report =
            lint(model, &checks, &Limits::default(), run(1_000_000_000)).expect("findings");
        assert_eq!(report.stale, Vec::<usize>::new());
        acceptances += model.acceptances.len();
    }
    assert!(acceptances >= 2, "{acceptances}");
}
