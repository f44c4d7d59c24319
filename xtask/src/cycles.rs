//! Modules that know each other in a circle.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;

use crate::modules::{Modules, Name};

/// The most modules of each crate that may know each other in a circle, directly or through others. These numbers only
/// ever go down: where a circle has become smaller, the number must, too.
pub const MOST: [(&str, usize); 16] = [
    ("diagnostics", 1),
    ("numbers", 1),
    ("dist", 2),
    ("anydice", 1),
    ("rules", 2),
    ("exact", 1),
    ("simulate", 2),
    ("analysis", 2),
    ("report", 1),
    ("oddsmith", 1),
    ("session", 1),
    ("protocol", 1),
    ("serve", 1),
    ("cli", 2),
    ("python", 1),
    ("testkit", 2),
];

/// Says so if the longest circle of a crate's modules is not as long as it may be, and of which modules it is made.
///
/// # Errors
/// As [`Modules::read`].
pub fn too_long(home: &Path, name: &str, most: usize) -> Result<Option<String>> {
    let source = home.join("src");
    let library = source.join("lib.rs");
    let root = match library.is_file() {
        true => library,
        false => source.join("main.rs"),
    };
    let circle = longest(&Modules::read(&root)?);
    let len = circle.len().max(1);
    let names: Vec<String> = circle.iter().map(shown).collect();
    Ok(match len.cmp(&most) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(format!(
            "crates/{name}: {len} modules know each other in a circle, where {most} may: {}",
            names.join(", ")
        )),
        std::cmp::Ordering::Less => Some(format!(
            "crates/{name}: its longest circle of modules is of {len} now, not {most}: lower the number in xtask/src/cycles.rs"
        )),
    })
}

fn shown(name: &Name) -> String {
    match name.is_empty() {
        true => "the root".to_owned(),
        false => name.join("::"),
    }
}

/// The largest set of modules each of which leads to every other; of several the first by name. Empty if there is no
/// module but the root, of one module if there is no circle. What the root declares and gives to others is no circle.
#[must_use]
pub fn longest(modules: &Modules) -> BTreeSet<Name> {
    let names: Vec<&Name> = modules
        .found
        .keys()
        .filter(|name| !name.is_empty())
        .collect();
    let reached: Vec<BTreeSet<&Name>> = names.iter().map(|name| reach(modules, name)).collect();
    let mut longest = BTreeSet::new();
    for (at, name) in names.iter().enumerate() {
        let back = |(other, from): &(&&Name, &BTreeSet<&Name>)| {
            *other == name || (reached[at].contains(**other) && from.contains(*name))
        };
        let circle = names.iter().zip(&reached).filter(back);
        let circle: BTreeSet<Name> = circle.map(|(other, _)| (*other).clone()).collect();
        if circle.len() > longest.len() {
            longest = circle;
        }
    }
    longest
}

/// Every module that one leads to.
fn reach<'m>(modules: &'m Modules, from: &Name) -> BTreeSet<&'m Name> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Name> = modules.found[from].iter().collect();
    while let Some(next) = open.pop() {
        if next.is_empty() {
            continue;
        }
        let (next, more) = modules.found.get_key_value(next).expect("it was read");
        if reached.insert(next) {
            open.extend(more);
        }
    }
    reached
}
