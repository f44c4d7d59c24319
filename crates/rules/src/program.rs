//! The checked form of a script: what both engines read.
//!
//! Functions and calls between checks are already played out in place, names are resolved, labels are
//! numbers (their place in the list), truth is 0 or 1, and every conversion is written down. What is left
//! is integers, pools of dice, and the order in which things happen.

use std::ops::Deref;
use std::sync::Arc;

use crate::choice::Choice;
pub use crate::operators::{BinaryOp, CompareOp, Division, UnaryOp};
pub use crate::reading::{FaceSet, Fold, Form, Reading, Whole};
use crate::source::Span;

/// A value bound by `let`, `show`, a function's parameter or a called check's axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub usize);

/// An axis or a parameter's number: the place of its value in a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputId(pub usize);

/// What is known of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub(crate) name: Arc<str>,
    pub(crate) span: Span,
    pub(crate) fixed: bool,
    pub(crate) is_pool: bool,
    pub(crate) mutable: bool,
    pub(crate) labels: Option<Arc<Choice>>,
    pub(crate) endless: bool,
    /// The number of the check or track that the script plays and that binds it, from 1; 0 for what the script binds itself.
    pub(crate) play: usize,
}

impl Variable {
    /// A rolled number that nothing changes.
    #[must_use]
    pub fn rolled(name: impl Into<Arc<str>>, span: Span) -> Self {
        Self {
            name: name.into(),
            span,
            fixed: false,
            is_pool: false,
            mutable: false,
            labels: None,
            endless: false,
            play: 0,
        }
    }

    /// A pool of dice that nothing changes.
    #[must_use]
    pub fn pool(name: impl Into<Arc<str>>, span: Span) -> Self {
        Self {
            is_pool: true,
            ..Self::rolled(name, span)
        }
    }

    /// The name in the ruleset; not unique, because calls are played out in place.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it is bound.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether it is made of axes and parameters only: it is the same for every roll of a configuration.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// Whether it holds a pool of dice, and not a number.
    #[must_use]
    pub fn is_pool(&self) -> bool {
        self.is_pool
    }

    /// Whether `set` changes it somewhere.
    #[must_use]
    pub fn is_mutable(&self) -> bool {
        self.mutable
    }

    /// Whether dice in it explode without an end, so that it has none; nothing that is shown reads it but for what no
    /// further explosion changes.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.endless
    }

    /// What it holds places of, if it holds labels.
    #[must_use]
    pub fn labels(&self) -> Option<&Arc<Choice>> {
        self.labels.as_ref()
    }
}

/// A script: variables and the statements that bind them, from top to bottom.
///
/// A program agrees with itself, as [`Program::verify`] says. It is read from a file, or it is put together: of a program
/// that has no statements, by [`Program::bind`] and [`Program::with_statements`]; or of its parts, by [`Program::new`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub(crate) variables: Vec<Variable>,
    pub(crate) statements: Vec<Statement>,
}

impl Program {
    /// What is known of the variables, indexed by [`VarId`].
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// What happens, in the order in which it happens at the table.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// What is known of `var`.
    ///
    /// # Panics
    /// If `var` is another program's.
    #[must_use]
    pub fn variable(&self, var: VarId) -> &Variable {
        &self.variables[var.0]
    }
}

impl Program {
    /// The script of a track that is over after so many rounds, if it is not before; `counter` counts them.
    ///
    /// # Panics
    /// If it is no track's.
    #[must_use]
    pub fn stopped_after(&self, rounds: u32, counter: VarId) -> Self {
        let mut stopped = self.clone();
        let own = stopped.statements.iter_mut();
        let mut own = own.filter(|statement| statement.is_own_loop());
        let Some(Statement::Repeat {
            until: Some(until), ..
        }) = own.next()
        else {
            panic!("a track goes round until something holds");
        };
        let span = until.span;
        let (count, most) = (self.var(counter, span), Expr::constant(rounds.into(), span));
        let reached = BinaryOp::Compare(CompareOp::GreaterEqual);
        let reached = Expr::binary(reached, count, most, span);
        *until = Expr::binary(BinaryOp::Or, until.clone(), reached, span);
        stopped
    }
}

