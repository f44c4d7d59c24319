//! Statements.

use std::sync::Arc;

use crate::check::{Outcome, OutcomeKind};
use crate::choice::Choice;
use crate::lower::expr::Want;
use crate::lower::lists::{SORTED, item_name};
use crate::lower::scope::Block;
use crate::lower::{Binding, CheckDef, Depth, Lowered, Lowerer, Part, Reported, Scalar, Value};
use crate::program::{Expr, Kind, Statement, Variable};
use crate::source::Span;
use crate::syntax::ast;

impl Lowerer<'_> {
    /// Lowers the script of a check or a track. Errors are reported; what could be lowered is returned.
    pub(crate) fn script(&mut self, check: &CheckDef) -> Vec<Statement> {
        let script = &check.script.statements;
        let part = if check.is_track {
            Part::Track
        } else {
            Part::Check
        };
        if check.is_track && self.calls.is_empty() {
            self.refuse_counted_inputs(check);
            self.note_choices(check);
        }
        let outer_part = std::mem::replace(&mut self.part, part);
        let outer_names = std::mem::replace(&mut self.assigned, assigned_names(script));
        let goal = self.goal_variable(check);
        let outer_goal = std::mem::replace(&mut self.goal, goal);
        let mut statements = Vec::new();
        self.statements(script, &mut statements, Depth::Top);
        self.bind_goal(check, &mut statements);
        self.goal = outer_goal;
        self.assigned = outer_names;
        self.part = outer_part;
        self.demand_outcomes(check);
        statements
    }

    /// Reports what a script must have and does not.
    fn demand_outcomes(&mut self, check: &CheckDef) {
        // It is said where the check stands for itself, and only if all its statements could be read.
        if !self.calls.is_empty() || self.reporter.any_in(check.rules) {
            return;
        }
        self.demand_loop(check);
        let what = if check.is_track { "track" } else { "check" };
        let span = check.name.span;
        let shows_band = self.outcomes.iter().any(|outcome| outcome.name == "band");
        if self.bands.is_some() && !shows_band {
            let message = format!("this {what} has `bands` but its rules never show one");
            let error = self
                .reporter
                .error(span, message)
                .with_label(format!("this {what}"))
                .with_help(
                    match self
                        .outcomes
                        .iter()
                        .find(|own| own.name.eq_ignore_ascii_case("band"))
                    {
                        Some(own) => {
                            format!("`{}` is another name: write `show band = …`", own.name)
                        }
                        None => "end the rules with `show band = match … { … }`".to_owned(),
                    },
                );
            let _ = self.fail::<()>(error);
        }
        if self.outcomes.is_empty() && !check.is_track {
            let error = self
                .reporter
                .error(span, format!("`{}` shows nothing", check.name.text))
                .with_label("this check")
                .with_help("a check needs at least one `show name = …` in its rules");
            let _ = self.fail::<()>(error);
        }
    }

    /// Lowers statements into `out`.
    pub(super) fn statements(
        &mut self,
        statements: &[ast::Statement],
        out: &mut Vec<Statement>,
        depth: Depth,
    ) {
        for statement in statements {
            // What failed has been reported; the statements after it are still worth checking.
            let _ = match statement {
                ast::Statement::Let {
                    name,
                    value,
                    shown: false,
                } => self.let_statement(name, value, out),
                ast::Statement::Let {
                    name,
                    value,
                    shown: true,
                } => self.show_statement(name, value, out, depth),
                ast::Statement::Show { name } => self.show_bound(name, out, depth),
                ast::Statement::Set { name, place, value } => match place {
                    Some(place) => self.set_item(name, place, value, out),
                    None => self.set_statement(name, value, out),
                },
                ast::Statement::Choose {
                    party,
                    name,
                    options,
                    condition,
                    span,
                } => {
                    let (whose, place) = ((*party, name), (*span, depth));
                    self.choose_statement(whose, options, condition.as_ref(), place, out)
                }
                ast::Statement::Repeat {
                    count: None,
                    until: Some(until),
                    body,
                    span,
                } => self.endless_loop(until, body, *span, out, depth),
                ast::Statement::Repeat {
                    count,
                    until,
                    body,
                    span,
                } => self.repeat_statement(count.as_ref(), until.as_ref(), body, *span, out),
                ast::Statement::For {
                    name,
                    from,
                    to,
                    body,
                    span,
                } => self.for_statement(name, (from, to), (body, *span), out, depth),
            };
        }
    }

    fn let_statement(
        &mut self,
        name: &ast::Name,
        value: &ast::Expr,
        out: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let free = self.check_is_free(name);
        let list = self.list_named(&name.text);
        let lowered = self.bound_value(value, list.as_ref(), out);
        free?;
        let lowered = lowered.and_then(|lowered| self.of_list(name, value.span, lowered, list));
        let bound = lowered.map(|lowered| {
            self.bind_value(name, lowered, out);
            self.scope.note_written(value.span);
        });
        if bound.is_err() {
            self.bind(name, Value::Error);
        }
        bound
    }

    /// A `let`'s value; a called check is played into `out`, so that its fields can be read later.
    pub(super) fn bound_value(
        &mut self,
        value: &ast::Expr,
        want: Want<'_>,
        out: &mut Vec<Statement>,
    ) -> Lowered<Value> {
        match &value.kind {
            ast::ExprKind::Call { name, args } if self.is_played(&name.text) => {
                self.check_call(name, args, value.span, out)
            }
            ast::ExprKind::Call { name, args } if name.text == SORTED => {
                self.sorted(name, args, value.span, out)
            }
            _ => self.value(value, want),
        }
    }

    /// What is bound under the name of a list of labels is one of them.
    fn of_list(
        &mut self,
        name: &ast::Name,
        at: Span,
        value: Value,
        list: Option<Arc<Choice>>,
    ) -> Lowered<Value> {
        let Some(list) = list.filter(|list| !list.is_unknown()) else {
            return Ok(value);
        };
        match &value {
            Value::Scalar(_, Scalar::Choice(choice)) if *choice == list => Ok(value),
            Value::Error => Err(Reported),
            other => {
                let labels = list.labels().join(", ");
                let error = self
                    .reporter
                    .error(at, format!("`{}` must be one of {labels}", name.text))
                    .with_label(format!("this is {}", other.describe()))
                    .with_help(
                        "a value with the name of a list under [labels] is one of its labels",
                    );
                self.fail(error)
            }
        }
    }

    /// Binds a value to a name, rolling it now.
    pub(crate) fn bind_value(&mut self, name: &ast::Name, value: Value, out: &mut Vec<Statement>) {
        let value = match value {
            Value::Scalar(expr, scalar) => {
                let span = expr.span;
                let var = self.let_variable(name, expr, out);
                self.note_labels(var, &scalar);
                Value::Scalar(self.var(var, span), scalar)
            }
            Value::Pool(expr) => {
                let span = expr.span;
                let var = self.let_variable(name, expr, out);
                Value::Pool(self.var(var, span))
            }
            Value::List(items, span) => {
                let mut bound = Vec::with_capacity(items.len());
                let mutable = self.assigned.contains(&name.text);
                for (at, (expr, scalar)) in items.into_iter().enumerate() {
                    let item_span = expr.span;
                    let item = match mutable {
                        true => item_name(name, at),
                        false => name.clone(),
                    };
                    let var = self.let_as(&item, mutable, expr, out);
                    self.note_labels(var, &scalar);
                    bound.push((self.var(var, item_span), scalar));
                }
                Value::List(bound, span)
            }
            value @ (Value::Record(..) | Value::Error) => value,
        };
        self.bind(name, value);
    }

    pub(super) fn bind(&mut self, name: &ast::Name, value: Value) {
        self.scope.bind(Binding {
            name: name.text.clone(),
            value,
            span: name.span,
            written: None,
            is_axis: false,
        });
    }

    pub(super) fn check_is_free(&mut self, name: &ast::Name) -> Lowered<()> {
        let help = "choose another name, or use `set` to change a value bound by `let`";
        self.check_is_free_or(name, help)
    }

    fn check_is_free_or(&mut self, name: &ast::Name, help: &str) -> Lowered<()> {
        if self.refuse_counter(name, "choose another name").is_err() {
            self.bind(name, Value::Error);
            return Err(Reported);
        }
        let Some(earlier) = self.scope.find(&name.text) else {
            return Ok(());
        };
        let (span, is_axis) = (earlier.span, earlier.is_axis);
        let what = if is_axis { "an axis" } else { "a value" };
        let error = self
            .reporter
            .error(
                name.span,
                format!("`{}` is already the name of {what}", name.text),
            )
            .with_label("again here")
            .with_related(span, "first named here")
            .with_help(help);
        self.fail(error)
    }

    /// What a round has shown is no name after the loop, but still an outcome.
    fn check_is_new(&mut self, name: &ast::Name) -> Lowered<()> {
        let Some(earlier) = self.outcomes.iter().find(|known| known.name == name.text) else {
            return Ok(());
        };
        let span = earlier.span;
        let error = self
            .reporter
            .error(name.span, format!("`{}` is shown already", name.text))
            .with_label("again here")
            .with_related(span, "of the first round, here")
            .with_help("choose another name");
        self.fail(error)
    }

    fn show_statement(
        &mut self,
        name: &ast::Name,
        value: &ast::Expr,
        out: &mut Vec<Statement>,
        depth: Depth,
    ) -> Lowered<()> {
        let earlier = self.scope.find(&name.text);
        let help = match &value.kind {
            _ if earlier.is_some_and(|earlier| earlier.is_axis) => {
                "an axis can be asked about as it is; choose another name for what is shown".into()
            }
            ast::ExprKind::Name(of) if *of == name.text => {
                format!("write `show {of}`, which shows what it is bound to")
            }
            _ => "choose another name, or change the value with `set` and show it".into(),
        };
        let free = self
            .check_is_free_or(name, &help)
            .and_then(|()| self.check_is_new(name));
        self.demand_top(name, depth)?;
        let want = match name.text.as_str() {
            "band" => self.bands.clone(),
            other => self.list_named(other),
        };
        if name.text == "band" && want.is_none() {
            // Its labels are unknown, too; that is the same slip.
            free?;
            self.bind(name, Value::Error);
            let _ = self.failed_outcome(name);
            return self.refuse_band(name);
        }
        let lowered = self.scalar(value, want.as_ref());
        let lowered = lowered.and_then(|(expr, scalar)| {
            let list = want.filter(|_| name.text != "band");
            let shown = Value::Scalar(expr.clone(), scalar.clone());
            self.of_list(name, value.span, shown, list)?;
            Ok((expr, scalar))
        });
        free?;
        let Ok((expr, scalar)) = lowered else {
            self.bind(name, Value::Error);
            return self.failed_outcome(name);
        };
        self.bind_outcome(name, expr, scalar, out)
    }

    /// Refuses to show something in a loop, which would show it more than once.
    fn demand_top(&mut self, name: &ast::Name, depth: Depth) -> Lowered<()> {
        let message = match depth {
            Depth::Top => return Ok(()),
            Depth::Pass => "`show` inside `for`",
            Depth::Counted => "`show` inside `repeat`",
        };
        self.fail_at(name.span, message, "show it after the loop")
    }

    /// `show name`: what a name stands for already is an outcome.
    fn show_bound(
        &mut self,
        name: &ast::Name,
        out: &mut Vec<Statement>,
        depth: Depth,
    ) -> Lowered<()> {
        self.demand_top(name, depth)?;
        self.check_is_new(name)?;
        let Some(binding) = self.scope.find(&name.text).cloned() else {
            return self.unknown_name(name);
        };
        self.reporter.note_name(name.span, binding.span);
        if binding.is_axis {
            let error = self
                .reporter
                .error(name.span, format!("`{}` is an axis", name.text))
                .with_label("it can be asked about as it is")
                .with_related(binding.span, "the axis");
            return self.fail(error);
        }
        if name.text == "band" {
            let help = "write `show band = …` where the value is known";
            let error = self
                .reporter
                .error(name.span, "`show band` needs its value");
            return self.fail(error.with_help(help));
        }
        let value = ast::Expr {
            kind: ast::ExprKind::Name(name.text.clone()),
            span: name.span,
        };
        let Ok((expr, scalar)) = self.scalar(&value, None) else {
            return self.failed_outcome(name);
        };
        // What is shown stays as it is here, whatever `set` makes of the name that it has in the script.
        let assigned = std::mem::take(&mut self.assigned);
        let shown = self.bind_outcome(name, expr, scalar, out);
        self.assigned = assigned;
        shown?;
        if matches!(binding.value, Value::Pool(_)) {
            // In the script it still has its dice.
            self.scope.bind(binding.clone());
        }
        if let Some(outcome) = self.outcomes.last_mut() {
            outcome.span = binding.span;
        }
        Ok(())
    }

    /// Binds a shown value and makes it an outcome.
    fn bind_outcome(
        &mut self,
        name: &ast::Name,
        expr: Expr,
        scalar: Scalar,
        out: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let span = expr.span;
        let kind = self.outcome_kind(name, &scalar, span);
        let var = self.let_variable(name, expr, out);
        self.note_labels(var, &scalar);
        let bound = self.var(var, span);
        self.bind(name, Value::Scalar(bound, scalar));
        let Ok(kind) = kind else {
            return self.failed_outcome(name);
        };
        self.outcomes.push(Outcome {
            name: name.text.clone(),
            kind,
            var,
            first_round: self.part == Part::Round,
            span: name.span,
        });
        Ok(())
    }

    fn refuse_band<T>(&mut self, name: &ast::Name) -> Lowered<T> {
        let what = match self.part {
            Part::Check => "check",
            Part::Track | Part::Round => "track",
        };
        let message = format!("`show band` in a {what} without `bands`");
        let help =
            format!("add the labels to the {what}, worst first: bands = [\"Miss\", \"Hit\"]");
        let error = self.reporter.error(name.span, message).with_help(help);
        self.fail(error)
    }

    /// An outcome was meant: that it is missing must not be an error as well.
    fn failed_outcome(&mut self, name: &ast::Name) -> Lowered<()> {
        let var = self.declare(Variable {
            fixed: true,
            ..Variable::rolled(name.text.as_str(), name.span)
        });
        self.failed.push(var);
        let (name, span) = (name.text.clone(), name.span);
        self.outcomes.push(Outcome {
            name,
            kind: OutcomeKind::Observable,
            var,
            first_round: self.part == Part::Round,
            span,
        });
        Err(Reported)
    }

    fn outcome_kind(
        &mut self,
        name: &ast::Name,
        scalar: &Scalar,
        span: Span,
    ) -> Lowered<OutcomeKind> {
        match (name.text.as_str(), scalar, self.bands.clone()) {
            ("band", Scalar::Choice(choice), Some(bands)) if **choice == *bands => {
                Ok(OutcomeKind::Band(bands))
            }
            ("band", _, Some(bands)) if bands.is_unknown() => Err(Reported),
            ("band", other, Some(bands)) => self.fail_at(
                span,
                format!("`band` must be one of {}", bands.labels().join(", ")),
                format!("this is {}", other.describe()),
            ),
            (_, Scalar::Int, _) => Ok(OutcomeKind::Observable),
            (_, Scalar::Bool, _) => Ok(OutcomeKind::Flag),
            (_, Scalar::Choice(choice), _) => Ok(OutcomeKind::Label(Arc::clone(choice))),
        }
    }

    fn set_statement(
        &mut self,
        name: &ast::Name,
        value: &ast::Expr,
        out: &mut Vec<Statement>,
    ) -> Lowered<()> {
        self.refuse_counter(name, "count by a value of your own, bound by `let`")?;
        let Some(binding) = self.scope.find(&name.text) else {
            return self.not_bound(name);
        };
        self.reporter.note_name(name.span, binding.span);
        if matches!(binding.value, Value::List(..)) {
            return self.set_list(name, value, out);
        }
        if let Some(var) = binding
            .pool_variable()
            .filter(|var| self.program.variable(*var).mutable)
        {
            let bound = (binding.span, binding.written);
            let value = self.new_pool(name, value, bound)?;
            if self.shows_symbols(&value) && !self.shows_symbols(&self.var(var, name.span)) {
                let message = format!("`{}` began without symbols", name.text);
                let error = self.reporter.error(value.span, message);
                let error = error
                    .with_label("these dice show symbols")
                    .with_related(bound.0, "bound to dice without symbols here");
                let error =
                    error.with_help("a pool that is to show symbols begins with such a die");
                return self.fail(error);
            }
            out.push(Statement::Set { var, value });
            return Ok(());
        }
        let is_error = matches!(binding.value, Value::Error);
        let Some((var, wanted)) = binding
            .variable()
            .filter(|(var, _)| self.program.variable(*var).mutable)
        else {
            if is_error {
                return Err(Reported);
            }
            let bound = binding.span;
            return self.refuse_set(name, bound);
        };
        let value = self.new_value(&name.text, value, &wanted)?;
        out.push(Statement::Set { var, value });
        Ok(())
    }

    /// Reports a `set` of a name that no script binds: a parameter's, or nothing's.
    pub(super) fn not_bound<T>(&mut self, name: &ast::Name) -> Lowered<T> {
        match self.defined(&name.text) {
            Some(defined) => {
                self.reporter.note_name(name.span, defined);
                self.refuse_set(name, defined)
            }
            None => self.unknown_name(name),
        }
    }

    /// Reports a `set` of what none can change.
    pub(super) fn refuse_set<T>(&mut self, name: &ast::Name, bound: Span) -> Lowered<T> {
        let error = self
            .reporter
            .error(name.span, format!("`{}` can't be changed", name.text))
            .with_related(bound, "bound here")
            .with_label("not bound by a `let` of these rules")
            .with_help("`set` changes a number, a list or a pool bound by `let` in the same rules");
        self.fail(error)
    }

    /// What a name is set to that holds a value of this type.
    pub(super) fn new_value(
        &mut self,
        name: &str,
        value: &ast::Expr,
        wanted: &Scalar,
    ) -> Lowered<Expr> {
        let want = match wanted {
            Scalar::Choice(choice) => Some(choice),
            _ => None,
        };
        let (expr, scalar) = self.scalar(value, want)?;
        if scalar.fits(wanted) {
            return Ok(expr);
        }
        self.fail_at(
            expr.span,
            format!("`{name}` is {}", wanted.describe()),
            format!("this is {}", scalar.describe()),
        )
    }

    /// The pool that a name is set to, which held another pool: that is bound, and written, at these places.
    fn new_pool(
        &mut self,
        name: &ast::Name,
        value: &ast::Expr,
        (bound, written): (Span, Option<Span>),
    ) -> Lowered<Expr> {
        let other = match self.value(value, None)? {
            Value::Pool(pool) => return Ok(pool),
            Value::Error => return Err(Reported),
            other => other,
        };
        let name = &name.text;
        let error = self
            .reporter
            .error(value.span, format!("`{name}` is a pool of dice"))
            .with_label(format!("this is {}", other.describe()))
            .with_related(bound, "bound to dice here");
        let dice = written.map(|span| self.written(span));
        let dice = dice.filter(|dice| !dice.contains('\n'));
        let dice = dice.unwrap_or_else(|| "…".to_owned());
        let help = format!(
            "to count on from their sum, bind that: `let {name} = sum({dice})`; to put more dice beside them, `set {name} = {{{name}, …}}`"
        );
        let error = match written {
            Some(span) if dice != "…" => error.with_fix(span, format!("sum({dice})")),
            _ => error,
        };
        self.fail(error.with_help(help))
    }

    pub(super) fn repeat_statement(
        &mut self,
        count: Option<&ast::Expr>,
        until: Option<&ast::Expr>,
        body: &[ast::Statement],
        span: Span,
        out: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let count = count.map(|count| self.fixed_number(count, "the number of rounds"));
        let mark = self.scope.open();
        let mut rounds = Vec::new();
        self.statements(body, &mut rounds, Depth::Counted);
        self.scope.end_block(&mark, Block::Repeat);
        let is_loop = |statement: &Statement| matches!(statement, Statement::Repeat { .. });
        if rounds.iter().all(is_loop) {
            // Its condition is carried out whatever its rounds do: something of its own has to stand for that.
            let text = "nothing".to_owned();
            let var = self.rolled(&ast::Name { text, span });
            let value = Expr::constant(0, span);
            rounds.push(Statement::Let { var, value });
        }
        // After the body, so that a name of its is known to have lived in there.
        let until = until.map(|condition| self.truth(condition));
        out.push(Statement::Repeat {
            count: count.transpose()?,
            until: until.transpose()?,
            body: rounds,
            played: None,
            span,
        });
        Ok(())
    }

    /// Statements and a value as one expression.
    pub(crate) fn block(statements: Vec<Statement>, value: Value) -> Value {
        if statements.is_empty() {
            return value;
        }
        let wrap = |expr: Expr, statements| {
            let span = expr.span;
            let (statements, value) = (Arc::from(statements), Box::new(expr));
            Expr::new(Kind::Block { statements, value }, span)
        };
        match value {
            Value::Scalar(expr, scalar) => Value::Scalar(wrap(expr, statements), scalar),
            Value::Pool(expr) => Value::Pool(wrap(expr, statements)),
            other => other,
        }
    }
}

/// Every name that some `set` changes, at any depth.
pub(super) fn assigned_names(statements: &[ast::Statement]) -> Vec<String> {
    let mut names = Vec::new();
    for statement in statements {
        match statement {
            ast::Statement::Set { name, .. } => names.push(name.text.clone()),
            ast::Statement::Repeat { body, .. } | ast::Statement::For { body, .. } => {
                names.extend(assigned_names(body));
            }
            ast::Statement::Let { .. }
            | ast::Statement::Show { .. }
            | ast::Statement::Choose { .. } => {}
        }
    }
    names
}
