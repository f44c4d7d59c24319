//! Lists that `set` changes, and what is read of lists: each item is a variable of its own.

use std::sync::Arc;

use crate::interval;
use crate::lower::expr::Want;
use crate::lower::{Lowered, Lowerer, Reported, Scalar, Value};
use crate::program::{BinaryOp, CompareOp, Expr, Kind, Statement, Test, VarId};
use crate::source::Span;
use crate::syntax::ast::{self, Arg, ExprKind, TestKind};

/// The function that gives a list.
pub(super) const SORTED: &str = "sorted";

/// What is read of a list, under the name of what is read of a pool or a label.
const READINGS: [&str; 6] = ["sum", "size", "highest", "lowest", "count", "index"];

/// Whether a function reads lists.
pub(super) fn reads_items(function: &str) -> bool {
    READINGS.contains(&function)
}

/// Items of a list with their types.
type Items = Vec<(Expr, Scalar)>;

/// The name of an item in messages: `hp[0]`.
pub(super) fn item_name(list: &ast::Name, at: usize) -> ast::Name {
    let (text, span) = (format!("{}[{at}]", list.text), list.span);
    ast::Name { text, span }
}

impl Lowerer<'_> {
    /// `set name[place] = value`
    pub(super) fn set_item(
        &mut self,
        name: &ast::Name,
        place: &ast::Expr,
        value: &ast::Expr,
        out: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let items = self.items_to_set(name)?;
        let at = self.scalar(place, None);
        let item = format!("{}[…]", name.text);
        let value = self.new_value(&item, value, &items[0].1);
        let ((at, _), value) = (at?, value?);
        if let Some(known) = self.known(&at) {
            let inside = usize::try_from(known).ok();
            let Some((var, _)) = inside.and_then(|at| items.get(at)) else {
                return self.refuse_place(place.span, known, items.len());
            };
            out.push(Statement::Set { var: *var, value });
            return Ok(());
        }
        self.spend(items.len(), place.span)?;
        let at = self.place_inside(at, items.len(), out);
        let value = self.settled(name, value, out);
        for (number, (var, _)) in (0..).zip(items) {
            let span = value.span;
            let number = Expr::constant(number, span);
            let is_it = BinaryOp::Compare(CompareOp::Equal);
            let is_it = Expr::binary(is_it, at.clone(), number, span);
            let old = self.var(var, span);
            let value = Expr::if_else(is_it, value.clone(), old, span);
            out.push(Statement::Set { var, value });
        }
        Ok(())
    }

    /// The variables of a list whose items `set` may change.
    fn items_to_set(&mut self, name: &ast::Name) -> Lowered<Vec<(VarId, Scalar)>> {
        let Some(binding) = self.scope.find(&name.text) else {
            return self.not_bound(name);
        };
        self.reporter.note_name(name.span, binding.span);
        let bound = binding.span;
        let items = match &binding.value {
            Value::List(items, _) => items.clone(),
            Value::Error => return Err(Reported),
            other => {
                let label = format!("this is {}", other.describe());
                let error = self
                    .reporter
                    .error(name.span, "only a list has items")
                    .with_label(label)
                    .with_related(bound, "bound here")
                    .with_help(format!(
                        "write `set {} = …`, or bind a list, as in `let {} = [8: 3]`",
                        name.text, name.text
                    ));
                return self.fail(error);
            }
        };
        let variable = |(item, scalar): (Expr, Scalar)| match item.kind {
            Kind::Var(var) if self.program.variable(var).mutable => Some((var, scalar)),
            _ => None,
        };
        let variables: Option<Vec<(VarId, Scalar)>> = items.into_iter().map(variable).collect();
        match variables {
            Some(variables) => Ok(variables),
            None => self.refuse_set(name, bound),
        }
    }

    /// Reports a place at which a list has no item.
    pub(super) fn refuse_place<T>(&mut self, span: Span, at: i64, items: usize) -> Lowered<T> {
        let last = items.saturating_sub(1);
        let message = format!("the list has {items} items, at 0 to {last}");
        self.fail_at(span, message, format!("there is none at {at}"))
    }

    /// A place as a name or a number; one outside of the list is an error when it is rolled.
    fn place_inside(&mut self, at: Expr, items: usize, out: &mut Vec<Statement>) -> Expr {
        let span = at.span;
        let (low, high) = interval::of(&at, false, &self.shapes, self.inputs).faces;
        let count = i64::try_from(items).unwrap_or(i64::MAX);
        let is_inside = low >= 0 && high < count;
        let place = match is_inside {
            true => at,
            false => {
                let items = (0..count).map(|at| Expr::constant(at, span)).collect();
                let index = Box::new(at);
                Expr::new(Kind::Select { index, items }, span)
            }
        };
        let text = "place".to_owned();
        self.settled(&ast::Name { text, span }, place, out)
    }

    /// A value that no later statement changes, as a number or a name.
    fn settled(&mut self, name: &ast::Name, value: Expr, out: &mut Vec<Statement>) -> Expr {
        let is_settled = match value.kind {
            Kind::Const(_) | Kind::Input(_) => true,
            Kind::Var(var) => !self.program.variable(var).mutable,
            _ => false,
        };
        if is_settled {
            return value;
        }
        let span = value.span;
        let var = self.let_as(name, false, value, out);
        self.var(var, span)
    }

    /// `set name = list`: all its items at once.
    pub(super) fn set_list(
        &mut self,
        name: &ast::Name,
        value: &ast::Expr,
        out: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let items = self.items_to_set(name)?;
        let wanted = items[0].1.clone();
        let want = match &wanted {
            Scalar::Choice(choice) => Some(choice),
            _ => None,
        };
        let given = match self.bound_value(value, want, out)? {
            Value::List(given, _) => given,
            Value::Error => return Err(Reported),
            other => return self.refuse_whole(name, value.span, items.len(), &other),
        };
        if given.len() != items.len() {
            let (own, other) = (items.len(), given.len());
            let error = self
                .reporter
                .error(value.span, format!("`{}` has {own} items", name.text))
                .with_label(format!("this has {other}"))
                .with_help("a list keeps its length: let those that are not there be 0");
            return self.fail(error);
        }
        if let Some((_, odd)) = given.iter().find(|(_, scalar)| !scalar.fits(&wanted)) {
            let message = format!("an item of `{}` is {}", name.text, wanted.describe());
            return self.fail_at(
                value.span,
                message,
                format!("here it is {}", odd.describe()),
            );
        }
        let settled: Vec<Expr> = given
            .into_iter()
            .map(|(item, _)| self.settled(name, item, out))
            .collect();
        let sets = items.into_iter().zip(settled);
        out.extend(sets.map(|((var, _), value)| Statement::Set { var, value }));
        Ok(())
    }

    /// Reports what is no list where a list is set.
    fn refuse_whole<T>(
        &mut self,
        name: &ast::Name,
        span: Span,
        items: usize,
        value: &Value,
    ) -> Lowered<T> {
        let text = &name.text;
        let error = self
            .reporter
            .error(span, format!("`{text}` is a list of {items} items"))
            .with_label(format!("this is {}", value.describe()))
            .with_help(format!(
                "`set {text}[0] = …` changes one item, `set {text} = [… : {items}]` all of them"
            ));
        self.fail(error)
    }

    /// `sorted(list)`, the highest item first, by statements in `out`: two neighbours at a time, as in a bubble sort.
    pub(super) fn sorted(
        &mut self,
        name: &ast::Name,
        args: &[Arg],
        span: Span,
        out: &mut Vec<Statement>,
    ) -> Lowered<Value> {
        let [Arg::Value(list)] = args else {
            let error = self.reporter.error(span, "`sorted` takes a list");
            return self.fail(error.with_label("write sorted(list)"));
        };
        let mut items = match self.value(list, None)? {
            Value::List(items, _) => items,
            Value::Error => return Err(Reported),
            other => {
                let error = self
                    .reporter
                    .error(list.span, "`sorted` takes a list")
                    .with_label(format!("this is {}", other.describe()));
                let error = match other {
                    Value::Pool(_) => {
                        error.with_help("a pool is sorted: `nth(p, 2)` is its second-highest die")
                    }
                    _ => error,
                };
                return self.fail(error);
            }
        };
        self.spend_in_pass(items.len().saturating_mul(items.len()));
        for end in (1..items.len()).rev() {
            for at in 0..end {
                let [left, right] = [at, at + 1].map(|at| items[at].0.clone());
                for (at, op) in [(at, BinaryOp::Max), (at + 1, BinaryOp::Min)] {
                    let value = Expr::binary(op, left.clone(), right.clone(), span);
                    items[at].0 = self.settled(name, value, out);
                }
            }
        }
        Ok(Value::List(items, span))
    }

    /// Reports `sorted(…)` where no list can stand.
    pub(super) fn refuse_sorted<T>(&mut self, span: Span) -> Lowered<T> {
        let text = self.written(span);
        let error = self
            .reporter
            .error(
                span,
                "`sorted` gives a list, which is bound or set as a whole",
            )
            .with_label("not here")
            .with_help(format!(
                "write `let ordered = {text}`, and read `ordered` here"
            ));
        self.fail(error)
    }

    /// Whether an argument is a list by its look.
    pub(super) fn is_list(&self, arg: &Arg) -> bool {
        match arg {
            Arg::Value(expr) => match &expr.kind {
                ExprKind::List(_) => true,
                ExprKind::Name(name) => {
                    matches!(self.named_value(name, expr.span), Some(Value::List(..)))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// What is read of a list; none if nothing of this name is, with these arguments.
    pub(super) fn of_items(
        &mut self,
        name: &str,
        args: &[Arg],
        span: Span,
    ) -> Lowered<Option<Value>> {
        let [Arg::Value(list), rest @ ..] = args else {
            return Ok(None);
        };
        let Value::List(items, _) = self.value(list, None)? else {
            return Err(Reported);
        };
        let items: Items = { items.into_iter() }
            .map(|(item, scalar)| (item.at(list.span), scalar))
            .collect();
        self.spend_in_pass(items.len());
        let constant =
            |number: usize| Expr::constant(i64::try_from(number).unwrap_or(i64::MAX), span);
        Ok(Some(match (name, rest) {
            ("size", []) => Value::Scalar(constant(items.len()), Scalar::Int),
            ("sum", []) => {
                self.demand_numbers(&items, list.span)?;
                Value::Scalar(joined(items, BinaryOp::Add, span)?, Scalar::Int)
            }
            ("highest" | "lowest", []) => {
                let scalar = items[0].1.clone();
                let op = match name {
                    "highest" => BinaryOp::Max,
                    _ => BinaryOp::Min,
                };
                Value::Scalar(joined(items, op, span)?, scalar)
            }
            ("highest" | "lowest", [_]) => {
                let error = self
                    .reporter
                    .error(span, format!("`{name}` of a list is one item"))
                    .with_label("there is no number of items to add up here")
                    .with_help(
                        "sort it with `let order = sorted(…)`, and add up `order[0] + order[1]`",
                    );
                return self.fail(error);
            }
            ("count", [test]) => {
                let (statements, tests) = self.tests(&items, test, span)?;
                let count = tests.into_iter().map(|test| (test, Scalar::Bool)).collect();
                let count = joined(count, BinaryOp::Add, span)?;
                Self::block(statements, Value::Scalar(count, Scalar::Int))
            }
            ("index", [test]) => {
                let none = constant(items.len());
                let (statements, tests) = self.tests(&items, test, span)?;
                let places = tests.into_iter().enumerate().rev();
                let first = places.fold(none, |later, (at, test)| {
                    Expr::if_else(test, constant(at), later, span)
                });
                Self::block(statements, Value::Scalar(first, Scalar::Int))
            }
            _ => return Ok(None),
        }))
    }

    /// What is said of a list where a pool is needed.
    pub(super) fn help_with_list() -> String {
        format!(
            "of a list there are {}; `{{hp[0], hp[1]}}` is a pool of items",
            READINGS.join(", ")
        )
    }

    fn demand_numbers(&mut self, items: &Items, span: Span) -> Lowered<()> {
        match items
            .iter()
            .find(|(_, scalar)| matches!(scalar, Scalar::Choice(_)))
        {
            None => Ok(()),
            Some((_, scalar)) => {
                let label = format!("each item is {}", scalar.describe());
                self.fail_at(span, "a list of numbers is needed", label)
            }
        }
    }

    /// Whether each item fits a test, after statements that roll what it compares with.
    fn tests(
        &mut self,
        items: &Items,
        test: &Arg,
        span: Span,
    ) -> Lowered<(Vec<Statement>, Vec<Expr>)> {
        let labels = match &items[0].1 {
            Scalar::Choice(choice) => Some(Arc::clone(choice)),
            _ => None,
        };
        let test = self.item_test(test, labels.as_ref())?;
        let mut statements = Vec::new();
        let test = self.settle(test, &mut statements);
        let compare = |op, item: &Expr, bound: &Expr| {
            let op = BinaryOp::Compare(op);
            Expr::binary(op, item.clone(), bound.clone(), span)
        };
        let tests = items.iter().map(|(item, _)| match &test {
            Test::Compare(op, bound) => compare(*op, item, bound),
            Test::Range(from, to) => {
                let (low, high) = (
                    compare(CompareOp::GreaterEqual, item, from),
                    compare(CompareOp::LessEqual, item, to),
                );
                Expr::binary(BinaryOp::And, low, high, span)
            }
        });
        let tests = tests.collect();
        Ok((statements, tests))
    }

    /// The test of `count(hp, > 0)`; a bare value means equal to it.
    fn item_test(&mut self, arg: &Arg, labels: Want<'_>) -> Lowered<Test> {
        match arg {
            Arg::Test(test) => self.pattern(test, labels),
            Arg::Value(expr) => {
                let (kind, span) = (TestKind::Value(expr.clone()), expr.span);
                self.pattern(&ast::Test { kind, span }, labels)
            }
            Arg::Named(ast::Name { span, .. }, _) | Arg::Rest(span) => {
                self.fail_at(*span, "a test is needed", "write `> 0`, `4..=5` or `6`")
            }
        }
    }

    /// Counts what a pass writes out; the next one is refused if it is too much.
    pub(super) fn spend_in_pass(&mut self, items: usize) {
        /// A statement is worth so many items.
        const ITEMS: usize = 16;
        if self.passes > 0 {
            let statements = items / ITEMS;
            self.unspent = self.unspent.saturating_add(statements);
        }
    }
}

/// `a op b op …`
fn joined(items: Items, op: BinaryOp, span: Span) -> Lowered<Expr> {
    let items = items.into_iter().map(|(item, _)| item);
    let joined = items.reduce(|left, right| Expr::binary(op, left, right, span));
    joined.ok_or(Reported)
}
