//! What accepted tables are tables of: read from and written to a small file that shows in a `diff` what a designer did.

use std::fmt::Write as _;
use std::sync::Arc;

use oddsmith_rules::{Diagnostic, Diagnostics, Input, Model, Source};

use super::digest::Digest;
use super::lines::LineMarks;
use super::setting::Setting;
use super::table::ManifestTable;
use crate::toml_file::{Entry, key, list, quoted};

/// The name of a manifest's file.
pub const MANIFEST: &str = "baseline.toml";

/// Which program computes.
const ENGINE: &str = env!("CARGO_PKG_VERSION");

/// The only schema that is written and read.
const SCHEMA: i64 = 2;

/// Begins the line with the fingerprint of all other lines.
const SEAL: &str = "manifest = ";

const HEAD: &str = "# Accepted odds: `oddsmith check` compares with them, `oddsmith check --update` accepts new ones.\n";

/// What the accepted tables of one ruleset are tables of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// What the game is called.
    pub(crate) ruleset: String,
    /// The version that computed them.
    pub(crate) engine: String,
    /// The fingerprint of the ruleset's text.
    pub(crate) rules: String,
    /// A fingerprint of every line of it, to find the lines that were edited.
    pub(crate) lines: LineMarks,
    /// Elements of a list are parameters of their own, side by side.
    pub(crate) parameters: Vec<(String, Setting)>,
    pub(crate) tables: Vec<ManifestTable>,
}

impl Manifest {
    /// Of some tables of a ruleset, by name: where they stand in the file does not matter.
    pub(crate) fn of(id: &str, model: &Model, mut tables: Vec<ManifestTable>) -> Self {
        tables.sort_by(|a, b| a.check.cmp(&b.check));
        let parameters = model.params.iter();
        let setting = |input: &Input| Setting::of(&input.domain, input.default);
        let mut parameters: Vec<(String, Setting)> = parameters
            .map(|input| (input.name.clone(), setting(input)))
            .collect();
        parameters.sort_by(|(a, _), (b, _)| list_name(a).cmp(list_name(b)));
        Self {
            ruleset: game(id, model).to_owned(),
            engine: ENGINE.to_owned(),
            rules: Digest::of(&model.source.text),
            lines: LineMarks::of(&model.source.text),
            parameters,
            tables,
        }
    }

    /// The table of a check.
    pub(crate) fn table(&self, check: &str) -> Option<&ManifestTable> {
        self.tables.iter().find(|table| table.check == check)
    }

    /// The number of configurations that its tables and their probes have.
    pub(crate) fn configurations(&self) -> u64 {
        let rows = |table: &ManifestTable| {
            let probes = table.probes.iter().flatten().map(|probes| probes.rows);
            table.rows + probes.sum::<u64>()
        };
        self.tables.iter().map(rows).sum()
    }

    /// The file.
    pub(crate) fn render(&self) -> String {
        let mut text = HEAD.to_owned();
        let _ = writeln!(text, "schema = {SCHEMA}");
        let _ = writeln!(text, "ruleset = {}", quoted(&self.ruleset));
        let _ = writeln!(text, "engine = {}", quoted(&self.engine));
        let _ = writeln!(text, "rules = {}", quoted(&self.rules));
        let rest = self.render_rest();
        let digest = Digest::of(&(text.clone() + &rest));
        let _ = writeln!(text, "{SEAL}{}", quoted(&digest));
        text + &rest
    }

