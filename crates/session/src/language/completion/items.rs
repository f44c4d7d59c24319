//! What is offered, being put together.

use oddsmith_rules::Span;
use oddsmith_rules::index::{Symbol, SymbolKind};
use oddsmith_rules::words::{FORMS, Word};

use crate::document::Document;
use crate::language::hover;
use crate::position::{Range, TextEdit};

/// Something that can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is shown, and what is compared with what has been typed.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A few words about it.
    pub detail: String,
    /// What it is for, as Markdown; may be empty.
    pub documentation: String,
    /// The change that writes it: of the word at the place.
    pub edit: TextEdit,
}

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A key of the language.
    Key,
    /// A heading of a table.
    Table,
    /// A word of the language.
    Keyword,
    /// A function, built in or of the file.
    Function,
    /// A modifier of dice.
    Modifier,
    /// A check or a track.
    Check,
    /// A parameter or an axis.
    Input,
    /// What a script binds or shows.
    Variable,
    /// A label.
    Label,
    /// A game that comes along.
    Game,
    /// Another value.
    Value,
}

/// What is offered in place of a word.
pub(super) struct Items<'d> {
    document: &'d Document,
    range: Range,
    found: Vec<Completion>,
}

impl<'d> Items<'d> {
    pub(super) fn new(document: &'d Document, span: Span) -> Self {
        Self {
            document,
            range: document.range(span),
            found: Vec::new(),
        }
    }

    pub(super) fn done(self) -> Vec<Completion> {
        self.found
    }

    /// Offers something once.
    pub(super) fn add(
        &mut self,
        label: &str,
        kind: CompletionKind,
        text: impl Into<String>,
        (detail, documentation): (&str, &str),
    ) {
        if self.found.iter().any(|known| known.label == label) {
            return;
        }
        self.found.push(Completion {
            label: label.to_owned(),
            kind,
            detail: detail.to_owned(),
            documentation: documentation.to_owned(),
            edit: TextEdit {
                range: self.range,
                new_text: text.into(),
            },
        });
    }

    /// Offers a name of the file.
    pub(super) fn symbol(&mut self, symbol: &Symbol) {
        self.symbol_as(symbol, &symbol.name);
    }

    /// Offers names of the file.
    pub(super) fn symbols<'s>(&mut self, symbols: impl IntoIterator<Item = &'s Symbol>) {
        symbols.into_iter().for_each(|symbol| self.symbol(symbol));
    }

    /// Offers a name of the file, written in this way.
    pub(super) fn symbol_as(&mut self, symbol: &Symbol, text: &str) {
        let (detail, documentation) = (detail_of(symbol), hover::of_symbol(symbol));
        self.add(
            &symbol.name,
            kind_of(symbol.kind),
            text,
            (&detail, &documentation),
        );
    }

    /// Offers words of the language.
    pub(super) fn words<'w>(
        &mut self,
        words: impl IntoIterator<Item = &'w Word>,
        kind: CompletionKind,
    ) {
        for word in words {
            let text = match kind {
                CompletionKind::Function => format!("{}(", word.name),
                CompletionKind::Keyword => format!("{} ", word.name),
                _ => word.name.to_owned(),
            };
            let documentation = hover::of_word(word);
            self.add(word.name, kind, text, (word.usage, &documentation));
        }
    }

    /// What of the forms stands in expressions: `floor`, `ceil` and `fold`.
    pub(super) fn forms(&mut self) {
        let is_call = |word: &&Word| !["subsets", "sorted", "fold"].contains(&word.name);
        self.words(FORMS.iter().filter(is_call), CompletionKind::Function);
        let folds = FORMS.iter().filter(|word| word.name == "fold");
        self.words(folds, CompletionKind::Keyword);
    }

    /// Whether a quote stands before the word.
    pub(super) fn is_behind_quote(&self) -> bool {
        let start = self.document.offset(self.range.start);
        self.document.text()[..start].ends_with('"')
    }
}

fn detail_of(symbol: &Symbol) -> String {
    match &symbol.owner {
        Some(owner) => format!("{} of {owner}", symbol.kind.noun()),
        None => symbol.kind.noun().to_owned(),
    }
}

fn kind_of(kind: SymbolKind) -> CompletionKind {
    match kind {
        SymbolKind::Parameter | SymbolKind::Axis => CompletionKind::Input,
        SymbolKind::Label | SymbolKind::Band => CompletionKind::Label,
        SymbolKind::Check | SymbolKind::Track => CompletionKind::Check,
        SymbolKind::Function => CompletionKind::Function,
        SymbolKind::Argument | SymbolKind::Let | SymbolKind::Show | SymbolKind::Choice => {
            CompletionKind::Variable
        }
        SymbolKind::Resource => CompletionKind::Value,
    }
}
