//! Pictures: from what a ruleset or a user asks for to odds that can be drawn.

use anyhow::Result;
use oddsmith_exact::{Answer, Budget, IBig, RBig, Rounds, UBig, distribution};
use oddsmith_report::{
    Axis, Bands, Figure, Grid, Heatmap, Lines, Plot, Pmf, PmfBars, Unit, Values,
};
use oddsmith_rules::{
    Along, Chart, ChartKind, Check, Choice, Config, Domain, Input, InputRange, Outcome, Query, Role,
};

use crate::answers;
use crate::cells::Cells;
use crate::failure::Advice;
use crate::format::dist::points;
use crate::format::outcomes::{self, Kind};
use crate::format::words::{self, Form};
use crate::number;
use crate::rolls::{self, Rolls};
use crate::settings;

/// Outcomes of a picture at the most.
const MOST_OUTCOMES: usize = 1000;

/// Computes what a picture shows.
pub(crate) fn figure(game: &str, check: &Check, chart: &Chart, budget: u64) -> Result<Figure> {
    let chart = &in_order(check, chart);
    let asked = Asked {
        check,
        chart,
        budget,
    };
    let (plot, note) = match (chart.kind, &chart.x) {
        (ChartKind::Bands, Along::Input(x)) => asked.bands(x)?,
        (ChartKind::Lines, Along::Input(x)) => asked.lines(x)?,
        (ChartKind::Heatmap, Along::Input(x)) => asked.heatmap(x)?,
        (_, Along::Number { .. }) => asked.pmf()?,
        (ChartKind::Dist, Along::Input(_)) => unreachable!("a distribution is along its outcomes"),
    };
    let mut subtitle = asked.subtitle(game);
    if !note.is_empty() {
        subtitle = format!("{subtitle}; {note}");
    }
    Ok(Figure {
        title: asked.title(),
        subtitle,
        plot,
    })
}

/// Lines run along ascending numbers, in whatever order they were asked for.
fn in_order(check: &Check, chart: &Chart) -> Chart {
    let mut chart = chart.clone();
    if let (ChartKind::Lines, Along::Input(x)) = (chart.kind, &mut chart.x)
        && matches!(check.inputs[x.input.0].domain, Domain::Range(..))
    {
        x.values.sort_unstable();
    }
    chart
}

/// A picture of a check.
struct Asked<'a> {
    check: &'a Check,
    chart: &'a Chart,
    budget: u64,
}

