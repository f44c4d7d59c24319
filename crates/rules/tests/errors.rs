//! What a designer sees when a ruleset is wrong: each slip is one error, at the word, with a way out.

use oddsmith_rules::{Diagnostics, Model, load, validate};

/// Rendered errors of several small rulesets, under their titles.
#[derive(Default)]
struct Page(String);

impl Page {
    fn add(&mut self, title: &str, errors: &str) {
        assert_eq!(errors.find('\u{1b}'), None, "no colours in {title}");
        let lines: Vec<&str> = errors.lines().map(str::trim_end).collect();
        self.0
            .push_str(&format!("## {title}\n{}\n\n", lines.join("\n")));
    }

    /// The file as it stands has one error.
    fn file(&mut self, title: &str, text: &str) {
        self.errors(title, 1, load("game.toml", text.as_bytes()).map(|_| ()));
    }

    /// So has a check with these rules, with the inputs and functions of [`around`].
    fn rules(&mut self, title: &str, rules: &str) {
        self.file(title, &around(rules));
    }

    /// So has a file that reads well, once its configurations are tried.
    fn deep(&mut self, title: &str, rules: &str) {
        self.errors(title, 1, validate(&good(&around(rules))));
    }

    fn errors(&mut self, title: &str, count: usize, result: Result<(), Diagnostics>) {
        let errors = result.expect_err(title);
        self.add(title, &errors.render(false));
        assert_eq!(errors.0.len(), count, "{title}:\n{}", errors.render(false));
    }
}

fn good(text: &str) -> Model {
    load("game.toml", text.as_bytes()).unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

/// A ruleset whose check `check` has these rules.
fn around(rules: &str) -> String {
    format!(
        r#"name = "Demo"
[params]
cap    = {{ default = 3, domain = "0..=10" }}
ladder = {{ default = [4, 6, 8], domain = "0..=20" }}
mode   = {{ default = "sum", domain = ["sum", "best"] }}
[functions]
half   = "(x) => floor(x / 2)"
share  = "(x, among) => floor(x / among)"
boost  = "(n, sides) => (n)d(sides) kh 1"
two    = "(a) => a + missing_one"
[checks.check]
bands = ["Miss", "Graze", "Hit"]
axes.rank  = {{ default = 2, domain = "-2..=5" }}
axes.banes = {{ default = 1, domain = "0..=4" }}
axes.state = {{ default = "ok", domain = ["ok", "broken"] }}
rules = """
{rules}
show band = Miss
"""
"#
    )
    .replace(
        "two    = \"(a) => a + missing_one\"\n",
        if rules.contains("two(") {
            "two    = \"(a) => a + missing_one\"\n"
        } else {
            ""
        },
    )
}

#[test]
fn names() {
    let mut page = Page::default();
    page.rules("unknown name, near an axis", "show x = 2d6 + rnk");
    page.rules("unknown name, near nothing", "show x = 2d6 + gravitas");
    page.rules(
        "unknown name in a let that is used twice",
        "let a = 2d6 + rnk show x = a + a show y = a",
    );
    page.rules("unknown name in set", "let a = 1 set b = 2 show x = a");
    page.rules("unknown function", "show x = haf(rank)");
    page.rules("unknown built-in", "show x = higest(3d6)");
    page.rules("glued dice", "show x = rankd6");
    page.rules("a function as a value", "show x = half + 1");
    page.rules(
        "unknown label beside an axis",
        "show x = if state == brken then 1 else 0",
    );
    page.rules(
        "unknown label of a quoted word",
        "show x = if state == \"fine\" then 1 else 0",
    );
    page.rules(
        "unknown pattern",
        "show x = match state { ok: 1, brocken: 2 }",
    );
    page.rules("name bound twice", "let rank = 3 show x = rank");
    page.rules("let twice", "let a = 3 let a = 4 show x = a");
    page.rules("unknown name in a function's body", "show x = two(rank)");
    page.rules(
        "unknown name in a requirement of nothing",
        "show x = Miss == Mis",
    );
    page.rules("set of an axis", "set rank = 3 show x = rank");
    page.rules(
        "unknown axis in a call",
        "let c = other(rnk = 3) show x = c.x",
    );
    page.rules("list index by a far name", "show x = ladder[zzz]");
    insta::assert_snapshot!(page.0);
}
