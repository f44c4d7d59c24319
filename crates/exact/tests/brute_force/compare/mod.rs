//! Everything that the engine says against everything that the oracle says.

pub(crate) mod checks;
mod picked;
pub(crate) mod tracks;
