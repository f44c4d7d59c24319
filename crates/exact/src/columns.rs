//! Numbers that follow from others, for many rows at once: each operation is done for all rows before the next one.
//!
//! Branches that are not taken are worked out as well. What has no value, such as a quotient by 0, is [`FAILED`] from there on,
//! unless a branch leaves it out; why it has none is told where such a row is worked out by itself.
//!
//! ```text
//! set b = if hit then max(b - die - 3, 0) else b      with b = 9 and three rows of hit and die
//! hit                     1  0  1
//! die                     5  5  8
//! b - die - 3             1  1 -2
//! max(…, 0)               1  1  0
//! if hit then … else b    1  9  0
//! ```

use oddsmith_rules::evaluate::decides;
use oddsmith_rules::program::{
    Arm, BinaryOp, CompareOp, Division, Expr, Kind, Test, UnaryOp, VarId,
};

use crate::evaluate::{Env, FAILED};

/// Numbers that follow one after the other, as operations on columns.
#[derive(Debug, Default)]
pub(crate) struct Formulas {
    constants: Vec<i64>,
    steps: Vec<Step>,
    /// What each number is.
    numbers: Vec<Slot>,
    /// The columns that are read of those that are given, each once.
    read: Vec<usize>,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Constant(usize),
    /// One of those that are given.
    Given(usize),
    /// What a step has made.
    Made(usize),
}

#[derive(Debug)]
struct Step {
    operation: Operation,
    /// Whether it may come to another value in each row.
    varies: bool,
}

#[derive(Debug)]
enum Operation {
    Unary(UnaryOp, Slot),
    Binary(BinaryOp, Slot, Slot),
    Divide(Division, Slot, Slot),
    If(Slot, Slot, Slot),
    Match {
        subject: Slot,
        arms: Vec<(Vec<Takes>, Slot)>,
        otherwise: Option<Slot>,
    },
    Select(Slot, Vec<Slot>),
}

/// What an arm of a `match` takes.
#[derive(Debug)]
enum Takes {
    Compare(CompareOp, Slot),
    Range(Slot, Slot),
}

/// What formulas have made: kept from one use to the next, as its memory is.
#[derive(Debug, Default)]
pub(crate) struct Made(Vec<Vec<i64>>);

/// Numbers of so many rows are worked out at once: more would not stay near.
pub(crate) const MOST_ROWS: usize = 1024;

/// To write formulas down takes as long as to work a few rows out one by one.
const FEWEST_ROWS: usize = 8;

/// Longer formulas have many branches, and in each row most of them are not taken.
const MOST_STEPS: usize = 120;

impl Formulas {
    /// What numbers make of the columns of these variables, of which later ones hide earlier ones of the same variable; none if a
    /// number is more than arithmetic over these, or a long one.
    pub(crate) fn new<'e>(
        env: &mut Env<'_>,
        given: &[VarId],
        numbers: impl Iterator<Item = (VarId, &'e Expr)>,
    ) -> Option<Self> {
        let columns = given.iter().enumerate();
        let known = columns.map(|(at, var)| (*var, Slot::Given(at)));
        let mut writer = Writer {
            env,
            known: known.collect(),
            formulas: Self::default(),
        };
        for (var, value) in numbers {
            let slot = writer.expr(value)?;
            writer.known.push((var, slot));
            writer.formulas.numbers.push(slot);
        }
        Some(writer.formulas)
    }

    /// Works the numbers out for so many rows; columns that are not read may be empty.
    pub(crate) fn work_out(&self, given: &[Vec<i64>], rows: usize, made: &mut Made) {
        let Made(made) = made;
        made.resize_with(self.steps.len(), Vec::new);
        for (at, step) in self.steps.iter().enumerate() {
            let mut column = std::mem::take(&mut made[at]);
            column.clear();
            let operands = Operands {
                constants: &self.constants,
                given,
                made: &made[..at],
            };
            let rows = if step.varies { rows } else { 1 };
            step.operation.work_out(&operands, rows, &mut column);
            made[at] = column;
        }
    }

