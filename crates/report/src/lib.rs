//! Odds as pictures and pages.
//!
//! This crate draws what it is given: a [`Figure`] holds odds that somebody else has computed, as decimals, with
//! the words that belong to them. It knows nothing of rulesets, and computes no odds.
//!
//! [`svg`] draws a figure, [`png`] makes pixels of that, and [`Figure::table`] has its numbers in words.

#[cfg(test)]
extern crate self as oddsmith_report;

mod draw;
mod figure;
mod number;
mod table;

pub use draw::{DrawError, Theme, palette, png, svg};
pub use figure::{Axis, Bands, Figure, Grid, Heatmap, Lines, Plot, Pmf, PmfBars, Unit, Values};
pub use table::Table;
