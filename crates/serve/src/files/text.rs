//! Reading a file.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::content::{FileText, digest};
use super::error::FileError;

/// The most bytes of a file: 4 MB, as a ruleset may have.
const MOST_BYTES: u64 = 4 << 20;

/// Reads a whole file.
pub(super) fn read(uri: &str, path: &Path) -> Result<FileText, FileError> {
    let io = |error| FileError::io(uri, &error);
    let file = File::open(path).map_err(io)?;
    // It may have become something else since it was looked at.
    if !file.metadata().map_err(io)?.is_file() {
        let uri = uri.to_owned();
        return Err(FileError::NotRegular { uri });
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(io)?;
    demand_short(uri, bytes.len())?;
    let digest = digest(&bytes);
    match String::from_utf8(bytes) {
        Ok(text) => Ok(FileText { text, digest }),
        Err(error) => Err(FileError::NotUtf8 {
            uri: uri.to_owned(),
            why: not_utf8(error.as_bytes(), error.utf8_error().valid_up_to()),
        }),
    }
}

/// Refuses what is longer than a file may be.
pub(super) fn demand_short(uri: &str, len: usize) -> Result<(), FileError> {
    let most = MOST_BYTES;
    match u64::try_from(len).is_ok_and(|len| len <= most) {
        true => Ok(()),
        false => Err(FileError::TooLong {
            uri: uri.to_owned(),
            most,
        }),
    }
}

/// What bytes are that are not UTF-8 from `at` on.
fn not_utf8(bytes: &[u8], at: usize) -> String {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return "it is UTF-16".to_owned();
    }
    let lines = bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
    let byte = bytes.get(at).copied().unwrap_or_default();
    format!("line {} has the byte {byte:#04x}", lines + 1)
}
