//! `oddsmith new`: a ruleset of one's own, to begin with.

use std::path::{Path, PathBuf};

use anyhow::Result;
use oddsmith::{Game, shell_words};

use crate::advice::Advice;
use crate::args::NewArgs;
use crate::document::{Align, Cell, Grid};
use crate::output::{Destination, Output};
use crate::{exit, target, terminal};

/// What a game begins as that is not begun from another one.
const TEMPLATE: &str = include_str!("template.toml");

/// Writes the file, and says what to type next.
pub(crate) fn run(args: &NewArgs) -> Result<u8> {
    let path = file(&args.name);
    let title = title(&path)?;
    let text = match &args.from {
        Some(game) => begun_from(game, &title)?,
        None => TEMPLATE
            .replace("{title}", &title)
            .replace("{file}", &shell_words::path(&path)),
    };
    // What is written answers at once.
    let game = Game::parse(&path.display().to_string(), text.as_bytes())?;
    write(&path, &text)?;
    terminal::print(&next(&path, &game))?;
    Ok(exit::OK)
}

/// `mygame` is written to `mygame.toml`.
fn file(name: &str) -> PathBuf {
    match name.ends_with(".toml") {
        true => PathBuf::from(name),
        false => PathBuf::from(format!("{name}.toml")),
    }
}

/// What the game is called: its file, without folder and ending.
fn title(path: &Path) -> Result<String> {
    let stem = path
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or("");
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    if stem.starts_with(char::is_alphanumeric) && stem.chars().all(is_plain) {
        return Ok(stem.to_owned());
    }
    let message = format!("`{stem}` can't be the name of a new game");
    let help = "use letters, digits, `-` and `_`, such as `oddsmith new mygame`";
    Err(Advice::error(message, help))
}

/// The file of another game with all of its comments, under the new title.
fn begun_from(other: &str, title: &str) -> Result<String> {
    let text = String::from_utf8(target::source(other)?)?;
    let game = target::open(other)?;
    let is_name = |line: &str| line.split('=').next().map(str::trim) == Some("name");
    let at = text.lines().position(is_name);
    let lines = text.lines().enumerate().map(|(line, text)| match at {
        Some(at) if at == line => format!("name = \"{title}\"\n"),
        _ => format!("{text}\n"),
    });
    let lines: String = lines.collect();
    let head = format!("# {title}, begun from {} (`{other}`)\n#\n", game.title());
    Ok(head + &lines)
}

/// Nothing is ever overwritten.
fn write(path: &Path, text: &str) -> Result<()> {
    let destination = Destination::of(Some(path))?;
    if path.exists() {
        let message = format!("`{}` is there already", path.display());
        let help = "give another name, or go on with that file";
        return Err(Advice::error(message, help));
    }
    destination.has_place()?;
    let mut output = Output::open(&destination)?;
    output.write(text.as_bytes())?;
    output.finish()
}

/// The commands that come next, each with what it does.
fn next(path: &Path, game: &Game) -> String {
    let word = shell_words::path(path);
    let ask = match game.model().checks.is_empty() {
        true => "track",
        false => "odds",
    };
    let commands = [
        (format!("oddsmith {ask} {word}"), "the odds as they are now"),
        (
            format!("oddsmith rules show {word}"),
            "what can be set and asked",
        ),
        (
            format!("oddsmith report {word} -o odds"),
            "tables, charts and a page, in odds/",
        ),
        (
            format!("oddsmith serve {word}"),
            "edit it, and watch the odds follow",
        ),
    ];
    let mut grid = Grid::new(&[Align::Left, Align::Left]);
    for (command, does) in commands {
        grid.push(vec![Cell::from(command), does.into()]);
    }
    format!(
        "{} is written. What to type next:\n{}",
        path.display(),
        grid.render("  ", terminal::width())
    )
}
