//! Many configurations at once.
//!
//! The script is cut in two at a value `x` through which everything before it acts on everything after it.
//! What leads to `x` is rolled once per combination of the inputs that it reads, without its fixed terms: a
//! flat modifier only shifts `x`. What follows from each value of `x` (a *kernel*: the moments of the queries)
//! is computed once per combination of the inputs read there. A row is then a few differences of cumulative
//! sums, one for each stretch of `x` over which the kernel does not change: between two thresholds, say.

mod cells;
mod cut;
mod integers;
mod kernel;
mod meet;
mod part;
mod row;
mod rows;
mod shape;
mod table;

use oddsmith_dist::Budget;
use oddsmith_rules::program::{Expr, InputId, Kind};
use oddsmith_rules::{Check, Config, InputRange, Query};

use crate::Error;
use crate::pools::PoolCache;
use crate::question::{check_requirements, group};
use part::Part;
pub use row::{Answers, Row, RowAnswer};

/// A planned sweep: the work that rows share is done.
#[derive(Debug)]
pub struct Sweep<'a> {
    check: &'a Check,
    base: &'a Config,
    ranges: &'a [InputRange],
    queries: &'a [Query],
    budget: &'a Budget,
    cache: PoolCache,
    /// One per group of queries that read the same outcomes.
    parts: Vec<Part>,
    /// Requirements that the swept inputs can break.
    requires: Vec<&'a Expr>,
    configurations: u64,
}

/// Steps that a row costs at the least: its place, its sums, its text.
const ROW_STEPS: u64 = 100;

impl<'a> Sweep<'a> {
    /// Plans a sweep of `ranges` (the last fastest) around `base` and does the work that rows share.
    ///
    /// # Errors
    /// As [`crate::answers`]; the budget is for the whole sweep.
    pub fn new(
        check: &'a Check,
        base: &'a Config,
        ranges: &'a [InputRange],
        queries: &'a [Query],
        budget: &'a Budget,
    ) -> Result<Self, Error> {
        let configurations = count(ranges);
        let rows = u64::try_from(configurations).unwrap_or(u64::MAX);
        let predicted = configurations.saturating_mul(u128::from(ROW_STEPS));
        budget
            .charge(predicted)
            .map_err(|_| over_budget(check, ranges, predicted, budget))?;
        let is_swept = |id: InputId| ranges.iter().any(|range| range.input == id);
        let mut requires = Vec::new();
        for requirement in &check.requires {
            if inputs_of(&requirement.condition).into_iter().any(is_swept) {
                requires.push(&requirement.condition);
            }
        }
        // What no swept input can change must hold now, or no row would be left.
        let constant = Check {
            requires: check
                .requires
                .iter()
                .filter(|requirement| !requires.contains(&&requirement.condition))
                .cloned()
                .collect(),
            ..check.clone()
        };
        check_requirements(&constant, base)?;
        let mut sweep = Self {
            check,
            base,
            ranges,
            queries,
            budget,
            cache: PoolCache::default(),
            parts: Vec::new(),
            requires,
            configurations: rows,
        };
        for group in group(check, queries) {
            let part = Part::plan(&sweep, &group)?;
            sweep.parts.push(part);
        }
        Ok(sweep)
    }

    /// The product of the ranges; configurations that break a requirement count, though they give no row.
    #[must_use]
    pub fn configurations(&self) -> u64 {
        self.configurations
    }

    /// The base configuration with the swept inputs at these places of their ranges.
    fn config_at(&self, places: &[usize]) -> Config {
        let mut config = self.base.clone();
        for (range, &place) in self.ranges.iter().zip(places) {
            config.0[range.input.0] = range.values[place];
        }
        config
    }
}

/// The number of combinations.
fn count(ranges: &[InputRange]) -> u128 {
    ranges.iter().fold(1, |product, range| {
        product.saturating_mul(range.values.len() as u128)
    })
}

/// For work that is `predicted` besides what has been done.
fn over_budget(check: &Check, ranges: &[InputRange], predicted: u128, budget: &Budget) -> Error {
    let widest = ranges.iter().max_by_key(|range| range.values.len());
    let name = widest.map_or(String::new(), |range| {
        check.inputs[range.input.0].name.clone()
    });
    let size = widest.map_or(0, |range| range.values.len());
    Error::OverBudget {
        what: format!("a table of {} configurations", count(ranges)),
        predicted: predicted.saturating_add(u128::from(budget.spent())),
        limit: budget.limit(),
        help: format!(
            "sweep fewer inputs or fewer values (`{name}` alone has {size}), or raise the budget (`--budget`)"
        ),
    }
}

/// The inputs that an expression reads itself.
fn inputs_of(expr: &Expr) -> Vec<InputId> {
    let mut inputs = Vec::new();
    expr.any(&mut |part| {
        if let Kind::Input(id) = part.kind {
            inputs.push(id);
        }
        false
    });
    inputs
}
