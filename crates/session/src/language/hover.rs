//! What is said of a word where the pointer is.

use oddsmith_rules::index::{Symbol, SymbolKind};
use oddsmith_rules::layout::{Cursor, Place};
use oddsmith_rules::words::{self, Word};
use oddsmith_rules::{Holds, Span};

use crate::document::Document;
use crate::position::{Position, Range};

/// What is said of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The word.
    pub range: Range,
    /// What is said, as Markdown.
    pub markdown: String,
}

impl Document {
    /// What is said of the word at a position: of a name, a key, or a word of the language.
    #[must_use]
    pub fn hover(&self, position: Position) -> Option<Hover> {
        if let Some(found) = self.symbol_at(position) {
            let example = self.example(&found.symbol);
            let example = example.map(|call| format!("\n\nExample: `{call}`"));
            return Some(Hover {
                range: found.range,
                markdown: of_symbol(&found.symbol) + &example.unwrap_or_default(),
            });
        }
        let offset = self.offset(position);
        let (span, markdown) = self.of_key(offset).or_else(|| self.of_word(offset))?;
        Some(Hover {
            range: self.range(span),
            markdown,
        })
    }

    /// The first call of a function, in a line.
    fn example(&self, function: &Symbol) -> Option<String> {
        const LONGEST: usize = 100;
        if function.kind != SymbolKind::Function {
            return None;
        }
        let calls = function.references.iter().filter_map(|call| {
            let text = &self.text()[call.start..];
            let mut open = 0_usize;
            let end = text.char_indices().find_map(|(at, character)| {
                match character {
                    '(' => open += 1,
                    ')' => open = open.checked_sub(1)?,
                    _ => return None,
                }
                (open == 0).then_some(at + 1)
            })?;
            let is_call = text[call.end - call.start..].starts_with('(');
            let words: Vec<&str> = text[..end].split_whitespace().collect();
            let call = words.join(" ");
            (is_call && call.len() <= LONGEST && !call.contains('#')).then_some(call)
        });
        calls.min_by_key(String::len)
    }

    /// What is said of a key of the language.
    fn of_key(&self, offset: usize) -> Option<(Span, String)> {
        let analysis = self.analysis();
        let mut keys = analysis.names().layout.keys.iter();
        let is_there = |span: Span| span.start <= offset && offset <= span.end;
        let key = keys.find(|key| is_there(key.span))?;
        let help = Place::key(&key.path)?;
        let required = if help.is_required() { ", needed" } else { "" };
        let markdown = format!("**key** `{}`{required}\n\n{}", help.name(), help.help());
        Some((key.span, markdown))
    }

    /// What is said of a word of the language in a script.
    fn of_word(&self, offset: usize) -> Option<(Span, String)> {
        let analysis = self.analysis();
        let layout = &analysis.names().layout;
        let Cursor::Text { path, .. } = Cursor::within(self.text(), layout, offset) else {
            return None;
        };
        if Place::holds(&path) == Holds::Words {
            return None;
        }
        let is_there = |span: Span| span.start <= offset && offset <= span.end;
        let mut tokens = analysis
            .tokens()
            .iter()
            .filter(|token| is_there(token.span));
        tokens.find_map(|token| {
            let text = &self.text()[token.span.start..token.span.end];
            Some((token.span, of_word(word_of(text)?)))
        })
    }
}

/// The word of the language that a token is; of `kh3` it is `kh`.
fn word_of(token: &str) -> Option<&'static Word> {
    let mut all = words::words();
    if let Some(word) = all.find(|word| word.name == token) {
        return Some(word);
    }
    let letters = token.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let is_die = token.starts_with('d') && letters.len() <= 1 || ["d%", "dF"].contains(&token);
    let name = if is_die { "d" } else { letters };
    words::MODIFIERS.iter().find(|word| word.name == name)
}

/// What is said of a word of the language.
pub(super) fn of_word(word: &Word) -> String {
    let Word {
        usage,
        help,
        example,
        ..
    } = word;
    format!("```\n{usage}\n```\n{help}\n\nExample: `{example}`")
}

/// What is said of a name.
pub(super) fn of_symbol(symbol: &Symbol) -> String {
    let noun = symbol.kind.noun();
    let mut markdown = format!("**{noun}** `{}`", symbol.name);
    if let Some(owner) = &symbol.owner {
        markdown += &format!(" of `{owner}`");
    }
    if !symbol.help.is_empty() {
        markdown += &format!("\n\n{}", symbol.help);
    }
    if !symbol.detail.is_empty() {
        markdown += &match symbol.kind {
            SymbolKind::Let | SymbolKind::Show | SymbolKind::Choice | SymbolKind::Function => {
                format!("\n\n```\n{}\n```", symbol.detail)
            }
            _ => format!("\n\n{}", symbol.detail),
        };
    }
    markdown
}
