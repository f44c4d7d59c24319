//! What editors ask.

use serde_json::{Value, json};

use super::support::{Client, PROJECT, RULES, URI, client_of, place};

fn at_of(client: &Client, method: &str, position: &Value) -> Value {
    let params = json!({ "textDocument": { "uri": URI }, "position": position });
    client
        .call(method, &params)
        .unwrap_or_else(|error| panic!("{method}: {error:?}"))
}

#[test]
fn faults_are_told_with_their_version() {
    let client = Client::opened();
    assert!(client.faults(1).is_empty());
    client.change(2, &RULES.replace("+ skill", "+ skil"));
    let faults = client.faults(2);
    assert_eq!(faults[0]["severity"], 1);
    assert_eq!(faults[0]["range"]["start"], place("skill\nshow", 0));
    assert!(
        faults[0]["message"]
            .as_str()
            .is_some_and(|text| text.contains("did you mean `skill`?"))
    );
    let params = json!({ "textDocument": { "uri": URI }, "range": faults[0]["range"], "context": { "diagnostics": [] } });
    let actions = client
        .call("textDocument/codeAction", &params)
        .expect("it can be mended");
    let edit = &actions[0]["edit"]["documentChanges"][0];
    assert_eq!(edit["textDocument"]["version"], 2);
    assert_eq!(edit["edits"][0]["newText"], "skill");
}

#[test]
fn a_name_is_found_where_it_is_defined_and_used() {
    let client = Client::opened();
    let used = place("skill\nshow", 2);
    let definition = at_of(&client, "textDocument/definition", &used);
    assert_eq!(
        definition[0]["range"]["start"],
        place("skill = { default", 0)
    );
    let hover = at_of(&client, "textDocument/hover", &used);
    assert!(
        hover["contents"]["value"]
            .as_str()
            .is_some_and(|text| text.contains("skill"))
    );
    let params = json!({ "textDocument": { "uri": URI }, "position": used, "context": { "includeDeclaration": true } });
    let found = client
        .call("textDocument/references", &params)
        .expect("it is a name");
    assert_eq!(found.as_array().map(Vec::len), Some(3), "{found}"); // the axis, the script, the chart
    let renamable = at_of(&client, "textDocument/prepareRename", &used);
    assert_eq!(renamable["placeholder"], "skill");
    let params = json!({ "textDocument": { "uri": URI }, "position": used, "newName": "craft" });
    let edits = client
        .call("textDocument/rename", &params)
        .expect("it is free");
    let edits = edits["documentChanges"][0]["edits"]
        .as_array()
        .map(Vec::len);
    assert_eq!(edits, Some(3));
    let params = json!({ "textDocument": { "uri": URI }, "position": used, "newName": "limit" });
    let (code, _) = client
        .call("textDocument/rename", &params)
        .expect_err("it is taken");
    assert_eq!(code, -32003);
}

#[test]
fn what_can_be_written_is_offered() {
    let client = Client::opened();
    let found = at_of(&client, "textDocument/completion", &place("raw = 2d6", 6));
    let labels: Vec<&str> = { found["items"].as_array().expect("a list").iter() }
        .filter_map(|item| item["label"].as_str())
        .collect();
    assert!(
        labels.contains(&"skill") && labels.contains(&"limit"),
        "{labels:?}"
    );
}

#[test]
fn words_have_kinds_and_parts_have_places() {
    let client = Client::opened();
    let able = client
        .call("initialize", &client_of(&[]))
        .expect("it can something");
    let types = &able["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"];
    let document = json!({ "textDocument": { "uri": URI } });
    let tokens = client
        .call("textDocument/semanticTokens/full", &document)
        .expect("it has words");
    let data: Vec<u64> = { tokens["data"].as_array().expect("a list").iter() }
        .map(|number| number.as_u64().expect("a number"))
        .collect();
    assert_eq!(data.len() % 5, 0);
    let lines: Vec<&str> = RULES.lines().collect();
    let (mut line, mut column) = (0, 0);
    let mut seen = Vec::new();
    for word in data.chunks(5) {
        column = if word[0] == 0 {
            column + word[1]
        } else {
            word[1]
        };
        line += word[0];
        let from = usize::try_from(column).expect("small");
        let length = usize::try_from(word[2]).expect("small");
        let text = &lines[usize::try_from(line).expect("small")][from..from + length];
        let kind = types[usize::try_from(word[3]).expect("small")]
            .as_str()
            .expect("a name");
        seen.push((text, kind));
    }
    assert!(
        seen.contains(&("let", "keyword")) && seen.contains(&("Glimpse", "enumMember")),
        "{seen:?}"
    );
    let symbols = client
        .call("textDocument/documentSymbol", &document)
        .expect("it has parts");
    assert!(symbols.to_string().contains("\"look\""));
    let folds = client
        .call("textDocument/foldingRange", &document)
        .expect("it has parts");
    assert!(folds.as_array().is_some_and(|folds| !folds.is_empty()));
}

