//! What is said of words, mended, and shown as trees and colours.

use oddsmith_rules::words;
use oddsmith_session::{Change, Document, FoldingKind, Position, Range};

use crate::support::{edited, game, open, with_cursor};

fn said(text: &str) -> String {
    let (document, position) = with_cursor(text);
    document
        .hover(position)
        .map_or(String::new(), |hover| hover.markdown)
}

#[test]
fn help_tells_what_a_word_is() {
    let there = [
        (
            game("", "let x = st|at", ""),
            "**axis** `stat` of `roll`\n\nhow good\n\ndefault 0, domain 0..=3",
        ),
        (
            game("", "let x = cap|", ""),
            "**parameter** `cap`\n\nthe most that counts\n\ndefault 5, domain 0..=9",
        ),
        (
            game("", "let x = capped|(1, 2)", ""),
            "**function** `capped`\n\n```\ncapped(x, most)\n```\n\nExample: `capped(1, 2)`",
        ),
        (
            game("", "let x = band == M|iss", ""),
            "Miss < Weak hit < Hit",
        ),
        (
            game("", "let x = le|ft", ""),
            "**value** `left` of `roll`\n\n```\ncapped(stat, cap)\n```",
        ),
        (
            game("", "let x = clam|p(1, 2, 3)", ""),
            "clamp(x, low, high)",
        ),
        (game("", "let x = 4d6k|h3", ""), "Keeps the highest dice."),
        (game("", "let x = 4d|6", ""), "how many, and their sides"),
        (game("", "le|t x = 1", ""), "Names a value"),
        (
            game("", "", "[[expect]]\nint|ent = 'x'"),
            "**key** `intent`, needed",
        ),
        (
            game("", "", "[[expect]]\nquery = 'me|an(total)'"),
            "The mean of a number.",
        ),
        (
            game("", "", "[[expect]]\nquery = 'mean(tot|al)'"),
            "**shown value** `total` of `roll`",
        ),
    ];
    for (text, wanted) in there {
        let said = said(&text);
        assert!(said.contains(wanted), "{said:?} has no {wanted:?}");
    }
    assert_eq!(said("name = 'wo|rds'"), "");
    assert_eq!(said("|"), "");
}

#[test]
fn what_was_meant_is_a_quick_fix() {
    let fixed = |text: &str| {
        let document = open(text);
        let whole = Range {
            start: Position::default(),
            end: Position::new(u32::MAX, 0),
        };
        let actions = document.code_actions(whole);
        let edits: Vec<_> = actions
            .into_iter()
            .flat_map(|action| action.edits)
            .collect();
        edited(&document, &edits)
    };
    let slips = [
        ("let x = left", "let x = lefft"),
        ("let x = capped(1, 2)", "let x = caped(1, 2)"),
        ("let x = mood == high", "let x = mood == hihg"),
        (
            "let x = other(stat = 1, ..)",
            "let x = other(sttat = 1, ..)",
        ),
        ("let x = other(..).twice", "let x = other(..).twicce"),
        (
            "let x = match stat { 0: Miss, else: \"Weak hit\" }",
            "let x = match stat { 0: Miss, else: \"Weak hitt\" }",
        ),
        ("show x = left", "shwo x = left"),
        (
            "let x = stat == 1 and left == 2",
            "let x = stat == 1 && left == 2",
        ),
        ("let x = 2d6", "let x = 2D6"),
        ("let x = 2d6kh1", "let x = 2d6hk1"),
    ];
    for (right, wrong) in slips {
        assert_eq!(fixed(&game("", wrong, "")), game("", right, ""), "{wrong}");
    }
    let rest = [
        (
            "[[expect]]\nintent = 'x'\nquery = 'total'",
            "[[expect]]\nitent = 'x'\nquery = 'total'",
            "itent",
        ),
        ("kind = \"lines\"", "kind = \"linse\"", "linse"),
        ("x = \"stat\"", "x = \"sttat\"", "sttat"),
        ("by = \"mood=low,high\"", "by = \"mood=low,hihg\"", "hihg"),
        (
            "check = \"other\"\nquery = \"twice == 4\"",
            "check = \"othre\"\nquery = \"twice == 4\"",
            "othre",
        ),
    ];
    for (right, wrong, word) in rest {
        let table = if wrong.starts_with("[[") {
            ""
        } else {
            "[[charts]]\nx = \"stat\"\n"
        };
        let table = if wrong.starts_with("x =") {
            "[[charts]]\n"
        } else {
            table
        };
        let fixed = fixed(&game("", "", &format!("{table}{wrong}")));
        let right = game("", "", &format!("{table}{right}"));
        assert!(!fixed.contains(word), "{wrong}: {fixed}");
        assert_eq!(fixed, right);
    }
}

