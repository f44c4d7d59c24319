//! Running sums: variables that rounds only add to, and what queries may ask of them.

use oddsmith_rules::program::{BinaryOp, Division, Expr, Kind, Test, UnaryOp, VarId};
use oddsmith_rules::{Query, QueryKind, Span};

use crate::Error;
use crate::evaluate::Env;
use crate::hash::Map;
use crate::residual::{Residual, Script, Step};
use crate::scope::Scope;
use crate::track::parts::{Track, keep_live};

/// What the end of a track is to queries: its variables, and what outcomes are made of.
pub(super) struct EndView {
    /// The variables that rounds only add to.
    pub(super) sums: Vec<VarId>,
    /// All that matters after a round, sums included.
    pub(super) head: Vec<VarId>,
    /// What the first round shows.
    pub(super) shown: Vec<VarId>,
    /// What follows the last round, but for what is made of sums without dice.
    pub(super) after: Script,
    /// That, and the outcomes.
    meanings: Map<VarId, Expr>,
}

/// A query about the end of a track.
pub(super) struct EndQuery {
    /// As asked.
    pub(super) text: String,
    /// What is summed over the ends: the event, or the number without its running sums.
    pub(super) value: Expr,
    /// How often each running sum counts in the number.
    pub(super) counts: Vec<i64>,
    pub(super) given: Option<Expr>,
    /// How far each running sum must be counted for it.
    pub(super) limits: Limits,
}

/// Where the values of a number have no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenEnd {
    /// There is no greatest value.
    Above,
    /// There is no least value.
    Below,
}

/// For each running sum, just beyond what it is compared with; none if it is compared with nothing.
pub(super) type Limits = Vec<Option<i64>>;

impl EndQuery {
    /// The value of a part of it at an end, whose values are bound: the rules have been carried out, so that what fails is the
    /// question.
    pub(super) fn number(&self, env: &mut Env<'_>, part: &Expr) -> Result<i64, Error> {
        env.number(part).map_err(|error| error.about(&self.text))
    }

    /// What it reads at an end.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Expr> {
        self.given.iter().chain([&self.value])
    }

    /// Whether running sums count towards the number that is asked about.
    pub(super) fn reads_sums(&self) -> bool {
        self.counts.iter().any(|count| *count != 0)
    }
}

impl EndView {
    pub(super) fn new(
        scope: &Scope<'_>,
        track: &Track<'_>,
        residual: &Residual,
        outcomes: &[VarId],
    ) -> Result<Self, Error> {
        let mut sums = sums_of(scope, track);
        sums.retain(|var| !is_set_in(*var, &track.after));
        let mut view = Self {
            shown: track.shown.to_vec(),
            ..Self::of_rounds(track, sums)
        };
        view.follow(scope, &track.after)?;
        for (outcome, result) in outcomes.iter().zip(&residual.results) {
            if !matches!(result.kind, Kind::Var(var) if var == *outcome) {
                view.meanings.insert(*outcome, result.clone());
            }
        }
        Ok(view)
    }

    /// What the last round leaves, if nothing follows it and these are the sums.
    pub(super) fn of_rounds(track: &Track<'_>, sums: Vec<VarId>) -> Self {
        Self {
            sums,
            head: track.head.to_vec(),
            shown: Vec::new(),
            after: Script::default(),
            meanings: Map::default(),
        }
    }

    /// Takes apart what follows the last round.
    fn follow(&mut self, scope: &Scope<'_>, after: &Script) -> Result<(), Error> {
        let goals = after.goals();
        for (step, live) in after.steps.iter().zip(&after.live) {
            let mut unbounded = None;
            step.for_each_expr(&mut |expr| {
                unbounded = unbounded.or_else(|| self.mentions(scope, expr).then_some(expr));
            });
            match (step, unbounded) {
                (_, None) => {
                    self.after.steps.push(step.clone());
                    self.after.live.push(live.clone());
                }
                (Step::Let { var, value }, _) if goals.contains(var) => {
                    return Err(self.no_goal(scope, value));
                }
                (Step::Let { var, value }, _) if !value.rolls_dice() => {
                    self.meanings.insert(*var, value.clone());
                }
                (_, Some(expr)) => return Err(self.unbounded(scope, expr)),
            }
        }
        let mut after = std::mem::take(&mut self.after);
        // What the first round has shown no later step can read.
        keep_live(&mut after, &|var| {
            let is_known = self.meanings.contains_key(var) || self.shown.contains(var);
            !is_known && !self.sums.contains(var)
        });
        self.after = after;
        self.demand_last_values(scope)
    }

