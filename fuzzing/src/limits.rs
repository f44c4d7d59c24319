//! What an input may cost, and what it did.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use oddsmith_testkit::clock::processor_time;
use peak_alloc::PeakAlloc;

/// All memory is counted.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Steps that a question has: some 20 milliseconds, or 2 MB.
pub(crate) const BUDGET: u64 = 20_000_000;
/// The most memory that an input may need beyond what is there before: 1.2 times that of the budget, and 16 MB for
/// reading it and telling what is wrong, which no budget counts.
pub(crate) const MOST_BYTES: usize = 2_400_000 + (16 << 20);

/// How many times slower than a release this build may be.
static SLACK: AtomicU32 = AtomicU32::new(1);

/// Says how many times slower than a release this build may be.
pub fn set_slack(times: u32) {
    SLACK.store(times, Ordering::Relaxed);
}

/// The longest that questions may take, so many budgets: three times as long, and 20 milliseconds for what no budget counts.
pub(crate) fn longest(questions: u32) -> Duration {
    let budget = Duration::from_nanos(BUDGET) * questions * 3;
    (budget + Duration::from_millis(20)) * SLACK.load(Ordering::Relaxed)
}

/// What was spent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// By this thread alone.
    pub(crate) time: Duration,
    /// At once, beyond what was there before.
    pub(crate) bytes: usize,
}

/// What `work` returns and costs.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    MEMORY.reset_peak_usage();
    let (before, start) = (MEMORY.current_usage(), processor_time());
    let done = work();
    let time = processor_time().saturating_sub(start);
    let bytes = MEMORY.peak_usage().saturating_sub(before);
    (done, Cost { time, bytes })
}
