//! Comparisons as they are written for programs.

use oddsmith_analysis::compare::{LineSummary, Order, PairRow};
use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::{Configuration, Fraction, Named, Setting, Weighted};
use crate::comparison::{self, ComparisonAnswer, SweptAxis};

/// The answer of `oddsmith compare`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparisonOdds {
    /// Side A.
    pub a: ComparedSide,
    /// Side B.
    pub b: ComparedSide,
    /// The swept axes, each with its values.
    pub sweep: Named<Vec<Setting>>,
    /// The outcomes that are compared as a whole; nothing if there are none that both sides have.
    pub compared: Option<Compared>,
    /// A row for each configuration.
    pub rows: Vec<ComparedRow>,
    /// All rows in a few numbers.
    pub summary: ComparisonSummary,
}

/// One side.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedSide {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The check or track.
    pub check: String,
    /// The configuration.
    pub configuration: Configuration,
}

/// The outcomes that are compared as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Compared {
    /// Bands, worst first.
    Bands(Vec<String>),
    /// A number of that name.
    Number(String),
}

/// Both sides in one configuration.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedRow {
    /// The values of the swept axes.
    pub configuration: Named<Setting>,
    /// The lines.
    pub outcomes: Vec<ComparedLine>,
    /// The total variation: the share of rolls that end in another outcome.
    pub variation: Option<Fraction>,
    /// Wasserstein's distance: how many outcomes rolls move on average.
    pub distance: Option<Fraction>,
    /// The better side: `a`, `b`, `neither`, or `equal`.
    pub order: Option<&'static str>,
}

/// The answers of both sides to one question.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparedLine {
    /// The band, the flag, or the query as it was asked.
    pub outcome: String,
    /// `band`, `flag`, `probability`, `mean` or `variance`.
    pub kind: &'static str,
    /// The answer of side A, if it has one.
    pub a: Option<Weighted>,
    /// The answer of side B, if it has one.
    pub b: Option<Weighted>,
    /// B's answer less A's, if both are finite.
    pub difference: Option<Fraction>,
}

/// All rows of a comparison in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ComparisonSummary {
    /// The number of rows.
    pub configurations: usize,
    /// The numbers of rows in which the sides stand so.
    pub orders: Orders,
    /// The number of configurations that the rules of A alone allow.
    pub only_a: usize,
    /// The number of configurations that the rules of B alone allow.
    pub only_b: usize,
    /// The total variation.
    pub variation: Largest,
    /// Wasserstein's distance.
    pub distance: Largest,
    /// B's answer less A's, for each line.
    pub differences: Named<Largest>,
}

/// The numbers of rows in which two sides stand in each order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Orders {
    /// Both have the same odds.
    pub equal: usize,
    /// A is better.
    pub a: usize,
    /// B is better.
    pub b: usize,
    /// Each reaches some outcome more often.
    pub neither: usize,
}

/// One number over many configurations.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Largest {
    /// The one that is farthest from 0.
    pub largest: Option<Fraction>,
    /// The values of the swept axes there.
    pub at: Option<Named<Setting>>,
    /// The mean over all rows that have the number.
    pub mean: Option<Fraction>,
}

impl SweptAxis {
    /// The value at a place, as it is written for programs.
    pub fn setting(&self, place: usize) -> Setting {
        let text = &self.values[place];
        match text.parse() {
            Ok(number) if !self.is_label => Setting::Number(number),
            _ => Setting::Label(text.clone()),
        }
    }
}

impl ComparisonOdds {
    /// The answer of a comparison.
    pub fn of(answer: &ComparisonAnswer) -> Self {
        let side = |side: usize| ComparedSide {
            ruleset: answer.rulesets[side].clone(),
            check: answer.checks[side].name.clone(),
            configuration: Configuration::of(&answer.checks[side], &answer.configs[side]),
        };
        let sweep = answer.axes.iter().map(|axis| {
            let values = (0..axis.values.len()).map(|place| axis.setting(place));
            (axis.name.clone(), values.collect())
        });
        Self {
            a: side(0),
            b: side(1),
            sweep: Named(sweep.collect()),
            compared: match &answer.compared {
                comparison::Compared::Nothing => None,
                comparison::Compared::Bands(bands) => Some(Compared::Bands(bands.clone())),
                comparison::Compared::Number(name) => Some(Compared::Number(name.clone())),
            },
            rows: answer.rows.iter().map(|own| row(answer, own)).collect(),
            summary: summary(answer),
        }
    }
}

fn row(answer: &ComparisonAnswer, row: &PairRow) -> ComparedRow {
    let line = |(line, head): (usize, &comparison::Head)| {
        let [a, b] = [0, 1].map(|side| row.answers[side][line].as_ref().map(Weighted::from));
        ComparedLine {
            outcome: head.name.clone(),
            kind: head.kind.name(),
            a,
            b,
            difference: row.line_difference(line).as_ref().map(Fraction::from),
        }
    };
    let whole = row.difference.as_ref();
    ComparedRow {
        configuration: place(answer, row),
        outcomes: answer.heads.iter().enumerate().map(line).collect(),
        variation: whole.map(|whole| Fraction::from(&whole.variation)),
        distance: whole.map(|whole| Fraction::from(&whole.distance)),
        order: whole.map(|whole| order(whole.order)),
    }
}

/// The name of an order in data: `equal`, `a`, `b` or `neither`.
pub fn order(order: Order) -> &'static str {
    match order {
        Order::Equal => "equal",
        Order::First => "a",
        Order::Second => "b",
        Order::Neither => "neither",
    }
}

fn place(answer: &ComparisonAnswer, row: &PairRow) -> Named<Setting> {
    let axes = answer.axes.iter().zip(&row.places);
    let setting = |(axis, place): (&SweptAxis, &usize)| (axis.name.clone(), axis.setting(*place));
    Named(axes.map(setting).collect())
}

fn summary(answer: &ComparisonAnswer) -> ComparisonSummary {
    let summary = &answer.summary;
    let largest = |line: &LineSummary| {
        let largest = line.largest.as_ref();
        Largest {
            largest: largest.map(|(_, number)| Fraction::from(number)),
            at: largest.map(|(row, _)| place(answer, &answer.rows[*row])),
            mean: line.mean.as_ref().map(Fraction::from),
        }
    };
    // As in `Order::ALL`.
    let [equal, a, b, neither] = summary.orders;
    let lines = answer.line_names().into_iter().zip(&summary.lines);
    ComparisonSummary {
        configurations: summary.rows,
        orders: Orders {
            equal,
            a,
            b,
            neither,
        },
        only_a: summary.only[0],
        only_b: summary.only[1],
        variation: largest(&summary.variation),
        distance: largest(&summary.distance),
        differences: Named(lines.map(|(name, line)| (name, largest(line))).collect()),
    }
}
