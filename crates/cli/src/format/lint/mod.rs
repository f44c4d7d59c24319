//! What is odd about a ruleset's odds, as text: for reading, for GitHub and for comments.

pub(crate) mod github;
pub(crate) mod markdown;
pub(crate) mod text;

use oddsmith::LintAnswer;
use oddsmith::lint::{FindingAnswer, Severity};

use super::words::{list, plural};

/// So many cases are told; JSON has some more.
const CASES: usize = 3;

/// `1 error, 2 warnings and 12 notes; 3 accepted`.
fn summary(answer: &LintAnswer) -> String {
    let open = answer.findings.iter().filter(|own| own.reason.is_none());
    let count = |severity: Severity| {
        let of_severity = open.clone().filter(|own| own.finding.severity == severity);
        match severity {
            Severity::Warning => of_severity.count() + answer.stale.len(),
            _ => of_severity.count(),
        }
    };
    let counts = Severity::ALL.iter().rev();
    let counts = counts.map(|(name, severity)| (count(*severity), name));
    let counts = counts.filter(|(count, _)| *count > 0);
    let parts: Vec<String> = counts
        .map(|(count, name)| plural(count as u64, name))
        .collect();
    let found = match parts.is_empty() {
        true => "nothing".to_owned(),
        false => list(&parts),
    };
    match answer.accepted {
        0 => found,
        accepted => format!("{found}; {accepted} accepted"),
    }
}

/// Whether it comes before the acceptances that are stale, as warnings and errors do.
fn is_loud(answer: &FindingAnswer) -> bool {
    answer.finding.severity >= Severity::Warning
}
