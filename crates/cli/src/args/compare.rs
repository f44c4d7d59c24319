//! `compare`.

use clap::Args as ClapArgs;

use super::shared::{Cost, Drawing, Question};
use super::shown::Shown;

/// Two versions side by side: what a change of the rules does
///
/// A is the first target. B is the second one, such as another revision of the file, or the first one with other
/// parameters or axes (`--with`). Every answer stands beside the other's, with the difference B - A, in points where
/// it is a probability.
///
/// Either may be the file of another revision, `REV:PATH`, which is read through the program `git`: PATH begins at the
/// root of the repository, or with `./` at this directory, and without REV it is what is staged. A file that is called
/// so comes first.
///
/// A is better than B if it reaches every band at least as often, and one of them more often: it dominates B, in the
/// first order. Where each reaches some band more often, neither is better, and what is worth more depends on what
/// the bands are worth. The total variation, half the sum of all |differences|, is the share of rolls that end in
/// another band; the distance (Wasserstein's) says how many bands they move on average. Checks without bands are
/// compared by the first number that they show, or by any other (`--of`).
///
/// With sweeps there is a row for each configuration, matched by the names and values of the axes, and a summary; a
/// table of more than 60 rows shows those that differ most. Rows have the swept axes, `NAME:a`, `NAME:b` and
/// `NAME:difference` for each band and query, then `variation`, `distance` and `order`: equal, a, b or neither. The
/// exit status is 0 whether or not there is a difference.
///
/// With `-o` there is a picture in place of the answer. Along one swept axis it has the bands of A beside those of B;
/// what is queried, or without bands what each shows, as a line for each side. Over two swept axes it has the
/// difference B - A of what is queried, or of how often the worst band is beaten, as a heat map.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith compare stars-and-signs --with boon_cap=3 --set circ_boons=5
  oddsmith compare stars-and-signs --with boon_cap=3 --sweep circ_boons=-5..=5
  oddsmith compare stars-and-signs --set effort=5 --with effort_policy=to15
  oddsmith compare action-checks --with cut_mode=pre_roll --format csv
  oddsmith compare stars-and-signs --with circ_boons=1 --of total
  oddsmith compare mine.toml other.toml --sweep all --query 'mean(total)'
  oddsmith compare HEAD~3:rules/mine.toml rules/mine.toml --sweep all
  oddsmith compare v1.0:rules/mine.toml:test HEAD:rules/mine.toml
  oddsmith compare stars-and-signs --with boon_cap=3 --sweep mood=all -o cap.svg
  oddsmith compare mine.toml other.toml --sweep stat=all -o map.png")]
pub(crate) struct CompareArgs {
    /// A: a ruleset by name, path or REV:PATH, and which of its checks or tracks; without a name the first check
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) target: String,

    /// B, if it is another one, such as another revision of the file
    #[arg(value_name = "OTHER[:CHECK]")]
    pub(crate) other: Option<String>,

    /// Set axes or parameters of B alone, such as boon_cap=3,skill_rank=2; repeatable
    #[arg(long = "with", value_name = "NAME=VALUE,…")]
    pub(crate) with: Vec<String>,

    #[command(flatten)]
    pub(crate) asked: Question,

    /// An axis and its values, on both sides: `stat=0,2,4`, `stat=-5..=5`, `state=all`; `stat` alone
    /// takes those that its ruleset sweeps. Or `all`: every axis that has a sweep in its ruleset and is not set
    #[arg(long = "sweep", value_name = "AXIS[=VALUES]|all")]
    pub(crate) sweeps: Vec<String>,

    /// Compare the whole distribution of this, in place of the bands: a number that both sides show
    #[arg(long, value_name = "NAME", conflicts_with = "output")]
    pub(crate) of: Option<String>,

    #[command(flatten)]
    pub(crate) drawing: Drawing,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) cost: Cost,
}
