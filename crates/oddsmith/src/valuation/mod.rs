//! Valuations: what one step of each lever is worth.

mod answer;
mod asked;
mod left_out;

use std::io::Write;

use oddsmith_analysis::levers::{Field, Lever, Line};
use oddsmith_analysis::value::{self, Summary, Values, Worth};
use oddsmith_rules::Role;

pub use answer::{BOTH_WAYS, Number, Shift, Valuation, ValuedLever, typical};

use crate::comparison::SweptAxis;
use crate::part::{Job, PartNumber, transcribe};
use crate::{Error, Game, Limits, ValueRequest};
use asked::ValuedCheck;
pub(crate) use asked::middle_band;
use left_out::LeftOut;

/// A step of a lever in one configuration, and what it is worth there.
#[derive(Clone, Copy, Debug)]
pub struct ValuedStep<'v> {
    /// What is known of the whole until then: all but this lever and those after it.
    pub valuation: &'v Valuation,
    /// The lever.
    pub moved: &'v ValuedLever,
    /// The worth of the step.
    pub worth: &'v Worth,
    line: &'v Line<'v>,
    asked: &'v ValuedCheck,
}

impl ValuedStep<'_> {
    /// The values of the swept axes before the step, as a user writes them.
    pub fn configuration(&self) -> Vec<String> {
        let step = self.moved.lever.steps[self.worth.step];
        let config = self.line.config_at(self.worth.row, step.from);
        let swept = self.asked.ranges.iter().map(|range| {
            let input = &self.asked.check.inputs[range.input.0];
            input.domain.show(config[range.input])
        });
        swept.collect()
    }
}

impl Game {
    /// The worth of each step of levers: of axes and parameters that can be moved.
    ///
    /// # Errors
    /// If there is no such check, nothing that it shows could change, a setting, sweep, query or lever does not fit it, or
    /// all levers are over the limits. A lever that nobody named and that is over them is left out with a note.
    ///
    /// ```
    /// use oddsmith::{Game, Limits, ValueRequest};
    /// let game = Game::open("stars-and-signs")?;
    /// let request = ValueRequest {
    ///     levers: vec!["circ_boons".to_owned()],
    ///     sweeps: vec!["circ_boons=0..=3".to_owned()],
    ///     ..ValueRequest::default()
    /// };
    /// let valuation = game.value(&request, &Limits::default())?;
    /// let boon = &valuation.levers[0];
    /// assert_eq!(boon.lever.steps.len(), 3);
    /// assert!(valuation.worth(&boon.up) > Some(&oddsmith::RBig::ONE)); // more than a flat +1
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn value(&self, request: &ValueRequest, limits: &Limits) -> Result<Valuation, Error> {
        self.value_each(request, limits, &mut |_| {})
    }

