//! Shapes that several answers have in common.

use std::borrow::Cow;

use oddsmith_exact::{Answer, RBig};
use oddsmith_rules::{Check, Config, Domain};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::answer::{NamedAnswer, decimal, infinite};
use crate::number;
use crate::questions::other_title;

/// A decimal; one that is infinite is `inf` or `-inf`, since JSON has no such number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decimal {
    /// The nearest float.
    Finite(f64),
    /// A mean without end.
    Infinite(&'static str),
}

impl Decimal {
    /// The decimal nearest to an answer, of which there is one.
    pub fn of(answer: &Answer) -> Self {
        match answer.is_infinite() {
            true => Self::Infinite(infinite(answer)),
            false => Self::Finite(decimal(answer).unwrap_or(f64::NAN)),
        }
    }
}

impl From<f64> for Decimal {
    fn from(value: f64) -> Self {
        match value {
            value if value.is_finite() => Self::Finite(value),
            value if value < 0.0 => Self::Infinite("-inf"),
            _ => Self::Infinite("inf"),
        }
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Finite(value) => serializer.serialize_f64(*value),
            Self::Infinite(word) => Exact((*word).to_owned()).serialize(serializer),
        }
    }
}

impl JsonSchema for Decimal {
    fn schema_name() -> Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The nearest decimal; of a mean without end a word.",
            "anyOf": [{ "type": "number" }, { "enum": ["inf", "-inf"] }],
        })
    }
}

/// An exact number as text, since JSON has none: `n/d` in lowest terms, `n` if it is whole, `inf` or `-inf` if it is
/// without end. A serialiser knows it by its name among other texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Exact(String);

impl Exact {
    /// A number that is written so.
    pub(crate) fn of(number: &impl ToString) -> Self {
        Self(number.to_string())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Outcome {
    /// The band, the flag, or the query as it was asked.
    pub outcome: String,
    /// What people read in place of that, if the rules have labels for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `band`, `flag`, `probability`, `mean`, `variance`, `sd` or `value`.
    pub kind: &'static str,
    /// The weight: a whole number.
    pub weight: Exact,
    /// The total that the weight is over; 0 for a mean without end.
    pub total: Exact,
    /// The answer as the nearest decimal.
    pub probability: Decimal,
}

impl Outcome {
    /// An answer about a check.
    pub fn of(check: &Check, named: &NamedAnswer) -> Self {
        let answer = &named.answer;
        Self {
            outcome: named.name.clone(),
            title: other_title(check, &named.name),
            kind: named.kind.name(),
            weight: Exact::of(&answer.weight),
            total: Exact::of(&answer.total),
            probability: Decimal::of(answer),
        }
    }
}

/// Answers about a check, in order.
pub fn outcomes(check: &Check, named: &[NamedAnswer]) -> Vec<Outcome> {
    let named = named.iter();
    named.map(|named| Outcome::of(check, named)).collect()
}

/// The value of an input: a number, or a label's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Setting {
    /// A whole number.
    Number(i64),
    /// A label.
    Label(String),
}

impl Setting {
    /// A value of a domain.
    pub fn of(domain: &Domain, value: i64) -> Self {
        match domain {
            Domain::Range(..) => Self::Number(value),
            Domain::Choice(_) => Self::Label(domain.show(value)),
        }
    }
}

/// The inputs in which a configuration differs from the defaults, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Configuration(Vec<(String, Setting)>);

impl Configuration {
    /// A configuration of a check.
    pub fn of(check: &Check, config: &Config) -> Self {
        let inputs = check.inputs.iter().zip(config.values());
        let changed = inputs.filter(|(input, value)| input.default != **value);
        let setting = |value, domain| Setting::of(domain, value);
        Self(
            changed
                .map(|(input, &value)| (input.name.clone(), setting(value, &input.domain)))
                .collect(),
        )
    }
}

impl Serialize for Configuration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl JsonSchema for Configuration {
    fn schema_name() -> Cow<'static, str> {
        "Configuration".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let setting = generator.subschema_for::<Setting>();
        json_schema!({
            "description": "The inputs that are not at their defaults, by name.",
            "type": "object",
            "additionalProperties": setting,
        })
    }
}

/// Values by name, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<T>(pub(crate) Vec<(String, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<T: JsonSchema> JsonSchema for Named<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Named{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        json_schema!({
            "description": "Values by name, in their order.",
            "type": "object",
            "additionalProperties": value,
        })
    }
}

/// An answer as a weight over a total.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Weighted {
    /// The weight: a whole number.
    pub weight: Exact,
    /// The total that the weight is over; 0 for a mean without end.
    pub total: Exact,
    /// The answer as the nearest decimal.
    pub probability: Decimal,
}

impl From<&Answer> for Weighted {
    fn from(answer: &Answer) -> Self {
        Self {
            weight: Exact::of(&answer.weight),
            total: Exact::of(&answer.total),
            probability: Decimal::of(answer),
        }
    }
}

/// An exact number in lowest terms, with its nearest decimal.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Fraction {
    /// The number as `n/d`, or as `n` if it is whole.
    pub fraction: Exact,
    /// The nearest decimal.
    pub decimal: f64,
}

impl From<&RBig> for Fraction {
    fn from(ratio: &RBig) -> Self {
        Self {
            fraction: Exact::of(ratio),
            decimal: number::decimal(ratio),
        }
    }
}
