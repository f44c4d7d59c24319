//! Values of a TOML file with their places, for the program's own files; and how such values are written.

use std::sync::Arc;

use oddsmith_rules::{Diagnostic, Source, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value, or the whole file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'t> {
    source: &'t Arc<Source>,
    value: What<'t>,
    span: Span,
}

#[derive(Clone, Copy, Debug)]
enum What<'t> {
    Table(&'t DeTable<'t>),
    Value(&'t DeValue<'t>),
}

impl<'t> Entry<'t> {
    /// The whole file.
    pub(crate) fn root(source: &'t Arc<Source>, table: &'t DeTable<'t>) -> Self {
        Self {
            source,
            value: What::Table(table),
            span: Span::new(0, source.text.lines().next().map_or(0, str::len)),
        }
    }

    fn of(source: &'t Arc<Source>, value: &'t Spanned<DeValue<'t>>) -> Self {
        Self {
            source,
            value: match value.get_ref() {
                DeValue::Table(table) => What::Table(table),
                other => What::Value(other),
            },
            span: place(value.span()),
        }
    }

    /// Its place.
    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// An error at its place.
    pub(crate) fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.source, self.span, message)
    }

    /// It is not what is needed here.
    pub(crate) fn wrong(&self, needed: &str) -> Diagnostic {
        let is = match self.value {
            What::Table(_) => "table",
            What::Value(value) => value.type_str(),
        };
        self.error(format!("this must be {needed}"))
            .with_label(format!("a value of type {is}"))
    }

    /// The value of a key, if it is there.
    pub(crate) fn get(&self, key: &str) -> Option<Self> {
        let What::Table(table) = self.value else {
            return None;
        };
        Some(Self::of(self.source, table.get(key)?))
    }

    /// The value of a key that must be there.
    pub(crate) fn need(&self, key: &str) -> Result<Self, Diagnostic> {
        let missing = || {
            self.error(format!("`{key}` is missing"))
                .with_label("in this table")
        };
        self.get(key).ok_or_else(missing)
    }

    /// The keys of a table with their values, in the file's order.
    pub(crate) fn entries(&self) -> Result<Vec<(String, Self)>, Diagnostic> {
        let keys = self.keys()?.into_iter();
        Ok(keys.map(|(key, _, value)| (key, value)).collect())
    }

    /// The same with the places of the keys.
    pub(crate) fn keys(&self) -> Result<Vec<(String, Span, Self)>, Diagnostic> {
        let What::Table(table) = self.value else {
            return Err(self.wrong("a table"));
        };
        let entry = |(key, value)| {
            let (key, value): (&Spanned<_>, _) = (key, value);
            let name: &std::borrow::Cow<'_, str> = key.get_ref();
            let value = Self::of(self.source, value);
            (name.to_string(), place(key.span()), value)
        };
        Ok(table.iter().map(entry).collect())
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> Result<Vec<Self>, Diagnostic> {
        match self.value {
            What::Value(DeValue::Array(items)) => {
                let items = items.iter();
                Ok(items.map(|item| Self::of(self.source, item)).collect())
            }
            _ => Err(self.wrong("a list")),
        }
    }

    /// A string.
    pub(crate) fn string(&self) -> Result<&'t str, Diagnostic> {
        match self.value {
            What::Value(DeValue::String(text)) => Ok(text),
            _ => Err(self.wrong("a string")),
        }
    }

    /// A list of strings.
    pub(crate) fn strings(&self) -> Result<Vec<String>, Diagnostic> {
        let items = self.items()?.into_iter();
        items.map(|item| item.string().map(str::to_owned)).collect()
    }

    /// A whole number.
    pub(crate) fn integer(&self) -> Result<i64, Diagnostic> {
        let What::Value(DeValue::Integer(number)) = self.value else {
            return Err(self.wrong("a whole number"));
        };
        i64::from_str_radix(number.as_str(), number.radix())
            .map_err(|_| self.wrong("a whole number below 2^63"))
    }

    /// The digits of a number, whole or not, as they are written.
    pub(crate) fn number(&self) -> Result<&'t str, Diagnostic> {
        match self.value {
            What::Value(DeValue::Integer(number)) if number.radix() == 10 => Ok(number.as_str()),
            What::Value(DeValue::Float(number)) => Ok(number.as_str()),
            _ => Err(self.wrong("a number")),
        }
    }
}

fn place(span: std::ops::Range<usize>) -> Span {
    Span::new(span.start, span.end)
}

/// Items as a list on one line.
pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Text as TOML has it: the escapes are those of JSON, and one more.
pub(crate) fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    json.replace('\u{7f}', "\\u007f")
}

/// A key of TOML, in quotes where it must be.
#[must_use]
pub fn key(text: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !text.is_empty() && text.chars().all(is_bare) {
        return text.to_owned();
    }
    quoted(text)
}
