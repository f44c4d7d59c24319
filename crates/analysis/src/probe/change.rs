//! Small changes of a script, such as a slip of the finger makes: one number, one comparison, one operand.
//!
//! Probes are to tell each of them. A change is made at one place of the text, so in every call that plays it out.

use std::collections::{BTreeMap, BTreeSet};

use oddsmith_rules::Check;
use oddsmith_rules::program::{
    BinaryOp, CompareOp, Division, Expr, InputId, Keep, Kind, Statement, Test,
};

/// An input is read as so many others.
const READINGS: usize = 6;

/// One changed place of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The place of the expression, in bytes.
    pub(super) place: (usize, usize),
    /// The kind of the expression, which tells it from others at its place, as a conversion from what it converts.
    kind: std::mem::Discriminant<Kind>,
    slip: Slip,
}

/// A slip: a change of one expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    /// A number is one more, or one less.
    Add(i64),
    /// An input is read as another one.
    Read(InputId),
    /// Another operation on the same operands.
    Operation(BinaryOp),
    /// One of the parts stands alone.
    Only(usize),
    /// The comparison of a `match` arm is its neighbour.
    Arm(usize, CompareOp),
    /// Two arms of a `match` change places, or the last of them and its `else`.
    Swap(usize),
    /// Up is down.
    Round(Division),
    /// Other dice stay.
    Keep(Keep),
}

/// Every change of the script of a check and of what it requires; `beside` are the inputs that act together with another one.
pub(super) fn changes(check: &Check, beside: impl Fn(InputId) -> Vec<InputId>) -> Vec<Change> {
    let mut all: BTreeMap<(usize, usize), Vec<Change>> = BTreeMap::new();
    let mut counted = BTreeSet::new();
    counting(check, check.program().statements(), &mut counted);
    let mut push = |expr: &Expr| {
        let place = (expr.span.start, expr.span.end);
        if counted.contains(&place) {
            return;
        }
        let kind = std::mem::discriminant(&expr.kind);
        let at = all.entry(place).or_default();
        for slip in slips(expr, &beside) {
            let change = Change { place, kind, slip };
            if !at.contains(&change) {
                at.push(change);
            }
        }
    };
    for statement in check.program().statements() {
        statement.for_each_part(&mut |part| part.for_each(&mut push));
    }
    for required in &check.requires {
        required.condition.for_each(&mut push);
    }
    all.into_values().flatten().collect()
}

/// Notes the places where the rounds of a track or a contest are counted. Nobody writes that, so that nobody changes
/// it.
fn counting(check: &Check, statements: &[Statement], places: &mut BTreeSet<(usize, usize)>) {
    for statement in statements {
        match statement {
            Statement::Let { var, value } | Statement::Set { var, value }
                if check.rounds == Some(*var) =>
            {
                value.for_each(&mut |part| {
                    places.insert((part.span.start, part.span.end));
                });
            }
            Statement::Repeat { body, .. } => counting(check, body, places),
            _ => {}
        }
    }
}

fn slips(expr: &Expr, beside: &impl Fn(InputId) -> Vec<InputId>) -> Vec<Slip> {
    match &expr.kind {
        Kind::Const(_) => vec![Slip::Add(1), Slip::Add(-1)],
        Kind::Input(input) => beside(*input)
            .into_iter()
            .map(Slip::Read)
            .take(READINGS)
            .collect(),
        Kind::Unary(..) => vec![Slip::Only(0)],
        Kind::Binary(op, ..) => {
            let others = operations(*op).iter().copied().map(Slip::Operation);
            let alone = match op {
                BinaryOp::Compare(_) => &[][..],
                _ => &[Slip::Only(0), Slip::Only(1)],
            };
            others.chain(alone.iter().copied()).collect()
        }
        Kind::Divide { division, .. } => vec![Slip::Round(match division {
            Division::Floor => Division::Ceil,
            Division::Ceil | Division::Remainder => Division::Floor,
        })],
        Kind::If { .. } => vec![Slip::Only(1), Slip::Only(2)],
        Kind::Match {
            arms, otherwise, ..
        } => {
            let count = arms.len() + usize::from(otherwise.is_some());
            let swaps = (1..count).map(|at| Slip::Swap(at - 1));
            let tests = arms.iter().enumerate().flat_map(|(at, arm)| {
                let ops = arm.patterns.iter().filter_map(|test| match test {
                    Test::Compare(op, _) => Some(neighbour(*op)),
                    Test::Range(..) => None,
                });
                ops.map(move |op| Slip::Arm(at, op))
            });
            swaps.chain(tests).collect()
        }
        Kind::Keep { which, .. } => vec![
            Slip::Only(0),
            Slip::Keep(match which {
                Keep::KeepHighest => Keep::KeepLowest,
                Keep::KeepLowest => Keep::KeepHighest,
                Keep::DropHighest => Keep::DropLowest,
                Keep::DropLowest => Keep::DropHighest,
            }),
        ],
        _ => Vec::new(),
    }
}

