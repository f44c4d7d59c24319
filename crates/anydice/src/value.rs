//! Values: numbers, sequences, dice.

use std::sync::Arc;

use crate::dice::Dice;

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Number(i64),
    /// A number to which something was added that a limit cut off: the empty die of a call that was too deep.
    Cut(i64),
    Sequence(Arc<[i64]>),
    Dice(Dice),
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
