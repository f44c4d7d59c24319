//! Configurations in which two versions of a check are likely to differ: those in which an expression that was changed
//! has another value.

use std::collections::{BTreeMap, BTreeSet};

use oddsmith_rules::program::{Expr, InputId, Kind, VarId};
use oddsmith_rules::{Check, Config, value_once_rolled};

use crate::proof::chains;
use crate::random::Random;
use crate::sets::{Definition, definitions};

/// Configurations that are looked at, without any odds, for each difference.
const LOOKED_AT: usize = 10_000;

/// Those that are kept for each difference.
const KEPT: usize = 30;

/// After so many that can't be told before dice are rolled, none can.
const HOPELESS: usize = 100;

/// Calls between variables are followed so deep.
const DEEPEST: usize = 60;

/// Values of some inputs; the others have their defaults.
pub type Settings = Vec<(InputId, i64)>;

/// What is bound to each variable.
type Definitions<'d> = BTreeMap<VarId, Vec<Definition<'d>>>;

/// Values of some inputs beside which an expression that differs has two values, as far as it can be told before
/// anything is rolled; a rolled number in it is anything small.
#[must_use]
pub fn witnesses(
    before: &Check,
    after: &Check,
    values: &BTreeMap<InputId, Vec<i64>>,
    random: &mut Random,
) -> Vec<Settings> {
    let definitions = [before, after].map(definitions);
    let mut found = Vec::new();
    for chain in chains(before, after) {
        // What is around a difference decides whether it matters, as far as that can be told before anything is rolled.
        let some = chain.iter().map(|(a, b)| {
            let sides = [(*a, before, &definitions[0]), (*b, after, &definitions[1])];
            beside(sides, values, random)
        });
        found.extend(some.filter(|some| !some.is_empty()).take(2).flatten());
    }
    found
}

/// Values of inputs beside which two expressions have two values.
fn beside(
    sides: [(&Expr, &Check, &Definitions<'_>); 2],
    values: &BTreeMap<InputId, Vec<i64>>,
    random: &mut Random,
) -> Vec<Settings> {
    let mut inputs = BTreeSet::new();
    for (expr, _, definitions) in sides {
        inputs_behind(expr, definitions, &mut BTreeSet::new(), &mut inputs);
    }
    inputs.retain(|id| values.contains_key(id));
    let mut found = Vec::new();
    let mut is_known = false;
    for look in 0..LOOKED_AT {
        let mut settings = Settings::new();
        for id in &inputs {
            if random.below(2) == 0 {
                settings.push((*id, *random.pick(&values[id])));
            }
        }
        let rolled = i64::try_from(random.below(30)).expect("a small number") - 5;
        let known = sides.map(|(expr, check, definitions)| {
            let mut config = check.defaults();
            for (id, value) in &settings {
                config.put(*id, *value);
            }
            let fixed = Fixed {
                config: &config,
                definitions,
                rolled,
            };
            fixed.value(expr, 0)
        });
        is_known |= known != [None, None];
        if known[0] != known[1] {
            found.push(settings);
        }
        if found.len() == KEPT || (look == HOPELESS && !is_known) {
            break;
        }
    }
    found
}

/// The inputs that an expression reads, itself or through variables.
pub fn inputs_behind(
    expr: &Expr,
    definitions: &Definitions<'_>,
    seen: &mut BTreeSet<VarId>,
    inputs: &mut BTreeSet<InputId>,
) {
    let mut variables = Vec::new();
    expr.for_each(&mut |part| match part.kind {
        Kind::Input(id) => drop(inputs.insert(id)),
        Kind::Var(var) => variables.push(var),
        _ => {}
    });
    for var in variables {
        if !seen.insert(var) {
            continue;
        }
        for definition in definitions.get(&var).into_iter().flatten() {
            let parts = match definition {
                Definition::Value(value) => vec![*value],
                Definition::Range(from, to) => vec![*from, *to],
                Definition::Unknown => Vec::new(),
            };
            for part in parts {
                inputs_behind(part, definitions, seen, inputs);
            }
        }
    }
}

/// Values in one configuration.
struct Fixed<'f> {
    config: &'f Config,
    definitions: &'f Definitions<'f>,
    /// What every rolled number is taken to be.
    rolled: i64,
}

impl Fixed<'_> {
    /// None if it can't be told.
    fn value(&self, expr: &Expr, depth: usize) -> Option<i64> {
        let variable = |var: VarId| {
            let definition = self.definitions.get(&var).map(Vec::as_slice);
            match definition {
                Some([Definition::Value(value)]) if depth < DEEPEST => {
                    Some(self.value(value, depth + 1).unwrap_or(self.rolled))
                }
                _ => Some(self.rolled),
            }
        };
        value_once_rolled(expr, self.config, &variable).ok()
    }
}
