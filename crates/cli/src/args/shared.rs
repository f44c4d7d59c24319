//! What several commands ask alike.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};
use oddsmith_rules::Diagnostics;

use super::{Look, Progress};
use crate::picture::PictureFile;
use crate::{failure, terminal};

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
    output: Option<PathBuf>,

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
