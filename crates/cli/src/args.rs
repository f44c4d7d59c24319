//! What the user typed, checked for shape and nothing more.

#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "these comments are the text of --help: `[tune]` is a table of a file"
)]

mod anydice;
mod balance;
mod check;
mod compare;
mod fmt;
mod lint;
mod lsp;
mod parse;
mod parts;
mod pictures;
mod plan;
mod serve;
mod shared;
mod shown;
mod tune;

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Style as TextStyle, Styles};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::terminal::Color;

use parse::{parse_error, parse_level, parse_rounds, parse_seed, parse_trials};

pub(crate) use anydice::AnyDiceArgs;
pub(crate) use balance::{BalanceArgs, BalanceCommand, ValueArgs};
pub(crate) use check::{CheckArgs, CheckFormat};
pub(crate) use compare::CompareArgs;
pub(crate) use fmt::FmtArgs;
pub(crate) use lint::{LintArgs, LintFormat};
pub(crate) use lsp::LspArgs;
pub(crate) use parts::{MergeArgs, Parting, PrintedParting};
pub(crate) use pictures::{ChartArgs, ReportArgs};
pub(crate) use plan::PlanArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use shared::{
    Cost, DEFAULT_BUDGET, Denying, Question, Running, Sides, Striving, TieRule,
};
pub(crate) use shown::{AnswerFormat, Shown, Style, Written};
pub(crate) use tune::TuneArgs;

const STYLES: Styles = Styles::styled()
    .header(TextStyle::new().bold())
    .usage(TextStyle::new().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Cyan.on_default().italic());

const EXAMPLES: &str = "\
Examples:
  oddsmith dist 4d6kh3                       the whole distribution of dice
  oddsmith anydice program.txt               a program in AnyDice's language
  oddsmith rules list                        known games, by family
  oddsmith rules show stars-and-signs        their axes and parameters
  oddsmith odds stars-and-signs --set circ_boons=2 --set ability_rank=6
  oddsmith table stars-and-signs --sweep circ_boons=-5..=5 -o odds.csv
  oddsmith track stars-and-signs:counter     how many rolls it takes
  oddsmith contest stars-and-signs --a ability_rank=8 --b ability_rank=4
  oddsmith compare stars-and-signs --with boon_cap=3     what a change does
  oddsmith balance stars-and-signs           what a step is worth, as a Boon is
  oddsmith tune stars-and-signs --vary boon_cap --goal 'Critical ~ 10 %'
  oddsmith policy stars-and-signs --set effort=5         what is best to choose
  oddsmith chart stars-and-signs --x circ_boons          a picture
  oddsmith report -o odds                    tables, charts, a page to explore
  oddsmith serve mine.toml                   a page where odds follow the rules
  oddsmith simulate stars-and-signs          rolled, beside the exact odds
  oddsmith check                             whether any odds moved, for CI
  oddsmith new mygame --from pbta            a file to begin with

Exit status:
  0  all is well
  1  the answer is no (odds moved, a case failed, an expectation does not hold,
     nothing meets the goals, trials are not what the exact odds say, or
     `--deny` denies something)
  2  it could not be answered (usage, a bad ruleset, over budget)";

/// What `oddsmith` says when nothing is asked of it.
pub(crate) const FIRST_STEPS: &str = "\
Exact odds for tabletop rules. To begin with:
  oddsmith dist 4d6kh3                    the odds of some dice
  oddsmith rules list                     known games, by family
  oddsmith odds pbta --set stat=2         the odds of one of them
  oddsmith chart pbta --x stat -o a.svg   a picture of them
  oddsmith serve                          a page on which to try things out
  oddsmith new mygame --from pbta         a game of your own
  oddsmith help                           everything; `help odds` for a command
";

/// Exact odds for tabletop rules, written as data
///
/// A game's rules are a ruleset: one TOML file. Its checks are answered exactly, with fractions of whole
/// numbers, and nothing is rounded before it is shown. Only `simulate` rolls dice.
#[derive(Debug, Parser)]
#[command(
    name = "oddsmith",
    version,
    after_help = EXAMPLES,
    styles = STYLES,
    max_term_width = 100,
    propagate_version = false
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colour; NO_COLOR and CLICOLOR_FORCE hold too
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", display_order = 900)]
    pub(crate) color: Color,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Odds(OddsArgs),
    Table(TableArgs),
    Dist(DistArgs),
    Anydice(AnyDiceArgs),
    Track(TrackArgs),
    Contest(ContestArgs),
    Compare(CompareArgs),
    Balance(BalanceArgs),
    Tune(TuneArgs),
    Policy(PolicyArgs),
    Chart(ChartArgs),
    Report(ReportArgs),
    Serve(ServeArgs),
    Lsp(LspArgs),
    Simulate(SimulateArgs),
    Check(CheckArgs),
    Verify(VerifyArgs),
    Merge(MergeArgs),
    Rules(RulesArgs),
    New(NewArgs),
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  oddsmith completions bash > /etc/bash_completion.d/oddsmith
  oddsmith completions zsh > ~/.zfunc/_oddsmith
  oddsmith completions fish > ~/.config/fish/completions/oddsmith.fish")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, as roff
    #[command(after_help = "\
