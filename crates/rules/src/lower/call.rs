//! Calls of the ruleset's functions, and of other checks and tracks.

use crate::check::{Domain, Input};
use crate::lower::built_in::usage;
use crate::lower::expr::Want;
use crate::lower::lists::SORTED;
use crate::lower::{
    Binding, Lowered, Lowerer, MAX_CALLS, MAX_PLAYED, MAX_TRACKS, Reported, Scalar, Value,
};
use crate::program::{Expr, Kind, Statement};
use crate::source::Span;
use crate::syntax::ast::{self, Arg};
use crate::syntax::taught_function;
use crate::words::BUILT_INS;

impl Lowerer<'_> {
    /// Whether a name is that of a check or a track, which a call plays.
    pub(crate) fn is_played(&self, name: &str) -> bool {
        !self.library.functions.contains_key(name) && self.library.callee(name).is_some()
    }

    /// Lowers a call of any kind.
    pub(crate) fn call(
        &mut self,
        name: &ast::Name,
        args: &[Arg],
        span: Span,
        want: Want<'_>,
    ) -> Lowered<Value> {
        if name.text == "subsets" {
            let error = self
                .reporter
                .error(span, "`subsets` only says what can be chosen")
                .with_label("not here")
                .with_help("write `choose kept in subsets(…)`, and then name `kept`");
            return self.fail(error);
        }
        if name.text == SORTED {
            return self.refuse_sorted(span);
        }
        if name.text == "draw" {
            return self.draw(args, span);
        }
        if let Some(usage) = usage(&name.text) {
            return self.built_in(name, usage, args, span, want);
        }
        if self.library.functions.contains_key(&name.text) {
            return self.function_call(name, args, span, want);
        }
        if self.is_played(&name.text) {
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
        self.unknown_function(name, args, span)
    }

    /// Reports a call of nothing that can be called.
    fn unknown_function<T>(&mut self, name: &ast::Name, args: &[Arg], span: Span) -> Lowered<T> {
        if let Some(asked) = self.query_inside(name, args, span) {
            return asked;
        }
        let functions = self.library.functions.keys().map(String::as_str);
        let callees = self.library.callees();
        let known = functions
            .chain(callees.map(|callee| callee.name.text.as_str()))
            .chain(BUILT_INS.iter().map(|word| word.name));
        let error = self
            .reporter
            .error(name.span, format!("unknown function `{}`", name.text));
        let near = self.reporter.nearest(&name.text, known);
        let error = match (taught_function(&name.text), near) {
            (None, Some(near)) => error.meant(near),
            (taught, _) => error
                .with_label(match self.ruleset {
                    None => {
                        "not a built-in function, nor a function, a check or a track of this file"
                    }
                    Some(_) => "not a built-in function; there are no others here",
                })
                .with_help(taught.map_or_else(
                    || {
                        let names = BUILT_INS.map(|word| word.name);
                        format!("the built-in functions are {}", names.join(", "))
                    },
                    str::to_owned,
                )),
        };
        self.fail(error)
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
    pub(super) fn play_function(
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
        self.reporter.note_name(name.span, function.name.span);
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
        let begun = self.begin_call(name, span);
        let result = begun.and_then(|()| self.value(&function.syntax.body, want));
        self.calls.pop();
        self.scope.close(&mark);
        match result? {
            mut value @ (Value::Scalar(..) | Value::Pool(_)) => {
                // What is said of the result is said where it is used.
                if let Value::Scalar(expr, _) | Value::Pool(expr) = &mut value {
                    expr.0.span = span;
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

    /// Notes a call that is to be played out in place, as far as there may be so many, one in another and in all.
    fn begin_call(&mut self, name: &ast::Name, span: Span) -> Lowered<()> {
        self.calls.push((name.text.clone(), span));
        self.played += 1;
        if self.played > MAX_PLAYED {
            return self.fail_at(
                self.calls[0].1,
                format!("these rules play out more than {MAX_PLAYED} calls"),
                "most of them in here",
            );
        }
        if self.calls.len() > MAX_CALLS {
            let label = format!("more than {MAX_CALLS} levels");
            return self.fail_at(span, "calls are nested too deeply", label);
        }
        if self.played_tracks > MAX_TRACKS {
            let label = format!("more than {MAX_TRACKS} levels below this one");
            return self.fail_at(span, "tracks are played too deeply in one another", label);
        }
        Ok(())
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
                    written: None,
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

    /// Plays another check or track with the given axes; its script goes to `out`, and what it shows is returned: of a track
    /// what it shows at its end, for what its first round shows is about that round alone.
    pub(crate) fn check_call(
        &mut self,
        name: &ast::Name,
        args: &[Arg],
        span: Span,
        out: &mut Vec<Statement>,
    ) -> Lowered<Value> {
        let library = self.library;
        let Some(callee) = library.callee(&name.text) else {
            return Err(Reported);
        };
        self.reporter.note_name(name.span, callee.name.span);
        if callee.is_broken {
            return Err(Reported);
        }
        let under_way = self.calls.iter().map(|(caller, _)| caller.as_str());
        let under_way: Vec<&str> = std::iter::once(self.root.as_str())
            .chain(under_way)
            .collect();
        if let Some(first) = under_way.iter().position(|caller| *caller == name.text) {
            let cycle = &under_way[first..];
            let place = |name: &str| library.callees().position(|c| c.name.text == name);
            // Each of them gets here; the first of the file says so.
            if cycle.iter().any(|member| place(member) < place(&name.text)) {
                return Err(Reported);
            }
            let chain = cycle.join(" → ");
            let what = if callee.is_track { "track" } else { "check" };
            let message = format!("a {what} may not play itself: {chain} → {}", name.text);
            return self.fail_at(name.span, message, "this comes back to itself");
        }
        let given = self.named_axes(callee.axes.as_slice(), &name.text, args)?;
        let mark = self.scope.enter_call();
        let first = self.program.variables.len();
        for (axis, value) in callee.axes.iter().zip(given) {
            let axis_name = ast::Name {
                text: axis.name.clone(),
                span,
            };
            self.bind_argument(&axis_name, value, out);
        }
        self.scope.make_axes(&callee.axes);
        self.bind_broken(callee);
        self.played_tracks += usize::from(callee.is_track);
        if let Err(reported) = self.begin_call(name, span) {
            self.calls.pop();
            self.played_tracks -= usize::from(callee.is_track);
            self.scope.close(&mark);
            return Err(reported);
        }
        let bands = std::mem::replace(&mut self.bands, callee.bands.clone());
        let outcomes = std::mem::take(&mut self.outcomes);
        let rounds = self.rounds.take();
        let statements = self.script(callee);
        self.played_tracks -= usize::from(callee.is_track);
        self.rounds = rounds;
        let shown = std::mem::replace(&mut self.outcomes, outcomes);
        self.bands = bands;
        self.calls.pop();
        self.scope.close(&mark);
        out.extend(statements);
        // What plays one that plays others is what the script plays.
        self.plays += 1;
        for variable in &mut self.program.variables[first..] {
            variable.play = self.plays;
        }
        let shown = shown.into_iter().filter(|outcome| !outcome.first_round);
        let fields = shown.map(|outcome| {
            use crate::check::OutcomeKind;
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
                    self.reporter.note_name(name.span, axes[axis].span);
                    let value = self.axis_value(&axes[axis], value)?;
                    named.push((axis, value));
                }
                Arg::Rest(span) => {
                    self.demand_axes(*span)?;
                    rest = Some(*span);
                }
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
        let mut values = Vec::with_capacity(axes.len());
        for (at, axis) in axes.iter().enumerate() {
            let given = named.iter().find(|(index, _)| *index == at);
            let value = match (given, rest) {
                (Some((_, value)), _) => Some(value.clone()),
                (None, Some(span)) => self.passed_on(axis, callee, span)?,
                (None, None) => None,
            };
            let default = || {
                Value::Scalar(
                    Expr::constant(axis.default, axis.span),
                    Scalar::of(&axis.domain),
                )
            };
            values.push(value.unwrap_or_else(default));
        }
        Ok(values)
    }

    /// Refuses `..` where there are no axes that it could pass on.
    fn demand_axes(&mut self, span: Span) -> Lowered<()> {
        let Some((caller, _)) = self.calls.last() else {
            return Ok(());
        };
        if !self.library.functions.contains_key(caller) {
            return Ok(());
        }
        let message = format!("`..` passes on axes, and the function `{caller}` has none");
        let error = self.reporter.error(span, message);
        let help = "a function sees its parameters alone: name each axis, as in `skill = skill`, and give the \
                    function that value";
        self.fail(error.with_label("in a function").with_help(help))
    }

    /// What `..` gives an axis of the callee: the value that the caller's axis of the same name has in this play.
    fn passed_on(&mut self, axis: &Input, callee: &str, span: Span) -> Lowered<Option<Value>> {
        let own = self.scope.find(&axis.name);
        let Some(own) = own.filter(|binding| binding.is_axis) else {
            return Ok(None);
        };
        let (mut value, place) = (own.value.clone(), own.span);
        self.reporter.note_same(place, axis.span);
        if let Value::Scalar(expr, scalar) = &mut value {
            if *scalar != Scalar::of(&axis.domain) {
                let message = format!("`..` can't pass on `{}` to `{callee}`", axis.name);
                let (here, there) = (scalar.describe(), Scalar::of(&axis.domain).describe());
                let error = self
                    .reporter
                    .error(span, message)
                    .with_label(format!("it is {here} here, and {there} in `{callee}`"))
                    .with_related(place, "the axis here")
                    .with_related(axis.span, format!("the axis of `{callee}`"))
                    .with_help(format!(
                        "give it by name, as in `{}({} = …, ..)`",
                        callee, axis.name
                    ));
                return self.fail(error);
            }
            expr.0.span = span;
        }
        Ok(Some(value))
    }

    fn axis_value(&mut self, axis: &Input, value: &ast::Expr) -> Lowered<Value> {
        match &axis.domain {
            Domain::Range(..) => Ok(Value::Scalar(self.number(value)?, Scalar::Int)),
            Domain::Choice(choice) => {
                let (expr, scalar) = self.scalar(value, Some(choice))?;
                if scalar == Scalar::Choice(std::sync::Arc::clone(choice)) {
                    return Ok(Value::Scalar(expr, scalar));
                }
                let message = format!("`{}` is one of {}", axis.name, choice.labels().join(", "));
                self.fail_at(expr.span, message, format!("this is {}", scalar.describe()))
            }
        }
    }

    fn unknown_axis<T>(&mut self, name: &ast::Name, axes: &[Input], callee: &str) -> Lowered<T> {
        let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
        let error = self
            .reporter
            .error(name.span, format!("`{callee}` has no axis `{}`", name.text));
        let error = match self.reporter.nearest(&name.text, names.iter().copied()) {
            Some(near) => error.meant(near),
            None => error
                .with_label("not one of its axes")
                .with_help(match names.as_slice() {
                    [] => format!("it has no axes: `{callee}(..)` plays it as it is"),
                    names => format!("its axes are {}", names.join(", ")),
                }),
        };
        self.fail(error)
    }
}

pub(super) fn arguments(count: usize) -> String {
    if count == 1 {
        "1 argument".to_owned()
    } else {
        format!("{count} arguments")
    }
}
