//! WebSockets as they should be, and who gets none.

use std::io::Write as _;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tungstenite::Message;
use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;

use crate::frames::{closed, frame, read_frame};
use crate::support::{Running, ask, wait_until};

#[test]
fn texts_go_to_and_fro() {
    let server = Running::new();
    let mut socket = server.socket();
    for text in ["hello", "", "Würfel \u{1f3b2}", &"x".repeat(70_000)] {
        assert_eq!(ask(&mut socket, text), *text);
    }
    assert_eq!(server.done.connected.load(Ordering::SeqCst), 1);
    assert_eq!(server.counts().sockets, 1);
    drop(socket);
    wait_until("it is gone", || server.counts().sockets == 0);
    assert_eq!(server.done.dropped.load(Ordering::SeqCst), 1);
}

#[test]
fn only_the_page_of_this_server_gets_one() {
    let server = Running::new();
    let host = server.host();
    let port = host.rsplit(':').next().expect("a port");
    let local = format!("localhost:{port}");
    let evil = format!("evil.example:{port}");
    for (changes, status) in [
        (vec![("Origin", "")], 403),
        (vec![("Origin", "null")], 403),
        (vec![("Origin", "http://evil.example")], 403),
        (vec![("Origin", &format!("http://{evil}"))], 403),
        (vec![("Origin", &format!("https://{host}"))], 403),
        (
            vec![("Origin", &format!("http://{host}.evil.example"))],
            403,
        ),
        (vec![("Origin", &format!("http://{local}"))], 403),
        (
            vec![("Origin", &format!("http://{host} http://{host}"))],
            403,
        ),
        (
            vec![("Host", &evil), ("Origin", &format!("http://{evil}"))],
            403,
        ),
        (vec![("Host", &evil)], 403),
        (vec![("Host", "")], 400),
        (vec![("Upgrade", "")], 426),
        (vec![("Upgrade", "h2c")], 426),
        (vec![("Connection", "")], 426),
        (vec![("Connection", "close")], 426),
        (vec![("Sec-WebSocket-Version", "")], 426),
        (vec![("Sec-WebSocket-Version", "8")], 426),
        (vec![("Sec-WebSocket-Key", "")], 400),
        (vec![("Sec-WebSocket-Key", "c2hvcnQ=")], 400),
    ] {
        let answer = server.raw(server.upgrade(&changes));
        assert_eq!(answer.status, status, "{changes:?}: {}", answer.text());
        assert!(!answer.text().contains(server.token()));
    }
    let twice = server
        .upgrade(&[])
        .replace("Origin", "Origin: http://x\r\nOrigin");
    assert_eq!(server.raw(twice).status, 400);
    let wrong = server.upgrade(&[]).replace(server.token(), "0");
    assert_eq!(server.raw(wrong), server.get("no-such-thing"));
    let head = server.upgrade(&[]).replace("GET", "HEAD");
    assert_eq!(server.raw(head).status, 426);
    assert_eq!(server.done.connected.load(Ordering::SeqCst), 0);

    let by_name = [
        ("Host", local.as_str()),
        ("Origin", &format!("http://{local}")),
    ];
    let mut stream = server.dial();
    let request = server.upgrade(&by_name);
    stream.write_all(request.as_bytes()).expect("it listens");
    wait_until("it is let in", || server.counts().sockets == 1);
}

#[test]
fn what_comes_with_the_request_is_not_lost() {
    let server = Running::new();
    let mut stream = server.dial();
    let mut bytes = server.upgrade(&[]).into_bytes();
    bytes.extend(frame(0x81, b"early"));
    stream.write_all(&bytes).expect("it listens");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        std::io::Read::read_exact(&mut stream, &mut byte).expect("an answer");
        head.push(byte[0]);
    }
    assert_eq!(read_frame(&mut stream), Some((0x81, b"early".to_vec())));
}

#[test]
fn a_message_may_come_in_pieces_with_pings_between() {
    let server = Running::new();
    let mut stream = server.raw_socket();
    let text = "a \u{1f3b2} ".repeat(50);
    let pieces: Vec<&[u8]> = text.as_bytes().chunks(3).collect();
    for (at, piece) in pieces.iter().enumerate() {
        let is_last = at + 1 == pieces.len();
        let first = u8::from(at == 0) | if is_last { 0x80 } else { 0 };
        stream.write_all(&frame(first, piece)).expect("it is open");
        if !is_last {
            stream.write_all(&frame(0x89, b"ping")).expect("it is open");
            assert_eq!(read_frame(&mut stream), Some((0x8a, b"ping".to_vec())));
        }
    }
    assert_eq!(read_frame(&mut stream), Some((0x81, text.into_bytes())));
}

#[test]
fn either_side_may_end_it() {
    let server = Running::new();
    let mut socket = server.socket();
    assert_eq!(ask(&mut socket, "hello"), "hello");
    socket.send(Message::text("close")).expect("it is open");
    let normal = |message: &Message| {
        matches!(
            message,
            Message::Close(Some(CloseFrame {
                code: CloseCode::Normal,
                ..
            }))
        )
    };
    assert!(normal(&socket.read().expect("an end")));
    wait_until("it is gone", || server.counts().sockets == 0);

    let mut stream = server.raw_socket();
    stream.write_all(&frame(0x81, b"last")).expect("it is open");
    let code = 4321_u16.to_be_bytes();
    stream.write_all(&frame(0x88, &code)).expect("it is open");
    assert_eq!(read_frame(&mut stream), Some((0x81, b"last".to_vec())));
    assert_eq!(closed(&mut stream), (4321, String::new()));
    assert_eq!(read_frame(&mut stream), None);
    wait_until("it is gone", || server.counts().sockets == 0);
}

#[test]
fn whoever_answers_pings_stays() {
    let after = Duration::from_millis(400);
    let server = Running::with(|options| options.limits.ping_after = after);
    let mut socket = server.socket();
    for _ in 0..5 {
        // Reading answers the ping before.
        assert!(matches!(socket.read().expect("a ping"), Message::Ping(_)));
    }
    assert_eq!(ask(&mut socket, "still there"), "still there");
}

#[test]
fn whoever_answers_no_ping_is_gone() {
    let after = Duration::from_millis(50);
    let server = Running::with(|options| options.limits.ping_after = after);
    let mut half_open = server.raw_socket();
    assert_eq!(read_frame(&mut half_open), Some((0x89, Vec::new())));
    let (code, reason) = closed(&mut half_open);
    assert_eq!(code, 1008);
    assert!(reason.contains("ping"));
    wait_until("it is gone", || server.counts().sockets == 0);
}
