//! The value of an expression that no die decides.

use std::fmt;

use crate::config::Config;
use crate::program::{Arm, BinaryOp, Expr, Kind, Reading, Statement, Test, VarId, set_in};
use crate::source::Span;

/// Why a fixed expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FixedError {
    /// It depends on dice, or on a variable whose value is not known.
    NotFixed {
        /// The part that does.
        span: Span,
    },
    /// `floor(x / 0)`
    DivisionByZero {
        /// The divisor.
        span: Span,
    },
    /// A result does not fit 64 bits.
    Overflow {
        /// The operation.
        span: Span,
    },
    /// A list has no such item.
    OutsideList {
        /// The index.
        span: Span,
        /// Its value.
        index: i64,
        /// The number of items.
        items: usize,
    },
    /// A `match` has no arm for the value, and no `else`.
    NoArm {
        /// The subject.
        span: Span,
        /// Its value.
        value: i64,
    },
}

impl FixedError {
    /// The part that is to blame.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::NotFixed { span }
            | Self::DivisionByZero { span }
            | Self::Overflow { span }
            | Self::OutsideList { span, .. }
            | Self::NoArm { span, .. } => *span,
        }
    }
}

impl fmt::Display for FixedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFixed { .. } => write!(f, "this depends on dice"),
            Self::DivisionByZero { .. } => write!(f, "division by zero"),
            Self::Overflow { .. } => write!(f, "a number beyond 64 bits"),
            Self::OutsideList { index, items, .. } => {
                write!(
                    f,
                    "no item {index} in a list of {items}, which are at 0 to {}",
                    items.saturating_sub(1)
                )
            }
            Self::NoArm { value, .. } => write!(f, "no arm takes {value}"),
        }
    }
}

impl std::error::Error for FixedError {}

/// The value of a fixed expression in a configuration; `variable` knows what is bound outside of it.
///
/// Only what is reached is evaluated: the branch taken, the item at the index, the right side of
/// `and` and `or` where the left does not decide.
///
/// # Errors
/// If something that is reached has no value; see [`FixedError`].
///
/// ```
/// let text = r#"
/// name = "Demo"
/// [checks.check]
/// axes.by = { domain = "0..=3", default = 2 }
/// rules = "show half = floor(7 / by)"
/// "#;
/// use oddsmith_rules::{FixedError, fixed_value, load, program::Statement};
/// let model = load("demo.toml", text.as_bytes()).unwrap();
/// let check = &model.checks[0];
/// let Statement::Let { value, .. } = &check.program.statements[0] else { unreachable!() };
/// let mut config = check.defaults();
/// assert_eq!(fixed_value(value, &config, &|_| None), Ok(3));
/// config.put(check.input("by").unwrap(), 0);
/// assert!(matches!(fixed_value(value, &config, &|_| None), Err(FixedError::DivisionByZero { .. })));
/// ```
pub fn fixed_value(
    expr: &Expr,
    config: &Config,
    variable: &dyn Fn(VarId) -> Option<i64>,
) -> Result<i64, FixedError> {
    Evaluator::new(config, variable, false).value(expr)
}

/// The value of an expression once the variables are known that `variable` knows, rolled ones too: a pool by its sum.
///
/// # Errors
/// As [`fixed_value`], if it reads anything else that is rolled.
pub fn value_once_rolled(
    expr: &Expr,
    config: &Config,
    variable: &dyn Fn(VarId) -> Option<i64>,
) -> Result<i64, FixedError> {
    Evaluator::new(config, variable, true).value(expr)
}

/// Whether `value` fits; the expression to compare with comes from `bound`.
///
/// # Errors
/// Those of `bound`.
pub(crate) fn fits<E>(
    test: &Test,
    value: i64,
    bound: &mut dyn FnMut(&Expr) -> Result<i64, E>,
) -> Result<bool, E> {
    Ok(match test {
        Test::Compare(op, expr) => op.holds(value, bound(expr)?),
        Test::Range(from, to) => bound(from)? <= value && value <= bound(to)?,
    })
}

/// The place of the first arm that takes `value`; the number of arms if none does.
///
/// # Errors
/// Those of `bound`.
pub(crate) fn arm_taken<E>(
    arms: &[Arm],
    value: i64,
    bound: &mut dyn FnMut(&Expr) -> Result<i64, E>,
) -> Result<usize, E> {
    for (at, arm) in arms.iter().enumerate() {
        for test in &arm.patterns {
            if fits(test, value, bound)? {
                return Ok(at);
            }
        }
    }
    Ok(arms.len())
}

