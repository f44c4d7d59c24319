//! Two checks, answered in every configuration of a sweep.

use std::collections::BTreeMap;

use oddsmith_dist::{Budget, Dist, IBig, RBig, UBig, least_common_multiple};
use oddsmith_exact::{Answer, Error, Gaps, Row as ExactRow, Sweep, distribution};
use oddsmith_rules::{Check, Config, InputRange, Outcome, Query};
use rayon::prelude::*;

use crate::compare::difference::Difference;
use crate::memory;

/// Two sides, with what is asked of both.
#[derive(Clone, Debug)]
pub struct Pair<'a> {
    /// A and B.
    pub sides: [Side<'a>; 2],
    /// How many values each axis of the sweep has; the last axis is the fastest.
    pub lengths: Vec<usize>,
    /// The outcomes that are compared as a whole.
    pub scale: Scale<'a>,
}

/// One of the two.
#[derive(Clone, Debug)]
pub struct Side<'a> {
    /// The check that is rolled.
    pub check: &'a Check,
    /// The values of all inputs that are not swept.
    pub config: &'a Config,
    /// For each axis of the sweep its values here, as many as on the other side; none if this side does not have it.
    pub ranges: Vec<Option<InputRange>>,
    /// The queries, a line for each; none where one can't be asked of this side. A band of the scale that is not asked
    /// of a side never happens there.
    pub lines: Vec<Option<Query>>,
}

/// Ordered outcomes that both sides have.
#[derive(Clone, Debug)]
pub enum Scale<'a> {
    /// There are none: nothing is compared as a whole.
    None,
    /// The lines of bands, worst first; the outcomes are their places in this list.
    Bands(Vec<usize>),
    /// A number that each side shows.
    Number([&'a Outcome; 2]),
}

/// One configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairRow {
    /// For each axis the place of its value.
    pub places: Vec<usize>,
    /// For each side whether its rules allow the configuration; one of them does.
    pub allowed: [bool; 2],
    /// For each side an answer to each line; none if there is none, or if the configuration is not allowed or breaks a rule.
    pub answers: [Vec<Option<Answer>>; 2],
    /// The difference as a whole; none without a scale, or if a side has no answer.
    pub difference: Option<Difference>,
}

impl PairRow {
    /// B's answer less A's; none if a side has no finite answer.
    #[must_use]
    pub fn line_difference(&self, line: usize) -> Option<RBig> {
        let [a, b] = [0, 1].map(|side| self.answers[side][line].as_ref()?.to_ratio());
        Some(b? - a?)
    }
}

/// The answers of a side in one of its configurations.
struct Found {
    answers: Vec<Option<Answer>>,
    whole: Option<Dist>,
}

