//! The GitLab job of the guide, run as it is written; `scripts/test-action` does that for the GitHub action.

use std::fs;
use std::path::Path;

use super::accepted;

/// A file of the repository.
fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_gitlab_job_writes_its_report() {
    let guide = file("docs/ci.md");
    let mut lines = guide
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- "));
    let line = lines.find(|line| line.starts_with("oddsmith check"));
    let place = accepted();
    place.write(
        "oddsmith.toml",
        "rulesets = [\"lantern.toml\"]\nbaseline = \"odds\"\n",
    );
    let run = place.shell(line.expect("the guide has the job"));
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
    let report = place.read("odds.xml");
    assert!(
        report.contains("<testsuites") && report.ends_with("</testsuites>\n"),
        "{report}"
    );
}
