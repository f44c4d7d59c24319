//! Files that are saved: whole or not at all, and never over what nobody has seen.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use oddsmith_serve::{FileError, Files, OpenFiles};

use crate::files::{directory, serve};
use crate::support::save;

const URI: &str = "served:/a.toml";

#[test]
fn a_text_is_saved_and_has_a_digest_to_go_on_with() {
    let home = directory(&["a.toml"]);
    let files = serve(home.path());
    let mut digest = files.open(URI).expect("a file").digest;
    for text in ["one", "", "Würfel\r\n", "one", "one"] {
        digest = files.save(URI, text, &digest).expect("it is saved");
        let found = serve(home.path()).open(URI).expect("a file");
        assert_eq!((found.text.as_str(), &found.digest), (text, &digest));
    }
    let left: Vec<_> = fs::read_dir(home.path()).expect("a directory").collect();
    assert_eq!(left.len(), 1, "nothing else is left");
}

#[test]
fn what_has_changed_on_the_disk_is_not_overwritten() {
    let home = directory(&["a.toml"]);
    let path = home.path().join("a.toml");
    let files = serve(home.path());
    let old = files.open(URI).expect("a file");
    fs::write(&path, "theirs").expect("a file");
    let error = files
        .save(URI, "mine", &old.digest)
        .expect_err("it has changed");
    let FileError::Changed { now, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(now.text, "theirs");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "theirs");
    for known in [
        "",
        "sha256:",
        &now.digest.to_uppercase(),
        &now.digest[..20],
        &old.digest,
    ] {
        let error = files.save(URI, "mine", known);
        assert!(matches!(error, Err(FileError::Changed { .. })), "{known}");
    }
    files.save(URI, "mine", &now.digest).expect("it was seen");
    assert_eq!(fs::read_to_string(&path).expect("a file"), "mine");
}

#[test]
fn what_is_gone_or_no_text_any_more_is_not_overwritten() {
    let home = directory(&["a.toml"]);
    let path = home.path().join("a.toml");
    let files = serve(home.path());
    let old = files.open(URI).expect("a file").digest;
    fs::write(&path, b"\xff").expect("a file");
    let error = files.save(URI, "mine", &old);
    assert!(matches!(error, Err(FileError::NotUtf8 { .. })));
    assert_eq!(fs::read(&path).expect("a file"), b"\xff");
    fs::remove_file(&path).expect("it is there");
    let error = files.save(URI, "mine", &old);
    assert!(matches!(error, Err(FileError::Missing { .. })));
    assert!(!path.exists());
}

#[test]
fn a_change_while_it_is_saved_is_not_overwritten() {
    let home = directory(&["a.toml"]);
    let save = |path: &Path, bytes: &[u8], is_unchanged: &mut dyn FnMut() -> bool| {
        // Another program, between the first look and the last.
        fs::write(path, "theirs").expect("a file");
        save(path, bytes, is_unchanged)
    };
    let files = OpenFiles::new(Arc::new(
        Files::new(home.path(), save).expect("a directory"),
    ));
    let old = files.open(URI).expect("a file").digest;
    let error = files.save(URI, "mine", &old);
    assert!(matches!(error, Err(FileError::Changed { now, .. }) if now.text == "theirs"));
    let text = fs::read_to_string(home.path().join("a.toml")).expect("a file");
    assert_eq!(text, "theirs");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let home = directory(&["a.toml"]);
    let save = |_: &Path, bytes: &[u8], _: &mut dyn FnMut() -> bool| {
        // A disk that is always full.
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let mut full = full.map_err(|error| error.to_string())?;
        full.write_all(bytes).map_err(|error| error.to_string())
    };
    let files = OpenFiles::new(Arc::new(
        Files::new(home.path(), save).expect("a directory"),
    ));
    let old = files.open(URI).expect("a file");
    let error = files
        .save(URI, "mine", &old.digest)
        .expect_err("there is no room");
    assert!(
        error.to_string().contains("No space left on device"),
        "{error}"
    );
    assert_eq!(files.open(URI).expect("a file"), old);
}

#[test]
fn of_many_who_save_over_the_same_text_one_succeeds() {
    let home = directory(&["a.toml"]);
    let files = Arc::new(Files::new(home.path(), save).expect("a directory"));
    let pages: Vec<_> = (0..8).map(|_| OpenFiles::new(Arc::clone(&files))).collect();
    for round in 0..20 {
        let old = pages[0].open(URI).expect("a file").digest;
        let outcomes: Vec<_> = thread::scope(|scope| {
            let saving: Vec<_> = pages
                .iter()
                .enumerate()
                .map(|(at, page)| {
                    let (text, old) = (format!("{round} by {at}"), &old);
                    scope.spawn(move || page.save(URI, &text, old).map(|_| text))
                })
                .collect();
            saving
                .into_iter()
                .map(|one| one.join().expect("no panic"))
                .collect()
        });
        let won: Vec<_> = outcomes.iter().flatten().collect();
        assert_eq!(won.len(), 1, "{outcomes:?}");
        for lost in outcomes.iter().filter_map(|outcome| outcome.as_ref().err()) {
            let FileError::Changed { now, .. } = lost else {
                panic!("{lost}");
            };
            assert_eq!(&now.text, won[0]);
        }
    }
}

