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

    /// Keeps a picture where the other side can open it, and returns its address; none if there is no such place.
    fn picture(&self, _title: &str, _svg: &str) -> Option<String> {
        None
    }

    /// The project that a document belongs to, if it belongs to one.
    fn project(&self, _uri: &str) -> Option<ProjectFile> {
        None
    }
}

/// The file of a project, `oddsmith.toml`, whose tolerances are those of columns of its rulesets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFile {
    /// What an editor calls it.
    pub uri: String,
    /// What it says.
    pub text: String,
    /// The texts of the other rulesets of the project.
    pub others: Vec<String>,
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
