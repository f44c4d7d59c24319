//! Outcomes that never happen.

use oddsmith_dist::Budget;
use oddsmith_exact::{Answer, Error, Row};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, LintRule, Outcome, OutcomeKind, Query, Role};

use crate::Questions;
use crate::expect::Value;
use crate::levers::is_read;
use crate::lint::finding::{Facts, Finding, Severity};
use crate::lint::grid::Grid;
use crate::lint::lever;
use crate::lint::measure::{MeasureKind, Measures};
use crate::lint::whole_space::{self, Along};
use crate::rows::Rows;

/// Something that can happen, with what else is known of it.
struct Event<'c> {
    /// The name in ids.
    name: String,
    outcome: &'c Outcome,
    query: Query,
    /// How `grids` know it: a measure and the one of the next band.
    is_reached: bool,
}

/// Bands, flags and labels that happen in no configuration of the default sweep, nor along any lever, nor in the last
/// place in any configuration at all, as far as there is room to look; and flags that are always true.
///
/// # Errors
/// As [`oddsmith_exact::answers`].
pub(crate) fn find(
    check: &Check,
    asked: &Measures,
    grids: &[Grid<'_>],
    run: Questions<'_>,
) -> Result<Vec<Finding>, Error> {
    let mut events = events(check);
    let mut configurations = sweep(check, &mut events, &run.share())?;
    for event in &mut events {
        event.is_reached |= grids.iter().any(|grid| happens(grid, event));
    }
    events.retain(|event| !event.is_reached);
    let of_grids = grids.iter().map(Grid::configurations).max();
    configurations = configurations.max(of_grids.unwrap_or(0));
    let axis = widest(check, grids).filter(|_| !events.is_empty());
    let whole = axis.and_then(|axis| whole_space::look(check, asked, Along::Axis(axis), run));
    if let Some(whole) = &whole {
        events.retain(|event| !happens(&whole.grid, event));
    }
    let never = events.into_iter();
    let findings = never.map(|event| {
        let facts = Facts::Unreachable {
            event: event.name.clone(),
        };
        let mut finding =
            Finding::about(LintRule::Unreachable, Severity::Warning, check, &[], facts);
        finding.id += &event.name;
        finding.place = event.outcome.span;
        finding.configurations = configurations;
        finding.looked_at(whole.as_ref());
        finding
    });
    Ok(findings.collect())
}

/// The axis that a look at everything runs along: the one with the most values of those that are read.
fn widest(check: &Check, grids: &[Grid<'_>]) -> Option<InputId> {
    let levers = grids.iter().map(|grid| grid.lever().input);
    let axes =
        levers.filter(|lever| check.inputs[lever.0].role == Role::Axis && is_read(check, *lever));
    axes.max_by_key(|axis| lever::whole_range(check, *axis).values.len())
}

fn events(check: &Check) -> Vec<Event<'_>> {
    let outcomes = check.outcomes.iter();
    let outcomes = outcomes.filter(|outcome| !outcome.first_round);
    let mut events = Vec::new();
    for outcome in outcomes {
        let name = &outcome.name;
        let asked: Vec<(String, String)> = match &outcome.kind {
            OutcomeKind::Observable => Vec::new(),
            OutcomeKind::Flag => vec![
                (name.clone(), name.clone()),
                (format!("not {name}"), format!("not {name}")),
            ],
            OutcomeKind::Band(choice) => {
                let labels = choice.labels().iter();
                labels
                    .map(|label| (label.clone(), format!("{name} == \"{label}\"")))
                    .collect()
            }
            OutcomeKind::Label(choice) => {
                let labels = choice.labels().iter();
                labels
                    .map(|label| (format!("{name}={label}"), format!("{name} == \"{label}\"")))
                    .collect()
            }
        };
        events.extend(asked.into_iter().map(|(name, query)| {
            Event {
                name,
                outcome,
                query: check
                    .query(&query, "lint")
                    .expect("what a check shows can be asked about"),
                is_reached: false,
            }
        }));
    }
    events
}

/// Notes what happens in the default sweep; how many configurations that has.
fn sweep(check: &Check, events: &mut [Event<'_>], budget: &Budget) -> Result<u64, Error> {
    let queries: Vec<Query> = events.iter().map(|event| event.query.clone()).collect();
    let (ranges, config) = (check.default_sweep(), check.defaults());
    let rows = match Rows::of(check, &config, &ranges, &queries, budget) {
        Err(Error::Requirement { .. }) => return Ok(0),
        rows => rows?,
    };
    let mut configurations = 0;
    let render = |row: &Row<'_>, out: &mut Vec<Vec<bool>>| {
        let answers = row.answers.iter().map(Answer::from);
        out.push(answers.map(|answer| answer.weight > 0.into()).collect());
    };
    rows.run(render, |rows| {
        configurations += rows.len() as u64;
        for row in rows {
            for (event, happens) in events.iter_mut().zip(row) {
                event.is_reached |= happens;
            }
        }
        Ok::<(), Error>(())
    })?;
    Ok(configurations)
}

/// Whether an event happens somewhere along a lever.
fn happens(grid: &Grid<'_>, event: &Event<'_>) -> bool {
    let at = |name: &str| {
        let mut measures = grid.measures.iter();
        measures.position(|m| m.name == name && m.is_outcome())
    };
    let mut cells = grid.lines().flat_map(|line| line.present());
    let value = |cell: &[Option<Value>], at: usize| cell[at].clone();
    let is_band = matches!(event.outcome.kind, OutcomeKind::Band(_));
    let one = Value::Finite(1.into());
    match (at(&event.name), event.name.strip_prefix("not ")) {
        (Some(own), _) if is_band => {
            let next = grid.measures.get(own + 1);
            let has_next = next.is_some_and(|next| next.kind == MeasureKind::AtLeast);
            cells.any(|(_, cell)| {
                let above = has_next.then(|| value(cell, own + 1)).flatten();
                value(cell, own).is_some_and(|own| own > above.unwrap_or(Value::ZERO))
            })
        }
        (Some(own), _) => cells.any(|(_, cell)| value(cell, own) > Some(Value::ZERO)),
        // The lowest band is measured by all above it.
        (None, None) if is_band => cells.any(|(_, cell)| value(cell, 0).is_some_and(|v| v < one)),
        (None, Some(flag)) => match at(flag) {
            Some(own) => cells.any(|(_, cell)| value(cell, own).is_some_and(|v| v < one)),
            None => false,
        },
        (None, None) => false,
    }
}
