//! A table: columns, and rows of cells.

use super::block::Medium;
use super::text::Span;

/// Where a column's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(super) name: String,
    /// What stands above the name on a terminal, and before it on a page.
    pub(super) above: String,
    /// The whole name on a page, if it is another one there.
    pub(super) on_page: Option<String>,
    pub(super) align: Align,
    /// How wide it is at the least on a terminal.
    pub(super) width: usize,
    pub(super) only: Option<Medium>,
}

impl Column {
    pub(crate) fn new(name: impl Into<String>, align: Align) -> Self {
        Self {
            name: name.into(),
            above: String::new(),
            on_page: None,
            align,
            width: 0,
            only: None,
        }
    }

    pub(crate) fn left(name: impl Into<String>) -> Self {
        Self::new(name, Align::Left)
    }

    pub(crate) fn right(name: impl Into<String>) -> Self {
        Self::new(name, Align::Right)
    }

    /// Names on the left, then numbers on the right.
    pub(crate) fn of_numbers(heads: impl IntoIterator<Item = impl Into<String>>) -> Vec<Self> {
        let columns = heads.into_iter().map(Self::right);
        let mut columns: Vec<Self> = columns.collect();
        if let Some(names) = columns.first_mut() {
            names.align = Align::Left;
        }
        columns
    }

    /// With a second line of its head above the first.
    pub(crate) fn below(mut self, above: impl Into<String>) -> Self {
        self.above = above.into();
        self
    }

    /// Under another name on a page.
    pub(crate) fn on_page(mut self, name: impl Into<String>) -> Self {
        self.on_page = Some(name.into());
        self
    }

    /// At least this wide on a terminal.
    pub(crate) fn wide(mut self, width: u32) -> Self {
        self.width = width as usize;
        self
    }

    /// Without a head.
    pub(crate) fn unnamed(mut self) -> Self {
        self.name.clear();
        self
    }

    /// Only there.
    pub(crate) fn only(mut self, medium: Medium) -> Self {
        self.only = Some(medium);
        self
    }

    pub(super) fn is_on(&self, medium: Medium) -> bool {
        self.only.is_none_or(|only| only == medium)
    }
}

/// Columns, and rows of cells: each row has a cell for every column, wherever that is shown, or ends earlier.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Span>>,
    pub(super) is_flush: bool,
}

impl Table {
    pub(crate) fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self {
            columns: columns.into_iter().collect(),
            rows: Vec::new(),
            is_flush: false,
        }
    }

    /// Not set in from the margin of a terminal.
    pub(crate) fn flush(mut self) -> Self {
        self.is_flush = true;
        self
    }

    pub(crate) fn push(&mut self, cells: impl IntoIterator<Item = impl Into<Span>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// An empty line on a terminal.
    pub(crate) fn push_gap(&mut self) {
        self.rows.push(Vec::new());
    }

    /// With these rows after those that it has.
    pub(crate) fn with_rows<R>(mut self, rows: impl IntoIterator<Item = R>) -> Self
    where
        R: IntoIterator,
        R::Item: Into<Span>,
    {
        rows.into_iter().for_each(|row| self.push(row));
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What stands in its cells.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().flatten().map(|cell| cell.text.as_str())
    }

    /// The cells of a row that are shown there.
    pub(super) fn cells<'t>(
        &'t self,
        row: &'t [Span],
        medium: Medium,
    ) -> impl Iterator<Item = &'t Span> {
        let cells = row.iter().zip(&self.columns);
        cells
            .filter(move |(_, column)| column.is_on(medium))
            .map(|(cell, _)| cell)
    }
}
