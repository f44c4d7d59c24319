//! `oddsmith balance lint`: what is odd about the odds of a ruleset.

use anyhow::Result;
use oddsmith::wire::LintFindings;
use oddsmith::{Game, LintAnswer, LintRequest, TargetName};

use crate::args::{LintArgs, LintFormat};
use crate::document::Markup;
use crate::format::lint::{github, markdown, text};
use crate::parting::{self, Work};
use crate::progress::counted;
use crate::{exit, terminal};

/// Looks, and tells.
pub(crate) fn run(args: &LintArgs) -> Result<u8> {
    let name = TargetName::parse(&args.target);
    let request = LintRequest {
        check: name.check.map(str::to_owned),
        only: args.only.clone(),
        all: args.all,
        cliff: args.cliff.clone(),
        change: args.change.clone(),
    };
    let game = Game::open(name.ruleset)?;
    let work = args.parting.parting.work(|| game.lint_job(&request))?;
    let limits = work.limits(args.cost.limits_on(args.running.parallel))?;
    if let Work::Part(job, number) = work {
        let destination = parting::destination(args.parting.output.as_deref(), game.name())?;
        let part = game.lint_part(&request, (&job, number), &limits, Vec::new())?;
        return parting::write_part(&destination, Some(part));
    }
    let is_seen = args.running.shows_progress(true);
    let answer = counted(&limits.watch, is_seen, || game.lint(&request, &limits))?;
    show(&answer, args.format)?;
    Ok(match answer.has(args.deny.severity()) {
        true => exit::NO,
        false => exit::OK,
    })
}

fn show(answer: &LintAnswer, format: LintFormat) -> Result<()> {
    match format {
        LintFormat::Text => terminal::print(&text::document(answer).terminal())?,
        LintFormat::Github => {
            terminal::print(&text::document(answer).terminal())?;
            terminal::print_data(github::render(answer).as_bytes())?;
        }
        LintFormat::Json => terminal::print_answer(&LintFindings::from(answer))?,
        LintFormat::Markdown => {
            let document = markdown::document(answer);
            terminal::print_data(document.markup(Markup::Markdown).as_bytes())?;
        }
    }
    Ok(())
}
