//! The best policy, and how others compare with it: for programs.

use anyhow::Result;
use oddsmith::policy::PolicyRow;
use oddsmith::{PolicyAnswer, told_apart};
use oddsmith_exact::{Decision, DecisionRow, RBig, Seen};
use oddsmith_rules::Known;
use oddsmith_rules::program::Party;

use crate::format::comparison::decimal;
use crate::format::outcomes::Shown as _;
use crate::format::words::{self, Form};

/// The names of the columns of the ways to choose, and for each way its cells.
pub(crate) fn table(policy: &PolicyAnswer, form: Form) -> (Vec<&str>, Vec<Vec<String>>) {
    let worth = |row: &PolicyRow| row.lines[0].ratio().unwrap_or(RBig::ZERO);
    let best = policy.rows.iter().map(worth).max().unwrap_or(RBig::ZERO);
    let lines = policy.rows.first().map_or(&[][..], |row| &row.lines[1..]);
    let has_others = policy.rows.len() > 1;
    let mut head = vec![policy.by.as_str(), "worth"];
    if has_others {
        head.push("behind");
    }
    head.extend(lines.iter().map(|line| line.name.as_str()));
    let cells = |row: &PolicyRow| {
        let worth = worth(row);
        let mut cells = vec![row.name.clone(), row.lines[0].shown(form)];
        if has_others {
            cells.push(if worth == best {
                "best".to_owned()
            } else {
                number_or_chance(&(&best - worth), policy.is_chance, form.of_differences())
            });
        }
        cells.extend(row.lines[1..].iter().map(|line| line.shown(form)));
        cells
    };
    (head, policy.rows.iter().map(cells).collect())
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
    let mut record = vec![decision.numbered(&decision.name), round(decision)];
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

/// `choice,round`, what is seen, `chosen,probability,worth,lead,party`: a row for every state. The party is whose choice it is,
/// `player` or `opponent`.
pub(crate) fn csv(decisions: &[Decision]) -> Result<Vec<u8>> {
    let names = seen_names(decisions);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let (first, last) = (
        ["choice", "round"],
        ["chosen", "probability", "worth", "lead", "party"],
    );
    let seen = names.iter().map(|name| (*name).to_owned());
    let seen = told_apart(&[&first[..], &last].concat(), seen);
    let seen = seen.iter().map(String::as_str);
    writer.write_record(first.into_iter().chain(seen).chain(last))?;
    for decision in decisions {
        let party = match decision.party {
            Party::Player => "player",
            Party::Opponent => "opponent",
        };
        for row in &decision.rows {
            let mut record = record(decision, row, &names, decimal);
            record.push(party.to_owned());
            writer.write_record(record)?;
        }
    }
    Ok(writer.into_inner()?)
}
