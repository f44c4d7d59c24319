//! From the text of a ruleset file to a [`Model`]: all its errors at once, or none.

mod functions;
mod inputs;
pub(crate) mod keys;
mod nodes;
mod toml_errors;

use std::sync::Arc;

use toml::de::DeTable;

use crate::file::inputs::Inputs;
use crate::file::nodes::{Entries, Node, code, key_name, span, table};
use crate::lower::{CheckDef, Library, Lowerer};
use crate::model::{Check, Choice, Input, Model, Outcome, OutcomeKind, Requirement, Role};
use crate::source::{Diagnostic, Diagnostics, Reporter, Source, Span, nearest};
use crate::syntax;
use crate::syntax::ast::{Name, Script};

/// Reads a ruleset file's bytes; `name` is what messages call it.
///
/// # Errors
/// All the errors of the file, each with its place.
pub fn load(name: &str, bytes: &[u8]) -> Result<Model, Diagnostics> {
    match std::str::from_utf8(bytes) {
        Ok(text) => load_text(&Source::new(name, text)),
        Err(error) => {
            // Up to the first bad byte the lossy text is the file, so the place is right.
            let source = Source::new(name, String::from_utf8_lossy(bytes));
            let at = error.valid_up_to();
            let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8());
            let message = format!(
                "the file is not UTF-8: byte {:#04x} at offset {at}",
                bytes[at]
            );
            Err(Diagnostic::new(&source, span, message)
                .with_label("not UTF-8")
                .with_help("save the file as UTF-8 text")
                .into())
        }
    }
}

/// Reads a ruleset's text.
///
/// # Errors
/// As [`load`].
pub fn load_text(source: &Arc<Source>) -> Result<Model, Diagnostics> {
    let mut reporter = Reporter::new(source);
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    if errors.is_empty() && document.get_ref().is_empty() {
        let error = reporter.error(Span::new(0, 0), "the file is empty, or has only comments");
        let help = "a ruleset needs a `name` and a check: see `oddsmith rules show` for one";
        reporter.push(error.with_help(help));
    }
    toml_errors::report(&errors, document.get_ref(), &mut reporter);
    if !reporter.is_empty() {
        return Err(reporter.into_errors());
    }
    let model = read_model(document.get_ref(), &mut reporter);
    reporter.finish(model)
}

fn read_model(root: &DeTable<'_>, reporter: &mut Reporter) -> Model {
    let source = Arc::clone(&reporter.source);
    let start = Span::new(0, source.text.lines().next().map_or(0, str::len));
    let root = Entries::check(root, keys::ROOT, "a ruleset", start, reporter);
    let params = root
        .get("params")
        .map(|node| inputs::read(node, Role::Parameter, reporter));
    let functions = root
        .get("functions")
        .map(|node| functions::read(node, reporter));
    let (params, (functions, broken_functions)) =
        (params.unwrap_or_default(), functions.unwrap_or_default());
    let mut library = Library {
        functions,
        broken_functions,
        params: params.good,
        broken_params: params.broken,
        checks: Vec::new(),
    };
    let mut drafts = read_checks(&root.all("checks"), reporter);
    for draft in &mut drafts {
        report_clashes(draft, &library, reporter);
    }
    library.checks = drafts
        .iter()
        .map(|draft| draft.definition(&drafts))
        .collect();
    functions::check_unused(&library, reporter);
    let shared = read_conditions(&root, reporter);
    let lower = |(at, draft): (usize, &Draft)| {
        lower_check(draft, &library.checks[at], &library, &shared, reporter)
    };
    let checks = drafts.iter().enumerate().map(lower).collect();
    let (name, help) = (root.text("name", reporter), root.text("help", reporter));
    Model {
        source,
        name,
        help,
        params: library.params,
        checks,
    }
}

/// A check as the file has it.
struct Draft {
    name: Name,
    help: String,
    inherit: Vec<Name>,
    bands: Option<Arc<Choice>>,
    axes: Inputs,
    require: Vec<Condition>,
    /// None if it could not be read at all.
    script: Option<Script>,
}

/// A condition of `require`, still as text.
struct Condition {
    text: String,
    syntax: syntax::ast::Expr,
}