/// One step of a script.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// Evaluates `value` once; `var` is that one roll wherever it is named.
    Let {
        /// What is bound.
        var: VarId,
        /// To what.
        value: Expr,
    },
    /// Gives an earlier variable a new value.
    Set {
        /// A variable bound by an earlier [`Statement::Let`].
        var: VarId,
        /// Its new value.
        value: Expr,
    },
    /// Takes the option with the greatest mean of `goal`, or with the least if the opponent takes it, over all that is
    /// rolled and chosen later, knowing what is bound above; the first of those that are equal.
    Choose {
        /// Whose choice it is.
        party: Party,
        /// A number, or a pool if it is one of a pool's subsets.
        var: VarId,
        /// In their order.
        options: Options,
        /// Which of them are allowed; reads `var`. 0 or 1, free of dice.
        condition: Option<Expr>,
        /// Bound by a later [`Statement::Let`] of the same script, at its top level.
        goal: VarId,
        /// The whole statement.
        span: Span,
    },
    /// Up to `count` rounds of `body`, stopping before a round in which `until` holds.
    Repeat {
        /// A fixed number; at least 0. None goes on until it stops, with an `until`: once in a track, for its own rounds,
        /// and wherever a track is played.
        count: Option<Expr>,
        /// Tested before each round.
        until: Option<Expr>,
        /// One round.
        body: Vec<Statement>,
        /// The name of the track whose rounds these are, if it is one that is played here; such a loop has no count.
        played: Option<Arc<str>>,
        /// The whole statement.
        span: Span,
    },
}

impl Statement {
    /// Whether these are the rounds of the track itself, not of one that it plays.
    #[must_use]
    pub fn is_own_loop(&self) -> bool {
        matches!(
            self,
            Self::Repeat {
                count: None,
                played: None,
                ..
            }
        )
    }
}

/// Whether a track is played somewhere in statements, at any depth of loops and blocks.
#[must_use]
pub fn plays_track(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| {
        let inner = match statement {
            Statement::Repeat { played, body, .. } => played.is_some() || plays_track(body),
            _ => false,
        };
        let mut found = inner;
        statement.for_each_part(&mut |part| {
            found = found
                || part.any(&mut |part| match &part.kind {
                    Kind::Block { statements, .. } => plays_track(statements),
                    _ => false,
                });
        });
        found
    })
}

/// Whether something is chosen for a goal that fits among statements, at any depth of loops and blocks.
pub(crate) fn chooses_for(statements: &[Statement], fits: &dyn Fn(VarId) -> bool) -> bool {
    statements.iter().any(|statement| {
        let mut found = match statement {
            Statement::Choose { goal, .. } => fits(*goal),
            Statement::Repeat { body, .. } => chooses_for(body, fits),
            Statement::Let { .. } | Statement::Set { .. } => false,
        };
        statement.for_each_part(&mut |part| {
            found = found
                || part.any(&mut |part| match &part.kind {
                    Kind::Block { statements, .. } => chooses_for(statements, fits),
                    _ => false,
                });
        });
        found
    })
}

/// The variables that [`Statement::Set`] changes among statements, at any depth of loops, as often as it does.
#[must_use]
pub fn set_in(statements: &[Statement]) -> Vec<VarId> {
    let mut set = Vec::new();
    for statement in statements {
        match statement {
            Statement::Set { var, .. } => set.push(*var),
            Statement::Repeat { body, .. } => set.extend(set_in(body)),
            Statement::Let { .. } | Statement::Choose { .. } => {}
        }
    }
    set
}

/// The variables that [`Statement::Let`] and [`Statement::Choose`] bind among statements, at any depth of loops.
#[must_use]
pub fn bound_in(statements: &[Statement]) -> Vec<VarId> {
    let mut bound = Vec::new();
    for statement in statements {
        match statement {
            Statement::Let { var, .. } | Statement::Choose { var, .. } => bound.push(*var),
            Statement::Repeat { body, .. } => bound.extend(bound_in(body)),
            Statement::Set { .. } => {}
        }
    }
    bound
}

