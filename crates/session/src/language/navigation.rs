//! Where names are defined and used.

use oddsmith_rules::index::Symbol;

use crate::document::Document;
use crate::position::{Position, Range};

/// A symbol that is named at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it is named there.
    pub range: Range,
    /// The symbol, with spans in bytes of the text.
    pub symbol: Symbol,
}

/// A place at which something is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefinitionRange {
    /// Its name.
    pub name: Range,
    /// All of it.
    pub whole: Range,
}

impl Document {
    /// What is named at a position.
    #[must_use]
    pub fn symbol_at(&self, position: Position) -> Option<Found> {
        let analysis = self.analysis();
        let (span, symbol) = analysis.names().at(self.offset(position))?;
        Some(Found {
            range: self.range(span),
            symbol: symbol.clone(),
        })
    }

    /// Where that is defined which is named at a position; in several places if these have to have the same name.
    #[must_use]
    pub fn definition(&self, position: Position) -> Vec<DefinitionRange> {
        let Some(found) = self.symbol_at(position) else {
            return Vec::new();
        };
        let definitions = found.symbol.definitions.iter();
        let ranges = definitions.map(|definition| DefinitionRange {
            name: self.range(definition.name),
            whole: self.range(definition.whole),
        });
        ranges.collect()
    }

    /// Each place at which that is named which is named at a position, in the order of the text.
    #[must_use]
    pub fn references(&self, position: Position, with_definitions: bool) -> Vec<Range> {
        let Some(found) = self.symbol_at(position) else {
            return Vec::new();
        };
        let places = match with_definitions {
            true => found.symbol.places(),
            false => found.symbol.references,
        };
        places.into_iter().map(|place| self.range(place)).collect()
    }
}
