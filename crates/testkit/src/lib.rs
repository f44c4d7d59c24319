//! Helpers that tests of several crates share.
//!
//! - [`cases`]: the case files of the project, and what their rows are about.
//! - [`clock`]: the time that a thread has had of a processor.
//! - [`directory`]: a directory for the files of a test.
//! - [`documents`]: the fenced blocks of a document, such as the examples of the language's reference.
//! - [`meta_model`]: the published meta-model of the Language Server Protocol, to hold messages against.
//! - [`oracle`]: a brute force over all trials of a check or track, for the engines to be held against.
//! - [`random`]: random scripts, as trees that stay well formed while they are shrunk, and as text.
//! - [`rulesets`]: rulesets by their place or of one script, and a small one; configurations and queries as users write them.
//!
//! Everything here panics where a test should fail. The crate shares nothing with the engines: the oracle plays checked
//! rules trial by trial, and [`random::calls`] plays what it draws without knowing the language.

pub mod cases;
pub mod clock;
pub mod directory;
pub mod documents;
pub mod meta_model;
pub mod oracle;
pub mod random;
pub mod rulesets;

use std::panic::AssertUnwindSafe;

/// A complaint of a comparison; a panic is one complaint among others.
///
/// # Errors
/// The complaint.
pub fn without_panic(compare: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    std::panic::catch_unwind(AssertUnwindSafe(compare))
        .unwrap_or_else(|_| Err("a panic".to_owned()))
}

/// Reports all complaints at once.
///
/// # Panics
/// If there is one.
pub fn report(complaints: &[String]) {
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n\n")
    );
}
