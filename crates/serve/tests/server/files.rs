//! Which rulesets are listed, and what of them is opened.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use oddsmith_serve::{FileError, Files, OpenFiles};
use tempfile::TempDir;

use crate::support::{Running, ask, save};

/// A directory with files, each with its own path as its text.
pub(crate) fn directory(paths: &[&str]) -> TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for path in paths {
        let file = directory.path().join(path);
        fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
        fs::write(file, path).expect("a file");
    }
    directory
}

pub(crate) fn serve(path: &Path) -> OpenFiles {
    let files = Files::new(path, save).expect("it is there");
    OpenFiles::new(Arc::new(files))
}

fn names(files: &OpenFiles) -> Vec<String> {
    let listing = files.list();
    assert_eq!(listing.left_out, [""; 0]);
    listing.files.into_iter().map(|file| file.name).collect()
}

#[test]
fn rulesets_are_listed_by_name_and_can_be_opened() {
    let home = directory(&[
        "b.toml",
        "a/z.toml",
        "a/deep/er/high noon.toml",
        "100%.toml",
        "oddsmith.toml",
        "a/oddsmith.toml",
        "notes.txt",
        "toml",
        ".toml",
        ".hidden.toml",
        ".git/config.toml",
        "a.TOML",
        "b.toml.bak",
    ]);
    let files = serve(home.path());
    let expected = [
        "100%.toml",
        "a/deep/er/high noon.toml",
        "a/z.toml",
        "b.toml",
    ];
    assert_eq!(names(&files), expected);
    for file in files.list().files {
        assert_eq!(files.open(&file.uri).expect("a ruleset").text, file.name);
        assert!(file.modified.is_some());
    }
}

#[test]
fn one_file_is_served_without_its_neighbours() {
    let home = directory(&["one.toml", "other.toml", "deep/one.toml"]);
    let files = serve(&home.path().join("one.toml"));
    assert_eq!(names(&files), ["one.toml"]);
    assert_eq!(
        files.open("served:/one.toml").expect("it is there").text,
        "one.toml"
    );
    for other in ["served:/other.toml", "served:/deep/one.toml"] {
        assert!(
            matches!(files.open(other), Err(FileError::Missing { .. })),
            "{other}"
        );
    }
}

#[test]
fn what_is_no_ruleset_is_not_served() {
    let home = directory(&["notes.txt"]);
    assert!(Files::new(&home.path().join("notes.txt"), save).is_err());
    assert!(Files::new(&home.path().join("missing.toml"), save).is_err());
    let none = OpenFiles::new(Arc::new(Files::none()));
    assert!(none.list().files.is_empty());
    assert!(matches!(
        none.open("served:/a.toml"),
        Err(FileError::Missing { .. })
    ));
}

#[test]
fn what_a_list_lacks_is_told() {
    let deepest = "1/2/3/4/5/6/7/8/in.toml";
    let home = directory(&[deepest, "1/2/3/4/5/6/7/8/9/out.toml"]);
    let listing = serve(home.path()).list();
    assert_eq!(listing.files.len(), 1);
    assert_eq!(listing.files[0].name, deepest);
    assert_eq!(
        listing.left_out,
        ["`1/2/3/4/5/6/7/8/9` is left out: it is too deep"]
    );
}

#[test]
fn a_list_has_an_end() {
    let home = directory(&[]);
    for at in 0..1100 {
        fs::write(home.path().join(format!("{at:04}.toml")), "").expect("a file");
    }
    let listing = serve(home.path()).list();
    assert_eq!(listing.files.len(), 1000);
    assert_eq!(listing.files[999].name, "0999.toml");
    assert_eq!(listing.left_out.len(), 20);
    assert!(listing.left_out[0].contains("`1000.toml` is left out: no more than 1000"));
    assert_eq!(listing.left_out[19], "more is left out");
}

