//! Programs in the language of AnyDice, and rulesets that are made of them.

use oddsmith::Error;
use oddsmith::anydice::{AnyDice, Depths};

use super::{Target, limits, text, within};
use crate::seeds;

/// A program.
pub(super) const ANYDICE: Target = Target {
    name: "anydice",
    run: anydice,
    seeds: seeds::programs,
    drawn: None,
};

/// A translation that was compared and found wrong is one, though it is never written.
fn anydice(input: &[u8]) -> Result<(), String> {
    let text = text(input);
    let program = match within("reading", 1, || AnyDice::parse("input", &text))? {
        Ok(program) => program,
        Err(error) => return told(&error, &text),
    };
    let run = || program.outputs(&Depths::default(), &limits());
    let Ok(outputs) = within("a run", 1, run)? else {
        return Ok(());
    };
    let write = || program.to_ruleset("Input", &Depths::default(), &outputs, &limits());
    let ruleset = write().map_err(|error| format!("{error} though nobody cancelled it"))?;
    let left = ruleset.left.0.iter();
    let wrong = left.map(|left| &left.message).find(|message| {
        message.contains("would be others") || message.contains("check would be refused (1 error")
    });
    match wrong {
        Some(message) => Err(message.clone()),
        None => Ok(()),
    }
}

/// The errors of a text are its own: a hundred at the most, in their order, each at another place of it.
fn told(error: &Error, text: &str) -> Result<(), String> {
    let Error::Request(errors) = error else {
        return Err(format!("{error} is no error of the text"));
    };
    let spans: Vec<_> = errors.0.iter().map(|error| error.span).collect();
    let is_inside = spans
        .iter()
        .all(|span| span.start <= span.end && text.get(span.start..span.end).is_some());
    let is_sorted = spans.windows(2).all(|pair| pair[0].start <= pair[1].start);
    match spans.len() {
        1..=100 if is_inside && is_sorted => Ok(()),
        count => Err(format!("{count} errors at {spans:?}")),
    }
}
