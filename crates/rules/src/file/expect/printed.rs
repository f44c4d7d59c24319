//! Tables that stand in print.

use crate::check::InputRange;
use crate::expectation::PrintedTable;
use crate::file::expect::claim::Cells;
use crate::file::expect::number::Figure;
use crate::file::expect::resolve::Reading;
use crate::file::nodes::Written;
use crate::number::Printed;
use crate::source::Span;

impl Cells {
    /// All numbers that are printed.
    pub(super) fn figures(&self) -> Vec<&Figure> {
        match self {
            Self::One(figure) => figure.iter().collect(),
            Self::Row(row) => row.iter().flatten().collect(),
            Self::Rows(rows) => rows
                .iter()
                .flat_map(|(row, _)| row.iter().flatten())
                .collect(),
        }
    }
}

impl Reading<'_> {
    /// A table of as many rows and columns as its axes have values, or as there are queries.
    pub(super) fn printed(
        &mut self,
        (x, by): (Option<&Written>, Option<&Written>),
        (cells, span): (&Cells, Span),
        queries: usize,
    ) -> Option<PrintedTable> {
        let before = self.reporter.len();
        if let (Some(by), true) = (by, x.is_none() || queries > 1) {
            let message = match x {
                None => "`by` needs `x` beside it",
                Some(_) => "`by` has the rows of what is printed, and so have several queries",
            };
            let error = self.reporter.error(by.span, message);
            let help = "`x` runs across; `by` runs down, or the queries do";
            self.reporter.push(error.with_help(help));
        }
        let x = x.and_then(|written| self.range("x", written));
        let by = by.and_then(|written| self.range("by", written));
        if self.reporter.len() > before {
            return None;
        }
        let across = match &x {
            Some(x) => Side::of_values("x", x),
            None => Side {
                count: 1,
                told: "there is no `x`".to_owned(),
            },
        };
        let down = match &by {
            Some(by) => Side::of_values("by", by),
            None => Side::of_queries(queries),
        };
        let cells = self.laid_out((cells, span), &down, &across);
        (self.reporter.len() == before).then_some(PrintedTable { x, by, cells })
    }

    /// The numbers row after row; errors if there are more or fewer of them than there should be.
    fn laid_out(
        &mut self,
        (cells, span): (&Cells, Span),
        down: &Side,
        across: &Side,
    ) -> Vec<Option<Printed>> {
        let printed = |row: &[Option<Figure>]| -> Vec<Option<Printed>> {
            let row = row.iter();
            row.map(|cell| Some(cell.as_ref()?.printed.clone()))
                .collect()
        };
        let row = match cells {
            Cells::Rows(list) => {
                self.demand((list.len(), "row"), down, span);
                for (row, place) in list {
                    self.demand((row.len(), "number"), across, *place);
                }
                return list.iter().flat_map(|(row, _)| printed(row)).collect();
            }
            Cells::One(cell) => std::slice::from_ref(cell),
            Cells::Row(row) => row,
        };
        if across.count == 1 {
            // One column needs no lists of one number each.
            self.demand((row.len(), "number"), down, span);
        } else {
            self.demand((1, "row"), down, span);
            self.demand((row.len(), "number"), across, span);
        }
        printed(row)
    }

    /// As many as a side has.
    fn demand(&mut self, (count, what): (usize, &str), side: &Side, place: Span) {
        if count != side.count {
            let s = if count == 1 { "" } else { "s" };
            let message = format!("{count} {what}{s} printed, and {}", side.told);
            self.reporter.push(self.reporter.error(place, message));
        }
    }
}

/// How many numbers there should be.
struct Side {
    count: usize,
    /// Why so many.
    told: String,
}

impl Side {
    fn of_values(key: &str, range: &InputRange) -> Self {
        let count = range.values.len();
        let s = if count == 1 { "" } else { "s" };
        Self {
            count,
            told: format!("`{key}` has {count} value{s}"),
        }
    }

    fn of_queries(count: usize) -> Self {
        let told = match count {
            1 => "there is one query".to_owned(),
            _ => format!("there are {count} queries"),
        };
        Self { count, told }
    }
}
