//! Tables as Parquet files: typed columns, in groups of rows that are written as they fill up.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use oddsmith_exact::Row;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use crate::format::columns::{self, Cell, Column, ColumnKind, Columns};

/// Rows of a group: what is held in memory.
const GROUP: usize = 1 << 16;

/// A Parquet file in the making.
pub(crate) struct Writer<W: Write + Send> {
    file: SerializedFileWriter<W>,
    /// The rows of the group at hand.
    group: Rows,
}

/// Rows by columns: none at first.
#[derive(Default)]
pub(crate) struct Rows {
    columns: Vec<Values>,
    len: usize,
}

/// The cells of a column.
enum Values {
    Whole(Vec<i64>),
    /// The values that are there, and for each row whether one is.
    Decimal(Vec<f64>, Vec<i16>),
    Text(Vec<ByteArray>),
}

impl<W: Write + Send> Writer<W> {
    /// Begins a file with these columns.
    pub(crate) fn new(output: W, columns: &Columns) -> Result<Self> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let schema = schema(columns)?;
        let file = SerializedFileWriter::new(output, schema, Arc::new(properties.build()))?;
        let group = Rows::default();
        Ok(Self { file, group })
    }

    /// Adds rows.
    pub(crate) fn push(&mut self, rows: Rows) -> Result<()> {
        self.group.append(rows);
        if self.group.len >= GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    /// Completes the file.
    pub(crate) fn finish(mut self) -> Result<W> {
        if self.group.len > 0 {
            self.write_group()?;
        }
        Ok(self.file.into_inner()?)
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.file.next_row_group()?;
        for column in std::mem::take(&mut self.group).columns {
            let mut writer = group.next_column()?.expect("a writer for each column");
            match column {
                Values::Whole(values) => {
                    let typed = writer.typed::<Int64Type>();
                    typed.write_batch(&values, None, None)?;
                }
                Values::Decimal(values, present) => {
                    let typed = writer.typed::<DoubleType>();
                    typed.write_batch(&values, Some(&present), None)?;
                }
                Values::Text(values) => {
                    let typed = writer.typed::<ByteArrayType>();
                    typed.write_batch(&values, None, None)?;
                }
            }
            writer.close()?;
        }
        group.close()?;
        Ok(())
    }
}

impl Rows {
    /// Adds a row of a table with these columns.
    pub(crate) fn add(&mut self, columns: &Columns, row: &Row<'_>) {
        if self.columns.is_empty() {
            self.columns = columns.iter().map(Values::of).collect();
        }
        let values = &mut self.columns;
        columns.cells(row, |at, column, cell| values[at].add(column, cell));
        self.len += 1;
    }

    fn append(&mut self, rows: Self) {
        if self.columns.is_empty() {
            *self = rows;
            return;
        }
        for (all, more) in self.columns.iter_mut().zip(rows.columns) {
            all.append(more);
        }
        self.len += rows.len;
    }
}

impl Values {
    /// None yet.
    fn of(column: &Column) -> Self {
        match column.kind() {
            ColumnKind::Whole => Self::Whole(Vec::new()),
            ColumnKind::Decimal => Self::Decimal(Vec::new(), Vec::new()),
            ColumnKind::Text => Self::Text(Vec::new()),
        }
    }

    fn add(&mut self, column: &Column, cell: Cell<'_>) {
        match (self, cell) {
            (Self::Whole(values), Cell::Whole(value)) => values.push(value),
            (Self::Decimal(values, present), Cell::Answer(answer, _)) => {
                let value = columns::decimal(answer);
                present.push(value.is_some().into());
                values.extend(value);
            }
            (Self::Decimal(_, present), Cell::Nothing) => present.push(false.into()),
            (Self::Text(values), cell) => {
                values.push(ByteArray::from(column.text(cell, None).into_bytes()));
            }
            (Self::Whole(_) | Self::Decimal(..), _) => {
                unreachable!("cells are of their column's kind")
            }
        }
    }

    fn append(&mut self, more: Self) {
        match (self, more) {
            (Self::Whole(all), Self::Whole(more)) => all.extend(more),
            (Self::Decimal(all, present), Self::Decimal(more, more_present)) => {
                all.extend(more);
                present.extend(more_present);
            }
            (Self::Text(all), Self::Text(more)) => all.extend(more),
            _ => unreachable!("the rows of one table have the same columns"),
        }
    }
}

fn schema(columns: &Columns) -> Result<TypePtr> {
    let mut fields = Vec::new();
    for column in columns.iter() {
        let (physical, logical, repetition) = match column.kind() {
            ColumnKind::Whole => (Physical::INT64, None, Repetition::REQUIRED),
            ColumnKind::Decimal => (Physical::DOUBLE, None, Repetition::OPTIONAL),
            ColumnKind::Text => (
                Physical::BYTE_ARRAY,
                Some(LogicalType::String),
                Repetition::REQUIRED,
            ),
        };
        let field = Type::primitive_type_builder(&column.name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition);
        fields.push(Arc::new(field.build()?));
    }
    Ok(Arc::new(
        Type::group_type_builder("odds")
            .with_fields(fields)
            .build()?,
    ))
}
