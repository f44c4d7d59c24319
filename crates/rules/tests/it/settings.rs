//! Slips on the command line: values, sweeps, queries, expressions.

use crate::page::{Page, around, good};

#[test]
fn values_and_sweeps() {
    let model = good(&around("show total = 2d6 + rank"));
    let check = &model.checks[0];
    let mut page = Page::default();
    let values = [
        "rnk=3",
        "gravitas=3",
        "rank=9",
        "rank=x",
        "rank= ",
        "rank",
        "=3",
        "state=brokn",
        "state=zzz",
        "mode=",
        "rank=1.5",
        "ladder=[1,2]",
        "ladder=4",
        "ladder[7]=2",
        "ladder=[1,2,30]",
        "",
    ];
    for text in values {
        let error = check
            .set(&mut check.defaults(), text, "--set")
            .expect_err(text);
        page.add(&format!("--set '{text}'"), &error.render(false));
    }
    let sweeps = [
        "rank=0..=9",
        "rank=3..=1",
        "rank=1,2,1",
        "rank=0..3",
        "state=ok,fine",
        "rnk=all",
        "rank=0,,1",
        "ladder=all",
        "rnk",
        "ladder",
        "rank 3",
    ];
    for text in sweeps {
        let error = check.sweep(text, "--sweep").expect_err(text);
        page.add(&format!("--sweep '{text}'"), &error.render(false));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
    let values = |text: &str| check.sweep(text, "--sweep").expect(text).values;
    // An axis alone takes what it sweeps, or all that it can be.
    assert_eq!(values("rank"), values("rank=all"));
    let text = around("show total = 2d6 + rank")
        .replace("{ default = 2,", "{ default = 2, sweep = \"0,2\",");
    let swept = good(&text);
    let sweep = swept.checks[0].default_sweep();
    let name = &swept.checks[0].inputs[sweep[0].input.0].name;
    let alone = swept.checks[0]
        .sweep(name, "--sweep")
        .expect("it has a sweep");
    assert_eq!(alone.values, sweep[0].values);
}

#[test]
fn queries() {
    let model = good(&around(
        "show total = 2d6 + rank let gap = 9 - total show Lucky = total == 12",
    ));
    let check = &model.checks[0];
    // Its second pattern depends on what is rolled.
    let query = "mean(match total { < 3: 0, < 9 * Lucky: 1, else: 2 })";
    assert!(check.query(query, "--query").is_ok());
    let mut page = Page::default();
    let queries = [
        "Hitt",
        "totl > 3",
        "P(",
        "P(total > 3",
        "total",
        "mean(band)",
        "mean(2d6)",
        "1d6 > 3",
        "Hit &",
        "",
        "mean()",
        "Lucky & total",
        "total == Hit",
        "rank + 1",
        "variance",
        "Hit |",
        "Hit Graze",
        "band == Hitt",
        "band >= Hit & total >",
        "gap > 1",
        "mean(gravitas)",
        "half(total) > 3",
    ];
    for text in queries {
        let errors = check.query(text, "--query").expect_err(text);
        page.errors(&format!("--query '{text}'"), 1, Err(errors));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn expressions() {
    let mut page = Page::default();
    let expressions = [
        "",
        " ",
        "4d6kg3",
        "rank + 1",
        "4d",
        "d6 d6",
        "floor(1/0)",
        "highest",
        "[1,2]",
        "{6:1}",
        "if",
        "2d6 >",
        "2d6 + \"x\"",
        "let a = 1",
    ];
    for text in expressions {
        let errors = oddsmith_rules::expression(text, "<expression>").expect_err(text);
        page.errors(&format!("dist '{text}'"), 1, Err(errors));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn what_is_written_once_and_rolled_twice_is_no_one_value() {
    let rules = r#"
name = "Rolls"
[checks.roll]
rules = """
let raw = 2d6
let hand = 3d6
show total = raw + sum(hand)
"""
[checks.twice]
rules = """
let a = roll()
let b = roll()
let list = [1d6, 1d4]
let half = floor(a.total / 2)
show both = half + b.total + list[1]
"""
"#;
    let model = oddsmith_rules::load("rolls.toml", rules.as_bytes()).expect("it is right");
    let names = |check: &str| -> Vec<String> {
        let check = model.check(check).expect("it is there");
        { check.values().into_iter() }
            .map(|value| value.name)
            .collect()
    };
    assert_eq!(names("roll"), ["total", "raw", "hand"]);
    assert_eq!(names("twice"), ["both", "half"]);
}
