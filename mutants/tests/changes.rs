//! What is changed of a ruleset, and what is not.

use oddsmith_mutants::mutants::mutants;
use oddsmith_mutants::parts::rules_alone;
use oddsmith_rules::load;

const GAME: &str = r#"name = "Game 1"
help = "2d6 or 3d6"
require = ["low < high"]

[params]
low  = { default = 5, domain = "1..=9", help = "at least 1" }
high = { default = 7, domain = "1..=9" }
mode = { default = "x", domain = ["w", "x", "y"] }

[functions]
best = "(n) => n d6 kh1"

[checks.check]
bands = ["Miss", "Hit"]
axes.dice = { default = 2, domain = "1..=5", sweep = "1,2" }
rules = """
let sum = best(dice) + 1   # 2 is no number of this
show band = if sum >= high or (mode == y and sum > low) then Hit else Miss
"""

[[charts]]
kind = "bands"
x = "dice=1..=3"

[[expect]]
intent = "One of two."
reachable = "Hit"
"#;

#[test]
fn every_token_that_decides_odds_is_changed_and_no_other() {
    let model = load("game.toml", GAME.as_bytes()).expect("a ruleset");
    let found = mutants(GAME, &model);
    let lines: Vec<String> = found
        .iter()
        .map(|mutant| {
            format!(
                "{} {}:{}>{}",
                mutant.line(GAME),
                mutant.kind,
                &GAME[mutant.start..mutant.end],
                mutant.with
            )
        })
        .collect();
    let has = |line: &str| lines.iter().any(|known| known == line);
    for line in [
        "3 operator:<><=",
        "3 name:low>high",
        "6 default:5>6",
        "6 default:5>4",
        "8 default:x>w",
        "8 default:x>y",
        "11 die:d6>d4",
        "11 die:d6>d8",
        "11 keep:kh1>kl1",
        "11 number:kh1>kh2",
        "15 default:2>3",
        "17 number:1>0",
        "17 operator:+>-",
        "17 operand dropped:+ 1>",
        "17 operand dropped:best(dice) +>",
        "18 operator:>=>>",
        "18 operator:>=>==",
        "18 operator:or>and",
        "18 operator:and>or",
        "18 name:high>low",
        "18 label:y>x",
        "18 label:Hit>Miss",
        "18 label:Miss>Hit",
        "18 operand dropped:and sum > low>",
        "18 operand dropped:mode == y and>",
        "18 operand dropped:or (mode == y and sum > low)>",
    ] {
        assert!(has(line), "{line}: {lines:#?}");
    }
    // A number that is rolled is not read as a parameter.
    assert!(!has("18 name:sum>high"));
    let changed: std::collections::BTreeSet<usize> =
        found.iter().map(|mutant| mutant.line(GAME)).collect();
    assert_eq!(
        changed.into_iter().collect::<Vec<_>>(),
        [3, 6, 7, 8, 11, 15, 17, 18]
    );
    let mut texts: Vec<String> = found.iter().map(|mutant| mutant.apply(GAME)).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), found.len());
}

#[test]
fn rules_alone_have_the_same_lines_and_no_expectations() {
    let alone = rules_alone(GAME);
    assert_eq!(alone.lines().count(), GAME.lines().count());
    let model = load("game.toml", alone.as_bytes()).expect("a ruleset");
    assert!(model.expectations.is_empty() && model.charts.is_empty());
    assert_eq!(
        model.checks[0].program(),
        load("game.toml", GAME.as_bytes())
            .expect("a ruleset")
            .checks[0]
            .program()
    );
}

#[test]
fn a_change_of_the_rules_is_made_in_the_whole_file_as_well() {
    let chart = "[[charts]]\nkind = \"bands\"\nx = \"dice=1..=4\"\n\n[checks.check]";
    let whole = GAME.replace("[checks.check]", chart);
    let alone = rules_alone(&whole);
    let model = load("game.toml", alone.as_bytes()).expect("a ruleset");
    let found = mutants(&alone, &model);
    assert!(found.len() > 20, "{}", found.len());
    for mutant in found {
        let changed = mutant.apply_to_whole(&alone, &whole);
        assert_eq!(rules_alone(&changed), mutant.apply(&alone));
        assert!(changed.contains("dice=1..=4") && changed.contains("One of two."));
    }
}
