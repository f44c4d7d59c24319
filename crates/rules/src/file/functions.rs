//! `[functions]`: parsing, recursion, and the bodies that nothing calls.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::check::Domain;
use crate::file::inputs::is_word;
use crate::file::nodes::{Node, code, key_name, table};
use crate::lower::built_in::is_built_in;
use crate::lower::{FunctionDef, Library};
use crate::source::{Reporter, Span};
use crate::syntax;
use crate::syntax::ast::{Expr, ExprKind, Function, Name};
use crate::words::BUILT_INS;

/// The functions, and the names of those that are wrong in a way that is reported here: calls of them are no
/// errors of their own.
pub(crate) fn read(
    node: &Node<'_>,
    reporter: &mut Reporter,
) -> (BTreeMap<String, FunctionDef>, Vec<String>) {
    let mut functions = BTreeMap::new();
    let mut broken = Vec::new();
    let Some(entries) = table(node, "`functions`", reporter) else {
        return (functions, broken);
    };
    let source = Arc::clone(&reporter.source);
    for (key, value) in entries {
        let name = key_name(key);
        if !is_word(&name, "(", reporter) {
            continue;
        }
        if is_built_in(&name.text) {
            let message = format!("`{}` is a built-in function", name.text);
            reporter.push(
                reporter
                    .error(name.span, message)
                    .with_label("choose another name"),
            );
            continue;
        }
        let text = code(value, &format!("`{}`", name.text), &source.text, reporter);
        let parsed = text.and_then(|(text, offset)| syntax::parse_function(text, offset, reporter));
        if parsed
            .as_ref()
            .is_none_or(|function| has_parameter_twice(function, reporter))
        {
            broken.push(name.text.clone());
        }
        let unread = || Function {
            params: Vec::new(),
            body: Expr {
                kind: ExprKind::Error,
                span: name.span,
            },
        };
        let syntax = parsed.unwrap_or_else(unread);
        functions.insert(name.text.clone(), FunctionDef { name, syntax });
    }
    broken.extend(report_recursion(&functions, reporter));
    (functions, broken)
}

fn has_parameter_twice(function: &Function, reporter: &mut Reporter) -> bool {
    for (at, param) in function.params.iter().enumerate() {
        if let Some(first) = function.params[..at]
            .iter()
            .find(|first| first.text == param.text)
        {
            let error = reporter
                .error(
                    param.span,
                    format!("two parameters are called `{}`", param.text),
                )
                .with_label("again here")
                .with_related(first.span, "first here");
            reporter.push(error);
            return true;
        }
    }
    false
}

/// The functions that a body calls by name (also those it hands to `map`).
fn calls<'e>(body: &'e Expr, functions: &BTreeMap<String, FunctionDef>) -> Vec<(&'e str, Span)> {
    let mut found = Vec::new();
    body.for_each(&mut |expr| match &expr.kind {
        ExprKind::Call { name, .. } => found.push((name.text.as_str(), name.span)),
        ExprKind::Name(name) => found.push((name.as_str(), expr.span)),
        _ => {}
    });
    found.retain(|(name, _)| functions.contains_key(*name));
    found
}

