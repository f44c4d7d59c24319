//! `[checks]` and `[tracks]`: what the file says of each, before its rules are lowered.

use std::collections::HashMap;
use std::sync::Arc;

use crate::check::{Input, Role, RoundName, Ties};
use crate::choice::Choice;
use crate::file::inputs::{self, Inputs};
use crate::file::nodes::{self, Entries, Node, code, key_name, span, table};
use crate::file::{keys, labels};
use crate::lower::{CheckDef, Library};
use crate::source::{Reporter, Span, nearest, there_are};
use crate::syntax;
use crate::syntax::ast::{Expr, ExprKind, Name, Script};

/// A check or a track as the file has it.
pub(super) struct Draft {
    pub(super) name: Name,
    pub(super) is_track: bool,
    pub(super) help: String,
    pub(super) label: String,
    /// What people read in place of names of the script, with the places of both.
    pub(super) shown_labels: Vec<(Name, Name)>,
    pub(super) unit: RoundName,
    inherit: Vec<Name>,
    pub(super) bands: Option<Arc<Choice>>,
    /// The labels of the bands with their places.
    pub(super) labels: Vec<Name>,
    bands_span: Option<Span>,
    axes: Inputs,
    pub(super) require: Vec<Condition>,
    pub(super) contest: Option<Condition>,
    pub(super) ties: Ties,
    pub(super) maximise: Option<Condition>,
    /// None if it could not be read at all.
    script: Option<Script>,
    /// Where the script stands.
    pub(super) rules: Span,
}

/// An expression of `require`, `contest` or `maximise`, still as text.
pub(super) struct Condition {
    pub(super) text: String,
    pub(super) syntax: Expr,
}

impl Draft {
    /// With the axes of the checks it inherits from, theirs first.
    pub(super) fn definition(&self, drafts: &[Self]) -> CheckDef {
        let mut axes = Inputs::default();
        self.collect_axes(drafts, &mut axes, &mut Vec::new());
        CheckDef {
            name: self.name.clone(),
            is_track: self.is_track,
            is_broken: self.script.is_none(),
            script: self.script.clone().unwrap_or_default(),
            rules: self.rules,
            maximise: self.maximise.as_ref().map(|goal| goal.syntax.clone()),
            contest: self.contest.as_ref().map(|contest| contest.syntax.clone()),
            bands: self.bands.clone(),
            bands_span: self.bands_span,
            axes: axes.good,
            broken_axes: axes.broken,
        }
    }

    fn collect_axes<'d>(&'d self, drafts: &'d [Self], axes: &mut Inputs, seen: &mut Vec<&'d str>) {
        if seen.contains(&self.name.text.as_str()) {
            return;
        }
        seen.push(&self.name.text);
        for name in &self.inherit {
            if let Some(parent) = drafts.iter().find(|draft| draft.name.text == name.text) {
                parent.collect_axes(drafts, axes, seen);
            }
        }
        for axis in &self.axes.good {
            axes.good.retain(|inherited| inherited.name != axis.name);
            axes.good.push(axis.clone());
        }
        axes.broken.extend(self.axes.broken.iter().cloned());
    }
}

/// Notes what the names of parents mean, and that an axis has the name of the one which it takes the place of.
pub(super) fn note_parents(drafts: &[Draft], reporter: &mut Reporter) {
    for draft in drafts {
        for name in &draft.inherit {
            let parent = drafts.iter().find(|parent| parent.name.text == name.text);
            if let Some(parent) = parent {
                reporter.note_name(name.span, parent.name.span);
            }
        }
        let mut above = Vec::new();
        draft.collect_named(drafts, &mut above, &mut Vec::new());
        for own in draft.named_axes() {
            let same = above.iter().filter(|(name, _)| *name == own.0);
            same.for_each(|(_, place)| reporter.note_same(own.1, *place));
        }
    }
}

impl Draft {
    /// The axes of its own, those that are wrong among them.
    fn named_axes(&self) -> impl Iterator<Item = (&str, Span)> {
        let good = self
            .axes
            .good
            .iter()
            .map(|axis| (axis.name.as_str(), axis.span));
        let broken = self
            .axes
            .broken
            .iter()
            .map(|name| (name.text.as_str(), name.span));
        good.chain(broken)
    }

    /// The axes of all that it inherits from.
    fn collect_named<'d>(
        &'d self,
        drafts: &'d [Self],
        axes: &mut Vec<(&'d str, Span)>,
        seen: &mut Vec<&'d str>,
    ) {
        for name in &self.inherit {
            let parent = drafts.iter().find(|parent| parent.name.text == name.text);
            let Some(parent) = parent.filter(|parent| !seen.contains(&parent.name.text.as_str()))
            else {
                continue;
            };
            seen.push(&parent.name.text);
            axes.extend(parent.named_axes());
            parent.collect_named(drafts, axes, seen);
        }
    }
}

