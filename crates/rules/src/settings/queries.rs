//! Questions with one number as their answer.

use std::sync::Arc;

use crate::check::{Check, Outcome, OutcomeKind, Query, QueryKind, Role};
use crate::choice::Choice;
use crate::lower::measure::{Bands, is_label, quoted};
use crate::lower::{Asked, Binding, Library, Lowerer, Reported, Scalar, Value};
use crate::program::{Expr, InputId, Kind, Statement, VarId, chooses_for};
use crate::source::{Diagnostics, Reporter, Source, Span};
use crate::syntax;
use crate::syntax::ast;

/// A side of a contest with what can be read of it.
type Side<'n> = (&'n str, Vec<(String, Expr, Scalar)>);

impl Check {
    /// The query that `text` asks.
    ///
    /// # Errors
    /// If it does not read as a query, or names what the check does not show.
    pub fn query(&self, text: &str, origin: &str) -> Result<Query, Diagnostics> {
        let query = |kind, given, after| Query {
            text: text.to_owned(),
            kind,
            given,
            after,
        };
        if let Some(event) = self.label_event(text.trim()) {
            return Ok(query(QueryKind::Probability(event), None, None));
        }
        let source = Source::new(origin, text);
        let mut reporter = Reporter::new(&source);
        let parsed = syntax::parse_query(text, 0, &mut reporter);
        let lowered = parsed.and_then(|parsed| {
            let (kind, given) =
                self.with_names(Asked::Query, &mut reporter, |lowerer, bands| {
                    query_of(&parsed, lowerer, bands)
                })?;
            let read = query(kind, given, None);
            let after = self.rounds_of(&parsed, &read, &mut reporter).ok()?;
            Some(Query { after, ..read })
        });
        let read = finish(reporter, lowered, "this is not a query");
        read.map_err(|errors| self.with_names_of_labels(errors))
    }

    /// Whether it is a track or a contest that can be asked about before its end: what its rounds choose strives for the end,
    /// and what is chosen after them is chosen in what they have come to there.
    #[must_use]
    pub fn can_be_stopped(&self) -> bool {
        let statements = self.program.statements();
        let Some(at) = statements.iter().position(Statement::is_own_loop) else {
            return false;
        };
        let own = self.own_goal();
        let (rounds, after) = (&statements[at..=at], &statements[at + 1..]);
        !chooses_for(rounds, &|goal| Some(goal) == own) && !chooses_for(after, &|_| true)
    }

    /// After how many rounds a question is asked; none at the end.
    fn rounds_of(
        &self,
        parsed: &ast::Query,
        read: &Query,
        reporter: &mut Reporter,
    ) -> Result<Option<u32>, Reported> {
        let Some((rounds, span)) = parsed.after else {
            return Ok(None);
        };
        let mut refuse = |message: &str, help: &str| {
            reporter.push(reporter.error(span, message).with_help(help));
            Err(Reported)
        };
        if self.rounds.is_none() {
            let help = "leave it out: a check is rolled once";
            return refuse("only a track has rounds to be asked after", help);
        }
        if !self.can_be_stopped() {
            let help = format!(
                "note in the rules what is asked about, which leaves the choices as they are: `let noted = 0` and `let round = 0` before the loop, `set noted = if round < {rounds} then … else noted` and `set round = min(round + 1, {rounds})` at its end, and `show noted` after it"
            );
            return refuse("a track that chooses is asked about its end alone", &help);
        }
        let asked = self.outcomes_in(read.parts());
        let of_first_round = |shown: &&Outcome| shown.first_round && asked.contains(&shown.var);
        if let Some(shown) = self.outcomes.iter().find(of_first_round) {
            let message = format!("`{}` is about the first round alone", shown.name);
            let help = "ask about what is shown after the loop; or leave `after` out";
            return refuse(&message, help);
        }
        match u32::try_from(rounds) {
            Ok(rounds) => Ok(Some(rounds)),
            Err(_) => refuse("so many rounds are never played", "ask after fewer of them"),
        }
    }

