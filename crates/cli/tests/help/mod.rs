//! The examples of every help text, run as they are printed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{LANTERN, Place, words};

/// The example that is left to `scripts/reports`, which runs it as the program that people have, and looks at every byte: the
/// program of tests takes a minute of a processor for it.
const MAIN_JOB: &str = "oddsmith report -o odds";

const COMMANDS: [&str; 27] = [
    "",
    "odds",
    "table",
    "dist",
    "anydice",
    "track",
    "contest",
    "compare",
    "balance",
    "balance value",
    "balance lint",
    "tune",
    "check",
    "policy",
    "balance plan",
    "chart",
    "report",
    "serve",
    "simulate",
    "verify",
    "merge",
    "rules",
    "rules list",
    "rules show",
    "rules validate",
    "rules schema",
    "new",
];

/// The lines below `Examples:`, without what is said beside them.
fn examples(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Examples:").skip(1);
    let examples = lines.take_while(|line| !line.is_empty());
    let command = |line: &str| line.trim().split("  ").next().map(str::to_owned);
    examples.filter_map(command).collect()
}

/// A script that serves until there is an address; port 8000 may be taken on this machine.
fn until_served(example: &str) -> String {
    let example = example
        .replace(" --no-open", "")
        .replace("--port 8000", "--port 0");
    format!(
        "rm -f address; {example} --no-open > address & server=$!
        until [ -s address ]; do kill -0 $server || exit; sleep 0.02; done
        grep -q '^http://127.0.0.1:' address || exit
        kill $server; wait $server"
    )
}

#[test]
#[expect(clippy::print_stderr, reason = "what is skipped is said")]
fn every_example_works_as_printed() {
    let place = Place::new();
    fs::create_dir_all(place.path("tests/cases")).expect("a directory");
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/dice.csv");
    fs::copy(cases, place.path("tests/cases/dice.csv")).expect("the cases");
    accept(&place);
    let has_git = commit_four_times(&place);
    let mut run = 0;
    for command in COMMANDS {
        let examples = examples(&place.answer(&format!("{command} --help")));
        assert!(!examples.is_empty(), "`{command} --help` has no examples");
        for example in examples {
            assert!(example.starts_with("oddsmith "), "{example}");
            if example == MAIN_JOB {
                continue;
            }
            if example.contains("HEAD") && !has_git {
                eprintln!("SKIPPED, since there is no git: {example}");
                continue;
            }
            // The user's own files.
            place.write("mine.toml", LANTERN);
            place.write("other.toml", LANTERN);
            place.write("program.txt", "output 3d6 named \"three\"\n");
            let result = match example.starts_with("oddsmith serve") {
                true => place.shell(&until_served(&example)),
                false => place.shell(&example),
            };
            // The games that come along have odds worth a warning.
            let is_right = match example.starts_with("oddsmith balance lint ") {
                true => result.status < Some(2),
                false => result.status == Some(0),
            };
            assert!(is_right, "{example}: {}", result.err);
            // Trials take time, and a new ruleset keeps its promise, as a patch or a translation does; that is said.
            let is_told = [" simulate ", " --apply ", " --patch ", " --to-ruleset "];
            if !is_told.iter().any(|words| example.contains(words)) {
                assert_eq!(result.err, "", "{example}");
            }
            run += 1;
        }
    }
    assert!(run > 40, "only {run} examples");
}

/// A repository with `rules/mine.toml` in each of four revisions; false if there is no `git`.
fn commit_four_times(place: &Place) -> bool {
    fs::create_dir_all(place.path("rules")).expect("a directory");
    place.write("rules/mine.toml", LANTERN);
    let git = |line: &str| {
        let mut git = Command::new("git");
        git.current_dir(place.path(".")).args(words(line));
        git.output().is_ok_and(|done| done.status.success())
    };
    let author = "-c user.name=Odds -c user.email=odds@example.com";
    let commit = format!("{author} commit --quiet --allow-empty -m rules");
    git("init --quiet") && git("add rules") && (0..4).all(|_| git(&commit)) && git("tag v1.0")
}

/// The example that is not run here is run there.
#[test]
fn the_main_job_is_run_by_the_script_of_the_reports() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/reports");
    let script = fs::read_to_string(script).expect("the script");
    let run = MAIN_JOB.replace("oddsmith ", "cargo run --release --locked --quiet -- ");
    assert!(script.contains(&run.replace("-o odds", "-o reports")));
}

/// Odds that `oddsmith check` can be told to look at.
fn accept(place: &Place) {
    place.write("mine.toml", LANTERN);
    place.write(
        "oddsmith.toml",
        "rulesets = [\"mine.toml\"]\nbaseline = \"accepted\"\n",
    );
    for more in ["", "mine.toml --baseline odds"] {
        place.answer(&format!("check --update {more}"));
    }
}