/// What the file declares under `checks` and `tracks`, and under tables that were meant to be these.
pub(super) fn read_all(root: &Entries<'_, '_>, reporter: &mut Reporter) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (key, is_track) in [("checks", false), ("tracks", true)] {
        for node in root.all(key) {
            read_table(node, key, is_track, &mut drafts, reporter);
        }
    }
    resolve_parents(&mut drafts, reporter);
    drafts
}

fn read_table(
    node: &Node<'_>,
    key: &str,
    is_track: bool,
    drafts: &mut Vec<Draft>,
    reporter: &mut Reporter,
) {
    let Some(entries) = table(node, &format!("`{key}`"), reporter) else {
        return;
    };
    let (what, example) = match is_track {
        true => ("track", "tracks.clock"),
        false => ("check", "checks.attack"),
    };
    let is_script = |value: &Node<'_>| value.get_ref().as_str().is_some();
    let mut scripts = entries.iter().filter(|(_, value)| is_script(value));
    if let Some((rules, _)) = scripts.find(|(key, _)| key.get_ref() == "rules") {
        let error = reporter.error(span(rules), format!("this {what} has no name"));
        let help =
            format!("the name of a {what} stands in its head: write [{example}], not [{key}]");
        reporter.push(
            error
                .with_label(format!("a key of a {what}"))
                .with_help(help),
        );
        return;
    }
    if entries.is_empty() {
        let error = reporter.error(span(node), format!("`{key}` is empty"));
        reporter.push(error.with_help(format!("a {what} is a table such as [{example}]")));
    }
    let mut taken = HashMap::new();
    for (key, value) in entries {
        let name = key_name(key);
        let follows = if is_track { "" } else { "(" };
        if !inputs::is_word(&name, follows, reporter) {
            continue;
        }
        match drafts.iter().find(|draft| draft.name.text == name.text) {
            Some(check) if check.is_track != is_track => {
                let message = format!("`{}` is the name of a check too", name.text);
                let error = reporter
                    .error(name.span, message)
                    .with_label("rename one of them")
                    .with_related(check.name.span, "the check");
                reporter.push(error);
            }
            Some(_) => {}
            None => drafts.extend(read_draft(name, is_track, value, &mut taken, reporter)),
        }
    }
}

/// Reports parents that are none, and takes the one that was meant.
fn resolve_parents(drafts: &mut [Draft], reporter: &mut Reporter) {
    let names: Vec<String> = drafts.iter().map(|draft| draft.name.text.clone()).collect();
    for draft in drafts {
        let what = if draft.is_track { "track" } else { "check" };
        let others = || {
            names
                .iter()
                .filter(|name| **name != draft.name.text)
                .map(String::as_str)
        };
        for parent in &mut draft.inherit {
            if others().any(|name| name == parent.text) {
                continue;
            }
            let error = if parent.text == draft.name.text {
                let message = format!("a {what} can't inherit from itself");
                reporter
                    .error(parent.span, message)
                    .with_label("its own name")
            } else {
                let message = format!("there is no check or track `{}`", parent.text);
                let error = reporter.error(parent.span, message);
                match nearest(&parent.text, others()) {
                    Some(near) => {
                        // Its axes are meant, so their names are no errors as well.
                        near.clone_into(&mut parent.text);
                        error.meant(near)
                    }
                    None => error
                        .with_label("not a check or a track of this file")
                        .with_help(there_are(&others().collect::<Vec<_>>())),
                }
            };
            reporter.push(error);
        }
    }
}

fn read_draft(
    name: Name,
    is_track: bool,
    node: &Node<'_>,
    labels_taken: &mut HashMap<String, Span>,
    reporter: &mut Reporter,
) -> Option<Draft> {
    let entry = table(node, &format!("`{}`", name.text), reporter)?;
    let (keys, what) = if is_track {
        (keys::TRACK, "a track")
    } else {
        (keys::CHECK, "a check")
    };
    let entry = Entries::check(entry, keys, what, name.span, reporter);
    let axes = entry
        .get("axes")
        .map(|node| inputs::read(node, Role::Axis, reporter));
    let (script, rules) = read_script(&entry, name.span, reporter);
    Some(Draft {
        is_track,
        help: entry.line("help", reporter),
        label: labels::of_name(&entry, labels_taken, reporter),
        shown_labels: labels::written(&entry, reporter),
        // In a check it is an unknown key, and no more is said of it.
        unit: match is_track {
            true => labels::of_rounds(&entry, reporter),
            false => RoundName::default(),
        },
        inherit: read_inherit(&entry, reporter),
        bands: read_bands(&entry, reporter),
        labels: labels_with_places(&entry),
        bands_span: entry.get("bands").map(span),
        axes: axes.unwrap_or_default(),
        require: read_conditions(&entry, reporter),
        // In a track it is an unknown key, and no more is said of it.
        contest: match is_track {
            true => None,
            false => read_expression(&entry, "contest", reporter),
        },
        maximise: read_expression(&entry, "maximise", reporter),
        ties: read_ties(&entry, is_track, reporter),
        script,
        rules,
        name,
    })
}

