//! Reports: everything that a page shows of some games.

mod accepted;
mod chapter;
mod explorer;
mod reported;
mod rules;
mod sheet;
mod tables;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use oddsmith_report::Page;
use oddsmith_rules::shipped;
use rayon::prelude::*;

pub use accepted::AcceptedOdds;
pub use reported::Reported;

use crate::game::path_of;
use crate::part::{Job, JobFile, PartNumber, Pieces};
use crate::{Error, Game, Limits, TargetName, Wanted};

/// Games that are reported together.
#[derive(Clone, Debug)]
pub struct Report {
    /// The games, in the order of their first mention.
    pub games: Vec<Reported>,
}

impl Report {
    /// A report about the rulesets of some targets, `RULESET` or `RULESET:CHECK`, each once; without targets all games that
    /// ship.
    ///
    /// # Errors
    /// If a ruleset or check does not exist or has errors, or two rulesets would have files of the same name.
    ///
    /// ```
    /// use oddsmith::{Limits, Report};
    /// let report = Report::open(&["buried-secrets:race".to_owned()])?;
    /// let page = report.page(&Limits::default())?;
    /// assert_eq!(page.title, "Exact odds of Buried Secrets");
    /// assert_eq!(page.games[0].checks.len(), 1);
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn open(targets: &[String]) -> Result<Self, Error> {
        let all: Vec<String> = shipped()
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect();
        let targets = if targets.is_empty() { &all } else { targets };
        let mut report = Self { games: Vec::new() };
        for text in targets {
            report.add(TargetName::parse(text))?;
        }
        Ok(report)
    }

    fn add(&mut self, name: TargetName<'_>) -> Result<(), Error> {
        let mut games = self.games.iter();
        let known = games.position(|reported| reported.game.name() == name.ruleset);
        let at = match known {
            Some(at) => at,
            None => {
                let reported = self.reported(name.ruleset)?;
                self.games.push(reported);
                self.games.len() - 1
            }
        };
        let reported = &mut self.games[at];
        match name.check {
            Some(check) => {
                let check = reported.game.find(Some(check), Wanted::Either)?;
                if known.is_none() || !reported.only.is_empty() {
                    reported.only.insert(check.name.clone());
                }
            }
            None => reported.only.clear(),
        }
        Ok(())
    }

    fn reported(&self, ruleset: &str) -> Result<Reported, Error> {
        let game = Game::open(ruleset)?;
        let stem = path_of(ruleset).and_then(Path::file_stem);
        let id = stem.map_or(ruleset.into(), |stem| stem.to_string_lossy());
        if let Some(other) = self.games.iter().find(|other| other.id == id) {
            let other = other.game.name();
            let message = format!("`{other}` and `{ruleset}` would write the same files");
            return Err(Error::advice(
                message,
                "report them to two directories, or rename one of them",
            ));
        }
        Ok(Reported {
            id: id.into_owned(),
            game,
            only: BTreeSet::new(),
        })
    }

    /// The page: the explorer and the pictures of every check and track. Games are worked out at the same time.
    ///
    /// # Errors
    /// If an answer is over the limits, or a chart has no number to draw.
    pub fn page(&self, limits: &Limits) -> Result<Page, Error> {
        limits.run(|| {
            let games = self.games.iter();
            let checks = games.clone().flat_map(Reported::checks);
            limits.watch.announce_items(checks.count() as u64);
            let games: Vec<&Reported> = games.collect();
            let games = games.par_iter().with_max_len(1);
            let games: Vec<Result<_, Error>> = games
                .map(|reported| chapter::chapter(reported, limits))
                .collect();
            Ok(Page {
                title: self.title(),
                games: games.into_iter().collect::<Result<_, _>>()?,
            })
        })
    }

    /// What its parts are parts of.
    ///
    /// # Errors
    /// If what is asked can't be written as JSON.
    pub fn job(&self) -> Result<Job, Error> {
        let games = self.games.iter();
        let asked: Vec<(&str, Vec<&str>)> = games
            .map(|reported| {
                let checks = reported.checks().map(|check| check.name.as_str());
                (reported.game.name(), checks.collect())
            })
            .collect();
        let files = self
            .games
            .iter()
            .map(|reported| JobFile::of(&reported.game));
        Job::new("report", &asked, files.collect())
    }

    /// Computes a part of the odds of its tables and pictures, and writes what it asks; `out` is handed back. The page is
    /// then [`Report::page`] within [`Whole::limits`](crate::part::Whole::limits), and so are the tables.
    ///
    /// # Errors
    /// If the work is cancelled, or the part can't be written.
    pub fn part<W: Write>(
        &self,
        part: (&Job, PartNumber),
        limits: &Limits,
        out: W,
    ) -> Result<W, Error> {
        let mut pieces = Pieces::default();
        for reported in &self.games {
            for check in reported.checks() {
                pieces.push_table(check);
                pieces.push(1, |_, limits| chapter::ask(reported, check, limits));
            }
        }
        pieces.transcribe(part, limits, out)
    }

    /// The title: whose odds they are.
    fn title(&self) -> String {
        match self.games.as_slice() {
            [one] => format!("Exact odds of {}", one.title()),
            _ => "Exact odds".to_owned(),
        }
    }
}
