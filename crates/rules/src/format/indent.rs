//! Where the lines of a script begin.

use crate::format::words::{Brackets, Word};

/// Blanks of a step of indentation.
const STEP: usize = 2;

/// A bracket that is open, or the script itself.
struct Frame {
    /// The number of the bracket.
    bracket: Option<usize>,
    /// Whether its contents stand on lines of their own.
    is_block: bool,
    /// Where the line begins that has the bracket.
    line: usize,
    /// Where its contents begin.
    content: usize,
    /// Where the last statement, arm or item began, and how many blanks stood there.
    item: (usize, usize),
}

/// Where the lines of a script begin, as they are gone through from the first one.
pub(super) struct Indent {
    open: Vec<Frame>,
    /// Where each line begins, as it is written and as it should.
    line: (usize, usize),
}

impl Indent {
    /// Before the first line of a script whose statements begin behind `base` blanks.
    pub(super) fn new(base: usize) -> Self {
        Self {
            open: vec![Frame {
                bracket: None,
                is_block: true,
                line: base,
                content: base,
                item: (base, base),
            }],
            line: (base, base),
        }
    }

    /// Where a comment on a line of its own stands before what closes a block, or at the end.
    pub(super) fn content(&self) -> usize {
        self.block().content
    }

    /// The innermost block.
    fn block(&self) -> &Frame {
        let block = self.open.iter().rev().find(|frame| frame.is_block);
        block.expect("the script itself is one")
    }

    /// Where a line begins whose first word is this one. `above` are the words of the line of code above it with their places.
    pub(super) fn of_line(
        &mut self,
        words: &[Word<'_>],
        first: usize,
        above: &[(usize, usize)],
    ) -> usize {
        let word = &words[first];
        let at = self.place(words, first, above);
        self.line = (word.column, at);
        at
    }

    fn place(&mut self, words: &[Word<'_>], first: usize, above: &[(usize, usize)]) -> usize {
        let word = &words[first];
        let inner = self.open.last().expect("the script itself is open");
        if word.brackets == Brackets::Closes && inner.is_block && inner.bracket.is_some() {
            return inner.line;
        }
        if inner.is_block && begins_item(words, first) {
            let content = inner.content;
            if let Some(inner) = self.open.last_mut() {
                inner.item = (word.column, content);
            }
            return content;
        }
        let block = self.block();
        let is_list = block.bracket.is_some_and(|at| words[at].text != "{");
        let (written, item) = block.item;
        let least = if is_list { block.content } else { item + STEP };
        let under = above
            .iter()
            .find(|(above, _)| words[*above].column == word.column);
        match under {
            Some((_, at)) if *at >= least => *at,
            _ => least.max((word.column + item).saturating_sub(written)),
        }
    }

    /// Goes on behind a line.
    pub(super) fn pass(&mut self, words: &[Word<'_>], line: std::ops::Range<usize>) {
        let last = line.clone().rev().find(|at| !words[*at].is_comment());
        for at in line {
            match words[at].brackets {
                Brackets::Opens => self.open.push(Frame {
                    bracket: Some(at),
                    is_block: Some(at) == last,
                    line: self.line.1,
                    content: self.line.1 + STEP,
                    item: self.line,
                }),
                Brackets::Closes if self.open.len() > 1 => drop(self.open.pop()),
                Brackets::Closes | Brackets::Stay => {}
            }
        }
    }
}

/// Whether a line begins with a statement, or with what stands first in a bracket or behind a comma.
pub(super) fn begins_item(words: &[Word<'_>], first: usize) -> bool {
    let before = words[..first].iter().rev().find(|word| !word.is_comment());
    let follows = |before: &Word<'_>| before.brackets == Brackets::Opens || before.text == ",";
    words[first].begins_statement() || before.is_none_or(follows)
}
