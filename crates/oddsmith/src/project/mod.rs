//! Projects: rulesets, and whether their odds are the ones that were accepted.

mod accept;
mod answer;
mod asked;
mod blame;
mod cause;
mod causes;
mod compare;
mod config;
mod expectations;
mod files;
mod found;
mod gaps;
mod ledger;
mod renames;
mod request;
mod stream;
mod subject;
mod tables;
mod tolerances;
mod words;

use std::io::Write;

use oddsmith_rules::MOST_BYTES;
use rayon::prelude::*;

pub use answer::{ProjectAnswer, RulesetAnswer, Trouble};
pub use cause::{Cause, Place};
pub use expectations::{Failing, Intent, IntentVerdict, expectations};
pub use found::Found;
pub use gaps::Gap;
pub use oddsmith_analysis::drift::{Drift, Measure, Moved, Summary};
pub use oddsmith_analysis::expect::Value;
pub use request::{Observer, ProjectRequest};
pub use tables::{ComparedTable, State, TableDrift};
pub use tolerances::tolerance;
pub use words::{value, within};

use crate::file_set::{FileSet, recover};
use crate::part::{Job, PartNumber, Pieces};
use crate::{Error, Limits};
use accept::accept;
use asked::ProjectFiles;
use subject::{Subject, id_of};

/// Rulesets with the place of their accepted odds.
#[derive(Clone, Debug)]
pub struct Project {
    asked: ProjectFiles,
}

/// What was found in a ruleset; and whether its accepted odds would not be the same if they were written again.
type Checked = Result<(Subject, found::Found, bool), Error>;

impl Project {
    /// The project of a request, and of the file `oddsmith.toml` that it names or that is nearest.
    ///
    /// # Errors
    /// If neither names a ruleset, or the files can't be read.
    pub fn find(request: &ProjectRequest) -> Result<Self, Error> {
        Ok(Self {
            asked: ProjectFiles::read(request)?,
        })
    }

    /// What moved since the odds were accepted; accepts them as they are now if that is asked for and every ruleset could
    /// be checked. Each table has the limits by itself, and all of them have [`Limits::TABLES`] times as many steps.
    ///
    /// # Errors
    /// If a tolerance is said of a column that no table has, new accepted odds can't be computed or written, or the work
    /// is cancelled. A ruleset that can't be checked is no error but told in the answer.
    ///
    /// ```
    /// use oddsmith::project::{Project, ProjectRequest};
    /// use oddsmith::Limits;
    /// let place = std::env::temp_dir().join(format!("project-{}", std::process::id()));
    /// std::fs::create_dir_all(&place).expect("a directory");
    /// let file = place.join("coins.toml");
    /// let rules = |sides| format!("name = 'Coins'\n[checks.toss]\nrules = 'show heads = 1d{sides} == 1'\n");
    /// std::fs::write(&file, rules(2)).expect("a file");
    /// let mut request = ProjectRequest {
    ///     rulesets: vec![file.clone()],
    ///     baseline: Some(place.join("accepted")),
    ///     accept: true,
    ///     ..ProjectRequest::default()
    /// };
    /// Project::find(&request)?.answer(&Limits::default(), &())?;
    /// std::fs::write(&file, rules(4)).expect("a file");
    /// request.accept = false;
    /// let answer = Project::find(&request)?.answer(&Limits::default(), &())?;
    /// assert!(answer.is_moved()); // from 1/2 to 1/4
    /// # std::fs::remove_dir_all(&place).expect("it is there");
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn answer(&self, limits: &Limits, observer: &dyn Observer) -> Result<ProjectAnswer, Error> {
        let limits = &limits.of_run(Limits::TABLES);
        limits.run(|| {
            let files = self.files(observer)?;
            let (subjects, mut answer) = self.compared(limits, observer)?;
            if !answer.has_failed() {
                self.demand_columns(&subjects)?;
                if let Some(files) = files {
                    let accepted = accept(&self.asked, &subjects, files, limits, observer)?;
                    for (ruleset, configurations) in answer.rulesets.iter_mut().zip(accepted) {
                        if let Ok(found) = &mut ruleset.found {
                            found.accepted = configurations;
                            found.is_accepted = true;
                        }
                    }
                    answer.is_update = true;
                }
            }
            Ok(answer)
        })
    }

