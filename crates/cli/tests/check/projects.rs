//! Which files are checked: those of the nearest `oddsmith.toml`, and those that are typed in its place.

use std::fs;

use crate::support::{LANTERN, Place, Run};

/// A repository of two games.
fn repository() -> Place {
    let place = Place::new();
    for directory in ["games", "deep/down"] {
        place.make(directory);
    }
    place.write("games/lantern.toml", LANTERN);
    place.write("games/torch.toml", &LANTERN.replace("Lantern", "Torch"));
    place.write(
        "oddsmith.toml",
        "rulesets = [\"games\"]\nbaseline = \"odds\"\n",
    );
    place
}

fn in_directory(place: &Place, directory: &str, line: &str) -> Run {
    place.shell(&format!("cd {directory} && oddsmith {line}"))
}

#[test]
fn the_nearest_configuration_says_what_is_checked() {
    let place = repository();
    let run = in_directory(&place, "deep/down", "check --update");
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(place.path("odds/torch/baseline.toml").exists());
    let run = in_directory(&place, "games", "check");
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    place.change(
        "games/torch.toml",
        "default = 2, domain",
        "default = 1, domain",
    );
    // Places are seen from the root, wherever it is asked.
    let run = in_directory(&place, "deep/down", "check --format github");
    assert_eq!(run.status, Some(1), "{}", run.err);
    assert!(
        run.out.contains("\n::error file=games/torch.toml,line=4,"),
        "{}",
        run.out
    );
    let run = in_directory(&place, "deep/down", "check ../../games/lantern.toml");
    assert_eq!(run.status, Some(0), "{}{}", run.out, run.err);
    place.write("games/oddsmith.toml", "rulesets = [\"lantern.toml\"]\n");
    let run = in_directory(&place, "games", "check --baseline ../odds");
    assert!(
        run.out.starts_with("lantern: as accepted"),
        "{}{}",
        run.out,
        run.err
    );
    assert!(
        run.out
            .contains("\n../odds/torch: no ruleset has these odds"),
        "{}",
        run.out
    );
    let run = in_directory(&place, "games", "check --config ../oddsmith.toml");
    assert_eq!(run.status, Some(1), "{}", run.err);
}

#[test]
fn without_a_configuration_there_must_be_rulesets() {
    let place = Place::new();
    place.refuses(
        "check",
        &["no `oddsmith.toml` here or above names any rulesets"],
    );
    place.refuses(
        "check nowhere.toml",
        &["there is no ruleset `nowhere.toml`"],
    );
    place.make("other");
    place.write("other/lantern.toml", LANTERN);
    // Each as it is written, the same file once.
    let run = place.run("check other/lantern.toml ./other/lantern.toml other/../other --update");
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert_eq!(run.out.matches("lantern: ").count(), 1, "{}", run.out);
    assert!(place.path("reports/lantern/check.csv").exists());
}

#[test]
fn a_baseline_that_no_ruleset_has() {
    let place = repository();
    assert_eq!(place.run("check --update").status, Some(0));
    fs::rename(
        place.path("games/torch.toml"),
        place.path("games/lamp.toml"),
    )
    .expect("a file");
    assert_eq!(place.run("check --update").status, Some(1));
    let says = "odds/torch: no ruleset has these odds any more";
    for format in ["text", "github", "junit", "json", "markdown"] {
        let run = place.run(&format!("check --format {format}"));
        assert_eq!((run.status, run.err.as_str()), (Some(1), ""), "{format}");
        let says = if format == "json" {
            "\"odds/torch\""
        } else {
            says
        };
        assert!(run.out.contains(says), "{format}: {}", run.out);
    }
}

#[test]
fn errors_of_the_configuration() {
    let place = repository();
    place.write(
        "oddsmith.toml",
        "ruleset = [\"games\"]\nbaseline = 3\ntolerance = -1\n\n[tolerances]\nStrong = \"much\"\n",
    );
    insta::assert_snapshot!("config_errors", place.refusal("check"));
}
