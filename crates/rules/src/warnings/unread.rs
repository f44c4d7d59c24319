//! Axes and parameters on which nothing depends.

use std::collections::BTreeSet;

use crate::check::{Check, Input, Query, Role};
use crate::model::Model;
use crate::program::{Expr, Kind, Options, Statement};
use crate::settings::resource::Utility;
use crate::source::Span;
use crate::warnings::found::Found;

/// Warns of each axis and parameter that nothing reads: no outcome of any check or track that has it, no requirement,
/// and no question that the ruleset asks. That holds whatever the configuration is, since only what is written counts.
pub(super) fn look(model: &Model, found: &mut Found) {
    // What may fail is carried out, whether or not it is read; to find that takes longer, and is hardly ever needed.
    let mut unread = Vec::new();
    for with_failing in [false, true] {
        unread = inputs_unread(model, with_failing);
        if unread.is_empty() {
            return;
        }
    }
    for (name, span, what) in unread {
        warn(&name, span, what, found);
    }
}

/// The name, the place and the kind of each input that is not read.
fn inputs_unread(model: &Model, with_failing: bool) -> Vec<(String, Span, &'static str)> {
    let mut unread = Vec::new();
    let checks = || model.checks.iter().chain(&model.tracks);
    let mut read: BTreeSet<(usize, usize)> = BTreeSet::new();
    for check in checks() {
        let inputs = inputs_read(model, check, with_failing, &read);
        let own = check.inputs.iter().enumerate();
        let own = own.filter(|(at, _)| inputs.contains(*at));
        read.extend(own.map(|(_, input)| place(input)));
    }
    let mut parameters = model.params.as_slice();
    while let Some(first) = parameters.first() {
        let name = base(first);
        let count = parameters.iter().take_while(|input| base(input) == name);
        let (elements, rest) = parameters.split_at(count.count());
        parameters = rest;
        let last = elements.last().unwrap_or(first);
        if !elements
            .iter()
            .any(|element| read.contains(&place(element)))
        {
            unread.push((name.to_owned(), first.span.to(last.span), "a parameter"));
        }
    }
    for check in checks() {
        let axes = check.inputs.iter().filter(|input| input.role == Role::Axis);
        for axis in axes.filter(|axis| !read.contains(&place(axis))) {
            if !is_accepted(model, &axis.name) {
                unread.push((axis.name.clone(), axis.span, "an axis"));
            }
        }
    }
    unread
}

/// Inputs of several checks are one, if they are declared in one place.
fn place(input: &Input) -> (usize, usize) {
    (input.span.start, input.span.end)
}

/// The name of a parameter, without the place of an element of a list.
fn base(input: &Input) -> &str {
    input.name.split('[').next().unwrap_or_default()
}

/// Whether `balance lint` is told that an axis is to change nothing.
fn is_accepted(model: &Model, axis: &str) -> bool {
    let mut checks = model.checks.iter().chain(&model.tracks);
    let is_met = |id: &str| {
        let mut acceptances = model.acceptances.iter();
        acceptances.any(|acceptance| acceptance.finding.matches(id))
    };
    checks.any(|check| is_met(&format!("dead-axis/{}/{axis}", check.name)))
}

fn warn(name: &str, span: Span, what: &str, found: &mut Found) {
    let message = format!("`{name}` moves nothing: no odds depend on it");
    let warning = found
        .warning(span, message)
        .with_label(format!("{what} that nothing reads"))
        .with_help("read it in the rules, or take it out of the file");
    found.push(warning);
}

