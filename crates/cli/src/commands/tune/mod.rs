//! `oddsmith tune`: which parameters give the odds that are wanted.

mod asked;
mod patch;

use std::ops::ControlFlow;

use anyhow::Result;
use oddsmith_analysis::tune::{self, Candidate, Question, Tuned};
use oddsmith_exact::{Answer, Budget, Error as ExactError, IBig, RBig, answers};
use oddsmith_rules::{Check, Config, Dial, Goal, Query, Role, Tuning, load, shipped};

use crate::advice::Advice;
use crate::args::{Style, TuneArgs};
use crate::failure;
use crate::format::tuning::{self, Tunings};
use crate::format::tuning_view;
use crate::output::{Destination, Output};
use crate::progress::{Meter, use_threads};
use crate::target::{self, Target, Wanted};
use crate::{exit, interrupt, settings, terminal};

const PROGRESS: &str =
    "{msg} {wide_bar} {human_pos} of {human_len} candidates, {per_sec}, {eta} left";

/// Searches and shows.
pub(crate) fn run(args: &TuneArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let target = Target::resolve(&args.target, Wanted::Either)?;
    let asked = asked::read(args, target.model(), &target.check)?;
    let files = files(args, &target)?;
    use_threads(args.running.parallel)?;
    let tuned = search(args, &target, &asked)?;
    let picked = pick(args, &target, &asked, &tuned)?;
    let change = match &picked {
        Some(candidate) => Some(Change::of(args, &target, &asked, candidate)?),
        None => None,
    };
    let tunings = Tunings {
        title: target.title(),
        ruleset: target.ruleset().to_owned(),
        check: &target.check,
        abouts: { asked.goals.iter() }
            .map(|goal| asked::about(goal, target.model(), &target.check.name))
            .collect(),
        asked: &asked,
        tuned: &tuned,
        patch: change.as_ref().map(|change| change.diff.as_str()),
        is_set: is_set(args, &target)?,
        picked: args.pick,
    };
    let (patch, apply) = &files;
    if ![patch, apply].contains(&&Some(Destination::Stdout)) {
        print(style, &tunings)?;
    }
    tell(args, &tuned);
    if let Some(change) = change {
        change.write(files, args)?;
    }
    Ok(status(&tuned))
}

/// Whether `--set` gives a parameter another value than it has.
fn is_set(args: &TuneArgs, target: &Target) -> Result<bool> {
    let config = settings::config(&target.check, &args.sets, "--set")?;
    let mut inputs = target.check.inputs.iter().zip(config.values());
    Ok(inputs.any(|(input, value)| input.role == Role::Parameter && input.default != *value))
}

/// Where the patch goes, and the new ruleset.
fn files(args: &TuneArgs, target: &Target) -> Result<(Option<Destination>, Option<Destination>)> {
    let patch = args.patch.as_deref().map(|path| writable(path, args));
    let patch = patch.transpose()?;
    if let Some(destination) = &patch {
        target.protect_from(destination)?;
    }
    let apply = args.apply.as_deref().map(|path| writable(path, args));
    let apply = apply.transpose()?;
    if patch.is_some() && patch == apply {
        let message = "`--patch` and `--apply` name the same file";
        return Err(Advice::error(message, "give each its own"));
    }
    if let Some(path) = &args.apply {
        refuse_shadow(path)?;
    }
    Ok((patch, apply))
}

fn status(tuned: &Tuned) -> u8 {
    if tuned.until < tuned.candidates {
        exit::INTERRUPTED
    } else if tuned.met == 0 {
        exit::NO
    } else {
        exit::OK
    }
}

/// How many combinations of options there are.
fn candidates(dials: &[Dial]) -> u64 {
    let options = dials.iter().map(|dial| dial.options.len() as u64);
    options.fold(1, u64::saturating_mul)
}

fn no_candidate(number: u64, dials: &[Dial]) -> anyhow::Error {
    let message = format!("there is no candidate {number}");
    let last = candidates(dials).saturating_sub(1);
    Advice::error(message, format!("they are numbered from 0 to {last}"))
}

