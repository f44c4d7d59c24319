//! The steps of a round, in a form that tells which of them states share.

use oddsmith_rules::program::{BinaryOp, Die, Expr, Faces, Kind, VarId};

use crate::evaluate::Env;
use crate::residual::{Script, Step};
use crate::scope::Scope;
use crate::track::parts::keep_live;

/// A step of a round.
#[derive(Clone)]
pub(super) struct Move {
    pub(super) step: Step,
    /// Whether it only makes a number of what the round began with.
    pub(super) is_number: bool,
    pub(super) reads: Vec<VarId>,
    pub(super) writes: Vec<VarId>,
}

impl Move {
    fn new(scope: &Scope<'_>, step: Step, is_number: bool) -> Self {
        Self {
            reads: reads(scope, &step),
            writes: writes(&step),
            step,
            is_number,
        }
    }
}

/// The steps of a round. What is rolled for a number that depends on the state is rolled before it.
pub(super) fn moves(env: &mut Env<'_>, body: &Script, head: &[VarId]) -> Vec<Move> {
    let mut moves = Vec::with_capacity(body.steps.len());
    // What depends on the state that the round began with.
    let mut dependent = head.to_vec();
    for step in &body.steps {
        let after_number = moves.last().is_some_and(|last: &Move| last.is_number);
        let mut next = Move::new(&env.scope, step.clone(), false);
        let depends = next.reads.iter().any(|var| dependent.contains(var));
        if let Step::Let { value, .. } | Step::Set { value, .. } = &mut next.step {
            if depends {
                while let Some(dice) = take_dice(env, value, &dependent) {
                    moves.push(Move::new(&env.scope, dice, false));
                    next.reads = env.scope.reads_of(value);
                }
            }
            next.is_number = !rolls(value) && (depends || after_number);
        }
        if depends {
            include(&mut dependent, &next.writes);
        } else {
            dependent.retain(|var| !next.writes.contains(var));
        }
        moves.push(next);
    }
    if !env.scope.in_order {
        wait_for_readers(&mut moves);
    }
    moves
}

/// Moves dice that follow from nothing behind the numbers that do not read them: what these leave is less than what they are
/// made of.
fn wait_for_readers(moves: &mut [Move]) {
    for at in (0..moves.len()).rev() {
        let dice = &moves[at];
        let waits = matches!(dice.step, Step::Let { .. } | Step::Read { .. })
            && !dice.is_number
            && dice.reads.is_empty();
        // Loops carry along what was bound before them, and what is set anew stays so.
        let concerns = |later: &Move| {
            let read = later.reads.iter().chain(passed_on(&later.step));
            let mut met = read.chain(&later.writes);
            met.any(|var| dice.writes.contains(var))
        };
        let reader = moves[at + 1..].iter().position(concerns);
        if let Some(between) = reader.filter(|_| waits)
            && moves[at + 1..][..between].iter().any(|step| step.is_number)
        {
            moves[at..=at + between].rotate_left(1);
        }
    }
}

/// Whether a step belongs to the same part as those before it.
pub(super) fn goes_on(group: &[Move], next: &Move) -> bool {
    if next.is_number {
        return true;
    }
    if group.iter().any(|step| step.is_number) {
        return false;
    }
    let written = |var: &VarId| group.iter().any(|step| step.writes.contains(var));
    let read = group.iter().flat_map(|step| &step.reads);
    let known: Vec<&VarId> = read.filter(|var| !written(var)).collect();
    let is_known = |var: &VarId| written(var) || known.contains(&var);
    next.reads.iter().all(is_known) && (known.is_empty() || !next.reads.is_empty())
}

/// Takes dice that do not depend on the state out of an expression that does: such as are surely rolled, or can be rolled
/// whether they are needed or not.
fn take_dice(env: &mut Env<'_>, expr: &mut Expr, dependent: &[VarId]) -> Option<Step> {
    let dice = free_dice(env, expr, dependent)?;
    let var = env.new_variable("rolled", dice.span);
    let value = dice.clone();
    *expr = expr.with_part(dice, &Expr::new(Kind::Var(var), dice.span));
    Some(Step::Let { var, value })
}

/// The dice of an expression that do not depend on the state.
fn free_dice<'e>(env: &Env<'_>, expr: &'e Expr, dependent: &[VarId]) -> Option<&'e Expr> {
    let read = env.scope.reads_of(expr);
    if !read.iter().any(|var| dependent.contains(var)) {
        return rolls(expr).then_some(expr);
    }
    if let Some(part) = certain_part_that_rolls(expr) {
        return free_dice(env, part, dependent);
    }
    let dice = free_dice(env, uncertain_part_that_rolls(expr)?, dependent)?;
    is_plain(dice).then_some(dice)
}

