//! `balance lint`.

use clap::{Args as ClapArgs, ValueEnum};
use oddsmith::lint::{self, Severity};

use super::parts::PrintedParting;
use super::shared::{Cost, Running};

/// What is odd about the odds: bands never reached, dead steps, cliffs
///
/// Every axis is moved through its values, and every open reading, beside the
/// axes that the ruleset sweeps; what is odd is told with the configurations that
/// show it, the most severe first and then what moves odds the most. All of it is
/// exact. Of a note the worst case is told; other formats have more. What is
/// meant to be so is accepted in the ruleset, with the reason:
///
///   [[accept]]
///   finding = "cliff/check/mood/band"
///   reason  = "A Mood is meant to cripple."
///
/// A part of an id may be `*`. An acceptance that meets no finding any more is
/// stale, and told as well.
#[derive(Debug, ClapArgs)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Rules:
  unreachable   warning  a band, a flag or a label never happens, or a flag
                         always does
  dead-axis     warning  an axis changes no odds; an error if nothing that is
                         shown depends on it
  dead-step     warning  steps of an axis change nothing, whatever else is set;
                         a note if not all could be looked at
  non-monotone  warning  odds rise and fall along an axis; of a mean, a note
  sign          warning  an axis raises odds here and lowers them there, or does
                         so under another reading, or a step of it undoes one of
                         another axis here and doubles it there; of a mean, of a
                         flag's readings and of names that mean the opposite
                         elsewhere, a note
  cliff         warning  one step moves a probability by more than --cliff
                         points
  dominated     warning  a label is never better than another one, and worse
                         somewhere; of the default, a note: it may stand for
                         doing nothing
  crossing      note     labels are each the best one somewhere
  plateau       note     by default an axis changes nothing from some value on
  asymmetric    note     a step up gains other than a step down loses, more so
                         than with a flat modifier
  reading       note     another reading of an open rule changes odds by more
                         than --change points

Examples:
  oddsmith balance lint pathfinder2e
  oddsmith balance lint action-checks:check --only non-monotone
  oddsmith balance lint stars-and-signs:check --only cliff --cliff 15 --all
  oddsmith balance lint mine.toml --deny note --format github  for CI

Exit status:
  0  nothing is found, or only notes and what is accepted
  1  something is found that --deny denies, or an acceptance is stale
  2  it could not be answered"
)]
pub(crate) struct LintArgs {
    /// A ruleset by name or path, and which of its checks or tracks; without a name all of them
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) target: String,

    /// Only findings whose id begins like this, such as `cliff` or `cliff/check/mood`; one that no id can have is an error; repeatable
    #[arg(long = "only", value_name = "ID-PREFIX")]
    pub(crate) only: Vec<String>,

    /// Show accepted findings too, with the reasons
    #[arg(long)]
    pub(crate) all: bool,

    /// A step that moves a probability by more than this is a cliff [default: 25]
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points)]
    pub(crate) cliff: Option<String>,

    /// A reading that changes a probability by more than this is told, or a mean by more than this many per cent of
    /// it; and so are opposite steps that differ by more [default: 5]
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, value_parser = points)]
    pub(crate) change: Option<String>,

    /// From what severity on the exit status is 1
    #[arg(long, value_enum, default_value_t = Deny::Warning, value_name = "SEVERITY")]
    pub(crate) deny: Deny,

    /// How to show what was found
    #[arg(long, value_enum, default_value_t = LintFormat::Text)]
    pub(crate) format: LintFormat,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) parting: PrintedParting,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// For whom it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// For reading
    Text,
    /// The same, and annotations on the lines of the ruleset, for GitHub Actions
    Github,
    /// Exact, for programs
    Json,
    /// For a comment on a pull request
    #[value(alias = "md")]
    Markdown,
}

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    /// Everything that is found
    Note,
    /// Warnings and errors
    Warning,
    /// Errors
    Error,
}

impl Deny {
    /// The least severity that is denied.
    pub(crate) fn severity(self) -> Severity {
        match self {
            Self::Note => Severity::Note,
            Self::Warning => Severity::Warning,
            Self::Error => Severity::Error,
        }
    }
}

/// Refuses what is no number of points.
fn points(text: &str) -> Result<String, String> {
    lint::points(text).map(|_| text.to_owned())
}
