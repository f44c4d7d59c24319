//! From the text of a ruleset file to a [`Model`]: all its errors at once, or none.

mod functions;
mod inputs;
pub(crate) mod keys;
mod nodes;

use std::sync::Arc;

use toml::de::DeTable;

use crate::file::nodes::{Node, check_keys, code, get, key_name, optional_string, span, table};
use crate::lower::expr::scalar_of;
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
    if source.text.trim().is_empty() {
        let error = reporter.error(Span::new(0, 0), "the file is empty");
        reporter.push(
            error.with_help(
                "a ruleset needs a `name` and a check: see `oddsmith rules show` for one",
            ),
        );
        return reporter
            .finish(())
            .map(|()| unreachable!("an error was reported"));
    }
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    for error in &errors {
        let at = error
            .span()
            .map_or(Span::new(0, 0), |range| Span::new(range.start, range.end));
        reporter.push(
            reporter
                .error(at, format!("not TOML: {}", error.message()))
                .with_label("here"),
        );
    }
    if !errors.is_empty() {
        return reporter
            .finish(())
            .map(|()| unreachable!("errors were reported"));
    }
    let model = read_model(document.get_ref(), &mut reporter);
    reporter.finish(model)
}

fn read_model(root: &DeTable<'_>, reporter: &mut Reporter) -> Model {
    let source = Arc::clone(&reporter.source);
    let start = Span::new(0, source.text.lines().next().map_or(0, str::len));
    check_keys(root, keys::ROOT, "a ruleset", start, reporter);
    let params = get(root, "params")
        .map(|node| inputs::read(node, Role::Parameter, reporter))
        .unwrap_or_default();
    let (functions, recursive) = get(root, "functions")
        .map(|node| functions::read(node, reporter))
        .unwrap_or_default();
    let mut library = Library {
        functions,
        recursive,
        params,
        checks: Vec::new(),
    };
    let drafts = get(root, "checks")
        .map(|node| read_checks(node, reporter))
        .unwrap_or_default();
    for draft in &drafts {
        report_clashes(draft, &library, reporter);
    }
    library.checks = drafts
        .iter()
        .map(|draft| draft.definition(&drafts))
        .collect();
    functions::check_unused(&library, reporter);
    let shared = get(root, "require")
        .map(|node| read_conditions(node, reporter))
        .unwrap_or_default();
    let lower = |(at, draft): (usize, &Draft)| {
        lower_check(draft, &library.checks[at], &library, &shared, reporter)
    };
    let checks = drafts.iter().enumerate().map(lower).collect();
    Model {
        source,
        name: optional_string(root, "name", reporter),
        help: optional_string(root, "help", reporter),
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
    axes: Vec<Input>,
    require: Vec<Condition>,
    script: Script,
}

/// A condition of `require`, still as text.
struct Condition {
    text: String,
    syntax: syntax::ast::Expr,
}

impl Draft {
    /// With the axes of the checks it inherits from, theirs first.
    fn definition(&self, drafts: &[Self]) -> CheckDef {
        let mut axes: Vec<Input> = Vec::new();
        self.collect_axes(drafts, &mut axes, &mut Vec::new());
        let (name, script, bands) = (self.name.clone(), self.script.clone(), self.bands.clone());
        CheckDef {
            name,
            script,
            bands,
            axes,
        }
    }

    fn collect_axes<'d>(
        &'d self,
        drafts: &'d [Self],
        axes: &mut Vec<Input>,
        seen: &mut Vec<&'d str>,
    ) {
        if seen.contains(&self.name.text.as_str()) {
            return;
        }
        seen.push(&self.name.text);
        for name in &self.inherit {
            if let Some(parent) = drafts.iter().find(|draft| draft.name.text == name.text) {
                parent.collect_axes(drafts, axes, seen);
            }
        }
        for axis in &self.axes {
            axes.retain(|inherited| inherited.name != axis.name);
            axes.push(axis.clone());
        }
    }
}

