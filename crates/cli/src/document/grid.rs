//! Text in aligned columns.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use super::table::Align;

/// One cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::styled(text, Style::new())
    }
}

/// Rows of cells; columns are as wide as their widest cell and two spaces apart.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    aligns: Vec<Align>,
    widths: Vec<usize>,
    rows: Vec<Vec<Cell>>,
}

impl Grid {
    pub(crate) fn new(aligns: &[Align]) -> Self {
        Self {
            aligns: aligns.to_vec(),
            widths: vec![0; aligns.len()],
            rows: Vec::new(),
        }
    }

    /// Keeps a column at least this wide.
    pub(crate) fn widen(&mut self, column: usize, width: usize) {
        self.widths[column] = self.widths[column].max(width);
    }

    pub(crate) fn push(&mut self, row: Vec<Cell>) {
        for (width, cell) in self.widths.iter_mut().zip(&row) {
            *width = (*width).max(cell.text.width());
        }
        self.rows.push(row);
    }

    /// A row of dim headings.
    pub(crate) fn head(&mut self, names: &[&str]) {
        let dim = Style::new().dimmed();
        let names = names.iter().map(|name| Cell::styled(*name, dim));
        self.push(names.collect());
    }

    /// The text, each row after `indent`, without spaces at line ends.
    pub(crate) fn render(&self, indent: &str) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let used = row
                .iter()
                .rposition(|cell| !cell.text.is_empty())
                .map_or(0, |last| last + 1);
            for (at, cell) in row[..used].iter().enumerate() {
                text.push_str(if at == 0 { indent } else { "  " });
                self.push_cell(at, cell, at + 1 == used, &mut text);
            }
            text.push('\n');
        }
        text
    }

    fn push_cell(&self, at: usize, cell: &Cell, is_last: bool, text: &mut String) {
        let space = self.widths[at] - cell.text.width();
        if self.aligns[at] == Align::Right {
            text.extend(std::iter::repeat_n(' ', space));
        }
        if cell.text.is_empty() || cell.style == Style::new() {
            text.push_str(&cell.text);
        } else {
            let _ = write!(text, "{}{}{:#}", cell.style, cell.text, cell.style);
        }
        if self.aligns[at] == Align::Left && !is_last {
            text.extend(std::iter::repeat_n(' ', space));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Align::{Left, Right};
    use super::Grid;

    #[test]
    fn columns_align_and_lines_end_clean() {
        let mut grid = Grid::new(&[Left, Right, Left]);
        grid.push(vec!["a".into(), "1".into(), "x".into()]);
        grid.push(vec!["long".into(), "100".into()]);
        assert_eq!(grid.render("> "), "> a       1  x\n> long  100\n");
    }

    #[test]
    fn a_column_is_as_wide_as_a_terminal_shows_it() {
        let mut grid = Grid::new(&[Left, Right]);
        for wide in ["成功", "e\u{301}te\u{301}", "👩\u{200d}🚀", "Hit"] {
            grid.push(vec![wide.into(), "1".into()]);
        }
        let expected = "成功  1\ne\u{301}te\u{301}   1\n👩\u{200d}🚀    1\nHit   1\n";
        assert_eq!(grid.render(""), expected);
    }
}
