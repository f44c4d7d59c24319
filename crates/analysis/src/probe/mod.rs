//! Probes: configurations beyond a check's default sweep whose odds are watched as well, so that no change of the rules
//! goes unseen.
//!
//! A default sweep moves the axes that a designer looks at, and leaves all else at its defaults: a rule that acts only in
//! a Mood is never played in it. Probes close that gap with as few configurations as will do. Each input that the sweep
//! leaves alone is moved by itself, all else at the defaults; an input that changes nothing there is moved beside others
//! that wake it; and whatever way of the script none of these goes is looked for in pairs of settings, and among the inputs
//! that its text depends on (`slice`).
//! Which ways a configuration can go is found by playing it (`play`), not by its odds. At last small changes of the script
//! are tried (`change`): for each that no probe tells, one is added that does, if one can be found.

mod branch;
mod change;
mod coverage;
mod odds;
mod plan;
mod play;
mod slice;
mod values;

pub use branch::{Branch, Way};
pub use coverage::{Coverage, PLAYS, play_sweep, ways_of};
pub use odds::{Column, Odds, Subject};
pub use plan::{Probe, ProbePlan, Why, contest_plan, plan};
