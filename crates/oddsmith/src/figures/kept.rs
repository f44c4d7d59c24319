//! Answers to queries over a few inputs, kept in memory: what pictures and pages are made of.

use oddsmith_analysis::rows::Rows;
use oddsmith_exact::{Answer, Gaps, Row, UBig};
use oddsmith_rules::{Check, Config, InputRange, Query};

use crate::{Error, Limits};

/// Configurations that are kept at the most.
pub(crate) const MOST: u64 = 100_000;

/// The answers for every combination of the values of some inputs.
#[derive(Debug)]
pub(crate) struct KeptAnswers {
    /// The number of values of each input.
    lens: Vec<usize>,
    /// The last input fastest; none where the rules forbid the configuration, or can't be carried out.
    answers: Vec<Option<Vec<Answer>>>,
    /// Configurations in which the rules can't be carried out.
    pub(crate) gaps: Gaps,
}

impl KeptAnswers {
    /// Plans and computes them.
    pub(crate) fn compute(
        check: &Check,
        config: &Config,
        ranges: &[InputRange],
        queries: &[Query],
        limits: &Limits,
    ) -> Result<Self, Error> {
        let budget = limits.share();
        let rows = Rows::of(check, config, ranges, queries, &budget)?;
        if rows.configurations() > MOST {
            let message = format!(
                "{} configurations are too many to look at; at most {MOST}",
                rows.configurations()
            );
            let help = "give the axes fewer values, or write them to a file with `oddsmith table`";
            return Err(Error::advice(message, help));
        }
        let lens: Vec<usize> = ranges.iter().map(|range| range.values.len()).collect();
        let mut answers = vec![None; lens.iter().product()];
        let keep = |row: &Row<'_>, rows: &mut Vec<(u64, Vec<Answer>)>| {
            if row.broken.is_none() {
                rows.push((row.number, row.answers.iter().map(Answer::from).collect()));
            }
        };
        let gaps = rows.run_with_gaps(keep, |rows: Vec<(u64, Vec<Answer>)>| {
            for (number, found) in rows {
                let at = usize::try_from(number).expect("so few configurations have an index");
                answers[at] = Some(found);
            }
            Ok::<(), Error>(())
        })?;
        Ok(Self {
            lens,
            answers,
            gaps,
        })
    }

    /// The answers where each input has the value at this place.
    pub(crate) fn at(&self, places: &[usize]) -> Option<&[Answer]> {
        let cell = places
            .iter()
            .zip(&self.lens)
            .fold(0, |cell, (place, len)| cell * len + place);
        self.answers[cell].as_deref()
    }

    /// Whether this is so of the answers of any configuration.
    pub(crate) fn any(&self, is_so: impl FnMut(&[Answer]) -> bool) -> bool {
        self.answers.iter().flatten().map(Vec::as_slice).any(is_so)
    }

    /// What is meant where there is no number; nothing if there is one everywhere.
    ///
    /// # Errors
    /// If there is no number anywhere.
    pub(crate) fn missing(&self) -> Result<String, Error> {
        let answers = || self.answers.iter().flatten().flatten();
        let is_nothing = |answer: &Answer| answer.total == UBig::ZERO && !answer.is_infinite();
        let without = self.answers.iter().filter(|row| row.is_none());
        let reasons = [
            (without.count() as u64 > self.gaps.count, "not allowed"),
            (self.gaps.count > 0, "breaks a rule"),
            (answers().any(Answer::is_infinite), "without end"),
            (answers().any(is_nothing), "its condition never happens"),
        ];
        let reasons: Vec<&str> = reasons
            .into_iter()
            .filter_map(|(is_so, words)| is_so.then_some(words))
            .collect();
        if answers().all(|answer| answer.total == UBig::ZERO) {
            if let Some(first) = &self.gaps.first {
                return Err(first.clone().into());
            }
            let message = format!("there is no number to draw: {}", reasons.join(", or "));
            return Err(Error::advice(message, ""));
        }
        if reasons.is_empty() {
            return Ok(String::new());
        }
        Ok(format!("no answer (×): {}", reasons.join(", or ")))
    }

    /// All of them, the last input fastest.
    pub(crate) fn into_answers(self) -> Vec<Option<Vec<Answer>>> {
        self.answers
    }
}
