//! Resources: what a file says is spent on checks, and slips in it.

use std::slice::from_ref;

use oddsmith_rules::{Utility, load};

use crate::page::{Page, good};

const TEXT: &str = r#"name = "Demo"
[params]
worth = { default = [0, 2, 5], domain = "0..=9" }

[checks.plain]
rules = "show score = 2d6"

[checks.check]
bands    = ["Miss", "4/5", "Hit"]
maximise = "worth[band] - spent"
axes.luck  = { default = 0, domain = "0..=3" }
axes.rank  = { default = 2, domain = "1..=5" }
axes.way   = { default = "best", domain = ["none", "best"] }
rules = """
let roll = 2d6 + rank
choose more in 0..=(if way == best then luck else 0)
show spent = more
show Lucky = more > 0
show total = roll + more
show band  = match total { < 7: Miss, < 10: "4/5", else: Hit }
"""
"#;

fn with(resource: &str) -> String {
    format!("{TEXT}\n[resources.luck]\n{resource}\n")
}

/// The worths of the bands.
fn worths(resource: &str) -> Vec<String> {
    let model = good(&with(resource));
    let check = model.check("check").expect("it is there");
    let spending = check.spending(from_ref(&model.resources[0].request));
    match spending.expect("it is spent").utility {
        Utility::Bands(numbers) => numbers
            .iter()
            .map(|number| {
                format!(
                    "{}/{}",
                    number.value.numerator(),
                    number.value.denominator()
                )
            })
            .collect(),
        Utility::Measure(measure) => vec![measure.text],
    }
}

#[test]
fn a_resource_is_read() {
    let text = with(
        "help = 'Luck.'\naxis = 'luck'\nspent = 'spent'\npolicy = 'way=best'\nutility = 'worth[band]'",
    );
    let model = good(&text);
    let luck = &model.resources[0];
    assert_eq!((luck.name.as_str(), luck.help.as_str()), ("luck", "Luck."));
    let [plain, check] = ["plain", "check"].map(|name| model.check(name).expect("it is there"));
    // It is spent on the checks that have what it names.
    assert!(plain.spending(from_ref(&luck.request)).is_err());
    let spending = check
        .spending(from_ref(&luck.request))
        .expect("it is spent");
    let [outlay] = spending.outlays[..] else {
        panic!("one resource is spent");
    };
    assert_eq!(check.inputs[outlay.axis.0].name, "luck");
    let (policy, label) = outlay.policy.expect("it says which");
    assert_eq!((check.inputs[policy.0].name.as_str(), label), ("way", 1));
    assert_eq!(
        outlay.spent.map(|var| check.program().variable(var).name()),
        Some("spent")
    );
}

#[test]
fn outcomes_are_worth_exact_numbers() {
    assert_eq!(worths("axis = 'luck'"), ["0/1", "1/1", "2/1"]);
    let some = "axis = 'luck'\nutility = 'Hit = 5/2, 4/5 = 0.75'";
    assert_eq!(worths(some), ["0/1", "3/4", "5/2"]);
    assert_eq!(worths("axis = 'luck'\nutility = 'Miss=-1'")[0], "-1/1");
    let event = "axis = 'luck'\nutility = 'total >= 10'";
    assert_eq!(worths(event), ["total >= 10"]);
    assert_eq!(worths("axis = 'luck'\nutility = 'Hit'"), ["Hit"]);
}

#[test]
fn slips() {
    let mut page = Page::default();
    let mut slip = |title: &str, resource: &str| page.file(title, &with(resource));
    slip("no axis", "spent = 'spent'");
    slip("an axis that is not there", "axis = 'lucky'");
    slip("an axis of labels", "axis = 'way'");
    slip("an axis without nothing", "axis = 'rank'");
    slip("a parameter", "axis = 'worth[0]'");
    slip(
        "a number that is not there",
        "axis = 'luck'\nspent = 'spend'",
    );
    slip(
        "a number that is not shown",
        "axis = 'luck'\nspent = 'roll'",
    );
    slip("a flag that was spent", "axis = 'luck'\nspent = 'Lucky'");
    slip("a policy without a label", "axis = 'luck'\npolicy = 'way'");
    slip(
        "a label that is not there",
        "axis = 'luck'\npolicy = 'way=bets'",
    );
    slip("the points as a policy", "axis = 'luck'\npolicy = 'luck=1'");
    slip(
        "a band that is not there",
        "axis = 'luck'\nutility = 'Miss=0, Hot=1'",
    );
    slip(
        "a band that is worth two things",
        "axis = 'luck'\nutility = 'Hit=0, Hit=1'",
    );
    slip(
        "a worth that is no number",
        "axis = 'luck'\nutility = 'Hit=lots'",
    );
    slip(
        "a band without a worth",
        "axis = 'luck'\nutility = 'Miss=1, Hit'",
    );
    slip("a label as a worth", "axis = 'luck'\nutility = 'band'");
    slip("dice as a worth", "axis = 'luck'\nutility = '1d6 + total'");
    slip(
        "a name that is not shown",
        "axis = 'luck'\nutility = 'roll'",
    );
    slip("a key that is not there", "axis = 'luck'\npools = 3");
    page.file("no table", &format!("{TEXT}\n[resources]\nluck = 3\n"));
    page.file(
        "nothing to be worth",
        &format!("{TEXT}\n[checks.more]\naxes.more = {{ default = 0, domain = '0..=1' }}\nrules = 'show x = 1d6 + more'\n[resources.more]\naxis = 'more'\n"),
    );
    insta::assert_snapshot!(page.text);
    page.finish();
}

#[test]
fn a_broken_check_is_no_resource_of_its_own() {
    let text = with("axis = 'luck'\nspent = 'spent'").replace("2d6 + rank", "2d6 + rang");
    let errors = load("game.toml", text.as_bytes()).expect_err("a name that is not there");
    assert_eq!(errors.0.len(), 1, "{errors}");
}
