//! Documents, and the blocks that they are made of.

use super::table::Table;
use super::text::Text;

/// Where a document is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    Terminal,
    /// A document of others, in which it is Markdown or BBCode.
    Page,
}

/// Sections of blocks. On a terminal an empty line stands between two sections, on a page between any two blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    pub(super) sections: Vec<Vec<Block>>,
}

impl Document {
    /// Adds a section.
    pub(crate) fn push(&mut self, section: impl IntoIterator<Item = Block>) {
        self.sections.push(section.into_iter().collect());
    }

    /// Adds a section that is only there.
    pub(crate) fn push_on(&mut self, medium: Medium, section: impl IntoIterator<Item = Block>) {
        self.push(section.into_iter().map(|block| block.only(medium)));
    }

    /// Adds a block to the last section.
    pub(crate) fn add(&mut self, block: Block) {
        match self.sections.last_mut() {
            Some(section) => section.push(block),
            None => self.push([block]),
        }
    }

    /// What is shown there of each section that is shown there at all.
    pub(super) fn sections(&self, medium: Medium) -> impl Iterator<Item = Vec<&Content>> {
        let sections = self.sections.iter();
        let shown = move |block| Block::on(block, medium);
        let sections = sections.map(move |section| section.iter().filter_map(shown).collect());
        sections.filter(|section: &Vec<&Content>| !section.is_empty())
    }
}

/// A part of a section.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    content: Content,
    only: Option<Medium>,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    /// Of the whole document.
    Title(String),
    Heading(String),
    Paragraph {
        text: Text,
        /// Whether its lines end where a screen does.
        is_wrapped: bool,
    },
    Note(Text),
    Table(Table),
    Code {
        language: &'static str,
        text: String,
    },
    List(Vec<String>),
    Folded {
        summary: String,
        blocks: Vec<Block>,
    },
}

impl Content {
    fn is_empty(&self) -> bool {
        match self {
            Self::Paragraph { text, .. } | Self::Note(text) => text.is_empty(),
            Self::Title(text) | Self::Heading(text) | Self::Code { text, .. } => text.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Table(_) | Self::Folded { .. } => false,
        }
    }
}

impl From<Content> for Block {
    fn from(content: Content) -> Self {
        Self {
            content,
            only: None,
        }
    }
}

impl Block {
    /// The title of the whole document.
    pub(crate) fn title(text: impl Into<String>) -> Self {
        Content::Title(text.into()).into()
    }

    pub(crate) fn heading(text: impl Into<String>) -> Self {
        Content::Heading(text.into()).into()
    }

    /// Lines of text; nothing if it is empty.
    pub(crate) fn paragraph(text: impl Into<Text>) -> Self {
        let (text, is_wrapped) = (text.into(), false);
        Content::Paragraph { text, is_wrapped }.into()
    }

    /// The same with lines that are no longer than [`super::WIDTH`] on a terminal.
    pub(crate) fn wrapped(text: impl Into<Text>) -> Self {
        let (text, is_wrapped) = (text.into(), true);
        Content::Paragraph { text, is_wrapped }.into()
    }

    /// Lines about the table above them; nothing if it is empty.
    pub(crate) fn note(text: impl Into<Text>) -> Self {
        Content::Note(text.into()).into()
    }

    /// A table; one without rows shows its head.
    pub(crate) fn table(table: Table) -> Self {
        Content::Table(table).into()
    }

    /// A table below its heading.
    pub(crate) fn titled(title: impl Into<String>, table: Table) -> [Self; 2] {
        [Self::heading(title), Self::table(table)]
    }

    /// Code as it is, in a language that Markdown is told.
    pub(crate) fn code(language: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        Content::Code { language, text }.into()
    }

    /// A list; nothing if it is empty.
    pub(crate) fn list(items: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Content::List(items.into_iter().map(Into::into).collect()).into()
    }

    /// What is there for those who want to know more.
    pub(crate) fn folded(
        summary: impl Into<String>,
        blocks: impl IntoIterator<Item = Self>,
    ) -> Self {
        let (summary, blocks) = (summary.into(), blocks.into_iter().collect());
        Content::Folded { summary, blocks }.into()
    }

    /// Its content, if that is shown there.
    pub(super) fn on(&self, medium: Medium) -> Option<&Content> {
        let is_shown = self.only.is_none_or(|only| only == medium);
        Some(&self.content).filter(|content| is_shown && !content.is_empty())
    }

    /// Only there.
    pub(crate) fn only(mut self, medium: Medium) -> Self {
        self.only = Some(medium);
        self
    }
}
