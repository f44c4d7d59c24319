//! Rows of scripts that are played from the beginning.

use oddsmith_rules::Config;

use crate::evaluate::Env;
use crate::moments::{Group, answers_of};
use crate::residual::{Purpose, Residual, all_known, specialise};
use crate::states::States;
use crate::sweep::part::{MOST_CELLS, Made, Method, Part, Specialised};
use crate::sweep::row::Stored;
use crate::sweep::table::Table;
use crate::sweep::{ROW_STEPS, Sweep, over_budget};
use crate::track;
use crate::{Answer, Error};

impl Part {
    /// Of a script that is played from the beginning: what all rows are predicted to cost. Plays the first and the last
    /// configuration to learn that.
    ///
    /// # Errors
    /// If one of them is over the budget.
    pub(super) fn predict(&mut self, sweep: &Sweep<'_>) -> Result<u128, Error> {
        let axes = self.whole_axes(sweep);
        let last = sweep.ranges.iter().map(|range| {
            let matters = axes.contains(&range.input);
            if matters { range.values.len() - 1 } else { 0 }
        });
        self.steps = ROW_STEPS;
        for places in [vec![0; sweep.ranges.len()], last.collect()] {
            let spent = sweep.budget.spent();
            // A rule that fails is its row's to report.
            let made = self.made(sweep, &places);
            if let Err(error @ Error::OverBudget { .. }) = made {
                return Err(error);
            }
            self.tried.push((places, made));
            self.steps = self.steps.max(sweep.budget.spent() - spent);
        }
        let cells = if self.has_table(sweep) {
            self.distinct(sweep)
        } else {
            sweep.all_rows()
        };
        Ok(u128::from(self.steps).saturating_mul(cells))
    }

    /// Whether what was played to learn the cost went well.
    pub(super) fn went_well(&self) -> bool {
        self.tried.iter().all(|(_, made)| made.is_ok())
    }

    /// Plays every combination of what matters beforehand if rows share them; refuses if what is predicted is over the
    /// budget.
    pub(super) fn fill(&mut self, sweep: &Sweep<'_>, predicted: u128) -> Result<(), Error> {
        let spent = u128::from(sweep.budget.spent());
        if predicted.saturating_add(spent) > u128::from(sweep.budget.limit()) {
            let Sweep {
                check,
                ranges,
                budget,
                ..
            } = sweep;
            return Err(over_budget(check, ranges, predicted, budget));
        }
        if self.has_table(sweep) {
            let axes = self.whole_axes(sweep);
            let table = Table::fill(sweep, &axes, |places| {
                let made = self.made(sweep, places);
                sweep.budget.complete(self.steps);
                made
            });
            self.method = Method::Whole(table);
        }
        Ok(())
    }

    fn has_table(&self, sweep: &Sweep<'_>) -> bool {
        let cells = self.distinct(sweep);
        cells <= MOST_CELLS && cells < sweep.all_rows()
    }

    /// The answers of one configuration of a track or a contest.
    fn rounds(&self, sweep: &Sweep<'_>, config: &Config, residual: &Residual) -> Made {
        let ask = |group: &Group| {
            let means = (sweep.budget, &sweep.cache);
            let answers =
                track::script_answers(sweep.check, config, residual, sweep.queries, group, means);
            Ok(answers?.into_iter().map(Stored::from).collect::<Vec<_>>())
        };
        match ask(&self.group) {
            // One question may have no answer where the others have; groups that are joined are asked apart anyway.
            Err(Error::NeverEnds { .. }) if self.apart.is_empty() => {}
            made => return made,
        }
        let alone = |&place: &usize| {
            let group = Group {
                outcomes: self.group.outcomes.clone(),
                queries: vec![place],
            };
            match ask(&group) {
                Ok(mut answers) => Ok(answers.remove(0)),
                Err(Error::NeverEnds { .. }) => Ok(Stored::from(Answer::nothing())),
                Err(error) => Err(error),
            }
        };
        self.group.queries.iter().map(alone).collect()
    }

    /// The answers of one configuration of a check.
    fn cell(&self, sweep: &Sweep<'_>, config: &Config, residual: &Residual) -> Made {
        let (source, cache) = (&sweep.check.source, &sweep.cache);
        let mut env = Env::new(source, config, sweep.budget, cache, residual);
        let states = env.run(&residual.script, &[], States::certain(&[]))?;
        let (vars, results) = (residual.script.final_vars(&[]), &residual.results);
        let (group, queries) = (&self.group, sweep.queries);
        let answers = answers_of(&mut env, results, vars, group, queries, &states)?;
        Ok(answers.into_iter().map(Stored::from).collect())
    }

    /// The answers of one configuration whose inputs are put into the script first: most configurations leave nothing to
    /// choose, and that shows only then. One that rolls as another does is not played again.
    fn specialised(&self, sweep: &Sweep<'_>, config: &Config, own: &Specialised) -> Made {
        let key = own.memo.key(config);
        if let Some(known) = key.as_ref().and_then(|key| own.memo.get(key)) {
            return Ok(known);
        }
        let (outcomes, purpose) = (&self.group.outcomes, Purpose::Run);
        let residual = specialise(&own.script, &all_known(config), outcomes, purpose);
        let made = if sweep.check.rounds.is_some() {
            self.rounds(sweep, config, &residual)
        } else {
            self.cell(sweep, config, &residual)
        };
        if let (Some(key), Ok(answers)) = (key, &made) {
            own.memo.keep(key, answers);
        }
        made
    }

    /// The answers of one configuration, from the beginning.
    pub(super) fn made(&self, sweep: &Sweep<'_>, places: &[usize]) -> Made {
        if let Some((_, made)) = self.tried.iter().find(|(tried, _)| tried == places) {
            return made.clone();
        }
        let config = sweep.config_at(places);
        let made = match &self.specialised {
            Some(own) => self.specialised(sweep, &config, own),
            None => self.cell(sweep, &config, &self.residual),
        };
        if made.is_err() && !self.apart.is_empty() {
            return self.made_apart(sweep, places);
        }
        made
    }

    /// The answers of one configuration, each group by itself: what they have in common may be refused where each of them
    /// is not, and of several errors the first group's is told.
    fn made_apart(&self, sweep: &Sweep<'_>, places: &[usize]) -> Made {
        let made = self.apart.iter().map(|part| part.made(sweep, places));
        Ok(made.collect::<Result<Vec<_>, Error>>()?.concat())
    }
}
