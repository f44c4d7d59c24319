//! One choice.

use oddsmith_exact::{Budget, Decision, decisions};
use oddsmith_rules::Check;

use super::{agree_in, all_agree, all_complaints, check_of};
use crate::support::{model_of, report};

#[test]
fn after_a_roll() {
    all_agree(&[
        (
            "4 * hit - cost",
            "let raw = 2d4 choose spend in 0..=2 show cost = spend show hit = raw + spend >= 6",
        ),
        (
            "worth[band] - cost",
            "let raw = 2d3 choose spend in 0..=2 show cost = spend show band = grade(raw + spend)",
        ),
        (
            "band == High",
            "let raw = 2d3 choose spend in 0..=1 let more = d2 show cost = spend show band = grade(raw + spend * more)",
        ),
        (
            "total",
            "let old = d6 choose yes in 0..=1 show total = if yes == 1 then d6 else old show used = yes",
        ),
        (
            "total - used",
            "let old = d4 choose yes in 0..=1 show total = again(old, yes) show used = yes",
        ),
        (
            "-abs(total - 4)",
            "let a = d4 choose n in 0..=2 show total = a + (n)d3 show thrown = n",
        ),
        (
            "total",
            "let a = d4 choose n in -2..=2 where a + n <= 4 show total = 3 * n - n * n show best = n",
        ),
        (
            "3 * (total == 5) - cost",
            "let a = d3 let b = d3 choose n in 0..=3 where n <= a show total = b + n show cost = n",
        ),
        (
            "if win then prize else 0 - cost",
            "let a = d4 choose n in 0..=k show win = a + n + d2 >= 5 show cost = n",
        ),
        (
            "total",
            "let p = 3d3 choose low in 0..=1 show total = if low == 1 then 7 - lowest(p) * 2 else highest(p) show took = low",
        ),
        (
            "total",
            "let a = d4 choose n in 0..=2 show total = if n == 0 then a else if n == 1 then 5 - a else 3 show took = n show first = a",
        ),
        (
            "got",
            "let a = d3 choose n in a..=2 * a show got = n * (5 - n) show from = a",
        ),
    ]);
}

/// What stands before a choice is known to the chooser, also what is read once, and only after it.
#[test]
fn known_and_hidden() {
    all_agree(&[
        (
            "got",
            "let a = d4 choose n in 0..=1 show got = if n == 1 then a else 2",
        ),
        (
            "got",
            "choose n in 0..=1 let a = d4 show got = if n == 1 then a else 2",
        ),
        (
            "got",
            "let a = d4 let b = a - 2 choose n in 0..=1 show got = n * b",
        ),
        (
            "got",
            "let a = d4 choose n in 0..=1 let b = a - 2 show got = n * b",
        ),
        (
            "got",
            "let a = 2d3 choose n in 0..=1 let b = d4 show got = if n == 1 then a else b",
        ),
        (
            "got",
            "choose n in 0..=1 let a = 2d3 let b = d4 show got = if n == 1 then a else b + 1",
        ),
        (
            "got",
            "let p = 2d4 choose n in 0..=1 show got = if n == 1 then highest(p) else 3",
        ),
        (
            "got",
            "choose n in 0..=1 let p = 2d4 show got = if n == 1 then highest(p) else 3",
        ),
        (
            "got",
            "let p = 3d3 choose n in 0..=1 show got = if n == 1 then highest(p) else count(p, 2) + 1 show two = matches(p)",
        ),
        (
            "got",
            "choose n in 0..=1 let p = 3d3 show got = if n == 1 then highest(p) else count(p, 2) + 1 show two = matches(p)",
        ),
        (
            "got",
            "let p = 3d3 let top = highest(p) choose n in 0..=1 let twos = count(p, 2) show got = if n == 1 then top else 2 * twos",
        ),
        (
            "got",
            "let p = 3d3 let q = p kh 2 choose n in 0..=1 show got = if n == 1 then q else 9 - sum(p)",
        ),
        (
            "got",
            "let p = 2d3 let q = 2d3 choose n in 0..=1 let r = if n == 1 then p else q show got = highest(r) show low = lowest(r)",
        ),
        (
            "got",
            "let p = 2d3 choose n in 0..=1 let q = 2d3 let r = if n == 1 then p else q show got = highest(r) show low = lowest(r)",
        ),
        (
            "got",
            "let a = d4 let b = d4 choose n in 0..=1 show got = if n == 1 then max(a, b) else d4 + 1 show both = a == b",
        ),
        (
            "got",
            "let a = (k)d3 choose n in 0..=1 let b = 2d[a + 0] show got = if n == 1 then b else 4",
        ),
        (
            "got",
            "let n1 = d3 choose n in 0..=2 let p = (n1)d2 show got = if n == 0 then sum(p) else if n == 1 then 3 else 2 * count(p, 2)",
        ),
        (
            "got",
            "let p = draw(2, {1: 2, 3: 1, 6: 1}) choose n in 0..=1 show got = if n == 1 then sum(p) else highest(p) + 2",
        ),
        (
            "got",
            "let a = d3 let x = 1 set x = x + a choose n in 0..=1 set x = x - n * 3 show got = abs(x)",
        ),
        (
            "got",
            "let x = sum(d3) choose n in 0..=1 set x = if n == 1 then d4 else x show got = x",
        ),
        (
            "got",
            "let a = d4 let i = a - 1 choose n in 0..=1 show got = [n * 3, 2, d3 + n, 1 - n][i]",
        ),
        (
            "got",
            "let w = 2d3 choose n in 0..=1 let v = 2d3 show got = if n == 1 then wins(w, v) else 1",
        ),
    ]);
}

