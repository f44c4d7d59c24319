//! What is left of a script once everything known has been put in.
//!
//! Known inputs become numbers, branches that can't be taken go, bindings that nothing reads go, a roll that
//! is read once moves to where it is read (so that sums become convolutions), and a pool that is read in
//! several ways is bound to the joint result of those readings.

use std::collections::HashMap;

use oddsmith_rules::program::{
    BinaryOp, Expr, InputId, Kind, Program, Reading, Statement, Test, UnaryOp, VarId, Variable,
};
use oddsmith_rules::{Check, Config};

/// A script without what is known, and the expressions that hold the wanted results at its end.
#[derive(Clone, Debug)]
pub(crate) struct Residual {
    pub(crate) variables: Vec<Variable>,
    pub(crate) script: Script,
    /// One per wanted variable: a number, a variable, or a fixed expression.
    pub(crate) results: Vec<Expr>,
    /// Values of fixed variables that are still bound by statements.
    pub(crate) fixed: HashMap<VarId, Expr>,
}

impl Residual {
    /// No script: for conditions on inputs.
    pub(crate) fn without_script(check: &Check) -> Self {
        Self {
            variables: check.program.variables.clone(),
            script: Script::default(),
            results: Vec::new(),
            fixed: HashMap::new(),
        }
    }
}

/// Steps, and which rolled variables are still needed after each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) steps: Vec<Step>,
    /// `live[i]`: variables whose values matter after step `i`, ascending.
    pub(crate) live: Vec<Vec<VarId>>,
}

/// One step.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Rolls a number.
    Let { var: VarId, value: Expr },
    /// Rolls a pool once and reads it in several ways: each reading is over [`Kind::Var`] of `pool_var`.
    Read {
        pool_var: VarId,
        pool: Expr,
        readings: Vec<(VarId, Expr)>,
    },
    /// Rolls a pool whose faces themselves are needed later.
    Roll { var: VarId, pool: Expr },
    /// Gives a variable a new value.
    Set { var: VarId, value: Expr },
    /// Up to `count` rounds, stopping before one in which `until` holds.
    Repeat {
        count: Expr,
        until: Option<Expr>,
        body: Script,
        head: Vec<VarId>,
    },
}

/// What a residual script is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be run from beginning to end: what is rolled and looked at in one place stays one expression.
    Run,
    /// To be cut in two where something is looked at.
    Cut,
}

/// Specialises `check`'s script to the inputs that `known` gives, keeping what `wanted` needs.
pub(crate) fn specialise(
    check: &Check,
    known: &dyn Fn(InputId) -> Option<i64>,
    wanted: &[VarId],
    purpose: Purpose,
) -> Residual {
    let mut folder = Folder {
        program: &check.program,
        known,
        substitutes: HashMap::new(),
    };
    let mut statements = Vec::new();
    folder.statements(&check.program.statements, &mut statements);
    let results: Vec<Expr> = wanted
        .iter()
        .map(|var| folder.expr(&use_of(&check.program, *var)))
        .collect();
    let mut variables = check.program.variables.clone();
    let fixed = take_fixed(&mut statements, &variables);
    remove_unread(&mut statements, &results, &fixed);
    inline_single_reads(&mut statements, &results, &variables);
    if purpose == Purpose::Cut {
        outline_subjects(&mut statements, &mut variables);
    }
    let mut needed: Vec<VarId> = Vec::new();
    results
        .iter()
        .for_each(|result| collect_vars(result, &fixed, &mut needed));
    let (script, _) = script_of(statements, &mut variables, &fixed, &needed);
    Residual {
        variables,
        script,
        results,
        fixed,
    }
}

/// Every input at its configured value.
pub(crate) fn all_known(config: &Config) -> impl Fn(InputId) -> Option<i64> {
    |id| config.0.get(id.0).copied()
}

fn use_of(program: &Program, var: VarId) -> Expr {
    let variable = program.variable(var);
    Expr {
        kind: Kind::Var(var),
        span: variable.span,
        fixed: variable.fixed,
    }
}

