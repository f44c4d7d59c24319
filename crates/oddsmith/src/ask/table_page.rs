//! Tables as they are sent: a stretch of the rows.

use oddsmith_rules::{InputRange, Query, QueryKind};
use serde::{Deserialize, Serialize};

use crate::questions::other_title;
use crate::table::Stretch;
use crate::wire::{Setting, Weighted};
use crate::{Error, Game, Limits, Table, TableRequest, TableRow};

/// A table, and which of its rows are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TablePageRequest {
    /// The table.
    #[serde(flatten)]
    pub table: TableRequest,
    /// The number of the first row that is wanted, from 0.
    pub from: usize,
    /// The number of rows that are wanted, at most [`TablePage::MOST`].
    pub count: usize,
}

impl Default for TablePageRequest {
    fn default() -> Self {
        Self {
            table: TableRequest::default(),
            from: 0,
            count: TablePage::MOST,
        }
    }
}

/// A stretch of a table's rows, in the order of its sweep. Configurations that the rules forbid have no row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TablePage {
    /// The check.
    pub check: String,
    /// The swept axes, the last one of which moves fastest.
    pub axes: Vec<String>,
    /// The columns of answers.
    pub columns: Vec<TableColumn>,
    /// The number of rows that the table has in all.
    pub total: usize,
    /// The rows that were wanted, as far as there are so many.
    pub rows: Vec<TableLine>,
    /// The number of rows of the whole table that have no answers, since they break a rule.
    pub gaps: u64,
}

/// A column of answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableColumn {
    /// The band, the flag, or the query as it was asked.
    pub name: String,
    /// What people read in place of that, if the rules have labels for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether it is a probability, and no mean or variance.
    pub is_probability: bool,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableLine {
    /// The values of the swept axes.
    pub values: Vec<Setting>,
    /// The answers, one for each column; none at all if a rule can't be carried out.
    pub answers: Vec<Weighted>,
}

impl TablePage {
    /// The number of rows that are sent at once at the most.
    pub const MOST: usize = 10_000;

    /// The stretch of a game's table. All rows are computed, and those that are not wanted are not kept.
    ///
    /// # Errors
    /// As [`Game::table`] and [`Table::rows_with_gaps`]; if more than [`TablePage::MOST`] rows are wanted.
    pub fn of(game: &Game, request: &TablePageRequest, limits: &Limits) -> Result<Self, Error> {
        if request.count > Self::MOST {
            let message = format!("{} rows are wanted at once", request.count);
            let help = format!("ask for at most {} at a time", Self::MOST);
            return Err(Error::advice(message, help));
        }
        let table = game.table(&request.table)?;
        let places = request.from..request.from.saturating_add(request.count);
        let Stretch { total, rows, gaps } = table.stretch(places, limits)?;
        let column = |query: &Query| TableColumn {
            name: query.text.clone(),
            title: other_title(&table.check, &query.text),
            is_probability: matches!(query.kind, QueryKind::Probability(_)),
        };
        let name = |range: &InputRange| table.check.inputs[range.input.0].name.clone();
        Ok(Self {
            check: table.check.name.clone(),
            axes: table.ranges.iter().map(name).collect(),
            columns: table.queries.iter().map(column).collect(),
            total,
            rows: rows.iter().map(|row| line(&table, row)).collect(),
            gaps: gaps.count,
        })
    }
}

fn line(table: &Table, row: &TableRow) -> TableLine {
    let values = table.ranges.iter().zip(&row.values);
    let setting = |(range, value): (&InputRange, &i64)| {
        Setting::of(&table.check.inputs[range.input.0].domain, *value)
    };
    TableLine {
        values: values.map(setting).collect(),
        answers: row.answers.iter().map(Weighted::from).collect(),
    }
}
