//! Values of expressions that no die decides.

use std::fmt;

use crate::config::Config;
use crate::program::{Arm, BinaryOp, Expr, InputId, Kind, Reading, Statement, VarId, set_in};
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
/// let Statement::Let { value, .. } = &check.program().statements()[0] else { unreachable!() };
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
    Evaluator::new(config, variable, false).plain_value(expr)
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
    Evaluator::new(config, variable, true).plain_value(expr)
}

/// The place of the first arm that takes `value`; the number of arms if none does.
///
/// # Errors
/// Those of `bound`, which knows the values of the expressions to compare with.
pub fn arm_taken<E>(
    arms: &[Arm],
    value: i64,
    bound: &mut (impl FnMut(&Expr) -> Result<i64, E> + ?Sized),
) -> Result<usize, E> {
    for (at, arm) in arms.iter().enumerate() {
        for test in &arm.patterns {
            if test.takes(value, bound)? {
                return Ok(at);
            }
        }
    }
    Ok(arms.len())
}

/// Whether the left side of `and` or `or` leaves the right one out.
#[must_use]
pub fn decides(op: BinaryOp, left: i64) -> bool {
    matches!((op, left), (BinaryOp::And, 0) | (BinaryOp::Or, 1))
}

/// An expression has no value, and nobody asks why: the error of a [`PlainValue`] that says no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoValue;

impl From<FixedError> for NoValue {
    #[inline]
    fn from(_: FixedError) -> Self {
        Self
    }
}

/// Values of expressions without dice, made of the values of their parts.
///
/// What implements it knows inputs, variables and blocks; how values are made of others is written here alone. Only what
/// is reached is evaluated: the branch taken, the item at the index, the right side of `and` and `or` where the left
/// does not decide.
pub trait PlainValue {
    /// Why there is no value: [`FixedError`], or [`NoValue`].
    type Error: From<FixedError>;

    /// The value of an input, if it is known.
    fn input(&self, id: InputId) -> Option<i64>;

    /// The value of a variable, if it is known.
    fn bound(&self, var: VarId) -> Option<i64>;

    /// The value that a block ends in; `expr` is the whole of it.
    ///
    /// # Errors
    /// If it has none.
    fn block(
        &self,
        expr: &Expr,
        statements: &[Statement],
        value: &Expr,
    ) -> Result<i64, Self::Error>;

    /// The sum of a pool, if it is known; usually it is not.
    fn sum(&self, _pool: &Expr) -> Option<i64> {
        None
    }

    /// The value of an expression; none if it depends on what is not known, rolls, or fails.
    #[inline]
    fn plain(&self, expr: &Expr) -> Option<i64> {
        self.plain_value(expr).ok()
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// If something that is reached has no value.
    #[inline]
    fn plain_value(&self, expr: &Expr) -> Result<i64, Self::Error> {
        match &expr.kind {
            Kind::Const(value) => Ok(*value),
            Kind::Var(var) => self.bound(*var).ok_or_else(|| not_fixed(expr)),
            _ => self.value_of_parts(expr),
        }
    }

    /// The value of an expression, made of the [`Self::plain_value`]s of its parts.
    ///
    /// It is not inlined, so that for numbers and variables, which are most parts, nothing is called.
    ///
    /// # Errors
    /// If something that is reached has no value.
    #[inline(never)]
    fn value_of_parts(&self, expr: &Expr) -> Result<i64, Self::Error> {
        match &expr.kind {
            Kind::Const(value) => Ok(*value),
            Kind::Var(var) => self.bound(*var).ok_or_else(|| not_fixed(expr)),
            Kind::Binary(op, left, right) => {
                let left = self.plain_value(left)?;
                if decides(*op, left) {
                    return Ok(left);
                }
                let value = op.apply(left, self.plain_value(right)?);
                value.ok_or_else(|| overflow(expr))
            }
            _ => self.value_otherwise(expr),
        }
    }

    /// The value of an expression that is neither a name nor an operation of two numbers, which most are: apart from
    /// those, so that a call for them has little to save.
    ///
    /// # Errors
    /// If something that is reached has no value.
    #[inline(never)]
    fn value_otherwise(&self, expr: &Expr) -> Result<i64, Self::Error> {
        match &expr.kind {
            Kind::Input(id) => self.input(*id).ok_or_else(|| not_fixed(expr)),
            Kind::Unary(op, operand) => {
                let value = op.apply(self.plain_value(operand)?);
                value.ok_or_else(|| overflow(expr))
            }
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => {
                let (numerator, by) =
                    (self.plain_value(numerator)?, self.plain_value(denominator)?);
                if by == 0 {
                    let span = denominator.span;
                    return Err(FixedError::DivisionByZero { span }.into());
                }
                division.divide(numerator, by).ok_or_else(|| overflow(expr))
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => {
                self.plain_value(self.taken(expr)?)
            }
            Kind::Block { statements, value } => self.block(expr, statements, value),
            Kind::Read {
                pool,
                reading: Reading::Sum,
            } => self.sum(pool).ok_or_else(|| not_fixed(expr)),
            _ => Err(not_fixed(expr)),
        }
    }

    /// The part that an expression turns to, by the value of its first part.
    ///
    /// # Errors
    /// If that part has no value, or the expression turns on nothing.
    fn taken<'e>(&self, expr: &'e Expr) -> Result<&'e Expr, Self::Error> {
        match &expr.kind {
            Kind::If {
                condition: first, ..
            }
            | Kind::Match { subject: first, .. }
            | Kind::Select { index: first, .. } => self.branch(expr, self.plain_value(first)?),
            _ => Err(not_fixed(expr)),
        }
    }

