//! Pools that are read in several ways, or compared: one joint roll of all their readings.

use std::sync::Arc;

use oddsmith_rules::program::{
    BinaryOp, Expr, Kind, Reading, Statement, VarId, Variable, bound_in,
};

use super::names::{goals_in, reads_mutable};
use super::script::Step;

/// A statement, a loop whose body is still statements, or a step.
pub(super) enum DraftStep {
    Statement(Statement),
    Loop {
        count: Option<Expr>,
        until: Option<Expr>,
        body: Vec<Statement>,
        played: Option<Arc<str>>,
    },
    Done(Step),
}

impl DraftStep {
    fn new(statement: Statement) -> Self {
        match statement {
            Statement::Repeat {
                count,
                until,
                body,
                played,
                ..
            } => Self::Loop {
                count,
                until,
                body,
                played,
            },
            other => Self::Statement(other),
        }
    }

    fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Self::Statement(statement) => statement.for_each_part(visit),
            Self::Done(step) => step.for_each_expr(visit),
            Self::Loop {
                count, until, body, ..
            } => {
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
            Self::Done(Step::Read { pools, readings }) => {
                let mut changed = |bound: Vec<(VarId, Expr)>| {
                    let bound = bound.into_iter();
                    bound.map(|(var, expr)| (var, change(&expr))).collect()
                };
                Self::Done(Step::Read {
                    pools: changed(pools),
                    readings: changed(readings),
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
        self.for_each_part(&mut |part| found = found || mentions(part, var));
        found
    }

    /// Variables that it binds, also inside expressions: in blocks, and for what is made of each face.
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
                inner.collect_bound(&mut bound);
                false
            });
        });
        bound
    }
}

