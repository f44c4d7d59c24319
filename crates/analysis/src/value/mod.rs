//! The worth of a step along a lever: how much more often each band is reached, by how much means move, and which flat
//! modifier would do the same.

mod flat;
mod part;
mod summary;

use std::collections::HashMap;
use std::sync::Arc;

use oddsmith_dist::{Dist, RBig, UBig, least_common_multiple};
use oddsmith_exact::{Answer, Budget, Error, IBig};
use oddsmith_rules::{Check, Config};
use rayon::prelude::*;

use crate::grading::{Grading, Thresholds};
use crate::levers::{Field, Line};
use crate::memory;
use crate::rows::Asked;
pub use flat::Reach;
pub use part::{Valued, note};
pub use summary::{Spread, Summary};

/// Numbers at most between the least and the greatest one that is rolled, if thresholds are to be found.
const MOST_NUMBERS: u64 = 1 << 16;

/// Bytes that an outcome is held in, twice: in its distribution and among the chances to reach it.
const OUTCOME_BYTES: u128 = 96;

/// A field whose steps are to be valued.
#[derive(Debug)]
pub struct Values<'a> {
    field: &'a Field<'a>,
    /// The first queries of the field are the bands, worst first: so many.
    bands: usize,
    grading: Option<&'a Grading>,
    asked: Option<Asked<'a>>,
    /// The flat modifiers in each configuration of the field.
    stands: Vec<Option<Stand>>,
}

/// The flat modifiers in one configuration: how often the number reaches what, and the thresholds.
#[derive(Clone, Debug)]
struct Stand {
    /// The tails of the number, or where lower ones are better of that number with its sign changed.
    reach: Reach,
    thresholds: Arc<Thresholds>,
}

/// The worth of a step in one configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worth {
    /// The row of the line.
    pub row: usize,
    /// The place of the step among those of the lever.
    pub step: usize,
    /// The changes of the chance to reach each band but the worst, worst first; then those of the answer to each
    /// further query of the field. None if there is no finite answer before or after the step.
    pub changes: Vec<Option<RBig>>,
    /// For each band but the worst the flat modifier of the number, before the step, with which the band is reached as
    /// often as after the step. None if there is no such single modifier, or no such number.
    pub flats: Vec<Option<RBig>>,
}

impl Worth {
    /// Whether the step changes anything.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.changes
            .iter()
            .flatten()
            .any(|change| *change != RBig::ZERO)
    }
}

impl<'a> Values<'a> {
    /// Prepares to value steps. The first queries of the field are its check's bands, worst first, if it has any and
    /// `bands` is not 0.
    ///
    /// # Errors
    /// As [`oddsmith_exact::distribution`].
    ///
    /// # Cost
    /// With a number behind the bands, its distribution in every configuration.
    pub fn of(
        field: &'a Field<'a>,
        bands: usize,
        grading: Option<&'a Grading>,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let asked = grading.map(|_| Asked::of(field.check));
        let stands = match (grading, &asked) {
            (Some(grading), Some(asked)) => stands(field, (grading, asked), budget)?,
            _ => vec![None; field.len()],
        };
        Ok(Self {
            field,
            bands,
            grading,
            asked,
            stands,
        })
    }

    /// The thresholds in a configuration of the field.
    #[must_use]
    pub fn thresholds(&self, at: usize) -> Option<&Thresholds> {
        self.stands[at].as_ref().map(|stand| &*stand.thresholds)
    }

    /// The worth of every step of a lever in every configuration that the rules allow before and after it; rows in
    /// their order, and in each the steps in theirs.
    ///
    /// # Errors
    /// As [`oddsmith_exact::distribution`].
    pub fn along(&self, line: &Line<'_>, budget: &Budget) -> Result<Vec<Worth>, Error> {
        let steps = line.lever.steps.len();
        let numbers = 2 * self.field.queries.len();
        let worths = (line.rows * steps) as u64;
        memory::charge(budget, worths, numbers, || {
            format!("what {worths} steps are worth")
        })?;
        let worths = self.worths(line, budget);
        // They go when they have been looked at, before the next lever is moved.
        memory::release(budget, (line.rows * steps) as u64, numbers);
        worths
    }

    fn worths(&self, line: &Line<'_>, budget: &Budget) -> Result<Vec<Worth>, Error> {
        let rows = (0..line.rows).into_par_iter();
        let worths: Vec<Vec<Worth>> = rows
            .map(|row| {
                let steps = 0..line.lever.steps.len();
                steps
                    .filter_map(|step| self.worth(line, row, step, budget).transpose())
                    .collect()
            })
            .collect::<Result<_, Error>>()?;
        Ok(worths.into_iter().flatten().collect())
    }