fn read_checks(node: &Node<'_>, reporter: &mut Reporter) -> Vec<Draft> {
    let Some(entries) = table(node, "`checks`", reporter) else {
        return Vec::new();
    };
    if entries.is_empty() {
        reporter.push(reporter.error(span(node), "a ruleset needs at least one check"));
    }
    let mut drafts = Vec::new();
    for (key, value) in entries {
        let name = key_name(key);
        if inputs::is_word(&name, reporter) {
            drafts.extend(read_check(name, value, reporter));
        }
    }
    for draft in &drafts {
        for parent in &draft.inherit {
            let names = || drafts.iter().map(|draft| draft.name.text.as_str());
            if names().any(|name| name == parent.text) && parent.text != draft.name.text {
                continue;
            }
            let error = reporter.error(
                parent.span,
                format!("there is no other check `{}`", parent.text),
            );
            reporter.push(
                match nearest(
                    &parent.text,
                    names().filter(|name| *name != draft.name.text),
                ) {
                    Some(near) => error.with_label(format!("did you mean `{near}`?")),
                    None => error.with_label("not a check of this file"),
                },
            );
        }
    }
    drafts
}

fn read_check(name: Name, node: &Node<'_>, reporter: &mut Reporter) -> Option<Draft> {
    let entry = table(node, &format!("`{}`", name.text), reporter)?;
    check_keys(entry, keys::CHECK, "a check", name.span, reporter);
    let inherit = get(entry, "inherit")
        .map(|node| nodes::strings(node, "`inherit`", reporter))
        .unwrap_or_default();
    let inherit = inherit
        .into_iter()
        .map(|(node, text)| Name {
            text,
            span: span(node),
        })
        .collect();
    let labels = get(entry, "bands").map(|node| inputs::read_labels(node, "`bands`", reporter));
    // Bands with an error still stand for bands, so that one slip is one error.
    let bands = labels.map(|labels| {
        Arc::new(Choice {
            labels: labels.unwrap_or_default(),
        })
    });
    let axes = get(entry, "axes")
        .map(|node| inputs::read(node, Role::Axis, reporter))
        .unwrap_or_default();
    let require = get(entry, "require")
        .map(|node| read_conditions(node, reporter))
        .unwrap_or_default();
    let text = Arc::clone(&reporter.source);
    let script = match get(entry, "rules").and_then(|node| code(node, &text.text, reporter)) {
        Some((script, offset)) => syntax::parse_script(script, offset, reporter),
        None => Script {
            statements: Vec::new(),
        },
    };
    let help = optional_string(entry, "help", reporter);
    Some(Draft {
        name,
        help,
        inherit,
        bands,
        axes,
        require,
        script,
    })
}

fn read_conditions(node: &Node<'_>, reporter: &mut Reporter) -> Vec<Condition> {
    let source = Arc::clone(&reporter.source);
    let mut conditions = Vec::new();
    for (item, text) in nodes::strings(node, "`require`", reporter) {
        if let Some((inner, offset)) = code(item, &source.text, reporter)
            && let Some(syntax) = syntax::parse_expr(inner, offset, reporter)
        {
            conditions.push(Condition { text, syntax });
        }
    }
    conditions
}

/// Names that would hide one another.
fn report_clashes(draft: &Draft, library: &Library, reporter: &mut Reporter) {
    for axis in &draft.axes {
        let is_same = |param: &&Input| param.name.split('[').next() == Some(axis.name.as_str());
        if let Some(param) = library.params.iter().find(is_same) {
            let error = reporter.error(
                axis.span,
                format!("`{}` is the name of a parameter too", axis.name),
            );
            reporter.push(
                error
                    .with_related(param.span, "the parameter")
                    .with_label("rename one of them"),
            );
        }
    }
    if let Some(function) = library.functions.get(&draft.name.text) {
        let error = reporter.error(
            draft.name.span,
            format!("`{}` is the name of a function too", draft.name.text),
        );
        reporter.push(error.with_related(function.name.span, "the function"));
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
    for (at, axis) in definition.axes.iter().enumerate() {
        let id = crate::program::InputId(library.params.len() + at);
        lowerer.bind_input(&axis.name, id, scalar_of(&axis.domain), axis.span, true);
    }
    let requires = shared.iter().chain(&draft.require).filter_map(|condition| {
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
        let error = reporter.error(
            draft.name.span,
            format!("`{}` shows nothing", draft.name.text),
        );
        reporter.push(error.with_help("a check needs at least one `show name = …` in its rules"));
    }
    Check {
        source,
        name: draft.name.text.clone(),
        help: draft.help.clone(),
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