#[test]
fn what_is_under_the_pointer_has_its_odds() {
    let client = Client::opened();
    let said = |position| {
        let hover = at_of(&client, "textDocument/hover", &position);
        hover["contents"]["value"]
            .as_str()
            .expect("a text")
            .to_owned()
    };
    // 2d6 have a mean of 7, to which the skill is added: 1, or what it was when odds were asked last.
    let raw = place("raw = 2d6", 1);
    assert!(said(raw.clone()).contains("mean 8, standard deviation 2.4152"));
    let question = json!({ "settings": ["skill=2"] });
    let id = client.ask_of(1, "odds", &question);
    client.answer(id).expect("it has odds");
    assert!(said(raw).contains("mean 9, "));
    assert!(said(place("look]", 1)).contains("Glimpse"));
}

#[test]
fn odds_stand_beside_bands_and_above_checks() {
    let client = Client::opened();
    let document = json!({ "uri": URI });
    let all = json!({ "start": place("name", 0), "end": place("x = \"skill\"", 0) });
    let params = json!({ "textDocument": document, "range": all });
    let hints = client
        .call("textDocument/inlayHint", &params)
        .expect("hints");
    let labels: Vec<&str> = { hints.as_array().expect("a list").iter() }
        .map(|hint| hint["label"].as_str().expect("a text"))
        .collect();
    // 2d6 and a skill of 1 are below 7 in 10 of 36 cases, below 10 in 16, and else in 10.
    assert_eq!(labels, ["27.78%", "44.44%", "27.78%"]);
    assert_eq!(hints[0]["position"], place("\"Dark\"", 6));
    let none = json!({ "start": place("name", 0), "end": place("name", 2) });
    let params = json!({ "textDocument": document, "range": none });
    let hints = client
        .call("textDocument/inlayHint", &params)
        .expect("hints");
    assert_eq!(hints, json!([]));
    let params = json!({ "textDocument": document });
    let lenses = client
        .call("textDocument/codeLens", &params)
        .expect("lenses");
    assert_eq!(lenses[0]["range"]["start"], place("look]", 0));
    let title = lenses[0]["command"]["title"].as_str().expect("a text");
    assert!(
        title.starts_with("Dark 27.78% · Glimpse 44.44% · Clear 27.78%"),
        "{title}"
    );
}

#[test]
fn positions_count_what_was_agreed_upon() {
    let rules = RULES.replace("raw", "dé𝒟");
    let at = rules.find("show total = dé𝒟").expect("it is there") + "show total = ".len();
    let line = rules[..at].matches('\n').count();
    for (encodings, agreed, length) in [
        (&[][..], "utf-16", 4),
        (&["utf-8", "utf-16"], "utf-8", 7),
        (&["utf-32"], "utf-32", 3),
        (&["utf-7", "utf-16", "utf-8"], "utf-16", 4),
    ] {
        let client = Client::new();
        let able = client.call("initialize", &client_of(encodings));
        let able = able.expect("it can something");
        assert_eq!(able["capabilities"]["positionEncoding"], agreed);
        client.open(1, &rules);
        let start = "show total = ".len();
        let place = json!({ "line": line, "character": start + length });
        let found = at_of(&client, "textDocument/prepareRename", &place);
        let range = json!({ "start": { "line": line, "character": start }, "end": place });
        assert_eq!(
            found,
            json!({ "range": range, "placeholder": "dé𝒟" }),
            "{agreed}"
        );
        // What is written behind the word stands behind it.
        let document = json!({ "uri": URI, "version": 2 });
        let changes = json!([{ "range": { "start": place, "end": place }, "text": "x" }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        client.notify("textDocument/didChange", &params);
        let faults = client.faults(2);
        let end = json!({ "line": line, "character": start + length + 1 });
        assert_eq!(
            faults[0]["range"],
            json!({ "start": range["start"], "end": end }),
            "{agreed}"
        );
    }
}

#[test]
fn scripts_are_formatted_as_a_whole_or_by_lines() {
    let client = Client::new();
    client.open(
        1,
        &RULES
            .replace("2d6 + skill", "2d6+skill")
            .replace("total = raw", "total=raw"),
    );
    let options = json!({ "tabSize": 8, "insertSpaces": false });
    let document = json!({ "uri": URI });
    let params = json!({ "textDocument": document, "options": options });
    let edits = client
        .call("textDocument/formatting", &params)
        .expect("it can be read");
    // One before `+` and one behind it, and the same at `=`.
    assert_eq!(edits.as_array().map(Vec::len), Some(4), "{edits}");
    assert_eq!(edits[0]["newText"], " ");
    let line = place("show total", 0)["line"].clone();
    let range = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 4 } });
    let params = json!({ "textDocument": document, "options": options, "range": range });
    let edits = client
        .call("textDocument/rangeFormatting", &params)
        .expect("it can be read");
    assert_eq!(edits.as_array().map(Vec::len), Some(2), "{edits}");
    client.change(2, &RULES.replace("+ skill", "+"));
    let params = json!({ "textDocument": document, "options": options });
    let none = client
        .call("textDocument/formatting", &params)
        .expect("it is no fault");
    assert!(none.is_null(), "what can't be read stays as it is: {none}");
}

