//! The meta-model finds what is wrong with messages.

use oddsmith_testkit::meta_model::{MetaModel, Speaker};
use serde_json::{Value, json};

fn range() -> Value {
    json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 3 } })
}

/// Sound messages, with who says them, and what they answer.
fn sound() -> Vec<(Speaker, Value, Option<&'static str>)> {
    let (client, server) = (Speaker::Client, Speaker::Server);
    let document = json!({ "uri": "file:///a.toml" });
    let own = json!({ "uri": "file:///a.toml", "version": 2 });
    let edit = json!({ "range": range(), "newText": "x" });
    let diagnostic = json!({
        "range": range(), "severity": 1, "source": "us", "message": "wrong",
        "relatedInformation": [{ "location": { "uri": "file:///a.toml", "range": range() }, "message": "here" }],
    });
    let symbol = json!({
        "name": "a", "kind": 5, "range": range(), "selectionRange": range(), "children": [],
    });
    let asks = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let notes = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "method": method, "params": params });
    let answers = |result: Value| json!({ "jsonrpc": "2.0", "id": 1, "result": result });
    vec![
        (
            client,
            asks(
                "initialize",
                json!({ "processId": 5, "rootUri": null, "capabilities": { "general": { "positionEncodings": ["utf-8"] } } }),
            ),
            None,
        ),
        (
            server,
            answers(
                json!({ "capabilities": { "hoverProvider": true, "textDocumentSync": { "openClose": true, "change": 2 } } }),
            ),
            Some("initialize"),
        ),
        (
            client,
            notes(
                "textDocument/didChange",
                json!({ "textDocument": own, "contentChanges": [{ "range": range(), "text": "x" }, { "text": "y" }] }),
            ),
            None,
        ),
        (
            server,
            notes(
                "textDocument/publishDiagnostics",
                json!({ "uri": "file:///a.toml", "version": 2, "diagnostics": [diagnostic] }),
            ),
            None,
        ),
        (
            client,
            asks(
                "textDocument/rename",
                json!({ "textDocument": document, "position": range()["start"], "newName": "b" }),
            ),
            None,
        ),
        (
            server,
            answers(json!({ "documentChanges": [{ "textDocument": own, "edits": [edit] }] })),
            Some("textDocument/rename"),
        ),
        (
            server,
            answers(
                json!({ "isIncomplete": false, "items": [{ "label": "a", "kind": 3, "textEdit": edit, "documentation": { "kind": "markdown", "value": "b" } }] }),
            ),
            Some("textDocument/completion"),
        ),
        (
            server,
            answers(json!([symbol])),
            Some("textDocument/documentSymbol"),
        ),
        (server, answers(json!(null)), Some("textDocument/hover")),
        (
            server,
            json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32801, "message": "gone" } }),
            Some("textDocument/hover"),
        ),
    ]
}

/// Calls `take` with each message that differs from another one in a value, which is at the pointer; `change` makes it, of an
/// entry of an object or an item of a list.
fn mutants(value: &Value, path: &str, take: &mut dyn FnMut(String)) {
    let mut go_on = |key: &str, inner: &Value| {
        let path = format!("{path}/{key}");
        take(path.clone());
        mutants(inner, &path, take);
    };
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, inner)| go_on(key, inner)),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(at, inner)| go_on(&at.to_string(), inner));
        }
        _ => {}
    }
}

#[test]
fn sound_messages_are_sound() {
    let model = MetaModel::published();
    for (speaker, message, asked) in sound() {
        assert_eq!(
            model.complaints(speaker, &message, asked),
            Vec::<String>::new(),
            "{message}"
        );
    }
}

