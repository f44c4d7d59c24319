//! Pools that are read in several ways: one joint roll of all their readings.

use oddsmith_rules::program::{Expr, Kind, Statement, VarId, Variable};

use super::Step;
use super::prune::goals_in;
use super::steps::bound_in;

/// A statement, a loop whose body is still statements, or a step.
pub(super) enum DraftStep {
    Statement(Statement),
    Loop {
        count: Option<Expr>,
        until: Option<Expr>,
        body: Vec<Statement>,
    },
    Done(Step),
}

impl DraftStep {
    fn new(statement: Statement) -> Self {
        match statement {
            Statement::Repeat {
                count, until, body, ..
            } => Self::Loop { count, until, body },
            other => Self::Statement(other),
        }
    }

    fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Self::Statement(statement) => statement.for_each_part(visit),
            Self::Done(step) => step.for_each_expr(visit),
            Self::Loop { count, until, body } => {
                count.iter().chain(until).for_each(&mut *visit);
                body.iter()
                    .for_each(|statement| statement.for_each_part(visit));
            }
        }
    }

    /// The same with each expression changed; loops never mention what is changed.
    fn map_parts(self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        match self {
            Self::Statement(statement) => Self::Statement(statement.map_parts(change)),
            Self::Done(Step::Read {
                pool_var,
                pool,
                readings,
            }) => {
                let pool = change(&pool);
                let readings = readings
                    .iter()
                    .map(|(var, reading)| (*var, change(reading)));
                let readings = readings.collect();
                Self::Done(Step::Read {
                    pool_var,
                    pool,
                    readings,
                })
            }
            Self::Done(Step::Roll { var, pool }) => Self::Done(Step::Roll {
                var,
                pool: change(&pool),
            }),
            other => other,
        }
    }

    fn mentions(&self, var: VarId) -> bool {
        let mut found = false;
        self.for_each_part(&mut |part| found |= mentions(part, var));
        found
    }

    /// Variables that it binds, also in blocks inside expressions.
    fn bound(&self) -> Vec<VarId> {
        let mut bound = match self {
            Self::Statement(Statement::Let { var, .. } | Statement::Choose { var, .. })
            | Self::Done(Step::Roll { var, .. }) => vec![*var],
            Self::Done(Step::Read { readings, .. }) => {
                readings.iter().map(|(var, _)| *var).collect()
            }
            Self::Loop { body, .. } => bound_in(body),
            _ => Vec::new(),
        };
        self.for_each_part(&mut |part| {
            part.any(&mut |inner| {
                if let Kind::Block { statements, .. } = &inner.kind {
                    bound.extend(bound_in(statements));
                }
                false
            });
        });
        bound
    }
}

/// Binds each pool that is read in several ways to the joint result of its readings, just before the first of
/// them; a pool that is used as a whole keeps its faces.
pub(super) fn bind_readings(
    statements: Vec<Statement>,
    variables: &mut Vec<Variable>,
) -> Vec<DraftStep> {
    let mut drafts: Vec<DraftStep> = statements.into_iter().map(DraftStep::new).collect();
    let mut at = 0;
    while at < drafts.len() {
        match &drafts[at] {
            DraftStep::Statement(Statement::Let { var, value }) if variables[var.0].is_pool => {
                let (var, pool) = (*var, value.clone());
                let later = drafts.split_off(at + 1);
                drafts.pop();
                drafts.extend(bind_pool(var, pool, later, variables));
                // What stands here now is either the next statement or the step for this pool.
                at += usize::from(matches!(drafts.get(at), Some(DraftStep::Done(_))));
            }
            _ => at += 1,
        }
    }
    drafts
}

/// What comes after a pool is bound, with the step that rolls it in its place.
fn bind_pool(
    var: VarId,
    pool: Expr,
    mut later: Vec<DraftStep>,
    variables: &mut Vec<Variable>,
) -> Vec<DraftStep> {
    let Some(Readings { exprs, place }) = find_readings(var, &pool, &later, variables) else {
        later.insert(0, DraftStep::Done(Step::Roll { var, pool }));
        return later;
    };
    let mut readings: Vec<(VarId, Expr)> = Vec::new();
    for reading in exprs {
        if !readings.iter().any(|(_, known)| same(known, &reading)) {
            let fresh = VarId(variables.len());
            // It has no name; where it matters, the reading itself is shown.
            variables.push(Variable {
                name: String::new(),
                span: reading.span,
                is_pool: false,
                ..variables[var.0].clone()
            });
            readings.push((fresh, reading));
        }
    }
    let mut replace = |part: &Expr| replace_readings(part, var, &readings);
    let mut bound: Vec<DraftStep> = later
        .into_iter()
        .map(|draft| draft.map_parts(&mut replace))
        .collect();
    let step = Step::Read {
        pool_var: var,
        pool,
        readings,
    };
    bound.insert(place, DraftStep::Done(step));
    bound
}

