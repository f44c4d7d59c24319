//! A brute-force reading of checked programs, to compare the engine with.
//!
//! One trial is played from top to bottom on concrete numbers, exactly as the language says; every roll is a
//! choice among weighted faces. All trials are played, one for each sequence of choices. Nothing here is
//! clever, and nothing is shared with the engine but the types of numbers.

use std::collections::BTreeMap;

use oddsmith_exact::{RBig, UBig};
use oddsmith_rules::program::{
    Arm, BinaryOp, Die, Expr, FaceRange, Faces, Keep, Kind, Reading, Statement, Test, VarId,
};
use oddsmith_rules::{Check, Config};

/// The shown values of a trial, in the order of the check's outcomes, with their probabilities.
pub(crate) type Joint = BTreeMap<Vec<i64>, RBig>;

/// Plays every trial of a check. None if there are more than `most`.
///
/// # Panics
/// If a rule can't be carried out.
pub(crate) fn joint(check: &Check, config: &Config, most: usize) -> Option<Joint> {
    let mut trial = Trial {
        check,
        config,
        values: vec![None; check.program.variables.len()],
        tape: Tape::default(),
    };
    let mut joint = Joint::new();
    for _ in 0..most {
        trial.values.fill(None);
        trial.statements(&check.program.statements);
        let outcomes = check.outcomes.iter();
        let shown = outcomes.map(|outcome| trial.var(outcome.var).number());
        *joint.entry(shown.collect()).or_default() += trial.tape.probability();
        if !trial.tape.advance() {
            return Some(joint);
        }
    }
    None
}

/// The choices of one trial, replayed up to the last and then extended with first choices: an odometer.
#[derive(Default)]
struct Tape {
    /// What was chosen, and among how many.
    choices: Vec<(usize, usize)>,
    /// How many of them this trial has made.
    made: usize,
    weight: UBig,
    total: UBig,
}

impl Tape {
    /// The place of one of the weights; one of 0 is never chosen.
    fn choose(&mut self, weights: &[UBig]) -> usize {
        let weights: Vec<(usize, &UBig)> = weights
            .iter()
            .enumerate()
            .filter(|(_, weight)| **weight != UBig::ZERO)
            .collect();
        assert!(!weights.is_empty(), "there is nothing to choose from");
        if self.made == 0 {
            (self.weight, self.total) = (UBig::ONE, UBig::ONE);
        }
        if self.made == self.choices.len() {
            self.choices.push((0, weights.len()));
        }
        let (chosen, _) = self.choices[self.made];
        self.made += 1;
        let (place, weight) = weights[chosen];
        self.weight *= weight;
        self.total *= weights
            .iter()
            .fold(UBig::ZERO, |sum, (_, weight)| sum + *weight);
        place
    }

    /// Of the trial just played.
    fn probability(&self) -> RBig {
        match self.made {
            0 => RBig::ONE,
            _ => RBig::from_parts(self.weight.clone().into(), self.total.clone()),
        }
    }

    /// Rewinds to the next trial; false if there is none.
    fn advance(&mut self) -> bool {
        self.made = 0;
        while let Some((chosen, among)) = self.choices.pop() {
            if chosen + 1 < among {
                self.choices.push((chosen + 1, among));
                return true;
            }
        }
        false
    }
}

/// What a variable holds.
#[derive(Clone)]
enum Value {
    Number(i64),
    /// From high to low.
    Pool(Vec<i64>),
}

impl Value {
    fn number(self) -> i64 {
        match self {
            Self::Number(value) => value,
            Self::Pool(_) => panic!("a number is needed"),
        }
    }
}

/// Faces with weights, each positive.
type WeightedFaces = Vec<(i64, UBig)>;

struct Trial<'a> {
    check: &'a Check,
    config: &'a Config,
    values: Vec<Option<Value>>,
    tape: Tape,
}

