//! Inputs that nobody would write, and what must be true of the answers to them.
//!
//! A [`Target`] is a way into the program: it takes any bytes, and complains if an answer contradicts another one, or an
//! independent brute force. [`Inputs`] makes bytes for it: seeds from the project's own files, changed token by token and
//! byte by byte, and for some targets whole rulesets that are drawn as trees. An input is known by its target, a seed and its
//! number, so that it can be made again. `README.md` says how long runs are started, and what becomes of what they find.

mod changes;
mod inputs;
mod limits;
mod seeds;
mod targets;

pub use inputs::Inputs;
pub use limits::set_slack;
use limits::{BUDGET, Cost, MOST_BYTES, longest, measured};
pub use targets::{TARGETS, Target};

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Gives an input to a target.
///
/// # Errors
/// What is wrong: a complaint of the target, or a panic.
pub fn try_input(target: &Target, input: &[u8]) -> Result<(), String> {
    match catch_unwind(AssertUnwindSafe(|| (target.run)(input))) {
        Ok(judged) => judged,
        Err(panic) => Err(format!("a panic: {}", message_of(panic.as_ref()))),
    }
}

/// What `work` returns, and the most bytes that it held at once beyond what was there before.
pub fn peak_bytes<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let (done, cost) = measured(work);
    (done, cost.bytes)
}

/// Gives an input to the target of a name.
///
/// # Panics
/// If something is wrong, or there is no such target.
pub fn demand(name: &str, input: &[u8]) {
    let target = Target::named(name).unwrap_or_else(|message| panic!("{message}"));
    if let Err(message) = (target.run)(input) {
        panic!("{message}");
    }
}

fn message_of(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}