    /// What its parts are parts of: the odds of its rulesets. What was accepted is read once all parts are there.
    ///
    /// # Errors
    /// If a ruleset can't be read.
    pub fn job(&self) -> Result<Job, Error> {
        let mut job = Job::new("check", &(), Vec::new())?;
        for path in &self.asked.rulesets {
            job = job.reading(path, MOST_BYTES)?;
        }
        Ok(job)
    }

    /// Computes a part of the odds that are held against the accepted ones and against expectations, and writes what it asks;
    /// `out` is handed back. What moved is then [`Project::answer`] within
    /// [`Whole::limits`](crate::part::Whole::limits).
    ///
    /// # Errors
    /// If the work is cancelled, or the part can't be written. A ruleset that has errors has no odds, and is passed over.
    pub fn part<W: Write>(
        &self,
        part: (&Job, PartNumber),
        limits: &Limits,
        out: W,
    ) -> Result<W, Error> {
        let rulesets = self.asked.rulesets.iter();
        let subjects = rulesets.filter_map(|path| Subject::read(path, &self.asked).ok());
        let subjects: Vec<Subject> = subjects.collect();
        let mut pieces = Pieces::default();
        subjects
            .iter()
            .for_each(|subject| subject.push_pieces(&mut pieces));
        pieces.transcribe(part, limits, out)
    }

    /// The files of newly accepted odds, if they are to be written: from before the old ones are read, as another run may
    /// write them. What a run before has left half-way is completed or undone.
    fn files<'o>(&self, observer: &'o dyn Observer) -> Result<Option<FileSet<'o>>, Error> {
        let (directory, guard) = (&self.asked.baseline, observer.guard());
        match self.asked.accept {
            true => FileSet::new(directory, guard).map(Some),
            false => recover(directory, guard).map(|()| None),
        }
    }

    /// Every ruleset that could be checked, with whether its accepted odds are stale; and the answer.
    fn compared(
        &self,
        limits: &Limits,
        observer: &dyn Observer,
    ) -> Result<(Vec<(Subject, bool)>, ProjectAnswer), Error> {
        let asked = &self.asked;
        let read = { asked.rulesets.par_iter() }.map(|path| Subject::read(path, asked));
        let read: Vec<Result<Subject, Error>> = read.collect();
        let items = read.iter().flatten().map(Subject::items);
        limits.watch.announce_items(items.sum());
        let checked: Vec<Checked> = { read.into_par_iter() }
            .map(|subject| {
                let subject = subject?;
                let (found, is_stale) = subject.compare(asked, limits, observer)?;
                Ok((subject, found, is_stale))
            })
            .collect();
        if limits.watch.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let (mut subjects, mut rulesets) = (Vec::new(), Vec::new());
        for (path, checked) in asked.rulesets.iter().zip(checked) {
            let found = checked.map(|(subject, found, is_stale)| {
                subjects.push((subject, is_stale));
                found
            });
            rulesets.push(RulesetAnswer {
                id: id_of(path),
                file: asked.shown(path),
                found: found.map_err(Trouble::from),
            });
        }
        let answer = ProjectAnswer {
            rulesets,
            orphans: asked.orphans()?,
            command: asked.command.clone(),
            is_update: false,
        };
        Ok((subjects, answer))
    }

    /// Refuses tolerances of columns that no table has.
    fn demand_columns(&self, subjects: &[(Subject, bool)]) -> Result<(), Error> {
        let tables = { subjects.iter() }.flat_map(|(subject, _)| &subject.manifest.tables);
        let columns = tables.flat_map(|table| &table.columns);
        let columns: Vec<&str> = columns.map(String::as_str).collect();
        Ok(self.asked.tolerances.demand_columns(&columns)?)
    }
}
