//! A directory with rulesets in it, and the real program run there.

pub(crate) mod talk;

use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use oddsmith_testkit::directory::Directory;
pub(crate) use oddsmith_testkit::rulesets::LANTERN;

/// Rows that are all right.
pub(crate) const CASES: &str = "\
id,question,target,set,query,numerator,denominator
stats,dist,4d6kh3,,P(value==18),7,432
base,odds,lantern.toml:check,,Miss,5,12
lit,odds,lantern.toml:check,stat=2 light=bright,mean(total),10,1
";

/// The directory; it goes when this does.
pub(crate) struct Place(Directory);

impl Deref for Place {
    type Target = Directory;

    fn deref(&self) -> &Directory {
        &self.0
    }
}

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    /// One with nothing in it.
    pub(crate) fn empty() -> Self {
        Self(Directory::new())
    }

    pub(crate) fn new() -> Self {
        Self::of(Directory::new())
    }

    /// One in memory, for commands that write hundreds of times.
    pub(crate) fn in_memory() -> Self {
        Self::of(Directory::in_memory())
    }

    fn of(directory: Directory) -> Self {
        let place = Self(directory);
        place.write("lantern.toml", LANTERN);
        place.write("cases.csv", CASES);
        place
    }

    /// Every file's name, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.root()).expect("a directory");
        let name =
            |entry: std::io::Result<fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.sort();
        names
    }

    /// The program, about to run here.
    pub(crate) fn command(&self) -> Command {
        self.prepared(Command::new(env!("CARGO_BIN_EXE_oddsmith")))
    }

    /// A shell that knows the program by its name.
    pub(crate) fn shell(&self, script: &str) -> Run {
        let program = Path::new(env!("CARGO_BIN_EXE_oddsmith"));
        let mut paths = vec![program.parent().expect("a directory").to_owned()];
        paths.extend(std::env::split_paths(
            &std::env::var_os("PATH").unwrap_or_default(),
        ));
        let mut command = self.prepared(Command::new("sh"));
        command.env("PATH", std::env::join_paths(paths).expect("paths"));
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Designer");
            command.env(format!("GIT_{who}_EMAIL"), "designer@example.org");
        }
        Run::of(command.args(["-c", script]).output())
    }

    fn prepared(&self, mut command: Command) -> Command {
        command.current_dir(self.root()).stdin(Stdio::null());
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(variable);
        }
        command
    }

    /// The program run with what one types in a shell after its name.
    pub(crate) fn run(&self, line: &str) -> Run {
        Run::of(self.command().args(words(line)).output())
    }

    /// Standard output of a run that goes well.
    pub(crate) fn answer(&self, line: &str) -> String {
        let run = self.run(line);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{line}");
        run.out
    }

    /// Standard error of a run that can't answer, and says nothing on standard output.
    pub(crate) fn refusal(&self, line: &str) -> String {
        let Run { status, out, err } = self.run(line);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{line}: {err}");
        assert!(!err.contains("panicked"), "{line}: {err}");
        err
    }

    /// A run that can't answer, and says all of this about why.
    pub(crate) fn refuses(&self, line: &str, says: &[&str]) {
        let err = self.refusal(line);
        for words in says {
            assert!(err.contains(words), "{line}: {words}: {err}");
        }
    }
}

impl Run {
    pub(crate) fn of(output: std::io::Result<Output>) -> Self {
        let output = output.expect("the program can be started");
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self {
            status: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// The records of a CSV file, head first.
pub(crate) fn records(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let record = |record: csv::Result<csv::StringRecord>| {
        record
            .expect("well-formed CSV")
            .iter()
            .map(str::to_owned)
            .collect()
    };
    reader.records().map(record).collect()
}

/// The words of a command line, as a shell has them.
pub(crate) fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_else(|| panic!("a quote is not closed: {line}"))
}
