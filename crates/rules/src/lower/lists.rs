//! Lists that `set` changes: each item is a variable of its own.

use crate::interval;
use crate::lower::{Lowered, Lowerer, Reported, Scalar, Value};
use crate::program::{BinaryOp, CompareOp, Expr, Kind, Statement, VarId};
use crate::source::Span;
use crate::syntax::ast;

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
