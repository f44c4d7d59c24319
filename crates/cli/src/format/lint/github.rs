//! Annotations for GitHub Actions, on the lines of the ruleset.

use oddsmith_analysis::lint::Severity;

use super::{Game, Stale};
use crate::format::check::github::annotation;

/// One for each finding that is not accepted, and for each acceptance that is stale.
pub(crate) fn render(game: &Game<'_>) -> String {
    let mut text = String::new();
    for told in game.told.iter().filter(|told| told.reason.is_none()) {
        let level = match told.finding.severity {
            Severity::Note => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let mut message = told.sentence.clone();
        for line in &told.evidence {
            message += &format!("\n{line}");
        }
        let words = [told.finding.id.as_str(), message.as_str()];
        text += &annotation(level, &game.file, Some(told.place), words);
    }
    for stale in &game.stale {
        let message = format!("{}\n{}", stale.sentence(), Stale::ADVICE);
        let words = ["a stale acceptance", message.as_str()];
        text += &annotation("warning", &game.file, Some(stale.place), words);
    }
    text
}
