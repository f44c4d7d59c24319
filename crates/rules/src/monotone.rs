//! In which direction a number goes when an input grows, as far as the script alone proves it.
//!
//! Dice are coupled: a die of more sides shows at least what a die of fewer sides shows on the same throw of its own chance,
//! and a pool of more dice has all dice of a smaller one and some besides. That changes no odds of either configuration, and
//! so what goes up on every such throw goes up in its mean and in the probability that it is true.

use crate::check::{Domain, Input};
use crate::expectation::Direction;
use crate::interval::{self, Interval, Shape, union};
use crate::program::{
    Arm, BinaryOp, CompareOp, Die, Expr, Faces, Form, InputId, Keep, Kind, Program, Statement,
    Test, UnaryOp, VarId, bound_in, set_in,
};

/// For each of some inputs the direction in which `subject`, an expression over a program's outcomes and inputs, goes
/// when that input alone grows and none leaves its bounds: on every throw of the dice, so that its mean and the
/// probability that it is not 0 go there, too, or stay. None where that is not proved. A number that no change of an input
/// moves has both directions, and is said to go up.
///
/// The program must not fail within these bounds ([`crate::Check::may_fail`]).
#[must_use]
pub fn directions(
    program: &Program,
    (inputs, bounds): (&[Input], &[Interval]),
    subject: &Expr,
    of: &[InputId],
) -> Vec<Option<Direction>> {
    let narrowed = inputs.iter().zip(bounds).map(|(input, (low, high))| Input {
        domain: Domain::Range(*low, *high),
        ..input.clone()
    });
    let inputs: Vec<Input> = narrowed.collect();
    let mut walk = Walk {
        shapes: interval::shapes(program, &inputs),
        inputs: &inputs,
        of,
        known: vec![None; program.variables.len()],
        program,
    };
    walk.statements(&program.statements);
    let found = walk.number(subject).into_iter();
    let told = found.map(|own| match own {
        Move::Still | Move::Up => Some(Direction::Up),
        Move::Down => Some(Direction::Down),
        Move::Any => None,
    });
    told.collect()
}

/// Where a number goes when one input grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// Nowhere.
    Still,
    Up,
    Down,
    /// Nobody knows.
    Any,
}

impl Move {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Still, own) | (own, Self::Still) => own,
            (one, other) if one == other => one,
            _ => Self::Any,
        }
    }

    fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            own => own,
        }
    }

    fn lost(self) -> Self {
        match self {
            Self::Still => Self::Still,
            _ => Self::Any,
        }
    }
}

/// A move for each input.
type Moves = Vec<Move>;

fn each(one: &Moves, other: &Moves, join: impl Fn(Move, Move) -> Move) -> Moves {
    let both = one.iter().zip(other);
    both.map(|(one, other)| join(*one, *other)).collect()
}

fn both(one: &Moves, other: &Moves) -> Moves {
    each(one, other, Move::and)
}

fn opposite(own: &Moves) -> Moves {
    own.iter().map(|own| own.opposite()).collect()
}

fn lost(own: &Moves) -> Moves {
    own.iter().map(|own| own.lost()).collect()
}

/// A pool goes up if every die shows at least what it showed, and dice may come in addition.
#[derive(Clone, Debug)]
struct Pool {
    /// The faces of the dice that are there before and after.
    faces: Moves,
    /// The number of dice.
    size: Moves,
}

struct Walk<'a> {
    program: &'a Program,
    shapes: Vec<Shape>,
    inputs: &'a [Input],
    of: &'a [InputId],
    /// What is known of each variable; a number is a pool of one die.
    known: Vec<Option<Pool>>,
}

