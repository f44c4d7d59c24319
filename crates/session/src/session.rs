//! The open documents.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::document::{Change, Document};
use crate::position::Encoding;

/// The open documents, each in one version. Nothing here takes long: a caller with several threads holds its lock on
/// a session only to get a document, and asks that without it.
#[derive(Debug, Default)]
pub struct Session {
    documents: HashMap<String, Arc<Document>>,
    encoding: Encoding,
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
    /// Counts positions in such units, in documents that are opened from now on.
    pub fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    /// Holds a text, in place of what had its name.
    pub fn open(&mut self, uri: &str, version: i32, text: &str) -> Arc<Document> {
        let text = text.to_owned();
        self.hold(Document::new(uri, version, text, self.encoding))
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
        Ok(self.hold(Document::new(uri, version, text, encoding)))
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

    fn hold(&mut self, document: Document) -> Arc<Document> {
        let document = Arc::new(document);
        let uri = document.uri().to_owned();
        if let Some(before) = self.documents.insert(uri, Arc::clone(&document)) {
            before.watch().cancel();
        }
        document
    }
}
