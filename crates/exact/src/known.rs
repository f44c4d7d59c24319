//! The numbers of expressions that are made of what is known, without a word about why one is not.

use oddsmith_rules::program::{Arm, BinaryOp, Expr, InputId, Kind, Statement, Test, VarId};

/// What is known: of inputs, variables and blocks.
pub(crate) trait Known {
    fn input(&self, id: InputId) -> Option<i64>;

    fn bound(&self, var: VarId) -> Option<i64>;

    /// The number that a block ends in.
    fn block(&self, expr: &Expr, statements: &[Statement], value: &Expr) -> Option<i64>;

    /// The number that an expression is; none if it depends on what is not known, rolls, or fails.
    #[inline]
    fn plain(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            Kind::Const(value) => Some(*value),
            Kind::Var(var) => self.bound(*var),
            _ => self.made(expr),
        }
    }

    /// The same, made of the [`Self::plain`] numbers of its parts. Only what is reached is looked at.
    ///
    /// Not inlined, so that for numbers and variables, which are most parts, nothing is called.
    #[inline(never)]
    fn made(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            Kind::Const(value) => Some(*value),
            Kind::Var(var) => self.bound(*var),
            Kind::Binary(op, left, right) => {
                let left = self.plain(left)?;
                if decides(*op, left) {
                    return Some(left);
                }
                op.apply(left, self.plain(right)?)
            }
            _ => self.made_otherwise(expr),
        }
    }

    /// The same of what is neither a name nor an operation of two numbers, which most expressions are: apart from those,
    /// so that a call for them has little to save.
    #[inline(never)]
    fn made_otherwise(&self, expr: &Expr) -> Option<i64> {
        match &expr.kind {
            Kind::Input(id) => self.input(*id),
            Kind::Unary(op, operand) => op.apply(self.plain(operand)?),
            Kind::Divide {
                rounding,
                numerator,
                denominator,
            } => rounding.divide(self.plain(numerator)?, self.plain(denominator)?),
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => {
                self.plain(self.taken(expr)?)
            }
            Kind::Block { statements, value } => self.block(expr, statements, value),
            _ => None,
        }
    }

    /// The part that an expression turns to, if it turns on something known.
    fn taken<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match &expr.kind {
            Kind::If {
                condition: first, ..
            }
            | Kind::Match { subject: first, .. }
            | Kind::Select { index: first, .. } => self.branch(expr, self.plain(first)?),
            _ => None,
        }
    }

    /// The part that an expression turns to if its first part is this number.
    fn branch<'e>(&self, expr: &'e Expr, first: i64) -> Option<&'e Expr> {
        match &expr.kind {
            Kind::If {
                then, otherwise, ..
            } => Some(if first == 0 { otherwise } else { then }),
            Kind::Match {
                arms, otherwise, ..
            } => self.arm(first, arms, otherwise.as_deref()),
            Kind::Select { items, .. } => items.get(usize::try_from(first).ok()?),
            _ => None,
        }
    }

    /// The value of the first arm that takes a number; none if a bound before it is not known.
    fn arm<'e>(
        &self,
        value: i64,
        arms: &'e [Arm],
        otherwise: Option<&'e Expr>,
    ) -> Option<&'e Expr> {
        for arm in arms {
            for test in &arm.patterns {
                if self.fits(test, value)? {
                    return Some(&arm.value);
                }
            }
        }
        otherwise
    }

    fn fits(&self, test: &Test, value: i64) -> Option<bool> {
        Some(match test {
            Test::Compare(op, bound) => op.holds(value, self.plain(bound)?),
            Test::Range(from, to) => (self.plain(from)?..=self.plain(to)?).contains(&value),
        })
    }
}

/// Whether the left side of `and` or `or` leaves the right one out.
pub(crate) fn decides(op: BinaryOp, left: i64) -> bool {
    matches!((op, left), (BinaryOp::And, 0) | (BinaryOp::Or, 1))
}
