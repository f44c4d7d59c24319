//! Files of other revisions, `REV:PATH`, in a repository of their own.

use std::process::Command;

use crate::support::{LANTERN, Place, Run, words};

/// A repository whose first revision has other rules than the file that lies there; none, said loudly, without git.
fn repository() -> Option<Place> {
    let place = Place::new();
    if Command::new("git").arg("--version").output().is_err() {
        #[expect(clippy::print_stderr, reason = "a test that does nothing says so")]
        {
            eprintln!("SKIPPED: files of other revisions are not tested, because git is missing");
        }
        return None;
    }
    std::fs::create_dir(place.path("rules")).expect("a directory");
    place.write(
        "rules/d20.toml",
        &LANTERN.replace(
            "default = 2, domain = \"0..=5\", help",
            "default = 1, domain = \"0..=5\", help",
        ),
    );
    git(&place, "init --quiet --initial-branch=main");
    git(&place, "add .");
    git(
        &place,
        "-c user.name=A -c user.email=a@b.c commit --quiet -m first",
    );
    git(&place, "tag v1.0");
    place.write("rules/d20.toml", LANTERN);
    Some(place)
}

fn git(place: &Place, line: &str) {
    let done = Command::new("git")
        .args(words(line))
        .current_dir(place.path("."))
        .status();
    assert!(done.expect("git runs").success(), "{line}");
}

/// The program run in a directory of the repository.
fn run_in(place: &Place, directory: &str, line: &str) -> Run {
    let mut command = place.command();
    command.current_dir(place.path(directory));
    Run::of(command.args(words(line)).output())
}

#[test]
fn a_revision_against_the_file_and_against_another_one() {
    let Some(place) = repository() else { return };
    // The same change, said of one file.
    let expected =
        place.answer("compare lantern.toml --with boon_cap=1 --set boons=2 --format csv");
    for other in [
        "HEAD:rules/d20.toml",
        "v1.0:rules/d20.toml",
        "main:./rules/d20.toml",
        ":rules/d20.toml",
        "HEAD^{/first}:rules/d20.toml",
    ] {
        let back = format!("compare rules/d20.toml '{other}' --set boons=2 --format csv");
        assert_eq!(place.answer(&back), expected, "{other}");
    }
    let both = place.answer("compare HEAD:rules/d20.toml v1.0:rules/d20.toml");
    assert!(both.contains("A  HEAD:rules/d20.toml:check"), "{both}");
    assert!(both.contains("B  v1.0:rules/d20.toml:check"), "{both}");
    let test = place.answer("compare HEAD:rules/d20.toml:test rules/d20.toml");
    assert!(test.starts_with("Lantern · test\n"), "{test}");
    assert!(test.contains("HEAD:rules/d20.toml:test"), "{test}");
}

