//! The checks of the source, on this source, and on small ones in which something is wrong.

use std::fs;
use std::path::Path;

use xtask::{book, crates, cycles, documents, licences, modules, snapshots, systems};

/// Files below a directory of their own.
fn place(files: &[(&str, &str)]) -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a temporary directory");
    for (path, text) in files {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().expect("a file has a directory")).expect("it is made");
        fs::write(path, text).expect("a file can be written");
    }
    place
}

#[test]
fn this_source_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("a workspace");
    let wrong = xtask::tidy(root).expect("it can be read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_arrow_to_the_right_is_found() {
    let manifest = |known: &str| {
        format!("[dependencies]\n{known}\n[dev-dependencies]\noddsmith-cli = \"1\"\n")
    };
    let place = place(&[
        (
            "crates/dist/Cargo.toml",
            &manifest("oddsmith-rules.workspace = true"),
        ),
        (
            "crates/exact/Cargo.toml",
            &manifest("oddsmith-dist.workspace = true"),
        ),
        ("crates/new/Cargo.toml", &manifest("")),
    ]);
    let wrong = crates::wrong_arrows(place.path()).expect("it can be read");
    let about = |text: &str| wrong.iter().any(|sentence| sentence.starts_with(text));
    assert!(about("crates/dist knows crates/rules"), "{wrong:?}");
    assert!(about("crates/new has no place"), "{wrong:?}");
    assert!(about("there is no crates/cli"), "{wrong:?}");
    assert!(!about("crates/exact knows"), "{wrong:?}");
}

/// A circle of three through every way in which a module can be named; a fourth that only looks on.
const CIRCLE: [(&str, &str); 6] = [
    (
        "home/src/lib.rs",
        "mod first;\nmod third;\nmod aside;\npub use first::inner::Inner;\n",
    ),
    (
        "home/src/first/mod.rs",
        "pub mod inner;\nuse inner::{Inner, self as again};\n",
    ),
    (
        "home/src/first/inner.rs",
        "pub struct Inner;\nfn go() { crate::third::go() }\n#[cfg(test)]\nmod tests { use crate::aside::Look; }\n",
    ),
    (
        "home/src/third.rs",
        "pub fn go() -> super::first::inner::Inner { todo!() }\n",
    ),
    (
        "home/src/aside.rs",
        "use crate::{first::{inner::*}, third};\npub struct Look;\n",
    ),
    ("home/src/stray.rs", ""),
];

#[test]
fn a_circle_of_modules_is_found_and_has_a_number() {
    let place = place(&CIRCLE);
    let modules = modules::Modules::read(&place.path().join("home/src/lib.rs")).expect("Rust");
    let circle: Vec<String> = cycles::longest(&modules)
        .iter()
        .map(|name| name.join("::"))
        .collect();
    assert_eq!(circle, ["first::inner", "third"]);
    let said = |most| cycles::too_long(&place.path().join("home"), "home", most).expect("Rust");
    assert_eq!(said(2), None);
    assert!(
        said(1).is_some_and(|text| text.contains("in a circle, where 1 may: first::inner, third"))
    );
    assert!(said(3).is_some_and(|text| text.contains("lower the number")));
}

#[test]
fn a_file_that_nobody_declares_is_found() {
    let place = place(&CIRCLE);
    fs::rename(place.path().join("home"), place.path().join("benches")).expect("it is moved");
    for (path, text) in [
        ("crates/one/src/main.rs", "mod a;"),
        ("crates/one/src/a.rs", ""),
        ("crates/one/tests/it/main.rs", "mod used;"),
        ("crates/one/tests/it/used.rs", ""),
        ("crates/one/tests/it/lost.rs", ""),
        (
            "crates/one/tests/alone.rs",
            "#[path = \"it/used.rs\"]\nmod used;",
        ),
    ] {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("it is made");
        fs::write(path, text).expect("a file can be written");
    }
    let wrong = modules::orphans(place.path()).expect("it can be read");
    assert_eq!(
        wrong,
        [
            "benches/src/stray.rs is part of no module",
            "crates/one/tests/it/lost.rs is part of no module"
        ]
    );
}

#[test]
fn a_lost_path_is_found() {
    let tour = "`crates/one/src/a.rs`, `a.rs`, `gone.rs`, `a` / `b`\n```\n`no.rs`\n```\n";
    let place = place(&[
        ("ARCHITECTURE.md", tour),
        ("crates/one/README.md", "`{a,lost}.rs`, `src/`, `d{1,2}`"),
        ("crates/one/src/a.rs", ""),
    ]);
    let wrong = documents::lost_paths(place.path()).expect("it can be read");
    assert_eq!(
        wrong,
        [
            "ARCHITECTURE.md names `gone.rs`, which is not there",
            "crates/one/README.md names `lost.rs`, which is not there"
        ]
    );
}

