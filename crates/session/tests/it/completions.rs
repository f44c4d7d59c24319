//! What is offered where.

use crate::support::{edited, game, with_cursor};

fn offered(text: &str) -> Vec<String> {
    let (document, position) = with_cursor(text);
    let offered = document.completion(position).into_iter();
    offered.map(|completion| completion.label).collect()
}

/// Demands that some words are offered, and others are not.
fn demand_offered(text: &str, there: &[&str], gone: &[&str]) {
    let offered = offered(text);
    for word in there {
        assert!(
            offered.iter().any(|label| label == word),
            "{word} is not in {offered:?} of {text}"
        );
    }
    for word in gone {
        assert!(
            !offered.iter().any(|label| label == word),
            "{word} is in {offered:?} of {text}"
        );
    }
}

#[test]
fn keys_are_those_of_the_table_that_it_does_not_have() {
    demand_offered(
        "na|",
        &["name", "help", "[params]", "[checks.", "[[expect]]"],
        &["rules", "domain"],
    );
    demand_offered("name = 'x'\nhe|", &["help"], &["name"]);
    demand_offered(
        "[checks.a]\nru|",
        &["rules", "bands", "axes", "[[charts]]"],
        &["title", "intent"],
    );
    demand_offered("[checks.a]\nrules = ''\n|", &["bands"], &["rules"]);
    demand_offered(
        "[tracks.a]\n|",
        &["rules", "bands", "maximise"],
        &["contest", "ties"],
    );
    demand_offered(
        "[checks.a]\naxes.stat = { de|",
        &["default", "domain", "sweep"],
        &["rules", "[params]"],
    );
    demand_offered(
        "[checks.a]\naxes.stat = { default = 0, |",
        &["domain", "sweep"],
        &["default"],
    );
    demand_offered(
        "[checks.a.axes.stat]\n|",
        &["default", "domain"],
        &["bands"],
    );
    demand_offered("[params.cap]\n|", &["default", "reading"], &["sweep"]);
    demand_offered(
        "[[charts]]\nti|",
        &["title", "kind", "x"],
        &["intent", "rules"],
    );
    demand_offered(
        "[[expect]]\n|",
        &["intent", "query", "increases"],
        &["title"],
    );
    demand_offered("[[tune.goals]]\n|", &["intent", "near"], &["vary"]);
    demand_offered("[tu|", &["tune", "checks"], &["name"]);
    demand_offered("[[ch|", &["charts", "expect"], &["checks"]);
    demand_offered("x = 1 # |", &[], &["name"]);
    let (document, position) = with_cursor("[[charts]]\nti|tl = 'x'");
    let offered = document.completion(position);
    let title = offered.iter().find(|one| one.label == "title").unwrap();
    assert!(
        title.documentation.starts_with("What it is called"),
        "{title:?}"
    );
    let edits = std::slice::from_ref(&title.edit);
    assert_eq!(edited(&document, edits), "[[charts]]\ntitle =  = 'x'");
}

#[test]
fn values_are_the_words_labels_and_checks_that_may_stand_there() {
    demand_offered(
        "[[charts]]\nkind = \"|\"",
        &["bands", "lines", "heatmap", "dist"],
        &["Miss"],
    );
    demand_offered("[[charts]]\nkind = |", &["bands"], &[]);
    demand_offered("[[expect]]\nstrictly = t|", &["true", "false"], &[]);
    demand_offered(
        &game("", "", "[[expect]]\ncheck = \"|\""),
        &["roll", "other"],
        &["Miss"],
    );
    let axis = "axes.x = { default = \"|\", domain = [\"one\", \"two\"] }";
    demand_offered(&game(axis, "", ""), &["one", "two"], &["low", "grim"]);
    let set = |text: &str| {
        game(
            "",
            "",
            &format!("[[expect]]\nintent = 'x'\nset = \"{text}\""),
        )
    };
    demand_offered(
        &set("|"),
        &["stat", "mood", "cap", "tone"],
        &["Miss", "total"],
    );
    demand_offered(&set("mood=|"), &["low", "high"], &["grim", "stat"]);
    demand_offered(&set("tone=g|"), &["grim", "light"], &["low"]);
    let chart = |text: &str| game("", "", &format!("[[charts]]\n{text}"));
    demand_offered(&chart("x = \"|\""), &["stat", "total"], &["left"]);
    demand_offered(&chart("by = \"mood=|\""), &["low", "high", "all"], &[]);
    demand_offered(
        &chart("query = \"P(band >= |)\""),
        &["Hit", "total", "stat", "mean", "cap"],
        &["left", "let"],
    );
    demand_offered(
        &chart("check = 'other'\nquery = '|'"),
        &["twice", "stat"],
        &["total"],
    );
    demand_offered(
        &game("", "", "[[accept]]\nfinding = \"cl|\""),
        &["cliff", "dead-axis"],
        &["roll"],
    );
    demand_offered(
        &game("", "", "[[accept]]\nfinding = \"cliff/|\""),
        &["roll", "*"],
        &["cliff"],
    );
    demand_offered(
        &game("", "", "[[accept]]\nfinding = \"cliff/roll/|\""),
        &["stat", "mood"],
        &["total"],
    );
    demand_offered(
        &game("", "", "[resources.luck]\naxis = \"|\""),
        &["stat"],
        &["cap"],
    );
    demand_offered(&game("", "", "[tune]\nvary = [\"|\"]"), &["cap"], &["stat"]);
}

