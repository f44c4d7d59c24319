//! What people read has labels where the rules have some, and the rounds of a track by their name; names stand in data, in
//! identifiers and in command lines alone.

use crate::support::Place;

/// Every name that has a label ends with a mark that no word has.
const WORDS: &str = r#"
name = "Words"

[params]
par_qq = { default = 8, domain = "5..=10", label = "Success from" }

[checks.chk_qq]
label    = "The feat"
bands    = ["miss", "hit", "triumph"]
maximise = "score_qq"
contest  = "score_qq"
labels   = { score_qq = "what counts", spent_qq = "pushes", more_qq = "the push", die_qq = "the dice" }
axes.stat_qq = { default = 0, domain = "0..=3", sweep = "0..=2", label = "Nerve", labels = { 0 = "no nerve", 1 = "some" } }
axes.push_qq = { default = 1, domain = "0..=2", label = "Breath", labels = { 0 = "out of breath" } }
axes.way_qq  = { default = "free", domain = ["never_qq", "always_qq", "free"], label = "Manner of pushing", labels = { never_qq = "not at all", always_qq = "as hard as can be" } }
rules = """
let die_qq = 2d6
choose more_qq in 0..=push_qq where way_qq == free or (way_qq == always_qq and more_qq == push_qq) or more_qq == 0
show spent_qq = more_qq
show score_qq = die_qq + stat_qq + spent_qq
show band  = match score_qq { < par_qq: miss, < 12: hit, else: triumph }
"""

[tracks.trk_qq]
label = "The climb"
unit  = "hold"
labels = { slipped_qq = "slips", Clean_qq = "Without a slip" }
axes.stat_qq = { default = 0, domain = "0..=3", sweep = "0..=2", label = "Nerve", labels = { 0 = "no nerve", 1 = "some" } }
axes.high_qq = { default = 2, domain = "1..=4", label = "Height" }
rules = """
let at = 0
let slips = 0
repeat until at >= high_qq {
  let die = 2d6 + stat_qq
  set at = min(at + (if die >= par_qq then 1 else 0), high_qq)
  set slips = min(slips + (if die <= 3 then 1 else 0), 2)
}
show slipped_qq = slips
show Clean_qq = slips == 0
"""
"#;

/// Answers for people about a check.
const OF_CHECKS: &[&str] = &[
    "odds words.toml --set stat_qq=1",
    "odds words.toml --set stat_qq=1 --set push_qq=2 --set way_qq=always_qq",
    "table words.toml --sweep all --format table",
    "table words.toml --sweep stat_qq=all --sweep push_qq=0,1 --format markdown --pivot push_qq",
    "contest words.toml:chk_qq --a stat_qq=1 --b par_qq=7",
    "contest words.toml:chk_qq --a stat_qq=1 --b par_qq=7 --format markdown",
    "compare words.toml --with par_qq=7",
    "compare words.toml --with par_qq=7 --sweep all",
    "compare words.toml --with par_qq=7 --sweep stat_qq=all -o picture.svg",
    "balance words.toml",
    "balance words.toml --format markdown",
    "balance plan words.toml --axis push_qq --spent spent_qq --pool 3 --checks 2",
    "balance plan words.toml --axis push_qq --spent spent_qq --pool 3 --checks 2 --format markdown",
    "balance plan words.toml --axis push_qq --spent spent_qq --pool 3 --checks 2 -o picture.svg",
    "policy words.toml --by stat_qq",
    "policy words.toml --by way_qq",
    "policy words.toml --by stat_qq --format markdown",
    "simulate words.toml --trials 2000 --sweep stat_qq=0,1",
    "chart words.toml --x stat_qq",
    "chart words.toml --x stat_qq -o picture.svg",
    "dist words.toml:chk_qq.score_qq --set stat_qq=1",
];