#[test]
fn ties() {
    all_agree(&[
        (
            "sum",
            "let a = d3 choose n in 0..=2 show sum = a show took = n",
        ),
        (
            "sum",
            "let a = d3 choose n in -1..=1 show sum = abs(n) + a show took = n",
        ),
        (
            "good",
            "let a = d4 choose n in 0..=3 show good = a + n >= 4 show took = n",
        ),
        (
            "sum",
            "let p = 2d3 choose kept in subsets(p) where size(kept) == 1 show sum = size(kept) show face = kept show other = p - kept",
        ),
        (
            "sum",
            "let p = 3d2 choose kept in subsets(p) show sum = min(2, kept) show n = size(kept) show face = highest(kept)",
        ),
        (
            "even",
            "let p = 3d3 choose kept in subsets(p) where size(kept) >= 1 show even = sum(kept) == 3 or sum(kept) == 5 show n = size(kept) show face = kept",
        ),
        (
            "0",
            "let a = d3 choose n in 1..=3 where n != a show took = n show first = a",
        ),
        ("prize + k", "let a = d3 choose n in 0..=a show took = n"),
        (
            "got",
            "choose n in 0..=2 let a = if n == 0 then 1d{1:1, 2:2} else if n == 1 then 1d{1:2, 2:4} else 1d{1:3, 2:5} show got = a show took = n",
        ),
        // One that is better by a hair.
        (
            "got",
            "choose n in 0..=1 let a = d4 let b = 1d{1:9, 2:10, 3:10, 4:11} show got = if n == 1 then b else a show took = n",
        ),
    ]);
}

#[test]
fn set_later() {
    all_agree(&[
        (
            "got",
            "let a = d3 choose n in 0..=2 set n = n + d2 show got = -abs(a - n) show left = n",
        ),
        (
            "got",
            "let a = d3 choose n in 0..=2 let old = n set n = n * 2 show got = if a + n == 5 then 4 else -old show last = n",
        ),
        (
            "got",
            "let t = 0 repeat 2 { choose n in 0..=2 set n = n + d2 set t = t + n * n } show got = if t > 8 then 0 else t",
        ),
        (
            "got",
            "let a = sum(d4) choose n in 0..=1 let c = 2 set c = if n == 1 then c + a else c set a = c show got = a * (4 - a)",
        ),
    ]);
}

#[test]
fn what_is_striven_for() {
    agree_in(
        &["", "k=0", "k=3 prize=8", "worth[1]=9"],
        &[
            (
                "prize * hit - k * cost",
                "let a = d4 choose n in 0..=2 show cost = n show hit = a + n >= 4",
            ),
            (
                "worth[band]",
                "let a = 2d3 choose n in 0..=1 show band = grade(if n == 1 then d6 else a)",
            ),
            (
                "band != Mid and not other",
                "let a = 2d3 choose n in 0..=k show band = grade(a - n) show other = a == 3",
            ),
            ("k", "let a = d3 choose n in 0..=k show took = n + a"),
            (
                "hit",
                "let a = d3 let m = k choose n in 0..=m where n < 3 or m == 3 show hit = a + n == 4 show took = n",
            ),
            (
                "got",
                "let a = d4 choose n in 0..=(if k == 3 then 2 else 0) show got = if a + n > 3 then 2 else -n",
            ),
        ],
    );
}