    /// The part that an expression turns to if its first part has this value.
    ///
    /// # Errors
    /// If there is no such part, or a bound before it has no value.
    fn branch<'e>(&self, expr: &'e Expr, first: i64) -> Result<&'e Expr, Self::Error> {
        match &expr.kind {
            Kind::If {
                then, otherwise, ..
            } => Ok(if first == 0 { otherwise } else { then }),
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let taken = arm_taken(arms, first, &mut |bound: &Expr| self.plain_value(bound))?;
                let part = arms.get(taken).map(|arm| &arm.value);
                let (span, value) = (subject.span, first);
                part.or(otherwise.as_deref())
                    .ok_or_else(|| FixedError::NoArm { span, value }.into())
            }
            Kind::Select { index, items } => {
                let item = usize::try_from(first).ok().and_then(|at| items.get(at));
                item.ok_or_else(|| {
                    FixedError::OutsideList {
                        span: index.span,
                        index: first,
                        items: items.len(),
                    }
                    .into()
                })
            }
            _ => Err(not_fixed(expr)),
        }
    }
}

fn not_fixed<E: From<FixedError>>(expr: &Expr) -> E {
    FixedError::NotFixed { span: expr.span }.into()
}

fn overflow<E: From<FixedError>>(expr: &Expr) -> E {
    FixedError::Overflow { span: expr.span }.into()
}

/// What is known in a configuration.
struct Evaluator<'a> {
    config: &'a Config,
    variable: &'a dyn Fn(VarId) -> Option<i64>,
    /// Whether `variable` knows what is rolled, pools by their sums.
    are_rolls_known: bool,
    /// The variables that the block bound which is being evaluated.
    bound: Vec<(VarId, i64)>,
}

impl PlainValue for Evaluator<'_> {
    type Error = FixedError;

    fn input(&self, id: InputId) -> Option<i64> {
        self.config.get(id)
    }

    fn bound(&self, var: VarId) -> Option<i64> {
        let inner = self.bound.iter().rev().find(|(bound, _)| *bound == var);
        inner
            .map(|(_, value)| *value)
            .or_else(|| (self.variable)(var))
    }

    /// A block may also roll dice that its value does not depend on.
    fn block(&self, _: &Expr, statements: &[Statement], value: &Expr) -> Result<i64, FixedError> {
        let outer = |var| self.bound(var);
        let mut inner = Evaluator::new(self.config, &outer, self.are_rolls_known);
        inner.bind(statements)?;
        inner.plain_value(value)
    }

    fn sum(&self, pool: &Expr) -> Option<i64> {
        match pool.kind {
            Kind::Var(pool) if self.are_rolls_known => self.bound(pool),
            _ => None,
        }
    }
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

    /// Binds what has a value.
    fn bind(&mut self, statements: &[Statement]) -> Result<(), FixedError> {
        let changed = set_in(statements);
        for statement in statements {
            if let Statement::Let { var, value } = statement
                && (value.fixed || !changed.contains(var))
            {
                match self.plain_value(value) {
                    // What is changed later is not what it begins with.
                    Ok(_) if changed.contains(var) => {}
                    Ok(value) => self.bound.push((*var, value)),
                    Err(error)
                        if (value.fixed || !self.are_rolls_known)
                            && !matches!(error, FixedError::NotFixed { .. }) =>
                    {
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