/// Binds each pool that is read in several ways to the joint result of its readings, just before the first of
/// them, and likewise two pools that are only compared with each other; a pool that is used as a whole keeps its
/// faces.
pub(super) fn bind_readings(
    statements: Vec<Statement>,
    variables: &mut Vec<Variable>,
) -> Vec<DraftStep> {
    let mut drafts: Vec<DraftStep> = statements.into_iter().map(DraftStep::new).collect();
    let mut at = 0;
    while at < drafts.len() {
        match &drafts[at] {
            DraftStep::Statement(Statement::Let { var, value }) if variables[var.0].is_pool() => {
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
    if let Some((other, at)) = find_opponent(var, &later) {
        let DraftStep::Statement(Statement::Let { value, .. }) = later.remove(at) else {
            unreachable!("a `let` was found here")
        };
        let pools = [(var, pool.clone()), (other, value.clone())];
        match find_readings(&pools, &later, variables) {
            Some(readings) => return bind_found(&pools, readings, later, variables),
            None => later.insert(
                at,
                DraftStep::Statement(Statement::Let { var: other, value }),
            ),
        }
    }
    let pools = [(var, pool)];
    match find_readings(&pools, &later, variables) {
        Some(readings) => bind_found(&pools, readings, later, variables),
        None => {
            let [(var, pool)] = pools;
            later.insert(0, DraftStep::Done(Step::Roll { var, pool }));
            later
        }
    }
}

/// The first pool that is compared with `var`, and the place where it is bound later.
fn find_opponent(var: VarId, later: &[DraftStep]) -> Option<(VarId, usize)> {
    let mut opponent = None;
    for draft in later {
        draft.for_each_part(&mut |part| {
            part.any(&mut |inner| {
                if let Kind::Wins(left, right) = &inner.kind
                    && let (Kind::Var(left), Kind::Var(right)) = (&left.kind, &right.kind)
                    && opponent.is_none()
                {
                    opponent = [(left, right), (right, left)]
                        .into_iter()
                        .find(|(own, other)| **own == var && **other != var)
                        .map(|(_, other)| *other);
                }
                opponent.is_some()
            });
        });
    }
    let other = opponent?;
    let binds = |draft: &DraftStep| matches!(draft, DraftStep::Statement(Statement::Let { var, .. }) if *var == other);
    Some((other, later.iter().position(binds)?))
}

/// What comes after pools are bound, with the step that reads them in its place.
fn bind_found(
    pools: &[(VarId, Expr)],
    Readings { exprs, place }: Readings,
    later: Vec<DraftStep>,
    variables: &mut Vec<Variable>,
) -> Vec<DraftStep> {
    let mut readings: Vec<(VarId, Expr)> = Vec::new();
    let mut bound: Vec<(VarId, Expr)> = Vec::new();
    for reading in exprs {
        let stripped = strip(&reading);
        if !bound.iter().any(|(_, known)| *known == stripped) {
            let fresh = VarId(variables.len());
            // It has no name; where it matters, the reading itself is shown.
            variables.push(Variable::rolled("", reading.span));
            readings.push((fresh, reading));
            bound.push((fresh, stripped));
        }
    }
    let vars = vars_of(pools);
    let mut replace = |part: &Expr| replace_readings(part, &vars, &bound);
    let replaced = |draft: DraftStep| match vars.iter().any(|var| draft.mentions(*var)) {
        true => draft.map_parts(&mut replace),
        false => draft,
    };
    let mut drafts: Vec<DraftStep> = later.into_iter().map(replaced).collect();
    let step = Step::Read {
        pools: pools.to_vec(),
        readings,
    };
    drafts.insert(place, DraftStep::Done(step));
    drafts
}

/// All the readings of a pool, or of two that are compared, and before which statement they are made.
struct Readings {
    exprs: Vec<Expr>,
    place: usize,
}

/// Every reading of the pools in what comes later, if they are used in no other way and every reading is made of
/// values that are bound before the first of them.
fn find_readings(
    pools: &[(VarId, Expr)],
    later: &[DraftStep],
    variables: &[Variable],
) -> Option<Readings> {
    let vars = vars_of(pools);
    let mentions_any = |draft: &DraftStep| vars.iter().any(|var| draft.mentions(*var));
    let among_pools = |(_, pool): &(VarId, Expr)| vars.iter().any(|var| mentions(pool, *var));
    if vars.iter().any(|var| variables[var.0].is_mutable()) || pools.iter().any(among_pools) {
        return None;
    }
    let mut exprs = Vec::new();
    let mut clean = true;
    for draft in later {
        clean &= !matches!(draft, DraftStep::Loop { .. }) || !mentions_any(draft);
        draft.for_each_part(&mut |part| clean &= collect_readings(part, &vars, &mut exprs));
    }
    if !clean {
        return None;
    }
    let exprs = told_apart(&exprs, later.iter().any(is_choice));
    let first = later.iter().position(mentions_any)?;
    // What a changing variable holds matters: such a pool is rolled where it stands. And who chooses knows it.
    let place = if pools.iter().any(|(_, pool)| reads_mutable(pool, variables))
        || later[..first].iter().any(is_choice)
    {
        0
    } else {
        first
    };
    if pools.len() > 1 && place < first {
        return None; // they stand in different places
    }
    let late: Vec<VarId> = later[place..].iter().flat_map(DraftStep::bound).collect();
    let made_of_late = |reading: &Expr| {
        let mut own = Vec::new();
        reading.for_each(&mut |part| part.collect_bound(&mut own));
        let is_late = |var: &VarId| late.contains(var) && !own.contains(var);
        reading.any(&mut |part| match &part.kind {
            Kind::Var(var) => is_late(var) || variables[var.0].is_mutable(),
            Kind::Dice { .. } | Kind::Draw { .. } | Kind::Gather(_) => true,
            Kind::Read { reading, .. } => reading.folds_rolls(),
            _ => false,
        })
    };
    (!exprs.iter().any(made_of_late)).then_some(Readings { exprs, place })
}

fn is_choice(draft: &DraftStep) -> bool {
    match draft {
        DraftStep::Statement(statement) => !goals_in(std::slice::from_ref(statement)).is_empty(),
        DraftStep::Loop { body, .. } => !goals_in(body).is_empty(),
        DraftStep::Done(_) => false,
    }
}

/// Readings without comparisons of counts that are read themselves as well, or may be known to who chooses.
fn told_apart(exprs: &[Expr], is_chosen: bool) -> Vec<Expr> {
    if exprs.iter().all(|expr| counted(expr).is_none()) {
        return exprs.to_vec();
    }
    let stripped: Vec<Expr> = exprs.iter().map(strip).collect();
    let is_read = |count: &Expr| is_chosen || stripped.contains(&strip(count));
    let plain = |expr: &Expr| match counted(expr) {
        Some(count) if is_read(count) => count.clone(),
        _ => expr.clone(),
    };
    exprs.iter().map(plain).collect()
}

fn vars_of(pools: &[(VarId, Expr)]) -> Vec<VarId> {
    pools.iter().map(|(var, _)| *var).collect()
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

/// Whether `expr` compares a count of the pool's dice with something fixed: then it matters only whether so many
/// are reached.
fn counted(expr: &Expr) -> Option<&Expr> {
    let Kind::Binary(BinaryOp::Compare(_), left, right) = &expr.kind else {
        return None;
    };
    let is_count = |side: &Expr| {
        matches!(
            side.kind,
            Kind::Read {
                reading: Reading::Count(_),
                ..
            }
        )
    };
    match (is_count(left) && right.fixed, left.fixed && is_count(right)) {
        (true, _) => Some(left),
        (_, true) => Some(right),
        _ => None,
    }
}

/// Whether `expr` reads a number from a pool, or compares two: the pairs that one wins, or wins more than the other.
fn is_reading(expr: &Expr, pools: &[VarId]) -> bool {
    match (&expr.kind, pools) {
        (Kind::Read { pool, .. }, [var]) => is_view(pool, *var),
        (_, [_]) => counted(expr).is_some_and(|count| is_reading(count, pools)),
        (Kind::Wins(left, right), [one, other]) => match (&left.kind, &right.kind) {
            (Kind::Var(left), Kind::Var(right)) => {
                [(left, right), (right, left)].contains(&(one, other))
            }
            _ => false,
        },
        (Kind::Binary(BinaryOp::Subtract, left, right), [_, _]) => {
            is_reading(left, pools) && is_reading(right, pools)
        }
        _ => false,
    }
}

/// Collects readings of the pools; false if these are used in any other way.
fn collect_readings(expr: &Expr, pools: &[VarId], out: &mut Vec<Expr>) -> bool {
    match &expr.kind {
        Kind::Var(var) => !pools.contains(var),
        Kind::Read { pool: inner, .. } if is_reading(expr, pools) => {
            out.push(expr.clone());
            // A reading may not be made of another reading of the same roll.
            let mut terms_mention = false;
            expr.for_each_part(&mut |part| {
                terms_mention |= !std::ptr::eq(part, inner.as_ref())
                    && pools.iter().any(|pool| mentions(part, *pool));
            });
            !terms_mention
        }
        _ if is_reading(expr, pools) => {
            let mut counts = Vec::new();
            out.push(expr.clone());
            counted(expr).is_none_or(|count| collect_readings(count, pools, &mut counts))
        }
        _ => {
            let mut clean = true;
            expr.for_each_part(&mut |part| clean &= collect_readings(part, pools, out));
            clean
        }
    }
}

/// An expression with the variables that are bound to readings, given by [`strip`], in place of these.
fn replace_readings(expr: &Expr, pools: &[VarId], bound: &[(VarId, Expr)]) -> Expr {
    if is_reading(expr, pools) {
        let stripped = strip(expr);
        if let Some((var, _)) = bound.iter().find(|(_, reading)| *reading == stripped) {
            return Expr::new(Kind::Var(*var), expr.span);
        }
    }
    expr.map_parts(&mut |part| replace_readings(part, pools, bound))
}

/// An expression without its places: two are equal if they are but for where they stand.
fn strip(expr: &Expr) -> Expr {
    let stripped = expr.map_parts(&mut strip);
    stripped.at(oddsmith_rules::Span::default())
}
