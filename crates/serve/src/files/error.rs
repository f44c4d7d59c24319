//! Why a file can't be opened or saved.

use std::io::{self, ErrorKind};

use super::content::FileText;

/// Why a file can't be opened or saved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The URI names no ruleset that could be served.
    #[error("`{}` is not the URI of a ruleset: {why}", .uri.escape_debug())]
    Uri {
        /// As it came.
        uri: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A link leads out of what is served.
    #[error("`{uri}` leads out of the directory that is served")]
    Outside {
        /// The file.
        uri: String,
    },
    /// There is no such file, or it is not served.
    #[error("there is no ruleset `{uri}`")]
    Missing {
        /// The file.
        uri: String,
    },
    /// It is a directory, a pipe or a device.
    #[error("`{uri}` is not a regular file")]
    NotRegular {
        /// The file.
        uri: String,
    },
    /// The file, or the text that is to be saved, is too long.
    #[error("`{uri}` has more than {} MB", .most >> 20)]
    TooLong {
        /// The file.
        uri: String,
        /// The most bytes of a file.
        most: u64,
    },
    /// The file is no text.
    #[error("`{uri}` is not UTF-8: {why}")]
    NotUtf8 {
        /// The file.
        uri: String,
        /// Where, or what it is instead.
        why: String,
    },
    /// The file has another content than the one that was edited; nothing was written.
    #[error("`{uri}` has changed on the disk since it was opened")]
    Changed {
        /// The file.
        uri: String,
        /// What it has now.
        now: FileText,
    },
    /// A new file was to have the name of one that is there.
    #[error("there is a file `{uri}` already")]
    Exists {
        /// The file.
        uri: String,
    },
    /// One page has too many files open.
    #[error("a page has at most {most} files open")]
    TooMany {
        /// How many it may have.
        most: usize,
    },
    /// The system can't read or write it.
    #[error("`{uri}`: {why}")]
    System {
        /// The file.
        uri: String,
        /// What the system says.
        why: String,
    },
}

impl FileError {
    /// What would help; may be empty.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Uri { .. } | Self::Missing { .. } => {
                "the list of files has the URIs of all rulesets that are served"
            }
            Self::Outside { .. } => "serve the directory that it leads to, or copy the file",
            Self::NotRegular { .. } | Self::System { .. } => "",
            Self::TooLong { .. } => "a ruleset is some kilobytes of text",
            Self::NotUtf8 { .. } => "save it as UTF-8 in the program that wrote it",
            Self::Changed { .. } => "take over what is on the disk, or save again over it",
            Self::Exists { .. } => "choose another name, or open that file",
            Self::TooMany { .. } => "close one of them",
        }
    }

    pub(super) fn missing(uri: &str) -> Self {
        let uri = uri.to_owned();
        Self::Missing { uri }
    }

    pub(super) fn io(uri: &str, error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::missing(uri),
            _ => Self::System {
                uri: uri.to_owned(),
                why: error.to_string(),
            },
        }
    }
}
