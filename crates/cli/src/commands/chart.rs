//! `oddsmith chart`: a picture.

use anyhow::Result;
use oddsmith::ask::{DiceLine, DiceMode, of_dice};
use oddsmith::{ChartAnswer, ChartRequest, Game, ValueName};
use oddsmith_rules::{ChartKind, Check, Outcome, OutcomeKind};

use crate::advice::Advice;
use crate::args::ChartArgs;
use crate::commands::dist::print_side_by_side;
use crate::format::figure_view;
use crate::format::side_by_side::Named;
use crate::format::words::Form;
use crate::picture::{PictureFile, PicturePlace};
use crate::rolled::{self, Asked, Rolled};
use crate::target::{self, TargetName, Wanted};
use crate::{exit, failure, gaps, shell_words, terminal};

/// What becomes of configurations that break a rule.
const NOT_DRAWN: [&str; 2] = ["it is not drawn", "they are not drawn"];

/// Computes, draws and writes.
pub(crate) fn run(args: &ChartArgs) -> Result<u8> {
    let [target] = args.targets.as_slice() else {
        return of_numbers(args);
    };
    match ValueName::parse(target) {
        Some(name) if name.values.is_empty() => of_check(args, target),
        Some(name) => match of_shown(args, &name)? {
            Some(code) => Ok(code),
            None => of_numbers(args),
        },
        // No die is a bare word: it is a ruleset that is not there.
        None if !rolled::is_dice(target) && !target.contains(' ') => of_check(args, target),
        None => of_numbers(args),
    }
}

/// A number that a check shows, as a picture of its own: shaded by the bands of the check. None if it is drawn as dice are.
fn of_shown(args: &ChartArgs, name: &ValueName<'_>) -> Result<Option<u8>> {
    let (Some(path), None, [value]) = (&args.output, args.mode, name.values.as_slice()) else {
        return Ok(None);
    };
    refuse_options(args)?;
    let place = PicturePlace::File(PictureFile::of(path)?);
    let game = target::open(name.target.ruleset)?;
    place.protect(game.name())?;
    let check = game.find(name.target.check, Wanted::Either)?;
    let is_drawn =
        |outcome: &Outcome| outcome.name == *value && outcome.kind == OutcomeKind::Observable;
    if !check.outcomes.iter().any(is_drawn) {
        return Ok(None);
    }
    let request = ChartRequest {
        kind: Some(ChartKind::Dist.name().to_owned()),
        x: Some((*value).to_owned()),
        ..request(args, name.target.check)
    };
    draw(args, &game, &request, Some(&place)).map(Some)
}

fn of_check(args: &ChartArgs, target: &str) -> Result<u8> {
    let place = PicturePlace::of(args.output.as_deref())?;
    let name = TargetName::parse(target);
    let game = target::open(name.ruleset)?;
    if args.mode.is_some() {
        return Err(no_mode(&game, game.find(name.check, Wanted::Either)?));
    }
    if let Some(place) = &place {
        place.protect(game.name())?;
    }
    draw(args, &game, &request(args, name.check), place.as_ref())
}

/// What is said of a mode for a check, which has several values or none.
fn no_mode(game: &Game, check: &Check) -> anyhow::Error {
    let message = "`--mode` is about dice and values, not about a chart of a check";
    let mut outcomes = check.outcomes.iter();
    let value = outcomes.find(|outcome| outcome.kind == OutcomeKind::Observable);
    Advice::error(
        message,
        match value {
            Some(value) => {
                let value = format!("{}:{}.{}", game.name(), check.name, value.name);
                let value = shell_words::word(&value);
                format!("name a value of it: `oddsmith chart {value} --mode …`")
            }
            None => format!("`{}` shows no number", check.title()),
        },
    )
}

/// Draws where a picture goes, or else in characters on the terminal.
fn draw(
    args: &ChartArgs,
    game: &Game,
    request: &ChartRequest,
    place: Option<&PicturePlace>,
) -> Result<u8> {
    let ChartAnswer { figure, gaps } = game.chart(request, &args.cost.limits())?;
    match place {
        Some(place) => place.draw(&figure, args.look)?,
        None => terminal::print(&figure_view::document(&figure).terminal())?,
    }
    gaps::tell(&gaps, NOT_DRAWN);
    Ok(exit::OK)
}

fn request(args: &ChartArgs, check: Option<&str>) -> ChartRequest {
    let kind = args.kind.map(ChartKind::from);
    ChartRequest {
        check: check.map(str::to_owned),
        title: args.title.clone(),
        kind: kind.map(|kind| kind.name().to_owned()),
        x: args.x.clone(),
        by: args.by.clone(),
        facet: args.facet.clone(),
        queries: args.asked.queries.clone(),
        settings: args.asked.settings(),
        maximise: args.striving.maximise.clone(),
    }
}

/// Dice and numbers of checks, laid over one another, or as bars on the terminal.
fn of_numbers(args: &ChartArgs) -> Result<u8> {
    refuse_options(args)?;
    let limits = &args.cost.limits();
    let asked = Asked {
        sets: &args.asked.sets,
        maximise: args.striving.maximise.as_deref(),
        horizon: None,
    };
    let place = PicturePlace::of(args.output.as_deref())?;
    let rolled = rolled::read(&args.targets, &asked, limits)?;
    for rolled in &rolled {
        match rolled {
            Rolled::Dice(dice) => failure::warn(&dice.warnings),
            Rolled::Values(values) => {
                if let Some(place) = &place {
                    place.protect(values.game.name())?;
                }
            }
        }
    }
    let mode = args.mode.map_or(DiceMode::Exactly, DiceMode::from);
    let Some(place) = place else {
        let named: Result<Vec<Named>> = rolled.iter().map(|rolled| rolled.number(limits)).collect();
        print_side_by_side(&named?, mode, Form::Percent(2))?;
        return Ok(exit::OK);
    };
    let lines: Result<Vec<DiceLine>> = rolled.iter().map(|rolled| rolled.line(limits)).collect();
    let mut figure = of_dice(&lines?, mode)?;
    if let Some(title) = &args.title {
        figure.title.clone_from(title);
    }
    place.draw(&figure, args.look)?;
    Ok(exit::OK)
}

/// What a chart of a check alone is asked.
fn refuse_options(args: &ChartArgs) -> Result<()> {
    let options = [
        ("--x", args.x.as_ref()),
        ("--by", args.by.as_ref()),
        ("--facet", args.facet.as_ref()),
        ("--query", args.asked.queries.first()),
    ];
    let given = options
        .iter()
        .find_map(|(name, value)| Some(format!("{name} {}", (*value)?)));
    let given = given.or_else(|| args.kind.map(|_| "--kind".to_owned()));
    match given {
        None => Ok(()),
        Some(given) => Err(Advice::error(
            format!("`{given}` is about a chart of a check, not about dice and values"),
            "name one ruleset, and a check of it: `oddsmith chart stars-and-signs:check …`",
        )),
    }
}
