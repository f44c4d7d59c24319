//! `fuzzing`: runs targets on inputs that nobody would write. See `README.md`.

mod runs;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

/// Feeds Oddsmith inputs that nobody would write.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Tries inputs until the time is over, each target as long as any other; what is found is written to a directory.
    Run(RunArguments),
    /// Tries the inputs of a range, in this process; prints what is wrong.
    Try(TryArguments),
    /// Tries one file.
    File {
        /// The target.
        target: String,
        /// The input.
        path: PathBuf,
    },
    /// Writes an input to standard output.
    Show(TryArguments),
}

/// What a run is told.
#[derive(Args)]
struct RunArguments {
    /// Seconds for all targets together.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Inputs of each target at the most.
    #[arg(long, default_value_t = u64::MAX)]
    count: u64,
    /// The seed of all inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One target only.
    #[arg(long)]
    target: Option<String>,
    /// Processes at once.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// How many times slower than a release this build may be.
    #[arg(long, default_value_t = 1)]
    slack: u32,
    /// Where what is found is written.
    #[arg(long, default_value = "fuzzing/found")]
    found: PathBuf,
}

/// Which inputs are tried.
#[derive(Args)]
struct TryArguments {
    /// The target.
    target: String,
    /// The seed.
    #[arg(long)]
    seed: u64,
    /// The number of the first input.
    #[arg(long)]
    first: u64,
    /// How many at the most.
    #[arg(long, default_value_t = 1)]
    count: u64,
    /// Seconds at the most.
    #[arg(long, default_value_t = u64::MAX)]
    seconds: u64,
    /// How many times slower than a release this build may be.
    #[arg(long, default_value_t = 1)]
    slack: u32,
    /// A file that is told the number of the input that is tried.
    #[arg(long)]
    state: Option<PathBuf>,
}

fn main() -> Result<ExitCode> {
    match Arguments::parse().command {
        Command::Run(arguments) => runs::run(&arguments),
        Command::Try(arguments) => runs::try_range(&arguments),
        Command::File { target, path } => runs::try_file(&target, &path),
        Command::Show(arguments) => runs::show(&arguments),
    }
}
