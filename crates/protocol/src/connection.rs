//! A conversation: messages in, messages out.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oddsmith::{Settings, Watch};
use oddsmith_session::{Change, Document, Session, Shown};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::beside::{Command, EXECUTE};
use crate::host::Host;
use crate::message::{self, Id, Message, params};
use crate::questions::{self, Kind, OVERVIEW};
use crate::{Failure, Lane, beside, language};

/// One end of a conversation about documents.
///
/// A message is read at once, and answered from a thread of the connection: changes of texts are never behind the
/// questions that were asked before them. Dropping the connection cancels what is asked.
///
/// ```
/// use oddsmith_protocol::{Connection, NoHost};
/// use std::sync::{Arc, mpsc};
/// let (sender, receiver) = mpsc::channel();
/// let connection = Connection::new(Arc::new(NoHost), move |text| {
///     let _ = sender.send(text);
/// });
/// connection.receive(r#"{ "jsonrpc": "2.0", "id": 1, "method": "oddsmith/dice", "params": { "expressions": ["4d6kh3"] } }"#);
/// assert!(receiver.recv()?.contains("15869/1296")); // its mean
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Connection {
    shared: Arc<Shared>,
    /// Texts: that they are looked at, what they offer, and what editors ask.
    language: Lane,
    /// Odds that are wanted at once.
    short: Lane,
    /// Work of seconds.
    long: Lane,
    /// Whether the other side has asked for the end.
    is_shut_down: AtomicBool,
    /// Whether it has said that this is the end.
    is_over: AtomicBool,
}

/// Where messages go.
type Outlet = dyn Fn(String) + Send + Sync;

/// What all threads of a connection have.
struct Shared {
    host: Arc<dyn Host>,
    send: Arc<Outlet>,
    documents: Mutex<Session>,
    /// Texts to compare with, by their numbers.
    pinned: Mutex<Vec<Arc<Document>>>,
    /// What is asked, and not answered yet.
    asked: Mutex<HashMap<Id, Watch>>,
    /// The settings with which odds of a document were asked last.
    settings: Mutex<HashMap<String, Settings>>,
    /// Whether the other side opens what it is told to.
    shows_documents: AtomicBool,
    /// How many requests this side has made.
    requests: AtomicU64,
}

/// A document as requests name it; a version where an answer is about that one alone.
#[derive(Debug, Deserialize)]
pub(crate) struct Named {
    #[serde(rename = "textDocument")]
    pub(crate) document: NamedDocument,
}

#[derive(Debug, Deserialize)]
pub(crate) struct NamedDocument {
    pub(crate) uri: String,
    #[serde(default)]
    pub(crate) version: Option<i32>,
}

#[derive(Deserialize)]
struct Opened {
    #[serde(rename = "textDocument")]
    document: OpenedDocument,
}

