//! The open documents.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::analysis::Analysis;
use crate::document::{Change, Document, Listener};
use crate::position::Encoding;

/// The open documents, each in one version. Nothing here takes long: a caller with several threads holds its lock on
/// a session only to get a document, and asks that without it.
#[derive(Default)]
pub struct Session {
    documents: HashMap<String, Arc<Document>>,
    encoding: Encoding,
    listener: Option<Listener>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Session");
        shown.field("documents", &self.documents);
        shown.finish_non_exhaustive()
    }
}

/// There is no open document of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDocument {
    /// What it was asked for by.
    pub uri: String,
}

impl fmt::Display for NoDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no document `{}` is open", self.uri)
    }
}

impl std::error::Error for NoDocument {}

impl Session {
    /// No open document, and a listener: it is told what each version says, once that is found out, on the thread that has
    /// found it out. Whoever else waits for the version goes on afterwards, so that errors are told before odds are worked
    /// out. The listener must not ask the document for anything that rests on its analysis, such as
    /// [`Document::diagnostics`]: it would wait for itself. [`Document::diagnostics_of`] takes the analysis that it has.
    ///
    /// ```
    /// use oddsmith_session::Session;
    /// use std::sync::mpsc;
    /// let (sender, receiver) = mpsc::channel();
    /// let mut session = Session::heard_by(move |document, analysis| {
    ///     let _ = sender.send((document.version(), document.diagnostics_of(analysis).len()));
    /// });
    /// let document = session.open("file:///coins.toml", 7, "name = 'Coins'\n[checks.toss]\nrules = 'show heads = 1d2 = 2'\n");
    /// assert!(document.analysis().game().is_err());
    /// document.analysis();
    /// assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [(7, 1)]);
    /// ```
    pub fn heard_by(listener: impl Fn(&Document, &Analysis) + Send + Sync + 'static) -> Self {
        Self {
            listener: Some(Arc::new(listener)),
            ..Self::default()
        }
    }

    /// Counts positions in such units, in documents that are opened from now on.
    pub fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    /// Holds a text, in place of what had its name.
    pub fn open(&mut self, uri: &str, version: i32, text: &str) -> Arc<Document> {
        self.hold(uri, version, text.to_owned(), self.encoding)
    }

    /// Changes the text of an open document, and cancels the work for its version before.
    ///
    /// # Errors
    /// If it is not open.
    pub fn change(
        &mut self,
        uri: &str,
        version: i32,
        changes: &[Change],
    ) -> Result<Arc<Document>, NoDocument> {
        let before = self.document(uri)?;
        let (text, encoding) = (before.changed(changes), before.lines().encoding());
        Ok(self.hold(uri, version, text, encoding))
    }

    /// Forgets a document, and cancels the work for it.
    ///
    /// # Errors
    /// If it is not open.
    pub fn close(&mut self, uri: &str) -> Result<(), NoDocument> {
        let document = self.document(uri)?;
        document.watch().cancel();
        self.documents.remove(uri);
        Ok(())
    }

    /// An open document in its latest version.
    ///
    /// # Errors
    /// If it is not open.
    pub fn document(&self, uri: &str) -> Result<Arc<Document>, NoDocument> {
        let document = self.documents.get(uri);
        let none = || NoDocument {
            uri: uri.to_owned(),
        };
        document.map(Arc::clone).ok_or_else(none)
    }

    /// The open documents, by their names.
    #[must_use]
    pub fn documents(&self) -> Vec<Arc<Document>> {
        let mut documents: Vec<Arc<Document>> = self.documents.values().cloned().collect();
        documents.sort_by(|a, b| a.uri().cmp(b.uri()));
        documents
    }

    fn hold(&mut self, uri: &str, version: i32, text: String, encoding: Encoding) -> Arc<Document> {
        let listener = self.listener.clone();
        let document = Arc::new(Document::new(uri, version, text, encoding, listener));
        let held = Arc::clone(&document);
        if let Some(before) = self.documents.insert(uri.to_owned(), held) {
            before.watch().cancel();
        }
        document
    }
}
