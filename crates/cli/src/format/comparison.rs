//! Two sides compared, and that for programs: a row per configuration, or JSON.

use anyhow::Result;
use oddsmith::shortest;
use oddsmith_analysis::compare::{LineSummary, Order, Row, Summary};
use oddsmith_exact::{Answer, RBig};
use oddsmith_report::Values;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Domain};
use serde_json::{Map, Value, json};

use crate::format::columns::told_apart;
use crate::format::outcomes::{self, Kind};
use crate::number;

/// What both sides are called together.
pub(crate) const BOTH: &str = "both";
/// What the sides are called.
pub(crate) const SIDES: [&str; 2] = ["A", "B"];

/// `Stars & Signs · check: circ_boons=2; A: boon_cap=5; B: boon_cap=3`: a title with what is set.
pub(crate) fn headline(title: &str, settings: &[(&str, String)]) -> String {
    let words = settings.iter().map(|(side, words)| match *side {
        BOTH => format!(": {words}"),
        side => format!("; {side}: {words}"),
    });
    title.to_owned() + &words.collect::<String>()
}

/// What is set for each side, in lines.
pub(crate) fn in_lines(sides: &[(&str, String)]) -> String {
    let width = sides.iter().map(|(side, _)| side.len()).max().unwrap_or(0);
    let lines = sides
        .iter()
        .map(|(side, words)| format!("{side:<width$}  {words}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// What is shown of a comparison.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) title: String,
    /// What is set for `both`, `A` and `B`.
    pub(crate) settings: Vec<(&'static str, String)>,
    /// Ruleset, check and configuration of each side.
    pub(crate) names: [Map<String, Value>; 2],
    pub(crate) axes: Vec<Axis>,
    pub(crate) heads: Vec<Head>,
    pub(crate) compared: Compared,
    pub(crate) rows: Vec<Row>,
    pub(crate) summary: Summary,
}

/// A swept axis.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) name: String,
    pub(crate) is_label: bool,
    pub(crate) values: Vec<String>,
}

impl Axis {
    /// An input with these values.
    pub(crate) fn of(check: &Check, input: InputId, values: &[i64]) -> Self {
        let input = &check.inputs[input.0];
        Self {
            name: input.name.clone(),
            is_label: matches!(input.domain, Domain::Choice(_)),
            values: values
                .iter()
                .map(|value| input.domain.show(*value))
                .collect(),
        }
    }

    /// As an axis of a picture.
    pub(crate) fn drawn(&self) -> oddsmith_report::Axis {
        let numbers = self.values.iter().map(|text| text.parse().ok());
        let numbers: Option<Vec<i64>> = numbers.collect();
        oddsmith_report::Axis {
            name: self.name.clone(),
            values: match numbers.filter(|_| !self.is_label) {
                Some(numbers) => Values::Numbers(numbers),
                None => Values::Labels(self.values.clone()),
            },
        }
    }

    /// A value as JSON has it.
    pub(crate) fn json(&self, place: usize) -> Value {
        let text = &self.values[place];
        match text.parse::<i64>() {
            Ok(number) if !self.is_label => Value::from(number),
            _ => Value::from(text.as_str()),
        }
    }
}

/// What a line is about.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) kind: Kind,
    pub(crate) name: String,
}

/// What is compared as a whole.
#[derive(Clone, Debug)]
pub(crate) enum Compared {
    Nothing,
    /// Bands, worst first: the first lines.
    Bands(Vec<String>),
    /// A number of that name.
    Number(String),
}

impl Comparison {
    /// `circ_boons=2 state=ok` of a row.
    pub(crate) fn place(&self, row: &Row) -> String {
        let axes = self.axes.iter().zip(&row.places);
        let words: Vec<String> = axes
            .map(|(axis, place)| format!("{}={}", axis.name, axis.values[*place]))
            .collect();
        words.join(" ")
    }

    /// For each band the chance of it or a better one on each side; nothing unless the bands are compared as a whole.
    pub(crate) fn reached(&self, row: &Row) -> Vec<[RBig; 2]> {
        let (Compared::Bands(bands), Some(_)) = (&self.compared, &row.difference) else {
            return Vec::new();
        };
        let mut sums = [RBig::ZERO, RBig::ZERO];
        let mut reached = Vec::new();
        for line in (0..bands.len()).rev() {
            for (sum, answers) in sums.iter_mut().zip(&row.answers) {
                let odds = answers[line].as_ref().and_then(Answer::to_ratio);
                *sum += odds.unwrap_or(RBig::ZERO);
            }
            reached.push(sums.clone());
        }
        reached.reverse();
        reached
    }

    fn is_compared(&self) -> bool {
        !matches!(self.compared, Compared::Nothing)
    }
}

/// The name of an order for programs.
fn order(order: Order) -> &'static str {
    match order {
        Order::Equal => "equal",
        Order::First => "a",
        Order::Second => "b",
        Order::Neither => "neither",
    }
}

pub(crate) fn decimal(ratio: &RBig) -> String {
    shortest(number::decimal(ratio))
}

