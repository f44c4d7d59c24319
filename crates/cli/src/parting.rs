//! Commands that do a part of their work: what they are asked by, and where parts go.

use std::path::Path;

use anyhow::Result;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use oddsmith::part::{Job, PartNumber, Whole};
use oddsmith::{Error, Limits};

use crate::advice::Advice;
use crate::args::Parting;
use crate::output::{Destination, Output};
use crate::{exit, failure, target};

/// Options that say how and where the work is done, and not what comes of it; and those by which files are written, so
/// that a part can't say so. `oddsmith merge` takes them.
const NO_PART_OF_A_JOB: [&str; 9] = [
    "part",
    "output",
    "threads",
    "progress",
    "color",
    "patch",
    "apply",
    "overwrite",
    "update",
];

/// What becomes of the work of a command.
pub(crate) enum Work<'a> {
    /// It is done here, all of it.
    All,
    /// It is done here in part, of a job.
    Part(Job, PartNumber),
    /// It was done in parts.
    Done(&'a Whole),
}

impl Parting {
    /// What becomes of the work. The job is asked for only if there are parts, and has the words of the command.
    ///
    /// # Errors
    /// If there is no job; if the parts are of another one.
    pub(crate) fn work(&self, job: impl FnOnce() -> Result<Job, Error>) -> Result<Work<'_>> {
        Ok(match (&self.whole, self.part) {
            (Some(whole), _) => {
                whole.demand(&job()?)?;
                Work::Done(whole)
            }
            (None, Some(number)) => Work::Part(job()?.asked_by(self.command.clone()), number),
            (None, None) => Work::All,
        })
    }

    /// Refuses an option by which a file is written that no part has.
    pub(crate) fn refuse(&self, option: &str, is_given: bool) -> Result<()> {
        match (self.part, is_given) {
            (Some(number), true) => Err(Advice::error(
                format!("`{option}` is of the whole answer, and part {number} has none"),
                format!(
                    "give it to the command that has all parts: `oddsmith merge PARTS -- {option} …`"
                ),
            )),
            _ => Ok(()),
        }
    }
}

impl Work<'_> {
    /// Limits with which that needs no work which was done in parts.
    ///
    /// # Errors
    /// If a part can't be read.
    pub(crate) fn limits(&self, limits: Limits) -> Result<Limits> {
        match self {
            Self::Done(whole) => Ok(whole.limits(&limits)?),
            Self::All | Self::Part(..) => Ok(limits),
        }
    }
}

/// Where a part goes. Nothing takes the place of the ruleset.
pub(crate) fn destination(output: Option<&Path>, ruleset: &str) -> Result<Destination> {
    let destination = Destination::of(output)?;
    destination.has_place()?;
    target::protect(ruleset, &destination)?;
    Ok(destination)
}

/// Writes a part.
pub(crate) fn write(destination: &Destination, part: &[u8]) -> Result<()> {
    let mut output = Output::open(destination)?;
    output.write(part)?;
    output.finish()
}

/// Writes a part, unless it was interrupted; the status.
pub(crate) fn write_part(destination: &Destination, part: Option<Vec<u8>>) -> Result<u8> {
    let Some(part) = part else {
        failure::note("interrupted: a part is written whole or not at all");
        return Ok(exit::INTERRUPTED);
    };
    write(destination, &part)?;
    Ok(exit::OK)
}

/// The words of a command by which its parts are asked for: its names, then what was given, in the order of its help.
pub(crate) fn words(command: &Command, matches: &ArgMatches) -> Vec<String> {
    let mut words = Vec::new();
    let (mut command, mut matches) = (command, matches);
    while let Some((name, own)) = matches.subcommand() {
        words.push(name.to_owned());
        let Some(inner) = command.find_subcommand(name) else {
            break;
        };
        (command, matches) = (inner, own);
    }
    let (mut options, mut values) = (Vec::new(), Vec::new());
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        // What is of all commands is not asked of this one.
        let source = matches.try_contains_id(id).ok();
        let source = source.and_then(|_| matches.value_source(id));
        if NO_PART_OF_A_JOB.contains(&id) || source != Some(ValueSource::CommandLine) {
            continue;
        }
        let given = matches.get_raw(id).into_iter().flatten();
        let given = given.map(|value| value.to_string_lossy().into_owned());
        match arg.get_long() {
            Some(long) if arg.get_action().takes_values() => {
                options.extend(given.map(|value| format!("--{long}={value}")));
            }
            Some(long) => options.push(format!("--{long}")),
            None => values.extend(given),
        }
    }
    words.extend(options);
    if !values.is_empty() {
        words.push("--".to_owned());
        words.extend(values);
    }
    words
}
