//! WebSockets that break the rules, or try to take more than there is.

use std::io::Write as _;
use std::net::Shutdown;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::frames::{closed, frame, head_of_frame, read_frame};
use crate::support::{Running, ask, wait_until};

#[test]
fn what_is_no_text_is_refused_with_its_code() {
    let server = Running::new();
    for (name, bytes, code) in [
        ("binary", frame(0x82, b"x"), 1003),
        ("not UTF-8", frame(0x81, b"ok \xff"), 1007),
        ("half a character", frame(0x81, b"\xe2\x82"), 1007),
        ("a surrogate", frame(0x81, b"\xed\xa0\x80"), 1007),
        (
            "not UTF-8 in pieces",
            [frame(0x01, b"\xe2"), frame(0x80, b"x")].concat(),
            1007,
        ),
        ("not masked", vec![0x81, 1, b'x'], 1002),
        ("a reserved bit", frame(0xc1, b"x"), 1002),
        ("a reserved kind", frame(0x83, b"x"), 1002),
        ("a reserved control", frame(0x8b, b"x"), 1002),
        ("a piece of nothing", frame(0x80, b"x"), 1002),
        (
            "two beginnings",
            [frame(0x01, b"x"), frame(0x01, b"y")].concat(),
            1002,
        ),
        ("a ping in pieces", frame(0x09, b"x"), 1002),
        ("a long ping", frame(0x89, &[b'x'; 126]), 1002),
    ] {
        let mut stream = server.raw_socket();
        stream.write_all(&bytes).expect("it is open");
        let (told, reason) = closed(&mut stream);
        assert_eq!(told, code, "{name}");
        assert!(!reason.is_empty(), "{name}");
    }
    assert_eq!(server.done.received.load(Ordering::SeqCst), 0);
    wait_until("all are gone", || server.counts().sockets == 0);
}

#[test]
fn a_message_has_a_limit_to_the_byte() {
    let most = 100_000;
    let server = Running::with(|options| options.limits.message = most);
    let mut socket = server.socket();
    let text = "x".repeat(most);
    assert_eq!(ask(&mut socket, &text), text);
    let first = |at: usize| u8::from(at == 0);
    let piece = vec![b'x'; 1000];
    let pieces: Vec<u8> = (0..101).flat_map(|at| frame(first(at), &piece)).collect();
    for (name, bytes) in [
        ("one byte too many", frame(0x81, &vec![b'x'; most + 1])),
        ("far too many", frame(0x81, &vec![b'x'; 100 * most])),
        ("a length alone", head_of_frame(0x81, 1 << 40)),
        ("the largest length", head_of_frame(0x81, u64::MAX >> 1)),
        ("more than a length", head_of_frame(0x81, u64::MAX)),
        ("too many in pieces", pieces),
    ] {
        let mut stream = server.raw_socket();
        // The server may have closed before it has read all.
        let _ = stream.write_all(&bytes);
        // The mask that belongs to a head.
        let _ = stream.write_all(&[0; 4]);
        assert_eq!(closed(&mut stream).0, 1009, "{name}");
    }
    wait_until("all but one are gone", || server.counts().sockets == 1);
}

#[test]
fn empty_pieces_take_no_memory_and_no_turn_of_others() {
    let server = Running::new();
    let mut stream = server.raw_socket();
    stream.write_all(&frame(0x01, b"")).expect("it is open");
    let empty = frame(0x00, b"").repeat(1000);
    for _ in 0..100 {
        stream.write_all(&empty).expect("it is open");
    }
    assert_eq!(ask(&mut server.socket(), "others"), "others");
    stream.write_all(&frame(0x80, b"end")).expect("it is open");
    assert_eq!(read_frame(&mut stream), Some((0x81, b"end".to_vec())));
}

#[test]
fn whoever_never_reads_fills_its_own_outbox_and_no_more() {
    let most = 1 << 20;
    let server = Running::with(|options| options.limits.outbox = most);
    let mut deaf = server.raw_socket();
    deaf.write_all(&frame(0x81, b"flood")).expect("it is open");
    let mut other = server.socket();
    assert_eq!(ask(&mut other, "others"), "others");
    // The flood ends only when the outbox is full.
    wait_until("the deaf one is gone", || server.counts().sockets == 1);
    let waited = server.done.most_waiting.load(Ordering::SeqCst);
    assert!(waited <= most, "{waited} bytes waited");
    assert!(waited > most / 2, "{waited} bytes waited");
    assert_eq!(ask(&mut other, "still there"), "still there");
    wait_until("nothing waits", || server.counts().waiting == 0);
}

#[test]
fn pings_that_are_not_read_fill_an_outbox_too() {
    let server = Running::with(|options| options.limits.outbox = 1 << 16);
    let mut deaf = server.raw_socket();
    let pings = frame(0x89, &[b'x'; 125]).repeat(1000);
    while deaf.write_all(&pings).is_ok() && server.counts().sockets == 1 {
        assert!(server.counts().waiting <= 1 << 16);
    }
    wait_until("it is gone", || server.counts().sockets == 0);
}

#[test]
fn a_write_that_nobody_takes_ends() {
    let server = Running::with(|options| {
        options.limits.outbox = 1 << 26;
        options.limits.write_time = Duration::from_millis(100);
    });
    let mut deaf = server.raw_socket();
    let text = "x".repeat(8 << 20);
    deaf.write_all(&frame(0x81, text.as_bytes()))
        .expect("it is open");
    wait_until("it is gone", || server.counts().sockets == 0);
}

#[test]
fn half_of_a_connection_is_none() {
    let server = Running::new();
    let mut stream = server.raw_socket();
    stream.write_all(&frame(0x81, b"last")).expect("it is open");
    stream
        .write_all(&frame(0x81, b"cut")[..3])
        .expect("it is open");
    stream.shutdown(Shutdown::Write).expect("it is open");
    wait_until("it is gone", || server.counts().sockets == 0);
    assert_eq!(server.done.received.load(Ordering::SeqCst), 1);
    assert_eq!(server.done.dropped.load(Ordering::SeqCst), 1);
}

#[test]
fn a_peer_that_panics_takes_its_own_connection_with_it() {
    let server = Running::new();
    let mut other = server.socket();
    let mut stream = server.raw_socket();
    stream
        .write_all(&frame(0x81, b"panic"))
        .expect("it is open");
    while read_frame(&mut stream).is_some() {}
    wait_until("it is gone", || server.counts().sockets == 1);
    assert_eq!(ask(&mut other, "still there"), "still there");
    assert_eq!(server.get("").status, 200);
}
