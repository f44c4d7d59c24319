//! Ctrl-C as a request: what is running ends when it next looks, and shows what it has.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};

use anyhow::{Context as _, Result};
use oddsmith::Watch;

use crate::{exit, terminal};

/// What an interruption does first, if anything is to be done; told whether it is a request.
static CLEANUP: OnceLock<fn(bool)> = OnceLock::new();
static IS_HANDLED: AtomicBool = AtomicBool::new(false);
static IS_LISTENING: AtomicBool = AtomicBool::new(false);
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
/// Cancelled by the first interruption.
static ASKED: LazyLock<Watch> = LazyLock::new(Watch::default);

/// From the first call on Ctrl-C, a hang-up and a polite kill are requests; the second one ends the program at
/// once, and so does one that comes before there is anything to show.
pub(crate) fn listen() -> Result<()> {
    IS_LISTENING.store(true, Ordering::Relaxed);
    handle()
}

/// From the first call on an interruption cleans up, which may end the program.
pub(crate) fn clean_up_with(cleanup: fn(bool)) -> Result<()> {
    let _ = CLEANUP.set(cleanup);
    handle()
}

fn handle() -> Result<()> {
    if IS_HANDLED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let handler = || {
        let is_request = IS_LISTENING.load(Ordering::Relaxed);
        match CLEANUP.get() {
            Some(cleanup) => cleanup(is_request),
            None if is_request => {}
            None => std::process::exit(i32::from(exit::INTERRUPTED)),
        }
        let is_second = ASKED.is_cancelled();
        let has_begun = HAS_BEGUN.load(Ordering::Relaxed);
        if !has_begun && !is_second {
            terminal::tell("interrupted before the first trial\n");
        }
        if !has_begun || is_second {
            std::process::exit(i32::from(exit::INTERRUPTED));
        }
        // Not before: what is running would tell of it, too.
        ASKED.cancel();
    };
    outlast_limits()?;
    ctrlc::set_handler(handler).context("can't listen for Ctrl-C")
}

/// A write beyond a limit on the size of files fails from here on, in place of ending the program half-way.
fn outlast_limits() -> Result<()> {
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Default::default())
        .context("can't listen for the limit on the size of files")?;
    Ok(())
}

/// From here on there is something to show.
pub(crate) fn begin() {
    HAS_BEGUN.store(true, Ordering::Relaxed);
}

/// What is cancelled when it is time to end.
pub(crate) fn asked() -> Watch {
    ASKED.clone()
}

/// Whether it is time to end.
pub(crate) fn is_asked() -> bool {
    ASKED.is_cancelled()
}
