//! Short fingerprints of a ruleset's lines: which line was edited, without a copy of the whole.

use std::fmt::Write as _;

use oddsmith_rules::Diagnostic;

use super::digest::Digest;
use crate::toml_file::{Entry, quoted};

/// Hexadecimal digits of a line: one change in 65,536 looks as if nothing had changed, and is then told without its line.
const DIGITS: usize = 4;

/// Lines of the ruleset in a line of the manifest.
const IN_A_ROW: usize = 24;

/// A fingerprint of every line, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineMarks(Vec<String>);

impl LineMarks {
    pub(crate) fn of(text: &str) -> Self {
        let mark = |line: &str| {
            let digest = Digest::of(line.trim_end());
            let (_, digits) = digest.split_once(':').unwrap_or(("", &digest));
            digits[..DIGITS].to_owned()
        };
        Self(text.lines().map(mark).collect())
    }

    /// The one line of the text `now` that was edited, counted from 1; none if lines were added or taken away, or if
    /// several were edited.
    pub(crate) fn edited(&self, now: &Self) -> Option<usize> {
        if self.0.len() != now.0.len() {
            return None;
        }
        let mut edited = (1..)
            .zip(self.0.iter().zip(&now.0))
            .filter(|(_, (before, now))| before != now)
            .map(|(line, _)| line);
        match (edited.next(), edited.next()) {
            (Some(line), None) => Some(line),
            _ => None,
        }
    }

    pub(super) fn render(&self, text: &mut String) {
        let rows = self.0.chunks(IN_A_ROW).map(|row| quoted(&row.join(" ")));
        let rows: String = rows.map(|row| format!("  {row},\n")).collect();
        let _ = write!(text, "\n[lines]\nmarks = [\n{rows}]\n");
    }

    pub(super) fn read(entry: &Entry<'_>) -> Result<Self, Diagnostic> {
        let rows = entry.need("marks")?.strings()?;
        let marks = rows.iter().flat_map(|row| row.split_whitespace());
        Ok(Self(marks.map(str::to_owned).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::LineMarks;

    #[test]
    fn one_edited_line_is_found() {
        let before = LineMarks::of("a\nb\nc\n");
        let edited = |text: &str| before.edited(&LineMarks::of(text));
        assert_eq!(edited("a\nx\nc\n"), Some(2));
        assert_eq!(edited("a\r\nb\r\ny"), Some(3));
        assert_eq!(edited("a\nb\nc"), None);
        assert_eq!(edited("a\nx\ny\n"), None);
        assert_eq!(edited("a\nb\nb\nc\n"), None);
    }
}
