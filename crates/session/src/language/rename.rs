//! Renaming. What comes out is read again: it has to mean the same but for the name, or it is refused.

use std::fmt;

use oddsmith_rules::index::{Names, Reading, Symbol, SymbolKind};
use oddsmith_rules::layout::Place;
use oddsmith_rules::words::refuse_name;
use oddsmith_rules::{Holds, Source, Span, load_named};

use crate::document::Document;
use crate::position::{Position, Range, TextEdit};

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason, in a sentence.
    pub message: String,
}

/// What can be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamable {
    /// Where its name stands.
    pub range: Range,
    /// The name that it has.
    pub name: String,
}

/// A text in place of what stands in a span.
struct Edit {
    span: Span,
    text: String,
}

impl Refusal {
    fn because(message: impl Into<String>) -> Self {
        let message = message.into();
        Self { message }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl Document {
    /// The name at a position, if it can be another one.
    ///
    /// # Errors
    /// If there is no name, or it is one of the language.
    pub fn prepare_rename(&self, position: Position) -> Result<Renamable, Refusal> {
        let found = self
            .symbol_at(position)
            .ok_or_else(|| Refusal::because("there is no name here that this file defines"))?;
        if found.symbol.kind == SymbolKind::Show && found.symbol.name == "band" {
            return Err(Refusal::because("`band` is a word of the language"));
        }
        Ok(Renamable {
            range: found.range,
            name: found.symbol.name,
        })
    }

    /// The changes that give another name to what is named at a position, in the order of the text. After them the text
    /// means what it means now, but for that name.
    ///
    /// # Errors
    /// If that is not a legal name, or something else would mean another thing then.
    pub fn rename(&self, position: Position, name: &str) -> Result<Vec<TextEdit>, Refusal> {
        self.prepare_rename(position)?;
        let analysis = self.analysis();
        let names = analysis.names();
        let (_, symbol) = names
            .at(self.offset(position))
            .ok_or_else(|| Refusal::because("there is no name here that this file defines"))?;
        if symbol.name == name {
            return Ok(Vec::new());
        }
        demand_legal(symbol, name)?;
        let edits = self.edits(symbol, name)?;
        self.demand_same(names, &edits, name)?;
        let told = edits.into_iter().map(|edit| TextEdit {
            range: self.range(edit.span),
            new_text: edit.text,
        });
        Ok(told.collect())
    }

    fn edits(&self, symbol: &Symbol, name: &str) -> Result<Vec<Edit>, Refusal> {
        let places = symbol.places().into_iter();
        let edits = places.map(|span| {
            let text = self.written(span, symbol.kind, name)?;
            Ok(Edit { span, text })
        });
        edits.collect()
    }

    /// The name as it is written at a place: a label that is no word stands in quotes where scripts and queries name it.
    fn written(&self, place: Span, kind: SymbolKind, name: &str) -> Result<String, Refusal> {
        let is_label = matches!(kind, SymbolKind::Label | SymbolKind::Band);
        let is_plain = refuse_name(name, false).is_none();
        let analysis = self.analysis();
        let string = analysis.names().layout.string_at(place.start);
        let Some((string, text)) = string.and_then(|string| Some((string, string.text?))) else {
            // A number that is a label, and stands as one; or a key of `labels`, which is a word unless it stands in quotes.
            let is_number = self.text()[place.start..].starts_with(char::is_numeric);
            let is_quoted = self.text()[..place.start].ends_with(['"', '\'']);
            return Ok(if is_label && !is_quoted && (is_number || !is_plain) {
                format!("\"{name}\"")
            } else {
                name.to_owned()
            });
        };
        let holds = Place::holds(&string.path);
        let is_code = matches!(
            holds,
            Holds::Script
                | Holds::Function
                | Holds::Requirement
                | Holds::Measure
                | Holds::Query
                | Holds::Utility
        );
        let is_whole = self.text()[text.start..text.end].trim().len() == place.end - place.start;
        let is_quoted = self.text()[..place.start].ends_with('"');
        if !is_label || is_plain || !is_code || is_whole || is_quoted {
            return Ok(name.to_owned());
        }
        let opening = &self.text()[string.span.start..text.start];
        if opening == "\"" {
            let line = self.position(place.start).line + 1;
            return Err(Refusal::because(format!(
                "`{name}` needs quotes in line {line}, whose text stands in the same quotes: write that text in '…' first"
            )));
        }
        Ok(format!("\"{name}\""))
    }

    /// Refuses changes after which something means another thing.
    fn demand_same(&self, names: &Names, edits: &[Edit], name: &str) -> Result<(), Refusal> {
        let changed = applied(self.text(), edits);
        let Reading {
            model,
            names: changed_names,
        } = load_named(&Source::new(self.uri(), changed));
        let analysis = self.analysis();
        let before = analysis.game().err().map_or(0, |errors| errors.0.len());
        if let Err(errors) = model
            && errors.0.len() > before
        {
            let first = errors.0.iter().find(|error| error.message.contains(name));
            let told = first.or(errors.0.first());
            let told = told.map_or("an error", |error| error.message.as_str());
            return Err(Refusal::because(format!(
                "`{name}` can't be the name: {told}"
            )));
        }
        match self.differs(names, &changed_names, edits) {
            None => Ok(()),
            Some(place) => {
                let line = self.position(place.start).line + 1;
                let message = format!(
                    "`{name}` is another name already: line {line} would mean something else"
                );
                Err(Refusal::because(message))
            }
        }
    }

    /// A place that means another thing after some changes.
    fn differs(&self, names: &Names, changed: &Names, edits: &[Edit]) -> Option<Span> {
        let (before, after) = (names.places(), changed.places());
        let mut pairs = vec![None; names.symbols.len()];
        let mut taken = vec![false; changed.symbols.len()];
        for (at, (place, symbol)) in before.iter().enumerate() {
            let Some((new_place, new_symbol)) = after.get(at) else {
                return Some(*place);
            };
            let is_there = new_place.start == moved(place.start, edits) + quotes(*place, edits);
            let pair = *pairs[*symbol].get_or_insert_with(|| {
                let is_free = !std::mem::replace(&mut taken[*new_symbol], true);
                is_free.then_some(*new_symbol)
            });
            if !is_there || pair != Some(*new_symbol) {
                return Some(*place);
            }
        }
        let end = Span::new(self.text().len(), self.text().len());
        (after.len() > before.len()).then_some(end)
    }
}

/// How many quotes an edit puts before the name at a place.
fn quotes(place: Span, edits: &[Edit]) -> usize {
    let edit = edits.iter().find(|edit| edit.span == place);
    edit.map_or(0, |edit| usize::from(edit.text.starts_with('"')))
}

/// Where a byte is after some changes before it.
fn moved(at: usize, edits: &[Edit]) -> usize {
    let before = edits.iter().filter(|edit| edit.span.end <= at);
    let (added, gone) = before.fold((0, 0), |(added, gone), edit| {
        (
            added + edit.text.len(),
            gone + edit.span.end - edit.span.start,
        )
    });
    at + added - gone
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.start..edit.span.end, &edit.text);
    }
    text
}

/// Refuses what no symbol of this kind can be called.
fn demand_legal(symbol: &Symbol, name: &str) -> Result<(), Refusal> {
    let refused = match symbol.kind {
        SymbolKind::Label | SymbolKind::Band => name
            .trim()
            .is_empty()
            .then(|| "a label can't be empty".to_owned()),
        SymbolKind::Function | SymbolKind::Check => refuse_name(name, true),
        _ => refuse_name(name, false),
    };
    match refused {
        Some(message) => Err(Refusal { message }),
        None => Ok(()),
    }
}
