//! Which configurations of a sweep can be carried out, whatever is asked about them.

use std::sync::{Mutex, PoisonError};

use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Config};

use crate::Error;
use crate::carried::played;
use crate::hash::Map;
use crate::residual::specialise_unsure;
use crate::sweep::Sweep;
use crate::sweep::cut::inputs_of_script;

/// What is known of configurations in which something may fail. Its order shows nowhere.
#[derive(Debug)]
pub(super) struct Clear {
    /// The places among the swept inputs of those that what may fail depends on.
    axes: Vec<usize>,
    /// By their values.
    known: Mutex<Map<Vec<i64>, Result<(), Error>>>,
}

/// The inputs that decide whether a configuration can be carried out, if those in `open` may be anything of their domains
/// and all others are as in `base`.
pub(super) fn inputs_that_decide(check: &Check, base: &Config, open: &[InputId]) -> Vec<InputId> {
    let mut bounds: Vec<(i64, i64)> = base.0.iter().map(|&value| (value, value)).collect();
    for id in open {
        bounds[id.0] = check.inputs[id.0].domain.bounds();
    }
    let known = |id: InputId| (!open.contains(&id)).then(|| base.0[id.0]);
    inputs_of_unsure(check, &bounds, &known).unwrap_or_default()
}

/// The inputs that what may fail depends on; none if nothing can fail within these bounds.
fn inputs_of_unsure(
    check: &Check,
    bounds: &[(i64, i64)],
    known: &dyn Fn(InputId) -> Option<i64>,
) -> Option<Vec<InputId>> {
    let unsure = check.may_fail(bounds);
    if unsure.is_empty() {
        return None;
    }
    let residual = specialise_unsure(check, known, &unsure);
    Some(inputs_of_script(&residual.script, &residual.fixed))
}

impl Clear {
    /// None if nothing can fail in any configuration of the sweep.
    pub(super) fn of(sweep: &Sweep<'_>) -> Option<Self> {
        let mut bounds: Vec<(i64, i64)> =
            sweep.base.0.iter().map(|&value| (value, value)).collect();
        for range in sweep.ranges {
            let ends = range.values.iter().min().zip(range.values.iter().max());
            let (low, high) = ends?;
            bounds[range.input.0] = (*low, *high);
        }
        let known = |id: InputId| (!sweep.is_swept(id)).then(|| sweep.base.0[id.0]);
        let inputs = inputs_of_unsure(sweep.check, &bounds, &known)?;
        let axes = 0..sweep.ranges.len();
        let axes = axes.filter(|&at| inputs.contains(&sweep.ranges[at].input));
        Some(Self {
            axes: axes.collect(),
            known: Mutex::default(),
        })
    }

    /// Whether the configuration at these places can be carried out.
    pub(super) fn at(&self, sweep: &Sweep<'_>, places: &[usize]) -> Result<(), Error> {
        let value = |&at: &usize| sweep.ranges[at].values[places[at]];
        let key: Vec<i64> = self.axes.iter().map(value).collect();
        if let Some(known) = self.lock().get(&key) {
            return known.clone();
        }
        // What two threads look for at the same time is the same.
        let found = played(sweep.check, &sweep.config_at(places), sweep.budget);
        self.lock().insert(key, found.clone());
        found
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Map<Vec<i64>, Result<(), Error>>> {
        // Entries are inserted whole, so a panic elsewhere leaves the map good.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
