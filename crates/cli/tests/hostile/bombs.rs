//! Files that would take minutes, gigabytes or the stack, were they done as they say.

use std::fmt::Write as _;

use crate::support::Place;

/// A ruleset whose only check has these rules.
fn rules(rules: &str) -> String {
    format!("name = \"Bomb\"\n[checks.check]\nrules = \"\"\"\n{rules}\nshow x = 1d6\n\"\"\"\n")
}

/// So many pieces, each with its number.
fn many(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let _ = write!(text, "{}", piece(number));
        text
    })
}

/// It is refused with these words.
fn is_refused(file: &str, says: &[&str]) {
    let place = Place::new();
    place.write("bomb.toml", file);
    let run = place.run("rules validate bomb.toml");
    assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{}", run.err);
    for words in says {
        assert!(run.err.contains(words), "{words}: {}", run.err);
    }
}

#[test]
fn files_of_megabytes_are_not_read() {
    let says = [
        "the file has more than 4 MB",
        "a ruleset is a text of some kilobytes",
    ];
    is_refused(&"\n".repeat(5_000_000), &says);
    is_refused(&"a = 1\n".repeat(800_000), &says);
}

/// Near names are looked for a while, and a thousand errors are told.
#[test]
fn thousands_of_errors_are_told_as_a_thousand() {
    let unknown = many(10_000, |at| format!("let a{at} = nope{at} + 1\n"));
    let says = [
        "unknown name `nope0`",
        "... and 981 more errors",
        "1001 errors in bomb.toml",
    ];
    is_refused(&rules(&unknown), &says);
    let keys = format!("name = \"Bomb\"\n[params]\n{}", "a = 1\n".repeat(20_000));
    is_refused(
        &keys,
        &["... and 981 more errors", "1001 errors in bomb.toml"],
    );
}

#[test]
fn arms_have_a_limit() {
    let arms = |count| many(count, |at| format!("{at}: {at}, "));
    let script = |count| {
        rules(&format!(
            "let y = 1d6\nshow z = match y {{ {}else: 0 }}",
            arms(count)
        ))
    };
    is_refused(
        &script(2001),
        &["a `match` of more than 2000 arms", "a list has"],
    );
    let place = Place::new();
    place.write("arms.toml", &script(2000));
    let run = place.run("rules validate arms.toml");
    assert_eq!(run.status, Some(0), "{}", run.err);
}

/// Each arm of a `match` without a subject is a level deeper.
#[test]
fn conditions_are_no_deeper_than_the_stack() {
    let script = |count| {
        let arms = many(count, |at| format!("1d9 == {at}: {at}, "));
        rules(&format!("show z = match {{ {arms}else: 0 }}"))
    };
    is_refused(
        &script(6000),
        &["more than 200 levels", "a level deeper with each arm"],
    );
    let place = Place::new();
    place.write("arms.toml", &script(190));
    let odds = place.run("odds arms.toml");
    assert_eq!(odds.status, Some(0), "{}", odds.err);
    let simulated = place.run("simulate arms.toml --trials 1000");
    assert_eq!(simulated.status, Some(0), "{}", simulated.err);
}

#[cfg(unix)]
#[test]
fn pipes_are_not_waited_for() {
    let place = Place::new();
    let made = place.shell("mkfifo pipe.toml");
    assert_eq!(made.status, Some(0), "{}", made.err);
    for line in [
        "odds pipe.toml",
        "verify pipe.toml",
        "tune stars-and-signs --file pipe.toml",
        "check --config pipe.toml",
    ] {
        let run = place.run(line);
        assert_eq!(run.status, Some(2), "{line}: {}", run.err);
        let says = "can't read `pipe.toml`: not a regular file";
        assert!(run.err.contains(says), "{line}: {}", run.err);
    }
}
