//! Annotations for GitHub Actions: workflow commands, a line each, on the lines of the rulesets.

use std::fmt::Write as _;

use oddsmith::baseline::MANIFEST;
use oddsmith::project::{Found, Intent, Place, ProjectAnswer, RulesetAnswer, TableDrift};
use oddsmith_rules::visible;

use super::{ORPHAN_HELP, largest, orphan, summary};

/// Text without colours in which no line is a command: such a line, as by a name that begins like one, gets a space.
pub(crate) fn plain(text: &str) -> String {
    let text = anstream::adapter::strip_str(text).to_string();
    let lines = text.lines().map(|line| {
        let line = line.replace("##[", "## [");
        let gap = line.len() - line.trim_start().len();
        match line[gap..].strip_prefix("::") {
            Some(rest) => format!("{}: :{rest}\n", &line[..gap]),
            None => line + "\n",
        }
    });
    lines.collect()
}

/// An error for everything that moved, where it was caused, and for what could not be checked.
pub(crate) fn render(report: &ProjectAnswer) -> String {
    let mut text = String::new();
    for game in &report.rulesets {
        match &game.found {
            Ok(found) => {
                if !report.is_update {
                    push_found(game, found, &mut text);
                }
                for intent in found.broken() {
                    push_intent(game, intent, &mut text);
                }
            }
            Err(trouble) => {
                for (reason, place) in &trouble.reasons {
                    push(&game.file, *place, "can't be checked", reason, &mut text);
                }
            }
        }
    }
    for directory in &report.orphans {
        let file = format!("{directory}/{MANIFEST}");
        let message = format!("{}\n{ORPHAN_HELP}", orphan(directory));
        push(&file, None, "odds without a ruleset", &message, &mut text);
    }
    text
}

fn push_found(game: &RulesetAnswer, found: &Found, text: &mut String) {
    for table in found.moved() {
        let title = format!("odds of {}:{} moved", game.id, table.check);
        let mut causes = table.all_causes().peekable();
        if causes.peek().is_none() {
            push(&game.file, Some(table.place), &title, &what(table), text);
        }
        for cause in causes {
            let message = format!("{}\n{}", cause.text, what(table));
            push(&game.file, Some(cause.place), &title, &message, text);
        }
    }
}

fn push_intent(game: &RulesetAnswer, intent: &Intent, text: &mut String) {
    let title = format!("{}:{} is not as intended", game.id, intent.check);
    let mut message = format!("{} {}", intent.said(), intent.verdict.summary());
    for failure in intent.verdict.worst() {
        let _ = write!(message, "\n{}", failure.text);
    }
    push(&game.file, Some(intent.place), &title, &message, text);
}

/// How a table moved, and the most.
fn what(table: &TableDrift) -> String {
    let largest = largest(table);
    let largest = largest.map_or(String::new(), |largest| format!("\n{largest}"));
    format!("{}: {}{largest}", table.check, summary(table))
}

fn push(file: &str, place: Option<Place>, title: &str, message: &str, text: &mut String) {
    text.push_str(&annotation("error", file, place, [title, message]));
}

/// A line that annotates a place in a file; `level` is `error`, `warning` or `notice`.
pub(crate) fn annotation(
    level: &str,
    file: &str,
    place: Option<Place>,
    [title, message]: [&str; 2],
) -> String {
    let place = place.map_or(String::new(), |Place { line, column }| {
        format!(",line={line},col={column}")
    });
    let (file, title, message) = (property(file), property(title), data(message));
    format!("::{level} file={file}{place},title={title}::{message}\n")
}

/// What stands after `::`.
fn data(text: &str) -> String {
    visible(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// What stands after `=`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(data("36%: a,\r\nb"), "36%25: a,%0D%0Ab");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}
