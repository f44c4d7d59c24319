//! The end of a server, and beginnings that fail.

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use oddsmith_serve::{Asset, BindError, Files, Handler, OpenFiles, Options, Outbox, Peer, Server};

use crate::frames::{closed, frame};
use crate::support::{Answer, Running, wait_until};

struct Silent;

impl Handler for Silent {
    fn connect(&self, _outbox: Outbox, _files: Arc<OpenFiles>) -> Box<dyn Peer> {
        Box::new(Self)
    }
}

impl Peer for Silent {
    fn receive(&mut self, _text: &str) {}
}

fn bind(options: Options, assets: &[(&'static str, &'static str)]) -> Result<Server, BindError> {
    let assets = assets.iter().map(|&(path, content_type)| Asset {
        path,
        content_type,
        bytes: b"",
    });
    Server::bind(options, assets.collect(), Files::none(), Silent)
}

#[test]
fn everybody_is_told_and_nobody_is_waited_for() {
    let mut server = Running::new();
    let mut idle = server.raw_socket();
    let mut busy = server.raw_socket();
    busy.write_all(&frame(0x81, b"hang")).expect("it is open");
    let mut deaf = server.raw_socket();
    deaf.write_all(&frame(0x81, b"flood")).expect("it is open");
    // Its message never ends, so that the thread that reads never comes back.
    let mut endless = server.raw_socket();
    let writing = thread::spawn(move || {
        let mut first = 0x01;
        while endless.write_all(&frame(first, b"")).is_ok() {
            first = 0x00;
        }
    });
    let mut silent = server.dial();
    let mut slow = server.dial();
    slow.write_all(b"GET / HT").expect("it listens");
    wait_until("all are there", || {
        let counts = server.counts();
        counts.sockets == 4 && counts.requests == 2
    });
    server.stop();
    assert_eq!(closed(&mut idle).0, 1001);
    assert_eq!(Answer::read(&mut silent).status, 0);
    assert_eq!(Answer::read(&mut slow).status, 0);
    wait_until("nobody reads any more", || writing.is_finished());
    // A peer that hangs goes when it goes on.
    server.open_gate();
    wait_until("all are gone", || server.counts().sockets == 0);
    let stranger = TcpStream::connect(server.host());
    assert!(stranger.is_err(), "nobody listens any more");
}

#[test]
fn a_peer_that_waits_for_room_to_write_is_told_that_nobody_reads() {
    let mut server = Running::new();
    let mut busy = server.raw_socket();
    busy.write_all(&frame(0x81, b"hang")).expect("it is open");
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let writing = thread::spawn(move || {
        while busy.write_all(&frame(0x81, b"more")).is_ok() {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    let mut before = 0;
    wait_until("no room is left", || {
        thread::sleep(Duration::from_millis(100));
        let now = written.load(Ordering::SeqCst);
        now != 0 && now == std::mem::replace(&mut before, now)
    });
    server.stop();
    server.open_gate();
    wait_until("nobody writes any more", || writing.is_finished());
}

#[test]
fn a_server_may_be_stopped_before_it_runs_and_twice() {
    let server = bind(Options::default(), &[]).expect("a port");
    let stopper = server.stopper();
    stopper.stop();
    stopper.clone().stop();
    server.run().expect("it ends");
    server.run().expect("it ends again");
    stopper.stop();
}

#[test]
fn a_port_that_is_taken_is_told() {
    let first = bind(Options::default(), &[]).expect("a port");
    let address = first.address();
    let port = address.split(['/', ':']).nth(4).expect("a port");
    let options = Options {
        port: port.parse().expect("a port"),
        ..Options::default()
    };
    let error = bind(options, &[]).err().expect("it is taken");
    let words = error.to_string();
    assert!(words.starts_with(&format!("can't listen at 127.0.0.1:{port}: ")));
    assert!(words.ends_with("port 0 is any that is free"));
}

#[test]
fn each_server_has_an_address_of_its_own() {
    let one = bind(Options::default(), &[]).expect("a port").address();
    let other = bind(Options::default(), &[]).expect("a port").address();
    let token = |address: &str| address.split('/').nth(3).map(str::to_owned);
    assert_ne!(token(&one), token(&other));
}

#[test]
fn assets_that_could_not_be_served_are_refused() {
    let html = "text/html";
    for (assets, word) in [
        (vec![("socket", html)], "WebSocket"),
        (vec![("/page.js", html)], "begins with"),
        (vec![("a", html), ("b", html), ("a", html)], "same path"),
        (vec![("a b", html)], "character"),
        (vec![("a%20b", html)], "character"),
        (vec![("a?b", html)], "character"),
        (vec![("ä", html)], "character"),
        (vec![("a", "text/html\r\nSet-Cookie: x")], "content type"),
        (vec![("a", "")], "content type"),
    ] {
        let error = bind(Options::default(), &assets).err().expect(word);
        assert!(error.to_string().contains(word), "{error}");
    }
    assert!(bind(Options::default(), &[("", html), ("a/b.js", html)]).is_ok());
}
