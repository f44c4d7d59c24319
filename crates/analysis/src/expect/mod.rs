//! Whether a game's odds are what its ruleset says they are meant to be.

mod finding;
mod judge;
mod tally;

use std::collections::BTreeMap;
use std::ops::Range;

use oddsmith_exact::{Budget, Error as ExactError, Row};
use oddsmith_rules::{Check, Claim, Config, Expectation, InputRange, Model};
use rayon::prelude::*;

use crate::Questions;
pub use crate::expect::finding::{Broken, Error, Failure, Findings, Stand, Verdict};
use crate::expect::judge::{Group, Judge, Point};
use crate::memory;
pub use crate::number::Value;
use crate::rows::{self, Rows, note_rows};

/// Looks at all expectations of a ruleset, each with the limit of `budget` by itself; the verdicts are in the order of the file.
///
/// ```
/// let text = r#"
/// name = "Demo"
/// [checks.check]
/// bands = ["Miss", "Hit"]
/// axes.stat = { default = 0, domain = "-1..=3", sweep = "all" }
/// rules = """
/// show total = 2d6 + stat
/// show band = match total { < 8: Miss, else: Hit }
/// """
///
/// [[expect]]
/// intent    = "A point of the stat always helps."
/// query     = "Hit"
/// increases = "stat"
/// strictly  = true
///
/// [[expect]]
/// intent  = "A beginner hits in half of the tries."
/// query   = "Hit"
/// between = [0.45, 0.55]
/// "#;
/// let model = oddsmith_rules::load("demo.toml", text.as_bytes()).unwrap();
/// let budget = oddsmith_exact::Budget::unlimited();
/// let run = oddsmith_analysis::Questions { budget: &budget, limit: 1_000_000_000 };
/// let verdicts = oddsmith_analysis::expect::verdicts(&model, run);
/// assert!(verdicts[0].holds());
/// let findings = verdicts[1].outcome.as_ref().unwrap();
/// assert_eq!(findings.failures, 1); // 15/36 = 0.417
/// ```
#[must_use]
pub fn verdicts(model: &Model, run: Questions<'_>) -> Vec<Verdict> {
    let expectations = model.expectations.par_iter().enumerate();
    let verdicts = expectations.map(|(at, expectation)| {
        let outcome = findings(model, expectation, &run.share());
        run.budget.watch().complete_item();
        Verdict {
            expectation: at,
            outcome,
        }
    });
    verdicts.collect()
}

/// Looks at one expectation of a ruleset. Nothing grows with the number of its configurations but what `ordered`
/// options need, which is charged for.
///
/// # Errors
/// If a question has no answer, as for [`oddsmith_exact::answers`], or there is nothing to compare.
///
/// # Panics
/// If it is an expectation of another ruleset.
pub fn findings(
    model: &Model,
    expectation: &Expectation,
    budget: &Budget,
) -> Result<Findings, Error> {
    let check = check_of(model, expectation);
    let asking = Asking::new(check, expectation, budget);
    let mut judge = Judge::new(check, expectation);
    match &expectation.claim {
        Claim::Ordered { options, .. } => {
            let configs = options.iter().map(|option| &option.config);
            asking.beside(configs, |group| judge.take(group))?;
        }
        _ => asking.along(|group| judge.take(group))?,
    }
    judge.findings()
}

/// How many configurations an expectation is looked at in, at the most; those of each option count as one.
pub fn configurations(expectation: &Expectation) -> u64 {
    rows::configurations(&ranges(expectation))
}

/// Asks what [`findings`] asks in some of the configurations, for the transcript of the budget. What has no answer is passed
/// over: whoever looks at all of them meets it.
///
/// # Panics
/// As [`findings`]; if there are not so many configurations.
pub fn note(model: &Model, expectation: &Expectation, wanted: Range<u64>, budget: &Budget) {
    let (check, ranges) = (check_of(model, expectation), ranges(expectation));
    let configs = match &expectation.claim {
        Claim::Ordered { options, .. } => options.iter().map(|option| &option.config).collect(),
        _ => vec![&expectation.config],
    };
    for config in configs {
        let asked = (&expectation.queries[..], budget);
        let _ = note_rows((check, config, &ranges), asked, wanted.clone());
    }
}

