//! Files of another revision, `REV:PATH`, as the `git` program has them.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use oddsmith_rules::nearest;

use crate::Error;
use crate::error::reason;

/// The most bytes that are read of a file or a list of files. A ruleset has some tens of thousands.
const MOST: u64 = oddsmith_rules::MOST_BYTES;

/// A file of a revision; its path begins at the root of the repository, or with `./` at the current directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revision<'a> {
    /// Empty for what is staged.
    revision: &'a str,
    path: &'a str,
}

impl<'a> Revision<'a> {
    /// The parts of `REV:PATH`. None if it is a file by that name, begins with a drive as in `C:\x.toml`, or what
    /// follows the first `:` that is not between braces is no path.
    pub fn parse(text: &'a str) -> Option<Self> {
        let mut depth = 0_usize;
        let colon = text.char_indices().find_map(|(at, c)| {
            depth += usize::from(c == '{');
            depth = depth.saturating_sub(usize::from(c == '}'));
            (c == ':' && depth == 0).then_some(at)
        })?;
        let (revision, path) = (&text[..colon], &text[colon + 1..]);
        let is_drive = revision.len() == 1
            && revision.starts_with(|c: char| c.is_ascii_alphabetic())
            && path.starts_with(['/', '\\']);
        let is_path = path.contains(['/', '.']);
        (is_path && !is_drive && !Path::new(text).is_file()).then_some(Self { revision, path })
    }

