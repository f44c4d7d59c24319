//! Lists that change, and `for`: what they come to without a die, and what is said of slips.

use oddsmith_rules::program::{Statement, Variable};
use oddsmith_rules::{Check, load, value_once_rolled};

use crate::page::{Page, around, good};

/// What `show x = …` of rules without dice comes to at the defaults.
fn shown(rules: &str) -> i64 {
    let model = good(&around(rules));
    let check = model.check("check").expect("it is there");
    let config = check.defaults();
    let outcome = check.outcomes.iter().find(|shown| shown.name == "x");
    let var = outcome.expect("`x` is shown").var;
    let mut values = vec![None; check.program().variables().len()];
    for statement in check.program().statements() {
        let (Statement::Let { var, value } | Statement::Set { var, value }) = statement else {
            panic!("only `let` and `set` are left: {rules}");
        };
        let known = value_once_rolled(value, &config, &|var| values[var.0]);
        values[var.0] = Some(known.unwrap_or_else(|error| panic!("{error}: {rules}")));
    }
    values[var.0].expect("it is bound")
}

#[test]
fn items_change_one_by_one_and_all_at_once() {
    let cases = [
        (
            "let hp = [8, 6] set hp[1] = 2 show x = 10 * hp[0] + hp[1]",
            82,
        ),
        ("let hp = [8: 3] show x = sum(hp) + 100 * size(hp)", 324),
        (
            "let hp = [1: 2, 5, 7: 3] show x = sum(hp) + 100 * size(hp)",
            628,
        ),
        // A place that an axis decides.
        ("let hp = [1, 2, 4] set hp[banes] = 9 show x = sum(hp)", 14),
        (
            "let hp = [1, 2, 4] set hp[banes] = hp[banes] + 1 show x = sum(hp)",
            8,
        ),
        (
            "let hp = [1, 2, 4] let at = 0 set at = at + 2 set hp[at] = 0 show x = sum(hp)",
            3,
        ),
        // The place is what it was before: an item may decide it.
        ("let hp = [1, 2, 4] set hp[hp[0]] = 0 show x = sum(hp)", 5),
        // All at once.
        (
            "let a = [1, 2] set a = [a[1], a[0]] show x = 10 * a[0] + a[1]",
            21,
        ),
        ("let a = ladder set a[0] = 1 show x = 10 * a[0] + a[1]", 16),
        (
            "let a = ladder set a = [0: 3] show x = sum(a) + sum(ladder)",
            18,
        ),
        // Labels and conditions.
        (
            "let a = [state, broken] set a[0] = broken show x = count(a, broken)",
            2,
        ),
        (
            "let a = [true, false] set a[1] = rank > 1 show x = count(a, true)",
            2,
        ),
        ("let a = [ok, state] show x = index(a, broken)", 2),
    ];
    for (rules, expected) in cases {
        assert_eq!(shown(rules), expected, "{rules}");
    }
}

#[test]
fn what_is_read_of_lists() {
    let cases = [
        ("show x = highest([3, 7, 5])", 7),
        ("show x = lowest([3, 7, 5])", 3),
        ("show x = count([3, 7, 5], >= 5)", 2),
        ("show x = count([3, 7, 5], 4..=6)", 1),
        ("show x = count([3, 7, 5], 7)", 1),
        ("show x = index([3, 7, 5], > 4)", 1),
        ("show x = index([3, 7, 5], 5)", 2),
        ("show x = index([3, 7, 5], 4)", 3),
        ("show x = size(ladder)", 3),
        (
            "let a = sorted([3, 7, 5, 7, 1]) show x = 10000 * a[0] + 1000 * a[1] + 100 * a[2] + 10 * a[3] + a[4]",
            77531,
        ),
        (
            "let a = [1, 2, 3] set a = sorted(a) show x = 100 * a[0] + 10 * a[1] + a[2]",
            321,
        ),
        ("let a = [4] set a = sorted(a) show x = a[0]", 4),
        ("let a = sorted([ok, broken]) show x = index(a[0])", 1),
    ];
    for (rules, expected) in cases {
        assert_eq!(shown(rules), expected, "{rules}");
    }
}