/// Whose choice it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    /// The player, who wants the goal to be the greatest: `choose`.
    Player,
    /// The other one, who wants it to be the least: `oppose`.
    Opponent,
}

impl Party {
    /// The keyword of its choices.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Player => "choose",
            Self::Opponent => "oppose",
        }
    }

    /// Whether the first of two worths of the goal is better for this party than the second.
    ///
    /// ```
    /// use oddsmith_rules::program::Party;
    /// assert!(Party::Player.prefers(&3, &2) && Party::Opponent.prefers(&2, &3));
    /// assert!(!Party::Opponent.prefers(&2, &2));
    /// ```
    pub fn prefers<T: PartialOrd>(self, worth: &T, other: &T) -> bool {
        match self {
            Self::Player => worth > other,
            Self::Opponent => worth < other,
        }
    }
}

/// What can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Options {
    /// From the first number to the second, both free of dice.
    Range(Expr, Expr),
    /// The distinct parts of a bound pool: fewest dice first, among those lowest dice first.
    Subsets(Expr),
}

impl Options {
    /// The expressions in it.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let (first, second) = match self {
            Self::Range(from, to) => (from, Some(to)),
            Self::Subsets(pool) => (pool, None),
        };
        std::iter::once(first).chain(second)
    }
}

/// An expression with its place in the ruleset, made by [`Expr::new`] and its kin. It is read as a [`Node`] is, and changed
/// only by what keeps [`Node::fixed`] right, such as [`Expr::map_parts`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr(pub(crate) Node);

impl Deref for Expr {
    type Target = Node;

    fn deref(&self) -> &Node {
        &self.0
    }
}

/// What an [`Expr`] is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
    /// Whether it is free of dice; see [`Variable::is_fixed`].
    pub fixed: bool,
}

impl Expr {
    /// The number, if it is one that stands in the text (or was folded to one).
    #[must_use]
    pub fn as_constant(&self) -> Option<i64> {
        match self.kind {
            Kind::Const(value) => Some(value),
            _ => None,
        }
    }
}

/// The kinds of expression: numbers first, then [`Kind::Read`] from pools, then pools.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number, a label's place or a truth value.
    Const(i64),
    /// The value of an axis or a parameter.
    Input(InputId),
    /// A bound number or pool.
    Var(VarId),
    /// One number made of one.
    Unary(UnaryOp, Box<Expr>),
    /// One number made of two.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `floor(numerator / denominator)`, `ceil(…)` or `mod(numerator, denominator)`.
    Divide {
        /// A quotient that is rounded, or what it leaves.
        division: Division,
        /// Any number.
        numerator: Box<Expr>,
        /// Zero is an error when it is reached.
        denominator: Box<Expr>,
    },
    /// Evaluates the condition, then only the branch taken. The branches may be pools.
    If {
        /// 0 or 1.
        condition: Box<Expr>,
        /// Taken on 1.
        then: Box<Expr>,
        /// Taken on 0.
        otherwise: Box<Expr>,
    },
    /// The first arm with a pattern that fits the subject. The values may be pools.
    Match {
        /// Evaluated once.
        subject: Box<Expr>,
        /// In order.
        arms: Vec<Arm>,
        /// When no arm fits.
        otherwise: Option<Box<Expr>>,
    },
    /// The item at a place of a list, from 0; only that item is evaluated.
    Select {
        /// Outside the list is an error when it is reached.
        index: Box<Expr>,
        /// The list.
        items: Vec<Expr>,
    },
    /// Statements, then a value; a played-out call.
    Block {
        /// Bind variables that only this block sees. Copies of the block share them.
        statements: Arc<[Statement]>,
        /// The result.
        value: Box<Expr>,
    },
    /// One number read from a pool.
    Read {
        /// A pool.
        pool: Box<Expr>,
        /// How.
        reading: Reading,
    },
    /// Both pools sorted and paired: the pairs in which the left die is higher.
    Wins(Box<Expr>, Box<Expr>),

    /// A pool: `count` dice of one kind.
    Dice {
        /// At least 0.
        count: Box<Expr>,
        /// Fixed.
        die: Box<Die>,
    },
    /// A pool of all the dice of these pools; a number is one die that shows it.
    Gather(Vec<Expr>),
    /// A pool without some of its dice.
    Keep {
        /// A pool.
        pool: Box<Expr>,
        /// Which end, and whether it stays or goes.
        which: Keep,
        /// At least 0; more than there are is all.
        amount: Box<Expr>,
    },
    /// A pool of as many dice, each of which shows `value`, in which `face` is the face of a die of the other pool.
    Each {
        /// A pool.
        pool: Box<Expr>,
        /// Bound anew for every die.
        face: VarId,
        /// [Rolls no dice](Expr::rolls_dice).
        value: Box<Expr>,
    },
    /// A pool drawn from a bag without replacement.
    Draw {
        /// Fixed or [arithmetic](Expr::is_arithmetic); at least 0.
        count: Box<Expr>,
        /// Faces and how many of each the bag holds.
        bag: Vec<FaceRange>,
    },
}

