//! Finds the rulesets that come along: in a package beside the sources, in the repository at its top. The link
//! `rulesets` is what `cargo package` follows; a checkout without symbolic links has a file in its place. The games of
//! the shelf are listed from its folders, one for each family.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let mut places = ["rulesets", "../../rulesets"]
        .map(|place| Path::new(&root).join(place))
        .into_iter();
    let found = places.find(|place| place.join("stars-and-signs.toml").is_file());
    let found = found.expect("a package has its rulesets");
    let shelf = found.join("shelf");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("shelf.rs"), listed(&shelf)).expect("it can be written");
    println!("cargo::rustc-env=ODDSMITH_RULESETS={}", found.display());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", shelf.display());
}

/// The games of the shelf as Rust source: a list of `KnownGame`, by family and then by name.
fn listed(shelf: &Path) -> String {
    let mut list = "&[\n".to_owned();
    for family in entries(shelf) {
        for game in entries(&family) {
            let [family, name] = [family.file_name(), game.file_stem()]
                .map(|name| name.and_then(|name| name.to_str()).expect("a plain name"));
            let path = game.to_str().expect("a plain path");
            writeln!(
                list,
                "KnownGame {{ family: {family:?}, name: {name:?}, text: include_str!({path:?}) }},"
            )
            .expect("a string takes all");
        }
    }
    list + "]"
}

/// What lies in a directory, by name.
fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("the shelf has a folder for each family");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
    paths
}