#[test]
fn the_tree_has_the_checks_their_axes_and_what_their_rules_bind() {
    fn names(document: &Document) -> Vec<String> {
        fn add(
            symbols: &[oddsmith_session::DocumentSymbol],
            before: &str,
            names: &mut Vec<String>,
        ) {
            for symbol in symbols {
                let name = format!("{before}/{}", symbol.name);
                add(&symbol.children, &name, names);
                names.push(name);
            }
        }
        let mut found = Vec::new();
        add(&document.document_symbols(), "", &mut found);
        found
    }
    let names = names(&open(&game(
        "",
        "",
        "[[expect]]\nintent = 'x'\nquery = 'Hit'\nat_least = 0",
    )));
    let wanted = [
        "/params/cap",
        "/functions/capped",
        "/checks/roll/axes/stat/domain",
        "/checks/roll/rules/left",
        "/checks/roll/rules/total",
        "/checks/other/rules/twice",
        "/expect/1/intent",
    ];
    for name in wanted {
        assert!(
            names.iter().any(|known| known == name),
            "{name} is not in {names:?}"
        );
    }
}

#[test]
fn tables_strings_lists_and_comments_fold() {
    let document = open(
        "# one\n# two\n\nname = 'x'\n[checks.a]\nbands = [\n 'A',\n 'B',\n]\nrules = '''\nshow x = 1\n'''\n\n[params]\n",
    );
    let folds = document.folding_ranges();
    let found: Vec<_> = folds
        .iter()
        .map(|fold| (fold.start_line, fold.end_line, fold.kind))
        .collect();
    let (region, comment) = (FoldingKind::Region, FoldingKind::Comment);
    assert_eq!(
        found,
        [
            (0, 1, comment),
            (4, 11, region),
            (5, 8, region),
            (9, 11, region)
        ]
    );
}

#[test]
fn words_are_told_by_what_they_are_also_in_a_script_that_does_not_parse() {
    let text = game("", "let x = (4d6kh3 + left # a comment", "");
    let document = open(&text);
    let found: Vec<(String, &str)> = document
        .semantic_tokens()
        .into_iter()
        .map(|token| {
            let start = document.offset(token.start);
            let end = Position::new(token.start.line, token.start.character + token.length);
            (text[start..document.offset(end)].to_owned(), token.kind)
        })
        .collect();
    let wanted = [
        ("let", "keyword"),
        ("4", "number"),
        ("d6", "macro"),
        ("kh3", "macro"),
        ("+", "operator"),
        ("left", "variable"),
        ("# a comment", "comment"),
        ("stat", "parameter"),
        ("capped", "method"),
        ("roll", "class"),
        ("bands", "property"),
        ("Weak hit", "enumMember"),
        ("min", "function"),
    ];
    for (word, kind) in wanted {
        assert!(
            found.iter().any(|one| *one == (word.to_owned(), kind)),
            "{word}: {kind} is not in {found:?}"
        );
    }
}

#[test]
fn half_a_file_has_names_too() {
    // No TOML, a script that does not parse, and a check that is unknown.
    for broken in [
        "[checks.third",
        "x = ",
        "[[expect]]\nquery = 'P(total >='\nset = 'mood=",
        "bands = [",
    ] {
        let text = game("", "let y = (left +\nlet z = left", broken);
        let document = open(&text);
        assert!(document.analysis().game().is_err());
        let analysis = document.analysis();
        let names = &analysis.names().symbols;
        let known = [
            "cap", "capped", "roll", "stat", "mood", "left", "total", "twice", "Weak hit", "low",
        ];
        for name in known {
            let symbol = names.iter().find(|symbol| symbol.name == name);
            let symbol = symbol.unwrap_or_else(|| panic!("{name} in {text}"));
            let has_uses =
                ["cap", "capped", "roll", "stat", "left", "total", "Weak hit"].contains(&name);
            assert!(!has_uses || !symbol.references.is_empty(), "{symbol:?}");
        }
    }
}

#[test]
fn places_and_changes_are_written_as_editors_do() {
    let change =
        r#"{"range":{"start":{"line":0,"character":8},"end":{"line":0,"character":9}},"text":"y"}"#;
    let change: Change = serde_json::from_str(change).unwrap();
    let whole: Change = serde_json::from_str(r#"{"text":"name = 'x'"}"#).unwrap();
    assert_eq!(open("").changed(&[whole, change]), "name = 'y'");
    let document = open(&game("", "let x = lefft", ""));
    let told = document.diagnostics();
    let edit = told[0].fix.as_ref().expect("a fix");
    assert_eq!(edit.text, "left");
    let place = serde_json::to_value(edit.range).unwrap();
    let line = place["start"]["line"].as_u64().unwrap();
    let line = document.text().lines().nth(usize::try_from(line).unwrap());
    assert!(line.unwrap().contains("lefft"));
}

#[test]
fn the_grammar_for_editors_has_the_words_of_the_language() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../editors/vscode/oddsmith.tmLanguage.json"
    );
    let grammar = std::fs::read_to_string(path).expect("the grammar");
    let words: Vec<&str> = { words::KEYWORDS.iter() }.map(|word| word.name).collect();
    let pattern = format!("\\\\b(?:{})\\\\b", words.join("|"));
    assert!(grammar.contains(&pattern), "{pattern}");
}
