//! What stands around a word of a script: the call that it is in, what stands before its dot, the dice before it.

use oddsmith_rules::Span;
use oddsmith_rules::index::{Symbol, SymbolKind};

use crate::language::completion::Site;

/// Characters that names are made of.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The name that a text ends with.
fn last_word(text: &str) -> &str {
    &text[text.trim_end_matches(is_of_word).len()..]
}

/// The text before the bracket that the last `)` of a text closes.
fn before_brackets(text: &str) -> Option<&str> {
    let mut open = 0_usize;
    for (at, character) in text.char_indices().rev() {
        match character {
            ')' => open += 1,
            '(' if open == 1 => return Some(&text[..at]),
            '(' => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

impl<'d> Site<'d> {
    /// The check whose result stands before the dot that is before a word.
    pub(super) fn record_before(
        &self,
        word: Span,
        within: Span,
        owner: &str,
    ) -> Option<&'d Symbol> {
        let before = self.source()[within.start..word.start].strip_suffix('.')?;
        let called = match before.strip_suffix(')') {
            Some(_) => last_word(before_brackets(before)?).to_owned(),
            None => {
                let name = last_word(before);
                let bound = self.of(owner, SymbolKind::Let);
                let record = bound.into_iter().find(|symbol| symbol.name == name)?;
                record.detail.split('(').next()?.trim().to_owned()
            }
        };
        self.checks().find(|check| check.name == called)
    }

    /// The check in whose brackets a word stands where an argument begins.
    pub(super) fn call_around(&self, word: Span, within: Span) -> Option<&'d Symbol> {
        let before = &self.source()[within.start..word.start];
        let mut closed = 0_usize;
        let mut begins_argument = None;
        for (at, character) in before.char_indices().rev() {
            match character {
                c if c.is_whitespace() => {}
                ')' => closed += 1,
                '(' if closed > 0 => closed -= 1,
                '(' => {
                    let name = last_word(&before[..at]);
                    let begins = begins_argument.unwrap_or(true);
                    return self.checks().find(|check| check.name == name && begins);
                }
                ',' if closed == 0 => begins_argument = begins_argument.or(Some(true)),
                _ if closed == 0 => begins_argument = begins_argument.or(Some(false)),
                _ => {}
            }
        }
        None
    }

    /// The end of the dice that a word begins with, or that stand before it.
    pub(super) fn dice_before(&self, word: Span, within: Span) -> Option<usize> {
        let written = &self.source()[word.start..self.offset];
        if let Some(length) = dice(written) {
            return Some(word.start + length);
        }
        let before = self.source()[within.start..word.start].trim_end_matches([' ', '\t']);
        let start = before.trim_end_matches(is_of_word).len();
        let last = &before[start..];
        (dice(last) == Some(last.len())).then_some(word.start)
    }
}

/// How much of a word are dice, such as `4d6` of `4d6kh`.
fn dice(word: &str) -> Option<usize> {
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let count = digits(word);
    let rest = word[count..].strip_prefix('d')?;
    let sides = digits(rest);
    let sides = if sides == 0 {
        usize::from(rest.starts_with('F'))
    } else {
        sides
    };
    (sides > 0).then_some(count + 1 + sides)
}

#[cfg(test)]
mod tests {
    use super::{before_brackets, dice, last_word};

    #[test]
    fn dice_end_where_their_sides_do() {
        assert_eq!(dice("4d6kh"), Some(3));
        assert_eq!(dice("d20"), Some(3));
        assert_eq!(dice("dF"), Some(2));
        assert_eq!(dice("dice"), None);
        assert_eq!(dice("4d"), None);
        assert_eq!(dice(""), None);
    }

    #[test]
    fn the_name_of_a_call_stands_before_its_brackets() {
        let before = before_brackets("let x = check(a = min(1, 2))");
        assert_eq!(before.map(last_word), Some("check"));
        assert_eq!(before_brackets("no brackets)"), None);
    }
}
