//! Levers that can't be valued.

use oddsmith_exact::Error as ExactError;

use crate::Error;

/// Levers that can't be valued: those that have no answer are left out where nobody named them.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    over_budget: Vec<String>,
    /// Why the first of them is.
    why: Option<ExactError>,
    broken: Vec<String>,
}

impl LeftOut {
    /// Notes a lever whose steps have no answer.
    ///
    /// # Errors
    /// If that is no reason to go on with others.
    pub(super) fn add(&mut self, lever: &str, error: ExactError) -> Result<(), Error> {
        match error {
            error @ ExactError::OverBudget { .. } => {
                self.over_budget.push(lever.to_owned());
                self.why.get_or_insert(error);
            }
            ExactError::Rule(_) | ExactError::Unsupported(_) => {
                self.broken.push(format!("`{lever}` is left out: {error}"));
            }
            error => return Err(error.into()),
        }
        Ok(())
    }

    /// Notes a lever of which no step is allowed.
    pub(super) fn forbid(&mut self, lever: &str) {
        self.broken.push(format!(
            "`{lever}` is left out: the rules forbid every step of it here; name values that they allow, as in \
             `--lever {lever}=A,B`"
        ));
    }

    /// A sentence for each reason.
    ///
    /// # Errors
    /// If nothing else is left, since all are over the budget.
    pub(super) fn notes(self, is_all: bool) -> Result<Vec<String>, Error> {
        if let Some(error) = self.why.filter(|_| is_all) {
            return Err(error.into());
        }
        let mut notes = self.broken;
        if !self.over_budget.is_empty() {
            let levers = self.over_budget.join(", ");
            notes.push(format!(
                "left out, since all of them would be over the budget: {levers}; name some with `--lever`, sweep less, or \
                 raise it with `--budget`"
            ));
        }
        Ok(notes)
    }
}
