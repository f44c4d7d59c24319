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
#[cfg(test)]
mod tests;

pub use contents::{
    CheckPage, Column, ColumnKind, ExactAnswer, Explorer, ExplorerAxis, Game, Page, Picture,
};

use crate::DrawError;
use html::{escape, fill};

const PAGE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");

/// The parts of the script, in the order in which they are put together.
const SCRIPTS: [&str; 10] = [
    include_str!("assets/numbers.js"),
    include_str!("assets/data.js"),
    include_str!("assets/csv.js"),
    include_str!("assets/link.js"),
    include_str!("assets/elements.js"),
    include_str!("assets/controls.js"),
    include_str!("assets/answers.js"),
    include_str!("assets/along.js"),
    include_str!("assets/explorer.js"),
    include_str!("assets/page.js"),
];

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
            ("style", &(STYLE.to_owned() + &pictures::colours(page))),
            ("summary", &sections::summary(page)),
            ("contents", &sections::contents(page)),
            ("chapters", &chapters),
            ("script", &script()),
            ("version", env!("CARGO_PKG_VERSION")),
        ],
    ))
}

/// The parts within one function, so that they share no names with anything else.
fn script() -> String {
    format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPTS.concat())
}
