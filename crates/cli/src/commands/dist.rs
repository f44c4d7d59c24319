//! `oddsmith dist`: dice expressions, and values of checks.

use anyhow::Result;
use oddsmith::ask::DiceMode;
use oddsmith::wire::{
    self, DiceOdds, Distribution, Distributions, ExplainedDistribution, ValueDistribution,
};
use oddsmith::{Check, Dist, Explanation, Limits, NamedAnswer, TrackRequest};

use crate::advice::Advice;
use crate::args::{DistArgs, Style};
use crate::document::Medium;
use crate::format::side_by_side::Named;
use crate::format::words::Form;
use crate::format::{dist, dist_view, explain, outcomes, side_by_side, values_view};
use crate::rolled::{Asked, Rolled, Values};
use crate::{exit, failure, rolled, terminal};

/// Answers and prints: the queries if there are any, or else the whole distribution, or several side by side.
pub(crate) fn run(args: &DistArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let limits = args.cost.limits();
    let asked = Asked {
        sets: &args.sets,
        maximise: args.striving.maximise.as_deref(),
        horizon: args.horizon,
    };
    let rolled = rolled::read(&args.expression, &asked, &limits)?;
    for rolled in &rolled {
        if let Rolled::Dice(dice) = rolled {
            failure::warn(&dice.warnings);
            if args.denying.refuses(&dice.warnings) {
                return Ok(exit::NO);
            }
        }
    }
    match rolled.as_slice() {
        [Rolled::Dice(dice)] if args.explain => show_explanation(style, &dice.explain(&limits)?)?,
        [Rolled::Dice(dice)] if args.queries.is_empty() => {
            show_all(style, &dice.text, &dice.distribution(&limits)?)?;
        }
        [Rolled::Dice(dice)] => {
            let lines = dice.answers(&args.queries, &limits)?;
            show_answers(style, (&dice.text, &dice.check), &lines)?;
        }
        [Rolled::Values(values)]
            if values.is_endless_sum() && !args.queries.is_empty() && !args.explain =>
        {
            let track = values.game.track(
                &TrackRequest {
                    queries: args.queries.clone(),
                    ..TrackRequest::default()
                },
                &limits,
            )?;
            let expression = (values.text.as_str(), &values.answer.check);
            show_answers(style, expression, &track.answers()?)?;
        }
        several => {
            refuse_options(args, several)?;
            match several {
                [Rolled::Values(values)] => show_values(style, values)?,
                several => show_several(style, several, &limits)?,
            }
        }
    }
    Ok(exit::OK)
}

/// What one dice expression alone is asked.
fn refuse_options(args: &DistArgs, rolled: &[Rolled]) -> Result<()> {
    let option = match (args.explain, args.queries.first()) {
        (true, _) => "--explain".to_owned(),
        (_, Some(query)) => format!("--query {query}"),
        _ => return Ok(()),
    };
    let message = format!("`{option}` asks about one dice expression");
    let help = match rolled {
        [Rolled::Values(values)] if values.is_dice && args.explain => {
            "dice that explode without an end are found in another way".to_owned()
        }
        [Rolled::Values(values)] if values.is_dice => format!(
            "of dice without an end that are not added up, the odds of a condition are asked for as dice: `oddsmith dist '({}) >= 30'`",
            values.text
        ),
        [Rolled::Values(values)] => {
            let (check, game) = (&values.answer.check, values.game.name());
            let command = match check.rounds {
                Some(_) => "a track with `oddsmith track",
                None => "a check with `oddsmith odds",
            };
            format!("ask {command} {game}:{} --query …`", check.name)
        }
        _ => "ask about each by itself".to_owned(),
    };
    Err(Advice::error(message, help))
}

fn show_values(style: Style, values: &Values) -> Result<()> {
    let (title, answer) = (values.title(), &values.answer);
    match style {
        Style::View(form) => {
            let document = values_view::document(&title, answer, form, Medium::Terminal);
            terminal::print(&document.terminal())?;
        }
        Style::Csv => terminal::print_data(&values_view::csv(answer)?)?,
        Style::Json => terminal::print_answer(&ValueDistribution::of(&values.game, answer))?,
        Style::Document(markup, form) => {
            let document = values_view::document(&title, answer, form, Medium::Page);
            terminal::print_data(document.markup(markup).as_bytes())?;
        }
    }
    Ok(())
}

fn show_several(style: Style, rolled: &[Rolled], limits: &Limits) -> Result<()> {
    let named: Result<Vec<Named>> = rolled.iter().map(|rolled| rolled.number(limits)).collect();
    let named = named?;
    match style {
        Style::View(form) => print_side_by_side(&named, DiceMode::Exactly, form)?,
        Style::Csv => {
            for piece in side_by_side::csv(&named) {
                terminal::print_piece(&piece?)?;
            }
        }
        Style::Json => {
            let each = named
                .iter()
                .map(|(name, dist)| Distribution::of(name, dist));
            let distributions = each.collect();
            terminal::print_answer(&Distributions { distributions })?;
        }
        Style::Document(markup, form) => {
            let document = side_by_side::document(&named, DiceMode::Exactly, form, Medium::Page);
            terminal::print_data(document.markup(markup).as_bytes())?;
        }
    }
    Ok(())
}

/// Several distributions of numbers, for a terminal.
pub(crate) fn print_side_by_side(named: &[Named], mode: DiceMode, form: Form) -> Result<()> {
    let document = side_by_side::document(named, mode, form, Medium::Terminal);
    Ok(terminal::print(&document.terminal())?)
}

fn show_all(style: Style, expression: &str, whole: &Dist) -> Result<()> {
    match style {
        Style::View(form) => {
            let document = dist_view::document(expression, whole, form, Medium::Terminal);
            terminal::print(&document.terminal())?;
        }
        Style::Csv => dist::csv(whole).try_for_each(|piece| terminal::print_piece(&piece))?,
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

fn show_answers(
    style: Style,
    (expression, check): (&str, &Check),
    lines: &[NamedAnswer],
) -> Result<()> {
    match style {
        Style::View(form) => terminal::print(&outcomes::document(lines, form).terminal())?,
        Style::Csv => terminal::print_data(&outcomes::csv(lines, &dist::CUMULATIVE)?)?,
        Style::Json => terminal::print_answer(&DiceOdds {
            expression: expression.to_owned(),
            outcomes: wire::outcomes(check, lines),
        })?,
        Style::Document(markup, form) => {
            terminal::print_data(outcomes::document(lines, form).markup(markup).as_bytes())?;
        }
    }
    Ok(())
}