fn check_of<'m>(model: &'m Model, expectation: &Expectation) -> &'m Check {
    let check = model.check_or_track(&expectation.check);
    check.expect("an expectation is about a check or a track of its ruleset")
}

/// The inputs that are swept, and behind them the one that is compared along.
fn ranges(expectation: &Expectation) -> Vec<InputRange> {
    let compared = expectation.claim.ranges();
    expectation.sweep.iter().chain(compared).cloned().collect()
}

/// An expectation with what it asks.
struct Asking<'a> {
    check: &'a Check,
    expectation: &'a Expectation,
    /// The inputs that are swept, and behind them the one that is compared along.
    ranges: Vec<InputRange>,
    budget: &'a Budget,
}

/// One configuration: its number in the sweep, the values of all ranges, and what was found there.
type Found = (u64, Vec<i64>, Vec<Option<Value>>);

impl<'a> Asking<'a> {
    fn new(check: &'a Check, expectation: &'a Expectation, budget: &'a Budget) -> Self {
        Self {
            check,
            expectation,
            ranges: ranges(expectation),
            budget,
        }
    }

    /// Every legal configuration around `config`, in the order of the sweep.
    fn rows(&self, config: &Config, mut take: impl FnMut(Found)) -> Result<(), ExactError> {
        let Expectation {
            queries, is_sum, ..
        } = self.expectation;
        let rows = Rows::of(self.check, config, &self.ranges, queries, self.budget)?;
        let render = |row: &Row<'_>, out: &mut Vec<Found>| {
            let values = row.answers.iter().map(Value::of);
            let values = match is_sum {
                true => vec![sum(values)],
                false => values.collect(),
            };
            out.push((row.number, row.values.to_vec(), values));
        };
        rows.run(render, |rows| {
            rows.into_iter().for_each(&mut take);
            Ok(())
        })
    }

    /// Groups of configurations that differ only in what is compared along.
    fn along(&self, mut take: impl FnMut(&Group)) -> Result<(), ExactError> {
        let swept = self.expectation.sweep.len();
        let compared = self.ranges[swept..].iter();
        let points: u64 = compared.map(|range| range.values.len() as u64).product();
        let mut open: Option<Group> = None;
        self.rows(&self.expectation.config, |(number, row, values)| {
            // What is compared along goes fastest, so a place among it is what is left of the number.
            let place = usize::try_from(number % points).expect("a place in a list of values");
            let point = Point { place, values };
            match &mut open {
                Some(group) if group.swept == row[..swept] => group.points.push(point),
                _ => {
                    let group = Group {
                        swept: row[..swept].to_vec(),
                        points: vec![point],
                    };
                    if let Some(group) = open.replace(group) {
                        take(&group);
                    }
                }
            }
        })?;
        open.iter().for_each(take);
        Ok(())
    }

    /// Groups of configurations that differ only in their option.
    fn beside<'c>(
        &self,
        configs: impl ExactSizeIterator<Item = &'c Config>,
        take: impl FnMut(&Group),
    ) -> Result<(), ExactError> {
        let rows = rows::configurations(&self.ranges);
        let answers = self.expectation.queries.len() * configs.len();
        let what = || format!("an order of options in {rows} configurations");
        memory::charge(self.budget, rows, answers, what)?;
        let mut groups: BTreeMap<u64, Group> = BTreeMap::new();
        for (option, config) in configs.enumerate() {
            let read = self.rows(config, |(number, row, values)| {
                let group = groups.entry(number).or_insert_with(|| Group {
                    swept: row,
                    points: Vec::new(),
                });
                let place = option;
                group.points.push(Point { place, values });
            });
            match read {
                // An option that the rules forbid everywhere is passed over like one that they forbid somewhere.
                Err(ExactError::Requirement { .. }) => {}
                read => read?,
            }
        }
        groups.values().for_each(take);
        Ok(())
    }
}

/// The sum; none if one of the values is missing, or the sum has no meaning.
fn sum(mut values: impl Iterator<Item = Option<Value>>) -> Option<Value> {
    values.try_fold(Value::ZERO, |sum, value| sum.plus(&value?))
}
