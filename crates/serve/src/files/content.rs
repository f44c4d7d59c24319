//! What a file has, and its digest.

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

/// What a file has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// Its text, with its own ends of lines.
    pub text: String,
    /// `sha256:` and the SHA-256 of its bytes, to base 16.
    pub digest: String,
}

/// The digest of a file of these bytes.
pub(super) fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(bytes)))
}
