//! Accepted rows, one after the other.

use std::collections::HashMap;

use crate::Error;
use crate::baseline::{Columns, Lines, ManifestTable};

/// Accepted rows in the order of a sweep.
pub(super) struct Stream {
    pub(super) lines: Lines,
    pub(super) line: Vec<u8>,
    /// Whether there is a line.
    is_line: bool,
    /// The axes of the line, once they are asked for.
    pub(super) axes: Vec<String>,
    columns: Columns,
    pub(super) places: Places,
}

impl Stream {
    /// At the first row.
    pub(super) fn new(
        lines: Lines,
        columns: Columns,
        table: &ManifestTable,
    ) -> Result<Self, Error> {
        let values = table.sweep.iter().map(|(_, values)| {
            let texts = values.iter().map(ToString::to_string);
            texts.zip(0..).collect()
        });
        let mut stream = Self {
            lines,
            line: Vec::new(),
            is_line: false,
            axes: Vec::new(),
            columns,
            places: Places(values.collect()),
        };
        stream.advance()?;
        Ok(stream)
    }

    /// Goes on to the next line.
    pub(super) fn advance(&mut self) -> Result<(), Error> {
        self.line.clear();
        let line = self.lines.next()?;
        self.is_line = line.is_some();
        self.line.extend_from_slice(line.unwrap_or_default());
        Ok(())
    }

    pub(super) fn is_at(&self, line: &[u8]) -> bool {
        self.is_line && self.line == line
    }

    /// Where in the sweep the line is; none at the end.
    pub(super) fn place(&mut self) -> Result<Option<Vec<usize>>, Error> {
        if !self.is_line {
            return Ok(None);
        }
        let row = self.columns.parse(&self.line);
        let row = row.ok_or_else(|| self.lines.unreadable())?;
        let place = self.places.of(&row.axes);
        self.axes = row.axes;
        match place {
            Some(place) => Ok(Some(place)),
            None => Err(self.lines.unreadable()),
        }
    }
}

/// For each axis the places of its values.
pub(super) struct Places(Vec<HashMap<String, usize>>);

impl Places {
    pub(super) fn of(&self, axes: &[String]) -> Option<Vec<usize>> {
        let places = self.0.iter().zip(axes);
        places
            .map(|(places, axis)| places.get(axis).copied())
            .collect()
    }
}

/// Whole lines without their ends.
pub(super) fn rows(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter(|line| !line.is_empty())
}

/// `stat=1 light=dim`
pub(super) fn configuration(table: &ManifestTable, axes: &[String]) -> String {
    if axes.is_empty() {
        return "the default configuration".to_owned();
    }
    let axes = table.sweep.iter().zip(axes);
    let words: Vec<String> = axes
        .map(|((name, _), value)| format!("{name}={value}"))
        .collect();
    words.join(" ")
}
