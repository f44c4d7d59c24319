//! A ruleset beside its accepted odds.

use std::path::Path;

use oddsmith_analysis::expect;
use oddsmith_rules::{Check, Config, Model, Query};
use rayon::prelude::*;

use super::asked::ProjectFiles;
use super::blame::{self, Share, blame};
use super::cause::Place;
use super::causes::{self, Parameters};
use super::compare::Comparison;
use super::expectations::expectations;
use super::found::Found;
use super::gaps;
use super::ledger;
use super::renames::Renames;
use super::request::Observer;
use super::tables::{ComparedTable, State, TableDrift};
use crate::baseline::{self, Baseline, MANIFEST, Manifest, ManifestTable, ProbeKind, Remedy};
use crate::part::Pieces;
use crate::questions::{self, titles};
use crate::{Error, Game, Limits};

/// A ruleset with its accepted odds.
pub(super) struct Subject {
    pub(super) id: String,
    pub(super) model: Model,
    /// None before the first time.
    pub(super) baseline: Option<Baseline>,
    /// What a manifest would say now; its tables are not counted yet.
    pub(super) manifest: Manifest,
}

/// A table as it was accepted, and what changed for all tables since.
struct AcceptedTable<'a> {
    baseline: &'a Baseline,
    table: &'a ManifestTable,
    parameters: &'a Parameters,
}

/// What the files of a ruleset are called.
pub(super) fn id_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    stem.to_string_lossy().into_owned()
}

impl Subject {
    pub(super) fn read(path: &Path, asked: &ProjectFiles) -> Result<Self, Error> {
        let id = id_of(path);
        let model = Game::open(&path.display().to_string())?.into_model();
        let game = baseline::game(&id, &model);
        let directory = asked.baseline.join(&id);
        let remedy = Remedy::new(&directory, &asked.command);
        let baseline = Baseline::open(&directory, game, remedy)?;
        let mut tables = Vec::new();
        for check in model.checks.iter().chain(&model.tracks) {
            let columns = questions::of_report(check)?.into_iter();
            let queries: Vec<Query> = columns.map(|(_, query)| query).collect();
            tables.push(ManifestTable::of(check, &queries));
        }
        Ok(Self {
            manifest: Manifest::of(&id, &model, tables),
            id,
            baseline,
            model,
        })
    }

    /// Every check and track.
    pub(super) fn checks(&self) -> impl Iterator<Item = &Check> {
        self.model.checks.iter().chain(&self.model.tracks)
    }

    /// How many things are looked at: checks, tracks and expectations.
    pub(super) fn items(&self) -> u64 {
        (self.checks().count() + self.model.expectations.len()) as u64
    }

