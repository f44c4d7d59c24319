//! The operations that need no dice, as loops over columns.
//!
//! Everything here is inlined into whoever calls it, so that it is compiled once for each set of vector
//! instructions that the machine may have; see [`crate::machine`].

use oddsmith_rules::program::Division;

use crate::column::{Column, Columns, Operand};
use crate::lane::Lane;
use crate::op::{Arithmetic, Comparison, Step};

/// `out[i] = f(a[i])`
#[inline(always)]
pub(crate) fn map<A: Lane, T: Lane>(
    columns: &mut Columns,
    len: usize,
    out: Column,
    a: Column,
    f: impl Fn(A) -> T,
) {
    let mut made = std::mem::take(&mut T::all_mut(columns)[out.at]);
    let from = &A::all(columns)[a.at][..len];
    for (to, from) in made[..len].iter_mut().zip(from) {
        *to = f(*from);
    }
    T::all_mut(columns)[out.at] = made;
}

/// `out[i] = f(a[i], b[i])`
#[inline(always)]
fn zip<A: Lane, B: Lane, T: Lane>(
    columns: &mut Columns,
    len: usize,
    out: Column,
    (a, b): (Column, Column),
    f: impl Fn(A, B) -> T,
) {
    let mut made = std::mem::take(&mut T::all_mut(columns)[out.at]);
    let first = &A::all(columns)[a.at][..len];
    let second = &B::all(columns)[b.at][..len];
    for ((to, a), b) in made[..len].iter_mut().zip(first).zip(second) {
        *to = f(*a, *b);
    }
    T::all_mut(columns)[out.at] = made;
}

/// `out[i] = f(a[i], b[i])`, or with one `b` for all.
#[inline(always)]
fn combine<A: Lane, T: Lane>(
    columns: &mut Columns,
    len: usize,
    out: Column,
    (a, b): (Column, Operand),
    f: impl Fn(A, A) -> T,
) {
    match b {
        Operand::Column(b) => zip(columns, len, out, (a, b), f),
        Operand::Constant(b) => {
            let b = A::wrap(b);
            map(columns, len, out, a, |a| f(a, b));
        }
    }
}

#[inline(always)]
pub(crate) fn fill<T: Lane>(columns: &mut Columns, len: usize, out: Column, value: i64) {
    T::all_mut(columns)[out.at][..len].fill(T::wrap(value));
}

#[inline(always)]
pub(crate) fn binary<T: Lane>(
    columns: &mut Columns,
    len: usize,
    op: Arithmetic,
    out: Column,
    operands: (Column, Operand),
) {
    match op {
        Arithmetic::Add => combine(columns, len, out, operands, |a: T, b: T| a.plus(b)),
        Arithmetic::Subtract => combine(columns, len, out, operands, |a: T, b: T| a.minus(b)),
        Arithmetic::From => combine(columns, len, out, operands, |a: T, b: T| b.minus(a)),
        Arithmetic::Multiply => combine(columns, len, out, operands, |a: T, b: T| a.times(b)),
        Arithmetic::Min => combine(columns, len, out, operands, |a: T, b: T| a.min(b)),
        Arithmetic::Max => combine(columns, len, out, operands, |a: T, b: T| a.max(b)),
    }
}

#[inline(always)]
pub(crate) fn compare<A: Lane>(
    columns: &mut Columns,
    len: usize,
    op: Comparison,
    out: Column,
    operands: (Column, Operand),
) {
    match op {
        Comparison::Equal => combine(columns, len, out, operands, |a: A, b: A| i8::from(a == b)),
        Comparison::NotEqual => combine(columns, len, out, operands, |a: A, b: A| i8::from(a != b)),
        Comparison::AtLeast => combine(columns, len, out, operands, |a: A, b: A| i8::from(a >= b)),
        Comparison::AtMost => combine(columns, len, out, operands, |a: A, b: A| i8::from(a <= b)),
    }
}

#[inline(always)]
pub(crate) fn select<T: Lane>(
    columns: &mut Columns,
    len: usize,
    out: Column,
    condition: Column,
    branches: (Operand, Operand),
) {
    let pick = |condition: i8, then: T, otherwise: T| if condition != 0 { then } else { otherwise };
    match branches {
        (Operand::Constant(then), Operand::Constant(otherwise)) => {
            let (then, otherwise) = (T::wrap(then), T::wrap(otherwise));
            map(columns, len, out, condition, |c: i8| {
                pick(c, then, otherwise)
            });
        }
        (Operand::Column(then), Operand::Constant(otherwise)) => {
            let otherwise = T::wrap(otherwise);
            zip(columns, len, out, (condition, then), |c: i8, then: T| {
                pick(c, then, otherwise)
            });
        }
        (Operand::Constant(then), Operand::Column(otherwise)) => {
            let then = T::wrap(then);
            let operands = (condition, otherwise);
            zip(columns, len, out, operands, |c: i8, otherwise: T| {
                pick(c, then, otherwise)
            });
        }
        (Operand::Column(then), Operand::Column(otherwise)) => {
            let mut made = std::mem::take(&mut T::all_mut(columns)[out.at]);
            let conditions = &columns.w8[condition.at][..len];
            let (then, otherwise) = (
                &T::all(columns)[then.at][..len],
                &T::all(columns)[otherwise.at][..len],
            );
            let branches = then.iter().zip(otherwise);
            for ((to, c), (then, otherwise)) in made[..len].iter_mut().zip(conditions).zip(branches)
            {
                *to = pick(*c, *then, *otherwise);
            }
            T::all_mut(columns)[out.at] = made;
        }
    }
}

