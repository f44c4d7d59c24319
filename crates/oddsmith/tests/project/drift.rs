//! Each kind of drift: found with its cause, and accepted.

use oddsmith::project::{State, within};
use oddsmith::{Limits, Project, ProjectRequest};

use super::support::{Place, ask, compared, counts, largest, moved, table, told};

/// A boon less counts.
fn cap(place: &Place) {
    place.edit("default = 2, domain", "default = 1, domain");
}

#[test]
fn a_parameter_that_changed() {
    let place = Place::accepted();
    cap(&place);
    let found = place.moves();
    let cause = [("parameter boon_cap: 2 -> 1", 4)];
    assert_eq!(told(&found.causes), cause);
    assert_eq!(told(&found.common_causes()), cause);
    assert_eq!(found.causes[0].place.column, 1);
    assert!(found.has_drift() && found.has_other_rules);
    let test = table(&found, "test");
    assert!(!test.is_moved() && !test.has_news());
    let check = compared(&found, "check");
    assert_eq!(told(&check.parameters), cause);
    assert_eq!(told(&check.causes), []);
    assert_eq!(counts(check), (16, 50));
    assert_eq!(check.drift.moved_answers(), 80);
    assert_eq!(
        moved(check),
        [
            "stat=0 boons=2 light=bright: Strong 25/36 -> 113/216 (-37/216)",
            "stat=1 boons=2 light=dim: Strong 25/36 -> 113/216 (-37/216)",
            "boons=3 light=bright: Strong 25/36 -> 113/216 (-37/216)",
            "stat=-1 boons=2 light=bright: Strong 169/324 -> 77/216 (-107/648)",
            "stat=0 boons=2 light=dim: Strong 169/324 -> 77/216 (-107/648)",
            "boons=3: Strong 169/324 -> 77/216 (-107/648)",
            "boons=4: Strong 169/324 -> 77/216 (-107/648)",
            "boons=5: Strong 169/324 -> 77/216 (-107/648)",
            "stat=-1 boons=2 light=dim: Miss 25/144 -> 23/72 (7/48)",
            "stat=1 boons=2 light=bright: Strong 119/144 -> 49/72 (-7/48)",
            "stat=-1 boons=2 light=dim: mean(total) 5407/648 -> 179/24 (-287/324)",
            "stat=-1 boons=2 light=bright: mean(total) 6055/648 -> 203/24 (-287/324)",
            "stat=0 boons=2 light=dim: mean(total) 6055/648 -> 203/24 (-287/324)",
            "stat=0 boons=2 light=bright: mean(total) 6703/648 -> 227/24 (-287/324)",
            "stat=1 boons=2 light=dim: mean(total) 6703/648 -> 227/24 (-287/324)",
            "stat=1 boons=2 light=bright: mean(total) 7351/648 -> 251/24 (-287/324)",
            "stat=2 boons=2 light=dim: mean(total) 7351/648 -> 251/24 (-287/324)",
            "stat=2 boons=2 light=bright: mean(total) 7999/648 -> 275/24 (-287/324)",
            "stat=3 boons=2 light=dim: mean(total) 7999/648 -> 275/24 (-287/324)",
            "stat=3 boons=2 light=bright: mean(total) 8647/648 -> 299/24 (-287/324)",
        ]
    );
    assert_eq!(
        largest(check),
        [
            "Miss: 16, 7/48 at stat=-1 boons=2 light=dim",
            "Weak: 16, 143/1296 at stat=1 boons=2 light=bright",
            "Strong: 16, -37/216 at stat=0 boons=2 light=bright",
            "Glimpse: 16, 1/24 at stat=-1 boons=2 light=bright",
            "mean(total): 16, -287/324 at stat=-1 boons=2 light=dim",
        ]
    );
    let accepted = place.accepts();
    assert_eq!(told(&accepted.causes), cause);
    assert_eq!(moved(compared(&accepted, "check")), moved(check));
}

