//! Counts of what was rolled against exact chances: tables, each of a partition of what can happen.
//!
//! A table is judged by the chi-square test at the level [`LEVEL`], and one count outside of the cells is wrong
//! whatever the level: what has no chance must not happen. All tests together judge fewer than 20,000 tables, so by
//! chance alone fewer than one seed in 500 would fail (the sum of the levels, after Bonferroni). The seeds are fixed,
//! so a test that has passed passes until what is rolled changes.

use oddsmith_exact::{Answer, Budget, Dist, RBig, UBig, answers, distribution};
use oddsmith_rules::program::CompareOp;
use oddsmith_rules::{Check, Config, Outcome, OutcomeKind, Query, QueryKind};
use oddsmith_simulate::{Estimate, Sums, Tally, chi_square, share_error};

use crate::support::{compared, float, held, parity_of, rolled};

/// The chance that a table is called wrong though all is right.
pub(crate) const LEVEL: f64 = 1e-7;

/// Values up to which each is a cell.
const VALUES: usize = 250;

/// The chance that a cell of an outcome with more values has at least.
const CELL: f64 = 0.025;

/// Chances of everything that an outcome can be, and the questions by which they are counted.
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) queries: Vec<Query>,
    chances: Vec<f64>,
    /// Whether a query counts all cells up to its own and not only that.
    is_cumulative: bool,
    /// Whether something else may happen: the cells are not all there are.
    has_rest: bool,
}

impl Table {
    /// Of an outcome whose distribution is known.
    pub(crate) fn new(outcome: &Outcome, dist: &Dist) -> Self {
        if dist.len() <= VALUES {
            Self::by_value(outcome, dist)
        } else {
            Self::by_stretch(outcome, dist)
        }
    }

    fn by_value(outcome: &Outcome, dist: &Dist) -> Self {
        let cell = |(value, weight): (i64, UBig)| {
            let query = compared(outcome, CompareOp::Equal, value);
            (query, share(weight, dist))
        };
        let (queries, chances) = dist.iter().map(cell).unzip();
        Self {
            name: outcome.name.clone(),
            queries,
            chances,
            is_cumulative: false,
            has_rest: false,
        }
    }

    /// Values next to one another in cells of about the same chance. The last query counts everything up to the
    /// highest value, the first everything below the lowest.
    fn by_stretch(outcome: &Outcome, dist: &Dist) -> Self {
        let below = compared(outcome, CompareOp::Less, dist.min());
        let (mut queries, mut chances) = (vec![below], vec![0.0]);
        let (mut cell, highest) = (0.0, dist.max());
        for (value, weight) in dist.iter() {
            cell += share(weight, dist);
            if cell >= CELL || value == highest {
                queries.push(compared(outcome, CompareOp::LessEqual, value));
                chances.push(cell);
                cell = 0.0;
            }
        }
        Self {
            name: outcome.name.clone(),
            queries,
            chances,
            is_cumulative: true,
            has_rest: false,
        }
    }

    /// Of things that exclude one another, whose chances are asked for; what is left is a cell as well.
    fn asked(name: &str, queries: Vec<Query>, answers: &[Answer]) -> Option<Self> {
        let chance = |answer: &Answer| Some(answer.to_ratio()?.to_f64().value());
        let chances: Option<Vec<f64>> = answers.iter().map(chance).collect();
        Some(Self {
            name: name.to_owned(),
            queries,
            chances: chances?,
            is_cumulative: false,
            has_rest: true,
        })
    }

    /// What is wrong with counts; `first` is the place of the table's first query.
    pub(crate) fn complaint(&self, tally: &Tally, first: usize) -> Option<String> {
        let places = first..first + self.queries.len();
        let mut counts: Vec<u64> = places.map(|at| held(tally, at)).collect();
        let mut chances = self.chances.clone();
        if self.is_cumulative {
            for at in (1..counts.len()).rev() {
                counts[at] -= counts[at - 1];
            }
        }
        let counted: u64 = counts.iter().sum();
        if self.has_rest {
            counts.push(tally.trials.checked_sub(counted)?);
            chances.push((1.0 - chances.iter().sum::<f64>()).max(0.0));
        } else if counted != tally.trials {
            let others = tally.trials.abs_diff(counted);
            return Some(format!(
                "{}: {others} of {} trials are elsewhere",
                self.name, tally.trials
            ));
        }
        for ((query, count), chance) in self.queries.iter().zip(&counts).zip(&chances) {
            if *chance <= 0.0 && *count > 0 {
                return Some(format!("{}: {count} times what can't be", query.text));
            }
        }
        let fit = chi_square(&counts, &chances)?;
        (fit.p < LEVEL).then(|| self.describe(&counts, &chances, tally.trials, fit.p))
    }

