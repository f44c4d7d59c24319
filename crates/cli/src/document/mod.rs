//! What an answer says, apart from how it looks: headings, paragraphs, tables with notes, code. A [`Document`] is
//! written for a terminal ([`Document::terminal`]), or as Markdown or BBCode ([`Document::markup`]); these alone know
//! colours, widths and what has to be escaped.

mod block;
mod fit;
mod grid;
mod markup;
mod table;
mod terminal;
mod text;

pub(crate) use block::{Block, Document, Medium};
pub(crate) use fit::{WIDTH, fit, lines, on_screen, room};
pub(crate) use grid::{Cell, Grid};
pub(crate) use markup::Markup;
pub(crate) use table::{Align, Column, Table};
pub(crate) use terminal::{ALARM, BOLD, DIM};
pub(crate) use text::{Role, Span, Text};
