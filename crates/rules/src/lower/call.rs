//! Calls: built-ins, the ruleset's functions, other checks.

use crate::lower::expr::{Want, binary, sum, unary};
use crate::lower::{Binding, Lowered, Lowerer, MAX_CALLS, Reported, Scalar, Value};
use crate::model::{Domain, Input, place};
use crate::program::{BinaryOp, Expr, Keep, Kind, Reading, Statement, Test, UnaryOp};
use crate::source::Span;
use crate::syntax::ast::{self, Arg, ExprKind, TestKind};

/// Every built-in with its usage, for messages and completion.
pub(crate) const BUILT_INS: [(&str, &str); 17] = [
    ("min", "min(a, b, …)"),
    ("max", "max(a, b, …)"),
    ("abs", "abs(x)"),
    ("sign", "sign(x)"),
    ("clamp", "clamp(x, low, high)"),
    ("sum", "sum(pool)"),
    ("highest", "highest(pool, k)"),
    ("lowest", "lowest(pool, k)"),
    ("nth", "nth(pool, k)"),
    ("count", "count(pool, >= 5)"),
    ("size", "size(pool)"),
    ("matches", "matches(pool, k)"),
    ("map", "map(pool, function)"),
    ("wins", "wins(pool, pool)"),
    ("index", "index(label)"),
    ("step", "step(label, k)"),
    ("draw", "draw(n, {face: copies, …})"),
];

/// Whether a function of the ruleset may not have this name.
pub(crate) fn is_built_in(name: &str) -> bool {
    usage(name).is_some()
}

/// How a built-in is called.
pub(crate) fn usage(name: &str) -> Option<&'static str> {
    BUILT_INS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, usage)| *usage)
}

