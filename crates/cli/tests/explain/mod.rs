//! What `rules` says of rulesets.

use crate::support::Place;

const LORE: &str = r#"name = "Lore"
help = "A game for this page"

[params]
doubles = { default = "mark", domain = ["mark", "ignore"], help = "what equal dice do", reading = "\"Doubles leave a mark.\" Whether dice that were not kept count is not said; here all of them do, because the sentence stands before the one about keeping." }
limit   = { default = [1, 2], domain = "0..=9", help = "a list", reading = "Open." }
flips   = { default = 0, domain = "0..=2", reading = "May be 0, 1 or 2." }

[checks.recall]
help     = "Remember something"
bands    = ["no", "4/5", "yes"]
contest  = "total - cost"
ties     = "both"
maximise = "band >= yes"
axes.books = { default = 0, domain = "0..=3", sweep = "0..=2", help = "that lie open" }
axes.mood  = { default = "calm", domain = ["calm", "wild"] }
require    = ["books <= 2 or mood == calm"]
rules = '''
let dice  = 2d6
choose more in 0..=books
show total = dice + more
show cost  = (if doubles == mark then more else 0) + limit[0] - limit[0] + flips - flips
show feel  = mood
show Echo  = total == 7
show band  = match total { < 6: no, < 9: "4/5", else: yes }
'''

[tracks.study]
help = "Recall until enough is known"
rules = '''
let known = 0
repeat until known == 3 {
  show gain = 1d2 - 1
  set known = min(3, known + gain)
}
show Done = known == 3
'''

[[charts]]
title = "What an open book is worth"
x     = "books"
facet = "mood"

[[charts]]
kind  = "heatmap"
x     = "books"
by    = "doubles"
query = "yes"

[[charts]]
check = "study"
title = "How long it takes"
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("lore.toml", LORE);
    place
}

#[test]
fn a_ruleset_is_explained() {
    let place = place();
    insta::assert_snapshot!("lore", place.answer("rules show lore.toml"));
    let track = place.answer("rules show lore.toml:study");
    assert!(
        track.contains("track study")
            && !track.contains("check recall")
            && track.contains("How long it takes")
            && !track.contains("open book"),
        "{track}"
    );
    place.refuses(
        "rules show lore.toml:studdy",
        &["no check or track `studdy`", "`lore.toml:study`"],
    );
}

#[test]
fn what_a_ruleset_suggests_to_ask_has_an_answer() {
    let place = place();
    let mut asked = 0;
    for ruleset in [
        "lore.toml",
        "stars-and-signs",
        "action-checks",
        "action-primer",
        "buried-secrets",
    ] {
        let text = place.answer(&format!("rules show {ruleset}"));
        let mut command = String::new();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("  ask oddsmith ") {
                command = rest.split(' ').take(2).collect::<Vec<_>>().join(" ");
            } else if line.starts_with("    ") && !command.is_empty() {
                let query = line.trim().split("  ").next().expect("a query");
                let line = format!("{command} --query '{query}' --format csv");
                let run = place.run(&line);
                assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{line}");
                asked += 1;
            } else {
                command.clear();
            }
        }
    }
    assert!(asked > 50, "only {asked} suggestions");
}

#[test]
fn checks_tracks_and_charts_are_counted() {
    let place = place();
    let said = place.answer("rules validate lore.toml lantern.toml");
    assert_eq!(
        said,
        "ok: lore.toml (1 check, 1 track, 3 charts)\nok: lantern.toml (2 checks)\n"
    );
}

#[test]
fn charts_without_a_legal_configuration_are_not_valid() {
    let place = place();
    let chart = "[[charts]]\nx = \"doubles\"\nset = [\"books=3\", \"mood=wild\"]\n";
    place.write("wild.toml", &format!("{LORE}\n{chart}"));
    place.refuses(
        "rules validate wild.toml",
        &["no configuration of this chart", "1 error in wild.toml"],
    );
}
