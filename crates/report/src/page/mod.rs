//! A report as one HTML file that needs nothing else.
//!
//! The page holds every configuration of each check as exact integers, so that its explorer shows the same
//! percentages and fractions as the command line, and its tables can be saved without the files beside it. It loads
//! nothing: style and script are in it, and its content security policy allows nothing else.

mod contents;
mod data;
mod html;
mod pack;
mod pictures;
mod sections;
mod sheet;
#[cfg(test)]
mod tests;

pub use contents::{
    CheckPage, Column, ColumnKind, Entry, ExactAnswer, Explorer, ExplorerAxis, Game, Page, Picture,
    Reading, Sheet,
};

use crate::DrawError;
use html::{escape, fill};

const PAGE: &str = include_str!("assets/page.html");
/// Style and script, as `scripts/build-page` bundles them from `page/`.
const STYLE: &str = include_str!("../../assets/page.css");
const SCRIPT: &str = include_str!("../../assets/page.js");

/// The HTML of a report. The same contents give the same bytes.
///
/// # Errors
///
/// If a picture can't be drawn.
///
/// # Panics
///
/// If an explorer has not one answer for each column of each configuration.
pub fn page(page: &Page) -> Result<String, DrawError> {
    let chapters = page.games.iter().map(sections::chapter);
    let chapters = chapters.collect::<Result<String, DrawError>>()?;
    Ok(fill(
        PAGE,
        &[
            ("title", &escape(&page.title)),
            ("style", STYLE),
            ("summary", &sections::summary(page)),
            (
                "contents",
                &(sheet::contents(page) + &sections::contents(page)),
            ),
            ("sheets", &sheet::sheets(page)),
            ("chapters", &chapters),
            ("script", SCRIPT),
            ("version", env!("CARGO_PKG_VERSION")),
        ],
    ))
}
