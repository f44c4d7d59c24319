//! Rulesets while they are written: documents in, what an editor needs to know of them out.
//!
//! A [`Session`] holds the open documents. Each [`Document`] is one version of one text and never changes: a change makes
//! another one, and cancels what is still asked of the one before. What a version says is found out once, when it is
//! first asked for, and shared by all threads: its [`Analysis`].
//!
//! The crate knows no protocol, no sockets, no files and no clocks. Places that go in and out are [`Position`]s and
//! [`Range`]s, as editors count them.
//!
//! ```
//! use oddsmith_session::Session;
//!
//! let mut session = Session::default();
//! let text = "name = 'Coins'\n[checks.toss]\nrules = 'show heads = 1d2 == 2'\n";
//! let document = session.open("file:///coins.toml", 1, text);
//! assert!(document.analysis().game().is_ok());
//! assert!(document.diagnostics().is_empty());
//! ```

mod analysis;
mod beside;
mod diagnostics;
mod document;
mod language;
mod lenses;
mod lines;
mod position;
mod session;

pub use analysis::Analysis;
pub use beside::InlayHint;
pub use diagnostics::{Diagnostic, Fix, Related};
pub use document::{Change, Document};
pub use language::{
    CodeAction, Completion, CompletionKind, DefinitionRange, DocumentSymbol, DocumentSymbolKind,
    FoldingKind, FoldingRange, Found, Hover, Refusal, Renamable, SemanticToken, TOKEN_TYPES,
};
pub use lenses::{CodeLens, Shown, Shows};
pub use lines::Lines;
pub use oddsmith_rules::index::{Symbol, SymbolKind};
pub use position::{Encoding, Position, Range, TextEdit};
pub use session::{NoDocument, Session};
