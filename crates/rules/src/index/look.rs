//! Names that nothing was noted of: in functions that nothing calls, and around errors. They are taken by their look.

use std::collections::{HashMap, HashSet};

use crate::index::record::{Record, Target};
use crate::lower::{CheckDef, FunctionDef, Library};
use crate::source::Span;
use crate::syntax::ast::{Arg, Expr, ExprKind, Name, Statement};

/// What can be seen at a place, by its name.
struct Seen<'l> {
    library: &'l Library,
    names: HashMap<&'l str, Span>,
    /// The axes of the check whose result a name holds.
    results: HashMap<&'l str, &'l CheckDef>,
    noted: &'l HashSet<Span>,
}

/// Notes what names most likely mean that nothing was noted of.
pub(super) fn add_unresolved(library: &Library, record: &mut Record) {
    let noted: HashSet<Span> = record.uses.iter().map(|(place, _)| *place).collect();
    let params = library.params.iter().map(|input| {
        let base = input.name.split('[').next().unwrap_or_default();
        (base, input.span)
    });
    let broken = library
        .broken_params
        .iter()
        .map(|name| (name.text.as_str(), name.span));
    let params: HashMap<&str, Span> = params.chain(broken).collect();
    for function in library.functions.values() {
        let names = with(&params, arguments(function));
        let results = HashMap::new();
        let seen = Seen {
            library,
            names,
            results,
            noted: &noted,
        };
        seen.read(&function.syntax.body, record);
    }
    for check in library.checks.iter().chain(&library.tracks) {
        let mut own = axes(check);
        let mut results = HashMap::new();
        bind(&check.script.statements, library, &mut own, &mut results);
        let names = with(&params, own);
        let seen = Seen {
            library,
            names,
            results,
            noted: &noted,
        };
        seen.read_all(&check.script.statements, record);
        let goals = check.maximise.iter().chain(&check.contest);
        goals.for_each(|goal| seen.read(goal, record));
    }
}

/// The parameters of the file, and what hides some of them.
fn with<'l>(params: &HashMap<&'l str, Span>, own: Vec<(&'l str, Span)>) -> HashMap<&'l str, Span> {
    let mut names = params.clone();
    names.extend(own);
    names
}

fn arguments(function: &FunctionDef) -> Vec<(&str, Span)> {
    let params = function.syntax.params.iter();
    params
        .map(|param| (param.text.as_str(), param.span))
        .collect()
}

fn axes(check: &CheckDef) -> Vec<(&str, Span)> {
    let good = check
        .axes
        .iter()
        .map(|axis| (axis.name.as_str(), axis.span));
    let broken = check
        .broken_axes
        .iter()
        .map(|name| (name.text.as_str(), name.span));
    good.chain(broken).collect()
}

/// What statements bind, and which names hold results of checks.
fn bind<'l>(
    statements: &'l [Statement],
    library: &'l Library,
    names: &mut Vec<(&'l str, Span)>,
    results: &mut HashMap<&'l str, &'l CheckDef>,
) {
    for statement in statements {
        match statement {
            Statement::Let { name, value, .. } => {
                names.push((&name.text, name.span));
                if let ExprKind::Call { name: called, .. } = &value.kind
                    && let Some(check) = library.callee(&called.text)
                {
                    results.insert(&name.text, check);
                }
            }
            Statement::Choose { name, .. } => names.push((&name.text, name.span)),
            Statement::Repeat { body, .. } => bind(body, library, names, results),
            Statement::For { name, body, .. } => {
                names.push((&name.text, name.span));
                bind(body, library, names, results);
            }
            Statement::Set { .. } | Statement::Show { .. } => {}
        }
    }
}

impl Seen<'_> {
    fn read_all(&self, statements: &[Statement], record: &mut Record) {
        for statement in statements {
            if let Statement::Set { name, .. } | Statement::Show { name } = statement {
                self.name(&name.text, name.span, record);
            }
            if let Statement::Repeat { body, .. } | Statement::For { body, .. } = statement {
                self.read_targets(body, record);
            }
            statement.for_each(&mut |expr| self.one(expr, record));
        }
    }

    /// What is set in a block; its expressions are visited with the whole of it.
    fn read_targets(&self, statements: &[Statement], record: &mut Record) {
        for statement in statements {
            match statement {
                Statement::Set { name, .. } => self.name(&name.text, name.span, record),
                Statement::Repeat { body, .. } | Statement::For { body, .. } => {
                    self.read_targets(body, record);
                }
                _ => {}
            }
        }
    }

    fn read(&self, expr: &Expr, record: &mut Record) {
        expr.for_each(&mut |part| self.one(part, record));
    }

    fn one(&self, expr: &Expr, record: &mut Record) {
        match &expr.kind {
            ExprKind::Name(name) | ExprKind::Label(name) => self.name(name, expr.span, record),
            ExprKind::Call { name, args } => self.call(name, args, record),
            ExprKind::Field { record: of, field } => self.field(of, field, record),
            _ => {}
        }
    }

    fn name(&self, name: &str, place: Span, record: &mut Record) {
        if self.noted.contains(&place) {
            return;
        }
        if let Some(defined) = self.names.get(name) {
            return record.name(place, *defined);
        }
        if let Some(function) = self.library.functions.get(name) {
            return record.name(place, function.name.span);
        }
        // A label of one list can be no other.
        let lists = record.lists.iter().enumerate();
        let mut found = lists.filter_map(|(list, choice)| {
            let at = usize::try_from(choice.place(name)?).ok()?;
            Some(Target::Label(list, at))
        });
        if let (Some(label), None) = (found.next(), found.next()) {
            record.uses.insert((place, label));
        }
    }

    fn call(&self, name: &Name, args: &[Arg], record: &mut Record) {
        let check = self.library.callee(&name.text);
        let function = self.library.functions.get(&name.text);
        let defined = function.map(|function| function.name.span);
        let defined = defined.or_else(|| Some(check?.name.span));
        if let Some(defined) = defined.filter(|_| !self.noted.contains(&name.span)) {
            record.name(name.span, defined);
        }
        for arg in args {
            if let (Arg::Named(name, _), Some(check)) = (arg, check)
                && !self.noted.contains(&name.span)
                && let Some((_, axis)) =
                    axes(check).into_iter().find(|(axis, _)| *axis == name.text)
            {
                record.name(name.span, axis);
            }
        }
    }

    fn field(&self, of: &Expr, field: &Name, record: &mut Record) {
        let check = match &of.kind {
            ExprKind::Name(name) => self.results.get(name.as_str()).copied(),
            ExprKind::Call { name, .. } => self.library.callee(&name.text),
            _ => None,
        };
        let shown = check.and_then(|check| {
            let mut names = Vec::new();
            bind(
                &check.script.statements,
                self.library,
                &mut names,
                &mut HashMap::new(),
            );
            names.into_iter().find(|(name, _)| *name == field.text)
        });
        if let Some((_, defined)) = shown.filter(|_| !self.noted.contains(&field.span)) {
            record.name(field.span, defined);
        }
    }
}
