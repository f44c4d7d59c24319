//! Many connections, and many messages.

use std::sync::atomic::Ordering;

use tungstenite::Message;

use crate::support::{Running, ask, text, wait_until};

#[test]
fn there_are_only_so_many_sockets() {
    let server = Running::with(|options| options.limits.sockets = 3);
    let mut held: Vec<_> = (0..3).map(|_| server.socket()).collect();
    wait_until("three are there", || server.counts().sockets == 3);
    let answer = server.raw(server.upgrade(&[]));
    assert_eq!(answer.status, 503);
    assert!(answer.text().contains("3 pages are open already"));
    assert_eq!(
        server.get("").status,
        200,
        "the page itself is still served"
    );
    for (at, socket) in held.iter_mut().enumerate() {
        let word = at.to_string();
        assert_eq!(ask(socket, &word), word);
    }
    held.pop();
    wait_until("one has gone", || server.counts().sockets == 2);
    assert_eq!(ask(&mut server.socket(), "welcome"), "welcome");
}

#[test]
fn a_thousand_connections_one_after_the_other_leave_nothing_behind() {
    let server = Running::new();
    for _ in 0..500 {
        wait_until("there is room", || server.counts().sockets < 8);
        assert_eq!(ask(&mut server.socket(), "x"), "x");
        assert_eq!(server.get("page.js").status, 200);
    }
    wait_until("all are gone", || server.counts().sockets == 0);
    wait_until("all are gone", || server.counts().requests == 0);
    let count = |count: &std::sync::atomic::AtomicUsize| count.load(Ordering::SeqCst);
    assert_eq!(count(&server.done.connected), 500);
    assert_eq!(count(&server.done.dropped), 500);
}

#[test]
fn ten_thousand_messages_leave_the_outbox_empty() {
    let server = Running::new();
    let mut socket = server.socket();
    let message = "m".repeat(200);
    for _ in 0..10_000 {
        assert_eq!(ask(&mut socket, &message), message);
    }
    assert_eq!(server.done.received.load(Ordering::SeqCst), 10_000);
    // A message that comes finds at most the answer to the one before, which may just have been written.
    let waited = server.done.most_waiting.load(Ordering::SeqCst);
    assert!(waited <= 264, "{waited} bytes waited");
    wait_until("nothing waits", || server.counts().waiting == 0);
}

#[test]
fn messages_that_come_at_once_are_answered_in_order() {
    let server = Running::new();
    let mut socket = server.socket();
    for at in 0..1000 {
        socket
            .write(Message::text(at.to_string()))
            .expect("it is open");
    }
    socket.flush().expect("it is open");
    for at in 0..1000 {
        assert_eq!(text(&mut socket), at.to_string());
    }
}
