//! `oddsmith balance value`: what one step of each lever is worth.

mod asked;
mod picture;

use anyhow::Result;
use oddsmith::comparison::SweptAxis;
use oddsmith_analysis::levers::{Field, Lever, Line};
use oddsmith_analysis::value::{Summary, Values, Worth};
use oddsmith_exact::{Budget, Error};
use oddsmith_rules::{Check, Role};

use crate::advice::Advice;
use crate::args::{Style, ValueArgs};
use crate::format::value::{self as format, Moved, Number, Valuation};
use crate::format::{outcomes, value_view};
use crate::progress::use_threads;
use crate::{exit, failure, terminal};
use asked::Asked;

/// Answers and prints, or draws.
pub(crate) fn run(args: &ValueArgs) -> Result<u8> {
    let style = args.shown.style()?;
    refuse_odds(style)?;
    let file = args.drawing.file()?;
    let asked = Asked::of(args)?;
    if let Some(file) = &file {
        asked.target.protect_from(&file.destination)?;
    }
    use_threads(args.parallel)?;
    let budget = Budget::new(args.cost.budget);
    let mut rows = Vec::new();
    let is_csv = file.is_none() && style == Style::Csv;
    let valuation = value(&asked, &budget, is_csv.then_some(&mut rows))?;
    match (file, style) {
        (Some(file), _) => file.write(&picture::figure(&valuation)?, args.drawing.look)?,
        (None, Style::Csv) => {
            terminal::print_data(&[format::csv_head(&valuation)?, rows].concat())?;
        }
        (None, Style::View(form)) => {
            terminal::print(&value_view::document(&valuation, form).terminal())?;
        }
        (None, Style::Json) => terminal::print_json(&format::json(&valuation))?,
        (None, Style::Document(markup, form)) => {
            let document = value_view::document(&valuation, form).markup(markup);
            terminal::print_data(document.as_bytes())?;
        }
    }
    Ok(exit::OK)
}

/// Differences are no chances of anything, so neither one in so many nor so many of so many rolls.
fn refuse_odds(style: Style) -> Result<()> {
    match style {
        Style::View(form) | Style::Document(_, form) if form != form.of_differences() => {
            let message = "`--as` has no use here: a change is told in points, or in decimals";
            Err(Advice::error(message, "drop it, or write `--as decimal`"))
        }
        _ => Ok(()),
    }
}

/// Moves every lever. With `rows` every step in every configuration is written there as CSV.
fn value(asked: &Asked, budget: &Budget, mut rows: Option<&mut Vec<u8>>) -> Result<Valuation> {
    let Asked {
        check,
        config,
        ranges,
        queries,
        ..
    } = asked;
    let field = Field::of(check, config, ranges, queries, budget)?;
    let values = Values::of(&field, asked.bands.len(), asked.grading.as_ref(), budget)?;
    let mut valuation = frame(asked, &field, &values);
    let mut left_out = LeftOut::default();
    for lever in &asked.levers {
        let name = &check.inputs[lever.input.0].name;
        let line = field.line(lever);
        let valued = line.and_then(|line| Ok((values.along(&line, budget)?, line)));
        let (worths, line) = match valued {
            Err(error) if !asked.are_named => {
                left_out.add(name, error)?;
                continue;
            }
            valued => valued?,
        };
        let moved = moved(check, asked, lever, &worths);
        if let Some(rows) = &mut rows {
            write_rows(asked, &valuation, (&line, &moved), &worths, rows)?;
        }
        valuation.levers.push(moved);
    }
    left_out.tell(valuation.levers.is_empty())?;
    Ok(valuation)
}

/// Levers that nobody named and that can't be valued.
#[derive(Default)]
struct LeftOut {
    over_budget: Vec<String>,
    /// Why the first of them is.
    why: Option<Error>,
    broken: Vec<String>,
}

impl LeftOut {
    fn add(&mut self, lever: &str, error: Error) -> Result<()> {
        match error {
            error @ Error::OverBudget { .. } => {
                self.over_budget.push(lever.to_owned());
                self.why.get_or_insert(error);
            }
            Error::Rule(_) | Error::Unsupported(_) => {
                self.broken.push(format!("`{lever}` is left out: {error}"));
            }
            error => return Err(error.into()),
        }
        Ok(())
    }

    /// Notes, or an error if nothing else is left.
    fn tell(self, is_all: bool) -> Result<()> {
        if let Some(error) = self.why.filter(|_| is_all) {
            return Err(error.into());
        }
        self.broken.iter().for_each(|words| failure::note(words));
        if !self.over_budget.is_empty() {
            let levers = self.over_budget.join(", ");
            failure::note(&format!(
                "left out, since all of them would be over the budget: {levers}; name some with `--lever`, sweep less, or \
                 raise it with `--budget`"
            ));
        }
        Ok(())
    }
}

/// All but the levers.
fn frame(asked: &Asked, field: &Field<'_>, values: &Values<'_>) -> Valuation {
    let Asked { check, config, .. } = asked;
    let allowed: Vec<usize> = (0..field.len())
        .filter(|at| field.answers(*at).is_some())
        .collect();
    let mut thresholds = allowed.iter().map(|at| values.thresholds(*at));
    let first = thresholds.next().flatten();
    let are_equal = thresholds.all(|other| other == first);
    let names = serde_json::json!({
        "ruleset": asked.target.ruleset(),
        "check": check.name,
        "configuration": outcomes::configuration(check, config),
    });
    Valuation {
        title: asked.target.title(),
        settings: asked.settings(),
        names: names.as_object().cloned().unwrap_or_default(),
        axes: asked
            .ranges
            .iter()
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
    }
}

/// What the steps of a lever are worth over all configurations.
fn moved(check: &Check, asked: &Asked, lever: &Lever, worths: &[Worth]) -> Moved {
    let input = &check.inputs[lever.input.0];
    let is_up = |step: usize| lever.is_up(lever.steps[step]);
    let steps = 0..lever.steps.len();
    Moved {
        is_parameter: input.role == Role::Parameter,
        is_swept: asked.is_swept(lever.input),
        is_along: asked.along.contains(&lever.input),
        values: SweptAxis::new(check, lever.input, &lever.values),
        lever: lever.clone(),
        steps: steps
            .map(|step| Summary::of(worths, |own| own == step))
            .collect(),
        up: Summary::of(worths, is_up),
    }
}

/// The rows of a lever as CSV: the configuration before the step, the step, and what it is worth.
fn write_rows(
    asked: &Asked,
    valuation: &Valuation,
    (line, moved): (&Line<'_>, &Moved),
    worths: &[Worth],
    rows: &mut Vec<u8>,
) -> Result<()> {
    let mut writer = csv::Writer::from_writer(std::mem::take(rows));
    for worth in worths {
        let step = moved.lever.steps[worth.step];
        let config = line.config_at(worth.row, step.from);
        let swept = asked.ranges.iter().map(|range| {
            let input = &asked.check.inputs[range.input.0];
            input.domain.show(config[range.input])
        });
        let swept: Vec<String> = swept.collect();
        format::csv_row(valuation, moved, worth, &swept, &mut writer)?;
    }
    *rows = writer.into_inner()?;
    Ok(())
}
