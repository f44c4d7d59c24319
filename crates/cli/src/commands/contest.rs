//! `oddsmith contest`: two sides against each other.

use anyhow::Result;
use oddsmith::wire::ContestOdds;
use oddsmith::{Contest, ContestAnswer, ContestRequest, Limits, Settings};
use oddsmith_rules::Ties;

use crate::args::{ContestArgs, Sides, Style, TieRule};
use crate::failure;
use crate::format::contest_view::ContestView;
use crate::format::outcomes;
use crate::format::words::Form;
use crate::target::{Target, Wanted};
use crate::{exit, terminal};

/// Answers and prints.
pub(crate) fn run(args: &ContestArgs) -> Result<u8> {
    let style = args.shown.style()?;
    let target = Target::resolve(&args.target, Wanted::Check)?;
    let request = ContestRequest {
        check: Some(target.check.name.clone()),
        queries: args.queries.clone(),
        ..request(&args.sides, &args.sets)
    };
    let contest = target.game.contest(&request)?;
    let limits = &args.cost.limits();
    let found = contest.answer(limits)?;
    match style {
        Style::View(form) => {
            let view = view(&target, &contest, found, limits, form)?;
            terminal::print(&view.document().terminal())?;
            return Ok(exit::OK);
        }
        Style::Csv => terminal::print_data(&outcomes::csv(&found.outcomes(), &[])?)?,
        Style::Json => {
            terminal::print_answer(&ContestOdds::of(&target.game, &contest, &found))?;
        }
        Style::Document(markup, form) => {
            let document = outcomes::document(&found.outcomes(), form);
            terminal::print_data(document.markup(markup).as_bytes())?;
        }
    }
    if !found.is_ever_decided() {
        failure::note("no `A|decided`: it is always a tie");
    }
    Ok(exit::OK)
}

/// What the sides do, each in its own configuration; `sets` are for both.
pub(crate) fn request(sides: &Sides, sets: &[String]) -> ContestRequest {
    ContestRequest {
        check: None,
        against: sides.against.clone(),
        settings: Settings::parse("--set", sets),
        a: Settings::parse("--a", &sides.a),
        b: Settings::parse("--b", &sides.b),
        compare: sides.compare.clone(),
        ties: sides.ties.map(|ties| Ties::from(ties).name().to_owned()),
        queries: Vec::new(),
    }
}

/// `Arena · duel against duel`
fn title(target: &Target, contest: &Contest) -> String {
    let [a, b] = contest.titles();
    format!("{} · {a} against {b}", target.game.title())
}

fn view(
    target: &Target,
    contest: &Contest,
    found: ContestAnswer,
    limits: &Limits,
    form: Form,
) -> Result<ContestView> {
    let (whole, flags) = found
        .flags
        .into_iter()
        .partition(|flag| matches!(flag.name.as_str(), "a_wins" | "b_wins"));
    Ok(ContestView {
        title: title(target, contest),
        settings: contest.settings_in_words(),
        ties: contest.ties,
        bands: found.bands,
        flags,
        decided: found.decided,
        rounds: found.rounds,
        whole,
        sides: contest.compared_sides(limits)?,
        asked: found.asked,
        form,
    })
}

impl From<TieRule> for Ties {
    fn from(rule: TieRule) -> Self {
        match rule {
            TieRule::Reroll => Self::Reroll,
            TieRule::Both => Self::Both,
            TieRule::Defender => Self::Defender,
        }
    }
}
