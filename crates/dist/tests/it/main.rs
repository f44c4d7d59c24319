//! Distributions, pools and chains, against counting by hand and by enumeration.

mod budget;
mod chain;
mod components;
mod draws;
mod folds;
mod known;
mod laws;
mod oracle;
mod plans;
mod pools;
mod widths;
mod wins;
