//! The worth of a check with all that follows it.

use oddsmith_exact::{Dist, IBig, RBig, UBig};

use super::code::{Code, Outcome, numerator};
use super::holdings::Holdings;
use super::solve::Play;

/// The worth of all that follows after a check, by the points that are left then.
pub(super) struct WorthToGo<'a> {
    code: &'a Code,
    /// The worth by what is held, over the denominator; none where the scene can't go on.
    values: Vec<Option<IBig>>,
    pub(super) denominator: UBig,
    holdings: &'a Holdings,
    /// The points that the scene began with.
    pool: &'a [i64],
}

/// The points of each resource that are left after a check; below 0 if there were too few. What comes back goes up to as many as
/// the scene began with.
pub(super) fn rest<'p>(
    left: &'p [i64],
    spent: &'p [i64],
    pool: &'p [i64],
) -> impl Iterator<Item = i64> + 'p {
    let each = left.iter().zip(spent).zip(pool);
    each.map(|((left, spent), pool)| (left - spent).min(*left.max(pool)))
}

/// Whether there are so many points of each resource.
pub(super) fn fits(points: &[i64], left: &[i64]) -> bool {
    points.iter().zip(left).all(|(points, left)| points <= left)
}

impl<'a> WorthToGo<'a> {
    /// After the last check nothing is worth anything.
    pub(super) fn new(
        code: &'a Code,
        later: Option<&Vec<Option<Play>>>,
        (holdings, pool): (&'a Holdings, &'a [i64]),
    ) -> Self {
        let values: Vec<Option<RBig>> = match later {
            Some(plays) => {
                let value = |play: &Option<Play>| Some(play.as_ref()?.value.clone());
                plays.iter().map(value).collect()
            }
            None => vec![Some(RBig::ZERO); holdings.count()],
        };
        let denominator = code.denominator(values.iter().flatten());
        let whole = |value: &Option<RBig>| Some(numerator(value.as_ref()?, &denominator));
        Self {
            values: values.iter().map(whole).collect(),
            code,
            denominator,
            holdings,
            pool,
        }
    }

    /// The worth of an outcome with all that follows, if there were `left` points before it.
    pub(super) fn worth(&self, outcome: &Outcome, left: &[i64]) -> Option<IBig> {
        let rest = self.holdings.place(rest(left, &outcome.spent, self.pool))?;
        let later = self.values[rest].as_ref()?;
        Some(self.code.worth(outcome, &self.denominator) + later)
    }

    /// The worth of an outcome by itself; none if it spends more than is left.
    pub(super) fn worth_now(&self, outcome: &Outcome, left: &[i64]) -> Option<IBig> {
        fits(&outcome.spent, left).then(|| self.code.worth(outcome, &self.denominator))
    }

    /// The mean over what comes of a check; none if that can be something that is barred.
    pub(super) fn mean(&self, goal: &Dist, of: impl Fn(&Outcome) -> Option<IBig>) -> Option<RBig> {
        let mut sum = IBig::ZERO;
        for (value, weight) in goal.iter() {
            sum += of(&self.code.read(value))? * IBig::from(weight);
        }
        Some(RBig::from_parts(sum, goal.total() * &self.denominator))
    }
}
