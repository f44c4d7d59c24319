//! Requests for pages: who is let in, and what everybody else is told.

use std::io::Write as _;
use std::net::Shutdown;
use std::time::Duration;

use crate::support::{Answer, PATIENCE, Running, wait_until};

/// What binds a browser, as the contract of the page has it.
const BINDING: [(&str, &str); 6] = [
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
];

fn demand_binding(answer: &Answer) {
    for (name, value) in BINDING {
        assert_eq!(answer.header(name), Some(value), "{name} of {answer:?}");
    }
    let len = answer.header("Content-Length").expect("a length");
    assert_eq!(len, answer.body.len().to_string());
}

#[test]
fn the_page_and_its_parts_are_served() {
    let server = Running::new();
    let page = server.get("");
    assert_eq!(
        (page.status, page.text().as_str()),
        (200, "<!doctype html>")
    );
    assert_eq!(
        page.header("Content-Type"),
        Some("text/html; charset=utf-8")
    );
    demand_binding(&page);
    let script = server.get("page.js");
    assert_eq!(
        (script.status, script.text().as_str()),
        (200, "'use strict';")
    );
    demand_binding(&script);
    let large = server.get("parts/large.bin");
    assert_eq!(large.body.len(), 8 << 20);
    demand_binding(&large);
}

