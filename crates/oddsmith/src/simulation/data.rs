//! What trials say, beside the exact odds, as data.

use oddsmith_exact::Answer;
use oddsmith_simulate::{ChiSquare, Estimate};

use super::broken::Broken;
use super::rolling::Missed;
use crate::answer::{AnswerKind, decimal};
use crate::names::SimulationNames;
use crate::{Check, Config};

/// A run: one configuration, or one for each combination of the swept axes.
#[derive(Debug)]
pub struct Simulation {
    /// What was rolled, as a title.
    pub title: String,
    /// What is set in all of it, in words.
    pub settings: String,
    /// What was rolled, as it is called in data.
    pub names: SimulationNames,
    /// The check, the track, or both sides of a contest as one check.
    pub check: Check,
    /// The swept axes.
    pub axes: Vec<String>,
    /// What people read in their place.
    pub axis_titles: Vec<String>,
    /// The configurations that were rolled.
    pub groups: Vec<Group>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The probability of a false alarm in the whole run.
    pub level: f64,
    /// Rounds after which trials of a track were stopped.
    pub most_rounds: Option<u32>,
    /// Comparisons with the exact odds; what is not exact is not compared.
    pub comparisons: usize,
    /// A comparison whose p is below this is a disagreement.
    pub limit: f64,
    /// Whether trials ended before all that were planned were done.
    pub is_interrupted: bool,
    /// What is worth saying beside the rows.
    pub notes: Notes,
}

/// What is worth saying beside the rows of a run.
#[derive(Debug, Default)]
pub struct Notes {
    /// Questions without an exact answer, and why.
    pub unknown: Vec<(String, String)>,
    /// Configurations with a rule that can't always be carried out.
    pub broken: Vec<Broken>,
    /// Configurations in which something is chosen.
    pub choosing: usize,
    /// An error that trials did not make as small as was asked.
    pub missed: Option<Missed>,
    /// Trials that were done, and those that were planned at the most.
    pub trials: [u64; 2],
    /// What the trials took.
    pub elapsed: std::time::Duration,
}

/// One configuration of a run.
#[derive(Debug)]
pub struct Group {
    /// The values of the swept axes.
    pub values: Vec<String>,
    /// What people read in their place.
    pub told: Vec<String>,
    /// Both in words: `stat=1 light=dim`, with labels `Stat = 1, The lamp = dim`. All groups of a run have one spelling.
    pub settings: String,
    /// The configuration.
    pub config: Config,
    /// The questions.
    pub rows: Vec<SimulatedRow>,
    /// All cells of a partition together, if all of them are judged.
    pub fit: Option<Fit>,
    /// The trials.
    pub trials: u64,
    /// Trials that were stopped because they went on for too long.
    pub unfinished: u64,
    /// Whether it is as good as certain that these would never have ended.
    pub is_settled: bool,
    /// Dice that were rolled.
    pub dice: u64,
}

/// All cells of a partition together, such as the bands: the chi-square test of whether the trials fit the exact odds.
#[derive(Debug)]
pub struct Fit {
    /// What the cells are.
    pub of: String,
    /// The test.
    pub test: ChiSquare,
}

/// One question of a run.
#[derive(Debug)]
pub struct SimulatedRow {
    /// The band, the flag, or the query as it was asked.
    pub name: String,
    /// What people read in its place: rounds as their track calls them.
    pub title: String,
    /// What it is about.
    pub kind: AnswerKind,
    /// Trials in which it applies.
    pub trials: u64,
    /// Trials in which it happened, or the sum of the values; none for a variance.
    pub count: Option<i128>,
    /// What the trials say.
    pub estimate: Option<Estimate>,
    /// What the exact odds say.
    pub exact: Option<Answer>,
    /// How many standard errors lie between the two.
    pub z: Option<f64>,
    /// How likely it is to be as far off by chance; none if it is not judged.
    pub p: Option<f64>,
}

impl Simulation {
    /// Divides the level among all comparisons; if trials go on until they say enough, also among the numbers
    /// of trials after which that could have been.
    pub(super) fn judge(&mut self, looks: u32) {
        self.comparisons = self.judged().count();
        let share = self.comparisons.max(1) as f64 * f64::from(looks);
        self.limit = self.level / share;
    }

    /// Whether anything that was judged is farther off than chance allows.
    pub fn is_contrary(&self, p: Option<f64>) -> bool {
        p.is_some_and(|p| p < self.limit)
    }

    /// The p of every comparison.
    pub fn judged(&self) -> impl Iterator<Item = f64> {
        self.groups.iter().flat_map(Group::judged)
    }

    /// How many comparisons are farther off than chance allows.
    pub fn contrary(&self) -> usize {
        self.judged().filter(|p| self.is_contrary(Some(*p))).count()
    }
}

impl Group {
    /// The p of each of its comparisons.
    pub fn judged(&self) -> impl Iterator<Item = f64> {
        let rows = self.rows.iter().filter_map(|row| row.p);
        rows.chain(self.fit.iter().map(Fit::judged))
    }
}

impl Fit {
    /// The p that it is judged by.
    pub fn judged(&self) -> f64 {
        self.test.p.max(self.test.bound)
    }
}

impl SimulatedRow {
    /// Estimate, standard error, low and high end, exact answer and z, as far as there are any.
    pub fn numbers(&self) -> [Option<f64>; 6] {
        let part = |part: fn(&Estimate) -> f64| self.estimate.as_ref().map(part);
        [
            part(|estimate| estimate.value),
            part(|estimate| estimate.std_error),
            part(|estimate| estimate.low),
            part(|estimate| estimate.high),
            self.exact.as_ref().and_then(decimal),
            self.z,
        ]
    }
}
