//! A version of a text.

use std::fmt;
use std::sync::{Arc, OnceLock};

use oddsmith::{Limits, Watch};
use oddsmith_rules::Span;
use serde::{Deserialize, Serialize};

use crate::analysis::Analysis;
use crate::lines::Lines;
use crate::position::{Encoding, Position, Range};

/// Whoever is told what each version says, before anybody who waits for that goes on.
pub(crate) type Listener = Arc<dyn Fn(&Document, &Analysis) + Send + Sync>;

/// One version of the text of a ruleset; it never changes.
pub struct Document {
    uri: String,
    version: i32,
    text: String,
    lines: Lines,
    watch: Watch,
    analysis: OnceLock<Arc<Analysis>>,
    listener: Option<Listener>,
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Document");
        shown
            .field("uri", &self.uri)
            .field("version", &self.version);
        shown.finish_non_exhaustive()
    }
}

/// A change of a text: what stands in a range is replaced, or all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What is replaced; all of the text, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// By what.
    pub text: String,
}

impl Document {
    /// A version of a text, of which nothing is known yet.
    pub(crate) fn new(
        uri: &str,
        version: i32,
        text: String,
        encoding: Encoding,
        listener: Option<Listener>,
    ) -> Self {
        Self {
            uri: uri.to_owned(),
            version,
            lines: Lines::with(&text, encoding),
            text,
            watch: Watch::default(),
            analysis: OnceLock::new(),
            listener,
        }
    }

    /// What the document is called.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The number of this version, as the editor counts.
    #[must_use]
    pub fn version(&self) -> i32 {
        self.version
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its lines.
    #[must_use]
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The watch on all work for this version; it is cancelled once another version takes its place.
    #[must_use]
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Whether this is no longer the version that the session holds.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.watch.is_cancelled()
    }

    /// The same limits for a question about this version: it ends with [`oddsmith::Error::Cancelled`] once the version is
    /// gone. What they were watched by before no longer counts.
    #[must_use]
    pub fn limits(&self, limits: &Limits) -> Limits {
        Limits {
            watch: self.watch.clone(),
            ..limits.clone()
        }
    }

    /// What this version says. It is found out by the first who asks, and the listener of the session is told; others who
    /// ask meanwhile wait for that.
    pub fn analysis(&self) -> Arc<Analysis> {
        let analysis = || {
            let analysis = Arc::new(Analysis::of(&self.uri, &self.text));
            if let Some(listener) = &self.listener {
                listener(self, &analysis);
            }
            analysis
        };
        Arc::clone(self.analysis.get_or_init(analysis))
    }

    /// The byte at a position.
    #[must_use]
    pub fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position)
    }

    /// The position of a byte.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        self.lines.position(&self.text, offset)
    }

    /// The range of a span.
    #[must_use]
    pub fn range(&self, span: Span) -> Range {
        self.lines.range(&self.text, span)
    }

    /// The text after some changes, each made in what the one before left.
    #[must_use]
    pub fn changed(&self, changes: &[Change]) -> String {
        let mut text = self.text.clone();
        // Where lines begin is known of the text as it is; each later change finds it anew.
        let mut lines = None;
        for change in changes {
            match change.range {
                None => text.clone_from(&change.text),
                Some(range) => {
                    let lines = lines.as_ref().unwrap_or(&self.lines);
                    let Span { start, end } = lines.span(&text, range);
                    text.replace_range(start..end, &change.text);
                }
            }
            lines = Some(Lines::with(&text, self.lines.encoding()));
        }
        text
    }
}
