//! The rulesets of one file or one directory: listed, opened, saved, watched. Names come from strangers; no file elsewhere is
//! read or written, whatever they say.

mod content;
mod error;
mod listing;
mod name;
mod open_files;
mod place;
mod served;
mod stamp;
mod text;

pub use content::FileText;
pub use error::FileError;
pub use listing::{ListedFile, Listing};
pub use open_files::{FileChange, OpenFiles};
pub use served::{Files, Save};
