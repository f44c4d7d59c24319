//! Finds the rulesets that ship: in a package beside the sources, in the repository at its top. The link `rulesets` is
//! what `cargo package` follows; a checkout without symbolic links has a file in its place.

use std::env;
use std::path::Path;

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let mut places = ["rulesets", "../../rulesets"]
        .map(|place| Path::new(&root).join(place))
        .into_iter();
    let found = places.find(|place| place.join("stars-and-signs.toml").is_file());
    let found = found.expect("a package has its rulesets");
    println!("cargo::rustc-env=ODDSMITH_RULESETS={}", found.display());
    println!("cargo::rerun-if-changed=build.rs");
}
