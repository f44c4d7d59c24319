//! What the workbench's server says: a conversation about rulesets, and files beside it.

use std::sync::Arc;

use oddsmith_protocol::{Connection, Failure, Host, params};
use oddsmith_serve::{FileChange, FileError, Handler, OpenFiles, Outbox, Peer};
use serde::Deserialize;
use serde_json::{Value, json};

use super::files::committed;

/// Files that are told to be recent.
const RECENT: usize = 5;

/// Answers every page.
pub(super) struct Workbench;

impl Handler for Workbench {
    fn connect(&self, outbox: Outbox, files: Arc<OpenFiles>) -> Box<dyn Peer> {
        let host = Disk { files };
        let send = move |text: String| {
            // A page that is gone reads nothing.
            let _ = outbox.send(text);
        };
        Box::new(Page(Connection::new(Arc::new(host), send)))
    }
}

/// One page.
struct Page(Connection);

impl Peer for Page {
    fn receive(&mut self, text: &str) {
        self.0.receive(text);
    }

    fn file_changed(&mut self, change: &FileChange) {
        let params = match &change.now {
            Ok(now) => json!({ "uri": change.uri, "text": now.text, "digest": now.digest }),
            Err(error) => json!({ "uri": change.uri, "error": error.to_string() }),
        };
        self.0.notify("oddsmith/fileChanged", &params);
    }
}

/// The files that are served.
struct Disk {
    files: Arc<OpenFiles>,
}

#[derive(Deserialize)]
struct Opened {
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Saved {
    text_document: Opened,
    text: String,
    digest: String,
}

#[derive(Deserialize)]
struct Created {
    /// Its path below the directory that is served, with `/`.
    name: String,
    text: String,
}

fn failed(error: &FileError) -> Failure {
    match error {
        FileError::Changed { now, .. } => {
            let data = json!({ "text": now.text, "digest": now.digest });
            Failure::new(Failure::CONFLICT, error.to_string(), data)
        }
        error => Failure::refused(error.to_string(), error.help()),
    }
}

impl Host for Disk {
    fn request(&self, method: &str, own: &Value) -> Result<Value, Failure> {
        match method {
            "oddsmith/files" => Ok(self.list()),
            "oddsmith/open" => {
                let Opened { uri } = params(method, own)?;
                let file = self.files.open(&uri).map_err(|error| failed(&error))?;
                Ok(json!({ "uri": uri, "text": file.text, "version": 0, "digest": file.digest }))
            }
            "oddsmith/save" => {
                let Saved {
                    text_document,
                    text,
                    digest,
                } = params(method, own)?;
                let saved = self.files.save(&text_document.uri, &text, &digest);
                Ok(json!({ "digest": saved.map_err(|error| failed(&error))? }))
            }
            "oddsmith/create" => {
                let Created { name, text } = params(method, own)?;
                let created = self.files.create(&name, &text);
                let (uri, file) = created.map_err(|error| failed(&error))?;
                Ok(json!({ "uri": uri, "text": file.text, "version": 0, "digest": file.digest }))
            }
            method => Err(Failure::method(method)),
        }
    }

    fn text(&self, uri: &str, source: &str) -> Result<String, Failure> {
        match source {
            "file" => {
                let file = self.files.read(uri).map_err(|error| failed(&error))?;
                Ok(file.text)
            }
            "head" => self.committed(uri),
            source => Err(Failure::refused(
                format!("a version can't be taken from `{source}`"),
                "it is one of text, file, head",
            )),
        }
    }
}

impl Disk {
    /// All files by name; a few of them are recent.
    fn list(&self) -> Value {
        let listing = self.files.list();
        let mut times: Vec<_> = listing
            .files
            .iter()
            .filter_map(|file| file.modified)
            .collect();
        times.sort_unstable_by(|a, b| b.cmp(a));
        let since = times.get(RECENT - 1).or(times.last()).copied();
        let files = listing.files.iter().map(|file| {
            let is_recent = file.modified.is_some() && file.modified >= since;
            json!({ "uri": file.uri, "name": file.name, "recent": is_recent })
        });
        let files: Vec<Value> = files.collect();
        json!({
            "files": files,
            "leftOut": listing.left_out,
            "takesNew": self.files.takes_new(),
        })
    }

    fn committed(&self, uri: &str) -> Result<String, Failure> {
        let path = self.files.path(uri).map_err(|error| failed(&error))?;
        committed(&path).map_err(|error| Failure::from(&error))
    }
}
