//! Rows of scripts that are played from the beginning.

use std::sync::Arc;

use oddsmith_rules::{Config, InputRange};

use crate::cache::Claim;
use crate::evaluate::Env;
use crate::moments::{Group, answers_of};
use crate::residual::{Purpose, Residual, all_known, specialise};
use crate::states::States;
use crate::sweep::begun::Which;
use crate::sweep::input_table::{InputTable, MOST_CELLS};
use crate::sweep::moment_sums::Scratch;
use crate::sweep::query_group::{Method, QueryGroup, Specialised};
use crate::sweep::row::{LineAnswers, Made, Stored};
use crate::sweep::space::{ROW_STEPS, Space, over_budget, set_last};
use crate::track;
use crate::{Answer, Error};

/// So many configurations between the first and the last one are played to learn what a row costs, if there are so many
/// times as many rows.
const SAMPLES: usize = 16;
const ROWS_PER_SAMPLE: u128 = 8;
/// This part of a budget is enough to learn that a table is over it.
const MOST_SAMPLED: u64 = 32;
/// Bases of the digits that spread samples along axes.
const PRIMES: [usize; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

/// The digits of a number to a base, mirrored at the point, as a share of `len` places.
fn mirrored(mut number: usize, base: usize, len: usize) -> usize {
    let (mut numerator, mut denominator) = (0, 1);
    while number > 0 {
        numerator = numerator * base + number % base;
        denominator *= base;
        number /= base;
    }
    len.saturating_mul(numerator) / denominator
}

impl QueryGroup {
    /// Of a script that is played from the beginning: what all rows are predicted to cost. Plays the first and the last
    /// configuration and some between them to learn that.
    ///
    /// # Errors
    /// If one of them is over the budget.
    pub(super) fn predict(&mut self, space: &Space<'_>) -> Result<u128, Error> {
        let cells = if self.has_table(space) {
            self.pieces(space)
        } else {
            space.all_rows()
        };
        let limit = space.budget.limit();
        let (mut steps, mut played) = (0, 0);
        for places in self.samples(space) {
            let spent = space.budget.spent();
            // A rule that fails is its row's to report.
            let made = self.made_together(space, &places, Which::All);
            let mut errors = made.iter().filter_map(|made| made.as_ref().err());
            if let Some(error) = errors.find(|error| matches!(error, Error::OverBudget { .. })) {
                let error = error.clone();
                return Err(error.refused_in(space.check, &space.config_at(&places)));
            }
            self.tried.push((places, made));
            steps += space.budget.spent() - spent;
            played += 1;
            self.steps = ROW_STEPS.max(steps / played);
            // What is refused anyway is not looked at for long.
            let predicted = u128::from(self.steps).saturating_mul(cells);
            if steps > limit / MOST_SAMPLED && space.share(predicted) > u128::from(limit) {
                break;
            }
        }
        Ok(u128::from(self.steps).saturating_mul(cells))
    }

    /// Places of configurations that stand for all: the first, where there are many some that are spread evenly over what
    /// matters, and the last. What a row costs may grow by a power with each of several axes, so that the dearest row
    /// says little of the others.
    fn samples(&self, space: &Space<'_>) -> Vec<Vec<usize>> {
        let matters = self.axes_beside_starts(space);
        let last_of = |range: &InputRange| match matters.contains(&range.input) {
            true => range.values.len() - 1,
            false => 0,
        };
        let lasts: Vec<usize> = space.ranges.iter().map(last_of).collect();
        let mut samples = vec![vec![0; lasts.len()]];
        if self.pieces(space) >= ROWS_PER_SAMPLE * SAMPLES as u128 {
            // Halton's sequence: for each axis the digits of a running number to another prime base, mirrored.
            let spread = |number: usize| {
                let places = lasts.iter().zip(PRIMES.iter().cycle());
                places.map(move |(last, base)| mirrored(number, *base, last + 1))
            };
            samples.extend((1..=SAMPLES).map(|number| spread(number).collect()));
        }
        // The last one is the dearest, mostly.
        samples.push(lasts);
        samples.dedup();
        samples
    }

    /// The combinations of what matters that are each played by themselves.
    fn pieces(&self, space: &Space<'_>) -> u128 {
        space.combinations(self.axes_beside_starts(space).into_iter())
    }

    /// Whether every combination of what matters was played to learn the cost.
    pub(super) fn is_all_tried(&self, space: &Space<'_>) -> bool {
        self.pieces(space) <= self.tried.len() as u128
    }

    /// Whether the first and the last of what was played to learn the cost went well.
    pub(super) fn went_well(&self) -> bool {
        let ends = [self.tried.first(), self.tried.last()];
        let mut made = ends.iter().flatten().flat_map(|(_, made)| made);
        made.all(Result::is_ok)
    }

    /// Plays every combination of what matters beforehand if rows share them; refuses if what is predicted is over the
    /// budget.
    pub(super) fn fill(&mut self, space: &Space<'_>, predicted: u128) -> Result<(), Error> {
        let spent = u128::from(space.budget.spent());
        if predicted.saturating_add(spent) > u128::from(space.budget.limit()) {
            let Space {
                check,
                ranges,
                budget,
                ..
            } = space;
            return Err(over_budget(check, ranges, predicted, budget));
        }
        if !self.starts.is_empty() {
            self.method = Method::Begun(self.begun(space));
        } else if self.has_table(space) {
            let axes = self.whole_axes(space);
            let make = |places: &[usize]| {
                let made = self.made(space, places);
                space.budget.complete(self.steps);
                made
            };
            let table = InputTable::fill_wanted(space, &axes, make, |_| Ok(Vec::new()));
            self.method = Method::Whole(table);
        }
        Ok(())
    }

    fn has_table(&self, space: &Space<'_>) -> bool {
        let cells = self.pieces(space);
        cells <= MOST_CELLS && cells < space.all_rows()
    }

    /// The answers of one configuration of a track or a contest.
    fn rounds(&self, space: &Space<'_>, config: &Config, residual: &Residual) -> Made {
        let ask = |group: &Group| {
            let means = (space.budget, &*space.cache);
            let answers =
                track::script_answers(space.check, config, residual, space.queries, group, means);
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
                after: self.group.after,
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
    fn cell(&self, space: &Space<'_>, config: &Config, residual: &Residual) -> Made {
        let (source, cache) = (&space.check.source, &space.cache);
        let mut env = Env::new(source, config, space.budget, cache, residual);
        let states = env.run(&residual.script, &[], States::certain(&[]))?;
        let (vars, results) = (residual.script.final_vars(&[]), &residual.results);
        let (group, queries) = (&self.group, space.queries);
        let answers = answers_of(&mut env, results, vars, group, queries, &states)?;
        Ok(answers.into_iter().map(Stored::from).collect())
    }

    /// The answers of one configuration whose inputs are put into the script first: most configurations leave nothing to
    /// choose, and that shows only then. One that rolls as another does is not played again.
    fn specialised(&self, space: &Space<'_>, config: &Config, own: &Specialised) -> Made {
        let Some(key) = own.memo.key(space, config) else {
            return self.put_in(space, config, own);
        };
        match own.memo.claim(key) {
            Claim::Known(answers) => Ok(answers),
            Claim::Own(place) => {
                let made = self.put_in(space, config, own);
                own.memo.settle(place, made.as_ref().ok());
                made
            }
            Claim::Others => {
                let budget = space.budget.beside(space.budget.limit());
                // What fails is charged for each time.
                // What it rolls must not be known to others, who would not be charged for it.
                let beside = space.beside(&budget, Arc::default());
                let made = self.put_in(&beside, config, own);
                made.or_else(|_| self.put_in(space, config, own))
            }
        }
    }

    fn put_in(&self, space: &Space<'_>, config: &Config, own: &Specialised) -> Made {
        let (outcomes, purpose) = (&self.group.outcomes, Purpose::Run);
        let residual = specialise(&own.script, &all_known(config), outcomes, purpose);
        if space.check.rounds.is_some() {
            self.rounds(space, config, &residual)
        } else {
            self.cell(space, config, &residual)
        }
    }

    /// The answers of the configurations that are played together with one: most often of this one alone.
    pub(super) fn made_together(
        &self,
        space: &Space<'_>,
        places: &[usize],
        which: Which,
    ) -> Vec<Made> {
        if let Some((_, made)) = self.tried.iter().find(|(tried, _)| tried == places) {
            return made.clone();
        }
        match self.starts.is_empty() {
            true => vec![self.made(space, places)],
            false => self.made_from_starts(space, places, which),
        }
    }

    /// The answers of one configuration, from the beginning.
    pub(super) fn made(&self, space: &Space<'_>, places: &[usize]) -> Made {
        let is_it = |tried: &Vec<usize>| self.starts.is_empty() && tried == places;
        if let Some((_, made)) = self.tried.iter().find(|(tried, _)| is_it(tried)) {
            return made[0].clone();
        }
        let config = space.config_at(places);
        let made = match &self.specialised {
            Some(own) => self.specialised(space, &config, own),
            None => self.cell(space, &config, &self.residual),
        };
        if made.is_err() && !self.apart.is_empty() {
            return self.made_apart(space, places);
        }
        made
    }

    /// The answers of one configuration, each group by itself: what they have in common may be refused where each of them
    /// is not, and of several errors the first group's is told.
    fn made_apart(&self, space: &Space<'_>, places: &[usize]) -> Made {
        let made = self.apart.iter().map(|part| part.made(space, places));
        Ok(made.collect::<Result<Vec<_>, Error>>()?.concat())
    }

    /// Answers the group's queries for rows in which only the last swept input varies, with these places; or says how
    /// many are done and why the next is not.
    pub(crate) fn answer(
        &self,
        space: &Space<'_>,
        (places, last): (&mut [usize], &[usize]),
        scratch: &mut Scratch,
        answers: &mut LineAnswers,
    ) -> Result<(), (usize, Error)> {
        let own = &self.group.queries;
        let mut put = |row: usize, made: &Made| {
            let made = made.as_ref().map_err(|error| (row, error.clone()))?;
            let answers = answers.each(row);
            for (&place, answer) in own.iter().zip(made) {
                answers[place].clone_from(answer);
            }
            Ok(())
        };
        match &self.method {
            Method::Cut(cut) => cut.answer((space.queries, own), (places, last), scratch, answers),
            Method::Whole(table) => {
                let line = table.along_last(places);
                let mut rows = last.iter().enumerate();
                rows.try_for_each(|(row, &place)| put(row, line.at(place)))
            }
            Method::Grown(grown) => {
                let mut rows = last.iter().enumerate();
                rows.try_for_each(|(row, &place)| {
                    set_last(places, place);
                    match &grown.made[*grown.places.at(places)] {
                        // Of several errors that one is told which is met first when the row is played.
                        Err(_) => put(row, &self.made(space, places)),
                        made => put(row, made),
                    }
                })
            }
            Method::Begun(begun) => {
                let mut rows = last.iter().enumerate();
                rows.try_for_each(|(row, &place)| {
                    set_last(places, place);
                    put(row, self.begun_at(space, begun, places))
                })
            }
            Method::Each => {
                let mut rows = last.iter().enumerate();
                rows.try_for_each(|(row, &place)| {
                    set_last(places, place);
                    put(row, &self.made(space, places))
                })
            }
        }
    }
}
