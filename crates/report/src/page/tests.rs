use oddsmith_numbers::decimal::exact_decimal;

use super::{
    CheckPage, Column, ColumnKind, Entry, ExactAnswer, Explorer, ExplorerAxis, Game, Page, Picture,
    Reading, Sheet, page,
};
use crate::figure::{Axis, Bands, Figure, Grid, Plot, Values};

const NASTY: &str = "</script><b>\"it's\" & <!-- {{title}}";

fn answers(weights: [u32; 2]) -> Option<Vec<ExactAnswer>> {
    let answer = |weight: u32| ExactAnswer {
        weight: weight.to_string(),
        total: "6".to_owned(),
    };
    Some(weights.map(answer).to_vec())
}

fn check(id: &str, name: &str) -> CheckPage {
    let band = |name: &str| Column {
        name: name.to_owned(),
        title: String::new(),
        kind: ColumnKind::Band,
        is_told: true,
    };
    let x = Axis {
        name: name.to_owned(),
        values: Values::Labels(vec![name.to_owned()]),
    };
    CheckPage {
        label: String::new(),
        id: id.to_owned(),
        is_track: id == "track",
        help: format!("Roll `2d6`, {name}"),
        command: format!("oddsmith odds game:{id}"),
        csv: format!("{id} 1.csv"),
        explorer: Explorer {
            axes: vec![ExplorerAxis {
                name: name.to_owned(),
                help: name.to_owned(),
                values: Values::Labels(vec![name.to_owned(), "plain".to_owned(), "c".to_owned()]),
                default: Some(1),
                label: name.to_owned(),
                value_labels: vec![(1, name.to_owned())],
                legal: None,
            }],
            fixed: vec![("cap".to_owned(), name.to_owned())],
            columns: vec![
                band(name),
                Column {
                    is_told: false,
                    ..band("Hit")
                },
            ],
            answers: vec![answers([1, 5]), None, answers([2, 4])],
        },
        rules: format!("[checks.{id}] # {name}"),
        pictures: vec![Picture {
            file: format!("{id}.svg"),
            figure: Figure {
                title: name.to_owned(),
                subtitle: String::new(),
                plot: Plot::Bands(Bands {
                    x,
                    bands: vec![name.to_owned(), "Hit".to_owned()],
                    shares: Grid::of(vec![
                        ["0.25", "0.75"].map(exact_decimal).into_iter().collect(),
                    ]),
                }),
            },
        }],
    }
}

fn report(name: &str) -> Page {
    Page {
        title: format!("Odds of {name}"),
        games: vec![Game {
            id: "game".to_owned(),
            name: name.to_owned(),
            help: String::new(),
            warnings: Vec::new(),
            sheet: Sheet::default(),
            checks: vec![check("check", name), check("track", "slots")],
        }],
    }
}

fn html(name: &str) -> String {
    page(&report(name)).expect("it can be drawn")
}

#[test]
fn warnings_are_told_once_above_the_odds_and_only_if_there_are_any() {
    assert!(!html("A game").contains("class=\"warnings\""));
    let mut report = report("A game");
    report.games[0].warnings = vec!["Line 3: `5d6 >= 5` & <so on>".to_owned()];
    let html = page(&report).expect("it can be drawn");
    assert_eq!(html.matches("1 warning about these rules").count(), 1);
    assert!(html.contains("<li>Line 3: `5d6 &gt;= 5` &amp; &lt;so on&gt;</li>"));
    assert!(html.find("class=\"warnings\"") < html.find("<section class=\"check"));
}

/// The data of each check, in order.
fn embedded(html: &str) -> Vec<serde_json::Value> {
    let scripts = html
        .split("<script type=\"application/json\" class=\"data\">")
        .skip(1);
    let json = scripts.map(|rest| rest.split_once("</script>").expect("it is closed").0);
    json.map(|json| serde_json::from_str(json).expect("JSON"))
        .collect()
}

