//! What goes wrong only in some configurations: a divisor of 0, a die without sides, an arm that is missing.
//!
//! [`crate::load`] judges what holds for every configuration; this tries the configurations out, without
//! rolling a die. What depends on a roll is left to the engines, which report it when it is reached.

mod fault;
mod hazard;
mod known;
mod search;
mod space;

use std::collections::BTreeMap;

use oddsmith_numbers::grouped;

use crate::check::{Check, Input, Role};
use crate::config::Config;
use crate::model::Model;
use crate::program::{Expr, InputId, VarId};
use crate::source::{Diagnostic, Diagnostics, Reporter, Span};
use fault::{Fault, find};
use hazard::{Hazard, Rule, call_around};
use search::Hazards;
use space::{Reads, Situation, changed, configurations};

/// What seems to go wrong is no longer looked for, once so many configurations were cleared of it.
const MOST_CLEARED: u32 = 1000;

/// What [`validate`] looked at, when it found nothing wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Whether every combination of the axes that could matter was tried.
    pub complete: bool,
    /// What was not tried everywhere: the check, its axes, and how many of how many combinations were.
    pub partial: Vec<String>,
}

/// Tries out each check's configurations, with the parameters at their defaults.
///
/// A hazard such as `floor(6 / banes)` is tried over the axes that it, and the conditions around it, depend
/// on: over all their values, or where those are more than 1,000,000 combinations, at their ends, 0, 1 and
/// defaults by pairs and at 200,000 combinations from everywhere; [`Coverage`] says which it was.
/// Configurations that break a `require` are left out.
///
/// # Errors
/// Each thing that goes wrong, once, with a configuration in which it does; also a default configuration
/// that breaks a `require`.
///
/// ```
/// let text = r#"
/// name = "Demo"
/// [checks.check]
/// axes.banes = { domain = "0..=3", default = 1 }
/// rules = "show share = floor(6 / banes)"
/// "#;
/// let model = oddsmith_rules::load("demo.toml", text.as_bytes()).unwrap();
/// let errors = oddsmith_rules::validate(&model).unwrap_err();
/// assert_eq!(errors.0[0].message, "division by zero in `check` at banes=0");
/// ```
pub fn validate(model: &Model) -> Result<Coverage, Diagnostics> {
    let mut partial = Vec::new();
    let mut reporter = Reporter::new(&model.source);
    let mut known = Vec::new();
    for check in model.checks.iter().chain(&model.tracks) {
        defaults_are_legal(check, &mut reporter);
        for (call, fault, config) in Validation::new(check).faults(&mut partial) {
            // A function's fault shows in every check that calls it: the first is enough.
            if !known.contains(&(fault.span, fault.what.clone())) {
                reporter.push(report(check, &fault, call, config.as_ref()));
                known.push((fault.span, fault.what));
            }
        }
    }
    reporter.finish(Coverage {
        complete: partial.is_empty(),
        partial,
    })
}

/// What of a check was tried in part only.
fn looked_at(check: &Check, axes: &[usize], (tried, all): (u64, u64)) -> String {
    let axes: Vec<&str> = axes
        .iter()
        .map(|&at| check.inputs[at].name.as_str())
        .collect();
    format!(
        "`{}` over {}: {} of {} combinations",
        check.name,
        axes.join(", "),
        grouped(tried),
        grouped(all)
    )
}

/// The default configuration is what a first `oddsmith odds` shows: it must be one that can be played.
fn defaults_are_legal(check: &Check, reporter: &mut Reporter) {
    let defaults = check.defaults();
    for requirement in &check.requires {
        let condition = &requirement.condition;
        if fixed(condition, &defaults) != Some(0) {
            continue;
        }
        let mut reads = Reads::default();
        reads.add(condition, &BTreeMap::new());
        let values: Vec<String> = reads
            .inputs
            .iter()
            .map(|&at| &check.inputs[at])
            .map(|input| input.written(input.default))
            .collect();
        let error = reporter
            .error(condition.span, "the defaults break this requirement")
            .with_label(format!("false for {}", values.join(" ")))
            .with_help("change a default, or the requirement");
        reporter.push(error);
    }
}

fn fixed(expr: &Expr, config: &Config) -> Option<i64> {
    crate::fixed_value(expr, config, &|_| None).ok()
}

/// The hazards of one check, being tried.
struct Validation<'c> {
    check: &'c Check,
    definitions: BTreeMap<VarId, &'c Expr>,
    /// Hazards that depend on the same inputs are tried together.
    groups: Vec<(Reads, Vec<Hazard<'c>>)>,
}

