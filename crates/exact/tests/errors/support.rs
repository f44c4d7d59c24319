//! Scripts that can't be carried out, and what is said of them.

use oddsmith_exact::{Budget, Error, answers, distribution};
use oddsmith_rules::{Check, Model};
use oddsmith_testkit::rulesets;
pub(crate) use oddsmith_testkit::rulesets::config_of;

/// A hundredth of what the command line allows: what is too much shows at once.
pub(crate) const BUDGET: u64 = 100_000_000;

/// A ruleset with a `main` among the checks or tracks: one script, with an axis `x` and a choice `who`.
pub(crate) fn model_of(kind: &str, keys: &str, script: &str) -> Model {
    let text = format!(
        r#"name = "Test"
[functions]
share = "(n, parts) => floor(n / parts)"
[{kind}.main]
{keys}
require = ["x != 3 or who == them", "x != -3 or who == us"]
axes.x = {{ domain = "-3..=3", default = 1 }}
axes.who = {{ domain = ["us", "them"], default = "us" }}
rules = """
{script}
"""
"#
    );
    rulesets::model_of(&text)
}

/// A check of one script.
pub(crate) fn check_of(script: &str) -> Check {
    let model = model_of("checks", "", script);
    model.check("main").expect("it is there").clone()
}

/// What is said of a question; none if there is an answer.
pub(crate) fn refusal(check: &Check, setting: &str, query: &str) -> Option<Error> {
    let query = check.query(query, "query");
    let query = query.unwrap_or_else(|errors| panic!("{}", errors.render(false)));
    let config = config_of(check, setting);
    answers(check, &config, &[query], &Budget::new(BUDGET)).err()
}

/// The error of asking for the mean of the last outcome. `distribution` must report the same.
pub(crate) fn error_of(check: &Check, setting: &str) -> Option<Error> {
    let config = config_of(check, setting);
    let outcome = check.outcomes.last().expect("something is shown");
    let query = check
        .query(&format!("mean({})", outcome.name), "query")
        .unwrap_or_else(|e| panic!("{e}"));
    let budget = Budget::new(BUDGET);
    let error = answers(check, &config, &[query], &budget).err();
    let also = distribution(check, &config, outcome, &Budget::new(BUDGET)).err();
    assert_eq!(error, also);
    error
}

/// Asserts the message and the words that it points at.
pub(crate) fn fails(script: &str, setting: &str, message: &str, place: &str) {
    let check = check_of(script);
    let error = error_of(&check, setting);
    is_rule_error(&check, setting, error.as_ref(), message, place);
}

pub(crate) fn is_rule_error(
    check: &Check,
    setting: &str,
    error: Option<&Error>,
    message: &str,
    place: &str,
) {
    let Some(Error::Rule(diagnostic)) = error else {
        panic!("{setting}: {error:?}");
    };
    let span = diagnostic.span;
    let found = (
        diagnostic.message.as_str(),
        &diagnostic.source.text[span.start..span.end],
    );
    let shown = check.describe(&config_of(check, setting));
    assert_eq!(found, (format!("{message}, for {shown}").as_str(), place));
    let rendered = diagnostic.to_string();
    assert!(rendered.starts_with("test.toml:"), "{rendered}");
}

pub(crate) fn works(script: &str, setting: &str) {
    assert_eq!(
        error_of(&check_of(script), setting),
        None,
        "{script}\n{setting}"
    );
}
