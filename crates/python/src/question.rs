//! Questions without the interpreter's lock, which an interrupt ends.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use oddsmith::{Error, Limits};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;

use crate::failure::raise;

/// An interrupt is noticed within this time.
const PATIENCE: Duration = Duration::from_millis(50);
/// So long is work waited for that was cancelled.
const FAREWELL: Duration = Duration::from_secs(2);
/// Steps, nanoseconds, of a question that is short: nobody waits for an interrupt of it.
const SHORT: u64 = 1_000_000;
/// Room for the calls of a question, as a main thread has it.
const STACK: usize = 8 << 20;

/// Whether this process is the fork of one that may have asked questions: the threads of its pool are not here.
static IS_FORK: AtomicBool = AtomicBool::new(false);

/// To be called in a process that was forked.
#[pyfunction]
pub(crate) fn forked() {
    IS_FORK.store(true, Ordering::Relaxed);
}

/// The limits of a question.
pub(crate) fn limits(threads: Option<u16>, budget: Option<u64>) -> PyResult<Limits> {
    if threads == Some(0) {
        return Err(PyValueError::new_err("threads must be at least 1"));
    }
    let mut limits = Limits::steps(budget.unwrap_or(Limits::STEPS));
    limits.threads = threads;
    if threads.is_none() && IS_FORK.load(Ordering::Relaxed) {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        limits.threads = Some(u16::try_from(cores).unwrap_or(u16::MAX));
    }
    Ok(limits)
}

/// A request that Python wrote as JSON.
pub(crate) fn request<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The answer to a question. It is worked on in a thread of its own, while this one looks for interrupts: one of them
/// cancels the question, and is raised once the work has ended. Work that is at a long step then ends after that step, and
/// is not waited for.
pub(crate) fn answer<T: Send + 'static>(
    py: Python<'_>,
    limits: &Limits,
    question: impl FnOnce(&Limits) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let (done, awaited) = channel();
    let own = limits.clone();
    let work = move || {
        // Nobody listens any more if an interrupt was raised.
        let _ = done.send(question(&own));
    };
    let worker = thread::Builder::new().stack_size(STACK).spawn(work)?;
    py.detach(move || {
        loop {
            match awaited.recv_timeout(PATIENCE) {
                Ok(answer) => return answer.map_err(|error| raise(&error)),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(interrupt) = signals() {
                        limits.watch.cancel();
                        let _ = awaited.recv_timeout(FAREWELL);
                        return Err(interrupt);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Err(panic) => resume_unwind(panic),
                    Ok(()) => unreachable!("work ends by an answer"),
                },
            }
        }
    })
}

/// Carries out what Python does on signals that have come; an interrupt is an error.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method alone is of one lifetime"
)]
fn signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// The same where most questions are short, and over the limits only as a whole: it is tried in this thread with so few
/// steps that no interrupt needs to be noticed, and else asked anew.
pub(crate) fn short_answer<T: Send + 'static>(
    py: Python<'_>,
    limits: &Limits,
    question: impl Fn(&Limits) -> Result<T, Error> + Send + Sync + 'static,
) -> PyResult<T> {
    if limits.threads.is_none() {
        let few = limits.at_most(SHORT);
        match py.detach(|| question(&few)) {
            Err(error) if error.is_over_budget() && limits.steps > SHORT => {}
            answer => return answer.map_err(|error| raise(&error)),
        }
    }
    answer(py, limits, question)
}