/// The first part that rolls, if it is evaluated whatever the others are, and they wait for it or do not roll.
fn certain_part_that_rolls(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        Kind::Unary(_, operand) => Some(operand),
        Kind::Binary(op, left, right) => match (rolls(left), rolls(right)) {
            (true, false) => Some(left),
            (true, true) if is_lazy(*op) => Some(left),
            (false, true) if !is_lazy(*op) => Some(right),
            _ => None,
        },
        Kind::Divide {
            numerator,
            denominator,
            ..
        } => match (rolls(numerator), rolls(denominator)) {
            (true, false) => Some(numerator),
            (false, true) => Some(denominator),
            _ => None,
        },
        Kind::If { condition, .. } if rolls(condition) => Some(condition),
        Kind::Match {
            subject,
            arms,
            otherwise,
        } if !arms.iter().any(|arm| rolls(&arm.value))
            && !otherwise.iter().any(|other| rolls(other)) =>
        {
            Some(subject)
        }
        Kind::Select { index, items } if !items.iter().any(rolls) => Some(index),
        _ => None,
    }
}

/// The only part that rolls, where it is not always evaluated.
fn uncertain_part_that_rolls(expr: &Expr) -> Option<&Expr> {
    match &expr.kind {
        Kind::Binary(op, left, right) if is_lazy(*op) && !rolls(left) => Some(right),
        Kind::If {
            condition,
            then,
            otherwise,
        } if !rolls(condition) => match (rolls(then), rolls(otherwise)) {
            (true, false) => Some(then),
            (false, true) => Some(otherwise),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the right side is evaluated only if the left one does not decide.
fn is_lazy(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::And | BinaryOp::Or)
}

/// The sides of a die that is rolled once and has as many as is written there.
fn sides(die: &Die) -> Option<i64> {
    match &die.faces {
        Faces::Sides(sides) if die.reroll.is_none() && die.explode.is_none() => match sides.kind {
            Kind::Const(sides @ 1..) => Some(sides),
            _ => None,
        },
        _ => None,
    }
}

/// Dice that are rolled whether they are needed or not have no more than so many faces of all together.
const MOST_FACES: i64 = 100;

/// Whether dice are a few of numbers that are written there: what is rolled in vain is then next to nothing, and can't
/// fail.
fn is_plain(expr: &Expr) -> bool {
    let mut faces = 0_i64;
    let is_other = expr.any(&mut |part| match &part.kind {
        Kind::Const(number) => {
            faces = faces.saturating_add(number.saturating_abs());
            false
        }
        Kind::Dice { count, die } => {
            let (Kind::Const(count), Some(sides)) = (&count.kind, sides(die)) else {
                return true;
            };
            faces = faces.saturating_add(count.saturating_mul(sides));
            *count < 0
        }
        Kind::Read { .. } | Kind::Unary(..) => false,
        Kind::Binary(op, ..) => matches!(op, BinaryOp::Multiply),
        _ => true,
    });
    !is_other && faces <= MOST_FACES
}

/// Whether an expression is more than arithmetic.
fn rolls(expr: &Expr) -> bool {
    !expr.is_arithmetic()
}

/// The variables that a step reads; of a loop those that its rounds change as well.
pub(super) fn reads(scope: &Scope<'_>, step: &Step) -> Vec<VarId> {
    let mut read = Vec::new();
    step.for_each_expr(&mut |expr| include(&mut read, &scope.reads_of(expr)));
    match step {
        Step::Read { pools, .. } => read.retain(|var| pools.iter().all(|(pool, _)| pool != var)),
        Step::Repeat { body, head, .. } => {
            let matters = |var: &&VarId| read.contains(var) || sets(body, **var);
            read = head.iter().filter(matters).copied().collect();
        }
        _ => {}
    }
    read
}

/// The variables that a step carries along, whether it reads them or not.
pub(super) fn passed_on(step: &Step) -> &[VarId] {
    match step {
        Step::Repeat { head, .. } => head,
        _ => &[],
    }
}

/// The variables that a step binds or sets, and that matter after it.
pub(super) fn writes(step: &Step) -> Vec<VarId> {
    match step {
        Step::Let { var, .. }
        | Step::Set { var, .. }
        | Step::Roll { var, .. }
        | Step::Choose { var, .. } => vec![*var],
        Step::Read { readings, .. } => readings.iter().map(|(var, _)| *var).collect(),
        Step::Repeat {
            body, head, shown, ..
        } => {
            let set = head.iter().filter(|var| sets(body, **var));
            set.chain(shown).copied().collect()
        }
    }
}

fn sets(body: &Script, var: VarId) -> bool {
    body.steps.iter().any(|step| match step {
        Step::Set { var: target, .. } => *target == var,
        Step::Roll { var: target, .. } => *target == var,
        Step::Repeat { body, .. } => sets(body, var),
        _ => false,
    })
}

/// Forgets variables that loops only pass on.
pub(super) fn keep_in_loops(step: &mut Step, keep: &dyn Fn(&VarId) -> bool) {
    if let Step::Repeat { body, head, .. } = step {
        head.retain(keep);
        keep_live(body, keep);
    }
}

/// The same script over one more variable.
pub(super) fn carrying(script: &Script, var: VarId) -> Script {
    let mut script = script.clone();
    script.live.iter_mut().for_each(|live| live.push(var));
    for step in &mut script.steps {
        if let Step::Repeat { body, head, .. } = step {
            *body = carrying(body, var);
            head.push(var);
        }
    }
    script
}

/// Adds the variables that are not there yet.
pub(super) fn include(vars: &mut Vec<VarId>, more: &[VarId]) {
    for var in more {
        if !vars.contains(var) {
            vars.push(*var);
        }
    }
}
