//! `oddsmith simulate`: the dice rolled, and the exact odds held against what comes up.

mod broken;
mod numbers;
mod observer;
mod verdict;

use anyhow::Result;
use oddsmith::part::Job;
use oddsmith::simulation::{Simulation, SimulationRequest};
use oddsmith::wire::Simulated;
use oddsmith::{ContestRequest, Dice, Error, TargetName};

use crate::args::{AnswerFormat, SimulateArgs};
use crate::commands::contest;
use crate::document::Markup;
use crate::failure;
use crate::format::simulation::Run;
use crate::parting::{self, Work};
use crate::settings::NO_CHOICE;
use crate::target;
use crate::{exit, interrupt, terminal};

use observer::Watcher;

/// Rolls, compares and prints.
pub(crate) fn run(args: &SimulateArgs) -> Result<u8> {
    interrupt::listen()?;
    let mut simulation = match roll(args)? {
        Rolled::Simulation(simulation) => *simulation,
        Rolled::Part(status) => return Ok(status),
    };
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

/// What was rolled.
enum Rolled {
    Simulation(Box<Simulation>),
    /// A part, which is written: the status.
    Part(u8),
}

fn roll(args: &SimulateArgs) -> Result<Rolled> {
    let parting = &args.parting.parting;
    let limits = &args.cost.limits_on(args.running.parallel);
    let watcher = &mut Watcher::new(args.running.shows_progress(true));
    let Some(dice) = &args.dice else {
        let target = args.target.as_deref().unwrap_or_default();
        let name = TargetName::parse(target);
        let game = target::open(name.ruleset)?;
        let request = request(args, name.check);
        let work = parting.work(|| Job::of(&game, "simulation", &request))?;
        return Ok(match work {
            Work::All => Rolled::of(game.simulate(&request, limits, watcher)?),
            Work::Done(whole) => Rolled::of(game.simulate_merged(&request, whole, limits)?),
            Work::Part(job, number) => Rolled::Part(part(args, game.name(), |out| {
                game.simulate_part(&request, (&job, number), limits, watcher, out)
            })?),
        });
    };
    let dice = Dice::parse(dice)?;
    failure::warn(&dice.warnings);
    let request = request(args, None);
    let work = parting.work(|| Job::of_dice("simulation", &(&dice.text, &request)))?;
    Ok(match work {
        Work::All => Rolled::of(dice.simulate(&request, limits, watcher)?),
        Work::Done(whole) => Rolled::of(dice.simulate_merged(&request, whole, limits)?),
        Work::Part(job, number) => Rolled::Part(part(args, "", |out| {
            dice.simulate_part(&request, (&job, number), limits, watcher, out)
        })?),
    })
}

impl Rolled {
    fn of(simulation: Simulation) -> Self {
        Self::Simulation(Box::new(simulation))
    }
}

/// Rolls a part and writes it; the status.
fn part(
    args: &SimulateArgs,
    ruleset: &str,
    roll: impl FnOnce(Vec<u8>) -> Result<Option<Vec<u8>>, Error>,
) -> Result<u8> {
    let destination = parting::destination(args.parting.output.as_deref(), ruleset)?;
    parting::write_part(&destination, roll(Vec::new())?)
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
