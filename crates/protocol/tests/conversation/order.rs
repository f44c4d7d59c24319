//! Which text an answer is about; what is taken back; what can't be read.

use serde_json::json;

use super::support::{Client, RULES, URI};

/// Rules that take seconds.
fn slow() -> String {
    RULES.replace("let raw = 2d6 + skill", "let raw = 600d20kh150 + skill")
}

#[test]
fn answers_about_texts_that_are_gone_are_none() {
    let client = Client::opened();
    client.change(2, RULES);
    let (code, _) = client
        .answer(client.ask_of(1, "odds", &json!({})))
        .expect_err("version 1 is gone");
    assert_eq!(code, -32801);
    let (code, _) = client
        .answer(client.ask_of(3, "odds", &json!({})))
        .expect_err("version 3 has not come");
    assert_eq!(code, -32801);
    assert!(client.answer(client.ask_of(2, "odds", &json!({}))).is_ok());
    client.notify(
        "textDocument/didClose",
        &json!({ "textDocument": { "uri": URI } }),
    );
    let (code, _) = client
        .answer(client.ask_of(2, "odds", &json!({})))
        .expect_err("it is closed");
    assert_eq!(code, -32003);
}

#[test]
fn a_change_ends_what_was_asked_before() {
    let client = Client::new();
    client.open(1, &slow());
    let asked: Vec<i64> = (0..8)
        .map(|_| client.ask_of(1, "value", &json!({})))
        .collect();
    client.change(2, RULES);
    for id in asked {
        if let Ok(answer) = client.answer(id) {
            assert_eq!(answer["version"], 1, "it was answered before the change");
        }
    }
    let odds = client
        .answer(client.ask_of(2, "odds", &json!({})))
        .expect("it has odds");
    assert_eq!(odds["version"], 2);
}

/// Whichever thread has looked at the text first: who types sees errors before anything is worked out.
#[test]
fn what_is_wrong_with_a_text_is_told_before_what_is_asked_of_it_is_answered() {
    let client = Client::opened();
    let wrong = RULES.replace("2d6 + skill", "2d6 + skil");
    for version in 2..200 {
        let text = if version % 2 == 0 { RULES } else { &wrong };
        client.change(version, text);
        let asked = ["odds", "value", "lint"].map(|kind| client.ask_of(version, kind, &json!({})));
        let first = client.next(|message| {
            let is_answer = asked.iter().any(|id| message["id"] == json!(id));
            is_answer || message["params"]["version"] == json!(version)
        });
        let told = &first["params"]["diagnostics"];
        let faults = told.as_array().expect("errors come first").len();
        assert_eq!(faults, usize::from(version % 2 == 1));
        for id in asked {
            assert_eq!(client.answer(id).is_ok(), version % 2 == 0);
        }
    }
}

#[test]
fn questions_are_taken_back() {
    let client = Client::new();
    client.open(1, &slow());
    // Two of them are worked on, the others wait.
    let asked: Vec<i64> = (0..6)
        .map(|_| client.ask_of(1, "lint", &json!({})))
        .collect();
    for id in &asked {
        client.notify("$/cancelRequest", &json!({ "id": id }));
    }
    for id in &asked[2..] {
        let (code, _) = client
            .answer(*id)
            .expect_err("it was taken back while it waited");
        assert_eq!(code, -32800);
    }
    // What is answered can't be taken back, nor what was never asked.
    client.notify("$/cancelRequest", &json!({ "id": "nobody" }));
    assert!(client.call("oddsmith/known", &json!({})).is_ok());
}

#[test]
fn too_much_at_once_is_refused_and_the_rest_is_answered() {
    let client = Client::new();
    client.open(1, &slow());
    let asked: Vec<i64> = (0..200)
        .map(|_| client.ask_of(1, "lint", &json!({})))
        .collect();
    client.change(2, RULES);
    let codes = asked
        .iter()
        .map(|id| client.answer(*id).map_or_else(|(code, _)| code, |_| 0));
    let codes: Vec<i64> = codes.collect();
    assert!(
        codes.iter().filter(|code| **code == -32004).count() >= 100,
        "{codes:?}"
    );
    // Nothing is wrong with the rules themselves.
    assert!(
        codes
            .iter()
            .all(|code| [-32004, -32801, -32800, 0].contains(code)),
        "{codes:?}"
    );
    assert!(client.answer(client.ask_of(2, "lint", &json!({}))).is_ok());
}

#[test]
fn what_is_no_message_is_told() {
    let client = Client::new();
    for (text, code) in [
        ("", -32700),
        ("{", -32700),
        ("[]", -32600),
        ("5", -32600),
        (r#"{ "id": [], "method": "initialize" }"#, -32600),
        (&"[".repeat(100_000), -32700),
    ] {
        client.connection.receive(text);
        let told = client.next(|message| message["id"].is_null());
        assert_eq!(
            told["error"]["code"],
            code,
            "{}",
            text.chars().take(20).collect::<String>()
        );
    }
    // An answer to what we never asked, and notes that nobody knows, are let be.
    client.say_wrongly(&json!({ "id": 7, "result": 1 }));
    client.notify("$/setTrace", &json!({ "value": "off" }));
    client.say_wrongly(
        &json!({ "method": "textDocument/didChange", "params": { "textDocument": 5 } }),
    );
    client.say_wrongly(&json!({ "method": "$/nobody/knows", "params": [] }));
    assert!(
        client
            .call("shutdown", &json!(null))
            .expect("it ends")
            .is_null()
    );
}

#[test]
fn a_name_that_is_in_use_is_refused() {
    let client = Client::new();
    client.open(1, &slow());
    let document = json!({ "uri": URI, "version": 1 });
    let request = json!({ "jsonrpc": "2.0", "id": "same", "method": "oddsmith/lint", "params": { "textDocument": document } });
    client.say(&request);
    client.say(&request);
    let told = client.next(|message| message["id"] == "same");
    assert_eq!(told["error"]["code"], -32600);
}

#[test]
fn after_the_end_was_asked_for_nothing_is_answered() {
    let client = Client::opened();
    assert_eq!(client.connection.end(), None);
    client.call("shutdown", &json!(null)).expect("it ends");
    let (code, _) = client
        .call("oddsmith/known", &json!({}))
        .expect_err("it ended");
    assert_eq!(code, -32600);
    client.notify("exit", &json!(null));
    assert_eq!(client.connection.end(), Some(true));
    let client = Client::opened();
    client.notify("exit", &json!(null));
    assert_eq!(client.connection.end(), Some(false));
}

/// Texts with many faults, which take long to tell, and after each one a text that is read at once, while others wait for both.
#[test]
fn what_is_wrong_with_an_older_text_is_not_told_after_a_newer_one() {
    let client = Client::new();
    let faulty: String = (0..60)
        .map(|at| format!("[checks.c{at}]\nrules = \"show x = 1d6 + nobody\"\n"))
        .collect();
    client.open(1, RULES);
    for version in 2..400 {
        let text = match version % 2 {
            0 => format!("{RULES}\n{faulty}"),
            _ => "name = 1".to_owned(),
        };
        client.change(version, &text);
        for _ in 0..3 {
            client.ask_of(version, "odds", &json!({}));
        }
        std::thread::sleep(std::time::Duration::from_micros(
            u64::from(version.unsigned_abs() % 9) * 500,
        ));
    }
    let mut newest = 0;
    while newest < 399 {
        let told = client.next(|message| message["method"] == "textDocument/publishDiagnostics");
        let version = told["params"]["version"].as_i64().expect("a version");
        assert!(version > newest, "{version} after {newest}");
        newest = version;
    }
}