/// Puts in what is known.
struct Folder<'a> {
    program: &'a Program,
    known: &'a dyn Fn(InputId) -> Option<i64>,
    /// Variables that are numbers or other variables.
    substitutes: HashMap<VarId, Expr>,
}

impl Folder<'_> {
    /// Folds statements into `out`; a played-out call's statements join those around it.
    fn statements(&mut self, statements: &[Statement], out: &mut Vec<Statement>) {
        for statement in statements {
            match statement {
                Statement::Let { var, value } => {
                    let value = self.hoist(self.expr(value), out);
                    let variable = self.program.variable(*var);
                    if !variable.mutable && self.is_name(&value) {
                        self.substitutes.insert(*var, value);
                    } else {
                        out.push(Statement::Let { var: *var, value });
                    }
                }
                Statement::Set { var, value } => {
                    let value = self.hoist(self.expr(value), out);
                    out.push(Statement::Set { var: *var, value });
                }
                Statement::Repeat {
                    count,
                    until,
                    body,
                    span,
                } => {
                    let count = self.expr(count);
                    let until = until.as_ref().map(|condition| self.expr(condition));
                    let mut rounds = Vec::new();
                    self.statements(body, &mut rounds);
                    if count.as_constant() != Some(0) {
                        out.push(Statement::Repeat {
                            count,
                            until,
                            body: rounds,
                            span: *span,
                        });
                    }
                }
            }
        }
    }

    /// Moves a block's statements before the statement it stands in.
    fn hoist(&mut self, value: Expr, out: &mut Vec<Statement>) -> Expr {
        match value.kind {
            Kind::Block { statements, value } => {
                // They have been folded; folding them again only carries substitutes on.
                self.statements(&statements, out);
                let value = self.expr(&value);
                self.hoist(value, out)
            }
            _ => value,
        }
    }

    /// Whether a value is a number, another name of a value, or a view of a pool that is bound already.
    fn is_name(&self, value: &Expr) -> bool {
        match &value.kind {
            Kind::Const(_) | Kind::Input(_) => true,
            Kind::Var(other) => !self.program.variable(*other).mutable,
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
            Kind::Var(var) => self.program.variable(*var).is_pool,
            _ => is_pool(expr),
        }
    }

    fn expr(&self, expr: &Expr) -> Expr {
        match &expr.kind {
            Kind::Input(id) => match (self.known)(*id) {
                Some(value) => Expr::constant(value, expr.span),
                None => expr.clone(),
            },
            Kind::Var(var) => match self.substitutes.get(var) {
                Some(substitute) => Expr {
                    span: expr.span,
                    ..substitute.clone()
                },
                None => expr.clone(),
            },
            Kind::Block { statements, value } => self.block(expr, statements, value),
            _ => simplify(expr.map_parts(&mut |part| self.expr(part))),
        }
    }

    /// A block inside an expression keeps its statements but for those that are plain names and numbers.
    fn block(&self, expr: &Expr, statements: &[Statement], value: &Expr) -> Expr {
        let mut inner = Folder {
            program: self.program,
            known: self.known,
            substitutes: self.substitutes.clone(),
        };
        let mut folded = Vec::new();
        inner.statements(statements, &mut folded);
        let value = inner.expr(value);
        if folded.is_empty() {
            return value;
        }
        let fixed = value.fixed;
        Expr {
            kind: Kind::Block {
                statements: folded,
                value: Box::new(value),
            },
            span: expr.span,
            fixed,
        }
    }
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
        Kind::Binary(op, left, right) => simplify_binary(*op, left, right).unwrap_or(expr),
        Kind::Divide {
            rounding,
            numerator,
            denominator,
        } => {
            let value = numerator.as_constant().zip(denominator.as_constant());
            let value =
                value.and_then(|(numerator, denominator)| rounding.divide(numerator, denominator));
            number(value, expr)
        }
        Kind::If {
            condition,
            then,
            otherwise,
        } => match condition.as_constant() {
            Some(0) => (**otherwise).clone(),
            Some(_) => (**then).clone(),
            None => expr,
        },
        Kind::Match {
            subject,
            arms,
            otherwise,
        } => {
            let Some(value) = subject.as_constant() else {
                return expr;
            };
            for arm in arms {
                match arm
                    .patterns
                    .iter()
                    .map(|test| fits(test, value))
                    .try_fold(false, |any, fit| Some(any | fit?))
                {
                    Some(true) => return arm.value.clone(),
                    Some(false) => {}
                    None => return expr,
                }
            }
            otherwise.as_deref().cloned().unwrap_or(expr)
        }
        Kind::Read { pool, reading } => match &pool.kind {
            // What is read of either branch is read in that branch: readings of bound pools come to light.
            Kind::If {
                condition,
                then,
                otherwise,
            } if condition.fixed => {
                let read = |pool: &Expr| {
                    let kind = Kind::Read {
                        pool: Box::new(pool.clone()),
                        reading: reading.clone(),
                    };
                    Box::new(simplify(Expr {
                        kind,
                        span,
                        fixed: false,
                    }))
                };
                let (then, otherwise) = (read(then), read(otherwise));
                let kind = Kind::If {
                    condition: condition.clone(),
                    then,
                    otherwise,
                };
                Expr {
                    kind,
                    span,
                    fixed: false,
                }
            }
            _ => expr,
        },
        Kind::Select { index, items } => {
            let item = index
                .as_constant()
                .and_then(|at| usize::try_from(at).ok())
                .and_then(|at| items.get(at));
            item.cloned().unwrap_or(expr)
        }
        _ => expr,
    }
}

