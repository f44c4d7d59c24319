//! What a file has, as a tree.

use crate::index::kinds::{SymbolKind, text_at};
use crate::index::scripts;
use crate::layout::{Layout, Step};
use crate::lower::Library;
use crate::source::{Source, Span};

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: OutlineKind,
    /// All of it.
    pub whole: Span,
    /// Its name, within that.
    pub place: Span,
    /// Its parts, in the order of the file.
    pub parts: Vec<Outline>,
}

/// What a part of a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineKind {
    /// A table, or a list of tables, that the language has.
    Table,
    /// One of such a list: a chart, an expectation, an acceptance, a goal.
    Item,
    /// A key with its value.
    Key,
    /// The rules of a check or a track.
    Script,
    /// Something that has a name.
    Symbol(SymbolKind),
}

/// The parts of a file.
pub(super) fn of(source: &Source, layout: &Layout, library: &Library) -> Vec<Outline> {
    let mut root = Outline {
        name: String::new(),
        kind: OutlineKind::Table,
        whole: Span::new(0, source.text.len()),
        place: Span::default(),
        parts: Vec::new(),
    };
    for key in &layout.keys {
        let name = text_at(source, key.span).trim_matches(['"', '\'']);
        let at = Spot {
            whole: if key.is_last { key.whole } else { key.span },
            place: key.span,
            name,
        };
        insert(&mut root, &key.path, 0, &at);
    }
    add_scripts(source, &mut root, library);
    tidy(&mut root);
    root.parts
}

/// Where a part stands, and what it is called there.
struct Spot<'s> {
    whole: Span,
    place: Span,
    name: &'s str,
}

/// Adds what stands at the end of a way, or makes it larger if it is there.
fn insert(parent: &mut Outline, path: &[Step], depth: usize, spot: &Spot<'_>) {
    let kind = kind_of(&path[..=depth]);
    let name = match &path[depth] {
        Step::Key(name) => name.clone(),
        Step::At(at) => (at + 1).to_string(),
    };
    let known = parent
        .parts
        .iter()
        .position(|part| part.name == name && part.kind == kind);
    let known = known.unwrap_or_else(|| {
        parent.parts.push(Outline {
            name,
            kind,
            whole: spot.whole,
            place: spot.place,
            parts: Vec::new(),
        });
        parent.parts.len() - 1
    });
    let part = &mut parent.parts[known];
    part.whole = part.whole.to(spot.whole);
    if depth + 1 < path.len() {
        insert(part, path, depth + 1, spot);
    } else if part.name != spot.name {
        part.name = spot.name.to_owned();
    }
}

fn kind_of(path: &[Step]) -> OutlineKind {
    let keys: Vec<Option<&str>> = path.iter().map(Step::key).collect();
    match keys.as_slice() {
        [.., None] => OutlineKind::Item,
        [Some("params"), Some(_)] => OutlineKind::Symbol(SymbolKind::Parameter),
        [Some("functions"), Some(_)] => OutlineKind::Symbol(SymbolKind::Function),
        [Some("checks"), Some(_)] => OutlineKind::Symbol(SymbolKind::Check),
        [Some("tracks"), Some(_)] => OutlineKind::Symbol(SymbolKind::Track),
        [Some("resources"), Some(_)] => OutlineKind::Symbol(SymbolKind::Resource),
        [Some("checks" | "tracks"), Some(_), Some("axes"), Some(_)] => {
            OutlineKind::Symbol(SymbolKind::Axis)
        }
        [Some("checks" | "tracks"), Some(_), Some("rules")] => OutlineKind::Script,
        [
            Some(
                "params" | "functions" | "labels" | "dice" | "checks" | "tracks" | "resources"
                | "charts" | "expect" | "accept" | "tune",
            ),
        ]
        | [Some("checks" | "tracks"), Some(_), Some("axes")]
        | [Some("tune"), Some("goals" | "keep")] => OutlineKind::Table,
        _ => OutlineKind::Key,
    }
}

/// What the rules of each check bind.
fn add_scripts(source: &Source, root: &mut Outline, library: &Library) {
    for check in library.checks.iter().chain(&library.tracks) {
        let Some(script) = script_of(root, check.rules) else {
            continue;
        };
        let bound = scripts::bound(source, &check.script.statements).into_iter();
        // What lives in a fold alone is no part of the tree.
        for bound in bound.filter(|bound| bound.kind != SymbolKind::Argument) {
            script.parts.push(Outline {
                name: bound.name,
                kind: OutlineKind::Symbol(bound.kind),
                whole: bound.whole,
                place: bound.place,
                parts: Vec::new(),
            });
        }
    }
}

/// The script that stands at a place.
fn script_of(part: &mut Outline, rules: Span) -> Option<&mut Outline> {
    if part.kind == OutlineKind::Script {
        return part.whole.contains(rules).then_some(part);
    }
    let mut parts = part.parts.iter_mut();
    parts.find_map(|part| script_of(part, rules))
}

/// Items are called by what stands in them first; and all is in the order of the file.
fn tidy(part: &mut Outline) {
    for inner in &mut part.parts {
        tidy(inner);
    }
    part.parts.sort_by_key(|inner| inner.place.start);
}
