//! `oddsmith check`: odds as they are computed now against those that were accepted.

use std::sync::{Mutex, PoisonError};

use anyhow::Result;
use oddsmith::file_set::Guard;
use oddsmith::project::{Intent, IntentVerdict, Observer};
use oddsmith::wire::ProjectOdds;
use oddsmith::{Error, Project, ProjectAnswer, ProjectRequest};
use oddsmith_exact::Gaps;

use crate::advice::Advice;
use crate::args::{CheckArgs, CheckFormat, DEFAULT_BUDGET};
use crate::document::Markup;
use crate::format::check::{github, junit, markdown, text};
use crate::output::{Destination, Interruptions};
use crate::parting::{self, Work};
use crate::progress::counted;
use crate::{exit, failure, gaps, shell_words, terminal};

/// Compares, tells, and accepts if that is asked for.
pub(crate) fn run(args: &CheckArgs) -> Result<u8> {
    let parting = &args.parting.parting;
    parting.refuse("--update", args.update)?;
    let project = Project::find(&request(args))?;
    let work = parting.work(|| project.job())?;
    let limits = &work.limits(args.cost.limits_on(args.running.parallel))?;
    if let Work::Part(job, number) = work {
        let destination = Destination::of(args.parting.output.as_deref())?;
        destination.has_place()?;
        let part = project.part((&job, number), limits, Vec::new())?;
        return parting::write_part(&destination, Some(part));
    }
    let (teller, is_seen) = (Teller::default(), args.running.shows_progress(true));
    let answer = counted(&limits.watch, is_seen, || project.answer(limits, &teller));
    teller.tell();
    let answer = answer?;
    show(&answer, args.format)?;
    Ok(status(&answer))
}

fn request(args: &CheckArgs) -> ProjectRequest {
    let usual = ProjectRequest::default();
    ProjectRequest {
        rulesets: args.paths.clone(),
        baseline: args.baseline.clone(),
        config: args.config.clone(),
        tolerance: args.tolerance.clone(),
        most: usual.most.filter(|_| !args.all),
        accept: args.update,
        command: accept(args),
    }
}

/// The command that accepts what this run compares.
fn accept(args: &CheckArgs) -> String {
    let mut words = vec!["oddsmith check".to_owned()];
    words.extend(args.paths.iter().map(|path| shell_words::path(path)));
    for (option, value) in [("--baseline", &args.baseline), ("--config", &args.config)] {
        words.extend(
            value
                .iter()
                .map(|path| format!("{option} {}", shell_words::path(path))),
        );
    }
    if args.cost.budget != DEFAULT_BUDGET {
        words.push(format!("--budget {}", args.cost.budget));
    }
    words.push("--update".to_owned());
    words.join(" ")
}

fn status(answer: &ProjectAnswer) -> u8 {
    let is_unknown = answer.has_failed() || answer.has_unaccepted() || answer.unknown() > 0;
    match (is_unknown, answer.is_moved() || answer.is_broken()) {
        (true, _) => exit::FAILED,
        (false, true) => exit::NO,
        (false, false) => exit::OK,
    }
}

/// Keeps what is worth knowing until no progress is shown any more.
#[derive(Default)]
struct Teller {
    unaccepted: Mutex<Vec<String>>,
    gaps: Mutex<Vec<Gaps>>,
}

impl Teller {
    fn tell(self) {
        for why in { self.unaccepted.into_inner() }.unwrap_or_else(PoisonError::into_inner) {
            failure::tell(&why);
        }
        for gaps in self
            .gaps
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
        {
            gaps::tell_empty(&gaps);
        }
    }
}

impl Observer for Teller {
    fn unaccepted(&self, why: &Error) {
        let mut unaccepted = self
            .unaccepted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        unaccepted.push(failure::render_error(why));
    }

    fn gaps(&self, gaps: &Gaps) {
        let mut kept = self.gaps.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(gaps.clone());
    }

    fn guard(&self) -> &dyn Guard {
        &Interruptions
    }
}

/// Errors go to standard error in every format.
fn show(answer: &ProjectAnswer, format: CheckFormat) -> Result<()> {
    for ruleset in &answer.rulesets {
        if let Err(trouble) = &ruleset.found {
            failure::tell(&failure::render_error(&trouble.error));
        }
    }
    for (ruleset, found) in answer.found() {
        tell_unknown(&ruleset.file, &found.intents);
    }
    match format {
        CheckFormat::Text => terminal::print(&text::document(answer).terminal())?,
        CheckFormat::Github => {
            let told = github::plain(&text::document(answer).terminal());
            terminal::print_data(told.as_bytes())?;
            terminal::print_data(github::render(answer).as_bytes())?;
        }
        CheckFormat::Junit => terminal::print_data(junit::render(answer).as_bytes())?,
        CheckFormat::Json => terminal::print_answer(&ProjectOdds::of(answer))?,
        CheckFormat::Markdown => {
            let document = markdown::document(answer);
            terminal::print_data(document.markup(Markup::Markdown).as_bytes())?;
        }
    }
    Ok(())
}

/// Tells of which expectations of a file it can't be told whether they hold, and why; how many they are.
pub(crate) fn tell_unknown(file: &str, intents: &[Intent]) -> usize {
    let mut unknown = 0;
    for intent in intents {
        if let IntentVerdict::Unknown(why) = &intent.verdict {
            let (said, check, line) = (&intent.intent, &intent.check, intent.place.line);
            let message = format!(
                "{file}:{line}: it can't be told whether \"{said}\" holds of `{check}`: {why}"
            );
            failure::tell(&failure::render(&Advice::error(message, "")));
            unknown += 1;
        }
    }
    unknown
}
