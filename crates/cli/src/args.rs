//! What the user typed, checked for shape and nothing more.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Style, Styles};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Steps that a question may cost unless `--budget` says otherwise: about half a minute.
pub(crate) const DEFAULT_BUDGET: u64 = 10_000_000_000;

const STYLES: Styles = Styles::styled()
    .header(Style::new().bold())
    .usage(Style::new().bold())
    .literal(AnsiColor::Cyan.on_default())
    .placeholder(AnsiColor::Cyan.on_default().italic());

const EXAMPLES: &str = "\
Examples:
  oddsmith dist 4d6kh3                           the whole distribution of a dice expression
  oddsmith rules list                            the games that come along
  oddsmith rules show stars-and-signs            their axes and parameters
  oddsmith odds stars-and-signs --set circ_boons=2 --set ability_rank=6
  oddsmith table stars-and-signs --sweep circ_boons=-5..=5 --sweep ability_rank=all -o odds.csv
  oddsmith rules show stars-and-signs --source > mine.toml    (then edit it, and ask mine.toml)

Exit status:
  0  all is well
  1  the answer is no (a case failed)
  2  it could not be answered (usage, a bad ruleset, over budget)";

/// Exact odds for tabletop rules, written as data
///
/// A game's rules are a ruleset: one TOML file. Its checks are answered exactly, with fractions of whole
/// numbers; nothing is sampled and nothing is rounded before it is shown.
#[derive(Debug, Parser)]
#[command(
    name = "oddsmith",
    version,
    after_help = EXAMPLES,
    styles = STYLES,
    max_term_width = 100,
    disable_help_subcommand = true,
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
    Verify(VerifyArgs),
    Rules(RulesArgs),
    /// Print a completion script for a shell
    #[command(after_help = "\
Examples:
  oddsmith completions bash > ~/.local/share/bash-completion/completions/oddsmith
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

/// The odds of one configuration
///
/// The bands of a check with what is at least that good, its flags, and mean, deviation and range of what
/// else it shows.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith odds stars-and-signs
  oddsmith odds stars-and-signs --set ability_rank=8 --set state=fragile
  oddsmith odds stars-and-signs:cooperation --set followers=3 --format markdown
  oddsmith odds stars-and-signs --set effort=2 --query 'P(total>=18|effort_spent>0)'
  oddsmith odds stars-and-signs --query 'P(total>=18)' --query 'mean(total)'
  oddsmith odds mine.toml:test --format csv")]
pub(crate) struct OddsArgs {
    #[command(flatten)]
    pub(crate) question: Question,

    /// How to show the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// A table: one row per configuration
///
/// Rows come in the order of the sweeps, the last one fastest, with the swept axes first and then a column
/// for every band and query. Without bands: for every flag, and the mean of every number shown.
/// Configurations that break a requirement of the ruleset have no row.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith table stars-and-signs --sweep circ_boons=-5..=5
  oddsmith table stars-and-signs --sweep ability_rank=1,2,4,6,8,10 --sweep state=all --format table
  oddsmith table stars-and-signs --sweep all --set state=ok --exact -o checks.csv
  oddsmith table stars-and-signs:test --sweep all --query 'mean(score)' -o tests.parquet
  oddsmith table mine.toml:test --sweep skill=all --query 'mean(score)' | head -5")]
pub(crate) struct TableArgs {
    #[command(flatten)]
    pub(crate) question: Question,

    /// An axis and its values: `stat=0,2,4`, `stat=-5..=5`, `state=all`. Or `all`: every axis that its
    /// ruleset gives a sweep and `--set` does not fix; further sweeps then replace its values or add axes
    #[arg(long = "sweep", value_name = "AXIS=VALUES|all")]
    pub(crate) sweeps: Vec<String>,

    /// Add exact weights: `weight:BAND` columns and their common `total`
    #[arg(long)]
    pub(crate) exact: bool,

    /// Write to a file, whole or not at all; .csv, .jsonl, .md or .parquet says the format.
    /// `-` is standard output; a pipe or device is written as the rows come
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// How to show the table [default: what FILE says, or csv]
    #[arg(long, value_enum)]
    pub(crate) format: Option<TableFormat>,

    /// Threads to use [default: one per core]; the result is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Whether to show progress, on a terminal
    #[arg(long, value_enum, default_value_t = Progress::Auto, value_name = "WHEN")]
    pub(crate) progress: Progress,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// The whole distribution of a dice expression
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith dist 3d6
  oddsmith dist 4d6kh3 --format csv
  oddsmith dist 2d6 + 3
  oddsmith dist '2d6!(3) + 1'                      dice that explode, at most three times
  oddsmith dist '6d10 cs>=7'                       how many dice show 7 or more
  oddsmith dist '{2d8,2d6}kh2' --query 'P(value>=12)' --query 'mean(value)'")]
pub(crate) struct DistArgs {
    /// A dice expression, such as 4d6kh3; in quotes if it has a *, !, ( or {
    #[arg(value_name = "EXPR", required = true)]
    pub(crate) expression: Vec<String>,

    /// Answer this about `value` instead of showing all of it; repeatable
    #[arg(long = "query", value_name = "QUERY")]
    pub(crate) queries: Vec<String>,

    /// How to show the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Table)]
    pub(crate) format: AnswerFormat,

