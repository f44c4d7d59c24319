//! `oddsmith lsp`, talked to as an editor does.

use std::io::{BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use oddsmith_protocol::{read_frame, write_frame};
use serde_json::{Value, json};

use crate::support::talk::{Line, Talk};
use crate::support::{LANTERN, Place};

const URI: &str = "file:///lantern.toml";

/// A server and the pipes to it.
struct Server {
    place: Place,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Line for Server {
    fn send(&mut self, text: String) {
        let input = self.input.as_mut().expect("it is open");
        write_frame(input, &text).expect("it is read");
    }

    fn receive(&mut self) -> String {
        let text = read_frame(&mut self.output).expect("it can be read");
        text.expect("an answer comes")
    }
}

/// An editor with its server.
type Editor = Talk<Server>;

impl Editor {
    fn start() -> Self {
        let place = Place::new();
        let mut command = place.command();
        command.args(["lsp", "--stdio"]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self::over(Server {
            place,
            child,
            input,
            output,
        })
    }

    /// What a question comes to, which has no error.
    fn result(&mut self, method: &str, params: &Value) -> Value {
        let message = self.ask(method, params);
        assert_eq!(message.get("error"), None, "{method}");
        message["result"].clone()
    }

    /// Ends what it says; the status of the server, and what that complains about.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.line.input.take());
        let status = self.line.child.wait().expect("it ends").code();
        let mut said = String::new();
        let mut err = self.line.child.stderr.take().expect("a pipe");
        err.read_to_string(&mut said).expect("it can be read");
        (status, said)
    }
}

/// The place of a text in the rules.
fn place(text: &str) -> Value {
    let at = LANTERN.find(text).expect("it is there");
    let line = LANTERN[..at].matches('\n').count();
    let start = LANTERN[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": at - start })
}

#[test]
fn a_session_from_its_beginning_to_its_end() {
    let mut editor = Editor::start();
    let params = json!({ "processId": null, "rootUri": null, "capabilities": {} });
    let told = editor.result("initialize", &params);
    assert_eq!(told["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(told["capabilities"]["hoverProvider"], true);
    editor.notify("initialized", &json!({}));
    let document = json!({ "uri": URI, "languageId": "oddsmith", "version": 1, "text": LANTERN });
    editor.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    let faults = editor.hear(|message| message["method"] == "textDocument/publishDiagnostics");
    assert_eq!(faults["params"]["diagnostics"], json!([]));
    let document = json!({ "uri": URI });
    let lenses = editor.result(
        "textDocument/codeLens",
        &json!({ "textDocument": document }),
    );
    // The same odds as `oddsmith odds lantern.toml`: 5 of 12 is 41.67 %.
    let title = lenses[0]["command"]["title"].as_str().expect("a text");
    assert!(title.starts_with("Miss 41.67% · "), "{title}");
    let params = json!({ "textDocument": document, "position": place("stat") });
    let hover = editor.result("textDocument/hover", &params);
    assert!(
        hover["contents"]["value"]
            .as_str()
            .is_some_and(|text| text.contains("stat"))
    );
    let change =
        json!({ "range": { "start": place("2d6"), "end": place("2d6") }, "text": "nonsense + " });
    let version = json!({ "uri": URI, "version": 2 });
    let params = json!({ "textDocument": version, "contentChanges": [change] });
    editor.notify("textDocument/didChange", &params);
    let faults = editor.hear(|message| message["params"]["version"] == 2);
    let message = faults["params"]["diagnostics"][0]["message"].as_str();
    assert!(
        message.is_some_and(|text| text.contains("nonsense")),
        "{faults}"
    );
    editor.result("shutdown", &Value::Null);
    editor.notify("exit", &Value::Null);
    assert_eq!(editor.end(), (Some(0), String::new()));
}

#[test]
fn files_of_the_project_are_renamed_along_and_charts_are_kept() {
    let mut editor = Editor::start();
    let root = editor.line.place.path("game").display().to_string();
    // What lies beside the project is none of its affairs.
    let project = "rulesets = [\"rules\", \"../lantern.toml\"]\n[tolerances]\nStrong = 0.5\n";
    editor.line.place.make("game/rules");
    editor.line.place.write("game/oddsmith.toml", project);
    editor.line.place.write("game/rules/one.toml", LANTERN);
    let params = json!({
        "processId": null, "rootUri": null,
        "capabilities": { "window": { "showDocument": { "support": true } } },
    });
    editor.result("initialize", &params);
    editor.notify("initialized", &json!({}));
    let uri = format!("file://{root}/rules/one.toml");
    let document = json!({ "uri": uri, "languageId": "oddsmith", "version": 1, "text": LANTERN });
    editor.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    let params =
        json!({ "textDocument": { "uri": uri }, "position": place("Strong"), "newName": "Firm" });
    let rename = |editor: &mut Editor| {
        editor.result("textDocument/rename", &params)["documentChanges"][1].clone()
    };
    let changes = rename(&mut editor);
    assert_eq!(
        changes["textDocument"]["uri"],
        format!("file://{root}/oddsmith.toml")
    );
    let range =
        json!({ "start": { "line": 2, "character": 0 }, "end": { "line": 2, "character": 6 } });
    assert_eq!(
        changes["edits"],
        json!([{ "range": range, "newText": "Firm" }])
    );
    // Another ruleset goes on with the column.
    editor.line.place.write("game/rules/two.toml", LANTERN);
    let changes = rename(&mut editor);
    assert_eq!(changes["edits"][0]["newText"], "\nFirm = 0.5");
    let chart = json!({ "command": "oddsmith.chart", "arguments": [uri, "check"] });
    editor.say(&json!({ "jsonrpc": "2.0", "id": "chart", "method": "workspace/executeCommand", "params": chart }));
    let shown = editor.hear(|message| message["method"] == "window/showDocument");
    let path = shown["params"]["uri"]
        .as_str()
        .and_then(|uri| uri.strip_prefix("file://"));
    let path = path.expect("the address of a file").replace("%20", " ");
    let svg = std::fs::read_to_string(&path).expect("it is there");
    assert!(svg.starts_with("<svg"), "{svg}");
    editor.result("shutdown", &Value::Null);
    editor.notify("exit", &Value::Null);
    assert_eq!(editor.end(), (Some(0), String::new()));
    assert!(
        !std::path::Path::new(&path).exists(),
        "it goes with the server"
    );
}

#[test]
fn an_editor_that_is_gone_ends_the_server() {
    let (status, said) = Editor::start().end();
    assert_eq!((status, said.as_str()), (Some(1), ""));
    let mut editor = Editor::start();
    editor.notify("exit", &Value::Null);
    assert_eq!(editor.end().0, Some(1));
}

#[test]
fn what_is_no_message_ends_the_server_with_a_reason() {
    let mut editor = Editor::start();
    let input = editor.line.input.as_mut().expect("it is open");
    input
        .write_all(b"GET / HTTP/1.1\r\n\r\n")
        .expect("it is read");
    let (status, said) = editor.end();
    assert_eq!(status, Some(2));
    assert!(said.contains("can't read from the editor"), "{said}");
    assert!(
        said.contains("`:`") || said.contains("Content-Length"),
        "{said}"
    );
}
