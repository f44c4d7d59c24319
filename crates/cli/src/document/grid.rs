//! Text in aligned columns.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::fit::lines;
use super::table::Align;

/// Between two columns.
const GAP: &str = "  ";
/// A column is broken into lines no narrower than this.
const LEAST: usize = 16;

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
    /// The first columns, which say what a row is about: so many.
    names: usize,
    rows: Vec<Vec<Cell>>,
}

impl Grid {
    pub(crate) fn new(aligns: &[Align]) -> Self {
        Self {
            aligns: aligns.to_vec(),
            widths: vec![0; aligns.len()],
            names: 1,
            rows: Vec::new(),
        }
    }

    /// With so many columns that say together what a row is about.
    pub(crate) fn named_by(mut self, columns: usize) -> Self {
        self.names = columns.clamp(1, self.widths.len().max(1));
        self
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

    /// The text, each row after `indent`, no wider than a screen: long texts have several lines, and columns for which
    /// there is no room at all stand below, beside those that name the rows. Without a width each row is one line.
    pub(crate) fn render(&self, indent: &str, width: Option<usize>) -> String {
        let Some(width) = width else {
            return self.whole(indent);
        };
        let room = width.saturating_sub(indent.len());
        let (head, rest) = self.panel(room);
        match rest {
            None => head.whole(indent),
            Some(rest) => head.whole(indent) + "\n" + &rest.render(indent, Some(width)),
        }
    }

    /// The text, each row after `indent` and in one line, however wide, without spaces at line ends.
    fn whole(&self, indent: &str) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let used = row
                .iter()
                .rposition(|cell| !cell.text.is_empty())
                .map_or(0, |last| last + 1);
            for (at, cell) in row[..used].iter().enumerate() {
                text.push_str(if at == 0 { indent } else { GAP });
                self.push_cell(at, cell, at + 1 == used, &mut text);
            }
            text.push('\n');
        }
        text
    }

    /// The columns that `widths` take side by side.
    fn width(widths: &[usize]) -> usize {
        let gaps = widths.len().saturating_sub(1) * GAP.len();
        widths.iter().sum::<usize>() + gaps
    }

    /// The same with texts in several lines, the widest column first, until all fit or no words can be put below others.
    fn narrowed(&self, room: usize) -> Self {
        let mut widths = self.widths.clone();
        while Self::width(&widths) > room {
            let columns = (0..widths.len()).filter(|at| self.aligns[*at] == Align::Left);
            let columns = columns.filter(|at| !self.is_drawn(*at));
            let columns = columns.filter(|at| widths[*at] > self.longest_word(*at));
            let Some(widest) = columns.max_by_key(|at| widths[*at]) else {
                break;
            };
            widths[widest] -= 1;
        }
        if widths == self.widths {
            return self.clone();
        }
        let mut narrowed = Self::new(&self.aligns).named_by(self.names);
        for row in &self.rows {
            let cells = row.iter().zip(&widths);
            let cells: Vec<Vec<String>> = cells
                .map(|(cell, width)| lines(&cell.text, *width, ""))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                let cells = row.iter().zip(&cells);
                let text = |lines: &Vec<String>| lines.get(line).cloned().unwrap_or_default();
                let cells = cells.map(|(cell, lines)| Cell::styled(text(lines), cell.style));
                narrowed.push(cells.collect());
            }
        }
        narrowed
    }

    /// The width below which a column would have to break words; a column is not narrower than a short sentence needs.
    fn longest_word(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        let words = cells
            .flat_map(|cell| cell.text.split(' '))
            .map(UnicodeWidthStr::width);
        words.max().unwrap_or(0).max(LEAST)
    }

    /// The columns that fit, at least one beside those that name the rows, with texts in several lines where they have to be;
    /// and the names with those that do not. A bar stays beside the number that it draws.
    fn panel(&self, room: usize) -> (Self, Option<Self>) {
        let all = self.widths.len();
        let least = self.names + 1;
        let is_end =
            |columns: &usize| *columns == all || *columns <= least || !self.is_drawn(*columns);
        for columns in (least..all + 1).rev().filter(is_end) {
            let head: Vec<usize> = (0..columns).collect();
            let head = self.select(&head).narrowed(room);
            if columns > least && Self::width(&head.widths) > room {
                continue;
            }
            let rest: Vec<usize> = (0..self.names).chain(columns..all).collect();
            return (head, (columns < all).then(|| self.select(&rest)));
        }
        (self.narrowed(room), None)
    }

    /// Whether a column has bars, which can't be broken.
    fn is_drawn(&self, column: usize) -> bool {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        let is_block = |c: char| ('\u{2500}'..='\u{259f}').contains(&c);
        cells.into_iter().any(|cell| cell.text.contains(is_block))
    }

    /// Some of the columns.
    fn select(&self, columns: &[usize]) -> Self {
        let cell = |row: &Vec<Cell>, at: usize| row.get(at).cloned().unwrap_or_default();
        let row = |row: &Vec<Cell>| columns.iter().map(|at| cell(row, *at)).collect();
        Self {
            aligns: columns.iter().map(|at| self.aligns[*at]).collect(),
            widths: columns.iter().map(|at| self.widths[*at]).collect(),
            names: self.names,
            rows: self.rows.iter().map(row).collect(),
        }
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
        assert_eq!(grid.whole("> "), "> a       1  x\n> long  100\n");
    }

    /// Where several columns say what a row is about, all of them stand beside what is below.
    #[test]
    fn rows_keep_their_names() {
        let mut grid = Grid::new(&[Right, Right, Right, Right]).named_by(2);
        grid.push(["a", "b", "left", "right"].map(Into::into).into());
        grid.push(["1", "2", "10%", "90%"].map(Into::into).into());
        let expected = "a  b  left\n1  2   10%\n\na  b  right\n1  2    90%\n";
        assert_eq!(grid.render("", Some(12)), expected);
        assert_eq!(
            grid.render("", Some(80)),
            "a  b  left  right\n1  2   10%    90%\n"
        );
    }

    #[test]
    fn a_column_is_as_wide_as_a_terminal_shows_it() {
        let mut grid = Grid::new(&[Left, Right]);
        for wide in ["成功", "e\u{301}te\u{301}", "👩\u{200d}🚀", "Hit"] {
            grid.push(vec![wide.into(), "1".into()]);
        }
        let expected = "成功  1\ne\u{301}te\u{301}   1\n👩\u{200d}🚀    1\nHit   1\n";
        assert_eq!(grid.whole(""), expected);
    }
}
