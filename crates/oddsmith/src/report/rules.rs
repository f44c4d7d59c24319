//! The rules of a check as its ruleset has them.

use oddsmith_rules::layout::Layout;
use oddsmith_rules::{Check, Span};

/// A ruleset's text, and where its tables are.
pub(super) struct Texts<'t> {
    text: &'t str,
    layout: Layout,
}

impl<'t> Texts<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let layout = Layout::of(text);
        Self { text, layout }
    }

    /// The table of a check: its heading, its axes, its script. Comments behind all that are about what follows.
    pub(super) fn of_check(&self, check: &Check) -> &'t str {
        let holds = |whole: Span, part: Span| whole.start <= part.start && part.end <= whole.end;
        let mut keys = self.layout.keys.iter().filter(|key| key.is_last);
        let key = keys.find(|key| holds(key.span, check.span));
        let whole = key.map_or(check.span, |key| key.whole);
        let comments = self.layout.comments.iter().rev();
        let mut table = self.text[whole.start..whole.end].trim_end();
        for comment in comments.filter(|comment| holds(whole, **comment)) {
            let before = self.text[whole.start..comment.start].trim_end_matches([' ', '\t']);
            if whole.start + table.len() != comment.end || !before.ends_with('\n') {
                break;
            }
            table = before.trim_end();
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;

    fn tables(text: &str) -> Vec<&str> {
        let model = oddsmith_rules::load("coins.toml", text.as_bytes()).expect("a ruleset");
        let texts = Texts::of(text);
        { model.checks.iter() }
            .map(|check| texts.of_check(check))
            .collect()
    }

    /// The comments above the next table are about that; those within a table stay.
    #[test]
    fn a_table_ends_before_the_comments_of_the_next_one() {
        let first = "[checks.toss]   # the first\n# Heads or tails.\nrules = '''\n# A coin.\nshow heads = 1d2 == 2\n'''";
        let last = "[checks.again]\nrules = 'show heads = 1d2 == 1'";
        let text = format!("name = 'Coins'\n\n{first}\n\n# ---\n# Another one.\n{last}\n# Over.\n");
        assert_eq!(tables(&text), [first, last]);
    }

    #[test]
    fn a_check_may_stand_in_one_line() {
        let line = "toss = { rules = 'show heads = 1d2 == 2' }";
        let text = format!("name = 'Coins'\n[checks]\n{line}\n# Over.\n");
        assert_eq!(tables(&text), [line]);
    }
}
