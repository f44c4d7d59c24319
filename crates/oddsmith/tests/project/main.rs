//! Accepted odds, asked of the library: what moved and why, what a baseline is, and what is never overwritten.

mod broken;
mod drift;
mod expectations;
mod probes;
mod projects;
mod support;

use std::sync::Mutex;

use oddsmith::project::{Observer, State};
use oddsmith::{Error, Limits, Project, ProjectRequest};
use oddsmith_testkit::rulesets::LANTERN;

use support::{ACCEPT, Place, compared, counts, told};

/// Configurations allocate small and often, for which the C library's allocator takes twice as long.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Hears of rulesets whose odds were never accepted.
#[derive(Default)]
struct Unaccepted(Mutex<Vec<(String, String)>>);

impl Observer for Unaccepted {
    fn unaccepted(&self, why: &Error) {
        if let Error::Advice { message, help } = why {
            let mut heard = self.0.lock().expect("nobody panics");
            heard.push((message.clone(), help.clone()));
        }
    }
}

/// What an observer is told of odds that were never accepted.
fn heard(place: &Place, request: &ProjectRequest) -> Vec<(String, String)> {
    let observer = Unaccepted::default();
    let project = Project::find(request).expect("a project");
    let answer = project.answer(&Limits::default(), &observer);
    answer.expect("it has an answer");
    let heard = observer.0.into_inner().expect("nobody panics").into_iter();
    heard
        .map(|(message, help)| (place.shown(&message), help))
        .collect()
}

#[test]
fn odds_are_accepted_once_and_then_compared() {
    let place = Place::new();
    let answer = place.answer(&place.request());
    assert!(answer.has_unaccepted() && !answer.is_moved() && !answer.has_failed());
    assert!(!answer.is_update && !answer.has_moved_rulesets());
    let found = place.found();
    assert!(found.is_first && !found.is_accepted && !found.is_moved());
    assert_eq!((found.tables.len(), found.configurations()), (2, 0));
    let is_new = |state: &State| matches!(state, State::New);
    assert!(found.tables.iter().all(|table| is_new(&table.state)));
    let why = "no odds of `lantern` are accepted yet: there is no `odds/lantern/baseline.toml`";
    let help = format!("accept them as they are: {ACCEPT}");
    assert_eq!(heard(&place, &place.request()), [(why.to_owned(), help)]);
    assert!(!place.path("odds").exists());
    assert_eq!(heard(&place, &place.update()), []);
    place.remove_all("odds");
    let found = place.accepts();
    assert!(found.is_first && found.is_accepted);
    assert_eq!((found.tables.len(), found.accepted), (2, Some(56)));
    let files = place.contents("odds").into_iter();
    let files: Vec<String> = files.map(|(name, _)| name).collect();
    let written = [
        "baseline.toml",
        "check.csv",
        "check.probes.csv",
        "test.csv",
        "test.probes.csv",
    ];
    assert_eq!(files, written.map(|name| format!("odds/lantern/{name}")));
    insta::assert_snapshot!("baseline", place.read("odds/lantern/baseline.toml"));
    let head = "stat,boons,light,Miss,Weak,Strong,Glimpse,mean(total),\
        weight:Miss,weight:Weak,weight:Strong,weight:Glimpse,total,weight:mean(total),total:mean(total)\n\
        -1,0,dim,0.5833333333333334,0.3333333333333333,0.08333333333333333,0.1388888888888889,6.0,\
        21,12,3,5,36,216,36\n";
    assert!(place.read("odds/lantern/check.csv").starts_with(head));
}

#[test]
fn what_is_as_accepted_is_not_written_again() {
    let place = Place::accepted();
    let before = place.contents("");
    let found = place.accepts();
    assert!(!found.is_first && !found.is_moved());
    assert_eq!(found.accepted, None);
    assert_eq!(found.configurations(), 56);
    assert_eq!(place.contents(""), before);
}

#[test]
fn what_moves_nothing_is_no_drift() {
    let place = Place::accepted();
    place.edit("name = \"Lantern\"", "# A comment.\nname = \"Lantern\"");
    let found = place.stays();
    assert!(found.has_other_rules && found.says_nothing());
    assert_eq!((found.configurations(), found.gaps.len()), (56, 0));
    // The fingerprint of the ruleset is another one.
    let before = place.contents("odds");
    place.accepts();
    assert_ne!(place.contents("odds"), before);
}

#[test]
fn a_parameter_that_moves_nothing_is_told_all_the_same() {
    let place = Place::new();
    // As many boons as there can be: a greater cap caps no more.
    let capped = |cap: &str| {
        let input = format!("default = {cap}, domain = \"0..=9\", help");
        let text = LANTERN.replace("default = 2, domain = \"0..=5\", help", &input);
        place.write("lantern.toml", &text);
    };
    capped("5");
    place.accepts();
    capped("7");
    let found = place.stays();
    assert_eq!(told(&found.causes), [("parameter boon_cap: 5 -> 7", 4)]);
    assert_eq!(
        told(&found.common_causes()),
        [("parameter boon_cap: 5 -> 7, which moves nothing", 4)]
    );
    let check = compared(&found, "check");
    assert!(check.parameters.is_empty() && check.causes.is_empty());
    assert!(!check.drift.is_different());
    assert_eq!(counts(check).0, 0);
}
