//! What names and labels stand for, and what is said of those that stand for nothing.

use std::sync::Arc;

use crate::check::{Domain, Input};
use crate::lower::built_in::usage;
use crate::lower::expr::Want;
use crate::lower::{FunctionDef, Lowered, Lowerer, Reported, Scalar, Value};
use crate::program::{Expr, InputId};
use crate::source::Span;
use crate::syntax::ast;

impl Lowerer<'_> {
    pub(super) fn name(&mut self, name: &str, span: Span, want: Want<'_>) -> Lowered<Value> {
        let label = want.and_then(|choice| choice.place(name).map(|at| (at, Arc::clone(choice))));
        if let Some(value) = self.named_value(name, span) {
            if label.is_some() && !matches!(value, Value::Error) {
                let error = self
                    .reporter
                    .error(span, format!("`{name}` is both a value and a label here"))
                    .with_help(format!(
                        "write \"{name}\" for the label, or rename the value"
                    ));
                return self.fail(error);
            }
            return if matches!(value, Value::Error) {
                Err(Reported)
            } else {
                Ok(value)
            };
        }
        let label = label.or_else(|| {
            let bands = self.bands.as_ref()?;
            bands.place(name).map(|at| (at, Arc::clone(bands)))
        });
        match label {
            Some((at, choice)) => Ok(Value::Scalar(
                Expr::constant(at, span),
                Scalar::Choice(choice),
            )),
            None => self.unknown_label_or_name(name, span, want),
        }
    }

    fn unknown_label_or_name(&mut self, name: &str, span: Span, want: Want<'_>) -> Lowered<Value> {
        if want.is_some_and(|choice| choice.is_unknown()) {
            return Err(Reported);
        }
        if let Some(choice) = want {
            let error = self.reporter.error(span, format!("unknown label `{name}`"));
            let near = self
                .reporter
                .nearest(name, choice.labels().iter().map(String::as_str));
            let error = match near {
                Some(near) => error.with_label(format!("did you mean `{near}`?")),
                None => error.with_label("not a label here, nor the name of a value"),
            };
            let error = error.with_help(format!(
                "the labels here are {}",
                choice.labels().join(", ")
            ));
            return self.fail(error);
        }
        self.unknown_name(&ast::Name {
            text: name.to_owned(),
            span,
        })
    }

    /// Reports a name that nothing has.
    pub(crate) fn unknown_name<T>(&mut self, name: &ast::Name) -> Lowered<T> {
        if self.has_broken_bands() {
            return Err(Reported);
        }
        let text = &name.text;
        let span = self.word(name);
        let error = |message: String| self.reporter.error(span, message);
        let unknown = || error(format!("unknown name `{text}`"));
        let is_bound = |name: &str| self.named_value(name, Span::default()).is_some();
        let error = if let Some(usage) = self.function_usage(text) {
            error(format!("`{text}` is a function")).with_label(format!("write {usage}"))
        } else if let Some((count, die)) = split_glued_dice(text).filter(|(n, _)| is_bound(n)) {
            unknown().with_label(format!("did you mean `({count}){die}`?"))
        } else if let Some(bound) = self.scope.ended(text).filter(|_| self.calls.is_empty()) {
            unknown()
                .with_label("it lived for one round of the `repeat`")
                .with_related(bound, "bound here, anew in each round")
                .with_help(format!(
                    "bind it before the `repeat`, with `let {text} = …`, and change it inside with `set`"
                ))
        } else if let Some(die) = text
            .strip_prefix('D')
            .filter(|sides| sides.starts_with(|c: char| c.is_ascii_digit()))
        {
            unknown().with_label(format!("`d` is small: `d{die}`"))
        } else if self.hidden_axis(text) && !self.calls.is_empty() {
            error(format!("the axis `{text}` can't be seen here"))
                .with_label("functions see only parameters and arguments")
                .with_help("pass the axis as an argument")
        } else if self.asked.is_some() && self.calls.is_empty() {
            return self.not_shown(name, span);
        } else if let Some(near) = self.meant_field(text).or_else(|| self.nearest_name(text)) {
            unknown().with_label(format!("did you mean `{near}`?"))
        } else if let Some(owner) = self.owner_of_label(text) {
            unknown()
                .with_label(format!("this is a label of {owner}"))
                .with_help(format!(
                    "a label stands beside a value of its list, as in `… == {text}`"
                ))
        } else {
            unknown().with_label("no axis, parameter or value has this name")
        };
        self.fail(error)
    }

    /// Where a name stands, without the parentheses around it.
    fn word(&self, name: &ast::Name) -> Span {
        let written = self
            .reporter
            .source
            .text
            .get(name.span.start..name.span.end);
        match written.and_then(|written| written.find(&name.text)) {
            Some(at) => Span::new(name.span.start + at, name.span.start + at + name.text.len()),
            None => name.span,
        }
    }

    /// How a function is called, if there is one of this name.
    fn function_usage(&self, name: &str) -> Option<String> {
        let call = |function: &FunctionDef| {
            let params = function
                .syntax
                .params
                .iter()
                .map(|param| param.text.as_str());
            format!("{name}({})", params.collect::<Vec<_>>().join(", "))
        };
        self.library
            .functions
            .get(name)
            .map(call)
            .or_else(|| usage(name).map(str::to_owned))
    }

    fn hidden_axis(&self, name: &str) -> bool {
        let mut checks = self.library.checks.iter().chain(&self.library.tracks);
        checks.any(|check| check.axes.iter().any(|axis| axis.name == name))
    }

    /// What has a label of this name, where another one is not meant.
    fn owner_of_label(&self, label: &str) -> Option<String> {
        let checks = || self.library.checks.iter().chain(&self.library.tracks);
        let axes = checks().flat_map(|check| &check.axes);
        let has_label = |input: &&Input| match &input.domain {
            Domain::Choice(choice) => choice.place(label).is_some(),
            Domain::Range(..) => false,
        };
        if let Some(input) = self.library.params.iter().chain(axes).find(has_label) {
            let base = input.name.split('[').next().unwrap_or_default();
            return Some(format!("`{base}`"));
        }
        let mut checks = checks();
        let check = checks.find(|check| {
            let bands = check.bands.as_ref();
            bands.is_some_and(|bands| bands.place(label).is_some())
        })?;
        Some(format!("the bands of `{}`", check.name.text))
    }

    /// The value that a name stands for: bound in the script, else a parameter.
    pub(super) fn named_value(&self, name: &str, span: Span) -> Option<Value> {
        if let Some(binding) = self.scope.find(name) {
            let mut value = binding.value.clone();
            if let Value::Scalar(expr, _) | Value::Pool(expr) = &mut value {
                expr.0.span = span;
            }
            return Some(value);
        }
        if self
            .library
            .broken_params
            .iter()
            .any(|broken| broken == name)
        {
            return Some(Value::Error);
        }
        let param = |index: usize| {
            let input = &self.library.params[index];
            let expr = Expr::input(InputId(index), span);
            (expr, Scalar::of(&input.domain))
        };
        if let Some(index) = self
            .library
            .params
            .iter()
            .position(|input| input.name == name)
        {
            let (expr, scalar) = param(index);
            return Some(Value::Scalar(expr, scalar));
        }
        let is_element = |input: &str| {
            input
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('['))
        };
        let items: Vec<_> = (0..self.library.params.len())
            .filter(|&index| is_element(&self.library.params[index].name))
            .map(param)
            .collect();
        (!items.is_empty()).then_some(Value::List(items, span))
    }

    pub(super) fn label(&mut self, text: &str, span: Span, want: Want<'_>) -> Lowered<Value> {
        let known = want.into_iter().chain(self.bands.as_ref());
        let found = known
            .filter_map(|choice| Some((choice.place(text)?, Arc::clone(choice))))
            .next();
        match found {
            Some((at, choice)) => Ok(Value::Scalar(
                Expr::constant(at, span),
                Scalar::Choice(choice),
            )),
            None => match want.cloned().or_else(|| self.bands.clone()) {
                Some(choice) => self.unknown_label_or_name(text, span, Some(&choice)),
                None => self.fail_at(
                    span,
                    format!("unknown label \"{text}\""),
                    "no labels are known here",
                ),
            },
        }
    }

    /// What is read of the results of checks under this name: ``c.total``, or ``a.total` or `b.total``.
    pub(super) fn meant_field(&self, name: &str) -> Option<String> {
        let is_meant = |field: &String| {
            field
                .split_once('.')
                .is_some_and(|(_, field)| field == name)
        };
        let fields: Vec<String> = self.scope.fields().into_iter().filter(is_meant).collect();
        (!fields.is_empty()).then(|| fields.join("` or `"))
    }

    /// What a bare word or a missing name may have meant.
    pub(super) fn nearest_name(&self, wrong: &str) -> Option<String> {
        let labels = self.bands.iter().flat_map(|bands| bands.labels().iter());
        let params = self
            .library
            .params
            .iter()
            .map(|input| input.name.split('[').next().unwrap_or_default());
        let broken = self.library.broken_params.iter().map(String::as_str);
        let fields = self.scope.fields();
        let known = self
            .scope
            .names()
            .chain(broken)
            .chain(params)
            .chain(labels.map(String::as_str))
            .chain(fields.iter().map(String::as_str));
        self.reporter.nearest(wrong, known).map(str::to_owned)
    }
}

/// `nd6` as `n` and `d6`, for a message.
fn split_glued_dice(name: &str) -> Option<(&str, &str)> {
    let at = name.rfind('d').filter(|&at| at > 0)?;
    let (count, die) = name.split_at(at);
    let sides = &die[1..];
    (!sides.is_empty() && sides.bytes().all(|byte| byte.is_ascii_digit())).then_some((count, die))
}
