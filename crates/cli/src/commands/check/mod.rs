//! `oddsmith check`: odds as they are computed now against those that were accepted.

mod blame;
mod causes;
mod compare;
mod gaps;
pub(super) mod intents;
mod project;
mod renames;

use std::path::{Path, PathBuf};

use anyhow::Result;
use oddsmith::Error;
use oddsmith::staging::Staging;
use oddsmith_exact::Error as ExactError;
use oddsmith_rules::{Check, Config, Diagnostic, Diagnostics, Model, Query};
use rayon::prelude::*;

use crate::advice::Advice;
use crate::args::{CheckArgs, CheckFormat};
use crate::baseline::{self, Baseline, Manifest, Remedy, Table as Accepted};
use crate::document::Markup;
use crate::failure;
use crate::format::check::{
    Compared, Found, Game, Place, Report, State, Table, Trouble, github, json, junit, markdown,
    text,
};
use crate::output::Interruptions;
use crate::progress::use_threads;
use crate::{answers, exit, target, terminal};

use blame::{Share, blame};
use causes::Parameters;
use compare::Comparison;
use project::Project;
use renames::Renames;

/// Differences of a table that are shown unless all are.
const MOST: usize = 10;

/// Compares, tells, and accepts if that is asked for.
pub(crate) fn run(args: &CheckArgs) -> Result<u8> {
    use_threads(args.parallel)?;
    let project = Project::find(args)?;
    let rulesets = project.rulesets.par_iter();
    let checked: Vec<Result<(Subject, Found, bool)>> = rulesets
        .map(|path| {
            let subject = Subject::read(path, &project)?;
            let (found, is_stale) = subject.check(&project, args)?;
            Ok((subject, found, is_stale))
        })
        .collect();
    let (mut subjects, mut games) = (Vec::new(), Vec::new());
    for (path, checked) in project.rulesets.iter().zip(checked) {
        let found = checked.map(|(subject, found, is_stale)| {
            subjects.push((subject, is_stale));
            found
        });
        games.push(Game {
            id: id_of(path),
            file: project.shown(path),
            found: found.map_err(trouble),
        });
    }
    let mut report = Report {
        games,
        orphans: project.orphans()?,
        accept: project.accept.clone(),
        is_update: false,
    };
    if !report.has_failed() {
        demand_columns(&project, &subjects)?;
        if args.update {
            let accepted = accept(&project, &subjects, args)?;
            for (game, configurations) in report.games.iter_mut().zip(accepted) {
                if let Ok(found) = &mut game.found {
                    found.accepted = configurations;
                }
            }
            report.is_update = true;
        }
    }
    show(&report, args.format)?;
    let is_unknown =
        report.has_failed() || report.has_unaccepted() || report.unknown().next().is_some();
    Ok(
        match (is_unknown, report.is_moved() || report.is_broken()) {
            (true, _) => exit::FAILED,
            (false, true) => exit::NO,
            (false, false) => exit::OK,
        },
    )
}

/// What the files of a ruleset are called.
fn id_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    stem.to_string_lossy().into_owned()
}

/// A ruleset with its accepted odds.
struct Subject {
    id: String,
    model: Model,
    /// None before the first time.
    baseline: Option<Baseline>,
    /// What a manifest would say now; its tables are not counted yet.
    manifest: Manifest,
}

/// A table as it was accepted, and what changed for all tables since.
struct AcceptedTable<'a> {
    baseline: &'a Baseline,
    table: &'a Accepted,
    parameters: &'a Parameters,
}

impl Subject {
    fn read(path: &Path, project: &Project) -> Result<Self> {
        let id = id_of(path);
        let id = id.as_str();
        let model = target::load(&path.display().to_string())?;
        let game = baseline::game(id, &model);
        let directory = project.baseline.join(id);
        let remedy = Remedy::new(&directory, &project.accept);
        let baseline = Baseline::open(&directory, game, remedy)?;
        let mut tables = Vec::new();
        for check in checks(&model) {
            let columns = answers::of_report(check)?.into_iter();
            let queries: Vec<Query> = columns.map(|(_, query)| query).collect();
            tables.push(Accepted::of(check, &queries));
        }
        Ok(Self {
            manifest: Manifest::of(id, &model, tables),
            id: id.to_owned(),
            baseline,
            model,
        })
    }

