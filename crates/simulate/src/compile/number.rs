//! Numbers of a trial while a script is compiled: what is known of them, and arithmetic on them.

use std::sync::Arc;

use oddsmith_rules::Span;
use oddsmith_rules::program::{CompareOp, Division, Expr};

use super::Compiler;
use super::value::{Num, Staircase, Table};
use crate::Error;
use crate::column::{Column, Operand, Range, Width, union};
use crate::op::{Arithmetic, Comparison, Op};

/// Steps up to which a table is computed by comparisons in place of ordinary arithmetic.
const FEW_STEPS: usize = 4;

/// Steps up to which comparisons are cheaper than looking a value up, one trial after the other.
const MANY_STEPS: usize = 24;

impl Compiler<'_> {
    /// A new column in the present frame.
    pub(super) fn fresh(&mut self, range: Range) -> Column {
        self.fresh_of(Width::holding(range))
    }

    /// The number in a column of a width that holds it.
    pub(super) fn in_column(&mut self, num: &Num, width: Width) -> Column {
        match self.operand(num, width) {
            Operand::Column(column) => column,
            Operand::Constant(value) => {
                let out = self.fresh_of(width);
                self.emit(Op::Fill { out, value });
                out
            }
        }
    }

    /// The number as an operand of a width that holds it.
    pub(super) fn operand(&mut self, num: &Num, width: Width) -> Operand {
        let Operand::Column(column) = num.operand else {
            return num.operand;
        };
        let from = self.local(column);
        if from.width == width {
            return Operand::Column(from);
        }
        if let Some(known) = self.converted(from, width) {
            return Operand::Column(known);
        }
        let out = self.fresh_of(width);
        self.emit(Op::Convert { out, from });
        self.note_converted(from, out);
        Operand::Column(out)
    }

    /// The function of one column that numbers have in common, if there is one, and if it has a value everywhere.
    pub(super) fn tabulate<const N: usize>(
        &self,
        nums: [&Num; N],
        f: impl Fn([i64; N]) -> Option<i64>,
    ) -> Option<Table> {
        let mut varying = nums.iter().filter(|num| num.as_constant().is_none());
        let (root, low, size) = varying.next()?.root()?;
        if varying.any(|num| num.root() != Some((root, low, size))) {
            return None;
        }
        let values = (0..size).map(|place| f(nums.map(|num| num.at(place))));
        let values = values.collect::<Option<_>>()?;
        Some(Table { root, low, values })
    }

    /// A table as a number, if it takes no more than a few steps.
    fn few_steps(&mut self, table: &Table, most: usize) -> Option<Num> {
        let range = range_of(&table.values);
        if range.0 == range.1 {
            return Some(Num::constant(range.0));
        }
        let Staircase {
            start,
            slope,
            steps,
        } = table.staircase();
        if steps.len() > most {
            return None;
        }
        let last = table.low + i64::try_from(table.values.len()).expect("tables are small") - 1;
        let root = Num::column(table.root, (table.low, last));
        let made = if slope == 1 && start == 0 && steps.is_empty() {
            root.operand
        } else {
            let width = Width::holding(union(range, root.range));
            let from = self.in_column(&root, width);
            let out = self.fresh_of(width);
            self.emit(if slope == 1 && steps.is_empty() {
                let (op, b) = (Arithmetic::Add, Operand::Constant(start));
                Op::Binary {
                    op,
                    out,
                    a: from,
                    b,
                }
            } else {
                Op::Steps {
                    out,
                    from,
                    start,
                    slope,
                    steps,
                }
            });
            Operand::Column(out)
        };
        Some(Num {
            operand: made,
            range,
            table: Some(table.clone()),
        })
    }

    /// A table as a number, at any price.
    fn of_table(&mut self, table: &Table) -> Num {
        if let Some(num) = self.few_steps(table, MANY_STEPS) {
            return num;
        }
        let range = range_of(&table.values);
        let out = self.fresh(range);
        let from = self.local(table.root);
        self.emit(Op::Lookup {
            out,
            from,
            low: table.low,
            table: Arc::from(&table.values[..]),
        });
        Num {
            operand: Operand::Column(out),
            range,
            table: Some(table.clone()),
        }
    }

    /// `a op b`; a result beyond 64 bits is an error at `span`.
    pub(super) fn arithmetic(
        &mut self,
        op: Arithmetic,
        a: &Num,
        b: &Num,
        span: Span,
    ) -> Result<Num, Error> {
        if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant()) {
            let value = op.apply(a, b).ok_or_else(|| self.beyond(span))?;
            return Ok(Num::constant(value));
        }
        if let Some(same) = unchanged(op, a, b) {
            return Ok(same);
        }
        let Some(range) = op.bounds(a.range, b.range) else {
            return Ok(self.checked(op, a, b, span));
        };
        let table = self.tabulate([a, b], |[a, b]| op.apply(a, b));
        if let Some(table) = &table
            && let Some(cheap) = self.few_steps(table, FEW_STEPS)
        {
            return Ok(cheap);
        }
        let (op, a, b) = match (op, a.as_constant()) {
            (Arithmetic::Subtract, Some(_)) => (Arithmetic::From, b, a),
            (_, Some(_)) => (op, b, a),
            _ => (op, a, b),
        };
        let range = table
            .as_ref()
            .map_or(range, |table| range_of(&table.values));
        let width = Width::holding(union(range, union(a.range, b.range)));
        let (a, b) = (self.in_column(a, width), self.operand(b, width));
        let out = self.fresh_of(width);
        self.emit(Op::Binary { op, out, a, b });
        Ok(Num {
            operand: Operand::Column(out),
            range,
            table,
        })
    }

    /// Arithmetic that may go beyond 64 bits, with a look at whether it does.
    fn checked(&mut self, op: Arithmetic, a: &Num, b: &Num, span: Span) -> Num {
        let range = (i64::MIN, i64::MAX);
        let (a, b) = (self.operand(a, Width::W64), self.operand(b, Width::W64));
        let (out, beyond) = (self.fresh_of(Width::W64), self.fresh_of(Width::W8));
        self.emit(Op::Checked {
            op,
            out,
            beyond,
            a,
            b,
        });
        let error = self.beyond(span);
        let bad = Num::column(beyond, (0, 1));
        self.demand_not(&bad, Some(out), &[], error);
        Num::column(out, range)
    }

    /// `left op right`, 0 or 1.
    pub(super) fn compare(&mut self, op: CompareOp, left: &Num, right: &Num) -> Num {
        if let Some(decided) = op.decided(left.range, right.range) {
            return Num::truth(decided);
        }
        let table = self.tabulate([left, right], |[a, b]| Some(i64::from(op.holds(a, b))));
        if let Some(table) = &table
            && let Some(cheap) = self.few_steps(table, FEW_STEPS)
        {
            return cheap;
        }
        // A number on the left goes to the right.
        let (op, left, right) = if left.as_constant().is_some() {
            (op.mirrored(), right, left)
        } else {
            (op, left, right)
        };
        let width = Width::holding(union(left.range, right.range));
        let (a, b) = (self.in_column(left, width), self.operand(right, width));
        let holds = match (op, b) {
            (CompareOp::Equal, _) => self.comparison(Comparison::Equal, a, b),
            (CompareOp::NotEqual, _) => self.comparison(Comparison::NotEqual, a, b),
            (CompareOp::LessEqual, _) => self.comparison(Comparison::AtMost, a, b),
            (CompareOp::GreaterEqual, _) => self.comparison(Comparison::AtLeast, a, b),
            // By one number further, or the other way round.
            (CompareOp::Less, Operand::Constant(value)) => {
                self.comparison(Comparison::AtMost, a, Operand::Constant(value - 1))
            }
            (CompareOp::Greater, Operand::Constant(value)) => {
                self.comparison(Comparison::AtLeast, a, Operand::Constant(value + 1))
            }
            (CompareOp::Less, Operand::Column(_)) => {
                let not_less = self.comparison(Comparison::AtLeast, a, b);
                self.not(&not_less)
            }
            (CompareOp::Greater, Operand::Column(_)) => {
                let not_greater = self.comparison(Comparison::AtMost, a, b);
                self.not(&not_greater)
            }
        };
        Num { table, ..holds }
    }

    fn comparison(&mut self, op: Comparison, a: Column, b: Operand) -> Num {
        let out = self.fresh_of(Width::W8);
        self.emit(Op::Compare { op, out, a, b });
        Num::column(out, (0, 1))
    }

    /// `1 - truth`
    pub(super) fn not(&mut self, truth: &Num) -> Num {
        let one = Num::constant(1);
        self.arithmetic(Arithmetic::Subtract, &one, truth, Span::default())
            .expect("1 - 0 and 1 - 1 fit")
    }

    /// The conjunction of two truths.
    pub(super) fn and(&mut self, a: &Num, b: &Num) -> Num {
        self.arithmetic(Arithmetic::Min, a, b, Span::default())
            .expect("a minimum fits")
    }

    /// The disjunction of two truths.
    pub(super) fn or(&mut self, a: &Num, b: &Num) -> Num {
        self.arithmetic(Arithmetic::Max, a, b, Span::default())
            .expect("a maximum fits")
    }

    /// Sums that surely fit: counts and places.
    pub(super) fn plus(&mut self, a: &Num, b: &Num) -> Num {
        self.arithmetic(Arithmetic::Add, a, b, Span::default())
            .expect("a small sum fits")
    }

    /// `then` where `condition` holds.
    pub(super) fn select(&mut self, condition: &Num, then: &Num, otherwise: &Num) -> Num {
        if let Some(known) = condition.as_constant() {
            return if known != 0 { then } else { otherwise }.clone();
        }
        if let (Some(a), Some(b)) = (then.as_constant(), otherwise.as_constant())
            && a == b
        {
            return then.clone();
        }
        let pick = |[c, a, b]: [i64; 3]| Some(if c != 0 { a } else { b });
        let table = self.tabulate([condition, then, otherwise], pick);
        if let Some(table) = &table
            && let Some(cheap) = self.few_steps(table, FEW_STEPS)
        {
            return cheap;
        }
        let range = union(then.range, otherwise.range);
        let width = Width::holding(range);
        let condition = self.in_column(condition, Width::W8);
        let (then, otherwise) = (self.operand(then, width), self.operand(otherwise, width));
        let out = self.fresh_of(width);
        self.emit(Op::Select {
            out,
            condition,
            then,
            otherwise,
        });
        Num {
            operand: Operand::Column(out),
            range,
            table,
        }
    }

    /// `numerator / by`, rounded.
    pub(super) fn quotient(
        &mut self,
        division: Division,
        numerator: &Num,
        by: i64,
        span: Span,
    ) -> Result<Num, Error> {
        if let Some(value) = numerator.as_constant() {
            let value = division.divide(value, by);
            return value.map(Num::constant).ok_or_else(|| self.beyond(span));
        }
        if let Some(table) = self.tabulate([numerator], |[x]| division.divide(x, by)) {
            return Ok(self.of_table(&table));
        }
        let Some(range) = division.bounds(numerator.range, (by, by)) else {
            // Only the lowest number by -1.
            let zero = Num::constant(0);
            return Ok(self.checked(Arithmetic::Subtract, &zero, numerator, span));
        };
        let width = Width::holding(union(range, numerator.range));
        let from = self.in_column(numerator, width);
        let out = self.fresh_of(width);
        self.emit(Op::Divide {
            division,
            out,
            from,
            by,
        });
        Ok(Num::column(out, range))
    }

    /// A divisor that is 0.
    pub(super) fn by_zero(&self, divisor: &Expr) -> Error {
        let label = if divisor.fixed {
            "this is 0"
        } else {
            "this can be 0"
        };
        self.error(divisor.span, "division by zero", label)
    }

    /// A quotient by a divisor that differs between trials, where that is not 0.
    pub(super) fn rolled_quotient(
        &mut self,
        division: Division,
        (numerator, by): (&Num, &Num),
        divisor: &Expr,
        at: &Expr,
    ) -> Num {
        if let Some(table) = self.tabulate([numerator, by], |[x, by]| division.divide(x, by)) {
            return self.of_table(&table);
        }
        let range = division.bounds(numerator.range, by.range);
        let range = range.unwrap_or((i64::MIN, i64::MAX));
        let (a, b) = (
            self.operand(numerator, Width::W64),
            self.operand(by, Width::W64),
        );
        let out = self.fresh_of(Width::W64);
        self.emit(Op::Quotient {
            division,
            out,
            a,
            b,
        });
        let is_zero = self.compare(CompareOp::Equal, by, &Num::constant(0));
        let error = self.by_zero(divisor);
        self.demand_not(&is_zero, Some(out), &[], error);
        if division != Division::Remainder {
            // Only the lowest number by -1.
            let is_lowest = self.compare(CompareOp::Equal, numerator, &Num::constant(i64::MIN));
            let is_negated = self.compare(CompareOp::Equal, by, &Num::constant(-1));
            let is_beyond = self.and(&is_lowest, &is_negated);
            let error = self.beyond(at.span);
            self.demand_not(&is_beyond, Some(out), &[], error);
        }
        Num::column(out, range)
    }

    /// `values[index - low]`; the index is within the list wherever it matters.
    pub(super) fn item(&mut self, index: &Num, low: i64, values: &[i64]) -> Num {
        let at = |x: i64| usize::try_from(x.checked_sub(low)?).ok();
        let nearest = |x: i64| {
            let place = at(x).unwrap_or(0).min(values.len() - 1);
            values[place]
        };
        if let Some(index) = index.as_constant() {
            return Num::constant(nearest(index));
        }
        if let Some(table) = self.tabulate([index], |[x]| Some(nearest(x))) {
            return self.of_table(&table);
        }
        let range = range_of(values);
        let Operand::Column(from) = index.operand else {
            unreachable!("a constant has been answered")
        };
        let (from, out) = (self.local(from), self.fresh(range));
        self.emit(Op::Lookup {
            out,
            from,
            low,
            table: Arc::from(values),
        });
        Num::column(out, range)
    }
}

