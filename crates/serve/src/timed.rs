//! A stream that has to be done by some moment, however small the pieces are in which it trickles.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The most that is read from somebody who was refused, before the connection is cut.
const MOST_DRAINED: u64 = 64 << 20;

/// A stream whose reads and writes fail after a moment.
pub(crate) struct Timed<'s> {
    stream: &'s TcpStream,
    until: Instant,
}

impl<'s> Timed<'s> {
    pub(crate) fn new(stream: &'s TcpStream, time: Duration) -> Self {
        let until = Instant::now() + time;
        Self { stream, until }
    }

    fn left(&self) -> io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(ErrorKind::TimedOut.into()),
            // Systems count in milliseconds or finer; nothing at all would mean for ever.
            false => Ok(left.max(Duration::from_millis(1))),
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(bytes)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a read or a write took longer than it may. Systems differ in how they say so.
pub(crate) fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
}

/// Says that nothing more will be written, and reads what is still under way: a connection that is closed over unread bytes
/// is reset, and a reset takes away the last words that were written.
pub(crate) fn finish(stream: &TcpStream, time: Duration) {
    let _ = stream.shutdown(Shutdown::Write);
    let mut rest = Timed::new(stream, time).take(MOST_DRAINED);
    let _ = io::copy(&mut rest, &mut io::sink());
    let _ = stream.shutdown(Shutdown::Both);
}
