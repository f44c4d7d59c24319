//! `oddsmith merge`: what the parts of a job come to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use oddsmith::Error;
use oddsmith::part::{Parts, Source};

use crate::advice::Advice;
use crate::args::{Command, MergeArgs};
use crate::output::{Destination, Output};
use crate::{exit, parting, terminal};

/// Reads the parts, and runs their command with what they hold; `run` runs a command.
pub(crate) fn run(args: &MergeArgs, run: impl FnOnce(Command) -> Result<u8>) -> Result<u8> {
    let parts = Parts::read(args.parts.iter().cloned().map(Source::File))?;
    let destination = Destination::of(args.output.as_deref())?;
    destination_is_no_part(&destination, &args.parts)?;
    if args.partial {
        return partial(&parts, &destination);
    }
    let whole = parts.whole()?;
    let asked_words = &whole.job().command;
    let is_printed = prints(asked_words, args.output.as_deref());
    if args.output.is_none() && is_report(asked_words) {
        let help = "say which: `oddsmith merge PARTS -o DIR`";
        return Err(Advice::error("a report goes to a directory", help));
    }
    let output = args.output.iter().filter(|_| !is_printed);
    let output: Vec<String> = output
        .map(|path| format!("--output={}", path.display()))
        .collect();
    // The words of a part may come from a stranger: what is left of them are those of a command that has parts.
    let words = crate::asked(&with(asked_words, &output))?.words;
    let mut asked = crate::asked(&with(&words, &[&args.words[..], &output].concat()))?;
    if let Some(parting) = asked.command.parting_mut() {
        parting.whole = Some(Arc::new(whole));
    }
    match destination {
        Destination::Stdout => run(asked.command),
        _ if !is_printed => run(asked.command),
        destination => {
            destination.has_place()?;
            terminal::capture();
            let status = run(asked.command)?;
            let printed = terminal::captured();
            parting::write(&destination, &printed)?;
            Ok(status)
        }
    }
}

/// The words of a command with more options, before what is no option.
fn with(words: &[String], options: &[String]) -> Vec<String> {
    let at = words.iter().position(|word| word == "--");
    let (before, after) = words.split_at(at.unwrap_or(words.len()));
    [before, options, after].concat()
}

fn is_report(words: &[String]) -> bool {
    words.first().is_some_and(|name| name == "report")
}

/// Whether a command prints its answer, so that `--output` has only its parts; what steps are worth may be a picture.
fn prints(words: &[String], output: Option<&Path>) -> bool {
    let extension = output.and_then(Path::extension);
    match words.first().map(String::as_str) {
        Some("table" | "report") => false,
        Some("balance") => !extension.is_some_and(|own| own == "svg" || own == "png"),
        _ => true,
    }
}

/// Writes a larger part.
fn partial(parts: &Parts, destination: &Destination) -> Result<u8> {
    destination.has_place()?;
    let mut output = Output::open(destination)?;
    parts.write(|bytes| {
        let written = output.write(bytes);
        written.map_err(|error| Error::advice(format!("{error:#}"), ""))
    })?;
    output.finish()?;
    Ok(exit::OK)
}

/// What is made of parts takes the place of none of them.
fn destination_is_no_part(destination: &Destination, parts: &[PathBuf]) -> Result<()> {
    let is_one = |path: &&PathBuf| destination.is(Path::new(path));
    match parts.iter().find(is_one) {
        None => Ok(()),
        Some(path) => {
            let message = format!(
                "`{}` is one of the parts and would be replaced",
                path.display()
            );
            Err(Advice::error(message, "give another name to `-o`"))
        }
    }
}
