//! `balance`.

use clap::{Args as ClapArgs, Subcommand};

use super::lint::LintArgs;
use super::parts::Parting;
use super::plan::PlanArgs;
use super::shared::{Cost, Drawing, Question, Running};
use super::shown::Shown;

/// What steps are worth, what is odd, and when to spend what
///
/// Without a command it is `oddsmith balance value`.
#[derive(Debug, ClapArgs)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
Examples:
  oddsmith balance stars-and-signs
  oddsmith balance stars-and-signs --set ability_rank=6 --set skill_rank=3
  oddsmith balance value --help              all about what a step is worth
  oddsmith balance lint action-checks:check  what is odd about a ruleset's odds
  oddsmith balance plan stars-and-signs      when to spend Effort"
)]
pub(crate) struct BalanceArgs {
    #[command(subcommand)]
    pub(crate) command: Option<BalanceCommand>,

    #[command(flatten)]
    pub(crate) value: Option<ValueArgs>,
}

impl BalanceArgs {
    /// Which part of the work is done, of a command that can do it in parts.
    pub(crate) fn parting_mut(&mut self) -> Option<&mut Parting> {
        match (&mut self.command, &mut self.value) {
            (Some(BalanceCommand::Value(args)), _) | (None, Some(args)) => Some(&mut args.parting),
            (Some(BalanceCommand::Lint(args)), _) => Some(&mut args.parting.parting),
            _ => None,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum BalanceCommand {
    Value(ValueArgs),
    Lint(LintArgs),
    Plan(PlanArgs),
}

/// What a step is worth: a Boon, a rank, a larger die
///
/// Every axis and parameter is a lever. For each there is what one step changes: how often each band is reached, in
/// points; the means of the number behind the bands and of all others that are shown; and the flat modifier that does the same, which is the x for which
/// base + x reaches the band's threshold as often as the changed roll does, between whole numbers by linear
/// interpolation. Then whether further steps are worth less, and how many steps of one lever are worth one of another.
///
/// With `--set` it is about that one configuration, and steps lead away from it: up and down, or to every other label.
/// Else it is about every configuration of the default sweep, or of `--sweep`: a step of a swept axis leads from one
/// swept value to the next, what is typical is the median of all that it changes, and all of them are in `--format csv`.
/// Where a ruleset sweeps an axis, a step is from one value of that sweep to the next one; else it is 1.
///
/// A chance that becomes 0 or 1 has no flat modifier, since every one beyond some size does that; nor has a check whose
/// bands are not thresholds of a single number. A dash stands there.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith balance value stars-and-signs
  oddsmith balance value stars-and-signs --set ability_rank=6 --set skill_rank=3
  oddsmith balance value stars-and-signs --set asset_quality=4 --at Critical
  oddsmith balance value stars-and-signs --query 'mean(total)'
  oddsmith balance value stars-and-signs --sweep mood=all --lever skill_rank
  oddsmith balance value action-checks --set pool=3 --format markdown
  oddsmith balance value buried-secrets:resistance --format csv
  oddsmith balance value mine.toml --set stat=1 -o levers.svg")]
#[group(arg = "target")]
pub(crate) struct ValueArgs {
    /// A ruleset by name or path, and which of its checks or tracks; without a name the first check
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) asked: Question,

    /// An axis and its values: `stat=0,2,4`, `stat=-5..=5`, `state=all`; `stat` alone
    /// takes those that its ruleset sweeps. Or `all`: every axis that has a sweep in its
    /// ruleset and is not set
    #[arg(long = "sweep", value_name = "AXIS[=VALUES]|all")]
    pub(crate) sweeps: Vec<String>,

    /// Only this axis or parameter is a lever; repeatable. With values it is moved from each of them to the next,
    /// with one value from what is set to that. The values of a swept axis stand in `--sweep`
    /// [default: all of them]
    #[arg(long = "lever", value_name = "NAME[=VALUES]")]
    pub(crate) levers: Vec<String>,

    /// The band by which levers are exchanged for one another [default: the middle one of those above the worst]
    #[arg(long, value_name = "BAND")]
    pub(crate) at: Option<String>,

    #[command(flatten)]
    pub(crate) drawing: Drawing,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) parting: Parting,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) cost: Cost,
}
