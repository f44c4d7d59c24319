//! Quantiles of what grows from round to round without an upper end: found by comparing it with one number after the
//! other, since each comparison counts only up to its number.

use oddsmith_dist::RBig;
use oddsmith_rules::program::{BinaryOp, CompareOp, Expr};
use oddsmith_rules::{Check, Query, QueryKind, Statistic};

use crate::evaluate::Env;
use crate::track::add_up::{tally, tally_of};
use crate::track::lengths::{ToldRounds, is_about_rounds};
use crate::track::parts::Track;
use crate::track::sums::{EndQuery, EndView};
use crate::track::tally::Tally;
use crate::{Answer, Error};

/// A value farther from 0 than this is not looked for.
const FARTHEST: i64 = 1 << 20;

/// A query that picks a value out of the distribution of a running sum.
pub(super) struct Search<'s> {
    pub(super) check: &'s Check,
    pub(super) track: &'s Track<'s>,
    pub(super) view: &'s EndView,
    pub(super) query: &'s Query,
    /// The same in terms of what an end has.
    pub(super) asked: &'s EndQuery,
    /// The rounds without sums in their states, once they are laid out for comparisons that these tell; nothing if they don't.
    pub(super) told: Option<Option<ToldRounds>>,
}

impl Search<'_> {
    /// The value, without end where the track goes on for ever too often.
    pub(super) fn answer(
        &mut self,
        env: &mut Env<'_>,
        statistic: &Statistic,
    ) -> Result<Answer, Error> {
        let share = match statistic {
            Statistic::Quantile(share) => share.value.clone(),
            Statistic::Min => RBig::ZERO,
            Statistic::Max => RBig::ONE,
            _ => return Err(self.view.no_extreme(env, self.query)),
        };
        let certain = QueryKind::Mean(Expr::constant(1, self.query.subject().span));
        let all = self.with_kind(certain);
        let (_, all) = tally_of(self.check, env, self.track, self.view, &all)?;
        let Some(endless) = all.endless_share() else {
            return Ok(Answer::nothing());
        };
        if endless != RBig::ZERO {
            all.demand_open(self.check, self.query)?;
        }
        let falls = self.asked.counts.iter().any(|count| *count < 0);
        if falls && endless != RBig::ZERO && share <= endless {
            return Ok(Answer::infinite(true));
        }
        if !falls && share > RBig::ONE - endless {
            return Ok(Answer::infinite(false));
        }
        if share == RBig::ONE {
            return Err(self.view.no_extreme(env, self.query));
        }
        let (mut below, mut reached) = self.bracket(env, &share)?;
        while reached - below > 1 {
            let middle = below + (reached - below) / 2;
            match self.reaches(env, middle, &share)? {
                true => reached = middle,
                false => below = middle,
            }
        }
        Ok(Answer::whole(reached))
    }

    /// A number that is too low, and one that is not.
    fn bracket(&mut self, env: &mut Env<'_>, share: &RBig) -> Result<(i64, i64), Error> {
        let mut step = 1;
        let is_low = !self.reaches(env, 0, share)?;
        let mut last = 0;
        while step <= FARTHEST {
            let next = if is_low { step } else { -step };
            if self.reaches(env, next, share)? == is_low {
                return Ok((last.min(next), last.max(next)));
            }
            last = next;
            step *= 2;
        }
        Err(self.view.no_extreme(env, self.query))
    }

    /// Whether what is asked about is at most this number with at least that share; or with any, if that is 0.
    fn reaches(&mut self, env: &mut Env<'_>, number: i64, share: &RBig) -> Result<bool, Error> {
        let subject = self.query.subject();
        let number = Expr::constant(number, subject.span);
        let op = BinaryOp::Compare(CompareOp::LessEqual);
        let event = Expr::binary(op, subject.clone(), number, subject.span);
        let query = self.with_kind(QueryKind::Probability(event));
        let (asked, tally) = self.tally(env, &query)?;
        let found = tally.answer(self.check, &query, &asked)?.to_ratio();
        let found = found.unwrap_or(RBig::ZERO);
        Ok(if *share == RBig::ZERO {
            found > RBig::ZERO
        } else {
            found >= *share
        })
    }

    /// The sums over all ends for a comparison.
    fn tally(&mut self, env: &mut Env<'_>, query: &Query) -> Result<(EndQuery, Tally), Error> {
        let own = self.view.ask(env, query)?;
        let asked = std::slice::from_ref(&own);
        let is_told = is_about_rounds(self.check, self.view, asked, &own.limits);
        if is_told && self.told.is_none() {
            self.told = Some(ToldRounds::new(env, self.track, self.view, &own)?);
        }
        match &mut self.told {
            Some(Some(told)) if is_told => told.tally(self.check, env, self.view, (query, own)),
            _ => tally(
                self.check,
                env,
                (self.track, self.view),
                (query, own),
                is_told,
            ),
        }
    }

    /// Another question under the same condition.
    fn with_kind(&self, kind: QueryKind) -> Query {
        Query {
            kind,
            ..self.query.clone()
        }
    }
}