impl Asked<'_> {
    /// What the designer calls it, or what it shows.
    fn title(&self) -> String {
        let Chart {
            title,
            kind,
            x,
            by,
            queries,
            ..
        } = self.chart;
        if !title.is_empty() {
            return title.clone();
        }
        let along = match x {
            Along::Input(range) => self.name(range),
            Along::Number { name, .. } => return format!("The distribution of {name}"),
        };
        let by = by
            .as_ref()
            .map(|range| format!(" and {}", self.name(range)));
        let by = by.unwrap_or_default();
        match kind {
            ChartKind::Bands => format!("The bands by {along}{by}"),
            _ => {
                let what: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
                format!("{} by {along}{by}", what.join(", "))
            }
        }
    }

    /// The game, the check, and the value of every axis that matters and does not vary.
    fn subtitle(&self, game: &str) -> String {
        let inputs = self.check.inputs.iter().zip(&self.chart.config.0);
        let fixed = inputs.enumerate().filter(|(at, (input, value))| {
            let matters = input.role == Role::Axis && !input.sweep.is_empty();
            let varies = self.ranges().iter().any(|range| range.input.0 == *at);
            !varies && (matters || input.default != **value)
        });
        let words: Vec<String> = fixed
            .map(|(_, (input, &value))| format!("{}={}", input.name, input.domain.show(value)))
            .collect();
        let what = format!("{game} · {}", self.check.name);
        if words.is_empty() {
            return what;
        }
        format!("{what}: {}", words.join(" "))
    }

    /// The inputs that vary: facet, by, x.
    fn ranges(&self) -> Vec<&InputRange> {
        let Chart { x, by, facet, .. } = self.chart;
        let mut ranges: Vec<&InputRange> = facet.iter().chain(by).collect();
        if let Along::Input(x) = x {
            ranges.push(x);
        }
        ranges
    }

    fn name(&self, range: &InputRange) -> String {
        self.check.inputs[range.input.0].name.clone()
    }

    fn axis(&self, range: &InputRange) -> Axis {
        let input = &self.check.inputs[range.input.0];
        Axis {
            name: input.name.clone(),
            values: values(input, range),
        }
    }

    /// `ability_rank = 4` for each value; a single empty heading without a range.
    fn headings(&self, range: Option<&InputRange>) -> Vec<String> {
        let Some(range) = range else {
            return vec![String::new()];
        };
        let input = &self.check.inputs[range.input.0];
        let heading = |&value: &i64| format!("{} = {}", input.name, input.domain.show(value));
        range.values.iter().map(heading).collect()
    }

    fn cells(&self, queries: &[Query]) -> Result<Cells> {
        let ranges: Vec<InputRange> = self.ranges().into_iter().cloned().collect();
        let config = &self.chart.config;
        Cells::compute(self.check, config, &ranges, queries, self.budget)
    }

    /// What a track never comes to is a part of its own.
    fn bands(&self, x: &InputRange) -> Result<(Plot, String)> {
        let own = answers::own(self.check).into_iter();
        let bands = own.filter(|(kind, _)| *kind == Kind::Band);
        let queries: Vec<Query> = bands.map(|(_, query)| query).collect();
        let cells = self.cells(&queries)?;
        let endless = cells.any(|answers| rest(answers) != RBig::ZERO);
        let (facet, by) = (self.chart.facet.as_ref(), self.chart.by.as_ref());
        let panel = |row: usize, column: usize| {
            let shares = |at| {
                let found = cells.at(&places(facet.map(|_| row), by.map(|_| column), Some(at)))?;
                let never = endless.then(|| number::decimal(&rest(found)));
                let shares = found
                    .iter()
                    .filter_map(|answer| drawn(answer, Unit::Probability));
                Some(never.into_iter().chain(shares).collect())
            };
            (0..x.values.len()).map(shares).collect()
        };
        let never = endless.then(|| "never ends".to_owned());
        let names = queries.iter().map(|query| query.text.clone());
        let plot = Bands {
            x: self.axis(x),
            bands: never.into_iter().chain(names).collect(),
            shares: grid(self.headings(by), self.headings(facet), panel),
        };
        Ok((Plot::Bands(plot), cells.gaps()?))
    }

    fn lines(&self, x: &InputRange) -> Result<(Plot, String)> {
        let queries = &self.chart.queries;
        let unit = unit(queries);
        let cells = self.cells(queries)?;
        let (facet, by) = (self.chart.facet.as_ref(), self.chart.by.as_ref());
        let number = |row: usize, by: Option<usize>, at: usize, query: usize| {
            let found = cells.at(&places(facet.map(|_| row), by, Some(at)))?;
            drawn(&found[query], unit)
        };
        let along = |row: usize, by: Option<usize>, query: usize| -> Vec<Option<f64>> {
            (0..x.values.len())
                .map(|at| number(row, by, at, query))
                .collect()
        };
        let texts: Vec<String> = queries.iter().map(|query| query.text.clone()).collect();
        let facets = self.headings(facet);
        let (y, by_name, series, columns) = match by {
            // A line for each value; a column of panels for each query.
            Some(by) => {
                let series = texts_of(&self.axis(by).values);
                let (y, columns) = one_or_headings(texts);
                (y, self.name(by), series, columns)
            }
            None => {
                let y = if texts.len() == 1 {
                    texts[0].clone()
                } else {
                    String::new()
                };
                (y, String::new(), texts, vec![String::new()])
            }
        };
        let count = series.len();
        let panel = |row: usize, column: usize| {
            (0..count)
                .map(|line| match by {
                    Some(_) => along(row, Some(line), column),
                    None => along(row, None, line),
                })
                .collect()
        };
        let plot = Lines {
            x: self.axis(x),
            unit,
            y,
            by: by_name,
            series,
            values: grid(columns, facets, panel),
        };
        Ok((Plot::Lines(plot), cells.gaps()?))
    }

    fn heatmap(&self, x: &InputRange) -> Result<(Plot, String)> {
        let queries = &self.chart.queries;
        let unit = unit(queries);
        let y = self.chart.by.as_ref().expect("a heat map has two axes");
        let cells = self.cells(queries)?;
        let facet = self.chart.facet.as_ref();
        let panel = |row: usize, query: usize| {
            let number = |up: usize, at: usize| {
                let found = cells.at(&places(facet.map(|_| row), Some(up), Some(at)))?;
                drawn(&found[query], unit)
            };
            let line = |up| (0..x.values.len()).map(|at| number(up, at)).collect();
            (0..y.values.len()).map(line).collect()
        };
        let texts = queries.iter().map(|query| query.text.clone()).collect();
        let (number, columns) = one_or_headings(texts);
        let plot = Heatmap {
            x: self.axis(x),
            y: self.axis(y),
            unit,
            number,
            cells: grid(columns, self.headings(facet), panel),
        };
        Ok((Plot::Heatmap(plot), cells.gaps()?))
    }

    /// The outcomes of every panel, and what is not among them.
    fn pmf(&self) -> Result<(Plot, String)> {
        let Along::Number { name, var } = &self.chart.x else {
            unreachable!("only a number has outcomes")
        };
        let outcome = self
            .check
            .outcomes
            .iter()
            .find(|outcome| outcome.var == *var);
        let outcome = outcome.expect("a chart is about what its check shows");
        let (facet, by) = (self.chart.facet.as_ref(), self.chart.by.as_ref());
        let (columns, rows) = (self.headings(by), self.headings(facet));
        let mean = settings::queries(self.check, &[format!("mean({name})")])?;
        let legal = self.cells(&mean)?;
        let (mut panels, mut missing) = (Vec::new(), Missing::default());
        for row in 0..rows.len() {
            for column in 0..columns.len() {
                let mut config = self.chart.config.clone();
                for (range, place) in [(facet, row), (by, column)] {
                    if let Some(range) = range {
                        config.0[range.input.0] = range.values[place];
                    }
                }
                let places = places(facet.map(|_| row), by.map(|_| column), None);
                panels.push(match legal.at(&places) {
                    Some(_) => self.bars(outcome, &config, &mut missing)?,
                    None => PmfBars::default(),
                });
            }
        }
        let bands = self
            .shading(outcome)
            .map_or(Vec::new(), |(_, bands)| bands.labels.clone());
        let bars = arranged(columns, rows, panels);
        let x = name.clone();
        let mut note = missing.words(bars.panels.len() == 1);
        if bars.panels.iter().any(|bars| bars.outcomes.is_empty()) {
            note.push_str("no outcomes (×): not allowed");
        }
        Ok((Plot::Pmf(Pmf { x, bands, bars }), note))
    }

    /// The bands that tell the outcomes of a number apart: those of the same roll.
    fn shading(&self, outcome: &Outcome) -> Option<(&Outcome, &Choice)> {
        let is_same_roll = |(band, _): &(&Outcome, &Choice)| match self.check.rounds {
            Some(_) => band.first_round && outcome.first_round,
            None => true,
        };
        self.check.band().filter(is_same_roll)
    }

    fn bars(&self, outcome: &Outcome, config: &Config, missing: &mut Missing) -> Result<PmfBars> {
        if self.check.rounds == Some(outcome.var) {
            return self.round_bars(config, missing);
        }
        let dist = distribution(self.check, config, outcome, &Budget::new(self.budget))?;
        refuse_many(dist.support().count(), &outcome.name)?;
        let points = points(&dist);
        let outcomes: Vec<i64> = points.iter().map(|point| point.value).collect();
        let at_least = points
            .iter()
            .map(|point| share(&point.at_least, dist.total()));
        let shares = match self.shading(outcome) {
            Some((band, bands)) => self.shares(outcome, (band, bands), &outcomes, config)?,
            None => {
                let shares = points
                    .iter()
                    .map(|point| vec![share(&point.weight, dist.total())]);
                shares.collect()
            }
        };
        let bars = PmfBars {
            at_least: at_least.collect(),
            outcomes,
            shares,
        };
        Ok(bars)
    }

    /// How likely each outcome is together with each band.
    fn shares(
        &self,
        outcome: &Outcome,
        (band, bands): (&Outcome, &Choice),
        outcomes: &[i64],
        config: &Config,
    ) -> Result<Vec<Vec<f64>>> {
        let texts = outcomes.iter().flat_map(|value| {
            let with = move |label: &String| {
                format!(
                    "P({}=={value} and {}==\"{label}\")",
                    outcome.name, band.name
                )
            };
            bands.labels.iter().map(with)
        });
        let queries = settings::queries(self.check, &texts.collect::<Vec<String>>())?;
        let budget = Budget::new(self.budget);
        let found = oddsmith_exact::answers(self.check, config, &queries, &budget)?;
        let decimals = found
            .iter()
            .filter_map(|answer| drawn(answer, Unit::Probability));
        let decimals: Vec<f64> = decimals.collect();
        Ok(decimals
            .chunks(bands.labels.len())
            .map(<[f64]>::to_vec)
            .collect())
    }

    /// The number of a track's rounds.
    fn round_bars(&self, config: &Config, missing: &mut Missing) -> Result<PmfBars> {
        let budget = Budget::new(self.budget);
        let rounds = Rounds::new(self.check, config, &budget)?;
        let rolls = Rolls::of(self.check, config, &rounds, None, rolls::MOST, &budget)?;
        let mut left = rolls.total.clone();
        let (mut outcomes, mut shares, mut at_least) = (Vec::new(), Vec::new(), Vec::new());
        for (n, weight) in rolls.rows() {
            outcomes.push(i64::try_from(n)?);
            shares.push(vec![share(weight, &rolls.total)]);
            at_least.push(share(&left, &rolls.total));
            left -= weight;
        }
        let bars = PmfBars {
            outcomes,
            shares,
            at_least,
        };
        missing.never = rolls.never.max(std::mem::take(&mut missing.never));
        missing.later = rolls.later.max(std::mem::take(&mut missing.later));
        Ok(bars)
    }
}