/// The inputs on which something depends that can be asked of a check, or that the ruleset asks of it; once all are found that
/// no other check reads, perhaps not the rest.
fn inputs_read(
    model: &Model,
    check: &Check,
    with_failing: bool,
    elsewhere: &BTreeSet<(usize, usize)>,
) -> Marks {
    let mut reading = Reading::default();
    let shown = check.outcomes.iter();
    shown.for_each(|outcome| reading.needed.add(outcome.var.0));
    if with_failing {
        let domains = check.inputs.iter().map(|input| input.domain.bounds());
        let unsure = check.may_fail(&domains.collect::<Vec<_>>());
        unsure.iter().for_each(|var| reading.needed.add(var.0));
    }
    let measures = check.contest.iter().chain(&check.goal);
    measures.for_each(|measure| reading.expr(&measure.value));
    let requires = check.requires.iter();
    requires.for_each(|requirement| reading.expr(&requirement.condition));
    let queries = queries(model, &check.name);
    queries
        .flat_map(Query::parts)
        .for_each(|part| reading.expr(part));
    let is_read = |reading: &Reading| {
        let mut inputs = check.inputs.iter().enumerate();
        inputs.all(|(at, input)| reading.inputs.contains(at) || elsewhere.contains(&place(input)))
    };
    // What points are spent for takes long to read, and is nearly always read by something else.
    for is_spent in [false, true] {
        if is_spent {
            spent(model, check, &mut reading);
        }
        loop {
            let before = (reading.needed.count, reading.inputs.count);
            reading.statements(&check.program.statements);
            if is_read(&reading) {
                return reading.inputs;
            }
            if (reading.needed.count, reading.inputs.count) == before {
                break;
            }
        }
    }
    reading.inputs
}

/// What is read where points are spent in a check, if they are.
fn spent(model: &Model, check: &Check, reading: &mut Reading) {
    let resources = { model.resources.iter() }
        .filter(|resource| check.input(resource.request.axis.trim()).is_some());
    for resource in resources {
        if let Ok(terms) = check.read_spending(&resource.request, &|_| String::new()) {
            let policy = terms.outlay.policy.map(|(axis, _)| axis);
            let axes = std::iter::once(terms.outlay.axis).chain(policy);
            axes.for_each(|axis| reading.inputs.add(axis.0));
            if let Utility::Measure(measure) = &terms.utility {
                reading.expr(&measure.value);
            }
        }
    }
}

/// The questions that a ruleset asks of a check.
fn queries<'m>(model: &'m Model, check: &'m str) -> impl Iterator<Item = &'m Query> {
    let expectations = model.expectations.iter();
    let expectations = expectations.filter(move |expectation| expectation.check == check);
    let charts = model
        .charts
        .iter()
        .filter(move |chart| chart.check == check);
    let goals = model.tuning.iter().flat_map(|tuning| &tuning.goals);
    let goals = goals.filter(move |goal| goal.check == check);
    expectations
        .flat_map(|expectation| &expectation.queries)
        .chain(charts.flat_map(|chart| &chart.queries))
        .chain(goals.map(|goal| &goal.query))
}

/// What is read so far. It only grows, so it is complete when a round over the script adds nothing.
#[derive(Default)]
struct Reading {
    /// By [`crate::program::VarId`].
    needed: Marks,
    /// By [`crate::program::InputId`].
    inputs: Marks,
}

/// A set of places.
#[derive(Default)]
struct Marks {
    marks: Vec<bool>,
    count: usize,
}

impl Marks {
    fn add(&mut self, at: usize) {
        if self.marks.len() <= at {
            self.marks.resize(at + 1, false);
        }
        self.count += usize::from(!std::mem::replace(&mut self.marks[at], true));
    }

    fn contains(&self, at: usize) -> bool {
        self.marks.get(at) == Some(&true)
    }
}

impl Reading {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            Kind::Input(id) => {
                self.inputs.add(id.0);
            }
            Kind::Var(var) => {
                self.needed.add(var.0);
            }
            Kind::Block { statements, value } => {
                self.expr(value);
                self.statements(statements);
            }
            _ => expr.for_each_part(&mut |part| self.expr(part)),
        }
    }

    /// Reads what the variables that are needed are made of: backwards, as most are bound before they are read.
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements.iter().rev() {
            match statement {
                Statement::Let { var, value } | Statement::Set { var, value } => {
                    if self.needed.contains(var.0) {
                        self.expr(value);
                    }
                }
                Statement::Choose {
                    var,
                    options,
                    condition,
                    goal,
                    ..
                } => {
                    if self.needed.contains(var.0) {
                        Options::parts(options)
                            .chain(condition)
                            .for_each(|part| self.expr(part));
                        self.needed.add(goal.0);
                    }
                }
                Statement::Repeat {
                    count, until, body, ..
                } => {
                    // How often it goes round matters if anything that it changes does.
                    if self.needs_any(body) {
                        count.iter().chain(until).for_each(|part| self.expr(part));
                    }
                    self.statements(body);
                }
            }
        }
    }

    fn needs_any(&self, statements: &[Statement]) -> bool {
        let mut set = crate::program::set_in(statements).into_iter();
        set.any(|var| self.needed.contains(var.0))
    }
}
