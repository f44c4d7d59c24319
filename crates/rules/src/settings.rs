//! Configurations and sweeps as users ask for them: `name=value`, `axis=VALUES`, queries.

use std::sync::Arc;

use crate::lower::expr::scalar_of;
use crate::lower::{Binding, Library, Lowerer, Scalar, Value};
use crate::model::{Check, Config, InputRange, OutcomeKind, Query, QueryKind, Role};
use crate::program::{BinaryOp, CompareOp, Expr, InputId, Kind, VarId};
use crate::source::{Diagnostic, Diagnostics, Reporter, Source, Span, nearest};
use crate::syntax;
use crate::syntax::ast;
use crate::values;

impl Check {
    /// Changes `config` by an assignment such as `circ_boons=2`, `state=fragile`, `ladder[2]=10` or
    /// `ladder=[0,4,6,8,10,12]`. `origin` is what messages call the place it came from, such as `--set`.
    ///
    /// # Errors
    /// If there is no such input, or the value is not in its domain.
    pub fn set(
        &self,
        config: &mut Config,
        assignment: &str,
        origin: &str,
    ) -> Result<(), Diagnostic> {
        let source = Source::new(origin, assignment);
        let (name, value, at) = self.split(&source, "name=value")?;
        self.refuse_several(&source, value, at)?;
        if let Some(id) = self.input(name) {
            let parsed = values::parse_one(value, &self.inputs[id.0].domain);
            config.0[id.0] =
                parsed.map_err(|problem| self.value_error(&source, id, at, &problem))?;
            return Ok(());
        }
        let elements: Vec<InputId> = self.elements(name);
        if elements.is_empty() {
            return Err(self.unknown_input(&source, name));
        }
        let inner = value
            .trim()
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let items: Vec<&str> = inner
            .map(|inner| inner.split(',').collect())
            .unwrap_or_default();
        if items.len() != elements.len() {
            let whole = Span::new(at, assignment.len());
            let message = format!("`{name}` is a list of {} values", elements.len());
            let help = format!("write {name}=[…] with all of them, or {name}[0]=… for one");
            return Err(Diagnostic::new(&source, whole, message)
                .with_label(not_that_list(value))
                .with_help(help));
        }
        // Behind the bracket, and whatever blanks stand before it.
        let mut start = at + value.find('[').map_or(0, |bracket| bracket + 1);
        for (id, item) in elements.into_iter().zip(items) {
            let parsed = values::parse_one(item, &self.inputs[id.0].domain);
            config.0[id.0] =
                parsed.map_err(|problem| self.value_error(&source, id, start, &problem))?;
            start += item.len() + 1;
        }
        Ok(())
    }

    /// The input and the values of a sweep such as `circ_boons=-5..=5` or `state=all`, in the order asked.
    ///
    /// # Errors
    /// As [`Check::set`]; also if a value is there twice.
    pub fn sweep(&self, sweep: &str, origin: &str) -> Result<InputRange, Diagnostic> {
        let source = Source::new(origin, sweep);
        let (name, values, at) = self.split(&source, "axis=VALUES")?;
        let Some(id) = self.input(name) else {
            return Err(self.list_as_a_whole(&source, name, values));
        };
        self.refuse_several(&source, values, at)?;
        let parsed = values::parse(values, &self.inputs[id.0].domain);
        let values = parsed.map_err(|problem| self.value_error(&source, id, at, &problem))?;
        Ok(InputRange { input: id, values })
    }

    /// What `--sweep all` runs over: every axis that declares a `sweep`, in the file's order.
    #[must_use]
    pub fn default_sweep(&self) -> Vec<InputRange> {
        let swept = self
            .inputs
            .iter()
            .enumerate()
            .filter(|(_, input)| !input.sweep.is_empty());
        swept
            .map(|(at, input)| InputRange {
                input: InputId(at),
                values: input.sweep.clone(),
            })
            .collect()
    }

