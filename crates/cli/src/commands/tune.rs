//! `oddsmith tune`: which parameters give the odds that are wanted.

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Result;
use oddsmith::tuning::{Change, Observer, Progress, Tuned};
use oddsmith::wire::TuningOdds;
use oddsmith::{Game, Settings, TuneRequest, TuningAnswer};
use oddsmith_rules::{Goal, all_games};

use crate::advice::Advice;
use crate::args::{Style, TuneArgs};
use crate::failure;
use crate::format::{tuning, tuning_view};
use crate::output::{Destination, Output};
use crate::parting::Work;
use crate::progress::Meter;
use crate::target::{self, TargetName};
use crate::{exit, interrupt, parting, terminal};

const PROGRESS: &str =
    "{msg} {wide_bar} {human_pos} of {human_len} candidates, {per_sec}, {eta} left";

/// Searches and shows.
pub(crate) fn run(args: &TuneArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let name = TargetName::parse(&args.target);
    let game = target::open(name.ruleset)?;
    let question = game.tune(&request(args, name.check))?;
    let parting = &args.parting.parting;
    parting.refuse("--patch", args.patch.is_some())?;
    parting.refuse("--apply", args.apply.is_some())?;
    let work = parting.work(|| question.job())?;
    let files = Files::of(args, &game)?;
    let limits = &args.cost.limits_on(args.running.parallel);
    interrupt::listen()?;
    interrupt::begin();
    let is_seen = args.running.shows_progress(true);
    let watcher = &mut Watcher(Meter::new(PROGRESS, question.candidates(), is_seen));
    let answer = match work {
        Work::All => question.answer(limits, watcher)?,
        Work::Done(whole) => question.merged(whole, limits)?,
        Work::Part(job, number) => {
            let destination = parting::destination(args.parting.output.as_deref(), game.name())?;
            let part = question.part((&job, number), limits, watcher, Vec::new())?;
            watcher.0.finish();
            return parting::write_part(&destination, part);
        }
    };
    watcher.0.finish();
    if ![&files.patch, &files.apply].contains(&&Some(Destination::Stdout)) {
        print(style, &game, &answer)?;
    }
    tell(args, &answer.tuned);
    if let Some(change) = &answer.change {
        files.write(args, change, |text| {
            Ok(question.verify(text, &change.candidate, limits)?)
        })?;
    }
    Ok(status(&answer.tuned))
}

fn request(args: &TuneArgs, check: Option<&str>) -> TuneRequest {
    TuneRequest {
        check: check.map(str::to_owned),
        vary: args.vary.clone(),
        goals: args.goals.clone(),
        keeps: args.keeps.clone(),
        settings: Settings::parse("--set", &args.sets),
        file: args.file.clone(),
        top: usize::from(args.top),
        from: args.from,
        pick: args.pick,
    }
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

/// Shows how far the search is, and ends it on Ctrl-C.
struct Watcher(Meter);

impl Observer for Watcher {
    fn searched(&mut self, Progress { done, is_proof }: Progress) -> ControlFlow<()> {
        let message = if is_proof { "nothing: why?" } else { "" };
        self.0.message(|| message.to_owned());
        self.0.show(done);
        if interrupt::is_asked() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Where the patch goes, and the new ruleset.
struct Files {
    patch: Option<Destination>,
    apply: Option<Destination>,
}

impl Files {
    fn of(args: &TuneArgs, game: &Game) -> Result<Self> {
        let patch = args.patch.as_deref().map(|path| writable(path, args));
        let patch = patch.transpose()?;
        if let Some(destination) = &patch {
            target::protect(game.name(), destination)?;
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
        Ok(Self { patch, apply })
    }

    /// Writes the patch and the new ruleset, where they are wanted.
    fn write(
        &self,
        args: &TuneArgs,
        Change { candidate, patch }: &Change,
        verify: impl Fn(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let number = candidate.number;
        if let (Some(destination), Some(path)) = (&self.patch, &args.patch) {
            write(destination, &patch.diff)?;
            if !patch.diff.is_empty() && *destination != Destination::Stdout {
                let path = path.display();
                failure::note(&format!("`{path}` is the patch for candidate {number}"));
            }
        }
        if let (Some(destination), Some(path)) = (&self.apply, &args.apply) {
            // What would not keep its promise is not written.
            verify(patch.text.as_bytes())?;
            write(destination, &patch.text)?;
            let name = match destination {
                Destination::File(file) => {
                    verify(&std::fs::read(file)?)?;
                    format!("`{}`, read back,", path.display())
                }
                Destination::Stdout | Destination::Device(_) => "what was written".to_owned(),
            };
            failure::note(&format!(
                "{name} has the odds of candidate {number}, computed anew"
            ));
        }
        if patch.diff.is_empty() {
            self.tell_that_nothing_changes(number);
        }
        Ok(())
    }

    /// What was written is what was asked for, so that whatever reads it goes on; but it changes nothing.
    fn tell_that_nothing_changes(&self, number: u64) {
        let written = match (&self.patch, &self.apply) {
            (Some(_), Some(_)) => "the patch is empty, and the new ruleset is a copy",
            (Some(_), None) => "the patch is empty",
            (None, Some(_)) => "the new ruleset is a copy",
            (None, None) => return,
        };
        failure::note(&format!(
            "candidate {number} is the ruleset as it is: {written}"
        ));
    }
}

/// Writes a text whole or not at all.
fn write(destination: &Destination, text: &str) -> Result<()> {
    let mut output = Output::open(destination)?;
    output.write(text.as_bytes())?;
    output.finish()
}

/// A file that is called like a game that ships would be read in its place.
fn refuse_shadow(path: &Path) -> Result<()> {
    let is_shipped = |name: &str| all_games().any(|(known, _)| known == name);
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
fn writable(path: &Path, args: &TuneArgs) -> Result<Destination> {
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

fn print(style: Style, game: &Game, answer: &TuningAnswer) -> Result<()> {
    let is_about_it = |goal: &Goal| goal.check == answer.check.name;
    let title = match answer.goals.iter().any(is_about_it) {
        true => game.title_of(&answer.check),
        false => game.title().to_owned(),
    };
    let document = |form| tuning_view::document(&title, answer, form);
    match style {
        Style::View(form) => terminal::print(&document(form).terminal())?,
        Style::Csv => terminal::print_data(&tuning::csv(answer)?)?,
        Style::Json => terminal::print_answer(&TuningOdds::of(game, answer))?,
        Style::Document(markup, form) => {
            terminal::print_data(document(form).markup(markup).as_bytes())?;
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
