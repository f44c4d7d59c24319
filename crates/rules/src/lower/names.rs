//! What names and labels stand for, and what is said of those that stand for nothing.

use std::sync::Arc;

use crate::check::{Domain, Input};
use crate::choice::Choice;
use crate::lower::built_in::usage;
use crate::lower::expr::Want;
use crate::lower::measure::quoted;
use crate::lower::{FunctionDef, Lowered, Lowerer, Reported, Scalar, Value};
use crate::program::{Expr, InputId};
use crate::source::{Diagnostic, Reporter, Source, Span, there_are_some};
use crate::syntax::{ast, or_taught, parse_expr};

impl Lowerer<'_> {
    pub(super) fn name(&mut self, name: &str, span: Span, want: Want<'_>) -> Lowered<Value> {
        let label = want.and_then(|choice| choice.place(name).map(|at| (at, Arc::clone(choice))));
        let value = self.named_value(name, span);
        // What can't be such a label is not meant, if the word is one.
        let is_meant = |value: &Value| match (value, want) {
            _ if label.is_none() => true,
            (Value::Scalar(_, Scalar::Choice(of)), Some(wanted)) => of == wanted,
            (value, _) => matches!(value, Value::Error),
        };
        if let Some(value) = value.filter(is_meant) {
            if label.is_some() && !matches!(value, Value::Error) {
                let error = self
                    .reporter
                    .error(span, format!("`{name}` is both a value and a label here"))
                    .with_help(format!(
                        "write \"{name}\" for the label, or rename the value"
                    ));
                return self.fail(error);
            }
            if self.reporter.record.is_some()
                && let Some(defined) = self.defined(name)
            {
                self.reporter.note_name(span, defined);
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
        let label = match label {
            None if want.is_none() => self.only_label(name, span)?,
            label => label,
        };
        match label {
            Some((at, choice)) => Ok(self.label_value(at, choice, span)),
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
                Some(near) => Meant::label(near).tell(error),
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
            unknown().meant(&format!("({count}){die}"))
        } else if let Some((bound, block)) =
            self.scope.ended(text).filter(|_| self.calls.is_empty())
        {
            let (keyword, once) = block.words();
            unknown()
                .with_label(format!("it lived for one {once} of the `{keyword}`"))
                .with_related(bound, format!("bound here, anew in each {once}"))
                .with_help(format!(
                    "bind it before the `{keyword}`, with `let {text} = …`, and change it inside with `set`"
                ))
        } else if let Some(die) = text
            .strip_prefix('D')
            .filter(|sides| sides.starts_with(|c: char| c.is_ascii_digit()))
        {
            unknown()
                .with_label(format!("`d` is small: `d{die}`"))
                .mended(&format!("d{die}"))
        } else if self.hidden_axis(text) && !self.calls.is_empty() {
            error(format!("the axis `{text}` can't be seen here"))
                .with_label("functions see only parameters and arguments")
                .with_help("pass the axis as an argument")
        } else if self.asked.is_some() && self.calls.is_empty() {
            return self.not_shown(name, span);
        } else if let Some(near) = self.meant_name(text) {
            near.tell(unknown())
        } else if let Some((_, owner)) = self.lists_with(text).first() {
            unknown()
                .with_label(format!("this is a label of {owner}"))
                .with_help(format!(
                    "a label stands beside a value of its list, as in `… == {text}`"
                ))
        } else {
            let error = unknown().with_label("no axis, parameter or value has this name");
            let explain = |error: Diagnostic| error.with_help(self.names_here());
            or_taught(self.reporter.explained(error, explain), self.reporter)
        };
        self.fail(error)
    }

    /// The names that could stand here, as far as a line has room for them; in their absence how a number gets one.
    fn names_here(&self) -> String {
        let mut names = self.scope.seen();
        names.extend(self.param_names().map(str::to_owned));
        match names.as_slice() {
            [] if self.calls.is_empty() => {
                "nothing has a name here; a number that can be set is an axis of a ruleset, as `oddsmith new` writes it"
                    .to_owned()
            }
            [] => "a function sees its arguments and the parameters, and there are none".to_owned(),
            names => there_are_some(names),
        }
    }

    /// The names of the parameters, a list once for each of its elements.
    pub(super) fn param_names(&self) -> impl Iterator<Item = &str> {
        let params = self.params.iter();
        params.map(|input| input.name.split('[').next().unwrap_or_default())
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

    /// The place of a label and its list, where nothing says which list is meant and one alone has it.
    fn only_label(&mut self, label: &str, span: Span) -> Lowered<Option<(i64, Arc<Choice>)>> {
        if self.asked.is_some() && self.calls.is_empty() {
            return Ok(None);
        }
        let lists = self.lists_with(label);
        let Some(((list, first), others)) = lists.split_first() else {
            return Ok(None);
        };
        if let Some((_, second)) = others.first() {
            let error = self
                .reporter
                .error(span, format!("`{label}` is a label of several lists"))
                .with_label(format!("of {first}, and of {second}"))
                .with_help(format!(
                    "it is of one list beside a value of that list, and under the list's name: with `{label}` in a list `kind` under [labels], `let kind = {label}`"
                ));
            return self.fail(error);
        }
        Ok(list.place(label).map(|at| (at, Arc::clone(list))))
    }

    /// The labels that a bare word or a quoted one is of by itself, to give those beside it a meaning.
    pub(super) fn list_of_label(&self, expr: &ast::Expr) -> Option<Arc<Choice>> {
        match &expr.kind {
            ast::ExprKind::Name(label) | ast::ExprKind::Label(label) => {
                let is_value = matches!(expr.kind, ast::ExprKind::Name(_))
                    && self.named_value(label, expr.span).is_some();
                let is_band = |bands: &Arc<Choice>| bands.place(label).is_some();
                let is_asked = self.asked.is_some() && self.calls.is_empty();
                if is_value || is_asked || self.bands.as_ref().is_some_and(is_band) {
                    return None;
                }
                let mut lists = self.lists_with(label);
                (lists.len() == 1).then(|| lists.swap_remove(0).0)
            }
            ast::ExprKind::If {
                then, otherwise, ..
            } => self
                .list_of_label(then)
                .or_else(|| self.list_of_label(otherwise)),
            ast::ExprKind::Match {
                arms, otherwise, ..
            } => arms
                .iter()
                .find_map(|arm| self.list_of_label(&arm.value))
                .or_else(|| self.list_of_label(otherwise.as_deref()?)),
            _ => None,
        }
    }

    /// The list of labels with a name: one under `[labels]`.
    pub(super) fn list_named(&self, name: &str) -> Option<Arc<Choice>> {
        let mut lists = self.library.labels.iter();
        let (_, list) = lists.find(|(known, _)| known.text == name)?;
        Some(Arc::clone(list))
    }

    /// The lists of the file that have a label, each once, with what it belongs to.
    fn lists_with(&self, label: &str) -> Vec<(Arc<Choice>, String)> {
        let library = self.library;
        let named = library
            .labels
            .iter()
            .map(|(name, list)| (list, format!("the list `{}`", name.text)));
        let checks = || library.checks.iter().chain(&library.tracks);
        let inputs = self
            .params
            .iter()
            .chain(checks().flat_map(|check| &check.axes));
        let inputs = inputs.filter_map(|input| match &input.domain {
            Domain::Choice(list) => {
                let base = input.name.split('[').next().unwrap_or_default();
                Some((list, format!("`{base}`")))
            }
            Domain::Range(..) => None,
        });
        let bands = checks().filter_map(|check| {
            let owner = format!("the bands of `{}`", check.name.text);
            Some((check.bands.as_ref()?, owner))
        });
        let mut found: Vec<(Arc<Choice>, String)> = Vec::new();
        for (list, owner) in named.chain(inputs).chain(bands) {
            if list.place(label).is_some() && !found.iter().any(|(known, _)| known == list) {
                found.push((Arc::clone(list), owner));
            }
        }
        found
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
            .any(|broken| broken.text == name)
        {
            return Some(Value::Error);
        }
        let param = |index: usize| {
            let input = &self.params[index];
            let expr = Expr::input(InputId(index), span);
            (expr, Scalar::of(&input.domain))
        };
        if let Some(index) = self.params.iter().position(|input| input.name == name) {
            let (expr, scalar) = param(index);
            return Some(Value::Scalar(expr, scalar));
        }
        // The bracket is looked for first: that is quicker, and most names are no lists.
        let is_element = |input: &str| {
            input.as_bytes().get(name.len()) == Some(&b'[') && input.starts_with(name)
        };
        let items: Vec<_> = (0..self.params.len())
            .filter(|&index| is_element(&self.params[index].name))
            .map(param)
            .collect();
        (!items.is_empty()).then_some(Value::List(items, span))
    }

    /// A label that stands at `span`.
    fn label_value(&mut self, at: i64, choice: Arc<Choice>, span: Span) -> Value {
        self.reporter.note_label(span, &choice, at);
        Value::Scalar(Expr::constant(at, span), Scalar::Choice(choice))
    }

    /// Where the value is defined that a name stands for.
    pub(super) fn defined(&self, name: &str) -> Option<Span> {
        if let Some(binding) = self.scope.find(name) {
            return Some(binding.span);
        }
        let base = |input: &Input| input.name.split('[').next() == Some(name);
        let mut params = self.params.iter();
        let broken = || {
            self.library
                .broken_params
                .iter()
                .find(|broken| broken.text == name)
        };
        let param = params.find(|input| base(input)).map(|input| input.span);
        param.or_else(|| Some(broken()?.span))
    }

    pub(super) fn label(&mut self, text: &str, span: Span, want: Want<'_>) -> Lowered<Value> {
        let known = want.into_iter().chain(self.bands.as_ref());
        let found = known
            .filter_map(|choice| Some((choice.place(text)?, Arc::clone(choice))))
            .next();
        let found = match found {
            None if want.is_none() => self.only_label(text, span)?,
            found => found,
        };
        if let Some((at, choice)) = found {
            return Ok(self.label_value(at, choice, span));
        }
        match (want, self.bands.clone()) {
            (Some(choice), _) => self.unknown_label_or_name(text, span, Some(choice)),
            (None, Some(bands)) if self.is_near_label(text, &bands) => {
                self.unknown_label_or_name(text, span, Some(&bands))
            }
            (None, bands) => self.label_without_list(text, span, bands.as_deref()),
        }
    }

    /// Whether a label may be a slip of the pen for one of these.
    fn is_near_label(&self, text: &str, choice: &Choice) -> bool {
        let labels = choice.labels().iter().map(String::as_str);
        choice.is_unknown() || self.reporter.nearest(text, labels).is_some()
    }

    /// Reports a label where no list says which labels there are but, maybe, the bands.
    fn label_without_list(
        &mut self,
        text: &str,
        span: Span,
        bands: Option<&Choice>,
    ) -> Lowered<Value> {
        let label = match bands {
            Some(bands) => format!("no band here: these are {}", bands.labels().join(", ")),
            None => "no labels are known here".to_owned(),
        };
        let error = self
            .reporter
            .error(span, format!("unknown label \"{text}\""))
            .with_label(label);
        let are_dice = parse_expr(text, 0, &mut Reporter::new(&Source::new("", text)))
            .is_some_and(|dice| matches!(dice.kind, ast::ExprKind::Dice { .. }));
        self.fail(match are_dice {
            true => error
                .with_help(format!("without the quotes these are dice: `{text}`"))
                .with_fix(span, text),
            false => error.with_help(format!(
                "labels are those of `bands`, of the domains of axes and parameters, and of lists under [labels], such as `place = [\"{text}\", …]`"
            )),
        })
    }

    /// What is read of the results of checks under this name: ``c.total``, or ``a.total` or `b.total``.
    fn meant_field(&self, name: &str) -> Option<String> {
        let is_meant = |field: &String| {
            field
                .split_once('.')
                .is_some_and(|(_, field)| field == name)
        };
        let fields: Vec<String> = self.scope.fields().into_iter().filter(is_meant).collect();
        (!fields.is_empty()).then(|| fields.join("` or `"))
    }

    /// What a bare word or a missing name may have meant.
    pub(super) fn meant_name(&self, wrong: &str) -> Option<Meant> {
        if let Some(fields) = self.meant_field(wrong) {
            return Some(Meant::field(fields));
        }
        let near = self.nearest_name(wrong)?;
        let is_label = |bands: &Arc<Choice>| bands.place(&near).is_some();
        match self.bands.as_ref().is_some_and(is_label) {
            true => Some(Meant::label(&near)),
            false => Some(Meant::field(near)),
        }
    }

    fn nearest_name(&self, wrong: &str) -> Option<String> {
        let labels = self.bands.iter().flat_map(|bands| bands.labels().iter());
        let broken = self.library.broken_params.iter();
        let broken = broken.map(|name| name.text.as_str());
        let fields = self.scope.fields();
        let known = self
            .scope
            .names()
            .chain(broken)
            .chain(self.param_names())
            .chain(labels.map(String::as_str))
            .chain(fields.iter().map(String::as_str));
        let near = self.reporter.nearest(wrong, known);
        near.map(str::to_owned).or_else(|| self.longer_label(wrong))
    }

    /// The one band that a word begins, whatever the case: `crit` is Critical.
    fn longer_label(&self, wrong: &str) -> Option<String> {
        const LEAST: usize = 3;
        let wrong = wrong.to_lowercase();
        let begins = |label: &&String| label.to_lowercase().starts_with(&wrong);
        let labels = self.bands.iter().flat_map(|bands| bands.labels().iter());
        let mut meant = labels.filter(begins).filter(|_| wrong.len() >= LEAST);
        match (meant.next(), meant.next()) {
            (Some(only), None) => Some(only.clone()),
            _ => None,
        }
    }
}

/// What a word was most likely meant to be.
pub(super) struct Meant {
    name: String,
    /// As a script has it; none if it may be one of several.
    written: Option<String>,
}

impl Meant {
    fn label(label: &str) -> Self {
        Self {
            name: label.to_owned(),
            written: Some(quoted(label)),
        }
    }

    /// A name, `c.total`, or ``a.total` or `b.total``.
    fn field(name: String) -> Self {
        let written = (!name.contains('`')).then(|| name.clone());
        Self { name, written }
    }

    /// Says so.
    pub(super) fn tell(self, error: Diagnostic) -> Diagnostic {
        let Span { start, end } = error.span;
        let is_quoted = error
            .source
            .text
            .get(start..end)
            .is_some_and(|text| text.starts_with('"'));
        let Self { name, written } = self;
        match written {
            Some(_) if is_quoted => error.meant(&name),
            Some(written) => error.meant(&name).with_fix(Span::new(start, end), written),
            None => error.with_label(format!("did you mean `{name}`?")),
        }
    }
}

/// `nd6` as `n` and `d6`, for a message.
fn split_glued_dice(name: &str) -> Option<(&str, &str)> {
    let at = name.rfind('d').filter(|&at| at > 0)?;
    let (count, die) = name.split_at(at);
    let sides = &die[1..];
    (!sides.is_empty() && sides.bytes().all(|byte| byte.is_ascii_digit())).then_some((count, die))
}
