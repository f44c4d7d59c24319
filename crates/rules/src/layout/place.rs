//! What a file may have at a place, by the lists of its keys.

use crate::file::keys::{self, Holds, Key, KeyKind};
use crate::layout::parts::Step;

/// What stands at the end of a way.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// A table with some keys.
    Table(Keys),
    /// A table whose keys are names, each of a table with some keys.
    Names(Keys),
    /// A list of tables with some keys.
    List(Keys),
    /// A table whose keys are names, each of a value as behind this key.
    Named(KeyHelp),
    /// A value.
    Value(KeyHelp),
}

/// The keys that a table may have.
#[derive(Clone, Copy, Debug)]
pub struct Keys(&'static [Key]);

/// A key as an editor shows it.
#[derive(Clone, Copy, Debug)]
pub struct KeyHelp(&'static Key);

impl Keys {
    /// Each of them, in the order in which they are told.
    pub fn iter(self) -> impl Iterator<Item = KeyHelp> {
        self.0.iter().map(KeyHelp)
    }
}

impl KeyHelp {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What it is for, in a sentence.
    #[must_use]
    pub fn help(self) -> &'static str {
        self.0.help
    }

    /// Whether its table needs it.
    #[must_use]
    pub fn is_required(self) -> bool {
        self.0.required
    }

    /// Whether tables stand behind it.
    #[must_use]
    pub fn is_table(self) -> bool {
        matches!(
            self.0.kind,
            KeyKind::Table(_)
                | KeyKind::Tables(_)
                | KeyKind::List(_)
                | KeyKind::Functions
                | KeyKind::NamedLabels
        )
    }

    /// Whether a list of tables stands behind it, each under `[[…]]`.
    #[must_use]
    pub fn is_list_of_tables(self) -> bool {
        matches!(self.0.kind, KeyKind::List(_))
    }

    /// The words that alone may stand behind it; empty if others may.
    #[must_use]
    pub fn words(self) -> &'static [&'static str] {
        match self.0.kind {
            KeyKind::OneOf(words) => words,
            KeyKind::Flag => &["true", "false"],
            _ => &[],
        }
    }

    /// Whether its words stand in quotes.
    #[must_use]
    pub fn is_text(self) -> bool {
        !matches!(self.0.kind, KeyKind::Flag)
    }

    /// What its texts are.
    #[must_use]
    pub fn holds(self) -> Holds {
        self.0.holds
    }
}

impl Place {
    /// What stands at the end of a way; none if a file has nothing there.
    #[must_use]
    pub fn of(path: &[Step]) -> Option<Self> {
        let mut place = Self::Table(Keys(keys::ROOT));
        for step in path {
            place = match (place, step) {
                (Self::Table(Keys(keys)), Step::Key(name)) => {
                    Self::behind(keys.iter().find(|key| key.name == *name)?)
                }
                (Self::Names(keys), Step::Key(_)) | (Self::List(keys), Step::At(_)) => {
                    Self::Table(keys)
                }
                (Self::Named(key), Step::Key(_)) => Self::Value(key),
                (value @ Self::Value(_), Step::At(_)) => value,
                _ => return None,
            };
        }
        Some(place)
    }

    fn behind(key: &'static Key) -> Self {
        match key.kind {
            KeyKind::Tables(keys) => Self::Names(Keys(keys)),
            KeyKind::Table(keys) => Self::Table(Keys(keys)),
            KeyKind::List(keys) => Self::List(Keys(keys)),
            KeyKind::Functions | KeyKind::NamedLabels => Self::Named(KeyHelp(key)),
            _ => Self::Value(KeyHelp(key)),
        }
    }

    /// The key of a value, a table or a list of tables at the end of a way; none of a name of the file's own.
    #[must_use]
    pub fn key(path: &[Step]) -> Option<KeyHelp> {
        let (last, before) = path.split_last()?;
        let name = last.key()?;
        match Self::of(before)? {
            Self::Table(keys) => keys.iter().find(|key| key.name() == name),
            _ => None,
        }
    }

    /// What the texts at the end of a way are.
    #[must_use]
    pub fn holds(path: &[Step]) -> Holds {
        match Self::of(path) {
            Some(Self::Value(key)) => key.holds(),
            _ => Holds::Words,
        }
    }
}
