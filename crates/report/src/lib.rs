//! Odds as pictures and pages.
//!
//! This crate draws what it is given: a [`Figure`] holds odds that somebody else has computed, as exact fractions, with
//! the words that belong to them, and a [`Page`] puts figures and exact answers into one file that can be read, played
//! with, and printed. It knows nothing of rulesets, and computes no odds.
//!
//! [`svg`] draws a figure, [`png`] makes pixels of that, [`Figure::table`] has its numbers in words, and [`page()`] writes the
//! page. [`escape()`] makes any text safe in HTML and XML.

#[cfg(test)]
extern crate self as oddsmith_report;

mod draw;
mod escape;
mod figure;
mod page;
mod table;

pub use draw::{DrawError, Theme, palette, png, svg};
pub use escape::escape;
pub use figure::{Axis, Bands, Figure, Grid, Heatmap, Lines, Plot, Pmf, PmfBars, Unit, Values};
pub use oddsmith_numbers::RBig;
pub use page::{
    CheckPage, Column, ColumnKind, Entry, ExactAnswer, Explorer, ExplorerAxis, Game, Page, Picture,
    Reading, Sheet, page,
};
pub use table::TextTable;
