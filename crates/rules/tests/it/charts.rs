//! Charts: what is drawn if little is said, and slips in what is asked.

use oddsmith_rules::{
    Along, Chart, ChartKind, ChartTexts, Check, Diagnostics, InputRange, Model, all_games, load,
    shipped,
};

use crate::page::{Page, good};

const TEXT: &str = r#"name = "Demo"
[params]
cap    = { default = 3, domain = "1..=4" }
ladder = { default = [4, 6, 8], domain = "1..=20" }

[checks.check]
bands   = ["Miss", "4/5", "Hit"]
require = ["rank <= cap"]
axes.rank  = { default = 2, domain = "-2..=5", sweep = "0..=3" }
axes.banes = { default = 1, domain = "0..=4" }
axes.flat  = { default = 0, domain = "-99..=99" }
axes.state = { default = "ok", domain = ["ok", "broken"] }
rules = """
show spent  = if state == ok then 1d4 else 0
show total  = 2d6 + rank - banes + flat
show band   = match total { < 7: Miss, < 10: "4/5", else: Hit }
show Double = 1d6 == 6
show colour = state
"""

[checks.flags]
axes.rank = { default = 2, domain = "0..=5" }
rules = """
show Lucky  = 1d6 > rank
show Doomed = 1d6 < rank
"""

[checks.numbers]
axes.rank = { default = 2, domain = "0..=5" }
rules = """
show low  = rank - 1d6
show high = rank + 1d6
"""

[checks.labels]
axes.state = { default = "ok", domain = ["ok", "broken"] }
rules = "show after = if 1d6 == 1 then broken else state"

[tracks.climb]
axes.goal = { default = 4, domain = "1..=9" }
rules = """
let height = 0
repeat until height == goal {
  show gain  = 1d4
  show Slip  = gain == 1
  set height = min(height + gain, goal)
}
"""

[tracks.race]
bands = ["late", "in_time"]
axes.goal = { default = 4, domain = "1..=9" }
rules = """
let height = 0
repeat until height == goal or rolls == 5 {
  set height = min(height + 1d2, goal)
}
show band = if height == goal then in_time else late
"""
"#;

/// The texts of a request, by what they are called on a command line.
fn request(words: &[(&str, &str)]) -> ChartTexts {
    let mut request = ChartTexts::default();
    for (name, text) in words {
        let owned = (*text).to_owned();
        match *name {
            "--kind" => {
                let known = ChartKind::ALL.iter().find(|(name, _)| name == text);
                request.kind = Some(known.expect("a kind").1);
            }
            "--x" => request.x = Some(owned),
            "--by" => request.by = Some(owned),
            "--facet" => request.facet = Some(owned),
            "--query" => request.queries.push(owned),
            "--set" => request.sets.push(owned),
            _ => panic!("{name}"),
        }
    }
    request
}

fn of<'m>(model: &'m Model, check: &str) -> &'m Check {
    let found = model.check(check).or_else(|| model.track(check));
    found.expect("it is in the text")
}

fn chart(check: &str, words: &[(&str, &str)]) -> Result<Chart, Diagnostics> {
    of(&good(TEXT), check).chart(&request(words))
}

/// The chart that is asked for, in one line.
fn told(name: &str, words: &[(&str, &str)]) -> String {
    let model = good(TEXT);
    let chart = chart(name, words).unwrap_or_else(|errors| panic!("{errors}"));
    line(of(&model, name), &chart)
}

/// A chart in one line.
fn line(check: &Check, chart: &Chart) -> String {
    let range = |range: &InputRange| {
        let input = &check.inputs[range.input.0];
        let values: Vec<String> = range.values.iter().map(|v| input.domain.show(*v)).collect();
        format!("{}={}", input.name, values.join(","))
    };
    let mut text = match &chart.x {
        Along::Input(along) => format!("{} x {}", chart.kind.name(), range(along)),
        Along::Number { name, .. } => format!("{} x {name}", chart.kind.name()),
    };
    for (name, second) in [("by", &chart.by), ("facet", &chart.facet)] {
        text += &second
            .as_ref()
            .map_or(String::new(), |second| format!(" {name} {}", range(second)));
    }
    for query in &chart.queries {
        text += &format!(" [{}]", query.text);
    }
    format!("{text} at {}", check.describe(&chart.config))
}

#[test]
fn a_kind_follows_from_what_is_asked() {
    let cases = [
        ("check", vec![("--x", "rank")], "bands"),
        ("check", vec![("--x", "total")], "dist"),
        ("check", vec![], "dist"),
        (
            "check",
            vec![("--x", "rank"), ("--query", "Double")],
            "lines",
        ),
        ("flags", vec![("--x", "rank")], "lines"),
        ("climb", vec![("--x", "goal")], "lines"),
        ("climb", vec![("--x", "rolls")], "dist"),
        ("race", vec![("--x", "goal")], "bands"),
    ];
    for (check, words, kind) in cases {
        let chart = chart(check, &words).expect("a chart");
        assert_eq!(chart.kind.name(), kind, "{check} {words:?}");
        assert_eq!(chart.check, check);
    }
}

