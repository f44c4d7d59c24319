//! Operations that a script is compiled to: they work on columns of trials.

use std::collections::HashMap;
use std::sync::Arc;

use oddsmith_rules::bounds::fitting;
use oddsmith_rules::program::{BinaryOp, Division};

use crate::column::{Column, Operand, Range};
use crate::die::Die;
use crate::uniform::Uniform;

/// One operation. Columns in it have the width of `out` unless it says otherwise.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// One number in every trial.
    Fill { out: Column, value: i64 },
    /// The numbers of a column in another width.
    Convert { out: Column, from: Column },
    /// `a op b`, modulo the width.
    Binary {
        op: Arithmetic,
        out: Column,
        a: Column,
        b: Operand,
    },
    /// `a op b` as 0 or 1, in 8 bits; `a` and `b` have one width.
    Compare {
        op: Comparison,
        out: Column,
        a: Column,
        b: Operand,
    },
    /// `then` where `condition` (of 8 bits) is not 0.
    Select {
        out: Column,
        condition: Column,
        then: Operand,
        otherwise: Operand,
    },
    /// `start + slope * from + the sum of the changes at steps that are at or below from`, modulo the width.
    Steps {
        out: Column,
        from: Column,
        start: i64,
        slope: i64,
        steps: Vec<Step>,
    },
    /// `table[from - low]`, the nearest entry outside of it; `from` may have any width.
    Lookup {
        out: Column,
        from: Column,
        low: i64,
        table: Arc<[i64]>,
    },
    /// `from / by`, rounded; `by` is not 0.
    Divide {
        division: Division,
        out: Column,
        from: Column,
        by: i64,
    },
    /// What a division makes of `a` and `b` in 64 bits; 0 where that is nothing.
    Quotient {
        division: Division,
        out: Column,
        a: Operand,
        b: Operand,
    },
    /// `a op b` in 64 bits, and in 8 bits whether it went beyond them.
    Checked {
        op: Arithmetic,
        out: Column,
        beyond: Column,
        a: Operand,
        b: Operand,
    },
    /// Rolls, in each of `outs` one die with faces `low`, `low + 1`, ….
    Roll {
        die: Arc<Uniform>,
        low: i64,
        outs: Vec<Column>,
    },
    /// The sum of `count` such dice.
    RollSum {
        die: Arc<Uniform>,
        low: i64,
        count: u64,
        out: Column,
    },
    /// Rolls, in each of `outs` one die of another kind; its first faces may be rolled already (in any width).
    RollDice {
        die: Arc<Die>,
        first: Vec<Column>,
        outs: Vec<Column>,
    },
    /// A number of 0 to below `bound` (in any width), each with the same probability; 0 where that is none.
    RollBelow { out: Column, bound: Column },
    /// Draws from a bag without replacement.
    Draw { bag: Arc<Bag>, outs: Vec<Column> },
    /// A number by the rounds of the loops around it.
    ByRound {
        out: Column,
        values: Arc<HashMap<Vec<usize>, i64>>,
        otherwise: i64,
    },
    /// Stops everything with an error if `bad` (of 8 bits) is not 0 in any trial.
    Demand {
        bad: Operand,
        /// The column that the demand is about: if nobody reads it, nobody needs to know. None if it is needed in any case.
        of: Option<Column>,
        /// The values to be put into the message.
        shown: Vec<Column>,
        /// A place in the program's list of errors.
        error: usize,
    },
    /// Rounds of operations.
    Loop(Box<Loop>),
}

impl Op {
    /// The least that it takes in a trial, in quarters of a step: its dice.
    pub(crate) fn quarter_steps(&self) -> u128 {
        match self {
            Self::Roll { outs, .. } => outs.len() as u128,
            Self::RollSum { count, .. } => u128::from(*count),
            // Dice that are rolled one by one.
            Self::RollDice { outs, .. } | Self::Draw { outs, .. } => 16 * outs.len() as u128,
            Self::RollBelow { .. } => 16,
            _ => 0,
        }
    }