    /// What moved; and whether the baseline would not be the same if it were written again.
    fn check(&self, project: &Project, args: &CheckArgs) -> Result<(Found, bool)> {
        let Some(baseline) = &self.baseline else {
            return Ok(self.first(project, args));
        };
        let old = &baseline.manifest;
        let parameters = Parameters::of(old, &self.manifest, &self.model);
        let checks: Vec<&Check> = checks(&self.model).collect();
        // Collected in two steps: of several errors the first one is told, whichever is met first.
        let compared: Vec<Result<Table>> = checks
            .into_par_iter()
            .map(|check| {
                let state = match baseline.table(&check.name) {
                    None => State::New,
                    Some(table) => {
                        let accepted = AcceptedTable {
                            baseline,
                            table,
                            parameters: &parameters,
                        };
                        self.compare(check, &accepted, project, args)?
                    }
                };
                Ok(Table {
                    check: check.name.clone(),
                    place: Place::of(&self.model.source, check.span),
                    state,
                })
            })
            .collect();
        let mut tables = compared.into_iter().collect::<Result<Vec<Table>>>()?;
        for table in &old.tables {
            if self.manifest.table(&table.check).is_none() {
                tables.push(Table {
                    check: table.check.clone(),
                    place: Place { line: 1, column: 1 },
                    state: State::Gone,
                });
            }
        }
        let changed = parameters.changed.into_iter();
        let found = Found {
            causes: changed.map(|changed| changed.cause).collect(),
            other_parameters: parameters.others,
            has_other_rules: old.rules != self.manifest.rules,
            tables,
            intents: intents::of(&self.model, args.cost.budget),
            gaps: Vec::new(),
            is_first: false,
            is_accepted: true,
            accepted: None,
        };
        let mut found = found;
        if found.has_other_rules && found.says_nothing() {
            found.gaps = gaps::of(&self.model, baseline)?;
        }
        let is_stale = self.is_stale(&found, baseline);
        Ok((found, is_stale))
    }

    /// Without a baseline there are only expectations to judge; unless one is made.
    fn first(&self, project: &Project, args: &CheckArgs) -> (Found, bool) {
        if !args.update {
            let directory = project.baseline.join(&self.id);
            let message = format!(
                "no odds of `{}` are accepted yet: there is no `{}`",
                self.id,
                directory.join(baseline::MANIFEST).display()
            );
            let help = format!("accept them as they are: {}", project.accept);
            terminal::tell(&failure::render(&Advice::error(message, help)));
        }
        let table = |check: &Check| Table {
            check: check.name.clone(),
            place: Place::of(&self.model.source, check.span),
            state: State::New,
        };
        let found = Found {
            causes: Vec::new(),
            other_parameters: Vec::new(),
            has_other_rules: false,
            tables: checks(&self.model).map(table).collect(),
            intents: intents::of(&self.model, args.cost.budget),
            gaps: Vec::new(),
            is_first: true,
            is_accepted: args.update,
            accepted: None,
        };
        (found, true)
    }

    fn compare(
        &self,
        check: &Check,
        accepted: &AcceptedTable<'_>,
        project: &Project,
        args: &CheckArgs,
    ) -> Result<State> {
        let (old, game) = (accepted.table, &accepted.baseline.manifest);
        let new = self
            .manifest
            .table(&check.name)
            .expect("it has every check");
        let renames = Renames::of(old, new);
        let most = (!args.all).then_some(MOST);
        let run = |config: &Config| {
            let (tolerances, budget) = (&project.tolerances, args.cost.budget);
            let comparison = Comparison::new(check, old, new, &renames, tolerances, budget)?;
            comparison.run(accepted.baseline, config, most)
        };
        let outcome = run(&check.defaults())?;
        let own = causes::of_table(old, new, &renames, check);
        let mut compared = Compared {
            is_renamed: renames.are_all_of(old, new) && !outcome.drift.is_any(),
            has_other_columns: old.columns != new.columns || old.bands != new.bands,
            is_identical: outcome.is_identical,
            parameters: Vec::new(),
            causes: own.iter().map(|own| own.cause.clone()).collect(),
            drift: outcome.drift.clone(),
        };
        if outcome.drift.is_different() {
            let blame = blame(check, &outcome, &accepted.parameters.changed, &own, run);
            if blame.rules != Share::None {
                let rules = blame::of_rules(game, &self.manifest, check, &blame);
                compared.causes.push(rules);
            }
            compared.parameters = blame.parameters;
        }
        Ok(State::Compared(Box::new(compared)))
    }

    fn is_stale(&self, found: &Found, baseline: &Baseline) -> bool {
        let is_identical = |table: &Table| table.compared().is_some_and(|c| c.is_identical);
        if !found.tables.iter().all(is_identical) {
            return true;
        }
        let mut manifest = self.manifest.clone();
        for table in &mut manifest.tables {
            if let Some(accepted) = baseline.table(&table.check) {
                table.rows = accepted.rows;
                table.csv.clone_from(&accepted.csv);
                table.probes.clone_from(&accepted.probes);
            }
        }
        manifest.render() != baseline.text
    }
}

