//! What waits to be read by a peer.

use std::collections::VecDeque;
use std::io::Write as _;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};

use crate::lock::lock;
use crate::timed::Timed;

/// What a message weighs beside its bytes, so that empty ones are not free.
const OVERHEAD: usize = 64;

/// The connection is closed, or is being closed: nothing more is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the connection is closed")]
pub struct Closed;

/// What waits to be read by the peer of one connection. Sending never waits; a peer that leaves too much unread is cut off.
/// Clones are the same outbox.
#[derive(Clone)]
pub struct Outbox(Arc<Shared>);

struct Shared {
    most: usize,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    frames: VecDeque<Frame>,
    /// The weight of the frames, and of the one that is being written.
    weight: usize,
    /// Nothing more may be added.
    is_closed: bool,
}

impl Outbox {
    /// An empty one, in which at most so many bytes may wait.
    pub(crate) fn new(most: usize) -> Self {
        let queue = Mutex::new(Queue::default());
        let changed = Condvar::new();
        Self(Arc::new(Shared {
            most,
            queue,
            changed,
        }))
    }

    /// Sends a message after those that were sent before.
    ///
    /// # Errors
    /// If the connection is closed; if too much is unread with this message, and then the connection is closed.
    pub fn send(&self, text: String) -> Result<(), Closed> {
        let code = OpCode::Data(Data::Text);
        self.push(Frame::message(text.into_bytes(), code, true))
    }

    /// The bytes that wait, each message with 64 more.
    pub fn waiting(&self) -> usize {
        lock(&self.0.queue).weight
    }

    /// Whether nothing more is sent: the peer is gone or going.
    pub fn is_closed(&self) -> bool {
        lock(&self.0.queue).is_closed
    }

    /// Closes the connection after what was sent before.
    pub fn close(&self) {
        self.close_with(CloseCode::Normal, "");
    }

    /// Closes the connection after what was sent before, for a reason of at most 123 bytes.
    pub(crate) fn close_with(&self, code: CloseCode, reason: &'static str) {
        let reason = reason.into();
        self.end(Some(CloseFrame { code, reason }));
    }

    /// Closes the connection after what was sent before.
    pub(crate) fn end(&self, last: Option<CloseFrame>) {
        let mut queue = lock(&self.0.queue);
        if !queue.is_closed {
            queue.close(last);
            self.0.changed.notify_all();
        }
    }

    /// Adds a frame.
    pub(crate) fn push(&self, frame: Frame) -> Result<(), Closed> {
        let mut queue = lock(&self.0.queue);
        if queue.is_closed {
            return Err(Closed);
        }
        let weight = weight(&frame);
        let fits = weight <= self.0.most.saturating_sub(queue.weight);
        if fits {
            queue.weight += weight;
            queue.frames.push_back(frame);
        } else {
            let reason = "too many messages are unread: the connection is closed".into();
            let code = CloseCode::Policy;
            queue.drop_frames();
            queue.close(Some(CloseFrame { code, reason }));
        }
        self.0.changed.notify_all();
        if fits { Ok(()) } else { Err(Closed) }
    }

    /// Writes what comes in, until the outbox is closed and all of it is written, or the peer does not take a frame in time.
    pub(crate) fn write_to(&self, stream: &TcpStream, time: Duration) {
        while let Some(frame) = self.next() {
            let weight = weight(&frame);
            let written = write(frame, stream, time);
            lock(&self.0.queue).weight -= weight;
            self.0.changed.notify_all();
            if written.is_err() {
                self.give_up();
                // Whoever reads from this stream is woken.
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
        }
        let _ = stream.shutdown(Shutdown::Write);
    }

    /// The next frame, whose weight still counts; nothing if there will be none.
    fn next(&self) -> Option<Frame> {
        let mut queue = lock(&self.0.queue);
        loop {
            if let Some(frame) = queue.frames.pop_front() {
                return Some(frame);
            }
            if queue.is_closed {
                return None;
            }
            let waited = self.0.changed.wait(queue);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until all is written that will be, or for a time.
    pub(crate) fn wait_until_written(&self, time: Duration) {
        let queue = lock(&self.0.queue);
        let waits = |queue: &mut Queue| queue.weight > 0;
        let waited = self.0.changed.wait_timeout_while(queue, time, waits);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Nothing more can be written.
    pub(crate) fn give_up(&self) {
        let mut queue = lock(&self.0.queue);
        queue.drop_frames();
        queue.is_closed = true;
        self.0.changed.notify_all();
    }
}

impl Queue {
    fn close(&mut self, last: Option<CloseFrame>) {
        let frame = Frame::close(last);
        self.weight += weight(&frame);
        self.frames.push_back(frame);
        self.is_closed = true;
    }

    fn drop_frames(&mut self) {
        for frame in self.frames.drain(..) {
            self.weight -= weight(&frame);
        }
    }
}

fn weight(frame: &Frame) -> usize {
    frame.payload().len() + OVERHEAD
}

/// Writes a frame in one piece, so that a short one is one packet.
fn write(frame: Frame, stream: &TcpStream, time: Duration) -> tungstenite::Result<()> {
    let mut bytes = Vec::with_capacity(frame.len());
    frame.format(&mut bytes)?;
    Timed::new(stream, time).write_all(&bytes)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Closed, OVERHEAD, Outbox};

    #[test]
    fn an_outbox_that_is_full_is_closed_and_says_so_last() {
        let outbox = Outbox::new(10 * (OVERHEAD + 4));
        for _ in 0..10 {
            outbox.send("four".to_owned()).expect("there is room");
        }
        assert_eq!(outbox.waiting(), 10 * (OVERHEAD + 4));
        assert_eq!(outbox.send(String::new()), Err(Closed));
        assert!(outbox.is_closed());
        let last = outbox.next().expect("a frame").into_payload();
        // A code of two bytes, then words.
        assert_eq!(last[..2], 1008_u16.to_be_bytes());
        assert!(last[2..].starts_with(b"too many messages are unread"));
        assert!(outbox.next().is_none());
        assert_eq!(outbox.send(String::new()), Err(Closed));
    }

    #[test]
    fn empty_messages_are_not_free() {
        let outbox = Outbox::new(1000 * OVERHEAD);
        let sent = (0..5000).take_while(|_| outbox.send(String::new()).is_ok());
        assert_eq!(sent.count(), 1000);
    }

    #[test]
    fn what_was_sent_before_the_end_is_written_before_it() {
        let outbox = Outbox::new(1000);
        outbox.send("a".to_owned()).expect("there is room");
        outbox.close();
        outbox.close();
        assert_eq!(outbox.send("b".to_owned()), Err(Closed));
        let texts: Vec<_> = std::iter::from_fn(|| outbox.next()).collect();
        assert_eq!(texts.len(), 2);
        assert_eq!(texts[0].payload(), b"a");
    }
}