#[cfg(unix)]
#[test]
fn names_that_lead_elsewhere_on_some_system_are_told() {
    let home = directory(&["C:\\x.toml", "a:b.toml", "new\nline.toml", "good.toml"]);
    let listing = serve(home.path()).list();
    assert_eq!(listing.files.len(), 1);
    assert_eq!(listing.left_out.len(), 3);
    assert!(listing.left_out.iter().all(|why| !why.contains('\n')));
}

#[test]
fn a_file_has_its_digest() {
    let home = directory(&["a.toml"]);
    let path = home.path().join("a.toml");
    let files = serve(home.path());
    // printf 'abc' | sha256sum, and of nothing; a byte order mark and ends of lines are part of a text.
    for (text, digest) in [
        (
            "abc",
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ),
        (
            "",
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ),
    ] {
        fs::write(&path, text).expect("a file");
        let found = files.open("served:/a.toml").expect("a text");
        assert_eq!((found.text.as_str(), found.digest.as_str()), (text, digest));
    }
    fs::write(&path, "\u{feff}a\r\nb\r").expect("a file");
    let found = files.open("served:/a.toml").expect("a text");
    assert_eq!(found.text, "\u{feff}a\r\nb\r");
}

#[test]
fn a_file_has_a_limit_to_the_byte() {
    let home = directory(&[]);
    let path = home.path().join("a.toml");
    let files = serve(home.path());
    fs::write(&path, "x".repeat(4 << 20)).expect("a file");
    let found = files.open("served:/a.toml").expect("it just fits");
    assert_eq!(found.text.len(), 4 << 20);
    let longer = "x".repeat((4 << 20) + 1);
    let error = files.save("served:/a.toml", &longer, &found.digest);
    assert!(matches!(error, Err(FileError::TooLong { .. })));
    fs::write(&path, longer).expect("a file");
    let error = files.open("served:/a.toml").expect_err("it is too long");
    assert_eq!(error.to_string(), "`served:/a.toml` has more than 4 MB");
}

#[test]
fn what_is_no_text_is_told_with_its_place() {
    let home = directory(&[]);
    let path = home.path().join("a.toml");
    let files = serve(home.path());
    for (bytes, why) in [
        (&b"a\nb\nc\xff"[..], "line 3 has the byte 0xff"),
        (b"\xe2\x82", "line 1 has the byte 0xe2"),
        (b"\xff\xfea\0", "it is UTF-16"),
        (b"\xfe\xff\0a", "it is UTF-16"),
    ] {
        fs::write(&path, bytes).expect("a file");
        let error = files.open("served:/a.toml").expect_err("no text");
        assert_eq!(
            error.to_string(),
            format!("`served:/a.toml` is not UTF-8: {why}")
        );
        assert!(error.help().contains("UTF-8"));
    }
}

#[test]
fn one_page_has_so_many_files_open() {
    let names: Vec<String> = (0..65).map(|at| format!("{at}.toml")).collect();
    let home = directory(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let files = serve(home.path());
    for at in 0..64 {
        files
            .open(&format!("served:/{at}.toml"))
            .expect("there is room");
    }
    let error = files.open("served:/64.toml").expect_err("there is no room");
    assert_eq!(error, FileError::TooMany { most: 64 });
    files.open("served:/63.toml").expect("it is open already");
    files.close("served:/63.toml");
    files.open("served:/64.toml").expect("there is room again");
}

#[test]
fn a_page_opens_files_through_its_socket() {
    let home = directory(&["games/coin.toml"]);
    let files = Files::new(home.path(), save).expect("a directory");
    let server = Running::serving(files, |_| {});
    let mut socket = server.socket();
    let found = ask(&mut socket, "open served:/games/coin.toml");
    assert!(found.starts_with("sha256:") && found.ends_with(" games/coin.toml"));
    let refused = ask(&mut socket, "open served:/../coin.toml");
    assert!(refused.contains("is not the URI of a ruleset"), "{refused}");
}
