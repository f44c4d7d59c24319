//! `balance plan`.

use clap::Args as ClapArgs;
use oddsmith::ScenePool;

use super::shared::{Cost, Drawing, Running};
use super::shown::Shown;

/// When to spend what: points for several checks, or for a track
///
/// A scene is a number of checks in a row. Points that are spent on one of them are gone for the rest. The plan is
/// the way to spend them whose outcomes are worth the most on average, found exactly, from the last check to the
/// first. It stands beside other ways: to spend nothing, each policy that the rules have a name for, and to do what is
/// best for each check by itself.
///
/// Several resources may be spent in one scene, each with its own points: `--pool effort=4,hope=3`.
///
/// A scene may also be a track, such as a challenge against a clock: its points are for all of its rounds, and the plan is
/// best for its end. That is worth what --utility says, an expression over what the track shows at its end, such as -rolls for
/// the fewest rounds; else what the track's `maximise` says, else its last band.
///
/// A ruleset says what is spent in a table `[resources.NAME]`; for one that does not, --axis, --spent, --policy and
/// --utility do. Where the check lets the player choose (`choose … in …`), the plan says what to choose, knowing what
/// the choice knows; else it says how many points to set before the roll.
///
/// The table to play by has a line for each number of checks and points left, and where the rules give several choices a
/// column for each. `raw 8–9 to 10` means: at a raw of 8 or 9, spend what makes it 10. A choice between no and yes has the
/// values at which it is a yes. What is not listed there spends nothing. As csv and json it is complete, with values as
/// exact fractions. With `-o` there is a picture: what one more point is worth, by the points and the checks that are left.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith balance plan stars-and-signs --checks 5 --pool 6
  oddsmith balance plan stars-and-signs --check ability_rank=4 --pool 4
  oddsmith balance plan stars-and-signs --pool 5 --utility 'Graze=1, Hit=2'
  oddsmith balance plan action-primer --checks 4 --pool 5 --format csv
  oddsmith balance plan stars-and-signs --checks 6 --pool 12 -o effort.svg
  oddsmith balance plan stars-and-signs --resource hope --checks 4 --pool 5
  oddsmith balance plan stars-and-signs --checks 4 --pool effort=4,hope=3
  oddsmith balance plan stars-and-signs:timed --pool effort=3,hope=2
  oddsmith balance plan mine.toml --axis boons --checks 3 --pool 4")]
pub(crate) struct PlanArgs {
    /// A ruleset by name or path, and which of its checks or tracks; without a name the first check
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) target: String,

    /// How many checks the scene has [default: 3, or as many as --check says]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) checks: Option<u16>,

    /// How many points there are for all of them; of several resources at once each by its name, such as effort=4,hope=3
    #[arg(
        long,
        value_name = "POINTS",
        allow_negative_numbers = true,
        default_value = "5"
    )]
    pub(crate) pool: ScenePool,

    /// Axes or parameters of the next check, such as ability_rank=8,circ_boons=1; repeatable. With more checks than
    /// that, the first one follows the last
    #[arg(long = "check", value_name = "NAME=VALUE,…")]
    pub(crate) each: Vec<String>,

    /// Set an axis or parameter of all checks, such as circ_boons=2; repeatable, the last one of a name wins
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) sets: Vec<String>,

    /// Which of the ruleset's resources is spent [default: the first that fits the check]
    #[arg(long, value_name = "NAME", conflicts_with = "axis")]
    pub(crate) resource: Option<String>,

    /// The axis that says how many points may be spent on one check; without --spent, how many are
    #[arg(long, value_name = "AXIS")]
    pub(crate) axis: Option<String>,

    /// The number that is shown of how many points were spent
    #[arg(long, value_name = "NUMBER", requires = "axis")]
    pub(crate) spent: Option<String>,

    /// The axis that tells ways of spending apart, and the one that leaves it to the player
    #[arg(long, value_name = "AXIS=LABEL", requires = "axis")]
    pub(crate) policy: Option<String>,

    /// What an outcome is worth: bands with whole numbers, decimals or fractions (`Hit=2, Critical=5/2`; the others are
    /// worth 0), or an expression over what is shown [default: what the ruleset says, or each band 1 more than the one
    /// before]
    #[arg(long, value_name = "WORTH", allow_hyphen_values = true)]
    pub(crate) utility: Option<String>,

    #[command(flatten)]
    pub(crate) drawing: Drawing,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) cost: Cost,
}