/// A goal that is not the file's is striven for in the same way.
#[test]
fn another_goal() {
    let scripts = [
        "let a = d4 choose n in 0..=2 let b = d2 show total = a + n * b show cost = n",
        "let p = 2d3 choose kept in subsets(p) show total = {kept, (2 - size(kept))d3} show cost = 2 - size(kept)",
        "let t = 0 repeat 2 { choose n in 0..=1 set t = t + n * (d4 - 1) } show total = t show cost = spender(skill = t).paid",
    ];
    let goals = ["-cost", "total == 4", "total - k * cost", "abs(total - 3)"];
    let mut complaints = Vec::new();
    for script in scripts {
        let check = check_of("total", script);
        for goal in goals {
            let check = check.with_goal(goal, "goal").expect("a goal");
            if let Err(complaint) = all_complaints(&check, "") {
                complaints.push(format!("{goal}: {script}\n  => {complaint}"));
            }
        }
    }
    report(&complaints);
}

fn table(check: &Check) -> Decision {
    let found = decisions(check, &check.defaults(), &Budget::unlimited());
    let found = found.expect("a policy");
    found.into_iter().next().expect("one choice")
}

/// Tables say what is seen in the words of the rules.
#[test]
fn what_is_seen() {
    let names = |script: &str| -> Vec<String> {
        let table = table(&check_of("got", script));
        table.seen.into_iter().map(|seen| seen.name).collect()
    };
    let script = "let a = d4 choose n in 0..=1 show got = if n == 1 then a else 2";
    assert_eq!(names(script), ["a"]);
    let script =
        "let p = 2d3 choose n in 0..=1 show got = if n == 1 then highest(p) else count(p, 2) + 1";
    assert_eq!(names(script), ["highest(p)", "count(p, 2)"]);
    let script =
        "let p = 2d3 choose kept in subsets(p) show got = if size(kept) == 1 then kept else 0";
    assert_eq!(names(script), ["p"]);
    // What is known and makes no difference is not in the table.
    let script = "let a = d4 let b = d4 choose n in 0..=1 show got = (if n == 1 then a else 2) + b";
    assert_eq!(names(script), ["a"]);
    assert_eq!(
        names("choose n in 0..=1 let a = d4 show got = if n == 1 then a else 2"),
        [""; 0]
    );
}

#[test]
fn labels_that_are_seen() {
    let model = model_of(
        r#"
name = "Test"
[checks.roll]
bands = ["low", "mid", "high"]
rules = "show band = match d4 { 1: low, 2: mid, else: high }"
[checks.main]
maximise = "got"
rules = """
let r = roll(..)
choose n in 0..=1
show got = if r.band == high then n else 2 - 2 * n
"""
"#,
    );
    let table = table(model.check("main").expect("it is there"));
    let [seen] = &table.seen[..] else {
        panic!("{table:?}")
    };
    let labels = seen.labels.as_ref().map(|choice| choice.labels().join(" "));
    assert_eq!(labels.as_deref(), Some("low mid high"));
    let rows: Vec<String> = table
        .rows
        .iter()
        .map(|row| {
            let (p, worth, lead) = (
                &row.probability,
                &row.worth,
                row.lead.as_ref().expect("two options"),
            );
            format!("{:?} {:?} {p} {worth} {lead}", row.seen[0], row.chosen)
        })
        .collect();
    let expected = [
        "Number(0) Number(0) 1/4 2 2",
        "Number(1) Number(0) 1/4 2 2",
        "Number(2) Number(1) 1/2 1 1",
    ];
    assert_eq!(rows, expected);
}

/// A choice that does not matter to what is asked is not made.
#[test]
fn choices_that_do_not_matter() {
    all_agree(&[
        ("x", "let a = d3 choose n in 0..=2 show x = a show y = d4"),
        (
            "x",
            "let a = d3 choose n in 0..=2 show x = n * a show y = d4",
        ),
        (
            "x",
            "let a = sum(d3) choose n in 0..=1 let b = n show x = a repeat 2 { choose m in 0..=1 set a = a + m * 0 } show y = a + b",
        ),
        (
            "x",
            "choose n in 3..=3 let a = d3 choose m in 0..=(a - a) show x = n + m + a",
        ),
    ]);
}