/// Looks at all candidates, or at as many as there is patience for.
fn search(args: &TuneArgs, target: &Target, asked: &Tuning) -> Result<Tuned> {
    interrupt::listen()?;
    interrupt::begin();
    let candidates = candidates(&asked.dials);
    if args.from >= candidates {
        return Err(no_candidate(args.from, &asked.dials));
    }
    let is_seen = args.running.shows_progress(true);
    let mut meter = Meter::new(PROGRESS, candidates, is_seen);
    let question = question(args, target, (&asked.dials, &asked.goals), args.from);
    let budget = Budget::new(args.cost.budget);
    let tuned = tune::tune(&question, &budget, |round, done| {
        meter.message(|| ["", "nothing: why?"][round as usize].to_owned());
        meter.show(done);
        if interrupt::is_asked() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    meter.finish();
    answered(tuned)
}

/// The candidate that the patch is for: the best one, or the one that is asked for. If nothing is right there is none.
fn pick(
    args: &TuneArgs,
    target: &Target,
    asked: &Tuning,
    tuned: &Tuned,
) -> Result<Option<Candidate>> {
    let Some(number) = args.pick else {
        return Ok(tuned.best.first().cloned());
    };
    let told = tuned
        .best
        .iter()
        .chain(tuned.pareto.iter().flat_map(|pareto| &pareto.members));
    if let Some(candidate) = told.clone().find(|candidate| candidate.number == number) {
        return Ok(Some(candidate.clone()));
    }
    // One that is not shown is searched for by itself.
    let options = tune::options(&asked.dials, number);
    let found = match &options {
        Some(options) => {
            let dials = fixed(&asked.dials, options);
            let budget = Budget::new(args.cost.budget);
            let question = question(args, target, (&dials, &asked.goals), 0);
            answered(tune::tune(&question, &budget, |_, _| {
                ControlFlow::Continue(())
            }))?
            .best
        }
        None => Vec::new(),
    };
    match (found.into_iter().next(), options) {
        (Some(found), Some(options)) => Ok(Some(Candidate {
            number,
            options,
            ..found
        })),
        (_, None) => Err(no_candidate(number, &asked.dials)),
        (None, Some(_)) => {
            let message = format!("candidate {number} does not meet the goals");
            let help = "pick one that is shown, or any other that meets them";
            Err(Advice::error(message, help))
        }
    }
}

/// Dials that have one option each.
fn fixed(dials: &[Dial], options: &[usize]) -> Vec<Dial> {
    let fixed = |(dial, option): (&Dial, &usize)| Dial {
        options: vec![dial.options[*option].clone()],
        ..dial.clone()
    };
    dials.iter().zip(options).map(fixed).collect()
}

fn question<'a>(
    args: &TuneArgs,
    target: &'a Target,
    (dials, goals): (&'a [Dial], &'a [Goal]),
    from: u64,
) -> Question<'a> {
    Question {
        model: target.model(),
        dials,
        goals,
        top: usize::from(args.top),
        from,
    }
}

/// What was found; an error of the exact engine is told as in other commands.
fn answered(tuned: Result<Tuned, tune::Error>) -> Result<Tuned> {
    tuned.map_err(|error| match error {
        tune::Error::Exact(error) => error.into(),
        error => error.into(),
    })
}

/// A candidate as a change of the ruleset.
struct Change<'a> {
    target: &'a Target,
    candidate: &'a Candidate,
    /// The whole new text.
    text: String,
    diff: String,
}

impl<'a> Change<'a> {
    fn of(
        args: &TuneArgs,
        target: &'a Target,
        asked: &Tuning,
        candidate: &'a Candidate,
    ) -> Result<Self> {
        let base = settings::config(&target.check, &args.sets, "--set")?;
        let config = tune::configuration(&asked.dials, &candidate.options, &base);
        let source = &target.model().source;
        let text = patch::changed(source, &target.check, &config)?;
        let path = target::path_of(target.ruleset());
        let name = path.map_or(format!("{}.toml", target.ruleset()), patch::name_of);
        Ok(Self {
            diff: patch::diff(&name, &source.text, &text),
            target,
            candidate,
            text,
        })
    }

    /// Writes the patch and the new ruleset, where they are wanted.
    fn write(
        &self,
        (patch, apply): (Option<Destination>, Option<Destination>),
        args: &TuneArgs,
    ) -> Result<()> {
        if let (Some(destination), Some(path)) = (&patch, &args.patch) {
            write(destination, &self.diff)?;
            if !self.diff.is_empty() && *destination != Destination::Stdout {
                let (path, number) = (path.display(), self.candidate.number);
                failure::note(&format!("`{path}` is the patch for candidate {number}"));
            }
        }
        if let (Some(destination), Some(path)) = (&apply, &args.apply) {
            // What would not keep its promise is not written.
            self.verify(args, self.text.as_bytes())?;
            write(destination, &self.text)?;
            let name = match destination {
                Destination::File(file) => {
                    self.verify(args, &std::fs::read(file)?)?;
                    format!("`{}`, read back,", path.display())
                }
                Destination::Stdout | Destination::Device(_) => "what was written".to_owned(),
            };
            failure::note(&format!(
                "{name} has the odds of candidate {}, computed anew",
                self.candidate.number
            ));
        }
        self.tell_if_nothing_changes(patch.is_some(), apply.is_some());
        Ok(())
    }

