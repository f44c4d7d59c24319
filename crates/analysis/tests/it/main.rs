//! Questions over exact odds, against laws, a naive search and games that were thought out for them.

mod expectations;
mod language;
mod laws;
mod naive;
mod pairs;
mod plans;
mod probes;
mod tune;
mod values;
