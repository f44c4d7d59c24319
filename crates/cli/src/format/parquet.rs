//! Tables as Parquet files: typed columns, in groups of rows that are written as they fill up.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use crate::format::rows::{ColumnKind, Layout};

/// Rows of a group: what is held in memory.
const GROUP: usize = 1 << 16;

/// A Parquet file in the making.
pub(crate) struct Writer<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Column>,
    rows: usize,
}

/// The cells of a column in the group at hand.
enum Column {
    Whole(Vec<i64>),
    /// The values that are there, and for each row whether one is.
    Decimal(Vec<f64>, Vec<i16>),
    Text(Vec<ByteArray>),
}

impl<W: Write + Send> Writer<W> {
    /// Begins a file with the layout's columns.
    pub(crate) fn new(output: W, layout: &Layout) -> Result<Self> {
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
        let file =
            SerializedFileWriter::new(output, schema(layout)?, Arc::new(properties.build()))?;
        let column = |kind| match kind {
            ColumnKind::Whole => Column::Whole(Vec::new()),
            ColumnKind::Decimal => Column::Decimal(Vec::new(), Vec::new()),
            ColumnKind::Text => Column::Text(Vec::new()),
        };
        let columns = layout.columns().map(|(_, kind)| column(kind)).collect();
        Ok(Self {
            file,
            columns,
            rows: 0,
        })
    }

    /// Adds rendered rows.
    pub(crate) fn push(&mut self, rows: &[u8]) -> Result<()> {
        for line in Layout::cells(std::str::from_utf8(rows)?) {
            for (column, cell) in self.columns.iter_mut().zip(line) {
                column.push(cell)?;
            }
            self.rows += 1;
        }
        if self.rows >= GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    /// Completes the file.
    pub(crate) fn finish(mut self) -> Result<W> {
        if self.rows > 0 {
            self.write_group()?;
        }
        Ok(self.file.into_inner()?)
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            let mut writer = group.next_column()?.expect("a writer for each column");
            match column {
                Column::Whole(values) => {
                    writer
                        .typed::<Int64Type>()
                        .write_batch(values, None, None)?;
                    values.clear();
                }
                Column::Decimal(values, present) => {
                    let typed = writer.typed::<DoubleType>();
                    typed.write_batch(values, Some(present), None)?;
                    values.clear();
                    present.clear();
                }
                Column::Text(values) => {
                    writer
                        .typed::<ByteArrayType>()
                        .write_batch(values, None, None)?;
                    values.clear();
                }
            }
            writer.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}

impl Column {
    /// Decimals were rendered so that they read back as the same float.
    fn push(&mut self, cell: &str) -> Result<()> {
        match self {
            Self::Whole(values) => values.push(cell.parse()?),
            Self::Decimal(_, present) if cell.is_empty() => present.push(0),
            Self::Decimal(values, present) => {
                values.push(cell.parse()?);
                present.push(1);
            }
            Self::Text(values) => values.push(ByteArray::from(cell)),
        }
        Ok(())
    }
}

fn schema(layout: &Layout) -> Result<TypePtr> {
    let mut fields = Vec::new();
    for (name, kind) in layout.columns() {
        let (physical, logical, repetition) = match kind {
            ColumnKind::Whole => (Physical::INT64, None, Repetition::REQUIRED),
            ColumnKind::Decimal => (Physical::DOUBLE, None, Repetition::OPTIONAL),
            ColumnKind::Text => (
                Physical::BYTE_ARRAY,
                Some(LogicalType::String),
                Repetition::REQUIRED,
            ),
        };
        let field = Type::primitive_type_builder(name, physical)
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
