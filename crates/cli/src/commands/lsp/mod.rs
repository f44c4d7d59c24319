//! `oddsmith lsp`: a language server on standard input and output.

mod host;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use oddsmith_protocol::{Connection, Host, read_frame, write_frame};

use crate::args::LspArgs;
use crate::exit;
use host::Disk;

/// Answers until the editor ends it, or is gone.
pub(crate) fn run(_: &LspArgs) -> Result<u8> {
    let out = Mutex::new(io::stdout());
    let send = move |text: String| {
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        // An editor that is gone reads nothing; that is seen at its other end.
        let _ = write_frame(&mut *out, &text);
    };
    let disk = Arc::new(Disk::default());
    let connection = Connection::new(Arc::clone(&disk) as Arc<dyn Host>, send);
    let end = converse(&connection);
    disk.close();
    end
}

/// Takes messages until the editor ends the conversation, or is gone.
fn converse(connection: &Connection) -> Result<u8> {
    let mut input = io::stdin().lock();
    while let Some(text) = read_frame(&mut input).context("can't read from the editor")? {
        connection.receive(&text);
        if let Some(was_shut_down) = connection.end() {
            return Ok(if was_shut_down { exit::OK } else { exit::NO });
        }
    }
    Ok(exit::NO)
}