fn read_inherit(entry: &Entries<'_, '_>, reporter: &mut Reporter) -> Vec<Name> {
    let Some(node) = entry.get("inherit") else {
        return Vec::new();
    };
    let names = nodes::strings(node, "`inherit`", reporter).into_iter();
    names
        .map(|(node, text)| Name {
            text,
            span: span(node),
        })
        .collect()
}

/// Bands with an error still stand for bands, so that one slip is one error.
fn read_bands(entry: &Entries<'_, '_>, reporter: &mut Reporter) -> Option<Arc<Choice>> {
    let node = entry.get("bands")?;
    let labels = inputs::read_labels(node, "`bands`", reporter);
    let bands = labels.and_then(Choice::new);
    Some(Arc::new(bands.unwrap_or_else(Choice::unknown)))
}

fn labels_with_places(entry: &Entries<'_, '_>) -> Vec<Name> {
    let items = entry
        .get("bands")
        .and_then(|node| node.get_ref().as_array());
    let name = |item: &Node<'_>| {
        let text = item.get_ref().as_str()?.to_owned();
        let span = span(item);
        Some(Name { text, span })
    };
    items.into_iter().flatten().filter_map(name).collect()
}

/// The rules, if they could be read at all, and where they stand.
fn read_script(
    entry: &Entries<'_, '_>,
    place: Span,
    reporter: &mut Reporter,
) -> (Option<Script>, Span) {
    let Some(node) = entry.get("rules") else {
        return (None, place);
    };
    let source = Arc::clone(&reporter.source);
    let text = code(node, "`rules`", &source.text, reporter);
    let script = text.map(|(script, offset)| syntax::parse_script(script, offset, reporter));
    (script, span(node))
}

/// The expression of a key; one that can't be read stands for itself, so that one slip is one error.
fn read_expression(
    entry: &Entries<'_, '_>,
    key: &str,
    reporter: &mut Reporter,
) -> Option<Condition> {
    let node = entry.get(key)?;
    let source = Arc::clone(&reporter.source);
    let unread = || Condition {
        text: String::new(),
        syntax: Expr {
            kind: ExprKind::Error,
            span: span(node),
        },
    };
    let parsed = code(node, &format!("`{key}`"), &source.text, reporter)
        .and_then(|(text, offset)| Some((text, syntax::parse_expr(text, offset, reporter)?)));
    Some(parsed.map_or_else(unread, |(text, syntax)| Condition {
        text: text.trim().to_owned(),
        syntax,
    }))
}

fn read_ties(entry: &Entries<'_, '_>, is_track: bool, reporter: &mut Reporter) -> Ties {
    let Some(node) = entry.get("ties").filter(|_| !is_track) else {
        return Ties::default();
    };
    let words = ("rule for ties", "rules for ties");
    nodes::one_of(node, "`ties`", &Ties::ALL, words, reporter).unwrap_or_default()
}

/// The conditions under `require`.
pub(super) fn read_conditions(
    entries: &Entries<'_, '_>,
    reporter: &mut Reporter,
) -> Vec<Condition> {
    let what = "`require`";
    let Some(node) = entries.get("require") else {
        return Vec::new();
    };
    let source = Arc::clone(&reporter.source);
    let mut conditions = Vec::new();
    for (item, text) in nodes::strings(node, what, reporter) {
        if let Some((inner, offset)) = code(item, what, &source.text, reporter)
            && let Some(syntax) = syntax::parse_expr(inner, offset, reporter)
        {
            conditions.push(Condition { text, syntax });
        }
    }
    conditions
}

/// Names that would hide one another.
pub(super) fn report_clashes(draft: &mut Draft, library: &Library, reporter: &mut Reporter) {
    let names = |param: &&Input, axis: &Input| param.name.split('[').next() == Some(&axis.name);
    draft.axes.good.retain(|axis| {
        let Some(param) = library.params.iter().find(|param| names(param, axis)) else {
            return true;
        };
        let error = reporter
            .error(
                axis.span,
                format!("`{}` is the name of a parameter too", axis.name),
            )
            .with_label("rename one of them")
            .with_related(param.span, "the parameter");
        reporter.push(error);
        // Uses of the name may mean either.
        draft.axes.broken.push(Name {
            text: axis.name.clone(),
            span: axis.span,
        });
        false
    });
    if let Some(function) = library.functions.get(&draft.name.text) {
        let message = format!("`{}` is the name of a function too", draft.name.text);
        let error = reporter
            .error(draft.name.span, message)
            .with_label("rename one of them")
            .with_related(function.name.span, "the function");
        reporter.push(error);
    }
}
