//! Putting in what is known.

use oddsmith_rules::Span;
use oddsmith_rules::evaluate::{PlainValue as _, decides};
use oddsmith_rules::program::{BinaryOp, Expr, Kind, Options, Program, Reading, Statement, VarId};

use super::inline::inline_in_block;
use super::names::goals_in;
use super::prune::remove_unread;
use super::reach::Reach;
use crate::hash::Map;

/// Puts in what is known.
pub(super) struct Folder<'a> {
    program: &'a Program,
    reach: &'a Reach<'a>,
    wanted: &'a [VarId],
    /// Whether a track's round is being folded: what it shows is shown by the first round alone, even if it has
    /// been bound before.
    in_round: bool,
    /// Whether the script is folded to be carried out: what is wanted is what may fail, and it is carried out where it
    /// stands, whether something reads it or not.
    is_strict: bool,
    /// The pools whose sizes have been bound.
    sizes: Vec<Span>,
    /// What variables are that are numbers or other names: there are few of them.
    substitutes: Vec<(VarId, Expr)>,
}

impl<'a> Folder<'a> {
    pub(super) fn new(program: &'a Program, reach: &'a Reach<'a>, wanted: &'a [VarId]) -> Self {
        Self {
            program,
            reach,
            wanted,
            in_round: false,
            is_strict: false,
            sizes: Vec::new(),
            substitutes: Vec::new(),
        }
    }

    /// The same for a script that is to be carried out; `unsure` is what may fail in it.
    pub(super) fn strict(program: &'a Program, reach: &'a Reach<'a>, unsure: &'a [VarId]) -> Self {
        Self {
            is_strict: true,
            ..Self::new(program, reach, unsure)
        }
    }

    /// What a variable is once the script has been folded.
    pub(super) fn result(&mut self, var: VarId) -> Expr {
        let variable = self.program.variable(var);
        self.expr(&self.program.var(var, variable.span()))
    }

    /// Folds statements into `out`; a played-out call's statements join those around it.
    pub(super) fn statements(&mut self, statements: &[Statement], out: &mut Vec<Statement>) {
        // What a choice strives for keeps its place.
        let goals = goals_in(statements);
        for statement in statements {
            if !self.is_needed(statement) {
                continue;
            }
            match statement {
                // A size, which has been bound when this was folded before.
                Statement::Let { var, value } if self.is_size(*var) => {
                    let value = self.expr(value);
                    out.push(Statement::Let { var: *var, value });
                }
                Statement::Let { var, value } => {
                    let value = self.hoisted(value, out);
                    let must_hold = self.is_strict && self.wanted.contains(var);
                    if must_hold && self.program.variable(*var).is_pool() {
                        out.push(self.sized(&value));
                    }
                    let stays = goals.contains(var)
                        || must_hold
                        || (self.in_round && self.wanted.contains(var));
                    let is_free = !self.program.variable(*var).is_mutable() && !stays;
                    if is_free && self.is_name(&value) {
                        self.substitutes.push((*var, value));
                    } else {
                        out.push(Statement::Let { var: *var, value });
                    }
                }
                Statement::Set { var, value } => {
                    let value = self.hoisted(value, out);
                    let must_hold = self.is_strict && self.wanted.contains(var);
                    if must_hold && self.program.variable(*var).is_pool() {
                        out.push(self.sized(&value));
                    }
                    // What keeps its value is not set: nobody has to carry it along. But it may stand for a loop whose condition fails.
                    if must_hold || !matches!(value.kind, Kind::Var(own) if own == *var) {
                        out.push(Statement::Set { var: *var, value });
                    }
                }
                Statement::Choose { .. } => self.choose(statement, out),
                Statement::Repeat {
                    count,
                    until,
                    body,
                    played,
                    span,
                } => {
                    let count = count.as_ref().map(|count| self.expr(count));
                    let until = until.as_ref().map(|condition| self.expr(condition));
                    let mut rounds = Vec::new();
                    let outer = self.in_round;
                    self.in_round |= count.is_none();
                    self.statements(body, &mut rounds);
                    self.in_round = outer;
                    if count.as_ref().and_then(Expr::as_constant) != Some(0) {
                        out.push(Statement::Repeat {
                            count,
                            until,
                            body: rounds,
                            played: played.clone(),
                            span: *span,
                        });
                    }
                }
            }
        }
    }