    /// The columns of the numbers that have been worked out. One of a single value has it in all rows.
    pub(crate) fn numbers<'c>(
        &'c self,
        given: &'c [Vec<i64>],
        Made(made): &'c Made,
    ) -> impl Iterator<Item = &'c [i64]> {
        let operands = Operands {
            constants: &self.constants,
            given,
            made,
        };
        self.numbers.iter().map(move |slot| operands.column(*slot))
    }

    /// Whether a column of those that are given is read.
    pub(crate) fn reads(&self, given: usize) -> bool {
        self.read.contains(&given)
    }
}

/// The columns of numbers that follow from keys over the variables `before`; none if they are few, or no formulas.
pub(crate) fn of_keys<'k, 'e>(
    env: &mut Env<'_>,
    before: &[VarId],
    keys: &(impl ExactSizeIterator<Item = &'k [i64]> + Clone),
    numbers: impl Iterator<Item = (VarId, &'e Expr)>,
) -> Option<Vec<Vec<i64>>> {
    let rows = keys.len();
    if rows < FEWEST_ROWS {
        return None;
    }
    let formulas = Formulas::new(env, before, numbers)?;
    let (mut keys, mut made) = (keys.clone(), Made::default());
    let mut given = vec![Vec::new(); before.len()];
    let mut found = vec![Vec::with_capacity(rows); formulas.numbers.len()];
    while keys.len() > 0 {
        let some = keys.len().min(MOST_ROWS);
        given.iter_mut().for_each(Vec::clear);
        for key in keys.by_ref().take(some) {
            for at in &formulas.read {
                given[*at].push(key[*at]);
            }
        }
        formulas.work_out(&given, some, &mut made);
        for (all, column) in found.iter_mut().zip(formulas.numbers(&given, &made)) {
            all.extend((0..some).map(|row| at(column, row)));
        }
    }
    Some(found)
}

/// The value of a column in a row.
pub(crate) fn at(column: &[i64], row: usize) -> i64 {
    match column {
        [all] => *all,
        values => values[row],
    }
}

/// Writes formulas down.
struct Writer<'e, 'a> {
    env: &'e mut Env<'a>,
    /// The columns of variables, those that count last.
    known: Vec<(VarId, Slot)>,
    formulas: Formulas,
}

impl Writer<'_, '_> {
    fn expr(&mut self, expr: &Expr) -> Option<Slot> {
        let operation = match &expr.kind {
            Kind::Const(value) => return Some(self.constant(*value)),
            Kind::Input(id) => {
                let value = self.env.config[*id];
                return Some(self.constant(value));
            }
            Kind::Var(var) => return self.variable(*var),
            Kind::Unary(op, operand) => Operation::Unary(*op, self.expr(operand)?),
            Kind::Binary(op, left, right) => {
                Operation::Binary(*op, self.expr(left)?, self.expr(right)?)
            }
            Kind::Divide {
                division,
                numerator,
                denominator,
            } => Operation::Divide(*division, self.expr(numerator)?, self.expr(denominator)?),
            Kind::If {
                condition,
                then,
                otherwise,
            } => Operation::If(
                self.expr(condition)?,
                self.expr(then)?,
                self.expr(otherwise)?,
            ),
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => Operation::Match {
                subject: self.expr(subject)?,
                arms: self.all(arms, Self::arm)?,
                otherwise: match otherwise {
                    Some(otherwise) => Some(self.expr(otherwise)?),
                    None => None,
                },
            },
            Kind::Select { index, items } => {
                Operation::Select(self.expr(index)?, self.all(items, Self::expr)?)
            }
            _ => return None,
        };
        self.step(operation)
    }

    fn all<T, U>(
        &mut self,
        parts: &[T],
        write: impl Fn(&mut Self, &T) -> Option<U>,
    ) -> Option<Vec<U>> {
        parts.iter().map(|part| write(self, part)).collect()
    }

    fn arm(&mut self, arm: &Arm) -> Option<(Vec<Takes>, Slot)> {
        let takes = self.all(&arm.patterns, |writer, test| {
            Some(match test {
                Test::Compare(op, bound) => Takes::Compare(*op, writer.expr(bound)?),
                Test::Range(from, to) => Takes::Range(writer.expr(from)?, writer.expr(to)?),
            })
        });
        Some((takes?, self.expr(&arm.value)?))
    }

    fn step(&mut self, operation: Operation) -> Option<Slot> {
        let mut varies = false;
        operation.for_each_slot(&mut |slot| {
            varies |= match slot {
                Slot::Constant(_) => false,
                Slot::Given(_) => true,
                Slot::Made(at) => self.formulas.steps[at].varies,
            };
        });
        let steps = &mut self.formulas.steps;
        steps.push(Step { operation, varies });
        (steps.len() <= MOST_STEPS).then(|| Slot::Made(steps.len() - 1))
    }

    fn constant(&mut self, value: i64) -> Slot {
        let constants = &mut self.formulas.constants;
        let known = constants.iter().position(|known| *known == value);
        Slot::Constant(known.unwrap_or_else(|| {
            constants.push(value);
            constants.len() - 1
        }))
    }

    /// The column of a variable. What follows from the configuration alone has one value, if any.
    fn variable(&mut self, var: VarId) -> Option<Slot> {
        let known = self.known.iter().rev().find(|(known, _)| *known == var);
        if let Some((_, slot)) = known {
            if let Slot::Given(at) = *slot
                && !self.formulas.reads(at)
            {
                self.formulas.read.push(at);
            }
            return Some(*slot);
        }
        if !self.env.scope.fixed.contains_key(&var) {
            return None;
        }
        let value = self.env.value(var).unwrap_or(FAILED);
        Some(self.constant(value))
    }
}

/// What steps read.
#[derive(Clone, Copy)]
struct Operands<'c> {
    constants: &'c [i64],
    given: &'c [Vec<i64>],
    made: &'c [Vec<i64>],
}

impl<'c> Operands<'c> {
    fn column(&self, slot: Slot) -> &'c [i64] {
        match slot {
            Slot::Constant(at) => std::slice::from_ref(&self.constants[at]),
            Slot::Given(at) => &self.given[at],
            Slot::Made(at) => &self.made[at],
        }
    }
}

