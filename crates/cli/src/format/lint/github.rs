//! Annotations for GitHub Actions, on the lines of the ruleset.

use oddsmith::LintAnswer;
use oddsmith::lint::{Severity, StaleAcceptance};

use super::CASES;
use crate::format::check::github::annotation;

/// One for each finding that is not accepted, and for each acceptance that is stale.
pub(crate) fn render(answer: &LintAnswer) -> String {
    let mut text = String::new();
    for told in answer.findings.iter().filter(|told| told.reason.is_none()) {
        let level = match told.finding.severity {
            Severity::Note => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let mut message = told.sentence.clone();
        for line in told.evidence(CASES) {
            message += &format!("\n{line}");
        }
        let words = [told.finding.id.as_str(), message.as_str()];
        text += &annotation(level, &answer.file, Some(told.place), words);
    }
    for stale in &answer.stale {
        let message = format!("{}\n{}", stale.sentence(), StaleAcceptance::ADVICE);
        let words = ["a stale acceptance", message.as_str()];
        text += &annotation("warning", &answer.file, Some(stale.place), words);
    }
    text
}
