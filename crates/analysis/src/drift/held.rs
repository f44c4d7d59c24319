//! Accepted rows by their configuration, for tables whose rows come in another order than before.

use std::collections::HashMap;

use oddsmith_exact::{Budget, Error};

use crate::expect::Value;
use crate::memory;

/// A row as it was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldRow {
    /// The configuration as it was.
    pub configuration: String,
    /// The answers; none where there is none.
    pub values: Vec<Option<Value>>,
    is_matched: bool,
}

/// Rows by the configuration that each of them is now. Several rows may be one configuration: those that differed in an
/// axis that is gone.
#[derive(Clone, Debug, Default)]
pub struct Held {
    rows: Vec<HeldRow>,
    places: HashMap<String, Vec<usize>>,
}

impl Held {
    /// Holds a row.
    ///
    /// # Errors
    /// If its memory is over budget.
    pub fn push(
        &mut self,
        key: String,
        configuration: String,
        values: Vec<Option<Value>>,
        budget: &Budget,
    ) -> Result<(), Error> {
        memory::charge(budget, 1, values.len(), || {
            "what was accepted of a table with another sweep".to_owned()
        })?;
        self.places.entry(key).or_default().push(self.rows.len());
        self.rows.push(HeldRow {
            configuration,
            values,
            is_matched: false,
        });
        Ok(())
    }

    /// The rows of a configuration, in the order in which they were held; they are matched now.
    pub fn find(&mut self, key: &str) -> Vec<&HeldRow> {
        let places: &[usize] = self.places.get(key).map_or(&[], Vec::as_slice);
        for &place in places {
            self.rows[place].is_matched = true;
        }
        places.iter().map(|&place| &self.rows[place]).collect()
    }

    /// The rows that were never found, in the order in which they were held.
    pub fn unmatched(&self) -> impl Iterator<Item = &HeldRow> {
        self.rows.iter().filter(|row| !row.is_matched)
    }
}

#[cfg(test)]
mod tests {
    use oddsmith_exact::Budget;

    use super::Held;

    #[test]
    fn rows_are_found_by_what_they_are_now() {
        let (mut held, budget) = (Held::default(), Budget::unlimited());
        for (key, configuration) in [("0", "a=0 b=0"), ("0", "a=0 b=1"), ("1", "a=1 b=0")] {
            let pushed = held.push(key.to_owned(), configuration.to_owned(), vec![], &budget);
            pushed.expect("the budget has no limit");
        }
        let found = held.find("0");
        let found: Vec<&str> = found.iter().map(|row| &*row.configuration).collect();
        assert_eq!(found, ["a=0 b=0", "a=0 b=1"]);
        assert!(held.find("2").is_empty());
        let rest: Vec<&str> = held.unmatched().map(|row| &*row.configuration).collect();
        assert_eq!(rest, ["a=1 b=0"]);
    }

    #[test]
    fn memory_is_charged_for() {
        let (mut held, budget) = (Held::default(), Budget::new(9000));
        let mut push = || held.push("0".to_owned(), "a=0".to_owned(), vec![], &budget);
        assert!(push().is_ok());
        assert!(push().is_err());
    }
}
