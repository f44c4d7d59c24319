//! What steps are worth, and which of them are compared.

use oddsmith_analysis::grading::Thresholds;
use oddsmith_analysis::levers::{Lever, Step};
use oddsmith_analysis::value::{Spread, Summary};
use oddsmith_exact::RBig;
use oddsmith_numbers::difference::size;
use oddsmith_rules::{Check, Config};

use crate::AnswerKind;
use crate::comparison::{Head, SweptAxis};
use crate::questions::query_title;

/// What the steps of levers are worth.
#[derive(Clone, Debug)]
pub struct Valuation {
    /// What the check is called.
    pub title: String,
    /// What is set and is no default, but for what is swept.
    pub settings: String,
    /// The check, which shows the number behind its bands.
    pub check: Check,
    /// The configuration; where something is swept, of what is not.
    pub config: Config,
    /// The axes that are swept.
    pub axes: Vec<SweptAxis>,
    /// The number of configurations that the rules allow.
    pub configurations: usize,
    /// The bands, worst first; none if they are not asked about.
    pub bands: Vec<String>,
    /// What changes: reaching each band but the worst, then every further query.
    pub columns: Vec<Head>,
    /// The number behind the bands.
    pub number: Option<Number>,
    /// The column by which steps are compared.
    pub yardstick: usize,
    /// The number of columns at the end that are means of numbers which are shown beside the bands.
    pub others: usize,
    /// Whether the levers were named.
    pub are_named: bool,
    /// The axes, then the parameters.
    pub levers: Vec<ValuedLever>,
    /// Sentences that are worth knowing beside the answer: which levers are left out, and why.
    pub notes: Vec<String>,
}

/// The number behind the bands.
#[derive(Clone, Debug)]
pub struct Number {
    /// The name.
    pub name: String,
    /// The column of its mean.
    pub mean: usize,
    /// The numbers at which the bands begin, if that is the same in all configurations.
    pub thresholds: Option<Thresholds>,
}

/// A lever, and what its steps are worth.
#[derive(Clone, Debug)]
pub struct ValuedLever {
    /// Whether it is a parameter, not an axis.
    pub is_parameter: bool,
    /// Whether it is swept.
    pub is_swept: bool,
    /// Whether it is moved along values that were asked for.
    pub is_along: bool,
    /// Its values as a user writes them, and whether they are labels.
    pub values: SweptAxis,
    /// The lever.
    pub lever: Lever,
    /// The worth of each step over all configurations.
    pub steps: Vec<Summary>,
    /// The worth of all steps of a number that go up.
    pub up: Summary,
}

/// A shift of a lever: a single step, or all steps up of one that is swept.
#[derive(Clone, Copy, Debug)]
pub struct Shift<'v> {
    /// The lever.
    pub moved: &'v ValuedLever,
    /// The step; none is all of them.
    pub step: Option<Step>,
    /// Its worth over all configurations.
    pub summary: &'v Summary,
}

impl Shift<'_> {
    /// Whether it changes any of some columns.
    pub fn changes(&self, columns: &[usize]) -> bool {
        let spread = |at: &usize| self.summary.changes[*at].as_ref();
        { columns.iter().filter_map(spread) }.any(|spread| spread.count > 0)
    }

    /// Whether it leads to a later value.
    fn is_up(&self) -> bool {
        self.step.is_none_or(|step| self.moved.lever.is_up(step))
    }

    /// `circ_boons 0 → 1`, `skill_rank 0 … 9`
    pub fn words(&self) -> String {
        let SweptAxis { name, values, .. } = &self.moved.values;
        self.between(name, values)
    }

    /// As [`Shift::words`], for people: with labels where there are some.
    pub fn told(&self) -> String {
        let SweptAxis { title, told, .. } = &self.moved.values;
        let words = self.between(title, told);
        match self.step {
            None => words + &self.moved.values.stride(),
            Some(_) => words,
        }
    }

    fn between(&self, name: &str, values: &[String]) -> String {
        let (arrow, from, to) = match self.step {
            Some(step) => ("→", step.from, step.to),
            None => ("…", 0, values.len() - 1),
        };
        format!("{name} {} {arrow} {}", values[from], values[to])
    }
}

impl ValuedLever {
    /// Whether its values are labels.
    pub fn is_label(&self) -> bool {
        self.values.is_label
    }

    /// The name of the axis or parameter.
    pub fn name(&self) -> &str {
        &self.values.name
    }

    /// A value as a user writes it.
    pub fn value(&self, place: usize) -> &str {
        &self.values.values[place]
    }

