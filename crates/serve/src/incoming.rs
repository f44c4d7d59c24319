//! The reading half of a connection, as the library for WebSockets wants it.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Instant;

/// A stream that is read, and remembers when anything last came. What is written to it is dropped: the library answers pings
/// and ends by itself, but only the outbox writes, in order and with a limit.
pub(crate) struct Incoming {
    stream: Arc<TcpStream>,
    pub(crate) last: Instant,
}

impl Incoming {
    pub(crate) fn new(stream: Arc<TcpStream>) -> Self {
        let last = Instant::now();
        Self { stream, last }
    }
}

impl Read for Incoming {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = (&*self.stream).read(bytes)?;
        self.last = Instant::now();
        Ok(read)
    }
}

impl Write for Incoming {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
