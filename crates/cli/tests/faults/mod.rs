//! Faults at every operation on files: what a command that writes leaves is all old or all new, whether an operation fails,
//! the process is killed, or a signal comes. The faults come from a library that is loaded before the C library.

mod mounts;
mod streams;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use oddsmith_testkit::directory::Directory;

use crate::support::{LANTERN, Place, Run, words};

/// The files: paths with `/`, and contents. Directories count as far as there is anything in them.
type Tree = BTreeMap<String, Vec<u8>>;

/// The files that are there.
fn tree(place: &Place) -> Tree {
    place.contents("").into_iter().collect()
}

/// Makes the files of a directory these, and no others.
fn restore(root: &Path, files: &Tree) {
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

/// A way in which an operation meets its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Fail,
    Kill,
    Int,
    Term,
}

impl How {
    const ALL: [Self; 4] = [Self::Fail, Self::Kill, Self::Int, Self::Term];

    fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Kill => "kill",
            Self::Int => "int",
            Self::Term => "term",
        }
    }
}

/// The library, compiled into a directory; none where nothing compiles C.
fn library(directory: &Directory) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/fault.c");
    let library = directory.path("fault.so");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library);
    let compiled = compiler.arg(source).arg("-ldl").status();
    if compiled.is_ok_and(|status| status.success()) {
        return Some(library);
    }
    #[expect(clippy::print_stderr, reason = "nobody would notice otherwise")]
    {
        eprintln!("SKIPPED: faults are not tried, since `cc` can't make a library");
    }
    None
}

/// A command in a directory, and what may be asked after it met a fault.
struct Scene<'s> {
    place: &'s Place,
    library: &'s Path,
    command: &'s str,
    /// What looks at the files next: it is to find all old or all new.
    reader: &'s str,
    old: Tree,
    new: Tree,
}

impl<'s> Scene<'s> {
    /// The files are the old ones now.
    fn new(place: &'s Place, library: &'s Path, command: &'s str, reader: &'s str) -> Self {
        let old = tree(place);
        let run = place.run(command);
        assert_eq!(run.status, Some(0), "{command}: {}", run.err);
        let new = tree(place);
        assert_ne!(old, new, "{command} writes nothing");
        Self {
            place,
            library,
            command,
            reader,
            old,
            new,
        }
    }

    /// The command with a fault at its `at`-th operation; none if it does not have as many.
    fn run(&self, how: How, at: usize) -> Option<Run> {
        restore(self.place.root(), &self.old);
        let mark = self.place.path("mark");
        let mut command = self.place.command();
        command
            .args(words(self.command))
            .env("LD_PRELOAD", self.library);
        command
            .env("FAULT_AT", at.to_string())
            .env("FAULT_HOW", how.name())
            .env("FAULT_MARK", &mark);
        let run = Run::of(command.output());
        let is_met = fs::remove_file(mark).is_ok();
        is_met.then_some(run)
    }

    /// Tries a fault at each operation; how many there are.
    fn try_all(&self, how: How) -> usize {
        for at in 1.. {
            let Some(run) = self.run(how, at) else {
                return at - 1;
            };
            let which = format!("{} {how:?} {at}: {}", self.command, run.err);
            self.is_sound(how, &run, &which);
        }
        unreachable!("a command ends")
    }

