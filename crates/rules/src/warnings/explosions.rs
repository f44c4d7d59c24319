//! `5d10!(4) cs>=8`: an explosion that changes nothing, where dice that are rolled on were to be counted.

use crate::check::Check;
use crate::program::CompareOp;
use crate::syntax::ast::{Arg, Expr, ExprKind, Faces, Test, TestKind};
use crate::warnings::found::Found;

/// Warns of a count of dice that explode at their highest face and are counted from a number on that this face reaches in
/// every configuration: with and without the explosion it counts once. Other dice rollers count what is rolled on as dice
/// of their own.
pub(super) fn look(expr: &Expr, checks: &[&Check], found: &mut Found) {
    let Some((pool, test)) = count(expr) else {
        return;
    };
    let (ExprKind::Dice { die, .. }, Some(least)) = (&pool.kind, counted_from(test)) else {
        return;
    };
    let (Faces::Sides(sides), Some(explode)) = (&die.faces, &die.explode) else {
        return;
    };
    let ExprKind::Int(sides) = sides.kind else {
        return;
    };
    let is_reached = reaches_at_most(least, checks).is_some_and(|most| most <= sides);
    if explode.test.is_some() || !is_reached {
        return;
    }
    let dice = found.text(pool.span);
    let least = found.text(least.span);
    let bounded = match explode.depth {
        Some(_) => dice.to_owned(),
        None => format!("{dice}(9)"),
    };
    let message = format!("the explosion of `{dice}` changes nothing that is counted here");
    let help = format!(
        "to count what is rolled on as dice of their own: `fold x, n of {bounded} with hits = 0 {{ set hits = hits + n * \
         (floor(x / {sides}) + (if mod(x, {sides}) >= {least} then 1 else 0)) }}`, or a loop as in `oddsmith new mine --from \
         world-of-darkness`; else leave out the explosion"
    );
    let warning = found
        .warning(expr.span, message)
        .with_label("it makes one larger die, which counts once")
        .with_help(help);
    found.push(warning);
}

/// The pool that is counted, and what its dice are compared with.
fn count(expr: &Expr) -> Option<(&Expr, &TestKind)> {
    match &expr.kind {
        ExprKind::Successes { pool, test } => Some((pool, &test.kind)),
        ExprKind::Call { name, args } if name.text == "count" => match args.as_slice() {
            [Arg::Value(pool), Arg::Test(Test { kind, .. })] => Some((pool, kind)),
            _ => None,
        },
        _ => None,
    }
}

/// The least number that is counted; none if it is another comparison.
fn counted_from(test: &TestKind) -> Option<&Expr> {
    match test {
        TestKind::Compare {
            op: CompareOp::GreaterEqual,
            value,
        } => Some(value),
        _ => None,
    }
}

/// Whether the rules of a check bind a value of this name, which may come to anything.
fn is_bound(check: &Check, name: &str) -> bool {
    let mut variables = check.program().variables().iter();
    variables.any(|variable| variable.name() == name)
}

/// The most that a number, an axis or a parameter comes to.
fn reaches_at_most(number: &Expr, checks: &[&Check]) -> Option<i64> {
    match &number.kind {
        ExprKind::Int(number) => Some(*number),
        ExprKind::Name(name) if !checks.iter().any(|check| is_bound(check, name)) => {
            let inputs = checks.iter().flat_map(|check| check.inputs.iter());
            let named = inputs.filter(|input| input.name == *name);
            named.map(|input| input.domain.bounds().1).max()
        }
        _ => None,
    }
}
