//! Operators as parts of scripts.

use std::collections::BTreeMap;

use super::reason::{Reason, no};
use super::scope::Scope;
use super::term::{Kind, Term, same_roll};
use crate::numbers::number;
use crate::source::Span;
use crate::syntax::{Expr, Operator, Prefix};

impl<'a> Scope<'a> {
    pub(super) fn prefixed(
        &mut self,
        prefix: Prefix,
        operand: &'a Expr,
        span: Span,
    ) -> Result<Term, Reason> {
        let term = self.expression(operand)?;
        let is_fixed = term.kind == Kind::Fixed;
        match prefix {
            Prefix::Plus => Ok(term),
            Prefix::Die => counted(&Term::constant(1), &term, span),
            Prefix::Minus => match (term.constant.and_then(i64::checked_neg), is_fixed) {
                (Some(number), _) => Ok(Term::constant(number)),
                (None, true) => Ok(Term::fixed(format!("(0 - {})", term.number(span)?))),
                (None, false) => Ok(Term::rolled(format!("(0 - {})", term.number(span)?))),
            },
            Prefix::Not => Ok(match term.constant {
                Some(number) => Term::constant((number == 0).into()),
                None => Term::truth(format!("{} == 0", term.number(span)?), is_fixed),
            }),
            Prefix::Count => match (term.kind, term.count) {
                (Kind::Pool | Kind::Faces, Some(count)) => Ok(match count.parse() {
                    Ok(count) => Term::constant(count),
                    Err(_) => Term::fixed(count),
                }),
                (Kind::Row, _) => Ok(Term::constant(
                    i64::try_from(term.row.len()).unwrap_or(i64::MAX),
                )),
                _ => no(span, "the number of digits has no counterpart"),
            },
        }
    }

    pub(super) fn chain(
        &mut self,
        first: &'a Expr,
        rest: &'a [(Operator, Expr)],
    ) -> Result<Term, Reason> {
        let mut left = self.expression(first)?;
        for (operator, right) in rest {
            let span = first.span.to(right.span);
            let right = self.expression(right)?;
            left = match operator {
                Operator::Dice => counted(&left, &right, span)?,
                Operator::At => self.place(&left, &right, span)?,
                operator => binary(*operator, &left, &right, span)?,
            };
        }
        Ok(left)
    }

    /// A die at a place, or the sum of the highest ones.
    fn place(&self, places: &Term, pool: &Term, span: Span) -> Result<Term, Reason> {
        if self.is_lowest_first {
            return no(span, "places from the lowest die on have no counterpart");
        }
        if !matches!(pool.kind, Kind::Pool | Kind::Faces) {
            return no(span, "only dice of a pool have places in a ruleset");
        }
        let up_to = |count: usize| (1..).take(count).eq(places.row.iter().copied());
        match (places.kind, places.constant) {
            (Kind::Fixed, Some(..=0)) => Ok(Term::constant(0)),
            (Kind::Fixed, _) => Ok(Term::rolled(format!("nth({}, {})", pool.text, places.text))),
            (Kind::Row, _) if !places.row.is_empty() && up_to(places.row.len()) => Ok(
                Term::rolled(format!("highest({}, {})", pool.text, places.row.len())),
            ),
            _ => no(span, "these places of a roll have no counterpart"),
        }
    }
}

/// Dice of a count.
fn counted(count: &Term, faces: &Term, span: Span) -> Result<Term, Reason> {
    match (count.kind, count.constant) {
        (_, Some(i64::MIN..=-1)) => no(span, "fewer dice than none have no counterpart"),
        // No dice are one that shows 0, but for those without faces.
        (_, Some(0)) if faces.kind != Kind::Row || !faces.row.is_empty() => {
            Ok(Term::pool("1".to_owned(), "{0}".to_owned()))
        }
        // One of some dice is those dice; a roll that has a name is a number of faces.
        (_, Some(1)) if faces.kind == Kind::Pool => Ok(faces.clone()),
        (_, Some(1)) if faces.kind == Kind::Rolled && !faces.has_names() => Ok(faces.clone()),
        (Kind::Fixed, _) => dice(count.text.clone(), faces, span),
        (Kind::Rolled | Kind::Pool | Kind::Faces, _) => {
            let rolled = dice(count.text.clone(), faces, span)?;
            Ok(Term::rolled(rolled.text))
        }
        (Kind::Row, _) => no(span, "a sequence as a number of dice has no counterpart"),
    }
}