    /// The size of a pool, under a name of its own: whether it can be rolled, without all its rolls.
    fn sized(&mut self, pool: &Expr) -> Statement {
        let var = VarId(self.program.variables().len() + self.sizes.len());
        self.sizes.push(pool.span);
        let value = pool.clone().read(Reading::Size, pool.span);
        Statement::Let { var, value }
    }

    /// The places of the pools whose sizes have been bound, to variables that come after the program's own.
    pub(super) fn sizes(self) -> Vec<Span> {
        self.sizes
    }

    /// Whether something depends on what a statement binds. A loop's statements are looked at one by one.
    fn is_needed(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Let { var, .. }
            | Statement::Set { var, .. }
            | Statement::Choose { var, .. } => self.is_size(*var) || self.reach.matters(*var),
            Statement::Repeat { .. } => true,
        }
    }

    /// Whether a variable is none of the program's own.
    fn is_size(&self, var: VarId) -> bool {
        var.0 >= self.program.variables().len()
    }

    /// A choice of one number is none.
    fn choose(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let folded = statement.map_parts(&mut |part| self.expr(part));
        let Statement::Choose {
            var,
            options: Options::Range(from, to),
            condition: None,
            span,
            ..
        } = &folded
        else {
            out.push(folded);
            return;
        };
        match (from.as_constant(), to.as_constant()) {
            (Some(only), Some(last)) if only == last => {
                let (var, value) = (*var, Expr::constant(only, *span));
                if self.program.variable(var).is_mutable() {
                    out.push(Statement::Let { var, value });
                } else {
                    self.substitutes.push((var, value));
                }
            }
            _ => out.push(folded),
        }
    }

    /// The part that an expression turns to, if that is known and nothing has to be carried out to find it.
    fn taken<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let first = match &expr.kind {
            Kind::If { condition, .. } => condition,
            Kind::Match { subject, .. } => subject,
            Kind::Select { index, .. } => index,
            _ => return None,
        };
        match self.is_carried_out(first) {
            true => None,
            false => self.reach.taken(expr).ok(),
        }
    }

    /// Whether an expression has statements that are carried out, whatever its value is.
    fn is_carried_out(&self, expr: &Expr) -> bool {
        self.is_strict && expr.any(&mut |part| matches!(part.kind, Kind::Block { .. }))
    }

    /// The value of a statement, folded; the statements of a block that it is go before it.
    fn hoisted(&mut self, value: &Expr, out: &mut Vec<Statement>) -> Expr {
        if let Some(taken) = self.taken(value) {
            return self.hoisted(taken, out);
        }
        if let Kind::Block { statements, value } = &value.kind {
            self.statements(statements, out);
            return self.hoisted(value, out);
        }
        let folded = self.expr(value);
        match folded.kind {
            // It came to light only now. Folding it again carries substitutes on.
            Kind::Block { .. } => self.hoisted(&folded, out),
            _ => folded,
        }
    }

    /// Whether a value is a number, another name of a value, or a view of a pool that is bound already.
    fn is_name(&self, value: &Expr) -> bool {
        match &value.kind {
            Kind::Const(_) | Kind::Input(_) => true,
            Kind::Var(other) => !self.program.variable(*other).is_mutable(),
            Kind::Keep { pool, amount, .. } => self.is_name(pool) && self.is_name(amount),
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                // A choice between choices would double with every name.
                let is_view = |branch: &Expr| {
                    !matches!(branch.kind, Kind::If { .. })
                        && self.is_pool(branch)
                        && self.is_name(branch)
                };
                condition.fixed && is_view(then) && is_view(otherwise)
            }
            _ => false,
        }
    }

    fn is_pool(&self, expr: &Expr) -> bool {
        match &expr.kind {
            Kind::Var(var) => self.program.variable(*var).is_pool(),
            _ => is_pool(expr),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        if let Some(value) = self.reach.plain(expr)
            && !self.is_carried_out(expr)
        {
            return Expr::constant(value, expr.span);
        }
        if let Some(taken) = self.taken(expr) {
            return self.expr(taken);
        }
        match &expr.kind {
            Kind::Input(_) => expr.clone(),
            Kind::Var(var) => match self.substitutes.iter().find(|(known, _)| known == var) {
                Some((_, substitute)) => substitute.clone().at(expr.span),
                None => expr.clone(),
            },
            Kind::Block { statements, value } => self.block(expr, statements, value),
            Kind::If {
                condition: first, ..
            }
            | Kind::Match { subject: first, .. }
            | Kind::Select { index: first, .. }
            | Kind::Binary(BinaryOp::And | BinaryOp::Or, first, _) => {
                let first = self.expr(first);
                self.turned(expr, first)
            }
            _ => simplify(expr.map_parts(&mut |part| self.expr(part))),
        }
    }

    /// An expression that turns on its first part, which has been folded: what it turns to, if that is known.
    fn turned(&mut self, expr: &Expr, first: Expr) -> Expr {
        if let Some(value) = first.as_constant() {
            let taken = match &expr.kind {
                Kind::Binary(op, ..) if decides(*op, value) => {
                    return Expr::constant(value, expr.span);
                }
                Kind::Binary(_, _, right) => Some(&**right),
                _ => self.reach.branch(expr, value).ok(),
            };
            if let Some(taken) = taken {
                return self.expr(taken);
            }
        }
        // It is the first part of those that are visited.
        let mut first = Some(first);
        let folded = expr.map_parts(&mut |part| first.take().unwrap_or_else(|| self.expr(part)));
        simplify(folded)
    }

    /// A block inside an expression keeps its statements but for those that are plain names and numbers.
    fn block(&mut self, expr: &Expr, statements: &[Statement], value: &Expr) -> Expr {
        let mut folded = Vec::new();
        self.statements(statements, &mut folded);
        let mut value = self.expr(value);
        if self.is_strict {
            return within(folded, value, expr.span);
        }
        // What nothing reads may be made of rolls that the value does not have.
        remove_unread(&mut folded, std::slice::from_ref(&value), &Map::default());
        inline_in_block(&mut folded, &mut value, self.program.variables());
        within(folded, value, expr.span)
    }
}