Examples:
  oddsmith man > oddsmith.1
  oddsmith man | man -l -")]
    Man,
}

impl Command {
    /// Which part of the work is done, of a command that can do it in parts.
    pub(crate) fn parting_mut(&mut self) -> Option<&mut Parting> {
        match self {
            Self::Table(args) => Some(&mut args.parting),
            Self::Tune(args) => Some(&mut args.parting.parting),
            Self::Simulate(args) => Some(&mut args.parting.parting),
            Self::Check(args) => Some(&mut args.parting.parting),
            Self::Report(args) => Some(&mut args.parting),
            Self::Balance(args) => args.parting_mut(),
            _ => None,
        }
    }
}

/// The odds of one configuration
///
/// The bands of a check with what is at least that good, its flags, and of what else it shows the mean, the standard
/// deviation (sd: the typical distance from the mean) and the range.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith odds stars-and-signs
  oddsmith odds stars-and-signs --set ability_rank=8 --set state=fragile
  oddsmith odds stars-and-signs:cooperation --set followers=3 --format markdown
  oddsmith odds stars-and-signs --set effort=2 --query 'P(Hit|effort_spent>0)'
  oddsmith odds stars-and-signs --query 'P(total>=18)' --query 'mean(total)'
  oddsmith odds stars-and-signs --set ability_rank=8 --as one-in
  oddsmith odds mine.toml:test --format csv")]
pub(crate) struct OddsArgs {
    /// A ruleset by name or path, and which of its checks; without CHECK the first
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) asked: Question,

    #[command(flatten)]
    pub(crate) striving: Striving,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) denying: Denying,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// A table: one row per configuration
///
/// Rows come in the order of the sweeps, the last one fastest, with the swept axes first and then a column
/// for every band and query. Without bands: for every flag, and the mean of every number shown; of a track, for
/// what it ends in, or the mean of its rolls.
/// Configurations that break a requirement of the ruleset have no row. Probabilities are decimals for programs
/// (csv, jsonl, Parquet) and percentages, rounded, for people (table, markdown, bbcode).
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith table stars-and-signs --sweep circ_boons=-5..=5
  oddsmith table stars-and-signs --sweep ability_rank=1,4,8 --format table
  oddsmith table stars-and-signs --sweep state=all --format markdown --as one-in
  oddsmith table stars-and-signs --sweep all --only Hit -o hits.csv
  oddsmith table mine.toml --sweep all --pivot boons --decimals 0 -o odds.md
  oddsmith table stars-and-signs --sweep all --exact -o checks.csv
  oddsmith table stars-and-signs:test --sweep all -o tests.parquet
  oddsmith table stars-and-signs:counter --sweep slots=3,5 --query 'P(rolls<=3)'
  oddsmith table mine.toml:test --sweep all --query 'mean(score)' | head -5")]
