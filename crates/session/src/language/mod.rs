//! What an editor asks of the language: names, completion, help, renaming, colours.

mod actions;
mod completion;
mod formatting;
mod hover;
mod navigation;
mod outline;
mod project;
mod rename;
mod tokens;

pub use actions::CodeAction;
pub use completion::{Completion, CompletionKind};
pub use hover::Hover;
pub use navigation::{DefinitionRange, Found};
pub use outline::{DocumentSymbol, DocumentSymbolKind, FoldingKind, FoldingRange};
pub use rename::{Refusal, Renamable};
pub use tokens::{SemanticToken, TOKEN_TYPES};
