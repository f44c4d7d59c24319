//! The keys and values of a file with their places, as far as can be told: also of a text that is no TOML yet.
//!
//! The loader needs a file as a tree, of which each name stands once. Whoever changes a file, or writes one, needs each
//! place at which a key is written, and needs it while half a line is missing.

mod cursor;
mod parts;
mod place;
mod reader;

pub use cursor::Cursor;
pub use parts::{KeyPart, Layout, Scalar, Step};
pub use place::{KeyHelp, Keys, Place};
