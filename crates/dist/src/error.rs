//! Errors: nothing to roll, a value out of range, or too much work.

/// Why a distribution could not be built.
///
/// None of these is a bug of the caller: they come from the game that is described.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No outcome is left with a positive weight, such as a die without faces.
    #[error("no outcome has a positive weight")]
    Empty,
    /// The work was refused before it was begun.
    #[error("this would take about {predicted} steps; the limit is {limit}")]
    OverBudget {
        /// Steps already spent plus the steps asked for; an estimate.
        predicted: u128,
        /// The limit of the [`Budget`](crate::Budget), in steps.
        limit: u64,
    },
    /// An outcome lies outside `i64`.
    #[error("the outcome of `{left} {operation} {right}` does not fit in 64 bits")]
    OutcomeOverflow {
        /// Left operand.
        left: i64,
        /// The operation on the operands: `+`, `-`, `*`, or `with` for a function.
        operation: &'static str,
        /// Right operand.
        right: i64,
    },
    /// A draw asks for more pieces than the bag holds.
    #[error("{asked} cannot be drawn from a bag of {held}")]
    BagTooSmall {
        /// Pieces to draw.
        asked: u32,
        /// Pieces in the bag.
        held: u64,
    },
    /// A bag, or a uniform range, is larger than this crate keeps in memory.
    #[error("{count} is more than the {limit} that are supported here")]
    TooMany {
        /// Outcomes of the range, or pieces in the bag.
        count: u128,
        /// The largest count that is accepted.
        limit: u64,
    },
    /// A reading by value has no value for a face of the pool.
    #[error("face {face} has no value in this reading")]
    FaceWithoutValue {
        /// The face that is missing.
        face: i64,
    },
}
