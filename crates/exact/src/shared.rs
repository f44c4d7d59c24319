//! What threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for what others hold. It must be changed whole, by one insertion or assignment: then a panic elsewhere has left it
/// good.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
