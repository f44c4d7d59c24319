//! `oddsmith rules validate`: errors, warnings, and expectations that do not hold.

use anyhow::Result;
use oddsmith::project::{Intent, expectations};
use oddsmith_exact::{Budget, Error, carried_out};
use oddsmith_rules::{Coverage, Diagnostic, Diagnostics, Model, validate};

use crate::advice::Advice;
use crate::args::ValidateArgs;
use crate::commands::check::tell_unknown;
use crate::document::Block;
use crate::failure;
use crate::format::check::text;
use crate::format::words::plural;
use crate::target::{self, TargetName};
use crate::{exit, terminal};

/// Steps that are spent on one check's rolls: about a second.
const MOST_STEPS: u64 = 1_000_000_000;

/// Says of every ruleset whether it is right, or all that is wrong. The worst of them is the exit status.
pub(super) fn run(args: &ValidateArgs) -> Result<u8> {
    let mut text = String::new();
    let mut status = exit::OK;
    for name in &args.rulesets {
        let found = match validated(name) {
            Ok((model, coverage)) => judged(name, &model, &coverage, args, &mut text)?,
            Err(error) => {
                failure::tell(&failure::render(&error));
                exit::FAILED
            }
        };
        status = status.max(found);
    }
    terminal::print(&text)?;
    Ok(status)
}

fn validated(name: &str) -> Result<(Model, Coverage)> {
    let parts = TargetName::parse(name);
    if let Some(check) = parts.check {
        let message = format!("a ruleset is validated with all of its checks, not `{check}` alone");
        let help = format!(
            "leave the check out: `oddsmith rules validate {}`",
            parts.ruleset
        );
        return Err(Advice::error(message, help));
    }
    let model = target::load(name)?;
    let coverage = validate(&model).map_err(|errors| oddsmith::Error::Ruleset {
        name: name.to_owned(),
        errors,
    })?;
    let errors = failing_defaults(&model);
    if !errors.0.is_empty() {
        let name = name.to_owned();
        return Err(oddsmith::Error::Ruleset { name, errors }.into());
    }
    Ok((model, coverage))
}

/// What fails on some roll of a default configuration, each place once; what costs too much to find out is left open.
fn failing_defaults(model: &Model) -> Diagnostics {
    let mut errors: Vec<Diagnostic> = Vec::new();
    for check in model.checks.iter().chain(&model.tracks) {
        let budget = Budget::new(MOST_STEPS);
        if let Err(Error::Rule(error)) = carried_out(check, &check.defaults(), &budget)
            && errors.iter().all(|known| known.span != error.span)
        {
            errors.push(*error);
        }
    }
    Diagnostics(errors)
}

/// Writes what is found in a ruleset without errors; the exit status for it.
fn judged(
    name: &str,
    model: &Model,
    coverage: &Coverage,
    args: &ValidateArgs,
    text: &mut String,
) -> Result<u8> {
    failure::warn(&model.warnings);
    let is_denied = args.denying.refuses(&model.warnings);
    let intents = expectations(model, &args.cost.limits())?;
    let is_broken = |intent: &&Intent| intent.verdict.is_broken();
    let broken: Vec<&Intent> = intents.iter().filter(is_broken).collect();
    let unknown = tell_unknown(name, &intents);
    let mut told = Vec::new();
    match broken.len() {
        0 => {}
        1 => told.push("1 expectation does not hold".to_owned()),
        many => told.push(format!("{many} expectations do not hold")),
    }
    if unknown > 0 {
        let expectations = plural(unknown as u64, "expectation");
        told.push(format!("{expectations} can't be judged"));
    }
    if !model.warnings.0.is_empty() {
        told.push(plural(model.warnings.0.len() as u64, "warning"));
    }
    told.extend(coverage.partial.iter().cloned());
    let verdict = match (
        is_denied || !broken.is_empty() || unknown > 0,
        coverage.complete,
    ) {
        (true, _) => "not ok",
        (false, true) => "ok",
        (false, false) => "ok as far as looked",
    };
    let told = match told.as_slice() {
        [] => String::new(),
        told => format!(": {}", told.join("; ")),
    };
    let said = format!("{verdict}: {name} ({}){told}", parts(model));
    *text += &Block::paragraph(said).terminal();
    for intent in &broken {
        *text += &format!("\n{}", text::intent(name, intent).terminal());
    }
    Ok(match (unknown > 0, is_denied || !broken.is_empty()) {
        (true, _) => exit::FAILED,
        (false, true) => exit::NO,
        (false, false) => exit::OK,
    })
}

/// `3 checks, 1 track, 6 charts, 18 expectations`
fn parts(model: &Model) -> String {
    let parts = [
        (model.checks.len(), "check"),
        (model.tracks.len(), "track"),
        (model.charts.len(), "chart"),
        (model.expectations.len(), "expectation"),
        (model.resources.len(), "resource"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, noun)| plural(count as u64, noun))
        .collect();
    parts.join(", ")
}
