//! `chart` and `report`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use oddsmith_rules::ChartKind;

use super::anydice::ModeName;
use super::parts::Parting;
use super::shared::{Cost, Denying, Question, Running, Striving};
use crate::picture::Look;

/// A picture of the odds
///
/// Of dice, or of numbers of checks (RULESET:CHECK.VALUE): their odds, laid over one another. Of a ruleset: the values of an
/// axis stand along the lower edge. A second axis, `--by`, gives a line, a row of a heat map, or a panel for each of its
/// values; a third one, `--facet`, a panel for each. Axes without values take those that the ruleset sweeps. Without `-o`
/// the terminal shows the picture itself where it can, and bars of characters elsewhere.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith chart 3d6 '2d6+3' 1d20
  oddsmith chart 3d6 '2d6+3' 1d20 --mode at-least -o dice.svg
  oddsmith chart stars-and-signs:check.total 2d10+5 -o total.svg
  oddsmith chart stars-and-signs --x circ_boons -o boons.svg
  oddsmith chart stars-and-signs --x circ_boons --facet mood -o boons.png
  oddsmith chart stars-and-signs --x circ_boons --query Hit -o hit.svg
  oddsmith chart stars-and-signs --x circ_boons --by ability_boons -o map.png
  oddsmith chart stars-and-signs --kind dist --set circ_boons=2 -o total.svg
  oddsmith chart stars-and-signs:counter --x slots -o counter.svg
  oddsmith chart mine.toml:test --x skill=all --theme print -o skill.svg")]
pub(crate) struct ChartArgs {
    /// A ruleset by name or path, and which of its checks or tracks; without a name the first check. Or dice expressions
    /// and values of checks, RULESET[:CHECK].VALUE
    #[arg(value_name = "RULESET[:CHECK] | EXPR", required = true)]
    pub(crate) targets: Vec<String>,

    /// Which odds of each value of dice are drawn [default: exactly]
    #[arg(long, value_enum, conflicts_with_all = ["x", "by", "facet", "kind"])]
    pub(crate) mode: Option<ModeName>,

    /// What lies along the lower edge: an axis, with values or without; for `dist` a number that is shown, such as
    /// total
    #[arg(long, value_name = "AXIS[=VALUES]")]
    pub(crate) x: Option<String>,

    /// A second axis: a line, a row of a heat map, or a panel for each of its values
    #[arg(long, value_name = "AXIS[=VALUES]")]
    pub(crate) by: Option<String>,

    /// A third axis: a panel for each of its values
    #[arg(long, value_name = "AXIS[=VALUES]")]
    pub(crate) facet: Option<String>,

    /// How it is drawn [default: bands, if there are any and nothing is queried; else lines; dist without an axis]
    #[arg(long, value_enum)]
    pub(crate) kind: Option<Kind>,

    #[command(flatten)]
    pub(crate) asked: Question,

    #[command(flatten)]
    pub(crate) striving: Striving,

    /// What stands above it [default: what is drawn]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    #[command(flatten)]
    pub(crate) look: Look,

    /// Write to this file, whole or not at all; .svg or .png says as what. `-` is standard output, as SVG. Without
    /// it the terminal shows the picture, or characters
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// Tables, charts and a page of whole games
///
/// Of every check and track: the exact table of its default sweep, as CSV; the charts that its ruleset asks for; and
/// a page, index.html, that begins with a balance sheet of each game and has all of it, with an explorer of every
/// configuration in the tables. The page needs no network and no other file. Everything is written when all of it is complete; other files in the directory stay.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith report -o odds
  oddsmith report pbta -o odds
  oddsmith report mine.toml:test --png -o odds")]
pub(crate) struct ReportArgs {
    /// Rulesets by name or path, or single checks and tracks of them [default: all that come along]
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) targets: Vec<String>,

    /// The directory; it is made if there is none
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,

    /// Write every chart as PNG too
    #[arg(long)]
    pub(crate) png: bool,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) parting: Parting,

    #[command(flatten)]
    pub(crate) denying: Denying,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// See [`ChartKind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// The shares of the bands, stacked to 100 %
    Bands,
    /// Queries, a line for each value of `--by`
    Lines,
    /// A query over `--x` and `--by`
    Heatmap,
    /// The odds of every outcome, shaded by bands, and of at least as much
    Dist,
}

impl From<Kind> for ChartKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Bands => Self::Bands,
            Kind::Lines => Self::Lines,
            Kind::Heatmap => Self::Heatmap,
            Kind::Dist => Self::Dist,
        }
    }
}