    /// What is made of sums and of other values is read at the end: those values must be there, as they were.
    fn demand_last_values(&self, scope: &Scope<'_>) -> Result<(), Error> {
        let last = self.after.final_vars(&self.head);
        for meaning in self.meanings.values() {
            for var in scope.reads_of(meaning) {
                let is_made = self.sums.contains(&var) || self.meanings.contains_key(&var);
                if !is_made && (!last.contains(&var) || is_set_in(var, &self.after)) {
                    let message = format!(
                        "`{}` is rolled on after it was added to what grows without end",
                        scope.name(var)
                    );
                    let help = "show what is made of both at the very end".to_owned();
                    let error = scope.error_with_help(meaning.span, message, "made of both", help);
                    return Err(error.unsupported());
                }
            }
        }
        Ok(())
    }

    /// A query in terms of what an end has.
    pub(super) fn ask(&self, env: &mut Env<'_>, query: &Query) -> Result<EndQuery, Error> {
        self.try_ask(env, query)
            .map_err(|error| error.about(&query.text))
    }

    fn try_ask(&self, env: &mut Env<'_>, query: &Query) -> Result<EndQuery, Error> {
        let mut limits = vec![None; self.sums.len()];
        let given = query.given.as_ref().map(|given| self.expand(given));
        if let Some(given) = &given {
            self.look(env, given, &mut limits)?;
        }
        let mut counts = vec![0; self.sums.len()];
        let value = match &query.kind {
            QueryKind::Probability(event) => {
                let event = self.expand(event);
                self.look(env, &event, &mut limits)?;
                event
            }
            QueryKind::Mean(number)
            | QueryKind::Variance(number)
            | QueryKind::Deviation(number)
            | QueryKind::Statistic(_, number) => {
                let number = self.expand(number);
                let mut rest = Vec::new();
                self.split(env, &number, 1, &mut counts, &mut rest)?;
                for (_, term) in &rest {
                    self.look(env, term, &mut limits)?;
                }
                total(&rest, number.span)
            }
        };
        Ok(EndQuery {
            text: query.text.clone(),
            value,
            counts,
            given,
            limits,
        })
    }

    /// Where a number at an end goes on without one, as the sums do that it is made of.
    pub(super) fn open_end(
        &self,
        env: &mut Env<'_>,
        number: &Expr,
    ) -> Result<Option<OpenEnd>, Error> {
        let mut counts = vec![0; self.sums.len()];
        self.split(env, &self.expand(number), 1, &mut counts, &mut Vec::new())?;
        let has = |sign: i64| counts.iter().any(|count| count.signum() == sign);
        match (has(1), has(-1)) {
            (false, false) => Ok(None),
            (true, false) => Ok(Some(OpenEnd::Above)),
            (false, true) => Ok(Some(OpenEnd::Below)),
            (true, true) => Err(self.unbounded(&env.scope, number)),
        }
    }

    /// A number at an end whose values beyond `last` are all the next one after it; without `last` it must have both ends.
    pub(super) fn cut_off(
        &self,
        env: &mut Env<'_>,
        number: Expr,
        last: Option<i64>,
    ) -> Result<Expr, Error> {
        let span = number.span;
        let least =
            |number, end| Expr::binary(BinaryOp::Min, number, Expr::constant(end, span), span);
        let negate = |number| Expr::new(Kind::Unary(UnaryOp::Negate, Box::new(number)), span);
        match (self.open_end(env, &number)?, last) {
            (None, _) => Ok(number),
            (Some(OpenEnd::Above), Some(last)) => Ok(least(number, last.saturating_add(1))),
            (Some(OpenEnd::Below), Some(last)) => {
                let end = last.saturating_neg().saturating_add(1);
                Ok(negate(least(negate(number), end)))
            }
            (Some(_), None) => Err(self.unbounded(&env.scope, &number)),
        }
    }

    /// Binds the sums that are counted to what they were counted to. The others stand only where they count for nothing, as in
    /// `paid + rolls - rolls >= 2`: whatever they are, it is the same.
    pub(super) fn bind_counted(&self, env: &mut Env<'_>, limits: &[Option<i64>], counted: &[i64]) {
        let mut counted = counted.iter();
        for (var, limit) in self.sums.iter().zip(limits) {
            let value = limit.and_then(|_| counted.next());
            env.bind(*var, value.copied().unwrap_or(0));
        }
    }