#[test]
fn all_differences_on_demand() {
    let place = Place::accepted();
    cap(&place);
    let all = ProjectRequest {
        most: None,
        ..place.request()
    };
    let found = place.moves_by(&all);
    let moved = moved(compared(&found, "check"));
    assert_eq!(moved.len(), 80);
    // Eleven configurations, five columns.
    let two = moved.iter().filter(|moved| moved.contains("boons=2"));
    assert_eq!(two.count(), 55);
    // The steps that a refusal names are those spent so far and the next ones: with several threads, spent by whichever
    // was first.
    let few = Limits {
        threads: Some(1),
        ..Limits::steps(30_000)
    };
    let ask = |request| Project::find(request).expect("a project").answer(&few, &());
    let answer = ask(&all).expect("it has an answer");
    let trouble = answer.rulesets[0].found.as_ref().expect_err("too many");
    let why = "a table of 30 configurations needs 40748 steps or more; the budget is 30000";
    assert_eq!(trouble.reasons, [(why.to_owned(), None)]);
}

#[test]
fn an_element_of_a_list() {
    let place = Place::new();
    place.edit(
        "[params]\n",
        "[params]\nthresholds = { default = [7, 10], domain = \"1..=20\" }\n",
    );
    place.edit("< 7: Miss, < 10", "< thresholds[0]: Miss, < thresholds[1]");
    place.accepts();
    let accepted = place.read("odds/lantern/baseline.toml");
    assert!(accepted.contains("\nthresholds = [7, 10]\n"), "{accepted}");
    place.edit("[7, 10]", "[7, 11]");
    let found = place.moves();
    let cause = [("parameter thresholds[1]: 10 -> 11", 4)];
    assert_eq!(told(&found.common_causes()), cause);
    assert_eq!(told(&compared(&found, "check").parameters), cause);
    assert_eq!(told(&compared(&found, "check").causes), []);
}

/// A ruleset whose two tables have a parameter each.
fn two_parameters() -> Place {
    let place = Place::new();
    place.edit(
        "boon_cap = { default = 2, domain = \"0..=5\", help = \"boons beyond this many are ignored\" }\n",
        "boon_cap = { default = 2, domain = \"0..=5\" }\nbonus = { default = 0, domain = \"0..=9\" }\n",
    );
    place.edit("2d6 + skill", "2d6 + skill + bonus");
    place.accepts();
    place
}

/// What a parameter has no part in is not its doing, and what it did alone is nobody else's.
#[test]
fn each_table_has_its_own_causes() {
    let place = two_parameters();
    // Two parameters, each of which moves a table of its own.
    place.edit("boon_cap = { default = 2", "boon_cap = { default = 1");
    place.edit("bonus = { default = 0", "bonus = { default = 1");
    let (boon_cap, bonus) = (
        ("parameter boon_cap: 2 -> 1", 4),
        ("parameter bonus: 0 -> 1", 5),
    );
    let found = place.moves();
    assert_eq!(told(&found.causes), [boon_cap, bonus]);
    for (check, cause) in [("check", boon_cap), ("test", bonus)] {
        let table = compared(&found, check);
        assert_eq!(told(&table.parameters), [cause]);
        assert_eq!(told(&table.causes), []);
        let all: Vec<_> = found.told_of(table).cloned().collect();
        assert_eq!(told(&all), [cause]);
    }
    // One of the two tables is moved by the rules instead, then by both.
    place.edit("bonus = { default = 1", "bonus = { default = 0");
    place.edit("2d6 + skill", "1d12 + skill");
    let found = place.moves();
    let (check, test) = (compared(&found, "check"), compared(&found, "test"));
    assert_eq!(told(&found.causes), [boon_cap]);
    assert_eq!(told(&check.parameters), [boon_cap]);
    assert_eq!(told(&check.causes), []);
    assert_eq!(told(&test.parameters), []);
    assert_eq!(told(&test.causes), [("the rules changed", 19)]);
    assert_eq!(counts(test), (15, 15));
    place.edit("bonus = { default = 0", "bonus = { default = 1");
    let found = place.moves();
    let test = compared(&found, "test");
    assert_eq!(told(&test.parameters), [bonus]);
    assert_eq!(told(&test.causes), [("and the rules changed", 19)]);
}

