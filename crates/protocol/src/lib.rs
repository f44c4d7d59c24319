//! Conversations about rulesets that are being written: the Language Server Protocol, and questions about odds beside it.
//!
//! A [`Connection`] takes messages, JSON-RPC 2.0 each, and hands out others. It knows neither sockets nor files: who holds
//! it carries the texts, over a WebSocket or standard input, and is its [`Host`] for what only a place with files can do.
//! What editors ask and what a workbench asks is answered by the crates `session` and `oddsmith`; here it only gets the
//! shape that the other side reads. `README.md` has all messages.

mod beside;
mod connection;
mod failure;
mod frame;
mod host;
#[cfg(target_family = "wasm")]
mod lane_alone;
#[cfg(not(target_family = "wasm"))]
mod lanes;
mod language;
mod message;
mod questions;

#[cfg(target_family = "wasm")]
use lane_alone::Lane;
#[cfg(not(target_family = "wasm"))]
use lanes::Lane;

pub use connection::Connection;
pub use failure::Failure;
pub use frame::{read_frame, write_frame};
pub use host::{Host, NoHost, ProjectFile};
pub use message::params;