#[test]
fn axes_take_their_sweep_or_all_their_values() {
    let cases = [
        ("rank", "bands x rank=0,1,2,3"),
        ("banes", "bands x banes=0,1,2,3,4"),
        ("state", "bands x state=ok,broken"),
        ("rank=3,1", "bands x rank=3,1"),
        (" flat = -1..=1 ", "bands x flat=-1,0,1"),
        ("cap", "bands x cap=1,2,3,4"),
        ("ladder[1]=4,6", "bands x ladder[1]=4,6"),
    ];
    for (x, expected) in cases {
        let expected = format!("{expected} at the default configuration");
        assert_eq!(told("check", &[("--x", x)]), expected);
    }
}

#[test]
fn queries_follow_from_the_kind_and_the_check() {
    let lines = ("--kind", "lines");
    let at = "at the default configuration";
    let ranks = "rank=0,1,2,3";
    let cases = [
        (
            "check",
            vec![lines, ("--x", "rank")],
            format!("lines x {ranks} [P(band>=\"4/5\")] [P(band>=Hit)] {at}"),
        ),
        (
            "check",
            vec![lines, ("--x", "rank"), ("--by", "state")],
            format!("lines x {ranks} by state=ok,broken [P(band>=\"4/5\")] {at}"),
        ),
        (
            "check",
            vec![("--kind", "heatmap"), ("--x", "rank"), ("--by", "state")],
            format!("heatmap x {ranks} by state=ok,broken [P(band>=\"4/5\")] {at}"),
        ),
        (
            "check",
            vec![("--x", "rank"), ("--query", " mean(total) ")],
            format!("lines x {ranks} [mean(total)] {at}"),
        ),
        (
            "flags",
            vec![("--x", "rank")],
            format!("lines x rank=0,1,2,3,4,5 [Lucky] [Doomed] {at}"),
        ),
        (
            "numbers",
            vec![("--x", "rank=1,2")],
            format!("lines x rank=1,2 [mean(low)] {at}"),
        ),
        (
            "climb",
            vec![("--x", "goal=3,4")],
            format!("lines x goal=3,4 [mean(rolls)] {at}"),
        ),
        (
            "race",
            vec![lines, ("--x", "goal=3,4")],
            format!("lines x goal=3,4 [P(band>=in_time)] {at}"),
        ),
        ("race", vec![], format!("dist x rolls {at}")),
    ];
    for (check, words, expected) in cases {
        assert_eq!(told(check, &words), expected);
    }
}

#[test]
fn a_distribution_is_of_the_number_that_the_bands_are_read_from() {
    let words = [
        ("--by", "state"),
        ("--facet", "banes=0,3"),
        ("--set", "flat=2"),
    ];
    assert_eq!(
        told("check", &words),
        "dist x total by state=ok,broken facet banes=0,3 at flat=2"
    );
    assert_eq!(
        told("numbers", &[]),
        "dist x low at the default configuration"
    );
    assert_eq!(
        told("climb", &[("--x", "gain")]),
        "dist x gain at the default configuration"
    );
}

#[test]
fn illegal_configurations_beside_legal_ones_are_no_error() {
    let told = told("check", &[("--x", "rank=2..=5"), ("--set", "cap=2")]);
    assert_eq!(told, "bands x rank=2,3,4,5 at cap=2");
}