    fn is_sound(&self, how: How, run: &Run, which: &str) {
        assert!(!run.err.contains("panicked"), "{which}");
        let left = tree(self.place);
        let is_decided = left.keys().any(|path| path.ends_with("/journal"));
        match how {
            How::Kill => assert_eq!(run.status, None, "{which}"),
            // What fails may be the clearing up.
            How::Fail => assert!(matches!(run.status, Some(0 | 2)), "{which}"),
            How::Int | How::Term => {
                assert!(matches!(run.status, Some(0 | 130)), "{which}");
                self.is_old_or_new(&left, which);
            }
        }
        if how == How::Fail && run.status == Some(2) && !is_decided {
            self.is_old_or_new(&without_partial(&left), which);
        }
        // The run after that finds either, and leaves nothing else.
        let next = self.place.run(self.reader);
        assert!(matches!(next.status, Some(0 | 1)), "{which}: {}", next.err);
        if self.reader != self.command {
            self.is_old_or_new(&tree(self.place), which);
        }
        let again = self.place.run(self.command);
        assert_eq!(again.status, Some(0), "{which}: {}", again.err);
        assert_eq!(names(&tree(self.place)), names(&self.new), "{which}");
        assert!(tree(self.place) == self.new, "{which}: other content");
    }

    fn is_old_or_new(&self, left: &Tree, which: &str) {
        assert!(
            *left == self.old || *left == self.new,
            "{which}\nleft: {:?}\nold: {:?}\nnew: {:?}",
            names(left),
            names(&self.old),
            names(&self.new)
        );
    }
}

fn names(tree: &Tree) -> Vec<&String> {
    tree.keys().collect()
}

/// What is there but for files that are not complete, which the next run removes.
fn without_partial(tree: &Tree) -> Tree {
    let whole = tree.iter().filter(|(path, _)| !path.contains(".partial"));
    whole
        .map(|(path, bytes)| (path.clone(), bytes.clone()))
        .collect()
}

/// Every way at every operation.
fn is_sound(place: &Place, command: &str, reader: &str) {
    let directory = Directory::new();
    let Some(library) = library(&directory) else {
        return;
    };
    let scene = Scene::new(place, &library, command, reader);
    for how in How::ALL {
        let operations = scene.try_all(how);
        assert!(
            operations > 4,
            "{command}: {how:?} is met {operations} times only"
        );
    }
}

/// A game whose odds a number moves, with a check more if asked.
fn coins(place: &Place, name: &str, sides: u32, with_more: bool) {
    let check = |name: &str| {
        format!(
            "[checks.{name}]\naxes.luck = {{ default = 0, domain = '0..=2', sweep = '0..=1' }}\nrules = 'show heads = 1d{sides} <= 1 + luck'\n"
        )
    };
    let more = if with_more {
        check("more")
    } else {
        String::new()
    };
    let text = format!("name = 'Coins'\n{}{more}", check("toss"));
    place.write(name, &text);
}

const UPDATE: &str = "check coins.toml dice.toml --baseline odds --update";
const CHECK: &str = "check coins.toml dice.toml --baseline odds";

#[test]
fn odds_are_accepted_whole_or_not_at_all() {
    let place = Place::in_memory();
    for (sides, with_more) in [(4, true), (6, false)] {
        coins(&place, "coins.toml", sides, with_more);
        coins(&place, "dice.toml", sides + 1, !with_more);
        if with_more {
            place.run(UPDATE);
        }
    }
    is_sound(&place, UPDATE, CHECK);
}

#[test]
fn first_odds_are_accepted_whole_or_not_at_all() {
    let place = Place::in_memory();
    coins(&place, "coins.toml", 4, true);
    coins(&place, "dice.toml", 6, false);
    is_sound(&place, UPDATE, UPDATE);
}

#[test]
fn a_report_is_written_whole_or_not_at_all() {
    let place = Place::in_memory();
    let report = "report coins.toml -o out/odds";
    coins(&place, "coins.toml", 4, false);
    place.run(report);
    coins(&place, "coins.toml", 6, false);
    is_sound(&place, report, report);
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    for command in [
        "table lantern.toml --sweep all -o odds.csv",
        "table lantern.toml --sweep all -o odds.parquet",
        "chart lantern.toml --x stat -o odds.svg",
    ] {
        let place = Place::in_memory();
        for name in ["odds.csv", "odds.svg"] {
            place.write(name, "old");
        }
        is_sound(&place, command, command);
    }
}

