//! What people read in place of names and numbers.

use oddsmith_rules::{Input, load};

use crate::page::Page;

const TEXT: &str = r#"name = "Demo"
[params]
cap    = { default = 3, domain = "0..=10", label = "the cap" }
ladder = { default = [4, 6], domain = "4..=12", label = "Ladder", labels = { 4 = "d4", 6 = "d6" } }
[checks.check]
label = "A check"
axes.rank  = { default = -1, domain = "-2..=5", label = "Rank of the hero", labels = { -1 = "untrained", 0 = "novice" } }
axes.state = { default = "ok", domain = ["ok", "hurt"], label = "State" }
rules = "show total = 2d6 + rank + cap + ladder[0] + index(state)"
[tracks.clock]
label = "A clock"
rules = '''
let done = 0
repeat until done >= 4 {
  set done = done + 1d2
}
'''
"#;

#[test]
fn labels_stand_in_place_of_names_and_of_some_values() {
    let model = load("demo.toml", TEXT.as_bytes()).unwrap();
    let check = &model.checks[0];
    assert_eq!(
        (check.title(), model.tracks[0].title()),
        ("A check", "A clock")
    );
    let titles: Vec<&str> = check.inputs.iter().map(Input::title).collect();
    assert_eq!(
        titles,
        [
            "the cap",
            "Ladder[0]",
            "Ladder[1]",
            "Rank of the hero",
            "State"
        ]
    );
    let told = |input: usize, values: &[i64]| -> Vec<String> {
        let input = &check.inputs[input];
        values.iter().map(|value| input.told(*value)).collect()
    };
    assert_eq!(told(0, &[3]), ["3"]);
    assert_eq!(told(2, &[4, 5, 6]), ["d4", "5", "d6"]);
    assert_eq!(told(3, &[-2, -1, 0]), ["-2", "untrained", "novice"]);
    assert_eq!(told(4, &[0, 1]), ["ok", "hurt"]);
}

/// The ruleset with one change.
fn but(old: &str, new: &str) -> String {
    assert!(TEXT.contains(old), "{old}");
    TEXT.replacen(old, new, 1)
}

#[test]
fn slips_in_labels() {
    let mut page = Page::default();
    for (name, text) in [
        (
            "no value of the domain",
            but("0 = \"novice\"", "9 = \"novice\""),
        ),
        ("no number", but("0 = \"novice\"", "ok = \"novice\"")),
        ("no text", but("0 = \"novice\"", "0 = 7")),
        (
            "of labels",
            but("label = \"State\"", "labels = { 0 = \"fine\" }"),
        ),
        (
            "no table",
            but(
                "labels = { 4 = \"d4\", 6 = \"d6\" }",
                "labels = [\"d4\", \"d6\"]",
            ),
        ),
        ("twice", but("\"novice\"", "\"untrained\"")),
        (
            "an axis as another",
            but("label = \"State\"", "label = \"Rank of the hero\""),
        ),
        ("nothing", but("\"A check\"", "\" \"")),
        ("an empty value", but("\"novice\"", "\"\"")),
        ("two lines", but("\"novice\"", "\"no\\nvice\"")),
        ("not a text", but("label = \"State\"", "label = 3")),
    ] {
        page.file(name, &text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}
