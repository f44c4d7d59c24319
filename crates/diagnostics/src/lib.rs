//! Texts, places in them, and what is said about them: errors with a caret, the name that was most likely meant, and characters
//! that nobody would see.
//!
//! ```
//! use oddsmith_diagnostics::{Diagnostic, Source, Span, nearest};
//!
//! let source = Source::new("dice.txt", "roll 2d6\nrool 3d6");
//! let near = nearest("rool", ["roll", "keep"]).expect("one is near");
//! let error = Diagnostic::new(&source, Span::new(9, 13), "there is no `rool`").meant(near);
//! assert_eq!(error.to_string(), "dice.txt:2:1: there is no `rool`");
//! assert!(error.render(false).contains("did you mean `roll`?"));
//! ```

mod narrow;
mod nearest;
mod source;
mod visible;

pub use nearest::nearest;
pub use source::{Diagnostic, Diagnostics, Fix, Severity, Source, Span, inside_quotes};
pub use visible::{Refusal, first_unseen, one_line, visible};
