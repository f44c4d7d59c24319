//! What steps are worth: the strongest ones, and the one that hurts the most.

use oddsmith_analysis::levers::is_read;
use oddsmith_exact::RBig;
use oddsmith_numbers::difference::signed;
use oddsmith_numbers::{Form, grouped};
use oddsmith_report::Entry;
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Role};

use super::SheetOf;
use crate::valuation::{Shift, Valuation, ValuedLever};
use crate::{Error, ValueRequest};

/// Steps up at the most.
const MOST: usize = 3;

impl SheetOf<'_> {
    /// The steps of axes that are worth the most, typically over the default sweep; then the one that costs the most.
    pub(super) fn steps(&self, check: &Check) -> Result<Vec<Entry>, Error> {
        let levers = levers(check);
        if levers.is_empty() {
            return Ok(Vec::new());
        }
        let request = ValueRequest {
            check: Some(check.name.clone()),
            levers,
            ..ValueRequest::default()
        };
        let valuation = self.reported.game.value(&request, &self.limits)?;
        let goods = goods(&valuation);
        let alike = goods.chunk_by(|a, b| a.0 == b.0);
        let mut entries: Vec<Entry> = alike
            .take(MOST)
            .map(|alike| {
                let others: Vec<&str> = alike[1..].iter().map(|(_, shift)| title(shift)).collect();
                self.step(check, &valuation, &alike[0].1, &others)
            })
            .collect();
        if let Some(worst) = worst(&valuation) {
            let mut entry = self.step(check, &valuation, &worst, &[]);
            let what = match worst.step {
                None => format!("a step of {}", worst.told()),
                Some(_) => worst.told(),
            };
            entry.title = format!("Hurts the most: {what}");
            entries.push(entry);
        }
        Ok(entries)
    }

    fn step(
        &self,
        check: &Check,
        valuation: &Valuation,
        shift: &Shift<'_>,
        others: &[&str],
    ) -> Entry {
        let is_points = valuation.columns[valuation.yardstick].kind.is_probability();
        let change = change(valuation, shift).cloned().unwrap_or(RBig::ZERO);
        let unit = if is_points { " points" } else { "" };
        let mut notes = vec![format!("of {}", valuation.told_column(valuation.yardstick))];
        if let Some(flat) = flat(valuation, shift) {
            let number = valuation.number.as_ref();
            let number = number.map_or("", |number| check.title_of(&number.name));
            notes.push(format!(
                "as a modifier of {} on {number}",
                signed(flat, false, Form::USUAL)
            ));
        }
        notes.push(where_it_changes(valuation, shift));
        if !others.is_empty() {
            notes.push(format!("as much as a step of {}", others.join(", ")));
        }
        let title = match shift.step {
            None => format!("A step of {}", title(shift)),
            Some(_) => shift.told(),
        };
        Entry {
            title,
            number: signed(&change, is_points, Form::USUAL) + unit,
            note: notes.join("; "),
            command: format!("oddsmith balance value {}", self.target(check)),
            ..self.entry(check, Some(shift.moved.lever.input))
        }
    }
}

/// Over what a typical change is the median: the steps that change anything.
fn where_it_changes(valuation: &Valuation, shift: &Shift<'_>) -> String {
    let spread = shift.summary.changes[valuation.yardstick].as_ref();
    let (all, changing) = (shift.summary.count, spread.map_or(0, |spread| spread.count));
    match valuation.configurations {
        1 => "by default".to_owned(),
        _ if changing == all => format!("typically, over {} steps", grouped(all)),
        _ => format!(
            "typically, in the {} of {} steps that change it",
            grouped(changing),
            grouped(all)
        ),
    }
}

/// The axes that can be moved and that the check looks at.
fn levers(check: &Check) -> Vec<String> {
    let swept = check.default_sweep();
    let moves = |(at, input): &(usize, &oddsmith_rules::Input)| {
        let id = InputId(*at);
        let (low, high) = input.domain.bounds();
        let values = swept.iter().find(|range| range.input == id);
        let can_move = values.map_or(low < high, |range| range.values.len() > 1);
        input.role == Role::Axis && can_move && is_read(check, id)
    };
    let inputs = check.inputs.iter().enumerate().filter(moves);
    inputs.map(|(_, input)| input.name.clone()).collect()
}

/// What the axis is called.
fn title<'v>(shift: &Shift<'v>) -> &'v str {
    &shift.moved.values.title
}

/// The typical change of what steps are compared by; none if it goes both ways.
fn change<'v>(valuation: &Valuation, shift: &Shift<'v>) -> Option<&'v RBig> {
    let spread = shift.summary.changes.get(valuation.yardstick)?.as_ref()?;
    (spread.count > 0 && !spread.goes_both_ways()).then_some(&spread.typical)
}

/// The flat modifier that does the same.
fn flat<'v>(valuation: &Valuation, shift: &Shift<'v>) -> Option<&'v RBig> {
    let spread = shift.summary.flats.get(valuation.yardstick)?.as_ref()?;
    (valuation.has_flat_yardstick() && !spread.goes_both_ways()).then_some(&spread.typical)
}

/// The steps of axes that raise what is compared, each with its worth and its change; the one that is worth the most first.
fn goods(valuation: &Valuation) -> Vec<([RBig; 2], Shift<'_>)> {
    let goods = shifts(valuation).filter_map(|shift| {
        let change = change(valuation, &shift).filter(|change| **change > RBig::ZERO)?;
        let worth = flat(valuation, &shift).cloned().unwrap_or(RBig::ZERO);
        Some(([worth, change.clone()], shift))
    });
    let mut goods: Vec<_> = goods.collect();
    goods.sort_by(|a, b| b.0.cmp(&a.0));
    goods
}

/// The step of an axis that makes success the least likely, if it is bands that are compared.
fn worst(valuation: &Valuation) -> Option<Shift<'_>> {
    if valuation.yardstick >= valuation.reached() {
        return None;
    }
    let bad =
        shifts(valuation).filter_map(|shift| Some((change(valuation, &shift)?.clone(), shift)));
    let worst = bad.min_by(|a, b| a.0.cmp(&b.0));
    worst
        .filter(|(change, _)| *change < RBig::ZERO)
        .map(|(_, shift)| shift)
}

/// The steps of axes.
fn shifts(valuation: &Valuation) -> impl Iterator<Item = Shift<'_>> {
    let axes = valuation.levers.iter().filter(|moved| !moved.is_parameter);
    axes.flat_map(ValuedLever::shifts)
}