    /// The query that `text` asks.
    ///
    /// # Errors
    /// If it does not read as a query, or names what the check does not show.
    pub fn query(&self, text: &str, origin: &str) -> Result<Query, Diagnostics> {
        if let Some(event) = self.label_event(text.trim()) {
            return Ok(Query {
                text: text.to_owned(),
                kind: QueryKind::Probability(event),
                given: None,
            });
        }
        let source = Source::new(origin, text);
        let mut reporter = Reporter::new(&source);
        let parsed = syntax::parse_query(text, 0, &mut reporter);
        let query = parsed.and_then(|query| self.lower_query(&query, text, &mut reporter));
        match query {
            Some(query) => reporter.finish(query),
            None => {
                let fallback = reporter.error(Span::new(0, text.len()), "this is not a query");
                if reporter.is_empty() {
                    reporter.push(fallback);
                }
                reporter
                    .finish(())
                    .map(|()| unreachable!("an error was reported"))
            }
        }
    }

    /// The queries that a check answers by itself: its bands, then its flags.
    #[must_use]
    pub fn own_queries(&self) -> Vec<Query> {
        let query = |text: &str, event| Query {
            text: text.to_owned(),
            kind: QueryKind::Probability(event),
            given: None,
        };
        let labels = self
            .band()
            .into_iter()
            .flat_map(|(_, bands)| bands.labels.iter());
        let bands = labels.filter_map(|label| Some(query(label, self.label_event(label)?)));
        let flags = self
            .outcomes
            .iter()
            .filter(|outcome| outcome.kind == OutcomeKind::Flag);
        bands
            .chain(flags.map(|flag| query(&flag.name, use_of(flag.var, Span::default()))))
            .collect()
    }

    /// `band == label`, if the whole text is a label of the bands.
    fn label_event(&self, text: &str) -> Option<Expr> {
        let (outcome, bands) = self.band()?;
        Some(is_label(
            outcome.var,
            bands.place(text)?,
            Span::new(0, text.len()),
        ))
    }

    fn lower_query(
        &self,
        query: &ast::Query,
        text: &str,
        reporter: &mut Reporter,
    ) -> Option<Query> {
        let library = Library {
            params: self.params(),
            ..Library::default()
        };
        let bands = self
            .outcomes
            .iter()
            .find_map(|outcome| match &outcome.kind {
                OutcomeKind::Band(bands) => Some((outcome.var, Arc::clone(bands))),
                _ => None,
            });
        let mut lowerer = Lowerer::new(
            &library,
            &self.inputs,
            reporter,
            bands.as_ref().map(|(_, labels)| Arc::clone(labels)),
        );
        lowerer
            .program
            .variables
            .clone_from(&self.program.variables);
        self.bind_names(&mut lowerer);
        let event =
            |lowerer: &mut Lowerer<'_>, expr: &ast::Expr| lowerer.event(expr, bands.as_ref()).ok();
        let (kind, given) = match query {
            ast::Query::Probability { event: e, given } => {
                (QueryKind::Probability(event(&mut lowerer, e)?), given)
            }
            ast::Query::Mean { value, given } => (
                QueryKind::Mean(lowerer.dice_free_number(value).ok()?),
                given,
            ),
            ast::Query::Variance { value, given } => (
                QueryKind::Variance(lowerer.dice_free_number(value).ok()?),
                given,
            ),
        };
        let given = match given {
            Some(given) => Some(event(&mut lowerer, given)?),
            None => None,
        };
        Some(Query {
            text: text.to_owned(),
            kind,
            given,
        })
    }

    /// Binds axes and outcomes for a query; an outcome hides an axis of the same name.
    fn bind_names(&self, lowerer: &mut Lowerer<'_>) {
        for (at, input) in self
            .inputs
            .iter()
            .enumerate()
            .filter(|(_, input)| input.role == Role::Axis)
        {
            lowerer.bind_input(
                &input.name,
                InputId(at),
                scalar_of(&input.domain),
                input.span,
                true,
            );
        }
        for outcome in &self.outcomes {
            let scalar = match &outcome.kind {
                OutcomeKind::Observable => Scalar::Int,
                OutcomeKind::Flag => Scalar::Bool,
                OutcomeKind::Band(choice) | OutcomeKind::Label(choice) => {
                    Scalar::Choice(Arc::clone(choice))
                }
            };
            let expr = use_of(outcome.var, outcome.span);
            lowerer.bind_name(Binding {
                name: outcome.name.clone(),
                value: Value::Scalar(expr, scalar),
                span: outcome.span,
                is_axis: false,
            });
        }
    }

    fn params(&self) -> Vec<crate::model::Input> {
        self.inputs
            .iter()
            .filter(|input| input.role == Role::Parameter)
            .cloned()
            .collect()
    }