#[test]
fn names_in_scripts_are_those_that_can_be_seen() {
    let all = [
        "left", "stat", "mood", "cap", "capped", "min", "floor", "let", "match", "Miss",
        "Weak hit", "other",
    ];
    demand_offered(
        &game("", "let more = |", ""),
        &all,
        &["total", "first", "most", "twice", "roll"],
    );
    demand_offered(
        &game("", "show x = other(..).|", ""),
        &["twice"],
        &["total", "min"],
    );
    demand_offered(
        &game("", "let o = other(..)\nshow x = o.tw|", ""),
        &["twice"],
        &["total"],
    );
    demand_offered(
        &game("", "let o = other(|", ""),
        &["stat", "mood", ".."],
        &[],
    );
    demand_offered(
        &game("", "let o = other(stat = 1, |", ""),
        &["stat", "mood", ".."],
        &[],
    );
    demand_offered(
        &game("", "let o = other(stat = |", ""),
        &["left", "stat"],
        &[".."],
    );
    demand_offered(
        &game("", "let o = 4d6|", ""),
        &["kh", "dl", "ro", "!", "cs"],
        &["left"],
    );
    demand_offered(&game("", "let o = 4d6k|", ""), &["kh", "kl"], &["left"]);
    demand_offered(&game("", "let o = 4d6 |", ""), &["kh"], &[]);
    demand_offered(
        &game("", "repeat 2 { let inside = 1 }\nlet y = |", ""),
        &["left"],
        &["inside"],
    );
    demand_offered(
        &game("", "repeat 2 { let inside = 1\nlet y = |\n}", ""),
        &["left", "inside"],
        &[],
    );
    demand_offered(
        &game("require = [\"st|\"]", "", ""),
        &["stat", "cap", "low"],
        &["total", "let"],
    );
    demand_offered(
        &game("contest = \"|\"", "", ""),
        &["total", "Hit", "stat"],
        &["left", "P"],
    );
    let function = game("", "", "").replace("min(x, most)", "min(x, |most)");
    demand_offered(
        &function,
        &["x", "most", "cap", "clamp"],
        &["stat", "left", "show"],
    );
}

#[test]
fn a_completion_writes_what_it_shows() {
    let completed = |text: &str, label: &str| {
        let (document, position) = with_cursor(text);
        let offered = document.completion(position);
        let one = offered.iter().find(|one| one.label == label).unwrap();
        edited(&document, std::slice::from_ref(&one.edit))
    };
    let text = completed(&game("", "let x = We|", ""), "Weak hit");
    assert!(text.contains("let x = \"Weak hit\"\n"), "{text}");
    let text = completed(&game("", "let x = 4d6k|", ""), "kh");
    assert!(text.contains("let x = 4d6kh\n"), "{text}");
    let text = completed(&game("", "let x = le|fx + 1", ""), "left");
    assert!(text.contains("let x = left + 1\n"), "{text}");
    let text = completed(&game("", "let x = other(m|)", ""), "mood");
    assert!(text.contains("let x = other(mood = )\n"), "{text}");
}

#[test]
fn a_file_that_has_nothing_may_begin_as_a_game_that_comes_along() {
    demand_offered("|", &["pbta", "stars-and-signs", "name"], &[]);
    demand_offered("\n  stars-an|\n", &["pbta", "stars-and-signs"], &[]);
    demand_offered("name = 'x'\n|", &["help"], &["pbta"]);
    demand_offered("# one\n|", &["name"], &["pbta"]);
    let (document, position) = with_cursor("pb|");
    let offered = document.completion(position);
    for (name, text) in oddsmith::all_games() {
        let own = offered.iter().find(|own| own.label == name);
        let own = own.unwrap_or_else(|| panic!("{name} is offered"));
        assert!(!own.documentation.is_empty(), "{name}");
        let edits = std::slice::from_ref(&own.edit);
        assert_eq!(edited(&document, edits), text);
    }
}