    /// The queries that a check answers by itself: its bands, then its flags, then each label of a list that it shows; of a
    /// track or a contest those labels that are known at its end.
    #[must_use]
    pub fn own_queries(&self) -> Vec<Query> {
        let query = |text: &str, event| Query::new(text, QueryKind::Probability(event));
        let labels = self
            .band()
            .into_iter()
            .flat_map(|(_, bands)| bands.labels().iter());
        let bands = labels.filter_map(|label| Some(query(label, self.label_event(label)?)));
        let flags = self
            .outcomes
            .iter()
            .filter(|outcome| outcome.kind == OutcomeKind::Flag);
        let flags = flags.map(|flag| query(&flag.name, use_of(flag.var, Span::default())));
        let labelled = self.labelled().flat_map(|(outcome, list)| {
            (0..).zip(list.labels()).map(move |(place, label)| {
                let text = format!("P({} == {})", outcome.name, quoted(label));
                query(&text, is_label(outcome.var, place, Span::default()))
            })
        });
        bands.chain(flags).chain(labelled).collect()
    }

    /// What is shown as a label of a list beside the bands; of a track or a contest at its end.
    fn labelled(&self) -> impl Iterator<Item = (&Outcome, &Choice)> {
        let is_end = |outcome: &&Outcome| self.rounds.is_none() || !outcome.first_round;
        let outcomes = self.outcomes.iter().filter(is_end);
        outcomes.filter_map(|outcome| match &outcome.kind {
            OutcomeKind::Label(list) => Some((outcome, &**list)),
            _ => None,
        })
    }

    /// `band == label`, if the whole text is a label of the bands.
    pub(crate) fn label_event(&self, text: &str) -> Option<Expr> {
        let (outcome, bands) = self.band()?;
        let place = bands.place(text)?;
        Some(is_label(outcome.var, place, Span::new(0, text.len())))
    }

    /// Calls `lower` where the names of inputs and outcomes are bound.
    pub(crate) fn with_names<T>(
        &self,
        asked: Asked,
        reporter: &mut Reporter,
        lower: impl FnOnce(&mut Lowerer<'_>, Bands<'_>) -> Option<T>,
    ) -> Option<T> {
        let library = Library::default();
        let bands = self.band().and_then(|(outcome, _)| match &outcome.kind {
            OutcomeKind::Band(bands) => Some((outcome.var, Arc::clone(bands))),
            _ => None,
        });
        let labels = bands.as_ref().map(|(_, labels)| Arc::clone(labels));
        let mut lowerer = Lowerer::new(&library, &self.inputs, reporter, labels);
        lowerer.ask(asked, self);
        self.hide_names(&self.program.statements, &mut lowerer);
        lowerer.hide_all();
        self.bind_inputs(&mut lowerer);
        self.bind_outcomes(&mut lowerer);
        lower(&mut lowerer, bands.as_ref())
    }

    /// Binds what the rules bind and do not show, for messages.
    fn hide_names(&self, statements: &[Statement], lowerer: &mut Lowerer<'_>) {
        for statement in statements {
            let var = match statement {
                Statement::Let { var, .. } | Statement::Choose { var, .. } => var,
                Statement::Repeat { body, .. } => {
                    self.hide_names(body, lowerer);
                    continue;
                }
                Statement::Set { .. } => continue,
            };
            if self.outcomes.iter().any(|outcome| outcome.var == *var) {
                continue;
            }
            let variable = self.program.variable(*var);
            let written = self.source.text.get(variable.span.start..variable.span.end);
            // Others have their names from the language.
            if written == Some(&variable.name) {
                lowerer.bind_name(binding(&variable.name, Value::Error, variable.span));
            }
        }
    }

    /// Binds axes, but for a contest's, which are read of its sides.
    fn bind_inputs(&self, lowerer: &mut Lowerer<'_>) {
        for (at, input) in self.inputs.iter().enumerate() {
            if input.role == Role::Axis && !input.name.contains('.') {
                let scalar = Scalar::of(&input.domain);
                lowerer.bind_input(&input.name, InputId(at), scalar, input.span, true);
            }
        }
    }

