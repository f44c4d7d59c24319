//! How the columns of a table stand on a page.

pub(crate) use oddsmith::columns::{
    Cell, Column, ColumnKind, Columns, answer_text, decimal, push_part,
};

use crate::document::Align;

/// Labels stand on the left, numbers on the right.
pub(crate) fn aligns(columns: &Columns) -> Vec<Align> {
    let align = |column: &Column| match column.labels {
        Some(_) => Align::Left,
        None => Align::Right,
    };
    columns.iter().map(align).collect()
}
