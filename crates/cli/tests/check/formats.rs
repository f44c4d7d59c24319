//! What moved, for CI and for programs.

use super::{accepted, change, check, moves};
use crate::support::Place;

/// Names that are special in every format.
const AWKWARD: &str = r#"name = "A & B"

[params]
"step" = { default = 1, domain = "0..=5" }

[checks.check]
bands = ["Miss <1>", "100% %0A"]
axes.way = { default = "a:b", domain = ["a:b", "c d"], sweep = "all" }
rules = '''
show total = 1d10 + step
show band = match total { < 7: "Miss <1>", else: "100% %0A" }
'''
"#;

fn drifted() -> Place {
    let place = accepted();
    change(&place, "default = 2, domain", "default = 1, domain");
    change(&place, "[checks.test]", "[checks.trial]");
    place
}

fn awkward() -> Place {
    let place = Place::new();
    place.write("lantern.toml", AWKWARD);
    assert_eq!(check(&place, "--update").status, Some(0));
    change(
        &place,
        "\"step\" = { default = 1",
        "\"step\" = { default = 2",
    );
    place
}

#[test]
fn every_format() {
    let place = drifted();
    for format in ["github", "junit", "json", "markdown"] {
        let out = moves(&place, &format!("--format {format}"), &[]);
        insta::assert_snapshot!(format, out);
    }
}

#[test]
fn awkward_names_break_no_format() {
    let place = awkward();
    let github = moves(&place, "--format github", &[]);
    let commands: Vec<&str> = github
        .lines()
        .filter(|line| line.starts_with("::"))
        .collect();
    assert_eq!(
        commands,
        [
            "::error file=lantern.toml,line=4,col=1,title=odds of lantern%3Acheck moved::parameter step: 1 -> 2%0A\
        check: 3 of 8 configurations moved%0AMiss <1> 50.00%25 -> 40.00%25, -10.00 points at way=a:b"
        ]
    );
    let junit = moves(
        &place,
        "--format junit",
        &["way=a:b: Miss &lt;1&gt; 50.00% -&gt; 40.00% (-10.00)"],
    );
    well_formed(&junit);
    let markdown = moves(&place, "--format markdown", &[]);
    let rows = markdown.lines().filter(|line| line.starts_with("| "));
    let pipes: Vec<usize> = rows
        .map(|row| row.replace(r"\|", "").matches('|').count())
        .collect();
    assert!(
        pipes.iter().all(|pipes| [5, 6].contains(pipes)),
        "{markdown}"
    );
}

#[test]
fn fractions_are_exact_in_json() {
    let place = awkward();
    let out = moves(&place, "--format json", &[]);
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(json["status"], "moved");
    let table = &json["rulesets"][0]["tables"][0];
    assert_eq!(table["columns"][0]["largest"], "-1/10");
    let moved = &table["moved"][0];
    let parts = ["before", "after", "difference"].map(|part| moved[part].as_str());
    assert_eq!(parts, [Some("1/2"), Some("2/5"), Some("-1/10")]);
}

#[test]
fn all_is_well_in_every_format() {
    let place = accepted();
    for (format, says) in [
        (
            "github",
            "lantern: as accepted (2 tables of 56 configurations)\n",
        ),
        (
            "junit",
            "<testsuite name=\"lantern\" tests=\"2\" failures=\"0\" errors=\"0\"",
        ),
        ("json", "\"status\": \"as accepted\""),
        ("markdown", "### Odds: all as accepted (1 ruleset)\n"),
    ] {
        let run = check(&place, &format!("--format {format}"));
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{format}");
        assert!(run.out.contains(says), "{format}: {}", run.out);
        assert!(!run.out.contains("::error"), "{}", run.out);
    }
}

#[test]
fn what_can_not_be_checked_is_in_every_format() {
    let place = accepted();
    change(&place, "show score = 2d6", "show score = 2d6 + skil");
    for (format, says) in [
        ("github", "::error file=lantern.toml,line=20,col="),
        ("junit", "<error type=\"error\" message=\""),
        ("json", "\"status\": \"error\""),
        (
            "markdown",
            "`lantern.toml` can't be checked:\n\n- line 20: ",
        ),
    ] {
        let run = check(&place, &format!("--format {format}"));
        assert_eq!(run.status, Some(2), "{format}");
        assert!(run.out.contains(says), "{format}: {}", run.out);
        assert!(
            run.err.contains("lantern.toml:20:"),
            "{format}: {}",
            run.err
        );
    }
}

#[test]
fn expectations_are_looked_at() {
    let place = accepted();
    let text = place.read("lantern.toml");
    let expect = |bounds: &str| {
        format!(
            "{text}\n[[expect]]\nintent = \"Nobody is lost in the dark.\"\ncheck = \"check\"\nquery = \"Miss\"\nbetween = {bounds}\n"
        )
    };
    place.write("lantern.toml", &expect("[0, 1]"));
    let run = check(&place, "");
    assert_eq!(run.status, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("1 expectation"), "{}", run.out);
    place.write("lantern.toml", &expect("[0.1, 0.2]"));
    for (format, says) in [
        (
            "text",
            "\"Nobody is lost in the dark.\" does not hold in 1 case",
        ),
        ("github", "::error file=lantern.toml,line=22,"),
        (
            "junit",
            "<failure type=\"expectation\" message=\"does not hold in 1 case\">",
        ),
        ("json", "\"as_intended\": false"),
        ("markdown", "1 expectation not met"),
    ] {
        let run = check(&place, &format!("--format {format}"));
        assert_eq!(
            (run.status, run.err.as_str()),
            (Some(1), ""),
            "{format}: {}",
            run.out
        );
        assert!(run.out.contains(says), "{format}: {}", run.out);
    }
    // Accepting odds does not make them right.
    assert_eq!(check(&place, "--update").status, Some(1));
}

