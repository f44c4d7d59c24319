//! Questions over exact odds: what differs between two sets of them, by how much, and which of them is better; what
//! moved since they were accepted; whether they are what a ruleset says they are meant to be; what a step along one of
//! its inputs is worth; what about them is odd; when to spend what over several checks; and which parameters would give
//! the odds that are wanted.
//!
//! Everything is an exact fraction. This crate formats nothing and reads no files. The `README.md` beside the source tells
//! how each question is answered, with examples that can be checked by hand.

pub mod compare;
pub mod drift;
pub mod expect;
pub mod grading;
pub mod levers;
pub mod lint;
mod memory;
mod number;
pub mod plan;
pub mod probe;
pub mod rows;
mod share;
mod top_cases;
pub mod tune;
pub mod value;

pub use share::{Questions, Share};
