//! `[functions]`: parsing, recursion, and the bodies that nothing calls.

use std::collections::BTreeMap;

use crate::file::inputs::is_word;
use crate::file::nodes::{Node, code, key_name, table};
use crate::lower::call::BUILT_INS;
use crate::lower::{FunctionDef, Library};
use crate::source::{Reporter, nearest};
use crate::syntax;
use crate::syntax::ast::{Expr, ExprKind, Name};

/// The functions, and the names of those that are part of a recursion (which is reported).
pub(crate) fn read(
    node: &Node<'_>,
    reporter: &mut Reporter,
) -> (BTreeMap<String, FunctionDef>, Vec<String>) {
    let mut functions = BTreeMap::new();
    let Some(entries) = table(node, "`functions`", reporter) else {
        return (functions, Vec::new());
    };
    let source = std::sync::Arc::clone(&reporter.source);
    for (key, value) in entries {
        let name = key_name(key);
        if !is_word(&name, reporter) {
            continue;
        }
        if name.text == "draw" || BUILT_INS.iter().any(|(known, _)| *known == name.text) {
            let error =
                reporter.error(name.span, format!("`{}` is a built-in function", name.text));
            reporter.push(error.with_label("choose another name"));
            continue;
        }
        let Some((text, offset)) = code(value, &source.text, reporter) else {
            continue;
        };
        if let Some(syntax) = syntax::parse_function(text, offset, reporter) {
            functions.insert(name.text.clone(), FunctionDef { name, syntax });
        }
    }
    let recursive = report_recursion(&functions, reporter);
    (functions, recursive)
}

/// The functions that a body calls by name (also those it hands to `map`).
fn calls<'e>(
    body: &'e Expr,
    functions: &BTreeMap<String, FunctionDef>,
) -> Vec<(&'e str, crate::source::Span)> {
    let mut found = Vec::new();
    body.for_each(&mut |expr| match &expr.kind {
        ExprKind::Call { name, .. } => found.push((name.text.as_str(), name.span)),
        ExprKind::Name(name) => found.push((name.as_str(), expr.span)),
        _ => {}
    });
    found.retain(|(name, _)| functions.contains_key(*name));
    found
}

fn report_recursion(
    functions: &BTreeMap<String, FunctionDef>,
    reporter: &mut Reporter,
) -> Vec<String> {
    let mut recursive = Vec::new();
    for name in functions.keys() {
        if recursive.contains(name) {
            continue;
        }
        if let Some(cycle) = cycle_from(name, functions) {
            let body = &functions[name].syntax.body;
            let next = cycle.get(1).unwrap_or(name);
            let place = calls(body, functions)
                .into_iter()
                .find(|(callee, _)| callee == next);
            let span = place.map_or(body.span, |(_, span)| span);
            let chain: Vec<&str> = cycle
                .iter()
                .map(String::as_str)
                .chain([name.as_str()])
                .collect();
            let error = reporter
                .error(
                    span,
                    format!("functions may not call themselves: {}", chain.join(" → ")),
                )
                .with_label("this comes back to itself")
                .with_help("use a bounded `repeat` in the rules instead");
            reporter.push(error);
            recursive.extend(cycle);
        }
    }
    recursive
}

/// The functions on a way from `start` back to it.
fn cycle_from(start: &str, functions: &BTreeMap<String, FunctionDef>) -> Option<Vec<String>> {
    let mut visited: Vec<String> = Vec::new();
    let mut path = vec![start.to_owned()];
    search(start, functions, &mut path, &mut visited).then_some(path)
}

fn search(
    start: &str,
    functions: &BTreeMap<String, FunctionDef>,
    path: &mut Vec<String>,
    visited: &mut Vec<String>,
) -> bool {
    let Some(function) = path.last().and_then(|name| functions.get(name)) else {
        return false;
    };
    for (callee, _) in calls(&function.syntax.body, functions) {
        if callee == start {
            return true;
        }
        if visited.iter().any(|known| known == callee) {
            continue;
        }
        visited.push(callee.to_owned());
        path.push(callee.to_owned());
        if search(start, functions, path, visited) {
            return true;
        }
        path.pop();
    }
    false
}

/// Names in the bodies that no check reaches are checked too: a slip there would wait for the first caller.
pub(crate) fn check_unused(library: &Library, reporter: &mut Reporter) {
    let mut used: Vec<&str> = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let note = |expr: &Expr, open: &mut Vec<String>| match &expr.kind {
        ExprKind::Call { name, .. } => open.push(name.text.clone()),
        ExprKind::Name(name) => open.push(name.clone()),
        _ => {}
    };
    let mut names = Vec::new();
    for check in &library.checks {
        for statement in &check.script.statements {
            statement.for_each(&mut |expr| note(expr, &mut names));
        }
    }
    for (name, function) in &library.functions {
        if names.contains(name) {
            open.push(name);
        }
        let _ = function;
    }
    while let Some(name) = open.pop() {
        if used.contains(&name) {
            continue;
        }
        used.push(name);
        open.extend(
            calls(&library.functions[name].syntax.body, &library.functions)
                .into_iter()
                .filter_map(|(callee, _)| {
                    library
                        .functions
                        .get_key_value(callee)
                        .map(|(key, _)| key.as_str())
                }),
        );
    }
    for (name, function) in library
        .functions
        .iter()
        .filter(|(name, _)| !used.contains(&name.as_str()))
    {
        let _ = name;
        report_unknown_names(function, library, reporter);
    }
}

fn report_unknown_names(function: &FunctionDef, library: &Library, reporter: &mut Reporter) {
    let params = function
        .syntax
        .params
        .iter()
        .map(|param| param.text.as_str());
    let inputs = library
        .params
        .iter()
        .filter_map(|param| param.name.split('[').next());
    let labels = library
        .checks
        .iter()
        .filter_map(|check| check.bands.as_ref())
        .flat_map(|bands| &bands.labels);
    let param_labels = library
        .params
        .iter()
        .flat_map(|param| domain_labels(&param.domain));
    let axes = library.checks.iter().flat_map(|check| &check.axes);
    let axis_labels = axes.flat_map(|axis| domain_labels(&axis.domain));
    let known: Vec<&str> = params
        .chain(inputs)
        .chain(labels.map(String::as_str))
        .chain(param_labels)
        .chain(axis_labels)
        .chain(library.functions.keys().map(String::as_str))
        .chain(library.checks.iter().map(|check| check.name.text.as_str()))
        .chain(BUILT_INS.iter().map(|(name, _)| *name))
        .chain(["draw"])
        .collect();
    let mut unknown: Vec<Name> = Vec::new();
    function.syntax.body.for_each(&mut |expr| match &expr.kind {
        ExprKind::Name(name) => unknown.push(Name {
            text: name.clone(),
            span: expr.span,
        }),
        ExprKind::Call { name, .. } => unknown.push(name.clone()),
        _ => {}
    });
    for name in unknown
        .into_iter()
        .filter(|name| !known.contains(&name.text.as_str()))
    {
        let error = reporter.error(name.span, format!("unknown name `{}`", name.text));
        reporter.push(match nearest(&name.text, known.iter().copied()) {
            Some(near) => error.with_label(format!("did you mean `{near}`?")),
            None => error.with_label("no parameter, argument or function has this name"),
        });
    }
}

fn domain_labels(domain: &crate::model::Domain) -> impl Iterator<Item = &str> {
    let choice = match domain {
        crate::model::Domain::Choice(choice) => Some(choice),
        crate::model::Domain::Range(..) => None,
    };
    choice
        .into_iter()
        .flat_map(|choice| choice.labels.iter().map(String::as_str))
}