pub(crate) struct TableArgs {
    /// A ruleset by name or path, and which of its checks or tracks; without a name the first check
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) asked: Question,

    #[command(flatten)]
    pub(crate) striving: Striving,

    /// An axis and its values: `stat=0,2,4`, `stat=-5..=5`, `state=all`; `stat` alone takes those that its ruleset sweeps.
    /// Or `all`: every axis that its ruleset gives a sweep and `--set` does not fix; further sweeps then replace its
    /// values or add axes
    #[arg(long = "sweep", value_name = "AXIS[=VALUES]|all")]
    pub(crate) sweeps: Vec<String>,

    /// Show this column in place of those that the table has by itself: a band, a flag, or any other query;
    /// repeatable. What `--query` asks for comes after it
    #[arg(long = "only", value_name = "QUERY")]
    pub(crate) only: Vec<String>,

    /// Lay the table out with the values of this swept axis side by side, for rulebooks: a table for each band
    /// or query, a row for each configuration of the other axes. As csv it is one table, whose column `outcome` says
    /// which one a row is of. A cell of what a requirement forbids is empty. Not as jsonl or Parquet
    #[arg(long, value_name = "AXIS", conflicts_with = "exact")]
    pub(crate) pivot: Option<String>,

    /// Add exact weights: `weight:BAND` columns and their common `total`
    #[arg(long)]
    pub(crate) exact: bool,

    /// Refuse the table if some configuration breaks a rule, such as a division by zero. Otherwise its cells are
    /// empty, and how many there are is said on standard error
    #[arg(long)]
    pub(crate) strict: bool,

    /// Write to a file, whole or not at all; .csv, .jsonl, .md or .parquet says the format.
    /// `-` is standard output; a pipe or device is written as the rows come
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) parting: Parting,

    /// How to show the table [default: what FILE says, or csv]
    #[arg(long, value_enum)]
    pub(crate) format: Option<TableFormat>,

    #[command(flatten)]
    pub(crate) written: Written,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) denying: Denying,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// The whole distribution of dice, or of a value of a check
///
/// Of a check it takes what it shows (a number, a flag, the band), or what its rules bind by `let`: a pool of dice is its
/// sum there. Two values with a comma between them make a table of both at once. Several expressions or numbers stand side
/// by side. sd is the standard deviation, the typical distance from the mean.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith dist 3d6
  oddsmith dist 4d6kh3 --format csv
  oddsmith dist 2d6 --format bbcode --as fraction    for a forum
  oddsmith dist 2d6 + 3
  oddsmith dist '2d6!(3) + 1'                dice that explode, thrice at most
  oddsmith dist '3d6!' --horizon 40          without an end
  oddsmith dist '6d10 cs>=7'                 how many dice show 7 or more
  oddsmith dist '{2d8,2d6}kh2' --query 'P(value>=12)' --query 'mean(value)'
  oddsmith dist 3d6 '2d6+3' 1d20             side by side
  oddsmith dist stars-and-signs:check.total --set circ_boons=2
  oddsmith dist stars-and-signs:check.band,effort_spent --set effort=3
  oddsmith dist stars-and-signs:counter.rolls --horizon 12
  oddsmith dist 100d20kh50 --explain         which algorithm, and what it costs")]
pub(crate) struct DistArgs {
    /// A dice expression, such as 4d6kh3; in quotes if it has a *, !, ( or {. Or a value of a check:
    /// RULESET[:CHECK].VALUE[,VALUE]. Several are laid side by side
    #[arg(value_name = "EXPR", required = true)]
    pub(crate) expression: Vec<String>,

    /// Set an axis or parameter of the check, such as circ_boons=2; repeatable, the last one of a name wins
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) sets: Vec<String>,

    #[command(flatten)]
    pub(crate) striving: Striving,

    /// Answer this about `value` instead of showing all of it; repeatable
    #[arg(long = "query", value_name = "QUERY")]
    pub(crate) queries: Vec<String>,

    /// The last value that a number without an end is shown up to; all beyond it are one row [default: where one in 1000 is
    /// beyond]
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, value_parser = clap::value_parser!(i64).range(-1_000_000..=1_000_000))]
    pub(crate) horizon: Option<i64>,

    /// Show how the answer is found instead: for each part the algorithm and why it is that one, the type of its
    /// numbers (u64, u128, or words of 64 bits), the time that was predicted and the time that it took
    #[arg(long, conflicts_with_all = ["queries", "form", "decimals"])]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) denying: Denying,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// How many rounds a track takes until it ends
///
/// A track repeats a check until a counter or a clock is full: the odds of every number of rounds, their mean, standard
/// deviation (sd: the typical distance from the mean) and quantiles, what is full first, what one round shows, and what
/// all of it has cost. A mean without end is `inf`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith track stars-and-signs
  oddsmith track stars-and-signs:counter --set slots=10 --set ability_rank=8
  oddsmith track stars-and-signs:counter --query 'P(rolls<=3)' --format csv
  oddsmith track stars-and-signs:recovery --horizon 12 --format markdown
  oddsmith table stars-and-signs:counter --sweep slots=3,5 --query 'P(rolls<=3)'")]
pub(crate) struct TrackArgs {
    /// A ruleset by name or path, and which of its tracks; without TRACK the first
    #[arg(value_name = "RULESET[:TRACK]")]
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) asked: Question,

    /// Show every number of rounds up to this [default: until fewer than one in 1000 are left; at most 60 rows,
    /// which in a table may be groups]
    #[arg(long, value_name = "ROUNDS", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) horizon: Option<u32>,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) denying: Denying,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// Two sides against each other