/// Whether a test with plain bounds fits.
fn fits(test: &Test, value: i64) -> Option<bool> {
    Some(match test {
        Test::Compare(op, bound) => op.holds(value, bound.as_constant()?),
        Test::Range(from, to) => (from.as_constant()?..=to.as_constant()?).contains(&value),
    })
}

fn simplify_binary(op: BinaryOp, left: &Expr, right: &Expr) -> Option<Expr> {
    let span = left.span.to(right.span);
    match (op, left.as_constant(), right.as_constant()) {
        (_, Some(a), Some(b)) => op.apply(a, b).map(|value| Expr::constant(value, span)),
        (BinaryOp::And, Some(0), _) => Some(Expr::constant(0, span)),
        (BinaryOp::Or, Some(1), _) => Some(Expr::constant(1, span)),
        (BinaryOp::And, Some(1), _) | (BinaryOp::Or, Some(0), _) => Some(right.clone()),
        (BinaryOp::Add, Some(0), _) if !is_pool(right) => Some(right.clone()),
        (BinaryOp::Add | BinaryOp::Subtract, _, Some(0)) => Some(left.clone()),
        _ => None,
    }
}

fn is_pool(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        Kind::Dice { .. } | Kind::Gather(_) | Kind::Keep { .. } | Kind::Draw { .. }
    )
}

/// Takes the fixed bindings out of the statements: they need no place in the order of things.
fn take_fixed(statements: &mut Vec<Statement>, variables: &[Variable]) -> HashMap<VarId, Expr> {
    let mut fixed = HashMap::new();
    statements.retain(|statement| match statement {
        Statement::Let { var, value } if variables[var.0].fixed && value.fixed => {
            fixed.insert(*var, value.clone());
            false
        }
        _ => true,
    });
    for statement in statements {
        if let Statement::Repeat { body, .. } = statement {
            fixed.extend(take_fixed(body, variables));
        }
    }
    fixed
}

/// The rolled variables that an expression reads, also by way of fixed bindings (which read none).
pub(crate) fn collect_vars(expr: &Expr, fixed: &HashMap<VarId, Expr>, out: &mut Vec<VarId>) {
    let mut own = Vec::new();
    let mut read = Vec::new();
    expr.any(&mut |part| {
        match &part.kind {
            Kind::Var(var) => read.push(*var),
            Kind::Block { statements, .. } => own.extend(bound_in(statements)),
            Kind::Read {
                reading: Reading::Map { face, .. },
                ..
            } => own.push(*face),
            _ => {}
        }
        false
    });
    for var in read {
        if !own.contains(&var) && !fixed.contains_key(&var) && !out.contains(&var) {
            out.push(var);
        }
    }
}

