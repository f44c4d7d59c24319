//! Which crate may know which.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// The crates from left to right, each with those that it may know: they stand to its left.
const ORDER: [(&str, &[&str]); 17] = [
    ("diagnostics", &[]),
    ("numbers", &[]),
    ("dist", &[]),
    ("anydice", &["diagnostics", "dist"]),
    ("rules", &["diagnostics", "numbers"]),
    ("exact", &["dist", "rules"]),
    ("simulate", &["rules"]),
    ("analysis", &["numbers", "dist", "rules", "exact"]),
    ("report", &["numbers"]),
    (
        "oddsmith",
        &[
            "numbers", "dist", "anydice", "rules", "exact", "simulate", "analysis", "report",
        ],
    ),
    ("session", &["numbers", "rules", "report", "oddsmith"]),
    ("protocol", &["report", "oddsmith", "session"]),
    ("serve", &[]),
    (
        "cli",
        &[
            "numbers", "dist", "rules", "exact", "simulate", "analysis", "report", "oddsmith",
            "protocol", "serve",
        ],
    ),
    ("python", &["numbers", "report", "oddsmith"]),
    ("web", &["protocol"]),
    // Known by tests only, and so to the left of nobody.
    ("testkit", &["dist", "rules"]),
];

/// Arrows between the crates below `root/crates` that are not allowed, crates without a place in the order, and places
/// without a crate.
///
/// # Errors
/// If a manifest can't be read.
pub fn wrong_arrows(root: &Path) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let manifest = root.join("crates").join(&name).join("Cargo.toml");
        let text = fs::read_to_string(&manifest)
            .with_context(|| format!("can't read {}", manifest.display()))?;
        let known = dependencies(&text)?;
        names.push(name.clone());
        let Some((_, allowed)) = ORDER.iter().find(|(known, _)| *known == name) else {
            wrong.push(format!(
                "crates/{name} has no place in the order of crates (xtask/src/crates.rs)"
            ));
            continue;
        };
        let stray = known
            .iter()
            .filter(|known| !allowed.contains(&known.as_str()));
        wrong.extend(
            stray.map(|stray| {
                format!("crates/{name} knows crates/{stray}, which is not to its left")
            }),
        );
    }
    let gone = ORDER
        .iter()
        .filter(|(name, _)| !names.iter().any(|known| known == name));
    wrong.extend(gone.map(|(name, _)| format!("there is no crates/{name}, but it has a place")));
    wrong.sort();
    Ok(wrong)
}

/// The crates of this project that a manifest names, for more than tests.
fn dependencies(manifest: &str) -> Result<Vec<String>> {
    let manifest: toml::Table = manifest.parse()?;
    let of_systems = manifest.get("target").and_then(toml::Value::as_table);
    let tables = of_systems.into_iter().flatten().map(|(_, own)| own);
    let tables = tables.filter_map(|own| own.get("dependencies"));
    let tables = tables.chain(manifest.get("dependencies"));
    let names = tables.filter_map(toml::Value::as_table).flatten();
    let names = names.filter_map(|(name, _)| Some(name.strip_prefix("oddsmith-")?.to_owned()));
    Ok(names.collect())
}
