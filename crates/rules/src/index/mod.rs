//! The names of a file: where each is defined, and where it is used.
//!
//! Names in scripts are noted while they are resolved, so that what is told here is what the loader understood. The names
//! of keys and what stands in the texts of charts, expectations and the like are read beside that, by the lists of keys. A
//! file with errors has the names that could be resolved; the rest is taken by its look alone.

mod build;
mod definitions;
mod details;
mod findings;
mod kinds;
mod known;
mod lists;
mod look;
mod names;
mod outline;
pub(crate) mod record;
mod scripts;
mod settings;
mod texts;
mod tokens;

pub(crate) use build::build;
pub use kinds::SymbolKind;
pub(crate) use known::Known;
pub use names::{Definition, Names, Reading, Symbol};
pub use outline::{Outline, OutlineKind};
pub use tokens::{Token, TokenKind, tokens};
