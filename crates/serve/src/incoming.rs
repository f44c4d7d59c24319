//! The reading half of a connection, as the library for WebSockets wants it.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A stream that is read until it is cut, and remembers when anything last came. What is written to it is dropped: the library
/// answers pings and ends by itself, but only the outbox writes, in order and with a limit.
pub(crate) struct Incoming<'s> {
    stream: &'s TcpStream,
    is_cut: &'s AtomicBool,
    pub(crate) last: Instant,
}

impl<'s> Incoming<'s> {
    pub(crate) fn new(stream: &'s TcpStream, is_cut: &'s AtomicBool) -> Self {
        Self {
            stream,
            is_cut,
            last: Instant::now(),
        }
    }
}

impl Read for Incoming<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.is_cut.load(Ordering::SeqCst) {
            return Err(ErrorKind::ConnectionAborted.into());
        }
        let mut stream = self.stream;
        let read = stream.read(bytes)?;
        self.last = Instant::now();
        Ok(read)
    }
}

impl Write for Incoming<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
