//! Names and words in scripts and in expressions beside them.

use oddsmith_rules::index::{Symbol, SymbolKind};
use oddsmith_rules::layout::Step;
use oddsmith_rules::words::{BUILT_INS, FORMS, KEYWORDS, MODIFIERS, QUERIES, Word, refuse_name};
use oddsmith_rules::{Holds, Span};

use crate::language::completion::items::Items;
use crate::language::completion::{CompletionKind, Site};

/// The words that begin a statement.
const STATEMENTS: [&str; 7] = ["let", "show", "set", "choose", "oppose", "repeat", "for"];

impl Site<'_> {
    /// What can be written in rules, or in a function.
    pub(super) fn script(&self, path: &[Step], text: Span, holds: Holds) -> Items<'_> {
        let owner = path.get(1).and_then(Step::key).unwrap_or_default();
        let word = self.word(text);
        if let Some(items) = self.special(word, text, owner) {
            return items;
        }
        let mut items = self.items(word);
        if let Some(check) = self.call_around(word, text) {
            self.offer_arguments(check, &mut items);
        }
        if holds == Holds::Function {
            let arguments = self.of(owner, SymbolKind::Argument);
            items.symbols(arguments);
        } else {
            items.symbols(self.bound(owner));
            items.symbols(self.axes(owner));
        }
        items.symbols(self.params());
        self.offer_functions(&mut items);
        if holds == Holds::Script {
            let others = self.checks().filter(|check| check.name != owner);
            others.for_each(|check| items.symbol_as(check, &format!("{}(", check.name)));
        }
        offer_labels(self.labels(owner), &mut items);
        offer_words(holds == Holds::Script, &mut items);
        items
    }

    /// What alone can be written here: a field behind a dot, a modifier behind dice.
    fn special(&self, word: Span, text: Span, owner: &str) -> Option<Items<'_>> {
        if self.source()[text.start..word.start].ends_with('.') {
            let mut items = self.items(word);
            if let Some(check) = self.record_before(word, text, owner) {
                let shown = self.shown(&check.name).into_iter();
                items.symbols(shown);
            }
            return Some(items);
        }
        let dice = self.dice_before(word, text)?;
        let mut items = self.items(Span::new(dice, word.end));
        let modifiers = MODIFIERS.iter().filter(|word| word.name != "d");
        items.words(modifiers, CompletionKind::Modifier);
        Some(items)
    }

    /// The axes of a check that is called, and `..`.
    fn offer_arguments(&self, check: &Symbol, items: &mut Items<'_>) {
        for axis in self.axes(&check.name) {
            items.symbol_as(axis, &format!("{} = ", axis.name));
        }
        let help = "All axes of the same names that are not given here.";
        items.add("..", CompletionKind::Keyword, "..", ("the axes here", help));
    }

    /// The functions of the file, and those that are built in.
    fn offer_functions(&self, items: &mut Items<'_>) {
        for function in self.names.of_kind(SymbolKind::Function) {
            items.symbol_as(function, &format!("{}(", function.name));
        }
        items.words(&BUILT_INS, CompletionKind::Function);
        items.forms();
    }

    /// What can be written in a requirement, a query, or what a choice or a contest is about.
    pub(super) fn expression(&self, path: &[Step], text: Span, holds: Holds) -> Items<'_> {
        let word = self.word(text);
        let mut items = self.items(word);
        let owner = self
            .about(path)
            .filter(|_| path.len() > 2 || holds != Holds::Requirement);
        let owner = owner.unwrap_or_default();
        if holds != Holds::Requirement {
            items.symbols(self.shown(&owner));
            offer_labels(self.bands(&owner), &mut items);
        }
        if holds == Holds::Query {
            items.words(&QUERIES, CompletionKind::Function);
        }
        items.symbols(self.axes(&owner));
        items.symbols(self.params());
        items.words(&BUILT_INS, CompletionKind::Function);
        items.forms();
        offer_labels(self.labels(&owner), &mut items);
        offer_words(false, &mut items);
        items
    }
}

/// Labels as scripts write them: in quotes, if they are no words.
fn offer_labels(labels: Vec<&Symbol>, items: &mut Items<'_>) {
    for label in labels {
        let is_plain = refuse_name(&label.name, false).is_none();
        let is_quoted = items.is_behind_quote();
        let text = match is_plain || is_quoted {
            true => label.name.clone(),
            false => format!("\"{}\"", label.name),
        };
        items.symbol_as(label, &text);
    }
}

/// The reserved words; those that begin statements in rules only.
fn offer_words(in_rules: bool, items: &mut Items<'_>) {
    let of_rules = ["until", "in", "where"];
    let fits = |word: &&Word| {
        in_rules || !STATEMENTS.contains(&word.name) && !of_rules.contains(&word.name)
    };
    items.words(KEYWORDS.iter().filter(fits), CompletionKind::Keyword);
    if in_rules {
        let of_statements = ["subsets", "sorted"];
        let forms = FORMS
            .iter()
            .filter(|word| of_statements.contains(&word.name));
        items.words(forms, CompletionKind::Function);
    }
}
