//! A lock that outlives the panics of those who held it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The value of a mutex. A thread that panicked while it held the lock is a bug that has been told already; what this crate
/// keeps behind locks is whole after every statement.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
