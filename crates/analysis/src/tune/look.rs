//! Looking at the candidates of a range, in either way.

use std::ops::{ControlFlow, Range};

use oddsmith_exact::Error as ExactError;

use crate::tune::asked::{FoundAsked, count};
use crate::tune::cost::Costs;
use crate::tune::diagram::Halt;
use crate::tune::probe::Tells;
use crate::tune::search::{Missed, Sifted};
use crate::tune::shared::{Outcome, Sharing};
use crate::tune::{Error, MOST_DISTANCES, Method, Search, Tuned};

/// Who hears how far a search is.
pub(crate) type Progress<'h> = &'h mut dyn FnMut(u32, u64) -> ControlFlow<()>;

/// The candidates that are looked at.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) range: Range<u64>,
    /// Whether it is found out why none is right, if none is.
    pub(crate) is_explained: bool,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Looked {
    pub(crate) sifted: Sifted,
    /// The first candidate that was not looked at.
    pub(crate) until: u64,
    pub(crate) method: Method,
    pub(crate) asked: Vec<FoundAsked>,
    /// Why none is right, if that was found out.
    pub(crate) explained: Option<Explained>,
}

/// Why none is right.
#[derive(Debug)]
pub(crate) struct Explained {
    pub(crate) missed: Missed,
    /// Whether every candidate was looked at.
    pub(crate) is_each: bool,
    pub(crate) asked: Vec<FoundAsked>,
}

impl Search<'_> {
    /// Looks at candidates in the way that takes less.
    ///
    /// # Errors
    /// As [`super::tune`].
    pub(crate) fn look(&self, task: &Task, progress: Progress<'_>) -> Result<Looked, Error> {
        match self.reason() {
            None => match self.shared(task, progress)? {
                Some(looked) => Ok(looked),
                None => self.each(task, Vec::new(), progress),
            },
            Some(goals) => self.each(task, goals, progress),
        }
    }

    /// The result of a search that has found this.
    pub(crate) fn answer(&self, looked: Looked) -> Result<Tuned, ExactError> {
        let mut tuned = self.told(&looked.sifted, looked.until)?;
        tuned.method = looked.method;
        tuned.asked = count(&looked.asked);
        if let Some(explained) = looked.explained {
            self.prove(&mut tuned, explained.missed)?;
            tuned.asked += count(&explained.asked);
            tuned.method = tuned.method.explained(explained.is_each);
        }
        Ok(tuned)
    }

    /// Searches by shared answers. Nothing if every candidate has to be looked at after all.
    pub(crate) fn shared(
        &self,
        task: &Task,
        progress: Progress<'_>,
    ) -> Result<Option<Looked>, Error> {
        let Range { start, end } = task.range;
        let costs = Costs::new(self.space, self.budget);
        let mut probes = self.apart(self.probes(Tells::Met)?, Tells::Met)?;
        probes.foresee(costs, 0, &task.range)?;
        let mut go_on = || progress(0, start).is_continue();
        let kept = (self.question.top, self.question.goals.len());
        let sifted =
            Sharing::new(self.space, costs, &probes, start..end).and_then(|mut sharing| {
                let found = sharing.sift(&probes, kept, &mut go_on)?;
                Ok((sharing, found))
            });
        let looked = |sifted, until, asked| Looked {
            sifted,
            until,
            method: Method::Shared,
            asked,
            explained: None,
        };
        let (mut sharing, sifted) = match sifted {
            Ok((sharing, Outcome::Found(sifted))) => (sharing, sifted),
            Ok((_, Outcome::Broken(number))) => {
                let probes = self.probes(Tells::Met)?;
                let run = self.run(&probes, start..end);
                run.sift_block(number / self.space.block, Sifted::new(kept.0, kept.1))?;
                return Ok(None);
            }
            Err(Halt::Full) => return Ok(None),
            Err(Halt::Ended) => {
                let nothing = Sifted::new(kept.0, kept.1);
                return Ok(Some(looked(nothing, start, Vec::new())));
            }
            Err(Halt::Exact(error)) => return Err(error.into()),
        };
        let mut looked = looked(sifted, end, std::mem::take(&mut sharing.asked));
        if looked.sifted.met > 0 || !task.is_explained {
            // It is at its end, so that nothing is left to be broken off.
            let _ = progress(0, end);
        } else if !self.explain_shared(&mut sharing, (task, &mut looked), progress)? {
            looked.explained = self.explain_each(task, progress)?;
        }
        Ok(Some(looked))
    }

    /// Adds why none meets all goals, by shared answers. Whether that is possible.
    fn explain_shared(
        &self,
        sharing: &mut Sharing<'_>,
        (task, looked): (&Task, &mut Looked),
        progress: Progress<'_>,
    ) -> Result<bool, Error> {
        if { self.parts(&self.hard).into_iter() }.any(|plan| plan.cells() > MOST_DISTANCES) {
            return Ok(false);
        }
        let probes = self.apart(self.probes(Tells::Off)?, Tells::Off)?;
        let mut go_on = || progress(1, task.range.start).is_continue();
        let goals = self.question.goals.len();
        let missed = sharing.explain(&probes, goals, &mut go_on);
        match missed {
            Ok(Outcome::Found(missed)) => {
                looked.explained = Some(Explained {
                    missed,
                    is_each: false,
                    asked: std::mem::take(&mut sharing.asked),
                });
                let _ = progress(1, task.range.end);
                Ok(true)
            }
            Ok(Outcome::Broken(number)) => {
                let probes = self.probes(Tells::Off)?;
                let run = self.run(&probes, task.range.clone());
                run.explain_block(number / self.space.block, Missed::new(goals))?;
                Ok(false)
            }
            Err(Halt::Full) => Ok(false),
            Err(Halt::Ended) => Ok(true),
            Err(Halt::Exact(error)) => Err(error.into()),
        }
    }

    /// Looks at every candidate.
    pub(crate) fn each(
        &self,
        task: &Task,
        goals: Vec<usize>,
        progress: Progress<'_>,
    ) -> Result<Looked, Error> {
        let Range { start, end } = task.range;
        let mut probes = self.probes(Tells::Met)?;
        let costs = Costs::new(self.space, self.budget);
        probes.foresee(costs, end.saturating_sub(start), &task.range)?;
        let run = self.run(&probes, start..end);
        let kept = (self.question.top, self.question.goals.len());
        let (sifted, until) = run.sift(kept, |done| progress(0, done))?;
        let is_explained = sifted.met == 0 && task.is_explained && until == end;
        let mut looked = Looked {
            sifted,
            until,
            method: Method::Each(goals),
            asked: probes.asked(),
            explained: None,
        };
        if is_explained {
            looked.explained = self.explain_each(task, progress)?;
        }
        Ok(looked)
    }

    /// Why none meets all goals, if that is found out.
    fn explain_each(
        &self,
        task: &Task,
        progress: Progress<'_>,
    ) -> Result<Option<Explained>, Error> {
        let probes = self.probes(Tells::Off)?;
        let run = self.run(&probes, task.range.clone());
        let goals = self.question.goals.len();
        let (missed, end) = run.explain(goals, |done| progress(1, done))?;
        let explained = || Explained {
            missed,
            is_each: true,
            asked: probes.asked(),
        };
        Ok((end == task.range.end).then(explained))
    }
}

impl Method {
    /// The method of a search that explained what it found by looking at every candidate, or by sharing answers.
    pub(crate) fn explained(self, is_each: bool) -> Self {
        match self {
            Self::Shared if is_each => Self::Each(Vec::new()),
            method => method,
        }
    }
}