#[test]
fn a_dead_link_is_found() {
    let readme = "# A `b` title\n[a](docs/a.md#two-words) [b](docs/b.md) [c](#a-b-title) [d](#no)\n\
        `[e](e.md)` [f](https://example.org/f) [g](docs/a.md#one)\n```\n[h](h.md)\n# No title\n```\n";
    let place = place(&[
        ("README.md", readme),
        (
            "docs/a.md",
            "## Two words\n[up](../README.md) [lost](README.md)\n",
        ),
    ]);
    let wrong = documents::dead_links(place.path()).expect("it can be read");
    assert_eq!(
        wrong,
        [
            "README.md links to `docs/b.md`, which is not there",
            "README.md links to `#no`, which is not there",
            "README.md links to `docs/a.md#one`, which is not there",
            "docs/a.md links to `README.md`, which is not there",
        ]
    );
}

#[test]
fn a_page_that_the_book_leaves_out_is_found() {
    let summary = "[first](../README.md)\n- [a](a.md)\n- [again](a.md)\n";
    let place = place(&[
        ("docs/SUMMARY.md", summary),
        (
            "docs/a.md",
            "[out](../OUT.md#x) [web](https://example.org/b.md) [in](../README.md) [rules](../own.toml)\n",
        ),
        ("docs/how/b.md", ""),
        ("README.md", "[a](docs/a.md) [picture](docs/a.svg)\n"),
        ("OUT.md", ""),
    ]);
    let wrong = book::left_out(place.path()).expect("it can be read");
    assert_eq!(
        wrong,
        [
            "docs/SUMMARY.md lists docs/a.md twice",
            "docs/SUMMARY.md does not list docs/how/b.md",
            "docs/a.md links to OUT.md, which docs/SUMMARY.md does not list",
            "docs/a.md links to own.toml, which the book leaves out",
        ]
    );
}

#[test]
fn a_page_of_the_book_that_leads_nowhere_is_found() {
    let page = "<a href=\"docs/a.html#one\"></a> <a href=\"docs/a.html#two\"></a> <img src=\"a.svg\"> <a href=\"docs\"></a>\
        <a href=\"https://example.org/a.html\"></a> <a href=\"#own\"></a> <a href=\"#own?pool=7\"></a> <a href=\"#other?pool=7\"></a> <p id=\"own\">";
    let place = place(&[
        ("index.html", page),
        (
            "docs/a.html",
            "<h2 id=\"one\"></h2> <a href=\"../index.html\"></a>",
        ),
    ]);
    let wrong = book::dead_ends(place.path()).expect("it can be read");
    assert_eq!(
        wrong,
        [
            "index.html links to `#other?pool=7`, which is not there",
            "index.html links to `a.svg`, which is not there",
            "index.html links to `docs/a.html#two`, which is not there",
            "index.html links to `docs`, which is not there",
        ]
    );
    assert!(book::dead_ends(&place.path().join("nothing")).is_err());
}

#[test]
fn a_licence_that_is_not_allowed_is_found() {
    let allowed = licences::allowed("[licenses]\nallow = ['MIT', 'Zlib']").expect("a list");
    for (licence, is_allowed) in [
        ("\"MIT\"", true),
        ("\"GPL-3.0 OR MIT\"", true),
        ("\"GPL-3.0/MIT\"", true),
        ("\"(MIT OR GPL-3.0) AND Zlib\"", true),
        ("\"MIT AND GPL-3.0\"", false),
        ("\"GPL-3.0 OR (MIT AND LGPL-2.1)\"", false),
        ("\"MIT-0\"", false),
        ("null", false),
    ] {
        let metadata = format!(r#"{{"packages": [{{"name": "dice", "license": {licence}}}]}}"#);
        let wrong = licences::refused_of(&metadata, &allowed).expect("an answer of cargo");
        assert_eq!(wrong.is_empty(), is_allowed, "{licence}: {wrong:?}");
    }
    assert!(licences::refused_of("{}", &allowed).is_err());
    assert!(licences::allowed("[bans]").is_err());
}

#[test]
fn a_snapshot_without_a_test_is_found() {
    let place = place(&[
        ("crates/one/tests/snapshots/it__used.snap", ""),
        ("crates/one/tests/snapshots/it__lost.snap", ""),
        ("references", ""),
    ]);
    let used = place
        .path()
        .join("crates/one/tests/snapshots/it__used.snap");
    let references = place.path().join("references");
    fs::write(&references, format!("{}\n", used.display())).expect("a file can be written");
    let wrong = snapshots::unused(place.path(), &references).expect("it can be read");
    assert_eq!(
        wrong,
        ["crates/one/tests/snapshots/it__lost.snap is looked at by no test"]
    );
}

#[test]
fn what_a_page_has_not_is_found_outside_of_tests() {
    let place = place(&[
        (
            "crates/exact/src/lib.rs",
            "// std::fs is named here\nuse std::fs::read;\n#[cfg(test)]\nmod tests { use std::thread; }\n",
        ),
        ("crates/serve/src/lib.rs", "use std::net::TcpListener;\n"),
    ]);
    let wrong = systems::missing_in_pages(place.path()).expect("it can be read");
    let only =
        "crates/exact/src/lib.rs:2 asks for `std::fs`, which a page without a server has not";
    assert_eq!(wrong, [only]);
}
