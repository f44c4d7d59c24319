//! What can be told of a file without reading it.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// The coarsest clocks of file systems tick every two seconds: within that time a file may change twice and look the same.
const TICK: Duration = Duration::from_secs(2);

/// What can be told of a file without reading it. Two that differ are of different content, or of the same that was written
/// again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
    /// Which file it is: one that is renamed over another has the same name.
    identity: Option<(u64, u64)>,
}

impl Stamp {
    /// That of the file at a path; nothing if there is none.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let data = fs::metadata(path).ok()?;
        Some(Self {
            len: data.len(),
            modified: data.modified().ok(),
            identity: identity(&data),
        })
    }

    /// Whether the next change would show: the file was changed long enough ago.
    pub(super) fn is_settled(&self) -> bool {
        let Some(modified) = self.modified else {
            return false;
        };
        let age = match modified.elapsed() {
            Ok(age) => age,
            Err(ahead) => ahead.duration(),
        };
        age > TICK
    }
}

#[cfg(unix)]
#[expect(
    clippy::unnecessary_wraps,
    reason = "other systems do not tell, at least not here"
)]
fn identity(data: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn identity(_data: &fs::Metadata) -> Option<(u64, u64)> {
    None
}
