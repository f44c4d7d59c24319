//! The values of inputs, as a manifest has them.

use std::fmt;

use oddsmith_rules::{Diagnostic, Domain};

use crate::toml_file::{Entry, quoted};

/// The value of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Number(i64),
    Label(String),
}

impl Setting {
    pub(super) fn of(domain: &Domain, value: i64) -> Self {
        match domain {
            Domain::Range(..) => Self::Number(value),
            Domain::Choice(_) => Self::Label(domain.show(value)),
        }
    }

    /// The value of an input with this domain; none if it has no such value.
    pub(crate) fn value(&self, domain: &Domain) -> Option<i64> {
        match (self, domain) {
            (Self::Number(value), Domain::Range(..)) => {
                Some(*value).filter(|value| domain.contains(*value))
            }
            (Self::Label(label), Domain::Choice(choice)) => choice.place(label),
            _ => None,
        }
    }

    /// From a file.
    pub(super) fn read(entry: &Entry<'_>) -> Result<Self, Diagnostic> {
        if let Ok(label) = entry.string() {
            return Ok(Self::Label(label.to_owned()));
        }
        let number = entry.integer().map(Self::Number);
        number.map_err(|_| entry.wrong("a whole number or a label"))
    }

    /// As it stands in the file.
    pub(super) fn render(&self) -> String {
        match self {
            Self::Number(value) => value.to_string(),
            Self::Label(label) => quoted(label),
        }
    }
}

impl fmt::Display for Setting {
    /// As a user writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(value) => write!(f, "{value}"),
            Self::Label(label) => f.write_str(label),
        }
    }
}