    /// Both sides of `=` and where the right one begins.
    fn split<'s>(
        &self,
        source: &'s Arc<Source>,
        form: &str,
    ) -> Result<(&'s str, &'s str, usize), Diagnostic> {
        let text = &source.text;
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => {
                Ok((name.trim(), value, name.len() + 1))
            }
            _ => {
                let names = self.input_names();
                let error = Diagnostic::new(
                    source,
                    Span::new(0, text.len()),
                    format!("this is not {form}"),
                );
                Err(error.with_help(format!(
                    "the names of `{}` are {}",
                    self.name,
                    names.join(", ")
                )))
            }
        }
    }

    fn elements(&self, name: &str) -> Vec<InputId> {
        let is_element = |input: &str| {
            input
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('['))
        };
        (0..self.inputs.len())
            .filter(|&at| is_element(&self.inputs[at].name))
            .map(InputId)
            .collect()
    }

    /// Refuses `stat=1,boons=2`, where `value` is `1,boons=2` and stands at `at`.
    fn refuse_several(
        &self,
        source: &Arc<Source>,
        value: &str,
        at: usize,
    ) -> Result<(), Diagnostic> {
        let Some(comma) = value
            .match_indices(',')
            .map(|(comma, _)| comma)
            .find(|comma| {
                let (name, rest) = value[comma + 1..].split_once('=').unwrap_or_default();
                let name = name.trim();
                !rest.is_empty()
                    && (self.input(name).is_some()
                        || name.starts_with(char::is_alphabetic) && !name.contains([',', '.', ']']))
            })
        else {
            return Ok(());
        };
        let (first, second) = (
            &source.text[..at + comma],
            source.text[at + comma + 1..].trim(),
        );
        let option = &source.name;
        let (message, help) = if option.starts_with("--") {
            (
                format!("one {option} takes one name"),
                format!("write {option} '{first}' {option} '{second}'"),
            )
        } else {
            (
                "one name at a time".to_owned(),
                format!("write '{first}' and '{second}' by themselves"),
            )
        };
        let span = Span::new(at + comma, source.text.len());
        Err(Diagnostic::new(source, span, message)
            .with_label("this is another")
            .with_help(help))
    }

    /// What is said where an axis was due: that a list is one, or that nothing has this name.
    fn list_as_a_whole(&self, source: &Arc<Source>, name: &str, values: &str) -> Diagnostic {
        let items = self.elements(name).len();
        if items == 0 {
            return self.unknown_input(source, name);
        }
        let option = if source.name.starts_with("--") {
            format!("{} ", source.name)
        } else {
            String::new()
        };
        Diagnostic::new(
            source,
            Span::new(0, name.len()),
            format!("`{name}` is a list of {items} values"),
        )
        .with_label("a sweep runs over one of them")
        .with_help(format!(
            "its elements are {name}[0] to {name}[{}]: write {option}'{name}[0]={}'",
            items - 1,
            values.trim()
        ))
    }

    /// The names of axes, then those of parameters, a list's once.
    fn input_names(&self) -> Vec<&str> {
        let base = |name: &'_ str| name.find('[').unwrap_or(name.len());
        let of = |role| self.inputs.iter().filter(move |input| input.role == role);
        let mut names: Vec<&str> = of(Role::Axis)
            .chain(of(Role::Parameter))
            .map(|input| &input.name[..base(&input.name)])
            .collect();
        names.dedup();
        names
    }

    fn value_error(
        &self,
        source: &Arc<Source>,
        id: InputId,
        at: usize,
        problem: &values::Problem,
    ) -> Diagnostic {
        let input = &self.inputs[id.0];
        let (line, column) = self.source.line_column(input.span.start);
        let span = Span::new(at + problem.start, at + problem.end);
        let help = if input.help.is_empty() {
            String::new()
        } else {
            format!(": {}", input.help)
        };
        Diagnostic::new(
            source,
            span,
            format!("`{}`: {}", input.name, problem.message),
        )
        .with_label(format!("legal: {}", input.domain.describe()))
        .with_help(format!(
            "declared at {}:{line}:{column}{help}",
            self.source.name
        ))
    }

    fn unknown_input(&self, source: &Arc<Source>, name: &str) -> Diagnostic {
        let known = self.input_names();
        let message = format!("`{}` has no axis or parameter `{name}`", self.name);
        let error = Diagnostic::new(source, Span::new(0, name.len()), message);
        let base = name.split('[').next().unwrap_or_default();
        if let items @ 1.. = self.elements(base).len() {
            return error
                .with_label(format!("`{base}` is a list of {items}"))
                .with_help(format!(
                    "its elements are {base}[0] to {base}[{}]",
                    items - 1
                ));
        }
        match nearest(name, known.iter().copied()) {
            Some(near) => error.with_label(format!("did you mean `{near}`?")),
            None => error
                .with_label("unknown")
                .with_help(format!("there are {}", known.join(", "))),
        }
    }
}

