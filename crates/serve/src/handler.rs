//! Those who talk over the WebSockets.

use std::sync::Arc;

use crate::files::{FileChange, OpenFiles};
use crate::outbox::Outbox;

/// Who answers the page: it makes a [`Peer`] for each WebSocket.
pub trait Handler: Send + Sync + 'static {
    /// A peer for a new connection: what it has to say goes to `outbox`, and `files` opens and saves files for it.
    fn connect(&self, outbox: Outbox, files: Arc<OpenFiles>) -> Box<dyn Peer>;
}

/// The server's end of one conversation. It is dropped when the connection is gone.
///
/// Its methods are called one at a time. While one runs nothing else is read from this connection, and its files are not
/// looked at; so long work belongs on a thread of its own, which keeps a clone of the [`Outbox`]. The end of the server does
/// not wait for it.
pub trait Peer: Send {
    /// A message of the page.
    fn receive(&mut self, text: &str);

    /// A file that this connection has open has another content than it was told last.
    fn file_changed(&mut self, change: &FileChange) {
        let _ = change;
    }
}
