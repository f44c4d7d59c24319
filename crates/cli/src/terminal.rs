//! The terminal: where words go, and in colour only where that is wanted.

use std::io::{self, IsTerminal as _, Write as _};

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

/// Prints a whole answer to standard output, without its colours where they are not wanted.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Prints data to standard output as it is.
pub(crate) fn print_data(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Prints an answer to standard output as JSON, indented.
pub(crate) fn print_answer(answer: &impl Serialize) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer_pretty(&mut out, answer)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// The columns of the terminal on which standard output is read; where it is none, `COLUMNS`, if that is told.
pub(crate) fn width() -> Option<usize> {
    columns(terminal_size::terminal_size_of(io::stdout()))
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
