//! How a dice expression was answered, and what that took.

use std::time::{Duration, Instant};

use oddsmith_exact::{Dist, Note, distribution};

use crate::{Dice, Error, Limits};

/// A question is asked again for so long.
const LONGEST: Duration = Duration::from_millis(20);

/// How an expression was answered: which algorithms, with which numbers, what was predicted and what it took.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The expression.
    pub expression: String,
    /// The answer.
    pub dist: Dist,
    /// The questions that were put to dice and pools on the way, in the order begun.
    pub notes: Vec<Note>,
    /// The steps that all of it was predicted to take; each stands for a nanosecond.
    pub steps: u64,
    /// The time that all of it took.
    pub took: Duration,
}

impl Dice {
    /// How the whole distribution is answered: the fastest of several answers, since what a cold start adds is no cost of
    /// the question. The times are all that differs from one answer to the next.
    ///
    /// # Errors
    /// As [`Dice::distribution`].
    ///
    /// ```
    /// use oddsmith::{Dice, Limits};
    /// let explanation = Dice::parse("100d6")?.explain(&Limits::default())?;
    /// assert_eq!(explanation.notes[0].plan.question, "the sum of 100d6");
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn explain(&self, limits: &Limits) -> Result<Explanation, Error> {
        limits.run(|| {
            let begun = Instant::now();
            let mut fastest = self.explained(limits)?;
            while begun.elapsed() < LONGEST {
                let again = self.explained(limits)?;
                if again.took < fastest.took {
                    fastest = again;
                }
            }
            Ok(fastest)
        })
    }

    fn explained(&self, limits: &Limits) -> Result<Explanation, Error> {
        let check = &self.check;
        let budget = limits.budget().with_notes();
        let begun = Instant::now();
        let dist = distribution(check, &check.defaults(), &check.outcomes[0], &budget)?;
        Ok(Explanation {
            expression: self.text.clone(),
            dist,
            took: begun.elapsed(),
            steps: budget.spent(),
            notes: budget.notes(),
        })
    }
}

impl Explanation {
    /// The steps and the time besides those of which there are notes: reading, adding up, comparing.
    pub fn rest(&self) -> (u64, Duration) {
        let noted = || self.notes.iter().filter(|note| note.depth == 0);
        let steps: u64 = noted().map(|note| note.steps).sum();
        let took: Duration = noted().map(|note| note.took).sum();
        (
            self.steps.saturating_sub(steps),
            self.took.saturating_sub(took),
        )
    }
}

/// The type of numbers that hold a total of so many bits: `u64`, `5 words`.
pub fn number_type(bits: usize) -> String {
    match bits {
        0..=64 => "u64".to_owned(),
        65..=128 => "u128".to_owned(),
        _ => format!("{} words", bits.div_ceil(64)),
    }
}
