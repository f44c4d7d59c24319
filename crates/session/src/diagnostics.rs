//! Errors and warnings of a document, with their ranges.

use oddsmith_rules::Severity;

use crate::analysis::Analysis;
use crate::document::Document;
use crate::position::Range;

/// An error or a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Where.
    pub range: Range,
    /// Whether it keeps the text from being a ruleset.
    pub is_error: bool,
    /// One line: the rule that is broken and the value that breaks it.
    pub message: String,
    /// A few words more about the place; may be empty.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Other places that matter.
    pub related: Vec<Related>,
    /// What would mend it, if one text would.
    pub fix: Option<Fix>,
}

/// Another place that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub range: Range,
    /// What is there.
    pub message: String,
}

/// A text that mends what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced.
    pub range: Range,
    /// By what.
    pub text: String,
}

impl Document {
    /// The errors of the text, or the warnings about a text without any, in the order of their places.
    #[must_use]
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics_of(&self.analysis())
    }

    /// [`Document::diagnostics`] for whoever has the analysis of this version, as a listener of the session does.
    #[must_use]
    pub fn diagnostics_of(&self, analysis: &Analysis) -> Vec<Diagnostic> {
        let told = analysis.diagnostics().0.iter();
        told.map(|told| self.told(told)).collect()
    }

    fn told(&self, told: &oddsmith_rules::Diagnostic) -> Diagnostic {
        let related = told.related.iter().map(|(span, label)| Related {
            range: self.range(*span),
            message: label.clone(),
        });
        Diagnostic {
            range: self.range(told.span),
            is_error: told.severity == Severity::Error,
            message: told.message.clone(),
            label: told.label.to_string(),
            help: told.help.clone(),
            related: related.collect(),
            fix: told.fix.as_ref().map(|fix| Fix {
                range: self.range(fix.span),
                text: fix.text.clone(),
            }),
        }
    }
}
