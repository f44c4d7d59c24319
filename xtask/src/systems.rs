//! What the crates that become WebAssembly ask of a system: a page has no files, threads, processes or clock of Rust's.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::files::collect;

/// The crates whose every question a page without a server asks.
const CRATES: [&str; 10] = [
    "diagnostics",
    "numbers",
    "dist",
    "anydice",
    "rules",
    "exact",
    "analysis",
    "report",
    "session",
    "protocol",
];

/// What a page has not.
const MISSING: [&str; 6] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "Instant::now",
    "SystemTime",
];

/// Where one of these may stand, and why.
const MAY: [(&str, &str); 3] = [
    // Only `--explain` of the command line asks for times.
    ("crates/dist/src/notes.rs", "Instant::now"),
    // In WebAssembly the program runs on the stack that there is.
    ("crates/anydice/src/run/mod.rs", "std::thread"),
    // `lane_alone.rs` stands in its place there.
    ("crates/protocol/src/lanes.rs", "std::thread"),
];

/// Places in crates of the page without a server that ask for what a page has not; tests may.
///
/// # Errors
/// If a source can't be read.
pub fn missing_in_pages(root: &Path) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let mut files = BTreeSet::new();
    for name in CRATES {
        let folder = root.join("crates").join(name).join("src");
        collect(&folder, "rs", &mut files)?;
    }
    for path in files {
        let shown = path.strip_prefix(root).unwrap_or(&path).display();
        let shown = shown.to_string().replace('\\', "/");
        let text = fs::read_to_string(&path)?;
        for (at, line) in without_tests(&text).lines().enumerate() {
            let is_comment = line.trim_start().starts_with("//");
            let asked = MISSING.iter().find(|missing| line.contains(**missing));
            let asked = asked.filter(|missing| !MAY.contains(&(&shown, missing)));
            if let Some(missing) = asked
                && !is_comment
            {
                wrong.push(format!(
                    "{shown}:{} asks for `{missing}`, which a page without a server has not",
                    at + 1
                ));
            }
        }
    }
    Ok(wrong)
}

/// A source as far as its tests, which stand at its end.
fn without_tests(text: &str) -> &str {
    let ends = ["#[cfg(test)]", "#[test]"].map(|mark| text.find(mark));
    let end = ends.into_iter().flatten().min();
    &text[..end.unwrap_or(text.len())]
}
