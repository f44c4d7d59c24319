//! `[resources]`: what players spend on checks.

use std::sync::Arc;

use crate::check::Check;
use crate::file::keys;
use crate::file::nodes::{self, Entries, Node, Written, key_name};
use crate::model::Resource;
use crate::settings::resource::{ResourceRequest, ResourceText};
use crate::source::{Diagnostic, Reporter};
use crate::syntax::ast::Name;

/// The file's resources, in its order. They are read against the checks only if those are sound: what a broken check
/// shows is not known.
pub(super) fn read(
    root: &Entries<'_, '_>,
    (checks, are_sound): (&[Check], bool),
    reporter: &mut Reporter,
) -> Vec<Resource> {
    let mut named: Vec<(Name, &Node<'_>)> = Vec::new();
    for node in root.all("resources") {
        if let Some(table) = nodes::table(node, "`resources`", reporter) {
            named.extend(table.iter().map(|(key, node)| (key_name(key), node)));
        }
    }
    named.sort_by_key(|(name, _)| name.span.start);
    let mut resources = Vec::new();
    for (name, node) in named {
        let before = reporter.len();
        let draft = Draft::read(name, node, reporter);
        let is_read = reporter.len() == before;
        if let Some(draft) = draft.filter(|_| are_sound && is_read) {
            resources.extend(draft.resource(checks, reporter));
        }
    }
    resources
}

/// A resource as the file has it.
struct Draft {
    name: Name,
    help: String,
    texts: Vec<(ResourceText, Written)>,
}

impl Draft {
    fn read(name: Name, node: &Node<'_>, reporter: &mut Reporter) -> Option<Self> {
        let what = format!("the resource `{}`", name.text);
        let entry = nodes::table(node, &what, reporter)?;
        let entry = Entries::check(entry, keys::RESOURCE, "a resource", name.span, reporter);
        let help = entry.line("help", reporter);
        let mut texts = Vec::new();
        for part in [
            ResourceText::Axis,
            ResourceText::Spent,
            ResourceText::Policy,
            ResourceText::Utility,
        ] {
            let key = part.key();
            let written = entry
                .get(key)
                .and_then(|node| nodes::written(node, &format!("`{key}`"), reporter));
            texts.extend(written.map(|written| (part, written)));
        }
        Some(Self { name, help, texts })
    }

    fn text(&self, part: ResourceText) -> Option<&Written> {
        let found = self.texts.iter().find(|(known, _)| *known == part);
        found.map(|(_, written)| written)
    }

    fn request(&self) -> ResourceRequest {
        let text = |part| self.text(part).map(|written| written.text.clone());
        ResourceRequest {
            axis: text(ResourceText::Axis).unwrap_or_default(),
            spent: text(ResourceText::Spent),
            policy: text(ResourceText::Policy),
            utility: text(ResourceText::Utility),
        }
    }

    /// The resource; or what is wrong with it, as the check says that comes nearest to it.
    fn resource(self, checks: &[Check], reporter: &mut Reporter) -> Option<Resource> {
        let request = self.request();
        let mut nearest: Option<Vec<(ResourceText, Diagnostic)>> = None;
        for check in checks {
            match check.read_spending(&request, &|part| part.key().to_owned()) {
                Ok(_) => {
                    return Some(Resource {
                        name: self.name.text,
                        help: self.help,
                        request,
                        span: self.name.span,
                    });
                }
                Err(errors) => {
                    let is_nearer = nearest
                        .as_ref()
                        .is_none_or(|known| is_nearer(&errors, known));
                    if is_nearer {
                        nearest = Some(errors);
                    }
                }
            }
        }
        self.report(nearest, reporter);
        None
    }

    fn report(&self, errors: Option<Vec<(ResourceText, Diagnostic)>>, reporter: &mut Reporter) {
        let Some(errors) = errors else {
            let error = reporter.error(self.name.span, "there is no check to spend anything on");
            reporter.push(error.with_label("a resource is for checks"));
            return;
        };
        let source = Arc::clone(&reporter.source);
        for (part, error) in errors {
            reporter.push(match self.text(part) {
                Some(written) => error.moved(&source, written.span.start),
                None => Diagnostic {
                    source: Arc::clone(&source),
                    span: self.name.span,
                    ..error
                },
            });
        }
    }
}

/// Whether a check that says this of a resource is nearer to what was meant than another: one that has the axis, and
/// then one that objects to less.
fn is_nearer(errors: &[(ResourceText, Diagnostic)], known: &[(ResourceText, Diagnostic)]) -> bool {
    let distance = |errors: &[(ResourceText, Diagnostic)]| {
        let no_axis = errors.iter().any(|(part, _)| *part == ResourceText::Axis);
        (no_axis, errors.len())
    };
    distance(errors) < distance(known)
}
