//! The local server of the workbench: it serves a page, a WebSocket and the rulesets of one directory to the browser of
//! whoever started it, and to nobody else.
//!
//! What is said over the WebSocket is the business of a [`Handler`]: this crate carries texts. How it keeps strangers out is
//! told in `README.md`.
//!
//! ```
//! use oddsmith_serve::{Asset, Files, Handler, OpenFiles, Options, Outbox, Peer, Server};
//! use std::sync::Arc;
//!
//! struct Echo;
//! struct EchoPeer(Outbox);
//!
//! impl Handler for Echo {
//!     fn connect(&self, outbox: Outbox, _files: Arc<OpenFiles>) -> Box<dyn Peer> {
//!         Box::new(EchoPeer(outbox))
//!     }
//! }
//!
//! impl Peer for EchoPeer {
//!     fn receive(&mut self, text: &str) {
//!         let _ = self.0.send(text.to_owned());
//!     }
//! }
//!
//! let page = Asset { path: "", content_type: "text/html; charset=utf-8", bytes: b"<!doctype html>" };
//! let server = Server::bind(Options::default(), vec![page], Files::none(), Echo)?;
//! assert!(server.address().starts_with("http://127.0.0.1:"));
//! let stopper = server.stopper();
//! let running = std::thread::spawn(move || server.run());
//! stopper.stop();
//! running.join().expect("no panic")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod browser;
mod files;
mod handler;
mod incoming;
mod lock;
mod options;
mod outbox;
mod page;
mod request;
mod response;
mod roster;
mod routes;
mod server;
mod shared;
mod socket;
mod timed;
mod upgrade;
mod visit;

pub use browser::open_browser;
pub use files::{FileChange, FileError, FileText, Files, ListedFile, Listing, OpenFiles, Save};
pub use handler::{Handler, Peer};
pub use options::{Asset, Limits, Options};
pub use outbox::{Closed, Outbox};
pub use page::PAGE;
pub use server::{BindError, Counts, Server, Stopper};
