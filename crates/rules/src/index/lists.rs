//! Lists of labels: the bands of checks, domains that are labels, and lists by name.

use std::collections::HashMap;
use std::sync::Arc;

use crate::choice::Choice;
use crate::file::keys::Holds;
use crate::index::kinds::{SymbolKind, axis_of, text_at};
use crate::index::record::{Record, Target};
use crate::layout::{Layout, Place, Scalar, Step};
use crate::source::{Source, Span};

/// A list of labels as it stands in a file.
pub(super) struct Listed {
    /// Which of [`Record::lists`] it is.
    pub(super) list: usize,
    pub(super) kind: SymbolKind,
    /// What it belongs to.
    pub(super) owner: String,
    /// Each label with its place in the list and in the file, without quotes and with them.
    pub(super) labels: Vec<(usize, Span, Span)>,
}

/// The lists of a file, each with the way to it.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) listed: Vec<Listed>,
    by_path: HashMap<Vec<Step>, usize>,
}

impl Lists {
    /// Those of a file; `record` gets those that it does not know.
    pub(super) fn of(source: &Source, layout: &Layout, record: &mut Record) -> Self {
        let mut lists = Self::default();
        let mut scalars = layout.scalars.iter().peekable();
        while let Some(first) = scalars.next() {
            let Some((path, kind)) = list_of(first) else {
                continue;
            };
            let mut items = vec![first];
            while let Some(next) = scalars.next_if(|next| next.path.starts_with(path)) {
                items.push(next);
            }
            lists.add(source, path, kind, &items, record);
        }
        lists
    }

    fn add(
        &mut self,
        source: &Source,
        path: &[Step],
        kind: SymbolKind,
        items: &[&Scalar],
        record: &mut Record,
    ) {
        let mut texts: Vec<&str> = Vec::new();
        let mut labels = Vec::new();
        for item in items {
            let Some(text) = item.text else { continue };
            let label = text_at(source, text);
            if !texts.contains(&label) {
                labels.push((texts.len(), text, item.span));
                texts.push(label);
            }
        }
        let choice = Choice::new(texts.into_iter().map(str::to_owned));
        let target = choice.and_then(|choice| record.label_of(&Arc::new(choice), 0));
        let Some(Target::Label(list, _)) = target else {
            return;
        };
        let owner = match kind {
            SymbolKind::Band => path.get(1).and_then(Step::key),
            _ if path.len() == 2 => path.get(1).and_then(Step::key),
            _ => path.iter().rev().nth(1).and_then(Step::key),
        };
        self.listed.push(Listed {
            list,
            kind,
            owner: owner.unwrap_or_default().to_owned(),
            labels,
        });
        self.by_path.insert(path.to_vec(), list);
    }

    /// The labels that the values at a way may be: those of the domain beside it.
    pub(super) fn beside(&self, path: &[Step]) -> Option<usize> {
        let depth = match axis_of(path) {
            Some(_) => 4,
            None => 2,
        };
        let mut domain = path.get(..depth)?.to_vec();
        domain.push(Step::Key("domain".to_owned()));
        self.by_path.get(&domain).copied()
    }
}

/// The list that a string is an item of, and what its labels are.
fn list_of(item: &Scalar) -> Option<(&[Step], SymbolKind)> {
    let (Step::At(_), path) = item.path.split_last()? else {
        return None;
    };
    item.text?;
    match Place::holds(path) {
        Holds::Labels if path.len() > 2 => Some((path, SymbolKind::Band)),
        Holds::Labels => Some((path, SymbolKind::Label)),
        Holds::Domain => Some((path, SymbolKind::Label)),
        _ => None,
    }
}
