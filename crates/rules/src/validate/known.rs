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
        match &expr.kind {
            Kind::Unary(..) | Kind::Binary(..) => {
                self.have_values(expr) && is_unclamped(self.bounds(expr))
            }
            Kind::Divide {
                numerator,
                denominator,
                ..
            } => {
                self.have_values(expr)
                    && self.is_not_zero(denominator)
                    && is_unclamped(self.bounds(numerator))
            }
            Kind::If { .. } => self.have_values(expr),
            Kind::Match {
                subject,
                arms,
                otherwise,
            } => self.have_values(expr) && (otherwise.is_some() || self.covers(arms, subject)),
            Kind::Select { index, items } => {
                self.have_values(expr) && self.is_inside(index, items.len())
            }
            Kind::Block { statements, value } => {
                let has_value = |statement: &Statement| match statement {
                    Statement::Let { value, .. } if value.fixed => self.has_value(value),
                    _ => true,
                };
                statements.iter().all(has_value) && self.has_value(value)
            }
            // What rolls dice is no matter of configurations, and names have hazards of their own.
            _ => true,
        }
    }

    /// Whether all parts of an expression have values.
    fn have_values(&self, expr: &Expr) -> bool {
        let mut have = true;
        expr.for_each_part(&mut |part| have = have && self.has_value(part));
        have
    }

    /// Whether some arm takes whatever the subject is.
    fn covers(&self, arms: &[Arm], subject: &Expr) -> bool {
        let Some(regions) = coverage::regions(arms, Expr::as_constant) else {
            return false;
        };
        let problems = coverage::problems(&regions, false, self.bounds(subject));
        !problems
            .iter()
            .any(|problem| matches!(problem, Problem::Gap { .. }))
    }
}

fn is_inside((low, high): Interval, items: usize) -> bool {
    low >= 0 && usize::try_from(high).is_ok_and(|high| high < items)
}

/// Whether no operation was stopped at the ends of 64 bits.
fn is_unclamped((low, high): Interval) -> bool {
    low > i64::MIN && high < i64::MAX
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
