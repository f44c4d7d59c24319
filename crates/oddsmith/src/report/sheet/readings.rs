//! Which readings of open rules matter, and by how much.

use std::collections::BTreeMap;

use oddsmith_analysis::levers::is_read;
use oddsmith_analysis::value::Spread;
use oddsmith_exact::RBig;
use oddsmith_numbers::difference::{signed, size};
use oddsmith_numbers::{Form, grouped};
use oddsmith_report::{Reading, Sheet};
use oddsmith_rules::program::InputId;
use oddsmith_rules::{Check, Input};

use super::SheetOf;
use crate::valuation::{Shift, Valuation, ValuedLever, typical};
use crate::{Error, ValueRequest};

/// A reading where it matters the most: a probability counts more than any mean, and a larger change more than a smaller one.
struct Found {
    rank: (bool, RBig),
    reading: Reading,
}

impl SheetOf<'_> {
    /// Adds each reading, where of all checks and tracks over their default sweeps it changes the most; those that matter
    /// most come first.
    pub(super) fn readings(&self, sheet: &mut Sheet) -> Result<(), Error> {
        let mut found: BTreeMap<String, Option<Found>> = BTreeMap::new();
        for check in self.reported.checks() {
            let levers = levers(check);
            if levers.is_empty() {
                continue;
            }
            let request = ValueRequest {
                check: Some(check.name.clone()),
                levers,
                ..ValueRequest::default()
            };
            match self.reported.game.value(&request, &self.limits) {
                Ok(valuation) => self.of_check(check, &valuation, &mut found),
                Err(error) => {
                    let what = format!("which readings of `{}` matter", check.title());
                    self.add(sheet, &what, Err(error))?;
                }
            }
        }
        let idle = found.iter().filter(|(_, found)| found.is_none());
        sheet.idle = idle.map(|(title, _)| title.clone()).collect();
        let mut found: Vec<Found> = found.into_values().flatten().collect();
        found.sort_by(|a, b| b.rank.cmp(&a.rank));
        sheet.readings = found.into_iter().map(|found| found.reading).collect();
        Ok(())
    }

    /// Notes what each reading changes in a check, where it is more than was found before.
    fn of_check(
        &self,
        check: &Check,
        valuation: &Valuation,
        found: &mut BTreeMap<String, Option<Found>>,
    ) {
        for shift in valuation.levers.iter().flat_map(ValuedLever::shifts) {
            let best = found.entry(shift.told()).or_default();
            let columns = (0..valuation.columns.len()).rev();
            let changed = columns.filter_map(|at| {
                let spread = shift.summary.changes[at].as_ref()?;
                let is_chance = valuation.columns[at].kind.is_probability();
                (spread.count > 0).then(|| ((is_chance, spread.size.clone()), at, spread))
            });
            let Some((rank, at, spread)) = changed.max_by(|a, b| a.0.cmp(&b.0)) else {
                continue;
            };
            if best.as_ref().is_none_or(|best| best.rank < rank) {
                let reading = self.reading(check, valuation, &shift, at, spread);
                *best = Some(Found { rank, reading });
            }
        }
    }

    fn reading(
        &self,
        check: &Check,
        valuation: &Valuation,
        shift: &Shift<'_>,
        at: usize,
        spread: &Spread,
    ) -> Reading {
        let is_chance = valuation.columns[at].kind.is_probability();
        let words = |change: &RBig| signed(change, is_chance, Form::USUAL);
        let typical = typical(spread, words);
        let farthest = [&spread.least, &spread.most];
        let farthest = farthest.into_iter().max_by_key(|change| size(change));
        let all = shift.summary.count;
        Reading {
            title: shift.told(),
            question: question(&check.inputs[shift.moved.lever.input.0]),
            check: check.name.clone(),
            of: valuation.told_column(at),
            typical: if is_chance {
                typical + " points"
            } else {
                typical
            },
            most: words(farthest.unwrap_or(&spread.most)),
            share: format!("{} of {}", grouped(spread.count), grouped(all)),
            command: format!(
                "oddsmith balance value {} --lever {}",
                self.target(check),
                shift.moved.name()
            ),
        }
    }
}

/// What the text leaves open, behind what people call the parameter that decides it; all elements of a list leave open the same.
fn question(input: &Input) -> String {
    let words: Vec<&str> = input.reading.split_whitespace().collect();
    let title = input.title().split('[').next().unwrap_or_default();
    format!("{title}: {}", words.join(" "))
}

/// The parameters that stand for a reading, can be moved and are looked at.
fn levers(check: &Check) -> Vec<String> {
    let inputs = check.inputs.iter().enumerate();
    let readings = inputs.filter(|(at, input)| {
        let (low, high) = input.domain.bounds();
        !input.reading.is_empty() && low < high && is_read(check, InputId(*at))
    });
    readings.map(|(_, input)| input.name.clone()).collect()
}