/// One kind of die: its faces, then rerolls, then explosions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Die {
    /// Before any modifier.
    pub faces: Faces,
    /// Which faces are rolled again.
    pub reroll: Option<Reroll>,
    /// Which faces are rolled again and added.
    pub explode: Option<Explode>,
    /// From the `d` on.
    pub span: Span,
}

/// The faces of a die.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Faces {
    /// 1 to the value, which is fixed or [arithmetic](Expr::is_arithmetic); below 1 is an error when it is reached.
    Sides(Expr),
    /// As listed, with weights.
    Listed(Vec<FaceRange>),
    /// The results of an expression, rolled anew for every die.
    Of(Expr),
}

/// The faces `from..=to`, each with a weight; all fixed or [arithmetic](Expr::is_arithmetic).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FaceRange {
    /// The lowest face.
    pub from: Expr,
    /// The highest face; none for a single one.
    pub to: Option<Expr>,
    /// How often each face occurs; none is once.
    pub weight: Option<Expr>,
}

/// Faces that are rolled again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reroll {
    /// The second face stands; else until it stops fitting.
    pub once: bool,
    /// Which faces.
    pub test: Test,
}

/// Faces that are rolled again and added.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Explode {
    /// Which faces; none is the die's highest.
    pub test: Option<Test>,
    /// How often at most; fixed, at least 0. Of dice that explode without an end it is found when the script is read: as
    /// often as anything that is shown may turn on.
    pub depth: Expr,
}

impl Explode {
    /// The depth of an explosion without an end, until the one is known that it needs.
    pub(crate) const ENDLESS: i64 = i64::MAX;
}

/// What a number is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// `op value`
    Compare(CompareOp, Expr),
    /// `from..=to`
    Range(Expr, Expr),
}

/// One arm of a [`Kind::Match`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arm {
    /// Any of these.
    pub patterns: Vec<Test>,
    /// From the first pattern to the last.
    pub span: Span,
    /// The result.
    pub value: Expr,
}

/// Which dice of a sorted pool stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// `kh`: the highest stay.
    KeepHighest,
    /// `kl`: the lowest stay.
    KeepLowest,
    /// `dh`: the highest go.
    DropHighest,
    /// `dl`: the lowest go.
    DropLowest,
}

impl Test {
    /// The expressions it compares with: one, or both ends of a range.
    pub fn bounds(&self) -> impl Iterator<Item = &Expr> {
        let (first, second) = match self {
            Self::Compare(_, value) => (value, None),
            Self::Range(from, to) => (from, Some(to)),
        };
        std::iter::once(first).chain(second)
    }

    /// Whether it takes `value`; `bound` knows the values of what it compares with.
    ///
    /// # Errors
    /// Those of `bound`.
    pub fn takes<E>(
        &self,
        value: i64,
        bound: &mut (impl FnMut(&Expr) -> Result<i64, E> + ?Sized),
    ) -> Result<bool, E> {
        Ok(match self {
            Self::Compare(op, expr) => op.holds(value, bound(expr)?),
            Self::Range(from, to) => (bound(from)?..=bound(to)?).contains(&value),
        })
    }
}
