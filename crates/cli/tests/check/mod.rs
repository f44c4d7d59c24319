//! `oddsmith check`: how it is asked, and how it tells what differs from accepted odds. What is found in which game is a
//! matter of the library, and of its tests (`crates/oddsmith/tests/project`).

mod baselines;
mod formats;
mod gitlab;
mod projects;
mod text;

use crate::support::{Place, Run};

/// The flags of a check without a configuration.
const LANTERN_ALONE: &str = "check lantern.toml --baseline odds";

/// The ruleset, its odds accepted.
fn accepted() -> Place {
    let place = Place::new();
    let run = check(&place, "--update");
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{}", run.out);
    place
}

fn check(place: &Place, more: &str) -> Run {
    place.run(&format!("{LANTERN_ALONE} {more}"))
}

/// Changes the ruleset; the text must be there.
fn change(place: &Place, from: &str, to: &str) {
    place.change("lantern.toml", from, to);
}

/// A check that finds drift, says all of these, and leaves the baseline alone.
fn moves(place: &Place, more: &str, says: &[&str]) -> String {
    let before = place.contents("odds");
    let run = check(place, more);
    assert_eq!((run.status, run.err.as_str()), (Some(1), ""), "{}", run.out);
    for words in says {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    assert_eq!(place.contents("odds"), before);
    run.out
}

/// A check that finds no drift, and says all of these.
fn stays(place: &Place, more: &str, says: &[&str]) {
    let run = check(place, more);
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{}", run.out);
    for words in says {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
}

/// Accepts what is there, after which there is nothing to say.
fn accepts(place: &Place, says: &[&str]) {
    stays(place, "--update", says);
    let run = check(place, "");
    assert_eq!(run.status, Some(0), "{}", run.out);
    assert!(run.out.starts_with("lantern: as accepted ("), "{}", run.out);
    assert_eq!(run.out.lines().count(), 1, "{}", run.out);
}
