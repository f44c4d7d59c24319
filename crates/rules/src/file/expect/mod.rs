//! `[[expect]]`: what a ruleset says of its own odds.

pub(super) mod claim;
pub(crate) mod number;
mod printed;
mod resolve;

use crate::check::Check;
use crate::expectation::Expectation;
use crate::file::charts::check_of;
use crate::file::expect::claim::{ClaimText, Keys, Subject};
use crate::file::keys;
use crate::file::nodes::{self, Entries, Node, Written, span};
use crate::source::{Reporter, Span};

/// The file's expectations, in its order. They are read against the checks and tracks only if those are sound: what a
/// broken check shows is not known.
pub(super) fn read(
    root: &Entries<'_, '_>,
    (checks, are_sound): (&[&Check], bool),
    reporter: &mut Reporter,
) -> Vec<Expectation> {
    let mut expectations = Vec::new();
    for item in nodes::tables(root, "expect", reporter) {
        let before = reporter.len();
        let draft = Draft::read(item, checks, reporter);
        let is_read = reporter.len() == before;
        if let Some(draft) = draft.filter(|_| are_sound && is_read) {
            expectations.extend(draft.resolve(reporter));
        }
    }
    expectations
}

/// An expectation as the file has it.
struct Draft<'c> {
    check: &'c Check,
    intent: String,
    /// Where what it says can be read.
    source: String,
    /// Where it begins.
    start: Span,
    sets: Vec<Written>,
    sweeps: Vec<Written>,
    subject: Subject,
    asked: ClaimText,
}

impl<'c> Draft<'c> {
    /// Reads the keys of an expectation; none if there are errors.
    fn read(node: &Node<'_>, checks: &[&'c Check], reporter: &mut Reporter) -> Option<Self> {
        let entry = nodes::table(node, "an expectation", reporter)?;
        let start = span(node);
        let entry = Entries::check(entry, keys::EXPECT, "an expectation", start, reporter);
        let check = check_of(&entry, checks, reporter);
        let intent = entry.text("intent", reporter);
        if let Some(node) = entry.get("intent")
            && node
                .get_ref()
                .as_str()
                .is_some_and(|text| text.trim().is_empty())
        {
            let error = reporter.error(span(node), "this intent says nothing");
            reporter.push(error.with_help("say in a sentence what the game intends"));
        }
        let source = entry.text("source", reporter);
        let mut texts = |key: &str| match entry.get(key) {
            Some(node) => nodes::one_or_more(node, &format!("`{key}`"), reporter),
            None => Vec::new(),
        };
        let (sets, sweeps) = (texts("set"), texts("sweep"));
        let (entry, keys) = (&entry, reporter);
        let mut keys = Keys {
            entry,
            start,
            reporter: keys,
        };
        let (subject, asked) = keys.read()?;
        Some(Self {
            check: check?,
            intent,
            source,
            start,
            sets,
            sweeps,
            subject,
            asked,
        })
    }
}
