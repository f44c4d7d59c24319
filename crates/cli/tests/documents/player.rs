//! Plays a page: does with its blocks, in a directory, what a reader would do.
//!
//! - A `toml`, `yaml`, `csv` or `anydice` block is written to the file that the paragraph above it names last, in backticks;
//!   behind what is there, if the paragraph says `Add to`.
//! - A `diff` block changes that file: the lines with `-` become those with `+`.
//! - A `sh` block is run, and must go well.
//! - A `console` block is run command by command, and each prints what stands below it, on standard output and standard
//!   error; a line `…` stands for any lines.
//! - A `text` block is looked at only.
//!
//! A picture of the page's own folder has to be the one that its commands drew.
//!
//! With `KEEP_PAGES` set, what is printed is written into the page in place of what it shows, and pictures beside it.

use std::fs;
use std::path::Path;

use oddsmith_testkit::documents::{Block, blocks};

use crate::support::{Place, Run};

use super::{is_shown, root, without_times};

/// Which blocks are done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Do {
    /// Everything.
    All,
    /// What a console shows.
    Consoles,
}

/// Plays a page, and returns every command that prints something else.
pub(super) fn play(place: &Place, name: &str, what: Do) -> Vec<String> {
    let path = root().join(name);
    let text = fs::read_to_string(&path).expect("the page");
    let mut wrong = Vec::new();
    let mut page = Kept {
        done: String::new(),
        rest: text.clone(),
    };
    for block in blocks(name, &text) {
        match (block.kind, what) {
            ("console", _) => {
                for command in commands(&block) {
                    let Err(Wrong { out, is_kept }) = command.runs(place, what) else {
                        continue;
                    };
                    wrong.push(format!("{name}: {} prints\n{out}", command.typed));
                    if !is_kept {
                        continue;
                    }
                    page.replace(&command.with(&command.shown), &command.with(&out));
                }
            }
            (_, Do::Consoles) | ("text" | "python", Do::All) => {}
            ("sh", Do::All) => {
                let run = place.shell(&block.text());
                assert_eq!(run.status, Some(0), "{name}: {}{}", block.text(), run.err);
            }
            ("diff", Do::All) => change(place, &above(&text, &block).1, &block),
            ("toml" | "yaml" | "csv" | "anydice", Do::All) => {
                save(place, &above(&text, &block), &block);
            }
            (kind, Do::All) => panic!("{name}: a block of {kind}"),
        }
    }
    if what == Do::All {
        wrong.extend(pictures(place, &path, &text));
    }
    if std::env::var_os("KEEP_PAGES").is_some() {
        fs::write(path, page.done + &page.rest).expect("the page can be written");
    }
    wrong
}

/// The pictures of a page that are not those which its commands drew.
fn pictures(place: &Place, page: &Path, text: &str) -> Vec<String> {
    let links = text.split("](").skip(1);
    let names = links.filter_map(|link| Some(link.split_once(')')?.0));
    let is_own = |name: &&str| name.ends_with(".svg") && !name.contains('/');
    let mut wrong = Vec::new();
    for name in names.filter(is_own) {
        let drawn = place.read(name);
        let kept = page.with_file_name(name);
        if fs::read_to_string(&kept).ok().as_ref() != Some(&drawn) {
            wrong.push(format!("{} is not what is drawn", kept.display()));
            if std::env::var_os("KEEP_PAGES").is_some() {
                fs::write(kept, drawn).expect("the picture can be written");
            }
        }
    }
    wrong
}

/// A page that is being changed, from top to bottom.
struct Kept {
    done: String,
    rest: String,
}

impl Kept {
    fn replace(&mut self, old: &str, new: &str) {
        let (before, after) = self
            .rest
            .split_once(old)
            .expect("the page has what it shows");
        self.done += before;
        self.done += new;
        self.rest = after.to_owned();
    }
}

/// What a command prints in place of what is shown; it is kept only if the command answers.
struct Wrong {
    out: String,
    is_kept: bool,
}

/// A command of a console.
struct Command<'d> {
    /// Its lines.
    typed: String,
    lines: Vec<&'d str>,
    /// What stands below it.
    shown: String,
}

