//! Questions about odds.

use oddsmith::ask::Question;
use oddsmith::{Game, Limits};
use serde_json::{Value, json};

use super::support::{Client, RULES, URI, read};

/// What the library answers when it is asked without a connection.
fn by_itself(text: &str, question: Value) -> Value {
    let game = Game::parse(URI, text.as_bytes()).expect("it has no errors");
    let question: Question = serde_json::from_value(question).expect("it is a question");
    let answer = question
        .ask(&game, &Limits::default())
        .expect("it has an answer");
    read(&answer)
}

#[test]
fn answers_are_those_of_the_library() {
    let client = Client::opened();
    let asked = [
        ("overview", json!({})),
        (
            "odds",
            json!({ "settings": ["skill=2"], "queries": ["P(total>=9)"] }),
        ),
        ("numbers", json!({ "settings": ["skill=3", "limit=9"] })),
        (
            "distribution",
            json!({ "values": ["band", "total"], "settings": ["skill=3"] }),
        ),
        (
            "table",
            json!({ "sweeps": ["skill=all"], "from": 1, "count": 2 }),
        ),
        ("contest", json!({ "a": ["skill=3"] })),
        ("value", json!({ "levers": ["skill", "limit"] })),
        ("lint", json!({})),
        ("expectations", json!({})),
        ("chart", json!({ "x": "skill=0..=3" })),
        (
            "declared-chart",
            json!({ "chart": 0, "settings": ["limit=9"] }),
        ),
        (
            "tune",
            json!({ "vary": ["limit=5..=9"], "goals": ["Clear ~ 0.25"] }),
        ),
    ];
    for (kind, question) in asked {
        let mut own = question.clone();
        own["kind"] = json!(kind);
        let result = client.answer(client.ask_of(1, kind, &question));
        let result = result.unwrap_or_else(|error| panic!("{kind}: {error:?}"));
        assert_eq!(result["version"], 1, "{kind}");
        assert_eq!(result["answer"], by_itself(RULES, own), "{kind}");
    }
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let client = Client::opened();
    let id = client.ask_of(
        1,
        "odds",
        &json!({ "settings": ["skil=2"], "queries": ["P(total>"] }),
    );
    let (code, error) = client.answer(id).expect_err("there is no such axis");
    assert_eq!(code, -32003);
    let problem = &error["data"]["problems"][0];
    assert_eq!(problem["text"], "skil=2");
    assert_eq!((&problem["start"], &problem["end"]), (&json!(0), &json!(4)));
    assert_eq!(problem["label"], "did you mean `skill`?");
    let (code, error) = client
        .answer(client.ask_of(1, "odds", &json!({ "settings": 5 })))
        .expect_err("no list");
    assert_eq!(code, -32602, "{error}");
    let (code, _) = client
        .answer(client.ask_of(1, "oddities", &json!({})))
        .expect_err("no method");
    assert_eq!(code, -32601);
    let file = json!({ "vary": ["limit=5..=9"], "file": "/etc/passwd" });
    let (code, error) = client
        .answer(client.ask_of(1, "tune", &file))
        .expect_err("no files");
    assert_eq!(code, -32003);
    assert!(!error.to_string().contains("root:"));
}

#[test]
fn broken_rules_have_no_odds() {
    let client = Client::opened();
    client.change(2, &RULES.replace("+ skill", "+ skil"));
    assert_eq!(client.faults(2).len(), 1);
    let (code, _) = client
        .answer(client.ask_of(2, "odds", &json!({})))
        .expect_err("broken");
    assert_eq!(code, -32005);
    client.change(3, RULES);
    assert_eq!(
        client
            .answer(client.ask_of(3, "odds", &json!({})))
            .expect("mended")["version"],
        3
    );
}

#[test]
fn what_costs_too_much_says_so() {
    let client = Client::new();
    client.open(1, &RULES.replace("2d6", "3000d3000"));
    let (code, error) = client
        .answer(client.ask_of(1, "odds", &json!({})))
        .expect_err("a second is not enough");
    assert_eq!(code, -32006, "{error}");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|text| text.contains("the budget is 1.0e9"))
    );
}

