//! Expectations of a ruleset, evaluated and put into words.

use oddsmith_analysis::expect::{Broken, Failure, Stand, Value, Verdict, verdicts};
use oddsmith_rules::{Bounds, Claim, Expectation, Model, Query};

use crate::format::check::{Intent, IntentVerdict, Place, value};
use crate::format::outcomes::Kind;

/// All of them, in the order of the file.
pub(super) fn of(model: &Model, budget: u64) -> Vec<Intent> {
    let verdicts = verdicts(model, budget).into_iter();
    let intent = |verdict: Verdict| {
        let expectation = &model.expectations[verdict.expectation];
        Intent {
            intent: expectation.intent.clone(),
            check: expectation.check.clone(),
            place: Place::of(&model.source, expectation.span),
            verdict: match verdict.outcome {
                Ok(findings) if findings.failures == 0 => IntentVerdict::Holds,
                Ok(findings) => IntentVerdict::Broken {
                    failures: findings.failures,
                    worst: findings
                        .worst
                        .iter()
                        .map(|worst| failure(expectation, worst))
                        .collect(),
                },
                Err(why) => IntentVerdict::Unknown(why.to_string()),
            },
        }
    };
    verdicts.map(intent).collect()
}

/// What is wrong, where, and what would be right.
fn failure(expectation: &Expectation, failure: &Failure) -> String {
    let is_probability = is_probability(&expectation.queries, &failure.query);
    let shown = |number: &Value| value(number, is_probability);
    let stand = |stand: &Stand| format!("{} ({})", shown(&stand.value), stand.at);
    let what = match &failure.broken {
        Broken::Value(number) => format!("is {}", shown(number)),
        Broken::Change { from, to } => format!("goes from {} to {}", stand(from), stand(to)),
        Broken::Printed { printed, value } => {
            format!(
                "is {}, not {} as printed",
                shown(value),
                printed.number.text
            )
        }
        Broken::Never => "never happens".to_owned(),
        Broken::NoAnswer => "has no answer".to_owned(),
    };
    let wanted = wanted(&expectation.claim);
    let wanted = wanted.map_or(String::new(), |wanted| format!("; it is to be {wanted}"));
    match failure.configuration.as_str() {
        "" => format!("{} {what}{wanted}", failure.query),
        place => format!("{place}: {} {what}{wanted}", failure.query),
    }
}

/// Whether a query, or a sum of several, is a probability.
fn is_probability(queries: &[Query], name: &str) -> bool {
    let named = queries.iter().find(|query| query.text == name);
    let is_probability = |query: &Query| Kind::of(query).is_probability();
    named.map_or(queries.iter().all(is_probability), is_probability)
}

/// What would be right, where that is a number.
fn wanted(claim: &Claim) -> Option<String> {
    match claim {
        Claim::Within(bounds) => Some(within(bounds)),
        Claim::Step { change, .. } => Some(format!("a change of {}", within(change))),
        _ => None,
    }
}

fn within(bounds: &Bounds) -> String {
    match (&bounds.at_least, &bounds.at_most) {
        (Some(least), Some(most)) => format!("from {} to {}", least.text, most.text),
        (Some(least), None) => format!("at least {}", least.text),
        (None, Some(most)) => format!("at most {}", most.text),
        (None, None) => "any number".to_owned(),
    }
}
