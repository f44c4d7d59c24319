//! Parts of a job, and `merge`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args as ClapArgs;
use oddsmith::part::{PartNumber, Whole};

/// Which part of the work is done.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Parting {
    /// Do only this part of the work, such as 2/4, the second of four, and write what `oddsmith merge` puts together with
    /// the others to the file of `--output`, or to standard output
    #[arg(
        long,
        value_name = "I/N",
        allow_hyphen_values = true,
        help_heading = "Of several machines"
    )]
    pub(crate) part: Option<PartNumber>,

    /// The words of the command, by which parts are asked for again as a whole.
    #[arg(skip)]
    pub(crate) command: Vec<String>,

    /// All parts, if the work was done in some.
    #[arg(skip)]
    pub(crate) whole: Option<Arc<Whole>>,
}

/// The same of a command whose answer is printed.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct PrintedParting {
    #[command(flatten)]
    pub(crate) parting: Parting,

    /// The file of the part, whole or not at all [default: standard output]
    #[arg(
        short,
        long,
        value_name = "FILE",
        requires = "part",
        help_heading = "Of several machines"
    )]
    pub(crate) output: Option<PathBuf>,
}

/// Put the parts of a job together
///
/// Every command with `--part` does a part of its work and writes a file, which says what it is part of: the version, the
/// request, and the rulesets by their SHA-256. Here all parts become what one process would have written or printed, byte
/// for byte, with its exit status. They may come in any order; parts of another job, parts that come twice and parts that
/// are missing are told by name, and then nothing is written. The rulesets have to be where they were.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  oddsmith table stars-and-signs --sweep mood=all --part 1/2 -o odds.1.part
  oddsmith table stars-and-signs --sweep mood=all --part 2/2 -o odds.2.part
  oddsmith merge odds.1.part odds.2.part -o odds.csv
  oddsmith merge odds.?.part -- --format markdown    with more options
  oddsmith merge odds.2.part --partial -o larger.part   of some of them

Exit status:
  that of the command whose parts they are; 2 if they are not all parts of one
  job")]
pub(crate) struct MergeArgs {
    /// Files of parts, in any order
    #[arg(value_name = "PART", required = true)]
    pub(crate) parts: Vec<PathBuf>,

    /// Where the answer goes [default: standard output]; for `report` the directory. Of a table the name says the format,
    /// as in `oddsmith table`
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Put together what there is, as a larger part of the same job
    #[arg(long, conflicts_with = "words")]
    pub(crate) partial: bool,

    /// More options of the command, such as `-- --format markdown`
    #[arg(value_name = "OPTIONS", last = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<String>,
}
