//! Medians and the like, found by going through a distribution.

use std::collections::BTreeMap;

use oddsmith_exact::{Budget, RBig, UBig, answers};
use oddsmith_rules::program::Expr;
use oddsmith_rules::{Check, Config, Number, Query, QueryKind, Statistic};

/// Asks for quantiles, the least, the greatest and the most likely value of what has these probabilities, which may have any
/// sum, under a condition; and for its deviation.
///
/// # Errors
/// The first answer that is not the expected one, in words.
pub(crate) fn same_picks(
    (check, config): (&Check, &Config),
    value: &Expr,
    given: Option<&Expr>,
    values: &BTreeMap<i64, RBig>,
) -> Result<(), String> {
    let ask = |kind| {
        let query = Query {
            text: "picked".to_owned(),
            kind,
            given: given.cloned(),
            after: None,
        };
        let found = answers(check, config, &[query], &Budget::unlimited());
        let found = found.map_err(|error| error.to_string())?;
        found[0].to_ratio().ok_or("no answer".to_owned())
    };
    let share = |text| Statistic::Quantile(Number::parse(text).expect("a share"));
    let quantiles = ["1/10", "0.25", "50 %", "2/3", "0.99", "1"];
    let asked = { quantiles.into_iter() }.map(share).chain([
        Statistic::Min,
        Statistic::Max,
        Statistic::Mode,
    ]);
    for statistic in asked {
        let expected = RBig::from(picked(&statistic, values));
        let found = ask(QueryKind::Statistic(statistic.clone(), value.clone()))?;
        if found != expected {
            return Err(format!(
                "{statistic:?} is {found}, not {expected} of {values:?}"
            ));
        }
    }
    let mass = sum(values, &|_| 1);
    let mean = sum(values, &|x| x) / &mass;
    let variance = sum(values, &|x| x * x) / &mass - mean.sqr();
    let found = ask(QueryKind::Deviation(value.clone()))?;
    // A root that is no fraction is cut off behind 60 digits.
    let error = RBig::from_parts(1.into(), UBig::from(10_u8).pow(50));
    let (low, high) = (&variance - &error, &variance + &error);
    if found < RBig::ZERO || found.sqr() < low || found.sqr() > high {
        return Err(format!(
            "the deviation is {found}, and the variance {variance}"
        ));
    }
    Ok(())
}

fn sum(values: &BTreeMap<i64, RBig>, of: &dyn Fn(i64) -> i64) -> RBig {
    let terms = values.iter().map(|(x, p)| p * RBig::from(of(*x)));
    terms.fold(RBig::ZERO, |sum, term| sum + term)
}

/// By the definitions of `docs/language.md`, word for word.
fn picked(statistic: &Statistic, values: &BTreeMap<i64, RBig>) -> i64 {
    let at_most = |v: i64| sum(values, &|x| i64::from(x <= v)) / sum(values, &|_| 1);
    let mut all = values.keys().copied();
    match statistic {
        Statistic::Quantile(share) => all.find(|v| at_most(*v) >= share.value),
        Statistic::Min => all.next(),
        Statistic::Max => all.next_back(),
        Statistic::Mode => {
            let most = values.values().max();
            all.find(|v| values.get(v) == most)
        }
    }
    .expect("something comes up")
}
