//! What has a distribution, as it is typed: dice expressions, and values of checks.

use anyhow::Result;
use oddsmith::ask::DiceLine;
use oddsmith::{
    Dice, Dist, DistributionAnswer, DistributionRequest, EndlessDice, Error, Game, Limits,
    Settings, ValueName,
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
    } else {
        dice(words, asked, limits)?
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
fn dice(words: &[String], asked: &Asked<'_>, limits: &Limits) -> Result<Vec<Rolled>> {
    let text = words.join(" ");
    let whole = expression(&text, asked, limits);
    let ends_at = |first: &str| match Dice::parse(&text) {
        Err(Error::Request(errors)) => errors.0.iter().all(|error| {
            let ends = error.message.starts_with("expected an operator or the end");
            ends && error.span.start == first.len() + 1
        }),
        _ => false,
    };
    let are_several = match words {
        [first, second, ..] if is_dice(first) => is_dice(second) || ends_at(first),
        _ => false,
    };
    match whole {
        Err(_) if are_several => {
            let each = words.iter().map(|word| expression(word, asked, limits));
            each.collect()
        }
        whole => Ok(vec![whole?]),
    }
}

/// Whether a text is a dice expression, with an end or without.
pub(crate) fn is_dice(text: &str) -> bool {
    Dice::parse(text).is_ok() || EndlessDice::parse(text).is_some()
}

/// One dice expression, with an end or without.
fn expression(text: &str, asked: &Asked<'_>, limits: &Limits) -> Result<Rolled> {
    match EndlessDice::parse(text) {
        Some(dice) => endless_dice(text, &dice, asked, limits),
        None => Ok(Rolled::Dice(Box::new(Dice::parse(text)?))),
    }
}

fn one(word: &str, asked: &Asked<'_>, limits: &Limits) -> Result<Rolled> {
    let Some(name) = ValueName::parse(word) else {
        return expression(word, asked, limits);
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
    values(word, game, &request, limits)
}

/// Dice that explode without an end.
fn endless_dice(
    text: &str,
    dice: &EndlessDice,
    asked: &Asked<'_>,
    limits: &Limits,
) -> Result<Rolled> {
    let request = DistributionRequest {
        settings: Settings::parse("--set", asked.sets),
        maximise: asked.maximise.map(str::to_owned),
        horizon: asked.horizon,
        ..DistributionRequest::default()
    };
    let (game, answer) = dice.distribution(&request, limits)?;
    Ok(Rolled::Values(Box::new(Values {
        text: text.trim().to_owned(),
        game,
        answer,
        is_dice: true,
    })))
}

fn values(
    text: &str,
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
    Ok(Rolled::Values(Box::new(Values {
        text: text.trim().to_owned(),
        game,
        answer,
        is_dice: false,
    })))
}

impl Rolled {
    /// The line that one number is drawn as; of one without an end up to its last value.
    ///
    /// # Errors
    /// As [`Self::number`].
    pub(crate) fn line(&self, limits: &Limits) -> Result<DiceLine> {
        if let Self::Values(values) = self
            && let (Some(dist), Some(tail)) = (values.answer.numbers(), &values.answer.tail)
        {
            return Ok(DiceLine {
                name: values.text.clone(),
                dist: dist.clone(),
                tail: Some(tail.clone()),
            });
        }
        let (name, dist) = self.number(limits)?;
        Ok(DiceLine::new(name, dist))
    }

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
    /// Whether these are dice without an end that are added up, so that a track has their odds.
    pub(crate) fn is_endless_sum(&self) -> bool {
        self.is_dice && self.answer.moments().is_some()
    }

    /// The game and the check, as a title.
    pub(crate) fn title(&self) -> String {
        self.game.title_of(&self.answer.check)
    }
}
