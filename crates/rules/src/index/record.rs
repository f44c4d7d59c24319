//! What is noted of names while a file is read: which place means what.

use std::collections::HashSet;
use std::sync::Arc;

use crate::choice::Choice;
use crate::source::Span;

/// What a name or a label at a place means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Target {
    /// What is defined by the name at another place.
    Name(Span),
    /// A label: of which list of [`Record::lists`], and at which place of it.
    Label(usize, usize),
}

/// What is noted of names while a file is read. A function's body is lowered at each call, so the same is noted often, and
/// kept once; a name in it may mean several things.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) uses: HashSet<(Span, Target)>,
    /// Definitions that have to have the same name.
    pub(crate) joined: HashSet<(Target, Target)>,
    /// The lists of labels that are known; two with the same labels are one.
    pub(crate) lists: Vec<Arc<Choice>>,
}

impl Record {
    /// The name at a place means what is defined at another one.
    pub(crate) fn name(&mut self, place: Span, defined: Span) {
        if place != defined {
            self.uses.insert((place, Target::Name(defined)));
        }
    }

    /// The word at a place is a label.
    pub(crate) fn label(&mut self, place: Span, list: &Arc<Choice>, at: i64) {
        if let Some(target) = self.label_of(list, at) {
            self.uses.insert((place, target));
        }
    }

    /// A label as something that is meant.
    pub(crate) fn label_of(&mut self, list: &Arc<Choice>, at: i64) -> Option<Target> {
        let at = usize::try_from(at).ok()?;
        let is_same = |known: &Arc<Choice>| Arc::ptr_eq(known, list) || known == list;
        let known = self.lists.iter().position(is_same);
        let known = known.unwrap_or_else(|| {
            self.lists.push(Arc::clone(list));
            self.lists.len() - 1
        });
        Some(Target::Label(known, at))
    }

    /// What is defined at two places has to have the same name.
    pub(crate) fn join(&mut self, one: Target, other: Target) {
        if one != other {
            self.joined.insert((one.min(other), one.max(other)));
        }
    }
}
