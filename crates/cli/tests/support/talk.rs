//! Conversations with a server of the program, each message of which is held against the protocol's meta-model.

use oddsmith_testkit::meta_model::{Conversation, Speaker};
use serde_json::{Value, json};

/// How messages go to a server and come from it.
pub(crate) trait Line {
    fn send(&mut self, text: String);
    fn receive(&mut self) -> String;
}

/// A client, which counts its questions.
pub(crate) struct Talk<L> {
    pub(crate) line: L,
    next: i64,
    conversation: Conversation,
}

impl<L: Line> Talk<L> {
    pub(crate) fn over(line: L) -> Self {
        Self {
            line,
            next: 1,
            conversation: Conversation::default(),
        }
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.conversation.take(Speaker::Client, message);
        self.line.send(message.to_string());
    }

    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        self.say(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The next message that is wanted; others are passed over.
    pub(crate) fn hear(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message: Value = serde_json::from_str(&self.line.receive()).expect("JSON");
            self.conversation.take(Speaker::Server, &message);
            if is_wanted(&message) {
                return message;
            }
        }
    }

    /// The answer to a question, with its result or its error.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.hear(|message| message["id"] == json!(id))
    }
}