#[test]
fn lenses_have_commands_that_show_something() {
    let client = Client::opened();
    let able = client
        .call("initialize", &client_of(&[]))
        .expect("it can something");
    let commands = &able["capabilities"]["executeCommandProvider"]["commands"];
    assert_eq!(
        *commands,
        json!(["oddsmith.odds", "oddsmith.chart", "oddsmith.check"])
    );
    let params = json!({ "textDocument": { "uri": URI } });
    let lenses = client
        .call("textDocument/codeLens", &params)
        .expect("lenses");
    let click = |at: usize| {
        let own = &lenses[at]["command"];
        let params = json!({ "command": own["command"], "arguments": own["arguments"] });
        let done = client.call("workspace/executeCommand", &params);
        assert_eq!(done, Ok(Value::Null));
    };
    let said = || {
        client.next(|message| message["method"] == "window/showMessage")["params"]["message"]
            .clone()
    };
    click(0);
    assert_eq!(
        said(),
        "look (the default configuration)\nDark 27.78%\nGlimpse 44.44%\nClear 27.78%"
    );
    click(2);
    assert_eq!(said(), "look: 1 expectation holds");
    // A client that can't show a document is told where it is.
    click(1);
    assert!(
        said()
            .as_str()
            .is_some_and(|text| text.starts_with("The chart is at file:///pictures/"))
    );
    let mut shows = client_of(&[]);
    shows["capabilities"]["window"] = json!({ "showDocument": { "support": true } });
    client.call("initialize", &shows).expect("it can something");
    click(1);
    let shown = client.next(|message| message["method"] == "window/showDocument");
    assert!(
        shown["params"]["uri"]
            .as_str()
            .is_some_and(|uri| uri.ends_with(".svg")),
        "{shown}"
    );
    client.say(&json!({ "jsonrpc": "2.0", "id": shown["id"], "result": { "success": true } }));
    // With the settings of the last question.
    client
        .answer(client.ask_of(1, "odds", &json!({ "settings": ["skill=3"] })))
        .expect("odds");
    click(0);
    assert!(
        said()
            .as_str()
            .is_some_and(|text| text.starts_with("look (skill=3)\n"))
    );
    for arguments in [
        json!([URI]),
        json!([URI, "nobody"]),
        json!(["file:///other.toml", "look"]),
    ] {
        let params = json!({ "command": "oddsmith.odds", "arguments": arguments });
        let (code, _) = client
            .call("workspace/executeCommand", &params)
            .expect_err("it is wrong");
        assert!([-32602, -32003].contains(&code), "{code}");
    }
    let params = json!({ "command": "oddsmith.nothing", "arguments": [URI, "look"] });
    let (code, _) = client
        .call("workspace/executeCommand", &params)
        .expect_err("no command");
    assert_eq!(code, -32602);
}

#[test]
fn a_rename_goes_through_the_file_of_the_project() {
    let client = Client::opened();
    let rename = |name: &str| {
        let position = place("\"Clear\"", 2);
        let params =
            json!({ "textDocument": { "uri": URI }, "position": position, "newName": name });
        let edit = client
            .call("textDocument/rename", &params)
            .expect("it is free");
        edit["documentChanges"][1].clone()
    };
    let changes = rename("Bright");
    let range =
        json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 5 } });
    assert_eq!(
        changes["textDocument"],
        json!({ "uri": PROJECT, "version": null })
    );
    assert_eq!(
        changes["edits"],
        json!([{ "range": range, "newText": "Bright" }])
    );
    // If the editor has that file open, what it shows is what is changed.
    let text = "# mine\n\n[tolerances]\n\"Clear\" = 1\n";
    let document = json!({ "uri": PROJECT, "languageId": "toml", "version": 4, "text": text });
    client.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    let changes = rename("Bright");
    assert_eq!(changes["textDocument"]["version"], 4);
    assert_eq!(changes["edits"][0]["range"]["start"]["line"], 3);
}

#[test]
fn faults_have_the_places_that_they_are_about() {
    let client = Client::opened();
    client.change(
        2,
        &RULES.replace("show total = raw", "show total = raw\nshow total = raw"),
    );
    let faults = client.faults(2);
    let related = &faults[0]["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], URI, "{faults:?}");
    assert_eq!(
        related["location"]["range"]["start"],
        place("total = raw", 0),
        "{faults:?}"
    );
}
