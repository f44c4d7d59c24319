//! Rulesets of the project, one that only tests have, and rulesets of one script.

use std::path::{Path, PathBuf};

use oddsmith_rules::{Check, Config, Model, Query, expression, load};

/// A small game: two dice, a number, an enumeration, a parameter.
pub const LANTERN: &str = r#"name = "Lantern"

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

/// Parameters to search over: odds that the rows of a sweep share, a pool and a choice that are played again for every
/// candidate, and a requirement.
pub const PARAMETERS: &str = r#"
name = "Parameters"
[params]
bonus = { default = 2, domain = "0..=1000000" }
line  = { default = 9, domain = "0..=1000000" }
dice  = { default = 3, domain = "0..=12" }
again = { default = 2, domain = "0..=1000000" }
[checks.shared]
rules = '''
show total = 3d6 + bonus
show hit = total >= line
'''
[checks.lawful]
require = ["line >= bonus"]
rules = "show hit = 2d6 + bonus >= line"
[checks.pool]
rules = '''
let roll   = (dice)d10
show score = if matches(roll) > again then highest(roll) else sum(roll)
'''
[checks.choice]
maximise = "kept"
rules = '''
let first = (dice)d8
choose turn in 0..=1
show kept = if turn == 1 then 1d20 + again else first + bonus
'''
"#;

/// The path of a file, by its place in the project.
#[must_use]
pub fn path_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name)
}

/// Every ruleset that comes along, and every example: their paths and texts, by path.
///
/// # Panics
/// If one can't be read, or there are hardly any.
#[must_use]
pub fn all() -> Vec<(PathBuf, String)> {
    let families = files("rulesets/shelf");
    let mut paths: Vec<PathBuf> = families.iter().flat_map(|family| entries(family)).collect();
    for directory in ["rulesets", "rulesets/examples"] {
        paths.extend(files(directory));
    }
    paths.retain(|path| path.extension().is_some_and(|end| end == "toml"));
    assert!(paths.len() > 50, "{}", paths.len());
    paths.sort();
    paths.into_iter().map(read).collect()
}

/// The AnyDice programs of the project's cases, each with a remark for every output.
///
/// # Panics
/// If they can't be read.
#[must_use]
pub fn anydice_programs() -> Vec<String> {
    let mut files: Vec<PathBuf> = files("tests/cases/anydice");
    files.sort();
    let texts = files.into_iter().map(|path| read(path).1);
    let programs = texts.flat_map(|text| {
        let programs = text
            .split("\n\n")
            .map(|program| format!("{}\n", program.trim()));
        programs.collect::<Vec<_>>()
    });
    programs.collect()
}

fn files(directory: &str) -> Vec<PathBuf> {
    entries(&path_of(directory))
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("the directory is there");
    entries
        .map(|entry| entry.expect("it can be listed").path())
        .collect()
}

fn read(path: PathBuf) -> (PathBuf, String) {
    let text = std::fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (path, text)
}

/// The ruleset of a file, by its place in the project.
///
/// # Panics
/// If the file is not there or not a ruleset.
#[must_use]
pub fn model_at(name: &str) -> Model {
    let text = std::fs::read(path_of(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    load(name, &text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The ruleset of a text.
///
/// # Panics
/// If the text is not a ruleset.
#[must_use]
pub fn model_of(text: &str) -> Model {
    load("test.toml", text.as_bytes()).unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

/// A check `main` of a ruleset of one script, with these tables of the file and keys of the check.
///
/// # Panics
/// If that is not a ruleset.
#[must_use]
pub fn check_with(tables: &str, keys: &str, script: &str) -> Check {
    let rules = format!("[checks.main]\n{keys}\nrules = \"\"\"\n{script}\n\"\"\"");
    let model = model_of(&format!("name = \"Test\"\n{tables}\n{rules}\n"));
    model.check("main").expect("it is there").clone()
}

/// The check of an expression, whose outcome is `value`.
///
/// # Panics
/// If it is not an expression.
#[must_use]
pub fn expression_of(text: &str) -> Check {
    expression(text, "dice").unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

/// A check's configuration, as on the command line: `name=value name=value`.
///
/// # Panics
/// If it is none.
#[must_use]
pub fn config_of(check: &Check, settings: &str) -> Config {
    let mut config = check.defaults();
    for assignment in settings.split_whitespace() {
        let set = check.set(&mut config, assignment, "settings");
        set.unwrap_or_else(|error| panic!("{error}"));
    }
    config
}

/// A query about a check, as on the command line.
///
/// # Panics
/// If it is none.
#[must_use]
pub fn query_of(check: &Check, text: &str) -> Query {
    let query = check.query(text, "query");
    query.unwrap_or_else(|errors| panic!("{text}: {errors}"))
}

/// Queries about a check.
///
/// # Panics
/// As [`query_of`].
#[must_use]
pub fn queries_of(check: &Check, texts: &[&str]) -> Vec<Query> {
    texts.iter().map(|text| query_of(check, text)).collect()
}
