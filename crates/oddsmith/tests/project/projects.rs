//! What is checked: what `oddsmith.toml` says, and what is asked in its place.

use std::fs;

use oddsmith::{Error, ProjectAnswer, ProjectRequest};
use oddsmith_testkit::directory::Directory;
use oddsmith_testkit::rulesets::LANTERN;

use super::support::{Place, ask, compared, counts, largest};

/// A repository of two games.
fn repository(config: &str) -> Place {
    let place = Place::new();
    for directory in ["games", "deep/down"] {
        place.make(directory);
    }
    place.write("games/lantern.toml", LANTERN);
    place.write("games/torch.toml", &LANTERN.replace("Lantern", "Torch"));
    place.write("games/notes.txt", "not a ruleset");
    place.write("oddsmith.toml", config);
    place
}

const CONFIG: &str = "rulesets = [\"games\"]\nbaseline = \"odds\"\n";

/// A request of which a file says all.
fn by_config(place: &Place, file: &str) -> ProjectRequest {
    ProjectRequest {
        config: Some(place.path(file)),
        ..ProjectRequest::default()
    }
}

/// The request about these files, for the rest of which the project's file stands.
fn of(place: &Place, files: &[&str]) -> ProjectRequest {
    ProjectRequest {
        rulesets: files.iter().map(|file| place.path(file)).collect(),
        ..by_config(place, "oddsmith.toml")
    }
}

/// Accepts the odds of both games.
fn accepted(config: &str) -> Place {
    let place = repository(config);
    let answer = place.answer(&ProjectRequest {
        accept: true,
        ..by_config(&place, "oddsmith.toml")
    });
    assert!(answer.is_update && !answer.has_failed());
    place
}

/// The rulesets with their files, and whether odds of them moved.
fn verdicts(answer: &ProjectAnswer) -> Vec<(&str, &str, bool)> {
    let found = answer.found();
    found
        .map(|(own, found)| (&*own.id, &*own.file, found.is_moved()))
        .collect()
}

