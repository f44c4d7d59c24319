//! Ids of findings: a rule, and then what it names.

use oddsmith_rules::{LintRule, Span};

use crate::language::completion::items::Items;
use crate::language::completion::{CompletionKind, Site};

impl Site<'_> {
    /// The part of an id that the cursor is in.
    pub(super) fn finding(&self, text: Span) -> Items<'_> {
        let before = &self.source()[text.start..self.offset];
        let start = text.start + before.rfind(['/', '+']).map_or(0, |at| at + 1);
        let rest = &self.source()[self.offset..text.end];
        let end = self.offset + rest.find(['/', '+']).unwrap_or(rest.len());
        let mut items = self.items(Span::new(start, end));
        let parts: Vec<&str> = before.split('/').collect();
        match parts.as_slice() {
            [_] => {
                for (name, rule) in LintRule::ALL {
                    items.add(name, CompletionKind::Value, name, (&rule.form(), ""));
                }
            }
            [rule, _] if *rule == LintRule::Reading.name() => {
                items.symbols(self.params());
            }
            [_, _] => items.symbols(self.checks()),
            [rule, check, ..] => self.offer_parts(rule, check, parts.len(), &mut items),
            [] => {}
        }
        if parts.len() > 1 {
            let help = "Any one part.";
            items.add("*", CompletionKind::Value, "*", ("anything", help));
        }
        items
    }

    /// What stands behind the check of an id.
    fn offer_parts(&self, rule: &str, check: &str, parts: usize, items: &mut Items<'_>) {
        let is_unreachable = rule == LintRule::Unreachable.name();
        if parts == 3 && !is_unreachable {
            items.symbols(self.axes(check));
            if rule == LintRule::Sign.name() {
                items.symbols(self.params());
            }
            return;
        }
        if rule == LintRule::Dominated.name() {
            return items.symbols(self.labels(check));
        }
        items.symbols(self.shown(check));
        if is_unreachable {
            items.symbols(self.bands(check));
        }
    }
}
