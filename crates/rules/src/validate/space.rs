//! Which configurations are tried for a hazard: all that matter, or where those are too many, the corners.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::{Check, Role};
use crate::config::Config;
use crate::evaluate::{FixedError, fixed_value};
use crate::program::{Expr, InputId, Kind, VarId};

/// More combinations than this are not tried one by one.
const MOST_CONFIGURATIONS: u64 = 1_000_000;

/// As many of those are tried, besides the corners.
const SAMPLE: u64 = 200_000;

/// What an expression depends on, through the fixed variables in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    /// Places in [`Check::inputs`].
    pub(super) inputs: BTreeSet<usize>,
    /// A variable is bound after those in its value, so this order is one in which they can be evaluated.
    pub(super) variables: BTreeSet<VarId>,
}

impl Reads {
    pub(super) fn add(&mut self, expr: &Expr, definitions: &BTreeMap<VarId, &Expr>) {
        match &expr.kind {
            Kind::Input(id) => {
                self.inputs.insert(id.0);
            }
            Kind::Var(var) if !self.variables.contains(var) => {
                if let Some(definition) = definitions.get(var) {
                    self.variables.insert(*var);
                    self.add(definition, definitions);
                }
            }
            _ => expr.for_each_part(&mut |part| self.add(part, definitions)),
        }
    }
}

/// A configuration with the values of the fixed variables in it.
#[derive(Debug)]
pub(super) struct Situation<'a> {
    pub(super) config: &'a Config,
    variables: BTreeMap<VarId, i64>,
}

impl<'a> Situation<'a> {
    pub(super) fn new(
        config: &'a Config,
        reads: &Reads,
        definitions: &BTreeMap<VarId, &Expr>,
    ) -> Self {
        let mut situation = Self {
            config,
            variables: BTreeMap::new(),
        };
        for var in &reads.variables {
            // One without a value has its own hazard, or is in a branch that is not taken.
            if let Some(value) = definitions
                .get(var)
                .and_then(|expr| situation.value(expr).ok())
            {
                situation.variables.insert(*var, value);
            }
        }
        situation
    }

    pub(super) fn value(&self, expr: &Expr) -> Result<i64, FixedError> {
        fixed_value(expr, self.config, &|var| self.variables.get(&var).copied())
    }
}

/// The configurations to try, and how many of how many they are if they are not all.
pub(super) struct Tried<'a> {
    pub(super) configs: Box<dyn Iterator<Item = Config> + 'a>,
    /// The places of the axes that are varied.
    pub(super) axes: Vec<usize>,
    /// Those tried (at least) and those there are.
    pub(super) partial: Option<(u64, u64)>,
}

/// The configurations in which the axes among `inputs` take all their values, or where those are too many
/// combinations, the telling ones and some from everywhere; in either case those near the defaults come
/// first. Parameters and all else keep their defaults.
pub(super) fn configurations<'a>(check: &'a Check, inputs: &BTreeSet<usize>) -> Tried<'a> {
    let is_axis = |&&at: &&usize| check.inputs[at].role == Role::Axis;
    let axes: Vec<usize> = inputs.iter().filter(is_axis).copied().collect();
    let size = |&at: &usize| {
        let (low, high) = check.inputs[at].domain.bounds();
        high.abs_diff(low).saturating_add(1)
    };
    let count = axes.iter().map(size).fold(1, u64::saturating_mul);
    let varied = axes.clone();
    let nth = move |mut place: u64| {
        let mut config = check.defaults();
        for &at in &varied {
            let digit = place % size(&at);
            place /= size(&at);
            let low = check.inputs[at].domain.bounds().0;
            config.put(
                InputId(at),
                low.checked_add_unsigned(digit).expect("in the domain"),
            );
        }
        config
    };
    if count > MOST_CONFIGURATIONS {
        // Multiples of the golden ratio spread evenly, and differ from each other.
        let spread = move |index: u64| {
            let fraction = index.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let place = (u128::from(fraction) * u128::from(count)) >> 64;
            nth(u64::try_from(place).expect("less than the count"))
        };
        let corners = corners(check, &axes).into_iter();
        return Tried {
            configs: Box::new(corners.chain((0..SAMPLE).map(spread))),
            axes,
            partial: Some((SAMPLE, count)),
        };
    }
    let one_changed = |&at: &usize| {
        let (low, high) = check.inputs[at].domain.bounds();
        (low..=high).map(move |value| changed(&check.defaults(), at, value))
    };
    let near: Vec<Config> = axes.iter().flat_map(one_changed).collect();
    let all = (0..count).map(nth);
    Tried {
        configs: Box::new(std::iter::once(check.defaults()).chain(near).chain(all)),
        axes,
        partial: None,
    }
}

/// The defaults, and every pair of axes at its ends, at 0, at 1 and at its default.
fn corners(check: &Check, axes: &[usize]) -> Vec<Config> {
    let telling = |at: usize| {
        let input = &check.inputs[at];
        let (low, high) = input.domain.bounds();
        let mut values = vec![input.default, low, high, 0, 1];
        values.retain(|value| input.domain.contains(*value));
        values.sort_unstable();
        values.dedup();
        values
    };
    let defaults = check.defaults();
    let mut configs = vec![defaults.clone()];
    for (place, &first) in axes.iter().enumerate() {
        for value in telling(first) {
            let one = changed(&defaults, first, value);
            for &second in &axes[place + 1..] {
                configs.extend(
                    telling(second)
                        .into_iter()
                        .map(|value| changed(&one, second, value)),
                );
            }
            configs.push(one);
        }
    }
    configs
}

/// `config` with one value changed.
pub(super) fn changed(config: &Config, at: usize, value: i64) -> Config {
    let mut config = config.clone();
    config.put(InputId(at), value);
    config
}