/// The swept axes; `NAME:a,NAME:b,NAME:difference` for each line; then `variation,distance,order`. Nothing stands
/// where a side has no answer.
pub(crate) fn csv(comparison: &Comparison) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let whole = match comparison.is_compared() {
        true => &["variation", "distance", "order"][..],
        false => &[],
    };
    let axes = told_apart(whole, comparison.axes.iter().map(|axis| axis.name.clone()));
    let lines = names_of_lines(comparison).into_iter();
    let lines = lines.flat_map(|name| ["a", "b", "difference"].map(|of| format!("{name}:{of}")));
    let whole = whole.iter().map(|name| (*name).to_owned());
    writer.write_record(axes.into_iter().chain(lines).chain(whole))?;
    for row in &comparison.rows {
        csv_row(comparison, row, &mut writer)?;
    }
    Ok(writer.into_inner()?)
}

/// What is a band of one side may be a flag of the other.
fn names_of_lines(comparison: &Comparison) -> Vec<String> {
    told_apart(&[], comparison.heads.iter().map(|head| head.name.clone()))
}

fn csv_row(comparison: &Comparison, row: &Row, writer: &mut csv::Writer<Vec<u8>>) -> Result<()> {
    for (axis, place) in comparison.axes.iter().zip(&row.places) {
        writer.write_field(&axis.values[*place])?;
    }
    for line in 0..comparison.heads.len() {
        for answers in &row.answers {
            let mut cell = Vec::new();
            if let Some(decimal) = answers[line].as_ref().and_then(outcomes::decimal) {
                number::push_decimal(decimal, &mut cell);
            }
            writer.write_field(cell)?;
        }
        let difference = row.line_difference(line);
        writer.write_field(difference.as_ref().map(decimal).unwrap_or_default())?;
    }
    match &row.difference {
        Some(difference) => {
            writer.write_field(decimal(&difference.variation))?;
            writer.write_field(decimal(&difference.distance))?;
            writer.write_field(order(difference.order))?;
        }
        None if comparison.is_compared() => (0..3).try_for_each(|_| writer.write_field(""))?,
        None => {}
    }
    Ok(writer.write_record(None::<&[u8]>)?)
}

/// Both sides, every row with exact fractions, and the summary.
pub(crate) fn json(comparison: &Comparison) -> Value {
    let axes = comparison.axes.iter();
    let sweep: Map<String, Value> = axes
        .map(|axis| {
            let values = (0..axis.values.len()).map(|place| axis.json(place));
            (axis.name.clone(), values.collect())
        })
        .collect();
    json!({
        "a": comparison.names[0],
        "b": comparison.names[1],
        "sweep": sweep,
        "compared": match &comparison.compared {
            Compared::Nothing => Value::Null,
            Compared::Bands(bands) => json!(bands),
            Compared::Number(name) => json!(name),
        },
        "rows": comparison.rows.iter().map(|row| json_row(comparison, row)).collect::<Value>(),
        "summary": json_summary(comparison),
    })
}

fn json_row(comparison: &Comparison, row: &Row) -> Value {
    let configuration = json_place(comparison, row);
    let outcome = |(line, head): (usize, &Head)| {
        let [a, b] = [0, 1].map(|side| row.answers[side][line].as_ref().map(json_answer));
        json!({
            "outcome": head.name,
            "kind": head.kind.name(),
            "a": a,
            "b": b,
            "difference": row.line_difference(line).as_ref().map(json_ratio),
        })
    };
    let whole = row.difference.as_ref();
    json!({
        "configuration": configuration,
        "outcomes": comparison.heads.iter().enumerate().map(outcome).collect::<Value>(),
        "variation": whole.map(|whole| json_ratio(&whole.variation)),
        "distance": whole.map(|whole| json_ratio(&whole.distance)),
        "order": whole.map(|whole| order(whole.order)),
    })
}

fn json_place(comparison: &Comparison, row: &Row) -> Map<String, Value> {
    let axes = comparison.axes.iter().zip(&row.places);
    axes.map(|(axis, place)| (axis.name.clone(), axis.json(*place)))
        .collect()
}

/// As in the answers of other commands; JSON has no infinity, so it is text.
fn json_answer(answer: &Answer) -> Value {
    let decimal = if answer.is_infinite() {
        json!(outcomes::infinite(answer))
    } else {
        json!(outcomes::decimal(answer))
    };
    json!({
        "weight": answer.weight.to_string(),
        "total": answer.total.to_string(),
        "probability": decimal,
    })
}

pub(crate) fn json_ratio(ratio: &RBig) -> Value {
    json!({ "fraction": ratio.to_string(), "decimal": number::decimal(ratio) })
}

fn json_summary(comparison: &Comparison) -> Value {
    let summary = &comparison.summary;
    let line = |line: &LineSummary| {
        let largest = line.largest.as_ref();
        json!({
            "largest": largest.map(|(_, number)| json_ratio(number)),
            "at": largest.map(|(row, _)| json_place(comparison, &comparison.rows[*row])),
            "mean": line.mean.as_ref().map(json_ratio),
        })
    };
    let orders = Order::ALL.into_iter().zip(summary.orders);
    let orders: Map<String, Value> = orders
        .map(|(of, count)| (order(of).to_owned(), Value::from(count)))
        .collect();
    let names = names_of_lines(comparison).into_iter();
    let lines: Map<String, Value> = { names.zip(&summary.lines) }
        .map(|(name, summary)| (name, line(summary)))
        .collect();
    json!({
        "configurations": summary.rows,
        "orders": orders,
        "only_a": summary.only[0],
        "only_b": summary.only[1],
        "variation": line(&summary.variation),
        "distance": line(&summary.distance),
        "differences": lines,
    })
}
