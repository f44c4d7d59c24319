//! The words of a script, and how many blanks stand between two of them.

use crate::source::Span;
use crate::syntax::{Lexeme, LexemeKind, lexemes};

/// A word of a script, where it stands and where it should.
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) kind: LexemeKind,
    pub(super) span: Span,
    /// Characters before it on its line, as it is written.
    pub(super) column: usize,
    /// Blanks between it and the word before it on its line, as it is written.
    pub(super) pad: usize,
    /// As many as there should be, unless it stands under another word.
    pub(super) gap: usize,
    /// Lines that end between it and the word before it.
    pub(super) breaks: usize,
    pub(super) brackets: Brackets,
}

/// What a bracket does to those that are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Brackets {
    Opens,
    Closes,
    Stay,
}

impl Word<'_> {
    pub(super) fn width(&self) -> usize {
        self.text.chars().count()
    }

    pub(super) fn is_comment(&self) -> bool {
        self.kind == LexemeKind::Comment
    }

    /// Whether a statement begins with it.
    pub(super) fn begins_statement(&self) -> bool {
        self.kind == LexemeKind::Keyword
            && ["let", "show", "set", "choose", "oppose", "repeat", "for"].contains(&self.text)
    }

    /// Whether it joins what stands around it, so that a column can be made of it.
    pub(super) fn is_joint(&self) -> bool {
        matches!(
            self.kind,
            LexemeKind::Keyword | LexemeKind::Operator | LexemeKind::Dice
        )
    }

    /// Whether a value can end with it, so that a `-` after it subtracts.
    fn ends_value(&self) -> bool {
        match self.kind {
            LexemeKind::Number | LexemeKind::Word | LexemeKind::Quoted => true,
            LexemeKind::Keyword => ["true", "false"].contains(&self.text),
            LexemeKind::Dice => !self.takes_test() && self.text != "!",
            LexemeKind::Mark => self.brackets == Brackets::Closes,
            _ => false,
        }
    }

    /// Whether it is a modifier of dice behind which a test stands.
    fn takes_test(&self) -> bool {
        self.kind == LexemeKind::Dice && ["r", "ro", "cs"].contains(&self.text)
    }

    /// Whether it is `d6`, `d%`, `dF`, or the `d` of `d(…)`.
    fn is_die(&self) -> bool {
        let rest = self.text.strip_prefix('d');
        let rest = rest.filter(|_| self.kind == LexemeKind::Dice);
        rest.is_some_and(|rest| !rest.starts_with(['h', 'l']))
    }

    /// Whether it is the `d` of `d(…)`, `d[…]` or `d{…}`.
    fn is_open_die(&self) -> bool {
        self.kind == LexemeKind::Dice && self.text == "d"
    }

    fn is_comparison(&self) -> bool {
        self.kind == LexemeKind::Operator && ["==", "!=", "<", "<=", ">", ">="].contains(&self.text)
    }
}

/// The words of a script that begins at byte `offset` of a file and after `column` characters of its line.
pub(super) fn read(text: &str, offset: usize, column: usize) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    // Whether blanks stand within each bracket that is open.
    let mut open: Vec<bool> = Vec::new();
    let (mut at, mut column) = (offset, column);
    for Lexeme { kind, span } in lexemes(text, offset) {
        let slice = |from: usize, to: usize| &text[from - offset..to - offset];
        let skipped = slice(at, span.start);
        let breaks = skipped.matches('\n').count();
        let line = skipped.rsplit('\n').next().unwrap_or(skipped);
        let pad = line.chars().count();
        column = if breaks > 0 { pad } else { column + pad };
        let written = slice(span.start, span.end);
        let brackets = match written {
            "(" | "[" | "{" => Brackets::Opens,
            ")" | "]" | "}" => Brackets::Closes,
            _ => Brackets::Stay,
        };
        let mut word = Word {
            text: written,
            kind,
            span,
            column,
            pad,
            gap: 0,
            breaks,
            brackets,
        };
        word.gap = match words.last() {
            Some(before) if breaks == 0 => gap(&words, before, &word, &open),
            _ => 0,
        };
        match brackets {
            Brackets::Opens => open.push(is_airy(&word, words.last())),
            Brackets::Closes => drop(open.pop()),
            Brackets::Stay => {}
        }
        (at, column) = (span.end, column + word.width());
        words.push(word);
    }
    words
}

/// Whether blanks stand within a bracket: in that of a `match`, a `repeat` or a `for`, not in that of a pool or of faces.
fn is_airy(bracket: &Word<'_>, before: Option<&Word<'_>>) -> bool {
    let follows = |before: &Word<'_>| {
        let is_match = before.kind == LexemeKind::Keyword && before.text == "match";
        is_match || before.ends_value() && !before.is_open_die()
    };
    bracket.text == "{" && before.is_some_and(follows)
}

/// How many blanks stand between two words; `words` are those so far, the last of which is `before`.
fn gap(words: &[Word<'_>], before: &Word<'_>, word: &Word<'_>, open: &[bool]) -> usize {
    let is_airy = open.last().copied().unwrap_or(false);
    let earlier = words.len().checked_sub(2).map(|at| &words[at]);
    let tests = |own: &Word<'_>| own.takes_test() || own.text == "!";
    match (before.text, word.text) {
        _ if word.is_comment() => 2,
        ("{", "}") => 0,
        ("{", _) | (_, "}") => usize::from(is_airy),
        (_, "," | ":" | "." | ")" | "]" | "..=" | "!") | ("(" | "[" | "." | "..=" | "!", _) => 0,
        ("-", _) if !earlier.is_some_and(Word::ends_value) => 0,
        _ if before.is_open_die() => 0,
        _ if before.takes_test() => usize::from(!word.is_comparison()),
        _ if before.is_comparison() && earlier.is_some_and(tests) => 0,
        _ if word.is_die() => {
            let touches = before.kind == LexemeKind::Number || before.brackets == Brackets::Closes;
            usize::from(!touches)
        }
        // Modifiers of dice stand as they are written: `4d6kh3`, `4d6 kh 3`.
        _ if word.kind == LexemeKind::Dice && before.kind != LexemeKind::Word => word.pad.min(1),
        // The bracket of a call, of the depth of an explosion, of an index.
        (_, "(") => usize::from(!before.ends_value() || before.kind == LexemeKind::Dice),
        (_, "[") => usize::from(!before.ends_value()),
        _ => 1,
    }
}
