//! `oddsmith balance value`: what one step of each lever is worth.

mod picture;

use anyhow::Result;
use oddsmith::part::Job;
use oddsmith::wire::StepValues;
use oddsmith::{Game, Limits, Valuation, ValueRequest};

use crate::advice::Advice;
use crate::args::{Style, ValueArgs};
use crate::format::{value as format, value_view};
use crate::parting::{self, Work};
use crate::progress::spending;
use crate::target::{self, TargetName};
use crate::{exit, failure, terminal};

/// Answers and prints, or draws.
pub(crate) fn run(args: &ValueArgs) -> Result<u8> {
    let style = args.shown.style()?;
    refuse_odds(style)?;
    let name = TargetName::parse(&args.target);
    let game = target::open(name.ruleset)?;
    let request = request(args, name.check);
    let work = args.parting.work(|| Job::of(&game, "value", &request))?;
    let limits = &work.limits(args.cost.limits_on(args.running.parallel))?;
    if let Work::Part(job, number) = work {
        let destination = parting::destination(args.drawing.output.as_deref(), game.name())?;
        let part = game.value_part(&request, (&job, number), limits, Vec::new())?;
        return parting::write_part(&destination, Some(part));
    }
    let is_seen = args.running.shows_progress(true);
    let file = args.drawing.file()?;
    if let Some(file) = &file {
        target::protect(game.name(), &file.destination)?;
    }
    if file.is_none() && style == Style::Csv {
        let (valuation, rows) = spending(limits, is_seen, || rows(&game, &request, limits))?;
        tell(&valuation);
        terminal::print_data(&[format::csv_head(&valuation)?, rows].concat())?;
        return Ok(exit::OK);
    }
    let valuation = spending(limits, is_seen, || game.value(&request, limits))?;
    tell(&valuation);
    match file {
        Some(file) => file.write(&picture::figure(&valuation)?, args.drawing.look)?,
        None => print(style, &game, &valuation)?,
    }
    Ok(exit::OK)
}

fn request(args: &ValueArgs, check: Option<&str>) -> ValueRequest {
    ValueRequest {
        check: check.map(str::to_owned),
        settings: args.asked.settings(),
        queries: args.asked.queries.clone(),
        sweeps: args.sweeps.clone(),
        levers: args.levers.clone(),
        at: args.at.clone(),
    }
}

/// Every step in every configuration as CSV.
fn rows(game: &Game, request: &ValueRequest, limits: &Limits) -> Result<(Valuation, Vec<u8>)> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut written = Ok(());
    let valuation = game.value_each(request, limits, &mut |valued| {
        if written.is_ok() {
            written = format::csv_row(valued, &mut writer);
        }
    })?;
    written?;
    Ok((valuation, writer.into_inner()?))
}

/// What is worth knowing beside the answer.
fn tell(valuation: &Valuation) {
    for words in &valuation.notes {
        failure::note(words);
    }
}

fn print(style: Style, game: &Game, valuation: &Valuation) -> Result<()> {
    match style {
        Style::View(form) => {
            terminal::print(&value_view::document(valuation, form).terminal())?;
        }
        Style::Csv => unreachable!("its rows are written as they are valued"),
        Style::Json => terminal::print_answer(&StepValues::of(game, valuation))?,
        Style::Document(markup, form) => {
            let document = value_view::document(valuation, form).markup(markup);
            terminal::print_data(document.as_bytes())?;
        }
    }
    Ok(())
}

/// Differences are no chances of anything, so neither one in so many nor so many of so many rolls.
fn refuse_odds(style: Style) -> Result<()> {
    match style {
        Style::View(form) | Style::Document(_, form) if form != form.of_differences() => {
            let message = "`--as` has no use here: a change is told in points, or in decimals";
            Err(Advice::error(message, "drop it, or write `--as decimal`"))
        }
        _ => Ok(()),
    }
}
