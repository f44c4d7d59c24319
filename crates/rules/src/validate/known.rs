//! What can't go wrong by the bounds of the numbers in it, so that nothing needs to be tried.

use crate::check::{Check, Domain, Input, Role};
use crate::coverage::{self, Problem};
use crate::interval::{self, Interval, Shape};
use crate::program::{Arm, Expr, Kind, Statement};

/// The bounds of everything in a check, with its parameters at their defaults.
#[derive(Debug)]
pub(super) struct Known {
    shapes: Vec<Shape>,
    inputs: Vec<Input>,
}

impl Known {
    pub(super) fn of(check: &Check) -> Self {
        let pinned = |input: &Input| match input.role {
            Role::Parameter => Input {
                domain: Domain::Range(input.default, input.default),
                ..input.clone()
            },
            Role::Axis => input.clone(),
        };
        let inputs: Vec<Input> = check.inputs.iter().map(pinned).collect();
        let shapes = interval::shapes(&check.program, &inputs);
        Self { shapes, inputs }
    }

    /// Between which numbers it lies.
    pub(super) fn bounds(&self, expr: &Expr) -> Interval {
        interval::of(expr, false, &self.shapes, &self.inputs).faces
    }

    pub(super) fn is_not_zero(&self, expr: &Expr) -> bool {
        let (low, high) = self.bounds(expr);
        low > 0 || high < 0
    }

    /// Whether a list of so many items has this place.
    pub(super) fn is_inside(&self, index: &Expr, items: usize) -> bool {
        is_inside(self.bounds(index), items)
    }

    /// Whether a fixed expression has a value in every configuration.
    pub(super) fn has_value(&self, expr: &Expr) -> bool {
        self.value(expr).is_some()
    }

    /// The bounds of a fixed expression that has a value in every configuration; none if it may have none.
    fn value(&self, expr: &Expr) -> Option<Interval> {
        match &expr.kind {
            Kind::Unary(op, operand) => fitting(interval::unary(*op, self.value(operand)?)),
            Kind::Binary(op, left, right) => {
                fitting(interval::binary(*op, self.value(left)?, self.value(right)?))
            }
            Kind::Divide {
                rounding,
                numerator,
                denominator,
            } => {
                let (numerator, by) = (self.value(numerator)?, self.value(denominator)?);
                let is_safe = (by.0 > 0 || by.1 < 0) && fitting(numerator).is_some();
                is_safe.then(|| interval::divide(*rounding, numerator, by))
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                self.value(condition)?;
                self.union([then.as_ref(), otherwise])
            }
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => self.value_of_match(subject, arms, otherwise.as_deref()),
            Kind::Select { index, items } => {
                let is_inside = is_inside(self.value(index)?, items.len());
                is_inside.then(|| self.union(items))?
            }
            Kind::Block { statements, value } => {
                for statement in statements.iter() {
                    if let Statement::Let { value, .. } = statement
                        && value.fixed
                    {
                        self.value(value)?;
                    }
                }
                self.value(value)
            }
            // What rolls dice is no matter of configurations, and names have hazards of their own.
            _ => Some(self.bounds(expr)),
        }
    }

    fn value_of_match(
        &self,
        subject: &Expr,
        arms: &[Arm],
        otherwise: Option<&Expr>,
    ) -> Option<Interval> {
        let range = self.value(subject)?;
        let tests = arms.iter().flat_map(|arm| &arm.patterns);
        for bound in tests.flat_map(crate::program::Test::bounds) {
            self.value(bound)?;
        }
        if otherwise.is_none() {
            let regions = coverage::regions(arms, Expr::as_constant)?;
            let problems = coverage::problems(&regions, false, range);
            let is_gap = |problem: &Problem| matches!(problem, Problem::Gap { .. });
            if problems.iter().any(is_gap) {
                return None;
            }
        }
        self.union(arms.iter().map(|arm| &arm.value).chain(otherwise))
    }

