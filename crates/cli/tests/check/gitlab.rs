//! The steps of the GitHub action and of the GitLab job, run as they are written.

use std::fs;
use std::path::Path;

use super::{accepted, change};
use crate::support::{Place, Run};

/// A file of the repository.
fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The script of a step of `action.yml`: the lines below its `run: |`.
fn step(name: &str) -> String {
    let text = file("action.yml");
    let lines = text
        .lines()
        .skip_while(|line| line.trim() != format!("- name: {name}"));
    let mut lines = lines.skip_while(|line| line.trim() != "run: |");
    let key = lines.next().expect("the step has a script");
    let indent = key.len() - key.trim_start().len();
    let is_below =
        |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() > indent;
    lines
        .take_while(is_below)
        .map(|line| format!("{}\n", line.trim_start()))
        .collect()
}

/// Runs the check of the action as a runner does, with its inputs.
fn action(place: &Place, paths: &str, baseline: &str, tolerance: &str) -> Run {
    place.write("step.sh", &step("Check the odds"));
    let inputs = format!("PATHS='{paths}' BASELINE='{baseline}' TOLERANCE='{tolerance}'");
    place.shell(&format!(
        "{inputs} bash --noprofile --norc -eo pipefail step.sh"
    ))
}

#[test]
fn the_github_action_checks_what_its_inputs_say() {
    let place = accepted();
    place.write(
        "oddsmith.toml",
        "rulesets = [\"lantern.toml\"]\nbaseline = \"odds\"\n",
    );
    for inputs in [["", ""], ["lantern.toml", "odds"], ["", "odds"]] {
        let run = action(&place, inputs[0], inputs[1], "");
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{}", run.out);
    }
    change(&place, "default = 2, domain", "default = 1, domain");
    let run = action(&place, "", "", "");
    assert_eq!(run.status, Some(1), "{}", run.err);
    assert!(
        run.out.contains("::error file=lantern.toml,line="),
        "{}",
        run.out
    );
    assert_eq!(action(&place, "", "", "100").status, Some(0));
    let run = action(&place, "none.toml other.toml", "", "");
    assert_eq!(run.status, Some(2));
    assert!(run.err.contains("none.toml"), "{}", run.err);
}

#[test]
fn the_gitlab_job_writes_its_report() {
    let guide = file("docs/ci.md");
    let line = guide
        .lines()
        .find_map(|line| line.trim().strip_prefix("- .cargo/bin/"));
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
