//! Words with what they are, for colours.

use oddsmith_rules::Span;
use oddsmith_rules::index::{SymbolKind, TokenKind};

use crate::document::Document;
use crate::position::Position;

/// What words can be, by the names that editors know.
pub const TOKEN_TYPES: [&str; 14] = [
    "property",
    "keyword",
    "number",
    "macro",
    "function",
    "variable",
    "parameter",
    "enumMember",
    "class",
    "method",
    "type",
    "operator",
    "comment",
    "string",
];

/// A word, or the part of one on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// Where it begins.
    pub start: Position,
    /// How many units of its document's encoding it has.
    pub length: u32,
    /// What it is: one of [`TOKEN_TYPES`]. A die is a `macro`.
    pub kind: &'static str,
    /// Whether it names what is defined there.
    pub is_definition: bool,
}

impl Document {
    /// The words of the text in its order; none overlaps another one, and each stands on one line. A word that means
    /// nothing, or nothing yet, is left out.
    #[must_use]
    pub fn semantic_tokens(&self) -> Vec<SemanticToken> {
        let analysis = self.analysis();
        let symbols = analysis.names().symbols.iter();
        let defined = symbols.flat_map(|symbol| &symbol.definitions);
        let mut defined: Vec<Span> = defined.map(|definition| definition.name).collect();
        defined.sort_unstable();
        let mut tokens = Vec::new();
        for token in analysis.tokens() {
            let Some(kind) = name_of(token.kind) else {
                continue;
            };
            let is_definition = defined.binary_search(&token.span).is_ok();
            self.on_each_line(token.span, |start, length| {
                tokens.push(SemanticToken {
                    start,
                    length,
                    kind,
                    is_definition,
                });
            });
        }
        tokens
    }

    /// Calls `take` with the part of a span on each of its lines.
    fn on_each_line(&self, span: Span, mut take: impl FnMut(Position, u32)) {
        let (first, last) = (self.position(span.start), self.position(span.end));
        for line in first.line..=last.line {
            let start = if line == first.line {
                first.character
            } else {
                0
            };
            let end = match line == last.line {
                true => last.character,
                false => {
                    self.position(self.offset(Position::new(line, u32::MAX)))
                        .character
                }
            };
            if end > start {
                take(Position::new(line, start), end - start);
            }
        }
    }
}

/// What editors call a kind of words.
fn name_of(kind: TokenKind) -> Option<&'static str> {
    Some(match kind {
        TokenKind::Key => "property",
        TokenKind::Keyword => "keyword",
        TokenKind::Number => "number",
        TokenKind::Dice => "macro",
        TokenKind::BuiltIn => "function",
        TokenKind::Operator => "operator",
        TokenKind::Comment => "comment",
        TokenKind::Text => "string",
        TokenKind::Unknown => return None,
        TokenKind::Name(kind) => match kind {
            SymbolKind::Parameter | SymbolKind::Axis | SymbolKind::Argument => "parameter",
            SymbolKind::Label | SymbolKind::Band => "enumMember",
            SymbolKind::Check | SymbolKind::Track => "class",
            SymbolKind::Function => "method",
            SymbolKind::Let | SymbolKind::Show | SymbolKind::Choice => "variable",
            SymbolKind::Resource => "type",
        },
    })
}
