//! From what was noted to the names of a file.

use std::collections::HashSet;

use crate::index::definitions::Definitions;
use crate::index::kinds::text_at;
use crate::index::known::Known;
use crate::index::lists::Lists;
use crate::index::names::{Names, Symbol};
use crate::index::record::{Record, Target};
use crate::index::texts::Texts;
use crate::index::{details, look, outline};
use crate::layout::Layout;
use crate::source::{Reporter, Source, Span};
use crate::syntax::word_in;

/// The names of a file, of which `reporter` has noted those in scripts.
pub(crate) fn build(known: &Known<'_>, layout: Layout, reporter: &mut Reporter) -> Names {
    let source = std::sync::Arc::clone(&reporter.source);
    let mut definitions = Definitions::default();
    definitions.add_keys(&source, &layout);
    definitions.add_elements(known.library);
    definitions.add_bound(&source, known.library);
    let mut record = reporter.record.take().unwrap_or_default();
    let lists = Lists::of(&source, &layout, &mut record);
    definitions.add_labels(&source, &lists);
    reporter.record = Some(record);
    Texts::new(known, &layout, &lists, reporter).read();
    let mut record = reporter.record.take().unwrap_or_default();
    look::add_unresolved(known.library, &mut record);
    details::add(&source, &layout, known, &mut definitions);
    let outline = outline::of(&source, &layout, known.library);
    let symbols = merged(&source, definitions, &record);
    Names::sorted(symbols, layout, outline)
}

/// The symbols with their references; those that have to have the same name are one.
fn merged(source: &Source, definitions: Definitions, record: &Record) -> Vec<Symbol> {
    let Definitions {
        symbols, by_target, ..
    } = definitions;
    let mut groups = Groups((0..symbols.len()).collect());
    let of = |target: &Target| by_target.get(target).copied();
    let mut join = |one: Option<usize>, other: Option<usize>| {
        if let (Some(one), Some(other)) = (one, other)
            && symbols[one].name == symbols[other].name
        {
            groups.join(one, other);
        }
    };
    for (one, other) in &record.joined {
        join(of(one), of(other));
    }
    let mut used: Vec<(Span, usize)> = Vec::new();
    for (place, target) in &record.uses {
        let place = word_in(&source.text, *place);
        let named = of(target).zip(place);
        let is_named =
            |(symbol, place): &(usize, Span)| text_at(source, *place) == symbols[*symbol].name;
        if let Some((symbol, place)) = named.filter(is_named) {
            used.push((place, symbol));
        }
    }
    used.sort_unstable();
    for pair in used.windows(2) {
        if pair[0].0 == pair[1].0 {
            join(Some(pair[0].1), Some(pair[1].1));
        }
    }
    gather(symbols, &used, &mut groups)
}

/// One symbol of each group.
fn gather(symbols: Vec<Symbol>, used: &[(Span, usize)], groups: &mut Groups) -> Vec<Symbol> {
    let mut merged: Vec<Option<Symbol>> = symbols.iter().map(|_| None).collect();
    let mut order: Vec<(usize, Symbol)> = symbols.into_iter().enumerate().collect();
    order.sort_by_key(|(_, symbol)| symbol.definitions.first().copied());
    for (number, symbol) in order {
        match &mut merged[groups.root(number)] {
            Some(known) => {
                known.definitions.extend(symbol.definitions);
                known.references.extend(symbol.references);
                if known.help.is_empty() {
                    known.help = symbol.help;
                }
            }
            none => *none = Some(symbol),
        }
    }
    for (place, number) in used {
        if let Some(symbol) = &mut merged[groups.root(*number)] {
            symbol.references.push(*place);
        }
    }
    let mut symbols: Vec<Symbol> = merged.into_iter().flatten().collect();
    let mut taken = HashSet::new();
    for symbol in &mut symbols {
        symbol.definitions.sort_unstable();
        symbol
            .definitions
            .dedup_by_key(|definition| definition.name);
        taken.extend(symbol.definitions.iter().map(|definition| definition.name));
    }
    for symbol in &mut symbols {
        symbol.references.sort_unstable();
        symbol.references.dedup();
        symbol.references.retain(|place| taken.insert(*place));
    }
    symbols
}

/// Which numbers belong together.
struct Groups(Vec<usize>);

impl Groups {
    fn root(&mut self, number: usize) -> usize {
        let mut root = number;
        while self.0[root] != root {
            self.0[root] = self.0[self.0[root]];
            root = self.0[root];
        }
        root
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }
}
