//! Words of the language that are written another way: `IF`, `shwo`, `drop lowest`, `Strong hit`.

use super::ast::{Expr, ExprKind};
use super::lexer::{Keyword, Token, TokenKind, narrow};
use super::parser::{Failure, Parsed, Parser, meant_operator};
use crate::source::{Diagnostic, Span, nearest};

/// What may stand between two values.
const BETWEEN: [&str; 5] = ["and", "or", "then", "else", "until"];

/// What `else if` is elsewhere.
const ELSE_IF: [&str; 3] = ["elif", "elsif", "elseif"];

/// What words of English are as a comparison, wherever they stand in a row of words.
const COMPARISONS: [(&str, &str); 2] = [("at least", ">="), ("at most", "<=")];

/// Functions of queries that stand before what they are about.
const MEASURES: [&str; 4] = ["mean", "median", "variance", "sd"];

/// The comparison in a row of words, such as `standing at least`.
fn in_words(row: &str) -> Option<String> {
    let words = format!(" {} ", row.to_lowercase());
    let mut comparisons = COMPARISONS.iter();
    let (said, sign) = comparisons.find(|(said, _)| words.contains(&format!(" {said} ")))?;
    Some(format!(
        "for \"{said}\" write `{sign}`, as in `total {sign} 7` or `band {sign} Hit`"
    ))
}

/// What may follow a pool.
const MODIFIERS: [&str; 6] = ["kh", "kl", "dh", "dl", "cs", "ro"];

