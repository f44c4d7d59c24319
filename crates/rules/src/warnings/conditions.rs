//! A condition, which is 0 or 1, beside a number that it never reaches.

use std::collections::BTreeMap;

use crate::check::{Check, Measure};
use crate::coverage;
use crate::interval::{self, Interval, Shape};
use crate::program::{Arm, BinaryOp, CompareOp, Expr, Kind, Reading, UnaryOp, VarId};
use crate::source::Span;
use crate::warnings::found::Found;
use crate::warnings::values::add_values;

/// Warns of comparisons of a condition that hold always or never, whatever the dice show, and of arms of a `match` on
/// a condition that are never taken. Adds the places of the conditions that were explained.
pub(super) fn look(check: &Check, found: &mut Found, explained: &mut Vec<Span>) {
    let measures = check.contest.iter().chain(&check.goal);
    let measures = measures.map(|Measure { value, .. }| value);
    let mut exprs: Vec<&Expr> = Vec::new();
    let mut visit = |expr| exprs.push(expr);
    let statements = check.program.statements.iter();
    statements.for_each(|statement| statement.for_each_part(&mut visit));
    exprs.extend(measures);
    let mut parts = Vec::new();
    for expr in exprs {
        expr.for_each(&mut |part| parts.push(part));
    }
    let looking = Looking {
        check,
        values: values(check, &parts),
        shapes: check.shapes(),
    };
    for part in parts {
        match &part.kind {
            Kind::Binary(BinaryOp::Compare(op), left, right) => {
                looking.comparison(part, *op, [left, right], found, explained);
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => looking.arms(subject, arms, otherwise.as_deref(), found, explained),
            _ => {}
        }
    }
}

/// All that each variable is ever bound or set to.
fn values<'c>(check: &'c Check, parts: &[&'c Expr]) -> BTreeMap<VarId, Vec<&'c Expr>> {
    let mut values = BTreeMap::new();
    add_values(&check.program.statements, &mut values);
    for part in parts {
        if let Kind::Block { statements, .. } = &part.kind {
            add_values(statements, &mut values);
        }
    }
    values
}

/// The script that is looked at.
struct Looking<'c> {
    check: &'c Check,
    values: BTreeMap<VarId, Vec<&'c Expr>>,
    shapes: &'c [Shape],
}

/// What is 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bit {
    /// A comparison, or what is made of some.
    Condition,
    /// A written 0 or 1, which may stand beside conditions.
    Number,
}

