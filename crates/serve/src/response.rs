//! Answers to requests, each with the headers that bind a browser.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::options::Asset;

/// What every answer says: what the page may load and who may load it, and that nothing of it is kept.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
X-Content-Type-Options: nosniff\r\n\
Referrer-Policy: no-referrer\r\n\
Cache-Control: no-store\r\n\
Cross-Origin-Opener-Policy: same-origin\r\n\
Cross-Origin-Resource-Policy: same-origin\r\n\
Connection: close\r\n";

const PLAIN: &str = "text/plain; charset=utf-8";

/// An answer.
#[derive(Debug)]
pub(crate) struct Response {
    /// `404 Not Found`.
    status: &'static str,
    content_type: &'static str,
    body: Cow<'static, [u8]>,
    /// Whole lines that only this kind of answer has.
    more: &'static str,
}

impl Response {
    pub(crate) fn asset(asset: &Asset) -> Self {
        Self {
            status: "200 OK",
            content_type: asset.content_type,
            body: asset.bytes.into(),
            more: "",
        }
    }

    /// All that strangers are told.
    pub(crate) fn not_found() -> Self {
        Self::refusal("404 Not Found", "not found")
    }

    pub(crate) fn bad_request(why: impl Into<Cow<'static, str>>) -> Self {
        Self::refusal("400 Bad Request", why)
    }

    pub(crate) fn forbidden(why: String) -> Self {
        Self::refusal("403 Forbidden", why)
    }

    pub(crate) fn method_not_allowed() -> Self {
        let why = "a request is GET or HEAD";
        Self::refusal("405 Method Not Allowed", why).with("Allow: GET, HEAD\r\n")
    }

    pub(crate) fn too_slow() -> Self {
        Self::refusal("408 Request Timeout", "the request took too long to arrive")
    }

    pub(crate) fn no_upgrade(why: &'static str) -> Self {
        let more = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
        Self::refusal("426 Upgrade Required", why).with(more)
    }

    pub(crate) fn head_too_large(why: String) -> Self {
        Self::refusal("431 Request Header Fields Too Large", why)
    }

    pub(crate) fn too_many(why: String) -> Self {
        Self::refusal("503 Service Unavailable", why)
    }

    fn refusal(status: &'static str, why: impl Into<Cow<'static, str>>) -> Self {
        let mut why = why.into().into_owned();
        why.push('\n');
        Self {
            status,
            content_type: PLAIN,
            body: why.into_bytes().into(),
            more: "",
        }
    }

    fn with(mut self, more: &'static str) -> Self {
        self.more = more;
        self
    }

    /// Writes it, for a `HEAD` without its body.
    pub(crate) fn write(&self, out: &mut impl Write, is_head: bool) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {}\r\n{HEADERS}{}", self.status, self.more);
        let _ = write!(head, "Content-Type: {}\r\n", self.content_type);
        let _ = write!(head, "Content-Length: {}\r\n\r\n", self.body.len());
        let mut bytes = head.into_bytes();
        if is_head {
            return out.write_all(&bytes);
        }
        // A short answer is one packet, a long one is not copied.
        if self.body.len() < 8192 {
            bytes.extend(&*self.body);
            return out.write_all(&bytes);
        }
        out.write_all(&bytes)?;
        out.write_all(&self.body)
    }
}

/// The answer to a request for a WebSocket.
pub(crate) fn write_upgrade(out: &mut impl Write, accept: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    out.write_all(head.as_bytes())
}