impl Parser<'_> {
    /// The keyword that was meant by a word before `name =`.
    pub(super) fn meant_keyword(&self, token: Token) -> Option<Keyword> {
        if token.kind != TokenKind::Name {
            return None;
        }
        let next = self.after(token);
        let word = self.text(token.span);
        match next.kind {
            TokenKind::Name if self.assigns(next) => {
                Keyword::from_word(nearest(word, ["let", "show", "set"])?)
            }
            TokenKind::Name if self.after(next).kind == TokenKind::Keyword(Keyword::In) => {
                Keyword::from_word(nearest(word, ["choose", "oppose", "for"])?)
            }
            TokenKind::Int(_) if word.len() > 3 => Keyword::from_word(nearest(word, ["repeat"])?),
            _ => None,
        }
    }

    /// A keyword with a slip, which is read as the keyword.
    pub(super) fn misspelt(&self, token: Token, keyword: &str) -> Diagnostic {
        let word = self.text(token.span);
        self.error(token.span, format!("`{word}` is not a keyword"))
            .with_label("not a keyword")
            .with_help(format!("did you mean `{keyword}`?"))
            .mended(keyword)
    }

    /// What a word that was not expected, or the one before it, was meant to be.
    pub(super) fn slip(&self, token: Token, expected: &str) -> Option<Diagnostic> {
        if token.kind == TokenKind::DotDotEqual {
            let error = self.error(token.span, "a range is no condition");
            return Some(error.with_help("write two comparisons, as in `x >= 3 and x <= 5`"));
        }
        if token.kind == TokenKind::Keyword(Keyword::Where) {
            let error = self.error(
                token.span,
                "`where` stands only in a `choose` or an `oppose`",
            );
            return Some(error.with_help("join two conditions with `and`"));
        }
        let word = self.text(token.span);
        if word.chars().any(|c| narrow(c).is_some()) {
            let written: String = word.chars().map(|c| narrow(c).unwrap_or(c)).collect();
            let error = self.error(token.span, format!("`{word}` has wide characters"));
            return Some(
                error
                    .with_help(format!("write `{written}`"))
                    .mended(&written),
            );
        }
        let due = expected.starts_with("an operator");
        if due
            && token.kind == TokenKind::Name
            && let Some(near) = nearest(word, BETWEEN)
        {
            return Some(self.misspelt(token, near));
        }
        let before = self.word_before()?;
        let written = self.text(before);
        let lower = written.to_lowercase();
        if written != lower && Keyword::from_word(&lower).is_some() && token.kind != TokenKind::End
        {
            let error = self.error(before, format!("`{written}` is not a keyword"));
            return Some(
                error
                    .with_label("keywords are small")
                    .with_help(format!("did you mean `{lower}`?"))
                    .mended(&lower),
            );
        }
        let opens = token.kind == TokenKind::Name;
        if due && opens && nearest(written, ["match"]).is_some() {
            let error = self.error(before, format!("`{written}` is not a keyword"));
            return Some(error.with_help("did you mean `match`?").mended("match"));
        }
        if !due || !opens || before.end == token.span.start {
            return None;
        }
        // `Strong hit`, and whatever words go on after it.
        let is_of_label = |token: Token| {
            token.kind == TokenKind::Name && !ELSE_IF.contains(&self.text(token.span))
        };
        let mut last = token;
        while is_of_label(self.after(last)) {
            last = self.after(last);
        }
        let label = self.text(before.to(last.span));
        if label.contains(['\n', '#']) || self.assigns(last) {
            return None;
        }
        let error = self.error(token.span, format!("expected {expected}, found `{word}`"));
        if let Some((measure, of)) = label.split_once(' ')
            && self.query
            && MEASURES.contains(&measure)
            && !of.contains(' ')
            && !self.source.text[last.span.end..].starts_with('(')
        {
            return Some(error.with_help(format!("write `{measure}({of})`")));
        }
        let quotes = format!("a label of several words needs quotes: `\"{label}\"`");
        Some(error.with_help(match in_words(label) {
            Some(comparison) => format!("{comparison}; {quotes}"),
            None => format!("{quotes}; or is {} missing?", meant_operator(self.query)),
        }))
    }

    /// The name that was read last.
    fn word_before(&self) -> Option<Span> {
        let text = self.before();
        let start = text
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric() || *c == '_')
            .last()?
            .0;
        let word = &text[start..];
        let is_name = word.starts_with(char::is_alphabetic) && Keyword::from_word(word).is_none();
        let is_quoted = text[..start].ends_with('"');
        (is_name && !is_quoted).then(|| Span::new(self.pos - word.len(), self.pos))
    }

    /// Words after dice that other tools, or people, have for a modifier.
    pub(super) fn refuse_words(&self, token: Token, left: &Expr, is_dice: bool) -> Parsed<()> {
        let (word, pool) = (self.text(token.span), self.text(left.span));
        let number = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let letters = &word[..word.len() - number.len()];
        let digits = number.chars().all(|c| c.is_ascii_digit());
        let counts = matches!(left.kind, ExprKind::Int(_)) || token.span.start == left.span.end;
        if let Some(sides) = word.strip_prefix('D')
            && counts
            && (sides.starts_with(|c: char| c.is_ascii_digit()) || sides == "F")
        {
            let error = self.error(token.span, "`D` does not begin a die");
            let help = format!("`d` is small: `{pool}d{}`", &word[1..]);
            let small = format!("d{}", &word[1..]);
            return Err(error.with_help(help).mended(&small).into());
        }
        if !is_dice || !digits || self.assigns(token) || self.begins_statement(token) {
            return Ok(());
        }
        if let Some(error) = self.spelt_out(token, pool) {
            return Err(error);
        }
        let near = nearest(letters, MODIFIERS.into_iter().chain(BETWEEN));
        match near.filter(|near| MODIFIERS.contains(near)) {
            Some(near) if !MODIFIERS.contains(&letters) => {
                let error = self.error(token.span, format!("`{letters}` is no modifier of dice"));
                let next = self.after(token);
                let number = match next.kind {
                    TokenKind::Int(_) if number.is_empty() => self.text(next.span),
                    _ => number,
                };
                let help = format!("did you mean `{near}`, as in `{pool}{near}{number}`?");
                let start = token.span.start;
                let place = Span::new(start, start + letters.len());
                Err(error.with_help(help).with_fix(place, near).into())
            }
            _ => Ok(()),
        }
    }

    /// `drop lowest 2`, `keep 3`, `reroll 1` after `pool`.
    fn spelt_out(&self, token: Token, pool: &str) -> Option<Failure> {
        let word = self.text(token.span);
        let lower = word.to_lowercase();
        let mut next = self.after(token);
        let mut whole = token.span;
        let (mut which, mut number) = (None, None);
        for _ in 0..2 {
            match next.kind {
                TokenKind::Int(value) => number = Some(value),
                TokenKind::Name => {
                    let side = match self.text(next.span).to_lowercase().as_str() {
                        "lowest" | "low" | "worst" | "lower" => "l",
                        "highest" | "high" | "best" | "higher" => "h",
                        _ => break,
                    };
                    which = Some(side);
                }
                _ => break,
            }
            whole = whole.to(next.span);
            next = self.after(next);
        }
        if let ("drop" | "keep", None, TokenKind::Name) = (lower.as_str(), number, next.kind) {
            let amount = self.text(next.span);
            let error = self.error(
                whole.to(next.span),
                format!("`{word}` is no modifier of dice"),
            );
            let [first, other] = match lower.as_str() {
                "drop" => [("l", "lowest"), ("h", "highest")],
                _ => [("h", "highest"), ("l", "lowest")],
            };
            let letter = &lower[..1];
            let form = |(side, told): (&str, &str)| {
                format!("`{pool} {letter}{side}({amount})` for the {told}")
            };
            let help = match which {
                Some(side) => format!("write `{pool} {letter}{side}({amount})`"),
                None => format!("write {}, or {}", form(first), form(other)),
            };
            return Some(error.with_help(help).into());
        }
        let amount = number.unwrap_or(1);
        let example = match lower.as_str() {
            "drop" => format!("{pool}d{}{amount}", which.unwrap_or("l")),
            "keep" => format!("{pool}k{}{amount}", which.unwrap_or("h")),
            "reroll" | "rerolling" => format!("{pool}r=={amount}"),
            "explode" | "exploding" | "explodes" => format!("{pool}!(4)"),
            _ => return None,
        };
        let error = self.error(whole, format!("`{word}` is no modifier of dice"));
        Some(error.with_help(format!("write `{example}`")).into())
    }
}