impl Pair<'_> {
    /// Every configuration that at least one side allows, in the order of the sweep; and for each side those in which it
    /// breaks a rule, so that it has no answers there. A single configuration that breaks a rule is an error.
    ///
    /// # Errors
    /// As [`oddsmith_exact::answers`]; the budget is for both sides together.
    pub fn rows(&self, budget: &Budget) -> Result<(Vec<PairRow>, [Gaps; 2]), Error> {
        self.charge(budget)?;
        let (a, gaps_of_a) = self.found(0, budget)?;
        let (b, gaps_of_b) = self.found(1, budget)?;
        let found = [a, b];
        let rows = (0..self.configurations())
            .into_par_iter()
            .filter_map(|at| self.row(at, &found));
        Ok((rows.collect(), [gaps_of_a, gaps_of_b]))
    }

    /// The product of the lengths; no more than the sweeps could hold.
    fn configurations(&self) -> usize {
        let product = |product: usize, length: &usize| product.saturating_mul(*length);
        self.lengths.iter().fold(1, product)
    }

    /// Charges for the memory of all rows.
    fn charge(&self, budget: &Budget) -> Result<(), Error> {
        let rows = self.configurations() as u64;
        let answers = 2 * self.sides[0].lines.len();
        memory::charge(budget, rows, answers, || {
            format!("a comparison of {rows} configurations")
        })
    }

    /// The answers of a side, by the places of its configurations in its own sweep.
    fn found(&self, side: usize, budget: &Budget) -> Result<(BTreeMap<u64, Found>, Gaps), Error> {
        let Side { check, config, .. } = self.sides[side];
        let ranges: Vec<InputRange> = self.sides[side].ranges.iter().flatten().cloned().collect();
        let lines = self.sides[side].lines.iter();
        let queries: Vec<Query> = lines.flatten().cloned().collect();
        let sweep = Sweep::new(check, config, &ranges, &queries, budget)?;
        let render = |row: &ExactRow<'_>, out: &mut Vec<Result<(u64, Found), Error>>| {
            let mut config = config.clone();
            for (range, value) in ranges.iter().zip(row.values) {
                config.put(range.input, *value);
            }
            let found = match row.broken {
                Some(_) => Ok(Found {
                    answers: vec![None; self.sides[side].lines.len()],
                    whole: None,
                }),
                None => self.found_in(side, &config, row, budget),
            };
            out.push(found.map(|found| (row.number, found)));
        };
        let mut all = BTreeMap::new();
        let keep = |found: Vec<Result<(u64, Found), Error>>| {
            for one in found {
                all.extend([one?]);
            }
            Ok::<(), Error>(())
        };
        let gaps = if ranges.is_empty() {
            sweep.run(render, keep)?;
            Gaps::default()
        } else {
            sweep.run_with_gaps(render, keep)?
        };
        Ok((all, gaps))
    }

    fn found_in(
        &self,
        side: usize,
        config: &Config,
        row: &ExactRow<'_>,
        budget: &Budget,
    ) -> Result<Found, Error> {
        let mut answers = row.answers.iter().map(Answer::from);
        let lines = self.sides[side].lines.iter();
        let answers: Vec<Option<Answer>> = lines
            .enumerate()
            .map(|(at, line)| match (line, &self.scale) {
                (Some(_), _) => answers.next().filter(is_answer),
                (None, Scale::Bands(bands)) if bands.contains(&at) => Some(never()),
                (None, _) => None,
            })
            .collect();
        let whole = match &self.scale {
            Scale::None => None,
            Scale::Bands(lines) => bands(lines.iter().map(|&line| answers[line].as_ref())),
            Scale::Number(outcomes) => {
                let check = self.sides[side].check;
                Some(distribution(check, config, outcomes[side], budget)?)
            }
        };
        Ok(Found { answers, whole })
    }

    /// The configuration at a place of the whole sweep; none if neither side allows it.
    fn row(&self, at: usize, found: &[BTreeMap<u64, Found>; 2]) -> Option<PairRow> {
        let mut places = vec![0; self.lengths.len()];
        let mut rest = at;
        for (place, length) in places.iter_mut().zip(&self.lengths).rev() {
            *place = rest % length;
            rest /= length;
        }
        let [a, b] = [0, 1].map(|side| found[side].get(&self.place_of(side, &places)));
        if a.is_none() && b.is_none() {
            return None;
        }
        let lines = self.sides[0].lines.len();
        let answers = |side: Option<&Found>| side.map_or(vec![None; lines], |s| s.answers.clone());
        let whole = |side: Option<&'_ Found>| side.and_then(|side| side.whole.clone());
        Some(PairRow {
            places,
            allowed: [a.is_some(), b.is_some()],
            answers: [answers(a), answers(b)],
            difference: match (whole(a), whole(b)) {
                (Some(a), Some(b)) => Some(Difference::of(&a, &b)),
                _ => None,
            },
        })
    }

    /// The place of a configuration in a side's own sweep, which leaves out the axes that the side does not have.
    fn place_of(&self, side: usize, places: &[usize]) -> u64 {
        let axes = self.sides[side].ranges.iter().zip(places);
        let own = axes.filter_map(|(range, place)| Some((range.as_ref()?.values.len(), place)));
        own.fold(0, |at, (length, place)| at * length as u64 + *place as u64)
    }
}

/// The probability of a band that a side does not have.
fn never() -> Answer {
    Answer {
        weight: IBig::ZERO,
        total: UBig::ONE,
    }
}

/// Whether it is a number, or infinite.
fn is_answer(answer: &Answer) -> bool {
    answer.total != UBig::ZERO || answer.is_infinite()
}

/// The distribution of bands by their places; a band that a side does not have never happens. None if they are not
/// all that can happen.
fn bands<'a>(answers: impl Iterator<Item = Option<&'a Answer>> + Clone) -> Option<Dist> {
    let common = least_common_multiple(answers.clone().flatten().map(|answer| &answer.total));
    let weights = answers.map(|answer| {
        let Some(Answer { weight, total }) = answer else {
            return Some(UBig::ZERO);
        };
        let weight = UBig::try_from(weight.clone()).ok()?;
        Some(weight * (&common / total))
    });
    let weights: Vec<UBig> = weights.collect::<Option<_>>()?;
    let dist = Dist::from_weights((0..).zip(weights)).ok()?;
    (*dist.total() == common).then_some(dist)
}