///
/// Both sides make the check, each in its own configuration, and what they show is compared: the higher one
/// wins. The odds of one roll each, of the whole contest under the rule for ties, and how many rounds it takes.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith contest stars-and-signs --a skill_rank=5 --b ability_rank=4
  oddsmith contest stars-and-signs --a skill_rank=5 --ties defender
  oddsmith contest stars-and-signs:test --against check --compare 'index(band)'
  oddsmith contest stars-and-signs --query 'P(a.total-b.total>=5)'
  oddsmith contest mine.toml:test --compare score --a skill=4 --b skill=2")]
pub(crate) struct ContestArgs {
    /// A ruleset by name or path, and which of its checks; without CHECK the first
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) sides: Sides,

    /// Set an axis or parameter of both sides, such as circ_boons=2; a.circ_boons=2 sets one side
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) sets: Vec<String>,

    /// Ask more: `P(rounds<=2)`, `P(a.total-b.total>=5)`, `mean(a.total|A)`; repeatable
    #[arg(long = "query", value_name = "QUERY")]
    pub(crate) queries: Vec<String>,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// What is best to choose, and when
///
/// For checks and tracks whose players choose: how the policies of the ruleset compare with the best one, and what the
/// best one is, as tables to play by. A track's table is the same in every round. As csv, the choices alone.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith policy stars-and-signs --set effort=5
  oddsmith policy stars-and-signs --set effort=5 --maximise 'band >= Hit'
  oddsmith policy stars-and-signs --set effort=5 --query 'mean(effort_spent)'
  oddsmith policy stars-and-signs --set effort=3 --format csv")]
pub(crate) struct PolicyArgs {
    /// A ruleset by name or path, and which of its checks or tracks; without CHECK the first
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) target: String,

    #[command(flatten)]
    pub(crate) asked: Question,

    /// Choose so that the mean of this is the greatest, in place of what the ruleset says: a number such as
    /// `total - 2 * effort_spent`, or an event such as `Hit`
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) maximise: Option<String>,

    /// Compare along this axis [default: the axis of which one label leaves the choice to the player]
    #[arg(long, value_name = "AXIS[=VALUES]")]
    pub(crate) by: Option<String>,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// Roll the dice, and hold the exact odds against what comes up
///
/// Each row has `count`, the trials in which it happened, or for a mean the sum of the values; `trials`, those in
/// which the query applies; the estimate with its standard error and a 95 % interval (Wilson's for probabilities,
/// the normal one for means and variances); the exact answer; and z, how many standard errors the two are apart.
/// The same seed gives the same trials, whatever the number of threads. In a sweep every configuration is rolled
/// with the same seed, so its rows are those of a run by itself.
///
/// Where trials and exact odds differ by more than chance, the rows are named and the exit status is 1. A
/// probability is judged by the exact tails of the binomial distribution, so that rare events raise no false
/// alarm; a mean of bounded values by Bernstein's inequality; all bands together by the likelihood of their
/// counts, with a bound. Other means, and variances whose exact error is known, are judged from 10,000 trials on
/// by the tail of the normal distribution, with the larger of the exact and the observed spread.
///
/// A track may go on for ever. After 10,000 rounds (`--rounds` says otherwise) a trial is stopped: it has not ended, so
/// nothing at an end happens to it, and it has no mean there. The row `(not ended)` has the share of such trials,
/// beside the exact probability of never ending. Where some of them might have ended later, rows about the end are
/// shown and not compared.
///
/// A rule that can't be carried out with some rolls is an error, and the exit status 2, whether a trial met such a
/// roll or only the exact odds did; what could be rolled is shown before it.
///
/// Ctrl-C ends it early: what has been rolled by then is shown and judged, and the exit status is 130.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith simulate stars-and-signs --set circ_boons=2 --trials 1e7
  oddsmith simulate stars-and-signs --sweep circ_boons=-5..=5 --seed 7
  oddsmith simulate stars-and-signs --query 'mean(total)' --until-error 0.002
  oddsmith simulate stars-and-signs:counter --set slots=10
  oddsmith simulate stars-and-signs --a ability_rank=8 --b ability_rank=4
  oddsmith simulate stars-and-signs --set effort_policy=optimal --maximise Hit
  oddsmith simulate --dice 4d6kh3 --format markdown")]