#[test]
fn every_check_has_its_place() {
    let html = html("Game");
    for part in [
        "<title>Odds of Game</title>",
        "<h1>Odds of Game</h1>",
        "4 configurations in 1 check and 1 track of 1 game.",
        "<a href=\"#game:track\">track</a>",
        "<section class=\"check\" id=\"game:track\" aria-labelledby=\"game:track-title\">",
        "<code>2d6</code>",
        "href=\"./check%201.csv\"",
        "href=\"./check.svg\"",
        "--band-0: #",
    ] {
        assert!(html.contains(part), "{part}");
    }
}

#[test]
fn headings_are_in_order_and_every_id_is_there_once() {
    let html = html("Game");
    let levels: Vec<u32> = html
        .split("<h")
        .skip(1)
        .filter_map(|rest| rest.chars().next()?.to_digit(10))
        .collect();
    assert_eq!(levels, [1, 2, 3, 3]);
    let body = html.split_once("<body>").expect("a body").1;
    let body = body.split_once("<script>").expect("a script").0;
    let mut ids: Vec<&str> = body
        .split(" id=\"")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('"')?.0))
        .collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    for link in body.split("href=\"#").skip(1) {
        let id = link.split_once('"').expect("it is closed").0;
        assert!(ids.contains(&id), "{id}");
    }
}

/// A name is text wherever it stands: in elements, attributes, pictures, and in the data of the script.
#[test]
fn names_are_never_markup() {
    let plain = html("Game");
    let nasty = html(NASTY);
    for tag in [
        "<script", "</script", "<b>", "<!--", "<section", "<p", "<td", "<text",
    ] {
        assert_eq!(
            nasty.matches(tag).count(),
            plain.matches(tag).count(),
            "{tag}"
        );
    }
    let data = &embedded(&nasty)[0];
    assert_eq!(data["axes"][0]["name"], NASTY);
    assert_eq!(data["axes"][0]["labels"][0], NASTY);
    assert_eq!(data["columns"][0]["name"], NASTY);
    assert!(nasty.contains("&lt;!-- {{title}}</title>"));
}

#[test]
fn the_script_finds_all_it_needs() {
    let data = &embedded(&html("Game"))[0];
    let expected = serde_json::json!({
        "id": "game:check",
        "command": "oddsmith odds game:check",
        "file": "check 1.csv",
        "axes": [{
            "name": "Game",
            "help": "Game",
            "labels": ["Game", "plain", "c"],
            "default": 1,
            "legal": null,
            "label": "Game",
            "valueLabels": [[1, "Game"]],
        }],
        "columns": [{"name": "Game", "kind": "band"}, {"name": "Hit", "kind": "band", "untold": true}],
        "totals": ["6"],
        "rows": "1/0 ~,2/0 ~",
        "places": "0 - 1",
    });
    assert_eq!(*data, expected);
}

/// No address of another place is in it, and its policy allows none.
#[test]
fn the_page_needs_nothing_else() {
    let html = html("Game");
    assert!(html.contains("content=\"default-src 'none'; "));
    for loader in [
        " src=",
        "@import",
        "url(",
        "fetch(",
        "XMLHttpRequest",
        "<iframe",
    ] {
        assert!(!html.contains(loader), "{loader}");
    }
    let links = html.split("href=\"").skip(1);
    for link in links {
        assert!(
            ["#", "./", "data:,"]
                .iter()
                .any(|start| link.starts_with(start)),
            "{}",
            &link[..40.min(link.len())]
        );
    }
}

#[test]
fn the_same_contents_give_the_same_bytes() {
    assert_eq!(html(NASTY), html(NASTY));
}

#[test]
#[should_panic(expected = "game:check has an answer for each configuration")]
fn answers_that_are_missing_are_a_bug() {
    let mut report = report("Game");
    report.games[0].checks[0].explorer.answers.pop();
    let _ = page(&report);
}

