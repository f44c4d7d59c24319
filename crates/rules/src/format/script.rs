//! One script, formatted.

use std::ops::Range;

use oddsmith_diagnostics::Fix;

use crate::format::Script;
use crate::format::columns::{columns, like, pairs};
use crate::format::indent::{Indent, begins_item};
use crate::format::words::{self, Brackets, Word};
use crate::source::Span;

/// So often columns are moved until all stand still. They do long before, as each is moved only by those to its left.
const MOST_ROUNDS: usize = 50;

/// Adds the changes of white space that a script needs.
pub(super) fn edits(script: &Script<'_>, edits: &mut Vec<Fix>) {
    let mut words = words::read(script.text, script.offset, script.column);
    let places = settled(&mut words, script);
    let line_end = super::line_end(script.text);
    let mut change = |start: usize, end: usize, text: String| {
        let written = &script.text[start - script.offset..end - script.offset];
        if written != text {
            let span = Span::new(start, end);
            edits.push(Fix { span, text });
        }
    };
    let mut at = script.offset;
    for (number, word) in words.iter().enumerate() {
        let blanks = match number.checked_sub(1) {
            Some(before) if word.breaks == 0 => places[number] - end(&words, &places, before),
            Some(_) => places[number],
            None if script.begins_line(word) => places[number],
            None => 0,
        };
        let lines = match number {
            // No line is empty before the first word; behind the quotes it may be the next one.
            0 => usize::from(script.column > 0 && word.breaks > 0),
            _ => word.breaks.min(2),
        };
        change(
            at,
            word.span.start,
            line_end.repeat(lines) + &" ".repeat(blanks),
        );
        at = word.span.end;
    }
    let rest = &script.text[at - script.offset..];
    let ends_in_quotes = words.last().is_some_and(|word| word.text.ends_with('"'));
    // The closing quotes stand behind the last word, or on a line of their own.
    let last = match rest.contains('\n') {
        true => line_end.to_owned() + &" ".repeat(script.base),
        false => " ".repeat(usize::from(ends_in_quotes && !rest.is_empty())),
    };
    change(at, script.offset + script.text.len(), last);
}

impl Script<'_> {
    /// Whether its first word stands on a line of its own, and not behind the opening quotes.
    fn begins_line(&self, first: &Word<'_>) -> bool {
        self.column == 0 || first.breaks > 0
    }
}

fn end(words: &[Word<'_>], places: &[usize], at: usize) -> usize {
    places[at] + words[at].width()
}

/// Where each word should stand when what is formatted is formatted again, until nothing moves: words that have come to stand
/// under one another by being moved are a column from then on.
fn settled(words: &mut [Word<'_>], script: &Script<'_>) -> Vec<usize> {
    let mut settled = places(words, script);
    for _ in 0..MOST_ROUNDS {
        for at in 0..words.len() {
            words[at].column = settled[at];
            if at > 0 && words[at].breaks == 0 {
                words[at].pad = settled[at] - end(words, &settled, at - 1);
            }
        }
        let again = places(words, script);
        if again == settled {
            break;
        }
        settled = again;
    }
    settled
}

/// Where each word of a script should stand on its line.
fn places(words: &[Word<'_>], script: &Script<'_>) -> Vec<usize> {
    let lines = lines(words);
    let columns = columns(words, &neighbours(words, &lines));
    let mut column_of = vec![None; words.len()];
    for (number, column) in columns.iter().enumerate() {
        column
            .words
            .iter()
            .for_each(|word| column_of[*word] = Some(number));
    }
    let mut at = vec![0; columns.len()];
    let mut round = Round::default();
    for _ in 0..MOST_ROUNDS {
        let column = |word: usize| column_of[word].map_or(0, |number: usize| at[number]);
        round = Round::new(words, script, &lines, column);
        let moved: Vec<usize> = columns
            .iter()
            .map(|column| column.place(&round.natural))
            .collect();
        if moved == at {
            break;
        }
        at = moved;
    }
    round.places
}

/// The lines of a script, by their words.
fn lines(words: &[Word<'_>]) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match lines.last_mut() {
            Some(line) if word.breaks == 0 => line.end = at + 1,
            _ => lines.push(at..at + 1),
        }
    }
    lines
}

/// Pairs of words of which one was put under the other: on lines of code that follow one another, or on those with which one
/// statement or arm and the next one begin. A line between two that have a column gets into it, too.
fn neighbours(words: &[Word<'_>], lines: &[Range<usize>]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut above: Option<&Range<usize>> = None;
    let mut twice_above: Option<&Range<usize>> = None;
    // The line with which the last of them began, in each bracket that is open.
    let mut last: Vec<Option<&Range<usize>>> = vec![None];
    for line in lines.iter().filter(|line| !words[line.start].is_comment()) {
        let depth = last.len() - 1;
        let is_item = begins_item(words, line.start);
        let begun = last[depth].filter(|_| is_item);
        for upper in above.into_iter().chain(begun.filter(|_| begun != above)) {
            found.extend(pairs(words, upper.clone(), line.clone()));
        }
        if let (Some(upper), Some(between)) = (twice_above, above) {
            for (upper, lower) in pairs(words, upper.clone(), line.clone()) {
                if let Some(between) = like(words, upper, between.clone()) {
                    found.extend([(upper, between), (upper, lower)]);
                }
            }
        }
        (twice_above, above) = (above, Some(line));
        if is_item {
            last[depth] = above;
        }
        for at in line.clone() {
            match words[at].brackets {
                Brackets::Opens => last.push(None),
                Brackets::Closes if last.len() > 1 => drop(last.pop()),
                Brackets::Closes | Brackets::Stay => {}
            }
        }
    }
    found
}

/// Where words stand while columns stand somewhere.
#[derive(Default)]
struct Round {
    places: Vec<usize>,
    /// Where each would stand by itself.
    natural: Vec<usize>,
}

impl Round {
    fn new(
        words: &[Word<'_>],
        script: &Script<'_>,
        lines: &[Range<usize>],
        column: impl Fn(usize) -> usize,
    ) -> Self {
        let mut round = Self {
            places: vec![0; words.len()],
            natural: vec![0; words.len()],
        };
        let mut indent = Indent::new(script.base);
        let mut above: Vec<(usize, usize)> = Vec::new();
        // Comments that wait for the line of code below them.
        let mut waiting: Vec<usize> = Vec::new();
        for line in lines {
            let first = line.start;
            if words[first].is_comment() {
                waiting.push(first);
                continue;
            }
            let content = indent.content();
            let begin = match first {
                0 if !script.begins_line(&words[0]) => script.column,
                _ => indent.of_line(words, first, &above),
            };
            let closes = words[first].brackets == Brackets::Closes;
            for comment in waiting.drain(..) {
                round.places[comment] = if closes { content } else { begin };
            }
            round.put(words, line.clone(), begin, &column);
            above = line.clone().map(|at| (at, round.places[at])).collect();
            indent.pass(words, line.clone());
        }
        for comment in waiting {
            round.places[comment] = indent.content();
        }
        round
    }

    /// Puts the words of a line behind its beginning.
    fn put(
        &mut self,
        words: &[Word<'_>],
        line: Range<usize>,
        begin: usize,
        column: impl Fn(usize) -> usize,
    ) {
        for at in line.clone() {
            self.natural[at] = match at == line.start {
                true => begin,
                false => end(words, &self.places, at - 1) + words[at].gap,
            };
            self.places[at] = self.natural[at].max(column(at));
        }
    }
}
