//! The progress bar of trials, and Ctrl-C, which ends them.

use oddsmith::Watch;
use oddsmith::simulation::{Observer, Progress};

use super::numbers::rate;
use crate::interrupt;
use crate::progress::Meter;

/// What a progress bar counts.
const BAR: &str = "{wide_bar:.cyan/dim} {human_pos}/{human_len} trials, {msg}, {eta} left";

/// Shows how far trials are, and ends them on Ctrl-C.
pub(super) struct Watcher(Meter);

impl Watcher {
    /// With a bar where it would be seen.
    pub(super) fn new(is_seen: bool) -> Self {
        Self(Meter::new(BAR, 0, is_seen))
    }
}

impl Observer for Watcher {
    fn plan(&mut self, trials: u64) {
        self.0.expect(trials);
    }

    fn enough(&self) -> Watch {
        interrupt::asked()
    }

    fn rolled(&mut self, Progress { done, elapsed }: Progress) {
        interrupt::begin();
        self.0.message(|| rate(done, elapsed, "trials"));
        self.0.show(done);
    }

    fn expect(&mut self, trials: u64) {
        self.0.expect(trials);
    }
}
