//! Frames of a WebSocket, written and read by hand.

use std::io::{ErrorKind, Read as _};
use std::net::TcpStream;

/// A frame as a client writes it: masked, with any first byte.
pub(crate) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = head_of_frame(first, u64::try_from(payload.len()).expect("a length"));
    let mask = [1, 2, 3, 4];
    bytes.extend(mask);
    let masked = payload.iter().zip(mask.iter().cycle());
    bytes.extend(masked.map(|(byte, mask)| byte ^ mask));
    bytes
}

/// The head of a masked frame up to its mask, of any length that is told.
pub(crate) fn head_of_frame(first: u8, len: u64) -> Vec<u8> {
    let mut bytes = vec![first];
    match (u8::try_from(len), u16::try_from(len)) {
        (Ok(len), _) if len < 126 => bytes.push(0x80 | len),
        (_, Ok(len)) => {
            bytes.push(0x80 | 126);
            bytes.extend(len.to_be_bytes());
        }
        _ => {
            bytes.push(0x80 | 127);
            bytes.extend(len.to_be_bytes());
        }
    }
    bytes
}

/// The next frame of a server: its first byte, and what it has. Nothing at the end of the connection.
pub(crate) fn read_frame(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    if let Err(error) = stream.read_exact(&mut head) {
        let is_late = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
        assert!(!is_late, "the server neither says anything nor goes");
        return None;
    }
    assert_eq!(head[1] & 0x80, 0, "a server masks nothing");
    let len = match head[1] {
        126 => {
            let mut len = [0; 2];
            stream.read_exact(&mut len).ok()?;
            u64::from(u16::from_be_bytes(len))
        }
        127 => {
            let mut len = [0; 8];
            stream.read_exact(&mut len).ok()?;
            u64::from_be_bytes(len)
        }
        len => u64::from(len),
    };
    let mut payload = vec![0; usize::try_from(len).expect("a length")];
    stream.read_exact(&mut payload).ok()?;
    Some((head[0], payload))
}

/// The code and the reason with which a server closes, after what it says before.
pub(crate) fn closed(stream: &mut TcpStream) -> (u16, String) {
    loop {
        let (first, payload) = read_frame(stream).expect("a frame that closes");
        if first == 0x88 {
            let code = u16::from_be_bytes([payload[0], payload[1]]);
            return (
                code,
                String::from_utf8(payload[2..].to_vec()).expect("text"),
            );
        }
    }
}
