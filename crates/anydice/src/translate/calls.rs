//! Calls as parts of scripts.

use super::reason::{Reason, no};
use super::scope::Scope;
use super::term::{Kind, NAMED, Term};
use crate::builtin::{Builtin, of_shape};
use crate::source::Span;
use crate::syntax::{Block, Expr, Function, ParameterKind, Statement};

/// How deep functions are written out.
const DEEPEST: u32 = 5;
/// The rolls that a check may have names for.
const MOST_LETS: usize = 50;

impl<'a> Scope<'a> {
    pub(super) fn call(
        &mut self,
        shape: usize,
        arguments: &'a [Expr],
        span: Span,
    ) -> Result<Term, Reason> {
        let terms: Result<Vec<Term>, Reason> =
            arguments.iter().map(|a| self.expression(a)).collect();
        let terms = terms?;
        if i64::from(self.depth) >= self.function_depth.clone()? {
            return no(
                span,
                "a call deeper than the program allows has no counterpart",
            );
        }
        if let Some(function) = self.functions[shape] {
            return self.inlined(&self.code.functions[function], terms, span);
        }
        match (of_shape(&self.code.shapes[shape]), terms.as_slice()) {
            (Some(Builtin::Absolute), [of]) => absolute(of, span),
            (Some(Builtin::HigherOf), [one, other]) => of_two("max", one, other, span),
            (Some(Builtin::LowerOf), [one, other]) => of_two("min", one, other, span),
            (Some(Builtin::Highest), [keep, pools @ ..]) => kept("highest", keep, pools, span),
            (Some(Builtin::Lowest), [keep, pools @ ..]) => kept("lowest", keep, pools, span),
            (Some(Builtin::Count), [wanted, pool]) => Ok(Term::rolled(format!(
                "count({}, {})",
                pool_of(pool, span)?,
                tested(wanted, span)?
            ))),
            (Some(Builtin::Contains), [pool, wanted]) if wanted.constant.is_some() => {
                let count = format!("count({}, {})", pool_of(pool, span)?, tested(wanted, span)?);
                Ok(Term::truth(format!("{count} >= 1"), false))
            }
            (Some(Builtin::Explode), [die]) => self.exploded(die, span),
            (Some(_), _) => no(span, "this function has no counterpart"),
            (None, _) => no(span, "there is no such function"),
        }
    }

    fn exploded(&self, die: &Term, span: Span) -> Result<Term, Reason> {
        let depth = self.explode_depth.clone()?;
        match (die.kind, die.count.as_deref()) {
            // No dice are written as a plain 0, which does not explode.
            (Kind::Pool, Some("1")) if die.text.starts_with("(1)d") => Ok(Term::pool(
                "1".to_owned(),
                format!("{}!({depth})", die.text),
            )),
            _ => no(span, "only a single die explodes in a ruleset"),
        }
    }

    /// A function written out: its parameters are rolls with names, its conditions are `if`s.
    fn inlined(
        &mut self,
        function: &'a Function,
        arguments: Vec<Term>,
        span: Span,
    ) -> Result<Term, Reason> {
        if self.depth == DEEPEST {
            return no(span, "a function that calls itself has no counterpart");
        }
        let before = self.variables.clone();
        for (parameter, argument) in function.parameters.iter().zip(arguments).rev() {
            let bound = self.bound(parameter.kind, argument, span)?;
            self.variables[parameter.name] = Some(Ok(bound));
        }
        self.depth += 1;
        let result = self.body(&function.body, None, span);
        self.depth -= 1;
        self.variables = before;
        result
    }

    /// An argument as a parameter takes it.
    fn bound(&mut self, kind: ParameterKind, argument: Term, span: Span) -> Result<Term, Reason> {
        match (kind, argument.kind) {
            (ParameterKind::Number, Kind::Fixed) | (ParameterKind::Any, _) => Ok(argument),
            (ParameterKind::Die, Kind::Pool | Kind::Rolled) => Ok(argument),
            (ParameterKind::Number, Kind::Pool | Kind::Rolled | Kind::Faces) => {
                // The sum of a roll, and the same one wherever the parameter stands.
                let name = self.named(&format!("0 + {}", argument.text), span)?;
                Ok(Term::rolled(name))
            }
            (ParameterKind::Sequence, Kind::Pool) => {
                let count = argument.count.clone().unwrap_or_default();
                let name = self.named(&argument.text, span)?;
                Ok(Term::faces(count, name))
            }
            (ParameterKind::Sequence, Kind::Faces) => Ok(argument),
            _ => no(
                span,
                "an argument of this kind has no counterpart for its parameter",
            ),
        }
    }