impl Draft {
    /// With the axes of the checks it inherits from, theirs first.
    fn definition(&self, drafts: &[Self]) -> CheckDef {
        let mut axes = Inputs::default();
        self.collect_axes(drafts, &mut axes, &mut Vec::new());
        CheckDef {
            name: self.name.clone(),
            is_broken: self.script.is_none(),
            script: self.script.clone().unwrap_or_default(),
            bands: self.bands.clone(),
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

/// The checks of `[checks]`, and of a table that was meant to be it.
fn read_checks(nodes: &[&Node<'_>], reporter: &mut Reporter) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    for node in nodes {
        let Some(entries) = table(node, "`checks`", reporter) else {
            continue;
        };
        if entries.is_empty() {
            let error = reporter.error(span(node), "a ruleset needs at least one check");
            reporter.push(error.with_help("a check is a table such as [checks.attack]"));
        }
        for (key, value) in entries {
            let name = key_name(key);
            let is_known = drafts.iter().any(|draft| draft.name.text == name.text);
            if !is_known && inputs::is_word(&name, reporter) {
                drafts.extend(read_check(name, value, reporter));
            }
        }
    }
    let names: Vec<String> = drafts.iter().map(|draft| draft.name.text.clone()).collect();
    for draft in &mut drafts {
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
                let error = reporter.error(parent.span, "a check can't inherit from itself");
                error.with_label("its own name")
            } else {
                let message = format!("there is no check `{}`", parent.text);
                let error = reporter.error(parent.span, message);
                match nearest(&parent.text, others()) {
                    Some(near) => {
                        // Its axes are meant, so their names are no errors as well.
                        near.clone_into(&mut parent.text);
                        error.with_label(format!("did you mean `{near}`?"))
                    }
                    None => error.with_label("not a check of this file"),
                }
            };
            reporter.push(error);
        }
    }
    drafts
}

fn read_check(name: Name, node: &Node<'_>, reporter: &mut Reporter) -> Option<Draft> {
    let entry = table(node, &format!("`{}`", name.text), reporter)?;
    let entry = Entries::check(entry, keys::CHECK, "a check", name.span, reporter);
    let inherit = entry
        .get("inherit")
        .map(|node| nodes::strings(node, "`inherit`", reporter));
    let inherit = inherit.unwrap_or_default().into_iter();
    let inherit = inherit
        .map(|(node, text)| Name {
            text,
            span: span(node),
        })
        .collect();
    let labels = entry
        .get("bands")
        .map(|node| inputs::read_labels(node, "`bands`", reporter));
    // Bands with an error still stand for bands, so that one slip is one error.
    let bands = labels.map(|labels| {
        Arc::new(Choice {
            labels: labels.unwrap_or_default(),
        })
    });
    let axes = entry
        .get("axes")
        .map(|node| inputs::read(node, Role::Axis, reporter));
    let require = read_conditions(&entry, reporter);
    let source = Arc::clone(&reporter.source);
    let rules = entry
        .get("rules")
        .and_then(|node| code(node, "`rules`", &source.text, reporter));
    let script = rules.map(|(script, offset)| syntax::parse_script(script, offset, reporter));
    let help = entry.text("help", reporter);
    Some(Draft {
        name,
        help,
        inherit,
        bands,
        axes: axes.unwrap_or_default(),
        require,
        script,
    })
}

/// The conditions under `require`.
fn read_conditions(entries: &Entries<'_, '_>, reporter: &mut Reporter) -> Vec<Condition> {
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
fn report_clashes(draft: &mut Draft, library: &Library, reporter: &mut Reporter) {
    let base = |param: &Input| param.name.split('[').next().unwrap_or_default().to_owned();
    draft.axes.good.retain(|axis| {
        let Some(param) = library.params.iter().find(|param| base(param) == axis.name) else {
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
        draft.axes.broken.push(axis.name.clone());
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

fn lower_check(
    draft: &Draft,
    definition: &CheckDef,
    library: &Library,
    shared: &[Condition],
    reporter: &mut Reporter,
) -> Check {
    let inputs: Vec<Input> = library
        .params
        .iter()
        .chain(&definition.axes)
        .cloned()
        .collect();
    let source = Arc::clone(&reporter.source);
    let mut lowerer = Lowerer::new(library, &inputs, reporter, draft.bands.clone());
    lowerer.play_root(definition);
    let conditions = shared.iter().chain(&draft.require);
    let requires = conditions.filter_map(|condition| {
        let lowered = lowerer.requirement(&condition.syntax)?;
        Some(Requirement {
            condition: lowered,
            text: condition.text.clone(),
        })
    });
    let requires: Vec<Requirement> = requires.collect();
    let statements = lowerer.script(&definition.script, draft.name.span);
    let mut program = std::mem::take(&mut lowerer.program);
    program.statements = statements;
    let outcomes = std::mem::take(&mut lowerer.outcomes);
    if outcomes.is_empty() && reporter.is_empty() {
        let message = format!("`{}` shows nothing", draft.name.text);
        let error = reporter
            .error(draft.name.span, message)
            .with_label("this check");
        reporter.push(error.with_help("a check needs at least one `show name = …` in its rules"));
    }
    let (name, help) = (draft.name.text.clone(), draft.help.clone());
    Check {
        source,
        name,
        help,
        inputs,
        requires,
        outcomes,
        program,
    }
}

/// A dice expression that stands alone, as a check without inputs that shows `value`.
///
/// # Errors
/// All the errors of the expression; `origin` is what they call it.
///
/// ```
/// let check = oddsmith_rules::expression("4d6kh3", "<expression>").unwrap();
/// assert_eq!(check.outcomes[0].name, "value");
/// assert!(oddsmith_rules::expression("4d6kh", "<expression>").is_ok());
/// assert!(oddsmith_rules::expression("4d6 kg 3", "<expression>").is_err());
/// ```
pub fn expression(text: &str, origin: &str) -> Result<Check, Diagnostics> {
    let source = Source::new(origin, text);
    let mut reporter = Reporter::new(&source);
    let library = Library::default();
    let whole = Span::new(0, text.len());
    let parsed = syntax::parse_expr(text, 0, &mut reporter);
    if parsed.is_none() && reporter.is_empty() {
        reporter.push(reporter.error(whole, "this is not an expression"));
    }
    let mut lowerer = Lowerer::new(&library, &[], &mut reporter, None);
    let name = Name {
        text: "value".to_owned(),
        span: whole,
    };
    let var = parsed.and_then(|expr| lowerer.lone_statement(&name, &expr));
    let program = std::mem::take(&mut lowerer.program);
    let outcomes = var.into_iter().map(|var| Outcome {
        name: name.text.clone(),
        kind: OutcomeKind::Observable,
        var,
        span: whole,
    });
    let check = Check {
        source: Arc::clone(&source),
        name: text.to_owned(),
        help: String::new(),
        inputs: Vec::new(),
        requires: Vec::new(),
        outcomes: outcomes.collect(),
        program,
    };
    reporter.finish(check)
}
