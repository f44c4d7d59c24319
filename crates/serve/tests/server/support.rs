//! A server that runs, a handler that does what it is told, and two clients: raw bytes, and the library's own.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use oddsmith_serve::{
    Asset, Counts, FileChange, Files, Handler, OpenFiles, Options, Outbox, Peer, Server, Stopper,
};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

/// Far more than anything here takes; whatever waits for so long has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

static LARGE: [u8; 8 << 20] = [b'x'; 8 << 20];

const ASSETS: [Asset; 3] = [
    Asset {
        path: "",
        content_type: "text/html; charset=utf-8",
        bytes: b"<!doctype html>",
    },
    Asset {
        path: "page.js",
        content_type: "text/javascript; charset=utf-8",
        bytes: b"'use strict';",
    },
    Asset {
        path: "parts/large.bin",
        content_type: "application/octet-stream",
        bytes: &LARGE,
    },
];

/// What the peers of a server have done.
#[derive(Default)]
pub(crate) struct Done {
    pub(crate) connected: AtomicUsize,
    pub(crate) received: AtomicUsize,
    pub(crate) dropped: AtomicUsize,
    /// The most bytes that waited in an outbox when a message came, or while a flood was sent.
    pub(crate) most_waiting: AtomicUsize,
    /// Messages of floods that were taken by an outbox.
    pub(crate) flooded: AtomicUsize,
    /// Whether peers that hang may go on.
    gate: (Mutex<bool>, Condvar),
}

/// Answers each message with itself, but for `flood`, `hang`, `panic`, `close`, `open URI`, `save URI DIGEST TEXT`.
struct Obedient(Arc<Done>);

struct ObedientPeer {
    outbox: Outbox,
    files: Arc<OpenFiles>,
    done: Arc<Done>,
}

impl Handler for Obedient {
    fn connect(&self, outbox: Outbox, files: Arc<OpenFiles>) -> Box<dyn Peer> {
        self.0.connected.fetch_add(1, Ordering::SeqCst);
        let done = Arc::clone(&self.0);
        Box::new(ObedientPeer {
            outbox,
            files,
            done,
        })
    }
}

impl ObedientPeer {
    fn flood(&self) {
        let text = "f".repeat(1000);
        while self.outbox.send(text.clone()).is_ok() {
            self.done.flooded.fetch_add(1, Ordering::SeqCst);
            self.note();
        }
    }

    fn note(&self) {
        let waiting = self.outbox.waiting();
        self.done.most_waiting.fetch_max(waiting, Ordering::SeqCst);
    }

    fn hang(&self) {
        let (gate, opened) = &self.done.gate;
        let is_open = gate.lock().expect("no panic");
        drop(opened.wait_while(is_open, |is_open| !*is_open));
    }

    fn answer(&self, text: &str) -> String {
        let words: Vec<&str> = text.splitn(4, ' ').collect();
        match words[..] {
            ["open", uri] => match self.files.open(uri) {
                Ok(found) => format!("{} {}", found.digest, found.text),
                Err(error) => error.to_string(),
            },
            ["save", uri, known, text] => match self.files.save(uri, text, known) {
                Ok(digest) => digest,
                Err(error) => error.to_string(),
            },
            _ => text.to_owned(),
        }
    }
}

impl Peer for ObedientPeer {
    fn receive(&mut self, text: &str) {
        self.done.received.fetch_add(1, Ordering::SeqCst);
        self.note();
        match text {
            "flood" => self.flood(),
            "hang" => self.hang(),
            "close" => self.outbox.close(),
            "panic" => panic!("a peer panics, as a test wants it"),
            _ => drop(self.outbox.send(self.answer(text))),
        }
    }

    fn file_changed(&mut self, change: &FileChange) {
        let now = match &change.now {
            Ok(now) => now.text.clone(),
            Err(error) => error.to_string(),
        };
        let _ = self.outbox.send(format!("changed {} {now}", change.uri));
    }
}