#[test]
fn a_head_is_what_the_page_has_but_its_body() {
    let server = Running::new();
    let (host, token) = (server.host(), server.token());
    let head = server.raw(format!("HEAD /{token}/ HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert_eq!(head.headers, server.get("").headers);
    assert!(head.body.is_empty());
}

#[test]
fn whoever_does_not_know_the_secret_learns_nothing() {
    let server = Running::new();
    let (host, token) = (server.host(), server.token());
    let nothing = server.get("no-such-thing");
    assert_eq!(
        (nothing.status, nothing.text().as_str()),
        (404, "not found\n")
    );
    demand_binding(&nothing);
    let last = if token.ends_with('0') { '1' } else { '0' };
    let almost = format!("{}{last}", &token[..token.len() - 1]);
    let mut targets: Vec<String> = (0..token.len())
        .flat_map(|end| {
            [
                format!("/{}/", &token[..end]),
                format!("/{}/socket", &token[..end]),
            ]
        })
        .collect();
    targets.extend(
        [
            "/",
            "/socket",
            "/page.js",
            "/favicon.ico",
            "*",
            "/..",
            "//",
            &format!("/{almost}/"),
            &format!("/{almost}/socket"),
            &format!("/{}/", "0".repeat(token.len())),
            &format!("/{token}"),
            &format!("/{token}0/"),
            &format!("//{token}/"),
            &format!(
                "/{}/",
                token
                    .to_uppercase()
                    .replace(|c: char| c.is_ascii_digit(), "A")
            ),
            &format!("/{token}//"),
            &format!("/{token}/../{token}/"),
            &format!("/{token}/./"),
            &format!("/{token}/page.js/"),
            &format!("/{token}/PAGE.JS"),
            &format!("/{token}/%70age.js"),
            &format!("/{token}/page.js?x"),
            &format!("/{token}/page.js%00"),
            &format!("/{token}/..%2f..%2fetc/passwd"),
            &format!("/{token}/../../../etc/passwd"),
            &format!("/{token}/..\\..\\page.js"),
            &format!("/{token}/parts"),
            &format!("/{token}/socket/"),
            &format!("http://{host}/{token}/"),
        ]
        .map(str::to_owned),
    );
    for target in targets {
        let answer = server.raw(format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(answer, nothing, "{target}");
    }
}

#[test]
fn a_name_that_was_made_to_lead_here_is_none_of_ours() {
    let server = Running::with(|options| options.hosts.push("tunnel.example:9".to_owned()));
    let (host, token) = (server.host(), server.token());
    let port = host.rsplit(':').next().expect("a port");
    let nothing = server.get("no-such-thing");
    for (named, status) in [
        (host.to_owned(), 200),
        (format!("localhost:{port}"), 200),
        (format!("[::1]:{port}"), 200),
        ("tunnel.example:9".to_owned(), 200),
        ("127.0.0.1".to_owned(), 403),
        (format!("evil.example:{port}"), 403),
        (format!("127.0.0.1.evil.example:{port}"), 403),
        (format!("127.0.0.2:{port}"), 403),
        (format!("{host}, {host}"), 403),
        (format!("user@{host}"), 403),
        (String::new(), 403),
    ] {
        let answer = server.raw(format!("GET /{token}/ HTTP/1.1\r\nHost: {named}\r\n\r\n"));
        assert_eq!(answer.status, status, "{named}");
        demand_binding(&answer);
        assert!(!answer.text().contains(token), "{named}");
        if status != 200 {
            let stranger = format!("GET /x/ HTTP/1.1\r\nHost: {named}\r\n\r\n");
            assert_eq!(server.raw(stranger), nothing, "{named}");
        }
    }
}

#[test]
fn what_is_no_proper_request_is_refused_in_words() {
    let server = Running::new();
    let (host, token) = (server.host(), server.token());
    let line = format!("GET /{token}/ HTTP/1.1\r\n");
    let good = format!("{line}Host: {host}\r\n");
    for (request, status, word) in [
        (format!("{line}\r\n"), 400, "Host"),
        (format!("{good}Host: {host}\r\n\r\n"), 400, "host"),
        (format!("{good}Content-Length: 5\r\n\r\nhello"), 400, "body"),
        (format!("{good}Content-Length: 0\r\n\r\n"), 200, ""),
        (
            format!("{good}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            400,
            "body",
        ),
        (
            format!("{good}Content-Length: 0\r\nContent-Length: 9\r\n\r\n"),
            400,
            "twice",
        ),
        (format!("{good} folded: x\r\n\r\n"), 400, "not a request"),
        (format!("{good}no colon\r\n\r\n"), 400, "not a request"),
        (format!("{good}x\0y: z\r\n\r\n"), 400, "not a request"),
        (
            format!("GET /{token}/ HTTP/9.9\r\nHost: {host}\r\n\r\n"),
            400,
            "not a request",
        ),
        (
            format!("GET  /{token}/ HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            400,
            "not a request",
        ),
        (
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
            400,
            "not a request",
        ),
        (
            "\u{16}\u{3}\u{1}\u{2}\r\n\r\n".to_owned(),
            400,
            "not a request",
        ),
    ] {
        let answer = server.raw(&request);
        assert_eq!(answer.status, status, "{request}");
        assert!(answer.text().contains(word), "{request}: {}", answer.text());
        demand_binding(&answer);
    }
    let mut bytes = good.clone().into_bytes();
    bytes.extend(b"Origin: \xff\r\n\r\n");
    assert_eq!(server.raw(bytes).status, 400);
}

#[test]
fn only_get_and_head_are_methods() {
    let server = Running::new();
    let (host, token) = (server.host(), server.token());
    for method in [
        "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "GETS", "PROPFIND",
    ] {
        for target in [
            format!("/{token}/"),
            format!("/{token}/socket"),
            "/".to_owned(),
        ] {
            let request = format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\n\r\n");
            let answer = server.raw(request);
            assert_eq!(answer.status, 405, "{method} {target}");
            assert_eq!(answer.header("Allow"), Some("GET, HEAD"));
            demand_binding(&answer);
        }
    }
}

#[test]
fn the_head_of_a_request_has_a_limit_to_the_byte() {
    let most = 2000;
    let server = Running::with(|options| options.limits.head = most);
    let (host, token) = (server.host(), server.token());
    let begin = format!("GET /{token}/ HTTP/1.1\r\nHost: {host}\r\nPad: ");
    for (len, status) in [(most, 200), (most + 1, 431), (100 * most, 431)] {
        let pad = "x".repeat(len - begin.len() - 4);
        let answer = server.raw(format!("{begin}{pad}\r\n\r\n"));
        assert_eq!(answer.status, status, "{len}");
    }
    let endless = server.raw("x".repeat(1 << 20));
    assert_eq!(endless.status, 431);
    assert!(endless.text().contains("2000 bytes"));
    demand_binding(&endless);
}

#[test]
fn whoever_is_refused_may_finish_and_read_why() {
    let server = Running::with(|options| options.limits.last_words = PATIENCE);
    let mut stream = server.dial();
    // More than the system keeps: the rest is read, or it could not be written.
    let endless = vec![b'x'; 32 << 20];
    stream.write_all(&endless).expect("it is read");
    stream.shutdown(Shutdown::Write).expect("it is open");
    assert_eq!(Answer::read(&mut stream).status, 431);
}

#[test]
fn headers_are_counted() {
    let server = Running::new();
    let (host, token) = (server.host(), server.token());
    for (count, status) in [(63, 200), (64, 431), (2000, 431)] {
        let bomb = "a: b\r\n".repeat(count);
        let answer = server.raw(format!(
            "GET /{token}/ HTTP/1.1\r\nHost: {host}\r\n{bomb}\r\n"
        ));
        assert_eq!(answer.status, status, "{count}");
    }
}

#[test]
fn a_request_may_come_byte_by_byte_but_not_for_ever() {
    let server = Running::new();
    let (host, token) = (server.host(), server.token());
    let request = format!("GET /{token}/ HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let mut stream = server.dial();
    stream.set_nodelay(true).expect("a setting");
    for byte in request.as_bytes() {
        stream.write_all(&[*byte]).expect("it listens");
    }
    assert_eq!(Answer::read(&mut stream).status, 200);

    let hasty = Running::with(|options| options.limits.request_time = Duration::from_millis(200));
    let mut slow = hasty.dial();
    slow.write_all(b"GET / HT").expect("it listens");
    let answer = Answer::read(&mut slow);
    assert_eq!(answer.status, 408);
    demand_binding(&answer);
    // Each byte is in time, but not all of them are.
    let mut trickle = hasty.dial();
    let pause = Duration::from_millis(20);
    while trickle.write_all(b"x").is_ok() && hasty.counts().requests > 0 {
        std::thread::sleep(pause);
    }
    wait_until("it is gone", || hasty.counts().requests == 0);
    // A browser opens connections in advance: it says nothing, and is told nothing.
    let mut silent = hasty.dial();
    assert_eq!(Answer::read(&mut silent).status, 0);
}

#[test]
fn there_are_only_so_many_requests_at_once() {
    let server = Running::with(|options| options.limits.requests = 3);
    let mut held: Vec<_> = (0..3).map(|_| server.dial()).collect();
    wait_until("three are there", || server.counts().requests == 3);
    for _ in 0..20 {
        let answer = Answer::read(&mut server.dial());
        assert_eq!(answer.status, 503);
        assert!(answer.text().contains("too many requests"));
        demand_binding(&answer);
    }
    held.pop();
    wait_until("one has gone", || server.counts().requests == 2);
    assert_eq!(server.get("").status, 200);
}

#[test]
fn whoever_does_not_take_an_answer_is_not_waited_for() {
    let server = Running::with(|options| {
        options.limits.response_time = Duration::from_millis(200);
    });
    let (host, token) = (server.host(), server.token());
    let mut stream = server.dial();
    let request = format!("GET /{token}/parts/large.bin HTTP/1.1\r\nHost: {host}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it listens");
    wait_until("it is there", || server.counts().requests == 1);
    wait_until("it is gone", || server.counts().requests == 0);
    assert_eq!(server.get("").status, 200);
}

#[test]
fn connections_that_end_early_leave_nothing_behind() {
    let server = Running::new();
    for bytes in [
        "",
        "G",
        "GET / HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        let mut stream = server.dial();
        stream.write_all(bytes.as_bytes()).expect("it listens");
        drop(stream);
        let mut half = server.dial();
        half.write_all(bytes.as_bytes()).expect("it listens");
        half.shutdown(Shutdown::Write).expect("it is open");
    }
    wait_until("all are gone", || server.counts().requests == 0);
}