/// A straight line, then a pass for each step: loops so plain that every build makes vectors of them.
#[inline(always)]
pub(crate) fn steps<T: Lane>(
    columns: &mut Columns,
    len: usize,
    (out, from): (Column, Column),
    (start, slope): (i64, i64),
    steps: &[Step],
) {
    let mut made = std::mem::take(&mut T::all_mut(columns)[out.at]);
    let from = &T::all(columns)[from.at][..len];
    let (start, slope) = (T::wrap(start), T::wrap(slope));
    if slope == T::default() {
        made[..len].fill(start);
    } else {
        for (to, &x) in made[..len].iter_mut().zip(from) {
            *to = start.plus(slope.times(x));
        }
    }
    for step in steps {
        let (at, change) = (T::wrap(step.at), T::wrap(step.change));
        for (to, &x) in made[..len].iter_mut().zip(from) {
            *to = to.plus(if x >= at { change } else { T::default() });
        }
    }
    T::all_mut(columns)[out.at] = made;
}

#[inline(always)]
pub(crate) fn lookup<A: Lane, T: Lane>(
    columns: &mut Columns,
    len: usize,
    (out, from): (Column, Column),
    low: i64,
    table: &[i64],
) {
    let last = table.len().saturating_sub(1);
    map(columns, len, out, from, |x: A| {
        // A trial that has left a loop or a branch may hold anything.
        let at = usize::try_from(x.wide().wrapping_sub(low)).unwrap_or(0);
        T::wrap(table[at.min(last)])
    });
}

#[inline(always)]
pub(crate) fn divide<T: Lane>(
    columns: &mut Columns,
    len: usize,
    (out, from): (Column, Column),
    division: Division,
    by: i64,
) {
    map(columns, len, out, from, |x: T| {
        T::wrap(division.divide(x.wide(), by).unwrap_or_default())
    });
}

/// Divisions by divisors that differ between trials.
pub(crate) fn quotient(
    columns: &mut Columns,
    len: usize,
    division: Division,
    out: Column,
    (a, b): (Operand, Operand),
) {
    for trial in 0..len {
        let value = |operand: Operand| match operand {
            Operand::Column(column) => columns.w64[column.at][trial],
            Operand::Constant(value) => value,
        };
        let result = division.divide(value(a), value(b));
        columns.w64[out.at][trial] = result.unwrap_or_default();
    }
}

/// Arithmetic that may leave 64 bits.
pub(crate) fn checked(
    columns: &mut Columns,
    len: usize,
    op: Arithmetic,
    (out, beyond): (Column, Column),
    (a, b): (Operand, Operand),
) {
    for trial in 0..len {
        let value = |operand: Operand| match operand {
            Operand::Column(column) => columns.w64[column.at][trial],
            Operand::Constant(value) => value,
        };
        let result = op.apply(value(a), value(b));
        columns.w64[out.at][trial] = result.unwrap_or_default();
        columns.w8[beyond.at][trial] = i8::from(result.is_none());
    }
}

/// How many trials of a column are at least `at`.
#[inline(always)]
pub(crate) fn count_at_least<T: Lane>(column: &[T], at: T) -> u64 {
    /// Lanes that are counted side by side.
    const SIDE: usize = 64;
    /// Rows until a count of 8 bits might be full.
    const ROWS: usize = 255;
    let (rows, rest) = column.as_chunks::<SIDE>();
    let mut count = 0;
    for block in rows.chunks(ROWS) {
        let counts = side_by_side(block, at);
        for one in counts {
            count += u64::from(one);
        }
    }
    for value in rest {
        count += u64::from(*value >= at);
    }
    count
}

/// For each place in a row, in how many rows it has at least `at`. Apart from what reads the counts one by one, so
/// that they stay in registers.
#[inline(always)]
fn side_by_side<T: Lane, const N: usize>(rows: &[[T; N]], at: T) -> [u8; N] {
    let mut counts = [0_u8; N];
    // Several rows at a time, for the sake of compilers that keep the counts in memory.
    let (groups, rest) = rows.as_chunks::<8>();
    for group in groups {
        for (lane, count) in counts.iter_mut().enumerate() {
            for row in group {
                *count += u8::from(row[lane] >= at);
            }
        }
    }
    for row in rest {
        for (count, value) in counts.iter_mut().zip(row) {
            *count += u8::from(*value >= at);
        }
    }
    counts
}

/// The sums of the powers of values from the zeroth on, each times 1 or 0.
#[inline(always)]
pub(crate) fn power_sums<const N: usize>(values: impl Iterator<Item = (i64, i64)>) -> [i64; N] {
    let mut sums = [0_i64; N];
    for (value, applies) in values {
        let mut power = applies;
        for sum in &mut sums {
            *sum = sum.wrapping_add(power);
            power = power.wrapping_mul(value);
        }
    }
    sums
}
