//! Whether all that is built here may be passed on.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

/// Packages that are built on this system and whose licence is not one of those that `deny.toml` allows. Those of other
/// systems, whose manifests are not here, are for `scripts/deny`.
///
/// # Errors
/// If `deny.toml` can't be read, or cargo can't tell what is built.
pub fn refused(root: &Path) -> Result<Vec<String>> {
    let allowed = allowed(&fs::read_to_string(root.join("deny.toml"))?)?;
    let version = cargo(root, &["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("cargo does not name this system")?;
    let question = "metadata --format-version 1 --locked --offline --filter-platform";
    let words: Vec<&str> = question.split(' ').chain([host]).collect();
    refused_of(&cargo(root, &words)?, &allowed)
}

/// The licences that a `deny.toml` allows.
///
/// # Errors
/// If it has no list of them.
pub fn allowed(manifest: &str) -> Result<Vec<String>> {
    let manifest: toml::Table = manifest.parse()?;
    let licences = manifest.get("licenses").and_then(|own| own.get("allow"));
    let licences = licences.context("deny.toml has no `allow` in `[licenses]`")?;
    Ok(licences.clone().try_into()?)
}

/// The packages in the answer of `cargo metadata` whose licence is not allowed.
///
/// # Errors
/// If it is no such answer.
pub fn refused_of(metadata: &str, allowed: &[String]) -> Result<Vec<String>> {
    let metadata: Value = serde_json::from_str(metadata)?;
    let packages = metadata["packages"].as_array();
    let packages = packages.context("cargo tells of no packages")?;
    let sentence = |package: &Value| {
        let name = package["name"].as_str().unwrap_or_default();
        match package["license"].as_str() {
            None => Some(format!("{name} says no licence")),
            Some(licence) if is_allowed(licence, allowed) => None,
            Some(licence) => Some(format!(
                "{name} has the licence {licence}, which deny.toml does not allow"
            )),
        }
    };
    Ok(packages.iter().filter_map(sentence).collect())
}

/// Whether an expression of SPDX gives a choice that is allowed: of each part between its `AND`s at least one. Where
/// brackets hold an `AND` this refuses more than it has to, never less.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace(['(', ')'], "").replace('/', " OR ");
    let is_one = |licence: &str| allowed.iter().any(|own| own == licence.trim());
    { expression.split(" AND ") }.all(|part| part.split(" OR ").any(is_one))
}

fn cargo(root: &Path, words: &[&str]) -> Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo).args(words).current_dir(root).output()?;
    if !output.status.success() {
        bail!(
            "cargo {}: {}",
            words.join(" "),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(String::from_utf8(output.stdout)?)
}