impl Lowerer<'_> {
    /// A condition over outcomes; a label by itself means `band == label`.
    fn event(
        &mut self,
        expr: &ast::Expr,
        bands: Option<&(VarId, Arc<crate::model::Choice>)>,
    ) -> Result<Expr, ()> {
        if let ast::ExprKind::Binary {
            op: op @ (ast::BinaryOp::And | ast::BinaryOp::Or),
            left,
            right,
        } = &expr.kind
        {
            let (left, right) = (self.event(left, bands), self.event(right, bands));
            let op = if *op == ast::BinaryOp::And {
                BinaryOp::And
            } else {
                BinaryOp::Or
            };
            return Ok(crate::lower::expr::binary(op, left?, right?, expr.span));
        }
        if let ast::ExprKind::Unary {
            op: ast::UnaryOp::Not,
            operand,
        } = &expr.kind
        {
            let operand = self.event(operand, bands)?;
            return Ok(crate::lower::expr::unary(
                crate::program::UnaryOp::Not,
                operand,
                expr.span,
            ));
        }
        if let Some((var, choice)) = bands {
            let label = match &expr.kind {
                ast::ExprKind::Name(name) | ast::ExprKind::Label(name) => Some(name.clone()),
                ast::ExprKind::Int(value) => Some(value.to_string()),
                _ => None,
            };
            let is_value = label.as_ref().is_some_and(|label| self.is_bound(label));
            if let Some(place) = label
                .filter(|_| !is_value)
                .and_then(|label| choice.place(&label))
            {
                return Ok(is_label(*var, place, expr.span));
            }
        }
        match self.scalar(expr, None).map_err(|_| ())? {
            (event, Scalar::Bool) => self.refuse_dice(&event),
            (_, other) => {
                let label = format!("this is {}", other.describe());
                let text = &self.source().text;
                let text = text.get(expr.span.start..expr.span.end).unwrap_or_default();
                let help = match other {
                    Scalar::Choice(_) => format!("compare it: `{text} == …`"),
                    _ => format!("compare it, as in `{text} >= 1`, or ask for `mean({text})`"),
                };
                let error = Diagnostic::new(self.source(), expr.span, "a condition is needed");
                self.report(error.with_label(label).with_help(help));
                Err(())
            }
        }
    }

    fn dice_free_number(&mut self, expr: &ast::Expr) -> Result<Expr, ()> {
        let number = self.number(expr).map_err(|_| ())?;
        self.refuse_dice(&number)
    }
}

/// What is wrong with a text that should have been a list of another length.
fn not_that_list(value: &str) -> String {
    let value = value.trim();
    let inner = value.trim_start_matches('[').trim_end_matches(']').trim();
    let given = match inner.split(',').count() {
        _ if inner.is_empty() => "no values".to_owned(),
        1 => "one value".to_owned(),
        count => format!("{count} values"),
    };
    match (value.starts_with('['), value.ends_with(']')) {
        (true, true) => format!("this has {given}"),
        (true, false) => format!("{given}, and `]` is missing"),
        (false, true) => format!("{given}, and `[` is missing"),
        (false, false) => format!("{given}, without `[` and `]`"),
    }
}

fn use_of(var: VarId, span: Span) -> Expr {
    Expr {
        kind: Kind::Var(var),
        span,
        fixed: false,
    }
}

fn is_label(var: VarId, place: i64, span: Span) -> Expr {
    let (left, right) = (
        Box::new(use_of(var, span)),
        Box::new(Expr::constant(place, span)),
    );
    Expr {
        kind: Kind::Binary(BinaryOp::Compare(CompareOp::Equal), left, right),
        span,
        fixed: false,
    }
}