#[test]
fn paths_begin_at_the_root_or_with_a_dot_here() {
    let Some(place) = repository() else { return };
    for path in [
        "HEAD:rules/d20.toml",
        "HEAD:./d20.toml",
        "HEAD:../rules/d20.toml",
    ] {
        let run = run_in(&place, "rules", &format!("compare {path} d20.toml"));
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{path}");
    }
    let run = run_in(&place, "rules", "compare HEAD:d20.toml d20.toml");
    assert_eq!(run.status, Some(2), "{}", run.out);
    assert!(
        run.err.contains("there is no file `d20.toml` in `HEAD`"),
        "{}",
        run.err
    );
    assert!(
        run.err.contains("did you mean `HEAD:./d20.toml`?"),
        "{}",
        run.err
    );
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    let Some(place) = repository() else { return };
    let refused = |target: &str, says: &[&str]| {
        place.refuses(&format!("compare rules/d20.toml -- '{target}'"), says);
    };
    refused(
        "mian:rules/d20.toml",
        &[
            "git knows no revision `mian`",
            "did you mean `main:rules/d20.toml`?",
        ],
    );
    refused(
        "HEAD~7:rules/d20.toml",
        &[
            "git knows no revision `HEAD~7`",
            "did you mean `HEAD:rules/d20.toml`?",
        ],
    );
    refused(
        "qqqqqqqq:rules/d20.toml",
        &[
            "git knows no revision `qqqqqqqq`",
            "`git log --oneline -- rules/d20.toml` lists",
        ],
    );
    refused(
        "HEAD:rules/d2.toml",
        &[
            "no file `rules/d2.toml` in `HEAD`",
            "did you mean `HEAD:rules/d20.toml`?",
        ],
    );
    refused("HEAD:d20.toml", &["did you mean `HEAD:rules/d20.toml`?"]);
    refused(
        "HEAD:nothing/like/it.txt",
        &[
            "no file `nothing/like/it.txt` in `HEAD`",
            "`git log --oneline",
        ],
    );
    refused(
        "HEAD:./rules",
        &["`./rules` is a directory in `HEAD`", "name a file in it"],
    );
    refused(
        "--output=stolen:rules/d20.toml",
        &["`--output=stolen` is no revision: none begins with `-`"],
    );
    refused(
        "HEAD;touch stolen:rules/d20.toml",
        &["git knows no revision `HEAD;touch stolen`"],
    );
    assert!(!place.path("stolen").exists());
    assert!(!place.path("stolen^{tree}").exists());
}

#[test]
fn errors_in_the_rules_name_the_revision() {
    let Some(place) = repository() else { return };
    place.write(
        "broken.toml",
        "name = \"Broken\"\n[checks.check]\nrules = \"show x = 1d6 + y\"\n",
    );
    git(&place, "add broken.toml");
    place.write(
        "broken.toml",
        "name = \"Mended\"\n[checks.check]\nrules = \"show x = 1d6\"\n",
    );
    place.refuses("compare :broken.toml broken.toml", &[" :broken.toml:3:"]);
}

#[test]
fn files_names_and_drives_are_no_revisions() {
    let Some(place) = repository() else { return };
    #[cfg(unix)]
    {
        place.write(
            "HEAD:lantern.toml",
            "name = \"File\"\n[checks.check]\nrules = \"show x = 1d6\"\n",
        );
        let file = place.answer("odds HEAD:lantern.toml");
        assert!(file.starts_with("File · check\n"), "{file}");
    }
    place.answer("odds stars-and-signs:check");
    let error = place.refusal(r"odds 'C:\games\x.toml'");
    assert!(error.contains(r"can't read `C:\games\x.toml`"), "{error}");
    assert!(!error.contains("git"), "{error}");
}

#[test]
fn too_large_a_file_is_refused() {
    let Some(place) = repository() else { return };
    place.write(
        "large.toml",
        &"# So many lines are no ruleset.\n".repeat(600_000),
    );
    git(&place, "add large.toml");
    place.refuses("odds :large.toml", &["`:large.toml` is larger than 4 MB"]);
}

#[test]
fn without_a_repository_or_git_it_says_so() {
    let place = Place::new();
    let line = "compare HEAD:lantern.toml lantern.toml";
    let mut command = place.command();
    // A repository above the temporary directory would be found.
    command.env("GIT_CEILING_DIRECTORIES", place.path(".."));
    command.args(words(line));
    let mut without = place.command();
    without.env("PATH", place.path("."));
    without.args(words(line));
    if repository().is_some() {
        let run = Run::of(command.output());
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{}", run.err);
        assert!(
            run.err
                .contains("can't read `HEAD:lantern.toml`: not a git repository"),
            "{}",
            run.err
        );
        assert!(
            run.err.contains("there is no file `HEAD:lantern.toml`"),
            "{}",
            run.err
        );
    }
    let run = Run::of(without.output());
    assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{}", run.err);
    assert!(run.err.contains("there is no program `git`"), "{}", run.err);
}
