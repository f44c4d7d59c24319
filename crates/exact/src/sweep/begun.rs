//! Rows of a track that differ only in where it begins: all of them at once, with its rounds laid out once.
//!
//! How many hit points somebody begins with changes nothing about what a round does: the duel of 20 against 30 hit points goes
//! through states of the duel of 40 against 40. So rows that agree on all else are the starts of one chain.

use oddsmith_rules::Config;
use oddsmith_rules::program::InputId;

use crate::moments::statistic;
use crate::requirements::check_requirements;
use crate::residual::{Purpose, specialise};
use crate::sweep::input_table::InputTable;
use crate::sweep::query_group::{Begun, QueryGroup};
use crate::sweep::row::{Made, Stored};
use crate::sweep::space::{Space, digits};
use crate::{Error, track};

/// The rows of such a track are held, up to so many.
const MOST_ROWS: u128 = 1 << 16;

/// Which of the rows that are played together are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// All of them, to learn what they cost: each part of a sweep has to predict what the whole does.
    All,
    Wanted,
}

impl QueryGroup {
    /// Finds the swept inputs that say where a track begins and nothing else, if its rows can be played by what else matters.
    pub(super) fn find_starts(&mut self, space: &Space<'_>) {
        let mut queries = self
            .group
            .queries
            .iter()
            .map(|&place| &space.queries[place]);
        // Values of running sums are searched for, start by start.
        if queries.any(|query| statistic(query).is_some()) || self.distinct(space) > MOST_ROWS {
            return;
        }
        let read = self.end_axes(space);
        let mut starts = track::start_inputs(space.check, &self.residual, &self.group);
        starts.retain(|input| space.is_swept(*input) && !read.contains(input));
        if space.combinations(starts.iter().copied()) > 1 {
            self.starts = starts;
        }
    }

    /// The swept inputs that matter beside where a track begins.
    pub(super) fn axes_beside_starts(&self, space: &Space<'_>) -> Vec<InputId> {
        let mut axes = self.whole_axes(space);
        axes.retain(|input| !self.starts.contains(input));
        axes
    }

    /// The answers from all starts, for each combination of what else matters.
    pub(super) fn begun(&self, space: &Space<'_>) -> Begun {
        let make = |places: &[usize]| {
            let made = self.made_together(space, places, Which::Wanted);
            space.budget.complete(self.steps);
            made
        };
        let axes = self.axes_beside_starts(space);
        let rounds = InputTable::fill_wanted(space, &axes, make, |_| Vec::new());
        Begun { rounds }
    }

    /// The answers of the rows that are played together with the one at these places: those that are wanted, or of all starts.
    pub(super) fn made_from_starts(
        &self,
        space: &Space<'_>,
        places: &[usize],
        which: Which,
    ) -> Vec<Made> {
        let rows: Vec<Vec<usize>> = (0..self.start_count(space))
            .map(|number| self.row_at(space, places, number))
            .collect();
        let axes = self.whole_axes(space);
        let is_read = space.ranges.iter().map(|range| axes.contains(&range.input));
        let is_read: Vec<bool> = is_read.collect();
        let wanted: Vec<(usize, Config)> = { rows.iter().enumerate() }
            .filter(|(_, row)| which == Which::All || space.is_wanted(row, &is_read))
            .map(|(at, row)| (at, space.config_at(row)))
            .filter(|(_, config)| check_requirements(space.check, config).is_ok())
            .collect();
        let mut made: Vec<Made> = vec![Ok(Vec::new()); rows.len()];
        let (numbers, configs): (Vec<usize>, Vec<Config>) = wanted.into_iter().unzip();
        match self.answers_from(space, &configs) {
            Ok(answers) => {
                for (at, answers) in numbers.into_iter().zip(answers) {
                    made[at] = match answers {
                        Ok(answers) => Ok(answers.into_iter().map(Stored::from).collect()),
                        // It may have some answers, and says what is wrong as a row of its own does.
                        Err(_) => self.made(space, &rows[at]),
                    };
                }
            }
            Err(error @ Error::OverBudget { .. }) => {
                numbers
                    .into_iter()
                    .for_each(|at| made[at] = Err(error.clone()));
            }
            Err(_) => {
                let alone = numbers.into_iter();
                alone.for_each(|at| made[at] = self.made(space, &rows[at]));
            }
        }
        made
    }

    fn answers_from(
        &self,
        space: &Space<'_>,
        configs: &[Config],
    ) -> Result<Vec<Result<Vec<crate::Answer>, Error>>, Error> {
        let (Some(own), Some(first)) = (&self.specialised, configs.first()) else {
            return Ok(Vec::new());
        };
        let known = |id: InputId| match self.starts.contains(&id) {
            true => None,
            false => first.get(id),
        };
        let residual = specialise(&own.script, &known, &self.group.outcomes, Purpose::Run);
        let means = (space.budget, &*space.cache);
        let (check, queries) = (space.check, space.queries);
        track::answers_from_each(check, configs, &residual, queries, &self.group, means)
    }

    fn start_count(&self, space: &Space<'_>) -> usize {
        let count = space.combinations(self.starts.iter().copied());
        usize::try_from(count).expect("no more than the rows that are held")
    }

    /// The places of a row that is played together with another one, by the number of its start.
    fn row_at(&self, space: &Space<'_>, places: &[usize], number: usize) -> Vec<usize> {
        let lens = space
            .ranges
            .iter()
            .map(|range| match self.starts.contains(&range.input) {
                true => range.values.len(),
                false => 1,
            });
        let starts = digits(number as u64, lens).into_iter().zip(places);
        let ranges = space.ranges.iter().zip(starts);
        ranges
            .map(
                |(range, (start, place))| match self.starts.contains(&range.input) {
                    true => start,
                    false => *place,
                },
            )
            .collect()
    }

    /// The number of a row's start; the last one is the fastest.
    fn start_number(&self, space: &Space<'_>, places: &[usize]) -> usize {
        let ranges = space.ranges.iter().zip(places);
        let starts = ranges.filter(|(range, _)| self.starts.contains(&range.input));
        starts.fold(0, |number, (range, place)| {
            number * range.values.len() + place
        })
    }

    /// The answers of a row.
    pub(super) fn begun_at<'b>(
        &self,
        space: &Space<'_>,
        begun: &'b Begun,
        places: &[usize],
    ) -> &'b Made {
        &begun.rounds.at(places)[self.start_number(space, places)]
    }
}