#[test]
fn without_the_accepted_values_the_causes_are_not_known() {
    let place = two_parameters();
    // The accepted value is none that it can have.
    place.edit(
        "bonus = { default = 0, domain = \"0",
        "bonus = { default = 1, domain = \"1",
    );
    place.edit("2d6 + skill", "1d12 + skill");
    let found = place.moves();
    let test = compared(&found, "test");
    let why = "perhaps more than parameters: with their accepted values this can't be computed";
    assert_eq!(told(&test.parameters), [("parameter bonus: 0 -> 1", 5)]);
    assert_eq!(told(&test.causes), [(why, 19)]);
    place.accepts();
}

#[test]
fn parameters_that_are_new_or_gone() {
    let place = Place::accepted();
    place.edit("boon_cap = { default = 2", "boon_limit = { default = 1");
    place.edit("min(boons, boon_cap)", "min(boons, boon_limit)");
    let causes = [
        ("parameter boon_limit is new: 1", 4),
        ("parameter boon_cap is gone: it was 2", 1),
    ];
    for found in [place.moves(), place.accepts()] {
        assert_eq!(told(&found.causes), []);
        assert_eq!(told(&found.other_parameters), causes);
        assert_eq!(told(&found.common_causes()), causes);
    }
}

#[test]
fn rules_that_changed() {
    let place = Place::accepted();
    place.edit("total == 7", "total == 8");
    for found in [place.moves(), place.accepts()] {
        assert_eq!(told(&found.common_causes()), []);
        let check = compared(&found, "check");
        // The line of the script that was edited.
        assert_eq!(told(&check.causes), [("the rules changed", 14)]);
        assert_eq!(counts(check), (50, 50));
        let glimpse = "Glimpse: 50, 7/144 at stat=-1 boons=2 light=bright";
        assert_eq!(largest(check), [glimpse]);
        assert!(!table(&found, "test").is_moved());
    }
}

#[test]
fn bands_that_are_added() {
    let place = Place::accepted();
    place.edit("\"Strong\"]", "\"Strong\", \"Wild\"]");
    place.edit("else: Strong", "< 12: Strong, else: Wild");
    for found in [place.moves(), place.accepts()] {
        let check = compared(&found, "check");
        assert_eq!(told(&check.causes), [("band Wild is new", 15)]);
        assert!(check.has_other_columns && !check.is_renamed);
        assert_eq!(
            moved(check)[..1],
            ["stat=3 boons=2 light=bright: Strong 311/324 -> 173/1296 (-119/144)"]
        );
    }
}

#[test]
fn bands_that_are_removed() {
    let place = Place::accepted();
    place.edit(", \"Strong\"]", "]");
    place.edit("< 10: Weak, else: Strong", "else: Weak");
    for found in [place.moves(), place.accepts()] {
        let check = compared(&found, "check");
        assert_eq!(told(&check.causes), [("band Strong is gone", 15)]);
        assert!(check.has_other_columns && !check.is_renamed);
        assert_eq!(
            moved(check)[..2],
            [
                "stat=3 boons=2 light=bright: Weak 17/432 -> 1295/1296 (311/324)",
                "stat=3 boons=2 light=bright: Strong 311/324 -> 0 (-311/324)"
            ]
        );
    }
}

#[test]
fn bands_that_are_renamed_are_the_same_bands() {
    let place = Place::accepted();
    place.edit("\"Weak\"", "\"Some\"");
    place.edit("< 10: Weak", "< 10: Some");
    for found in [place.moves(), place.accepts()] {
        assert!(found.is_moved() && !found.has_drift());
        let check = compared(&found, "check");
        let cause = ("band Weak is now called Some", 15);
        assert_eq!(told(&check.causes), [cause]);
        assert!(check.is_renamed && !check.drift.is_different());
        assert_eq!(counts(check), (0, 50));
        assert!(!table(&found, "test").is_moved());
    }
}

#[test]
fn columns_that_are_new_or_gone() {
    let place = Place::accepted();
    place.edit("show Glimpse", "show Glance");
    for found in [place.moves(), place.accepts()] {
        let check = compared(&found, "check");
        let causes = [("column Glance is new", 14), ("column Glimpse is gone", 6)];
        assert_eq!(told(&check.causes), causes);
        assert!(check.has_other_columns && !check.is_renamed && found.has_drift());
        assert!(!check.drift.is_any());
    }
}

