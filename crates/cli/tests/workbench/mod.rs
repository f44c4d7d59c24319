//! `oddsmith serve`, talked to over its WebSocket as the page does: each message is held against the protocol's meta-model.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::json;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use crate::support::talk::{Line, Talk};
use crate::support::{LANTERN, Place};

/// Long enough for any answer on a machine that does other things.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server and the socket to it.
struct Server {
    place: Place,
    child: Child,
    socket: WebSocket<TcpStream>,
}

impl Line for Server {
    fn send(&mut self, text: String) {
        self.socket.send(Message::text(text)).expect("it is read");
    }

    fn receive(&mut self) -> String {
        let text = self.socket.read().expect("a message comes").into_text();
        text.expect("it is text").to_string()
    }
}

/// A page with its server.
type Page = Talk<Server>;

impl Page {
    fn start() -> Self {
        let place = Place::new();
        let mut command = place.command();
        command.args(["serve", ".", "--no-open"]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut address = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output)
            .read_line(&mut address)
            .expect("it says where it is");
        let socket = connected(address.trim());
        Self::over(Server {
            place,
            child,
            socket,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A WebSocket to the server at an address, as of its own page.
fn connected(address: &str) -> WebSocket<TcpStream> {
    let bare = address.strip_prefix("http://").expect("an address");
    let (host, _) = bare.split_once('/').expect("it has a secret");
    let stream = TcpStream::connect(host).expect("it listens");
    { stream.set_read_timeout(Some(PATIENCE)) }.expect("it is a socket");
    let mut request = { format!("ws://{bare}socket").into_client_request() }.expect("a request");
    let origin = format!("http://{host}").parse().expect("a header");
    request.headers_mut().insert("Origin", origin);
    tungstenite::client(request, stream).expect("a WebSocket").0
}

#[test]
fn a_file_is_opened_asked_about_broken_mended_and_saved() {
    let mut page = Page::start();
    let params = json!({ "processId": null, "rootUri": null, "capabilities": {} });
    page.ask("initialize", &params);
    page.notify("initialized", &json!({}));
    let files = page.ask("oddsmith/files", &json!({}));
    let uri = "served:/lantern.toml";
    let listed = files["result"]["files"].as_array().expect("a list");
    assert!(listed.iter().any(|file| file["uri"] == uri), "{files}");
    let opened = page.ask("oddsmith/open", &json!({ "uri": uri }))["result"].clone();
    assert_eq!(opened["text"], LANTERN);
    let document = json!({ "uri": uri, "languageId": "oddsmith", "version": 1, "text": LANTERN });
    page.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    let faults = page.hear(|message| message["method"] == "textDocument/publishDiagnostics");
    assert_eq!(faults["params"]["diagnostics"], json!([]));
    for method in [
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/codeLens",
        "textDocument/semanticTokens/full",
    ] {
        let answer = page.ask(method, &json!({ "textDocument": { "uri": uri } }));
        assert!(answer["result"].is_object() || answer["result"].is_array());
    }

    let of =
        |version| json!({ "textDocument": { "uri": uri, "version": version }, "question": {} });
    let odds = page.ask("oddsmith/odds", &of(1));
    assert!(odds["result"].to_string().contains("Miss"), "{odds}");
    let broken = LANTERN.replace("2d6", "2d6 + nonsense");
    let change = |version, text: &str| json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [{ "text": text }] });
    page.notify("textDocument/didChange", &change(2, &broken));
    let faults = page.hear(|message| message["params"]["version"] == 2);
    assert_eq!(
        faults["params"]["diagnostics"].as_array().map(Vec::len),
        Some(1)
    );
    let refused = page.ask("oddsmith/odds", &of(2));
    assert_eq!(refused["error"]["code"], -32005, "{refused}");

    let better = LANTERN.replace("2d6", "3d6");
    page.notify("textDocument/didChange", &change(3, &better));
    let digest = opened["digest"].clone();
    let save = |digest| json!({ "textDocument": { "uri": uri }, "text": better, "digest": digest });
    let saved = page.ask("oddsmith/save", &save(digest.clone()));
    assert!(saved["result"]["digest"].is_string(), "{saved}");
    let again = page.ask("oddsmith/save", &save(digest));
    assert_eq!(again["error"]["code"], -32010, "{again}");
    let file = std::fs::read_to_string(page.line.place.path("lantern.toml"));
    assert_eq!(file.expect("it is there"), better);
}

/// What the page's tests show it in place of answers are answers.
#[test]
fn recorded_answers_are_what_the_program_says() {
    let recorded = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/workbench/recorded/"
    );
    for (name, words) in [
        ("policy", "policy stars-and-signs --set effort=2"),
        (
            "plan",
            "balance plan stars-and-signs --checks 1 --pool effort=1,hope=1",
        ),
        (
            "track-plan",
            "balance plan stars-and-signs:timed --set slots=2 --set timer=2 --pool 1",
        ),
    ] {
        let file = format!("{recorded}{name}.json");
        let known = std::fs::read_to_string(&file).expect("it is read");
        let words = format!("{words} --format json");
        let answer = Place::new().answer(&words);
        assert!(
            answer == known,
            "{file} is not what `oddsmith {words}` says"
        );
    }
}
