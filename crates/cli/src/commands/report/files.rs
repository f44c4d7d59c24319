//! The pictures of a report.

use std::path::Path;

use anyhow::{Context as _, Result};
use oddsmith::file_set::FileSet;
use oddsmith_report::{Picture, Theme, png, svg};

/// Adds a picture as SVG, and as PNG if asked.
pub(super) fn add_picture(
    files: &mut FileSet<'_>,
    picture: &Picture,
    with_png: bool,
) -> Result<()> {
    let which = || format!("can't draw the chart `{}`", picture.figure.title);
    let drawn = svg(&picture.figure, Theme::Light).with_context(which)?;
    if with_png {
        let pixels = png(&picture.figure, Theme::Light).with_context(which)?;
        files.add(Path::new(&picture.file).with_extension("png"), &pixels)?;
    }
    Ok(files.add(&picture.file, drawn.as_bytes())?)
}
