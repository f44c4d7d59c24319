//! `oddsmith anydice`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use oddsmith::ask::DiceMode;

use super::shared::{Cost, Drawing};
use super::shown::Shown;

/// A program in the language of AnyDice, exactly
///
/// Answers every `output` of the program, with odds that are fractions of whole numbers. A limit of the language, such as
/// how often a die explodes, holds as it does there; what it cuts off is told, and `--explode-depth` goes on. What is read
/// otherwise than one would think: docs/anydice.md.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith anydice program.txt
  oddsmith anydice - < program.txt
  oddsmith anydice program.txt --format csv
  oddsmith anydice program.txt -o odds.svg           all outputs in one picture
  oddsmith anydice program.txt --to-ruleset my.toml      as rules")]
pub(crate) struct AnyDiceArgs {
    /// A file with the program; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,

    /// How often `[explode …]` rolls a die again [default: what the program sets, or 2]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32))]
    pub(crate) explode_depth: Option<u32>,

    /// How deep calls of functions may lie in one another [default: what the program sets, or 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32))]
    pub(crate) function_depth: Option<u32>,

    /// Write a ruleset to this file instead, with a check for each output that has a counterpart in it: a loop becomes an
    /// axis. Checks are held against the outputs before anything is written; of each other output it is said why it has
    /// none. `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "format", "form", "decimals"])]
    pub(crate) to_ruleset: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) drawing: Drawing,

    /// Which odds of each value are drawn
    #[arg(long, value_enum, default_value_t = ModeName::Exactly, requires = "output")]
    pub(crate) mode: ModeName,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// See [`DiceMode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeName {
    /// Those of the value itself
    Exactly,
    /// Those of the value or more
    AtLeast,
    /// Those of the value or less
    AtMost,
}

impl From<ModeName> for DiceMode {
    fn from(mode: ModeName) -> Self {
        match mode {
            ModeName::Exactly => Self::Exactly,
            ModeName::AtLeast => Self::AtLeast,
            ModeName::AtMost => Self::AtMost,
        }
    }
}