    /// What it rolls; none if it draws no random words.
    fn rolled(&self) -> Option<Rolled<'_>> {
        Some(match self {
            Self::Roll { die, low, outs } => Rolled::Dice(die, *low, outs.len()),
            Self::RollSum {
                die, low, count, ..
            } => Rolled::Sum(die, *low, *count),
            Self::RollDice { die, first, outs } => Rolled::Kinds(die, first.len(), outs.len()),
            Self::RollBelow { .. } => Rolled::Below,
            Self::Draw { bag, outs } => Rolled::Bag(bag, outs.len()),
            Self::Loop(rounds) => {
                let (head, body) = (rolled(&rounds.head), rolled(&rounds.body));
                return (!head.is_empty() || !body.is_empty())
                    .then_some(Rolled::Rounds(head, body));
            }
            _ => return None,
        })
    }
}

/// What an operation rolls: those that are equal draw as many random words in every trial, and make the same of them.
#[derive(Debug, PartialEq)]
pub(crate) enum Rolled<'o> {
    /// So many dice whose lowest face is this.
    Dice(&'o Uniform, i64, usize),
    /// Their sum.
    Sum(&'o Uniform, i64, u64),
    /// Dice of another kind, of how many the first faces are known, and how many there are.
    Kinds(&'o Die, usize, usize),
    /// A number below another.
    Below,
    /// So many pieces.
    Bag(&'o Bag, usize),
    /// What is rolled before each round, and in it.
    Rounds(Vec<Self>, Vec<Self>),
}

/// What operations roll, in order.
pub(crate) fn rolled(ops: &[Op]) -> Vec<Rolled<'_>> {
    ops.iter().filter_map(Op::rolled).collect()
}

/// A place from which on something changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) at: i64,
    pub(crate) change: i64,
}

/// Arithmetic: the numbers that can be made of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    /// `b - a`
    From,
    Multiply,
    Min,
    Max,
}

impl Arithmetic {
    /// The result, if it fits 64 bits.
    pub(crate) fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::From => b.checked_sub(a),
            Self::Multiply => a.checked_mul(b),
            Self::Min => Some(a.min(b)),
            Self::Max => Some(a.max(b)),
        }
    }

    /// The bounds of the results; none if one may be beyond 64 bits.
    pub(crate) fn bounds(self, a: Range, b: Range) -> Option<Range> {
        fitting(match self {
            Self::Add => BinaryOp::Add.bounds(a, b),
            Self::Subtract => BinaryOp::Subtract.bounds(a, b),
            Self::From => BinaryOp::Subtract.bounds(b, a),
            Self::Multiply => BinaryOp::Multiply.bounds(a, b),
            Self::Min => BinaryOp::Min.bounds(a, b),
            Self::Max => BinaryOp::Max.bounds(a, b),
        })
    }
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    AtLeast,
    AtMost,
}

/// A bag from which some of its pieces are drawn.
#[derive(Debug, PartialEq)]
pub(crate) struct Bag {
    /// All of them.
    pub(crate) pieces: Vec<i64>,
    /// For each draw the choice among the pieces that are left.
    pub(crate) draws: Vec<Uniform>,
}

/// Rounds of operations on the trials that still go on; those that are done leave, so that later rounds are
/// about fewer.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// How many rounds at most; none for as many as it takes.
    pub(crate) count: Option<u64>,
    /// Rounds after which a trial goes on no more: the count, or where one is stopped that has none.
    pub(crate) most: u64,
    /// Whether its rounds are numbered for the policies of choices in it.
    pub(crate) is_numbered: bool,
    /// Columns from outside and what they are called in here.
    pub(crate) captured: Vec<(Column, Column)>,
    /// The values that rounds change.
    pub(crate) carried: Vec<Carried>,
    /// The operations before each round: these, and whether a trial is done (8 bits).
    pub(crate) head: Vec<Op>,
    pub(crate) stop: Operand,
    /// A round.
    pub(crate) body: Vec<Op>,
    /// Columns of the first round and where they are kept.
    pub(crate) shown: Vec<(Column, Column)>,
    /// The error if there is no first round, should there be one.
    pub(crate) must_begin: Option<usize>,
    /// The error if it takes too many rounds; without one, trials are unfinished then.
    pub(crate) must_end: Option<usize>,
}

