//! What a page holds.

use crate::figure::{Figure, Values};

/// A report: the checks of one game or of several, to be read, played with and printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// What it is called: `Odds of Stars & Signs`.
    pub title: String,
    /// The games, in the order of their chapters.
    pub games: Vec<Game>,
}

/// A chapter: the checks and tracks of one ruleset.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// What it is called on the command line, and in links: `stars-and-signs`. No two games of a page have the same.
    pub id: String,
    /// What its players call it: `Stars & Signs`.
    pub name: String,
    /// What it is in a sentence. May be empty.
    pub help: String,
    /// What its ruleset says that is hardly meant, a text with its place each. Shown above the odds; mostly empty.
    pub warnings: Vec<String>,
    /// Its checks and tracks, in the order of their sections.
    pub checks: Vec<CheckPage>,
    /// The figures that matter the most.
    pub sheet: Sheet,
}

/// A balance sheet: the figures of a game that matter the most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The figures, in the order in which they are read.
    pub entries: Vec<Entry>,
    /// The readings of open rules, those that change the most first.
    pub readings: Vec<Reading>,
    /// Readings that change nothing anywhere.
    pub idle: Vec<String>,
    /// What could not be answered, each with the reason.
    pub left_out: Vec<String>,
}

/// What another reading of an open rule changes, where it changes the most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The rule, and the reading in place of the default: `A Complication marks slot → never`.
    pub title: String,
    /// What the text of the game leaves open there: `A Complication marks: by how much is not said.`
    pub question: String,
    /// The check or the track where it changes the most, by its id in the page.
    pub check: String,
    /// What it changes there: `Hit or better`.
    pub of: String,
    /// The typical change, as it is read: `+22.03 points`.
    pub typical: String,
    /// The change that is the farthest from 0.
    pub most: String,
    /// In how many of all configurations it changes: `231 of 5,940`.
    pub share: String,
    /// The command that answers with the numbers.
    pub command: String,
}

/// An entry of a balance sheet: a number, and where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// What the number is.
    pub title: String,
    /// The number, as it is read: `47.25%`, `+6.33 points`.
    pub number: String,
    /// What else is to be known; code stands between backticks.
    pub note: String,
    /// The check or the track that it is about, by its id in the page.
    pub check: String,
    /// What differs from the check's defaults, by names and values.
    pub settings: Vec<(String, String)>,
    /// The picture of the check that shows more of it, by its place.
    pub picture: Option<usize>,
    /// The command that answers with the number.
    pub command: String,
}

/// A section: one check or track.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckPage {
    /// Its name, which is also used in links: `check`. No two checks of a game have the same.
    pub id: String,
    /// What people read in its place; empty if they read that.
    pub label: String,
    /// Whether it is a track, which repeats a check until it ends.
    pub is_track: bool,
    /// What it is in a sentence. May be empty.
    pub help: String,
    /// The command that answers one configuration, up to where its axes are set:
    /// `oddsmith odds stars-and-signs:check`. The page shows it with `--set` for each axis that is not at its default.
    pub command: String,
    /// Where the table of all configurations with exact weights lies, relative to the page.
    pub csv: String,
    /// Those configurations.
    pub explorer: Explorer,
    /// What is drawn of it.
    pub pictures: Vec<Picture>,
    /// The rules as the ruleset has them.
    pub rules: String,
}

impl CheckPage {
    /// What people read: the label, or the name where there is none.
    pub(super) fn title(&self) -> &str {
        match self.label.as_str() {
            "" => &self.id,
            label => label,
        }
    }
}

/// A picture in the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Where it lies as a file by itself, relative to the page: `stars-and-signs/what-a-boon-is-worth.svg`.
    pub file: String,
    /// What it shows.
    pub figure: Figure,
}

/// Every configuration of a sweep, exactly.
#[derive(Clone, Debug, PartialEq)]
pub struct Explorer {
    /// What is swept. Without any there is one configuration.
    pub axes: Vec<ExplorerAxis>,
    /// The other inputs that a reader should know of, and what they are set to, as people read both.
    pub fixed: Vec<(String, String)>,
    /// What is answered.
    pub columns: Vec<Column>,
    /// An answer for each column of each configuration, the last axis fastest; none where the rules forbid the
    /// configuration.
    pub answers: Vec<Option<Vec<ExactAnswer>>>,
}

/// An axis that can be moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplorerAxis {
    /// Its name: `circ_boons`.
    pub name: String,
    /// What people read in its place; empty if they read that.
    pub label: String,
    /// What people read in place of some of its numbers.
    pub value_labels: Vec<(i64, String)>,
    /// What it means. May be empty.
    pub help: String,
    /// Its swept values, in the sweep's order.
    pub values: Values,
    /// Which of them is the default; none if the sweep leaves it out.
    pub default: Option<usize>,
    /// The least and the greatest value that the rules allow, if its values are numbers.
    pub legal: Option<(i64, i64)>,
}

/// A question that every configuration answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The band, the flag, or the query: `Hit`, `P(total>=15)`.
    pub name: String,
    /// What people read in its place; empty if they read that.
    pub title: String,
    /// What its answers are.
    pub kind: ColumnKind,
    /// Whether the page tells it; saved tables have all columns.
    pub is_told: bool,
}

/// What the answers of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// The probability of a band. The bands of a check are worst first and sum to 1; those of a track that may never
    /// end to less.
    Band,
    /// The probability of a flag.
    Flag,
    /// Another probability.
    Probability,
    /// A probability under a condition, which has a total of its own in tables of exact weights.
    Conditional,
    /// A mean or a variance.
    Number,
}

/// An answer as `weight / total`, which need not be in lowest terms.
///
/// A total of 0 is no number: with a weight of 0 there is no answer, because what it asks for never happens; with
/// another weight it is a mean without end, since it may never come to an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactAnswer {
    /// A whole number of any size, in decimal digits.
    pub weight: String,
    /// A whole number of any size that is not negative, likewise.
    pub total: String,
}