    #[command(flatten)]
    pub(crate) cost: Cost,
}

/// Check every row of a case file, exactly
///
/// A case file is CSV with the columns id, question, target, set, query, numerator and denominator; others
/// are ignored. A row holds if the answer equals its fraction. Questions are `odds` and `dist`.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith verify tests/cases/dice.csv
  oddsmith verify tests/cases/dice.csv > failures.txt || echo 'the odds moved'

A case file:
  id,question,target,set,query,numerator,denominator
  stats,dist,4d6kh3,,P(value==18),7,432
  base,odds,stars-and-signs:check,ability_rank=1 skill_rank=0,Miss,9,25")]
pub(crate) struct VerifyArgs {
    /// The case file
    #[arg(value_name = "CASES.csv")]
    pub(crate) cases: PathBuf,
}

/// The rulesets: what there is, what is in them, whether they are right
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith rules list
  oddsmith rules show stars-and-signs:check
  oddsmith rules show stars-and-signs --source > mine.toml
  oddsmith rules validate mine.toml
  oddsmith rules schema > ruleset.schema.json")]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    pub(crate) command: RulesCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// List the rulesets that come along, with their checks
    #[command(after_help = "\
Examples:
  oddsmith rules list")]
    List,
    /// Show a ruleset's parameters, axes and outcomes
    #[command(after_help = "\
Examples:
  oddsmith rules show stars-and-signs
  oddsmith rules show stars-and-signs:test
  oddsmith rules show stars-and-signs --source > mine.toml")]
    Show {
        /// A ruleset, or one check of it
        #[arg(value_name = "RULESET[:CHECK]")]
        target: String,
        /// Print the file itself, to copy and edit
        #[arg(long)]
        source: bool,
    },
    /// Find what is wrong in rulesets, all of it
    #[command(after_help = "\
Examples:
  oddsmith rules validate stars-and-signs
  oddsmith rules validate mine.toml other.toml")]
    Validate {
        /// Files, or names of rulesets that come along
        #[arg(value_name = "RULESET", required = true)]
        rulesets: Vec<String>,
    },
    /// Print a JSON Schema of ruleset files, for editors
    #[command(after_help = "\
Examples:
  oddsmith rules schema > ruleset.schema.json")]
    Schema,
}

/// What is asked, of which rules.
#[derive(Debug, ClapArgs)]
pub(crate) struct Question {
    /// A ruleset by name or path, and which of its checks; without CHECK the first
    #[arg(value_name = "RULESET[:CHECK]")]
    pub(crate) target: String,

    /// Set an axis or parameter, such as circ_boons=2; repeatable, the last one of a name wins
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) sets: Vec<String>,

    /// Ask more: a band or flag, `P(total>=15)`, `P(net==0|actor>0)`, `mean(total)`; repeatable
    #[arg(long = "query", value_name = "QUERY")]
    pub(crate) queries: Vec<String>,
}

/// What an answer may cost.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub(crate) struct Cost {
    /// Refuse what would need more steps than this; 1e9 steps take seconds
    #[arg(long, value_name = "STEPS", default_value = "1e10", value_parser = parse_steps)]
    pub(crate) budget: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// For reading
    Table,
    /// Exact, for programs
    Csv,
    /// Exact, for programs
    Json,
    /// For documents
    Markdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For programs and spreadsheets
    Csv,
    /// A JSON object per line
    Jsonl,
    /// For documents
    Markdown,
    /// For reading; aligned, so held in memory
    Table,
    /// By columns, for data frames; only to a file
    #[value(skip)]
    Parquet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    Auto,
    Never,
}

/// The arguments as they are read: an expression such as `-1d6` is not an option.
pub(crate) fn with_negative_dice(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    if words.iter().skip(1).any(|word| word == "dist") {
        for word in &mut words {
            if word.to_str().is_some_and(is_negative_dice) {
                let mut spaced = OsString::from(" ");
                spaced.push(&*word);
                *word = spaced;
            }
        }
    }
    words
}

/// `-1d6`, `-d6`, `-(2d6 + 1)`
fn is_negative_dice(word: &str) -> bool {
    let rest = word.strip_prefix('-').unwrap_or_default();
    let after_d = rest.strip_prefix('d').unwrap_or(rest);
    after_d.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with(['(', '{'])
}

/// `10_000`, `1e12`
fn parse_steps(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    if let Ok(steps) = plain.parse() {
        return Ok(steps);
    }
    let steps = plain.parse::<f64>().ok().filter(|steps| *steps >= 1.0);
    // By way of its digits: nothing is cut off silently.
    steps
        .and_then(|steps| format!("{steps:.0}").parse().ok())
        .ok_or_else(|| format!("not a number of steps from 0 to {}, such as 1e12", u64::MAX))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::{Args, Command, DEFAULT_BUDGET, OsString, parse_steps, with_negative_dice};

    #[test]
    fn the_definitions_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn steps_are_whole_numbers_or_powers_of_ten() {
        assert_eq!(parse_steps("1e12"), Ok(1_000_000_000_000));
        assert_eq!(parse_steps("2.5e3"), Ok(2500));
        assert_eq!(parse_steps("10_000"), Ok(10_000));
        assert_eq!(parse_steps("0"), Ok(0));
        for wrong in ["", "-1", "1e30", "inf", "NaN", "ten"] {
            assert!(parse_steps(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn negative_dice_are_no_options() {
        let words = [
            "oddsmith", "dist", "-d6", "-", "-1d6", "-(d4)", "--format", "-h",
        ];
        let read = with_negative_dice(words.into_iter().map(OsString::from));
        let expected = [
            "oddsmith", "dist", " -d6", "-", " -1d6", " -(d4)", "--format", "-h",
        ];
        assert_eq!(read, expected);
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
