//! One WebSocket: a thread that reads, and a thread that writes.

use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::Message;
use tungstenite::error::{Error, ProtocolError};
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Role, WebSocket, WebSocketConfig};

use crate::files::OpenFiles;
use crate::handler::{Handler, Peer};
use crate::incoming::Incoming;
use crate::lock::lock;
use crate::options::Limits;
use crate::outbox::Outbox;
use crate::timed::{finish, is_late};

/// How often a thread that waits for messages looks whether anything else has happened.
const TICK: Duration = Duration::from_secs(1);

/// A WebSocket.
pub(crate) struct Socket {
    stream: Arc<TcpStream>,
    outbox: Outbox,
    files: Arc<OpenFiles>,
    /// Nobody before the conversation begins, and after its end.
    peer: Mutex<Option<Box<dyn Peer>>>,
    /// Nothing more is read.
    is_cut: AtomicBool,
}

impl Socket {
    pub(crate) fn new(stream: Arc<TcpStream>, files: OpenFiles, limits: &Limits) -> Self {
        Self {
            stream,
            outbox: Outbox::new(limits.outbox),
            files: Arc::new(files),
            peer: Mutex::new(None),
            is_cut: AtomicBool::new(false),
        }
    }

    /// The bytes that wait to be read by the peer.
    pub(crate) fn waiting(&self) -> usize {
        self.outbox.waiting()
    }

    /// Holds the conversation, from what has been read of it already to its end.
    pub(crate) fn talk(&self, read: Vec<u8>, handler: &dyn Handler, limits: &Limits) {
        let outbox = self.outbox.clone();
        let stream = Arc::clone(&self.stream);
        let time = limits.write_time;
        let writer = thread::Builder::new()
            .name("socket writer".to_owned())
            .spawn(move || outbox.write_to(&stream, time));
        let Ok(writer) = writer else {
            return;
        };
        let peer = handler.connect(self.outbox.clone(), Arc::clone(&self.files));
        *lock(&self.peer) = Some(peer);
        self.listen(read, limits);
        let peer = lock(&self.peer).take();
        drop(peer);
        // The outbox is closed on every way here, so that the writer comes to an end.
        self.outbox.wait_until_written(limits.last_words);
        if !self.is_cut.load(Ordering::SeqCst) {
            finish(&self.stream, limits.last_words);
        }
        let _ = writer.join();
    }

    /// Reads messages until the connection is closed or is to be closed.
    fn listen(&self, read: Vec<u8>, limits: &Limits) {
        let config = WebSocketConfig::default()
            .read_buffer_size(16 << 10)
            .max_message_size(Some(limits.message))
            .max_frame_size(Some(limits.message));
        let _ = self
            .stream
            .set_read_timeout(Some(limits.ping_after.min(TICK)));
        let incoming = Incoming::new(&self.stream, &self.is_cut);
        let mut web = WebSocket::from_partially_read(incoming, read, Role::Server, Some(config));
        let mut pinged = Instant::now();
        while !self.outbox.is_closed() {
            match web.read() {
                Ok(message) => self.take(message),
                Err(Error::Io(error)) if is_late(&error) => {
                    self.ping_if_silent(web.get_ref().last, &mut pinged, limits.ping_after);
                }
                Err(error) => self.end(&error),
            }
        }
    }

    fn take(&self, message: Message) {
        match message {
            Message::Text(text) => {
                if let Some(peer) = &mut *lock(&self.peer) {
                    peer.receive(&text);
                }
            }
            Message::Ping(data) => {
                let _ = self.outbox.push(Frame::pong(data));
            }
            Message::Binary(_) => {
                let why = "a message is text";
                self.outbox.close_with(CloseCode::Unsupported, why);
            }
            Message::Close(frame) => self.outbox.end(frame),
            Message::Pong(_) | Message::Frame(_) => {}
        }
    }

    fn ping_if_silent(&self, last: Instant, pinged: &mut Instant, after: Duration) {
        let silent = last.elapsed();
        if silent > 3 * after {
            let why = "no answer to pings: the connection is closed";
            return self.outbox.close_with(CloseCode::Policy, why);
        }
        if silent >= after && pinged.elapsed() >= after {
            *pinged = Instant::now();
            let _ = self.outbox.push(Frame::ping(Vec::new()));
        }
    }

    /// Ends the conversation, since nothing more can be read.
    fn end(&self, error: &Error) {
        let (code, why) = match error {
            Error::Capacity(_) => (CloseCode::Size, "the message is too long"),
            Error::Utf8(_) => (CloseCode::Invalid, "a message is UTF-8"),
            Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => {
                return self.outbox.give_up();
            }
            Error::Protocol(_) => (CloseCode::Protocol, "not the protocol of WebSockets"),
            _ => return self.outbox.give_up(),
        };
        self.outbox.close_with(code, why);
    }

    /// Tells the peer which of its files have changed. One that is busy is told the next time.
    pub(crate) fn look_at_files(&self) {
        let Ok(mut peer) = self.peer.try_lock() else {
            return;
        };
        if let Some(peer) = &mut *peer {
            for change in self.files.changes() {
                peer.file_changed(&change);
            }
        }
    }

    /// Says that the server ends.
    pub(crate) fn say_goodbye(&self) {
        let why = "the server has ended";
        self.outbox.close_with(CloseCode::Away, why);
    }

    /// Ends the connection at once. What has come in stays unread, so that the other side is reset: one that waits for room to
    /// write would otherwise wait on, for a minute on Linux, as nobody tells it that there is room or that there is no reader.
    pub(crate) fn cut(&self) {
        self.is_cut.store(true, Ordering::SeqCst);
        self.outbox.give_up();
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}
