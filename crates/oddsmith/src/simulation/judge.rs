//! Trials against exact odds.

use oddsmith_exact::Answer;
use oddsmith_rules::{Query, QueryKind};
use oddsmith_simulate::{
    Estimate, Sums, Tally, bernstein_p_value, binomial_p_value, chi_square, mean_error,
    normal_p_value, share_error, variance_error, z,
};

use super::data::{Fit, SimulatedRow};
use super::known::{Exact, Known, Spread};
use super::subject::Questions;
use crate::answer::{AnswerKind, decimal};
use oddsmith_numbers::share;

/// Trials from which the normal distribution may judge.
const MANY: u64 = 10_000;

/// What trials are that were stopped before they had ended: no label may have brackets.
const UNENDED: &str = "(not ended)";

/// A question with what the trials and the exact odds say of it. Where trials were stopped that it is not known of, they
/// are shown, but they prove nothing.
pub(super) fn row(
    question: &(AnswerKind, Query),
    known: &Known,
    sums: &Sums,
    is_known: bool,
) -> SimulatedRow {
    let (kind, query) = question;
    let estimate = Estimate::of(&query.kind, sums);
    let exact = known.exact.answer().cloned();
    let (z, p) = match (&known.exact, estimate) {
        (Exact::Answer(answer), Some(estimate)) if !answer.is_infinite() => match kind {
            AnswerKind::Mean => mean(sums, estimate, answer, known.spread),
            AnswerKind::Variance => variance(sums, estimate, answer, known.spread),
            AnswerKind::Deviation => deviation(query, sums, answer, known.spread),
            // Nothing of it is estimated: it was asked otherwise.
            AnswerKind::Value => (None, None),
            AnswerKind::Band | AnswerKind::Flag | AnswerKind::Probability => {
                probability(sums, estimate, answer)
            }
        },
        // What never happens has happened.
        (Exact::NeverHappens, Some(_)) => (None, Some(0.0)),
        _ => (None, None),
    };
    SimulatedRow {
        name: query.text.clone(),
        title: query.text.clone(),
        kind: *kind,
        trials: sums.trials,
        count: (!is_spread(*kind)).then(|| sums.powers.first().copied().unwrap_or(0)),
        estimate,
        exact,
        z: z.filter(|_| is_known),
        p: p.filter(|_| is_known),
    }
}

/// The trials that were stopped, beside the probability of that.
pub(super) fn unended(tally: &Tally, exact: Option<Answer>) -> SimulatedRow {
    let sums = Sums {
        trials: tally.trials,
        powers: vec![tally.unfinished.into()],
        unfinished: 0,
    };
    let estimate = Estimate::of_share(&sums);
    let judged = exact.as_ref().zip(estimate);
    let (z, p) = judged.map_or((None, None), |(answer, estimate)| {
        probability(&sums, estimate, answer)
    });
    SimulatedRow {
        name: UNENDED.to_owned(),
        title: UNENDED.to_owned(),
        kind: AnswerKind::Probability,
        trials: tally.trials,
        count: Some(tally.unfinished.into()),
        estimate,
        exact,
        z,
        p,
    }
}

/// z under the exact probability, and the exact binomial tails.
fn probability(sums: &Sums, estimate: Estimate, answer: &Answer) -> (Option<f64>, Option<f64>) {
    let p = share(&answer.weight, &answer.total);
    let z = z(estimate.value, p, share_error(p, sums.trials));
    (z, Some(binomial_p_value(count(sums), sums.trials, p)))
}

/// z under the exact variance, if it is known; judged by a bound if the values have one. Neither where all trials had the same value
/// and the exact variance is not known: how rare others are is not known then either.
fn mean(
    sums: &Sums,
    estimate: Estimate,
    answer: &Answer,
    spread: Spread,
) -> (Option<f64>, Option<f64>) {
    let Some(exact) = decimal(answer) else {
        return (None, None);
    };
    let error = spread
        .variance
        .map(|variance| mean_error(variance, sums.trials));
    let difference = estimate.value - exact;
    if error.is_none() && estimate.std_error == 0.0 && difference != 0.0 {
        return (None, None);
    }
    let p = match (spread.variance, spread.reach) {
        (Some(variance), Some(reach)) => {
            Some(bernstein_p_value(difference, sums.trials, variance, reach))
        }
        _ => normal(difference, sums.trials, [error, Some(estimate.std_error)]),
    };
    (
        z(estimate.value, exact, error.unwrap_or(estimate.std_error)),
        p,
    )
}

