//! What several commands ask alike.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};
use oddsmith::{Limits, Settings};
use oddsmith_rules::Diagnostics;

use super::parse::parse_steps;
use crate::picture::{Look, PictureFile};
use crate::{failure, terminal};

/// Steps that a question may cost unless `--budget` says otherwise: ten seconds, or 1 GB of memory.
pub(crate) const DEFAULT_BUDGET: u64 = Limits::STEPS;

/// What is asked, and in which configuration.
#[derive(Debug, ClapArgs)]
pub(crate) struct Question {
    /// Set an axis or parameter, such as circ_boons=2; repeatable, the last one of a name wins
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) sets: Vec<String>,

    /// Ask more: a band or flag, `P(total>=15)`, `P(net==0|actor>0)`, `mean(total)`, of a track
    /// `P(rolls<=5)`; repeatable
    #[arg(long = "query", value_name = "QUERY")]
    pub(crate) queries: Vec<String>,
}

impl Question {
    /// What is set.
    pub(crate) fn settings(&self) -> Settings {
        Settings::parse("--set", &self.sets)
    }
}

/// Two sides of a contest.
#[derive(Debug, ClapArgs)]
pub(crate) struct Sides {
    /// Set axes or parameters of side A, such as ability_rank=6,skill_rank=3; repeatable
    #[arg(long = "a", value_name = "NAME=VALUE,…")]
    pub(crate) a: Vec<String>,

    /// Set axes or parameters of side B
    #[arg(long = "b", value_name = "NAME=VALUE,…")]
    pub(crate) b: Vec<String>,

    /// What side B does, if not the same as side A: another check of the ruleset
    #[arg(long, value_name = "CHECK")]
    pub(crate) against: Option<String>,

    /// What is compared, in place of what the ruleset says: a number, or a label such as `band`
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) compare: Option<String>,

    /// What a tie means [default: what the ruleset says]
    #[arg(long, value_enum)]
    pub(crate) ties: Option<TieRule>,
}

impl Sides {
    /// Whether anything is said of a contest.
    pub(crate) fn is_given(&self) -> bool {
        let Self {
            a,
            b,
            against,
            compare,
            ties,
        } = self;
        !a.is_empty() || !b.is_empty() || against.is_some() || compare.is_some() || ties.is_some()
    }
}

/// What an answer may cost.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Cost {
    /// Refuse what would need more steps than this, `verify` in all; `check`, `report` and `balance lint` in all ten times
    /// as many. A step is a nanosecond; of memory, ten are a byte: 1e10 is ten seconds, or 1 GB
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true, default_value = "1e10", value_parser = parse_steps)]
    pub(crate) budget: u64,
}

impl Cost {
    /// What a question may cost, on one thread per core.
    pub(crate) fn limits(self) -> Limits {
        Limits::steps(self.budget)
    }

    /// What it may cost, on so many threads.
    pub(crate) fn limits_on(self, parallel: Parallel) -> Limits {
        Limits {
            threads: parallel.threads,
            ..self.limits()
        }
    }
}

/// See [`oddsmith_rules::Ties`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TieRule {
    /// Both roll again
    Reroll,
    /// Both have won
    Both,
    /// Side B has won
    Defender,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    Auto,
    Never,
}

/// How much of the machine is used.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Parallel {
    /// Threads to use [default: one per core]; the result is the same for any number
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parse_threads)]
    pub(crate) threads: Option<u16>,
}

/// What becomes of warnings about a ruleset: what is legal in it, but hardly meant.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Denying {
    /// Answer nothing, with exit status 1, if the ruleset has warnings
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Denied>,
}

impl Denying {
    /// Whether a ruleset with these warnings is refused; says so if it is.
    pub(crate) fn refuses(self, warnings: &Diagnostics) -> bool {
        let is_refused = self.deny.is_some() && !warnings.0.is_empty();
        if is_refused {
            failure::denied(warnings.0.len());
        }
        is_refused
    }
}

/// What is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Denied {
    /// All warnings
    Warnings,
}

/// The same of what may take long.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Running {
    #[command(flatten)]
    pub(crate) parallel: Parallel,

    /// Whether to show progress, on a terminal
    #[arg(long, value_enum, default_value_t = Progress::Auto, value_name = "WHEN")]
    progress: Progress,
}

impl Running {
    /// Whether progress is shown, if the answer goes elsewhere than to the terminal or not.
    pub(crate) fn shows_progress(self, is_elsewhere: bool) -> bool {
        self.progress == Progress::Auto && terminal::shows_progress(is_elsewhere)
    }
}

/// What choices strive for.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Striving {
    /// Choose so that the mean of this is the greatest, in place of what the ruleset says
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) maximise: Option<String>,
}

/// An answer as a picture.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct Drawing {
    /// Draw the answer to this file instead, whole or not at all; .svg or .png says as what. `-` is standard output,
    /// as SVG
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["format", "form", "decimals"])]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) look: Look,
}

impl Drawing {
    /// The file, if there is to be one.
    ///
    /// # Errors
    /// As [`PictureFile::of`].
    pub(crate) fn file(&self) -> Result<Option<PictureFile>> {
        self.output.as_deref().map(PictureFile::of).transpose()
    }
}

/// A number of threads.
fn parse_threads(text: &str) -> Result<u16, String> {
    let threads = text.parse().ok();
    threads
        .filter(|threads| (1..=1024).contains(threads))
        .ok_or_else(|| "not a number of threads from 1 to 1024".to_owned())
}
