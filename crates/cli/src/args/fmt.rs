//! `oddsmith rules fmt`.

use clap::Args as ClapArgs;

/// Format the scripts of rulesets
///
/// One blank stands around operators, blocks are indented by two, and blanks before line ends go. Comments, line breaks and
/// columns stay as they were made, and so do the tables around the scripts. The rules mean what they meant. If one of the
/// files can't be read, all that is wrong is told, and no file is written.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith rules fmt mine.toml
  oddsmith rules fmt rulesets/*.toml --check           for CI
  oddsmith rules fmt - < mine.toml                     for editors

Exit status:
  0  all files are formatted, now or before
  1  with `--check`: a file is not formatted
  2  a file can't be read or written")]
pub(crate) struct FmtArgs {
    /// Files; `-` alone is standard input, which goes to standard output
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,

    /// Write nothing, and tell which files are not formatted
    #[arg(long)]
    pub(crate) check: bool,
}
