//! The examples of a document.

/// A fenced block of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'d> {
    /// The word after the fence.
    pub kind: &'d str,
    /// The lines between the fences, with their numbers in the document.
    pub lines: Vec<(usize, &'d str)>,
}

impl Block<'_> {
    /// The lines as one text.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.lines.iter();
        lines.map(|(_, line)| format!("{line}\n")).collect()
    }
}

/// The fenced blocks of a text, in its order; `document` is what messages call it.
///
/// # Panics
/// If a block begins within a block, or the last one is not closed.
#[must_use]
pub fn blocks<'d>(document: &str, text: &'d str) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match (line.strip_prefix("```"), &mut open) {
            (Some(""), Some(_)) => blocks.extend(open.take()),
            (Some(kind), None) => {
                let lines = Vec::new();
                open = Some(Block { kind, lines });
            }
            (Some(_), Some(_)) => panic!("{document}:{number}: a block begins within a block"),
            (None, Some(block)) => block.lines.push((number, line)),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{document}: the last block is not closed");
    blocks
}