/// An answer as it is drawn; a probability is 0 or 1 only if it is exactly that. None if it is no finite number.
fn drawn(answer: &Answer, unit: Unit) -> Option<f64> {
    match unit {
        Unit::Probability if answer.total == UBig::ZERO => None,
        Unit::Probability => Some(words::share(&answer.weight, &answer.total)),
        Unit::Number => outcomes::decimal(answer).filter(|number| number.is_finite()),
    }
}

/// The same of a weight.
fn share(weight: &UBig, total: &UBig) -> f64 {
    words::share(&IBig::from(weight.clone()), total)
}

/// What of a track's rounds no bar shows: the most of any panel.
#[derive(Default)]
struct Missing {
    never: RBig,
    later: RBig,
}

impl Missing {
    fn words(&self, is_single: bool) -> String {
        let up_to = if is_single { "" } else { "up to " };
        let shown = |share: &RBig, what: &str| {
            let share_is_some = *share != RBig::ZERO;
            share_is_some.then(|| format!("{up_to}{} {what}", Form::USUAL.show_ratio(share)))
        };
        let parts = [
            shown(&self.never, "never end"),
            shown(&self.later, "take longer than shown"),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// What bands leave of certainty: a track may never end.
fn rest(bands: &[Answer]) -> RBig {
    let ended = bands.iter().filter_map(Answer::to_ratio);
    ended.fold(RBig::ONE, |rest, share| rest - share)
}

/// The values of a range, numbers or labels.
pub(crate) fn values(input: &Input, range: &InputRange) -> Values {
    match &input.domain {
        Domain::Range(..) => Values::Numbers(range.values.clone()),
        Domain::Choice(choice) => {
            let labels = range.values.iter().map(|&value| choice.label(value));
            Values::Labels(labels.map(str::to_owned).collect())
        }
    }
}

/// The places of facet, by and x, as far as there are such axes.
fn places(facet: Option<usize>, by: Option<usize>, x: Option<usize>) -> Vec<usize> {
    [facet, by, x].into_iter().flatten().collect()
}

/// A panel for each combination of a row and a column.
fn grid<T>(columns: Vec<String>, rows: Vec<String>, panel: impl Fn(usize, usize) -> T) -> Grid<T> {
    let places =
        (0..rows.len()).flat_map(|row| (0..columns.len()).map(move |column| (row, column)));
    let panels = places.map(|(row, column)| panel(row, column)).collect();
    arranged(columns, rows, panels)
}

/// Panels along one axis alone are columns.
fn arranged<T>(columns: Vec<String>, rows: Vec<String>, panels: Vec<T>) -> Grid<T> {
    let (columns, rows) = if columns.len() == 1 {
        (rows, columns)
    } else {
        (columns, rows)
    };
    Grid {
        columns,
        rows,
        panels,
    }
}

fn texts_of(values: &Values) -> Vec<String> {
    match values {
        Values::Numbers(numbers) => numbers.iter().map(i64::to_string).collect(),
        Values::Labels(labels) => labels.clone(),
    }
}

/// What all panels show, or the heading of each.
fn one_or_headings(mut texts: Vec<String>) -> (String, Vec<String>) {
    if texts.len() == 1 {
        return (texts.remove(0), vec![String::new()]);
    }
    (String::new(), texts)
}

/// What the queries' answers are; those of one chart are all of a kind.
fn unit(queries: &[Query]) -> Unit {
    let are_probabilities = queries.iter().all(|query| Kind::of(query).is_probability());
    if are_probabilities {
        Unit::Probability
    } else {
        Unit::Number
    }
}

fn refuse_many(count: usize, name: &str) -> Result<()> {
    if count <= MOST_OUTCOMES {
        return Ok(());
    }
    let message = format!("`{name}` has {count} outcomes; a chart can show {MOST_OUTCOMES}");
    Err(Advice::error(
        message,
        "`oddsmith odds` shows its mean and range",
    ))
}