#[test]
fn a_sweep_that_changed() {
    let place = Place::accepted();
    place.edit("sweep = \"0..=2\"", "sweep = \"1..=4\"");
    for found in [place.moves(), place.accepts()] {
        let check = compared(&found, "check");
        let cause = ("sweep of boons: 0..=2 -> 1..=4", 9);
        assert_eq!(told(&check.causes), [cause]);
        let (new, gone) = ("stat=-1 boons=3 light=dim", "stat=-1 boons=0 light=dim");
        assert_eq!(check.drift.new_configurations(), Some((20, new)));
        assert_eq!(check.drift.gone_configurations(), Some((10, gone)));
        assert_eq!(check.drift.moved_answers(), 0);
    }
}

#[test]
fn the_order_of_a_sweep_is_no_drift() {
    let place = Place::accepted();
    place.edit("sweep = \"0..=2\"", "sweep = \"2,1,0\"");
    for found in [place.stays(), place.accepts()] {
        let check = compared(&found, "check");
        let cause = ("sweep of boons: 0..=2 -> 2,1,0", 9);
        assert_eq!(told(&check.causes), [cause]);
        assert!(!check.drift.is_different() && !check.is_identical);
        assert!(table(&found, "check").has_news());
    }
}

#[test]
fn an_axis_that_is_swept_or_is_not_any_more() {
    let place = Place::accepted();
    let (swept, fixed) = (
        "domain = \"0..=5\", sweep = \"0..=2\" }",
        "domain = \"0..=5\" }",
    );
    place.edit(swept, fixed);
    for found in [place.moves(), place.accepts()] {
        let drift = &compared(&found, "check").drift;
        let cause = ("axis boons is not swept any more: 0..=2 -> 0", 9);
        assert_eq!(told(&compared(&found, "check").causes), [cause]);
        assert_eq!(
            drift.gone_configurations(),
            Some((20, "stat=-1 boons=1 light=dim"))
        );
        assert_eq!(
            (drift.new_configurations(), drift.moved_answers()),
            (None, 0)
        );
    }
    place.edit(fixed, swept);
    for found in [place.moves(), place.accepts()] {
        let drift = &compared(&found, "check").drift;
        let cause = ("axis boons is swept: 0 -> 0..=2", 9);
        assert_eq!(told(&compared(&found, "check").causes), [cause]);
        assert_eq!(
            drift.new_configurations(),
            Some((20, "stat=-1 boons=1 light=dim"))
        );
        assert_eq!(
            (drift.gone_configurations(), drift.moved_answers()),
            (None, 0)
        );
    }
}

#[test]
fn the_default_of_an_axis_that_is_not_swept() {
    let place = Place::new();
    place.edit(", sweep = \"0..=2\"", "");
    place.accepts();
    place.edit("axes.boons = { default = 0", "axes.boons = { default = 1");
    for found in [place.moves(), place.accepts()] {
        let check = compared(&found, "check");
        assert_eq!(told(&check.causes), [("default of boons: 0 -> 1", 9)]);
        assert_eq!(counts(check), (16, 31));
    }
}

/// Without the new axis everything is as it was; and all that was is the same without the old one.
#[test]
fn axes_that_are_new_or_gone() {
    let place = Place::accepted();
    let fog = "axes.fog = { default = 0, domain = \"0..=2\", sweep = \"all\" }\n";
    place.edit("axes.light ", &format!("{fog}axes.light "));
    place.edit("+ stat + lit", "+ stat + lit - fog");
    for found in [place.moves(), place.accepts()] {
        let check = compared(&found, "check");
        assert_eq!(told(&check.causes), [("axis fog is new: 0..=2", 10)]);
        let first = "stat=-1 boons=0 fog=1 light=dim";
        assert_eq!(check.drift.new_configurations(), Some((60, first)));
        assert_eq!(check.drift.gone_configurations(), None);
        assert_eq!(check.drift.moved_answers(), 0);
    }
    place.edit(fog, "");
    place.edit(" - fog", "");
    for found in [place.moves(), place.accepts()] {
        let check = compared(&found, "check");
        assert_eq!(told(&check.causes), [("axis fog is gone", 6)]);
        assert_eq!(counts(check), (60, 107));
        assert_eq!(
            largest(check),
            [
                "Miss: 60, -35/108 at stat=-1 boons=1 fog=2 light=dim",
                "Weak: 56, -13/54 at stat=0 boons=2 fog=2 light=bright",
                "Strong: 60, 505/1296 at stat=-1 boons=2 fog=2 light=bright",
                "Glimpse: 57, -29/324 at stat=-1 boons=2 fog=2 light=bright",
                "mean(total): 60, 2 at stat=-1 boons=0 fog=2 light=dim"
            ]
        );
    }
}

