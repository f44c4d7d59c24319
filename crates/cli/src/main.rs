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
mod inline;
mod interrupt;
mod output;
mod picture;
mod progress;
mod rolled;
mod target;
mod terminal;
mod words;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;
use oddsmith::{lengths, settings, shell_words};
use oddsmith_numbers::decimal as number;

use crate::args::{Args, Command};

/// Sweeps allocate small and often, on all threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if std::env::args_os().len() < 2 {
        terminal::tell(args::FIRST_STEPS);
        return ExitCode::from(exit::FAILED);
    }
    let words = words::with_negative_dice(std::env::args_os());
    let args = match Args::try_parse_from(&words) {
        Ok(args) => args,
        Err(error) => return refused(&error, &words),
    };
    terminal::set_color(args.color);
    match run(args.command) {
        Ok(status) => ExitCode::from(status),
        Err(error) => ExitCode::from(failure::report(&error)),
    }
}

/// Says what is wrong with the arguments, or what was asked of them; the status.
fn refused(error: &clap::Error, words: &[OsString]) -> ExitCode {
    // Where that can't be written nobody reads it.
    let _ = error.print();
    if error.kind() == ErrorKind::UnknownArgument {
        terminal::tell(&words::joined(words).unwrap_or_default());
    }
    match error.exit_code() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(exit::FAILED),
    }
}

/// Does what was asked; the status, or why it could not be answered.
fn run(command: Command) -> anyhow::Result<u8> {
    match command {
        Command::Odds(args) => commands::odds::run(&args),
        Command::Table(args) => commands::table::run(&args),
        Command::Dist(args) => commands::dist::run(&args),
        Command::Anydice(args) => commands::anydice::run(&args),
        Command::Track(args) => commands::track::run(&args),
        Command::Contest(args) => commands::contest::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Balance(args) => commands::balance::run(&args),
        Command::Tune(args) => commands::tune::run(&args),
        Command::Policy(args) => commands::policy::run(&args),
        Command::Chart(args) => commands::chart::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Lsp(args) => commands::lsp::run(&args),
        Command::Simulate(args) => commands::simulate::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Rules(args) => commands::rules::run(&args),
        Command::New(args) => commands::new::run(&args),
        Command::Completions { shell } => commands::shell::completions(shell),
        Command::Man => commands::shell::man(),
    }
}