#[test]
fn passes_go_through_a_range_in_order() {
    let cases = [
        (
            "let n = 0 for i in 0..=3 { set n = 10 * n + i } show x = n",
            123,
        ),
        (
            "let n = 0 for i in -1..=1 { set n = n + i * i } show x = n",
            2,
        ),
        (
            "let n = 7 for i in 0..=size(ladder) - 1 { set n = n + ladder[i] } show x = n",
            25,
        ),
        (
            "let n = 0 for i in 0..=2 { for j in i + 1..=2 { set n = 100 * n + 10 * i + j } } show x = n",
            10_212,
        ),
        (
            "let n = 5 for i in 1..=size([1]) - 1 { set n = 0 } show x = n",
            5,
        ),
        (
            "let n = 0 for i in 0..=2 { let m = n + 1 set n = m * 2 } show x = n",
            14,
        ),
        (
            "let n = 0 for i in 0..=1 { let m = i set n = n + m } let m = 3 let i = 4 show x = n + m + i",
            8,
        ),
        (
            "let hp = [3, 0, 5] let n = 0 for i in 0..=2 { set n = n + (if hp[i] > 0 then 1 else 0) } show x = n",
            2,
        ),
        (
            "let hp = [5: 3] for i in 0..=2 { set hp[i] = hp[i] - i } show x = 100 * hp[0] + 10 * hp[1] + hp[2]",
            543,
        ),
        (
            "let n = 0 for i in 1..=2 { set n = n + half(2 * i) } show x = n",
            3,
        ),
        (
            "let k = 2 let n = 0 for i in k..=k + 1 { set n = n + i } show x = n",
            5,
        ),
    ];
    for (rules, expected) in cases {
        assert_eq!(shown(rules), expected, "{rules}");
    }
}

/// The names of the variables that a check changes.
fn changed(check: &Check) -> Vec<&str> {
    let variables = check.program().variables().iter();
    let mutable = variables.filter(|variable| variable.is_mutable());
    mutable.map(Variable::name).collect()
}

#[test]
fn an_item_is_a_variable_with_its_place_in_its_name() {
    let rules = "let hp = [8: 2] let other = [1, 2] set hp[0] = 3 show x = sum(hp) + sum(other)";
    let model = good(&around(rules));
    let check = model.check("check").expect("it is there");
    assert_eq!(changed(check), ["hp[0]", "hp[1]"]);
}

#[test]
fn a_check_that_is_played_may_go_through_a_range_that_the_call_decides() {
    let text = around("let c = sides(members = 3) show x = c.all")
        + "[checks.sides]\naxes.members = { default = 1, domain = \"1..=4\" }\nrules = \"\"\"\nlet n = 0\n\
           for i in 1..=members { set n = n + i }\nshow all = n\n\"\"\"\n";
    let errors = load("game.toml", text.as_bytes())
        .expect_err("by itself it has no end")
        .to_string();
    assert!(
        errors.contains("the range of a `for` is known before"),
        "{errors}"
    );
}