#[test]
fn slips_on_the_command_line() {
    let mut page = Page::default();
    let mut add = |check: &str, count: usize, words: &[(&str, &str)]| {
        let title: Vec<String> = words
            .iter()
            .map(|(name, text)| format!("{name} '{text}'"))
            .collect();
        let title = format!("{check} {}", title.join(" "));
        page.errors(&title, count, chart(check, words).map(|_| ()));
    };
    let (bands, lines, heatmap, dist) = (
        ("--kind", "bands"),
        ("--kind", "lines"),
        ("--kind", "heatmap"),
        ("--kind", "dist"),
    );
    // What lies along it.
    add("check", 1, &[("--x", "rnk")]);
    add("check", 1, &[("--x", "gravitas")]);
    add("check", 1, &[("--x", "totl")]);
    add("check", 1, &[lines, ("--x", "totl")]);
    add("check", 1, &[("--x", "rank=0..3")]);
    add("check", 1, &[("--x", "rank=0,9")]);
    add("check", 1, &[("--x", "rank=")]);
    add("check", 1, &[("--x", "")]);
    add("check", 1, &[("--x", "rank=0,1,banes=2")]);
    add("check", 1, &[("--x", "ladder")]);
    add("check", 1, &[("--x", "ladder=4,6")]);
    add("check", 1, &[("--x", "flat")]);
    add("check", 1, &[("--x", "rank=1")]);
    add("check", 1, &[heatmap, ("--x", "rank=1"), ("--by", "state")]);
    add("check", 1, &[("--x", "Double")]);
    add("check", 1, &[("--x", "band")]);
    add("check", 1, &[("--x", "colour")]);
    // The kind.
    add("check", 1, &[bands]);
    add("check", 1, &[lines]);
    add("check", 1, &[bands, ("--x", "total")]);
    add("check", 1, &[dist, ("--x", "rank")]);
    add("check", 1, &[dist, ("--x", "rank=0..=3")]);
    add("check", 1, &[dist, ("--x", "Double")]);
    add("check", 1, &[dist, ("--x", "totl")]);
    add("check", 1, &[heatmap, ("--x", "rank")]);
    add("flags", 1, &[bands, ("--x", "rank")]);
    add("climb", 1, &[bands, ("--x", "goal")]);
    add("flags", 1, &[]);
    add("labels", 1, &[("--x", "state")]);
    // Lines and panels.
    add("check", 1, &[("--x", "rank"), ("--by", "sate")]);
    add("check", 1, &[("--x", "rank"), ("--by", "total")]);
    add("check", 1, &[("--x", "rank"), ("--by", "banes=2")]);
    add("check", 1, &[("--x", "rank"), ("--facet", "state=ok")]);
    add("check", 1, &[("--x", "rank"), ("--facet", "flat")]);
    // Queries.
    add("check", 1, &[bands, ("--x", "rank"), ("--query", "Hit")]);
    add("check", 1, &[("--x", "total"), ("--query", "Hit")]);
    add("check", 1, &[("--query", "Hit")]);
    add("check", 1, &[("--x", "rank"), ("--query", "Hitt")]);
    add("check", 1, &[("--x", "rank"), ("--query", "  totl > 3")]);
    let two = |second| [("--x", "rank"), ("--query", "Hit"), ("--query", second)];
    add("check", 1, &two("mean(total)"));
    add("check", 1, &two(" Hit"));
    // The same input twice.
    add("check", 1, &[("--x", "rank"), ("--by", "rank")]);
    add("check", 1, &[("--x", "rank"), ("--facet", "rank=1,2")]);
    add("check", 1, &[("--x", "rank"), ("--set", "rank=1")]);
    add(
        "check",
        1,
        &[("--x", "ladder[1]"), ("--set", "ladder=[1,2,3]")],
    );
    // The configuration.
    add("check", 1, &[("--x", "rank"), ("--set", "stat=ok")]);
    add("check", 1, &[("--x", "rank"), ("--set", "state=okk")]);
    add("check", 1, &[("--x", "rank=4,5")]);
    add(
        "check",
        1,
        &[("--x", "banes"), ("--set", "rank=5"), ("--set", "cap=1")],
    );
    // All of them at once.
    add(
        "flags",
        5,
        &[
            bands,
            ("--x", "rnk"),
            ("--by", "rank=9"),
            ("--query", "Lucki"),
            ("--set", "rank"),
        ],
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// The ruleset with these charts.
fn with(charts: &str) -> String {
    format!("{TEXT}\n{charts}\n")
}

#[test]
fn charts_of_a_file_are_those_of_the_same_texts() {
    let model = good(&with(
        r#"
[[charts]]
title = "All of it"
x     = "rank=1..=3"
by    = "state"
facet = "banes=0,2"
query = ['P(band>="4/5")', "Double"]
set   = ["flat=1", "cap=2"]

[[charts]]
check = "race"
kind  = "lines"
x     = """goal=3,4"""
query = "mean(rolls)"
set   = "cap=2"

[[charts]]
"#,
    ));
    let words = [
        ("--x", "rank=1..=3"),
        ("--by", "state"),
        ("--facet", "banes=0,2"),
        ("--query", "P(band>=\"4/5\")"),
        ("--query", "Double"),
        ("--set", "flat=1"),
        ("--set", "cap=2"),
    ];
    let race = [
        ("--kind", "lines"),
        ("--x", "goal=3,4"),
        ("--query", "mean(rolls)"),
        ("--set", "cap=2"),
    ];
    let expected = [
        told("check", &words),
        told("race", &race),
        told("check", &[]),
    ];
    let charts = model.charts.iter();
    let found: Vec<String> = charts
        .map(|chart| line(of(&model, &chart.check), chart))
        .collect();
    assert_eq!(found, expected);
    let titles: Vec<&str> = model
        .charts
        .iter()
        .map(|chart| chart.title.as_str())
        .collect();
    assert_eq!(titles, ["All of it", "", ""]);
    assert!(good(TEXT).charts.is_empty());
}

#[test]
fn slips_in_files() {
    let cases = [
        ("unknown key", "axis = \"rank\"", 1),
        ("misspelt key", "x = \"rank\"\nqery = \"Double\"", 1),
        ("key of an axis", "x = \"rank\"\ndomain = \"0..=3\"", 1),
        ("unknown check", "check = \"chek\"\nx = \"rnk\"", 1),
        ("unknown kind", "kind = \"heatmaps\"\nx = \"rank\"", 1),
        ("kind that is none", "kind = \"pie\"\nx = \"rank\"", 1),
        ("title that is a number", "title = 3\nx = \"rank\"", 1),
        ("x that is a list", "x = [\"rank\"]", 1),
        ("query that is a number", "x = \"rank\"\nquery = 3", 1),
        ("item that is a number", "x = \"rank\"\nset = [3]", 1),
        (
            "escapes in a query",
            "x = \"rank\"\nquery = \"band == \\\"4/5\\\"\"",
            1,
        ),
        ("unknown axis", "x = \"rnk\"", 1),
        ("value in a long string", "x = \"\"\"\nrank=0,9\"\"\"", 1),
        ("list", "x = \"ladder=4,6\"", 1),
        ("several names", "x = \"rank=0,1,banes=2\"", 1),
        ("no axis", "kind = \"lines\"", 1),
        ("no second axis", "kind = \"heatmap\"\nx = \"rank\"", 1),
        ("no number", "check = \"flags\"", 1),
        (
            "no number of a distribution",
            "kind = \"dist\"\nx = \"rank\"",
            1,
        ),
        ("a number along bands", "kind = \"bands\"\nx = \"total\"", 1),
        ("one value", "x = \"rank\"\nby = \"state=ok\"", 1),
        (
            "twice",
            "x = \"rank\"\nby = \"state\"\nset = [\"rank=1\"]",
            1,
        ),
        (
            "second item of a query",
            "x = \"rank\"\nquery = [\"Double\", \" Hitt & Double\"]",
            1,
        ),
        ("nothing legal", "x = \"banes\"\nset = [\"rank=5\"]", 1),
        ("nothing legal along it", "x = \"rank=4,5\"", 1),
        (
            "several slips",
            "check = \"flags\"\nkind = \"bands\"\nx = \"rnk\"\nby = \"rank=9\"\nset = [\"rank\"]",
            4,
        ),
        (
            "two charts",
            "x = \"rnk\"\n\n[[charts]]\nx = \"rank\"\nquery = \"Hitt\"",
            2,
        ),
    ];
    let mut page = Page::default();
    for (title, chart, count) in cases {
        let text = with(&format!("[[charts]]\n{chart}"));
        page.errors(title, count, load("game.toml", text.as_bytes()).map(|_| ()));
    }
    let tables = [
        ("charts is a table", "[charts]\nx = \"rank\""),
        ("charts is misspelt", "[[chart]]\nx = \"rank\""),
    ];
    for (title, text) in tables {
        page.file(title, &with(text));
    }
    let first = format!("charts = [\"rank\"]\n{TEXT}");
    page.file("a chart is a string", &first);
    // What a broken check shows is not known, so nothing is said of its charts.
    let broken = with("[[charts]]\nx = \"rank\"").replace("show total  = 2d6", "show total  = 2e6");
    page.file("a broken check", &broken);
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn shipped_charts_fit_a_page() {
    for (name, text) in all_games() {
        let Model {
            charts,
            checks,
            tracks,
            ..
        } = good(text);
        // A game of which nothing can be set has little to show.
        let is_fixed = checks
            .iter()
            .chain(&tracks)
            .all(|check| check.inputs.is_empty());
        let least = if is_fixed { 1 } else { 3 };
        // A whole game has a chart for each of its procedures, and hardly more than two.
        let is_whole = shipped().iter().any(|(whole, _)| *whole == name);
        let most = if is_whole {
            2 * (checks.len() + tracks.len())
        } else {
            6
        };
        assert!((least..=most).contains(&charts.len()), "{name}");
        for chart in charts {
            let title = &chart.title;
            assert!((10..=70).contains(&title.len()), "{name}: {title}");
            let count = |range: &Option<InputRange>| range.as_ref().map_or(1, |r| r.values.len());
            let (by, facet, queries) = (count(&chart.by), count(&chart.facet), chart.queries.len());
            let (lines, panels) = match (chart.kind, &chart.by) {
                (ChartKind::Bands | ChartKind::Dist, _) => (1, by * facet),
                (ChartKind::Heatmap, _) => (1, queries * facet),
                (ChartKind::Lines, Some(_)) => (by, queries * facet),
                (ChartKind::Lines, None) => (queries, facet),
            };
            assert!(lines <= 7 && panels <= 6, "{name}: {title}");
        }
    }
}
