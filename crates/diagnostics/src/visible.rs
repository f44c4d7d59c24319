//! Characters that would act on a terminal or on a log, or that nobody would see, and texts without them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Why a character is refused, and what to do about it.
pub type Refusal = (&'static str, &'static str);

const CONTROL: Refusal = ("a control character", "take it out");
const BREAK: Refusal = (
    "the end of a line, but of none in an editor",
    "write a space, or begin a new line between three quotes",
);
const DIRECTION: Refusal = (
    "not seen itself, and turns the order of what is",
    "take it out; letters that run from right to left are in their order without it",
);
const UNSEEN: Refusal = (
    "not seen, so that two texts could look the same",
    "take it out",
);

/// A text whose characters are all seen: whatever acts on a terminal, turns the order of others or shows nothing is written
/// as its escape, `\u{1b}`. Ends of lines and tabs stay.
///
/// ```
/// use oddsmith_diagnostics::visible;
/// assert_eq!(visible("Ability die"), "Ability die");
/// assert_eq!(visible("a\u{1b}[2Jb"), r"a\u{1b}[2Jb");
/// ```
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false)
}

/// The same in one line: ends of lines are written as `\n`, so that nothing in a text begins a line of its own.
///
/// ```
/// use oddsmith_diagnostics::one_line;
/// assert_eq!(one_line("x.toml\n::error::boo"), r"x.toml\n::error::boo");
/// ```
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, |character| matches!(character, '\n' | '\r'))
}

fn escaped(text: &str, is_more: impl Fn(char) -> bool) -> Cow<'_, str> {
    if first_unseen(text).is_none() && !text.contains(&is_more) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (before, character, after) in neighbours(text) {
        if is_more(character) || refusal(before, character, after).is_some() {
            let _ = write!(out, "{}", character.escape_default());
        } else {
            out.push(character);
        }
    }
    Cow::Owned(out)
}

/// The characters of a text, each between those beside it.
fn neighbours(text: &str) -> impl Iterator<Item = (Option<char>, char, Option<char>)> {
    let mut before = None;
    text.char_indices().map(move |(at, character)| {
        let after = text[at + character.len_utf8()..].chars().next();
        (before.replace(character), character, after)
    })
}

/// The first character of a text that is refused in a file.
pub fn first_unseen(text: &str) -> Option<(char, Refusal)> {
    let is_special = |byte: u8| !matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    let (mut rest, mut before) = (text, None);
    // What is plain is passed over by its bytes, which nearly every text is made of alone.
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, special) = rest.split_at(at);
        before = plain.chars().next_back().or(before);
        let mut characters = special.chars();
        let character = characters.next()?;
        rest = characters.as_str();
        if let Some(refusal) = refusal(before, character, rest.chars().next()) {
            return Some((character, refusal));
        }
        before = Some(character);
    }
    None
}

/// Unicode's control characters, separators, marks of direction, and what it calls ignorable by default.
fn refusal(before: Option<char>, character: char, after: Option<char>) -> Option<Refusal> {
    match character {
        ' '..='~' | '\n' | '\t' => None,
        '\r' if after == Some('\n') => None,
        _ if character.is_control() => Some(CONTROL),
        '\u{2028}' | '\u{2029}' => Some(BREAK),
        '\u{61c}' | '\u{200e}' | '\u{200f}' => Some(DIRECTION),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some(DIRECTION),
        // Joiners and selectors belong to emoji and to letters beyond ASCII; after others they do nothing.
        '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
            let is_of_keycap = after == Some('\u{20e3}');
            let is_idle = before.is_none_or(|before| before.is_ascii()) && !is_of_keycap;
            is_idle.then_some(UNSEEN)
        }
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => Some(UNSEEN),
        '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{206f}' => Some(UNSEEN),
        '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' => Some(UNSEEN),
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => Some(UNSEEN),
        '\u{e0000}'..='\u{e0fff}' => Some(UNSEEN),
        _ => None,
    }
}
