//! The modules of a crate: their files, and which of them a file names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use syn::visit::{self, Visit};

use crate::files::collect;

/// The name of a module as the parts of its path from the crate's root, which is empty.
pub type Name = Vec<String>;

/// The files of a crate's library or program that belong to a module, with the modules that each of them names.
#[derive(Debug, Default)]
pub struct Modules {
    /// By name: the names of other modules in its file.
    pub found: BTreeMap<Name, BTreeSet<Name>>,
}

impl Modules {
    /// Reads a root file, such as `lib.rs`, and all modules that it declares, directly or not. Modules inside a file belong
    /// to the file, and those for tests are left out.
    ///
    /// # Errors
    /// If a file can't be read or is no Rust.
    pub fn read(root: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        read_module(root, &Name::new(), true, &mut files)?;
        let names: BTreeSet<Name> = files.keys().cloned().collect();
        let found = files.iter().map(|(name, (_, file))| {
            let mut paths = Paths {
                own: name,
                names: &names,
                found: BTreeSet::new(),
            };
            paths.visit_file(file);
            (name.clone(), paths.found)
        });
        Ok(Self {
            found: found.collect(),
        })
    }
}

/// Files by module, each with its syntax.
type Files = BTreeMap<Name, (PathBuf, syn::File)>;

fn read_module(path: &Path, name: &Name, is_root: bool, files: &mut Files) -> Result<()> {
    let text =
        fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    let file = syn::parse_file(&text).with_context(|| format!("{}", path.display()))?;
    let stem = path.file_stem().unwrap_or_default();
    let parent = path.parent().unwrap_or(Path::new(""));
    let below = if is_root || stem == "mod" {
        parent.to_owned()
    } else {
        parent.join(stem)
    };
    for item in &file.items {
        if let syn::Item::Mod(module) = item
            && module.content.is_none()
        {
            let word = module.ident.to_string();
            let own = below.join(format!("{word}.rs"));
            let path = match elsewhere(&module.attrs) {
                Some(place) => parent.join(place),
                None if own.is_file() => own,
                None => below.join(&word).join("mod.rs"),
            };
            let name: Name = name.iter().cloned().chain([word]).collect();
            read_module(&path, &name, false, files)?;
        }
    }
    files.insert(name.clone(), (path.to_owned(), file));
    Ok(())
}

/// The file that `#[path = "…"]` gives to a module.
fn elsewhere(attributes: &[syn::Attribute]) -> Option<String> {
    attributes
        .iter()
        .find_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(place),
                    ..
                }) => Some(place.value()),
                _ => None,
            },
            _ => None,
        })
}

/// Looks for the modules that a file names.
struct Paths<'n> {
    own: &'n Name,
    names: &'n BTreeSet<Name>,
    found: BTreeSet<Name>,
}

impl Paths<'_> {
    /// Notes the module in which a path ends, if it is another one of this crate.
    fn note(&mut self, path: &[String]) {
        let Some(first) = path.first() else { return };
        let (mut name, rest) = match first.as_str() {
            "crate" => (Name::new(), &path[1..]),
            "self" => (self.own.clone(), &path[1..]),
            "super" => {
                let ups = path.iter().take_while(|part| *part == "super").count();
                let kept = self.own.len().saturating_sub(ups);
                (self.own[..kept].to_vec(), &path[ups..])
            }
            // A module that is declared here.
            child => {
                let child: Name = self.own.iter().cloned().chain([child.to_owned()]).collect();
                if !self.names.contains(&child) {
                    return;
                }
                (self.own.clone(), path)
            }
        };
        for part in rest {
            let next: Name = name.iter().cloned().chain([part.clone()]).collect();
            if !self.names.contains(&next) {
                break;
            }
            name = next;
        }
        if name != *self.own {
            self.found.insert(name);
        }
    }

    fn tree(&mut self, before: &[String], tree: &syn::UseTree) {
        let with = |word: String| -> Vec<String> { before.iter().cloned().chain([word]).collect() };
        match tree {
            syn::UseTree::Path(path) => self.tree(&with(path.ident.to_string()), &path.tree),
            syn::UseTree::Name(name) => self.note(&with(name.ident.to_string())),
            syn::UseTree::Rename(name) => self.note(&with(name.ident.to_string())),
            syn::UseTree::Glob(_) => self.note(before),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.tree(before, item));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts = path.segments.iter().map(|part| part.ident.to_string());
        let parts: Vec<String> = parts.collect();
        // A single word is a local name, or one that `use` has brought.
        if parts.len() > 1 {
            self.note(&parts);
        }
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        is_cfg
            && attribute
                .parse_args::<syn::Ident>()
                .is_ok_and(|word| word == "test")
    })
}

/// Rust files of the crates below `root` that no other file declares as a module: sources, tests, benchmarks and examples.
///
/// # Errors
/// If a file can't be read or is no Rust.
pub fn orphans(root: &Path) -> Result<Vec<String>> {
    let mut homes = vec![
        root.join("benches"),
        root.join("mutants"),
        root.join("xtask"),
    ];
    for entry in fs::read_dir(root.join("crates"))? {
        homes.push(entry?.path());
    }
    let mut wrong = Vec::new();
    for home in homes {
        let mut all = BTreeSet::new();
        let mut declared = BTreeSet::new();
        for folder in ["src", "tests", "benches", "examples"] {
            let folder = home.join(folder);
            collect(&folder, "rs", &mut all)?;
            for root in roots(&folder)? {
                let mut files = Files::new();
                read_module(&root, &Name::new(), true, &mut files)?;
                declared.extend(files.into_values().map(|(path, _)| path));
            }
        }
        let stray = all.difference(&declared).map(|path| {
            let path = path.strip_prefix(root).unwrap_or(path);
            format!("{} is part of no module", path.display())
        });
        wrong.extend(stray);
    }
    wrong.sort();
    Ok(wrong)
}

/// The files that cargo begins with: `lib.rs` and `main.rs` of sources; of tests and the like every file that lies at the
/// top, and every `main.rs` one folder down.
fn roots(folder: &Path) -> Result<Vec<PathBuf>> {
    let is_source = folder.ends_with("src");
    let mut roots = Vec::new();
    if !folder.is_dir() {
        return Ok(roots);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_owned();
        let is_root = match is_source {
            true => name == "lib.rs" || name == "main.rs",
            false => path.extension().is_some_and(|end| end == "rs"),
        };
        roots.extend(is_root.then(|| path.clone()));
        let main = path.join("main.rs");
        roots.extend(main.is_file().then_some(main));
    }
    Ok(roots)
}
