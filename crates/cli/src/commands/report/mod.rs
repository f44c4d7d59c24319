//! `oddsmith report`: tables, charts and a page.

mod chapter;
mod explorer;
mod files;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use oddsmith_report::{Game, Page, page};
use oddsmith_rules::{Check, Model, shipped};

use crate::args::ReportArgs;
use crate::baseline;
use crate::exit;
use crate::failure::Advice;
use crate::progress::use_threads;
use crate::staging::Staging;
use crate::target::{self, TargetName, Wanted};

use chapter::chapter;

/// Computes and draws everything, then writes it: an error leaves all files as they were.
pub(crate) fn run(args: &ReportArgs) -> Result<u8> {
    use_threads(args.threads)?;
    let sources = sources(&args.targets)?;
    let mut files = Staging::new(&args.output)?;
    let budget = args.cost.budget;
    let games: Result<Vec<Game>> = sources
        .iter()
        .map(|source| chapter(source, budget))
        .collect();
    let contents = Page {
        title: title(&sources),
        games: games?,
    };
    let checks = contents.games.iter().flat_map(|game| &game.checks);
    for picture in checks.flat_map(|check| &check.pictures) {
        files::add_picture(&mut files, picture, args.png)?;
    }
    for source in &sources {
        baseline::add(
            &mut files,
            &source.id,
            &source.model,
            source.checks(),
            budget,
        )?;
    }
    files.add("index.html", page(&contents)?.as_bytes())?;
    files.persist()?;
    Ok(exit::OK)
}

/// A ruleset that is reported.
#[derive(Debug)]
struct Source {
    /// As it was given.
    ruleset: String,
    /// What its files are called.
    id: String,
    model: Model,
    /// The only checks or tracks that are asked for; none is all of them.
    only: BTreeSet<String>,
}

impl Source {
    /// What is reported, in the file's order.
    fn checks(&self) -> impl Iterator<Item = &Check> {
        let all = self.model.checks.iter().chain(&self.model.tracks);
        all.filter(|check| self.only.is_empty() || self.only.contains(&check.name))
    }

    fn name(&self) -> &str {
        if self.model.name.is_empty() {
            &self.id
        } else {
            &self.model.name
        }
    }
}

/// The rulesets of the targets, each once, in the order of their first mention; without targets all that come along.
fn sources(targets: &[String]) -> Result<Vec<Source>> {
    let all: Vec<String> = shipped()
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    let targets = if targets.is_empty() { &all } else { targets };
    let mut sources: Vec<Source> = Vec::new();
    for text in targets {
        let name = TargetName::parse(text);
        let known = sources
            .iter()
            .position(|source| source.ruleset == name.ruleset);
        let at = match known {
            Some(at) => at,
            None => {
                sources.push(source(name, &sources)?);
                sources.len() - 1
            }
        };
        let source = &mut sources[at];
        match name.check {
            Some(_) => {
                let check = target::find(&source.model, name, Wanted::Either)?
                    .name
                    .clone();
                if known.is_none() || !source.only.is_empty() {
                    source.only.insert(check);
                }
            }
            None => source.only.clear(),
        }
    }
    Ok(sources)
}

fn source(name: TargetName<'_>, others: &[Source]) -> Result<Source> {
    let model = target::load(name.ruleset)?;
    let stem = target::path_of(name.ruleset).and_then(Path::file_stem);
    let id = stem.map_or(name.ruleset.into(), |stem| stem.to_string_lossy());
    if let Some(other) = others.iter().find(|other| other.id == id) {
        let message = format!(
            "`{}` and `{}` would write the same files",
            other.ruleset, name.ruleset
        );
        return Err(Advice::error(
            message,
            "report them to two directories, or rename one of them",
        ));
    }
    Ok(Source {
        ruleset: name.ruleset.to_owned(),
        id: id.into_owned(),
        model,
        only: BTreeSet::new(),
    })
}

/// Whose odds they are.
fn title(sources: &[Source]) -> String {
    match sources {
        [one] => format!("Exact odds of {}", one.name()),
        _ => "Exact odds".to_owned(),
    }
}
