//! Expectations of a ruleset, evaluated and put into words.

use oddsmith_analysis::expect::{Broken, Failure, Stand, Value, Verdict, verdicts};
use oddsmith_exact::{RBig, UBig};
use oddsmith_numbers::{plural, with_point};
use oddsmith_rules::{Bounds, Claim, Expectation, Model, Number, Query};

use super::cause::Place;
use super::words::value;
use crate::{AnswerKind, Error, Limits};

/// An expectation of the ruleset, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The sentence of the ruleset.
    pub intent: String,
    /// Where what it says can be read; empty if the ruleset does not say.
    pub source: String,
    /// The check or track that it is about.
    pub check: String,
    /// The place of the expectation.
    pub place: Place,
    /// Whether it holds.
    pub verdict: IntentVerdict,
}

impl Intent {
    /// The sentence in quotes, and where what it says can be read.
    pub fn said(&self) -> String {
        let from = match self.source.as_str() {
            "" => String::new(),
            source => format!(" ({source})"),
        };
        format!("\"{}\"{from}", self.intent)
    }
}

/// Whether an expectation holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntentVerdict {
    /// It holds everywhere.
    Holds,
    /// It does not hold somewhere.
    Broken {
        /// The number of cases in which it does not.
        failures: u64,
        /// The number of configurations that were looked at.
        configurations: u64,
        /// The cases in which it is farthest off.
        worst: Vec<Failing>,
    },
    /// It can't be told, and why.
    Unknown(String),
}

/// A statement that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// All of it in a line.
    pub text: String,
    /// The configuration; empty if it is none in particular.
    pub configuration: String,
    /// The query that was asked.
    pub query: String,
    /// The answer; of a change both ends. Empty if there is no number.
    pub values: Vec<Value>,
}

impl IntentVerdict {
    /// The verdict in one line.
    pub fn summary(&self) -> String {
        match self {
            Self::Holds => "holds".to_owned(),
            Self::Broken { failures, .. } => {
                format!("does not hold in {}", plural(*failures, "case"))
            }
            Self::Unknown(why) => format!("can't be told: {why}"),
        }
    }

    /// The cases in which it is farthest off.
    pub fn worst(&self) -> &[Failing] {
        match self {
            Self::Broken { worst, .. } => worst,
            Self::Holds | Self::Unknown(_) => &[],
        }
    }

    /// Whether it is known not to hold.
    pub fn is_broken(&self) -> bool {
        matches!(self, Self::Broken { .. })
    }
}

/// The expectations of a ruleset with their verdicts, in the order of the file; each has the limits by itself, or as a
/// part of a run.
///
/// # Errors
/// If the work is cancelled, or the threads can't be started. An expectation that is over the limits is one of which it
/// can't be told whether it holds.
///
/// ```
/// use oddsmith::project::expectations;
/// use oddsmith::{Game, Limits};
/// let text = r#"
/// name = "Coins"
/// [checks.toss]
/// rules = "show heads = 1d2 == 2"
/// [[expect]]
/// intent  = "Heads are rare."
/// query   = "heads"
/// at_most = 0.4
/// "#;
/// let game = Game::parse("coins.toml", text.as_bytes())?;
/// let intents = expectations(game.model(), &Limits::default())?;
/// assert_eq!(intents[0].verdict.worst()[0].text, "the default configuration: heads is 50.00%; it is to be at most 40%");
/// # Ok::<(), oddsmith::Error>(())
/// ```
pub fn expectations(model: &Model, limits: &Limits) -> Result<Vec<Intent>, Error> {
    limits.run(|| {
        let verdicts = verdicts(model, limits.questions(&limits.run_budget())).into_iter();
        let intents = verdicts.map(|verdict| intent(model, verdict)).collect();
        match limits.watch.is_cancelled() {
            true => Err(Error::Cancelled),
            false => Ok(intents),
        }
    })
}

fn intent(model: &Model, verdict: Verdict) -> Intent {
    let expectation = &model.expectations[verdict.expectation];
    let verdict = match verdict.outcome {
        Ok(findings) if findings.failures == 0 => IntentVerdict::Holds,
        Ok(findings) => IntentVerdict::Broken {
            failures: findings.failures,
            configurations: findings.configurations,
            worst: { findings.worst.iter() }
                .map(|worst| failing(expectation, worst))
                .collect(),
        },
        Err(why) => IntentVerdict::Unknown(why.to_string()),
    };
    Intent {
        intent: expectation.intent.clone(),
        source: expectation.source.clone(),
        check: expectation.check.clone(),
        place: Place::of(&model.source, expectation.span),
        verdict,
    }
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
            let shown = super::words::value(value, is_probability);
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
    let is_probability = |query: &Query| AnswerKind::of(query).is_probability();
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