    fn union<'e>(&self, parts: impl IntoIterator<Item = &'e Expr>) -> Option<Interval> {
        let parts = parts.into_iter().map(|part| self.value(part));
        let parts: Option<Vec<Interval>> = parts.collect();
        parts?.into_iter().reduce(interval::union)
    }
}

fn is_inside((low, high): Interval, items: usize) -> bool {
    low >= 0 && usize::try_from(high).is_ok_and(|high| high < items)
}

/// Bounds that no operation has stopped at the ends of 64 bits.
fn fitting(bounds: Interval) -> Option<Interval> {
    (bounds.0 > i64::MIN && bounds.1 < i64::MAX).then_some(bounds)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Known;
    use crate::program::{InputId, Statement};

    /// Expressions over two small axes, one of them with values near the ends of 64 bits beside it.
    fn expression() -> impl Strategy<Value = String> {
        let atom = prop_oneof![
            Just("low".to_owned()),
            Just("high".to_owned()),
            Just("cap".to_owned()),
            Just("4611686018427387904".to_owned()),
            (-3_i64..4).prop_map(|number| format!("({number})")),
        ];
        atom.prop_recursive(4, 24, 3, |part| {
            let two = (part.clone(), part.clone());
            let three = (part.clone(), part.clone(), part.clone());
            prop_oneof![
                two.clone().prop_map(|(a, b)| format!("({a} + {b})")),
                two.clone().prop_map(|(a, b)| format!("({a} - {b})")),
                two.clone().prop_map(|(a, b)| format!("({a} * {b})")),
                two.clone().prop_map(|(a, b)| format!("min({a}, {b})")),
                two.clone()
                    .prop_map(|(a, b)| format!("max(abs({a}), -{b})")),
                two.clone().prop_map(|(a, b)| format!("floor({a} / {b})")),
                two.clone()
                    .prop_map(|(a, b)| format!("ceil({a} / (abs({b}) + 1))")),
                two.clone()
                    .prop_map(|(a, b)| format!("[{a}, {b}, cap][{a}]")),
                two.prop_map(|(a, b)| format!("(twice({a}) + twice({b}))")),
                three
                    .clone()
                    .prop_map(|(a, b, c)| format!("(if {a} > {b} then {c} else {a})")),
                three.prop_map(|(a, b, c)| {
                    format!("(match sign({a}) {{ -1: {b}, 0: {c}, 1: {a} }})")
                }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_known_holds_in_every_configuration(text in expression()) {
            let file = format!(
                "name = \"Demo\"\nparams.cap = {{ default = 2, domain = \"0..=9\" }}\n\
                 functions.twice = \"(n) => n + n\"\n[checks.check]\n\
                 axes.low = {{ default = 0, domain = \"-2..=2\" }}\n\
                 axes.high = {{ default = 3, domain = \"1..=3\" }}\n\
                 rules = \"show x = {text} + twice(low)\"\n"
            );
            let Ok(model) = crate::load("game.toml", file.as_bytes()) else {
                return Ok(());
            };
            let check = &model.checks[0];
            let known = Known::of(check);
            let Some(Statement::Let { value, .. }) = check.program.statements.last() else {
                return Ok(());
            };
            let safe = known.has_value(value);
            let domains = check.inputs.iter().map(|input| input.domain.bounds());
            let clear = check.may_fail(&domains.collect::<Vec<_>>()).is_empty();
            let (least, most) = known.bounds(value);
            for (low, high) in (-2..=2).flat_map(|low| (1..=3).map(move |high| (low, high))) {
                let mut config = check.defaults();
                config.put(InputId(1), low);
                config.put(InputId(2), high);
                match crate::fixed_value(value, &config, &|_| None) {
                    Ok(found) => prop_assert!((least..=most).contains(&found)),
                    Err(error) => prop_assert!(!safe && !clear, "{error}"),
                }
            }
        }
    }
}