impl Operation {
    /// Adds what it comes to in each row to a column.
    fn work_out(&self, operands: &Operands<'_>, rows: usize, out: &mut Vec<i64>) {
        let column = |slot: &Slot| operands.column(*slot);
        match self {
            Self::Unary(op, operand) => {
                let values = column(operand).iter();
                out.extend(values.map(|value| lifted([*value], || op.apply(*value))));
            }
            Self::Binary(op, left, right) => {
                binary(*op, column(left), column(right), out);
            }
            Self::Divide(division, numerator, denominator) => {
                let (numerator, denominator) = (column(numerator), column(denominator));
                all((numerator, denominator, out), |numerator, by| {
                    lifted([numerator, by], || division.divide(numerator, by))
                });
            }
            Self::If(condition, then, otherwise) => {
                let (then, otherwise) = (column(then), column(otherwise));
                let condition = column(condition);
                out.extend((0..rows).map(|row| match at(condition, row) {
                    FAILED => FAILED,
                    0 => at(otherwise, row),
                    _ => at(then, row),
                }));
            }
            Self::Match { .. } | Self::Select(..) => {
                let value = |slot: Slot, row: usize| at(operands.column(slot), row);
                out.extend((0..rows).map(|row| {
                    let turned = self.turned(&|slot| value(slot, row));
                    turned.map_or(FAILED, |slot| value(slot, row))
                }));
            }
        }
    }

    /// What a `match` or a list turns to; none if it fails.
    fn turned(&self, value: &dyn Fn(Slot) -> i64) -> Option<Slot> {
        let known = |slot: Slot| Some(value(slot)).filter(|value| *value != FAILED);
        match self {
            Self::Match {
                subject,
                arms,
                otherwise,
            } => {
                let subject = known(*subject)?;
                for (takes, arm) in arms {
                    for test in takes {
                        let is_met = match test {
                            Takes::Compare(op, bound) => op.holds(subject, known(*bound)?),
                            Takes::Range(from, to) => {
                                (known(*from)?..=known(*to)?).contains(&subject)
                            }
                        };
                        if is_met {
                            return Some(*arm);
                        }
                    }
                }
                *otherwise
            }
            Self::Select(index, items) => {
                let at = usize::try_from(known(*index)?).ok()?;
                items.get(at).copied()
            }
            _ => unreachable!("nothing else turns on a value"),
        }
    }

