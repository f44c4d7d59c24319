//! Threads on which requests are answered: in lanes, so that long work never stands before short.

use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A piece of work.
type Job = Box<dyn FnOnce() + Send>;

/// Threads that do pieces of work in the order in which they come. They end when the lane is dropped.
#[derive(Debug)]
pub(crate) struct Lane(SyncSender<Job>);

impl Lane {
    /// Pieces of work that wait at the most.
    pub(crate) const MOST: usize = 64;
    /// Room for calls, as a main thread has it.
    const STACK: usize = 8 << 20;

    /// So many threads. Where the system has none left, there are fewer, and without any all work is refused.
    pub(crate) fn new(threads: usize) -> Self {
        let (sender, receiver) = sync_channel::<Job>(Self::MOST);
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..threads {
            let jobs = Arc::clone(&receiver);
            let next = move || jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let work = move || {
                while let Ok(job) = next() {
                    job();
                }
            };
            // The lane works with the threads that there are.
            let _ = thread::Builder::new().stack_size(Self::STACK).spawn(work);
        }
        Self(sender)
    }

    /// Has work done, and waits for room.
    pub(crate) fn wait(&self, job: impl FnOnce() + Send + 'static) {
        // Without threads nothing is done, and there is nobody to tell.
        let _ = self.0.send(Box::new(job));
    }

    /// Has work done; says whether there is room for it.
    pub(crate) fn add(&self, job: impl FnOnce() + Send + 'static) -> bool {
        match self.0.try_send(Box::new(job)) {
            Ok(()) => true,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
        }
    }
}