pub(crate) struct SimulateArgs {
    /// A ruleset by name or path, and which of its checks or tracks; without a name the first check
    #[arg(value_name = "RULESET[:CHECK]", required_unless_present = "dice")]
    pub(crate) target: Option<String>,

    /// Roll a dice expression, such as 4d6kh3, in place of a ruleset; queries are then about `value`
    #[arg(
        long,
        value_name = "EXPR",
        allow_hyphen_values = true,
        conflicts_with_all = ["target", "sets", "maximise", "sweeps", "a", "b", "against", "compare", "ties"]
    )]
    pub(crate) dice: Option<String>,

    #[command(flatten)]
    pub(crate) asked: Question,

    #[command(flatten)]
    pub(crate) striving: Striving,

    /// Roll every value of an axis, as in `oddsmith table`: `stat=0,2,4`, `stat=-5..=5`, `state=all`, or `all`
    #[arg(long = "sweep", value_name = "AXIS[=VALUES]|all")]
    pub(crate) sweeps: Vec<String>,

    /// Trials of each configuration, such as 1e8 [default: 1e6; with --until-error at most 1e11]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_trials)]
    pub(crate) trials: Option<u64>,

    /// Where the random numbers start
    #[arg(
        long,
        value_name = "S",
        allow_hyphen_values = true,
        value_parser = parse_seed,
        default_value_t = 1
    )]
    pub(crate) seed: u64,

    /// Rounds after which a trial of a track or a contest is stopped, such as 1e5: it has not ended, and is in a row of
    /// its own [default: 10,000]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = parse_rounds, conflicts_with = "dice")]
    pub(crate) rounds: Option<u32>,

    /// Go on until no probability and no mean has a larger standard error than this. It is looked at after
    /// 65,536 trials, then each time they have doubled, and nowhere between
    #[arg(long, value_name = "E", allow_hyphen_values = true, value_parser = parse_error)]
    pub(crate) until_error: Option<f64>,

    /// How often, at most, chance alone may lead to exit status 1; divided by the number of comparisons, which
    /// are the rows with exact odds and the fit of the bands, over the whole sweep
    #[arg(
        long,
        value_name = "P",
        allow_hyphen_values = true,
        default_value = "1e-6",
        value_parser = parse_level
    )]
    pub(crate) level: f64,

    /// Roll only: no exact odds beside it
    #[arg(long)]
    pub(crate) no_exact: bool,

    /// How to show the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) parting: PrintedParting,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) cost: Cost,

    #[command(flatten, next_help_heading = "Of a contest")]
    pub(crate) sides: Sides,
}

/// Check every row of a case file, exactly
///
/// A case file is CSV with the columns id, question, target, set, query, numerator and denominator; others
/// are ignored. A row holds if the answer equals its fraction; 1/0 or `inf` is a mean without end. Questions are
/// `odds`, `dist`, `track` and `contest`, whose set has a.name=value and b.name=value.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith verify tests/cases/dice.csv
  oddsmith verify tests/cases/dice.csv > failures.txt || echo 'the odds moved'

A case file:
  id,question,target,set,query,numerator,denominator
  stats,dist,4d6kh3,,P(value==18),7,432
  base,odds,stars-and-signs:check,ability_rank=1 skill_rank=0,Miss,9,25
  won,contest,stars-and-signs:check,a.flat=19,A|decided,1,1")]
pub(crate) struct VerifyArgs {
    /// The case file
    #[arg(value_name = "CASES.csv")]
    pub(crate) cases: PathBuf,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// The rulesets: what there is, what is in them, if they are right
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith rules list
  oddsmith rules show stars-and-signs:check
  oddsmith rules show stars-and-signs --source > mine.toml
  oddsmith rules validate mine.toml
  oddsmith rules fmt mine.toml
  oddsmith rules schema > ruleset.schema.json")]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    pub(crate) command: RulesCommand,
}

/// Begin a game of your own
///
/// Writes NAME.toml, a ruleset with comments that answers at once, and says what to type next. It is a short template,
/// or with `--from` a game that comes along or a file, with all of its comments. No file is ever overwritten.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith new adventure
  oddsmith new moves --from pbta
  oddsmith new heist.toml --from blades-in-the-dark")]
pub(crate) struct NewArgs {
    /// What the game is called: its file is NAME.toml
    #[arg(value_name = "NAME")]
    pub(crate) name: String,

