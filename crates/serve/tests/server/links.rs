//! Links and other things that lead out of what is served, or to what is no file.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use oddsmith_serve::FileError;

use crate::files::{directory, serve};

const SECRET: &str = "the secret";

#[test]
fn no_link_leads_out() {
    let place = directory(&["home/in.toml", "home/in/deep.toml", "home/plain.txt"]);
    let home = place.path().join("home");
    fs::write(place.path().join("secret.toml"), SECRET).expect("a file");
    fs::create_dir(place.path().join("outside")).expect("a directory");
    fs::write(place.path().join("outside/secret.toml"), SECRET).expect("a file");
    // A directory whose name begins like that of what is served.
    fs::create_dir(place.path().join("home-too")).expect("a directory");
    fs::write(place.path().join("home-too/secret.toml"), SECRET).expect("a file");
    for (link, to) in [
        ("out.toml", "../secret.toml"),
        ("absolute.toml", "/etc/hosts"),
        ("chain.toml", "out.toml"),
        ("outside", "../outside"),
        ("too", "../home-too"),
        ("text.toml", "plain.txt"),
        ("again.toml", "in/deep.toml"),
        ("same", "in"),
        ("loop.toml", "loop.toml"),
        ("nowhere.toml", "../new.toml"),
        ("round.toml", "../home/in.toml"),
    ] {
        symlink(to, home.join(link)).expect("a link");
    }
    let files = serve(&home);
    for uri in [
        "served:/out.toml",
        "served:/absolute.toml",
        "served:/chain.toml",
        "served:/outside/secret.toml",
        "served:/too/secret.toml",
        "served:/text.toml",
    ] {
        let error = files.open(uri).expect_err(uri);
        assert!(matches!(error, FileError::Outside { .. }), "{uri}: {error}");
        let error = files.save(uri, "mine", "sha256:0").expect_err(uri);
        assert!(matches!(error, FileError::Outside { .. }), "{uri}: {error}");
    }
    for uri in ["served:/loop.toml", "served:/nowhere.toml"] {
        assert!(files.open(uri).is_err(), "{uri}");
        assert!(files.save(uri, "mine", "sha256:0").is_err(), "{uri}");
    }
    assert!(!place.path().join("new.toml").exists());
    for secret in ["secret.toml", "outside/secret.toml", "home-too/secret.toml"] {
        let text = fs::read_to_string(place.path().join(secret)).expect("a file");
        assert_eq!(text, SECRET);
    }
    for (uri, text) in [
        ("served:/again.toml", "home/in/deep.toml"),
        ("served:/same/deep.toml", "home/in/deep.toml"),
        ("served:/round.toml", "home/in.toml"),
    ] {
        assert_eq!(files.open(uri).expect(uri).text, text);
    }
    let listed: Vec<String> = files
        .list()
        .files
        .into_iter()
        .map(|file| file.name)
        .collect();
    assert_eq!(
        listed,
        ["again.toml", "in.toml", "in/deep.toml", "round.toml"]
    );
    assert_eq!(files.list().left_out.len(), 6);
}

#[test]
fn a_link_that_is_saved_stays_a_link() {
    let home = directory(&["real.toml"]);
    symlink("real.toml", home.path().join("link.toml")).expect("a link");
    let files = serve(home.path());
    let found = files.open("served:/link.toml").expect("a file");
    files
        .save("served:/link.toml", "new", &found.digest)
        .expect("it is saved");
    assert!(home.path().join("link.toml").is_symlink());
    let text = fs::read_to_string(home.path().join("real.toml")).expect("a file");
    assert_eq!(text, "new");
}

#[test]
fn a_directory_that_becomes_a_link_leads_nowhere() {
    let place = directory(&["home/games/coin.toml", "outside/coin.toml"]);
    let home = place.path().join("home");
    let files = serve(&home);
    let found = files.open("served:/games/coin.toml").expect("a file");
    fs::remove_dir_all(home.join("games")).expect("it is there");
    symlink("../outside", home.join("games")).expect("a link");
    // Even one who knows what is there does not overwrite it.
    let outside = serve(&place.path().join("outside"));
    let there = outside.open("served:/coin.toml").expect("a file").digest;
    for known in [&found.digest, &there] {
        let error = files.save("served:/games/coin.toml", "mine", known);
        assert!(matches!(error, Err(FileError::Outside { .. })));
    }
    let text = fs::read_to_string(place.path().join("outside/coin.toml")).expect("a file");
    assert_eq!(text, "outside/coin.toml");
    files.changes();
    let changes = files.changes();
    assert!(
        matches!(&changes[..], [change] if matches!(change.now, Err(FileError::Outside { .. })))
    );
}

#[test]
fn pipes_and_directories_are_no_files() {
    let home = directory(&["dir.toml/x.toml"]);
    let pipe = home.path().join("pipe.toml");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is there").success());
    let files = serve(home.path());
    // Opening a pipe to which nobody writes would not end.
    for uri in ["served:/pipe.toml", "served:/dir.toml"] {
        assert!(
            matches!(files.open(uri), Err(FileError::NotRegular { .. })),
            "{uri}"
        );
        assert!(files.save(uri, "", "sha256:0").is_err(), "{uri}");
    }
    let names: Vec<String> = files
        .list()
        .files
        .into_iter()
        .map(|file| file.name)
        .collect();
    assert_eq!(names, ["dir.toml/x.toml"]);
}
