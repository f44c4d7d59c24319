//! Values: numbers, sequences, dice.

use std::ops::Deref;
use std::sync::Arc;

use oddsmith_dist::Budget;

use crate::account::Account;
use crate::dice::Dice;
use crate::fault::Fault;

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Number(i64),
    /// A number to which something was added that a limit cut off: the empty die of a call that was too deep.
    Cut(i64),
    Sequence(Row),
    Dice(Dice),
}

/// The numbers of a sequence. Clones share them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    numbers: Arc<[i64]>,
    account: Account,
}

impl Row {
    pub(crate) fn new(numbers: impl Into<Arc<[i64]>>, account: Account) -> Self {
        let numbers = numbers.into();
        Self { numbers, account }
    }

    /// A row of one number.
    pub(crate) fn one(number: i64) -> Self {
        Self::new([number], Account::nothing())
    }

    /// A row of numbers that are collected, which `budget` is charged for.
    pub(crate) fn collected(
        length: usize,
        budget: &Budget,
        numbers: impl FnOnce() -> Vec<i64>,
    ) -> Result<Self, Fault> {
        budget.charge(length as u128)?;
        // The list, and its copy.
        let bytes = length as u128 * 8;
        let account = Account::of(bytes, budget)?;
        let _copy = Account::of(bytes, budget)?;
        Ok(Self::new(numbers(), account))
    }
}

impl Deref for Row {
    type Target = [i64];

    fn deref(&self) -> &[i64] {
        &self.numbers
    }
}

impl Value {
    /// The value without the mark that something was cut off.
    pub(crate) fn plain(&self) -> Self {
        match self {
            Self::Cut(number) => Self::Number(*number),
            other => other.clone(),
        }
    }

    /// The numbers of a value that is not rolled, in their order.
    pub(crate) fn row(&self) -> Option<&[i64]> {
        match self {
            Self::Number(number) | Self::Cut(number) => Some(std::slice::from_ref(number)),
            Self::Sequence(row) => Some(row),
            Self::Dice(_) => None,
        }
    }

    /// What messages call such a value.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            Self::Number(_) | Self::Cut(_) => "a number",
            Self::Sequence(_) => "a sequence",
            Self::Dice(dice) if dice.is_empty() => "the empty die",
            Self::Dice(_) => "a die",
        }
    }

    /// The value in a label: a number, `2d6`, or a sign that there is a sequence or another die.
    pub(crate) fn label(&self) -> String {
        match self {
            Self::Number(number) | Self::Cut(number) => number.to_string(),
            Self::Sequence(row) if row.is_empty() => "{}".to_owned(),
            Self::Sequence(_) => "{?}".to_owned(),
            Self::Dice(dice) => dice.label(),
        }
    }

    /// About the bytes that the value takes.
    pub(crate) fn bytes(&self) -> u128 {
        match self {
            Self::Number(_) | Self::Cut(_) => 16,
            Self::Sequence(row) => row.len() as u128 * 8 + 16,
            Self::Dice(dice) => dice.bytes(),
        }
    }
}