#[test]
fn no_line_of_many_writers_is_lost_and_no_reader_sees_half_of_a_text() {
    let home = directory(&["a.toml"]);
    fs::write(home.path().join("a.toml"), "").expect("a file");
    let files = Arc::new(Files::new(home.path(), save).expect("a directory"));
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let page = OpenFiles::new(Arc::clone(&files));
            while !is_done.load(Ordering::SeqCst) {
                let text = page.open(URI).expect("a file").text;
                assert!(text.is_empty() || text.ends_with(" end\n"), "{text}");
            }
        });
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let page = OpenFiles::new(Arc::clone(&files));
                scope.spawn(move || {
                    for at in 0..25 {
                        add_line(&page, &format!("{writer} {at}"));
                    }
                })
            })
            .collect();
        let ends: Vec<_> = writers
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect();
        is_done.store(true, Ordering::SeqCst);
        assert!(ends.iter().all(Result::is_ok));
    });
    let text = fs::read_to_string(home.path().join("a.toml")).expect("a file");
    let lines: BTreeSet<&str> = text.lines().collect();
    assert_eq!((text.lines().count(), lines.len()), (100, 100));
}

/// Adds a line to the file, again and again until nobody has come between.
fn add_line(page: &OpenFiles, line: &str) {
    let mut now = page.open(URI).expect("a file");
    loop {
        let text = format!("{}{line} end\n", now.text);
        match page.save(URI, &text, &now.digest) {
            Ok(_) => return,
            Err(FileError::Changed { now: newer, .. }) => now = newer,
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_new_file_is_saved_and_open() {
    let home = directory(&["games/a.toml"]);
    let files = serve(home.path());
    assert!(files.takes_new());
    let (uri, file) = files
        .create("games/high noon.toml", "text")
        .expect("it is new");
    assert_eq!(uri, "served:/games/high%20noon.toml");
    assert_eq!(file.text, "text");
    assert_eq!(files.read(&uri).expect("a file").text, "text");
    files.save(&uri, "more", &file.digest).expect("it is open");
    let left: Vec<_> = fs::read_dir(home.path().join("games"))
        .expect("a directory")
        .collect();
    assert_eq!(left.len(), 2, "nothing else is left");
}

#[test]
fn a_new_file_takes_nobodys_name() {
    let home = directory(&["a.toml", "deep/b.toml"]);
    fs::create_dir(home.path().join("c.toml")).expect("a directory");
    let files = serve(home.path());
    for name in ["a.toml", "deep/b.toml", "c.toml"] {
        let error = files.create(name, "mine").expect_err(name);
        assert!(matches!(error, FileError::Exists { .. }), "{name}: {error}");
    }
    assert_eq!(
        fs::read_to_string(home.path().join("a.toml")).expect("a file"),
        "a.toml"
    );
    // It gets its name while ours is written.
    let save = |path: &Path, bytes: &[u8], is_unchanged: &mut dyn FnMut() -> bool| {
        fs::write(path, "theirs").expect("a file");
        save(path, bytes, is_unchanged)
    };
    let files = OpenFiles::new(Arc::new(
        Files::new(home.path(), save).expect("it is there"),
    ));
    let error = files.create("new.toml", "mine");
    assert!(matches!(error, Err(FileError::Exists { .. })));
    assert_eq!(
        fs::read_to_string(home.path().join("new.toml")).expect("a file"),
        "theirs"
    );
}

#[test]
fn a_new_file_lies_where_files_are_served() {
    let home = directory(&["served/a.toml", "outside/b.toml"]);
    let files = serve(&home.path().join("served"));
    for name in [
        "",
        "/",
        "../new.toml",
        "./new.toml",
        "/etc/new.toml",
        "no/such/new.toml",
        "a.toml/new.toml",
        "new.txt",
        "oddsmith.toml",
        ".new.toml",
        "..\\new.toml",
        "C:new.toml",
        "new\n.toml",
        "a//new.toml",
    ] {
        assert!(files.create(name, "mine").is_err(), "{name:?}");
    }
    #[cfg(unix)]
    {
        let link = home.path().join("served/out");
        std::os::unix::fs::symlink(home.path().join("outside"), link).expect("a link");
        let error = files.create("out/new.toml", "mine");
        assert!(matches!(error, Err(FileError::Outside { .. })));
        let link = home.path().join("served/gone.toml");
        std::os::unix::fs::symlink(home.path().join("outside/new.toml"), link).expect("a link");
        let error = files.create("gone.toml", "mine");
        assert!(matches!(error, Err(FileError::Exists { .. })));
    }
    assert_eq!(
        fs::read_dir(home.path().join("outside"))
            .expect("a directory")
            .count(),
        1
    );
    let long = files.create("long.toml", &"x".repeat((4 << 20) + 1));
    assert!(matches!(long, Err(FileError::TooLong { .. })));
    let one = serve(&home.path().join("served/a.toml"));
    assert!(!one.takes_new());
    assert!(one.create("new.toml", "mine").is_err());
    let none = OpenFiles::new(Arc::new(Files::none()));
    assert!(none.create("new.toml", "mine").is_err());
}
