//! One trial: statements and numbers.

use std::collections::BTreeMap;

use oddsmith_dist::RBig;
use oddsmith_rules::program::{
    Arm, BinaryOp, Expr, Fold, Kind, Party, Reading, Statement, Test, VarId, Whole,
};

use super::tape::Tape;
use super::{Halt, Play};

/// What a variable holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A number, or a truth value.
    Number(i64),
    /// From high to low.
    Pool(Vec<i64>),
}

impl Value {
    /// The number that it is.
    pub fn number(self) -> i64 {
        match self {
            Self::Number(value) => value,
            Self::Pool(_) => panic!("a number is needed"),
        }
    }
}

/// Indexed by variable; none is not bound.
pub type Values = Vec<Option<Value>>;

/// Makes a choice between options, or leaves it.
pub type Policy<'a> = dyn Fn(&mut Trial<'_, '_>, VarId, &[Value]) -> Option<usize> + 'a;

/// A choice at one point of one history of rolls.
pub struct Known {
    /// Whose choice it is.
    pub party: Party,
    /// The variable that is chosen.
    pub var: VarId,
    /// The rounds of the loops around it.
    pub rounds: Vec<usize>,
    /// All that is known.
    pub values: Values,
    /// The options, in order.
    pub options: Vec<Value>,
    /// For each option the mean of the goal.
    pub means: Vec<RBig>,
    /// The first of the best.
    pub best: usize,
    /// How likely it is to come here, if all choices are the best; none if it is not.
    pub reached: Option<RBig>,
}

/// A trial on its way: what is bound so far, and the rolls to come.
pub struct Trial<'p, 't> {
    pub(super) play: &'p Play<'p>,
    /// What is bound.
    pub values: Values,
    pub(super) tape: &'t mut Tape,
    /// Where to stop.
    goal: Option<VarId>,
    /// The rounds of the loops that are being played, outermost first.
    pub rounds: Vec<usize>,
}

impl<'p, 't> Trial<'p, 't> {
    pub(super) fn new(play: &'p Play<'p>, tape: &'t mut Tape, goal: Option<VarId>) -> Self {
        Self {
            play,
            values: play.values.clone(),
            tape,
            goal,
            rounds: play.rounds.clone(),
        }
    }

