//! Expectations of a ruleset, evaluated and put into words.

use oddsmith_analysis::expect::{Broken, Failure, Stand, Value, Verdict, verdicts};
use oddsmith_exact::{RBig, UBig};
use oddsmith_rules::{Bounds, Claim, Expectation, Model, Number, Query};

use crate::advice::Advice;
use crate::failure;
use crate::format::check::{Failing, Intent, IntentVerdict, Place, value};
use crate::format::outcomes::Kind;
use crate::format::words::with_point;
use crate::terminal;

/// All of them, in the order of the file.
pub(crate) fn of(model: &Model, budget: u64) -> Vec<Intent> {
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
                    configurations: findings.configurations,
                    worst: findings
                        .worst
                        .iter()
                        .map(|worst| failing(expectation, worst))
                        .collect(),
                },
                Err(why) => IntentVerdict::Unknown(why.to_string()),
            },
        }
    };
    verdicts.map(intent).collect()
}

/// Tells of which expectations of a file it can't be told whether they hold, and why; how many they are.
pub(crate) fn tell_unknown(file: &str, intents: &[Intent]) -> usize {
    let mut unknown = 0;
    for intent in intents {
        if let IntentVerdict::Unknown(why) = &intent.verdict {
            let (said, check, line) = (&intent.intent, &intent.check, intent.place.line);
            let message = format!(
                "{file}:{line}: it can't be told whether \"{said}\" holds of `{check}`: {why}"
            );
            terminal::tell(&failure::render(&Advice::error(message, "")));
            unknown += 1;
        }
    }
    unknown
}

/// What is wrong, where, and what would be right.
fn failing(expectation: &Expectation, failure: &Failure) -> Failing {
    let is_probability = is_probability(&expectation.queries, &failure.query);
    let ends = ends(&expectation.claim);
    let (what, values) = match &failure.broken {
        Broken::Value(number) => {
            let shown = apart(number, &ends, is_probability);
            (format!("is {shown}"), vec![number])
        }
        Broken::Change { from, to } => {
            let stand = |stand: &Stand, other: &Stand| {
                let other = std::slice::from_ref(&other.value);
                let shown = apart(&stand.value, other, is_probability);
                format!("{shown} ({})", stand.at)
            };
            let what = format!("goes from {} to {}", stand(from, to), stand(to, from));
            (what, vec![&from.value, &to.value])
        }
        Broken::Printed { printed, value } => {
            let shown = self::value(value, is_probability);
            let what = format!("is {shown}, not {} as printed", printed.number.text);
            (what, vec![value])
        }
        Broken::Never => ("never happens".to_owned(), Vec::new()),
        Broken::NoAnswer => ("has no answer".to_owned(), Vec::new()),
    };
    let wanted = wanted(&expectation.claim, is_probability);
    let wanted = wanted.map_or(String::new(), |wanted| format!("; it is to be {wanted}"));
    let text = match failure.configuration.as_str() {
        "" => format!("{} {what}{wanted}", failure.query),
        place => format!("{place}: {} {what}{wanted}", failure.query),
    };
    Failing {
        text,
        configuration: failure.configuration.clone(),
        query: failure.query.clone(),
        values: values.into_iter().cloned().collect(),
    }
}

/// A value as it is shown; with the fraction if it would look like one of the others that it is not.
fn apart(number: &Value, others: &[Value], is_probability: bool) -> String {
    let shown = value(number, is_probability);
    let is_alike = |other: &Value| other != number && value(other, is_probability) == shown;
    match number {
        Value::Finite(ratio) if others.iter().any(is_alike) => format!("{shown} ({ratio})"),
        _ => shown,
    }
}

/// The bounds that a value may not pass.
fn ends(claim: &Claim) -> Vec<Value> {
    let Claim::Within(bounds) = claim else {
        return Vec::new();
    };
    let ends = bounds.at_least.iter().chain(&bounds.at_most);
    ends.map(|end| Value::Finite(end.value.clone())).collect()
}

/// Whether a query, or a sum of several, is a probability.
fn is_probability(queries: &[Query], name: &str) -> bool {
    let named = queries.iter().find(|query| query.text == name);
    let is_probability = |query: &Query| Kind::of(query).is_probability();
    named.map_or(queries.iter().all(is_probability), is_probability)
}

/// What would be right, where that is a number.
fn wanted(claim: &Claim, is_probability: bool) -> Option<String> {
    match claim {
        Claim::Within(bounds) => Some(within(bounds, if is_probability { "%" } else { "" })),
        Claim::Step { change, .. } => {
            let unit = if is_probability { " points" } else { "" };
            Some(format!("a change of {}", within(change, unit)))
        }
        _ => None,
    }
}

fn within(bounds: &Bounds, unit: &str) -> String {
    let end = |end: &Number| bound(end, unit);
    match (&bounds.at_least, &bounds.at_most) {
        (Some(least), Some(most)) => format!("from {} to {}", end(least), end(most)),
        (Some(least), None) => format!("at least {}", end(least)),
        (None, Some(most)) => format!("at most {}", end(most)),
        (None, None) => "any number".to_owned(),
    }
}

/// A bound, exactly: in hundredths with their unit if there is one, where that is a short decimal; or else as it is written.
fn bound(number: &Number, unit: &str) -> String {
    const LONG: usize = 30;
    if unit.is_empty() || number.text.contains('/') || number.text.len() > LONG {
        return number.text.clone();
    }
    let (mut parts, mut digits) = (&number.value * RBig::from(100), 0);
    while *parts.denominator() != UBig::ONE {
        parts *= RBig::from(10);
        digits += 1;
    }
    let sign = if parts < RBig::ZERO { "-" } else { "" };
    let parts = if sign.is_empty() { parts } else { -parts };
    let size = UBig::try_from(parts.numerator().clone()).expect("its sign is apart");
    format!("{sign}{}{unit}", with_point(&size, digits))
}

#[cfg(test)]
mod tests {
    use oddsmith_rules::Number;

    use super::bound;

    #[test]
    fn bounds_are_written_in_hundredths_without_rounding() {
        for (text, shown) in [
            ("0.45", "45%"),
            ("0.5", "50%"),
            ("1", "100%"),
            ("0.12345", "12.345%"),
            ("-0.005", "-0.5%"),
            ("55 %", "55%"),
            ("1/3", "1/3"),
        ] {
            let number = Number::parse(text).expect("it is a number");
            assert_eq!(bound(&number, "%"), shown);
            assert_eq!(bound(&number, ""), text);
        }
    }
}