/// Every check and track.
fn checks(model: &Model) -> impl Iterator<Item = &Check> {
    model.checks.iter().chain(&model.tracks)
}

/// Refuses tolerances of columns that no table has.
fn demand_columns(project: &Project, subjects: &[(Subject, bool)]) -> Result<()> {
    let tables = subjects
        .iter()
        .flat_map(|(subject, _)| &subject.manifest.tables);
    let columns: Vec<&str> = tables
        .flat_map(|table| &table.columns)
        .map(String::as_str)
        .collect();
    Ok(project.tolerances.demand_columns(&columns)?)
}

/// Writes the baselines that would not be the same again, all together; tables of checks that are gone go last. For each
/// subject the configurations that are accepted now, if its baseline was written.
fn accept(
    project: &Project,
    subjects: &[(Subject, bool)],
    args: &CheckArgs,
) -> Result<Vec<Option<u64>>> {
    let mut accepted = vec![None; subjects.len()];
    let stale = subjects.iter().filter(|(_, is_stale)| *is_stale);
    let stale: Vec<&Subject> = stale.map(|(subject, _)| subject).collect();
    let mut gone: Vec<PathBuf> = Vec::new();
    for subject in &stale {
        let accepted = subject.baseline.as_ref();
        let is_accepted = |check: &str| accepted.is_some_and(|b| b.table(check).is_some());
        for table in &subject.manifest.tables {
            if !is_accepted(&table.check) {
                let file = baseline::table_file(&subject.id, &table.check);
                baseline::refuse_foreign(&project.baseline.join(file))?;
            }
        }
        let old = accepted.iter().flat_map(|baseline| {
            let tables = baseline.manifest.tables.iter();
            tables.map(|table| (table, baseline.paths(table)))
        });
        let old = old.filter(|(table, _)| subject.manifest.table(&table.check).is_none());
        gone.extend(old.flat_map(|(_, paths)| paths));
        gone.extend(
            accepted
                .iter()
                .flat_map(|one| one.stale_probes(&subject.model)),
        );
    }
    if stale.is_empty() {
        return Ok(accepted);
    }
    let mut files = Staging::new(&project.baseline, &Interruptions)?;
    for ((subject, is_stale), accepted) in subjects.iter().zip(&mut accepted) {
        if *is_stale {
            let (checks, budget) = (checks(&subject.model), args.cost.budget);
            let manifest = baseline::add(&mut files, &subject.id, &subject.model, checks, budget)?;
            *accepted = Some(manifest.configurations());
        }
    }
    files.persist()?;
    for path in gone {
        // The manifest does not name it any more: it may as well stay.
        let _ = std::fs::remove_file(path);
    }
    Ok(accepted)
}

/// Errors go to standard error in every format.
fn show(report: &Report, format: CheckFormat) -> Result<()> {
    for game in &report.games {
        if let Err(trouble) = &game.found {
            terminal::tell(&failure::render(&trouble.error));
        }
    }
    for (game, found) in report.found() {
        intents::tell_unknown(&game.file, &found.intents);
    }
    match format {
        CheckFormat::Text => terminal::print(&text::document(report).terminal())?,
        CheckFormat::Github => {
            let told = github::plain(&text::document(report).terminal());
            terminal::print_data(told.as_bytes())?;
            terminal::print_data(github::render(report).as_bytes())?;
        }
        CheckFormat::Junit => terminal::print_data(junit::render(report).as_bytes())?,
        CheckFormat::Json => terminal::print_json(&json::render(report))?,
        CheckFormat::Markdown => terminal::print_data(
            markdown::document(report)
                .markup(Markup::Markdown)
                .as_bytes(),
        )?,
    }
    Ok(())
}

/// The reasons of an error, with their places where these are in a ruleset.
fn trouble(error: anyhow::Error) -> Trouble {
    let of = |diagnostic: &Diagnostic| {
        let place = Place::of(&diagnostic.source, diagnostic.span);
        (diagnostic.message.clone(), Some(place))
    };
    let reasons = if let Some(Error::Ruleset { errors, .. }) = error.downcast_ref() {
        errors.0.iter().map(of).collect()
    } else if let Some(ExactError::Rule(rule) | ExactError::Unsupported(rule)) =
        error.downcast_ref::<ExactError>()
    {
        vec![of(rule)]
    } else if let Some(Diagnostics(errors)) = error.downcast_ref::<Diagnostics>() {
        // Of the manifest: its places are none of the ruleset.
        errors
            .iter()
            .map(|error| (error.to_string(), None))
            .collect()
    } else {
        vec![(format!("{error:#}"), None)]
    };
    Trouble { reasons, error }
}