/// All the readings of a pool, and before which statement they are made.
struct Readings {
    exprs: Vec<Expr>,
    place: usize,
}

/// Every reading of the pool in what comes later, if it is used in no other way and every reading is made of
/// values that are bound before the first of them.
fn find_readings(
    var: VarId,
    pool: &Expr,
    later: &[DraftStep],
    variables: &[Variable],
) -> Option<Readings> {
    if variables[var.0].mutable {
        return None;
    }
    let mut exprs = Vec::new();
    let mut clean = true;
    for draft in later {
        clean &= !matches!(draft, DraftStep::Loop { .. }) || !draft.mentions(var);
        draft.for_each_part(&mut |part| clean &= collect_readings(part, var, &mut exprs));
    }
    if !clean {
        return None;
    }
    let first = later.iter().position(|draft| draft.mentions(var))?;
    // What a changing variable holds matters: such a pool is rolled where it stands. And who chooses knows it.
    let is_choice = |draft: &DraftStep| match draft {
        DraftStep::Statement(statement) => !goals_in(std::slice::from_ref(statement)).is_empty(),
        DraftStep::Loop { body, .. } => !goals_in(body).is_empty(),
        DraftStep::Done(_) => false,
    };
    let place = if reads_mutable(pool, variables) || later[..first].iter().any(is_choice) {
        0
    } else {
        first
    };
    let late: Vec<VarId> = later[place..].iter().flat_map(DraftStep::bound).collect();
    let made_of_late = |reading: &Expr| {
        reading.any(&mut |part| match part.kind {
            Kind::Var(var) => late.contains(&var) || variables[var.0].mutable,
            Kind::Dice { .. } | Kind::Draw { .. } | Kind::Gather(_) => true,
            _ => false,
        })
    };
    (!exprs.iter().any(made_of_late)).then_some(Readings { exprs, place })
}

/// Whether an expression reads a variable that `set` changes.
pub(super) fn reads_mutable(expr: &Expr, variables: &[Variable]) -> bool {
    expr.any(&mut |part| matches!(part.kind, Kind::Var(var) if variables[var.0].mutable))
}

fn mentions(expr: &Expr, var: VarId) -> bool {
    expr.any(&mut |part| matches!(part.kind, Kind::Var(other) if other == var))
}

/// Whether `expr` is the pool itself, or the pool without some of its dice.
fn is_view(expr: &Expr, pool: VarId) -> bool {
    match &expr.kind {
        Kind::Var(var) => *var == pool,
        Kind::Keep {
            pool: inner,
            amount,
            ..
        } => is_view(inner, pool) && !mentions(amount, pool),
        _ => false,
    }
}

/// Collects readings of the pool; false if it is used in any other way.
fn collect_readings(expr: &Expr, pool: VarId, out: &mut Vec<Expr>) -> bool {
    match &expr.kind {
        Kind::Var(var) => *var != pool,
        Kind::Read { pool: inner, .. } if is_view(inner, pool) => {
            out.push(expr.clone());
            // A reading may not be made of another reading of the same roll.
            let mut terms_mention = false;
            expr.for_each_part(&mut |part| {
                terms_mention |= !std::ptr::eq(part, inner.as_ref()) && mentions(part, pool);
            });
            !terms_mention
        }
        _ => {
            let mut clean = true;
            expr.for_each_part(&mut |part| clean &= collect_readings(part, pool, out));
            clean
        }
    }
}

fn replace_readings(expr: &Expr, pool: VarId, bound: &[(VarId, Expr)]) -> Expr {
    if let Kind::Read { pool: inner, .. } = &expr.kind
        && is_view(inner, pool)
        && let Some((var, _)) = bound.iter().find(|(_, reading)| same(reading, expr))
    {
        return Expr {
            kind: Kind::Var(*var),
            span: expr.span,
            fixed: false,
        };
    }
    expr.map_parts(&mut |part| replace_readings(part, pool, bound))
}

/// Equal but for where it stands.
fn same(a: &Expr, b: &Expr) -> bool {
    strip(a) == strip(b)
}

fn strip(expr: &Expr) -> Expr {
    let mut stripped = expr.map_parts(&mut strip);
    stripped.span = oddsmith_rules::Span::default();
    stripped
}