impl<'c> Looking<'c> {
    fn comparison(
        &self,
        whole: &Expr,
        op: CompareOp,
        sides: [&'c Expr; 2],
        found: &mut Found,
        explained: &mut Vec<Span>,
    ) {
        let [left, right] = sides.map(|side| self.bounds(side));
        let which = sides.iter().position(|side| self.is_condition(side));
        let (Some(which), Some(always)) = (which, settled(op, left, right)) else {
            return;
        };
        let condition = sides[which];
        let outcome = if always { "always true" } else { "never true" };
        let message = format!("a condition is 0 or 1, so this is {outcome}");
        self.warn(condition, whole.span, (message, outcome), found, explained);
    }

    fn arms(
        &self,
        subject: &'c Expr,
        arms: &[Arm],
        otherwise: Option<&Expr>,
        found: &mut Found,
        explained: &mut Vec<Span>,
    ) {
        let Some(regions) = coverage::regions(arms, Expr::as_constant) else {
            return;
        };
        if !self.is_condition(subject) {
            return;
        }
        let takes = |region: &coverage::Region, bit: i64| {
            region
                .iter()
                .any(|(low, high)| (*low..=*high).contains(&bit))
        };
        let idle = arms.iter().zip(&regions);
        let idle = idle.filter(|(_, region)| !takes(region, 0) && !takes(region, 1));
        let mut places: Vec<Span> = idle.map(|(arm, _)| arm.span).collect();
        let is_full = [0, 1]
            .iter()
            .all(|bit| regions.iter().any(|region| takes(region, *bit)));
        places.extend(otherwise.filter(|_| is_full).map(|value| value.span));
        for place in places {
            let message = "a condition is 0 or 1, so this arm is never taken".to_owned();
            self.warn(subject, place, (message, "never taken"), found, explained);
        }
    }

    fn warn(
        &self,
        condition: &'c Expr,
        place: Span,
        (message, label): (String, &str),
        found: &mut Found,
        explained: &mut Vec<Span>,
    ) {
        let origin = self.origin(condition);
        let help = match self.counted(origin, found) {
            Some(count) => format!("to count the dice write `{count}`, which is a number"),
            None => "a condition counts 1 where it holds and else 0: use it as it is, or compare a number"
                .to_owned(),
        };
        let mut warning = found
            .warning(place, message)
            .with_label(label)
            .with_help(help);
        if !place.contains(origin.span) {
            warning = warning.with_related(origin.span, "the condition");
        }
        explained.push(origin.span);
        found.push(warning);
    }

    /// The comparison behind a name.
    fn origin(&self, condition: &'c Expr) -> &'c Expr {
        let mut origin = condition;
        while let Kind::Var(var) = origin.kind
            && let Some([value]) = self.values.get(&var).map(Vec::as_slice)
        {
            origin = value;
        }
        origin
    }

    /// The dice that a condition adds up and compares, as a count: `5d6 cs>=5`.
    fn counted(&self, condition: &Expr, found: &Found) -> Option<String> {
        let Kind::Binary(BinaryOp::Compare(op), left, right) = &condition.kind else {
            return None;
        };
        let Kind::Read {
            pool,
            reading: Reading::Sum,
        } = &left.kind
        else {
            return None;
        };
        let (dice, number) = (found.text(pool.span), found.text(right.span));
        let is_atom = matches!(right.kind, Kind::Const(_) | Kind::Input(_) | Kind::Var(_));
        let number = if is_atom {
            number.to_owned()
        } else {
            format!("({number})")
        };
        let is_one =
            matches!(&pool.kind, Kind::Dice { count, .. } if count.as_constant() == Some(1));
        let is_plain = matches!(
            pool.kind,
            Kind::Dice { .. }
                | Kind::Keep { .. }
                | Kind::Gather(_)
                | Kind::Each { .. }
                | Kind::Var(_)
        );
        (is_plain && !is_one).then(|| format!("{dice} cs{}{number}", op.sign()))
    }

    /// Between which numbers an expression lies.
    fn bounds(&self, expr: &Expr) -> Interval {
        if self.is_condition(expr) {
            return (0, 1);
        }
        interval::of(expr, false, self.shapes, &self.check.inputs).faces
    }

    fn is_condition(&self, expr: &Expr) -> bool {
        self.bit(expr, &mut Vec::new()) == Some(Bit::Condition)
    }

    /// Whether an expression is a condition, by what it is made of; `seen` are the variables around it.
    fn bit(&self, expr: &Expr, seen: &mut Vec<VarId>) -> Option<Bit> {
        match &expr.kind {
            Kind::Binary(BinaryOp::Compare(_) | BinaryOp::And | BinaryOp::Or, ..)
            | Kind::Unary(UnaryOp::Not, _) => Some(Bit::Condition),
            Kind::Const(0 | 1) => Some(Bit::Number),
            Kind::Block { value, .. } => self.bit(value, seen),
            Kind::If {
                then, otherwise, ..
            } => self.joint(&[then, otherwise], seen),
            Kind::Match {
                arms, otherwise, ..
            } => {
                let arms = arms.iter().map(|arm| &arm.value);
                let values: Vec<&Expr> = arms.chain(otherwise.as_deref()).collect();
                self.joint(&values, seen)
            }
            Kind::Var(var) if seen.contains(var) => Some(Bit::Number),
            Kind::Var(var) => {
                seen.push(*var);
                let bit = self.joint(self.values.get(var)?, seen);
                seen.pop();
                bit
            }
            _ => None,
        }
    }

    fn joint(&self, values: &[&Expr], seen: &mut Vec<VarId>) -> Option<Bit> {
        let bits = values.iter().map(|value| self.bit(value, seen));
        let bits: Option<Vec<Bit>> = bits.collect();
        let has_condition = bits?.contains(&Bit::Condition);
        Some(if has_condition {
            Bit::Condition
        } else {
            Bit::Number
        })
    }
}

/// What a comparison of two numbers between these bounds always comes to; none if it depends.
fn settled(op: CompareOp, left: Interval, right: Interval) -> Option<bool> {
    let is_apart = left.1 < right.0 || right.1 < left.0;
    match op {
        CompareOp::Equal => is_apart.then_some(false),
        CompareOp::NotEqual => is_apart.then_some(true),
        _ => {
            let ends = [(left.0, right.1), (left.1, right.0)];
            let [first, second] = ends.map(|(left, right)| op.holds(left, right));
            (first == second).then_some(first)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::settled;
    use crate::program::CompareOp;

    #[test]
    fn what_is_settled_holds_for_all_numbers_and_nothing_else_is() {
        let ranges = || (-2..=3_i64).flat_map(|low| (low..=3).map(move |high| (low, high)));
        for (_, op) in CompareOp::SIGNS {
            for (left, right) in ranges().flat_map(|left| ranges().map(move |right| (left, right)))
            {
                let pairs =
                    (left.0..=left.1).flat_map(|a| (right.0..=right.1).map(move |b| (a, b)));
                let mut held: Vec<bool> = pairs.map(|(a, b)| op.holds(a, b)).collect();
                held.sort_unstable();
                held.dedup();
                let is_single = left.0 == left.1 && right.0 == right.1;
                match (op, held.as_slice()) {
                    // Two equal numbers are no condition beside a number.
                    (CompareOp::Equal | CompareOp::NotEqual, _) if is_single && left == right => {}
                    (_, [always]) => assert_eq!(settled(op, left, right), Some(*always)),
                    _ => assert_eq!(settled(op, left, right), None),
                }
            }
        }
    }
}
