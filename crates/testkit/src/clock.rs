//! The time that a thread has had of a processor, which whatever else the machine does leaves alone.

use std::time::Duration;

/// What this thread has had of a processor; where that is not known, what the clock shows.
///
/// # Panics
/// If the system's clock of the thread runs backwards from zero.
#[must_use]
pub fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(time).expect("a time since the thread began")
    }
    #[cfg(not(unix))]
    {
        use std::sync::LazyLock;
        use std::time::Instant;
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed()
    }
}
