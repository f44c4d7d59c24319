//! All files below a directory, by name, to compare and to bring back.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The files: paths with `/`, and contents. Directories count as far as there is anything in them.
pub(super) type Tree = BTreeMap<String, Vec<u8>>;

/// The files that are there.
pub(super) fn tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    add(root, "", &mut tree);
    tree
}

fn add(directory: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            add(&path, &format!("{name}/"), tree);
        } else {
            tree.insert(name, fs::read(&path).unwrap_or_default());
        }
    }
}

/// Makes the files of a directory these, and no others.
pub(super) fn restore(root: &Path, files: &Tree) {
    for entry in fs::read_dir(root).expect("a directory") {
        let path = entry.expect("an entry").path();
        let removed = if path.is_dir() {
            fs::remove_dir_all(path)
        } else {
            fs::remove_file(path)
        };
        removed.expect("it can go");
    }
    for (name, bytes) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, bytes).expect("a file");
    }
}