    /// As [`Game::value`]; each step in each configuration is handed to `take` as it is valued, lever by lever.
    ///
    /// # Errors
    /// As those of [`Game::value`].
    pub fn value_each(
        &self,
        request: &ValueRequest,
        limits: &Limits,
        take: &mut (dyn FnMut(&ValuedStep<'_>) + Send),
    ) -> Result<Valuation, Error> {
        let asked = ValuedCheck::of(self, request)?;
        limits.run(|| valuation(self, &asked, limits, take))
    }
}

impl Game {
    /// Values the steps of all levers in a part of the configurations and writes what it asks; `out` is handed back. The
    /// whole is then [`Game::value`] within [`Whole::limits`](crate::part::Whole::limits).
    ///
    /// # Errors
    /// As those of [`Game::value`] that are about the request; if the work is cancelled, or the part can't be written.
    pub fn value_part<W: Write>(
        &self,
        request: &ValueRequest,
        part: (&Job, PartNumber),
        limits: &Limits,
        out: W,
    ) -> Result<W, Error> {
        let asked = ValuedCheck::of(self, request)?;
        let valued = value::Valued {
            check: &asked.check,
            config: &asked.config,
            ranges: &asked.ranges,
            queries: &asked.queries,
            grading: asked.grading.as_ref(),
            levers: &asked.levers,
        };
        transcribe(
            part,
            valued.configurations(),
            limits,
            out,
            |wanted, limits| {
                value::note(&valued, wanted, &limits.budget());
            },
        )
    }
}

/// Moves every lever.
fn valuation(
    game: &Game,
    asked: &ValuedCheck,
    limits: &Limits,
    take: &mut (dyn FnMut(&ValuedStep<'_>) + Send),
) -> Result<Valuation, Error> {
    let ValuedCheck { check, config, .. } = asked;
    let budget = &limits.budget();
    let field = Field::of(check, config, &asked.ranges, &asked.queries, budget)?;
    let values = Values::of(&field, asked.bands.len(), asked.grading.as_ref(), budget)?;
    let mut valuation = frame(game, asked, &field, &values);
    let mut left_out = LeftOut::default();
    for lever in &asked.levers {
        let line = field.line(lever);
        let valued = line.and_then(|line| Ok((values.along(&line, budget)?, line)));
        let (worths, line) = match valued {
            Err(error) if !asked.are_named => {
                let name = &check.inputs[lever.input.0].name;
                left_out.add(name, error)?;
                continue;
            }
            valued => valued?,
        };
        if worths.is_empty() {
            left_out.forbid(&check.inputs[lever.input.0].name);
            continue;
        }
        let moved = &moved(asked, lever, &worths);
        for worth in &worths {
            take(&ValuedStep {
                valuation: &valuation,
                moved,
                worth,
                line: &line,
                asked,
            });
        }
        valuation.levers.push(moved.clone());
    }
    valuation.notes = left_out.notes(valuation.levers.is_empty())?;
    Ok(valuation)
}

/// All but the levers.
fn frame(game: &Game, asked: &ValuedCheck, field: &Field<'_>, values: &Values<'_>) -> Valuation {
    let ValuedCheck { check, config, .. } = asked;
    let allowed: Vec<usize> = (0..field.len())
        .filter(|at| field.answers(*at).is_some())
        .collect();
    let mut thresholds = allowed.iter().map(|at| values.thresholds(*at));
    let first = thresholds.next().flatten();
    let are_equal = thresholds.all(|other| other == first);
    let axes = asked.ranges.iter();
    Valuation {
        title: game.title_of(check),
        settings: asked.settings(),
        check: check.clone(),
        config: config.clone(),
        axes: axes
            .map(|range| SweptAxis::new(check, range.input, &range.values))
            .collect(),
        configurations: allowed.len(),
        bands: asked.bands.clone(),
        columns: asked.columns(),
        number: asked.grading.as_ref().map(|grading| Number {
            name: grading.number.name.clone(),
            mean: asked.mean_column(),
            thresholds: first.filter(|_| are_equal).cloned(),
        }),
        yardstick: asked.yardstick,
        others: asked.others,
        are_named: asked.are_named,
        levers: Vec::new(),
        notes: Vec::new(),
    }
}

/// What the steps of a lever are worth over all configurations.
fn moved(asked: &ValuedCheck, lever: &Lever, worths: &[Worth]) -> ValuedLever {
    let input = &asked.check.inputs[lever.input.0];
    let is_up = |step: usize| lever.is_up(lever.steps[step]);
    let steps = 0..lever.steps.len();
    ValuedLever {
        is_parameter: input.role == Role::Parameter,
        is_swept: asked.is_swept(lever.input),
        is_along: asked.along.contains(&lever.input),
        values: SweptAxis::new(&asked.check, lever.input, &lever.values),
        lever: lever.clone(),
        steps: steps
            .map(|step| Summary::of(worths, |own| own == step))
            .collect(),
        up: Summary::of(worths, is_up),
    }
}
