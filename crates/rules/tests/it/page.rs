//! Rendered errors of small rulesets, collected for a snapshot.

use oddsmith_rules::{Diagnostics, Model, load};

/// Errors under their titles.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) text: String,
    /// Titles of cases with more or fewer errors than slips.
    odd: Vec<String>,
}

impl Page {
    pub(crate) fn add(&mut self, title: &str, errors: &str) {
        let lines: Vec<&str> = errors.lines().map(str::trim_end).collect();
        self.text += &format!("## {title}\n{}\n\n", lines.join("\n"));
    }

    /// A result that is exactly `count` errors.
    pub(crate) fn errors(&mut self, title: &str, count: usize, result: Result<(), Diagnostics>) {
        let errors = result.err().map(|errors| errors.0).unwrap_or_default();
        if errors.len() != count {
            self.odd.push(format!("{title}: {} errors", errors.len()));
        }
        self.add(title, &Diagnostics(errors).render(false));
    }

    /// Complains after the snapshot is taken, so that the page can be read.
    pub(crate) fn finish(self) {
        assert_eq!(self.odd, Vec::<String>::new(), "one slip is one error");
    }

    /// A file with one error.
    pub(crate) fn file(&mut self, title: &str, text: &str) {
        self.errors(title, 1, load("game.toml", text.as_bytes()).map(|_| ()));
    }

    /// A check with one error in its rules, beside what [`around`] declares.
    pub(crate) fn rules(&mut self, title: &str, rules: &str) {
        self.file(title, &around(rules));
    }
}

/// The model of a ruleset without errors.
pub(crate) fn good(text: &str) -> Model {
    load("game.toml", text.as_bytes()).unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

/// A ruleset whose check `check` has these rules, beside inputs and functions to use and misuse.
pub(crate) fn around(rules: &str) -> String {
    let wrong = [
        ("set_of(", "set_of = \"(k) => matches(2d6, k)\"\n"),
        ("two(", "two = \"(a) => a + missing_one\"\n"),
        ("sees_rank(", "sees_rank = \"(a) => a + rank\"\n"),
        (
            "nested(",
            "nested = \"(a) => deeper(a)\"\ndeeper = \"(b) => b + missing_one\"\n",
        ),
    ];
    let called = wrong.iter().filter(|(call, _)| rules.contains(call));
    let called: String = called.map(|(_, text)| *text).collect();
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
eldest = "(pool) => highest(pool)"
{called}[checks.check]
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
}
