//! What a connection can't know by itself.

use serde_json::Value;

use crate::Failure;

/// The place where a connection runs: it has files, or none.
pub trait Host: Send + Sync + 'static {
    /// Answers a request that is no question about a text, such as to open or save a file.
    ///
    /// # Errors
    /// If there is no such method ([`Failure::method`]), or it fails.
    fn request(&self, method: &str, params: &Value) -> Result<Value, Failure>;

    /// The text of a document elsewhere than in the editor: `file`, as it was saved, or `head`, as it was committed.
    ///
    /// # Errors
    /// If there is none.
    fn text(&self, uri: &str, source: &str) -> Result<String, Failure>;
}

/// A host without files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn request(&self, method: &str, _: &Value) -> Result<Value, Failure> {
        Err(Failure::method(method))
    }

    fn text(&self, uri: &str, _: &str) -> Result<String, Failure> {
        Err(Failure::refused(
            format!("`{uri}` is no file here"),
            "pin the text as it is",
        ))
    }
}
