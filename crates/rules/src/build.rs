//! Putting programs together: what follows from the parts is computed, and never said.

use std::sync::Arc;

use crate::program::{
    BinaryOp, Die, Expr, Faces, InputId, Keep, Kind, Node, Program, Reading, Statement, UnaryOp,
    VarId, Variable,
};
use crate::source::Span;
use crate::verify::Flaw;

impl Expr {
    /// An expression of a kind, fixed if its parts are and it rolls nothing itself. A [`Kind::Var`] counts as rolled
    /// here, as it does in questions; in a script it is [`Program::var`].
    #[must_use]
    pub fn new(kind: Kind, span: Span) -> Self {
        Self::made(kind, span, false)
    }

    /// An expression whose parts make it fixed or rolled; a variable is as is said.
    pub(crate) fn made(kind: Kind, span: Span, fixed: bool) -> Self {
        let mut expr = Self(Node { kind, span, fixed });
        expr.0.fixed = expr.is_made_of_fixed();
        expr
    }

    /// The same expression with another place in the ruleset.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.0.span = span;
        self
    }

    /// What kind of expression it is, without its place.
    #[must_use]
    pub fn into_kind(self) -> Kind {
        self.0.kind
    }

    /// The same expression with another kind, which `change` makes of its own: other numbers, other operations, other
    /// parts. [`Node::fixed`] is kept right.
    #[must_use]
    pub fn altered(self, change: impl FnOnce(&mut Kind)) -> Self {
        let Node {
            mut kind,
            span,
            fixed,
        } = self.0;
        change(&mut kind);
        Self::made(kind, span, fixed)
    }

    /// Whether its parts make it fixed; a variable is what it says.
    fn is_made_of_fixed(&self) -> bool {
        match &self.kind {
            Kind::Const(_) | Kind::Input(_) => true,
            Kind::Var(_) => self.fixed,
            Kind::Dice { .. } | Kind::Gather(_) | Kind::Draw { .. } => false,
            // What a block rolls on the way is carried out, also where its value reads none of it.
            _ => {
                let mut fixed = true;
                self.for_each_part(&mut |part| fixed &= part.fixed);
                fixed
            }
        }
    }

    /// A number.
    #[must_use]
    pub fn constant(value: i64, span: Span) -> Self {
        Self::new(Kind::Const(value), span)
    }

    /// The value of an axis or a parameter.
    #[must_use]
    pub fn input(id: InputId, span: Span) -> Self {
        Self::new(Kind::Input(id), span)
    }

    /// `op operand`, computed where the operand is a plain number.
    #[must_use]
    pub fn unary(op: UnaryOp, operand: Self, span: Span) -> Self {
        let value = operand.as_constant().and_then(|value| op.apply(value));
        match value {
            Some(value) => Self::constant(value, span),
            None => Self::new(Kind::Unary(op, Box::new(operand)), span),
        }
    }

    /// `left op right`, computed where both are plain numbers.
    #[must_use]
    pub fn binary(op: BinaryOp, left: Self, right: Self, span: Span) -> Self {
        let sides = left.as_constant().zip(right.as_constant());
        match sides.and_then(|(left, right)| op.apply(left, right)) {
            Some(value) => Self::constant(value, span),
            None => Self::new(Kind::Binary(op, Box::new(left), Box::new(right)), span),
        }
    }

    /// `if condition then then else otherwise`
    #[must_use]
    pub fn if_else(condition: Self, then: Self, otherwise: Self, span: Span) -> Self {
        let kind = Kind::If {
            condition: Box::new(condition),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        };
        Self::new(kind, span)
    }

    /// A pool of `count` dice with the faces 1 to `sides`.
    #[must_use]
    pub fn dice(count: Self, sides: Self, span: Span) -> Self {
        let die = Die {
            faces: Faces::Sides(sides),
            reroll: None,
            explode: None,
            span,
        };
        let (count, die) = (Box::new(count), Box::new(die));
        Self::new(Kind::Dice { count, die }, span)
    }

    /// A number that is read from this pool.
    #[must_use]
    pub fn read(self, reading: Reading, span: Span) -> Self {
        let pool = Box::new(self);
        Self::new(Kind::Read { pool, reading }, span)
    }

    /// The sum of this pool.
    #[must_use]
    pub fn sum(self) -> Self {
        let span = self.span;
        self.read(Reading::Sum, span)
    }

    /// This pool without some of its dice.
    #[must_use]
    pub fn keep(self, which: Keep, amount: Self, span: Span) -> Self {
        let kind = Kind::Keep {
            pool: Box::new(self),
            which,
            amount: Box::new(amount),
        };
        Self::new(kind, span)
    }
}

