//! Slips in scripts and functions.

use oddsmith_rules::load;

use crate::page::{Page, around};

#[test]
fn names() {
    let cases = [
        ("near an axis", "show x = 2d6 + rnk"),
        ("near nothing", "show x = 2d6 + gravitas"),
        (
            "in a let that is used twice",
            "let a = 2d6 + rnk show x = a + a show y = a",
        ),
        ("set of nothing", "let a = 1 set b = 2 show x = a"),
        ("unknown function", "show x = haf(rank)"),
        ("unknown built-in", "show x = higest(3d6)"),
        ("glued dice", "show x = rankd6"),
        ("a function as a value", "show x = half + 1"),
        (
            "unknown label beside an axis",
            "show x = if state == brken then 1 else 0",
        ),
        (
            "unknown quoted label",
            "show x = if state == \"fine\" then 1 else 0",
        ),
        (
            "unknown label in a pattern",
            "show x = match state { ok: 1, brocken: 2 }",
        ),
        ("a name that an axis has", "let rank = 3 show x = rank"),
        ("let twice", "let a = 3 let a = 4 show x = a"),
        ("a value shown as itself", "let a = 3 show a = a"),
        ("a value shown as another", "let a = 3 show a = a + 1"),
        ("an axis shown as itself", "show rank = rank"),
        ("in a function's body", "show x = two(rank)"),
        ("two calls deep", "show x = nested(rank)"),
        ("an axis in a function", "show x = sees_rank(1)"),
        ("unknown band", "show x = Miss == Mis"),
        ("set of an axis", "set rank = 3 show x = rank"),
        (
            "a check that is not there",
            "let c = other(rank = 3) show x = c.x",
        ),
        ("in an index", "show x = ladder[zzz]"),
        (
            "in a condition, a count and a branch",
            "show x = if 1d6 > 2 then (nope)d6 else 1",
        ),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        page.rules(title, rules);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn types() {
    let cases = [
        ("label where a number is needed", "show x = 2d6 + state"),
        (
            "number where a condition is needed",
            "show x = if rank then 1 else 0",
        ),
        ("number beside `and`", "show x = rank > 1 and banes"),
        ("list where a number is needed", "show x = ladder + 1"),
        ("list shown", "show x = ladder"),
        ("list passed for a number", "show x = half(ladder)"),
        ("comparing different choices", "show x = state == mode"),
        ("comparing a label with a number", "show x = state == 1"),
        ("rolled depth", "show x = 2d6!(1d2)"),
        ("rolled reroll by a let", "let n = 1d6 show x = 2d6 r<n"),
        ("rolled set", "show x = matches(5d6, 1d2)"),
        ("rolled set in a function", "show x = set_of(1d6)"),
        (
            "rolled rounds",
            "let a = 0 repeat 1d6 { set a = a + 1 } show x = a",
        ),
        (
            "branches that differ",
            "show x = if rank > 1 then state else 3",
        ),
        (
            "branch of a function that differs",
            "show x = if rank > 1 then state else half(3)",
        ),
        (
            "arms that differ",
            "show x = match rank { < 1: state, else: 3 }",
        ),
        ("band that is a number", "show total = 2d6"),
        (
            "number as a label's pattern",
            "show x = match state { 1: 1, else: 2 }",
        ),
        (
            "label as a number's pattern",
            "show x = match rank { state: 1, else: 2 }",
        ),
        ("number where dice are needed", "show x = highest(rank + 1)"),
        ("sum where dice are needed", "show x = (2d6 + 1) kh 1"),
        (
            "sum where a function needs dice",
            "show x = eldest(2d6 + 1)",
        ),
        (
            "set to another type",
            "let a = 1 repeat 2 { set a = state } show x = a",
        ),
        (
            "set of dice to a number",
            "let a = 1d6 repeat 2 { set a = 2 } show x = a",
        ),
        ("field of a number", "let a = 1 show x = a.band"),
        ("index of a number", "show x = rank[1]"),
        ("index outside the list", "show x = ladder[3]"),
        ("items of two types", "let a = [1, state] show x = a[0]"),
        ("empty list", "let a = [] show x = 1"),
        ("place of a number", "show x = index(rank)"),
        ("step of a number", "show x = step(rank, 1)"),
        ("too few arguments of a built-in", "show x = clamp(rank, 1)"),
        ("max of one pool", "show x = max(3d6)"),
        ("too few arguments of a function", "show x = share(rank)"),
        ("map by a number", "show x = map(3d6, rank)"),
        ("map by a function of two", "show x = map(3d6, share)"),
        ("show in repeat", "repeat 2 { show x = 1d6 }"),
        ("bag outside draw", "let b = {6: 2} show x = 1"),
        ("draw from a number", "show x = draw(1, 6)"),
        ("named argument of a function", "show x = half(x = 2)"),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        if title.starts_with("band") {
            let text = around(rules).replace("show band = Miss", "show band = total");
            page.file(title, &text);
        } else {
            page.rules(title, rules);
        }
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn matches() {
    let cases = [
        ("overlap", "show x = match 2d6 { 2..=7: 1, 7..=12: 2 }"),
        (
            "overlap of several",
            "show x = match 2d6 { < 8: 1, > 5: 2, else: 3 }",
        ),
        ("gap", "show x = match 2d6 { < 7: 1, > 7: 2 }"),
        (
            "gap of several",
            "show x = match 2d6 { 2..=3: 1, 6..=7: 2 }",
        ),
        (
            "gap of differences",
            "show x = match 2d6 { 2-6: 1, 7 - 12: 2 }",
        ),
        ("gap of labels", "show x = match state { ok: 1 }"),
        (
            "unreachable",
            "show x = match 2d6 { < 10: 1, < 7: 2, else: 3 }",
        ),
        (
            "label twice",
            "show x = match state { ok: 1, ok: 2, broken: 3 }",
        ),
        (
            "gap of a carried value",
            "let a = 0 repeat 2 { set a = 1 } show x = match a { 0..=2: 1 }",
        ),
        (
            "conditions without else",
            "show x = match { rank > 1: 1, rank < 0: 2 }",
        ),
        (
            "pattern without a subject",
            "show x = match { < 3: 1, else: 2 }",
        ),
        ("empty range", "show x = match 2d6 { 7..=2: 1, else: 2 }"),
        ("comma missing", "show x = match 2d6 { < 7: 1 else: 2 }"),
        ("arrows", "show x = match 2d6 { < 7 => 1, else => 2 }"),
        ("no arms", "show x = match 2d6 {}"),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        page.rules(title, rules);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn dice() {
    let cases = [
        ("division by zero", "show x = floor(rank / 0)"),
        ("d0", "show x = 2d0"),
        ("d(0)", "show x = 2d(0)"),
        ("d(-1)", "show x = 2d(-1)"),
        ("negative count", "show x = (-1)d6"),
        ("negative keep", "show x = 4d6 kh (-1)"),
        ("negative highest", "show x = highest(4d6, -1)"),
        ("negative depth", "show x = 4d6!(-1)"),
        ("the zeroth die", "show x = nth(4d6, 0)"),
        ("the zeroth set", "show x = matches(4d6, 0)"),
        ("endless explosion", "show x = 4d6!"),
        ("bare division", "show x = rank / 2"),
        ("two dice in a row", "show x = 2d6d6"),
        ("chained comparison", "show x = 1 < 2d6 < 7"),
        ("no face", "show x = 1d{}"),
        ("empty range of faces", "show x = 1d{3..=1}"),
        ("negative weight", "show x = 1d{1: -1, 2}"),
        ("wrong order", "show x = 4d6kh3r<2"),
        ("keep, then add", "let n = 2 show x = 4d6 kh n + 1"),
        ("kg for kh", "show x = 4d6kg3"),
        ("d without sides", "show x = 4d"),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        page.rules(title, rules);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn brackets_and_statements() {
    let cases = [
        ("unterminated (", "show x = (2d6 + 1"),
        ("unterminated [", "show x = ladder[1 + rank"),
        ("unterminated {", "show x = match rank { < 1: 1, else: 2"),
        ("one bracket too many", "show x = 2d6)"),
        ("no statement", "2d6 + 1"),
        ("name without let", "x = 2d6"),
        ("let without a value", "let x ="),
        ("two equals signs", "let x == 2"),
        ("if without else", "show x = if rank > 1 then 2"),
        ("keyword as a name", "let if = 2"),
        (
            "unterminated label",
            "show x = if state == \"ok then 1 else 2",
        ),
        ("strange character", "show x = rank § 2"),
        ("curly quotes", "show x = if state == “ok” then 1 else 2"),
        ("a number too large", "show x = 99999999999999999999"),
        (
            "repeat without end",
            "let a = 0 repeat until a > 3 { set a = a + 1 } show x = a",
        ),
        (
            "repeat without end, and a slip in it",
            "let a = 0 repeat until a > 3 { set a = rnk } show x = a",
        ),
    ];
    let mut page = Page::default();
    for (title, rules) in cases {
        let slips = 1 + usize::from(title.contains("and a slip"));
        let result = load("game.toml", around(rules).as_bytes()).map(|_| ());
        page.errors(title, slips, result);
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn calls() {
    let checks = |first: &str, second: &str| {
        let skill = "axes.skill = { default = 0, domain = \"0..=9\" }";
        let edge = "axes.edge = { default = \"none\", domain = [\"none\", \"some\"] }";
        format!(
            "name = \"Demo\"\n\
             [checks.first]\n{skill}\n{edge}\nrules = \"{first}\"\n\
             [checks.second]\n{skill}\nrules = \"{second}\"\n"
        )
    };
    let shows = "show x = skill";
    let cases = [
        ("unknown axis", shows, "show y = first(skil = 3).x"),
        (
            "unknown axis, near nothing",
            shows,
            "show y = first(gravitas = 3).x",
        ),
        (
            "axis given twice",
            shows,
            "show y = first(skill = 3, skill = 4).x",
        ),
        ("axis by place", shows, "show y = first(3).x"),
        (
            "axis of the wrong type",
            shows,
            "show y = first(edge = 3).x",
        ),
        (
            "unknown label of an axis",
            shows,
            "show y = first(edge = sone).x",
        ),
        (
            "unknown field",
            "show total = skill",
            "show y = first(..).totl",
        ),
        ("a result used whole", shows, "show y = first(..)"),
        ("a result added", shows, "let c = first(..) show y = c + 1"),
        (
            "a check that plays itself",
            "show x = first(..).x",
            "show y = skill",
        ),
        (
            "checks that play each other",
            "show x = second(..).y",
            "show y = first(..).x",
        ),
        (
            "an error in a called check",
            "show x = skil",
            "show y = first(..).x",
        ),
    ];
    let mut page = Page::default();
    for (title, first, second) in cases {
        page.file(title, &checks(first, second));
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn functions() {
    let cases = [
        (
            "calls itself",
            "f = \"(n) => if n > 0 then f(n - 1) else 0\"",
            "1",
        ),
        (
            "calls itself and is called",
            "f = \"(n) => if n > 0 then f(n - 1) else 0\"",
            "f(3)",
        ),
        (
            "call each other",
            "f = \"(n) => g(n)\"\ng = \"(n) => f(n)\"",
            "f(1)",
        ),
        ("named like a built-in", "max = \"(n) => n\"", "1"),
        (
            "named like what can be chosen",
            "subsets = \"(n) => n\"",
            "1",
        ),
        ("no parameters", "f = \"n + 1\"", "1"),
        ("a parameter twice", "f = \"(n, n) => n\"", "1"),
        (
            "unknown name, not called",
            "f = \"(amount) => amuont + 1\"",
            "1",
        ),
        (
            "unknown name, called twice",
            "f = \"(amount) => amuont + 1\"",
            "f(1) + f(2)",
        ),
        ("gives a list", "f = \"(n) => [n, 1]\"", "f(1)"),
        ("a number", "f = 3", "1"),
        ("body does not read", "f = \"(n) => n +\"", "f(1)"),
        ("body does not read, not called", "f = \"(n) => (n\"", "1"),
    ];
    let mut page = Page::default();
    for (title, functions, value) in cases {
        let check = format!("[checks.check]\nrules = \"show x = {value}\"\n");
        page.file(
            title,
            &format!("name = \"Demo\"\n[functions]\n{functions}\n{check}"),
        );
    }
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// What `..` has nothing to pass on from, or can't.
#[test]
fn axes_passed_on() {
    let called = |labels: &str, rest: &str| {
        format!(
            r#"name = "Calls"
[checks.inner]
axes.mood = {{ default = "calm", domain = ["calm", "angry"] }}
rules = "show x = if mood == angry then 1 else 0"
{rest}
[checks.outer]
axes.mood = {{ default = {labels} }}
rules = "show y = inner(..).x"
"#
        )
    };
    let same = r#""angry", domain = ["calm", "angry"]"#;
    let function =
        "[functions]\nf = \"(mood) => inner(..).x\"\n[checks.through]\nrules = \"show z = f(1)\"";
    let mut page = Page::default();
    page.errors(
        "the same labels",
        0,
        load("game.toml", called(same, "").as_bytes()).map(|_| ()),
    );
    page.file(
        "another order of labels",
        &called(r#""angry", domain = ["angry", "calm"]"#, ""),
    );
    page.file("a number", &called(r#"1, domain = "0..=1""#, ""));
    page.file("a function", &called(same, function));
    insta::assert_snapshot!(page.text);
    page.finish();
}

/// Nothing is above the highest number, nor below the lowest.
#[test]
fn arms_at_the_ends_of_the_numbers() {
    let arms = |arms: &str| {
        let axis =
            "axes.n = { default = 0, domain = \"-9223372036854775808..=9223372036854775807\" }";
        format!(
            "name = \"Ends\"\n[checks.check]\n{axis}\nrules = 'show x = match n {{ {arms} }}'\n"
        )
    };
    let mut page = Page::default();
    page.file(
        "above the highest",
        &arms("<= 9223372036854775806: 1, > 9223372036854775807: 2"),
    );
    page.file(
        "below the lowest",
        &arms("> -9223372036854775807 - 1: 1, < -9223372036854775807 - 1: 2"),
    );
    page.errors(
        "all",
        0,
        load(
            "game.toml",
            arms("> -9223372036854775807 - 1: 1, <= -9223372036854775807 - 1: 2").as_bytes(),
        )
        .map(|_| ()),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}
