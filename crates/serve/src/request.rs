//! The head of a request, as far as this server wants to know it.

use std::io::Read as _;

use crate::options::Limits;
use crate::response::Response;
use crate::timed::{Timed, is_late};

/// The most headers of a request. Browsers send about fifteen.
const MOST_HEADERS: usize = 64;

const END: &[u8] = b"\r\n\r\n";

/// What was asked for.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) is_head: bool,
    /// As it was sent; nothing of it is decoded.
    pub(crate) target: String,
    pub(crate) host: String,
    pub(crate) origin: Option<String>,
    pub(crate) wanted: Wanted,
    /// What came after the head.
    pub(crate) rest: Vec<u8>,
}

/// What a request says about a WebSocket.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) upgrade: Option<String>,
    pub(crate) connection: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) version: Option<String>,
}

/// Why there is no request.
pub(crate) enum Failure {
    /// The other side has gone, or never said anything.
    Gone,
    Refused(Response),
}

impl From<Response> for Failure {
    fn from(response: Response) -> Self {
        Self::Refused(response)
    }
}

/// Reads the head of a request.
pub(crate) fn read(stream: &mut Timed<'_>, limits: &Limits) -> Result<Request, Failure> {
    let (head, rest) = read_head(stream, limits.head)?;
    let mut request = parse(&head)?;
    request.rest = rest;
    Ok(request)
}

/// The bytes up to the empty line, and what came after it.
fn read_head(stream: &mut Timed<'_>, most: usize) -> Result<(Vec<u8>, Vec<u8>), Failure> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let read = match stream.read(&mut piece) {
            Ok(0) => return Err(Failure::Gone),
            Ok(read) => read,
            // Browsers open connections in advance, and do not expect an answer on them.
            Err(error) if is_late(&error) && !bytes.is_empty() => {
                return Err(Response::too_slow().into());
            }
            Err(_) => return Err(Failure::Gone),
        };
        let from = bytes.len().saturating_sub(END.len() - 1);
        bytes.extend(&piece[..read]);
        let found = bytes[from..]
            .windows(END.len())
            .position(|window| window == END);
        let end = found.map(|at| from + at + END.len());
        if end.unwrap_or(bytes.len()) > most {
            let why = format!("the head of a request has at most {most} bytes");
            return Err(Response::head_too_large(why).into());
        }
        if let Some(end) = end {
            let rest = bytes.split_off(end);
            return Ok((bytes, rest));
        }
    }
}

fn parse(head: &[u8]) -> Result<Request, Response> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(head) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) => return Err(Response::bad_request("not a request")),
        Err(httparse::Error::TooManyHeaders) => {
            let why = format!("a request has at most {MOST_HEADERS} headers");
            return Err(Response::head_too_large(why));
        }
        Err(error) => return Err(Response::bad_request(format!("not a request: {error}"))),
    }
    let is_head = match parsed.method {
        Some("GET") => false,
        Some("HEAD") => true,
        _ => return Err(Response::method_not_allowed()),
    };
    let one = |name| header(parsed.headers, name);
    let has_body = one("content-length")?.is_some_and(|length| length != "0");
    if has_body || one("transfer-encoding")?.is_some() {
        return Err(Response::bad_request("a request has no body"));
    }
    let Some(host) = one("host")? else {
        return Err(Response::bad_request("a request has one `Host`"));
    };
    Ok(Request {
        is_head,
        target: parsed.path.unwrap_or_default().to_owned(),
        host,
        origin: one("origin")?,
        wanted: Wanted {
            upgrade: one("upgrade")?,
            connection: one("connection")?,
            key: one("sec-websocket-key")?,
            version: one("sec-websocket-version")?,
        },
        rest: Vec::new(),
    })
}

/// The value of a header. One that comes twice is refused: two readers could each follow another one.
fn header(headers: &[httparse::Header<'_>], name: &str) -> Result<Option<String>, Response> {
    let mut found = headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case(name));
    let first = found.next();
    if found.next().is_some() {
        return Err(Response::bad_request(format!("`{name}` comes twice")));
    }
    let Some(first) = first else {
        return Ok(None);
    };
    match std::str::from_utf8(first.value) {
        Ok(value) => Ok(Some(value.trim().to_owned())),
        Err(_) => Err(Response::bad_request(format!("`{name}` is not UTF-8"))),
    }
}