fn commands<'d>(block: &Block<'d>) -> Vec<Command<'d>> {
    let mut commands: Vec<Command<'_>> = Vec::new();
    let mut goes_on = false;
    for (number, line) in &block.lines {
        let begins = line.strip_prefix("$ ");
        if let Some(typed) = begins {
            let (typed, lines) = (format!("{typed}\n"), vec![*line]);
            commands.push(Command {
                typed,
                lines,
                shown: String::new(),
            });
        } else {
            let command = commands.last_mut();
            let command =
                command.unwrap_or_else(|| panic!("{number}: a command comes first: {line}"));
            let text = if goes_on {
                command.lines.push(line);
                &mut command.typed
            } else {
                &mut command.shown
            };
            *text += &format!("{line}\n");
        }
        goes_on = (begins.is_some() || goes_on) && line.ends_with('\\');
    }
    commands
}

impl Command<'_> {
    /// Nothing if it prints what is shown, and otherwise what it prints.
    fn runs(&self, place: &Place, what: Do) -> Result<(), Wrong> {
        let typed = self.typed.trim_end();
        let Run { status, out, err } = match what {
            Do::All => place.shell(&format!("exec 2>&1\n{typed}")),
            Do::Consoles => place.shell(typed),
        };
        let is_refused = self.shown.contains("error: ");
        if status >= Some(2) && !is_refused {
            return Err(Wrong {
                out: out + &err,
                is_kept: false,
            });
        }
        let is_timed = typed.contains("--explain");
        let is_right = match what {
            _ if is_timed => without_times(&out) == without_times(&self.shown),
            Do::Consoles if self.shown.is_empty() => true,
            _ => is_shown(&self.shown, &out),
        };
        if is_right {
            Ok(())
        } else {
            Err(Wrong { out, is_kept: true })
        }
    }

    /// The command with what it prints, as a console shows it.
    fn with(&self, out: &str) -> String {
        format!("{}\n{out}", self.lines.join("\n"))
    }
}

/// The paragraph above a block and the name in backticks that it ends with.
fn above(text: &str, block: &Block<'_>) -> (String, String) {
    let first = block.lines.first().map_or(1, |(number, _)| *number);
    let before: Vec<&str> = text.lines().take(first - 2).collect();
    let lines = before.iter().rev().skip_while(|line| line.is_empty());
    let mut paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).copied().collect();
    paragraph.reverse();
    let paragraph = paragraph.join("\n");
    let words: Vec<&str> = paragraph.split('`').skip(1).step_by(2).collect();
    let is_file = |word: &&&str| word.contains('.') && !word.contains(' ');
    let name = words.iter().rev().find(is_file);
    let name = name.unwrap_or_else(|| panic!("{first}: no file is named above: {paragraph}"));
    (paragraph.clone(), (*name).to_owned())
}

/// Writes a block to its file.
fn save(place: &Place, (paragraph, name): &(String, String), block: &Block<'_>) {
    let path = place.root().join(name);
    let is_added = paragraph.contains("Add to `");
    let before = if is_added {
        fs::read_to_string(&path).expect("a file to add to") + "\n"
    } else {
        String::new()
    };
    fs::create_dir_all(path.parent().expect("a directory")).expect("it is made");
    fs::write(path, before + &block.text()).expect("a file can be written");
}

/// Changes a file as a block says.
fn change(place: &Place, name: &str, block: &Block<'_>) {
    let lines = |left_out: char| -> String {
        let kept = block
            .lines
            .iter()
            .filter(|(_, line)| !line.starts_with(left_out));
        kept.map(|(_, line)| format!("{}\n", line.get(1..).unwrap_or_default()))
            .collect()
    };
    let (old, new) = (lines('+'), lines('-'));
    let path = place.root().join(name);
    let text = fs::read_to_string(&path).expect("a file to change");
    assert_eq!(
        text.matches(&old).count(),
        1,
        "{name} has this once:\n{old}\n{text}"
    );
    fs::write(path, text.replacen(&old, &new, 1)).expect("a file can be written");
}