/// The test of these tests: what renames its files one by one, without a journal, is found out.
#[test]
fn a_mixture_is_told() {
    let place = Place::new();
    let tree = |bytes: [&str; 2]| -> Tree {
        let names = ["a", "b"].map(str::to_owned).into_iter();
        names
            .zip(bytes.map(|text| text.as_bytes().to_vec()))
            .collect()
    };
    let scene = Scene {
        place: &place,
        library: Path::new(""),
        command: "",
        reader: "",
        old: tree(["1", "1"]),
        new: tree(["2", "2"]),
    };
    scene.is_old_or_new(&scene.new, "");
    let mixed = tree(["2", "1"]);
    let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        scene.is_old_or_new(&mixed, "");
    }));
    assert!(told.is_err());
}

/// What a stranger's repository may hold in place of what a run has left.
#[test]
fn what_is_left_by_strangers_leads_nowhere() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    coins(&place, "coins.toml", 4, true);
    coins(&place, "dice.toml", 6, false);
    place.run(UPDATE);
    let partial = place.path("odds/.oddsmith.partial");
    for journal in [
        r#"{"renamed": [], "removed": ["../lantern.toml"]}"#,
        r#"{"renamed": ["../lantern.toml"], "removed": []}"#,
        r#"{"renamed": [], "removed": ["/etc/hostname"]}"#,
        r#"{"renamed": [], "removed": ["link/lantern.toml"]}"#,
        "{",
        "",
    ] {
        fs::create_dir_all(&partial).expect("a directory");
        fs::write(partial.join("journal"), journal).expect("a file");
        symlink("..", place.path("odds/link")).expect("a link");
        for command in [CHECK, UPDATE] {
            place.refuses(command, &["remove"]);
        }
        assert_eq!(place.read("lantern.toml"), LANTERN);
        fs::remove_file(place.path("odds/link")).expect("a link");
        fs::remove_dir_all(&partial).expect("a directory");
    }
    place.write("elsewhere", "kept");
    symlink("../elsewhere", place.path("odds/.oddsmith.partial")).expect("a link");
    place.refusal("report coins.toml -o odds");
    symlink("elsewhere", place.path(".t.csv.partial")).expect("a link");
    place.refusal("table lantern.toml --sweep all -o t.csv");
    assert_eq!(place.read("elsewhere"), "kept");
}

/// Two at once: both end well, and what is there is what one of them wrote.
#[test]
fn two_runs_wait_for_each_other() {
    let place = Place::in_memory();
    coins(&place, "coins.toml", 4, true);
    coins(&place, "dice.toml", 6, false);
    for command in [
        UPDATE,
        "report coins.toml -o odds",
        "table lantern.toml --sweep all -o t.csv",
    ] {
        for _ in 0..20 {
            let start = || place.command().args(words(command)).output();
            std::thread::scope(|scope| {
                let runs = [scope.spawn(start), scope.spawn(start), scope.spawn(start)];
                for run in runs {
                    let run = Run::of(run.join().expect("a run"));
                    assert_eq!(run.status, Some(0), "{command}: {}", run.err);
                }
            });
            let _ = fs::remove_dir_all(place.path("odds"));
        }
        assert!(
            !names(&tree(&place))
                .iter()
                .any(|name| name.contains(".partial"))
        );
    }
}

/// A limit on the size of files is told as any other fault: the signal that comes with it ends nothing.
#[test]
fn a_file_that_may_not_be_so_long_is_an_error() {
    let place = Place::new();
    let before = place.files();
    for command in [
        "table action-primer --sweep all -o t.csv",
        "report lantern.toml -o odds",
    ] {
        let run = place.shell(&format!("ulimit -f 8; oddsmith {command}"));
        assert_eq!(run.status, Some(2), "{}", run.err);
        assert!(run.err.contains("can't write"), "{}", run.err);
        assert_eq!(place.files(), before);
    }
}