/// Whether it is a variance or a deviation, whose sums of values say nothing by themselves.
pub(super) fn is_spread(kind: AnswerKind) -> bool {
    matches!(kind, AnswerKind::Variance | AnswerKind::Deviation)
}

/// As that of the variance: the roots of two numbers are equal if the numbers are.
fn deviation(
    query: &Query,
    sums: &Sums,
    answer: &Answer,
    spread: Spread,
) -> (Option<f64>, Option<f64>) {
    let estimate = Estimate::of(&QueryKind::Variance(query.subject().clone()), sums);
    let square = answer.to_ratio().map(|root| Answer::from(root.sqr()));
    match (estimate, square) {
        (Some(estimate), Some(square)) => variance(sums, estimate, &square, spread),
        _ => (None, None),
    }
}

/// z under the exact fourth moment; without that it is shown with the trials' own, and not judged.
fn variance(
    sums: &Sums,
    estimate: Estimate,
    answer: &Answer,
    spread: Spread,
) -> (Option<f64>, Option<f64>) {
    let Some(exact) = decimal(answer) else {
        return (None, None);
    };
    let error = spread
        .fourth
        .map(|fourth| variance_error(exact, fourth, sums.trials as f64));
    let judge = |error| {
        let errors = [Some(error), Some(estimate.std_error)];
        normal(estimate.value - exact, sums.trials, errors)
    };
    let p = error.and_then(judge);
    (
        z(estimate.value, exact, error.unwrap_or(estimate.std_error)),
        p,
    )
}

/// The tail of the normal distribution, if there are enough trials for it.
///
/// With the larger of two standard errors: the exact one is right where something rare and large has not come
/// up, and the one of the trials where it has.
fn normal(difference: f64, trials: u64, errors: [Option<f64>; 2]) -> Option<f64> {
    let error = errors.into_iter().flatten().fold(0.0, f64::max);
    let z = z(difference, 0.0, error);
    (trials >= MANY).then(|| z.map_or(1.0, normal_p_value))
}

/// The trials in which something happened.
fn count(sums: &Sums) -> u64 {
    let count = sums.powers.first().copied().unwrap_or(0);
    u64::try_from(count).unwrap_or(0)
}

/// All cells of the partition together, if all of them are judged; what has not ended is one of them where the
/// others are about the end.
pub(super) fn fit(
    questions: &Questions,
    known: &[Known],
    (rows, unended): (&[SimulatedRow], Option<&SimulatedRow>),
    sums: &[Sums],
) -> Option<Fit> {
    let cells = questions.partition.clone();
    let unended = unended.filter(|_| questions.is_of_end);
    let exact = known.get(cells.clone())?.iter();
    let exact = exact.map(|known| known.exact.answer());
    let exact = exact.chain(unended.map(|row| row.exact.as_ref()));
    let probabilities: Option<Vec<f64>> = exact
        .map(|answer| answer.map(|answer| share(&answer.weight, &answer.total)))
        .collect();
    let mut counts: Vec<u64> = sums.get(cells.clone())?.iter().map(count).collect();
    counts.extend(unended.and_then(|row| u64::try_from(row.count?).ok()));
    let mut judged = rows.get(cells)?.iter().chain(unended);
    if judged.any(|row| row.p.is_none()) {
        return None;
    }
    Some(Fit {
        of: questions.partition_name.clone(),
        test: chi_square(&counts, &probabilities?)?,
    })
}

#[cfg(test)]
mod tests {
    use oddsmith_exact::{Answer, Budget, RBig, answers};
    use oddsmith_simulate::{Estimate, Sums};

    use super::super::known::{Exact, Known, Spread};
    use super::{AnswerKind, MANY, Query, mean, normal, row};

    fn query(text: &str) -> Query {
        let check = oddsmith_rules::expression("1d6", "<expression>").expect("it reads");
        check.query(text, "<query>").expect("it reads")
    }