#[test]
fn a_value_of_another_type_is_found_wherever_it_is() {
    let model = MetaModel::published();
    let mut count = 0;
    for (speaker, message, asked) in sound() {
        mutants(&message.clone(), "", &mut |path| {
            let mut changed = message.clone();
            *changed.pointer_mut(&path).expect("it is there") = json!({ "another": ["type"] });
            let complaints = model.complaints(speaker, &changed, asked);
            assert!(!complaints.is_empty(), "{path} of {message}");
            count += 1;
        });
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_property_that_is_missing_is_found_if_there_has_to_be_one() {
    // What may be left out of the messages above.
    let optional = [
        "general",
        "positionEncodings",
        "hoverProvider",
        "textDocumentSync",
        "openClose",
        "change",
        "severity",
        "source",
        "relatedInformation",
        "children",
        "documentChanges",
        "kind",
        "textEdit",
        "documentation",
        "range",
        "version",
    ];
    let model = MetaModel::published();
    let mut found = Vec::new();
    for (speaker, message, asked) in sound() {
        mutants(&message.clone(), "", &mut |path| {
            let (before, key) = path.rsplit_once('/').expect("a path");
            let mut changed = message.clone();
            let owner = changed.pointer_mut(before).expect("it is there");
            if owner
                .as_object_mut()
                .and_then(|owner| owner.remove(key))
                .is_none()
            {
                return;
            }
            let complaints = model.complaints(speaker, &changed, asked);
            assert!(
                !complaints.is_empty() || optional.contains(&key),
                "{path} of {message}"
            );
            found.extend((!complaints.is_empty()).then(|| key.to_owned()));
        });
    }
    for key in [
        "jsonrpc",
        "params",
        "processId",
        "capabilities",
        "textDocument",
        "uri",
        "start",
        "line",
        "text",
        "diagnostics",
        "message",
        "location",
        "newName",
        "edits",
        "newText",
        "items",
        "label",
        "selectionRange",
        "code",
        "result",
    ] {
        assert!(found.iter().any(|own| own == key), "{key}: {found:?}");
    }
}

#[test]
fn what_nobody_knows_is_found() {
    let model = MetaModel::published();
    let told = |speaker, message: Value, asked| model.complaints(speaker, &message, asked);
    let (client, server) = (Speaker::Client, Speaker::Server);
    let note = json!({ "jsonrpc": "2.0", "method": "textDocument/didSaved", "params": {} });
    assert_eq!(
        told(client, note, None),
        ["no message is called `textDocument/didSaved`"]
    );
    let note = json!({ "jsonrpc": "2.0", "method": "exit" });
    assert_eq!(told(client, note.clone(), None), Vec::<String>::new());
    assert_eq!(told(server, note, None), ["`exit` goes the other way"]);
    let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": [{ "label": "a", "lable": "b" }] });
    assert_eq!(
        told(server, answer.clone(), Some("textDocument/completion")).len(),
        1
    );
    assert_eq!(told(server, answer, None), ["an answer to nothing"]);
    let fold = |kind: &str, line: i64| json!({ "jsonrpc": "2.0", "id": 1, "result": [{ "startLine": line, "endLine": 4, "kind": kind }] });
    assert_eq!(
        told(server, fold("region", 3), Some("textDocument/foldingRange")),
        Vec::<String>::new()
    );
    assert_eq!(
        told(
            server,
            fold("region", -3),
            Some("textDocument/foldingRange")
        )
        .len(),
        1
    );
    let symbol = json!({ "jsonrpc": "2.0", "id": 1, "result": [{ "name": "a", "kind": 27, "range": range(), "selectionRange": range() }] });
    assert_eq!(
        told(server, symbol, Some("textDocument/documentSymbol")).len(),
        1
    );
    // What is not the protocol's own is not its affair, but for the envelope.
    let own = json!({ "jsonrpc": "2.0", "id": 1, "method": "oddsmith/odds", "params": 5 });
    assert_eq!(told(client, own, None), Vec::<String>::new());
    let own = json!({ "jsonrpc": "2.0", "id": 1.5, "method": "oddsmith/odds", "more": 5 });
    assert_eq!(told(client, own, None).len(), 2);
}