/// Dice with some faces.
fn dice(count: String, faces: &Term, span: Span) -> Result<Term, Reason> {
    let text = match (faces.kind, faces.constant) {
        (Kind::Fixed, Some(..=0)) => {
            return no(span, "a die without faces above 0 has no counterpart");
        }
        (Kind::Fixed, _) => format!("({count})d({})", faces.text),
        (Kind::Row, _) if faces.row.is_empty() => {
            return no(span, "the empty die has no counterpart");
        }
        (Kind::Row, _) => {
            let mut weights: BTreeMap<i64, u64> = BTreeMap::new();
            faces
                .row
                .iter()
                .for_each(|face| *weights.entry(*face).or_default() += 1);
            let weights = weights
                .into_iter()
                .map(|(face, weight)| format!("{face}: {weight}"));
            format!("({count})d{{{}}}", weights.collect::<Vec<_>>().join(", "))
        }
        (Kind::Pool | Kind::Rolled | Kind::Faces, _) if faces.has_names() => {
            return Err(same_roll(span));
        }
        (Kind::Pool | Kind::Rolled | Kind::Faces, _) => format!("({count})d[{}]", faces.text),
    };
    Ok(Term::pool(count, text))
}

/// Arithmetic and comparisons.
fn binary(operator: Operator, left: &Term, right: &Term, span: Span) -> Result<Term, Reason> {
    if let (Some(left), Some(right)) = (left.constant, right.constant) {
        return match number(operator, left, right) {
            Ok(number) => Ok(Term::constant(number)),
            Err(_) => no(span, "it has no value"),
        };
    }
    match (left.kind, right.kind) {
        (Kind::Faces, _) => {
            if let Some(sign) = comparison(operator) {
                return counting(left, sign, right, span);
            }
        }
        (_, Kind::Faces) => {
            if let Some(sign) = comparison(turned(operator)) {
                return counting(right, sign, left, span);
            }
        }
        _ => {}
    }
    let is_fixed = left.kind == Kind::Fixed && right.kind == Kind::Fixed;
    let (one, other) = (left.number(span)?, right.number(span)?);
    let truth = |sign: &str| Ok(Term::truth(format!("{one} {sign} {other}"), is_fixed));
    let arithmetic = |sign: &str| {
        let text = format!("({one} {sign} {other})");
        Ok(if is_fixed {
            Term::fixed(text)
        } else {
            Term::rolled(text)
        })
    };
    if let Some(sign) = comparison(operator) {
        return truth(sign);
    }
    match operator {
        Operator::Plus => arithmetic("+"),
        Operator::Minus => arithmetic("-"),
        Operator::Times => arithmetic("*"),
        Operator::And | Operator::Or => {
            let word = if operator == Operator::And {
                "and"
            } else {
                "or"
            };
            let condition = format!("{} {word} {}", left.holds(span)?, right.holds(span)?);
            Ok(Term::truth(condition, is_fixed))
        }
        Operator::Divide => no(
            span,
            "a division that drops the fraction towards 0 has no counterpart",
        ),
        _ => no(span, "a power has no counterpart"),
    }
}

/// The sign of a comparison.
fn comparison(operator: Operator) -> Option<&'static str> {
    match operator {
        Operator::Equal => Some("=="),
        Operator::Differs
        | Operator::Less
        | Operator::More
        | Operator::AtMost
        | Operator::AtLeast => Some(operator.sign()),
        _ => None,
    }
}

/// A comparison with its sides the other way round.
fn turned(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::More,
        Operator::More => Operator::Less,
        Operator::AtMost => Operator::AtLeast,
        Operator::AtLeast => Operator::AtMost,
        other => other,
    }
}

/// A sequence compared with a number: how many of its numbers it holds of.
fn counting(faces: &Term, sign: &str, number: &Term, span: Span) -> Result<Term, Reason> {
    match number.kind {
        Kind::Fixed => {}
        Kind::Rolled if number.has_names() => {}
        _ => {
            return no(
                span,
                "a sequence compared with anything but a number has no counterpart",
            );
        }
    }
    Ok(Term::rolled(format!(
        "count({}, {sign} {})",
        faces.text, number.text
    )))
}