/// Programs are put together from the top: each `let` gives its variable and the statement that binds it, which is to be
/// placed where it happens. A program with statements that contradict each other is not made.
///
/// ```
/// use oddsmith_rules::program::{BinaryOp, Expr, Program};
/// use oddsmith_rules::Span;
///
/// let span = Span::default();
/// let number = |value| Expr::constant(value, span);
/// let mut empty = Program::default();
/// let (roll, rolled) = empty.bind("roll", Expr::dice(number(2), number(6), span));
/// assert!(empty.variable(roll).is_pool());
/// let plus_one = Expr::binary(BinaryOp::Add, empty.var(roll, span).sum(), number(1), span);
/// let (_, added) = empty.bind("total", plus_one);
/// let program = empty.clone().with_statements(vec![rolled.clone(), added.clone()], 0).unwrap();
/// assert_eq!(program.statements().len(), 2);
/// let flaw = empty.with_statements(vec![added, rolled], 0).unwrap_err();
/// assert_eq!(flaw.to_string(), "`roll` is not bound here (bytes 0 to 0)");
/// ```
impl Program {
    /// A program of these variables and statements, for a check with so many inputs.
    ///
    /// Costs a walk over the statements, and some for each variable, as [`Program::verify`] does.
    ///
    /// # Errors
    /// The first flaw that is found.
    pub fn new(
        variables: Vec<Variable>,
        statements: Vec<Statement>,
        inputs: usize,
    ) -> Result<Self, Flaw> {
        let program = Self {
            variables,
            statements,
        };
        program.verify(inputs).map(|()| program)
    }

    /// This program's variables with other statements, for a check with so many inputs.
    ///
    /// Costs what [`Program::new`] does.
    ///
    /// # Errors
    /// The first flaw that is found.
    pub fn with_statements(self, statements: Vec<Statement>, inputs: usize) -> Result<Self, Flaw> {
        Self::new(self.variables, statements, inputs)
    }

    /// This program's variables with statements that were made of its own ones by something that keeps programs right,
    /// such as putting in what is known. Nothing verifies it again: engines do this for every row of a sweep, and what is
    /// left of a program may be one that no text is, such as a choice behind what was known before it and now is rolled.
    ///
    /// Costs a copy of the variables.
    #[must_use]
    pub fn with_derived(&self, statements: Vec<Statement>) -> Self {
        Self {
            variables: self.variables.clone(),
            statements,
        }
    }

    /// `let name = value`: a variable that nothing changes, and its statement.
    pub fn bind(&mut self, name: impl Into<Arc<str>>, value: Expr) -> (VarId, Statement) {
        self.bind_at((name.into(), value.span), value, false)
    }

    /// `let name = value`: a variable that [`Statement::Set`] may change, and its statement.
    pub fn state(&mut self, name: impl Into<Arc<str>>, value: Expr) -> (VarId, Statement) {
        self.bind_at((name.into(), value.span), value, true)
    }

    /// The same for a name that stands somewhere else than its value.
    pub(crate) fn bind_at(
        &mut self,
        (name, span): (Arc<str>, Span),
        value: Expr,
        mutable: bool,
    ) -> (VarId, Statement) {
        let is_pool = self.is_pool(&value);
        let var = self.declare(Variable {
            fixed: value.fixed && !mutable && !is_pool,
            is_pool,
            mutable,
            ..Variable::rolled(name, span)
        });
        (var, Statement::Let { var, value })
    }

    /// A variable that some other statement binds, or a later one.
    pub(crate) fn declare(&mut self, variable: Variable) -> VarId {
        self.variables.push(variable);
        VarId(self.variables.len() - 1)
    }

    /// The value of a variable.
    ///
    /// # Panics
    /// If `var` is another program's.
    #[must_use]
    pub fn var(&self, var: VarId, span: Span) -> Expr {
        Expr::made(Kind::Var(var), span, self.variable(var).fixed)
    }

    /// Whether an expression is a pool of dice, and no number.
    #[must_use]
    pub fn is_pool(&self, expr: &Expr) -> bool {
        match &expr.kind {
            Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Each { .. }
            | Kind::Draw { .. } => true,
            Kind::Var(var) => {
                let variable = self.variables.get(var.0);
                variable.is_some_and(|variable| variable.is_pool)
            }
            Kind::If { then, .. } => self.is_pool(then),
            Kind::Match {
                arms, otherwise, ..
            } => {
                let mut values = arms
                    .iter()
                    .map(|arm| &arm.value)
                    .chain(otherwise.as_deref());
                values.next().is_some_and(|value| self.is_pool(value))
            }
            Kind::Select { items, .. } => items.first().is_some_and(|item| self.is_pool(item)),
            Kind::Block { value, .. } => self.is_pool(value),
            _ => false,
        }
    }
}
