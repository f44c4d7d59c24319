//! AnyDice programs, and rulesets that say the same.

use std::sync::Arc;

pub use oddsmith_anydice::{Depths, Output};
use oddsmith_anydice::{Program, TranslatedCheck, Translation, ruleset};
use oddsmith_exact::{Dist, distribution};
use oddsmith_rules::{Diagnostic, Diagnostics, Source, Span};

use crate::{Error, Game, Limits, Settings};

/// The most bytes of a program: more than a hundred times the longest public ones.
pub const MOST_BYTES: u64 = 1 << 20;

/// A program in the language of AnyDice that was read.
///
/// ```
/// use oddsmith::anydice::{AnyDice, Depths};
/// use oddsmith::Limits;
///
/// let program = AnyDice::parse("keep.txt", "loop N over {4..5} { output [highest 3 of Nd6] named \"of [N]\" }")?;
/// let outputs = program.outputs(&Depths::default(), &Limits::default())?;
/// assert_eq!(outputs[0].label, "of 4");
/// let dist = outputs[0].distribution.as_ref().expect("it is not the empty die");
/// assert_eq!(dist.mean().to_string(), "15869/1296");
/// # Ok::<(), oddsmith::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnyDice {
    source: Arc<Source>,
    program: Program,
}

/// What of a program can be a ruleset.
#[derive(Clone, Debug)]
pub struct AnyDiceRuleset {
    /// The ruleset file; nothing if no output has a counterpart.
    pub text: Option<String>,
    /// How many outputs are checks of it. A loop around an output is an axis of its check.
    pub checks: usize,
    /// Of each other output why it has no counterpart, at its place in the program.
    pub left: Diagnostics,
}

impl AnyDice {
    /// Reads a program; `name` is what errors call it.
    ///
    /// # Errors
    /// All that is wrong with the text, each with its place; at most a hundred errors.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let source = Source::new(name, text);
        let program = Program::parse(text).map_err(|errors| {
            let all = errors.iter().map(|error| error.diagnostic(&source));
            Error::Request(Diagnostics(all.collect()))
        })?;
        Ok(Self { source, program })
    }

    /// The outputs in their order, each with its exact odds.
    ///
    /// # Errors
    /// Where the program asks for something that has no value; if all outputs together are over the limits.
    pub fn outputs(&self, depths: &Depths, limits: &Limits) -> Result<Vec<Output>, Error> {
        let run = || self.program.run(depths, &limits.budget());
        limits.run(|| run().map_err(|error| failure(&error, &self.source)))
    }

    /// A ruleset, called `name`, with a check for each output that has a counterpart. Each check was loaded, and asked for its
    /// odds with every value of its axes: they are those of the program's `outputs` with these depths, as fractions.
    ///
    /// # Errors
    /// If the work is cancelled. An output that is over the limits is left.
    pub fn to_ruleset(
        &self,
        name: &str,
        depths: &Depths,
        outputs: &[Output],
        limits: &Limits,
    ) -> Result<AnyDiceRuleset, Error> {
        limits.run(|| {
            let (mut checks, mut left) = (Vec::new(), Vec::new());
            for translation in self.program.translate(depths) {
                match proved(&translation, outputs, limits) {
                    Ok(check) => checks.push(check.clone()),
                    Err((why, place)) => left.push(self.left(translation.span, &why, place)),
                }
            }
            let text = (!checks.is_empty()).then(|| ruleset(name, &checks));
            Ok(AnyDiceRuleset {
                text,
                checks: checks.len(),
                left: Diagnostics(left),
            })
        })
    }

    fn left(&self, output: Span, why: &str, place: Span) -> Diagnostic {
        let message = format!("no check says the same as this output: {why}");
        let left = Diagnostic::warning(&self.source, place, message);
        match place == output {
            true => left,
            false => left.with_related(output, "the output"),
        }
    }
}

fn failure(error: &oddsmith_anydice::Error, source: &Arc<Source>) -> Error {
    Error::Request(error.diagnostic(source).into())
}

/// The check of an output, if it has the same odds wherever the output was reached; or why there is none, and where.
fn proved<'t>(
    translation: &'t Translation,
    outputs: &[Output],
    limits: &Limits,
) -> Result<&'t TranslatedCheck, (String, Span)> {
    let whole = translation.span;
    let check = match &translation.check {
        Ok(check) => check,
        Err(reason) => return Err((reason.message.clone(), reason.span)),
    };
    let refused = |error: &Error| (format!("its check would be refused ({error})"), whole);
    let text = ruleset("check", [check]);
    let game = Game::parse("the check", text.as_bytes()).map_err(|error| refused(&error))?;
    let mut reached = outputs
        .iter()
        .filter(|output| output.span == whole)
        .peekable();
    if reached.peek().is_none() {
        return Err(("it is never reached".to_owned(), whole));
    }
    for output in reached {
        match is_same(&game, check, output, limits) {
            Ok(true) => {}
            Ok(false) => return Err(("the odds of its check would be others".to_owned(), whole)),
            Err(error) => return Err(refused(&error)),
        }
    }
    Ok(check)
}

/// Whether a check shows what an output does, with the axes as the loops around the output were.
fn is_same(
    game: &Game,
    translated: &TranslatedCheck,
    output: &Output,
    limits: &Limits,
) -> Result<bool, Error> {
    let check = &game.model().checks[0];
    let mut settings = Settings::default();
    for (axis, (_, value)) in translated.axes.iter().zip(&output.loops) {
        settings.set(&axis.name, value);
    }
    let config = settings.config(check)?;
    let dist = distribution(check, &config, &check.outcomes[0], &limits.budget())?;
    let own = output.distribution.as_ref();
    Ok(own.is_some_and(|own| have_same_odds(own, &dist)))
}

/// Whether every value is as likely in both, whatever their weights are over.
fn have_same_odds(one: &Dist, other: &Dist) -> bool {
    let mut weights = one.iter().zip(other.iter());
    one.support().eq(other.support())
        && weights.all(|((_, own), (_, their))| own * other.total() == their * one.total())
}
