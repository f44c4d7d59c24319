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
axes.state = { default = "ok", domain = ["ok", "badly_hurt"], label = "State", labels = { badly_hurt = "badly hurt" } }
labels = { grand_total = "Grand total" }
rules = "show grand_total = 2d6 + rank + cap + ladder[0] + index(state)"
[tracks.clock]
label = "A clock"
unit  = "month"
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
    assert_eq!(told(4, &[0, 1]), ["ok", "badly hurt"]);
    assert_eq!(check.title_of("grand_total"), "Grand total");
    assert_eq!(check.title_of("rank"), "rank");
}

#[test]
fn configurations_are_told_with_labels_and_written_without() {
    let model = load("demo.toml", TEXT.as_bytes()).unwrap();
    let check = &model.checks[0];
    let mut config = check.defaults();
    assert_eq!(check.tell(&config), check.describe(&config));
    for text in ["rank=0", "state=badly_hurt", "cap=4", "ladder[1]=4"] {
        check.set(&mut config, text, "--set").unwrap();
    }
    assert_eq!(
        check.describe(&config),
        "cap=4 ladder[1]=4 rank=0 state=badly_hurt"
    );
    assert_eq!(
        check.tell(&config),
        "the cap = 4, Ladder[1] = d4, Rank of the hero = novice, State = badly hurt"
    );
}

#[test]
fn a_round_has_a_name_and_a_plural() {
    let count = |text: &str, n| {
        let model = load("demo.toml", text.as_bytes()).unwrap();
        model.tracks[0].unit.count(n)
    };
    assert_eq!(
        [1, 0, 2].map(|n| count(TEXT, n)),
        ["1 month", "0 months", "2 months"]
    );
    let german = but("unit  = \"month\"", "unit = [\"Runde\", \"Runden\"]");
    assert_eq!([1, 2].map(|n| count(&german, n)), ["1 Runde", "2 Runden"]);
    let nothing = but("unit  = \"month\"\n", "");
    assert_eq!([1, 2].map(|n| count(&nothing, n)), ["1 roll", "2 rolls"]);
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
        ("no word", but("badly_hurt = \"", "hurt = \"")),
        ("no word at all", but("badly_hurt = \"", "0 = \"")),
        ("not shown", but("grand_total = \"", "total = \"")),
        ("nothing like it", but("grand_total = \"", "x = \"")),
        ("shown as an axis", but("\"Grand total\"", "\"State\"")),
        ("shown as nothing", but("\"Grand total\"", "\" \"")),
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
        ("a round without a name", but("\"month\"", "\" \"")),
        ("a round of a number", but("\"month\"", "7")),
        ("no round", but("\"month\"", "[]")),
        (
            "three words for a round",
            but("\"month\"", "[\"a\", \"b\", \"c\"]"),
        ),
        (
            "rounds of a check",
            but("label = \"A check\"", "unit = \"month\""),
        ),
    ] {
        page.file(name, &text);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// A label leads to the name, wherever one was due.
#[test]
fn a_label_in_a_question_leads_to_the_name() {
    let model = load("demo.toml", TEXT.as_bytes()).unwrap();
    let check = &model.checks[0];
    let told = |errors: String, name: &str| {
        assert!(errors.contains("a label, which people read"), "{errors}");
        assert!(errors.contains(name), "{errors}");
    };
    let query = check.query("mean(Grand total)", "--query").unwrap_err();
    told(query.render(false), "the name of this is `grand_total`");
    let mut config = check.defaults();
    let set = check.set(&mut config, "state=badly hurt", "--set");
    told(set.unwrap_err().render(false), "is `badly_hurt`");
}