/// A report with a sheet of two entries.
fn with_sheet(name: &str) -> Page {
    let mut report = report(name);
    let entry = |check: &str, settings: &[(&str, &str)], picture| Entry {
        title: format!("{name} at the cap"),
        number: "-1.5".to_owned(),
        note: format!("`{name}` is -2"),
        check: check.to_owned(),
        settings: { settings.iter() }
            .map(|(axis, value)| ((*axis).to_owned(), (*value).to_owned()))
            .collect(),
        picture,
        command: format!("oddsmith odds game:{check} --set '{name}'"),
    };
    report.games[0].sheet = Sheet {
        entries: vec![
            entry("check", &[("stat", "3"), ("way", "in & out")], Some(0)),
            entry("track", &[], None),
        ],
        readings: vec![Reading {
            title: format!("{name} -1 → 2"),
            question: format!("what {name} means"),
            check: "track".to_owned(),
            of: format!("{name} or better"),
            typical: "-2.50 points".to_owned(),
            most: "-7.50".to_owned(),
            share: "1 of 3".to_owned(),
            command: format!("oddsmith balance value game:track --lever '{name}'"),
        }],
        idle: vec![format!("{name} 0 → 1")],
        left_out: vec![format!("what {name} is worth: too much")],
    };
    report
}

#[test]
fn a_sheet_leads_to_tables_charts_and_rules_that_are_there() {
    let html = page(&with_sheet("Game")).expect("it can be drawn");
    let body = html.split_once("<body>").expect("a body").1;
    let ids: Vec<&str> = body
        .split(" id=\"")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('"')?.0))
        .collect();
    let sheet = body
        .split_once("<section class=\"sheets\"")
        .expect("a sheet")
        .1;
    let sheet = sheet
        .split_once("<section class=\"chapter\"")
        .expect("chapters")
        .0;
    let links: Vec<&str> = sheet
        .split("href=\"#")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('"')?.0))
        .collect();
    assert_eq!(
        links,
        [
            "game",
            "game:check?stat=3&amp;way=in%20%26%20out",
            "game:check-1",
            "game:check-rules",
            "game:track?",
            "game:track-rules",
            "game:track"
        ]
    );
    for link in links {
        let id = link.split('?').next().unwrap_or_default();
        assert!(ids.contains(&id), "{id}");
    }
    assert!(body.contains("<a href=\"#:sheets\">Balance sheets</a>"));
    assert!(ids.contains(&":sheets"));
}

#[test]
fn a_sheet_is_words_and_numbers_as_they_are_printed() {
    let html = page(&with_sheet("Game")).expect("it can be drawn");
    for part in [
        "<p class=\"what\">Game at the cap</p>",
        "<p class=\"value\">−1.5</p>",
        "<p class=\"about\"><code>Game</code> is −2</p>",
        "<code>oddsmith odds game:track --set &#39;Game&#39;</code>",
        ">Game −1 → 2</th>",
        ": Game or better</td><td>−2.50 points</td><td>−7.50</td><td>1 of 3</td>",
        "though some may limit what is legal: Game 0 → 1.</p>",
        "<p class=\"left-out\">Not here: what Game is worth: too much</p>",
    ] {
        assert!(html.contains(part), "{part}");
    }
    let nasty = page(&with_sheet(NASTY)).expect("it can be drawn");
    for tag in ["<script", "<b>", "<!--", "<section", "<p", "<code"] {
        let count = |html: &str| html.matches(tag).count();
        assert_eq!(count(&nasty), count(&html), "{tag}");
    }
}

#[test]
fn a_game_without_a_sheet_has_no_place_for_one() {
    let html = html("Game");
    let body = html.split_once("<body>").expect("a body").1;
    assert!(!body.contains("sheet"), "no sheet");
}

#[test]
fn the_rules_of_a_check_are_text() {
    let html = html("<script>");
    assert!(html.contains(
        "<pre id=\"game:check-rules\" tabindex=\"0\"><code>[checks.check] # &lt;script&gt;</code></pre>"
    ));
}
