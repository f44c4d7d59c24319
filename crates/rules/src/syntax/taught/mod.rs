//! What other tools taught: their notations, and how the same is written here.
//!
//! Nothing here is read as if it were right. Where a text can't be read, the line is looked through for notations of dice
//! rollers, AnyDice, rulebooks and programming languages, and one that covers the place of the error takes the place of
//! what the parser would have said.

mod notations;

use std::ops::Range;
use std::sync::{Arc, LazyLock};

use regex_lite::{Captures, Regex};

use super::parser::Parser;
use crate::source::{Diagnostic, Reporter, Span};
use notations::{FUNCTIONS, NOTATIONS};

/// A notation of other tools in a text: where it is, whose it is, and what to write.
type Found = (Range<usize>, &'static str, String);

/// Longer lines are not looked through.
const MOST_BYTES: usize = 300;

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let patterns = NOTATIONS.iter().map(|(_, pattern, ..)| Regex::new(pattern));
    patterns
        .map(|pattern| pattern.expect("a pattern"))
        .collect()
});

/// What a function of other tools is here.
pub(crate) fn function(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let found = FUNCTIONS
        .iter()
        .find(|(names, _)| names.contains(&lower.as_str()));
    found.map(|(_, help)| *help)
}

impl Parser<'_> {
    /// Reports an error; in its place that of a notation of other tools, if one covers its place.
    pub(super) fn tell(&self, error: Diagnostic, reporter: &mut Reporter) {
        let (text, offset) = self.whole_text();
        let error = reporter.explained(error, |error| told(error, text, offset, true));
        reporter.push(error);
    }
}

/// The error of a text that can be read but not understood; in its place that of a notation of other tools, if one covers
/// its place.
pub(crate) fn or_taught(error: Diagnostic, reporter: &Reporter) -> Diagnostic {
    let source = Arc::clone(&error.source);
    reporter.explained(error, |error| told(error, &source.text, 0, false))
}

/// The error of a text that begins at byte `offset` of its source, or that of a notation of other tools.
/// An `if` that can be read is our own, in a line of its own or not.
fn told(error: Diagnostic, text: &str, offset: usize, is_unread: bool) -> Diagnostic {
    let at = error.span.start.checked_sub(offset);
    // Where a name is declared nothing is rolled.
    let at = at.filter(|_| !error.message.contains("begins a die"));
    let Some((place, tool, mut help)) = at.and_then(|at| taught(text, at, is_unread)) else {
        return error;
    };
    // A word that is glued to dice may be a label as well.
    let other = error.help.as_deref().unwrap_or_default();
    if let Some(at) = other.find("a label needs quotes") {
        help = format!("{help}; {}", &other[at..]);
    }
    let message = format!("`{}` is written as in {tool}", &text[place.clone()]);
    let span = Span::new(offset + place.start, offset + place.end);
    Diagnostic::new(&error.source, span, message).with_help(help)
}

/// The notation of other tools that covers a place of a text; of one that wraps another, as `output {2..4}@4d6`, the inner.
fn taught(text: &str, at: usize, is_unread: bool) -> Option<Found> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |len| at + len);
    let line = text[start..end].trim_end();
    let at = at - start;
    let is_fit = |place: Range<usize>| place.start <= at && at <= place.end;
    let found = notation(line, is_unread, is_fit)?;
    let (place, tool, help) = inner(line, &found).unwrap_or(found);
    Some((start + place.start..start + place.end, tool, help))
}

/// The notation in what another one says to write alone.
fn inner(line: &str, (place, _, help): &Found) -> Option<Found> {
    let alone = help.strip_prefix("write `")?.split_once("` alone")?.0;
    let start = place.start + line[place.clone()].rfind(alone)?;
    let (place, tool, help) = notation(alone, true, |_| true)?;
    Some((start + place.start..start + place.end, tool, help))
}

/// The first notation of a line whose place is fit, with what to write in its stead.
fn notation(line: &str, is_unread: bool, is_fit: impl Fn(Range<usize>) -> bool) -> Option<Found> {
    if line.len() > MOST_BYTES {
        return None;
    }
    let rows = NOTATIONS.iter().zip(PATTERNS.iter());
    // `1 + if a then b else c` is our own, though it can't be read without parentheses.
    let is_own = |needle: &str| needle == " if " && line.contains(" then ");
    let rows = rows.filter(|((needle, ..), _)| line.contains(needle) && !is_own(needle));
    let mut rows =
        rows.filter(|((_, pattern, ..), _)| is_unread || !pattern.starts_with(r"^\s*if"));
    rows.find_map(|((_, _, tool, help), pattern)| {
        let whole = |found: &Captures<'_>| found.get(0).expect("a match has its text").range();
        let mut all = pattern.captures_iter(line);
        let found = all.find(|found| is_fit(whole(found)))?;
        let written = (1..found.len()).fold((*help).to_owned(), |text, group| {
            let part = found.get(group).map_or("", |part| part.as_str());
            text.replace(&format!("${group}"), part)
        });
        let Range { start, end } = whole(&found);
        let blanks = line[start..end].len() - line[start..end].trim_start().len();
        Some((start + blanks..end, *tool, written))
    })
}
