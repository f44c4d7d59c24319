//! `oddsmith balance plan`: when to spend what.

mod picture;

use anyhow::Result;
use oddsmith::wire::{PlanOdds, TrackPlanOdds};
use oddsmith::{Game, PlanAnswer, PlanRequest, Settings, TrackPlan};

use crate::args::{PlanArgs, Style};
use crate::format::{plan, plan_view, policy, track_plan_view};
use crate::progress::spending;
use crate::target::{self, TargetName};
use crate::{exit, terminal};

/// Answers and prints, or draws.
pub(crate) fn run(args: &PlanArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let file = args.drawing.file()?;
    let name = TargetName::parse(&args.target);
    let game = target::open(name.ruleset)?;
    if let Some(file) = &file {
        target::protect(game.name(), &file.destination)?;
    }
    let limits = args.cost.limits_on(args.running.parallel);
    let (request, is_seen) = (request(args, name.check), args.running.shows_progress(true));
    if game.plans_track(&request)? {
        let plan = spending(&limits, is_seen, || game.plan_track(&request, &limits))?;
        match file {
            Some(file) => file.write(&picture::of_track(&plan), args.drawing.look)?,
            None => print_track(style, &game, &plan)?,
        }
        return Ok(exit::OK);
    }
    let answer = spending(&limits, is_seen, || game.plan(&request, &limits))?;
    match file {
        Some(file) => file.write(&picture::figure(&answer), args.drawing.look)?,
        None => print(style, &game, &answer)?,
    }
    Ok(exit::OK)
}

fn request(args: &PlanArgs, check: Option<&str>) -> PlanRequest {
    PlanRequest {
        check: check.map(str::to_owned),
        checks: args.checks,
        pool: args.pool.clone(),
        each: args.each.clone(),
        settings: Settings::parse("--set", &args.sets),
        resource: args.resource.clone(),
        axis: args.axis.clone(),
        spent: args.spent.clone(),
        policy: args.policy.clone(),
        utility: args.utility.clone(),
    }
}

fn print(style: Style, game: &Game, answer: &PlanAnswer) -> Result<()> {
    match style {
        Style::View(form) => terminal::print(&plan_view::document(answer, form).terminal())?,
        Style::Csv => terminal::print_data(&plan::csv(answer)?)?,
        Style::Json => terminal::print_answer(&PlanOdds::of(game, answer))?,
        Style::Document(markup, form) => {
            terminal::print_data(plan_view::document(answer, form).markup(markup).as_bytes())?;
        }
    }
    Ok(())
}

fn print_track(style: Style, game: &Game, plan: &TrackPlan) -> Result<()> {
    let document = |form| track_plan_view::document(plan, form);
    match style {
        Style::View(form) => terminal::print(&document(form).terminal())?,
        Style::Csv => terminal::print_data(&policy::csv(&plan.decisions)?)?,
        Style::Json => terminal::print_answer(&TrackPlanOdds::of(game, plan))?,
        Style::Document(markup, form) => {
            terminal::print_data(document(form).markup(markup).as_bytes())?;
        }
    }
    Ok(())
}