    fn for_each_slot(&self, each: &mut dyn FnMut(Slot)) {
        match self {
            Self::Unary(_, operand) => each(*operand),
            Self::Binary(_, left, right) | Self::Divide(_, left, right) => {
                [left, right].into_iter().for_each(|slot| each(*slot));
            }
            Self::If(condition, then, otherwise) => {
                let slots = [condition, then, otherwise].into_iter();
                slots.for_each(|slot| each(*slot));
            }
            Self::Match {
                subject,
                arms,
                otherwise,
            } => {
                each(*subject);
                otherwise.iter().for_each(|slot| each(*slot));
                for (takes, arm) in arms {
                    each(*arm);
                    takes.iter().for_each(|test| match test {
                        Takes::Compare(_, bound) => each(*bound),
                        Takes::Range(from, to) => {
                            each(*from);
                            each(*to);
                        }
                    });
                }
            }
            Self::Select(index, items) => {
                each(*index);
                items.iter().for_each(|slot| each(*slot));
            }
        }
    }
}

/// What is made of values; what has none makes none.
#[inline]
fn lifted<const N: usize>(values: [i64; N], made: impl Fn() -> Option<i64>) -> i64 {
    match values.contains(&FAILED) {
        true => FAILED,
        false => made().unwrap_or(FAILED),
    }
}

/// An operation on two columns. Each is a loop of its own, in which nothing turns on the operation.
fn binary(op: BinaryOp, left: &[i64], right: &[i64], out: &mut Vec<i64>) {
    use BinaryOp::{Add, And, Compare, Max, Min, Multiply, Or, Subtract};
    use CompareOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let sides = (left, right, out);
    match op {
        Add => all(sides, |left, right| combined(Add, left, right)),
        Subtract => all(sides, |left, right| combined(Subtract, left, right)),
        Multiply => all(sides, |left, right| combined(Multiply, left, right)),
        Min => all(sides, |left, right| combined(Min, left, right)),
        Max => all(sides, |left, right| combined(Max, left, right)),
        And => all(sides, |left, right| combined(And, left, right)),
        Or => all(sides, |left, right| combined(Or, left, right)),
        Compare(Equal) => all(sides, |a, b| combined(Compare(Equal), a, b)),
        Compare(NotEqual) => all(sides, |a, b| combined(Compare(NotEqual), a, b)),
        Compare(Less) => all(sides, |a, b| combined(Compare(Less), a, b)),
        Compare(LessEqual) => all(sides, |a, b| combined(Compare(LessEqual), a, b)),
        Compare(Greater) => all(sides, |a, b| combined(Compare(Greater), a, b)),
        Compare(GreaterEqual) => all(sides, |a, b| combined(Compare(GreaterEqual), a, b)),
    }
}

#[inline]
fn combined(op: BinaryOp, left: i64, right: i64) -> i64 {
    match left != FAILED && decides(op, left) {
        true => left,
        false => lifted([left, right], || op.apply(left, right)),
    }
}

/// What is made of each two values that stand side by side.
#[inline]
fn all((left, right, out): (&[i64], &[i64], &mut Vec<i64>), made: impl Fn(i64, i64) -> i64) {
    match (left, right) {
        (left, [right]) => out.extend(left.iter().map(|left| made(*left, *right))),
        ([left], right) => out.extend(right.iter().map(|right| made(*left, *right))),
        (left, right) => {
            let both = left.iter().zip(right);
            out.extend(both.map(|(left, right)| made(*left, *right)));
        }
    }
}

#[cfg(test)]
mod tests {
    use oddsmith_dist::Budget;
    use oddsmith_rules::load;
    use oddsmith_rules::program::Statement;

    use super::*;
    use crate::cache::Cache;
    use crate::residual::{Purpose, all_known, specialise};

