//! Configurations: a legal value for every input of a check.

use std::hash::{Hash, Hasher};
use std::ops::Index;
use std::sync::Arc;

use crate::program::InputId;

/// A value of every input of a check, each within its domain. Labels are places in their list.
///
/// It begins as [`crate::Check::defaults`]; [`crate::Check::set`] changes it as a user writes it, [`Config::put`] by the input's id.
/// Requirements are no part of it: whether a configuration meets them is asked of the engines.
///
/// ```
/// let text = r#"
/// name = "Demo"
/// [checks.check]
/// axes.stat = { domain = "0..=3", default = 1 }
/// rules = "show total = 2d6 + stat"
/// "#;
/// let model = oddsmith_rules::load("demo.toml", text.as_bytes()).unwrap();
/// let check = &model.checks[0];
/// let stat = check.input("stat").unwrap();
/// let mut config = check.defaults();
/// assert_eq!(config[stat], 1);
/// config.put(stat, 3);
/// assert_eq!(config.values(), [3]);
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    values: Vec<i64>,
    /// Lowest and highest value of each input.
    bounds: Arc<[(i64, i64)]>,
}

impl Config {
    /// A value and the bounds of each input.
    pub(crate) fn new(inputs: impl Iterator<Item = (i64, (i64, i64))>) -> Self {
        let (values, bounds): (_, Vec<_>) = inputs.unzip();
        Self {
            values,
            bounds: bounds.into(),
        }
    }

    /// Gives an input another value.
    ///
    /// # Panics
    /// If the input is another check's, or the value is outside its domain.
    pub fn put(&mut self, input: InputId, value: i64) {
        let (low, high) = self.bounds[input.0];
        assert!(
            (low..=high).contains(&value),
            "{value} is outside the domain {low}..={high} of input {}",
            input.0
        );
        self.values[input.0] = value;
    }

    /// All values, indexed by [`InputId`].
    #[must_use]
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// The value of an input; none if it is another check's.
    #[must_use]
    pub fn get(&self, input: InputId) -> Option<i64> {
        self.values.get(input.0).copied()
    }
}

impl Index<InputId> for Config {
    type Output = i64;

    fn index(&self, input: InputId) -> &i64 {
        &self.values[input.0]
    }
}

/// The values decide; the domains are the check's.
impl PartialEq for Config {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl Eq for Config {}

impl Hash for Config {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values.hash(state);
    }
}