/// Drops bindings that nothing reads, last to first.
fn remove_unread(statements: &mut Vec<Statement>, results: &[Expr], fixed: &HashMap<VarId, Expr>) {
    let mut read = Vec::new();
    results
        .iter()
        .for_each(|result| collect_vars(result, fixed, &mut read));
    sweep_unread(statements, fixed, &mut read);
}

fn sweep_unread(
    statements: &mut Vec<Statement>,
    fixed: &HashMap<VarId, Expr>,
    read: &mut Vec<VarId>,
) {
    let mut kept = Vec::with_capacity(statements.len());
    for mut statement in std::mem::take(statements).into_iter().rev() {
        let keep = match &mut statement {
            Statement::Let { var, .. } | Statement::Set { var, .. } => read.contains(var),
            Statement::Repeat { until, body, .. } => {
                // What a round reads, a round before it must set: go round until nothing new is read.
                if let Some(condition) = until {
                    collect_vars(condition, fixed, read);
                }
                loop {
                    let before = read.len();
                    let mut trial = body.clone();
                    sweep_unread(&mut trial, fixed, read);
                    if read.len() == before {
                        *body = trial;
                        break;
                    }
                }
                !body.is_empty()
            }
        };
        if keep {
            if !matches!(statement, Statement::Repeat { .. }) {
                statement.for_each_part(&mut |part| collect_vars(part, fixed, read));
            }
            kept.push(statement);
        }
    }
    kept.reverse();
    *statements = kept;
}

/// How often each variable is read, and whether from inside a loop, a die or a `map`, where once is often.
fn count_reads(expr: &Expr, repeated: bool, counts: &mut HashMap<VarId, usize>) {
    if let Kind::Var(var) = expr.kind {
        *counts.entry(var).or_default() += if repeated { 2 } else { 1 };
    }
    match &expr.kind {
        Kind::Dice { count, die } => {
            count_reads(count, repeated, counts);
            let die_only = Expr {
                kind: Kind::Dice {
                    count: Box::new(Expr::constant(0, expr.span)),
                    die: die.clone(),
                },
                span: expr.span,
                fixed: false,
            };
            die_only.for_each_part(&mut |part| count_reads(part, true, counts));
        }
        Kind::Read { pool, reading } => {
            count_reads(pool, repeated, counts);
            // The bounds of a reading are looked at for every face: a roll there must be bound first.
            let tests: Vec<&Expr> = match reading {
                Reading::Count(tests) => tests.iter().flat_map(Test::bounds).collect(),
                Reading::Matches(k) => vec![k],
                Reading::Map { value, .. } => vec![value],
                Reading::Sum | Reading::Size => Vec::new(),
            };
            tests
                .into_iter()
                .for_each(|part| count_reads(part, true, counts));
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
            statements
                .iter()
                .for_each(|statement| count_statement(statement, repeated, counts));
            count_reads(value, repeated, counts);
        }
        _ => expr.for_each_part(&mut |part| count_reads(part, repeated, counts)),
    }
}

fn count_statement(statement: &Statement, repeated: bool, counts: &mut HashMap<VarId, usize>) {
    match statement {
        Statement::Let { value, .. } | Statement::Set { value, .. } => {
            count_reads(value, repeated, counts);
        }
        Statement::Repeat {
            count, until, body, ..
        } => {
            count_reads(count, true, counts);
            until
                .iter()
                .for_each(|condition| count_reads(condition, true, counts));
            body.iter()
                .for_each(|statement| count_statement(statement, true, counts));
        }
    }
}