    const RULES: &str = r#"
name = "Columns"
[params]
ladder = { default = [4, 6, 8], domain = "-20..=20" }
[checks.all]
axes.by = { default = 0, domain = "0..=9" }
rules = """
let a = sum(1d20)
let b = sum(1d20)
show sums       = a + b - 3 * a + abs(b) - sign(a) + min(a, b) * max(a, 2)
show quotients  = floor(a / b) + ceil(b / a) + mod(a, b)
show caught     = if b == 0 then -1 else floor(a / b)
show unread     = if a > 100 then floor(7 / by) else a
show lazy       = if b != 0 and floor(a / b) > 1 then 1 else 0
show eager      = if b == 0 or mod(a, b) == 0 then 1 else 0
show logic      = if not (a < b) and (a <= 3 or a >= b or a != 7) then a else -b
show listed     = [a, 2 * b, 5, ladder[1]][a]
show laddered   = ladder[b] + a
show matched    = match a { 0: 9, 1..=b: b, <-3: 2 * a, else: 0 }
show open       = match { a == b: 1, a + b > 2: [7, 8][b], else: floor(9 / a) }
show chained    = listed + matched
"""
"#;

    /// Rows of all pairs of small and of very large numbers.
    fn rows() -> Vec<[i64; 2]> {
        let mut values: Vec<i64> = (-4..=8).collect();
        values.extend([i64::MIN + 1, i64::MAX, i64::MAX - 1, 101]);
        let pairs = values
            .iter()
            .flat_map(|a| values.iter().map(move |b| [*a, *b]));
        pairs.collect()
    }

    /// Where a column has a number, it is that of the row by itself; where it has none, the row fails.
    #[test]
    fn columns_are_their_rows() {
        let model = load("columns.toml", RULES.as_bytes()).expect("it is right");
        let check = &model.checks[0];
        let (config, budget) = (check.defaults(), Budget::unlimited());
        let outcomes: Vec<VarId> = check.outcomes.iter().map(|outcome| outcome.var).collect();
        let known = all_known(&config);
        let residual = specialise(check.program(), &known, &outcomes, Purpose::Run);
        let cache = Cache::default();
        let mut env = Env::new(&check.source, &config, &budget, &cache, &residual);
        let statements = check.program().statements().iter();
        let mut numbers = statements.filter_map(|statement| match statement {
            Statement::Let { var, value } => Some((*var, value)),
            _ => None,
        });
        let given = [(); 2].map(|()| numbers.next().expect("two dice come first").0);
        let numbers: Vec<(VarId, &Expr)> = numbers.collect();
        let mut failed = [0; 2];
        let last = numbers.len() - 1;
        for (at, (_, value)) in numbers.iter().enumerate() {
            // Each by itself, but for the last, which follows from others.
            let first = if at == last { 0 } else { at };
            let all = || numbers[first..=at].iter().copied();
            // So often that they are more than are worked out at once.
            let rows = rows().repeat(4);
            let keys = rows.iter().map(<[i64; 2]>::as_slice);
            let columns = of_keys(&mut env, &given, &keys, all());
            let columns = columns.unwrap_or_else(|| panic!("arithmetic: {value:?}"));
            for (row, key) in rows.iter().enumerate() {
                env.bind_all(&given, key);
                // A row ends with the first number that fails.
                let mut found: Vec<Option<i64>> = Vec::new();
                for (var, value) in all() {
                    found.push(env.number(value).ok());
                    match found.last() {
                        Some(Some(number)) => env.bind(var, *number),
                        _ => break,
                    }
                }
                for ((column, found), (_, value)) in columns.iter().zip(found).zip(all()) {
                    failed[usize::from(found.is_some())] += 1;
                    let number = Some(super::at(column, row)).filter(|number| *number != FAILED);
                    // On the way to a number there may be the one that stands for none.
                    let may_be_left = number.is_none() && key.iter().any(|value| value.abs() > 101);
                    assert!(
                        number == found || may_be_left,
                        "{key:?} {value:?} {number:?} {found:?}"
                    );
                }
            }
        }
        assert!(failed.iter().all(|count| *count > 1000), "{failed:?}");
    }
}
