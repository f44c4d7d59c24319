//! Where a roll stands: at its only reader, or in front of what looks at it.

use oddsmith_rules::program::{
    BinaryOp, Expr, Kind, Statement, Test, UnaryOp, VarId, Variable, bound_in,
};

use super::names::{collect_vars, goals_in, reads_mutable};
use crate::hash::Map;

/// How often each variable is read, and whether from inside a loop, a die or a `map`, where once is often.
fn count_reads(expr: &Expr, repeated: bool, counts: &mut [u32]) {
    if let Kind::Var(var) = expr.kind {
        counts[var.0] += if repeated { 2 } else { 1 };
    }
    match &expr.kind {
        Kind::Dice { count, die } => {
            count_reads(count, repeated, counts);
            die.for_each_part(&mut |part| count_reads(part, true, counts));
        }
        // What dice and bags are made of is known when they are rolled.
        Kind::Draw { .. } => expr.for_each_part(&mut |part| count_reads(part, true, counts)),
        Kind::Read { pool, reading } => {
            count_reads(pool, repeated, counts);
            // The bounds of a reading are looked at for every face: a roll there must be bound first.
            reading
                .parts()
                .for_each(|part| count_reads(part, true, counts));
        }
        Kind::Each { pool, value, .. } => {
            count_reads(pool, repeated, counts);
            count_reads(value, true, counts);
        }
        Kind::Match {
            subject,
            arms,
            otherwise,
        } => {
            count_reads(subject, repeated, counts);
            for arm in arms {
                arm.patterns
                    .iter()
                    .flat_map(Test::bounds)
                    .for_each(|bound| count_reads(bound, true, counts));
                count_reads(&arm.value, repeated, counts);
            }
            otherwise
                .iter()
                .for_each(|value| count_reads(value, repeated, counts));
        }
        Kind::Block { statements, value } => {
            // Who chooses in there knows what is bound out here.
            let repeated = repeated || !goals_in(statements).is_empty();
            statements
                .iter()
                .for_each(|statement| count_statement(statement, repeated, counts));
            count_reads(value, repeated, counts);
        }
        _ => expr.for_each_part(&mut |part| count_reads(part, repeated, counts)),
    }
}

fn count_statement(statement: &Statement, repeated: bool, counts: &mut [u32]) {
    match statement {
        Statement::Let { value, .. } | Statement::Set { value, .. } => {
            count_reads(value, repeated, counts);
        }
        Statement::Choose {
            options, condition, ..
        } => options
            .parts()
            .chain(condition)
            .for_each(|part| count_reads(part, true, counts)),
        Statement::Repeat {
            count, until, body, ..
        } => {
            count
                .iter()
                .chain(until)
                .for_each(|part| count_reads(part, true, counts));
            // What a round binds it reads no more often than it binds it.
            let own = bound_in(body);
            let mut of_round = vec![0; counts.len()];
            body.iter()
                .for_each(|statement| count_statement(statement, repeated, &mut of_round));
            let counts = counts.iter_mut().zip(of_round).enumerate();
            for (at, (count, reads)) in counts.filter(|(_, (_, reads))| *reads > 0) {
                *count += if own.contains(&VarId(at)) {
                    reads
                } else {
                    2 * reads
                };
            }
        }
    }
}

/// Moves each roll that is read once to where it is read. A roll's moment does not matter, for rolls are
/// independent; what a changing variable holds at that moment does, so such rolls stay, and so do those before a
/// choice, which is made knowing them.
pub(super) fn inline_single_reads(
    statements: &mut Vec<Statement>,
    results: &[Expr],
    variables: &[Variable],
) {
    let mut counts = vec![0; variables.len()];
    // What rounds strive for is taken apart into what grows in them and the rest: dice in it must be bound first.
    let rounds = statements
        .iter()
        .filter(|statement| statement.is_own_loop());
    let goals: Vec<VarId> = rounds
        .flat_map(|rounds| goals_in(std::slice::from_ref(rounds)))
        .collect();
    for statement in statements.iter() {
        let is_goal = matches!(statement, Statement::Let { var, .. } if goals.contains(var));
        count_statement(statement, is_goal, &mut counts);
    }
    results
        .iter()
        .for_each(|result| count_reads(result, true, &mut counts));
    let inliner = Inliner { counts, variables };
    let waiting = inliner.statements(statements, None);
    statements.extend(waiting.into_iter().map(let_statement));
}

/// The same for a block, whose value is where it ends.
pub(super) fn inline_in_block(
    statements: &mut Vec<Statement>,
    value: &mut Expr,
    variables: &[Variable],
) {
    if statements.is_empty() {
        return;
    }
    let mut counts = vec![0; variables.len()];
    statements
        .iter()
        .for_each(|statement| count_statement(statement, false, &mut counts));
    count_reads(value, false, &mut counts);
    let inliner = Inliner { counts, variables };
    let mut waiting = inliner.statements(statements, None);
    if !waiting.is_empty() {
        *value = replace_vars(value, &mut waiting);
    }
    statements.extend(waiting.into_iter().map(let_statement));
}

struct Inliner<'a> {
    /// How often each variable is read.
    counts: Vec<u32>,
    variables: &'a [Variable],
}

