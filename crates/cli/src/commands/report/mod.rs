//! `oddsmith report`: tables, charts and a page.

mod chapter;
mod explorer;
mod files;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use oddsmith_report::{Game, Page, page};
use oddsmith_rules::{Check, Model, shipped};

use crate::advice::Advice;
use crate::args::ReportArgs;
use crate::baseline::{self, Baseline, Remedy};
use crate::exit;
use crate::failure;
use crate::paste;
use crate::progress::use_threads;
use crate::staging::Staging;
use crate::target::{self, TargetName, Wanted};

use chapter::chapter;

/// Computes and draws everything, then writes it: an error leaves all files as they were.
pub(crate) fn run(args: &ReportArgs) -> Result<u8> {
    use_threads(args.parallel)?;
    let sources = sources(&args.targets)?;
    for source in &sources {
        failure::warn(&source.model.warnings);
    }
    let refuses = |source: &Source| args.denying.refuses(&source.model.warnings);
    if sources.iter().any(refuses) {
        return Ok(exit::NO);
    }
    let accepted = sources.iter().map(|source| accepted(source, args));
    let accepted: Vec<Option<Baseline>> = accepted.collect::<Result<_>>()?;
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
    let mut moved = Vec::new();
    for (source, accepted) in sources.iter().zip(accepted) {
        let (id, model) = (&source.id, &source.model);
        let manifest = baseline::add(&mut files, id, model, source.checks(), budget)?;
        let is_whole = source.only.is_empty();
        let is_same = |accepted: &Baseline| accepted.manifest.has_odds_of(&manifest, is_whole);
        if !accepted.as_ref().is_none_or(is_same) {
            moved.push(id);
        }
    }
    files.add("index.html", page(&contents)?.as_bytes())?;
    files.persist()?;
    for id in moved {
        let directory = args.output.display();
        failure::note(&format!(
            "{id}: these odds are not those that were accepted in `{directory}`: now they are"
        ));
    }
    Ok(exit::OK)
}

/// What was accepted in the directory that is written to.
fn accepted(source: &Source, args: &ReportArgs) -> Result<Option<Baseline>> {
    let directory = args.output.join(&source.id);
    let mut words = vec!["oddsmith report".to_owned()];
    words.extend(args.targets.iter().map(|target| paste::word(target)));
    words.push(format!("-o {}", paste::path(&args.output)));
    let remedy = Remedy::new(&directory, &words.join(" "));
    let game = baseline::game(&source.id, &source.model);
    Baseline::open(&directory, game, remedy)
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
