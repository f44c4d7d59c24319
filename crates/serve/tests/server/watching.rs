//! Files that change on the disk while pages have them open.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use oddsmith_serve::{FileChange, FileError, Files, OpenFiles};

use crate::files::{directory, serve};
use crate::support::{Running, ask, save, text};

const URI: &str = "served:/a.toml";

/// What is told of a file that stays as it is from now on: nothing the first time, since it may still be being written.
fn settled(files: &OpenFiles) -> Vec<FileChange> {
    let mut changes = files.changes();
    changes.extend(files.changes());
    changes.extend(files.changes());
    changes
}

/// The text of the one change there is.
fn told(files: &OpenFiles) -> String {
    let mut changes = settled(files);
    assert_eq!(changes.len(), 1, "{changes:?}");
    let change = changes.remove(0);
    assert_eq!(change.uri, URI);
    change.now.expect("a text").text
}

fn set_time(path: &Path, time: SystemTime) {
    let file = File::options().write(true).open(path).expect("a file");
    file.set_modified(time).expect("a time");
}

#[test]
fn a_change_is_told_once_with_its_text_and_digest() {
    let home = directory(&["a.toml", "b.toml"]);
    let path = home.path().join("a.toml");
    let files = serve(home.path());
    files.open(URI).expect("a file");
    files.open("served:/b.toml").expect("a file");
    assert!(settled(&files).is_empty());
    for new in ["new", "newer", "", "newer"] {
        fs::write(&path, new).expect("a file");
        let changes = settled(&files);
        let now = serve(home.path()).open(URI).expect("a file");
        assert_eq!(now.text, new);
        let uri = URI.to_owned();
        assert_eq!(changes, [FileChange { uri, now: Ok(now) }]);
    }
    files.close(URI);
    fs::write(&path, "unseen").expect("a file");
    assert!(settled(&files).is_empty());
}

#[test]
fn what_a_page_saves_is_news_to_the_others_alone() {
    let home = directory(&["a.toml"]);
    let files = Arc::new(Files::new(home.path(), save).expect("a directory"));
    let [one, other] = [(); 2].map(|()| OpenFiles::new(Arc::clone(&files)));
    let digest = one.open(URI).expect("a file").digest;
    other.open(URI).expect("a file");
    let digest = one.save(URI, "by one", &digest).expect("it is saved");
    assert!(settled(&one).is_empty());
    assert_eq!(told(&other), "by one");
    other
        .save(URI, "by the other", &digest)
        .expect("it is saved");
    assert!(settled(&other).is_empty());
    assert_eq!(told(&one), "by the other");
}

#[test]
fn a_change_right_after_a_save_is_told() {
    let home = directory(&["a.toml"]);
    let files = serve(home.path());
    let digest = files.open(URI).expect("a file").digest;
    files.save(URI, "mine!!", &digest).expect("it is saved");
    fs::write(home.path().join("a.toml"), "theirs").expect("a file");
    assert_eq!(told(&files), "theirs");
}

#[test]
fn a_touch_is_no_change() {
    let home = directory(&["a.toml"]);
    let path = home.path().join("a.toml");
    let files = serve(home.path());
    files.open(URI).expect("a file");
    set_time(&path, SystemTime::now() - Duration::from_secs(1000));
    assert!(settled(&files).is_empty());
    fs::write(&path, "a.toml").expect("a file");
    assert!(settled(&files).is_empty());
}

#[test]
fn a_change_that_looks_the_same_is_told() {
    let home = directory(&["a.toml"]);
    let path = home.path().join("a.toml");
    let files = serve(home.path());
    // Within one tick of the file system's clock: the same length, time and file.
    let now = SystemTime::now();
    set_time(&path, now);
    files.open(URI).expect("a file");
    assert!(settled(&files).is_empty());
    fs::write(&path, "b.toml").expect("a file");
    set_time(&path, now);
    assert_eq!(told(&files), "b.toml");
}

#[cfg(unix)]
#[test]
fn a_file_that_is_renamed_over_another_is_told_whatever_its_time() {
    let home = directory(&["a.toml", "new"]);
    let (path, new) = (home.path().join("a.toml"), home.path().join("new"));
    let files = serve(home.path());
    let old = SystemTime::now() - Duration::from_secs(1000);
    set_time(&path, old);
    files.open(URI).expect("a file");
    fs::write(&new, "z.toml").expect("a file");
    set_time(&new, old);
    fs::rename(&new, &path).expect("a file");
    assert_eq!(told(&files), "z.toml");
}

#[test]
fn a_file_that_is_being_written_is_left_alone() {
    let home = directory(&["a.toml"]);
    let path = home.path().join("a.toml");
    let files = serve(home.path());
    files.open(URI).expect("a file");
    let mut text = String::new();
    for _ in 0..20 {
        text.push_str("a line\n");
        fs::write(&path, &text).expect("a file");
        assert!(files.changes().is_empty());
    }
    assert_eq!(told(&files), text);
}

#[test]
fn a_file_that_goes_and_comes_again_is_told() {
    let home = directory(&["a.toml"]);
    let path = home.path().join("a.toml");
    let files = serve(home.path());
    files.open(URI).expect("a file");
    fs::remove_file(&path).expect("it is there");
    let gone = settled(&files);
    assert!(matches!(
        &gone[..],
        [FileChange {
            now: Err(FileError::Missing { .. }),
            ..
        }]
    ));
    assert!(settled(&files).is_empty());
    fs::write(&path, b"\xff").expect("a file");
    // It can't be read, as before.
    assert!(settled(&files).is_empty());
    fs::write(&path, "a.toml").expect("a file");
    assert_eq!(told(&files), "a.toml");
    // Editors replace files: for a moment there is none.
    fs::remove_file(&path).expect("it is there");
    assert!(files.changes().is_empty());
    fs::write(&path, "a.toml").expect("a file");
    assert!(settled(&files).is_empty());
}

#[test]
fn pages_are_told_through_their_sockets() {
    let home = directory(&["a.toml"]);
    let files = Files::new(home.path(), save).expect("a directory");
    let often = Duration::from_millis(5);
    let server = Running::serving(files, |options| options.limits.look_every = often);
    let [mut one, mut other] = [(); 2].map(|()| server.socket());
    let found = ask(&mut one, &format!("open {URI}"));
    let digest = found.split(' ').next().expect("a digest").to_owned();
    assert_eq!(ask(&mut other, &format!("open {URI}")), found);
    let saved = ask(&mut one, &format!("save {URI} {digest} by one"));
    assert!(saved.starts_with("sha256:"), "{saved}");
    assert_eq!(text(&mut other), format!("changed {URI} by one"));
    fs::write(home.path().join("a.toml"), "from elsewhere").expect("a file");
    // The first thing that is told to the one who saved, too.
    for socket in [&mut one, &mut other] {
        assert_eq!(text(socket), format!("changed {URI} from elsewhere"));
    }
    let stale = ask(&mut one, &format!("save {URI} {saved} again"));
    assert!(stale.contains("has changed on the disk"), "{stale}");
}
