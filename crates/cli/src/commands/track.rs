//! `oddsmith track`: rolls until something is full.

use anyhow::Result;
use oddsmith::questions::number_title;
use oddsmith::wire::TrackOdds;
use oddsmith::{NamedAnswer, Track, TrackAnswer, TrackRequest};

use crate::args::{Style, TrackArgs};
use crate::format::outcomes;
use crate::format::track_view::{Last, TrackView};
use crate::format::view;
use crate::format::words::Form;
use crate::target::{Target, Wanted};
use crate::{exit, failure, terminal};

/// Answers and prints.
pub(crate) fn run(args: &TrackArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let target = Target::resolve(&args.target, Wanted::Track)?;
    if args.denying.refuses(&target.model().warnings) {
        return Ok(exit::NO);
    }
    let request = TrackRequest {
        track: Some(target.check.name.clone()),
        settings: args.asked.settings(),
        queries: args.asked.queries.clone(),
        horizon: args.horizon,
    };
    let limits = args.cost.limits();
    let track = target.game.track(&request, &limits)?;
    match style {
        Style::View(form) => {
            let view = view_of(&track, target.title(), args.horizon.is_some(), form)?;
            terminal::print(&view.document().terminal())?;
        }
        Style::Json => {
            let answer = told(&track)?;
            terminal::print_answer(&TrackOdds::of(&target.game, &track, &answer))?;
        }
        Style::Document(markup, form) => {
            let lines = outcomes::told(&track.check, told(&track)?.outcomes);
            terminal::print_data(outcomes::document(&lines, form).markup(markup).as_bytes())?;
        }
        Style::Csv => {
            let lines: Vec<NamedAnswer> = told(&track)?.outcomes;
            terminal::print_data(&outcomes::csv(&lines, &[])?)?;
        }
    }
    Ok(exit::OK)
}

/// The answers as data; what is left out of them is told.
fn told(track: &Track) -> Result<TrackAnswer> {
    let answer = track.answer()?;
    answer.notes.iter().for_each(|note| failure::note(note));
    Ok(answer)
}

fn view_of(track: &Track, title: String, one_by_one: bool, form: Form) -> Result<TrackView> {
    let summary = track.summary()?;
    let check = &track.check;
    let lines = |lines| outcomes::told(check, lines);
    let last = |number: Last| Last {
        name: number_title(check, &number.name),
        ..number
    };
    Ok(TrackView {
        title,
        settings: check.tell(&track.config),
        rolls: summary.lengths,
        one_by_one,
        ends: lines(summary.ends),
        last: summary.last.into_iter().map(last).collect(),
        shows: lines(summary.shows),
        first: view::told(check, summary.first),
        asked: lines(summary.asked),
        form,
    })
}
