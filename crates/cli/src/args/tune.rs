//! `tune`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::parts::PrintedParting;
use super::shared::{Cost, Running};
use super::shown::Shown;

/// Which parameters give the odds that are wanted
///
/// Tries every combination of the values that some parameters may have, a
/// candidate each, with exact odds. Goals are met or missed, in the configuration
/// behind the @; wishes (~) are approached. What meets all goals is ranked by how
/// far it is from the wishes: the sum of weight times distance, in points of a
/// probability or units of another number. With several wishes that conflict
/// there is a Pareto set: the candidates that no other one equals or beats in all
/// of them and beats in one.
///
/// A goal is one of
///
///   'P(band>=Hit) @ ability_rank=6 in [0.6, 0.7]'  or 3/5; both ends are right
///   'Miss @ state=broken at most 30 %'             or: at least
///   'mean(total) ~ 14 weight 2'                    a wish
///   'counter: mean(rolls) @ slots=10 at most 6'    about another check or a track
///
/// and `--keep 'Critical'` keeps odds as they are now, or nearly so:
/// 'Critical within 1 %'. `near` means ~. The same can stand in the `tune` table
/// of a ruleset, or of a file of its own (`--file`), each goal with its intent.
///
/// If nothing meets the goals, the answer is a proof: how many candidates meet
/// each goal alone, the fewest goals that no candidate meets together, and the
/// nearest miss. No candidate is sampled or skipped: each is forbidden by the
/// rules, excluded by a goal, or meets them all, and the counts say so.
///
/// Of candidates that are equally good the first one changes the fewest
/// parameters, then by the least; so the rules as they are come first wherever
/// nothing is better. Candidates are numbered, the last `--vary` fastest, and a
/// search that was ended by Ctrl-C goes on with `--from`.
#[derive(Debug, ClapArgs)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  oddsmith tune stars-and-signs --vary 'thresholds[1]=12..=16' --goal Hit~0.4
  oddsmith tune stars-and-signs --vary boon_cap --goal 'Hit @ mood=1 ~ 1/2'
  oddsmith tune stars-and-signs --vary 'ladder[2]=4..=8' --goal 'mean(total)~15'
  oddsmith tune mine.toml --vary boon_cap --goal Strong~30% --apply new.toml
  oddsmith tune mine.toml --vary boon_cap --goal Strong~1/3 --patch new.patch

Exit status:
  0  a candidate meets the goals
  1  none does
  2  it could not be answered"
)]
pub(crate) struct TuneArgs {
    /// A ruleset by name or path, and the check or track that a goal is about if it names none; without a name
    /// the first check
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) target: String,

    /// A parameter and the values to try: `boon_cap=3..=6`, `cap_order=all`, an element of a list `ladder[3]=8,10`, or
    /// several versions of a list `ladder=[0,4,6],[0,6,8]`; repeatable
    #[arg(long = "vary", value_name = "NAME=VALUES")]
    pub(crate) vary: Vec<String>,

    /// What odds are to become, as above; repeatable
    #[arg(long = "goal", value_name = "GOAL", allow_hyphen_values = true)]
    pub(crate) goals: Vec<String>,

    /// Odds that stay as they are: 'QUERY @ name=value', and how far they may move, 'QUERY within 1 %'; repeatable
    #[arg(long = "keep", value_name = "QUERY", allow_hyphen_values = true)]
    pub(crate) keeps: Vec<String>,

    /// Set an axis in all goals that do not set it, or a parameter that does not vary; repeatable
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) sets: Vec<String>,

    /// Take the `tune` table of this file too [default: that of the ruleset, where nothing is said here]
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// How many candidates to show
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) top: u16,

    /// The first candidate to look at, by its number: where an earlier search ended
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = 0
    )]
    pub(crate) from: u64,

    /// The candidate that the patch is for, by its number [default: the best one]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) pick: Option<u64>,

    /// Write the change of the ruleset as a patch to this file; `-` prints nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) patch: Option<PathBuf>,

    /// Write the changed ruleset to this file, with its comments and its order, and check its odds there; `-` prints
    /// nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) apply: Option<PathBuf>,

    /// Let `--patch` and `--apply` replace a file; with `--apply` it may be the ruleset itself
    #[arg(long)]
    pub(crate) overwrite: bool,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) parting: PrintedParting,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) cost: Cost,
}
