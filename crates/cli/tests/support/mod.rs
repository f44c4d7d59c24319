//! A directory with rulesets in it, and the real program run there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A small game: two dice, a number, an enumeration, a parameter.
pub(crate) const LANTERN: &str = r#"name = "Lantern"

[params]
boon_cap = { default = 2, domain = "0..=5", help = "boons beyond this many are ignored" }

[checks.check]
bands = ["Miss", "Weak", "Strong"]
axes.stat  = { default = 0, domain = "-1..=3", sweep = "all" }
axes.boons = { default = 0, domain = "0..=5", sweep = "0..=2" }
axes.light = { default = "dim", domain = ["dim", "bright"], sweep = "all" }
rules = '''
let lit = if light == bright then 1 else 0
show total = (2 + min(boons, boon_cap))d6kh2 + stat + lit
show Glimpse = total == 7
show band = match total { < 7: Miss, < 10: Weak, else: Strong }
'''

[checks.test]
axes.skill = { default = 2, domain = "0..=4", sweep = "all" }
rules = "show score = 2d6 + skill"
"#;

/// Rows that are all right.
pub(crate) const CASES: &str = "\
id,question,target,set,query,numerator,denominator
stats,dist,4d6kh3,,P(value==18),7,432
base,odds,lantern.toml:check,,Miss,5,12
lit,odds,lantern.toml:check,stat=2 light=bright,mean(total),10,1
";

/// The directory; it goes when this does.
pub(crate) struct Place(TempDir);

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a temporary directory"));
        place.write("lantern.toml", LANTERN);
        place.write("cases.csv", CASES);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file can be written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file of text")
    }

    /// Every file's name, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("a directory");
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
        Run::of(command.args(["-c", script]).output())
    }

    fn prepared(&self, mut command: Command) -> Command {
        command.current_dir(self.0.path()).stdin(Stdio::null());
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Run {
        Run::of(self.command().args(words).output())
    }

    /// Standard output of a run that goes well.
    pub(crate) fn answer(&self, words: &[&str]) -> String {
        let run = self.run(words);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{words:?}");
        run.out
    }

    /// Standard error of a run that can't answer, and says nothing on standard output.
    pub(crate) fn refusal(&self, words: &[&str]) -> String {
        let run = self.run(words);
        assert_eq!(
            (run.status, run.out.as_str()),
            (Some(2), ""),
            "{words:?}: {}",
            run.err
        );
        assert!(!run.err.contains("panicked"), "{words:?}: {}", run.err);
        run.err
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

/// The words of a command line without quotes.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}
