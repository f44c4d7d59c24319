//! What is known of a file when its names are put together.

use crate::check::Check;
use crate::lower::Library;

/// The definitions of a file, and its checks and tracks as far as they are understood.
pub(crate) struct Known<'k> {
    pub(crate) library: &'k Library,
    pub(crate) checks: &'k [Check],
    pub(crate) tracks: &'k [Check],
}