#[test]
fn pinned_texts_stand_beside() {
    let client = Client::opened();
    let document = json!({ "uri": URI, "version": 1 });
    let pin = |source: &str| {
        client.call(
            "oddsmith/pin",
            &json!({ "textDocument": document, "source": source }),
        )
    };
    let (own, file) = (
        pin("text").expect("it is there"),
        pin("file").expect("it is there"),
    );
    assert_eq!(
        (&own["label"], &file["label"]),
        (&json!("version 1"), &json!("the file"))
    );
    let (code, error) = pin("head").expect_err("nothing was committed");
    assert_eq!(
        (code, &error["message"]),
        (-32003, &json!("nothing was committed"))
    );
    client.change(2, &RULES.replace("< limit + 3", "< limit + 2"));
    let ask = |against: &Value, method: &str| {
        let document = json!({ "uri": URI, "version": 2 });
        let params = json!({ "textDocument": document, "question": {}, "against": against });
        client.call(method, &params)
    };
    let odds = ask(&own["id"], "oddsmith/odds").expect("both have odds");
    assert_eq!(odds["before"], by_itself(RULES, json!({ "kind": "odds" })));
    assert_ne!(odds["before"], odds["answer"]);
    let changed = ask(&own["id"], "oddsmith/compare").expect("both have odds");
    assert_eq!(changed["changed"][0]["check"], "look");
    assert!(changed["changed"][0]["summary"].is_object(), "{changed}");
    assert!(ask(&json!(99), "oddsmith/odds").is_err());
    // The file has another limit, which is a parameter: its odds differ everywhere.
    let odds = ask(&file["id"], "oddsmith/odds").expect("both have odds");
    let file = RULES.replace("default = 7", "default = 8");
    assert_eq!(odds["before"], by_itself(&file, json!({ "kind": "odds" })));
}

#[test]
fn commands_and_games_and_dice() {
    let client = Client::opened();
    let command = client.answer(client.ask_of(
        1,
        "command",
        &json!({ "kind": "odds", "check": "look", "settings": ["skill=2"] }),
    ));
    let command = command.expect("it has words");
    assert_eq!(
        command["command"],
        format!("oddsmith odds {URI}:look --set skill=2")
    );
    let known = client
        .call("oddsmith/known", &json!({}))
        .expect("games come along");
    assert_eq!(
        known["games"].as_array().map(Vec::len),
        Some(oddsmith::all_games().count())
    );
    let dice = json!({ "expressions": ["4d6kh3", "2d", "3d6"], "mode": "at least" });
    let dice = client
        .call("oddsmith/dice", &dice)
        .expect("two of them are dice");
    let told = &dice["distributions"];
    assert_eq!(told[0]["mean"], "15869/1296");
    assert!(told[1]["problems"][0]["message"].is_string(), "{told}");
    assert!(
        dice["svg"]
            .as_str()
            .is_some_and(|svg| svg.contains("4d6kh3") && svg.contains("3d6"))
    );
    let endless =
        json!({ "expressions": ["1d6!", "max(1d8!, 1d6!)", "1d6! - 1d8!"], "mode": "at most" });
    let endless = client
        .call("oddsmith/dice", &endless)
        .expect("two of them have an end at one side");
    let told = &endless["distributions"];
    assert_eq!(
        (&told[0]["mean"], &told[0]["tail"]["name"]),
        (&json!("21/5"), &json!("> 23"))
    );
    let last = told[0]["outcomes"].as_array().and_then(|own| own.last());
    assert_eq!(
        last.map(|own| &own["outcome"]),
        Some(&told[0]["tail"]["outcome"])
    );
    assert!(
        told[1]["mean"].is_null() && told[1]["tail"]["outcome"].is_number(),
        "{told}"
    );
    assert!(told[2]["problems"][0]["message"].is_string(), "{told}");
    assert!(
        endless["svg"]
            .as_str()
            .is_some_and(|svg| svg.contains("1d6!"))
    );
    let program = "output [explode d6] named \"boom\" output d{}";
    let program = json!({ "program": program, "mode": "at most" });
    let program = client
        .call("oddsmith/anydice", &program)
        .expect("it is a program");
    let told = &program["distributions"];
    assert_eq!(
        (&told[0]["expression"], &told[0]["cut"]),
        (&json!("boom"), &json!("1/216"))
    );
    assert!(told[1]["problems"][0]["message"].is_string(), "{told}");
    assert!(
        program["svg"]
            .as_str()
            .is_some_and(|svg| svg.contains("boom"))
    );
    let wrong = json!({ "program": "output 3d6\noutpt 2" });
    let (_, wrong) = client
        .call("oddsmith/anydice", &wrong)
        .expect_err("it is none");
    assert_eq!(wrong["data"]["problems"][0]["line"], 2, "{wrong}");
    let none = client
        .call("oddsmith/dice", &json!({ "expressions": [] }))
        .expect("nothing is drawn");
    assert!(none["svg"].is_null());
    let files = client
        .call("oddsmith/files", &json!({}))
        .expect("the host has files");
    assert_eq!(files["files"][0]["uri"], URI);
}