/// Answers for people about a track.
const OF_TRACKS: &[&str] = &[
    "table words.toml:trk_qq --sweep stat_qq=all --format table",
    "track words.toml:trk_qq",
    "track words.toml:trk_qq --format markdown",
    "track words.toml:trk_qq --format bbcode --set stat_qq=1",
    "compare words.toml:trk_qq --with par_qq=7",
    "compare words.toml:trk_qq --with par_qq=7 --format markdown",
    "compare words.toml:trk_qq --with par_qq=7 --sweep stat_qq=all",
    "compare words.toml:trk_qq --with par_qq=7 --sweep stat_qq=all -o picture.svg",
    "compare words.toml:trk_qq --with par_qq=7 --sweep stat_qq=all --query mean(rolls) -o picture.svg",
    "balance words.toml:trk_qq",
    "simulate words.toml:trk_qq --trials 2000 --sweep stat_qq=0,1",
    "simulate words.toml:trk_qq --trials 2000 --sweep stat_qq=0,1 --format markdown",
    "chart words.toml:trk_qq --x stat_qq -o picture.svg",
    "chart words.toml:trk_qq --x rolls -o picture.svg",
];

fn place() -> Place {
    let place = Place::new();
    place.write("words.toml", WORDS);
    place
}

/// All that a command says, and the picture that it draws.
fn told(place: &Place, line: &str) -> String {
    let run = place.run(line);
    assert_eq!(run.status, Some(0), "{line}: {}", run.err);
    let picture = match line.ends_with(".svg") {
        true => std::fs::read_to_string(place.path("picture.svg")).expect("a picture"),
        false => String::new(),
    };
    run.out + &run.err + &picture
}

/// The lines in which one of these words stands.
fn lines_with<'t>(text: &'t str, words: &[&str]) -> Vec<&'t str> {
    let has = |line: &&str| words.iter().any(|word| line.contains(word));
    text.lines().filter(has).collect()
}

#[test]
fn no_name_stands_where_a_label_belongs() {
    let place = place();
    for line in OF_CHECKS {
        assert_eq!(
            lines_with(&told(&place, line), &["_qq"]),
            Vec::<&str>::new(),
            "{line}"
        );
    }
    for line in OF_TRACKS {
        let found = told(&place, line);
        assert_eq!(
            lines_with(&found, &["_qq", "rolls"]),
            Vec::<&str>::new(),
            "{line}"
        );
        assert!(
            found.contains("holds") || found.contains("Without a slip"),
            "{line}: {found}"
        );
    }
}

/// The same of the page of a report, but for what programs read of it.
#[test]
fn a_report_has_labels_in_its_headings() {
    let place = place();
    place.answer("report words.toml -o odds");
    let page = std::fs::read_to_string(place.path("odds/index.html")).expect("a page");
    let without = |page: &str, start: &str, end: &str| {
        let mut parts = page.split(start);
        let first = parts.next().unwrap_or_default().to_owned();
        let rest = parts.filter_map(|part| Some(part.split_once(end)?.1));
        first + &rest.collect::<String>()
    };
    let seen = without(
        &without(&page, "<script", "</script>"),
        "<style",
        "</style>",
    );
    // Commands and rules are to be copied.
    let seen = without(&without(&seen, "<code", "</code>"), "<pre", "</pre>");
    let seen = without(&seen, "<", ">");
    assert_eq!(lines_with(&seen, &["_qq"]), Vec::<&str>::new());
    for label in [
        "The feat",
        "The climb",
        "Breath",
        "Manner of pushing",
        "Height",
    ] {
        assert!(seen.contains(label), "{label}");
    }
}

/// What stands below one another is written in one way.
#[test]
fn sides_and_configurations_have_one_spelling() {
    let place = place();
    let first_words = |line: &str| {
        let found = told(&place, line);
        let is_setting =
            |line: &&str| line.contains('=') && !line.contains("trials") && !line.contains("p =");
        let lines: Vec<String> = found
            .lines()
            .filter(is_setting)
            .map(str::to_owned)
            .collect();
        assert!(lines.len() > 1, "{line}: {found}");
        lines
    };
    for line in [
        "compare words.toml:trk_qq --set stat_qq=0 --with stat_qq=1",
        "simulate words.toml --trials 200 --sweep stat_qq=0..=2",
        "contest words.toml:chk_qq --a stat_qq=1 --b way_qq=never_qq",
    ] {
        let spaced = |own: &String| own.matches('=').count() == own.matches(" = ").count();
        let lines = first_words(line);
        assert!(lines.iter().all(spaced), "{lines:?}");
    }
}