/// The calls in the body of each function.
type Calls<'f> = BTreeMap<&'f str, Vec<(&'f str, Span)>>;

fn report_recursion(
    functions: &BTreeMap<String, FunctionDef>,
    reporter: &mut Reporter,
) -> Vec<String> {
    let called = functions.iter();
    let called = called.map(|(name, own)| (name.as_str(), calls(&own.syntax.body, functions)));
    let calls: Calls<'_> = called.collect();
    let mut recursive: Vec<&str> = Vec::new();
    for &name in calls.keys() {
        if recursive.contains(&name) {
            continue;
        }
        if let Some(cycle) = cycle_from(name, &calls) {
            let body = &functions[name].syntax.body;
            let next = cycle.get(1).unwrap_or(&name);
            let place = calls[name].iter().find(|(callee, _)| callee == next);
            let span = place.map_or(body.span, |(_, span)| *span);
            let chain: Vec<&str> = cycle.iter().copied().chain([name]).collect();
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
    recursive.into_iter().map(str::to_owned).collect()
}

/// The functions on a way from `start` back to it.
fn cycle_from<'f>(start: &'f str, calls: &Calls<'f>) -> Option<Vec<&'f str>> {
    let mut path = vec![start];
    search(start, calls, &mut path, &mut Vec::new()).then_some(path)
}

fn search<'f>(
    start: &str,
    calls: &Calls<'f>,
    path: &mut Vec<&'f str>,
    visited: &mut Vec<&'f str>,
) -> bool {
    let last = path.last().and_then(|name| calls.get(name));
    for (callee, _) in last.into_iter().flatten() {
        if *callee == start {
            return true;
        }
        if visited.contains(callee) {
            continue;
        }
        visited.push(callee);
        path.push(callee);
        if search(start, calls, path, visited) {
            return true;
        }
        path.pop();
    }
    false
}

/// Names in the bodies that no check reaches are checked too: a slip there would wait for the first caller.
pub(crate) fn check_unused(library: &Library, reporter: &mut Reporter) {
    let functions = &library.functions;
    let mut open: Vec<&str> = Vec::new();
    let mut uses = |expr: &Expr| {
        if let ExprKind::Call {
            name: Name { text, .. },
            ..
        }
        | ExprKind::Name(text) = &expr.kind
        {
            open.extend(functions.get_key_value(text).map(|(name, _)| name.as_str()));
        }
    };
    for check in library.checks.iter().chain(&library.tracks) {
        let statements = &check.script.statements;
        statements
            .iter()
            .for_each(|statement| statement.for_each(&mut uses));
        check
            .maximise
            .iter()
            .chain(&check.contest)
            .for_each(|expr| expr.for_each(&mut uses));
    }
    let mut used: Vec<&str> = Vec::new();
    while let Some(name) = open.pop() {
        if !used.contains(&name) {
            used.push(name);
            let body = &functions[name].syntax.body;
            open.extend(calls(body, functions).into_iter().map(|(callee, _)| callee));
        }
    }
    for function in functions.values() {
        let name = &function.name.text;
        if !used.contains(&name.as_str()) && !library.broken_functions.contains(name) {
            report_unknown_names(function, library, reporter);
        }
    }
}

fn report_unknown_names(function: &FunctionDef, library: &Library, reporter: &mut Reporter) {
    let broken = library.broken_params.iter().map(|name| name.text.as_str());
    let params = function
        .syntax
        .params
        .iter()
        .map(|param| param.text.as_str());
    let inputs = library
        .params
        .iter()
        .filter_map(|param| param.name.split('[').next());
    let checks = || library.checks.iter().chain(&library.tracks);
    let labels = checks()
        .filter_map(|check| check.bands.as_ref())
        .flat_map(|bands| bands.labels());
    let named = library
        .labels
        .iter()
        .flat_map(|(_, labels)| labels.labels());
    let param_labels = library
        .params
        .iter()
        .flat_map(|param| domain_labels(&param.domain));
    let axes = checks().flat_map(|check| &check.axes);
    let axis_labels = axes.flat_map(|axis| domain_labels(&axis.domain));
    let known: Vec<&str> = params
        .chain(inputs)
        .chain(broken)
        .chain(labels.map(String::as_str))
        .chain(param_labels)
        .chain(named.map(String::as_str))
        .chain(axis_labels)
        .chain(library.functions.keys().map(String::as_str))
        .chain(library.checks.iter().map(|check| check.name.text.as_str()))
        .chain(BUILT_INS.iter().map(|word| word.name))
        .collect();
    let mut known = known;
    function.syntax.body.for_each(&mut |expr| {
        if let ExprKind::Fold(fold) = &expr.kind {
            known.extend(fold.names().map(|name| name.text.as_str()));
        }
    });
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
        let near = reporter.nearest(&name.text, known.iter().copied());
        reporter.push(match near {
            Some(near) => error.meant(near),
            None => error.with_label("no parameter, argument or function has this name"),
        });
    }
}

fn domain_labels(domain: &Domain) -> impl Iterator<Item = &str> {
    let choice = match domain {
        Domain::Choice(choice) => Some(choice),
        Domain::Range(..) => None,
    };
    choice
        .into_iter()
        .flat_map(|choice| choice.labels().iter().map(String::as_str))
}
