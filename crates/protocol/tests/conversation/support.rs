//! The client.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use oddsmith::ask::Response;
use oddsmith_protocol::{Connection, Failure, Host, ProjectFile};
use oddsmith_testkit::meta_model::{Conversation, Speaker};
use serde_json::{Value, json};

/// Long enough for any answer on a machine that does other things.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) const URI: &str = "served:/lantern.toml";

pub(crate) const PROJECT: &str = "served:/oddsmith.toml";

pub(crate) const RULES: &str = r#"name = "Lantern"
params.limit = { default = 7, domain = "2..=12" }
[checks.look]
bands = ["Dark", "Glimpse", "Clear"]
contest = "total"
axes.skill = { default = 1, domain = "0..=3", sweep = "0..=3" }
rules = """
let raw = 2d6 + skill
show total = raw
show band = match raw { < limit: Dark, < limit + 3: Glimpse, else: Clear }
"""
[[expect]]
intent = "A novice sees something more often than not."
query = "P(band>=Glimpse)"
at_least = 0.5
[[charts]]
check = "look"
x = "skill"
"#;

/// A host with one file.
struct OneFile;

impl Host for OneFile {
    fn request(&self, method: &str, _: &Value) -> Result<Value, Failure> {
        match method {
            "oddsmith/files" => Ok(json!({ "files": [{ "uri": URI }] })),
            method => Err(Failure::method(method)),
        }
    }

    fn text(&self, _: &str, source: &str) -> Result<String, Failure> {
        match source {
            "file" => Ok(RULES.replace("default = 7", "default = 8")),
            _ => Err(Failure::refused("nothing was committed", "commit it")),
        }
    }

    fn picture(&self, title: &str, svg: &str) -> Option<String> {
        let is_picture = svg.starts_with("<svg");
        is_picture.then(|| format!("file:///pictures/{title}.svg"))
    }

    fn project(&self, uri: &str) -> Option<ProjectFile> {
        (uri == URI).then(|| ProjectFile {
            uri: PROJECT.to_owned(),
            text: "[tolerances]\nClear = 0.5\n".to_owned(),
            others: Vec::new(),
        })
    }
}

pub(crate) struct Client {
    pub(crate) connection: Connection,
    receiver: Receiver<String>,
    /// What came while something else was awaited.
    kept: RefCell<Vec<Value>>,
    next: Cell<i64>,
    /// Holds each message against the protocol's meta-model.
    conversation: RefCell<Conversation>,
}

impl Client {
    pub(crate) fn new() -> Self {
        let (sender, receiver) = channel();
        let send = move |text| {
            let _ = sender.send(text);
        };
        Self {
            connection: Connection::new(Arc::new(OneFile), send),
            receiver,
            kept: RefCell::default(),
            next: Cell::new(1),
            conversation: RefCell::default(),
        }
    }

    /// A client that has the rules open in version 1.
    pub(crate) fn opened() -> Self {
        let client = Self::new();
        client.open(1, RULES);
        client
    }

    pub(crate) fn say(&self, message: &Value) {
        self.conversation
            .borrow_mut()
            .take(Speaker::Client, message);
        self.connection.receive(&message.to_string());
    }

    /// Says what no client should.
    pub(crate) fn say_wrongly(&self, message: &Value) {
        self.connection.receive(&message.to_string());
    }

    pub(crate) fn notify(&self, method: &str, params: &Value) {
        self.say(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub(crate) fn open(&self, version: i32, text: &str) {
        let document =
            json!({ "uri": URI, "languageId": "toml", "version": version, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Replaces the whole text.
    pub(crate) fn change(&self, version: i32, text: &str) {
        let document = json!({ "uri": URI, "version": version });
        let changes = json!([{ "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", &params);
    }

    /// Sends a request; the number by which it is answered.
    pub(crate) fn ask(&self, method: &str, params: &Value) -> i64 {
        let id = self.next.get();
        self.next.set(id + 1);
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// A question about a version of the rules.
    pub(crate) fn ask_of(&self, version: i32, kind: &str, question: &Value) -> i64 {
        let document = json!({ "uri": URI, "version": version });
        let params = json!({ "textDocument": document, "question": question });
        self.ask(&format!("oddsmith/{kind}"), &params)
    }

    /// The next message that is wanted; others are kept.
    pub(crate) fn next(&self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let at = self.kept.borrow().iter().position(&is_wanted);
        if let Some(at) = at {
            return self.kept.borrow_mut().remove(at);
        }
        loop {
            let text = self
                .receiver
                .recv_timeout(PATIENCE)
                .expect("an answer comes");
            let message: Value = serde_json::from_str(&text).expect("messages are JSON");
            self.conversation
                .borrow_mut()
                .take(Speaker::Server, &message);
            if is_wanted(&message) {
                return message;
            }
            self.kept.borrow_mut().push(message);
        }
    }

    /// Drops what came while something else was awaited.
    pub(crate) fn forget(&self) {
        self.kept.borrow_mut().clear();
    }

    /// The answer to a request.
    pub(crate) fn answer(&self, id: i64) -> Result<Value, (i64, Value)> {
        let message = self.next(|message| message["id"] == json!(id));
        match message.get("error") {
            Some(error) => Err((error["code"].as_i64().expect("a number"), error.clone())),
            None => Ok(message["result"].clone()),
        }
    }

    pub(crate) fn call(&self, method: &str, params: &Value) -> Result<Value, (i64, Value)> {
        self.answer(self.ask(method, params))
    }

    /// What is wrong with a version.
    pub(crate) fn faults(&self, version: i32) -> Vec<Value> {
        let told = self.next(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["version"] == json!(version)
        });
        let faults = told["params"]["diagnostics"].as_array().expect("a list");
        faults.clone()
    }
}

/// An answer as it is once it was written and read, by which decimals may move by their last bit.
pub(crate) fn read(answer: &Response) -> Value {
    let text = serde_json::to_string(answer).expect("it can be written");
    serde_json::from_str(&text).expect("it can be read")
}

/// A place of the rules: behind the `count`-th character of the first `text`.
pub(crate) fn place(text: &str, count: u32) -> Value {
    let at = RULES.find(text).expect("the text is there");
    let line = RULES[..at].matches('\n').count();
    let column = at - RULES[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": column + count as usize })
}

/// What a client tells of itself that can count positions in these units.
pub(crate) fn client_of(encodings: &[&str]) -> Value {
    let mut capabilities = json!({});
    if !encodings.is_empty() {
        capabilities["general"] = json!({ "positionEncodings": encodings });
    }
    json!({ "processId": null, "rootUri": null, "capabilities": capabilities })
}
