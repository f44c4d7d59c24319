//! A client that talks to a connection as an editor or a page does.

mod edits;
mod language;
mod order;
mod questions;
mod support;
