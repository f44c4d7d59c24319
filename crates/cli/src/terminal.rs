//! The terminal: where words go, and in colour only where that is wanted.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anstream::ColorChoice;
use clap::ValueEnum;
use serde::Serialize;

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// Settles colour for both streams; `auto` heeds the terminal, `NO_COLOR` and `CLICOLOR_FORCE`.
pub(crate) fn set_color(color: Color) {
    let choice = match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// What is printed while it is kept in place of being printed.
static CAPTURED: Mutex<Option<Vec<u8>>> = Mutex::new(None);

fn capturing() -> MutexGuard<'static, Option<Vec<u8>>> {
    CAPTURED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps what is printed from now on, as a file would have it.
pub(crate) fn capture() {
    *capturing() = Some(Vec::new());
}

/// What was printed since, which is kept no more.
pub(crate) fn captured() -> Vec<u8> {
    capturing().take().unwrap_or_default()
}

/// Prints a whole answer to standard output, without its colours where they are not wanted.
pub(crate) fn print(text: &str) -> io::Result<()> {
    if let Some(kept) = &mut *capturing() {
        kept.extend(anstream::adapter::strip_str(text).to_string().bytes());
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    or_unread(written)
}

/// Takes it for printed if whoever reads has gone: what the command has found out, which its exit status tells, is the same.
fn or_unread(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints data to standard output as it is.
pub(crate) fn print_data(bytes: &[u8]) -> io::Result<()> {
    or_unread(print_piece(bytes))
}

/// Prints a piece of data, of which more are made if anybody reads it.
///
/// # Errors
/// As those of the stream, also where whoever reads has gone: then nothing more need be made.
pub(crate) fn print_piece(bytes: &[u8]) -> io::Result<()> {
    if let Some(kept) = &mut *capturing() {
        kept.extend_from_slice(bytes);
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Prints an answer to standard output as JSON, indented.
pub(crate) fn print_answer(answer: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(answer)?;
    text.push(b'\n');
    print_data(&text)
}

/// The columns of the terminal on which standard output is read; where it is none, `COLUMNS`, if that is told.
pub(crate) fn width() -> Option<usize> {
    let is_captured = capturing().is_some();
    let size = || terminal_size::terminal_size_of(io::stdout());
    columns((!is_captured).then(size).flatten())
}

/// The columns of the terminal on which errors are read, likewise.
pub(crate) fn error_width() -> Option<usize> {
    columns(terminal_size::terminal_size_of(io::stderr()))
}

fn columns(size: Option<(terminal_size::Width, terminal_size::Height)>) -> Option<usize> {
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    let width = size.map(|(width, _)| usize::from(width.0)).or_else(told);
    width.filter(|width| *width > 0)
}

/// Says something on standard error; if even that is closed there is nobody to tell.
pub(crate) fn tell(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Whether a progress bar would be seen, and not between lines of data.
pub(crate) fn shows_progress(data_to_file: bool) -> bool {
    io::stderr().is_terminal() && (data_to_file || !io::stdout().is_terminal())
}