    /// Adds the odds that are computed if nothing has moved: of each table that was accepted, and of each expectation.
    pub(super) fn push_pieces<'s>(&'s self, pieces: &mut Pieces<'s>) {
        for check in self.checks() {
            let baseline = self.baseline.as_ref();
            let Some((baseline, table)) =
                baseline.and_then(|own| Some((own, own.table(&check.name)?)))
            else {
                continue;
            };
            pieces.push_table(check);
            for kind in ProbeKind::ALL {
                let Ok((_, probes)) = baseline.probes(table, kind) else {
                    continue; // Whoever compares says what is wrong with them.
                };
                pieces.push(probes.len() as u64, move |wanted, limits| {
                    ledger::ask_probes((kind, check), &probes, wanted, limits);
                });
            }
        }
        for expectation in &self.model.expectations {
            pieces.push(expect::configurations(expectation), |wanted, limits| {
                expect::note(&self.model, expectation, wanted, &limits.share());
            });
        }
    }

    /// What moved; and whether the baseline would not be the same if it were written again.
    pub(super) fn compare(
        &self,
        asked: &ProjectFiles,
        limits: &Limits,
        observer: &dyn Observer,
    ) -> Result<(Found, bool), Error> {
        let Some(baseline) = &self.baseline else {
            return Ok((self.first(asked, limits, observer)?, true));
        };
        let old = &baseline.manifest;
        let parameters = Parameters::of(old, &self.manifest, &self.model);
        let tables = self.tables(baseline, &parameters, asked, limits)?;
        let changed = parameters.changed.into_iter();
        let mut found = Found {
            causes: changed.map(|changed| changed.cause).collect(),
            other_parameters: parameters.others,
            has_other_rules: old.rules != self.manifest.rules,
            tables,
            intents: expectations(&self.model, &unthreaded(limits))?,
            gaps: Vec::new(),
            is_first: false,
            is_accepted: true,
            accepted: None,
        };
        if found.has_other_rules && found.says_nothing() {
            found.gaps = gaps::of(&self.model, baseline)?;
        }
        let is_stale = self.is_stale(&found, baseline);
        Ok((found, is_stale))
    }

    /// Every table beside the accepted one, and those whose check is gone.
    fn tables(
        &self,
        baseline: &Baseline,
        parameters: &Parameters,
        asked: &ProjectFiles,
        limits: &Limits,
    ) -> Result<Vec<TableDrift>, Error> {
        let checks: Vec<&Check> = self.checks().collect();
        let state = |check: &Check| match baseline.table(&check.name) {
            None => Ok(State::New),
            Some(table) => {
                let accepted = AcceptedTable {
                    baseline,
                    table,
                    parameters,
                };
                self.compare_table(check, &accepted, asked, limits)
            }
        };
        // Collected in two steps: of several errors the first one is told, whichever is met first.
        let compared: Vec<Result<TableDrift, Error>> = { checks.into_par_iter() }
            .map(|check| {
                let state = state(check);
                limits.watch.complete_item();
                Ok(self.table(check, state?))
            })
            .collect();
        let mut tables = compared.into_iter().collect::<Result<Vec<_>, Error>>()?;
        for table in &baseline.manifest.tables {
            if self.manifest.table(&table.check).is_none() {
                tables.push(TableDrift {
                    check: table.check.clone(),
                    place: Place { line: 1, column: 1 },
                    state: State::Gone,
                });
            }
        }
        Ok(tables)
    }

    fn table(&self, check: &Check, state: State) -> TableDrift {
        TableDrift {
            check: check.name.clone(),
            place: Place::of(&self.model.source, check.span),
            state,
        }
    }

    /// Without a baseline there are only expectations to judge; unless one is made.
    fn first(
        &self,
        asked: &ProjectFiles,
        limits: &Limits,
        observer: &dyn Observer,
    ) -> Result<Found, Error> {
        if !asked.accept {
            let directory = asked.baseline.join(&self.id);
            let message = format!(
                "no odds of `{}` are accepted yet: there is no `{}`",
                self.id,
                directory.join(MANIFEST).display()
            );
            let help = format!("accept them as they are: {}", asked.command);
            observer.unaccepted(&Error::advice(message, help));
        }
        let tables = self.checks().map(|check| self.table(check, State::New));
        Ok(Found {
            causes: Vec::new(),
            other_parameters: Vec::new(),
            has_other_rules: false,
            tables: tables.collect(),
            intents: expectations(&self.model, &unthreaded(limits))?,
            gaps: Vec::new(),
            is_first: true,
            is_accepted: false,
            accepted: None,
        })
    }

    fn compare_table(
        &self,
        check: &Check,
        accepted: &AcceptedTable<'_>,
        asked: &ProjectFiles,
        limits: &Limits,
    ) -> Result<State, Error> {
        let (old, game) = (accepted.table, &accepted.baseline.manifest);
        let new = self.manifest.table(&check.name);
        let new = new.expect("it has every check");
        let renames = Renames::of(old, new);
        let comparison = Comparison::new(check, old, new, &renames, &asked.tolerances)?;
        let run = |config: &Config| {
            let around = (accepted.baseline, config);
            ledger::run(&comparison, around, asked.most, limits)
        };
        let outcome = run(&check.defaults())?;
        let own = causes::of_table(old, new, &renames, check);
        let mut compared = ComparedTable {
            inputs: check.inputs.clone(),
            titles: titles(check),
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

    /// Whether the baseline would not be the same if it were written again.
    fn is_stale(&self, found: &Found, baseline: &Baseline) -> bool {
        let is_identical = |table: &TableDrift| table.compared().is_some_and(|c| c.is_identical);
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

/// The same limits for work that is on its threads already.
fn unthreaded(limits: &Limits) -> Limits {
    Limits {
        threads: None,
        ..limits.clone()
    }
}
