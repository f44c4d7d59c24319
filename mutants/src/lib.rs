//! A mutation test of `oddsmith check`: rulesets are changed one token at a time, and each change of the odds must be
//! noticed.
//!
//! [`parts`] finds what may be changed in a ruleset, [`mutants`] changes it, [`guard`] asks `oddsmith check`, and
//! [`odds`] tells whether a change that went unnoticed changes any odds at all.

pub mod guard;
pub mod listed;
pub mod mutants;
pub mod odds;
pub mod parts;
pub mod proof;
pub mod random;
pub mod sets;
pub mod tokens;
pub mod witness;