/// The operations that are easily written in place of another.
fn operations(op: BinaryOp) -> &'static [BinaryOp] {
    use CompareOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    match op {
        BinaryOp::Add => &[BinaryOp::Subtract],
        BinaryOp::Subtract | BinaryOp::Multiply => &[BinaryOp::Add],
        BinaryOp::Min => &[BinaryOp::Max],
        BinaryOp::Max => &[BinaryOp::Min],
        BinaryOp::And => &[BinaryOp::Or],
        BinaryOp::Or => &[BinaryOp::And],
        BinaryOp::Compare(Equal) => &[
            BinaryOp::Compare(GreaterEqual),
            BinaryOp::Compare(LessEqual),
            BinaryOp::Compare(NotEqual),
        ],
        BinaryOp::Compare(NotEqual) => &[
            BinaryOp::Compare(Less),
            BinaryOp::Compare(Greater),
            BinaryOp::Compare(Equal),
        ],
        BinaryOp::Compare(Less) => &[BinaryOp::Compare(LessEqual), BinaryOp::Compare(NotEqual)],
        BinaryOp::Compare(LessEqual) => &[BinaryOp::Compare(Less), BinaryOp::Compare(Equal)],
        BinaryOp::Compare(Greater) => {
            &[BinaryOp::Compare(GreaterEqual), BinaryOp::Compare(NotEqual)]
        }
        BinaryOp::Compare(GreaterEqual) => &[BinaryOp::Compare(Greater), BinaryOp::Compare(Equal)],
    }
}

/// The comparison that differs from another one at the bound alone.
fn neighbour(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::LessEqual,
        CompareOp::LessEqual => CompareOp::Less,
        CompareOp::Greater => CompareOp::GreaterEqual,
        CompareOp::GreaterEqual => CompareOp::Greater,
        CompareOp::Equal => CompareOp::GreaterEqual,
        CompareOp::NotEqual => CompareOp::Less,
    }
}

impl Change {
    /// The check with this change. It need not be one that a text is: a truth value may have become 2.
    pub(super) fn apply(self, check: &Check) -> Check {
        let mut changed = check.clone();
        let statements = check.program().statements().iter();
        let statements = statements.map(|statement| self.statement(statement));
        changed.set_program(check.program().with_derived(statements.collect()));
        for required in &mut changed.requires {
            required.condition = self.expression(&required.condition);
        }
        changed
    }

    fn statement(self, statement: &Statement) -> Statement {
        statement.map_parts(&mut |part| self.expression(part))
    }

    fn expression(self, expr: &Expr) -> Expr {
        let same = expr.map_parts(&mut |part| self.expression(part));
        let is_here = (expr.span.start, expr.span.end) == self.place
            && std::mem::discriminant(&expr.kind) == self.kind;
        match is_here {
            true => self.slip.apply(same),
            false => same,
        }
    }
}

impl Slip {
    /// The changed expression; the same one, if it is not of the form that this slip is about.
    fn apply(self, expr: Expr) -> Expr {
        match self.part(&expr) {
            Some(part) => part.clone(),
            None => expr.altered(|kind| self.alter(kind)),
        }
    }

    /// The part that stands alone, if this slip is that one does.
    fn part(self, expr: &Expr) -> Option<&Expr> {
        match (self, &expr.kind) {
            (Self::Only(0), Kind::Unary(_, part) | Kind::Keep { pool: part, .. }) => Some(part),
            (Self::Only(0), Kind::Binary(_, part, _)) => Some(part),
            (Self::Only(1), Kind::Binary(_, _, part)) => Some(part),
            (Self::Only(1), Kind::If { then, .. }) => Some(then),
            (Self::Only(2), Kind::If { otherwise, .. }) => Some(otherwise),
            _ => None,
        }
    }

    fn alter(self, kind: &mut Kind) {
        match (self, kind) {
            (Self::Add(by), Kind::Const(value)) => *value = value.saturating_add(by),
            (Self::Read(other), Kind::Input(input)) => *input = other,
            (Self::Operation(other), Kind::Binary(op, ..)) => *op = other,
            (Self::Round(other), Kind::Divide { division, .. }) => *division = other,
            (Self::Keep(other), Kind::Keep { which, .. }) => *which = other,
            (Self::Arm(at, other), Kind::Match { arms, .. }) => {
                for test in &mut arms[at].patterns {
                    if let Test::Compare(op, _) = test
                        && neighbour(*op) == other
                    {
                        *op = other;
                    }
                }
            }
            (
                Self::Swap(at),
                Kind::Match {
                    arms, otherwise, ..
                },
            ) => {
                if at + 1 < arms.len() {
                    let next = arms[at + 1].value.clone();
                    arms[at + 1].value = std::mem::replace(&mut arms[at].value, next);
                } else if let Some(otherwise) = otherwise {
                    std::mem::swap(&mut arms[at].value, otherwise);
                }
            }
            _ => {}
        }
    }
}
