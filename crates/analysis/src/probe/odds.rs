//! All odds of one configuration, in a form that shows any change of them.

mod lines;

use std::io::{self, Write};
use std::sync::OnceLock;

use oddsmith_dist::{Budget, IBig, RBig, UBig};
use oddsmith_exact::{Error, Joint, Lengths, Playable, Prepared};
use oddsmith_rules::{Check, Config, Outcome, OutcomeKind, Query};

use crate::expect::Value;
use crate::rows::Asked;

/// The lengths of a track up to so many rounds are part of its odds. What a track does later follows from the same
/// moves, so that it hardly moves alone; its mean and variance are over all rounds.
const ROUNDS: usize = 24;

/// One number that is shown of a configuration's odds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// A band, a flag, or a query such as `mean(total)`.
    pub name: String,
    /// Whether it is a probability.
    pub is_probability: bool,
}

/// The odds of a check, of a track or of a contest, wherever they are asked for.
#[derive(Debug)]
pub struct Subject<'a> {
    check: &'a Check,
    prepared: Prepared<'a>,
    columns: Vec<Column>,
    /// The queries about the end of a track or a contest; none of a check.
    queries: Vec<Query>,
    /// The outcomes that one roll shows together.
    outcomes: Vec<&'a Outcome>,
    /// The check as transcripts name it, once one asks.
    asked: OnceLock<Box<Asked<'a>>>,
}

/// The odds of one configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// For each of [`Subject::columns`] its answer; none where there is no answer.
    pub values: Vec<Option<Value>>,
    /// The joint distribution of what one roll shows; of a track its first round. None if it shows nothing, or if that
    /// can't be said.
    pub joint: Option<Joint>,
    /// How likely a track is over after so many rounds.
    pub lengths: Option<Vec<RBig>>,
}

impl<'a> Subject<'a> {
    /// Asks about a check, a track, or a contest ([`Check::against`]).
    #[must_use]
    pub fn new(check: &'a Check) -> Self {
        let is_track = check.rounds.is_some();
        let outcomes = check.outcomes.iter();
        let outcomes = outcomes.filter(|outcome| outcome.first_round || !is_track);
        let mut subject = Self {
            check,
            prepared: Prepared::new(check),
            columns: Vec::new(),
            queries: Vec::new(),
            outcomes: outcomes.collect(),
            asked: OnceLock::new(),
        };
        if is_track {
            subject.ask();
        } else {
            let outcomes = subject.outcomes.iter();
            subject.columns = outcomes.flat_map(|one| columns(one)).collect();
        }
        subject
    }

    /// The check that it asks about.
    pub(super) fn check(&self) -> &'a Check {
        self.check
    }

    /// The columns that its odds are shown as, in the order of [`Odds::values`].
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Prepares the questions about the end of a track: bands and flags, means and variances of numbers.
    fn ask(&mut self) {
        let mut push = |query: Query, is_probability: bool| {
            self.columns.push(Column {
                name: query.text.clone(),
                is_probability,
            });
            self.queries.push(query);
        };
        for query in self.check.own_queries() {
            push(query, true);
        }
        let numbers = self.check.outcomes.iter();
        let numbers = numbers
            .filter(|outcome| !outcome.first_round && outcome.kind == OutcomeKind::Observable);
        for number in numbers {
            for kind in ["mean", "variance"] {
                let text = format!("{kind}({})", number.name);
                if let Ok(query) = self.check.query(&text, "<odds>") {
                    push(query, false);
                }
            }
        }
    }

    /// The odds of a configuration. A track is asked each question by itself: one that has no answer, as the mean of
    /// what is shown at an end that may never come, has none here. Odds that the budget's transcript knows are charged as
    /// if they had been worked out, since searches go by what odds cost.
    ///
    /// # Errors
    /// As [`oddsmith_exact::answers`].
    pub fn odds(&self, config: &Config, budget: &Budget) -> Result<Odds, Error> {
        let Some(transcript) = budget.transcript() else {
            return self.worked_out(config, budget);
        };
        let asked = self.asked.get_or_init(|| Box::new(Asked::of(self.check)));
        let question = asked.odds(config, budget);
        let before = budget.spent();
        if let Some((steps, odds)) = transcript.pieces(&question).next().and_then(lines::read)
            && odds.values.len() == self.columns.len()
            && budget.charge(steps.into()).is_ok()
        {
            return Ok(odds);
        }
        let odds = self.worked_out(config, budget)?;
        if transcript.is_noting() {
            let steps = budget.spent().saturating_sub(before);
            transcript.note(&question, 0, lines::of(steps, &odds));
        }
        Ok(odds)
    }

    fn worked_out(&self, config: &Config, budget: &Budget) -> Result<Odds, Error> {
        let playable = self.prepared.at(config, budget)?;
        match self.check.rounds {
            None => self.of_check(&playable),
            Some(_) => self.of_track(&playable, budget),
        }
    }

    fn of_check(&self, playable: &Playable<'_>) -> Result<Odds, Error> {
        let joint = playable.joint(&self.outcomes)?;
        let mut values = Vec::with_capacity(self.columns.len());
        for (at, outcome) in self.outcomes.iter().enumerate() {
            push_values(&joint, at, outcome, &mut values);
        }
        Ok(Odds {
            values: values.into_iter().map(Some).collect(),
            joint: Some(joint),
            lengths: None,
        })
    }

    fn of_track(&self, playable: &Playable<'_>, budget: &Budget) -> Result<Odds, Error> {
        let (values, rounds) = match playable.answers_and_rounds(&self.queries) {
            Ok(Some((answers, rounds))) => (answers.iter().map(Value::of_answer).collect(), rounds),
            Err(error @ Error::OverBudget { .. }) => return Err(error),
            _ => {
                let rounds = playable.rounds()?;
                let values = match playable.answers_together(&self.queries) {
                    Ok(answers) => answers.iter().map(Value::of_answer).collect(),
                    Err(_) => self.one_by_one(playable)?,
                };
                (values, rounds)
            }
        };
        let lengths = rounds.lengths(ROUNDS, budget)?;
        let first = match self.outcomes.as_slice() {
            [] => None,
            shown => match playable.joint(shown) {
                Ok(joint) => Some(joint),
                // Whether it can be said must not depend on how much may be spent.
                Err(error @ Error::OverBudget { .. }) => return Err(error),
                Err(_) => None,
            },
        };
        Ok(Odds {
            values,
            joint: first,
            lengths: Some(shares(&lengths)),
        })
    }

    /// The answer to each question by itself, none where it has none.
    fn one_by_one(&self, playable: &Playable<'_>) -> Result<Vec<Option<Value>>, Error> {
        let ask = |query| match playable.answers(std::slice::from_ref(query)) {
            Ok(answers) => Ok(Value::of_answer(&answers[0])),
            Err(error @ (Error::OverBudget { .. } | Error::Requirement { .. })) => Err(error),
            Err(_) => Ok(None),
        };
        self.queries.iter().map(ask).collect()
    }
}

