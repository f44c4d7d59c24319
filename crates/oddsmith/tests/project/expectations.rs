//! What a ruleset says of its own odds, judged beside the accepted ones.

use oddsmith::project::{Found, IntentVerdict};
use oddsmith::{Limits, Project};
use oddsmith_testkit::rulesets::LANTERN;

use super::probes::MOOD;
use super::support::{Place, compared, counts, exact};

/// The failing cases of the only expectation: in words, and with the exact answers.
fn failing(found: &Found) -> Vec<(String, Vec<String>)> {
    let [intent] = &*found.intents else {
        panic!("{:?}", found.intents);
    };
    let worst = intent.verdict.worst().iter();
    worst
        .map(|case| (case.text.clone(), case.values.iter().map(exact).collect()))
        .collect()
}

/// Writes the small game with an expectation of the odds of a miss.
fn expect(place: &Place, claim: &str) {
    let head = "[[expect]]\nintent = \"Nobody is lost in the dark.\"\ncheck = \"check\"\nquery = \"Miss\"\n";
    place.write("lantern.toml", &format!("{LANTERN}\n{head}{claim}\n"));
}

#[test]
fn expectations_are_judged_without_a_baseline() {
    let intent = "\n[[expect]]\nintent = \"Beginners hit.\"\nquery = \"Hit\"\nat_least = 0.9\n";
    let place = Place::of(&(MOOD.to_owned() + intent));
    let answer = place.answer(&place.request());
    assert!(answer.is_broken() && answer.has_unaccepted() && !answer.is_moved());
    let found = place.found();
    assert!(found.is_first && !found.is_accepted);
    assert_eq!(
        (found.tables.len(), found.intents.len(), found.failures()),
        (1, 1, 1)
    );
    let intent = &found.intents[0];
    assert_eq!(
        (&*intent.intent, &*intent.check),
        ("Beginners hit.", "check")
    );
    assert_eq!(intent.place.line, 16);
    let text = "the default configuration: Hit is 27.78%; it is to be at least 90%";
    assert_eq!(
        failing(&found),
        [(text.to_owned(), vec!["5/18".to_owned()])]
    );
    assert!(!place.path("odds").exists());
}

#[test]
fn expectations_are_looked_at() {
    let place = Place::accepted();
    expect(&place, "between = [0, 1]");
    let answer = place.answer(&place.request());
    assert!(!answer.is_broken() && answer.unknown() == 0);
    let found = place.stays();
    assert_eq!(found.intents.len(), 1);
    assert_eq!(found.intents[0].verdict, IntentVerdict::Holds);
    expect(&place, "between = [0.1, 0.2]");
    let found = place.stays();
    assert_eq!((found.failures(), found.intents[0].place.line), (1, 22));
    // Accepting odds does not make them right.
    let answer = place.answer(&place.update());
    assert!(answer.is_update && answer.is_broken() && !answer.is_moved());
}

/// Bounds are in the unit of what they bound, and what looks alike is told apart.
#[test]
fn expectations_that_fail_are_told_exactly() {
    let place = Place::accepted();
    for (claim, says) in [
        (
            "between = [0.1, 0.2]",
            "Miss is 41.67%; it is to be from 10% to 20%",
        ),
        (
            "at_most = 0.41666",
            "Miss is 41.67% (5/12); it is to be at most 41.666%",
        ),
    ] {
        expect(&place, claim);
        let found = place.stays();
        let text = format!("the default configuration: {says}");
        assert_eq!(failing(&found), [(text, vec!["5/12".to_owned()])]);
        let IntentVerdict::Broken {
            failures,
            configurations,
            worst,
        } = &found.intents[0].verdict
        else {
            panic!("{:?}", found.intents);
        };
        assert_eq!((*failures, *configurations), (1, 1));
        assert_eq!(worst[0].configuration, "the default configuration");
        assert_eq!(worst[0].query, "Miss");
    }
    expect(&place, "at_most = 0.41667");
    assert_eq!(place.stays().intents[0].verdict, IntentVerdict::Holds);
}

/// What can't be told of an intention says nothing of the odds, which can be accepted.
#[test]
fn expectations_that_can_not_be_told() {
    let place = Place::accepted();
    let text = LANTERN.replacen("default = 2, domain", "default = 1, domain", 1)
        + "\n[checks.many]\naxes.dice = { default = 1, domain = \"1..=9999\" }\nrules = \"show most = highest((dice)d6)\"\n\
           [[expect]]\nintent = \"Lit lamps help.\"\ncheck = \"many\"\nquery = \"mean(most)\"\n\
           between = [1, 6]\nsweep = [\"dice=all\"]\n";
    place.write("lantern.toml", &text);
    // Enough for the tables, but not for the sweep of the expectation; and for as many probes as there are.
    let few = Limits::steps(135_000).of_run(1000);
    let ask = |request: &oddsmith::ProjectRequest| Project::find(request)?.answer(&few, &());
    for request in [place.request(), place.update()] {
        let answer = ask(&request).expect("it has an answer");
        assert_eq!(answer.unknown(), 1);
        assert!(!answer.is_broken() && !answer.has_failed() && answer.has_moved_rulesets());
        assert_eq!(
            (answer.is_update, answer.is_moved()),
            (request.accept, !request.accept)
        );
        let found = answer.rulesets[0]
            .found
            .as_ref()
            .expect("it can be checked");
        let intent = &found.intents[0];
        assert_eq!(intent.place.line, 25);
        let IntentVerdict::Unknown(why) = &intent.verdict else {
            panic!("{intent:?}");
        };
        let many =
            "a table of 9999 configurations needs 399960 steps or more; the budget is 135000";
        assert_eq!(why, many);
        assert_eq!(counts(compared(found, "check")), (16, 50));
    }
    let found = place.stays();
    assert!(found.says_nothing() && found.failures() == 0);
}