    /// The path in that revision.
    pub fn path(self) -> &'a Path {
        Path::new(self.path)
    }

    /// The bytes of the file.
    pub fn read(self) -> Result<Vec<u8>, Error> {
        let Self { revision, path } = self;
        // Such names would be options, and git has no revisions that are called so.
        if revision.starts_with('-') {
            let message = format!("`{revision}` is no revision: none begins with `-`");
            return Err(Error::advice(message, self.other_ways()));
        }
        let is_repository = git(&["rev-parse", "--git-dir"], || self.words())?;
        if let Err(why) = is_repository {
            let message = format!("can't read `{}`: {why}", self.words());
            return Err(Error::advice(message, self.other_ways()));
        }
        let tree = self.tree()?;
        match git(&["cat-file", "blob", &format!("{tree}:{path}")], || {
            self.words()
        })? {
            Ok(bytes) => Ok(bytes),
            Err(_) => Err(self.no_file(&tree)),
        }
    }

    /// As typed.
    fn words(self) -> String {
        format!("{}:{}", self.revision, self.path)
    }

    /// What was perhaps meant, if not a revision.
    fn other_ways(self) -> String {
        let (words, path) = (self.words(), self.path);
        format!(
            "there is no file `{words}`, so it is the file `{path}` of a revision; give a path, or run this in its repository"
        )
    }

    /// The name of the revision's tree, which holds no characters of the user's; empty for what is staged.
    fn tree(self) -> Result<String, Error> {
        if self.revision.is_empty() {
            return Ok(String::new());
        }
        let wanted = format!("{}^{{tree}}", self.revision);
        let found = git(&["rev-parse", "--verify", "--quiet", &wanted], || {
            self.words()
        })?;
        match found.map(|name| String::from_utf8_lossy(&name).trim().to_owned()) {
            Ok(name) if name.chars().all(|c| c.is_ascii_hexdigit()) && !name.is_empty() => Ok(name),
            _ => Err(self.no_revision()),
        }
    }

    fn no_revision(self) -> Error {
        let Self { revision, path } = self;
        let format = "--format=%(refname:short)";
        let names = self.lines(&[
            "for-each-ref",
            format,
            "refs/heads",
            "refs/tags",
            "refs/remotes",
        ]);
        let names = names.iter().map(String::as_str).chain(["HEAD"]);
        let help = match nearest(revision, names) {
            Some(near) => format!("did you mean `{near}:{path}`?"),
            None => format!(
                "revisions are names such as `HEAD~1`, `main` or `v1.2`, or hashes; `git log --oneline -- {path}` lists them"
            ),
        };
        Error::advice(format!("git knows no revision `{revision}`"), help)
    }

    fn no_file(self, tree: &str) -> Error {
        let Self { revision, path } = self;
        let place = match revision {
            "" => "what is staged".to_owned(),
            revision => format!("`{revision}`"),
        };
        let is_here = |path: &str| {
            let kind = git(&["cat-file", "-t", &format!("{tree}:{path}")], || {
                self.words()
            });
            kind.ok()?.ok().map(|kind| kind.starts_with(b"blob"))
        };
        if is_here(path) == Some(false) {
            let message = format!("`{path}` is a directory in {place}");
            return Error::advice(
                message,
                format!("name a file in it: `{revision}:{path}/….toml`"),
            );
        }
        let own = format!("./{path}");
        let help = if is_here(&own) == Some(true) {
            format!(
                "did you mean `{revision}:{own}`? A path after a revision begins at the repository's root"
            )
        } else if let Some(near) = self.near_file(tree) {
            format!("did you mean `{revision}:{near}`?")
        } else {
            format!("`git log --oneline -- {path}` lists the revisions that change it")
        };
        Error::advice(format!("there is no file `{path}` in {place}"), help)
    }

    /// A file of the revision with the same name elsewhere, or with nearly the same path.
    fn near_file(self, tree: &str) -> Option<String> {
        let files = match tree {
            "" => self.lines(&["ls-files", "--full-name", ":/"]),
            tree => self.lines(&["ls-tree", "-r", "--full-tree", "--name-only", tree]),
        };
        let wanted = self.path().file_name();
        let mut same = files
            .iter()
            .filter(|file| Path::new(file).file_name() == wanted);
        if let (Some(one), None) = (same.next(), same.next()) {
            return Some(one.clone());
        }
        let rulesets = files.iter().filter(|file| file.ends_with(".toml"));
        nearest(self.path, rulesets.map(String::as_str)).map(str::to_owned)
    }

    /// The lines that a command prints; none if it fails.
    fn lines(self, arguments: &[&str]) -> Vec<String> {
        let bytes = git(arguments, || self.words())
            .ok()
            .and_then(std::result::Result::ok);
        let text = String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

/// What git prints, or the first line of why it can't; arguments go to it as they are, through no shell.
fn git(arguments: &[&str], what: impl Fn() -> String) -> Result<Result<Vec<u8>, String>, Error> {
    let failed = |error: &std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::advice(
            format!("can't read `{}`: there is no program `git`", what()),
            "files of other revisions are read through git: install it, or give the path of a file",
        ),
        _ => Error::advice(format!("can't run `git`: {}", reason(error)), ""),
    };
    let mut command = Command::new("git");
    command.arg("--no-pager").args(arguments);
    command.env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(&error))?;
    let mut bytes = Vec::new();
    let output = child.stdout.take().expect("it is piped");
    output
        .take(MOST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(&error))?;
    if bytes.len() as u64 > MOST {
        let _ = child.kill();
        let _ = child.wait();
        let message = format!("`{}` is larger than {} MB", what(), MOST >> 20);
        return Err(Error::advice(
            message,
            "a ruleset is a text of some kilobytes",
        ));
    }
    let rest = child.wait_with_output().map_err(|error| failed(&error))?;
    if rest.status.success() {
        return Ok(Ok(bytes));
    }
    let said = String::from_utf8_lossy(&rest.stderr);
    let said = said.lines().next().unwrap_or_default();
    Ok(Err(said.strip_prefix("fatal: ").unwrap_or(said).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::Revision;

    #[test]
    fn revisions_end_at_the_first_colon_outside_of_braces() {
        let parts = |text| Revision::parse(text).map(|found| (found.revision, found.path));
        assert_eq!(
            parts("HEAD~3:rules/d20.toml"),
            Some(("HEAD~3", "rules/d20.toml"))
        );
        assert_eq!(parts("HEAD:./d20.toml"), Some(("HEAD", "./d20.toml")));
        assert_eq!(parts(":d20.toml"), Some(("", "d20.toml")));
        assert_eq!(
            parts("HEAD^{/fix: it}:a.toml"),
            Some(("HEAD^{/fix: it}", "a.toml"))
        );
        assert_eq!(
            parts("main@{2 days ago}:a.toml"),
            Some(("main@{2 days ago}", "a.toml"))
        );
        assert_eq!(parts("-x:a.toml"), Some(("-x", "a.toml")));
        for path in [
            r"C:\x.toml",
            "C:/x.toml",
            "d20.toml",
            "stars-and-signs",
            ":test",
            "HEAD:",
        ] {
            assert_eq!(parts(path), None, "{path}");
        }
    }
}
