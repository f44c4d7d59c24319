//! Where there are no threads: a lane that does each piece of work at once, before whoever gave it goes on.

/// See the lane of threads, whose place this takes.
#[derive(Debug)]
pub(crate) struct Lane;

impl Lane {
    /// Pieces of work that wait at the most.
    pub(crate) const MOST: usize = 0;

    /// However many threads are wished for, there is the one that runs.
    pub(crate) fn new(_: usize) -> Self {
        Self
    }

    /// Has work done.
    pub(crate) fn wait(&self, job: impl FnOnce()) {
        job();
    }

    /// Has work done, for which there is always room.
    pub(crate) fn add(&self, job: impl FnOnce()) -> bool {
        job();
        true
    }
}
