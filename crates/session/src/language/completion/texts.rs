//! Settings, ranges and single names in texts.

use oddsmith_rules::index::Symbol;
use oddsmith_rules::layout::Step;
use oddsmith_rules::{Holds, Span};

use crate::language::completion::items::Items;
use crate::language::completion::{CompletionKind, Site};

impl Site<'_> {
    /// `NAME=VALUE`, `AXIS`, `AXIS=VALUES`.
    pub(super) fn setting(&self, path: &[Step], text: Span, holds: Holds) -> Items<'_> {
        let word = self.word(text);
        let mut items = self.items(word);
        let check = self.about(path).unwrap_or_default();
        let written = &self.source()[text.start..self.offset];
        if let Some((name, _)) = written.split_once('=') {
            self.offer_values(&check, name.trim(), holds, &mut items);
            return items;
        }
        let key = path.iter().rev().find_map(Step::key).unwrap_or_default();
        if key == "x" && path.first().and_then(Step::key) == Some("charts") {
            items.symbols(self.shown(&check));
        }
        let axes = self
            .axes(&check)
            .into_iter()
            .filter(|_| holds != Holds::Dial);
        let inputs: Vec<&Symbol> = axes.chain(self.params()).collect();
        for input in inputs {
            match holds {
                Holds::Setting => items.symbol_as(input, &format!("{}=", input.name)),
                _ => items.symbol(input),
            }
        }
        if key == "sweep" {
            let help = "Every axis with a `sweep`.";
            items.add("all", CompletionKind::Value, "all", ("every axis", help));
        }
        items
    }

    /// The values of an input.
    fn offer_values(&self, check: &str, name: &str, holds: Holds, items: &mut Items<'_>) {
        let base = name.split('[').next().unwrap_or_default().trim();
        let inputs = self.axes(check).into_iter().chain(self.params());
        let input = inputs.into_iter().find(|input| input.name == base);
        for label in input.map_or(Vec::new(), |input| self.labels_of(input)) {
            items.symbol(label);
        }
        if holds != Holds::Setting {
            let help = "All values of its domain.";
            items.add("all", CompletionKind::Value, "all", ("every value", help));
        }
    }

    /// The name of an axis, or of a number that is shown.
    pub(super) fn lone_name(&self, text: Span, holds: Holds) -> Items<'_> {
        let mut items = self.items(text);
        for check in self.checks() {
            let names = match holds {
                Holds::Axis => self.axes(&check.name),
                _ => self.shown(&check.name),
            };
            items.symbols(names);
        }
        items
    }

    /// `BAND=NUMBER`, or an expression over what is shown.
    pub(super) fn utility(&self, path: &[Step], text: Span) -> Items<'_> {
        let mut items = self.expression(path, text, Holds::Measure);
        for check in self.checks() {
            items.symbols(self.bands(&check.name));
        }
        items
    }

    /// The checks and the tracks.
    pub(super) fn check_names(&self, text: Span) -> Items<'_> {
        let mut items = self.items(text);
        items.symbols(self.checks());
        items
    }

    /// The labels that an axis or a parameter may have.
    pub(super) fn labels_beside(&self, path: &[Step], text: Span) -> Items<'_> {
        let word = self.word(text);
        let mut items = self.items(word);
        let labels = self.domain_beside(path).into_iter();
        items.symbols(labels);
        if path.last().and_then(Step::key) == Some("sweep") {
            let help = "All values of its domain.";
            items.add("all", CompletionKind::Value, "all", ("every value", help));
        }
        items
    }
}
