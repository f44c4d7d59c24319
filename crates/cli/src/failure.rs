//! Why nothing was answered, in words: every error of the program is shown here.

use std::fmt::Write as _;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use anstyle::{AnsiColor, Style};
use oddsmith::Error;
use oddsmith_exact::Error as ExactError;
use oddsmith_rules::{Diagnostic, Diagnostics, Source, one_line};
use oddsmith_simulate::Error as SimulateError;

use crate::document::fit;
use crate::format::words::plural;
use crate::{exit, terminal};

/// Errors or warnings of one ruleset that are shown; the rest are counted.
const MOST_SHOWN: usize = 20;

/// Tells the user and returns the exit status. A reader that went away, as `head` does, is no failure.
pub(crate) fn report(error: &anyhow::Error) -> u8 {
    if is_broken_pipe(error) {
        return exit::OK;
    }
    tell(&render(error));
    exit::FAILED
}

/// Says something on standard error, in lines no wider than the terminal.
pub(crate) fn tell(text: &str) {
    terminal::tell(&match terminal::error_width() {
        Some(width) => with_prose_broken(text, width),
        None => text.to_owned(),
    });
}

/// Sentences no wider than the terminal; places in a file with their carets stay as they are, which [`Diagnostic`] has
/// made as wide.
fn with_prose_broken(text: &str, width: usize) -> String {
    let lines = text.split('\n').map(|line| {
        let plain = anstream::adapter::strip_str(line).to_string();
        let is_number = |c: char| c == ' ' || c.is_ascii_digit();
        match plain.trim_start_matches(is_number).starts_with('|') {
            true => line.to_owned(),
            false => fit(line, width),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The error as a user reads it, with colours and a line end.
pub(crate) fn render(error: &anyhow::Error) -> String {
    if let Some(error) = error.downcast_ref::<Error>() {
        return render_error(error);
    }
    if let Some(errors) = error.downcast_ref::<Diagnostics>() {
        return diagnostics(errors, "error");
    }
    match error.downcast_ref::<ExactError>() {
        Some(exact) => render_exact(exact),
        None => line(&format!("{error:#}")),
    }
}

/// An error of the library, likewise.
pub(crate) fn render_error(error: &Error) -> String {
    match error {
        Error::Ruleset { errors, .. } => diagnostics(errors, "error") + &line(&error.to_string()),
        Error::Request(errors) => diagnostics(errors, "error"),
        Error::Advice {
            message,
            help: what,
        } => line(message) + &help(what),
        Error::Exact(exact) | Error::ExactOf { error: exact, .. } => render_exact(exact),
        Error::Simulation(SimulateError::Rule(error) | SimulateError::Unsupported(error)) => {
            diagnostic(error)
        }
        other => line(&other.to_string()),
    }
}

fn render_exact(error: &ExactError) -> String {
    match error {
        ExactError::Rule(error) | ExactError::Unsupported(error) => diagnostic(error),
        ExactError::OverBudget { help: what, .. } => line(&error.to_string()) + &help(what),
        _ => line(&error.to_string()),
    }
}

/// The first of them, and how many more there are; `noun` is what one of them is called.
fn diagnostics(errors: &Diagnostics, noun: &str) -> String {
    let mut text: String = errors.0.iter().take(MOST_SHOWN).map(diagnostic).collect();
    let more = errors.0.len().saturating_sub(MOST_SHOWN);
    if more > 0 {
        let plural = if more == 1 { "" } else { "s" };
        let _ = writeln!(text, "... and {more} more {noun}{plural}\n");
    }
    text
}

fn diagnostic(error: &Diagnostic) -> String {
    let drawn = match terminal::error_width() {
        Some(width) => error.render_within(true, width),
        None => error.render(true),
    };
    drawn + "\n\n"
}

fn line(message: &str) -> String {
    let style = AnsiColor::BrightRed.on_default().bold();
    format!("{style}error{style:#}: {}\n", one_line(message))
}

fn help(what: &str) -> String {
    let mut text = String::new();
    if !what.is_empty() {
        let style: Style = AnsiColor::BrightCyan.on_default().bold();
        let _ = writeln!(text, "{style}help{style:#}: {}", one_line(what));
    }
    text
}

/// Tells the warnings about a text, each text's once.
pub(crate) fn warn(warnings: &Diagnostics) {
    static TOLD: Mutex<Vec<Arc<Source>>> = Mutex::new(Vec::new());
    let Some(first) = warnings.0.first() else {
        return;
    };
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if !told.contains(&first.source) {
        told.push(Arc::clone(&first.source));
        tell(&diagnostics(warnings, "warning"));
    }
}

/// Says that nothing is answered because of so many warnings.
pub(crate) fn denied(warnings: usize) {
    let warnings = plural(warnings as u64, "warning");
    tell(&line(&format!("`--deny warnings` denies {warnings}")));
}

/// Tells the user what is worth knowing beside the answer.
pub(crate) fn note(what: &str) {
    let style: Style = AnsiColor::BrightGreen.on_default().bold();
    tell(&format!("{style}note{style:#}: {}\n", one_line(what)));
}
