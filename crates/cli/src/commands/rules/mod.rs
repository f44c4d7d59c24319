//! `oddsmith rules`: what rulesets there are, and what is in them.

mod fmt;
mod show;
mod validate;

use anyhow::Result;
use oddsmith_rules::{shelf, shipped};

use crate::args::{RulesArgs, RulesCommand};
use crate::document::{BOLD, DIM, lines, room};
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
        RulesCommand::Fmt(args) => return fmt::run(args),
        RulesCommand::Schema { answers: false } => {
            terminal::print_answer(&oddsmith_rules::schema())?;
        }
        RulesCommand::Schema { answers: true } => {
            terminal::print_answer(&oddsmith::wire::schema())?;
        }
    }
    Ok(exit::OK)
}

/// Characters of a line of the list.
const WIDTH: usize = 80;

/// The games by family, a line each: those of the project's own games first, then the shelf.
fn list() -> Result<String> {
    let own = shipped()
        .iter()
        .map(|(name, _)| ("worked out in full", *name));
    let known = shelf().iter().map(|game| (game.family, game.name));
    let games: Vec<(&str, &str)> = own.chain(known).collect();
    let widest = games.iter().map(|(_, name)| name.len()).max();
    let mut sections = Vec::new();
    for family in games.chunk_by(|a, b| a.0 == b.0) {
        let mut section = format!("{BOLD}{}{BOLD:#}\n", family[0].0.replace('-', " "));
        for (_, name) in family {
            section += &line(name, widest.unwrap_or(0))?;
        }
        sections.push(section);
    }
    sections.push(format!("{DIM}{NEXT}{DIM:#}"));
    Ok(sections.join("\n"))
}

/// What can be done with what is listed.
const NEXT: &str = "\
oddsmith odds pbta                what a game's rolls come to
oddsmith rules show pbta          what can be set and asked
oddsmith new mygame --from pbta   a game of your own to begin with
";

/// The name that a game is asked by, its title and what it is about.
fn line(name: &str, widest: usize) -> Result<String> {
    let model = target::load(name)?;
    let words = format!("{}: {}", model.name, model.help);
    let line = format!("  {name:widest$}  {words}");
    let indent = " ".repeat(widest + 4);
    Ok(lines(&line, room(terminal::width()).min(WIDTH), &indent).join("\n") + "\n")
}