impl Lowerer<'_> {
    pub(crate) fn is_check(&self, name: &str) -> bool {
        !self.library.functions.contains_key(name)
            && self
                .library
                .checks
                .iter()
                .any(|check| check.name.text == name)
    }

    /// Lowers a call of any kind.
    pub(crate) fn call(
        &mut self,
        name: &ast::Name,
        args: &[Arg],
        span: Span,
        want: Want<'_>,
    ) -> Lowered<Value> {
        if name.text == "draw" {
            return self.draw(args, span);
        }
        if let Some(usage) = usage(&name.text) {
            return self.built_in(name, usage, args, span, want);
        }
        if self.library.functions.contains_key(&name.text) {
            return self.function_call(name, args, span, want);
        }
        if self.is_check(&name.text) {
            // A record can only be bound or have a field read; both play the check themselves.
            let error = self
                .reporter
                .error(
                    span,
                    format!("the result of `{}` can't be used as a whole", name.text),
                )
                .with_help(format!(
                    "read a field of it, as in `{}(…).band`, or bind it with `let`",
                    name.text
                ));
            return self.fail(error);
        }
        let functions = self.library.functions.keys().map(String::as_str);
        let checks = self
            .library
            .checks
            .iter()
            .map(|check| check.name.text.as_str());
        let known = functions
            .chain(checks)
            .chain(BUILT_INS.iter().map(|(name, _)| *name));
        let error = self
            .reporter
            .error(name.span, format!("unknown function `{}`", name.text));
        let error = match crate::source::nearest(&name.text, known) {
            Some(near) => error.with_label(format!("did you mean `{near}`?")),
            None => error
                .with_label("not a built-in function, a function of this file, or a check")
                .with_help(format!(
                    "the built-in functions are {}",
                    BUILT_INS.map(|(name, _)| name).join(", ")
                )),
        };
        self.fail(error)
    }

    fn built_in(
        &mut self,
        name: &ast::Name,
        usage: &str,
        args: &[Arg],
        span: Span,
        want: Want<'_>,
    ) -> Lowered<Value> {
        let int = |expr| Ok(Value::Scalar(expr, Scalar::Int));
        match (name.text.as_str(), args) {
            ("min" | "max", [first, rest @ ..]) if !rest.is_empty() => {
                let op = if name.text == "min" {
                    BinaryOp::Min
                } else {
                    BinaryOp::Max
                };
                let mut result = self.number_arg(first)?;
                for arg in rest {
                    result = binary(op, result, self.number_arg(arg)?, span);
                }
                int(result)
            }
            ("abs", [x]) => int(unary(UnaryOp::Abs, self.number_arg(x)?, span)),
            ("sign", [x]) => int(unary(UnaryOp::Sign, self.number_arg(x)?, span)),
            ("clamp", [x, low, high]) => {
                let (x, low, high) = (
                    self.number_arg(x)?,
                    self.number_arg(low)?,
                    self.number_arg(high)?,
                );
                int(binary(
                    BinaryOp::Max,
                    binary(BinaryOp::Min, x, high, span),
                    low,
                    span,
                ))
            }
            ("sum", [pool]) => self.read(pool, Reading::Sum, span),
            ("size", [pool]) => self.read(pool, Reading::Size, span),
            ("highest" | "lowest", [pool, rest @ ..]) if rest.len() <= 1 => {
                let which = if name.text == "highest" {
                    Keep::KeepHighest
                } else {
                    Keep::KeepLowest
                };
                let pool = self.pool_arg(pool)?;
                if let Some(Arg::Value(k)) = rest.first() {
                    self.refuse_negative(k, "can't add up fewer than 0 dice")?;
                }
                let amount = self.number_or_one(rest.first(), span)?;
                int(sum(keep(pool, which, amount, span)))
            }
            ("nth", [pool, k]) => {
                let pool = self.pool_arg(pool)?;
                if let Arg::Value(k) = k {
                    self.refuse_zeroth(k, "dice are counted from 1, the highest")?;
                }
                let k = self.number_arg(k)?;
                let (one, at) = (Expr::constant(1, span), k.span);
                let before = binary(BinaryOp::Subtract, k, one.clone(), at);
                let from = keep(pool, Keep::DropHighest, before, span);
                int(sum(keep(from, Keep::KeepHighest, one, span)))
            }
            ("count", [pool, test]) => {
                let pool = self.pool_arg(pool)?;
                let test = self.test_arg(test)?;
                int(read(pool, Reading::Count(vec![test]), span))
            }
            ("matches", [pool, rest @ ..]) if rest.len() <= 1 => {
                let pool = self.pool_arg(pool)?;
                if let Some(Arg::Value(k)) = rest.first() {
                    self.refuse_zeroth(k, "sets are counted from 1, the largest")?;
                }
                let k = self.number_or_one(rest.first(), span)?;
                self.require_fixed(&k, "which set is asked for")?;
                int(read(pool, Reading::Matches(Box::new(k)), span))
            }
            ("map", [pool, function]) => self.map(pool, function, span),
            ("wins", [a, b]) => {
                let (a, b) = (self.pool_arg(a)?, self.pool_arg(b)?);
                let fixed = a.fixed && b.fixed;
                int(Expr {
                    kind: Kind::Wins(Box::new(a), Box::new(b)),
                    span,
                    fixed,
                })
            }
            ("index", [label]) => {
                let (expr, scalar) = self.scalar_arg(label, want)?;
                match scalar {
                    Scalar::Choice(_) => int(expr),
                    other => self.fail_at(
                        expr.span,
                        "`index` takes a label",
                        format!("this is {}", other.describe()),
                    ),
                }
            }
            ("step", [label, k]) => {
                let (expr, scalar) = self.scalar_arg(label, want)?;
                let Scalar::Choice(choice) = &scalar else {
                    let label = format!("this is {}", scalar.describe());
                    return self.fail_at(expr.span, "`step` takes a label", label);
                };
                let top = place(choice.labels.len()) - 1;
                let moved = binary(BinaryOp::Add, expr, self.number_arg(k)?, span);
                let floor = binary(BinaryOp::Max, moved, Expr::constant(0, span), span);
                Ok(Value::Scalar(
                    binary(BinaryOp::Min, floor, Expr::constant(top, span), span),
                    scalar,
                ))
            }
            _ => {
                let error = self
                    .reporter
                    .error(
                        span,
                        format!("`{}` does not take {}", name.text, arguments(args.len())),
                    )
                    .with_label(format!("write {usage}"));
                let error = match (name.text.as_str(), args.len()) {
                    ("min", 1) => error.with_help("the lowest die of a pool is lowest(pool)"),
                    ("max", 1) => error.with_help("the highest die of a pool is highest(pool)"),
                    _ => error,
                };
                self.fail(error)
            }
        }
    }

    fn scalar_arg(&mut self, arg: &Arg, want: Want<'_>) -> Lowered<(Expr, Scalar)> {
        let expr = self.plain(arg)?;
        self.scalar(expr, want)
    }

    fn number_arg(&mut self, arg: &Arg) -> Lowered<Expr> {
        let expr = self.plain(arg)?;
        self.number(expr)
    }

    fn number_or_one(&mut self, arg: Option<&Arg>, span: Span) -> Lowered<Expr> {
        arg.map_or_else(|| Ok(Expr::constant(1, span)), |arg| self.number_arg(arg))
    }

    fn pool_arg(&mut self, arg: &Arg) -> Lowered<Expr> {
        let expr = self.plain(arg)?;
        self.pool(expr)
    }

    fn read(&mut self, pool: &Arg, reading: Reading, span: Span) -> Lowered<Value> {
        Ok(Value::Scalar(
            read(self.pool_arg(pool)?, reading, span),
            Scalar::Int,
        ))
    }

    /// The test of `count(pool, >= 7)`; a bare number means equal to it.
    fn test_arg(&mut self, arg: &Arg) -> Lowered<Test> {
        match arg {
            Arg::Test(test) => self.face_test(test),
            Arg::Value(expr) => {
                let test = ast::Test {
                    kind: TestKind::Value(expr.clone()),
                    span: expr.span,
                };
                self.face_test(&test)
            }
            Arg::Named(name, _) => self.fail_at(
                name.span,
                "a test is needed",
                "write `>= 7`, `4..=5` or `6`",
            ),
            Arg::Rest(span) => {
                self.fail_at(*span, "a test is needed", "write `>= 7`, `4..=5` or `6`")
            }
        }
    }

    /// An argument that is a plain expression.
    fn plain<'e>(&mut self, arg: &'e Arg) -> Lowered<&'e ast::Expr> {
        match arg {
            Arg::Value(expr) => Ok(expr),
            Arg::Named(name, _) => self.fail_at(
                name.span,
                "only checks take named arguments",
                "write the value alone",
            ),
            Arg::Test(test) => self.fail_at(test.span, "a value is needed", "this is a test"),
            Arg::Rest(span) => {
                self.fail_at(*span, "`..` passes axes to a check", "this is not a check")
            }
        }
    }

    fn map(&mut self, pool: &Arg, function: &Arg, span: Span) -> Lowered<Value> {
        let pool = self.pool_arg(pool)?;
        let function = self.plain(function)?;
        let face_name = ast::Name {
            text: "face".to_owned(),
            span: function.span,
        };
        let face = self.new_variable(&face_name, true, false, false);
        let argument = Value::Scalar(self.var(face, function.span), Scalar::Int);
        let value = match &function.kind {
            ExprKind::Name(name)
                if self.library.functions.contains_key(name) && self.scope.find(name).is_none() =>
            {
                self.takes_a_face(name, function.span)?;
                let name = ast::Name {
                    text: name.clone(),
                    span: function.span,
                };
                self.play_function(&name, vec![argument], span, None)?
            }
            _ => match self.value(function, None)? {
                Value::List(items, _) => {
                    let index = Box::new(self.var(face, function.span));
                    let (items, scalars): (Vec<_>, Vec<_>) = items.into_iter().unzip();
                    let fixed = items.iter().all(|item| item.fixed);
                    let kind = Kind::Select { index, items };
                    Value::Scalar(
                        Expr {
                            kind,
                            span: function.span,
                            fixed,
                        },
                        scalars[0].clone(),
                    )
                }
                other => {
                    let label = format!("this is {}", other.describe());
                    return self.fail_at(
                        function.span,
                        "`map` takes a function of one argument, or a list",
                        label,
                    );
                }
            },
        };
        let Value::Scalar(value, Scalar::Int | Scalar::Bool) = value else {
            let label = format!("this gives {}", value.describe());
            return self.fail_at(function.span, "`map` needs a number for each face", label);
        };
        self.require_fixed(&value, "what `map` makes of a face")?;
        let reading = Reading::Map {
            face,
            value: Box::new(value),
        };
        Ok(Value::Scalar(read(pool, reading, span), Scalar::Int))
    }

    /// `map` gives its function one argument.
    fn takes_a_face(&mut self, name: &str, span: Span) -> Lowered<()> {
        let library = self.library;
        match library.functions.get(name) {
            Some(function)
                if function.syntax.params.len() != 1
                    && !library.broken_functions.iter().any(|broken| broken == name) =>
            {
                let count = arguments(function.syntax.params.len());
                let error = self
                    .reporter
                    .error(
                        span,
                        "`map` needs a function of one argument: the face of a die",
                    )
                    .with_label(format!("`{name}` takes {count}"))
                    .with_related(function.name.span, "defined here");
                self.fail(error)
            }
            _ => Ok(()),
        }
    }

    fn function_call(
        &mut self,
        name: &ast::Name,
        args: &[Arg],
        span: Span,
        want: Want<'_>,
    ) -> Lowered<Value> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let expr = self.plain(arg)?;
            values.push(self.value(expr, None));
        }
        let values: Lowered<Vec<Value>> = values.into_iter().collect();
        self.play_function(name, values?, span, want)
    }

    /// Lowers a function's body with its parameters bound: its dice are rolled by this call.
    fn play_function(
        &mut self,
        name: &ast::Name,
        args: Vec<Value>,
        span: Span,
        want: Want<'_>,
    ) -> Lowered<Value> {
        let library = self.library;
        let Some(function) = library.functions.get(&name.text) else {
            return Err(Reported);
        };
        if library.broken_functions.contains(&name.text) {
            return Err(Reported);
        }
        let params = &function.syntax.params;
        if params.len() != args.len() {
            let names: Vec<&str> = params.iter().map(|param| param.text.as_str()).collect();
            let error = self
                .reporter
                .error(
                    span,
                    format!(
                        "`{}` takes {}, not {}",
                        name.text,
                        arguments(params.len()),
                        args.len()
                    ),
                )
                .with_label(format!("write {}({})", name.text, names.join(", ")))
                .with_related(function.name.span, "defined here");
            return self.fail(error);
        }
        let mark = self.scope.enter_call();
        let mut statements = Vec::new();
        for (param, arg) in params.iter().zip(args) {
            self.bind_argument(param, arg, &mut statements);
        }
        self.calls.push((name.text.clone(), span));
        let result = if self.calls.len() > MAX_CALLS {
            self.fail_at(
                span,
                "calls are nested too deeply",
                format!("more than {MAX_CALLS} levels"),
            )
        } else {
            self.value(&function.syntax.body, want)
        };
        self.calls.pop();
        self.scope.close(&mark);
        match result? {
            mut value @ (Value::Scalar(..) | Value::Pool(_)) => {
                // What is said of the result is said where it is used.
                if let Value::Scalar(expr, _) | Value::Pool(expr) = &mut value {
                    expr.span = span;
                }
                Ok(Self::block(statements, value))
            }
            Value::Error => Err(Reported),
            other => {
                let message = format!(
                    "a function gives a number, a label or dice; `{}` does not",
                    name.text
                );
                self.fail_at(
                    function.syntax.body.span,
                    message,
                    format!("this is {}", other.describe()),
                )
            }
        }
    }

    /// Binds a parameter; what is already a name or a number needs no variable of its own.
    fn bind_argument(&mut self, param: &ast::Name, arg: Value, statements: &mut Vec<Statement>) {
        let is_atom =
            |expr: &Expr| matches!(expr.kind, Kind::Const(_) | Kind::Input(_) | Kind::Var(_));
        let stable = |this: &Self, expr: &Expr| match expr.kind {
            Kind::Var(var) => !this.program.variable(var).mutable,
            _ => true,
        };
        match &arg {
            Value::Scalar(expr, _) | Value::Pool(expr) if is_atom(expr) && stable(self, expr) => {
                let (name, span) = (param.text.clone(), param.span);
                self.scope.bind(Binding {
                    name,
                    value: arg,
                    span,
                    is_axis: false,
                });
            }
            _ => {
                // `set` in the caller never reaches a parameter.
                let assigned = std::mem::take(&mut self.assigned);
                self.bind_value(param, arg, statements);
                self.assigned = assigned;
            }
        }
    }

    /// Plays another check with the given axes; its script goes to `out`, what it shows is returned.
    pub(crate) fn check_call(
        &mut self,
        name: &ast::Name,
        args: &[Arg],
        span: Span,
        out: &mut Vec<Statement>,
    ) -> Lowered<Value> {
        let library = self.library;
        let Some(callee) = library
            .checks
            .iter()
            .find(|check| check.name.text == name.text)
        else {
            return Err(Reported);
        };
        if callee.is_broken {
            return Err(Reported);
        }
        let under_way = self.calls.iter().map(|(caller, _)| caller.as_str());
        let under_way: Vec<&str> = std::iter::once(self.root.as_str())
            .chain(under_way)
            .collect();
        if let Some(first) = under_way.iter().position(|caller| *caller == name.text) {
            let cycle = &under_way[first..];
            let place = |name: &str| library.checks.iter().position(|c| c.name.text == name);
            // Each of them gets here; the first of the file says so.
            if cycle.iter().any(|member| place(member) < place(&name.text)) {
                return Err(Reported);
            }
            let chain = cycle.join(" → ");
            let message = format!("a check may not play itself: {chain} → {}", name.text);
            return self.fail_at(name.span, message, "this comes back to itself");
        }
        let given = self.named_axes(callee.axes.as_slice(), &name.text, args)?;
        let mark = self.scope.enter_call();
        for (axis, value) in callee.axes.iter().zip(given) {
            let axis_name = ast::Name {
                text: axis.name.clone(),
                span,
            };
            self.bind_argument(&axis_name, value, out);
        }
        self.bind_broken(callee);
        self.calls.push((name.text.clone(), span));
        let bands = std::mem::replace(&mut self.bands, callee.bands.clone());
        let outcomes = std::mem::take(&mut self.outcomes);
        let statements = self.script(&callee.script, callee.name.span);
        let shown = std::mem::replace(&mut self.outcomes, outcomes);
        self.bands = bands;
        self.calls.pop();
        self.scope.close(&mark);
        out.extend(statements);
        let fields = shown.into_iter().map(|outcome| {
            use crate::model::OutcomeKind;
            let scalar = match outcome.kind {
                OutcomeKind::Observable => Scalar::Int,
                OutcomeKind::Flag => Scalar::Bool,
                OutcomeKind::Band(choice) | OutcomeKind::Label(choice) => Scalar::Choice(choice),
            };
            let expr = self.var(outcome.var, span);
            (outcome.name, expr, scalar)
        });
        Ok(Value::Record(fields.collect(), span))
    }

    /// The value of each of the callee's axes: named, passed on by `..`, or its default.
    fn named_axes(&mut self, axes: &[Input], callee: &str, args: &[Arg]) -> Lowered<Vec<Value>> {
        let mut named = Vec::new();
        let mut rest = None;
        for arg in args {
            match arg {
                Arg::Named(name, value) => {
                    let Some(axis) = axes.iter().position(|axis| axis.name == name.text) else {
                        return self.unknown_axis(name, axes, callee);
                    };
                    if named.iter().any(|(at, _)| *at == axis) {
                        return self.fail_at(
                            name.span,
                            format!("`{}` is given twice", name.text),
                            "again here",
                        );
                    }
                    let value = self.axis_value(&axes[axis], value)?;
                    named.push((axis, value));
                }
                Arg::Rest(span) => rest = Some(*span),
                Arg::Value(expr) => {
                    return self.fail_at(
                        expr.span,
                        "a check's axes are given by name",
                        "write `axis = value`",
                    );
                }
                Arg::Test(test) => {
                    return self.fail_at(
                        test.span,
                        "a check's axes are given by name",
                        "write `axis = value`",
                    );
                }
            }
        }
        let value_of = |(at, axis): (usize, &Input)| {
            let given = named
                .iter()
                .find(|(index, _)| *index == at)
                .map(|(_, value)| value.clone());
            let passed = || {
                let span = rest?;
                let binding = self
                    .scope
                    .find(&axis.name)
                    .filter(|binding| binding.is_axis)?;
                let mut value = binding.value.clone();
                if let Value::Scalar(expr, _) = &mut value {
                    expr.span = span;
                }
                Some(value)
            };
            let scalar = crate::lower::expr::scalar_of(&axis.domain);
            given
                .or_else(passed)
                .unwrap_or_else(|| Value::Scalar(Expr::constant(axis.default, axis.span), scalar))
        };
        Ok(axes.iter().enumerate().map(value_of).collect())
    }

    fn axis_value(&mut self, axis: &Input, value: &ast::Expr) -> Lowered<Value> {
        match &axis.domain {
            Domain::Range(..) => Ok(Value::Scalar(self.number(value)?, Scalar::Int)),
            Domain::Choice(choice) => {
                let (expr, scalar) = self.scalar(value, Some(choice))?;
                if scalar == Scalar::Choice(std::sync::Arc::clone(choice)) {
                    return Ok(Value::Scalar(expr, scalar));
                }
                let message = format!("`{}` is one of {}", axis.name, choice.labels.join(", "));
                self.fail_at(expr.span, message, format!("this is {}", scalar.describe()))
            }
        }
    }

    fn unknown_axis<T>(&mut self, name: &ast::Name, axes: &[Input], callee: &str) -> Lowered<T> {
        let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
        let error = self
            .reporter
            .error(name.span, format!("`{callee}` has no axis `{}`", name.text));
        let error = match crate::source::nearest(&name.text, names.iter().copied()) {
            Some(near) => error.with_label(format!("did you mean `{near}`?")),
            None => error.with_help(format!("its axes are {}", names.join(", "))),
        };
        self.fail(error)
    }
}

fn arguments(count: usize) -> String {
    if count == 1 {
        "1 argument".to_owned()
    } else {
        format!("{count} arguments")
    }
}

/// A reading of a pool.
pub(crate) fn read(pool: Expr, reading: Reading, span: Span) -> Expr {
    let fixed = pool.fixed;
    Expr {
        kind: Kind::Read {
            pool: Box::new(pool),
            reading,
        },
        span,
        fixed,
    }
}

/// A pool without some of its dice.
pub(crate) fn keep(pool: Expr, which: Keep, amount: Expr, span: Span) -> Expr {
    let fixed = pool.fixed && amount.fixed;
    Expr {
        kind: Kind::Keep {
            pool: Box::new(pool),
            which,
            amount: Box::new(amount),
        },
        span,
        fixed,
    }
}