#[test]
fn configurations_that_become_legal_or_illegal() {
    let place = Place::accepted();
    place.edit(
        "axes.stat  =",
        "require = [\"stat < 3 or boons > 0\"]\naxes.stat  =",
    );
    for found in [place.moves(), place.accepts()] {
        let drift = &compared(&found, "check").drift;
        let first = "stat=3 boons=0 light=dim";
        assert_eq!(drift.gone_configurations(), Some((3, first)));
        assert_eq!(
            (drift.new_configurations(), drift.moved_answers()),
            (None, 0)
        );
    }
    place.edit("boons > 0\"]", "boons > 1\"]");
    place.edit("stat < 3 or", "stat > -1 or");
    for found in [place.moves(), place.accepts()] {
        let drift = &compared(&found, "check").drift;
        assert_eq!(
            drift.new_configurations(),
            Some((3, "stat=3 boons=0 light=dim"))
        );
        assert_eq!(
            drift.gone_configurations(),
            Some((5, "stat=-1 boons=0 light=dim"))
        );
        assert_eq!(drift.moved_answers(), 0);
    }
}

#[test]
fn checks_that_are_new_or_gone() {
    let place = Place::accepted();
    place.edit("[checks.test]", "[checks.trial]");
    for found in [place.moves(), place.accepts()] {
        assert!(found.has_drift());
        let tables: Vec<_> = found.tables.iter().map(|table| &*table.check).collect();
        assert_eq!(tables, ["check", "trial", "test"]);
        let (trial, test) = (table(&found, "trial"), table(&found, "test"));
        assert!(matches!(trial.state, State::New) && trial.is_moved());
        assert!(matches!(test.state, State::Gone) && test.is_moved());
        assert_eq!((trial.place.line, trial.place.column), (18, 9));
        assert_eq!((test.place.line, test.place.column), (1, 1));
        assert!(!table(&found, "check").is_moved());
    }
    for file in ["test.csv", "test.probes.csv"] {
        assert!(!place.path(&format!("odds/lantern/{file}")).exists());
    }
    for file in ["trial.csv", "trial.probes.csv"] {
        assert!(place.path(&format!("odds/lantern/{file}")).exists());
    }
}

#[test]
fn means_that_become_infinite() {
    let ridge = "name = \"Ridge\"\n[tracks.ridge]\naxes.need = { default = 1, domain = \"1..=2\", sweep = \"all\" }\n\
        rules = \"\"\"\nlet at = 0\nlet lost = 0\nrepeat until at >= 1 {\n  let step = 1d2\n\
        set lost = if step < need then 1 else lost\n  set at = if step >= need and lost == 0 then 1 else 0\n}\n\"\"\"\n";
    let place = Place::of(&ridge.replace("1d2", "2"));
    place.accepts();
    place.write("lantern.toml", ridge);
    // Half of those who need a 2 are lost for ever, which is beyond any tolerance.
    let found = place.moves_by(&place.within("1000"));
    assert_eq!(counts(compared(&found, "ridge")), (2, 4));
    for found in [found, place.accepts()] {
        let ridge = compared(&found, "ridge");
        assert!(moved(ridge).contains(&"need=2: mean(rolls) 1 -> inf (inf)".to_owned()));
        assert!(largest(ridge).contains(&"mean(rolls): 2, inf at need=2".to_owned()));
    }
}