    /// Begin from this ruleset, by name or path; `oddsmith rules list` has those that come along
    #[arg(long, value_name = "RULESET")]
    pub(crate) from: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// List the rulesets that come along, by family
    #[command(after_help = "\
Examples:
  oddsmith rules list")]
    List,
    /// Explain a ruleset: its parameters, its axes, and what can be asked
    #[command(after_help = "\
Examples:
  oddsmith rules show stars-and-signs
  oddsmith rules show stars-and-signs:test
  oddsmith rules show stars-and-signs --source > mine.toml")]
    Show {
        /// A ruleset, or one check or track of it
        #[arg(value_name = "RULESET[:CHECK]")]
        target: String,
        /// Print the file itself, to copy and edit
        #[arg(long)]
        source: bool,
    },
    Validate(ValidateArgs),
    Fmt(FmtArgs),
    /// Print a JSON Schema of ruleset files, or of what is answered as JSON
    #[command(after_help = "\
Examples:
  oddsmith rules schema > ruleset.schema.json
  oddsmith rules schema --answers > answers.schema.json")]
    Schema {
        /// Of what `--format json` prints, with a definition for each kind of answer
        #[arg(long)]
        answers: bool,
    },
}

/// Find what is wrong in rulesets, all of it
///
/// Errors, which keep a ruleset from being used; warnings about what is legal, but hardly meant; and expectations that
/// do not hold.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith rules validate stars-and-signs
  oddsmith rules validate mine.toml other.toml
  oddsmith rules validate mine.toml --deny warnings          for CI

Exit status:
  0  all is well, or there are only warnings
  1  an expectation does not hold, or `--deny warnings` denies one
  2  a ruleset has errors, or it can't be told whether an expectation holds")]
pub(crate) struct ValidateArgs {
    /// Files, or names of rulesets that come along
    #[arg(value_name = "RULESET", required = true)]
    pub(crate) rulesets: Vec<String>,

    #[command(flatten)]
    pub(crate) denying: Denying,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For programs and spreadsheets
    Csv,
    /// A JSON object per line
    Jsonl,
    /// For documents and wikis
    #[value(alias = "md")]
    Markdown,
    /// For forums: `[table]`, `[tr]`, `[th]`, `[td]`
    Bbcode,
    /// For reading; aligned, so held in memory
    Table,
    /// By columns, for data frames; only to a file
    #[value(skip)]
    Parquet,
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::{Args, Command, DEFAULT_BUDGET};

    /// Columns of the narrowest terminal whose help has whole lines.
    const NARROW: usize = 80;

    /// The lines of the help of a command that stand as they are written, with what people type to see them.
    fn fixed_lines(command: &clap::Command, path: &str) -> Vec<(String, String)> {
        let texts = [
            command.get_long_about(),
            command.get_after_help(),
            command.get_after_long_help(),
        ];
        let texts = texts.into_iter().flatten().map(ToString::to_string);
        // A text without indented lines is filled anew, whatever its lines are.
        let texts = texts.filter(|text| text.contains("\n  "));
        let mut lines: Vec<String> = texts
            .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
            .collect();
        let parts: Vec<&clap::Command> = command.get_subcommands().collect();
        let names = parts.iter().map(|part| part.get_name().len()).max();
        for part in &parts {
            let about = part.get_about().map(ToString::to_string);
            let column = " ".repeat(names.unwrap_or_default() + 4);
            lines.push(format!("{column}{}", about.unwrap_or_default()));
        }
        let told = lines.into_iter().map(|line| (path.to_owned(), line));
        let further = parts
            .iter()
            .flat_map(|part| fixed_lines(part, &format!("{path} {}", part.get_name())));
        told.chain(further).collect()
    }

    #[test]
    fn no_line_of_help_breaks_on_a_narrow_terminal() {
        let lines = fixed_lines(&Args::command(), "oddsmith");
        assert!(lines.len() > 200, "only {} lines of help", lines.len());
        let wide = lines
            .iter()
            .filter(|(_, line)| line.chars().count() > NARROW);
        let wide: Vec<String> = wide.map(|(path, line)| format!("{path}: {line}")).collect();
        assert!(wide.is_empty(), "{}", wide.join("\n"));
    }

    #[test]
    fn the_definitions_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_default_budget_is_the_documented_one() {
        let args = Args::parse_from(["oddsmith", "dist", "d6"]);
        let Command::Dist(dist) = args.command else {
            panic!("asked for dist")
        };
        assert_eq!(dist.cost.budget, DEFAULT_BUDGET);
    }
}
