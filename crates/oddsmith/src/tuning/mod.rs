//! Tuning: which parameters give the odds that are wanted.

mod answer;
mod asked;
mod patch;
mod request;
mod words;

use std::io::Write;
use std::ops::ControlFlow;

use oddsmith_analysis::tune::{self, Question};
use oddsmith_exact::{Answer, Error as ExactError, IBig, RBig, answers};
use oddsmith_rules::{Check, Config, Dial, Goal, Role, Tuning as Asked, load};

pub use answer::{Change, TuningAnswer};
pub use oddsmith_analysis::tune::{Candidate, Method, Pareto, Proof, Tuned, Value as Distance};
pub use patch::Patch;
pub use request::{Observer, Progress, TuneRequest};
pub use words::aim;

use crate::game::find;
use crate::part::{self, Job, PartNumber, PartWriter, Whole};
use crate::{Error, Game, Limits, TargetName, Wanted};

/// A search over the parameters of a game that is to be made.
#[derive(Clone, Debug)]
pub struct Tuning<'g> {
    game: &'g Game,
    check: &'g Check,
    request: TuneRequest,
    /// The configuration of the check, but for what varies.
    config: Config,
    dials: Vec<Dial>,
    goals: Vec<Goal>,
}

impl Game {
    /// A search for the values of parameters that give the odds that are wanted.
    ///
    /// # Errors
    /// If there is no such check, nothing varies, there is no goal, or a setting or a goal does not fit the game.
    ///
    /// ```
    /// use oddsmith::{Game, Limits, TuneRequest};
    /// let game = Game::open("stars-and-signs")?;
    /// let request = TuneRequest {
    ///     vary: vec!["boon_cap=2..=6".to_owned()],
    ///     goals: vec!["Critical @ circ_boons=5 ~ 0.5".to_owned()],
    ///     ..TuneRequest::default()
    /// };
    /// let answer = game.tune(&request)?.answer(&Limits::default(), &mut ())?;
    /// let best = &answer.tuned.best[0];
    /// assert_eq!(answer.values(best), ["3"]); // 53 % of the rolls are a Critical
    /// let change = answer.change.expect("there is a best one");
    /// assert!(change.patch.diff.starts_with("--- a/stars-and-signs.toml"));
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn tune(&self, request: &TuneRequest) -> Result<Tuning<'_>, Error> {
        let check = self.find(request.check.as_deref(), Wanted::Either)?;
        let Asked { dials, goals } = asked::read(request, self.model(), check)?;
        Ok(Tuning {
            game: self,
            check,
            config: request.settings.config(check)?,
            request: request.clone(),
            dials,
            goals,
        })
    }
}