    /// The cells that are furthest off.
    fn describe(&self, counts: &[u64], chances: &[f64], trials: u64, p: f64) -> String {
        let n = float(trials.into());
        let mut cells: Vec<(f64, String)> = Vec::new();
        for (at, (count, chance)) in counts.iter().zip(chances).enumerate() {
            let expected = n * chance;
            let off = float((*count).into()) - expected;
            let text = self
                .queries
                .get(at)
                .map_or("else", |query| query.text.as_str());
            cells.push((
                off.abs() / expected.sqrt(),
                format!("  {text}: {count}, not {expected:.1}"),
            ));
        }
        cells.sort_by(|a, b| b.0.total_cmp(&a.0));
        let worst: Vec<String> = cells.into_iter().take(6).map(|(_, text)| text).collect();
        format!("{}: p = {p:.1e}\n{}", self.name, worst.join("\n"))
    }
}

/// A weight's share of all.
fn share(weight: UBig, dist: &Dist) -> f64 {
    RBig::from_parts(weight.into(), dist.total().clone())
        .to_f64()
        .value()
}

/// The tables of everything that a check shows.
///
/// # Errors
/// What the exact engine says.
pub(crate) fn tables(check: &Check, config: &Config) -> Result<Vec<Table>, oddsmith_exact::Error> {
    let budget = Budget::unlimited();
    let table = |outcome: &Outcome| {
        let dist = distribution(check, config, outcome, &budget)?;
        Ok(Table::new(outcome, &dist))
    };
    check.outcomes.iter().map(table).collect()
}

/// The tables of what a track or a contest shows, as far as they can be asked for: of numbers some values from 0 on.
pub(crate) fn track_tables(check: &Check, config: &Config, values: i64) -> Vec<Table> {
    let table = |outcome: &Outcome| {
        let highest = match &outcome.kind {
            OutcomeKind::Observable => values,
            OutcomeKind::Flag => 1,
            OutcomeKind::Band(labels) | OutcomeKind::Label(labels) => {
                i64::try_from(labels.labels().len()).expect("lists are short") - 1
            }
        };
        let query = |value| compared(outcome, CompareOp::Equal, value);
        let queries: Vec<Query> = (0..=highest).map(query).collect();
        let answers = answers(check, config, &queries, &Budget::new(200_000_000)).ok()?;
        Table::asked(&outcome.name, queries, &answers)
    };
    check.outcomes.iter().filter_map(table).collect()
}

/// Rolls a check and compares it with tables.
///
/// # Errors
/// What is wrong.
pub(crate) fn agree(
    check: &Check,
    config: &Config,
    tables: &[Table],
    seed: u64,
    trials: u64,
) -> Result<Tally, String> {
    let queries = tables.iter().flat_map(|table| table.queries.clone());
    let queries: Vec<Query> = queries.collect();
    let tally = rolled(check, config, &queries, seed, trials).map_err(|error| error.to_string())?;
    let mut first = 0;
    let mut wrong = Vec::new();
    for table in tables {
        wrong.extend(table.complaint(&tally, first));
        first += table.queries.len();
    }
    if wrong.is_empty() {
        Ok(tally)
    } else {
        Err(wrong.join("\n"))
    }
}

/// Compares everything that a check shows, all together; and each outcome that has no odds alone: it must be the same
/// error. Nothing of the one may disturb the other.
///
/// # Errors
/// What is wrong.
pub(crate) fn judge(check: &Check, config: &Config, seed: u64, trials: u64) -> Result<(), String> {
    let budget = Budget::unlimited();
    let mut tables = Vec::new();
    for outcome in &check.outcomes {
        match distribution(check, config, outcome, &budget) {
            Ok(dist) => tables.push(Table::new(outcome, &dist)),
            Err(error) => {
                let found = rolled(check, config, &[parity_of(outcome)], seed, trials);
                same_error(&error, found).map_err(|what| format!("{}: {what}", outcome.name))?;
            }
        }
    }
    // What can't be carried out is refused whatever is asked, also if that is nothing.
    if tables.is_empty() {
        return Ok(());
    }
    match agree(check, config, &tables, seed, trials) {
        Err(error) if is_refused(&error) => return Ok(()),
        result => result?,
    };
    products_agree(check, config, seed, trials)
}