    pub(super) fn statements(&mut self, statements: &[Statement]) -> Result<(), Halt> {
        statements
            .iter()
            .try_for_each(|statement| self.statement(statement))
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Halt> {
        match statement {
            Statement::Let { var, value } | Statement::Set { var, value } => {
                let is_pool = self.play.game.check.program().variable(*var).is_pool();
                let value = if is_pool {
                    Value::Pool(self.pool(value)?)
                } else {
                    Value::Number(self.number(value)?)
                };
                if self.goal == Some(*var) && self.tape.is_past_given() {
                    return Err(Halt::Goal(value.number()));
                }
                self.values[var.0] = Some(value);
            }
            Statement::Choose {
                party,
                var,
                options,
                condition,
                goal,
                ..
            } => {
                let options = self.options(*var, options, condition.as_ref())?;
                let option = self.decide(*party, *var, *goal, &options)?;
                self.values[var.0] = Some(options[option].clone());
            }
            Statement::Repeat {
                count: None,
                until: Some(until),
                body,
                ..
            } => self.play_out(until, body)?,
            Statement::Repeat {
                count, until, body, ..
            } => {
                let count = count.as_ref().expect("a loop has a count or an end");
                let rounds = self.number(count)?;
                self.needs((rounds >= 0).then_some(()), "no negative rounds")?;
                for round in 0..rounds {
                    if let Some(until) = until
                        && self.holds(until)?
                    {
                        break;
                    }
                    self.rounds
                        .push(usize::try_from(round).expect("rounds are counted from 0"));
                    self.statements(body)?;
                    self.rounds.pop();
                }
            }
        }
        Ok(())
    }

    /// What a rule needs to be carried out.
    pub(super) fn needs<T>(&self, value: Option<T>, what: &str) -> Result<T, Halt> {
        self.play.game.needs(value, what)
    }

    /// The value of a variable.
    pub fn var(&self, var: VarId) -> Value {
        self.values[var.0].clone().expect("bound before it is read")
    }

    /// Whether a condition holds.
    pub fn holds(&mut self, condition: &Expr) -> Result<bool, Halt> {
        self.number(condition).map(|value| value != 0)
    }

    /// The value of an expression that is a number.
    pub fn number(&mut self, expr: &Expr) -> Result<i64, Halt> {
        Ok(match &expr.kind {
            Kind::Const(value) => *value,
            Kind::Input(id) => self.play.game.config[*id],
            Kind::Var(var) => self.var(*var).number(),
            Kind::Unary(op, operand) => {
                let made = op.apply(self.number(operand)?);
                self.needs(made, "64 bits are enough")?
            }
            Kind::Binary(BinaryOp::And, left, right) => {
                i64::from(self.holds(left)? && self.holds(right)?)
            }
            Kind::Binary(BinaryOp::Or, left, right) => {
                i64::from(self.holds(left)? || self.holds(right)?)
            }
            Kind::Binary(op, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                self.needs(op.apply(left, right), "64 bits are enough")?
            }
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => {
                let (numerator, denominator) = (self.number(numerator)?, self.number(denominator)?);
                let made = division.divide(numerator, denominator);
                self.needs(made, "no division by zero")?
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => {
                let taken = self.taken(expr)?;
                self.number(taken)?
            }
            Kind::Block { statements, value } => {
                self.statements(statements)?;
                self.number(value)?
            }
            Kind::Read { pool, reading } => {
                let faces = self.pool(pool)?;
                self.read(&faces, reading)?
            }
            Kind::Wins(left, right) => {
                let (left, right) = (self.pool(left)?, self.pool(right)?);
                amount(left.iter().zip(&right).filter(|(a, b)| a > b).count())
            }
            Kind::Dice { .. }
            | Kind::Gather(_)
            | Kind::Keep { .. }
            | Kind::Each { .. }
            | Kind::Draw { .. } => {
                panic!("a pool is no number")
            }
        })
    }

    /// The branch of an `if`, the arm of a `match` or the item of a list that this trial comes to.
    pub(super) fn taken<'e>(&mut self, expr: &'e Expr) -> Result<&'e Expr, Halt> {
        match &expr.kind {
            Kind::If {
                condition,
                then,
                otherwise,
            } => Ok(if self.holds(condition)? {
                then
            } else {
                otherwise
            }),
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let subject = self.number(subject)?;
                for Arm {
                    patterns, value, ..
                } in arms
                {
                    if self.fits_any(subject, patterns)? {
                        return Ok(value);
                    }
                }
                self.needs(otherwise.as_deref(), "an arm fits")
            }
            Kind::Select { index, items } => {
                let index = usize::try_from(self.number(index)?).ok();
                self.needs(index.and_then(|index| items.get(index)), "inside the list")
            }
            _ => panic!("only these have branches"),
        }
    }

    pub(super) fn fits(&mut self, value: i64, test: &Test) -> Result<bool, Halt> {
        Ok(match test {
            Test::Compare(op, bound) => op.holds(value, self.number(bound)?),
            Test::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                from <= value && value <= to
            }
        })
    }

    /// Tests one after the other, until one fits.
    fn fits_any(&mut self, value: i64, tests: &[Test]) -> Result<bool, Halt> {
        for test in tests {
            if self.fits(value, test)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read(&mut self, faces: &[i64], reading: &Reading) -> Result<i64, Halt> {
        Ok(match reading {
            Reading::Sum => {
                let sum = faces.iter().map(|face| i128::from(*face)).sum::<i128>();
                self.needs(i64::try_from(sum).ok(), "64 bits are enough")?
            }
            Reading::Size => amount(faces.len()),
            Reading::Count(tests) => {
                // The bounds belong to the reading, not to each die: dice in them are rolled once.
                let tests: Result<Vec<Test>, Halt> =
                    tests.iter().map(|test| self.known(test)).collect();
                let tests = tests?;
                let mut count = 0;
                for face in faces {
                    count += i64::from(self.fits_any(*face, &tests)?);
                }
                count
            }
            Reading::Whole(whole) => self.whole(faces, whole)?,
            Reading::Fold(fold) => self.fold(faces, fold)?,
            Reading::Map { face: var, value } => {
                let mut sum = 0_i128;
                for face in faces {
                    self.values[var.0] = Some(Value::Number(*face));
                    sum += i128::from(self.number(value)?);
                }
                self.values[var.0] = None;
                self.needs(i64::try_from(sum).ok(), "64 bits are enough")?
            }
        })
    }

    /// Counted anew at each face: nothing of how a fold is made is known here but what it means.
    fn fold(&mut self, faces: &[i64], fold: &Fold) -> Result<i64, Halt> {
        for (var, start) in &fold.states {
            self.values[var.0] = Some(Value::Number(self.number(start)?));
        }
        let pools = amount(fold.counts.len());
        let mut shown: Vec<i64> = faces.iter().map(|face| face.div_euclid(pools)).collect();
        shown.dedup();
        for face in shown {
            self.values[fold.face.0] = Some(Value::Number(face));
            for (place, var) in (0..).zip(&fold.counts) {
                let same = faces.iter().filter(|other| **other == face * pools + place);
                self.values[var.0] = Some(Value::Number(amount(same.count())));
            }
            for (var, value) in &fold.steps {
                self.values[var.0] = Some(Value::Number(self.number(value)?));
            }
        }
        let result = self.var(fold.states[0].0).number();
        for var in fold.bound() {
            self.values[var.0] = None;
        }
        let is_kept_for_failures = result == i64::MIN;
        self.needs(
            (!is_kept_for_failures).then_some(result),
            "64 bits are enough",
        )
    }

    fn whole(&mut self, faces: &[i64], whole: &Whole<Box<Expr>>) -> Result<i64, Halt> {
        let mut sizes: BTreeMap<i64, i64> = BTreeMap::new();
        for face in faces {
            *sizes.entry(*face).or_default() += 1;
        }
        Ok(match whole {
            Whole::Set(k) | Whole::SetFace(k) => {
                let k = usize::try_from(self.number(k)?).ok();
                let k = self.needs(k.filter(|k| *k >= 1), "sets are counted from 1")?;
                let mut sets: Vec<(i64, i64)> =
                    sizes.iter().map(|(face, size)| (*size, *face)).collect();
                sets.sort_unstable();
                let (size, face) = sets.iter().rev().nth(k - 1).copied().unwrap_or((0, 0));
                if matches!(whole, Whole::Set(_)) {
                    size
                } else {
                    face
                }
            }
            Whole::Distinct => amount(sizes.len()),
            Whole::Straight | Whole::StraightFace => {
                let straight = |lowest: &i64| {
                    let mut top = *lowest;
                    while top < i64::MAX && sizes.contains_key(&(top + 1)) {
                        top += 1;
                    }
                    (top - lowest + 1, top)
                };
                let (length, top) = sizes.keys().map(straight).max().unwrap_or((0, 0));
                if matches!(whole, Whole::Straight) {
                    length
                } else {
                    top
                }
            }
        })
    }

    /// A test with numbers for its bounds.
    fn known(&mut self, test: &Test) -> Result<Test, Halt> {
        let mut bound = |expr: &Expr| {
            self.number(expr)
                .map(|value| Expr::constant(value, expr.span))
        };
        Ok(match test {
            Test::Compare(op, value) => Test::Compare(*op, bound(value)?),
            Test::Range(from, to) => Test::Range(bound(from)?, bound(to)?),
        })
    }
}

fn amount(count: usize) -> i64 {
    i64::try_from(count).expect("a count is small")
}