/// A block, or its value alone if nothing stands before that.
fn within(statements: Vec<Statement>, value: Expr, span: Span) -> Expr {
    if statements.is_empty() {
        return value;
    }
    let (statements, value) = (statements.into(), Box::new(value));
    Expr::new(Kind::Block { statements, value }, span)
}

/// An expression whose parts are folded, folded itself. What would fail is left to fail when it is reached.
fn simplify(expr: Expr) -> Expr {
    let span = expr.span;
    let number =
        |value: Option<i64>, expr: Expr| value.map_or(expr, |value| Expr::constant(value, span));
    match &expr.kind {
        Kind::Unary(op, operand) => {
            let value = operand.as_constant().and_then(|value| op.apply(value));
            number(value, expr)
        }
        Kind::Binary(op, left, right) => match (op, left.as_constant(), right.as_constant()) {
            (_, Some(a), Some(b)) => number(op.apply(a, b), expr),
            (BinaryOp::Add, Some(0), _) if !is_pool(right) => side(expr, false),
            (BinaryOp::Add | BinaryOp::Subtract, _, Some(0)) => side(expr, true),
            _ => expr,
        },
        Kind::Divide {
            division,
            numerator,
            denominator,
        } => {
            let value = numerator.as_constant().zip(denominator.as_constant());
            let value =
                value.and_then(|(numerator, denominator)| division.divide(numerator, denominator));
            number(value, expr)
        }
        Kind::Read { pool, reading } => match &pool.kind {
            // What is read of either branch is read in that branch: readings of bound pools come to light.
            Kind::If {
                condition,
                then,
                otherwise,
            } if condition.fixed => {
                let read = |pool: &Expr| simplify(pool.clone().read(reading.clone(), span));
                Expr::if_else((**condition).clone(), read(then), read(otherwise), span)
            }
            _ => expr,
        },
        _ => expr,
    }
}

/// One side of an operation.
fn side(expr: Expr, is_left: bool) -> Expr {
    match expr.into_kind() {
        Kind::Binary(_, left, right) => *(if is_left { left } else { right }),
        _ => unreachable!("only an operation has sides"),
    }
}

fn is_pool(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Each { .. }
            | Kind::Draw { .. }
    )
}
