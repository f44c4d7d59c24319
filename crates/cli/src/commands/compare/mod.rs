//! `oddsmith compare`: two versions side by side.

mod picture;

use anyhow::Result;
use oddsmith::comparison::SIDES;
use oddsmith::wire::ComparisonOdds;
use oddsmith::{CompareRequest, Comparison, ComparisonAnswer, Limits, Settings};

use crate::advice::Advice;
use crate::args::{CompareArgs, Style};
use crate::document::Medium;
use crate::format::{comparison, comparison_view};
use crate::picture::PictureFile;
use crate::target::{self, TargetName};
use crate::{exit, failure, gaps, settings, terminal, words};
use picture::Drawing;

/// Answers and prints, or draws.
pub(crate) fn run(args: &CompareArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let file = args.drawing.file()?;
    if args.other.is_none() && args.with.is_empty() {
        let message = format!("`{}` has nothing to be compared with", args.target);
        let help = "name a second target, or say with `--with NAME=VALUE` what is other in B";
        return Err(Advice::error(message, help));
    }
    let with = with(args)?;
    let other = args.other.as_ref().unwrap_or(&args.target);
    let names = [&args.target, other].map(|name| TargetName::parse(name));
    let games = [
        target::open(names[0].ruleset)?,
        target::open(names[1].ruleset)?,
    ];
    let question = games[0].compare(&games[1], &request(args, &with, names))?;
    let limits = &args.cost.limits();
    let answer = match file {
        Some(file) => {
            names
                .iter()
                .try_for_each(|name| target::protect(name.ruleset, &file.destination))?;
            draw(&file, &question, limits, args)?
        }
        None => {
            let answer = question.answer(limits)?;
            print(style, &answer)?;
            answer
        }
    };
    for (gaps, side) in answer.gaps.iter().zip(SIDES) {
        let without = format!("{side} has no odds there");
        gaps::tell(gaps, [&without, &without]);
    }
    question.notes().for_each(failure::note);
    Ok(exit::OK)
}

/// What is other in B, a setting each. Where the last one has no value, the second target is what was meant as its value.
fn with(args: &CompareArgs) -> Result<Vec<String>> {
    let read = settings::assignments("--with", &args.with);
    read.map_err(|error| {
        let words: Vec<_> = std::env::args_os().collect();
        match words::apart(&words) {
            Some(meant) => Advice::error(error.to_string(), format!("write {meant}")),
            None => error.into(),
        }
    })
}

fn request(args: &CompareArgs, with: &[String], [a, b]: [TargetName<'_>; 2]) -> CompareRequest {
    CompareRequest {
        check: a.check.map(str::to_owned),
        against: b.check.map(str::to_owned),
        settings: args.asked.settings(),
        with: Settings::parse("--with", with),
        sweeps: args.sweeps.clone(),
        queries: args.asked.queries.clone(),
        of: args.of.clone(),
    }
}

fn print(style: Style, answer: &ComparisonAnswer) -> Result<()> {
    match style {
        Style::View(form) => {
            terminal::print(&comparison_view::document(answer, form, Medium::Terminal).terminal())?;
        }
        Style::Csv => terminal::print_data(&comparison::csv(answer)?)?,
        Style::Json => terminal::print_answer(&ComparisonOdds::of(answer))?,
        Style::Document(markup, form) => {
            let document = comparison_view::document(answer, form, Medium::Page).markup(markup);
            terminal::print_data(document.as_bytes())?;
        }
    }
    Ok(())
}

/// What can't be drawn is refused before it is computed.
fn draw(
    file: &PictureFile,
    question: &Comparison,
    limits: &Limits,
    args: &CompareArgs,
) -> Result<ComparisonAnswer> {
    let drawing = Drawing::of(question)?;
    let answer = question.answer(limits)?;
    file.write(&drawing.figure(&answer), args.drawing.look)?;
    Ok(answer)
}
