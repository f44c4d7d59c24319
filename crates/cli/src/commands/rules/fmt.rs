//! `oddsmith rules fmt`: scripts, formatted.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use oddsmith_rules::{Diagnostics, Fix, MOST_BYTES, Source, all_games, decoded, format};

use crate::advice::Advice;
use crate::args::FmtArgs;
use crate::format::words::plural;
use crate::output::{Destination, Output};
use crate::target::{self, TargetName};
use crate::{exit, failure, terminal};

/// What stands for standard input and output.
const STREAM: &str = "-";

/// A file with the changes that format it.
struct File<'a> {
    name: &'a str,
    source: Arc<Source>,
    edits: Vec<Fix>,
}

/// Formats the files, or tells which are not formatted.
pub(super) fn run(args: &FmtArgs) -> Result<u8> {
    let files: &[String] = &args.files;
    if files.len() > 1 && files.iter().any(|name| name == STREAM) {
        let message = "`-` is standard input, and stands alone";
        return Err(Advice::error(
            message,
            "format the files in a run of their own",
        ));
    }
    let mut read = Vec::new();
    let mut is_sound = true;
    for name in files {
        match File::read(name) {
            Ok(file) => read.push(file),
            Err(error) => {
                failure::tell(&failure::render(&error));
                is_sound = false;
            }
        }
    }
    if !is_sound {
        return Ok(exit::FAILED);
    }
    if let [file] = read.as_slice()
        && file.name == STREAM
        && !args.check
    {
        terminal::print_data(format::formatted(&file.source)?.as_bytes())?;
        return Ok(exit::OK);
    }
    let changed: Vec<&File<'_>> = read.iter().filter(|file| !file.edits.is_empty()).collect();
    for file in &changed {
        if !args.check {
            file.write()?;
        }
        terminal::print(&file.line(args.check))?;
    }
    Ok(match args.check && !changed.is_empty() {
        true => exit::NO,
        false => exit::OK,
    })
}

impl<'a> File<'a> {
    fn read(name: &'a str) -> Result<Self> {
        let (shown, bytes) = match name {
            STREAM => ("<stdin>", stdin()?),
            name => (name, bytes(name)?),
        };
        let unread = |errors: Diagnostics| oddsmith::Error::Ruleset {
            name: shown.to_owned(),
            errors,
        };
        let source = decoded(shown, &bytes).map_err(unread)?;
        let edits = format::edits(&source).map_err(unread)?;
        Ok(Self {
            name,
            source,
            edits,
        })
    }

    fn write(&self) -> Result<()> {
        let destination = Destination::of(Some(Path::new(self.name)))?;
        let mut output = Output::open(&destination)?;
        output.write(format::formatted(&self.source)?.as_bytes())?;
        output.finish()
    }

    /// What was done, or is to be done.
    fn line(&self, is_checked: bool) -> String {
        let mut lines: Vec<usize> = { self.edits.iter() }
            .map(|edit| self.source.line_column(edit.span.end).0)
            .collect();
        lines.dedup();
        let count = plural(lines.len() as u64, "line");
        match (is_checked, lines.first()) {
            (true, Some(first)) => {
                format!("not formatted: {}:{first} ({count})\n", self.source.name)
            }
            _ => format!("formatted: {} ({count})\n", self.source.name),
        }
    }
}

/// The bytes of a file, which is no ruleset that comes along.
fn bytes(name: &str) -> Result<Vec<u8>> {
    let TargetName { ruleset, check } = TargetName::parse(name);
    if let Some(check) = check {
        let message = format!("a file is formatted as a whole, not `{check}` alone");
        let help = format!("leave the check out: `oddsmith rules fmt {ruleset}`");
        return Err(Advice::error(message, help));
    }
    if target::path_of(name).is_some_and(|path| path != Path::new(name)) {
        let message = format!("`{name}` is a file of a revision, which is not written");
        return Err(Advice::error(message, "give the path of a file"));
    }
    if target::path_of(name).is_none() && all_games().any(|(game, _)| game == name) {
        let message = format!("`{name}` comes along with the program, and is no file");
        let help = format!("`oddsmith new mygame --from {name}` writes one");
        return Err(Advice::error(message, help));
    }
    Ok(target::source(name)?)
}

/// What standard input has; of more than a ruleset can have as much as is too much.
fn stdin() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock().take(MOST_BYTES + 1);
    let read = stdin.read_to_end(&mut bytes);
    read.context("can't read standard input")?;
    Ok(bytes)
}
