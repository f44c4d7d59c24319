//! What a server is told: where it listens, what it allows, what it serves.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

/// Where a server listens, and what it allows.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address; 127.0.0.1 unless said otherwise, which no other machine reaches.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Further names by which browsers may reach the server, each with its port: `localhost:9000` at the far end of a tunnel.
    pub hosts: Vec<String>,
    /// How much is allowed.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            hosts: Vec::new(),
            limits: Limits::default(),
        }
    }
}

/// How much a server allows; what goes beyond is refused in words.
#[derive(Clone, Debug)]
pub struct Limits {
    /// WebSockets that are open at once: 16.
    pub sockets: usize,
    /// Requests that are read or answered at once, upgrades included: 32.
    pub requests: usize,
    /// Bytes of a request's head: 16 KB. A head has at most 64 headers.
    pub head: usize,
    /// The time for a whole request to arrive: 5 seconds.
    pub request_time: Duration,
    /// The time for a whole response to be taken: 30 seconds.
    pub response_time: Duration,
    /// The time for the other side to end a connection that was refused or closed: 2 seconds.
    pub last_words: Duration,
    /// Bytes of a message that comes in: 8 MB and 64 KB, since a text of 4 MB may double when it becomes JSON, and something
    /// is said around it.
    pub message: usize,
    /// Bytes that wait to be read by a peer, each message with 64 more: 32 MB.
    pub outbox: usize,
    /// The time for a peer to take one message: 10 seconds.
    pub write_time: Duration,
    /// How long a peer may be silent before it is pinged: 20 seconds. One that stays silent for three times as long is gone.
    pub ping_after: Duration,
    /// How often open files are looked at: every 200 ms.
    pub look_every: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sockets: 16,
            requests: 32,
            head: 16 << 10,
            request_time: Duration::from_secs(5),
            response_time: Duration::from_secs(30),
            last_words: Duration::from_secs(2),
            message: (8 << 20) + (64 << 10),
            outbox: 32 << 20,
            write_time: Duration::from_secs(10),
            ping_after: Duration::from_secs(20),
            look_every: Duration::from_millis(200),
        }
    }
}

/// A part of the page, compiled into the program.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Where it is below the server's address, without a slash at the beginning: `page.js`. The page itself is the empty path.
    pub path: &'static str,
    /// What it is: `text/javascript; charset=utf-8`.
    pub content_type: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}
