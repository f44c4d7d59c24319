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
mod parting;
mod picture;
mod progress;
mod rolled;
mod target;
mod terminal;
mod words;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, FromArgMatches as _};
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
    let asked = match Asked::parse(&words) {
        Ok(asked) => asked,
        Err(error) => return refused(error, &words),
    };
    terminal::set_color(asked.color);
    match run(asked.command) {
        Ok(status) => ExitCode::from(status),
        Err(error) => ExitCode::from(failure::report(&error)),
    }
}

/// What was asked.
struct Asked {
    command: Command,
    color: terminal::Color,
    /// The words by which parts of it are asked for; none of a command that has no parts.
    words: Vec<String>,
}

impl Asked {
    /// The words as arguments, the first of which is the name of the program.
    fn parse(words: &[OsString]) -> Result<Self, clap::Error> {
        let matches = Args::command().try_get_matches_from(words)?;
        let args = Args::from_arg_matches(&matches);
        let mut args = args.map_err(|error| error.format(&mut Args::command()))?;
        let mut own = Vec::new();
        if let Some(parting) = args.command.parting_mut() {
            own = parting::words(&Args::command(), &matches);
            parting.command.clone_from(&own);
        }
        Ok(Self {
            command: args.command,
            color: args.color,
            words: own,
        })
    }
}

/// The command whose parts say that these words ask for them.
///
/// # Errors
/// If they don't.
fn asked(words: &[String]) -> anyhow::Result<Asked> {
    let name = std::iter::once(OsString::from("oddsmith"));
    let words: Vec<OsString> = name.chain(words.iter().map(OsString::from)).collect();
    let none = || {
        let message = "the parts do not say which command puts them together";
        advice::Advice::error(
            message,
            "put them together with what has made them, as in Python",
        )
    };
    let mut asked = Asked::parse(&words).map_err(|error| match words.len() {
        1 => none(),
        _ => error.into(),
    })?;
    match asked.command.parting_mut() {
        Some(_) => Ok(asked),
        None => Err(none()),
    }
}

/// Says what is wrong with the arguments, or what was asked of them; the status.
fn refused(mut error: clap::Error, words: &[OsString]) -> ExitCode {
    let option = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if words::is_option(option) => option.clone(),
        _ => String::new(),
    };
    // An option is hardly ever meant as a value: `-- --sweep` leads nowhere.
    if error.kind() == ErrorKind::UnknownArgument && !option.is_empty() {
        error.remove(ContextKind::Suggested);
        let is_known =
            words::is_setting_of(words, &option) || words::is_called_otherwise(words, &option);
        if is_known {
            error.remove(ContextKind::SuggestedArg);
            error.remove(ContextKind::Usage);
        }
    }
    if words::elsewhere(words).is_some() {
        error.remove(ContextKind::SuggestedSubcommand);
    }
    if error.use_stderr() {
        let text = error.render().ansi().to_string();
        failure::tell(&text.replace("\n\n\n", "\n\n"));
    } else {
        // Where that can't be written nobody reads it.
        let _ = error.print();
    }
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let meant = words::joined(words).or_else(|| words::setting_alone(words));
            let check = || words::check_alone(words).filter(|_| option.is_empty());
            let meant = meant.or_else(check);
            let is_like_another = error.get(ContextKind::SuggestedArg).is_some();
            let option = || words::option_meant(words, &option, is_like_another);
            failure::tell(&meant.unwrap_or_else(option));
        }
        ErrorKind::InvalidSubcommand | ErrorKind::ArgumentConflict => {
            let is_unknown = error.kind() == ErrorKind::InvalidSubcommand;
            let known = || is_unknown.then(|| words::commands(words));
            failure::tell(&words::elsewhere(words).or_else(known).unwrap_or_default());
        }
        _ => {}
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
        Command::Merge(args) => commands::merge::run(&args, run),
        Command::Rules(args) => commands::rules::run(&args),
        Command::New(args) => commands::new::run(&args),
        Command::Completions { shell } => commands::shell::completions(shell),
        Command::Man => commands::shell::man(),
    }
}
