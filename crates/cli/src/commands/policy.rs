//! `oddsmith policy`: what is best to choose.

use anyhow::Result;
use oddsmith::PolicyRequest;
use oddsmith::wire::PolicyOdds;

use crate::args::{PolicyArgs, Style};
use crate::format::{policy, policy_view};
use crate::progress::spending;
use crate::target::{self, TargetName};
use crate::{exit, terminal};

/// Answers and prints.
pub(crate) fn run(args: &PolicyArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let name = TargetName::parse(&args.target);
    let game = target::open(name.ruleset)?;
    let request = PolicyRequest {
        check: name.check.map(str::to_owned),
        settings: args.asked.settings(),
        by: args.by.clone(),
        queries: args.asked.queries.clone(),
        maximise: args.maximise.clone(),
    };
    let limits = args.cost.limits_on(args.running.parallel);
    let is_seen = args.running.shows_progress(true);
    let answer = spending(&limits, is_seen, || game.policy(&request, &limits))?;
    let title = game.title_of(&answer.check);
    let document = |form| policy_view::document(&title, &answer, form);
    match style {
        Style::View(form) => terminal::print(&document(form).terminal())?,
        Style::Csv => terminal::print_data(&policy::csv(&answer.decisions)?)?,
        Style::Json => terminal::print_answer(&PolicyOdds::of(&game, &answer))?,
        Style::Document(markup, form) => {
            terminal::print_data(document(form).markup(markup).as_bytes())?;
        }
    }
    Ok(exit::OK)
}
