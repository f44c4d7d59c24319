//! Where a script is best cut in two.

use oddsmith_rules::program::{BinaryOp, Expr, Kind, UnaryOp, VarId};

use crate::residual::{Residual, Script, Step};

/// A script cut at the value of one variable.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    /// The value that all of the rest depends on.
    pub(crate) var: VarId,
    /// Rolls `var` without its fixed terms.
    pub(crate) before: Script,
    /// The rolled terms of `var`, if nothing else leads to it and there are several.
    pub(crate) terms: Vec<Expr>,
    /// The fixed terms of `var`: a number in every configuration.
    pub(crate) shift: Expr,
    /// From `var` on; `var` stays known to the end.
    pub(crate) after: Script,
}

/// Every place where only one number matters to what follows, with its script.
pub(crate) fn candidates(residual: &Residual) -> Vec<Cut> {
    let script = &residual.script;
    let at = |index: usize| {
        let Step::Let { var, value } = &script.steps[index] else {
            return None;
        };
        let variable = &residual.variables[var.0];
        if script.live[index] != [*var] || variable.is_pool() || variable.is_mutable() {
            return None;
        }
        let (mut terms, shift) = split_terms(value);
        let rolled = terms
            .iter()
            .cloned()
            .reduce(|sum, term| add(sum, &term, false));
        let rolled = rolled.unwrap_or_else(|| Expr::constant(0, value.span));
        if index > 0 || terms.len() == 1 {
            terms.clear();
        }
        let mut before = Script {
            steps: script.steps[..=index].to_vec(),
            live: script.live[..=index].to_vec(),
        };
        before.steps[index] = Step::Let {
            var: *var,
            value: rolled,
        };
        let mut after = Script {
            steps: script.steps[index + 1..].to_vec(),
            live: script.live[index + 1..].to_vec(),
        };
        keep_to_the_end(*var, &mut after);
        // A choice needs to look ahead to what it strives for.
        if [&before, &after]
            .map(Script::has_open_choice)
            .contains(&true)
        {
            return None;
        }
        Some(Cut {
            var: *var,
            before,
            terms,
            shift,
            after,
        })
    };
    (0..script.steps.len()).filter_map(at).collect()
}

/// Lets a variable that is bound before a script matter after every step.
pub(super) fn keep_to_the_end(var: VarId, script: &mut Script) {
    let keep = |live: &mut Vec<VarId>| {
        if let Err(place) = live.binary_search(&var) {
            live.insert(place, var);
        }
    };
    script.live.iter_mut().for_each(keep);
    for step in &mut script.steps {
        if let Step::Repeat { body, head, .. } = step {
            keep(head);
            keep_to_the_end(var, body);
        }
    }
}

/// A sum as its rolled terms and the sum of its fixed terms.
fn split_terms(expr: &Expr) -> (Vec<Expr>, Expr) {
    let (mut rolled, mut fixed) = (Vec::new(), Expr::constant(0, expr.span));
    collect_terms(expr, false, &mut rolled, &mut fixed);
    (rolled, fixed)
}

fn collect_terms(expr: &Expr, negative: bool, rolled: &mut Vec<Expr>, fixed: &mut Expr) {
    match &expr.kind {
        Kind::Binary(BinaryOp::Add, left, right) => {
            collect_terms(left, negative, rolled, fixed);
            collect_terms(right, negative, rolled, fixed);
        }
        Kind::Binary(BinaryOp::Subtract, left, right) => {
            collect_terms(left, negative, rolled, fixed);
            collect_terms(right, !negative, rolled, fixed);
        }
        _ if expr.fixed => *fixed = add(fixed.clone(), expr, negative),
        _ if negative => rolled.push(Expr::unary(UnaryOp::Negate, expr.clone(), expr.span)),
        _ => rolled.push(expr.clone()),
    }
}

fn add(sum: Expr, term: &Expr, negative: bool) -> Expr {
    let op = if negative {
        BinaryOp::Subtract
    } else {
        BinaryOp::Add
    };
    let span = sum.span.to(term.span);
    Expr::new(
        Kind::Binary(op, Box::new(sum), Box::new(term.clone())),
        span,
    )
}
