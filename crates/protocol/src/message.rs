//! Messages: JSON-RPC 2.0, one to a text.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::failure::Failure;

/// The name of a request, a number or a text, by which it is answered and cancelled.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Id {
    Number(i64),
    Text(String),
}

/// What the other side says.
#[derive(Debug, Deserialize)]
pub(crate) struct Message {
    /// Only requests have one.
    #[serde(default)]
    pub(crate) id: Option<Id>,
    /// Answers to our own requests have none.
    #[serde(default)]
    pub(crate) method: Option<String>,
    #[serde(default)]
    pub(crate) params: Value,
}

impl Message {
    /// Reads a text.
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| Failure::no_json(&error.to_string()))?;
        if !value.is_object() {
            return Err(Failure::no_request(
                "a message is one object; send several one by one",
            ));
        }
        serde_json::from_value(value).map_err(|error| Failure::no_request(&error.to_string()))
    }
}

/// What a method is asked for.
///
/// # Errors
/// If the parameters are no `T`.
pub fn params<T: DeserializeOwned>(method: &str, params: &Value) -> Result<T, Failure> {
    T::deserialize(params).map_err(|error| Failure::params(method, &error.to_string()))
}

/// An answer.
pub(crate) fn answer(id: &Id, result: Result<Value, Failure>) -> String {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(error) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
    }
    .to_string()
}

/// The answer to what can't be read as a request.
pub(crate) fn refusal(error: &Failure) -> String {
    json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string()
}

/// A request of our own; what is answered to it is let be.
pub(crate) fn request(id: u64, method: &str, params: &Value) -> String {
    let id = format!("oddsmith-{id}");
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

/// Something that nobody asked for.
pub(crate) fn notification(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}