impl<'c> Validation<'c> {
    fn new(check: &'c Check) -> Self {
        let Hazards {
            found, definitions, ..
        } = Hazards::of(check);
        let mut groups: Vec<(Reads, Vec<Hazard<'c>>)> = Vec::new();
        for hazard in found {
            let reads = reads(check, &hazard, &definitions);
            match groups
                .iter_mut()
                .find(|(known, _)| known.inputs == reads.inputs)
            {
                Some((known, group)) => {
                    known.variables.extend(reads.variables);
                    group.push(hazard);
                }
                None => groups.push((reads, vec![hazard])),
            }
        }
        Self {
            check,
            definitions,
            groups,
        }
    }

    /// Each fault with the call it is in and a configuration that has it; none if all have. What could be
    /// tried in part only is added to `partial`.
    fn faults(&self, partial: &mut Vec<String>) -> Vec<(Option<Span>, Fault, Option<Config>)> {
        let mut faults = Vec::new();
        for (reads, group) in &self.groups {
            // Each with how many configurations were cleared of it.
            let mut open: Vec<(&Hazard<'c>, u32)> =
                group.iter().map(|hazard| (hazard, 0)).collect();
            let tried = configurations(self.check, &reads.inputs);
            let partly = tried.partial;
            let partly = partly.map(|counts| looked_at(self.check, &tried.axes, counts));
            partial.extend(partly.filter(|partly| !partial.contains(partly)));
            for config in tried.configs {
                if open.is_empty() {
                    break;
                }
                if !self.is_legal(&config) {
                    continue;
                }
                let situation = Situation::new(&config, reads, &self.definitions);
                open.retain_mut(|(hazard, cleared)| {
                    let Some(fault) = find(hazard, &situation, self.check) else {
                        return true;
                    };
                    if self.is_cleared(&fault, reads, &config) {
                        *cleared += 1;
                        return *cleared < MOST_CLEARED;
                    }
                    let (fault, config) = self.simplest(hazard, reads, config.clone());
                    let config = (!reads.inputs.is_empty()).then_some(config);
                    faults.extend(fault.map(|fault| (call(hazard, &fault), fault, config)));
                    false
                });
            }
        }
        faults
    }

    /// The hazard's fault with as many inputs as can be at or near their defaults.
    fn simplest(
        &self,
        hazard: &Hazard<'c>,
        reads: &Reads,
        mut config: Config,
    ) -> (Option<Fault>, Config) {
        let fault = |config: &Config| {
            let situation = Situation::new(config, reads, &self.definitions);
            let fault = find(hazard, &situation, self.check)?;
            (!self.is_cleared(&fault, reads, config)).then_some(fault)
        };
        for &at in &reads.inputs {
            let default = self.check.inputs[at].default;
            let simpler =
                towards(default, config[InputId(at)]).map(|value| changed(&config, at, value));
            let mut simpler = simpler.filter(|config| self.is_legal(config));
            if let Some(simpler) = simpler.find(|config| fault(config).is_some()) {
                config = simpler;
            }
        }
        (fault(&config), config)
    }

    /// Whether a fault does not strike: what dice decide is taken for possible where it is looked for, and the bounds of all
    /// numbers tell that it is not, whatever the axes are that were not tried. Arms that overlap fail nowhere, and stay faults.
    fn is_cleared(&self, fault: &Fault, reads: &Reads, config: &Config) -> bool {
        let bounds = |(at, input): (usize, &Input)| match input.role {
            Role::Axis if !reads.inputs.contains(&at) => input.domain.bounds(),
            _ => (config[InputId(at)], config[InputId(at)]),
        };
        let bounds = || {
            self.check
                .inputs
                .iter()
                .enumerate()
                .map(bounds)
                .collect::<Vec<_>>()
        };
        fault.earlier.is_none() && self.check.may_fail(&bounds()).is_empty()
    }

    fn is_legal(&self, config: &Config) -> bool {
        self.check
            .requires
            .iter()
            .all(|requirement| fixed(&requirement.condition, config) == Some(1))
    }
}

/// The call of the function in whose body the fault is.
fn call(hazard: &Hazard<'_>, fault: &Fault) -> Option<Span> {
    match hazard.rule {
        Rule::Evaluates(expr) => call_around(expr, fault.span, hazard.call),
        _ => hazard.call,
    }
}

/// The values from `default` up or down to `value`, as many as are worth a look.
fn towards(default: i64, value: i64) -> impl Iterator<Item = i64> {
    let step = if value < default { -1 } else { 1 };
    let distance = value.abs_diff(default).min(100);
    (0..=i64::try_from(distance).expect("at most 100")).map(move |steps| default + step * steps)
}

/// What decides whether the hazard strikes; with the inputs that requirements tie to those.
fn reads(check: &Check, hazard: &Hazard<'_>, definitions: &BTreeMap<VarId, &Expr>) -> Reads {
    let mut reads = Reads::default();
    let guards = hazard.guards.iter().flat_map(|guard| guard.parts());
    for part in hazard.rule.parts().into_iter().chain(guards) {
        reads.add(part, definitions);
    }
    for requirement in &check.requires {
        let mut tied = Reads::default();
        tied.add(&requirement.condition, definitions);
        if !tied.inputs.is_disjoint(&reads.inputs) {
            reads.inputs.extend(tied.inputs);
        }
    }
    reads
}

fn report(check: &Check, fault: &Fault, call: Option<Span>, config: Option<&Config>) -> Diagnostic {
    let place = match config {
        None => String::new(),
        Some(config) if *config == check.defaults() => {
            format!(" in the default configuration of `{}`", check.name)
        }
        Some(config) => format!(" in `{}` at {}", check.name, check.describe(config)),
    };
    let mut error = Diagnostic::new(&check.source, fault.span, format!("{}{place}", fault.what))
        .with_label(&fault.label)
        .with_help(fault.help);
    if let Some(earlier) = fault.earlier {
        error = error.with_related(earlier, "the earlier arm");
    }
    match call {
        Some(call) if !call.contains(fault.span) => error.with_related(call, "in this call"),
        _ => error,
    }
}
