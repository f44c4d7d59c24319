//! A checked ruleset: its parameters and checks, and what it says of their odds.

use std::sync::Arc;

use crate::acceptance::Acceptance;
use crate::check::{Check, Input, InputRange, Query};
use crate::config::Config;
use crate::expectation::Expectation;
use crate::program::VarId;
use crate::settings::resource::ResourceRequest;
use crate::source::{Diagnostics, Source, Span};
use crate::tuning::Tuning;

/// A game's rules, checked: whatever is asked of it is well defined but for errors that depend on a
/// configuration.
#[derive(Clone, Debug)]
pub struct Model {
    /// The file it was read from.
    pub source: Arc<Source>,
    /// The game's name.
    pub name: String,
    /// One line about it.
    pub help: String,
    /// The parameters, in the file's order; every check's inputs begin with these.
    pub params: Vec<Input>,
    /// The checks, in the file's order.
    pub checks: Vec<Check>,
    /// The tracks, in the file's order. There is at least one check or track.
    pub tracks: Vec<Check>,
    /// The pictures that it asks for, in the file's order.
    pub charts: Vec<Chart>,
    /// What it says of its odds, in the file's order.
    pub expectations: Vec<Expectation>,
    /// Which findings about its odds are meant to be, in the file's order.
    pub acceptances: Vec<Acceptance>,
    /// What players spend on its checks, in the file's order.
    pub resources: Vec<Resource>,
    /// What may change, and what for; none if it does not say.
    pub tuning: Option<Tuning>,
    /// What is legal in it, but hardly meant, in the order of the places.
    pub warnings: Diagnostics,
}

impl Model {
    /// The check of that name.
    #[must_use]
    pub fn check(&self, name: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.name == name)
    }

    /// The track of that name.
    #[must_use]
    pub fn track(&self, name: &str) -> Option<&Check> {
        self.tracks.iter().find(|track| track.name == name)
    }
}

/// Points that players have, and spend on checks.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Its key in `[resources]`.
    pub name: String,
    /// One line about it.
    pub help: String,
    /// How it is spent. At least one check reads it without errors; it is spent on all of those.
    pub request: ResourceRequest,
    /// Where it is named.
    pub span: Span,
}

/// A picture of a check's odds.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The check or the track whose odds it shows.
    pub check: String,
    /// What it is called; empty if nothing is said.
    pub title: String,
    /// How it is drawn.
    pub kind: ChartKind,
    /// What lies along its lower edge.
    pub x: Along,
    /// A second axis: a line or a row of a heat map for each of its values; else a column of panels for each.
    pub by: Option<InputRange>,
    /// A third axis: a row of panels for each of its values; a column, if nothing else makes columns.
    pub facet: Option<InputRange>,
    /// What is drawn: at least one for lines and heat maps, none for the other kinds. All are probabilities, or
    /// none is. In a chart of lines without `by` they are the lines of one panel; else there is a column of panels
    /// for each.
    pub queries: Vec<Query>,
    /// The values of all other inputs.
    pub config: Config,
}

impl Chart {
    /// The inputs that vary, with their values: `facet`, `by`, `x`.
    pub fn ranges(&self) -> impl Iterator<Item = &InputRange> {
        let x = match &self.x {
            Along::Input(range) => Some(range),
            Along::Number { .. } => None,
        };
        self.facet.iter().chain(&self.by).chain(x)
    }
}

/// What lies along the lower edge of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Along {
    /// The values of an input.
    Input(InputRange),
    /// What a number can be that the check shows, or the number of a track's rounds; only in [`ChartKind::Dist`].
    Number {
        /// Its name.
        name: String,
        /// What holds it.
        var: VarId,
    },
}

/// The kinds of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// Shares of the bands, stacked, along an axis.
    Bands,
    /// Queries along an axis.
    Lines,
    /// A query over two axes.
    Heatmap,
    /// The probability of every outcome, shaded by bands.
    Dist,
}

impl ChartKind {
    /// Each kind with its name.
    pub const ALL: [(&'static str, Self); 4] = [
        ("bands", Self::Bands),
        ("lines", Self::Lines),
        ("heatmap", Self::Heatmap),
        ("dist", Self::Dist),
    ];
}
