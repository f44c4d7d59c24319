//! What is defined by keys, labels and scripts.

use std::collections::HashMap;

use crate::index::kinds::{SymbolKind, axis_of, text_at};
use crate::index::lists::Lists;
use crate::index::names::{Definition, Symbol};
use crate::index::record::Target;
use crate::index::scripts::{self, Bound};
use crate::layout::{KeyPart, Layout, Step};
use crate::lower::Library;
use crate::source::{Source, Span};
use crate::syntax::word_in;

/// The definitions of a file, while its names are put together.
#[derive(Default)]
pub(super) struct Definitions {
    pub(super) symbols: Vec<Symbol>,
    /// Which symbol is meant.
    pub(super) by_target: HashMap<Target, usize>,
    by_path: HashMap<Vec<Step>, usize>,
}

impl Definitions {
    /// A new symbol.
    fn add(&mut self, name: &str, kind: SymbolKind, owner: Option<&str>) -> usize {
        self.symbols.push(Symbol {
            name: name.to_owned(),
            kind,
            owner: owner.map(str::to_owned),
            help: String::new(),
            detail: String::new(),
            definitions: Vec::new(),
            references: Vec::new(),
        });
        self.symbols.len() - 1
    }

    /// The symbol that a key at a way names.
    pub(super) fn at_path(&self, path: &[Step]) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The names of keys: each is defined where it stands first.
    pub(super) fn add_keys(&mut self, source: &Source, layout: &Layout) {
        for key in &layout.keys {
            let Some((kind, owner)) = kind_of(&key.path) else {
                continue;
            };
            let place = word_in(&source.text, key.span).unwrap_or(key.span);
            let known = self.by_path.get(&key.path).copied();
            let symbol = known.unwrap_or_else(|| {
                let symbol = self.add(text_at(source, place), kind, owner);
                let whole = whole_of(key);
                let name = place;
                self.symbols[symbol]
                    .definitions
                    .push(Definition { name, whole });
                self.by_path.insert(key.path.clone(), symbol);
                symbol
            });
            self.by_target.insert(Target::Name(key.span), symbol);
            if known.is_some() {
                self.symbols[symbol].references.push(place);
            }
        }
    }

    /// The elements of list parameters are named by the name of the list.
    pub(super) fn add_elements(&mut self, library: &Library) {
        for input in &library.params {
            let base = input.name.split('[').next().unwrap_or_default();
            let path = ["params", base].map(|key| Step::Key(key.to_owned()));
            if let Some(symbol) = self.at_path(&path) {
                self.by_target.insert(Target::Name(input.span), symbol);
            }
        }
    }

    /// The labels of lists; those of lists with the same labels are the same.
    pub(super) fn add_labels(&mut self, source: &Source, lists: &Lists) {
        for listed in &lists.listed {
            for (at, place, whole) in &listed.labels {
                let target = Target::Label(listed.list, *at);
                let known = self.by_target.get(&target).copied();
                let symbol = known.unwrap_or_else(|| {
                    self.add(text_at(source, *place), listed.kind, Some(&listed.owner))
                });
                if listed.kind == SymbolKind::Band {
                    self.symbols[symbol].kind = SymbolKind::Band;
                }
                self.by_target.insert(target, symbol);
                let definition = Definition {
                    name: *place,
                    whole: *whole,
                };
                self.symbols[symbol].definitions.push(definition);
            }
        }
    }

    /// What scripts bind, and the parameters of functions.
    pub(super) fn add_bound(&mut self, source: &Source, library: &Library) {
        for check in library.checks.iter().chain(&library.tracks) {
            for bound in scripts::bound(source, &check.script.statements) {
                self.add_one(&bound, &check.name.text);
            }
        }
        for function in library.functions.values() {
            for param in &function.syntax.params {
                let bound = Bound {
                    name: param.text.clone(),
                    kind: SymbolKind::Argument,
                    place: param.span,
                    whole: param.span,
                    value: String::new(),
                };
                self.add_one(&bound, &function.name.text);
            }
            let mut folded = Vec::new();
            scripts::folded(&function.syntax.body, &mut folded);
            for bound in folded {
                self.add_one(&bound, &function.name.text);
            }
        }
    }

    fn add_one(&mut self, bound: &Bound, owner: &str) {
        let target = Target::Name(bound.place);
        if self.by_target.contains_key(&target) {
            return;
        }
        let symbol = self.add(&bound.name, bound.kind, Some(owner));
        self.symbols[symbol].detail.clone_from(&bound.value);
        let (name, whole) = (bound.place, bound.whole);
        self.symbols[symbol]
            .definitions
            .push(Definition { name, whole });
        self.by_target.insert(target, symbol);
    }
}

/// What a key at a way is the name of, and what that belongs to.
fn kind_of(path: &[Step]) -> Option<(SymbolKind, Option<&str>)> {
    if path.len() == 4 {
        let (check, _) = axis_of(path)?;
        return Some((SymbolKind::Axis, Some(check)));
    }
    let [Step::Key(table), Step::Key(_)] = path else {
        return None;
    };
    let kind = match table.as_str() {
        "params" => SymbolKind::Parameter,
        "functions" => SymbolKind::Function,
        "checks" => SymbolKind::Check,
        "tracks" => SymbolKind::Track,
        "resources" => SymbolKind::Resource,
        _ => return None,
    };
    Some((kind, None))
}

/// The entry of a key, or its name if more is named behind it.
fn whole_of(key: &KeyPart) -> Span {
    if key.is_last || !key.is_heading {
        key.whole
    } else {
        key.span
    }
}
