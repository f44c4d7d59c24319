//! Paths that have to stay in a directory, whoever wrote them and wherever links lead.

use std::ffi::OsString;
use std::path::Path;

/// Whether a path lies outside of a directory, by `..` or by links. What is not there yet lies where the nearest directory
/// above it does; a directory that can't be found holds nothing.
pub(crate) fn leads_out(directory: &Path, path: &Path) -> bool {
    let here = Path::new(".");
    let directory = Some(directory).filter(|path| *path != Path::new(""));
    let Ok(home) = directory.unwrap_or(here).canonicalize() else {
        return true;
    };
    let mut above = path;
    let mut below: Vec<OsString> = Vec::new();
    loop {
        let is_here = above == Path::new("");
        if let Ok(real) = (if is_here { here } else { above }).canonicalize() {
            return !below
                .iter()
                .rev()
                .fold(real, |path, name| path.join(name))
                .starts_with(&home);
        }
        // A link that leads nowhere may lead somewhere tomorrow; and below what is not there `..` leads nowhere.
        let (Some(name), false) = (above.file_name(), above.is_symlink()) else {
            return true;
        };
        below.push(name.to_owned());
        above = above.parent().unwrap_or(Path::new(""));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::leads_out;

    #[test]
    fn nothing_leads_out_by_dots() {
        let place = tempfile::tempdir().expect("a directory");
        let home = place.path().join("home");
        fs::create_dir_all(home.join("games")).expect("a directory");
        for (path, out) in [
            ("games", false),
            ("games/new/deep", false),
            ("games/..", false),
            ("games/../new", false),
            ("", false),
            ("..", true),
            ("../home", false),
            ("../other", true),
            ("new/../..", true),
            ("/", true),
            ("/proc/self/environ", true),
        ] {
            assert_eq!(leads_out(&home, &home.join(path)), out, "{path}");
        }
        assert!(leads_out(&home.join("new"), &home.join("new/x")));
    }

    #[cfg(unix)]
    #[test]
    fn nothing_leads_out_by_links() {
        use std::os::unix::fs::symlink;
        let place = tempfile::tempdir().expect("a directory");
        let home = place.path().join("home");
        fs::create_dir_all(home.join("games")).expect("a directory");
        for (link, to) in [("out", ".."), ("in", "games"), ("nowhere", "../new")] {
            symlink(to, home.join(link)).expect("a link");
        }
        assert!(leads_out(&home, &home.join("out")));
        assert!(leads_out(&home, &home.join("out/new")));
        assert!(!leads_out(&home, &home.join("in/new")));
        assert!(leads_out(&home, &home.join("nowhere")));
        assert!(leads_out(&home, &home.join("nowhere/new")));
        assert!(!leads_out(&home, &home.join("out/home/games")));
    }
}