/// The means move by 88 and the bands by 17 points: what is a probability comes first all the same.
#[test]
fn each_kind_of_column_has_its_largest() {
    let place = Place::new();
    place.edit("show Glimpse = total == 7", "show worth = 100 * total");
    place.accepts();
    cap(&place);
    let found = place.moves();
    let check = compared(&found, "check");
    assert_eq!(check.drift.moved_answers(), 80);
    let moved = moved(check);
    assert_eq!(moved.len(), 20);
    let is_number = |moved: &String| moved.contains("mean(");
    assert!(!moved[..10].iter().any(is_number), "{moved:?}");
    assert!(moved[10..].iter().all(is_number), "{moved:?}");
    let first = "stat=0 boons=2 light=bright: Strong 25/36 -> 113/216 (-37/216)";
    let number = "stat=-1 boons=2 light=dim: mean(worth) 135175/162 -> 4475/6 (-7175/81)";
    assert_eq!([&*moved[0], &*moved[10]], [first, number]);
}

#[test]
fn numbers_that_move_while_no_band_does() {
    let place = Place::accepted();
    place.edit("show total = (2", "show effort = boons\nshow total = (2");
    let found = place.accepts();
    let causes = &compared(&found, "check").causes;
    assert_eq!(told(causes), [("column mean(effort) is new", 13)]);
    place.edit("show effort = boons", "show effort = 2 * boons");
    for found in [place.moves(), place.accepts()] {
        let check = compared(&found, "check");
        assert_eq!(told(&check.causes), [("the rules changed", 13)]);
        assert_eq!(counts(check), (33, 50));
        assert_eq!(largest(check), ["mean(effort): 33, 5 at boons=5"]);
    }
}

#[test]
fn drift_within_the_tolerance() {
    let place = Place::accepted();
    cap(&place);
    // The largest difference is 37 of 216, 17.13 points.
    let request = place.within("17.2");
    assert!(!place.answer(&request).is_moved());
    let found = place.found_by(&request);
    assert!(!found.is_moved() && found.is_different());
    let check = compared(&found, "check");
    assert_eq!(
        (check.drift.within_tolerance(), counts(check)),
        (16, (0, 50))
    );
    let most = "17.13 points and 0.8858 of mean(total)";
    assert_eq!(within([&check.drift]), most);
    assert_eq!(
        told(&found.common_causes()),
        [(
            "parameter boon_cap: 2 -> 1, which moves at most 17.13 points and 0.8858 of mean(total), within the tolerance",
            4
        )]
    );
    assert_eq!(
        largest_within(&found),
        [
            "Miss 7/48",
            "Weak 143/1296",
            "Strong 37/216",
            "Glimpse 1/24",
            "mean(total) 287/324"
        ]
    );
    let found = place.moves_by(&place.within("17.1"));
    let check = compared(&found, "check");
    assert_eq!(
        (check.drift.within_tolerance(), counts(check)),
        (13, (3, 50))
    );
    assert_eq!(
        largest_within(&found),
        [
            "Miss 7/48",
            "Weak 143/1296",
            "Strong 107/648",
            "Glimpse 1/24",
            "mean(total) 287/324"
        ]
    );
    assert_eq!(moved(check).len(), 3);
    place.accepts();
    // Means are measured in their own unit.
    place.edit("show score = 2d6", "show score = 2d6 + 1");
    let found = place.moves_by(&place.within("0.99"));
    assert_eq!(
        largest(compared(&found, "test")),
        ["mean(score): 6, 1 at skill=0"]
    );
    assert!(!place.answer(&place.within("1")).is_moved());
}

/// The largest differences of a table that are no drift.
fn largest_within(found: &oddsmith::project::Found) -> Vec<String> {
    let drift = &compared(found, "check").drift;
    let columns = drift.measures().iter().zip(drift.summaries());
    let within = columns.filter_map(|(measure, summary)| {
        let within = summary.within.as_ref()?;
        Some(format!("{} {within}", measure.name))
    });
    within.collect()
}

#[test]
fn a_tolerance_is_a_number_from_0_on() {
    let place = Place::accepted();
    for wrong in ["-1", "a", "", "nan"] {
        let error = ask(&place.within(wrong)).expect_err("it is none");
        assert_eq!(error.to_string(), format!("`{wrong}` is no tolerance"));
        assert_eq!(place.help(&error), "write a number from 0 on, such as 0.5");
    }
    assert!(!place.answer(&place.within("0")).is_moved());
}
