//! `oddsmith odds`: one configuration.

use anyhow::Result;
use oddsmith::wire::Odds;
use oddsmith::{Limits, OddsRequest};

use crate::args::{OddsArgs, Style};
use crate::format::outcomes;
use crate::format::view::View;
use crate::target::{Target, Wanted};
use crate::{exit, failure, settings, terminal};

/// Answers and prints.
pub(crate) fn run(args: &OddsArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let target = Target::resolve(&args.target, Wanted::Check)?;
    if args.denying.refuses(&target.model().warnings) {
        return Ok(exit::NO);
    }
    let request = OddsRequest {
        check: Some(target.check.name.clone()),
        settings: args.asked.settings(),
        queries: args.asked.queries.clone(),
        maximise: args.striving.maximise.clone(),
    };
    let answer = target
        .game
        .odds(&request, &Limits::steps(args.cost.budget))?;
    match style {
        Style::View(form) => {
            let view = View {
                title: target.title(),
                settings: answer.check.describe(&answer.config),
                // The numbers are shown anyway.
                lines: match answer.has_means_only {
                    true => Vec::new(),
                    false => answer.outcomes,
                },
                observables: answer.numbers,
                form,
            };
            terminal::print(&view.document().terminal())?;
        }
        Style::Csv => terminal::print_data(&outcomes::csv(&answer.outcomes, &[])?)?,
        Style::Json => terminal::print_answer(&Odds::of(&target.game, &answer))?,
        Style::Document(markup, form) => {
            let document = outcomes::document(&answer.outcomes, form);
            terminal::print_data(document.markup(markup).as_bytes())?;
        }
    }
    if answer.has_vain_goal {
        failure::note(settings::NO_CHOICE);
    }
    Ok(exit::OK)
}