#[test]
fn slips_with_lists() {
    let cases = [
        (
            "an item outside",
            "let hp = [8: 3] set hp[3] = 1 show x = hp[0]",
        ),
        (
            "an item below the first",
            "let hp = [8: 3] set hp[-1] = 1 show x = hp[0]",
        ),
        (
            "outside by the name of a pass",
            "let hp = [8: 3] for i in 1..=3 { set hp[i] = 1 } show x = hp[0]",
        ),
        (
            "an item of a number",
            "let hp = 8 set hp[0] = 1 show x = hp",
        ),
        (
            "an item of a pool",
            "let hp = 2d6 set hp[0] = 1 show x = hp",
        ),
        (
            "an item of nothing",
            "let hp = [8: 3] set hq[0] = 1 show x = hp[0]",
        ),
        (
            "an item of a parameter",
            "set ladder[0] = 1 show x = ladder[0]",
        ),
        (
            "an item of another type",
            "let hp = [8: 3] set hp[0] = state show x = hp[0]",
        ),
        (
            "an item of a list of labels",
            "let hp = [state, state] set hp[0] = 1 show x = index(hp[0])",
        ),
        (
            "a place that is a list",
            "let hp = [8: 3] set hp[hp] = 1 show x = hp[0]",
        ),
        (
            "a list set to a number",
            "let hp = [8: 3] set hp = 0 show x = hp[0]",
        ),
        (
            "a list set to dice",
            "let hp = [8: 3] set hp = 3d6 show x = hp[0]",
        ),
        (
            "a number set to a list",
            "let hp = 8 set hp = [8: 3] show x = hp",
        ),
        (
            "another length",
            "let hp = [8: 3] set hp = [8: 2] show x = hp[0]",
        ),
        (
            "other items",
            "let hp = [8: 3] set hp = [state: 3] show x = hp[0]",
        ),
        ("a list compared", "let hp = [8: 3] show x = hp > 0"),
        ("a list shown", "let hp = [8: 3] show hp"),
        ("a list as dice", "let hp = [8: 3] show x = matches(hp)"),
        ("labels added up", "show x = sum([state, state])"),
        (
            "two items at once",
            "let hp = [8: 3] show x = highest(hp, 2)",
        ),
        (
            "labels counted by a number",
            "let hp = [state, state] show x = count(hp, 1)",
        ),
        ("a rolled length", "let hp = [8: 1d3] show x = hp[0]"),
        ("a length by an axis", "let hp = [8: rank] show x = hp[0]"),
        ("no items", "let hp = [8: 0] show x = 1"),
        ("too many items", "let hp = [8: 100000] show x = 1"),
        ("a let of an item", "let hp[0] = 8 show x = 1"),
        ("a show of an item", "let hp = [8: 3] show hp[0]"),
        (
            "an item without set",
            "let hp = [8: 3] hp[0] = 1 show x = hp[0]",
        ),
        ("sorted dice", "let hp = sorted(3d6) show x = hp[0]"),
        (
            "sorted in an expression",
            "let hp = [8: 3] show x = sorted(hp)[0]",
        ),
        ("sorted by two", "let hp = sorted([8: 3], 2) show x = hp[0]"),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        page.rules(title, rules);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn slips_with_passes() {
    let many = "let n = 0 for i in 1..=5000 { for j in 1..=5000 { set n = n + 1 } } show x = n";
    let cases = [
        (
            "a rolled end",
            "let n = 0 for i in 0..=1d6 { set n = i } show x = n",
        ),
        (
            "an end by an axis",
            "let n = 0 for i in 0..=rank { set n = i } show x = n",
        ),
        (
            "an end by a parameter",
            "let n = 0 for i in 0..=cap { set n = i } show x = n",
        ),
        (
            "an end that changes",
            "let n = 1 for i in 0..=n { set n = i } show x = n",
        ),
        (
            "an end that is a label",
            "let n = 0 for i in 0..=state { set n = i } show x = n",
        ),
        (
            "an empty range",
            "let n = 0 for i in 2..=0 { set n = i } show x = n",
        ),
        (
            "through a list",
            "let hp = [8: 3] let n = 0 for i in hp { set n = i } show x = n",
        ),
        (
            "one number",
            "let n = 0 for i in 3 { set n = i } show x = n",
        ),
        (
            "an open range",
            "let n = 0 for i in 0..3 { set n = i } show x = n",
        ),
        (
            "without `in`",
            "let n = 0 for i 0..=3 { set n = i } show x = n",
        ),
        (
            "without a range",
            "let n = 0 for i in { set n = i } show x = n",
        ),
        (
            "without a name",
            "let n = 0 for 0..=3 { set n = n + 1 } show x = n",
        ),
        (
            "without a block",
            "let n = 0 for i in 0..=3 set n = 1 show x = n",
        ),
        (
            "misspelt",
            "let n = 0 fro i in 0..=3 { set n = i } show x = n",
        ),
        (
            "a name twice",
            "let i = 0 for i in 0..=3 { set i = 1 } show x = i",
        ),
        (
            "the name set",
            "let n = 0 for i in 0..=3 { set i = 1 } show x = n",
        ),
        (
            "the name afterwards",
            "let n = 0 for i in 0..=3 { set n = i } show x = i",
        ),
        (
            "a let of a pass afterwards",
            "let n = 0 for i in 0..=3 { let m = i set n = m } show x = m",
        ),
        (
            "a slip in the block",
            "let n = 0 for i in 0..=3 { set n = nn + i } show x = n",
        ),
        ("shown in a pass", "for i in 0..=3 { show x = i }"),
        (
            "too many passes",
            "let n = 0 for i in 1..=20000 { set n = i } show x = n",
        ),
        ("too many passes of passes", many),
        ("an axis called so", "let for = 1 show x = 1"),
        (
            "as in other languages",
            "let n = 0\nfor (i = 0; i < 3; i++) { set n = i }\nshow x = n",
        ),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        page.rules(title, rules);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}