    /// What was written is what was asked for, so that whatever reads it goes on; but it changes nothing.
    fn tell_if_nothing_changes(&self, has_patch: bool, has_copy: bool) {
        let written = match (has_patch, has_copy) {
            (true, true) => "the patch is empty, and the new ruleset is a copy",
            (true, false) => "the patch is empty",
            (false, true) => "the new ruleset is a copy",
            (false, false) => return,
        };
        if self.diff.is_empty() {
            failure::note(&format!(
                "candidate {} is the ruleset as it is: {written}",
                self.candidate.number
            ));
        }
    }

    /// Computes what a ruleset answers to the goals, by its own parameters, and compares it with what was promised.
    fn verify(&self, args: &TuneArgs, bytes: &[u8]) -> Result<()> {
        let model = load(self.target.ruleset(), bytes)?;
        let name = &self.target.check.name;
        let check = model
            .check_or_track(name)
            .expect("its checks are as they were");
        let asked = asked::read(args, &model, check)?;
        for (goal, promised) in asked.goals.iter().zip(&self.candidate.answers) {
            let check = model
                .check_or_track(&goal.check)
                .expect("a check of its ruleset");
            let found = answer(check, &goal.config, &goal.query, args)?;
            if found.as_ref().map(ratio) != promised.as_ref().map(ratio) {
                let message = format!(
                    "the new ruleset does not answer `{}` as promised",
                    goal.query.text
                );
                return Err(Advice::error(
                    message,
                    "this is an error of oddsmith; please tell us",
                ));
            }
        }
        Ok(())
    }
}

/// Writes a text whole or not at all.
fn write(destination: &Destination, text: &str) -> Result<()> {
    let mut output = Output::open(destination)?;
    output.write(text.as_bytes())?;
    output.finish()
}

/// The answer to a query by itself; none if there is no number.
fn answer(
    check: &Check,
    config: &Config,
    query: &Query,
    args: &TuneArgs,
) -> Result<Option<Answer>> {
    let budget = Budget::new(args.cost.budget);
    match answers(check, config, std::slice::from_ref(query), &budget) {
        Ok(mut found) => Ok(found.pop()),
        Err(ExactError::NeverHappens { .. } | ExactError::NeverEnds { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// An answer, so that equal ones are equal: without end it has its sign.
fn ratio(answer: &Answer) -> (Option<RBig>, bool) {
    (answer.to_ratio(), answer.weight > IBig::ZERO)
}

/// A file that is called like a game that ships would be read in its place.
fn refuse_shadow(path: &std::path::Path) -> Result<()> {
    let is_shipped = |name: &str| shipped().iter().any(|(known, _)| *known == name);
    match path.to_str().filter(|name| is_shipped(name)) {
        None => Ok(()),
        Some(name) => {
            let message =
                format!("a file `{name}` would be read in place of the game of that name");
            Err(Advice::error(
                message,
                format!("call it `{name}.toml`, or something else"),
            ))
        }
    }
}

/// Where a file goes: nowhere that there is one, unless that is said.
fn writable(path: &std::path::Path, args: &TuneArgs) -> Result<Destination> {
    let destination = Destination::of(Some(path))?;
    if let Destination::File(file) = &destination
        && file.exists()
        && !args.overwrite
    {
        let message = format!("`{}` is there already", path.display());
        return Err(Advice::error(
            message,
            "give another name, or add `--overwrite`",
        ));
    }
    // A search is not made in vain.
    destination.has_place()?;
    Ok(destination)
}

fn print(style: Style, tunings: &Tunings<'_>) -> Result<()> {
    match style {
        Style::View(form) => terminal::print(&tuning_view::document(tunings, form).terminal())?,
        Style::Csv => terminal::print_data(&tuning::csv(tunings)?)?,
        Style::Json => terminal::print_json(&tuning::json(tunings))?,
        Style::Document(markup, form) => {
            let document = tuning_view::document(tunings, form).markup(markup);
            terminal::print_data(document.as_bytes())?;
        }
    }
    Ok(())
}

/// What is worth knowing beside the answer.
fn tell(args: &TuneArgs, tuned: &Tuned) {
    if tuned.until < tuned.candidates {
        failure::note(&format!(
            "interrupted: candidates from {} on were not looked at; `--from {}` goes on there",
            tuned.until, tuned.until
        ));
    }
    if tuned.met == 0 && (args.patch.is_some() || args.apply.is_some()) {
        failure::note("nothing was written: no candidate meets the goals");
    }
}
