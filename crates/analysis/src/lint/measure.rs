//! Measures: the numbers that a rule looks at in every configuration.

use oddsmith_dist::{Budget, RBig};
use oddsmith_exact::{Answer, answers};
use oddsmith_rules::program::Statement;
use oddsmith_rules::{Check, Outcome, OutcomeKind, Query};

use crate::expect::Value;

/// A number that every configuration has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// A band, a flag, `NAME=LABEL`, or a number that is shown.
    pub name: String,
    /// The question that is asked of it.
    pub kind: MeasureKind,
    /// Whether it is of the best band: there is no better one.
    pub is_best: bool,
}

/// The question that is asked of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureKind {
    /// The probability of a band or a better one.
    AtLeast,
    /// The probability of a flag or a label.
    Event,
    /// The probability that so many rolls, or fewer, are enough.
    DoneBy(i64),
    /// The mean of a number.
    Mean,
    /// The variance of a number.
    Variance,
}

impl Measure {
    /// The name in the parts of an id: all bands are one outcome.
    #[must_use]
    pub fn outcome(&self) -> &str {
        match self.kind {
            MeasureKind::AtLeast => "band",
            _ => &self.name,
        }
    }

    /// Whether it is a probability, whose differences are points.
    #[must_use]
    pub fn is_probability(&self) -> bool {
        matches!(
            self.kind,
            MeasureKind::AtLeast | MeasureKind::Event | MeasureKind::DoneBy(_)
        )
    }

    /// Whether it is what the rules say of an outcome, and not how long it takes.
    pub(crate) fn is_outcome(&self) -> bool {
        matches!(self.kind, MeasureKind::AtLeast | MeasureKind::Event)
    }
}

/// The questions that are asked of a check in every configuration.
#[derive(Debug)]
pub(crate) struct Measures {
    /// The measures that the cells of a grid hold.
    pub(crate) measures: Vec<Measure>,
    /// The queries that the engine is asked: bands by themselves, where the measures are of a band or a better one.
    pub(crate) queries: Vec<Query>,
    /// How many of the queries are bands.
    bands: usize,
}

impl Measures {
    /// Everything that a check shows: of a track what it ends in and what it counts, not its first round, and how often
    /// as many rolls are enough as it takes on average. A number that is fixed before the roll is no odds.
    ///
    /// # Cost
    /// For a track that average, if the budget has room for it.
    pub(crate) fn of(check: &Check, budget: &Budget) -> Self {
        let mut asked = Self {
            measures: Vec::new(),
            queries: Vec::new(),
            bands: 0,
        };
        let outcomes = check.outcomes.iter();
        let shown: Vec<&Outcome> = outcomes.filter(|outcome| !outcome.first_round).collect();
        for outcome in &shown {
            if let OutcomeKind::Band(choice) = &outcome.kind {
                for (at, label) in choice.labels().iter().enumerate() {
                    asked.push(check, &format!("{} == \"{label}\"", outcome.name));
                    asked.bands += 1;
                    if at > 0 {
                        asked.measure(label, MeasureKind::AtLeast);
                    }
                    if let Some(best) = asked.measures.last_mut() {
                        best.is_best = at + 1 == choice.labels().len();
                    }
                }
            }
        }
        for outcome in shown {
            asked.push_outcome(check, outcome);
        }
        let names_rounds = |outcome: &Outcome| Some(outcome.var) == check.rounds;
        if check.rounds.is_some() && !check.outcomes.iter().any(names_rounds) {
            asked.push_number(check, "rolls");
        }
        asked.push_done_by(check, budget);
        asked
    }

    /// How often a track is done by so many rolls as it takes on average where everything has its default. Nothing if
    /// that is no number, or too much to find out.
    fn push_done_by(&mut self, check: &Check, budget: &Budget) {
        let shown = |outcome: &&Outcome| Some(outcome.var) == check.rounds;
        let shown = check
            .outcomes
            .iter()
            .find(shown)
            .map(|own| own.name.as_str());
        let Some(name) = check.rounds.map(|_| shown.unwrap_or("rolls")) else {
            return;
        };
        let mean = [check.query(&format!("mean({name})"), "lint")];
        let [Ok(mean)] = mean else { return };
        let answers = answers(check, &check.defaults(), &[mean], budget);
        let mean = answers.ok().and_then(|own| Value::of_answer(&own[0]));
        let rolls = mean.as_ref().and_then(Value::finite).map(RBig::ceil);
        let Some(rolls) = rolls.and_then(|rolls| i64::try_from(rolls).ok()) else {
            return;
        };
        self.push(check, &format!("{name} <= {rolls}"));
        self.measure(name, MeasureKind::DoneBy(rolls));
    }

    /// Adds the questions about any outcome but a band.
    fn push_outcome(&mut self, check: &Check, outcome: &Outcome) {
        let name = &outcome.name;
        match &outcome.kind {
            OutcomeKind::Band(_) => {}
            OutcomeKind::Flag => {
                self.push(check, name);
                self.measure(name, MeasureKind::Event);
            }
            OutcomeKind::Label(choice) => {
                for label in choice.labels() {
                    self.push(check, &format!("{name} == \"{label}\""));
                    self.measure(&format!("{name}={label}"), MeasureKind::Event);
                }
            }
            // What the rounds of a track change is no longer what it was bound to.
            OutcomeKind::Observable if check.rounds.is_none() && is_fixed(check, outcome) => {}
            OutcomeKind::Observable => self.push_number(check, name),
        }
    }

    /// The mean of a number; of a check its variance, too.
    fn push_number(&mut self, check: &Check, name: &str) {
        self.push(check, &format!("mean({name})"));
        self.measure(name, MeasureKind::Mean);
        if check.rounds.is_none() {
            self.push(check, &format!("variance({name})"));
            self.measure(name, MeasureKind::Variance);
        }
    }

    fn push(&mut self, check: &Check, query: &str) {
        let query = check.query(query, "lint");
        self.queries
            .push(query.expect("what a check shows can be asked about"));
    }

    fn measure(&mut self, name: &str, kind: MeasureKind) {
        self.measures.push(Measure {
            name: name.to_owned(),
            kind,
            is_best: false,
        });
    }

    /// How many of the queries are bands; they are the first ones, the worst band before all others.
    pub(crate) fn bands(&self) -> usize {
        self.bands
    }

    /// The values of the measures, from the answers to the queries.
    pub(crate) fn values(&self, answers: &[Answer]) -> Vec<Option<Value>> {
        let mut answers = answers.iter().map(Value::of_answer);
        let bands: Vec<Option<Value>> = answers.by_ref().take(self.bands).collect();
        let mut values = vec![None; self.bands.saturating_sub(1)];
        let mut above = Some(Value::ZERO);
        for at in (1..self.bands).rev() {
            above = above
                .zip(bands[at].as_ref())
                .and_then(|(sum, band)| sum.plus(band));
            values[at - 1].clone_from(&above);
        }
        values.extend(answers);
        values
    }
}

/// Whether a number is known before anything is rolled.
fn is_fixed(check: &Check, outcome: &Outcome) -> bool {
    check.program().statements().iter().any(
        |statement| matches!(statement, Statement::Let { var, value } if *var == outcome.var && value.fixed),
    )
}