impl Drop for ObedientPeer {
    fn drop(&mut self) {
        self.done.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

/// A server that runs until this is dropped.
pub(crate) struct Running {
    pub(crate) address: String,
    pub(crate) done: Arc<Done>,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(set: impl FnOnce(&mut Options)) -> Self {
        Self::serving(Files::none(), set)
    }

    pub(crate) fn serving(files: Files, set: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options::default();
        set(&mut options);
        let done = Arc::new(Done::default());
        let handler = Obedient(Arc::clone(&done));
        let server = Server::bind(options, ASSETS.to_vec(), files, handler).expect("a port");
        let (address, stopper) = (server.address(), server.stopper());
        let run = move || server.run().expect("it runs");
        Self {
            address,
            done,
            stopper,
            thread: Some(std::thread::spawn(run)),
        }
    }

    /// `127.0.0.1:40000`.
    pub(crate) fn host(&self) -> &str {
        self.address.split('/').nth(2).expect("a host")
    }

    pub(crate) fn token(&self) -> &str {
        self.address.split('/').nth(3).expect("a token")
    }

    pub(crate) fn counts(&self) -> Counts {
        self.stopper.counts()
    }

    /// A connection to it.
    pub(crate) fn dial(&self) -> TcpStream {
        let address: SocketAddr = self.host().parse().expect("an address");
        let stream = TcpStream::connect(address).expect("it listens");
        let patience = Some(PATIENCE);
        stream.set_read_timeout(patience).expect("a time");
        stream.set_write_timeout(patience).expect("a time");
        stream
    }

    /// What it answers to these bytes.
    pub(crate) fn raw(&self, bytes: impl AsRef<[u8]>) -> Answer {
        let mut stream = self.dial();
        // It may answer before it has read all.
        let _ = stream.write_all(bytes.as_ref());
        Answer::read(&mut stream)
    }

    /// What it answers to a proper request for a path below its address.
    pub(crate) fn get(&self, path: &str) -> Answer {
        let (host, token) = (self.host(), self.token());
        self.raw(format!(
            "GET /{token}/{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"
        ))
    }

    /// The request for a WebSocket, whose lines are changed: those with an empty value are left out.
    pub(crate) fn upgrade(&self, changes: &[(&str, &str)]) -> String {
        let own = format!("http://{}", self.host());
        let mut headers = vec![
            ("Host", self.host()),
            ("Origin", &own),
            ("Upgrade", "websocket"),
            ("Connection", "Upgrade"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ("Sec-WebSocket-Version", "13"),
        ];
        headers.retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
        headers.extend(changes.iter().filter(|(_, value)| !value.is_empty()));
        let mut text = format!("GET /{}/socket HTTP/1.1\r\n", self.token());
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        text + "\r\n"
    }

    /// A WebSocket whose bytes are written by hand.
    pub(crate) fn raw_socket(&self) -> TcpStream {
        let mut stream = self.dial();
        let request = self.upgrade(&[]);
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("an answer");
            head.push(byte[0]);
        }
        assert!(head.starts_with(b"HTTP/1.1 101 "));
        stream
    }

    /// A WebSocket of the library.
    pub(crate) fn socket(&self) -> WebSocket<TcpStream> {
        let url = format!("{}socket", self.address.replace("http://", "ws://"));
        let mut request = url.into_client_request().expect("a request");
        let origin = format!("http://{}", self.host());
        let origin = origin.parse().expect("a header");
        request.headers_mut().insert("Origin", origin);
        let done = tungstenite::client(request, self.dial());
        done.expect("a WebSocket").0
    }

    /// Lets peers go on that hang.
    pub(crate) fn open_gate(&self) {
        let (gate, opened) = &self.done.gate;
        *gate.lock().expect("no panic") = true;
        opened.notify_all();
    }

    /// Stops it, and waits for its end.
    pub(crate) fn stop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            wait_until("the server ends", || thread.is_finished());
            thread.join().expect("no panic");
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.open_gate();
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Without the status.
    pub(crate) headers: Vec<String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Reads to the end of a connection; status 0 is none.
    pub(crate) fn read(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("the connection ends");
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
        let head = String::from_utf8(bytes[..end.unwrap_or(0)].to_vec()).expect("text");
        let mut lines = head.lines().map(str::to_owned);
        let first = lines.next().unwrap_or_default();
        Self {
            status: first
                .split(' ')
                .nth(1)
                .map_or(0, |status| status.parse().expect("a status")),
            headers: lines.collect(),
            body: end.map_or(bytes.clone(), |end| bytes[end + 4..].to_vec()),
        }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let find = |line: &'_ String| line.split_once(": ").is_some_and(|(own, _)| own == name);
        let line = self.headers.iter().find(|line| find(line))?;
        line.split_once(": ").map(|(_, value)| value)
    }
}

/// Waits until something holds.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The next text that a WebSocket has.
pub(crate) fn text(socket: &mut WebSocket<TcpStream>) -> String {
    loop {
        match socket.read().expect("a message") {
            Message::Text(text) => return text.to_string(),
            Message::Ping(_) => {}
            other => panic!("{other} is no text"),
        }
    }
}

/// What a WebSocket answers to a text.
pub(crate) fn ask(socket: &mut WebSocket<TcpStream>, question: &str) -> String {
    socket.send(Message::text(question)).expect("it is open");
    text(socket)
}

/// Saves as a careful program does: under another name first.
pub(crate) fn save(
    path: &Path,
    bytes: &[u8],
    is_unchanged: &mut dyn FnMut() -> bool,
) -> Result<(), String> {
    let parent = path.parent().expect("it is in a directory");
    let mut file = tempfile::NamedTempFile::new_in(parent).map_err(|error| error.to_string())?;
    file.write_all(bytes).map_err(|error| error.to_string())?;
    if !is_unchanged() {
        return Err("it has changed".to_owned());
    }
    file.persist(path).map_err(|error| error.to_string())?;
    Ok(())
}
