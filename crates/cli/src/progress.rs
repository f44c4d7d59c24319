//! Long work: on how many threads, and how far it is.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What ends sooner needs no progress bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Has all work done on this many threads, or else on one per core.
pub(crate) fn use_threads(threads: Option<u16>) -> Result<()> {
    if let Some(threads) = threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
        pool.build_global()
            .with_context(|| format!("can't start {threads} threads"))?;
    }
    Ok(())
}

/// A progress bar that appears when patience is asked for.
pub(crate) struct Meter {
    bar: Option<ProgressBar>,
    template: &'static str,
    start: Instant,
}

impl Meter {
    /// A bar of this length; without one where it would not be seen.
    pub(crate) fn new(template: &'static str, length: u64, is_seen: bool) -> Self {
        let hidden = || ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        Self {
            bar: is_seen.then(hidden),
            template,
            start: Instant::now(),
        }
    }

    /// Moves on.
    pub(crate) fn show(&mut self, done: u64) {
        let Some(bar) = &self.bar else { return };
        if bar.is_hidden() && self.start.elapsed() > PATIENCE {
            if let Ok(style) = ProgressStyle::with_template(self.template) {
                bar.set_style(style);
            }
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_position(done);
    }

    /// Puts words where the template has `{msg}`.
    pub(crate) fn message(&self, message: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_message(message());
        }
    }

    /// Puts the end where it is now thought to be.
    pub(crate) fn expect(&self, length: u64) {
        if let Some(bar) = &self.bar {
            bar.set_length(length);
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// An error ends the work too.
impl Drop for Meter {
    fn drop(&mut self) {
        self.finish();
    }
}
