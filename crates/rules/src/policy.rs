//! What is chosen at each choice of a script, as data.

use std::collections::BTreeMap;

use crate::program::{Expr, VarId};

/// A way to play a script's choices: for every `choose`, in every round of the loops around it, what is taken
/// by what is known.
///
/// Choices on which nothing depends that is asked for may be missing, and those that leave a single number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// In the order in which the script comes to them.
    pub choices: Vec<PolicyTable>,
}

impl Policy {
    /// What is chosen for `var` in these rounds of the counted loops around it, outermost first, from 0.
    #[must_use]
    pub fn table(&self, var: VarId, rounds: &[usize]) -> Option<&PolicyTable> {
        let is_it = |table: &&PolicyTable| table.var == var && table.rounds == rounds;
        self.choices.iter().find(is_it)
    }
}

/// What is taken at one choice, by what is known there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyTable {
    /// What a [`crate::program::Statement::Choose`] binds.
    pub var: VarId,
    /// The rounds of the counted loops around it, outermost first, from 0.
    pub rounds: Vec<usize>,
    /// What it depends on: expressions over the script's variables that are bound before it, also those inside the
    /// value of another (of a called check, say), free of dice of their own. One that names a pool gives
    /// [`Known::Roll`], all others [`Known::Number`].
    pub seen: Vec<Expr>,
    /// What is taken, for all combinations of values of `seen` that can come up.
    pub rows: BTreeMap<Vec<Known>, Known>,
}

/// A value at a choice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Known {
    /// A number, or a label's place.
    Number(i64),
    /// Dice that have been rolled, from high to low.
    Roll(Vec<i64>),
}
