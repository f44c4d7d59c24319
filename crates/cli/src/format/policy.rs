//! The best policy, and how others compare with it: for programs.

use anyhow::Result;
use oddsmith::told_apart;
use oddsmith_exact::{Decision, DecisionRow, RBig, Seen};
use oddsmith_rules::Known;
use serde_json::{Map, Value, json};

use crate::format::comparison::decimal;
use crate::format::outcomes::Shown as _;
use crate::format::outcomes::{self, Line};
use crate::format::words::{self, Form};

/// What is shown of a policy.
#[derive(Debug)]
pub(crate) struct Policy {
    pub(crate) title: String,
    pub(crate) check: String,
    /// What all ways to choose have in common, in words.
    pub(crate) settings: String,
    /// Where the best choices are made.
    pub(crate) configuration: Value,
    /// What is maximised, as written, and whether it is an event.
    pub(crate) goal: String,
    pub(crate) is_chance: bool,
    pub(crate) comparison: Comparison,
    pub(crate) decisions: Vec<Decision>,
}

/// Ways to choose, side by side.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) axis: String,
    pub(crate) rows: Vec<Row>,
}

/// One way to choose.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// What is maximised comes first.
    pub(crate) lines: Vec<Line>,
    /// Whether this one makes the best choices.
    pub(crate) is_optimal: bool,
}

impl Row {
    fn worth(&self) -> RBig {
        self.lines[0].ratio().unwrap_or(RBig::ZERO)
    }
}

impl Comparison {
    fn best(&self) -> RBig {
        let worth = self.rows.iter().map(Row::worth).max();
        worth.unwrap_or(RBig::ZERO)
    }

    /// The names of the columns, and for each row its cells.
    pub(crate) fn table(&self, is_chance: bool, form: Form) -> (Vec<&str>, Vec<Vec<String>>) {
        let best = self.best();
        let lines = self.rows.first().map_or(&[][..], |row| &row.lines[1..]);
        let mut head = vec![self.axis.as_str(), "worth"];
        if self.rows.len() > 1 {
            head.push("behind");
        }
        head.extend(lines.iter().map(|line| line.name.as_str()));
        let cells = |row: &Row| {
            let worth = row.worth();
            let mut cells = vec![row.name.clone(), row.lines[0].shown(form)];
            if self.rows.len() > 1 {
                cells.push(if worth == best {
                    "best".to_owned()
                } else {
                    number_or_chance(&(&best - worth), is_chance, form.of_differences())
                });
            }
            cells.extend(row.lines[1..].iter().map(|line| line.shown(form)));
            cells
        };
        (head, self.rows.iter().map(cells).collect())
    }
}

/// What is maximised, or a difference of it: a mean, or the chance of an event.
pub(crate) fn number_or_chance(ratio: &RBig, is_chance: bool, form: Form) -> String {
    if is_chance {
        form.show_ratio(ratio)
    } else {
        words::value(ratio)
    }
}

/// A number, a label, or dice as `6 5 5 2 1`.
pub(crate) fn known(value: &Known, seen: &Seen) -> String {
    match (value, &seen.labels) {
        (Known::Number(place), Some(choice)) => choice.label(*place).to_owned(),
        (value, _) => plain(value),
    }
}

pub(crate) fn plain(value: &Known) -> String {
    match value {
        Known::Number(number) => number.to_string(),
        Known::Roll(dice) if dice.is_empty() => "none".to_owned(),
        Known::Roll(dice) => {
            let dice: Vec<String> = dice.iter().map(i64::to_string).collect();
            dice.join(" ")
        }
    }
}

/// `1`; `2.1` in the first round of an inner loop.
pub(crate) fn round(decision: &Decision) -> String {
    let rounds: Vec<String> = decision
        .rounds
        .iter()
        .map(|at| (at + 1).to_string())
        .collect();
    rounds.join(".")
}

/// What any choice depends on, each name once.
pub(crate) fn seen_names<'d>(decisions: impl IntoIterator<Item = &'d Decision>) -> Vec<&'d str> {
    let mut names: Vec<&str> = Vec::new();
    for seen in decisions.into_iter().flat_map(|decision| &decision.seen) {
        if !names.contains(&seen.name.as_str()) {
            names.push(&seen.name);
        }
    }
    names
}

/// Choice and round, the values of what is seen by these names, what is chosen, how often that comes up, its worth and
/// its lead.
pub(crate) fn record(
    decision: &Decision,
    row: &DecisionRow,
    names: &[&str],
    number: fn(&RBig) -> String,
) -> Vec<String> {
    let mut record = vec![decision.name.clone(), round(decision)];
    record.extend(names.iter().map(|name| {
        let mut seen = decision.seen.iter().zip(&row.seen);
        let value = seen.find(|(seen, _)| seen.name == *name);
        value.map_or(String::new(), |(seen, value)| known(value, seen))
    }));
    let lead = row.lead.as_ref().map(number).unwrap_or_default();
    let numbers = [number(&row.probability), number(&row.worth), lead];
    record.push(plain(&row.chosen));
    record.extend(numbers);
    record
}

impl Policy {
    /// `choice,round`, what is seen, `chosen,probability,worth,lead`: a row for every state.
    pub(crate) fn csv(&self) -> Result<Vec<u8>> {
        let names = seen_names(&self.decisions);
        let mut writer = csv::Writer::from_writer(Vec::new());
        let (first, last) = (
            ["choice", "round"],
            ["chosen", "probability", "worth", "lead"],
        );
        let seen = names.iter().map(|name| (*name).to_owned());
        let seen = told_apart(&[&first[..], &last].concat(), seen);
        let seen = seen.iter().map(String::as_str);
        writer.write_record(first.into_iter().chain(seen).chain(last))?;
        for decision in &self.decisions {
            for row in &decision.rows {
                writer.write_record(record(decision, row, &names, decimal))?;
            }
        }
        Ok(writer.into_inner()?)
    }

    /// All of it; fractions as text.
    pub(crate) fn json(&self, ruleset: &str) -> Value {
        let rows = self.comparison.rows.iter().map(|row| {
            json!({
                "value": row.name,
                "is_optimal": row.is_optimal,
                "outcomes": outcomes::json(&row.lines),
            })
        });
        json!({
            "ruleset": ruleset,
            "check": self.check,
            "configuration": self.configuration,
            "maximise": self.goal,
            "by": self.comparison.axis,
            "rows": rows.collect::<Vec<_>>(),
            "choices": self.decisions.iter().map(choice_json).collect::<Vec<_>>(),
        })
    }
}

pub(crate) fn choice_json(decision: &Decision) -> Value {
    let row = |row: &DecisionRow| {
        let seen = row.seen.iter().zip(&decision.seen);
        let seen: Map<String, Value> = seen
            .map(|(value, seen)| (seen.name.clone(), known_json(value, seen)))
            .collect();
        json!({
            "seen": seen,
            "chosen": value_json(&row.chosen),
            "probability": row.probability.to_string(),
            "worth": row.worth.to_string(),
            "lead": row.lead.as_ref().map(ToString::to_string),
        })
    };
    json!({
        "choice": decision.name,
        "rounds": decision.rounds.iter().map(|at| at + 1).collect::<Vec<_>>(),
        "rows": decision.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn known_json(value: &Known, seen: &Seen) -> Value {
    match seen.labels {
        Some(_) => Value::from(known(value, seen)),
        None => value_json(value),
    }
}

fn value_json(value: &Known) -> Value {
    match value {
        Known::Number(number) => Value::from(*number),
        Known::Roll(dice) => Value::from(dice.as_slice()),
    }
}
