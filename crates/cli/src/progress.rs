//! How far long work is.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use oddsmith::Limits;
use oddsmith_exact::{Budget, Watch};

/// What ends sooner needs no progress bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often it is looked how far work is.
const GLANCE: Duration = Duration::from_millis(100);
/// What a bar shows of work whose steps are predicted.
const PREDICTED: &str = "{wide_bar:.cyan/dim} {percent}%, about {eta} left";

/// What a bar shows of things that are looked at.
const COUNTED: &str = "{wide_bar:.cyan/dim} {pos} of {len} looked at, about {eta} left";

/// What a bar shows of work that its budget alone bounds.
const SPENT: &str = "{wide_bar:.cyan/dim} {human_pos} of at most {human_len} steps, {elapsed}";

/// Does work while a bar shows how much is done of what `budget` knows to be ahead, if it would be seen.
pub(crate) fn watched<T>(budget: &Budget, is_seen: bool, work: impl FnOnce() -> T) -> T {
    beside(PREDICTED, || budget.progress(), is_seen, work)
}

/// Does work while a bar shows how much of its budget is spent, if it would be seen: for work whose steps nobody knows before.
pub(crate) fn spending<T>(limits: &Limits, is_seen: bool, work: impl FnOnce() -> T) -> T {
    let (watch, limit) = (&limits.watch, limits.budget().limit());
    beside(SPENT, || (watch.spent().min(limit), limit), is_seen, work)
}

/// Does work while a bar shows how many of the things that it looks at are looked at, if it would be seen. Those of work
/// before this one are not among them.
pub(crate) fn counted<T>(watch: &Watch, is_seen: bool, work: impl FnOnce() -> T) -> T {
    let (_, before) = watch.items();
    let items = || {
        let (seen, all) = watch.items();
        (seen.saturating_sub(before), all - before)
    };
    beside(COUNTED, items, is_seen, work)
}

/// Does work while a bar shows how much of it is done, and how much there is.
fn beside<T>(
    template: &'static str,
    progress: impl Fn() -> (u64, u64) + Send,
    is_seen: bool,
    work: impl FnOnce() -> T,
) -> T {
    if !is_seen {
        return work();
    }
    thread::scope(|scope| {
        // Its end is heard when `work` has returned, also in a panic.
        let (_working, end) = channel::<()>();
        scope.spawn(move || {
            let mut meter = Meter::new(template, 0, true);
            while end.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                let (completed, announced) = progress();
                meter.expect(announced);
                meter.show(completed);
            }
        });
        work()
    })
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
