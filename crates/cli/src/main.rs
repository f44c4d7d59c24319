//! `oddsmith`: exact odds for tabletop rules, on the command line.
//!
//! The binary is glue: it reads arguments, asks the libraries, and puts the answers into words. Data goes to
//! standard output and talk to standard error; [`exit`] says what a status means.

mod advice;
mod args;
mod commands;
mod document;
mod exit;
mod failure;
mod format;
mod gaps;
mod interrupt;
mod output;
mod picture;
mod progress;
mod target;
mod terminal;

use std::process::ExitCode;

use clap::Parser as _;
use oddsmith::{lengths, settings, shell_words};
use oddsmith_numbers::decimal as number;

use crate::args::{Args, Command};

/// Sweeps allocate small and often, on all threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = Args::parse_from(args::with_negative_dice(std::env::args_os()));
    terminal::set_color(args.color);
    match run(args.command) {
        Ok(status) => ExitCode::from(status),
        Err(error) => ExitCode::from(failure::report(&error)),
    }
}

/// Does what was asked; the status, or why it could not be answered.
fn run(command: Command) -> anyhow::Result<u8> {
    match command {
        Command::Odds(args) => commands::odds::run(&args),
        Command::Table(args) => commands::table::run(&args),
        Command::Dist(args) => commands::dist::run(&args),
        Command::Track(args) => commands::track::run(&args),
        Command::Contest(args) => commands::contest::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Balance(args) => commands::balance::run(&args),
        Command::Tune(args) => commands::tune::run(&args),
        Command::Policy(args) => commands::policy::run(&args),
        Command::Chart(args) => commands::chart::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Simulate(args) => commands::simulate::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Rules(args) => commands::rules::run(&args),
        Command::Completions { shell } => commands::shell::completions(shell),
        Command::Man => commands::shell::man(),
    }
}
