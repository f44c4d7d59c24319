//! The handshake that turns a request into a WebSocket (RFC 6455, 4.2).

use data_encoding::BASE64;
use sha1::{Digest as _, Sha1};

use crate::request::Wanted;
use crate::response::Response;

/// What makes the answer one of a WebSocket, by RFC 6455.
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// What the answer to a request for a WebSocket says in `Sec-WebSocket-Accept`.
pub(crate) fn accept(wanted: &Wanted) -> Result<String, Response> {
    let is_asked =
        has(wanted.upgrade.as_deref(), "websocket") && has(wanted.connection.as_deref(), "upgrade");
    if !is_asked {
        return Err(Response::no_upgrade("this is the address of a WebSocket"));
    }
    if wanted.version.as_deref() != Some("13") {
        return Err(Response::no_upgrade("the version of a WebSocket is 13"));
    }
    let key = wanted.key.as_deref().unwrap_or_default();
    match BASE64.decode(key.as_bytes()) {
        Ok(bytes) if bytes.len() == 16 => Ok(answer(key)),
        _ => Err(Response::bad_request(
            "`Sec-WebSocket-Key` is 16 bytes to base 64",
        )),
    }
}

/// Whether a header's list has a word.
fn has(list: Option<&str>, word: &str) -> bool {
    let mut words = list.unwrap_or_default().split(',');
    words.any(|other| other.trim().eq_ignore_ascii_case(word))
}

fn answer(key: &str) -> String {
    let digest = Sha1::new().chain_update(key).chain_update(GUID).finalize();
    BASE64.encode(&digest)
}

#[cfg(test)]
mod tests {
    use super::{Wanted, accept, answer};

    #[test]
    fn the_answer_is_that_of_the_rfc() {
        // RFC 6455, 1.3.
        let answer = answer("dGhlIHNhbXBsZSBub25jZQ==");
        assert_eq!(answer, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    #[test]
    fn each_header_is_needed() {
        const GOOD: [&str; 4] = [
            "WebSocket",
            "keep-alive, Upgrade",
            "dGhlIHNhbXBsZSBub25jZQ==",
            "13",
        ];
        let asked = |values: [&str; 4]| {
            let [upgrade, connection, key, version] =
                values.map(|value| (!value.is_empty()).then(|| value.to_owned()));
            accept(&Wanted {
                upgrade,
                connection,
                key,
                version,
            })
        };
        assert!(asked(GOOD).is_ok());
        for bad in [
            [(0, ""), (0, "h2c"), (0, "websockets")],
            [(1, ""), (1, "close"), (1, "upgraded")],
            [(2, ""), (2, "short"), (2, "dGhlIHNhbXBsZSBub25jZQ")],
            [(3, ""), (3, "12"), (3, "013")],
        ]
        .concat()
        {
            let mut values = GOOD;
            values[bad.0] = bad.1;
            assert!(asked(values).is_err(), "{bad:?}");
        }
    }
}