    /// Binds outcomes, which hide axes of the same names, and the sides of a contest with what can be read of
    /// them: what they show, their axes and their parameters (but for lists).
    fn bind_outcomes(&self, lowerer: &mut Lowerer<'_>) {
        let mut sides: Vec<Side<'_>> = Vec::new();
        for outcome in &self.outcomes {
            let (expr, scalar) = (
                use_of(outcome.var, outcome.span),
                scalar_of_outcome(outcome),
            );
            match outcome.name.split_once('.') {
                Some((side, field)) => add_field(&mut sides, side, field, expr, scalar),
                None => {
                    let value = Value::Scalar(expr, scalar);
                    lowerer.bind_name(binding(&outcome.name, value, outcome.span));
                }
            }
        }
        for (at, input) in self.inputs.iter().enumerate() {
            if let Some((side, field)) = input.name.split_once('.')
                && !field.contains('[')
            {
                let expr = Expr::input(InputId(at), input.span);
                add_field(&mut sides, side, field, expr, Scalar::of(&input.domain));
            }
        }
        for (side, fields) in sides {
            let span = Span::default();
            lowerer.bind_name(binding(side, Value::Record(fields, span), span));
        }
    }
}

fn binding(name: &str, value: Value, span: Span) -> Binding {
    Binding {
        name: name.to_owned(),
        value,
        span,
        written: None,
        is_axis: false,
    }
}

fn scalar_of_outcome(outcome: &Outcome) -> Scalar {
    match &outcome.kind {
        OutcomeKind::Observable => Scalar::Int,
        OutcomeKind::Flag => Scalar::Bool,
        OutcomeKind::Band(choice) | OutcomeKind::Label(choice) => {
            Scalar::Choice(Arc::clone(choice))
        }
    }
}

/// Adds what can be read of a side; what it shows hides its inputs of the same names.
fn add_field<'n>(
    sides: &mut Vec<Side<'n>>,
    side: &'n str,
    field: &str,
    expr: Expr,
    scalar: Scalar,
) {
    let at = sides.iter().position(|(known, _)| *known == side);
    let at = at.unwrap_or_else(|| {
        sides.push((side, Vec::new()));
        sides.len() - 1
    });
    let fields = &mut sides[at].1;
    if !fields.iter().any(|(known, ..)| known == field) {
        fields.push((field.to_owned(), expr, scalar));
    }
}

pub(crate) fn query_of(
    query: &ast::Query,
    lowerer: &mut Lowerer<'_>,
    bands: Bands<'_>,
) -> Option<(QueryKind, Option<Expr>)> {
    let subject = match query.ask {
        ast::Ask::Probability => lowerer.event(&query.subject, bands),
        _ => lowerer.dice_free_number(&query.subject),
    };
    let subject = subject.ok()?;
    let kind = match &query.ask {
        ast::Ask::Probability => QueryKind::Probability(subject),
        ast::Ask::Mean => QueryKind::Mean(subject),
        ast::Ask::Variance => QueryKind::Variance(subject),
        ast::Ask::Deviation => QueryKind::Deviation(subject),
        ast::Ask::Statistic(statistic) => QueryKind::Statistic(statistic.clone(), subject),
    };
    let given = &query.given;
    let given = given.as_ref().map(|given| lowerer.event(given, bands).ok());
    Some((kind, given.map_or(Some(None), |given| given.map(Some))?))
}

/// What was read, or the errors; `otherwise` if there is neither.
pub(super) fn finish<T>(
    mut reporter: Reporter,
    read: Option<T>,
    otherwise: &str,
) -> Result<T, Diagnostics> {
    if let Some(value) = read {
        return reporter.finish(value);
    }
    if reporter.is_empty() {
        let whole = Span::new(0, reporter.source.text.len());
        reporter.push(reporter.error(whole, otherwise));
    }
    Err(reporter.into_errors())
}

fn use_of(var: VarId, span: Span) -> Expr {
    Expr::new(Kind::Var(var), span)
}
