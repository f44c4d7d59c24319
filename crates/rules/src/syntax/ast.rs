//! The abstract syntax of scripts, functions and queries: what was written, with where it stands.
//!
//! Nothing is resolved here: a [`ExprKind::Name`] may turn out to be an axis, a parameter, a bound
//! value or a label. `crate::lower` decides.

pub(crate) use crate::program::{CompareOp, Division, Keep, Party};
use crate::source::Span;
use crate::statistic::Statistic;

/// A word and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// The statements of a check's `rules`, top to bottom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    pub(crate) statements: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// `let name = value`, or `show name = value` when `shown`.
    Let {
        name: Name,
        value: Expr,
        shown: bool,
    },
    /// `show name`: an outcome under the name that a value has already.
    Show { name: Name },
    /// `set name = value`: changes an earlier `let`; `set name[place] = value` one item of a list.
    Set {
        name: Name,
        place: Option<Expr>,
        value: Expr,
    },
    /// `choose name in options where condition`; with `oppose` the opponent chooses.
    Choose {
        party: Party,
        name: Name,
        options: Options,
        condition: Option<Expr>,
        span: Span,
    },
    /// `repeat count until condition { body }`; one of count and condition may be missing.
    Repeat {
        count: Option<Expr>,
        until: Option<Expr>,
        body: Vec<Statement>,
        span: Span,
    },
    /// `for name in from..=to { body }`
    For {
        name: Name,
        from: Expr,
        to: Expr,
        body: Vec<Statement>,
        span: Span,
    },
}

/// What can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Options {
    /// `from..=to`
    Range(Expr, Expr),
    /// `subsets(pool)`
    Subsets(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExprKind {
    /// `42`
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// A bare word: a value of that name, else a label.
    Name(String),
    /// `"4/5"`: always a label.
    Label(String),
    /// `[a, b, c]`
    List(Vec<Expr>),
    /// `{2d8, 2d6}`: one pool of all these dice.
    Pool(Vec<Expr>),
    /// `{6: 2, 4: 4}`: faces and how often; only an argument of `draw`.
    Bag(Vec<Face>),
    /// `4d6`, `d20`, `(n)d(s)`; no count is one die.
    Dice {
        count: Option<Box<Expr>>,
        die: Box<Die>,
    },
    /// `pool kh 3`; no amount is 1.
    Keep {
        pool: Box<Expr>,
        which: Keep,
        amount: Option<Box<Expr>>,
    },
    /// `pool cs >= 7`
    Successes {
        pool: Box<Expr>,
        test: Box<Test>,
    },
    /// `list[index]`
    Index {
        list: Box<Expr>,
        index: Box<Expr>,
    },
    /// `record.field`
    Field {
        record: Box<Expr>,
        field: Name,
    },
    Unary {
        op: UnaryOp,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    If {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    Match {
        subject: Option<Box<Expr>>,
        arms: Vec<Arm>,
        otherwise: Option<Box<Expr>>,
    },
    /// `name(args)`: a built-in, a function of the ruleset, or a check. The span of `name` is its own.
    Call {
        name: Name,
        args: Vec<Arg>,
    },
    /// `floor(a / b)` or `ceil(a / b)`.
    Divide {
        division: Division,
        numerator: Box<Expr>,
        denominator: Box<Expr>,
    },
    /// `fold face, count of pool with best = 0 { set best = … }`
    Fold(Box<Fold>),
    /// What could not be read; an error has been reported and nothing more is said about it.
    Error,
}

/// What is carried from the highest face that some die shows to the lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fold {
    /// What the face is called.
    pub(crate) face: Name,
    /// Each pool, with what the number of its dice is called that show the face.
    pub(crate) pools: Vec<(Name, Expr)>,
    /// What is carried, and what it is at first.
    pub(crate) states: Vec<(Name, Expr)>,
    /// What happens at each face.
    pub(crate) steps: Vec<FoldStep>,
}

/// `let name = value` or `set name = value` of a [`Fold`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoldStep {
    pub(crate) name: Name,
    pub(crate) value: Expr,
    /// Whether it is a `let`, for this face alone.
    pub(crate) is_new: bool,
}

impl Fold {
    /// The names that it binds.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        let pools = self.pools.iter().map(|(count, _)| count);
        let states = self.states.iter().map(|(state, _)| state);
        let new = self.steps.iter().filter(|step| step.is_new);
        std::iter::once(&self.face)
            .chain(pools)
            .chain(states)
            .chain(new.map(|step| &step.name))
    }
}

/// One kind of die with its rerolls and explosions, in the order in which they apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Die {
    pub(crate) faces: Faces,
    pub(crate) reroll: Option<Reroll>,
    pub(crate) explode: Option<Explode>,
    /// From the `d` to the end of the die, modifiers included.
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Faces {
    /// `d6`, `d(expr)`
    Sides(Expr),
    /// `d%`
    Percent,
    /// `dF`
    Fate,
    /// `d{1, 1, 2..=4, 6: 3}`
    Listed(Vec<Face>),
    /// `d[expr]`: a die whose faces are the results of any roll.
    Of(Expr),
}

/// `from`, `from..=to`, each with an optional `: weight`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Face {
    pub(crate) from: Expr,
    pub(crate) to: Option<Expr>,
    pub(crate) weight: Option<Expr>,
}

/// `r<3` (until it stops matching) or `ro<3` (`once`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reroll {
    pub(crate) once: bool,
    pub(crate) test: Test,
}

/// `!(depth)` or `!>=9(depth)`; no test means the die's highest face, no depth that it has no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Explode {
    pub(crate) test: Option<Test>,
    pub(crate) depth: Option<Box<Expr>>,
}

/// What a face is compared with: `>= 7`, `4..=5`, `6`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) kind: TestKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TestKind {
    Compare {
        op: CompareOp,
        value: Expr,
    },
    Range {
        from: Expr,
        to: Expr,
    },
    /// A bare value: equal to it. (A pattern's label or number; in a subjectless `match`, a condition.)
    Value(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Negate,
    Not,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Compare(CompareOp),
}

/// `pattern or pattern: value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arm {
    pub(crate) patterns: Vec<Test>,
    pub(crate) value: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Arg {
    Value(Expr),
    /// `name = value`: an axis of a called check.
    Named(Name, Expr),
    /// `>= 7`, `4..=5`: a test, as in `count(pool, >= 7)`.
    Test(Test),
    /// `..`: the caller's axes of the same names.
    Rest(Span),
}

/// `name = "(a, b) => body"` of `[functions]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) params: Vec<Name>,
    pub(crate) body: Expr,
}

/// A question with one number as its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Query {
    pub(crate) ask: Ask,
    /// The event or the number that it is about.
    pub(crate) subject: Expr,
    /// The condition behind `|`.
    pub(crate) given: Option<Expr>,
    /// The number of rounds behind `after`, and where that stands.
    pub(crate) after: Option<(i64, Span)>,
}

/// What is asked about the subject of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ask {
    /// `Hit & Twist`, `P(band >= Hit | Twist)`
    Probability,
    /// `mean(total)`, `mean(total | Hit)`
    Mean,
    /// `variance(total)`
    Variance,
    /// `sd(total)`
    Deviation,
    /// `median(total)`, `quantile(total, 0.9 | Hit)`
    Statistic(Statistic),
}
