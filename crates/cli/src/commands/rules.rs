//! `oddsmith rules`: what rulesets there are, and what is in them.

use std::fmt::Write as _;

use anyhow::Result;
use oddsmith_rules::{Check, Coverage, Input, Model, OutcomeKind, Role, shipped, validate};

use crate::args::{RulesArgs, RulesCommand};
use crate::failure::{self, Advice, BrokenRuleset};
use crate::format::grid::{Align, Cell, Grid};
use crate::format::words::{BOLD, DIM};
use crate::target::{self, TargetName};
use crate::{exit, terminal};

/// Does what was asked.
pub(crate) fn run(args: &RulesArgs) -> Result<u8> {
    match &args.command {
        RulesCommand::List => terminal::print(&list()?)?,
        RulesCommand::Show {
            target,
            source: true,
        } => {
            terminal::print_data(&target::source(TargetName::parse(target).ruleset)?)?;
        }
        RulesCommand::Show {
            target,
            source: false,
        } => terminal::print(&show(target)?)?,
        RulesCommand::Validate { rulesets } => return validate_all(rulesets),
        RulesCommand::Schema => {
            let schema = serde_json::to_string_pretty(&oddsmith_rules::schema())? + "\n";
            terminal::print_data(schema.as_bytes())?;
        }
    }
    Ok(exit::OK)
}

fn list() -> Result<String> {
    let mut sections = Vec::new();
    for (name, _) in shipped() {
        let model = target::load(name)?;
        let mut grid = Grid::new(&[Align::Left, Align::Left]);
        for check in &model.checks {
            grid.push(vec![check.name.as_str().into(), check.help.as_str().into()]);
        }
        sections.push(format!(
            "{BOLD}{name}{BOLD:#}  {}\n{}",
            model.name,
            grid.render("  ")
        ));
    }
    Ok(sections.join("\n"))
}

fn show(text: &str) -> Result<String> {
    let name = TargetName::parse(text);
    let model = target::load(name.ruleset)?;
    let mut sections = vec![title(&model, name.ruleset)];
    let checks = match name.check {
        Some(_) => std::slice::from_ref(&model.checks[target::find_check(&model, name)?]),
        None => &model.checks[..],
    };
    if !model.params.is_empty() {
        sections.push(format!(
            "{BOLD}parameters{BOLD:#}\n{}",
            inputs(&model.params.iter().collect::<Vec<_>>())
        ));
    }
    sections.extend(checks.iter().map(describe));
    Ok(sections.join("\n"))
}

fn title(model: &Model, name: &str) -> String {
    let title = if model.name.is_empty() {
        name
    } else {
        &model.name
    };
    let help = if model.help.is_empty() {
        String::new()
    } else {
        format!("{}\n", model.help)
    };
    format!("{BOLD}{title}{BOLD:#}\n{help}")
}

/// A check: its axes, what it demands, what it shows.
fn describe(check: &Check) -> String {
    let mut text = format!("{BOLD}check {}{BOLD:#}", check.name);
    text.push_str(&if check.help.is_empty() {
        "\n".to_owned()
    } else {
        format!("  {}\n", check.help)
    });
    let axes: Vec<&Input> = check
        .inputs
        .iter()
        .filter(|input| input.role == Role::Axis)
        .collect();
    text.push_str(&inputs(&axes));
    let mut grid = Grid::new(&[Align::Left, Align::Left]);
    let mut line = |name: &str, words: String| {
        if !words.is_empty() {
            grid.push(vec![Cell::styled(name, DIM), words.into()]);
        }
    };
    for requirement in &check.requires {
        line("requires", requirement.text.clone());
    }
    line(
        "bands",
        check
            .band()
            .map_or(String::new(), |(_, bands)| bands.labels.join(" < ")),
    );
    line("flags", outcomes(check, |kind| *kind == OutcomeKind::Flag));
    line(
        "numbers",
        outcomes(check, |kind| *kind == OutcomeKind::Observable),
    );
    line(
        "labels",
        outcomes(check, |kind| matches!(kind, OutcomeKind::Label(_))),
    );
    text + &grid.render("  ")
}

fn outcomes(check: &Check, is: impl Fn(&OutcomeKind) -> bool) -> String {
    let names = check.outcomes.iter().filter(|outcome| is(&outcome.kind));
    names
        .map(|outcome| outcome.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

/// A row per input: name, legal values, default, sweep, help. The elements of a list are one row.
fn inputs(inputs: &[&Input]) -> String {
    let mut grid = Grid::new(&[Align::Left; 5]);
    if inputs.is_empty() {
        return String::new();
    }
    grid.head(&["name", "values", "default", "sweep", ""]);
    let base = |input: &Input| input.name.split('[').next().unwrap_or_default().to_owned();
    let mut left = inputs;
    while let Some(first) = left.first() {
        let is_list = first.name.contains('[');
        let count = left
            .iter()
            .take_while(|input| base(input) == base(first))
            .count();
        let (group, rest) = left.split_at(if is_list { count } else { 1 });
        let shown: Vec<String> = group
            .iter()
            .map(|input| input.domain.show(input.default))
            .collect();
        let default = if is_list {
            format!("[{}]", shown.join(","))
        } else {
            shown.join(",")
        };
        let sweep = spans(first);
        grid.push(vec![
            base(first).into(),
            first.domain.describe().into(),
            default.into(),
            Cell::styled(sweep, DIM),
            first.help.as_str().into(),
        ]);
        left = rest;
    }
    grid.render("  ")
}

/// The values of a declared sweep, runs of numbers as `-5..=5`.
fn spans(input: &Input) -> String {
    let mut spans: Vec<(i64, i64)> = Vec::new();
    for &value in &input.sweep {
        match spans.last_mut() {
            Some((_, last)) if value.checked_sub(1) == Some(*last) => *last = value,
            _ => spans.push((value, value)),
        }
    }
    let is_number = matches!(input.domain, oddsmith_rules::Domain::Range(..));
    let mut words = Vec::new();
    for (first, last) in spans {
        if is_number && last - first >= 2 {
            words.push(format!("{first}..={last}"));
        } else {
            words.extend((first..=last).map(|value| input.domain.show(value)));
        }
    }
    words.join(",")
}

/// Says of every ruleset whether it is right, or all that is wrong.
fn validate_all(rulesets: &[String]) -> Result<u8> {
    let mut text = String::new();
    let mut status = exit::OK;
    for name in rulesets {
        match validated(name) {
            Ok((model, coverage)) => {
                let checks = if model.checks.len() == 1 {
                    "check"
                } else {
                    "checks"
                };
                let count = model.checks.len();
                let _ = if coverage.complete {
                    writeln!(text, "ok: {name} ({count} {checks})")
                } else {
                    let partial = coverage.partial.join("; ");
                    writeln!(
                        text,
                        "ok as far as looked: {name} ({count} {checks}): {partial}"
                    )
                };
            }
            Err(error) => {
                terminal::tell(&failure::render(&error));
                status = exit::FAILED;
            }
        }
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
    let coverage = validate(&model).map_err(|errors| BrokenRuleset {
        name: name.to_owned(),
        errors,
    })?;
    Ok((model, coverage))
}
