//! Tables of pages, for views that do not make documents yet.

pub(crate) use crate::document::Markup;
use crate::document::{Align, Block, Column, Document, Table};

impl Markup {
    /// A head, how its columns stand, and rows.
    pub(crate) fn table(self, head: &[&str], aligns: &[Align], rows: &[Vec<String>]) -> String {
        let columns = head.iter().zip(aligns);
        let columns = columns.map(|(name, align)| Column::new(*name, *align));
        let table = Table::new(columns).with_rows(rows.iter().cloned());
        self.alone(Block::table(table))
    }

    /// A line above a table.
    pub(crate) fn title(self, text: &str) -> String {
        let gap = if self == Self::Markdown { "\n" } else { "" };
        self.alone(Block::heading(text)) + gap
    }

    /// Lines that stand by themselves; nothing if there are no words.
    pub(crate) fn paragraph(self, words: &str) -> String {
        self.alone(Block::paragraph(words.trim_end_matches('\n')))
    }

    fn alone(self, block: Block) -> String {
        let mut document = Document::default();
        document.push([block]);
        document.markup(self)
    }
}
