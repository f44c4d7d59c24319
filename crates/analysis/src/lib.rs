//! Questions over exact odds: what differs between two sets of them, by how much, and which of them is better; what
//! moved since they were accepted; and whether they are what a ruleset says they are meant to be.
//!
//! Everything is an exact fraction. This crate formats nothing and reads no files.

pub mod compare;
pub mod drift;
pub mod expect;
mod memory;