/// A value that rounds change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    /// The value before the first round.
    pub(crate) start: Operand,
    /// The value in a round.
    pub(crate) inner: Column,
    /// After the round.
    pub(crate) next: Column,
    /// After the last round.
    pub(crate) out: Column,
    /// The value in trials that were stopped, if that tells them from all others.
    pub(crate) stopped: Option<i64>,
}

impl Operand {
    /// The column, if it is one.
    pub(crate) fn column(self) -> Option<Column> {
        match self {
            Self::Column(column) => Some(column),
            Self::Constant(_) => None,
        }
    }
}

impl Op {
    /// Calls `visit` with each column that it reads; of a loop those outside of it.
    pub(crate) fn for_each_in(&mut self, visit: &mut dyn FnMut(&mut Column)) {
        let mut operand = |operand: &mut Operand| {
            if let Operand::Column(column) = operand {
                visit(column);
            }
        };
        match self {
            Self::Fill { .. }
            | Self::Roll { .. }
            | Self::RollSum { .. }
            | Self::Draw { .. }
            | Self::ByRound { .. } => {}
            Self::RollDice { first, .. } => first.iter_mut().for_each(visit),
            Self::Convert { from, .. }
            | Self::Steps { from, .. }
            | Self::Lookup { from, .. }
            | Self::Divide { from, .. } => visit(from),
            Self::RollBelow { bound, .. } => visit(bound),
            Self::Binary { a, b, .. } | Self::Compare { a, b, .. } => {
                operand(b);
                visit(a);
            }
            Self::Checked { a, b, .. } | Self::Quotient { a, b, .. } => {
                operand(a);
                operand(b);
            }
            Self::Select {
                condition,
                then,
                otherwise,
                ..
            } => {
                operand(then);
                operand(otherwise);
                visit(condition);
            }
            Self::Demand { bad, shown, .. } => {
                operand(bad);
                shown.iter_mut().for_each(visit);
            }
            Self::Loop(rounds) => {
                for carried in &mut rounds.carried {
                    operand(&mut carried.start);
                }
                rounds
                    .captured
                    .iter_mut()
                    .for_each(|(outer, _)| visit(outer));
            }
        }
    }

    /// Calls `visit` with each column that it makes; of a loop those outside of it.
    pub(crate) fn for_each_out(&mut self, visit: &mut dyn FnMut(&mut Column)) {
        match self {
            Self::Fill { out, .. }
            | Self::Convert { out, .. }
            | Self::Binary { out, .. }
            | Self::Compare { out, .. }
            | Self::Select { out, .. }
            | Self::Steps { out, .. }
            | Self::Lookup { out, .. }
            | Self::Divide { out, .. }
            | Self::Quotient { out, .. }
            | Self::RollSum { out, .. }
            | Self::RollBelow { out, .. }
            | Self::ByRound { out, .. } => visit(out),
            Self::Checked { out, beyond, .. } => {
                visit(out);
                visit(beyond);
            }
            Self::Roll { outs, .. } | Self::RollDice { outs, .. } | Self::Draw { outs, .. } => {
                outs.iter_mut().for_each(visit);
            }
            Self::Demand { .. } => {}
            Self::Loop(rounds) => {
                for carried in &mut rounds.carried {
                    visit(&mut carried.out);
                }
                rounds.shown.iter_mut().for_each(|(_, outer)| visit(outer));
            }
        }
    }
}