    /// Binds the sums that are counted to more than any number they are compared with.
    pub(super) fn bind_most(&self, env: &mut Env<'_>, limits: &[Option<i64>]) {
        for (var, limit) in self.sums.iter().zip(limits) {
            env.bind(*var, limit.unwrap_or(0));
        }
    }

    pub(super) fn unbind_counted(&self, env: &mut Env<'_>) {
        env.unbind_all(&self.sums);
    }

    /// Whether an outcome is a sum and nothing else.
    pub(super) fn is_sum(&self, outcome: VarId, sum: VarId) -> bool {
        match self.meanings.get(&outcome).map(|meaning| &meaning.kind) {
            Some(Kind::Var(other)) => self.is_sum(*other, sum),
            Some(_) => false,
            None => outcome == sum,
        }
    }

    /// Whether an expression is made of a sum.
    fn mentions(&self, scope: &Scope<'_>, expr: &Expr) -> bool {
        let is_made_of = |var: &VarId| self.sums.contains(var) || self.meanings.contains_key(var);
        scope.reads_of(expr).iter().any(is_made_of)
    }

    /// The same in terms of what is left at an end.
    fn expand(&self, expr: &Expr) -> Expr {
        match &expr.kind {
            Kind::Var(var) => match self.meanings.get(var) {
                Some(meaning) => self.expand(meaning),
                None => expr.clone(),
            },
            _ => expr.map_parts(&mut |part| self.expand(part)),
        }
    }

    /// Notes what sums are compared with; refuses other uses of them.
    fn look(&self, env: &mut Env<'_>, expr: &Expr, limits: &mut Limits) -> Result<(), Error> {
        if !self.mentions(&env.scope, expr) {
            return Ok(());
        }
        match &expr.kind {
            Kind::Var(var) if self.sums.contains(var) => Err(self.unbounded(&env.scope, expr)),
            Kind::Binary(BinaryOp::Compare(_), left, right) => {
                self.compare(env, [left, right], expr, limits)
            }
            Kind::Binary(BinaryOp::Min, left, right) => {
                self.least(env, [left, right], expr, limits)
            }
            Kind::Match { subject, arms, .. } if self.mentions(&env.scope, subject) => {
                for bound in arms
                    .iter()
                    .flat_map(|arm| &arm.patterns)
                    .flat_map(Test::bounds)
                {
                    self.compare(env, [subject, bound], expr, limits)?;
                }
                let is_seen = |part: &&Expr| !std::ptr::eq(*part, subject.as_ref());
                self.look_at_parts(env, expr, &is_seen, limits)
            }
            _ => self.look_at_parts(env, expr, &|_| true, limits),
        }
    }

    fn look_at_parts(
        &self,
        env: &mut Env<'_>,
        expr: &Expr,
        is_open: &dyn Fn(&&Expr) -> bool,
        limits: &mut Limits,
    ) -> Result<(), Error> {
        let mut parts = Vec::new();
        expr.for_each_part(&mut |part| parts.push(part));
        let mut open = parts.into_iter().filter(|part| is_open(part));
        open.try_for_each(|part| self.look(env, part, limits))
    }

    /// Notes that the least of two is taken: a sum that only grows, and a number that it is cut off at.
    fn least(
        &self,
        env: &mut Env<'_>,
        sides: [&Expr; 2],
        at: &Expr,
        limits: &mut Limits,
    ) -> Result<(), Error> {
        let [left, right] = sides.map(|side| self.has_plain_sum(side));
        let (sum, other) = match (left, right) {
            (false, false) => return self.look_at_parts(env, at, &|_| true, limits),
            (true, false) => (sides[0], sides[1]),
            (false, true) => (sides[1], sides[0]),
            (true, true) => return Err(self.unbounded(&env.scope, at)),
        };
        let (mut counts, mut rest) = (vec![0; self.sums.len()], Vec::new());
        self.split(env, sum, 1, &mut counts, &mut rest)?;
        if self.mentions(&env.scope, other) || counts.iter().any(|count| *count < 0) {
            return Err(self.unbounded(&env.scope, at));
        }
        self.compare(env, sides, at, limits)
    }