/// Where what an expectation says can be read stands beside the sentence, for people and for programs.
#[test]
fn the_source_of_an_expectation_is_told() {
    let place = accepted();
    let text = place.read("lantern.toml");
    let expect = "[[expect]]\nintent = \"Nobody misses.\"\nsource = \"page 7\"\ncheck = \"check\"\nquery = \"Miss\"\nat_most = 0\n";
    place.write("lantern.toml", &format!("{text}\n{expect}"));
    for format in ["text", "markdown", "github"] {
        let out = check(&place, &format!("--format {format}")).out;
        assert!(
            out.contains("\"Nobody misses.\" (page 7) does not hold"),
            "{out}"
        );
    }
    let json = check(&place, "--format json").out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["rulesets"][0]["expectations"][0]["source"], "page 7");
}

/// Bounds are in the unit of what they bound, and what looks alike is told apart.
#[test]
fn expectations_that_fail_are_told_exactly() {
    let place = accepted();
    let text = place.read("lantern.toml");
    let expect = |more: &str| {
        let head =
            "[[expect]]\nintent = \"One.\\n::error::Two.\"\ncheck = \"check\"\nquery = \"Miss\"\n";
        place.write("lantern.toml", &format!("{text}\n{head}{more}\n"));
    };
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
        expect(claim);
        let run = check(&place, "");
        assert!(run.out.contains(says), "{says}: {}{}", run.out, run.err);
        assert!(
            run.out.contains("\"One. ::error::Two.\" does not hold"),
            "{}",
            run.out
        );
        let json = check(&place, "--format json").out;
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let told = &json["rulesets"][0]["expectations"][0];
        assert_eq!(
            (&told["failures"], &told["configurations"]),
            (&1.into(), &1.into())
        );
        let worst = &told["worst"][0];
        assert_eq!(worst["query"], "Miss");
        assert_eq!(worst["configuration"], "the default configuration");
        assert_eq!(worst["values"], serde_json::json!(["5/12"]));
    }
}

/// A file can be called like a command.
#[cfg(unix)]
#[test]
fn nothing_but_our_commands_is_one() {
    let place = Place::new();
    let file = "::error::x.toml";
    place.write(file, &place.read("lantern.toml"));
    for more in ["--update", "--format github"] {
        let run = place.run(&format!("check {file} --baseline odds {more}"));
        assert_eq!(run.status, Some(0), "{}", run.err);
        let is_shown = run.out.starts_with("::error::x: ");
        assert_eq!(is_shown, more == "--update", "{}", run.out);
    }
}

/// What can't be told of an intention says nothing of the odds, which can be accepted.
#[test]
fn expectations_that_can_not_be_told() {
    let place = accepted();
    change(&place, "default = 2, domain", "default = 1, domain");
    let text = place.read("lantern.toml")
        + "\n[checks.many]\naxes.dice = { default = 1, domain = \"1..=9999\" }\nrules = \"show most = highest((dice)d6)\"\n\
           [[expect]]\nintent = \"Lit lamps help.\"\ncheck = \"many\"\nquery = \"mean(most)\"\n\
           between = [1, 6]\nsweep = [\"dice=all\"]\n";
    place.write("lantern.toml", &text);
    // Enough for the tables, but not for the sweep of the expectation.
    let few = "--budget 135000";
    let run = check(&place, few);
    assert_eq!(run.status, Some(2), "{}{}", run.out, run.err);
    assert!(run.out.starts_with("lantern: odds moved ("), "{}", run.out);
    assert!(
        run.err
            .contains("lantern.toml:25: it can't be told whether \"Lit lamps help.\" holds"),
        "{}",
        run.err
    );
    let markdown = check(&place, &format!("{few} --format markdown"));
    let title = "### Odds: moved in 1 of 1 ruleset; 1 expectation can't be told\n";
    assert!(markdown.out.starts_with(title), "{}", markdown.out);
    // Probes take more to be found.
    let run = check(&place, "--budget 2000000 --update");
    assert_eq!(run.status, Some(2), "{}{}", run.out, run.err);
    assert!(run.out.starts_with("lantern: accepted ("), "{}", run.out);
    let run = check(&place, "");
    assert!(run.out.starts_with("lantern: as accepted ("), "{}", run.out);
}

/// Elements are closed in order, and nothing stands bare that must not.
fn well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    for part in xml.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.contains('>') && !tag.contains('\n'), "{part}");
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        match tag {
            _ if tag.starts_with('?') || tag.ends_with('/') => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(&tag[1..]), "{xml}"),
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{xml}");
}