impl Walk<'_> {
    fn still(&self) -> Moves {
        vec![Move::Still; self.of.len()]
    }

    fn any(&self) -> Moves {
        vec![Move::Any; self.of.len()]
    }

    fn bounds(&self, expr: &Expr) -> Interval {
        interval::of(expr, false, &self.shapes, self.inputs).faces
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Let { var, value } | Statement::Set { var, value } => {
                    let known = match self.program.variable(*var).is_pool() {
                        true => self.pool(value),
                        false => Pool {
                            faces: self.number(value),
                            size: self.still(),
                        },
                    };
                    self.known[var.0] = Some(known);
                }
                Statement::Choose { var, .. } => self.known[var.0] = None,
                Statement::Repeat { body, .. } => {
                    for var in set_in(body).into_iter().chain(bound_in(body)) {
                        self.known[var.0] = None;
                    }
                }
            }
        }
    }

    fn var(&self, var: VarId) -> Pool {
        let known = self.known[var.0].clone();
        known.unwrap_or_else(|| Pool {
            faces: self.any(),
            size: self.any(),
        })
    }

    fn number(&mut self, expr: &Expr) -> Moves {
        match &expr.kind {
            Kind::Const(_) => self.still(),
            Kind::Input(id) => {
                let own = self.of.iter();
                own.map(|of| if of == id { Move::Up } else { Move::Still })
                    .collect()
            }
            Kind::Var(var) => {
                let Pool { faces, size } = self.var(*var);
                both(&faces, &lost(&size))
            }
            Kind::Unary(op, operand) => {
                let own = self.number(operand);
                match (op, self.bounds(operand)) {
                    (UnaryOp::Sign, _) | (UnaryOp::Abs, (0.., _)) => own,
                    (UnaryOp::Negate | UnaryOp::Not, _) | (UnaryOp::Abs, (_, ..=0)) => {
                        opposite(&own)
                    }
                    (UnaryOp::Abs, _) => lost(&own),
                }
            }
            Kind::Binary(op, left, right) => self.binary(*op, left, right),
            Kind::Divide {
                numerator,
                denominator,
                ..
            } => {
                let (above, below) = (self.number(numerator), self.number(denominator));
                let own = match self.bounds(denominator) {
                    (1.., _) => above,
                    (_, ..=-1) => opposite(&above),
                    _ => lost(&above),
                };
                both(&own, &lost(&below))
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.number(condition);
                let (then, otherwise) = (self.bounded(then), self.bounded(otherwise));
                decided(&condition, &then, &otherwise).0
            }
            Kind::Match {
                subject,
                arms,
                otherwise: Some(otherwise),
            } => self.matched(subject, arms, otherwise),
            Kind::Select { index, items } => self.selected(index, items),
            Kind::Block { statements, value } => {
                self.statements(statements);
                self.number(value)
            }
            Kind::Read { pool, reading } => self.read(pool, reading.form()),
            Kind::Dice { .. } | Kind::Gather(_) | Kind::Keep { .. } => self.read(expr, Form::Sum),
            _ => self.unknown(expr),
        }
    }

    fn bounded(&mut self, expr: &Expr) -> (Moves, Interval) {
        (self.number(expr), self.bounds(expr))
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Moves {
        use CompareOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let ((one, a), (other, b)) = (self.bounded(left), self.bounded(right));
        match op {
            BinaryOp::Add | BinaryOp::Min | BinaryOp::Max | BinaryOp::And | BinaryOp::Or => {
                both(&one, &other)
            }
            BinaryOp::Subtract | BinaryOp::Compare(Greater | GreaterEqual) => {
                both(&one, &opposite(&other))
            }
            BinaryOp::Compare(Less | LessEqual) => both(&opposite(&one), &other),
            BinaryOp::Compare(Equal | NotEqual) => lost(&both(&one, &other)),
            // What grows goes where it goes as often as the other says, or the other way if that is negative.
            BinaryOp::Multiply => both(&times(&one, b), &times(&other, a)),
        }
    }

    fn matched(&mut self, subject: &Expr, arms: &[Arm], otherwise: &Expr) -> Moves {
        let subject = self.number(subject);
        let mut rest = self.bounded(otherwise);
        for arm in arms.iter().rev() {
            let value = self.bounded(&arm.value);
            let condition = self.fits(&subject, &arm.patterns);
            rest = decided(&condition, &value, &rest);
        }
        rest.0
    }

    /// Where it goes whether a number fits one of some tests.
    fn fits(&mut self, subject: &Moves, tests: &[Test]) -> Moves {
        let mut any = self.still();
        for test in tests {
            let own = match test {
                Test::Compare(CompareOp::Greater | CompareOp::GreaterEqual, bound) => {
                    both(subject, &opposite(&self.number(bound)))
                }
                Test::Compare(CompareOp::Less | CompareOp::LessEqual, bound) => {
                    both(&opposite(subject), &self.number(bound))
                }
                Test::Compare(CompareOp::Equal | CompareOp::NotEqual, bound) => {
                    lost(&both(subject, &self.number(bound)))
                }
                Test::Range(from, to) => {
                    let ends = both(&self.number(from), &self.number(to));
                    lost(&both(subject, &ends))
                }
            };
            any = both(&any, &own);
        }
        any
    }

    fn selected(&mut self, index: &Expr, items: &[Expr]) -> Moves {
        let place = self.number(index);
        let items: Vec<(Moves, Interval)> = items.iter().map(|item| self.bounded(item)).collect();
        let rises = items.windows(2).all(|pair| pair[0].1.1 <= pair[1].1.0);
        let falls = items.windows(2).all(|pair| pair[0].1.0 >= pair[1].1.1);
        let place = match (rises, falls) {
            (true, _) => place,
            (_, true) => opposite(&place),
            _ => lost(&place),
        };
        items.iter().fold(place, |all, (own, _)| both(&all, own))
    }

    fn read(&mut self, pool: &Expr, form: Form<'_>) -> Moves {
        let own = self.pool(pool);
        let faces = interval::of(pool, true, &self.shapes, self.inputs).faces;
        match form {
            // More dice are more only if none is negative.
            Form::Sum if faces.0 >= 0 => both(&own.faces, &own.size),
            Form::Sum => both(&own.faces, &lost(&own.size)),
            Form::Size => own.size,
            Form::Count(tests) => both(&self.fits(&own.faces, tests), &own.size),
            Form::Map(..) | Form::Fold(_) | Form::Whole(_) => {
                let all = lost(&both(&own.faces, &own.size));
                match form {
                    Form::Whole(whole) => match whole.place() {
                        Some(place) => both(&all, &lost(&self.number(place))),
                        None => all,
                    },
                    // Whatever else it reads may move.
                    _ => self.any(),
                }
            }
        }
    }

    fn pool(&mut self, expr: &Expr) -> Pool {
        match &expr.kind {
            Kind::Var(var) => self.var(*var),
            Kind::Dice { count, die } => Pool {
                faces: self.die(die),
                size: self.number(count),
            },
            Kind::Gather(parts) => {
                let (mut faces, mut size) = (self.still(), self.still());
                for part in parts {
                    let own = self.pool(part);
                    (faces, size) = (both(&faces, &own.faces), both(&size, &own.size));
                }
                Pool { faces, size }
            }
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let (pool, amount) = (self.pool(pool), self.number(amount));
                keep(&pool, *which, &amount)
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } if self.is_pool(then) || self.is_pool(otherwise) => {
                let condition = lost(&self.number(condition));
                let (then, otherwise) = (self.pool(then), self.pool(otherwise));
                let joint = |one: &Moves, other: &Moves| both(&condition, &both(one, other));
                Pool {
                    faces: joint(&then.faces, &otherwise.faces),
                    size: joint(&then.size, &otherwise.size),
                }
            }
            Kind::Block { statements, value } => {
                self.statements(statements);
                self.pool(value)
            }
            Kind::Each { .. } | Kind::Draw { .. } | Kind::Match { .. } if self.is_pool(expr) => {
                let faces = self.unknown(expr);
                Pool {
                    size: faces.clone(),
                    faces,
                }
            }
            _ => Pool {
                faces: self.number(expr),
                size: self.still(),
            },
        }
    }

    /// Whether an expression may be dice that are looked at one by one.
    fn is_pool(&self, expr: &Expr) -> bool {
        match &expr.kind {
            Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Each { .. }
            | Kind::Draw { .. }
            | Kind::Var(_) => true,
            Kind::If {
                then, otherwise, ..
            } => self.is_pool(then) || self.is_pool(otherwise),
            Kind::Match {
                arms, otherwise, ..
            } => {
                let values = arms
                    .iter()
                    .map(|arm| &arm.value)
                    .chain(otherwise.as_deref());
                values.into_iter().any(|value| self.is_pool(value))
            }
            Kind::Block { value, .. } => self.is_pool(value),
            _ => false,
        }
    }

    /// Where the face of a die goes. One that is rolled again, or whose faces are listed, goes nowhere if nothing in it does.
    fn die(&mut self, die: &Die) -> Moves {
        match &die.faces {
            Faces::Sides(sides) if die.reroll.is_none() && die.explode.is_none() => {
                self.number(sides)
            }
            _ => {
                let mut is_still = true;
                die.for_each_part(&mut |part| is_still &= self.is_still(part));
                if is_still { self.still() } else { self.any() }
            }
        }
    }

    /// What is not looked into goes nowhere only if it reads nothing.
    fn unknown(&self, expr: &Expr) -> Moves {
        if self.is_still(expr) {
            self.still()
        } else {
            self.any()
        }
    }

    fn is_still(&self, expr: &Expr) -> bool {
        !expr.any(&mut |part| {
            matches!(part.kind, Kind::Block { .. } | Kind::Var(_))
                || matches!(part.kind, Kind::Input(id) if self.of.contains(&id))
        })
    }
}