#[derive(Deserialize)]
struct OpenedDocument {
    uri: String,
    version: i32,
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changed {
    text_document: ChangedDocument,
    content_changes: Vec<Change>,
}

#[derive(Deserialize)]
struct ChangedDocument {
    uri: String,
    version: i32,
}

#[derive(Deserialize)]
struct Cancelled {
    id: Id,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connection {
    /// A connection whose messages go to `send`, which is called from several threads and must not wait for long.
    pub fn new(host: Arc<dyn Host>, send: impl Fn(String) + Send + Sync + 'static) -> Self {
        let send: Arc<Outlet> = Arc::new(send);
        let (tell, telling) = (Arc::clone(&send), Mutex::new(()));
        let shared = Shared {
            host,
            send,
            documents: Mutex::new(Session::heard_by(move |document, analysis| {
                let faults = language::faults(document, analysis);
                let faults = message::notification("textDocument/publishDiagnostics", &faults);
                // Threads may have looked at versions at once. Those of an older one are not told after those of a newer one.
                let _telling = lock(&telling);
                if !document.is_gone() {
                    tell(faults);
                }
            })),
            pinned: Mutex::default(),
            asked: Mutex::default(),
            settings: Mutex::default(),
            shows_documents: AtomicBool::new(false),
            requests: AtomicU64::new(0),
        };
        Self {
            shared: Arc::new(shared),
            language: Lane::new(1),
            short: Lane::new(2),
            long: Lane::new(2),
            is_shut_down: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        }
    }

    /// Takes a message.
    pub fn receive(&self, text: &str) {
        let message = match Message::read(text) {
            Ok(message) => message,
            Err(error) => return (self.shared.send)(message::refusal(&error)),
        };
        let Some(method) = message.method else {
            return;
        };
        match message.id {
            Some(id) => self.request(&id, method, message.params),
            // What can't be read is told nobody: nobody waits for it.
            None => drop(self.notified(&method, &message.params)),
        }
    }

    /// None until the other side says `exit`; then whether it has asked for `shutdown` before, as it should.
    pub fn end(&self) -> Option<bool> {
        let is_over = self.is_over.load(Ordering::Acquire);
        is_over.then(|| self.is_shut_down.load(Ordering::Acquire))
    }

    /// Sends something that nobody asked for.
    pub fn notify(&self, method: &str, params: &Value) {
        (self.shared.send)(message::notification(method, params));
    }

    fn notified(&self, method: &str, own: &Value) -> Result<(), Failure> {
        match method {
            "textDocument/didOpen" => {
                let Opened { document } = params(method, own)?;
                let OpenedDocument { uri, version, text } = document;
                let opened = lock(&self.shared.documents).open(&uri, version, &text);
                self.look_at(opened);
            }
            "textDocument/didChange" => {
                let changed: Changed = params(method, own)?;
                let ChangedDocument { uri, version } = changed.text_document;
                let mut documents = lock(&self.shared.documents);
                let before = documents.document(&uri);
                let held = documents.change(&uri, version, &changed.content_changes);
                drop(documents);
                self.look_at(held.map_err(|error| Failure::params(method, &error.to_string()))?);
                // Taking a large version apart takes a while, and nothing waits for that.
                self.language.wait(move || drop(before));
            }
            "textDocument/didClose" => {
                let named: Named = params(method, own)?;
                let uri = named.document.uri;
                lock(&self.shared.settings).remove(&uri);
                // A document that is not open is closed.
                let _ = lock(&self.shared.documents).close(&uri);
            }
            "$/cancelRequest" => {
                let Cancelled { id } = params(method, own)?;
                if let Some(watch) = lock(&self.shared.asked).get(&id) {
                    watch.cancel();
                }
            }
            "exit" => self.is_over.store(true, Ordering::Release),
            _ => {}
        }
        Ok(())
    }

    /// Has a text looked at, whatever is asked about it: what is wrong with it is told then.
    fn look_at(&self, document: Arc<Document>) {
        self.language.wait(move || {
            if !document.is_gone() {
                document.analysis();
            }
        });
    }

    /// What is known without any work.
    fn immediate(&self, method: &str, params: &Value) -> Option<Value> {
        match method {
            "initialize" => {
                let agreed = language::Agreed::with(params);
                let (name, encoding) = agreed.encoding;
                lock(&self.shared.documents).set_encoding(encoding);
                let shows_documents = &self.shared.shows_documents;
                shows_documents.store(agreed.shows_documents, Ordering::Release);
                Some(language::capabilities(name))
            }
            "shutdown" => Some(Value::Null),
            _ => None,
        }
    }

    fn request(&self, id: &Id, method: String, params: Value) {
        if self.is_shut_down.load(Ordering::Acquire) {
            let error = Failure::no_request("the server was shut down");
            return (self.shared.send)(message::answer(id, Err(error)));
        }
        if method == "shutdown" {
            self.is_shut_down.store(true, Ordering::Release);
        }
        if let Some(answer) = self.immediate(&method, &params) {
            return (self.shared.send)(message::answer(id, Ok(answer)));
        }
        let lane = match Kind::of(&method) {
            _ if language::is_known(&method) || method == OVERVIEW => &self.language,
            Some(kind) if kind.is_long() => &self.long,
            None if method == EXECUTE => &self.long,
            _ => &self.short,
        };
        let watch = Watch::default();
        if !self.shared.note(id, &watch) {
            let error = Failure::no_request("another request of this id is not answered yet");
            return (self.shared.send)(message::answer(id, Err(error)));
        }
        // The version that is asked about is the one that there is now.
        let document = self.shared.named(&params);
        let (shared, own) = (Arc::clone(&self.shared), id.clone());
        let work = move || {
            let result = shared.answered(&method, &params, document.as_ref(), &watch);
            lock(&shared.asked).remove(&own);
            (shared.send)(message::answer(&own, result));
        };
        if !lane.add(work) {
            lock(&self.shared.asked).remove(id);
            (self.shared.send)(message::answer(id, Err(Failure::busy(Lane::MOST))));
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        for watch in lock(&self.shared.asked).values() {
            watch.cancel();
        }
        for document in lock(&self.shared.documents).documents() {
            document.watch().cancel();
        }
    }
}

impl Shared {
    /// Notes what is asked; says whether nothing else of that name is.
    fn note(&self, id: &Id, watch: &Watch) -> bool {
        let mut asked = lock(&self.asked);
        let is_new = !asked.contains_key(id);
        if is_new {
            asked.insert(id.clone(), watch.clone());
        }
        is_new
    }

    /// The document that parameters name, if they name one: an error if it is not open, or not in that version.
    fn named(&self, params: &Value) -> Option<Result<Arc<Document>, Failure>> {
        let NamedDocument { uri, version } = match Named::deserialize(params) {
            Ok(named) => named.document,
            Err(_) => NamedDocument {
                uri: Command::read(params).ok()?.uri,
                version: None,
            },
        };
        let found = lock(&self.documents).document(&uri);
        let found = found.map_err(|error| Failure::refused(error.to_string(), "open it first"));
        Some(found.and_then(|document| {
            match version.is_none_or(|version| version == document.version()) {
                true => Ok(document),
                false => Err(Failure::gone()),
            }
        }))
    }

    fn answered(
        &self,
        method: &str,
        own: &Value,
        document: Option<&Result<Arc<Document>, Failure>>,
        watch: &Watch,
    ) -> Result<Value, Failure> {
        if watch.is_cancelled() {
            return Err(Failure::cancelled());
        }
        if let Some(Ok(document)) = document
            && document.is_gone()
        {
            return Err(Failure::gone());
        }
        let document = || match document {
            Some(document) => document.clone(),
            None => Err(Failure::params(method, "`textDocument` is missing")),
        };
        if method == "oddsmith/pin" {
            return self.pin(&document()?, own);
        }
        if language::is_known(method) {
            let document = document()?;
            let mut answer = language::answer(method, &document, own);
            if let (language::RENAME, Ok(edit)) = (method, &mut answer) {
                self.rename_in_project(&document, own, edit)?;
            }
            return unless_gone(&document, answer);
        }
        if method == EXECUTE {
            let command = Command::read(own)?;
            let document = document()?;
            let shown = command.shown(&document, &self.settings_of(&document), watch)?;
            return self.show(shown);
        }
        if beside::is_known(method) {
            let document = document()?;
            let settings = self.settings_of(&document);
            let answer = beside::answer(method, &document, own, &settings, watch);
            return unless_gone(&document, answer);
        }
        match (Kind::of(method), method) {
            (Some(kind), _) => {
                let document = document()?;
                let pinned = |id| self.pinned(id);
                self.note_settings(&document, own);
                let answer = questions::answer(kind, &document, own, pinned, watch);
                unless_gone(&document, answer)
            }
            (None, "oddsmith/dice") => questions::dice(own, watch),
            (None, "oddsmith/anydice") => questions::anydice(own, watch),
            (None, "oddsmith/known") => Ok(questions::known()),
            _ => self.host.request(method, own),
        }
    }

    /// The settings with which odds of a document are told.
    fn settings_of(&self, document: &Document) -> Settings {
        let settings = lock(&self.settings).get(document.uri()).cloned();
        settings.unwrap_or_default()
    }

    /// Adds the changes of the project's file to those of a rename.
    fn rename_in_project(
        &self,
        document: &Document,
        own: &Value,
        edit: &mut Value,
    ) -> Result<(), Failure> {
        let Some(project) = self.host.project(document.uri()) else {
            return Ok(());
        };
        // What is being written there is what there is.
        let open = lock(&self.documents).document(&project.uri).ok();
        let version = open.as_ref().map(|open| open.version());
        let file = open.unwrap_or_else(|| {
            let mut session = Session::default();
            session.set_encoding(document.lines().encoding());
            session.open(&project.uri, 0, &project.text)
        });
        let edits = language::renamed_columns(document, own, &file, &project.others)?;
        if let (false, Some(changes)) = (edits.is_empty(), edit["documentChanges"].as_array_mut()) {
            let named = json!({ "uri": project.uri, "version": version });
            changes.push(json!({ "textDocument": named, "edits": edits }));
        }
        Ok(())
    }

    /// Has the other side show something: a text as a message, a chart as a document.
    fn show(&self, shown: Shown) -> Result<Value, Failure> {
        let message = match shown {
            Shown::Text(text) => text,
            Shown::Chart(picture) => {
                let uri = self.host.picture(&picture.title, &picture.svg);
                let uri = uri.ok_or_else(|| {
                    let help = "`oddsmith chart` draws it into a file";
                    Failure::refused("there is no place for a chart here", help)
                })?;
                if self.shows_documents.load(Ordering::Acquire) {
                    let id = self.requests.fetch_add(1, Ordering::Relaxed);
                    let params = json!({ "uri": uri, "external": true });
                    (self.send)(message::request(id, "window/showDocument", &params));
                    return Ok(Value::Null);
                }
                format!("The chart is at {uri}")
            }
        };
        let params = json!({ "type": 3, "message": message });
        (self.send)(message::notification("window/showMessage", &params));
        Ok(Value::Null)
    }

    /// Notes the settings of a question: words under the pointer are told their odds with them.
    fn note_settings(&self, document: &Document, own: &Value) {
        let texts = &own["question"]["settings"];
        if let Ok(texts) = Vec::<String>::deserialize(texts) {
            let uri = document.uri().to_owned();
            lock(&self.settings).insert(uri, Settings::from(texts));
        }
    }

    /// Keeps a text to compare others with.
    fn pin(&self, document: &Arc<Document>, own: &Value) -> Result<Value, Failure> {
        #[derive(Deserialize)]
        struct Pin {
            source: String,
        }
        let Pin { source } = params("oddsmith/pin", own)?;
        let uri = document.uri();
        let text = match source.as_str() {
            "text" => document.text().to_owned(),
            source => self.host.text(uri, source)?,
        };
        let mut pinned = lock(&self.pinned);
        if pinned.len() >= Self::MOST_PINNED {
            let message = format!("{} versions are pinned already", Self::MOST_PINNED);
            return Err(Failure::refused(message, "open the page anew"));
        }
        let id = pinned.len();
        let label = match source.as_str() {
            "text" => format!("version {}", document.version()),
            "file" => "the file".to_owned(),
            _ => "git HEAD".to_owned(),
        };
        let mut session = Session::default();
        pinned.push(session.open(uri, document.version(), &text));
        Ok(json!({ "id": id, "label": label }))
    }

    /// Versions that are kept at the most.
    const MOST_PINNED: usize = 256;

    /// A text that was pinned.
    fn pinned(&self, id: usize) -> Result<Arc<Document>, Failure> {
        let pinned = lock(&self.pinned).get(id).cloned();
        pinned
            .ok_or_else(|| Failure::refused(format!("there is no pinned version {id}"), "pin one"))
    }
}

/// An answer about a version that is gone is none.
fn unless_gone(document: &Document, answer: Result<Value, Failure>) -> Result<Value, Failure> {
    match document.is_gone() {
        true => Err(Failure::gone()),
        false => answer,
    }
}