impl Tuning<'_> {
    /// The number of combinations of the values that parameters may have.
    pub fn candidates(&self) -> u64 {
        let options = self.dials.iter().map(|dial| dial.options.len() as u64);
        options.fold(1, u64::saturating_mul)
    }

    /// The candidates that meet the goals and are nearest to the wishes, or the proof that there are none.
    ///
    /// # Errors
    /// If the first candidate, or the one that is picked, does not exist; if the one that is picked does not meet the
    /// goals; if a candidate has no answer, or the answer is over the limits.
    pub fn answer(
        &self,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<TuningAnswer, Error> {
        self.answered(limits, || self.search(limits, observer))
    }

    /// What its parts are parts of.
    ///
    /// # Errors
    /// If the file of goals can't be read.
    pub fn job(&self) -> Result<Job, Error> {
        let job = Job::of(self.game, "tune", &self.request)?;
        match &self.request.file {
            Some(path) => job.reading(path, oddsmith_rules::MOST_BYTES),
            None => Ok(job),
        }
    }

    /// Looks at a part of the candidates and writes what it finds; `out` is handed back. None if the observer ended it.
    ///
    /// # Errors
    /// As [`Tuning::answer`]; if the part can't be written.
    pub fn part<W: Write + Send>(
        &self,
        (job, number): (&Job, PartNumber),
        limits: &Limits,
        observer: &mut dyn Observer,
        out: W,
    ) -> Result<Option<W>, Error> {
        let (from, until) = (self.request.from, self.candidates());
        if from >= until {
            return Err(self.no_candidate(from));
        }
        let own = number.of_units(until - from);
        let range = from + own.start..from + own.end;
        let found = limits.run(|| {
            let question = self.question((&self.dials, from));
            let watch = |round, done| watched(limits, observer, (round, done));
            Ok(tune::found::find(
                &question,
                range,
                &limits.budget(),
                watch,
            )?)
        })?;
        let Some(found) = found else {
            return Ok(None);
        };
        let write = || {
            let mut writer = PartWriter::new(out, job, number)?;
            writer.result(&found)?;
            writer.finish()
        };
        write().map(Some).map_err(|error| part::unwritable(&error))
    }

    /// [`Tuning::answer`] of a search that was made in parts. [`Whole::demand`] says whether these are parts of this one.
    ///
    /// # Errors
    /// As [`Tuning::answer`]; if a part can't be read.
    pub fn merged(&self, whole: &Whole, limits: &Limits) -> Result<TuningAnswer, Error> {
        self.answered(limits, || {
            let found = whole.results()?;
            let question = self.question((&self.dials, self.request.from));
            Ok(tune::found::settle(&question, &found, &limits.budget())?)
        })
    }

    /// The answer, of what a search finds.
    fn answered(
        &self,
        limits: &Limits,
        search: impl FnOnce() -> Result<Tuned, Error> + Send,
    ) -> Result<TuningAnswer, Error> {
        limits.run(|| {
            let tuned = search()?;
            let picked = self.pick(&tuned, limits)?;
            let model = self.game.model();
            let subjects = { self.goals.iter() }
                .map(|goal| words::subject(goal, model, &self.check.name))
                .collect();
            Ok(TuningAnswer {
                check: self.check.clone(),
                dials: self.dials.clone(),
                goals: self.goals.clone(),
                subjects,
                tuned,
                is_set: self.is_set(),
                picked: self.request.pick,
                change: picked.map(|candidate| self.change(candidate)).transpose()?,
            })
        })
    }

    /// Whether a parameter has another value than in the ruleset.
    fn is_set(&self) -> bool {
        let mut inputs = self.check.inputs.iter().zip(self.config.values());
        inputs.any(|(input, value)| input.role == Role::Parameter && input.default != *value)
    }

    /// Looks at all candidates, or at as many as the observer has patience for.
    fn search(&self, limits: &Limits, observer: &mut dyn Observer) -> Result<Tuned, Error> {
        if self.request.from >= self.candidates() {
            return Err(self.no_candidate(self.request.from));
        }
        self.tuned((&self.dials, self.request.from), limits, observer)
    }

    /// Looks at the candidates of some dials from a number on. A search that was cancelled has no answer, not even a part
    /// of one.
    fn tuned(
        &self,
        (dials, from): (&[Dial], u64),
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Tuned, Error> {
        let question = self.question((dials, from));
        let watch = |round, done| watched(limits, observer, (round, done));
        let tuned = tune::tune(&question, &limits.budget(), watch)?;
        if limits.watch.is_cancelled() {
            return Err(Error::Cancelled);
        }
        Ok(tuned)
    }

    fn question<'q>(&'q self, (dials, from): (&'q [Dial], u64)) -> Question<'q> {
        Question {
            model: self.game.model(),
            dials,
            goals: &self.goals,
            top: self.request.top.max(1),
            from,
        }
    }

    fn no_candidate(&self, number: u64) -> Error {
        let message = format!("there is no candidate {number}");
        let last = self.candidates().saturating_sub(1);
        Error::advice(message, format!("they are numbered from 0 to {last}"))
    }

    /// The candidate that the change is for: the best one, or the one that is asked for. If nothing is right there is none.
    fn pick(&self, tuned: &Tuned, limits: &Limits) -> Result<Option<Candidate>, Error> {
        let Some(number) = self.request.pick else {
            return Ok(tuned.best.first().cloned());
        };
        let members = tuned.pareto.iter().flat_map(|pareto| &pareto.members);
        let mut told = tuned.best.iter().chain(members);
        if let Some(candidate) = told.find(|candidate| candidate.number == number) {
            return Ok(Some(candidate.clone()));
        }
        // One that is not told is searched for by itself.
        let options = tune::options(&self.dials, number);
        let options = options.ok_or_else(|| self.no_candidate(number))?;
        let dials = fixed(&self.dials, &options);
        let found = self.tuned((&dials, 0), limits, &mut ())?;
        match found.best.into_iter().next() {
            Some(found) => Ok(Some(Candidate {
                number,
                options,
                ..found
            })),
            None => Err(Error::advice(
                format!("candidate {number} does not meet the goals"),
                "pick one that is shown, or any other that meets them",
            )),
        }
    }

    fn change(&self, candidate: Candidate) -> Result<Change, Error> {
        let config = tune::configuration(&self.dials, &candidate.options, &self.config);
        let patch = Patch::of(self.game, self.check, &config)?;
        Ok(Change { candidate, patch })
    }

    /// Holds a changed text of the ruleset to what a candidate promises: its answers to the goals are computed anew, by its
    /// own parameters.
    ///
    /// # Errors
    /// If the text has errors, what is asked does not fit it, or an answer is another one or over the limits.
    pub fn verify(&self, text: &[u8], candidate: &Candidate, limits: &Limits) -> Result<(), Error> {
        let name = TargetName {
            ruleset: self.game.name(),
            check: Some(&self.check.name),
        };
        let model = load(name.ruleset, text)?;
        let asked = asked::read(&self.request, &model, find(&model, name, Wanted::Either)?)?;
        limits.run(|| {
            for (goal, promised) in asked.goals.iter().zip(&candidate.answers) {
                let check = model.check_or_track(&goal.check);
                let check = check.expect("a goal is about a check of its ruleset");
                let found = answer(check, goal, limits)?;
                if found.as_ref().map(ratio) != promised.as_ref().map(ratio) {
                    let query = &goal.query.text;
                    let message = format!("the new ruleset does not answer `{query}` as promised");
                    let help = "this is an error of oddsmith; please tell us";
                    return Err(Error::advice(message, help));
                }
            }
            Ok(())
        })
    }
}

/// Tells an observer how far a search is; whether it goes on.
fn watched(
    limits: &Limits,
    observer: &mut dyn Observer,
    (round, done): (u32, u64),
) -> ControlFlow<()> {
    if limits.watch.is_cancelled() {
        return ControlFlow::Break(());
    }
    let is_proof = round > 0;
    observer.searched(Progress { done, is_proof })
}

/// Dials that have one option each.
fn fixed(dials: &[Dial], options: &[usize]) -> Vec<Dial> {
    let fixed = |(dial, option): (&Dial, &usize)| Dial {
        options: vec![dial.options[*option].clone()],
        ..dial.clone()
    };
    dials.iter().zip(options).map(fixed).collect()
}

/// The answer to a goal's query by itself; none if there is no number.
fn answer(check: &Check, goal: &Goal, limits: &Limits) -> Result<Option<Answer>, Error> {
    let query = std::slice::from_ref(&goal.query);
    match answers(check, &goal.config, query, &limits.budget()) {
        Ok(mut found) => Ok(found.pop()),
        Err(ExactError::NeverHappens { .. } | ExactError::NeverEnds { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// An answer, so that equal ones are equal: without end it has its sign.
fn ratio(answer: &Answer) -> (Option<RBig>, bool) {
    (answer.to_ratio(), answer.weight > IBig::ZERO)
}

/// An error of the exact engine is told as for other questions.
impl From<tune::Error> for Error {
    fn from(error: tune::Error) -> Self {
        match error {
            tune::Error::Exact(error) => error.into(),
            error => Self::advice(error.to_string(), ""),
        }
    }
}