impl Inliner<'_> {
    /// The rolls that are not read until the statements end. `dependent`, in a loop: the variables that follow from
    /// what rounds change.
    fn statements(
        &self,
        statements: &mut Vec<Statement>,
        mut dependent: Option<Vec<VarId>>,
    ) -> Vec<(VarId, Expr)> {
        let mut waiting: Vec<(VarId, Expr)> = Vec::new();
        let mut kept = Vec::with_capacity(statements.len());
        for mut statement in std::mem::take(statements) {
            if let Statement::Repeat { body, .. } = &mut statement {
                let waiting = self.statements(body, Some(dependent.clone().unwrap_or_default()));
                body.extend(waiting.into_iter().map(let_statement));
            }
            let depends = dependent
                .as_mut()
                .is_some_and(|dependent| self.depends(&statement, dependent));
            if depends || !goals_in(std::slice::from_ref(&statement)).is_empty() {
                kept.extend(waiting.drain(..).map(let_statement));
            }
            let statement = if reads_any(&statement, &waiting) {
                statement.map_parts(&mut |part| replace_vars(part, &mut waiting))
            } else {
                statement
            };
            match statement {
                Statement::Let { var, value }
                    if !depends && self.moves(var, &value, dependent.is_some()) =>
                {
                    waiting.push((var, value));
                }
                other => kept.push(other),
            }
        }
        *statements = kept;
        waiting
    }

    /// Whether a statement of a loop follows from what rounds change. A roll that does not is rolled once for all
    /// rounds, unless it is moved into one that does.
    fn depends(&self, statement: &Statement, dependent: &mut Vec<VarId>) -> bool {
        let Statement::Let { var, value } = statement else {
            return true;
        };
        let depends = value.any(&mut |part| {
            matches!(part.kind, Kind::Var(var) if self.variables[var.0].is_mutable() || dependent.contains(&var))
        });
        if depends {
            dependent.push(*var);
        }
        depends
    }

    /// Whether a roll is moved to where it is read, in a loop if it does not follow from what rounds change. There it
    /// stays if it follows from another: fewer values may be left of it, and so fewer states.
    fn moves(&self, var: VarId, value: &Expr, in_loop: bool) -> bool {
        if self.counts[var.0] != 1 || self.variables[var.0].is_mutable() {
            return false;
        }
        let stays = if in_loop {
            self.follows(value)
        } else {
            reads_mutable(value, self.variables) || self.joins_pools(value)
        };
        !stays && depth(value) <= DEEPEST
    }

    /// Whether an expression reads several pools that others read, too. They are told apart roll by roll as long as anything
    /// reads them, so that it is read of them at once.
    fn joins_pools(&self, value: &Expr) -> bool {
        let mut read = Vec::new();
        collect_vars(value, &Map::default(), &mut read);
        let is_shared = |var: &&VarId| self.variables[var.0].is_pool() && self.counts[var.0] > 1;
        read.iter().filter(is_shared).count() > 1
    }

    /// Whether an expression reads what is rolled elsewhere.
    fn follows(&self, value: &Expr) -> bool {
        let mut read = Vec::new();
        collect_vars(value, &Map::default(), &mut read);
        read.iter().any(|var| !self.variables[var.0].is_fixed())
    }
}

fn let_statement((var, value): (VarId, Expr)) -> Statement {
    Statement::Let { var, value }
}

/// Whether a statement reads a roll that waits.
fn reads_any(statement: &Statement, waiting: &[(VarId, Expr)]) -> bool {
    let waits = |var: VarId| waiting.iter().any(|(other, _)| *other == var);
    let mut found = false;
    if waiting.is_empty() {
        return found;
    }
    statement.for_each_part(&mut |part| {
        found = found || part.any(&mut |inner| matches!(inner.kind, Kind::Var(var) if waits(var)));
    });
    found
}

/// Puts each waiting roll where it is read; that happens once.
fn replace_vars(expr: &Expr, waiting: &mut Vec<(VarId, Expr)>) -> Expr {
    match expr.kind {
        Kind::Var(var) => match waiting.iter().position(|(other, _)| *other == var) {
            Some(at) => waiting.remove(at).1,
            None => expr.clone(),
        },
        _ => expr.map_parts(&mut |part| replace_vars(part, waiting)),
    }
}

/// Rolls nested deeper than this stay where they are: whatever walks an expression walks its depth.
const DEEPEST: usize = 64;

fn depth(expr: &Expr) -> usize {
    let mut deepest = 0;
    expr.for_each_part(&mut |part| deepest = deepest.max(depth(part)));
    deepest + 1
}

/// Binds the rolled subject of a `match`, and the rolled side of a comparison that decides an `if` or is a
/// whole result: there a sweep can cut the script in two.
pub(super) fn outline_subjects(statements: &mut Vec<Statement>, variables: &mut Vec<Variable>) {
    let mut outlined = Vec::with_capacity(statements.len());
    for statement in std::mem::take(statements) {
        match statement {
            Statement::Let { var, mut value } => {
                if let Some(subject) = rolled_subject(&value)
                    && !matches!(subject.kind, Kind::Var(_) | Kind::Block { .. })
                {
                    let fresh = VarId(variables.len());
                    variables.push(Variable::rolled("subject", subject.span));
                    let rolled = subject.clone();
                    value = value.with_part(subject, &Expr::new(Kind::Var(fresh), rolled.span));
                    outlined.push(Statement::Let {
                        var: fresh,
                        value: rolled,
                    });
                }
                outlined.push(Statement::Let { var, value });
            }
            other => outlined.push(other),
        }
    }
    *statements = outlined;
}

/// The rolled number on which an expression turns first, if it turns on one.
fn rolled_subject(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        Kind::Match { subject, .. } if !subject.fixed => Some(subject),
        Kind::If { condition, .. } if !condition.fixed => rolled_subject(condition),
        Kind::Unary(UnaryOp::Not, operand) => rolled_subject(operand),
        Kind::Binary(BinaryOp::Compare(_), left, right) => match (left.fixed, right.fixed) {
            (false, true) => Some(left),
            (true, false) => Some(right),
            _ => None,
        },
        _ => None,
    }
}
