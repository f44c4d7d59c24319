//! The JSON Schema of a ruleset file, for editors: completion, help and red underlines while typing.

use serde_json::{Map, Value, json};

use crate::file::keys::{self, Key, KeyKind};

/// What names in scripts look like.
const NAME: &str = "^[A-Za-z_][A-Za-z0-9_]*$";
/// `"-5..=5"`
const RANGE: &str = r"^\s*[+-]?[0-9]+\s*\.\.=\s*[+-]?[0-9]+\s*$";
/// What a label may be made of.
const LABEL: &str = r#"^[^&|()"',\n]*[^&|()"',\n\s][^&|()"',\n]*$"#;
/// `"(a, b) => …"`
const FUNCTION: &str = r"\([^)]*\)\s*=>";

/// A JSON Schema (draft 2020-12) of ruleset files, made from the keys that [`crate::load`] knows.
///
/// It describes the file's shape; what scripts say is left to [`crate::load`].
///
/// ```
/// let schema = oddsmith_rules::schema();
/// assert_eq!(schema["required"], serde_json::json!(["name"]));
/// ```
#[must_use]
pub fn schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Oddsmith ruleset",
        "description": "A game's action resolution as data.",
    });
    if let (Value::Object(whole), Value::Object(root)) = (&mut schema, table(keys::ROOT)) {
        whole.extend(root);
    }
    for key in ["checks", "tracks"] {
        schema["properties"][key]["minProperties"] = 1.into();
    }
    schema["anyOf"] = json!([{ "required": ["checks"] }, { "required": ["tracks"] }]);
    schema
}

/// A table with these keys and no others.
fn table(keys: &[Key]) -> Value {
    let mut properties = Map::new();
    for key in keys {
        let mut property = shape(key.kind);
        property["description"] = key.help.into();
        properties.insert(key.name.to_owned(), property);
    }
    let required: Vec<&str> = keys
        .iter()
        .filter(|key| key.required)
        .map(|key| key.name)
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn shape(kind: KeyKind) -> Value {
    match kind {
        KeyKind::Text => json!({ "type": "string" }),
        KeyKind::OneOf(texts) => json!({ "enum": texts }),
        KeyKind::Texts => texts(),
        KeyKind::TextOrTexts => json!({ "anyOf": [{ "type": "string" }, texts()] }),
        KeyKind::Labels => labels(),
        KeyKind::Flag => json!({ "type": "boolean" }),
        KeyKind::Number => number(),
        KeyKind::Pair => {
            json!({ "type": "array", "items": number(), "minItems": 2, "maxItems": 2 })
        }
        KeyKind::Printed => {
            let item = json!({ "anyOf": [number(), list(&number())] });
            json!({ "anyOf": [number(), list(&item)] })
        }
        KeyKind::Options => {
            let item = json!({ "anyOf": [{ "type": "string" }, texts()] });
            json!({ "type": "array", "items": item, "minItems": 2 })
        }
        KeyKind::Value => value(),
        KeyKind::Values => json!({ "anyOf": [value(), list(&value())] }),
        KeyKind::Domain => {
            json!({ "anyOf": [{ "type": "string", "pattern": RANGE }, labels()] })
        }
        KeyKind::Sweep => {
            json!({ "anyOf": [{ "type": "string", "pattern": r"\S" }, list(&value())] })
        }
        KeyKind::Tables(keys) => named(&table(keys)),
        KeyKind::Table(keys) => table(keys),
        KeyKind::List(keys) => json!({ "type": "array", "items": table(keys) }),
        KeyKind::Functions => named(&json!({ "type": "string", "pattern": FUNCTION })),
        KeyKind::NamedLabels => named(&labels()),
        KeyKind::Faces => list(&named(&json!({ "type": "integer" }))),
        KeyKind::ValueLabels => json!({
            "type": "object",
            "propertyNames": { "pattern": LABEL },
            "additionalProperties": { "type": "string", "pattern": r"^[^\n\t]*\S[^\n\t]*$" },
        }),
    }
}

/// A table whose keys are names.
fn named(entry: &Value) -> Value {
    json!({
        "type": "object",
        "propertyNames": { "pattern": NAME },
        "additionalProperties": entry,
    })
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn labels() -> Value {
    json!({
        "type": "array",
        "items": { "type": "string", "pattern": LABEL },
        "minItems": 1,
        "uniqueItems": true,
    })
}

fn number() -> Value {
    json!({ "type": ["number", "string"] })
}

fn value() -> Value {
    json!({ "type": ["integer", "string"] })
}

fn list(item: &Value) -> Value {
    json!({ "type": "array", "items": item, "minItems": 1 })
}

#[cfg(test)]
mod tests;