/// Where a multiple goes of what moves, by the bounds of how many times it is taken.
fn times(own: &Moves, (low, high): Interval) -> Moves {
    match (low >= 0, high <= 0) {
        (true, _) => own.clone(),
        (_, true) => opposite(own),
        _ => lost(own),
    }
}

/// The dice that are kept. Of more dice the highest are higher, and the lowest lower.
fn keep(pool: &Pool, which: Keep, amount: &Moves) -> Pool {
    match which {
        Keep::KeepHighest => Pool {
            faces: both(&pool.faces, &pool.size),
            size: both(&pool.size, amount),
        },
        Keep::DropLowest => Pool {
            faces: both(&pool.faces, &pool.size),
            size: both(&pool.size, &opposite(amount)),
        },
        Keep::KeepLowest | Keep::DropHighest => {
            let size = lost(&both(&pool.size, amount));
            Pool {
                faces: both(&pool.faces, &size),
                size,
            }
        }
    }
}

/// What is one thing where a condition is met, else another: where one is never less than the other, it goes where
/// the condition does.
fn decided(
    condition: &Moves,
    (then, own): &(Moves, Interval),
    (otherwise, other): &(Moves, Interval),
) -> (Moves, Interval) {
    let condition = match (own.0 >= other.1, own.1 <= other.0) {
        (true, true) => vec![Move::Still; condition.len()],
        (true, false) => condition.clone(),
        (false, true) => opposite(condition),
        (false, false) => lost(condition),
    };
    let moves = both(&condition, &both(then, otherwise));
    (moves, union(*own, *other))
}
