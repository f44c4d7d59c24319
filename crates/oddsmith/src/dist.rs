//! The distribution of a dice expression.

use oddsmith_exact::{Dist, distribution};
use oddsmith_rules::{Check, Diagnostics, expression, expression_warnings};

use crate::{DistRequest, Error, Limits, NamedAnswer, questions, settings};

/// What errors call an expression's text.
const ORIGIN: &str = "<expression>";

/// A dice expression that was read: what questions about it are put to.
#[derive(Clone, Debug)]
pub struct Dice {
    /// As it was written.
    pub text: String,
    /// The expression as a check without inputs, whose one number is called `value`.
    pub check: Check,
    /// What is legal in it, but hardly meant.
    pub warnings: Diagnostics,
}

impl Dice {
    /// Reads an expression such as `4d6kh3`.
    ///
    /// # Errors
    /// All errors of the expression at once.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        Ok(Self {
            text: text.to_owned(),
            check: expression(text, ORIGIN)?,
            warnings: expression_warnings(text, ORIGIN),
        })
    }

    /// The whole distribution.
    ///
    /// # Errors
    /// If it is over the limits, or a rule of the expression can't be carried out.
    ///
    /// ```
    /// use oddsmith::{Dice, Limits};
    /// let dist = Dice::parse("4d6kh3")?.distribution(&Limits::default())?;
    /// assert_eq!(dist.mean().to_string(), "15869/1296");
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn distribution(&self, limits: &Limits) -> Result<Dist, Error> {
        let (check, config) = (&self.check, self.check.defaults());
        limits.run(|| {
            Ok(distribution(
                check,
                &config,
                &check.outcomes[0],
                &limits.budget(),
            )?)
        })
    }

    /// The answers to queries, such as `P(value>=15)`.
    ///
    /// # Errors
    /// If a query can't be read; as [`Dice::distribution`].
    pub fn answers(&self, queries: &[String], limits: &Limits) -> Result<Vec<NamedAnswer>, Error> {
        let queries = questions::asked(settings::queries(&self.check, queries)?).collect();
        let config = self.check.defaults();
        limits.run(|| {
            Ok(questions::answered(
                &self.check,
                &config,
                queries,
                &limits.budget(),
            )?)
        })
    }
}

/// The whole distribution of a dice expression, and what was asked of it.
#[derive(Clone, Debug)]
pub struct DistAnswer {
    /// The expression.
    pub dice: Dice,
    /// The whole distribution.
    pub dist: Dist,
    /// What was asked.
    pub outcomes: Vec<NamedAnswer>,
}

/// Answers a question about a dice expression.
///
/// # Errors
/// As [`Dice::parse`], [`Dice::distribution`] and [`Dice::answers`].
pub fn dist(request: &DistRequest, limits: &Limits) -> Result<DistAnswer, Error> {
    let dice = Dice::parse(&request.expression)?;
    Ok(DistAnswer {
        dist: dice.distribution(limits)?,
        outcomes: dice.answers(&request.queries, limits)?,
        dice,
    })
}
