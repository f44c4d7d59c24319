//! The mutation test, tested: guards that see nothing, everything, or what they should.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

/// One token more or less changes the odds nearly everywhere; `lit == 1` is the same as `lit >= 1`.
const LAMP: &str = r#"name = "Lamp"

[checks.check]
bands = ["Miss", "Hit"]
axes.lit = { default = 0, domain = "0..=1", sweep = "all" }
rules = '''
show total = 2d6 + (if lit == 1 then 1 else 0)
show band = if total >= 7 then Hit else Miss
'''

[[expect]]
intent  = "A lit lamp is hit in 21 of 36 rolls of 2d6 + 1 or more."
query   = "Hit"
between = [0.5, 0.8]
"#;

/// Accepts whatever it is given, and then ends with this status.
fn guard(place: &Path, status: u8) {
    let script =
        format!("#!/bin/sh\ncase \"$*\" in *--update*) exit 0;; *) exit {status};; esac\n");
    let path = place.join("guard");
    fs::write(&path, script).expect("a file can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its own file");
}

/// The status and what is printed.
fn run(place: &Path, more: &[&str]) -> (Option<i32>, String) {
    fs::write(place.join("lamp.toml"), LAMP).expect("a file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mutants"));
    command.args([
        "--oddsmith",
        "./guard",
        "--survivors",
        "listed.toml",
        "--ruleset",
        "lamp.toml",
    ]);
    let output = command
        .args(more)
        .current_dir(place)
        .output()
        .expect("it can be started");
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!error.contains("panicked"), "{error}");
    (output.status.code(), text + &error)
}

#[test]
fn a_guard_that_compares_nothing_lets_everything_survive() {
    let place = tempfile::tempdir().expect("a temporary directory");
    guard(place.path(), 0);
    let (status, text) = run(place.path(), &[]);
    assert_eq!(status, Some(1), "{text}");
    assert!(
        text.contains(
            "lamp.toml:8 [checks.check.rules] operator `>=` -> `>`: show band = if total > 7"
        ),
        "{text}"
    );
    assert!(
        text.contains("    differs in check: the defaults"),
        "{text}"
    );
    let mut lines = text.lines();
    let all = lines
        .find(|line| line.starts_with("all "))
        .expect("a line of sums");
    let sums: Vec<usize> = all
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    let [
        tried,
        does_not_load,
        equivalent,
        undecided,
        noticed,
        expected,
        survived,
    ] = sums[..]
    else {
        panic!("seven sums: {all}");
    };
    assert_eq!((undecided, noticed, expected), (0, 0, 0), "{text}");
    assert!(equivalent > 0 && survived > 10, "{text}");
    assert_eq!(tried, does_not_load + equivalent + survived, "{text}");
    // `lit == 1` becomes `lit >= 1`, which is no survivor; `lit <= 1` is.
    assert!(!text.contains("if lit >= 1"), "{text}");
    assert!(text.contains("if lit <= 1"), "{text}");
}

#[test]
fn a_guard_that_always_cries_notices_all() {
    let place = tempfile::tempdir().expect("a temporary directory");
    for status in [1, 2] {
        guard(place.path(), status);
        let (code, text) = run(place.path(), &[]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.ends_with("0   100.0 %\n"), "{text}");
    }
}

#[test]
fn what_only_expectations_notice_is_counted_by_itself() {
    let place = tempfile::tempdir().expect("a temporary directory");
    let script = "#!/bin/sh\ncase \"$*\" in *--update*) exit 0;; esac\ngrep -q expect lamp.toml\n[ $? != 0 ]\n";
    let path = place.path().join("guard");
    fs::write(&path, script).expect("a file can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its own file");
    let (code, text) = run(place.path(), &["--all"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("if total > 7 then Hit else Miss\n    Expected"),
        "{text}"
    );
    assert!(!text.contains("    Noticed"), "{text}");
}

#[test]
fn a_guard_that_breaks_is_an_error() {
    let place = tempfile::tempdir().expect("a temporary directory");
    guard(place.path(), 7);
    let (code, text) = run(place.path(), &[]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("exit status: 7"), "{text}");
}

#[test]
fn listed_survivors_are_fine_until_they_are_noticed() {
    let place = tempfile::tempdir().expect("a temporary directory");
    guard(place.path(), 0);
    let (_, text) = run(place.path(), &["--propose"]);
    let list = text
        .split("ruleset  ")
        .next()
        .expect("entries, then the table");
    assert!(
        list.starts_with("[[survivor]]\nfile = 'lamp.toml'\n"),
        "{text}"
    );
    fs::write(place.path().join("listed.toml"), list).expect("a file can be written");
    let (status, text) = run(place.path(), &[]);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains(" (listed)"), "{text}");
    guard(place.path(), 1);
    let (status, text) = run(place.path(), &[]);
    assert_eq!(status, Some(1), "{text}");
    assert!(
        text.contains("listed, but it does not survive any more:\n[[survivor]]"),
        "{text}"
    );
}

#[test]
fn a_sample_is_the_same_for_the_same_seed() {
    let place = tempfile::tempdir().expect("a temporary directory");
    guard(place.path(), 1);
    let of = |seed: &str| run(place.path(), &["--sample", "9", "--all", "--seed", seed]).1;
    assert_eq!(of("5"), of("5"));
    assert_ne!(of("5"), of("6"));
    assert_eq!(
        of("5")
            .lines()
            .filter(|line| line.starts_with("lamp.toml:"))
            .count(),
        9
    );
}
