//! What the configurations that were compared do not look at: inputs that none of them moves, ways of the script that none
//! of them goes.

use std::collections::BTreeSet;

use oddsmith_analysis::levers::is_read;
use oddsmith_analysis::probe::{Branch, Coverage, PLAYS, play_sweep, ways_of};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Model};

use super::cause::Place;
use crate::Error;
use crate::baseline::{Baseline, ProbeKind, way_text};

/// An input or a way of the script that no accepted configuration looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What it is, and why.
    pub text: String,
    /// The place of the input, or of the way.
    pub place: Place,
}

/// Everything that no accepted configuration of any table looks at, under the rules as they are now.
pub(super) fn of(model: &Model, baseline: &Baseline) -> Result<Vec<Gap>, Error> {
    let (mut seen, mut ways) = (BTreeSet::new(), Vec::new());
    let mut gaps = Vec::new();
    for check in model.checks.iter().chain(&model.tracks) {
        let Some(table) = baseline.table(&check.name) else {
            continue;
        };
        let (_, rows) = baseline.probes(table, ProbeKind::Own)?;
        let mut reach = Coverage::new(check);
        play_sweep(&mut reach);
        let mut moved: BTreeSet<usize> = BTreeSet::new();
        moved.extend(check.default_sweep().iter().map(|range| range.input.0));
        let defaults = check.defaults();
        for row in rows {
            let Some(config) = row.config(check, &defaults) else {
                continue;
            };
            reach.play(&config, PLAYS);
            let values = config.values().iter().zip(defaults.values()).enumerate();
            moved.extend(values.filter(|(_, (a, b))| a != b).map(|(at, _)| at));
        }
        seen.extend(reach.seen().iter().copied());
        ways.extend(ways_of(check).into_iter().map(|way| (check, way)));
        for (at, input) in check.inputs.iter().enumerate() {
            if is_read(check, InputId(at)) && !moved.contains(&at) && has_values(check, at) {
                gaps.push(Gap {
                    text: format!("none moves `{}` of `{}`", input.name, check.name),
                    place: Place::of(&model.source, input.span),
                });
            }
        }
    }
    let mut told: BTreeSet<Branch> = BTreeSet::new();
    for (check, way) in ways {
        if !seen.contains(&way) && told.insert(way) {
            gaps.push(unreached(baseline, check, way));
        }
    }
    Ok(gaps)
}

fn has_values(check: &Check, at: usize) -> bool {
    let (low, high) = check.inputs[at].domain.bounds();
    low < high
}

fn unreached(baseline: &Baseline, check: &Check, way: Branch) -> Gap {
    let text = way_text(check, way);
    let mut tables = baseline.manifest.tables.iter();
    let accepted = tables.any(|table| {
        let probes = table.probes(ProbeKind::Own);
        probes.is_some_and(|probes| probes.unreached.contains(&text))
    });
    let why = match accepted {
        true => "no settings that were tried lead there",
        false => "`oddsmith check --update` looks for settings that lead there",
    };
    Gap {
        text: format!("none reaches {text}: {why}"),
        place: Place::of(&check.source, way.span()),
    }
}