/// What is wrong with a request, and what helps.
fn refusal(place: &Directory, request: &ProjectRequest) -> (String, String) {
    match ask(request).expect_err("it can't be asked") {
        Error::Advice { message, help } => (place.shown(&message), place.shown(&help)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_configuration_says_what_is_checked() {
    let place = accepted(CONFIG);
    for game in ["lantern", "torch"] {
        assert!(place.path(&format!("odds/{game}/baseline.toml")).exists());
    }
    place.change(
        "games/torch.toml",
        "default = 2, domain",
        "default = 1, domain",
    );
    // Places are seen from the configuration, wherever it is asked.
    let answer = place.answer(&by_config(&place, "oddsmith.toml"));
    assert!(answer.is_moved());
    assert_eq!(
        verdicts(&answer),
        [
            ("lantern", "games/lantern.toml", false),
            ("torch", "games/torch.toml", true)
        ]
    );
    let answer = place.answer(&of(&place, &["games/lantern.toml"]));
    assert_eq!(
        verdicts(&answer),
        [("lantern", "games/lantern.toml", false)]
    );
    place.write("games/oddsmith.toml", "rulesets = [\"lantern.toml\"]\n");
    let answer = place.answer(&ProjectRequest {
        baseline: Some(place.path("games/../odds")),
        ..by_config(&place, "games/oddsmith.toml")
    });
    assert_eq!(verdicts(&answer), [("lantern", "lantern.toml", false)]);
    assert_eq!(answer.orphans, ["../odds/torch"]);
    assert!(answer.is_moved() && !answer.has_moved_rulesets());
    // A configuration is no ruleset.
    let answer = place.answer(&by_config(&place, "oddsmith.toml"));
    assert_eq!(answer.rulesets.len(), 2);
}

#[test]
fn there_must_be_rulesets() {
    let place = Place::new();
    place.make("empty");
    place.make("other");
    place.write("other/lantern.toml", LANTERN);
    let refusal = |files: &[&str]| refusal(&place, &of(&place, files));
    let (message, help) = refusal(&[]);
    assert_eq!(
        message,
        "there is nothing to check: no `oddsmith.toml` here or above names any rulesets"
    );
    assert!(help.contains("name a ruleset"), "{help}");
    let (message, _) = refusal(&["nowhere.toml"]);
    assert_eq!(message, "there is no ruleset `nowhere.toml`");
    let (message, help) = refusal(&["empty"]);
    assert_eq!(message, "there are no rulesets in `empty`");
    assert_eq!(help, "a ruleset is a file that ends in .toml");
    let (message, help) = refusal(&["lantern.toml", "other"]);
    assert_eq!(
        message,
        "`lantern.toml` and `other/lantern.toml` would have the same baseline"
    );
    assert_eq!(help, "rename one of them");
}

#[test]
fn odds_are_accepted_among_the_reports_unless_something_is_said() {
    let place = Place::new();
    let answer = place.answer(&ProjectRequest {
        accept: true,
        ..of(&place, &["lantern.toml"])
    });
    assert!(answer.is_update);
    assert!(place.path("reports/lantern/check.csv").exists());
}

#[test]
fn a_baseline_that_no_ruleset_has() {
    let place = accepted(CONFIG);
    fs::rename(
        place.path("games/torch.toml"),
        place.path("games/lamp.toml"),
    )
    .expect("a file");
    let whole = by_config(&place, "oddsmith.toml");
    let accept = ProjectRequest {
        accept: true,
        ..whole.clone()
    };
    for request in [&accept, &whole] {
        let answer = place.answer(request);
        assert_eq!(answer.orphans, ["odds/torch"]);
        // Under its new name the game is new, which is no drift once its odds are accepted.
        assert!(answer.is_moved());
        assert_eq!(answer.has_moved_rulesets(), request.accept);
    }
    // A part of the rulesets says nothing of the others.
    let answer = place.answer(&of(&place, &["games/lantern.toml"]));
    assert!(answer.orphans.is_empty() && !answer.is_moved());
    assert!(place.path("odds/torch/baseline.toml").exists());
    place.remove_all("odds/torch");
    let answer = place.answer(&whole);
    assert!(answer.orphans.is_empty() && !answer.is_moved());
}

#[test]
fn the_same_file_twice_is_one() {
    let place = repository(CONFIG);
    let files = [
        "games/lantern.toml",
        "./games/lantern.toml",
        "games/../games",
    ];
    let answer = place.answer(&of(&place, &files));
    let ids: Vec<&str> = answer.rulesets.iter().map(|own| &*own.id).collect();
    assert_eq!(ids, ["lantern", "torch"]);
}

/// The columns that moved, of the game whose boons were changed.
fn moved_columns(answer: &ProjectAnswer) -> Vec<String> {
    let (_, found) = answer.found().nth(1).expect("there are two games");
    let largest = largest(compared(found, "check")).into_iter();
    largest
        .map(|line| line.split(':').next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn tolerances_of_columns() {
    let place = accepted(&format!(
        "{CONFIG}\ntolerance = 5.0\n[tolerances]\nStrong = 20\n\"mean(score)\" = 0.5\n"
    ));
    place.change(
        "games/torch.toml",
        "default = 2, domain",
        "default = 1, domain",
    );
    let whole = by_config(&place, "oddsmith.toml");
    let answer = place.answer(&whole);
    assert!(answer.is_moved());
    // Means move by less than the usual 5, Glimpse by at most 4.17 points.
    assert_eq!(moved_columns(&answer), ["Miss", "Weak"]);
    let (_, torch) = answer.found().nth(1).expect("there are two games");
    let check = compared(torch, "check");
    assert_eq!(counts(check), (16, 50));
    let tolerances = |check: &str| -> Vec<String> {
        let measures = compared(torch, check).drift.measures().iter();
        measures
            .map(|measure| format!("{} {}", measure.name, measure.tolerance))
            .collect()
    };
    let usual = [
        "Miss 1/20",
        "Weak 1/20",
        "Strong 1/5",
        "Glimpse 1/20",
        "mean(total) 5",
    ];
    assert_eq!(tolerances("check"), usual);
    assert_eq!(tolerances("test"), ["mean(score) 1/2"]);
    // What is asked stands in place of all of them.
    let answer = place.answer(&ProjectRequest {
        tolerance: Some("0".to_owned()),
        ..whole
    });
    let all = ["Miss", "Weak", "Strong", "Glimpse", "mean(total)"];
    assert_eq!(moved_columns(&answer), all);
}

/// The errors of a configuration with their places, and what is said of each.
fn errors(place: &Place, request: &ProjectRequest) -> Vec<(String, String)> {
    let Err(Error::Request(errors)) = ask(request) else {
        panic!("they are errors of a file");
    };
    let told = errors.0.iter();
    told.map(|error| (place.shown(&error.to_string()), error.label.to_string()))
        .collect()
}

/// The same, as text that is there.
fn say(errors: &[(String, String)]) -> Vec<(&str, &str)> {
    let errors = errors.iter();
    errors
        .map(|(message, label)| (&**message, &**label))
        .collect()
}

#[test]
fn errors_of_the_configuration() {
    let place = repository(
        "ruleset = [\"games\"]\nbaseline = 3\ntolerance = -1\n\n[tolerances]\nStrong = \"much\"\n",
    );
    let request = by_config(&place, "oddsmith.toml");
    assert_eq!(
        say(&errors(&place, &request)),
        [
            (
                "oddsmith.toml:1:1: unknown key `ruleset`",
                "did you mean `rulesets`?"
            ),
            (
                "oddsmith.toml:2:12: this must be a string",
                "a value of type integer"
            ),
            (
                "oddsmith.toml:3:13: this must be a number from 0 on, such as 0.5",
                "a value of type integer"
            ),
            (
                "oddsmith.toml:6:10: this must be a number",
                "a value of type string"
            ),
        ]
    );
    place.write(
        "oddsmith.toml",
        "rulesets = [\"games\"\nbaseline = \"odds\"\n",
    );
    assert_eq!(
        say(&errors(&place, &request)),
        [(
            "oddsmith.toml:1:12: the closing `]` of a list is missing",
            "opened here"
        )]
    );
    place.remove("oddsmith.toml");
    let why = "can't read `oddsmith.toml`: no such file or directory";
    assert_eq!(refusal(&place, &request).0, why);
}

#[test]
fn tolerances_are_of_columns_that_there_are() {
    let place = repository(&format!("{CONFIG}[tolerances]\nStrng = 1\n"));
    let update = ProjectRequest {
        accept: true,
        ..by_config(&place, "oddsmith.toml")
    };
    let before = place.contents("");
    assert_eq!(
        say(&errors(&place, &update)),
        [(
            "oddsmith.toml:4:1: no table has a column `Strng`",
            "did you mean `Strong`?"
        )]
    );
    assert_eq!(place.contents(""), before);
    assert!(!place.path("odds").exists());
}

/// The file may come from a stranger: what it names lies beside it or below, whatever links say.
#[cfg(unix)]
#[test]
fn a_configuration_reaches_its_own_directory_only() {
    use std::os::unix::fs::symlink;
    let place = repository("");
    place.make("home/games");
    place.write("home/games/lantern.toml", LANTERN);
    symlink("../games", place.path("home/other")).expect("a link");
    let config = "home/oddsmith.toml";
    place.write(
        config,
        "rulesets = [\"games\", \"/proc/self/environ\", \"other\"]\nbaseline = \"../odds\"\n",
    );
    let out = |path: &str| format!("`{path}` leads out of the directory of this file");
    let at = |place: &str, path: &str| (format!("{config}:{place}: {}", out(path)), String::new());
    assert_eq!(
        errors(&place, &by_config(&place, config)),
        [
            at("1:22", "/proc/self/environ"),
            at("1:44", "other"),
            at("2:12", "../odds"),
        ]
    );
    // Whoever asks may say otherwise.
    let request = ProjectRequest {
        rulesets: vec![place.path("games/torch.toml")],
        baseline: Some(place.path("odds")),
        ..by_config(&place, config)
    };
    assert_eq!(place.answer(&request).rulesets.len(), 1);
    place.write(config, "rulesets = [\"games\"]\n");
    symlink(
        "../../games/torch.toml",
        place.path("home/games/torch.toml"),
    )
    .expect("a link");
    let (message, _) = refusal(&place, &by_config(&place, config));
    assert_eq!(
        message,
        "`home/games/torch.toml` is a link out of the directory of `oddsmith.toml`"
    );
    place.remove("home/games/torch.toml");
    symlink("../games", place.path("home/reports")).expect("a link");
    let (message, _) = refusal(&place, &by_config(&place, config));
    assert_eq!(
        message,
        "`home/reports` is a link out of the directory of `oddsmith.toml`"
    );
}

/// Nothing is written where a link leads.
#[cfg(unix)]
#[test]
fn accepted_odds_lie_in_their_directory() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    place.make("odds");
    place.make("elsewhere");
    symlink("../elsewhere", place.path("odds/lantern")).expect("a link");
    let error = ask(&place.update()).expect_err("it leads out");
    let message = place.shown(&error.to_string());
    assert!(
        message.starts_with("`odds/lantern/") && message.ends_with("` lies outside of `odds`"),
        "{message}"
    );
    assert_eq!(
        std::fs::read_dir(place.path("elsewhere"))
            .expect("it is there")
            .count(),
        0
    );
}