    fn exact(text: &str) -> Answer {
        let check = oddsmith_rules::expression("1d6", "<expression>").expect("it reads");
        let found = answers(
            &check,
            &check.defaults(),
            &[query(text)],
            &Budget::unlimited(),
        );
        found.expect("an answer").remove(0)
    }

    fn judged(
        text: &str,
        exact: Exact,
        spread: Spread,
        trials: u64,
        powers: &[i128],
    ) -> Option<f64> {
        let sums = Sums {
            trials,
            powers: powers.to_vec(),
            unfinished: 0,
        };
        let query = query(text);
        let question = (AnswerKind::of(&query), query);
        row(&question, &Known { exact, spread }, &sums, true).p
    }

    #[test]
    fn what_is_off_is_far_out_and_what_is_right_is_not() {
        let p = |count| {
            let answer = Exact::Answer(exact("P(value==6)"));
            judged("P(value==6)", answer, Spread::default(), 600_000, &[count])
        };
        assert!(p(100_300).expect("judged") > 0.1);
        assert!(p(103_000).expect("judged") < 1e-20);
        // The variance of a die is 35/12, and no face is farther than 2.5 from its mean.
        let spread = Spread {
            variance: Some(35.0 / 12.0),
            reach: Some(2.5),
            fourth: None,
        };
        let mean = |sum| {
            let answer = Exact::Answer(exact("mean(value)"));
            judged("mean(value)", answer, spread, 60_000, &[sum, 15 * 60_000])
        };
        assert!(mean(210_500).expect("judged") > 0.1);
        assert!(mean(213_000).expect("judged") < 1e-10);
    }

    #[test]
    fn what_never_happens_may_not_happen() {
        let p = |trials| {
            judged(
                "P(value==6|value>6)",
                Exact::NeverHappens,
                Spread::default(),
                trials,
                &[0],
            )
        };
        assert_eq!(p(0), None);
        assert_eq!(p(1), Some(0.0));
    }

    #[test]
    fn without_exact_odds_nothing_is_judged() {
        let unknown = || Exact::Unknown(String::new());
        assert_eq!(
            judged("P(value==6)", unknown(), Spread::default(), 100, &[100]),
            None
        );
        let stopped = Sums {
            trials: 100,
            powers: vec![100],
            unfinished: 0,
        };
        let query = query("P(value==6)");
        let known = Known {
            exact: Exact::Answer(exact("P(value==6)")),
            spread: Spread::default(),
        };
        let row = row(&(AnswerKind::Probability, query), &known, &stopped, false);
        assert_eq!((row.p, row.z), (None, None));
    }

    /// A prize of a million, once in 10^9: it comes up in one run of a million trials of a thousand, far above
    /// the mean by the exact spread; or it does not, and the trials know of no spread.
    #[test]
    fn a_rare_prize_is_no_alarm() {
        let n = 1_000_000;
        let exact_error = (1e12 * 1e-9_f64 / 1e6).sqrt();
        let found_error = (1e12 / 1e6_f64 / 1e6).sqrt();
        let p = |mean: f64, error: f64| normal(mean - 0.001, n, [Some(exact_error), Some(error)]);
        assert!(p(1.0, found_error).expect("judged") > 0.1);
        assert!(p(0.0, 0.0).expect("judged") > 0.1);
        assert_eq!(normal(1.0, MANY - 1, [None, Some(0.1)]), None);
    }

    /// Of 20,000 trials that were all 1, where the mean is 1 and a bit: something rare has not come up.
    #[test]
    fn trials_that_are_all_alike_prove_nothing_of_an_unknown_spread() {
        let sums = Sums {
            trials: 20_000,
            powers: vec![20_000, 20_000],
            unfinished: 0,
        };
        let estimate = Estimate {
            value: 1.0,
            std_error: 0.0,
            low: 1.0,
            high: 1.0,
        };
        let answer = Answer::from(RBig::from_parts(30_001.into(), 30_000_u32.into()));
        let judged = mean(&sums, estimate, &answer, Spread::default());
        assert_eq!(judged, (None, None));
        let known = Spread {
            variance: Some(0.0),
            ..Spread::default()
        };
        let (_, p) = mean(&sums, estimate, &answer, known);
        assert_eq!(p, Some(0.0), "what can't vary is wrong if it does");
    }
}