    /// Whether a sum stands in an expression as a term, and not only in what has ends of its own.
    fn has_plain_sum(&self, expr: &Expr) -> bool {
        match &expr.kind {
            Kind::Var(var) => self.sums.contains(var),
            Kind::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, left, right) => {
                self.has_plain_sum(left) || self.has_plain_sum(right)
            }
            Kind::Unary(UnaryOp::Negate, operand) => self.has_plain_sum(operand),
            _ => false,
        }
    }

    /// Notes that `left` is compared with `right`: together one sum, so many times, and a number.
    fn compare(
        &self,
        env: &mut Env<'_>,
        [left, right]: [&Expr; 2],
        at: &Expr,
        limits: &mut Limits,
    ) -> Result<(), Error> {
        let (mut counts, mut rest) = (vec![0; self.sums.len()], Vec::new());
        self.split(env, left, 1, &mut counts, &mut rest)?;
        self.split(env, right, -1, &mut counts, &mut rest)?;
        let is_plain = self.has_plain_sum(left) || self.has_plain_sum(right);
        if counts.iter().all(|count| *count == 0) && !is_plain {
            // Whatever there is of sums has ends of its own.
            return rest
                .iter()
                .try_for_each(|(_, term)| self.look(env, term, limits));
        }
        let mut counted = counts.iter().enumerate().filter(|(_, count)| **count != 0);
        let (Some((sum, &count)), None) = (counted.next(), counted.next()) else {
            return Err(self.unbounded(&env.scope, at));
        };
        let rest = total(&rest, at.span);
        if !env.scope.reads_of(&rest).is_empty() || rest.rolls_dice() {
            return Err(self.unbounded(&env.scope, at));
        }
        // count * sum + rest = 0 at the sum -rest / count.
        let rest = env.number(&rest)?;
        let beyond = rest
            .checked_neg()
            .and_then(|rest| Division::Floor.divide(rest, count))
            .and_then(|turn| turn.checked_add(1));
        let limit = beyond.ok_or_else(|| self.unbounded(&env.scope, at))?;
        limits[sum] = Some(limits[sum].map_or(limit, |known| known.max(limit)));
        Ok(())
    }

    /// Splits `factor * expr` into how often each sum counts and terms without plain sums.
    fn split(
        &self,
        env: &mut Env<'_>,
        expr: &Expr,
        factor: i64,
        counts: &mut [i64],
        rest: &mut Vec<(i64, Expr)>,
    ) -> Result<(), Error> {
        let too_large = |env: &Env<'_>| {
            env.scope
                .error(expr, "a number leaves the range of 64 bits", "here")
        };
        match &expr.kind {
            _ if !self.mentions(&env.scope, expr) => rest.push((factor, expr.clone())),
            Kind::Var(var) => {
                for (sum, count) in self.sums.iter().zip(counts) {
                    if sum == var {
                        *count = count.checked_add(factor).ok_or_else(|| too_large(env))?;
                    }
                }
            }
            Kind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) => {
                self.split(env, left, factor, counts, rest)?;
                let factor = if *op == BinaryOp::Add {
                    factor
                } else {
                    factor.checked_neg().ok_or_else(|| too_large(env))?
                };
                self.split(env, right, factor, counts, rest)?;
            }
            Kind::Unary(UnaryOp::Negate, operand) => {
                let factor = factor.checked_neg().ok_or_else(|| too_large(env))?;
                self.split(env, operand, factor, counts, rest)?;
            }
            Kind::Binary(BinaryOp::Multiply, left, right) if left.fixed || right.fixed => {
                let (number, other) = if left.fixed {
                    (left, right)
                } else {
                    (right, left)
                };
                let by = env.number(number)?;
                let factor = factor.checked_mul(by).ok_or_else(|| too_large(env))?;
                self.split(env, other, factor, counts, rest)?;
            }
            _ => rest.push((factor, expr.clone())),
        }
        Ok(())
    }

    /// The name of a sum that an expression is made of.
    fn sum_in<'e>(&self, scope: &'e Scope<'_>, at: &Expr) -> &'e str {
        let sums = scope.reads_of(&self.expand(at));
        let name = self.sums.iter().find(|sum| sums.contains(sum));
        name.map_or("this", |sum| scope.name(*sum))
    }

    /// What may have no value: the greatest value of what grows without an upper end.
    pub(super) fn no_extreme(&self, env: &Env<'_>, query: &Query) -> Error {
        let name = self.sum_in(&env.scope, query.subject());
        let message = format!("`{name}` grows from round to round without an end that is known");
        let help = format!(
            "ask for a quantile nearer to the middle, such as quantile({name}, 0.9), or for mean({name})"
        );
        let label = "no such value is found";
        let span = query.subject().span;
        let error = env.scope.error_with_help(span, message, label, help);
        error.unsupported().about(&query.text)
    }

    /// Choices look ahead from each state that there is: their goal can't be made of what is in none.
    fn no_goal(&self, scope: &Scope<'_>, at: &Expr) -> Error {
        let name = self.sum_in(scope, at);
        let message =
            format!("`{name}` grows without an upper end, so nothing can be chosen for it");
        let help = format!("give it one in the rules, as in set {name} = min({name} + …, 10)");
        let label = "a choice after the loop strives for this";
        scope
            .error_with_help(at.span, message, label, help)
            .unsupported()
    }

    fn unbounded(&self, scope: &Scope<'_>, at: &Expr) -> Error {
        let name = self.sum_in(scope, at);
        let message = format!("`{name}` grows from round to round without an end that is known");
        let help = format!(
            "ask for mean({name}), median({name}) or variance({name}), or compare it with one number, as in P({name} <= 10)"
        );
        scope
            .error_with_help(at.span, message, "this needs one", help)
            .unsupported()
    }
}

