//! What a document has as a tree, and what can be folded.

use oddsmith_rules::Span;
use oddsmith_rules::index::{Outline, OutlineKind, SymbolKind};
use serde::Serialize;

use crate::document::Document;
use crate::position::Range;

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentSymbol {
    /// What it is called.
    pub name: String,
    /// What it is, in a word or two.
    pub detail: String,
    /// What an editor shows it as.
    pub kind: DocumentSymbolKind,
    /// All of it.
    pub range: Range,
    /// Its name, within that.
    pub selection_range: Range,
    /// Its parts.
    pub children: Vec<DocumentSymbol>,
}

/// What an editor shows a part as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentSymbolKind {
    /// A table that the language has.
    Namespace,
    /// One of a list.
    Object,
    /// A key with a value.
    Property,
    /// A check or a track.
    Class,
    /// A function, or rules.
    Function,
    /// An axis or a parameter.
    Constant,
    /// What a script binds.
    Variable,
    /// Points.
    Struct,
}

/// Lines that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FoldingRange {
    /// The line that stays.
    pub start_line: u32,
    /// The last line that does not.
    pub end_line: u32,
    /// What it is.
    pub kind: FoldingKind,
}

/// What lines that can be folded are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum FoldingKind {
    /// A table, a list, a script.
    Region,
    /// Comments.
    Comment,
}

impl Document {
    /// What the document has: tables with their entries, checks with their axes, scripts with what they bind.
    #[must_use]
    pub fn document_symbols(&self) -> Vec<DocumentSymbol> {
        let analysis = self.analysis();
        let outline = analysis.names().outline.iter();
        outline.map(|part| self.part(part)).collect()
    }

    fn part(&self, part: &Outline) -> DocumentSymbol {
        let inner = part.parts.iter().map(|part| part.whole.to(part.place));
        let whole = inner.fold(part.whole.to(part.place), Span::to);
        let (kind, detail) = kind_of(part.kind);
        DocumentSymbol {
            name: part.name.clone(),
            detail: detail.to_owned(),
            kind,
            range: self.range(whole),
            selection_range: self.range(part.place),
            children: part.parts.iter().map(|part| self.part(part)).collect(),
        }
    }

    /// Which lines can be folded, in their order.
    #[must_use]
    pub fn folding_ranges(&self) -> Vec<FoldingRange> {
        let analysis = self.analysis();
        let layout = &analysis.names().layout;
        let headings = layout
            .keys
            .iter()
            .filter(|key| key.is_heading && key.is_last);
        let headings = headings.map(|key| key.whole);
        let strings = layout.scalars.iter().map(|scalar| scalar.span);
        let regions = headings
            .chain(strings)
            .chain(layout.brackets.iter().copied());
        let regions = regions.map(|span| (span, FoldingKind::Region));
        let comments = self.runs(&layout.comments).into_iter();
        let comments = comments.map(|span| (span, FoldingKind::Comment));
        let mut ranges: Vec<FoldingRange> = regions
            .chain(comments)
            .map(|(span, kind)| FoldingRange {
                start_line: self.position(span.start).line,
                end_line: self.position(span.end).line,
                kind,
            })
            .filter(|range| range.start_line < range.end_line)
            .collect();
        ranges.sort_unstable_by_key(|range| (range.start_line, range.end_line, range.kind));
        ranges.dedup_by_key(|range| (range.start_line, range.end_line));
        ranges
    }

    /// Comments on lines that follow one another, taken together.
    fn runs(&self, comments: &[Span]) -> Vec<Span> {
        let mut runs: Vec<Span> = Vec::new();
        for comment in comments {
            let line = self.position(comment.start).line;
            match runs.last_mut() {
                Some(run) if self.position(run.end).line + 1 == line => *run = run.to(*comment),
                _ => runs.push(*comment),
            }
        }
        runs
    }
}

fn kind_of(kind: OutlineKind) -> (DocumentSymbolKind, &'static str) {
    use DocumentSymbolKind::{
        Class, Constant, Function, Namespace, Object, Property, Struct, Variable,
    };
    match kind {
        OutlineKind::Table => (Namespace, ""),
        OutlineKind::Item => (Object, ""),
        OutlineKind::Key => (Property, ""),
        OutlineKind::Script => (Function, "script"),
        OutlineKind::Symbol(symbol) => {
            let shown = match symbol {
                SymbolKind::Check | SymbolKind::Track => Class,
                SymbolKind::Function => Function,
                SymbolKind::Parameter | SymbolKind::Axis => Constant,
                SymbolKind::Resource => Struct,
                SymbolKind::Label
                | SymbolKind::Band
                | SymbolKind::Argument
                | SymbolKind::Let
                | SymbolKind::Show
                | SymbolKind::Choice => Variable,
            };
            (shown, symbol.noun())
        }
    }
}
