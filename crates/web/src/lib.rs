//! The session behind the workbench as WebAssembly: the workbench as a folder of files, without a server.
//!
//! A page's worker holds a `Session` and carries messages between it and the page, as the server of `oddsmith serve` carries
//! them over a WebSocket. `scripts/build-web` builds it; elsewhere than in WebAssembly this crate is empty.
#![cfg(target_family = "wasm")]

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use oddsmith_protocol::{Connection, NoHost};
use wasm_bindgen::prelude::wasm_bindgen;

/// One end of a conversation about documents; the page is the other one.
#[wasm_bindgen]
pub struct Session {
    connection: Connection,
    said: Receiver<String>,
}

#[wasm_bindgen]
impl Session {
    /// A session that has heard nothing yet.
    #[wasm_bindgen(constructor)]
    #[allow(
        clippy::new_without_default,
        reason = "JavaScript calls this `new Session()`"
    )]
    pub fn new() -> Self {
        let (sender, said) = channel();
        // Who drops the session wants no more of its messages.
        let send = move |text| drop(sender.send(text));
        Self {
            connection: Connection::new(Arc::new(NoHost), send),
            said,
        }
    }

    /// Takes a message of the page, and returns what there is to say: all of it, since there is a single thread.
    pub fn receive(&self, text: &str) -> Vec<String> {
        self.connection.receive(text);
        self.said.try_iter().collect()
    }
}
