//! What is checked: `oddsmith.toml`, and what is typed in its place.

use std::fs;

use crate::support::{LANTERN, Place, Run};

/// A repository of two games, accepted.
fn repository(config: &str) -> Place {
    let place = Place::new();
    for directory in ["games", "deep/down"] {
        fs::create_dir_all(place.path(directory)).expect("a directory");
    }
    place.write("games/lantern.toml", LANTERN);
    place.write("games/torch.toml", &LANTERN.replace("Lantern", "Torch"));
    place.write("games/notes.txt", "not a ruleset");
    place.write("oddsmith.toml", config);
    place
}

const CONFIG: &str = "rulesets = [\"games\"]\nbaseline = \"odds\"\n";

fn in_directory(place: &Place, directory: &str, words: &[&str]) -> Run {
    let words = words.join(" ");
    place.shell(&format!("cd {directory} && oddsmith {words}"))
}

#[test]
fn the_nearest_configuration_says_what_is_checked() {
    let place = repository(CONFIG);
    let run = in_directory(&place, "deep/down", &["check", "--update"]);
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(place.path("odds/torch/baseline.toml").exists());
    let run = in_directory(&place, "games", &["check"]);
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    let text = place.read("games/torch.toml");
    place.write(
        "games/torch.toml",
        &text.replacen("default = 2, domain", "default = 1, domain", 1),
    );
    // Places are seen from the root, wherever it is asked.
    let run = in_directory(&place, "deep/down", &["check", "--format", "github"]);
    assert_eq!(run.status, Some(1), "{}", run.err);
    assert!(
        run.out.contains("\n::error file=games/torch.toml,line=4,"),
        "{}",
        run.out
    );
    let run = in_directory(&place, "deep/down", &["check", "../../games/lantern.toml"]);
    assert_eq!(run.status, Some(0), "{}{}", run.out, run.err);
    place.write(
        "games/oddsmith.toml",
        "rulesets = [\"lantern.toml\"]\nbaseline = \"../odds\"\n",
    );
    let run = in_directory(&place, "games", &["check"]);
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
    let run = in_directory(&place, "games", &["check", "--config", "../oddsmith.toml"]);
    assert_eq!(run.status, Some(1), "{}", run.err);
}

#[test]
fn without_a_configuration_there_must_be_rulesets() {
    let place = Place::new();
    let err = place.refusal(&["check"]);
    assert!(
        err.contains("no `oddsmith.toml` here or above names any rulesets"),
        "{err}"
    );
    let err = place.refusal(&["check", "nowhere.toml"]);
    assert!(err.contains("there is no ruleset `nowhere.toml`"), "{err}");
    fs::create_dir_all(place.path("empty")).expect("a directory");
    let err = place.refusal(&["check", "empty"]);
    assert!(err.contains("there are no rulesets in `empty`"), "{err}");
    fs::create_dir_all(place.path("other")).expect("a directory");
    place.write("other/lantern.toml", LANTERN);
    let err = place.refusal(&["check", "lantern.toml", "other"]);
    assert!(err.contains("would have the same baseline"), "{err}");
    let run = place.run(&["check", "other", "--update"]);
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert!(place.path("reports/lantern/check.csv").exists());
}

#[test]
fn a_baseline_that_no_ruleset_has() {
    let place = repository(CONFIG);
    assert_eq!(place.run(&["check", "--update"]).status, Some(0));
    fs::rename(
        place.path("games/torch.toml"),
        place.path("games/lamp.toml"),
    )
    .expect("a file");
    assert_eq!(place.run(&["check", "--update"]).status, Some(1));
    let says = "odds/torch: no ruleset has these odds any more";
    for format in ["text", "github", "junit", "json", "markdown"] {
        let run = place.run(&["check", "--format", format]);
        assert_eq!((run.status, run.err.as_str()), (Some(1), ""), "{format}");
        let says = if format == "json" {
            "\"odds/torch\""
        } else {
            says
        };
        assert!(run.out.contains(says), "{format}: {}", run.out);
    }
    // A part of the rulesets says nothing of the others.
    let run = place.run(&["check", "games/lantern.toml"]);
    assert_eq!(run.status, Some(0), "{}{}", run.out, run.err);
    assert!(place.path("odds/torch/baseline.toml").exists());
    fs::remove_dir_all(place.path("odds/torch")).expect("a directory");
    assert_eq!(place.run(&["check"]).status, Some(0));
}

#[test]
fn the_same_file_twice_is_one() {
    let place = repository(CONFIG);
    let words = [
        "check",
        "games/lantern.toml",
        "./games/lantern.toml",
        "games/../games",
    ];
    let run = place.run(&[&words[..], &["--baseline", "odds", "--update"]].concat());
    assert_eq!(run.status, Some(0), "{}", run.err);
    assert_eq!(run.out.matches("lantern: ").count(), 1, "{}", run.out);
}

#[test]
fn tolerances_of_columns() {
    let place = repository(&format!(
        "{CONFIG}\ntolerance = 5.0\n[tolerances]\nStrong = 20\n\"mean(score)\" = 0.5\n"
    ));
    assert_eq!(place.run(&["check", "--update"]).status, Some(0));
    let text = place.read("games/torch.toml");
    place.write(
        "games/torch.toml",
        &text.replacen("default = 2, domain", "default = 1, domain", 1),
    );
    let run = place.run(&["check"]);
    assert_eq!(run.status, Some(1), "{}", run.err);
    assert!(
        !run.out.contains("Strong") && !run.out.contains("Glimpse"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("Miss") && run.out.contains("Weak"),
        "{}",
        run.out
    );
    let run = place.run(&["check", "--tolerance", "0"]);
    assert!(
        run.out.contains("Strong") && run.out.contains("Glimpse"),
        "{}",
        run.out
    );
}

#[test]
fn errors_of_the_configuration() {
    let place = repository(
        "ruleset = [\"games\"]\nbaseline = 3\ntolerance = -1\n\n[tolerances]\nStrong = \"much\"\n",
    );
    insta::assert_snapshot!("config_errors", place.refusal(&["check"]));
    place.write(
        "oddsmith.toml",
        "rulesets = [\"games\"\nbaseline = \"odds\"\n",
    );
    let err = place.refusal(&["check"]);
    assert!(err.contains("oddsmith.toml:"), "{err}");
    place.write(
        "oddsmith.toml",
        &format!("{CONFIG}[tolerances]\nStrng = 1\n"),
    );
    let err = place.refusal(&["check", "--update"]);
    assert!(
        err.contains("oddsmith.toml:4:1") && err.contains("did you mean `Strong`?"),
        "{err}"
    );
    assert!(!place.path("odds").exists());
}
