//! Queries: what is counted of each batch, and how the answers follow from it.

use oddsmith_rules::program::{Expr, VarId};
use oddsmith_rules::{Query, QueryKind, Source};

use super::Compiler;
use super::value::{Num, Table, Value};
use crate::Error;
use crate::column::{Operand, Width};
use crate::program::{CompiledQuery, Tallied, TrialPlan};

/// Thresholds up to which they are counted one by one in place of every value.
const FEW_CHANGES: usize = 12;

/// The number of rounds of a trial that was stopped: it may go on for ever, which is more than any number that a
/// query compares it with. Its square still fits 64 bits.
const ENDLESS: i64 = 1 << 31;

/// A query in every trial.
struct Meaning {
    /// Whether it applies.
    given: Num,
    value: Num,
    /// Whether it applies to a trial that was stopped, so that the value is not known.
    unfinished: Num,
}

/// The part of a play that a query is about: trials that were stopped have a first round, and a number of rounds beyond
/// the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// The query reads nothing but what the first round shows.
    FirstRound,
    /// The query reads that, and the number of rounds.
    Rounds,
    /// The end.
    End,
}

/// How many powers of a query's value are summed.
fn powers(query: &Query) -> usize {
    match query.kind {
        QueryKind::Probability(_) => 1,
        // Of a median and the like nothing is estimated.
        QueryKind::Mean(_) | QueryKind::Statistic(..) => 2,
        QueryKind::Variance(_) | QueryKind::Deviation(_) => 4,
    }
}

/// The numbers that one trial adds to a query's sums; none beyond 128 bits.
fn row(applies: i64, value: i64, powers: usize) -> Option<Vec<i128>> {
    let mut row = vec![i128::from(applies)];
    let mut power = i128::from(applies);
    for _ in 0..powers {
        power = power.checked_mul(value.into())?;
        row.push(power);
    }
    Some(row)
}

