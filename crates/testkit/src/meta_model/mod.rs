//! The published meta-model of the Language Server Protocol, version 3.17, and whether messages are what it says.
//!
//! `model.json` has the part that concerns this language server; `scripts/derive-meta-model` writes it, and tells where it
//! comes from and under which licence. Stricter than the protocol, a property that the model does not have is a complaint:
//! a server that sends one has misspelt another.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// The meta-model.
#[derive(Debug)]
pub struct MetaModel {
    requests: HashMap<String, Value>,
    notifications: HashMap<String, Value>,
    structures: HashMap<String, Value>,
    enumerations: HashMap<String, Value>,
}

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The editor.
    Client,
    /// The language server.
    Server,
}

/// A conversation whose messages are held against the model as they come.
#[derive(Debug)]
pub struct Conversation {
    model: MetaModel,
    /// The methods of the requests that are not answered yet, by who asked and their ids.
    asked: HashMap<(bool, String), String>,
}

impl Default for Conversation {
    fn default() -> Self {
        Self {
            model: MetaModel::published(),
            asked: HashMap::new(),
        }
    }
}

impl Conversation {
    /// Takes a message, and demands that it is one.
    ///
    /// # Panics
    /// With all that is wrong with it.
    pub fn take(&mut self, speaker: Speaker, message: &Value) {
        let is_client = speaker == Speaker::Client;
        let id = message.get("id").map(ToString::to_string);
        let method = message.get("method").and_then(Value::as_str);
        let asked = match (&id, method) {
            (Some(id), Some(method)) => {
                self.asked
                    .insert((is_client, id.clone()), method.to_owned());
                None
            }
            (Some(id), None) => self.asked.remove(&(!is_client, id.clone())),
            (None, _) => None,
        };
        let complaints = self.model.complaints(speaker, message, asked.as_deref());
        assert!(
            complaints.is_empty(),
            "{speaker:?}: {}\n{message}",
            complaints.join("\n")
        );
    }
}

impl MetaModel {
    /// As it was published.
    ///
    /// # Panics
    /// If the file is no model.
    #[must_use]
    pub fn published() -> Self {
        let model: Value = serde_json::from_str(include_str!("model.json")).expect("it is JSON");
        let named = |list: &str, name: &str| {
            let items = model[list].as_array().expect("a list").iter();
            items
                .map(|item| {
                    (
                        item[name].as_str().expect("a name").to_owned(),
                        item.clone(),
                    )
                })
                .collect()
        };
        Self {
            requests: named("requests", "method"),
            notifications: named("notifications", "method"),
            structures: named("structures", "name"),
            enumerations: named("enumerations", "name"),
        }
    }

    /// What is wrong with a message; `asked` is the method that it answers, if it does. Of methods that begin with `oddsmith/`,
    /// which are none of the protocol's, only the envelope is looked at.
    #[must_use]
    pub fn complaints(
        &self,
        speaker: Speaker,
        message: &Value,
        asked: Option<&str>,
    ) -> Vec<String> {
        let mut told = Vec::new();
        if message["jsonrpc"] != "2.0" {
            told.push("`jsonrpc` is not 2.0".to_owned());
        }
        let id = message.get("id");
        let is_id = |id: &Value| id.is_i64() || id.is_string();
        match (id, message.get("method").and_then(Value::as_str)) {
            (id, Some(method)) => {
                if id.is_some_and(|id| !is_id(id)) {
                    told.push("the id is no integer and no string".to_owned());
                }
                demand_keys(message, &["jsonrpc", "id", "method", "params"], &mut told);
                self.sent(speaker, method, message, &mut told);
            }
            (Some(id), None) => {
                if !is_id(id) && (!id.is_null() || message.get("error").is_none()) {
                    told.push("the id is no integer and no string".to_owned());
                }
                self.answered(message, asked, &mut told);
            }
            (None, None) => told.push("neither an id nor a method".to_owned()),
        }
        told
    }

    /// A request or a notification.
    fn sent(&self, speaker: Speaker, method: &str, message: &Value, told: &mut Vec<String>) {
        if method.starts_with("oddsmith/") {
            return;
        }
        let list = match message.get("id") {
            Some(_) => &self.requests,
            None => &self.notifications,
        };
        let Some(own) = list.get(method) else {
            return told.push(format!("no message is called `{method}`"));
        };
        let wrong = match speaker {
            Speaker::Client => "serverToClient",
            Speaker::Server => "clientToServer",
        };
        if own["messageDirection"] == wrong {
            told.push(format!("`{method}` goes the other way"));
        }
        match (own.get("params"), message.get("params")) {
            (Some(kind), Some(params)) => self.check(kind, params, "params", told),
            (Some(_), None) => told.push("`params` is missing".to_owned()),
            // Nothing is said then, as null or as nothing.
            (None, params) => {
                if params.is_some_and(|params| !params.is_null()) {
                    told.push(format!("`{method}` has no `params`"));
                }
            }
        }
    }

