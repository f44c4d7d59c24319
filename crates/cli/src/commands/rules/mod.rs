//! `oddsmith rules`: what rulesets there are, and what is in them.

mod show;
mod validate;

use anyhow::Result;
use oddsmith_rules::{Model, shipped};

use crate::args::{RulesArgs, RulesCommand};
use crate::document::{Align, BOLD, Cell, DIM, Grid};
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
        RulesCommand::Validate(args) => return validate::run(args),
        RulesCommand::Schema { answers: false } => {
            terminal::print_answer(&oddsmith_rules::schema())?;
        }
        RulesCommand::Schema { answers: true } => {
            terminal::print_answer(&oddsmith::wire::schema())?;
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
