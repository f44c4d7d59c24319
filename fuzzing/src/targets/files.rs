//! Files beside rulesets: cases, `oddsmith.toml`, manifests of accepted odds.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use oddsmith::project::ProjectRequest;
use oddsmith::{Project, verify};
use oddsmith_testkit::directory::Directory;
use oddsmith_testkit::rulesets::LANTERN;
use sha2::{Digest as _, Sha256};

use super::{Target, limits, within};
use crate::seeds;

/// Files of cases.
pub(super) const CASES: Target = Target {
    name: "cases",
    run: cases,
    seeds: seeds::cases,
    drawn: None,
};

/// The file `oddsmith.toml`.
pub(super) const PROJECT: Target = Target {
    name: "project",
    run: project,
    seeds: seeds::projects,
    drawn: None,
};

/// Manifests, sealed again after they were changed, so that more than their seal is read.
pub(super) const MANIFEST: Target = Target {
    name: "manifest",
    run: manifest,
    seeds: manifests,
    drawn: None,
};

/// A directory with a ruleset and its accepted odds, which all inputs share.
static PLACE: LazyLock<Directory> = LazyLock::new(|| {
    let place = Directory::new();
    place.write("lantern.toml", LANTERN);
    let request = ProjectRequest {
        accept: true,
        ..request(&place)
    };
    let project = Project::find(&request).expect("there is a ruleset");
    project
        .answer(&oddsmith::Limits::default(), &())
        .expect("it has odds");
    place
});

/// The ruleset and its accepted odds, as a command line names them.
fn request(place: &Directory) -> ProjectRequest {
    ProjectRequest {
        rulesets: vec![place.path("lantern.toml")],
        baseline: Some(place.path("odds")),
        ..ProjectRequest::default()
    }
}

/// The most questions that a file of cases, or of a project, asks here.
const QUESTIONS: u32 = 60;

fn cases(input: &[u8]) -> Result<(), String> {
    let lines: Vec<&[u8]> = input
        .split_inclusive(|&byte| byte == b'\n')
        .take(8)
        .collect();
    let file = lines.concat();
    within("cases", QUESTIONS, || {
        drop(verify("cases.csv", &file, &limits()));
    })
}

fn project(input: &[u8]) -> Result<(), String> {
    fs::write(PLACE.path("oddsmith.toml"), input).map_err(|error| error.to_string())?;
    let request = ProjectRequest {
        config: Some(PLACE.path("oddsmith.toml")),
        ..ProjectRequest::default()
    };
    let find = || Project::find(&request)?.answer(&limits(), &());
    within("a project", QUESTIONS, || drop(find()))?;
    stays_as_it_was()
}

/// Whatever a file of a stranger says, a check without `--update` writes nothing.
fn stays_as_it_was() -> Result<(), String> {
    let names: Vec<String> = PLACE
        .contents("")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let is_known = |name: &String| {
        let name = Path::new(name)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        ["lantern.toml", "oddsmith.toml", "baseline.toml"].contains(&&*name)
            || name.ends_with(".csv")
    };
    match names.iter().find(|name| !is_known(name)) {
        Some(name) => Err(format!("a check wrote {name}")),
        None => Ok(()),
    }
}

/// The manifest as it was written.
static MANIFEST_TEXT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let text = PLACE.read("odds/lantern/baseline.toml");
    text.into_bytes()
});

fn manifests() -> Vec<Vec<u8>> {
    vec![MANIFEST_TEXT.clone()]
}

fn manifest(input: &[u8]) -> Result<(), String> {
    let whole = &*MANIFEST_TEXT;
    let path = PLACE.path("odds/lantern/baseline.toml");
    let written = match std::str::from_utf8(input) {
        Ok(text) => sealed(text).into_bytes(),
        Err(_) => input.to_vec(),
    };
    fs::write(&path, written).map_err(|error| error.to_string())?;
    let check = || Project::find(&request(&PLACE))?.answer(&limits(), &());
    let judged = within("a baseline", QUESTIONS, || drop(check()));
    fs::write(&path, whole).map_err(|error| error.to_string())?;
    judged?;
    stays_as_it_was()
}

/// The text with the fingerprint that it would have been written with.
fn sealed(text: &str) -> String {
    let is_seal = |line: &&str| line.starts_with("manifest = ");
    let mut digest = Sha256::new();
    for line in text.lines().filter(|line| !is_seal(line)) {
        digest.update(line.as_bytes());
        digest.update(b"\n");
    }
    let hex: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let line = |line: &str| match is_seal(&line) {
        true => format!("manifest = \"sha256:{hex}\"\n"),
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