    /// The parameters and the tables.
    fn render_rest(&self) -> String {
        let mut text = String::new();
        if !self.parameters.is_empty() {
            text.push_str("\n[parameters]\n");
        }
        let lists = self
            .parameters
            .chunk_by(|(a, _), (b, _)| list_name(a) == list_name(b) && list_name(a) != a);
        for elements in lists {
            let (name, value) = &elements[0];
            let values = elements.iter().map(|(_, value)| value.render());
            let shown = match list_name(name) == name {
                true => value.render(),
                false => list(values),
            };
            let _ = writeln!(text, "{} = {shown}", key(list_name(name)));
        }
        for table in &self.tables {
            table.render(&mut text);
        }
        self.lines.render(&mut text);
        text
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is not as it was written, with its place and `help`; and a file of another schema.
    pub(crate) fn read(source: &Arc<Source>, help: &str) -> Result<Self, Diagnostics> {
        let helped = |error: Diagnostic| match error.help {
            Some(_) => error,
            None => error.with_help(help),
        };
        let document = oddsmith_rules::toml(source).map_err(|errors| {
            let errors = errors.0.into_iter().map(|error| Diagnostic {
                help: None,
                ..error
            });
            Diagnostics(errors.map(helped).collect())
        })?;
        let root = Entry::root(source, &document);
        let read = Self::read_root(&root).and_then(|manifest| {
            demand_seal(&root, &source.text)?;
            Ok(manifest)
        });
        read.map_err(|error| helped(error).into())
    }

    fn read_root(root: &Entry<'_>) -> Result<Self, Diagnostic> {
        let schema = root.need("schema")?;
        let version = schema.integer()?;
        if version != SCHEMA {
            let message = format!(
                "this baseline has schema {version}; this version of oddsmith reads {SCHEMA}"
            );
            let help = match version > SCHEMA {
                true => "a newer version of oddsmith wrote it: use that one",
                false => {
                    "remove its directory, then accept the odds as they are now: `oddsmith check --update`"
                }
            };
            return Err(schema.error(message).with_help(help));
        }
        let text = |key: &str| Ok(root.need(key)?.string()?.to_owned());
        let mut manifest = Self {
            ruleset: text("ruleset")?,
            engine: text("engine")?,
            rules: text("rules")?,
            lines: LineMarks::read(&root.need("lines")?)?,
            parameters: Vec::new(),
            tables: Vec::new(),
        };
        if let Some(parameters) = root.get("parameters") {
            for (name, value) in parameters.entries()? {
                match value.items() {
                    Ok(items) => {
                        for (at, item) in items.iter().enumerate() {
                            let element = (format!("{name}[{at}]"), Setting::read(item)?);
                            manifest.parameters.push(element);
                        }
                    }
                    Err(_) => manifest.parameters.push((name, Setting::read(&value)?)),
                }
            }
        }
        for (check, entry) in root.need("tables")?.entries()? {
            // It is part of a path.
            if !is_name(&check) {
                let message = format!("`{}` is no name of a check", check.escape_debug());
                return Err(entry.error(message));
            }
            manifest.tables.push(ManifestTable::read(&check, &entry)?);
        }
        Ok(manifest)
    }
}

/// Refuses a file of which a line is not as it was written.
fn demand_seal(root: &Entry<'_>, text: &str) -> Result<(), Diagnostic> {
    let seal = root.need("manifest")?;
    let others = text.lines().filter(|line| !line.starts_with(SEAL));
    let others: String = others.flat_map(|line| [line, "\n"]).collect();
    if seal.string()? == Digest::of(&others) {
        return Ok(());
    }
    let error = seal.error("this file was changed after it was written");
    Err(error.with_label("the fingerprint of its other lines"))
}

/// Whether a check can be called that.
fn is_name(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !text.is_empty() && text.chars().all(is_word)
}

/// The name of a game: as it calls itself, or else as its file.
pub(crate) fn game<'m>(id: &'m str, model: &'m Model) -> &'m str {
    if model.name.is_empty() {
        id
    } else {
        &model.name
    }
}

/// The list that an element `ladder[2]` belongs to; any other name itself.
fn list_name(name: &str) -> &str {
    name.split_once('[').map_or(name, |(list, _)| list)
}

#[cfg(test)]
mod tests {
    use oddsmith_rules::Source;

    use super::super::probes::Probes;
    use super::{LineMarks, Manifest, ManifestTable, Setting};

    fn manifest() -> Manifest {
        let label = |text: &str| Setting::Label(text.to_owned());
        let number = Setting::Number;
        let parameter = |name: &str, value| (name.to_owned(), value);
        Manifest {
            ruleset: "A \"game\" \\ \u{1f3b2}".to_owned(),
            engine: "0.1.0".to_owned(),
            rules: "sha256:00".to_owned(),
            lines: LineMarks::of("a\n\nb\n"),
            parameters: vec![
                parameter("cap", number(5)),
                parameter("ladder[0]", number(0)),
                parameter("ladder[1]", number(4)),
                parameter("mode", label("net, then cap")),
                parameter("one[0]", label("7")),
            ],
            tables: vec![
                ManifestTable {
                    check: "check".to_owned(),
                    rows: 2,
                    csv: "sha256:01".to_owned(),
                    columns: ["Miss", "Hit", "Twist"].map(str::to_owned).into(),
                    bands: ["Miss", "Hit"].map(str::to_owned).into(),
                    sweep: vec![("stat".to_owned(), vec![number(-1), number(2)])],
                    fixed: vec![("light".to_owned(), label("dim"))],
                    probes: [Some(probes()), None],
                },
                ManifestTable {
                    check: "test".to_owned(),
                    rows: 1,
                    csv: "sha256:02".to_owned(),
                    columns: vec!["mean(score)".to_owned()],
                    ..ManifestTable::default()
                },
            ],
        }
    }

    fn probes() -> Probes {
        let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Probes {
            rows: 3,
            csv: "sha256:03".to_owned(),
            moves: strings(&["light=dim,bright", "cap=1"]),
            beside: strings(&["cap=1, light=bright: reaches branch 2 of `if \"x\"`"]),
            idle: Vec::new(),
            unreached: strings(&["branch 1 of `if a then b else c`"]),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let text = manifest().render();
        let read = Manifest::read(&Source::new("baseline.toml", text.as_str()), "restore it");
        assert_eq!(read, Ok(manifest()), "{text}");
        assert!(text.contains("\nladder = [0, 4]\n") && text.contains("\none = [\"7\"]\n"));
    }

    #[test]
    fn nothing_that_is_missing_or_of_another_type_is_read() {
        let text = manifest().render();
        for (line, wrong) in [
            ("schema = 2\n", ""),
            ("schema = 2\n", "schema = 1\n"),
            ("schema = 2\n", "schema = 3\n"),
            ("rows = 2\n", "rows = -2\n"),
            ("rows = 2\n", ""),
            ("stat = [-1, 2]\n", "stat = -1\n"),
            ("cap = 5\n", "cap = 5.5\n"),
            ("engine = \"0.1.0\"\n", "engine = 1\n"),
            ("engine = \"0.1.0\"\n", "engine = \"0.1.1\"\n"),
            ("[tables.test]", "[tables.\"../test\"]"),
            ("\nmanifest = ", "\n# "),
        ] {
            let broken = text.replacen(line, wrong, 1);
            assert_ne!(broken, text, "{line}");
            let read = Manifest::read(&Source::new("baseline.toml", broken), "restore it");
            let errors = read.expect_err(wrong);
            assert!(errors.0[0].help.is_some(), "{errors}");
        }
    }
}
