//! Renaming: the ruleset stays the same but for the name, or the reason is told.

use oddsmith::{Game, Limits, OddsRequest};
use oddsmith_session::{Document, SymbolKind};

use crate::support::{edited, find, game, open, rulesets, with_cursor};

/// A name that no ruleset has, and a label that has to stand in quotes.
const NEW: [&str; 2] = ["qq_new_qq", "qq new/qq"];

fn new_name(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Label | SymbolKind::Band => NEW[1],
        _ => NEW[0],
    }
}

/// All that a game says of its checks, without places: programs, domains, defaults, expectations.
fn told(text: &str) -> String {
    let game =
        Game::parse("test.toml", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let model = game.model();
    let mut told = String::new();
    for check in model.checks.iter().chain(&model.tracks) {
        told += &format!("{}{:?}{:?}", check.name, check.inputs, check.requires);
        told += &format!("{:?}{:?}{:?}", check.program(), check.outcomes, check.goal);
    }
    told += &format!("{:?}{:?}", model.params, model.charts);
    told += &format!("{:?}{:?}", model.expectations, model.acceptances);
    told += &format!("{:?}{:?}", model.resources, model.tuning);
    without_places(&told)
}

/// Drops `Span { start: 1, end: 2 }`.
fn without_places(text: &str) -> String {
    let mut parts = text.split("Span {");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept += part.split_once('}').map_or("", |(_, rest)| rest);
    }
    kept
}

#[test]
fn each_name_of_each_ruleset_can_be_another_one() {
    let (mut count, mut refused) = (0, Vec::new());
    for (file, text) in rulesets() {
        let document = open(&text);
        let before = told(&text);
        let analysis = document.analysis();
        for symbol in &analysis.names().symbols {
            let position = document.position(symbol.places()[0].start);
            let new = new_name(symbol.kind);
            if symbol.kind == SymbolKind::Show && symbol.name == "band" {
                assert!(document.rename(position, new).is_err());
                continue;
            }
            count += 1;
            match document.rename(position, new) {
                Err(refusal) => refused.push(format!("{file}: {}: {refusal}", symbol.name)),
                Ok(edits) => {
                    let changed = told(&edited(&document, &edits));
                    let changed = changed.replace(&format!("\\\"{new}\\\""), new);
                    let quoted = before.replace(&format!("\\\"{}\\\"", symbol.name), &symbol.name);
                    assert_eq!(
                        changed.replace(new, &symbol.name),
                        quoted,
                        "{file}: {symbol:?}"
                    );
                }
            }
        }
    }
    // Texts in `"…"` can't hold a label that needs quotes.
    let expected = |refusal: &&String| !refusal.contains("write that text in '…' first");
    let others: Vec<&String> = refused.iter().filter(expected).collect();
    assert!(others.is_empty(), "{others:?}");
    assert!(
        count > 500 && refused.len() * 4 < count,
        "{} of {count}",
        refused.len()
    );
}

#[test]
fn odds_are_the_same_under_another_name() {
    let text = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../rulesets/shelf/bell-curves/pbta.toml"),
    )
    .unwrap();
    let document = open(&text);
    let odds = |text: &str| {
        let game = Game::parse("test.toml", text.as_bytes()).unwrap();
        let odds = game
            .odds(&OddsRequest::default(), &Limits::default())
            .unwrap();
        let shown = odds.outcomes.iter().map(oddsmith::NamedAnswer::decimal);
        shown.collect::<Vec<f64>>()
    };
    let before = odds(&text);
    for symbol in &document.analysis().names().symbols {
        let position = document.position(symbol.places()[0].start);
        if let Ok(edits) = document.rename(position, NEW[0]) {
            assert_eq!(odds(&edited(&document, &edits)), before, "{symbol:?}");
        }
    }
}

const GAME: &str = r#"name = "Game"
[params]
cap = { default = [1, 2], domain = "0..=9", help = "the most" }
[functions]
capped = "(x, most) => min(x, most)"
[checks.roll]
bands = ["Miss", "Weak hit", "Hit"]
axes.stat = { default = 0, domain = "0..=3", sweep = "all" }
axes.mood = { default = "low", domain = ["low", "high"] }
rules = '''
let left = capped(stat, cap[0]) # left of it
show total = 2d6 + left
show band = match total { < 7: Miss, < 10: "Weak hit", else: Hit }
'''
[checks.twice]
inherit = ["roll"]
rules = '''
let roll = roll(stat = stat, ..)
show twice = 2 * roll.total
show high = mood == high
'''
[[expect]]
intent = "x"
query = "P(band >= Hit)"
increases = "stat"
"#;

fn rename(document: &Document, wanted: &str, behind: usize, name: &str) -> Result<String, String> {
    let edits = document.rename(find(document, wanted, behind), name);
    let edits = edits.map_err(|refusal| refusal.message)?;
    Ok(edited(document, &edits))
}

