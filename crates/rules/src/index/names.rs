//! Symbols, and where they are named.

use crate::index::kinds::SymbolKind;
use crate::index::outline::Outline;
use crate::layout::Layout;
use crate::model::Model;
use crate::source::{Diagnostics, Span};

/// A file as far as it was understood.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The ruleset, or all that is wrong with it.
    pub model: Result<Model, Diagnostics>,
    /// Its names.
    pub names: Names,
}

/// The names of a file.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// What has a name, in the order of the first definitions.
    pub symbols: Vec<Symbol>,
    /// The keys and values of the file.
    pub layout: Layout,
    /// What the file has, as a tree.
    pub outline: Vec<Outline>,
    /// Each place of a symbol with its number, in the order of the file.
    places: Vec<(Span, usize)>,
}

/// Something that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The check, the track or the function that it belongs to; of labels, the axis or the parameter.
    pub owner: Option<String>,
    /// What the file says of it.
    pub help: String,
    /// More about it: the domain and the default of an axis, the parameters of a function, the labels of a list.
    pub detail: String,
    /// Where it is defined: once, but for labels that stand in several lists, axes that take the place of inherited ones,
    /// and whatever else has to have the same name.
    pub definitions: Vec<Definition>,
    /// Where else it is named, in the order of the file.
    pub references: Vec<Span>,
}

/// A place at which something is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// Its name, without quotes.
    pub name: Span,
    /// All of it.
    pub whole: Span,
}

impl Symbol {
    /// Each place at which it is named, in the order of the file.
    #[must_use]
    pub fn places(&self) -> Vec<Span> {
        let definitions = self.definitions.iter().map(|definition| definition.name);
        let mut places: Vec<Span> = definitions.chain(self.references.iter().copied()).collect();
        places.sort_unstable();
        places
    }

    /// Whether it is defined within a check, a track or a function of that name.
    #[must_use]
    pub fn is_of(&self, owner: &str) -> bool {
        self.owner.as_deref() == Some(owner)
    }
}

impl Names {
    /// The symbol that a byte of the file is in, or behind, and where it is named there.
    #[must_use]
    pub fn at(&self, offset: usize) -> Option<(Span, &Symbol)> {
        let after = self
            .places
            .partition_point(|(span, _)| span.start <= offset);
        let (span, symbol) = self.places[..after].last()?;
        (offset <= span.end).then(|| (*span, &self.symbols[*symbol]))
    }

    /// The number of the symbol that is named at a place, in [`Self::symbols`].
    #[must_use]
    pub fn number_at(&self, place: Span) -> Option<usize> {
        let at = self.places.partition_point(|(span, _)| *span < place);
        let (span, symbol) = self.places.get(at)?;
        (*span == place).then_some(*symbol)
    }

    /// Each place at which something is named, with the number of the symbol, in the order of the file.
    #[must_use]
    pub fn places(&self) -> &[(Span, usize)] {
        &self.places
    }

    /// The symbols of a kind.
    pub fn of_kind(&self, kind: SymbolKind) -> impl Iterator<Item = &Symbol> {
        self.symbols
            .iter()
            .filter(move |symbol| symbol.kind == kind)
    }

    /// Of names that follow one another in the order of their first definitions.
    pub(super) fn sorted(mut symbols: Vec<Symbol>, layout: Layout, outline: Vec<Outline>) -> Self {
        symbols.retain(|symbol| !symbol.definitions.is_empty());
        symbols.sort_by_key(|symbol| symbol.definitions[0]);
        let numbered = symbols.iter().enumerate();
        let mut places: Vec<(Span, usize)> = numbered
            .flat_map(|(number, symbol)| {
                let places = symbol.places().into_iter();
                places.map(move |place| (place, number))
            })
            .collect();
        places.sort_unstable();
        Self {
            symbols,
            layout,
            outline,
            places,
        }
    }
}