    /// An answer.
    fn answered(&self, message: &Value, asked: Option<&str>, told: &mut Vec<String>) {
        demand_keys(message, &["jsonrpc", "id", "result", "error"], told);
        match (message.get("result"), message.get("error")) {
            (Some(result), None) => {
                let Some(method) = asked else {
                    return told.push("an answer to nothing".to_owned());
                };
                if let Some(request) = self.requests.get(method) {
                    self.check(&request["result"], result, "result", told);
                }
            }
            (None, Some(error)) => {
                demand_keys(error, &["code", "message", "data"], told);
                if error["code"]
                    .as_i64()
                    .is_none_or(|code| i32::try_from(code).is_err())
                {
                    told.push("`error.code` is no integer".to_owned());
                }
                if !error["message"].is_string() {
                    told.push("`error.message` is no string".to_owned());
                }
            }
            _ => told.push("not one of `result` and `error`".to_owned()),
        }
    }

    /// Holds a value against a type of the model.
    fn check(&self, kind: &Value, value: &Value, path: &str, told: &mut Vec<String>) {
        let name = kind["name"].as_str().unwrap_or_default();
        let mut demand = |holds: bool, what: &str| {
            if !holds {
                told.push(format!("`{path}` is no {what}: {value}"));
            }
        };
        match kind["kind"].as_str().expect("a kind") {
            "base" => demand(is_base(name, value), name),
            "stringLiteral" => demand(*value == kind["value"], &kind["value"].to_string()),
            "reference" => match self.enumerations.get(name) {
                Some(own) => {
                    let values = own["values"].as_array().expect("a list");
                    demand(values.iter().any(|known| known["value"] == *value), name);
                }
                None => self.structure(name, value, path, told),
            },
            "array" => match value.as_array() {
                None => demand(false, "array"),
                Some(items) => {
                    for (at, item) in items.iter().enumerate() {
                        self.check(&kind["element"], item, &format!("{path}[{at}]"), told);
                    }
                }
            },
            "map" => match value.as_object() {
                None => demand(false, "object"),
                Some(entries) => {
                    for (key, entry) in entries {
                        self.check(&kind["value"], entry, &format!("{path}.{key}"), told);
                    }
                }
            },
            "tuple" => {
                let items = kind["items"].as_array().expect("a list");
                let values = value
                    .as_array()
                    .filter(|values| values.len() == items.len());
                demand(values.is_some(), "tuple");
                for (at, (item, value)) in
                    items.iter().zip(values.into_iter().flatten()).enumerate()
                {
                    self.check(item, value, &format!("{path}[{at}]"), told);
                }
            }
            "or" => self.one_of(kind["items"].as_array().expect("a list"), value, path, told),
            other => panic!("the model has a type `{other}`"),
        }
    }

    /// Holds a value against several types; the complaints are those of the type that it is nearest to.
    fn one_of(&self, kinds: &[Value], value: &Value, path: &str, told: &mut Vec<String>) {
        let complaints = kinds.iter().map(|kind| {
            let mut told = Vec::new();
            self.check(kind, value, path, &mut told);
            told
        });
        told.extend(complaints.min_by_key(Vec::len).unwrap_or_default());
    }

    fn structure(&self, name: &str, value: &Value, path: &str, told: &mut Vec<String>) {
        let own = self.structures.get(name);
        let own = own.unwrap_or_else(|| panic!("the model has no `{name}`"));
        let Some(entries) = value.as_object() else {
            return told.push(format!("`{path}` is no {name}: {value}"));
        };
        let properties = own["properties"].as_array().expect("a list");
        let is_known = |key: &str| properties.iter().any(|property| property["name"] == key);
        for key in entries.keys().filter(|key| !is_known(key)) {
            told.push(format!("`{path}` has a `{key}`, which no {name} has"));
        }
        for property in properties {
            let key = property["name"].as_str().expect("a name");
            match entries.get(key) {
                Some(value) => self.check(&property["type"], value, &format!("{path}.{key}"), told),
                None if property["optional"] == true => {}
                None => told.push(format!("`{path}` has no `{key}`, which each {name} has")),
            }
        }
    }
}

/// Complains about keys that an envelope has beyond these.
fn demand_keys(value: &Value, keys: &[&str], told: &mut Vec<String>) {
    let empty = Map::new();
    let entries = value.as_object().unwrap_or(&empty);
    let others = entries.keys().filter(|key| !keys.contains(&key.as_str()));
    told.extend(others.map(|key| format!("the envelope has a `{key}`")));
}

fn is_base(name: &str, value: &Value) -> bool {
    match name {
        "any" => true,
        "null" => value.is_null(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "decimal" => value.is_number(),
        "integer" => value
            .as_i64()
            .is_some_and(|value| i32::try_from(value).is_ok()),
        "uinteger" => value
            .as_u64()
            .is_some_and(|value| i32::try_from(value).is_ok()),
        other => panic!("the model has a type `{other}`"),
    }
}
