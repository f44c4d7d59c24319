//! Syntax trees of programs.

use crate::source::Span;

/// A program as it is written, with its names in lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) body: Block,
    /// Variables by their numbers.
    pub(crate) names: Vec<String>,
    /// What functions are called by, defined or not.
    pub(crate) shapes: Vec<Shape>,
    pub(crate) functions: Vec<Function>,
}

pub(crate) type Block = Vec<Statement>;

/// What a function is called by: its words, with a gap for each argument.
pub(crate) type Shape = Vec<Option<String>>;

/// A shape as it is written in a program, with `?` for each argument.
pub(crate) fn shape_words(shape: &[Option<String>]) -> String {
    let words = shape.iter().map(|word| word.as_deref().unwrap_or("?"));
    format!("[{}]", words.collect::<Vec<_>>().join(" "))
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Its place in the list of shapes.
    pub(crate) shape: usize,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Block,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: usize,
    pub(crate) kind: ParameterKind,
}

/// What a function makes of an argument before it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    /// `:n`: one number at a time.
    Number,
    /// `:s`: one roll at a time.
    Sequence,
    /// `:d`: a die.
    Die,
    /// Nothing.
    Any,
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Assign {
        name: usize,
        value: Expr,
    },
    Output {
        value: Expr,
        label: Option<Vec<Piece>>,
        span: Span,
    },
    /// A definition of the function of this number.
    Define(usize),
    Loop {
        name: usize,
        over: Expr,
        body: Block,
    },
    If {
        arms: Vec<(Expr, Block)>,
        otherwise: Block,
    },
    Set {
        setting: Setting,
        span: Span,
    },
    Result(Expr),
}

/// A part of a label.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Text(String),
    /// `[NAME]`.
    Name(usize, Span),
}

/// A setting and the value that it gets.
#[derive(Clone, Debug)]
pub(crate) enum Setting {
    PositionOrder(Order),
    ExplodeDepth(Expr),
    FunctionDepth(Expr),
}

/// Which die of a pool, and which digit of a number, has place 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Order {
    #[default]
    HighestFirst,
    LowestFirst,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Number(i64),
    Name(usize),
    Sequence(Vec<Element>),
    Prefix(Prefix, Box<Expr>),
    /// Operators of one rank, from left to right. A list, so that a long sum is not deep.
    Chain(Box<Expr>, Vec<(Operator, Expr)>),
    /// A call of a shape with its arguments.
    Call(usize, Vec<Expr>),
}

/// A part of a sequence: a value or a range, and how often it is repeated.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) from: Expr,
    pub(crate) to: Option<Expr>,
    pub(crate) times: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    Count,
    Not,
    Minus,
    Plus,
    Die,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operator {
    Dice,
    At,
    Power,
    Times,
    Divide,
    Plus,
    Minus,
    Equal,
    Differs,
    Less,
    More,
    AtMost,
    AtLeast,
    And,
    Or,
}

impl Operator {
    /// Ranks of operators, the loosest first; those of a rank go from left to right.
    pub(crate) const RANKS: [&'static [(&'static str, Operator)]; 7] = [
        &[("&", Self::And), ("|", Self::Or)],
        &[
            ("=", Self::Equal),
            ("!=", Self::Differs),
            ("<", Self::Less),
            (">", Self::More),
            ("<=", Self::AtMost),
            (">=", Self::AtLeast),
        ],
        &[("+", Self::Plus), ("-", Self::Minus)],
        &[("*", Self::Times), ("/", Self::Divide)],
        &[("^", Self::Power)],
        &[("@", Self::At)],
        &[("d", Self::Dice)],
    ];

    /// The sign that it is written with.
    pub(crate) fn sign(self) -> &'static str {
        let all = Self::RANKS.iter().flat_map(|rank| rank.iter());
        all.copied()
            .find(|(_, operator)| *operator == self)
            .map_or("", |(sign, _)| sign)
    }
}