impl Trial<'_> {
    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Let { var, value } | Statement::Set { var, value } => {
                    let is_pool = self.check.program.variable(*var).is_pool;
                    let value = if is_pool {
                        Value::Pool(self.pool(value))
                    } else {
                        Value::Number(self.number(value))
                    };
                    self.values[var.0] = Some(value);
                }
                Statement::Choose { .. } => unimplemented!("this interpreter makes no choices"),
                Statement::Repeat {
                    count, until, body, ..
                } => {
                    let count = count.as_ref().expect("a check's loops have a count");
                    for _ in 0..self.number(count) {
                        if until.as_ref().is_some_and(|until| self.holds(until)) {
                            break;
                        }
                        self.statements(body);
                    }
                }
            }
        }
    }

    fn var(&self, var: VarId) -> Value {
        self.values[var.0].clone().expect("bound before it is read")
    }

    fn holds(&mut self, condition: &Expr) -> bool {
        self.number(condition) != 0
    }

    fn number(&mut self, expr: &Expr) -> i64 {
        match &expr.kind {
            Kind::Const(value) => *value,
            Kind::Input(id) => self.config.0[id.0],
            Kind::Var(var) => self.var(*var).number(),
            Kind::Unary(op, operand) => op.apply(self.number(operand)).expect("64 bits are enough"),
            Kind::Binary(BinaryOp::And, left, right) => {
                i64::from(self.holds(left) && self.holds(right))
            }
            Kind::Binary(BinaryOp::Or, left, right) => {
                i64::from(self.holds(left) || self.holds(right))
            }
            Kind::Binary(op, left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                op.apply(left, right).expect("64 bits are enough")
            }
            Kind::Divide {
                rounding,
                numerator,
                denominator,
            } => {
                let (numerator, denominator) = (self.number(numerator), self.number(denominator));
                rounding
                    .divide(numerator, denominator)
                    .expect("no division by zero")
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => {
                let taken = self.taken(expr);
                self.number(taken)
            }
            Kind::Block { statements, value } => {
                self.statements(statements);
                self.number(value)
            }
            Kind::Read { pool, reading } => {
                let faces = self.pool(pool);
                self.read(&faces, reading)
            }
            Kind::Wins(left, right) => {
                let (left, right) = (self.pool(left), self.pool(right));
                amount(left.iter().zip(&right).filter(|(a, b)| a > b).count())
            }
            Kind::Dice { .. } | Kind::Gather(_) | Kind::Keep { .. } | Kind::Draw { .. } => {
                panic!("a pool is no number")
            }
        }
    }

    /// The branch of an `if`, the arm of a `match` or the item of a list that this trial comes to.
    fn taken<'e>(&mut self, expr: &'e Expr) -> &'e Expr {
        match &expr.kind {
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                if self.holds(condition) {
                    then
                } else {
                    otherwise
                }
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => {
                let subject = self.number(subject);
                let fits = |arm: &&Arm| arm.patterns.iter().any(|test| self.fits(subject, test));
                let arm = arms.iter().find(fits).map(|arm| &arm.value);
                arm.or(otherwise.as_deref()).expect("an arm fits")
            }
            Kind::Select { index, items } => {
                let index = usize::try_from(self.number(index)).expect("inside the list");
                &items[index]
            }
            _ => panic!("only these have branches"),
        }
    }

    fn fits(&mut self, value: i64, test: &Test) -> bool {
        match test {
            Test::Compare(op, bound) => op.holds(value, self.number(bound)),
            Test::Range(from, to) => {
                let (from, to) = (self.number(from), self.number(to));
                from <= value && value <= to
            }
        }
    }

    fn read(&mut self, faces: &[i64], reading: &Reading) -> i64 {
        match reading {
            Reading::Sum => faces.iter().sum(),
            Reading::Size => amount(faces.len()),
            Reading::Count(tests) => {
                // The bounds belong to the reading, not to each die: dice in them are rolled once.
                let tests: Vec<Test> = tests.iter().map(|test| self.known(test)).collect();
                let fits = |face: &&i64| tests.iter().any(|test| self.fits(**face, test));
                amount(faces.iter().filter(fits).count())
            }
            Reading::Matches(k) => {
                let mut sets: BTreeMap<i64, i64> = BTreeMap::new();
                for face in faces {
                    *sets.entry(*face).or_default() += 1;
                }
                let mut sizes: Vec<i64> = sets.into_values().collect();
                sizes.sort_by_key(|size| -size);
                let k = usize::try_from(self.number(k)).expect("sets are counted from 1");
                sizes.get(k - 1).copied().unwrap_or(0)
            }
            Reading::Map { face: var, value } => faces
                .iter()
                .map(|face| {
                    self.values[var.0] = Some(Value::Number(*face));
                    self.number(value)
                })
                .sum(),
        }
    }

    /// A test with numbers for its bounds.
    fn known(&mut self, test: &Test) -> Test {
        let mut bound = |expr: &Expr| Expr::constant(self.number(expr), expr.span);
        match test {
            Test::Compare(op, value) => Test::Compare(*op, bound(value)),
            Test::Range(from, to) => Test::Range(bound(from), bound(to)),
        }
    }

    /// A rolled pool, from high to low.
    fn pool(&mut self, expr: &Expr) -> Vec<i64> {
        let mut faces = match &expr.kind {
            Kind::Var(var) => match self.var(*var) {
                Value::Pool(faces) => faces,
                Value::Number(value) => vec![value],
            },
            Kind::Dice { count, die } => {
                let count = self.number(count);
                assert!(count >= 0, "a negative count");
                (0..count).map(|_| self.die(die)).collect()
            }
            Kind::Gather(parts) => parts.iter().flat_map(|part| self.pool(part)).collect(),
            Kind::Keep {
                pool,
                which,
                amount,
            } => {
                let faces = self.pool(pool);
                let n = usize::try_from(self.number(amount)).expect("not a negative keep");
                let n = n.min(faces.len());
                let kept = match which {
                    Keep::KeepHighest => &faces[..n],
                    Keep::KeepLowest => &faces[faces.len() - n..],
                    Keep::DropHighest => &faces[n..],
                    Keep::DropLowest => &faces[..faces.len() - n],
                };
                kept.to_vec()
            }
            Kind::Draw { count, bag } => {
                let mut bag = self.listed(bag);
                (0..self.number(count))
                    .map(|_| {
                        let at = self.choose(&bag);
                        bag[at].1 -= 1_u8;
                        bag[at].0
                    })
                    .collect()
            }
            Kind::If { .. } | Kind::Match { .. } | Kind::Select { .. } => {
                let taken = self.taken(expr);
                self.pool(taken)
            }
            Kind::Block { statements, value } => {
                self.statements(statements);
                self.pool(value)
            }
            _ => vec![self.number(expr)],
        };
        faces.sort_by_key(|face| -face);
        faces
    }

    /// One die: each roll of it is a face, rerolled; matching faces are rolled again and added.
    fn die(&mut self, die: &Die) -> i64 {
        let faces = match &die.faces {
            Faces::Sides(sides) => {
                let sides = self.number(sides);
                assert!(sides >= 1, "a die without faces");
                (1..=sides).map(|face| (face, UBig::ONE)).collect()
            }
            Faces::Listed(ranges) => self.listed(ranges),
            // A plain `d[e]` evaluates `e` here and now; what is rerolled or exploded needs all its faces.
            Faces::Of(expr) if die.reroll.is_none() && die.explode.is_none() => {
                return self.number(expr);
            }
            Faces::Of(expr) => self.results(expr),
        };
        let mut standing = faces.clone();
        if let Some(reroll) = &die.reroll
            && !reroll.once
        {
            standing.retain(|(face, _)| !self.fits(*face, &reroll.test));
        }
        let roll = |trial: &mut Self| {
            let first = standing[trial.choose(&standing)].0;
            match &die.reroll {
                Some(reroll) if reroll.once && trial.fits(first, &reroll.test) => {
                    standing[trial.choose(&standing)].0
                }
                _ => first,
            }
        };
        let mut sum = roll(self);
        let Some(explode) = &die.explode else {
            return sum;
        };
        let possible = standing.iter().filter(|(_, weight)| *weight != UBig::ZERO);
        let highest = possible.map(|(face, _)| *face).max();
        let mut last = sum;
        for _ in 0..self.number(&explode.depth) {
            let again = match &explode.test {
                Some(test) => self.fits(last, test),
                None => Some(last) == highest,
            };
            if !again {
                break;
            }
            last = roll(self);
            sum += last;
        }
        sum
    }

    /// The place of one of the faces, by their weights.
    fn choose(&mut self, faces: &WeightedFaces) -> usize {
        let weights: Vec<UBig> = faces.iter().map(|(_, weight)| weight.clone()).collect();
        self.tape.choose(&weights)
    }

    fn listed(&mut self, ranges: &[FaceRange]) -> WeightedFaces {
        let mut faces = WeightedFaces::new();
        for range in ranges {
            let from = self.number(&range.from);
            let to = range.to.as_ref().map_or(from, |to| self.number(to));
            let weight = range
                .weight
                .as_ref()
                .map_or(1, |weight| self.number(weight));
            let weight = UBig::try_from(weight).expect("a weight is not negative");
            faces.extend((from..=to).map(|face| (face, weight.clone())));
        }
        faces
    }

    /// All results of an expression: a brute force of its own.
    fn results(&mut self, expr: &Expr) -> WeightedFaces {
        let outer = std::mem::take(&mut self.tape);
        let mut results: BTreeMap<i64, RBig> = BTreeMap::new();
        loop {
            let value = self.number(expr);
            *results.entry(value).or_default() += self.tape.probability();
            if !self.tape.advance() {
                break;
            }
        }
        self.tape = outer;
        // Over the product of all denominators the probabilities are whole weights.
        let total = results
            .values()
            .fold(UBig::ONE, |product, p| product * p.denominator());
        let weight = |p: RBig| {
            let (numerator, denominator) = p.into_parts();
            UBig::try_from(numerator).expect("not negative") * (&total / denominator)
        };
        results
            .into_iter()
            .map(|(value, p)| (value, weight(p)))
            .collect()
    }
}

fn amount(count: usize) -> i64 {
    i64::try_from(count).expect("a count is small")
}