    /// A new name for a roll.
    fn named(&mut self, text: &str, span: Span) -> Result<String, Reason> {
        if self.lets.len() == MOST_LETS {
            return no(span, "it would have too many rolls with names");
        }
        let name = format!("{NAMED}{}", self.lets.len() + 1);
        self.lets.push(format!("let {name} = {text}\n"));
        Ok(name)
    }

    /// The statements of a function, and what follows them, as one expression.
    fn body(
        &mut self,
        block: &'a [Statement],
        after: Option<&Next<'a, '_>>,
        span: Span,
    ) -> Result<Term, Reason> {
        match block.split_first() {
            None => match after {
                Some(next) => self.body(next.block, next.after, span),
                None => no(
                    span,
                    "a function without a result on some rolls has no counterpart",
                ),
            },
            Some((Statement::Result(value), _)) => self.expression(value),
            Some((Statement::If { arms, otherwise }, rest)) => {
                let next = Next { block: rest, after };
                self.choice(arms, otherwise, &next)
            }
            Some(_) => no(
                span,
                "a function with variables or loops has no counterpart",
            ),
        }
    }

    fn choice(
        &mut self,
        arms: &'a [(Expr, Block)],
        otherwise: &'a Block,
        next: &Next<'a, '_>,
    ) -> Result<Term, Reason> {
        let Some(((condition, body), others)) = arms.split_first() else {
            let span = Span::default();
            return self.body(otherwise, Some(next), span);
        };
        let span = condition.span;
        let holds = self.expression(condition)?.holds(span)?;
        let then = self.body(body, Some(next), span)?;
        let or = self.choice(others, otherwise, next)?;
        let (then, or) = (then.number(span)?.to_owned(), or.number(span)?.to_owned());
        Ok(Term::rolled(format!(
            "(if {holds} then 0 + {then} else 0 + {or})"
        )))
    }
}

/// The statements after a block, and after those.
struct Next<'a, 'b> {
    block: &'a [Statement],
    after: Option<&'b Next<'a, 'b>>,
}

fn absolute(of: &Term, span: Span) -> Result<Term, Reason> {
    if let Some(number) = of.constant.and_then(i64::checked_abs) {
        return Ok(Term::constant(number));
    }
    let text = format!("abs({})", of.number(span)?);
    Ok(match of.kind {
        Kind::Fixed => Term::fixed(text),
        _ => Term::rolled(text),
    })
}

/// The higher or the lower of two numbers.
fn of_two(function: &str, one: &Term, other: &Term, span: Span) -> Result<Term, Reason> {
    let text = format!("{function}({}, {})", one.number(span)?, other.number(span)?);
    let is_fixed = one.kind == Kind::Fixed && other.kind == Kind::Fixed;
    Ok(if is_fixed {
        Term::fixed(text)
    } else {
        Term::rolled(text)
    })
}

/// The sum of kept dice.
fn kept(function: &str, keep: &Term, pools: &[Term], span: Span) -> Result<Term, Reason> {
    if keep.kind != Kind::Fixed || keep.constant.is_some_and(|keep| keep < 0) {
        return no(
            span,
            "a number of kept dice that is rolled has no counterpart",
        );
    }
    let dice: Result<Vec<String>, Reason> = pools.iter().map(|pool| pool.dice(span)).collect();
    let pool = match dice?.as_slice() {
        [one] => one.clone(),
        several => format!("{{{}}}", several.join(", ")),
    };
    Ok(Term::rolled(format!("{function}({pool}, {})", keep.text)))
}

/// The text of dice that are counted.
fn pool_of(pool: &Term, span: Span) -> Result<&str, Reason> {
    match pool.kind {
        Kind::Pool | Kind::Faces => Ok(&pool.text),
        _ => no(span, "counting in anything but dice has no counterpart"),
    }
}

/// The test of a count: a number, or a range of numbers.
fn tested(wanted: &Term, span: Span) -> Result<String, Reason> {
    let mut row = match wanted.constant {
        Some(number) => vec![number],
        None => wanted.row.clone(),
    };
    row.sort_unstable();
    let (Some(first), Some(last)) = (row.first().copied(), row.last().copied()) else {
        return no(span, "a count of nothing has no counterpart");
    };
    let is_next = |pair: &[i64]| pair[0].checked_add(1) == Some(pair[1]);
    match row.windows(2).all(is_next) {
        true if first == last => Ok(format!("== {first}")),
        true => Ok(format!("{first}..={last}")),
        false => no(
            span,
            "a count of numbers that are no range has no counterpart",
        ),
    }
}
