//! Acceptances: findings that a file says are meant to be, and slips in it.

use oddsmith_rules::load;

use crate::page::{Page, good};

const TEXT: &str = r#"name = "Demo"
[params]
cap = { default = 3, domain = "1..=4", reading = "It is open." }
top = { default = 3, domain = "1..=4" }

[checks.check]
bands = ["Miss", "4/5", "Hit"]
axes.rank  = { default = 2, domain = "-2..=5", sweep = "0..=3" }
axes.banes = { default = 1, domain = "0..=4", sweep = "0,2" }
axes.state = { default = "ok", domain = ["ok", "broken"] }
rules = """
show total  = 2d6 + min(rank, cap, top) - banes
show band   = match total { < 7: Miss, < 10: "4/5", else: Hit }
show Double = if state == ok then 1d6 == 6 else false
show mood   = state
"""

[tracks.climb]
axes.goal = { default = 4, domain = "1..=9" }
rules = """
let height = 0
repeat until height == goal {
  set height = min(height + 1d4, goal)
}
"""
"#;

fn with(acceptance: &str) -> String {
    format!("{TEXT}\n[[accept]]\n{acceptance}\n")
}

#[test]
fn every_form_of_an_id_is_read() {
    let ids = [
        "unreachable/check/Hit",
        "unreachable/check/4/5",
        "unreachable/check/not Double",
        "unreachable/check/mood=broken",
        "dead-axis/check/rank",
        "dead-step/climb/goal",
        "plateau/*/rank",
        "non-monotone/check/rank/band",
        "non-monotone/climb/goal/rolls",
        "sign/check/*/Double",
        "sign/check/rank+banes/band",
        "sign/check/rank+cap/band",
        "cliff/*/*/*",
        "cliff/check/rank/mood=broken",
        "dominated/check/state/broken",
        "crossing/check/state",
        "asymmetric/check/rank",
        "asymmetric/check/rank+banes",
        "reading/cap",
    ];
    let model = good(&with(&format!("finding = {ids:?}\nreason = ' It is so. '")));
    let read: Vec<&str> = model
        .acceptances
        .iter()
        .map(|acceptance| acceptance.finding.text.as_str())
        .collect();
    assert_eq!(read, ids);
    assert!(model.acceptances.iter().all(|a| a.reason == "It is so."));
}

#[test]
fn a_pattern_meets_whole_parts_only() {
    let model = good(&with(
        "finding = ['cliff/*/rank/*', 'unreachable/check/4/5']\nreason = 'It is so.'",
    ));
    let meets = |at: usize, id: &str| model.acceptances[at].finding.matches(id);
    assert!(meets(0, "cliff/check/rank/band"));
    assert!(!meets(0, "cliff/check/ranks/band"));
    assert!(!meets(0, "sign/check/rank/band"));
    assert!(!meets(0, "cliff/rank/band"));
    assert!(meets(1, "unreachable/check/4/5"));
    assert!(!meets(1, "unreachable/check/4"));
}

/// A slip in an acceptance, and how many errors it is.
const SLIPS: [(&str, &str); 20] = [
    ("no finding", "reason = 'It is so.'"),
    ("no reason", "finding = 'reading/cap'"),
    (
        "reason without words",
        "finding = 'reading/cap'\nreason = ' '",
    ),
    ("empty list", "finding = []\nreason = 'It is so.'"),
    (
        "finding that is a number",
        "finding = 3\nreason = 'It is so.'",
    ),
    (
        "slip in a key",
        "findings = 'reading/cap'\nreason = 'It is so.'",
    ),
    (
        "key of another table",
        "finding = 'reading/cap'\nreason = 'It is so.'\nintent = 'So.'",
    ),
    (
        "slip in a rule",
        "finding = 'clif/check/rank/band'\nreason = 'It is so.'",
    ),
    ("no rule", "finding = 'weather'\nreason = 'It is so.'"),
    (
        "part that is missing",
        "finding = 'cliff/check/rank'\nreason = 'It is so.'",
    ),
    (
        "slip in a check",
        "finding = 'cliff/chek/rank/band'\nreason = 'It is so.'",
    ),
    (
        "slip in an axis",
        "finding = 'cliff/check/rnk/band'\nreason = 'It is so.'",
    ),
    (
        "axis of another check",
        "finding = 'dead-axis/climb/rank'\nreason = 'It is so.'",
    ),
    (
        "parameter as an axis",
        "finding = 'dead-axis/check/cap'\nreason = 'It is so.'",
    ),
    (
        "slip in an outcome",
        "finding = 'cliff/check/rank/Duble'\nreason = 'It is so.'",
    ),
    (
        "band as an outcome",
        "finding = 'cliff/check/rank/Hit'\nreason = 'It is so.'",
    ),
    (
        "slip in a label",
        "finding = 'dominated/check/state/brokn'\nreason = 'It is so.'",
    ),
    (
        "slip in the second of two axes",
        "finding = 'asymmetric/check/rank+bane'\nreason = 'It is so.'",
    ),
    (
        "parameter that is no reading",
        "finding = 'reading/top'\nreason = 'It is so.'",
    ),
    (
        "twice",
        "finding = ['reading/cap', 'reading/cap']\nreason = 'It is so.'",
    ),
];

#[test]
fn slips_in_acceptances() {
    let mut page = Page::default();
    for (title, acceptance) in SLIPS {
        let result = load("game.toml", with(acceptance).as_bytes());
        page.errors(title, 1, result.map(|_| ()));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}
