//! `oddsmith odds`: one configuration.

use anyhow::Result;
use oddsmith::OddsRequest;
use oddsmith::wire::Odds;

use crate::args::{OddsArgs, Style};
use crate::format::outcomes;
use crate::format::view::{self, OddsView};
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
    let limits = &args.cost.limits();
    let answer = target.game.odds(&request, limits)?;
    let has_vain_goal = answer.has_vain_goal;
    match style {
        Style::View(form) => {
            let view = OddsView {
                title: target.title(),
                settings: answer.check.tell(&answer.config),
                observables: view::told(&answer.check, answer.numbers(limits)?),
                lines: outcomes::told(&answer.check, answer.outcomes),
                form,
            };
            terminal::print(&view.document().terminal())?;
        }
        Style::Csv => {
            let lines = answer.or_means(limits)?.outcomes;
            terminal::print_data(&outcomes::csv(&lines, &[])?)?;
        }
        Style::Json => {
            let answer = answer.or_means(limits)?;
            terminal::print_answer(&Odds::of(&target.game, &answer))?;
        }
        Style::Document(markup, form) => {
            let answer = answer.or_means(limits)?;
            let numbers = view::told(&answer.check, answer.numbers(limits)?);
            let lines = outcomes::told(&answer.check, answer.outcomes);
            let mut document = outcomes::document(&lines, form);
            document.push(view::numbers(&numbers));
            terminal::print_data(document.markup(markup).as_bytes())?;
        }
    }
    if has_vain_goal {
        failure::note(settings::NO_CHOICE);
    }
    Ok(exit::OK)
}