/// The variables that the rounds of a track only add to, and that do not decide when it is over.
pub(super) fn sums_of(scope: &Scope<'_>, track: &Track<'_>) -> Vec<VarId> {
    // Where there is no round, nothing grows.
    if always_holds(track.until) {
        return Vec::new();
    }
    let is_sum = |var: &&VarId| {
        scope.variable(**var).is_mutable()
            && !scope.reads(track.until, **var)
            && is_set_in(**var, track.body)
            && is_only_added_to(scope, **var, track.body)
    };
    track.head.iter().filter(is_sum).copied().collect()
}

/// Whether a condition holds whatever the state is.
fn always_holds(condition: &Expr) -> bool {
    match &condition.kind {
        Kind::Binary(BinaryOp::Or, left, right) => always_holds(left) || always_holds(right),
        _ => condition.as_constant().is_some_and(|holds| holds != 0),
    }
}

fn is_set_in(var: VarId, body: &Script) -> bool {
    body.steps.iter().any(|step| match step {
        Step::Set { var: target, .. } => *target == var,
        Step::Repeat { body, .. } => is_set_in(var, body),
        _ => false,
    })
}

/// Whether every step leaves a variable alone or adds something to it that does not depend on it.
fn is_only_added_to(scope: &Scope<'_>, var: VarId, body: &Script) -> bool {
    body.steps.iter().all(|step| match step {
        Step::Set { var: target, value } if *target == var => is_addition(scope, value, var),
        Step::Repeat {
            count, until, body, ..
        } => {
            !count.iter().chain(until).any(|part| scope.reads(part, var))
                && is_only_added_to(scope, var, body)
        }
        _ => {
            let mut is_read = false;
            step.for_each_expr(&mut |expr| is_read |= scope.reads(expr, var));
            !is_read
        }
    })
}

/// Whether an expression is the variable plus something that does not depend on it.
fn is_addition(scope: &Scope<'_>, expr: &Expr, var: VarId) -> bool {
    let free = |part: &Expr| !scope.reads(part, var);
    let adds = |part: &Expr| is_addition(scope, part, var);
    match &expr.kind {
        Kind::Var(other) => *other == var,
        Kind::Binary(BinaryOp::Add, left, right) => {
            (adds(left) && free(right)) || (free(left) && adds(right))
        }
        Kind::Binary(BinaryOp::Subtract, left, right) => adds(left) && free(right),
        Kind::If {
            condition,
            then,
            otherwise,
        } => free(condition) && adds(then) && adds(otherwise),
        Kind::Match {
            subject,
            arms,
            otherwise,
        } => {
            free(subject)
                && arms.iter().all(|arm| {
                    arm.patterns.iter().flat_map(Test::bounds).all(free) && adds(&arm.value)
                })
                && otherwise.as_deref().is_none_or(adds)
        }
        _ => false,
    }
}

/// The sum of terms, each so many times.
fn total(terms: &[(i64, Expr)], span: Span) -> Expr {
    let node = |op, left: Expr, right: Expr| {
        Expr::new(Kind::Binary(op, Box::new(left), Box::new(right)), span)
    };
    let term = |(factor, expr): &(i64, Expr)| match factor {
        1 => expr.clone(),
        _ => node(
            BinaryOp::Multiply,
            Expr::constant(*factor, span),
            expr.clone(),
        ),
    };
    let terms = terms.iter().map(term);
    terms
        .reduce(|sum, term| node(BinaryOp::Add, sum, term))
        .unwrap_or_else(|| Expr::constant(0, span))
}
