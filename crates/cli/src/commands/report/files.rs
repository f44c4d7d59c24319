//! The files of a report.

use std::path::Path;

use anyhow::{Context as _, Result};
use oddsmith_exact::{Budget, Row, Sweep};
use oddsmith_report::{Picture, Theme, png, svg};
use oddsmith_rules::{Check, Query};

use super::Source;
use super::chapter::table_file;
use crate::answers;

use crate::format::rows::{Layout, RowStyle};
use crate::staging::Staging;

/// Adds a picture as SVG, and as PNG if asked.
pub(super) fn add_picture(files: &mut Staging, picture: &Picture, with_png: bool) -> Result<()> {
    let which = || format!("can't draw the chart `{}`", picture.figure.title);
    let drawn = svg(&picture.figure, Theme::Light).with_context(which)?;
    if with_png {
        let pixels = png(&drawn).with_context(which)?;
        files.add(Path::new(&picture.file).with_extension("png"), &pixels)?;
    }
    files.add(&picture.file, drawn.as_bytes())
}

/// Adds the table of a check's default sweep, with exact weights.
pub(super) fn add_table(
    files: &mut Staging,
    source: &Source,
    check: &Check,
    budget: u64,
) -> Result<()> {
    let (config, ranges) = (check.defaults(), check.default_sweep());
    let columns = answers::of_report(check)?.into_iter();
    let queries: Vec<Query> = columns.map(|(_, query)| query).collect();
    let budget = Budget::new(budget);
    let sweep = Sweep::new(check, &config, &ranges, &queries, &budget)?;
    let layout = Layout::new(RowStyle::Csv, check, &ranges, &queries, true);
    files.add_pieces(table_file(source, check), |write| {
        write(&layout.head())?;
        let render = |row: &Row<'_>, bytes: &mut Vec<u8>| layout.render(row, bytes);
        sweep.run(render, |bytes: Vec<u8>, _| write(&bytes))
    })
}