/// The operand that a result equals, if it is one of them.
fn unchanged(op: Arithmetic, a: &Num, b: &Num) -> Option<Num> {
    let (left, right) = (a.as_constant(), b.as_constant());
    let same = match (op, left, right) {
        (Arithmetic::Add, Some(0), _) | (Arithmetic::Multiply, Some(1), _) => b,
        (Arithmetic::Add | Arithmetic::Subtract, _, Some(0))
        | (Arithmetic::Multiply, _, Some(1)) => a,
        (Arithmetic::Multiply, Some(0), _) | (Arithmetic::Multiply, _, Some(0)) => {
            return Some(Num::constant(0));
        }
        (Arithmetic::Min, ..) if a.range.1 <= b.range.0 => a,
        (Arithmetic::Min, ..) if b.range.1 <= a.range.0 => b,
        (Arithmetic::Max, ..) if a.range.0 >= b.range.1 => a,
        (Arithmetic::Max, ..) if b.range.0 >= a.range.1 => b,
        _ => return None,
    };
    Some(same.clone())
}

/// Lowest and highest of some numbers.
fn range_of(values: &[i64]) -> Range {
    let lowest = values.iter().min().expect("tables have entries");
    let highest = values.iter().max().expect("tables have entries");
    (*lowest, *highest)
}
