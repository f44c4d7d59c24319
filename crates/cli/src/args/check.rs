//! `check`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use oddsmith::project;

use super::parts::PrintedParting;
use super::shared::{Cost, Running};

/// Whether any odds moved since they were accepted
///
/// The baseline has the exact odds of every check and track of a ruleset, as they were when they were last accepted: over
/// its default sweep, and of probes, configurations beyond it that move every input and reach every branch of the script.
/// They are computed again and compared, as fractions: what differs is told with its causes, such as a parameter that was changed, then configuration by
/// configuration, the largest difference first. What has a new value on purpose is accepted with `--update`, and the
/// baseline's difference in version control shows what that did. The expectations of each ruleset, `[[expect]]`, are
/// looked at too.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
What is checked stands in oddsmith.toml, in this directory or one above it:
  rulesets   = [\"rules\"]       files, or directories of them
  baseline   = \"accepted\"      where the accepted odds are [default: reports]
  tolerance  = 0.5             no drift up to here [default: 0]: points of a
                               probability, units of a mean
  [tolerances]
  \"mean(total)\" = 0.01         the same for one column

Examples:
  oddsmith check                                what oddsmith.toml says
  oddsmith check --update                       accept the odds as they are now
  oddsmith check mine.toml --baseline accepted  without oddsmith.toml
  oddsmith check --tolerance 0.1 --all          every difference above that
  oddsmith check --format junit > odds.xml      for CI; also github and others

Exit status:
  0  all odds are as accepted
  1  odds moved, tables are new or gone, an expectation fails, or a baseline has
     no ruleset
  2  there is no baseline, it or a ruleset can't be read, or an expectation
     can't be told")]
pub(crate) struct CheckArgs {
    /// Rulesets, or directories of them [default: what oddsmith.toml says]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// The directory of the accepted odds [default: what oddsmith.toml says, or reports]
    #[arg(long, value_name = "DIR")]
    pub(crate) baseline: Option<PathBuf>,

    /// Accept the odds as they are now: writes the baseline, all of it or nothing, and says what moved
    #[arg(long)]
    pub(crate) update: bool,

    /// The largest difference that is no drift: in points of a probability (0.5 is from 20 % to 20.5 %), in units
    /// of a mean; in place of all tolerances of oddsmith.toml
    #[arg(long, value_name = "T", allow_hyphen_values = true, value_parser = parse_tolerance)]
    pub(crate) tolerance: Option<String>,

    /// Show every difference, not only the largest of each table
    #[arg(long)]
    pub(crate) all: bool,

    /// How to show what moved
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,

    /// Read this in place of the nearest oddsmith.toml
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) parting: PrintedParting,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// For whom it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For reading
    Text,
    /// The same, and annotations on the lines of the rulesets, for GitHub Actions
    Github,
    /// For CI: a test suite for each ruleset, a test case for each table
    Junit,
    /// Exact, for programs
    Json,
    /// For a comment on a pull request
    #[value(alias = "md")]
    Markdown,
}

/// A tolerance as it was typed, if it is one.
fn parse_tolerance(text: &str) -> Result<String, String> {
    match project::tolerance(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("not a number from 0 on, such as 0.5".to_owned()),
    }
}
