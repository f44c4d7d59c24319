//! Medians and the like, put to trials.

use oddsmith_exact::{Budget, answers};
use oddsmith_rules::program::{BinaryOp, CompareOp, Expr};
use oddsmith_rules::{Check, Config, Query, QueryKind, Statistic};

use crate::Error;

/// A query as trials can answer it. A value that is picked out of a distribution, such as a median, has no error that
/// trials would tell: what makes it that value are probabilities, and those are compared.
pub(super) fn put_to_trials(
    check: &Check,
    config: &Config,
    query: &Query,
    budget: &Budget,
) -> Result<Vec<Query>, Error> {
    let QueryKind::Statistic(statistic, subject) = &query.kind else {
        return Ok(vec![query.clone()]);
    };
    let exact = answers(check, config, std::slice::from_ref(query), budget);
    let value = exact.ok().and_then(|found| found[0].to_ratio());
    let value = value.and_then(|value| i64::try_from(value.numerator()).ok());
    let Some(value) = value else {
        let message = format!("trials can't estimate `{}`", query.text);
        let help = "its exact value, around which they would count, is not known: ask for the probability of a value, such as P(total <= 10)";
        return Err(Error::advice(message, help));
    };
    let compared = |op: &CompareOp| {
        let number = Expr::constant(value, subject.span);
        let compare = BinaryOp::Compare(*op);
        Query {
            text: text(query, *op, value),
            kind: QueryKind::Probability(Expr::binary(
                compare,
                subject.clone(),
                number,
                subject.span,
            )),
            given: query.given.clone(),
            after: query.after,
        }
    };
    let around: &[CompareOp] = match statistic {
        Statistic::Quantile(_) => &[CompareOp::Less, CompareOp::LessEqual],
        Statistic::Min => &[CompareOp::Less, CompareOp::Equal],
        Statistic::Max => &[CompareOp::Equal, CompareOp::Greater],
        Statistic::Mode => &[CompareOp::Equal],
    };
    Ok(around.iter().map(compared).collect())
}

/// `median(total) is 11: P(total <= 11)`
fn text(query: &Query, op: CompareOp, value: i64) -> String {
    let part = |expr: &Expr| query.text.get(expr.span.start..expr.span.end);
    let subject = part(query.subject()).unwrap_or("it");
    let given = query.given.as_ref().and_then(part);
    let given = given.map_or_else(String::new, |given| format!(" | {given}"));
    let after = query
        .after
        .map_or_else(String::new, |rounds| format!(" after {rounds}"));
    let sign = op.sign();
    format!(
        "{} is {value}: P({subject} {sign} {value}{given}){after}",
        query.text
    )
}
