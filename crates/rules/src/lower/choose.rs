//! `choose` and `oppose`, and what they strive for.

use crate::check::OutcomeKind;
use crate::interval::{self, Interval};

use crate::lower::measure::quoted;
use crate::lower::{
    Asked, CheckDef, Depth, Lowered, Lowerer, Part, ROUNDS, Reported, Scalar, Value,
};
use crate::program::{Expr, Kind, Options, Party, Statement, VarId, Variable, chooses_for};
use crate::source::Span;
use crate::syntax::ast;

impl Lowerer<'_> {
    pub(super) fn choose_statement(
        &mut self,
        (party, name): (Party, &ast::Name),
        options: &ast::Options,
        condition: Option<&ast::Expr>,
        (span, depth): (Span, Depth),
        out: &mut Vec<Statement>,
    ) -> Lowered<()> {
        let free = self.check_is_free(name);
        let options = self.options(options, out);
        let only = options.as_ref().ok().and_then(|options| {
            // A condition may leave not even that one.
            let settled = condition.is_none().then(|| self.only_option(options));
            settled.flatten()
        });
        if let (Ok(()), Some(only)) = (&free, only) {
            let only = Value::Scalar(Expr::constant(only, span), Scalar::Int);
            self.bind_value(name, only, out);
            return Ok(());
        }
        let placed = self.check_may_choose(span, depth, options.as_ref().ok());
        let (Ok(()), Ok(options)) = (free, options) else {
            self.bind(name, Value::Error);
            return Err(Reported);
        };
        let var = self.chosen_variable(name, &options);
        let condition = condition.map(|condition| self.choice_condition(condition));
        placed?;
        let Some(goal) = self.goal else {
            // A `choose` gives its script a goal.
            return Err(Reported);
        };
        out.push(Statement::Choose {
            party,
            var,
            options,
            condition: condition.transpose()?,
            goal,
            span,
        });
        Ok(())
    }

    /// The least and the most that can be chosen, as far as they are known here.
    fn ends_of_range(&self, options: &Options) -> Option<(Interval, Interval)> {
        let Options::Range(from, to) = options else {
            return None;
        };
        let end = |end| interval::of(end, false, &self.shapes, self.inputs).faces;
        Some((end(from), end(to)))
    }

    /// The one number that a call leaves to be chosen, if what it sets decides that. Whoever asks about the script by itself
    /// is shown every choice.
    fn only_option(&self, options: &Options) -> Option<i64> {
        let (from, to) = self.ends_of_range(options)?;
        let is_one = !self.calls.is_empty() && from == to && from.0 == from.1;
        is_one.then_some(from.0)
    }

    /// What is said of a choice of which more than one option is left.
    fn left_open(&self, options: Option<&Options>) -> String {
        let ends = options.and_then(|options| self.ends_of_range(options));
        match ends {
            Some(((first, _), (_, last))) if first < last && last < i64::MAX => {
                format!("{first} to {last} may be chosen inside such a track")
            }
            _ => "a choice inside such a track".to_owned(),
        }
    }

    /// A track chooses in its rounds, and each round once at each place: what is best must not depend on how many rounds
    /// there have been, and every choice of a track strives for its one goal.
    fn check_may_choose(
        &mut self,
        span: Span,
        depth: Depth,
        options: Option<&Options>,
    ) -> Lowered<()> {
        let (message, label, help) = match self.part {
            _ if self.played_tracks > 0 => (
                "a track that is played by other rules makes no choices, nor do the checks that it plays",
                self.left_open(options),
                "let the call leave one option, by a constant for the axis that decides it, as in `policy = never`; where no axis does, write one; or ask about the track by itself",
            ),
            Part::Check if !self.chooses_in_rounds => return Ok(()),
            Part::Round if depth != Depth::Counted => return Ok(()),
            Part::Check => (
                "a track that chooses plays a check that chooses",
                "a choice of the check, for a goal of its own".to_owned(),
                "let one of them choose: play a check without a choice here, or leave the choices to the check",
            ),
            Part::Track => (
                "a track chooses in its rounds",
                "outside of `repeat until … { … }`".to_owned(),
                "choose in the loop; or make it an axis, so that each way has odds of its own",
            ),
            Part::Round => (
                "a track chooses once in a round, not inside another loop",
                "this loop has a count".to_owned(),
                "choose before that loop or after it; or make what it repeats the round of the track",
            ),
        };
        let error = self.reporter.error(span, message);
        self.fail(error.with_label(label).with_help(help))
    }

    /// Notes whether the track that is begun makes choices of its own.
    pub(super) fn note_choices(&mut self, check: &CheckDef) {
        if check.is_track {
            self.chooses_in_rounds = first_choice(&check.script.statements).is_some();
        }
    }

    fn chosen_variable(&mut self, name: &ast::Name, options: &Options) -> VarId {
        let is_pool = matches!(options, Options::Subsets(_));
        let mutable = self.assigned.contains(&name.text);
        let var = self.declare(Variable {
            is_pool,
            mutable,
            ..Variable::rolled(name.text.as_str(), name.span)
        });
        if !mutable {
            self.shapes[var.0] = interval::of_options(options, &self.shapes, self.inputs);
        }
        if let Options::Subsets(pool) = options
            && self.shows_symbols(pool)
        {
            self.symbol_pools.insert(var);
        }
        let bound = self.var(var, name.span);
        let value = if is_pool {
            Value::Pool(bound)
        } else {
            Value::Scalar(bound, Scalar::Int)
        };
        self.bind(name, value);
        var
    }

    fn choice_condition(&mut self, condition: &ast::Expr) -> Lowered<Expr> {
        let condition = self.truth(condition)?;
        self.known_before(&condition, "a condition on what is chosen")?;
        Ok(condition)
    }

    /// What can be chosen; a pool that is not bound yet is rolled before.
    fn options(&mut self, options: &ast::Options, out: &mut Vec<Statement>) -> Lowered<Options> {
        match options {
            ast::Options::Range(from, to) => {
                let (from, to) = (self.end_of_range(from), self.end_of_range(to));
                Ok(Options::Range(from?, to?))
            }
            ast::Options::Subsets(pool) => {
                let pool = self.pool(pool)?;
                if matches!(pool.kind, Kind::Var(_)) {
                    return Ok(Options::Subsets(pool));
                }
                // The roll has no name; a policy shows it as it is written.
                let span = pool.span;
                let text = self.reporter.source.text[span.start..span.end].to_owned();
                let var = self.let_variable(&ast::Name { text, span }, pool, out);
                Ok(Options::Subsets(self.var(var, span)))
            }
        }
    }

    fn end_of_range(&mut self, end: &ast::Expr) -> Lowered<Expr> {
        let end = self.number(end)?;
        self.known_before(&end, "what can be chosen")?;
        Ok(end)
    }

    /// Refuses dice in what a choice is made from.
    fn known_before(&mut self, expr: &Expr, what: &str) -> Lowered<()> {
        if !expr.rolls_dice() {
            return Ok(());
        }
        let error = self
            .reporter
            .error(expr.span, format!("{what} is known before the choice"))
            .with_label("this rolls dice")
            .with_help("roll before the choice, with `let roll = …`, and name that roll here");
        self.fail(error)
    }

    /// The variable that will hold what a check strives for, if its rules choose.
    pub(super) fn goal_variable(&mut self, check: &CheckDef) -> Option<VarId> {
        first_choice(&check.script.statements)?;
        let goal = check.maximise.as_ref();
        let span = goal.map_or(check.name.span, |goal| goal.span);
        let text = "maximise".to_owned();
        Some(self.rolled(&ast::Name { text, span }))
    }

    /// Binds what a check strives for, at the end of its rules; where calls leave nothing to choose, it strives for nothing.
    pub(super) fn bind_goal(&mut self, check: &CheckDef, out: &mut Vec<Statement>) {
        self.maximised = None;
        if self
            .goal
            .is_some_and(|goal| !self.calls.is_empty() && !chooses_for(out, &|own| own == goal))
        {
            return;
        }
        match (self.goal, &check.maximise) {
            (Some(var), Some(maximise)) => {
                let value = self.over_shown(check, Asked::Goal, |lowerer, bands| {
                    lowerer.goal_value(maximise, bands)
                });
                self.maximised = value.as_ref().ok().cloned();
                out.extend(value.map(|value| Statement::Let { var, value }));
            }
            (Some(_), None) => self.demand_goal(check),
            (None, Some(maximise)) => self.refuse_goal(check, maximise),
            (None, None) => {}
        }
    }

    fn demand_goal(&mut self, check: &CheckDef) {
        // It is said where the check stands for itself.
        // A choice at the wrong place of a track is one slip.
        let is_misplaced = check.is_track && self.reporter.any_in(check.rules);
        if !self.calls.is_empty() || is_misplaced {
            return;
        }
        let (name, kind) = (
            &check.name.text,
            if check.is_track { "track" } else { "check" },
        );
        let best = self.outcomes.iter().find_map(|shown| match &shown.kind {
            OutcomeKind::Band(bands) => {
                let best = bands.labels().last()?;
                Some(format!("band == {}", quoted(best)))
            }
            _ => None,
        });
        let shown = self.outcomes.first().map(|shown| match check.is_track {
            true => format!("-{ROUNDS}"),
            false => shown.name.clone(),
        });
        let example = best.or(shown).unwrap_or_else(|| "total".to_owned());
        let mut error = self
            .reporter
            .error(check.name.span, format!("`{name}` chooses, but for what?"))
            .with_label(format!("this {kind} has no `maximise`"));
        if let Some(choice) = first_choice(&check.script.statements) {
            error = error.with_related(choice, "a choice");
        }
        let help = format!("say what a choice strives for, such as maximise = '{example}'");
        let _ = self.fail::<()>(error.with_help(help));
    }

    fn refuse_goal(&mut self, check: &CheckDef, maximise: &ast::Expr) {
        let unread = matches!(maximise.kind, ast::ExprKind::Error);
        if !self.calls.is_empty() || unread || self.reporter.any_in(check.rules) {
            return;
        }
        let error = self
            .reporter
            .error(maximise.span, "nothing is chosen here")
            .with_label(format!(
                "the rules of `{}` have no `choose` and no `oppose`",
                check.name.text
            ))
            .with_help("leave it out; a check that is played here chooses for its own `maximise`");
        let _ = self.fail::<()>(error);
    }
}

/// Where the first choice of a script stands, at any depth.
fn first_choice(statements: &[ast::Statement]) -> Option<Span> {
    statements.iter().find_map(|statement| match statement {
        ast::Statement::Choose { span, .. } => Some(*span),
        ast::Statement::Repeat { body, .. } | ast::Statement::For { body, .. } => {
            first_choice(body)
        }
        ast::Statement::Let { .. } | ast::Statement::Show { .. } | ast::Statement::Set { .. } => {
            None
        }
    })
}