/// The columns that an outcome is shown as.
fn columns(outcome: &Outcome) -> Vec<Column> {
    let column = |name: String, is_probability| Column {
        name,
        is_probability,
    };
    let name = &outcome.name;
    match &outcome.kind {
        OutcomeKind::Flag => vec![column(name.clone(), true)],
        OutcomeKind::Observable => vec![column(format!("mean({name})"), false)],
        OutcomeKind::Band(choice) => choice
            .labels()
            .iter()
            .map(|label| column(label.clone(), true))
            .collect(),
        OutcomeKind::Label(choice) => choice
            .labels()
            .iter()
            .map(|label| column(format!("{name} == {label}"), true))
            .collect(),
    }
}

/// The answers of [`columns`], of the outcome that stands at a place of the joint distribution.
fn push_values(joint: &Joint, at: usize, outcome: &Outcome, values: &mut Vec<Value>) {
    let share =
        |weight: UBig| Value::Finite(RBig::from_parts(IBig::from(weight), joint.total.clone()));
    let of = |wanted: i64| -> UBig {
        let rows = joint.weights.iter();
        rows.filter(|(row, _)| row[at] == wanted)
            .map(|(_, weight)| weight)
            .sum()
    };
    match &outcome.kind {
        OutcomeKind::Flag => values.push(share(of(1))),
        OutcomeKind::Observable => {
            let rows = joint.weights.iter();
            let sum: IBig = rows
                .map(|(row, weight)| IBig::from(row[at]) * IBig::from(weight.clone()))
                .sum();
            values.push(Value::Finite(RBig::from_parts(sum, joint.total.clone())));
        }
        OutcomeKind::Band(choice) | OutcomeKind::Label(choice) => {
            let places = (0_i64..).take(choice.labels().len());
            values.extend(places.map(|place| share(of(place))));
        }
    }
}

/// How likely each number of rounds is.
fn shares(lengths: &Lengths) -> Vec<RBig> {
    let weights = lengths.weights.iter();
    weights
        .map(|weight| RBig::from_parts(IBig::from(weight.clone()), lengths.total.clone()))
        .collect()
}

impl Odds {
    /// Writes all of it in a form of its own: two odds are the same exactly if what is written is.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for value in &self.values {
            match value {
                None => writeln!(out, "-")?,
                Some(value) => writeln!(out, "{value}")?,
            }
        }
        for (row, weight) in self.joint.iter().flat_map(|joint| &joint.weights) {
            for value in row {
                out.write_all(&value.to_le_bytes())?;
            }
            let bytes = weight.to_le_bytes();
            out.write_all(&bytes.len().to_le_bytes())?;
            out.write_all(&bytes)?;
        }
        for share in self.lengths.iter().flatten() {
            writeln!(out, "{share}")?;
        }
        Ok(())
    }
}
