//! The ways that a script can go.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use oddsmith_rules::program::{BinaryOp, Expr, Kind, Statement};
use oddsmith_rules::{Check, Span};

/// One way that the script can go at one place of the ruleset. A function that several calls play out in place has one
/// text, and so one set of ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch {
    /// The place at which the expression begins, in bytes from the start of the ruleset.
    start: usize,
    end: usize,
    /// The way that it goes.
    pub way: Way,
}

/// A way that an expression or a statement goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// The branch of an `if` (0 is `then`), the arm of a `match` or the item of a list with this place.
    Taken(usize),
    /// `and` and `or`: whether the left side holds, and whether the right side does, if it is looked at.
    Holds(bool, Option<bool>),
    /// Another round of a `repeat` begins, or it stops before its count is reached.
    Round(bool),
    /// A `choose` has several options.
    Chooses,
    /// Two numbers that are compared stand so to each other: on both sides of a threshold and at it.
    Stands(Ordering),
    /// Dice are dropped from a pool.
    Drops,
    /// A division leaves a rest.
    Rounds,
    /// An operand changes the result of its sum, difference or product.
    Counts(usize),
}

impl fmt::Display for Way {
    /// Which of the ways, to be followed by the text in which it goes it: `branch 2`, `another round`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |holds: &bool| if *holds { "true" } else { "false" };
        match self {
            Self::Taken(place) => write!(f, "branch {}", place + 1),
            Self::Holds(left, None) => write!(f, "the left side {}", side(left)),
            Self::Holds(left, Some(right)) => {
                write!(
                    f,
                    "the left side {} and the right side {}",
                    side(left),
                    side(right)
                )
            }
            Self::Round(true) => f.write_str("a round"),
            Self::Round(false) => f.write_str("the early end"),
            Self::Chooses => f.write_str("several options"),
            Self::Stands(Ordering::Less) => f.write_str("the lower side"),
            Self::Stands(Ordering::Equal) => f.write_str("equality"),
            Self::Stands(Ordering::Greater) => f.write_str("the upper side"),
            Self::Drops => f.write_str("dropped dice"),
            Self::Rounds => f.write_str("a rest"),
            Self::Counts(_) => f.write_str("an operand that counts"),
        }
    }
}

impl Branch {
    pub(super) fn new(span: Span, way: Way) -> Self {
        Self {
            start: span.start,
            end: span.end,
            way,
        }
    }

    /// The place of the expression.
    #[must_use]
    pub fn span(self) -> Span {
        Span::new(self.start, self.end)
    }

    /// Whether the script's text says that it can go this way: a branch, an arm, a round, a choice. All other ways are
    /// the sides of a number, where thresholds and operands show.
    #[must_use]
    pub fn is_written(self) -> bool {
        matches!(
            self.way,
            Way::Taken(_) | Way::Round(_) | Way::Chooses | Way::Holds(..)
        )
    }
}

/// Every way that stands in the text of a check. Of the sides of numbers none are among them, since few thresholds can
/// be met from all sides.
pub(super) fn written(check: &Check) -> BTreeSet<Branch> {
    let mut all = BTreeSet::new();
    statements(check.program().statements(), &mut all);
    all
}

fn statements(list: &[Statement], all: &mut BTreeSet<Branch>) {
    for statement in list {
        if let Statement::Repeat {
            span, until, body, ..
        } = statement
        {
            all.insert(Branch::new(*span, Way::Round(true)));
            if until.is_some() {
                all.insert(Branch::new(*span, Way::Round(false)));
            }
            statements(body, all);
            until.iter().for_each(|until| expression(until, all));
            continue;
        }
        if let Statement::Choose { span, .. } = statement {
            all.insert(Branch::new(*span, Way::Chooses));
        }
        statement.for_each_part(&mut |part| expression(part, all));
    }
}

fn expression(expr: &Expr, all: &mut BTreeSet<Branch>) {
    let mut ways = |ways: &[Way]| {
        for &way in ways {
            all.insert(Branch::new(expr.span, way));
        }
    };
    match &expr.kind {
        Kind::If { .. } => ways(&[Way::Taken(0), Way::Taken(1)]),
        Kind::Match {
            arms, otherwise, ..
        } => {
            let count = arms.len() + usize::from(otherwise.is_some());
            ways(&(0..count).map(Way::Taken).collect::<Vec<_>>());
        }
        Kind::Select { items, .. } => {
            ways(&(0..items.len()).map(Way::Taken).collect::<Vec<_>>());
        }
        Kind::Binary(BinaryOp::And, ..) => ways(&[
            Way::Holds(false, None),
            Way::Holds(true, Some(false)),
            Way::Holds(true, Some(true)),
        ]),
        Kind::Binary(BinaryOp::Or, ..) => ways(&[
            Way::Holds(true, None),
            Way::Holds(false, Some(false)),
            Way::Holds(false, Some(true)),
        ]),
        _ => {}
    }
    if let Kind::Block {
        statements: inner,
        value,
    } = &expr.kind
    {
        statements(inner, all);
        expression(value, all);
        return;
    }
    expr.for_each_part(&mut |part| expression(part, all));
}