/// Moves each roll that is read once to where it is read. A roll's moment does not matter, for rolls are
/// independent; what a changing variable holds at that moment does, so such rolls stay.
fn inline_single_reads(statements: &mut Vec<Statement>, results: &[Expr], variables: &[Variable]) {
    let mut counts = HashMap::new();
    statements
        .iter()
        .for_each(|statement| count_statement(statement, false, &mut counts));
    results
        .iter()
        .for_each(|result| count_reads(result, true, &mut counts));
    let mut waiting: HashMap<VarId, Expr> = HashMap::new();
    let mut kept = Vec::with_capacity(statements.len());
    for statement in std::mem::take(statements) {
        let statement = statement.map_parts(&mut |part| replace_vars(part, &mut waiting));
        match statement {
            Statement::Let { var, value }
                if counts.get(&var) == Some(&1)
                    && !variables[var.0].mutable
                    && !reads_mutable(&value, variables)
                    && depth(&value) <= DEEPEST =>
            {
                waiting.insert(var, value);
            }
            other => kept.push(other),
        }
    }
    *statements = kept;
}

/// Puts each waiting roll where it is read; that happens once.
fn replace_vars(expr: &Expr, waiting: &mut HashMap<VarId, Expr>) -> Expr {
    match expr.kind {
        Kind::Var(var) => waiting.remove(&var).unwrap_or_else(|| expr.clone()),
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
fn outline_subjects(statements: &mut Vec<Statement>, variables: &mut Vec<Variable>) {
    let mut outlined = Vec::with_capacity(statements.len());
    for statement in std::mem::take(statements) {
        match statement {
            Statement::Let { var, mut value } => {
                if let Some(subject) = rolled_subject(&mut value)
                    && !matches!(subject.kind, Kind::Var(_) | Kind::Block { .. })
                {
                    let fresh = VarId(variables.len());
                    let name = "subject".to_owned();
                    variables.push(Variable {
                        name,
                        span: subject.span,
                        fixed: false,
                        is_pool: false,
                        mutable: false,
                    });
                    let span = subject.span;
                    let rolled = std::mem::replace(
                        subject,
                        Expr {
                            kind: Kind::Var(fresh),
                            span,
                            fixed: false,
                        },
                    );
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
fn rolled_subject(expr: &mut Expr) -> Option<&mut Expr> {
    match &mut expr.kind {
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

/// A block's statements as steps, and the value that it ends in.
#[derive(Clone, Debug)]
pub(crate) struct BlockScript {
    /// Variables bound outside that the block reads, ascending.
    pub(crate) before: Vec<VarId>,
    pub(crate) script: Script,
    pub(crate) value: Expr,
}

impl BlockScript {
    /// Prepares a block; the variables of joint readings are added to `variables`.
    pub(crate) fn new(
        statements: &[Statement],
        value: &Expr,
        is_pool: bool,
        variables: &mut Vec<Variable>,
        fixed: &HashMap<VarId, Expr>,
    ) -> Self {
        // The value stands as a last statement while pools look for their readings, and is taken off again.
        let result = VarId(variables.len());
        variables.push(Variable {
            name: "result".to_owned(),
            span: value.span,
            fixed: false,
            is_pool,
            mutable: false,
        });
        let mut statements = statements.to_vec();
        statements.push(Statement::Let {
            var: result,
            value: value.clone(),
        });
        let (mut script, before) = script_of(statements, variables, fixed, &[result]);
        script.live.pop();
        let Some(Step::Let { value, .. } | Step::Roll { pool: value, .. }) = script.steps.pop()
        else {
            unreachable!("the last statement binds the result")
        };
        Self {
            before,
            script,
            value,
        }
    }
}

/// Turns statements into steps; `needed` are the variables that matter at the end. Also the variables that
/// matter at the beginning.
fn script_of(
    statements: Vec<Statement>,
    variables: &mut Vec<Variable>,
    fixed: &HashMap<VarId, Expr>,
    needed: &[VarId],
) -> (Script, Vec<VarId>) {
    let statements = bind_readings(statements, variables);
    let mut steps = Vec::with_capacity(statements.len());
    let mut live_after: Vec<Vec<VarId>> = Vec::with_capacity(statements.len());
    let mut live: Vec<VarId> = needed.to_vec();
    for draft in statements.into_iter().rev() {
        live.sort_unstable();
        live_after.push(live.clone());
        let step = match draft {
            DraftStep::Done(step) => step,
            DraftStep::Statement(Statement::Set { var, value }) if variables[var.0].is_pool => {
                Step::Roll { var, pool: value }
            }
            DraftStep::Statement(Statement::Set { var, value }) => Step::Set { var, value },
            DraftStep::Statement(Statement::Let { var, value }) => Step::Let { var, value },
            DraftStep::Statement(Statement::Repeat { .. }) => {
                unreachable!("a loop is its own draft")
            }
            DraftStep::Loop { count, until, body } => {
                let mut head = live.clone();
                loop {
                    let before = head.len();
                    body.iter().for_each(|statement| {
                        statement.for_each_part(&mut |part| collect_vars(part, fixed, &mut head));
                    });
                    until
                        .iter()
                        .for_each(|condition| collect_vars(condition, fixed, &mut head));
                    if head.len() == before {
                        break;
                    }
                }
                let bound = bound_in(&body);
                head.retain(|var| !bound.contains(var));
                head.sort_unstable();
                let (body, _) = script_of(body, variables, fixed, &head);
                Step::Repeat {
                    count,
                    until,
                    body,
                    head,
                }
            }
        };
        step.update_live(fixed, &mut live);
        steps.push(step);
    }
    steps.reverse();
    live_after.reverse();
    live.sort_unstable();
    let script = Script {
        steps,
        live: live_after,
    };
    (script, live)
}

/// Variables bound by `let` among the statements, at any depth.
fn bound_in(statements: &[Statement]) -> Vec<VarId> {
    let mut bound = Vec::new();
    for statement in statements {
        match statement {
            Statement::Let { var, .. } => bound.push(*var),
            Statement::Repeat { body, .. } => bound.extend(bound_in(body)),
            Statement::Set { .. } => {}
        }
    }
    bound
}

impl Step {
    /// Calls `visit` with each expression of the step.
    pub(crate) fn for_each_expr<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Self::Let { value, .. } | Self::Set { value, .. } => visit(value),
            Self::Roll { pool, .. } => visit(pool),
            Self::Read { pool, readings, .. } => {
                visit(pool);
                readings.iter().for_each(|(_, reading)| visit(reading));
            }
            Self::Repeat {
                count, until, body, ..
            } => {
                visit(count);
                until.iter().for_each(&mut *visit);
                body.steps.iter().for_each(|step| step.for_each_expr(visit));
            }
        }
    }

    /// From the variables that matter after the step to those that matter before it.
    fn update_live(&self, fixed: &HashMap<VarId, Expr>, live: &mut Vec<VarId>) {
        let read = |expr: &Expr, live: &mut Vec<VarId>| collect_vars(expr, fixed, live);
        match self {
            Self::Let { var, value } | Self::Set { var, value } => {
                live.retain(|other| other != var);
                read(value, live);
            }
            Self::Roll { var, pool } => {
                live.retain(|other| other != var);
                read(pool, live);
            }
            Self::Read {
                pool_var,
                pool,
                readings,
            } => {
                live.retain(|other| readings.iter().all(|(var, _)| var != other));
                readings.iter().for_each(|(_, reading)| read(reading, live));
                live.retain(|other| other != pool_var);
                read(pool, live);
            }
            Self::Repeat { head, .. } => {
                for var in head {
                    if !live.contains(var) {
                        live.push(*var);
                    }
                }
            }
        }
    }
}

/// A statement, a loop whose body is still statements, or a step.
enum DraftStep {
    Statement(Statement),
    Loop {
        count: Expr,
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
                visit(count);
                until.iter().for_each(&mut *visit);
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
            Self::Statement(Statement::Let { var, .. }) | Self::Done(Step::Roll { var, .. }) => {
                vec![*var]
            }
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
fn bind_readings(statements: Vec<Statement>, variables: &mut Vec<Variable>) -> Vec<DraftStep> {
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
            variables.push(Variable {
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
    // What a changing variable holds matters: such a pool is rolled where it stands.
    let place = if reads_mutable(pool, variables) {
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
fn reads_mutable(expr: &Expr, variables: &[Variable]) -> bool {
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