    /// The worth of one step in one row; none if it is forbidden.
    fn worth(
        &self,
        line: &Line<'_>,
        row: usize,
        step: usize,
        budget: &Budget,
    ) -> Result<Option<Worth>, Error> {
        let ends = line.lever.steps[step];
        let (Some(before), Some(after)) =
            (line.answers(row, ends.from), line.answers(row, ends.to))
        else {
            return Ok(None);
        };
        let [reached, reached_after] = [before, after].map(|own| reached(&own[..self.bands]));
        let rest = before[self.bands..].iter().zip(&after[self.bands..]);
        let rest = rest.map(|(before, after)| Some(after.to_ratio()? - before.to_ratio()?));
        let changes = reached.iter().zip(&reached_after);
        let changes = changes.map(|(before, after)| Some(after.as_ref()? - before.as_ref()?));
        let own;
        let stand = match (line.place(row, ends.from), self.grading, &self.asked) {
            (Some(place), _, _) => self.stands[place].as_ref(),
            (None, Some(grading), Some(asked)) => {
                let config = line.config_at(row, ends.from);
                own = stand(self.field.check, (grading, asked), &config, budget)?;
                own.as_ref()
            }
            _ => None,
        };
        let flats = reached_after.iter().enumerate();
        let flats = flats.map(|(at, chance)| stand?.flat(at, chance.as_ref()?));
        Ok(Some(Worth {
            row,
            step,
            flats: flats.collect(),
            changes: changes.chain(rest).collect(),
        }))
    }
}

impl Stand {
    /// With the distribution of the number.
    fn of(dist: &Dist, thresholds: Arc<Thresholds>) -> Option<Self> {
        let reach = if thresholds.rises {
            Reach::of(dist)
        } else {
            let negative = dist
                .iter()
                .map(|(x, weight)| Some((x.checked_neg()?, weight)));
            let negative: Vec<(i64, UBig)> = negative.collect::<Option<_>>()?;
            Reach::of(&Dist::from_weights(negative).ok()?)
        };
        Some(Self { reach, thresholds })
    }

    /// The flat modifier with which the band at a place is reached this often.
    fn flat(&self, at: usize, chance: &RBig) -> Option<RBig> {
        let threshold = self.thresholds.at[at]?;
        if self.thresholds.rises {
            return self.reach.modifier(threshold, chance);
        }
        let modifier = self.reach.modifier(threshold.checked_neg()?, chance)?;
        Some(-modifier)
    }
}

/// The chance of each band but the worst or a better one, worst first; none if a band has no answer.
fn reached(bands: &[Answer]) -> Vec<Option<RBig>> {
    let total = least_common_multiple(bands.iter().map(|band| &band.total));
    let has_answers = bands.iter().all(|band| band.total != UBig::ZERO);
    let mut sum = IBig::ZERO;
    let mut reached: Vec<Option<RBig>> = Vec::with_capacity(bands.len());
    for band in bands.iter().skip(1).rev() {
        if !has_answers {
            reached.push(None);
            continue;
        }
        sum += &band.weight * IBig::from(&total / &band.total);
        reached.push(Some(RBig::from_parts(sum.clone(), total.clone())));
    }
    reached.reverse();
    reached
}

/// The flat modifiers in each configuration of a field.
fn stands(
    field: &Field<'_>,
    (grading, asked): (&Grading, &Asked<'_>),
    budget: &Budget,
) -> Result<Vec<Option<Stand>>, Error> {
    let check = field.check;
    let places = (0..field.len()).into_par_iter();
    let dists = places.map(|at| {
        let config = field.answers(at).map(|_| field.config_at(at));
        let dist = |config: &Config| asked.distribution(config, &grading.number, budget);
        config.as_ref().map(dist).transpose()
    });
    let dists: Vec<Option<Dist>> = dists.collect::<Result<_, Error>>()?;
    let outcomes = dists.iter().flatten().map(|dist| dist.len() as u128);
    let bytes = outcomes.sum::<u128>() * OUTCOME_BYTES;
    let what = || format!("the distributions in {} configurations", field.len());
    memory::charge_bytes(budget, bytes, (what, memory::FEWER_ROWS))?;
    let bounds = dists.iter().flatten().map(|dist| (dist.min(), dist.max()));
    let bounds = bounds.reduce(|(low, high), (least, most)| (low.min(least), high.max(most)));
    let Some(bounds) = bounds else {
        return Ok(vec![None; field.len()]);
    };
    // Thresholds depend on a few inputs only.
    let mut by_read: HashMap<Vec<i64>, Option<Arc<Thresholds>>> = HashMap::new();
    let stand = |(at, dist): (usize, Option<Dist>)| {
        let dist = dist?;
        let config = field.config_at(at);
        let read = grading.inputs.iter().map(|input| config[*input]);
        let thresholds = by_read.entry(read.collect());
        let thresholds =
            thresholds.or_insert_with(|| thresholds_in(check, grading, &config, bounds));
        Stand::of(&dist, Arc::clone(thresholds.as_ref()?))
    };
    Ok(dists.into_iter().enumerate().map(stand).collect())
}

/// The flat modifiers in a configuration by itself.
fn stand(
    check: &Check,
    (grading, asked): (&Grading, &Asked<'_>),
    config: &Config,
    budget: &Budget,
) -> Result<Option<Stand>, Error> {
    let dist = asked.distribution(config, &grading.number, budget)?;
    let thresholds = thresholds_in(check, grading, config, (dist.min(), dist.max()));
    Ok(thresholds.and_then(|thresholds| Stand::of(&dist, thresholds)))
}

/// The thresholds, if the numbers between these bounds are not too many to look at.
fn thresholds_in(
    check: &Check,
    grading: &Grading,
    config: &Config,
    bounds: (i64, i64),
) -> Option<Arc<Thresholds>> {
    if bounds.1.abs_diff(bounds.0) > MOST_NUMBERS {
        return None;
    }
    grading.thresholds(check, config, bounds).map(Arc::new)
}