/// What the simulator says that it can't do.
const REFUSED: [&str; 2] = [
    "too much is known at this choice to keep a table of it",
    "the highest result of this expression is not known to the simulator",
];

/// Whether the simulator says that it can't do something that has odds.
pub(crate) fn is_refused(error: &str) -> bool {
    REFUSED.iter().any(|refusal| error.contains(refusal))
}

/// # Errors
/// If there is no error, or another.
pub(crate) fn same_error(
    exact: &oddsmith_exact::Error,
    found: Result<Tally, oddsmith_simulate::Error>,
) -> Result<(), String> {
    let found = match found {
        Err(error) => error.to_string(),
        Ok(_) => return Err(format!("no error, but there should be: {exact}")),
    };
    let words = |text: &str| {
        let text = text.split_once(": ").map_or(text, |(_, message)| message);
        let text = text.split(", for ").next().unwrap_or(text);
        match text.split_once(" cannot be drawn from a bag of ") {
            // How many, and of how many, are those of the first trial or branch that meets it.
            Some(_) => "more cannot be drawn than a bag holds".to_owned(),
            None => text.to_owned(),
        }
    };
    let is_same = words(&found) == words(&exact.to_string());
    if is_same || is_refused(&found) {
        Ok(())
    } else {
        Err(format!("{found}, not {exact}"))
    }
}

/// The means of products of what is shown: what belongs to one roll is seen together.
fn products_agree(check: &Check, config: &Config, seed: u64, trials: u64) -> Result<(), String> {
    for pair in check.outcomes.windows(2) {
        let text = format!("mean(({} + 0) * ({} + 0))", pair[0].name, pair[1].name);
        let Ok(query) = check.query(&text, "query") else {
            continue;
        };
        let queries = std::slice::from_ref(&query);
        let Ok(exact) = answers(check, config, queries, &Budget::unlimited()) else {
            continue;
        };
        let Some(mean) = exact[0].to_ratio() else {
            continue;
        };
        let tally = match rolled(check, config, queries, seed, trials) {
            // Squares of products of large numbers.
            Err(oddsmith_simulate::Error::Overflow { .. }) => continue,
            tally => tally.map_err(|error| format!("{text}: {error}"))?,
        };
        if let Some(complaint) = far_off(&query, &tally.sums[0], mean.to_f64().value()) {
            return Err(format!("{text}: {complaint}"));
        }
    }
    Ok(())
}

/// What is wrong with an estimate: it is not within five standard errors of the exact answer.
pub(crate) fn far_off(query: &Query, sums: &Sums, expected: f64) -> Option<String> {
    let (found, error) = estimate(query, sums, expected);
    // A millionth of an error for what is always the same.
    let is_near = (found - expected).abs() <= 5.0 * error + 1e-9 * expected.abs().max(1.0);
    (!is_near).then(|| format!("{found} ± {error}, not {expected}"))
}

/// An estimate and its standard error, of a probability the one that it has if `expected` is right.
fn estimate(query: &Query, sums: &Sums, expected: f64) -> (f64, f64) {
    let Some(found) = Estimate::of(&query.kind, sums) else {
        return (f64::NAN, f64::NAN);
    };
    let error = match query.kind {
        QueryKind::Probability(_) => share_error(expected, sums.trials),
        // All rolls showed one whole number, and the mean is not whole: there is something rare that was not met. What is
        // to be met 14 times in all trials is missed once in a million.
        QueryKind::Mean(_) if found.std_error == 0.0 && expected.fract() != 0.0 => {
            share_error(1.0 / sums.trials as f64, sums.trials) * 14.0 / 5.0
        }
        QueryKind::Mean(_) | QueryKind::Variance(_) | QueryKind::Deviation(_) => found.std_error,
        QueryKind::Statistic(..) => unreachable!("nothing of it is estimated"),
    };
    (found.value, error)
}