#[test]
fn names_that_can_not_be_are_refused_with_a_reason() {
    let document = open(GAME);
    let refused = [
        ("let left", 5, "match", "part of the language"),
        ("let left", 5, "d6", "begins a die"),
        ("let left", 5, "two words", "can't be a name"),
        ("let left", 5, "", "can't be a name"),
        (
            "let left",
            5,
            "stat",
            "`stat` is already the name of an axis",
        ),
        ("let left", 5, "total", "total"),
        ("axes.stat", 6, "mood", "mood"),
        ("axes.stat", 6, "cap", "cap"),
        ("capped", 2, "min", "built-in"),
        ("capped", 2, "roll", "roll"),
        ("(x, most)", 1, "most", "most"),
        ("\"Miss\"", 2, "Hit", "Hit"),
        ("\"Miss\"", 2, "a|b", "a|b"),
        ("\"Miss\"", 2, " ", "empty"),
        ("show band", 6, "result", "a word of the language"),
        ("2d6", 1, "x", "no name here"),
    ];
    for (wanted, behind, name, reason) in refused {
        let refusal = rename(&document, wanted, behind, name).unwrap_err();
        assert!(refusal.contains(reason), "{wanted} to {name}: {refusal}");
    }
}

#[test]
fn a_name_is_changed_wherever_it_stands_and_nowhere_else() {
    let document = open(GAME);
    let text = rename(&document, "axes.stat", 6, "skill").unwrap();
    assert_eq!(text.matches("skill").count(), 5, "{text}");
    assert_eq!(text.matches("stat").count(), 0, "{text}");
    let text = rename(&document, "let left", 5, "rest").unwrap();
    assert!(
        text.contains("let rest") && text.contains("2d6 + rest") && text.contains("# left of it")
    );
    let text = rename(&document, "\"Weak hit\"", 1, "Partial").unwrap();
    assert!(
        text.contains("[\"Miss\", \"Partial\", \"Hit\"]") && text.contains("< 10: \"Partial\"")
    );
    let text = rename(&document, "< 7: Miss", 5, "Bad luck").unwrap();
    assert!(
        text.contains("[\"Bad luck\"") && text.contains("< 7: \"Bad luck\""),
        "{text}"
    );
    let refusal = rename(&document, "< 7: Miss", 5, "Hit").unwrap_err();
    assert!(refusal.contains("Hit"), "{refusal}");
    let quoted = rename(&document, "else: Hit", 6, "Full hit").unwrap_err();
    assert!(quoted.contains("needs quotes in line"), "{quoted}");
    let text = rename(&document, "domain = [\"low\"", 11, "sad").unwrap();
    assert!(
        text.contains("default = \"sad\", domain = [\"sad\", \"high\"]"),
        "{text}"
    );
    let text = rename(&document, "[checks.roll]", 9, "action").unwrap();
    let all = [
        "[checks.action]",
        "inherit = [\"action\"]",
        "let roll = action(",
    ];
    assert!(all.iter().all(|one| text.contains(one)), "{text}");
    assert_eq!(
        document.rename(find(&document, "let left", 5), "left"),
        Ok(Vec::new())
    );
}

#[test]
fn a_file_with_errors_can_be_renamed_in_as_far_as_it_is_understood() {
    let broken = GAME.replace(
        "show total = 2d6 + left",
        "show total = 2d6 + left + unknwn",
    );
    let document = open(&broken);
    assert!(document.analysis().game().is_err());
    let text = rename(&document, "let left", 5, "rest").unwrap();
    assert!(text.contains("2d6 + rest + unknwn"), "{text}");
    let refusal = rename(&document, "let left", 5, "total").unwrap_err();
    assert!(refusal.contains("total"), "{refusal}");
}

/// The text of a project's file after a rename of what is named at the `|`.
fn project_after(text: &str, name: &str, project: &str, others: &[&str]) -> String {
    let (document, position) = with_cursor(text);
    document.rename(position, name).expect("it can be renamed");
    let project = open(project);
    let others: Vec<String> = others.iter().map(|text| (*text).to_owned()).collect();
    let edits = document.renamed_columns(position, name, &project, &others);
    edited(&project, &edits)
}

#[test]
fn tolerances_of_a_project_follow_the_names_of_columns() {
    let project = "rulesets = ['.']\n[tolerances] # some\nHit = 0.5 # points\n\"mean(total)\" = 1\n'Weak hit' = 2\nstat = 3\n";
    let at = |word: &str| game("", "", "").replacen(word, &format!("{word}|"), 1);
    let after = |word: &str, name: &str| project_after(&at(word), name, project, &[]);
    assert_eq!(
        after("\"Hit", "Strike"),
        project.replace("Hit = ", "Strike = ")
    );
    assert_eq!(
        after("\"Hit", "Big \u{e9}"),
        project.replace("Hit = ", "\"Big \u{e9}\" = ")
    );
    assert_eq!(
        after("\"Weak hit", "Weak"),
        project.replace("'Weak hit'", "Weak")
    );
    assert_eq!(
        after("show total", "sum_"),
        project.replace("mean(total)", "mean(sum_)")
    );
    // An axis is no column, and what has its tolerance already keeps that.
    assert_eq!(after("axes.stat", "skill"), project);
    let both = project.replace("stat = 3", "Strike = 3");
    assert_eq!(project_after(&at("\"Hit"), "Strike", &both, &[]), both);
    // Others that have the column as well go on with their tolerance.
    let other = game("", "", "");
    let shared = project.replace("Hit = 0.5", "Hit = 0.5\nStrike = 0.5");
    assert_eq!(
        project_after(&at("\"Hit"), "Strike", project, &[&other]),
        shared
    );
    let other = other
        .replace("\"Hit\"", "\"Blow\"")
        .replace("else: Hit", "else: Blow");
    assert_eq!(
        project_after(&at("\"Hit"), "Strike", project, &[&other]),
        project.replace("Hit = ", "Strike = ")
    );
}
