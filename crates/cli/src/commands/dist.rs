//! `oddsmith dist`: a dice expression.

use anyhow::Result;
use oddsmith::wire::{self, DiceOdds, Distribution, ExplainedDistribution};
use oddsmith::{Dice, Dist, Explanation, NamedAnswer};

use crate::args::{DistArgs, Style};
use crate::document::Medium;
use crate::format::{dist, dist_view, explain, outcomes};
use crate::{exit, failure, terminal};

/// Answers and prints: the queries if there are any, or else the whole distribution.
pub(crate) fn run(args: &DistArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let dice = Dice::parse(&args.expression.join(" "))?;
    failure::warn(&dice.warnings);
    if args.denying.refuses(&dice.warnings) {
        return Ok(exit::NO);
    }
    let limits = args.cost.limits();
    if args.explain {
        show_explanation(style, &dice.explain(&limits)?)?;
    } else if args.queries.is_empty() {
        show_all(style, &dice.text, &dice.distribution(&limits)?)?;
    } else {
        show_answers(style, &dice.text, &dice.answers(&args.queries, &limits)?)?;
    }
    Ok(exit::OK)
}

fn show_all(style: Style, expression: &str, whole: &Dist) -> Result<()> {
    match style {
        Style::View(form) => {
            let document = dist_view::document(expression, whole, form, Medium::Terminal);
            terminal::print(&document.terminal())?;
        }
        Style::Csv => dist::csv(whole).try_for_each(|piece| terminal::print_data(&piece))?,
        Style::Json => terminal::print_answer(&Distribution::of(expression, whole))?,
        Style::Document(markup, form) => {
            let document = dist_view::document(expression, whole, form, Medium::Page);
            terminal::print_data(document.markup(markup).as_bytes())?;
        }
    }
    Ok(())
}

fn show_explanation(style: Style, explanation: &Explanation) -> Result<()> {
    match style {
        Style::View(_) => terminal::print(&explain::document(explanation).terminal())?,
        Style::Csv => terminal::print_data(&explain::csv(explanation)?)?,
        Style::Json => terminal::print_answer(&ExplainedDistribution::from(explanation))?,
        Style::Document(markup, _) => {
            terminal::print_data(explain::document(explanation).markup(markup).as_bytes())?;
        }
    }
    Ok(())
}

fn show_answers(style: Style, expression: &str, lines: &[NamedAnswer]) -> Result<()> {
    match style {
        Style::View(form) => terminal::print(&outcomes::document(lines, form).terminal())?,
        Style::Csv => terminal::print_data(&outcomes::csv(lines, &dist::CUMULATIVE)?)?,
        Style::Json => terminal::print_answer(&DiceOdds {
            expression: expression.to_owned(),
            outcomes: wire::outcomes(lines),
        })?,
        Style::Document(markup, form) => {
            terminal::print_data(outcomes::document(lines, form).markup(markup).as_bytes())?;
        }
    }
    Ok(())
}
