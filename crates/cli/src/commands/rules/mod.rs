//! `oddsmith rules`: what rulesets there are, and what is in them.

mod show;

use std::fmt::Write as _;

use anyhow::Result;
use oddsmith_rules::{Coverage, Model, shipped, validate};

use crate::args::{RulesArgs, RulesCommand};
use crate::failure::{self, Advice, BrokenRuleset};
use crate::format::grid::{Align, Cell, Grid};
use crate::format::paint::{BOLD, DIM};
use crate::format::words::plural;
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
        } => terminal::print(&show::text(target)?)?,
        RulesCommand::Validate { rulesets } => return validate_all(rulesets),
        RulesCommand::Schema => {
            terminal::print_json(&oddsmith_rules::schema())?;
        }
    }
    Ok(exit::OK)
}

fn list() -> Result<String> {
    let mut sections = Vec::new();
    for (name, _) in shipped() {
        let model = target::load(name)?;
        let mut grid = Grid::new(&[Align::Left, Align::Left, Align::Left]);
        for (kind, checks) in [("check", &model.checks), ("track", &model.tracks)] {
            for check in checks {
                let (name, help) = (check.name.as_str(), check.help.as_str());
                grid.push(vec![Cell::styled(kind, DIM), name.into(), help.into()]);
            }
        }
        sections.push(format!(
            "{BOLD}{name}{BOLD:#}  {} ({})\n{}",
            model.name,
            parts(&model),
            grid.render("  ")
        ));
    }
    Ok(sections.join("\n"))
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

/// Says of every ruleset whether it is right, or all that is wrong.
fn validate_all(rulesets: &[String]) -> Result<u8> {
    let mut text = String::new();
    let mut status = exit::OK;
    for name in rulesets {
        match validated(name) {
            Ok((model, coverage)) => {
                let parts = parts(&model);
                let _ = if coverage.complete {
                    writeln!(text, "ok: {name} ({parts})")
                } else {
                    let partial = coverage.partial.join("; ");
                    writeln!(text, "ok as far as looked: {name} ({parts}): {partial}")
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