    /// The shifts that stand for it: of a swept number all steps together, of labels every step, of another axis the first
    /// step up and the first one down, of another parameter one of the two.
    pub fn shifts<'v>(&'v self) -> Vec<Shift<'v>> {
        let steps = self.lever.steps.iter().zip(&self.steps);
        let steps = steps.map(|(step, summary)| Shift {
            moved: self,
            step: Some(*step),
            summary,
        });
        if self.is_label() || self.is_along {
            return steps.collect();
        }
        if self.is_swept {
            let all = Shift {
                moved: self,
                step: None,
                summary: &self.up,
            };
            return vec![all];
        }
        let (up, down): (Vec<_>, Vec<_>) =
            steps.partition(|shift| shift.step.is_some_and(|step| self.lever.is_up(step)));
        let first = |shifts: Vec<Shift<'v>>| shifts.into_iter().next();
        let shifts = first(up).into_iter().chain(first(down));
        if self.is_parameter {
            // Of equals the earlier one: the step up, if it changes anything.
            return shifts
                .min_by_key(|shift| shift.summary.active == 0)
                .into_iter()
                .collect();
        }
        shifts.collect()
    }
}

impl Valuation {
    /// The worth of a step by the yardstick: the typical flat modifier at its band if there is one anywhere, else the
    /// typical change. Nothing is typical of what goes both ways.
    pub fn worth<'v>(&self, summary: &'v Summary) -> Option<&'v RBig> {
        let spreads = match self.has_flat_yardstick() {
            true => &summary.flats,
            false => &summary.changes,
        };
        let spread = spreads.get(self.yardstick)?.as_ref()?;
        (!spread.goes_both_ways()).then_some(&spread.typical)
    }

    /// Whether steps are compared by flat modifiers.
    pub fn has_flat_yardstick(&self) -> bool {
        self.number.is_some() && self.yardstick < self.reached()
    }

    /// The columns that are about bands, the number behind them, flags and what was asked.
    pub fn main_columns(&self) -> Vec<usize> {
        (0..self.columns.len() - self.others).collect()
    }

    /// The means of numbers that are shown beside the bands.
    pub fn other_columns(&self) -> Vec<usize> {
        (self.columns.len() - self.others..self.columns.len()).collect()
    }

    /// The number of columns that are about reaching a band.
    pub fn reached(&self) -> usize {
        self.bands.len().saturating_sub(1)
    }

    /// Steps of axes that can be exchanged for one another, with what they are worth, the best one first. They help: a
    /// band is reached more often. Of other numbers it is not known which way is better, so it is all steps up.
    pub fn goods(&self) -> Vec<(Shift<'_>, &RBig)> {
        let is_by_band = self.yardstick < self.reached();
        let axes = self.levers.iter().filter(|moved| !moved.is_parameter);
        let is_good = |shift: &Shift<'_>| match is_by_band {
            true => {
                let change = shift.summary.changes[self.yardstick].as_ref();
                change.is_some_and(|change| change.count > 0 && change.least > RBig::ZERO)
            }
            false => !shift.moved.is_label() && shift.is_up(),
        };
        let shifts = axes.flat_map(ValuedLever::shifts).filter(is_good);
        let goods = shifts.filter_map(|shift| Some((shift, self.worth(shift.summary)?)));
        let mut goods: Vec<_> = goods.filter(|(_, worth)| **worth != RBig::ZERO).collect();
        goods.sort_by_cached_key(|(_, worth)| std::cmp::Reverse(size(worth)));
        goods
    }

    /// The name of a column in data: `band>=Hit`, `mean(total)`.
    pub fn column(&self, at: usize) -> String {
        let head = &self.columns[at];
        match head.kind {
            AnswerKind::Band => format!("band>={}", head.name),
            _ => head.name.clone(),
        }
    }

    /// What people read of a column: `Hit or better`, `won`; of the best band its name alone.
    pub fn told_column(&self, at: usize) -> String {
        let head = &self.columns[at];
        match head.kind {
            AnswerKind::Band if at + 1 < self.reached() => format!("{} or better", head.name),
            _ => query_title(&self.check, &head.name),
        }
    }
}

/// Stands before a size, in place of a sign, where some changes go up and others down.
pub const BOTH_WAYS: &str = "±";

/// The median of changes with its sign, as `words` writes it; `±0.41`, the median of their sizes, where they go both ways.
pub fn typical(spread: &Spread, words: impl Fn(&RBig) -> String) -> String {
    match spread.goes_both_ways() {
        true => words(&spread.size).replacen('+', BOTH_WAYS, 1),
        false => words(&spread.typical),
    }
}