impl Compiler<'_> {
    /// The tallies of a batch, and how each query's sums follow from them.
    pub(super) fn queries(
        &mut self,
        queries: &[Query],
    ) -> Result<(Vec<Tallied>, Vec<CompiledQuery>), Error> {
        let mut tallied = Vec::new();
        let mut asked = Vec::with_capacity(queries.len());
        for (at, query) in queries.iter().enumerate() {
            self.question = Some(Source::new("query", &query.text));
            let Meaning {
                given,
                value,
                unfinished,
            } = self.meaning(query)?;
            self.question = None;
            let plan = self.plan(&mut tallied, (at, powers(query)), &given, &value);
            let unfinished = (unfinished.as_constant() != Some(0)).then(|| {
                let column = self.in_column(&unfinished, Width::W8);
                note(&mut tallied, Tallied::AtLeast { column, at: 1 })
            });
            asked.push(CompiledQuery { plan, unfinished });
        }
        Ok((tallied, asked))
    }

    /// The meaning of a query in every trial. No event at the end happens to a trial that was stopped, and a number
    /// there it has none.
    fn meaning(&mut self, query: &Query) -> Result<Meaning, Error> {
        // What follows the rounds was for the others alone.
        self.frame().mask = None;
        let mut given = match &query.given {
            Some(given) => self.also_if_stopped(given)?,
            None => Num::truth(true),
        };
        let mut unfinished = Num::truth(false);
        let subject = query.subject();
        let is_number = !matches!(query.kind, QueryKind::Probability(_));
        let value = if is_number && self.about(subject) != About::FirstRound {
            if let Some(has_ended) = self.has_ended.clone() {
                let stopped = self.not(&has_ended);
                unfinished = self.and(&given, &stopped);
                given = self.and(&given, &has_ended);
            }
            self.within(&given, |c| c.number(subject))?
        } else {
            self.within(&given, |c| c.also_if_stopped(subject))?
        };
        Ok(Meaning {
            given,
            value,
            unfinished,
        })
    }

    /// An event or a number, also in trials that were stopped.
    fn also_if_stopped(&mut self, expr: &Expr) -> Result<Num, Error> {
        let about = self.about(expr);
        let (Some(has_ended), Some(rounds)) = (self.has_ended.clone(), self.check.rounds) else {
            return self.number(expr);
        };
        if about == About::FirstRound {
            return self.number(expr);
        }
        let at_end = self.within(&has_ended, |c| c.number(expr))?;
        if about == About::End {
            return Ok(self.and(&has_ended, &at_end));
        }
        let stopped = self.not(&has_ended);
        let counted = self.values[rounds.0].replace(Value::Number(Num::constant(ENDLESS)));
        let endless = self.within(&stopped, |c| c.number(expr));
        self.values[rounds.0] = counted;
        Ok(self.select(&has_ended, &at_end, &endless?))
    }

    fn about(&self, expr: &Expr) -> About {
        let outcomes = self.check.outcomes_in([expr].into_iter());
        let is_of_first_round = |var: &VarId| {
            let mut shown = self.check.outcomes.iter();
            shown.any(|outcome| outcome.var == *var && outcome.first_round)
        };
        let later: Vec<&VarId> = outcomes
            .iter()
            .filter(|var| !is_of_first_round(var))
            .collect();
        match later.as_slice() {
            [] => About::FirstRound,
            [only] if self.check.rounds == Some(**only) => About::Rounds,
            _ => About::End,
        }
    }

    fn plan(
        &mut self,
        tallied: &mut Vec<Tallied>,
        (query, powers): (usize, usize),
        given: &Num,
        value: &Num,
    ) -> TrialPlan {
        if let Some(plan) = self.plan_of_one_column(tallied, powers, given, value) {
            return plan;
        }
        if powers == 1 {
            // Two truths: that it applies, and that it applies and holds.
            let both = self.and(given, value);
            let first = vec![0, 0];
            let count = |tallied: &mut Vec<Tallied>, num: &Num, row: Vec<i128>, c: &mut Self| {
                let column = c.in_column(num, Width::W8);
                (note(tallied, Tallied::AtLeast { column, at: 1 }), row)
            };
            let changes = vec![
                count(tallied, given, vec![1, 0], self),
                count(tallied, &both, vec![0, 1], self),
            ];
            return TrialPlan::Thresholds { first, changes };
        }
        let column = self.in_column(value, Width::holding(value.range));
        let given = match given.operand {
            Operand::Constant(_) => None,
            Operand::Column(_) => Some(self.in_column(given, Width::W8)),
        };
        let added = Tallied::Powers {
            value: column,
            given,
            range: value.range,
            powers,
            query,
        };
        let at = note(tallied, added);
        TrialPlan::Powers { at }
    }

    /// A plan for a query that depends on one column, or on none.
    fn plan_of_one_column(
        &mut self,
        tallied: &mut Vec<Tallied>,
        powers: usize,
        given: &Num,
        value: &Num,
    ) -> Option<TrialPlan> {
        if given.as_constant() == Some(0) {
            let (first, changes) = (vec![0; powers + 1], Vec::new());
            return Some(TrialPlan::Thresholds { first, changes });
        }
        if let (Some(given), Some(value)) = (given.as_constant(), value.as_constant()) {
            let changes = Vec::new();
            let first = row(given, value, powers)?;
            return Some(TrialPlan::Thresholds { first, changes });
        }
        let table = self.tabulate([given, value], |[given, value]| {
            Some(if given != 0 { value } else { 0 })
        })?;
        let applies = self.tabulate([given, value], |[given, _]| Some(given))?;
        let pairs = applies.values.iter().zip(table.values.iter());
        let rows: Option<Vec<Vec<i128>>> = pairs
            .map(|(applies, value)| row(*applies, *value, powers))
            .collect();
        Some(self.count_rows(tallied, &table, rows?))
    }

    fn count_rows(
        &mut self,
        tallied: &mut Vec<Tallied>,
        table: &Table,
        rows: Vec<Vec<i128>>,
    ) -> TrialPlan {
        let column = self.local(table.root);
        let changed = (table.low + 1..).zip(rows.windows(2));
        let changed: Vec<_> = changed.filter(|(_, pair)| pair[0] != pair[1]).collect();
        if changed.len() > FEW_CHANGES {
            let (low, size) = (table.low, rows.len());
            let at = note(tallied, Tallied::Histogram { column, low, size });
            return TrialPlan::Cases { at, rows };
        }
        let change = |(at, pair): (i64, &[Vec<i128>])| {
            let place = note(tallied, Tallied::AtLeast { column, at });
            let row = pair[1]
                .iter()
                .zip(&pair[0])
                .map(|(after, before)| after - before);
            (place, row.collect())
        };
        let changes = changed.into_iter().map(change).collect();
        TrialPlan::Thresholds {
            first: rows[0].clone(),
            changes,
        }
    }
}

/// The place of something that is counted, which may be there already.
fn note(tallied: &mut Vec<Tallied>, wanted: Tallied) -> usize {
    let known = tallied.iter().position(|known| *known == wanted);
    known.unwrap_or_else(|| {
        tallied.push(wanted);
        tallied.len() - 1
    })
}