struct Evaluator<'a> {
    config: &'a Config,
    variable: &'a dyn Fn(VarId) -> Option<i64>,
    /// Whether `variable` knows what is rolled, pools by their sums.
    are_rolls_known: bool,
    /// Bound by blocks inside the expression.
    bound: Vec<(VarId, i64)>,
}

impl<'a> Evaluator<'a> {
    fn new(
        config: &'a Config,
        variable: &'a dyn Fn(VarId) -> Option<i64>,
        are_rolls_known: bool,
    ) -> Self {
        Self {
            config,
            variable,
            are_rolls_known,
            bound: Vec::new(),
        }
    }

    fn value(&mut self, expr: &Expr) -> Result<i64, FixedError> {
        let span = expr.span;
        match &expr.kind {
            Kind::Const(value) => Ok(*value),
            Kind::Input(id) => self.config.get(*id).ok_or(FixedError::NotFixed { span }),
            Kind::Var(var) => self.variable(*var).ok_or(FixedError::NotFixed { span }),
            Kind::Unary(op, operand) => op
                .apply(self.value(operand)?)
                .ok_or(FixedError::Overflow { span }),
            Kind::Binary(op, left, right) => self.binary(*op, left, right, span),
            Kind::Divide {
                rounding,
                numerator,
                denominator,
            } => {
                let (numerator, by) = (self.value(numerator)?, self.value(denominator)?);
                if by == 0 {
                    return Err(FixedError::DivisionByZero {
                        span: denominator.span,
                    });
                }
                rounding
                    .divide(numerator, by)
                    .ok_or(FixedError::Overflow { span })
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                if self.value(condition)? == 0 {
                    self.value(otherwise)
                } else {
                    self.value(then)
                }
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let value = self.value(subject)?;
                let taken = arm_taken(arms, value, &mut |bound| self.value(bound))?;
                match (arms.get(taken), otherwise) {
                    (Some(arm), _) => self.value(&arm.value),
                    (None, Some(otherwise)) => self.value(otherwise),
                    (None, None) => Err(FixedError::NoArm {
                        span: subject.span,
                        value,
                    }),
                }
            }
            Kind::Select { index, items } => {
                let at = self.value(index)?;
                match usize::try_from(at).ok().and_then(|at| items.get(at)) {
                    Some(item) => self.value(item),
                    None => Err(FixedError::OutsideList {
                        span: index.span,
                        index: at,
                        items: items.len(),
                    }),
                }
            }
            Kind::Block { statements, value } => self.block(statements, value),
            Kind::Read {
                pool,
                reading: Reading::Sum,
            } => match pool.kind {
                Kind::Var(pool) if self.are_rolls_known => {
                    self.variable(pool).ok_or(FixedError::NotFixed { span })
                }
                _ => Err(FixedError::NotFixed { span }),
            },
            Kind::Read { .. }
            | Kind::Wins(..)
            | Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Draw { .. } => Err(FixedError::NotFixed { span }),
        }
    }

    fn variable(&self, var: VarId) -> Option<i64> {
        let inner = self.bound.iter().rev().find(|(bound, _)| *bound == var);
        inner
            .map(|(_, value)| *value)
            .or_else(|| (self.variable)(var))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Result<i64, FixedError> {
        let first = self.value(left)?;
        match (op, first) {
            (BinaryOp::And, 0) => Ok(0),
            (BinaryOp::Or, 1) => Ok(1),
            _ => op
                .apply(first, self.value(right)?)
                .ok_or(FixedError::Overflow { span }),
        }
    }

    /// Binds what has a value; a block may also roll dice that its value does not depend on.
    fn block(&mut self, statements: &[Statement], value: &Expr) -> Result<i64, FixedError> {
        let outer = self.bound.len();
        let result = self.bind(statements).and_then(|()| self.value(value));
        self.bound.truncate(outer);
        result
    }

    fn bind(&mut self, statements: &[Statement]) -> Result<(), FixedError> {
        let changed = set_in(statements);
        for statement in statements {
            if let Statement::Let { var, value } = statement
                && (value.fixed || self.are_rolls_known && !changed.contains(var))
            {
                match self.value(value) {
                    Ok(value) => self.bound.push((*var, value)),
                    Err(error) if value.fixed && !matches!(error, FixedError::NotFixed { .. }) => {
                        return Err(error);
                    }
                    // It depends on what is rolled, so the value asked for does not use it.
                    Err(_) => {}
                }
            }
        }
        Ok(())
    }
}
