//! For reading.

use std::fmt::Write as _;

use super::{Game, Stale, Told};
use crate::format::paint::BOLD;

/// Everything that was found, and what may be done.
pub(crate) fn render(game: &Game<'_>) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}: {}\n", game.name, game.summary());
    for told in &game.told {
        push(game, told, &mut text);
    }
    for stale in &game.stale {
        let (line, sentence) = (stale.place.line, stale.sentence());
        let _ = writeln!(
            text,
            "\n{BOLD}warning{BOLD:#}: {sentence} ({}:{line})",
            game.file
        );
        let _ = writeln!(text, "  {}", Stale::ADVICE);
    }
    if game.told.iter().any(|told| told.reason.is_none()) {
        text.push_str("\nWhat is meant to be so is accepted in the ruleset: [[accept]] with its id as `finding`, and a `reason`\n");
    }
    text
}

fn push(game: &Game<'_>, told: &Told<'_>, text: &mut String) {
    let finding = told.finding;
    let severity = match told.reason {
        Some(_) => "accepted",
        None => finding.severity.name(),
    };
    let _ = writeln!(text, "\n{BOLD}{severity}{BOLD:#}: {}", told.sentence);
    let _ = writeln!(text, "  {} ({}:{})", finding.id, game.file, told.place.line);
    for line in &told.evidence {
        let _ = writeln!(text, "    {line}");
    }
    if !finding.alike.is_empty() {
        let _ = writeln!(text, "  the same along {}", finding.alike.join(", "));
    }
    if !finding.also.is_empty() {
        let _ = writeln!(text, "  the same in {}", finding.also.join(", "));
    }
    match &told.reason {
        Some(reason) => {
            let _ = writeln!(text, "  \"{reason}\"");
        }
        None => {
            let _ = writeln!(text, "  {}", told.advice);
        }
    }
}
