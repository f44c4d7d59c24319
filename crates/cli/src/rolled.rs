//! What has a distribution, as it is typed: dice expressions, and values of checks.

use anyhow::Result;
use oddsmith::{
    Dice, Dist, DistributionAnswer, DistributionRequest, Error, Game, Limits, Settings, ValueName,
    endless,
};

use crate::advice::Advice;
use crate::target;

/// One of the things that are rolled.
#[derive(Debug)]
pub(crate) enum Rolled {
    /// A dice expression.
    Dice(Box<Dice>),
    /// Values of a check.
    Values(Box<Values>),
}

/// Values of a check, and their distribution.
#[derive(Debug)]
pub(crate) struct Values {
    /// As typed.
    pub(crate) text: String,
    pub(crate) game: Game,
    pub(crate) answer: DistributionAnswer,
    /// Whether the game is dice that were typed alone.
    pub(crate) is_dice: bool,
}

/// What values are asked with.
pub(crate) struct Asked<'a> {
    pub(crate) sets: &'a [String],
    pub(crate) maximise: Option<&'a str>,
    pub(crate) horizon: Option<i64>,
}

/// What the arguments name: one expression, of which each may be a part, as in `2d6 + 3`; or several, one each. A value of
/// a check, `RULESET:CHECK.VALUE`, is one argument.
///
/// # Errors
/// As those of an expression, a ruleset and a distribution; where something is set, though only dice are rolled.
pub(crate) fn read(words: &[String], asked: &Asked<'_>, limits: &Limits) -> Result<Vec<Rolled>> {
    let rolled = if words.iter().any(|word| ValueName::parse(word).is_some()) {
        let each = words.iter().map(|word| one(word, asked, limits));
        each.collect::<Result<Vec<Rolled>>>()?
    } else if let Some(game) = endless(&words.join(" ")) {
        vec![endless_dice(game, asked, limits)?]
    } else {
        let dice = dice(words)?.into_iter();
        dice.map(|dice| Rolled::Dice(Box::new(dice))).collect()
    };
    let has_values = rolled
        .iter()
        .any(|rolled| matches!(rolled, Rolled::Values(_)));
    let nothing = "dice have nothing that is set";
    let (option, why) = match (asked.sets, asked.maximise, asked.horizon) {
        ([set, ..], ..) => (format!("--set {set}"), nothing),
        (_, Some(goal), _) => (format!("--maximise {goal}"), nothing),
        (.., Some(last)) => (format!("--horizon {last}"), "all values of dice are shown"),
        _ => return Ok(rolled),
    };
    if has_values {
        return Ok(rolled);
    }
    Err(Advice::error(
        format!("`{option}` has no use here: {why}"),
        "name a value of a check, such as `oddsmith dist stars-and-signs:check.total`",
    ))
}

/// All words as one expression, or, where that is none but the first two words are, each word as one. Where it ends before
/// the second word (`3d6 foo`), what is wrong is told of that word.
fn dice(words: &[String]) -> Result<Vec<Dice>> {
    let whole = Dice::parse(&words.join(" "));
    let ends_at = |first: &str| match &whole {
        Err(Error::Request(errors)) => errors.0.iter().all(|error| {
            let ends = error.message.starts_with("expected an operator or the end");
            ends && error.span.start == first.len() + 1
        }),
        _ => false,
    };
    let are_several = match words {
        [first, second, ..] if Dice::parse(first).is_ok() => {
            Dice::parse(second).is_ok() || ends_at(first)
        }
        _ => false,
    };
    match whole {
        Err(_) if are_several => {
            let each = words.iter().map(|word| Ok(Dice::parse(word)?));
            each.collect()
        }
        whole => Ok(vec![whole?]),
    }
}

fn one(word: &str, asked: &Asked<'_>, limits: &Limits) -> Result<Rolled> {
    let Some(name) = ValueName::parse(word) else {
        if let Some(game) = endless(word) {
            return endless_dice(game, asked, limits);
        }
        return Ok(Rolled::Dice(Box::new(Dice::parse(word)?)));
    };
    let game = target::open(name.target.ruleset)?;
    let request = DistributionRequest {
        check: name.target.check.map(str::to_owned),
        values: name
            .values
            .iter()
            .map(|value| (*value).to_owned())
            .collect(),
        settings: Settings::parse("--set", asked.sets),
        maximise: asked.maximise.map(str::to_owned),
        horizon: asked.horizon,
    };
    values((word, false), game, &request, limits)
}

/// Dice that explode without an end.
fn endless_dice(game: Game, asked: &Asked<'_>, limits: &Limits) -> Result<Rolled> {
    let request = DistributionRequest {
        values: vec!["value".to_owned()],
        settings: Settings::parse("--set", asked.sets),
        maximise: asked.maximise.map(str::to_owned),
        horizon: asked.horizon,
        ..DistributionRequest::default()
    };
    let text = game.name().to_owned();
    values((&text, true), game, &request, limits)
}

fn values(
    (text, is_dice): (&str, bool),
    game: Game,
    request: &DistributionRequest,
    limits: &Limits,
) -> Result<Rolled> {
    let answer = game.distribution(request, limits)?;
    if let (Some(last), None) = (request.horizon, &answer.tail) {
        return Err(Advice::error(
            format!("`--horizon {last}` has no use here: there is nothing without an end"),
            "leave it out; all values are shown",
        ));
    }
    let text = text.trim().to_owned();
    Ok(Rolled::Values(Box::new(Values {
        text,
        game,
        answer,
        is_dice,
    })))
}

impl Rolled {
    /// The name and the distribution, of one number.
    ///
    /// # Errors
    /// Of labels, flags and several values at once; if dice are over the limits.
    pub(crate) fn number(&self, limits: &Limits) -> Result<(String, Dist)> {
        match self {
            Self::Dice(dice) => Ok((dice.text.clone(), dice.distribution(limits)?)),
            Self::Values(values) => match values.answer.number() {
                Some(dist) => Ok((values.text.clone(), dist.clone())),
                None if values.answer.tail.is_some() => Err(Advice::error(
                    format!("`{}` is a number without an end", values.text),
                    "numbers that have both ends are laid side by side; `oddsmith dist` shows this one by itself, and in the rules `min(…, 60)` gives it an end",
                )),
                None => Err(Advice::error(
                    format!("`{}` is not a number", values.text),
                    "numbers alone are laid side by side; ask for anything else by itself",
                )),
            },
        }
    }
}

impl Values {
    /// The game and the check, as a title.
    pub(crate) fn title(&self) -> String {
        format!("{} · {}", self.game.title(), self.answer.check.title())
    }
}
