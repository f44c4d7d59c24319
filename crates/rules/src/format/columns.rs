//! Words that stand under one another, and go on to do so.

use std::collections::HashMap;
use std::ops::Range;

use crate::format::words::Word;
use crate::syntax::LexemeKind;

/// Words of one column, by their numbers.
pub(super) struct Column {
    pub(super) words: Vec<usize>,
    /// Blanks before each of them beyond those that there have to be.
    extra: usize,
}

impl Column {
    /// Where it stands: behind the longest of what stands before its words. `natural` has where each word would stand by itself.
    pub(super) fn place(&self, natural: &[usize]) -> usize {
        let furthest = self.words.iter().map(|word| natural[*word]).max();
        furthest.unwrap_or(0) + self.extra
    }
}

/// The columns of a script, by pairs of words of which one stands under the other.
pub(super) fn columns(words: &[Word<'_>], pairs: &[(usize, usize)]) -> Vec<Column> {
    let mut first_of: Vec<usize> = (0..words.len()).collect();
    for (upper, lower) in pairs {
        let (one, other) = (first(&first_of, *upper), first(&first_of, *lower));
        first_of[one.max(other)] = one.min(other);
    }
    let mut columns: Vec<Column> = Vec::new();
    let mut numbers = HashMap::new();
    for (at, word) in words.iter().enumerate() {
        if at == 0 || word.breaks > 0 {
            continue;
        }
        let extra = word.pad.saturating_sub(word.gap);
        let number = *numbers.entry(first(&first_of, at)).or_insert_with(|| {
            let words = Vec::new();
            columns.push(Column { words, extra });
            columns.len() - 1
        });
        let column = &mut columns[number];
        column.words.push(at);
        column.extra = column.extra.min(extra);
    }
    // A comment keeps its distance; another word that stands under none has none of its own.
    columns.retain(|column| column.words.len() > 1 || words[column.words[0]].is_comment());
    columns
}

fn first(first_of: &[usize], mut at: usize) -> usize {
    while first_of[at] != at {
        at = first_of[at];
    }
    at
}

/// The pairs of words of two lines that were put under one another: the same word, or what follows the same mark, with more
/// blanks before one of them than there have to be.
pub(super) fn pairs(
    words: &[Word<'_>],
    upper: Range<usize>,
    lower: Range<usize>,
) -> Vec<(usize, usize)> {
    let below = |one: usize| {
        let line = &words[lower.clone()];
        let at = line
            .binary_search_by_key(&words[one].column, |word| word.column)
            .ok()?;
        Some((one, lower.start + at))
    };
    let pairs = upper.clone().filter_map(below);
    let behind_first = pairs.filter(|(one, other)| *one > upper.start && *other > lower.start);
    behind_first.filter(|pair| belong(words, *pair)).collect()
}

/// The first word of a line that could stand in the column of another word.
pub(super) fn like(words: &[Word<'_>], word: usize, line: Range<usize>) -> Option<usize> {
    let mut behind_first = line.skip(1);
    behind_first.find(|other| words[*other].gap > 0 && are_alike(words, word, *other))
}

fn belong(words: &[Word<'_>], (upper, lower): (usize, usize)) -> bool {
    let (one, other) = (&words[upper], &words[lower]);
    let is_padded = one.pad > one.gap || other.pad > other.gap;
    is_padded && one.gap > 0 && other.gap > 0 && are_alike(words, upper, lower)
}

/// Whether two words are the same, or follow the same mark.
fn are_alike(words: &[Word<'_>], one: usize, other: usize) -> bool {
    let marks = [&words[one - 1], &words[other - 1]];
    let (one, other) = (&words[one], &words[other]);
    match (one.kind, other.kind) {
        (LexemeKind::Comment, kind) | (kind, LexemeKind::Comment) => kind == LexemeKind::Comment,
        _ => {
            let are_marks = marks.iter().all(|mark| mark.kind == LexemeKind::Mark);
            one.is_joint() && one.text == other.text || are_marks && marks[0].text == marks[1].text
        }
    }
}
