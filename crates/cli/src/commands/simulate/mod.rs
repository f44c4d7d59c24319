//! `oddsmith simulate`: the dice rolled, and the exact odds held against what comes up.

mod broken;
mod numbers;
mod observer;
mod verdict;

use anyhow::Result;
use oddsmith::simulation::{Simulation, SimulationRequest};
use oddsmith::wire::Simulated;
use oddsmith::{ContestRequest, Dice, TargetName};

use crate::args::{AnswerFormat, SimulateArgs};
use crate::commands::contest;
use crate::document::Markup;
use crate::failure;
use crate::format::simulation::Run;
use crate::settings::NO_CHOICE;
use crate::target;
use crate::{exit, interrupt, terminal};

use observer::Watcher;

/// Rolls, compares and prints.
pub(crate) fn run(args: &SimulateArgs) -> Result<u8> {
    interrupt::listen()?;
    let mut simulation = roll(args)?;
    if !simulation.groups.is_empty() {
        print(args.format, &simulation)?;
        verdict::tell(Run(&simulation));
        if args.striving.maximise.is_some() && simulation.notes.choosing == 0 {
            failure::note(NO_CHOICE);
        }
    }
    let broken = std::mem::take(&mut simulation.notes.broken);
    Ok(match (broken::tell(broken), simulation.contrary()) {
        _ if simulation.is_interrupted => exit::INTERRUPTED,
        (Some(status), _) => status,
        (None, 0) => exit::OK,
        (None, _) => exit::NO,
    })
}

fn roll(args: &SimulateArgs) -> Result<Simulation> {
    let limits = &args.cost.limits_on(args.running.parallel);
    let watcher = &mut Watcher::new(args.running.shows_progress(true));
    let Some(dice) = &args.dice else {
        let target = args.target.as_deref().unwrap_or_default();
        let name = TargetName::parse(target);
        let game = target::open(name.ruleset)?;
        let request = request(args, name.check);
        return Ok(game.simulate(&request, limits, watcher)?);
    };
    let dice = Dice::parse(dice)?;
    failure::warn(&dice.warnings);
    Ok(dice.simulate(&request(args, None), limits, watcher)?)
}

fn request(args: &SimulateArgs, check: Option<&str>) -> SimulationRequest {
    let check = check.map(str::to_owned);
    let sides = args.sides.is_given().then(|| ContestRequest {
        check: check.clone(),
        ..contest::request(&args.sides, &args.asked.sets)
    });
    SimulationRequest {
        check,
        sides,
        settings: args.asked.settings(),
        sweeps: args.sweeps.clone(),
        queries: args.asked.queries.clone(),
        maximise: args.striving.maximise.clone(),
        trials: args.trials,
        until_error: args.until_error,
        seed: args.seed,
        level: args.level,
        rounds: args.rounds,
        is_rolled_only: args.no_exact,
    }
}

fn print(format: AnswerFormat, simulation: &Simulation) -> Result<()> {
    let run = Run(simulation);
    match format {
        AnswerFormat::Table => terminal::print(&run.document().terminal())?,
        AnswerFormat::Csv => terminal::print_data(&run.csv()?)?,
        AnswerFormat::Json => terminal::print_answer(&Simulated::of(simulation))?,
        AnswerFormat::Markdown => {
            terminal::print_data(run.document().markup(Markup::Markdown).as_bytes())?;
        }
        AnswerFormat::Bbcode => {
            terminal::print_data(run.document().markup(Markup::Bbcode).as_bytes())?;
        }
    }
    Ok(())
}
