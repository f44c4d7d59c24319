//! Charts as users ask for them: what lies along them, what tells lines and panels apart, and what is drawn.

mod queries;
mod ranges;

use std::sync::Arc;

use crate::check::{Check, InputRange, Outcome, OutcomeKind};
use crate::config::Config;
use crate::model::{Along, Chart, ChartKind};
use crate::program::InputId;
use crate::settings::ranges::all_broken;
use crate::source::{Diagnostic, Diagnostics, Source, Span};

/// What is asked of a chart, as texts; [`Check::chart`] reads them.
#[derive(Clone, Debug, Default)]
pub struct ChartTexts {
    /// The title; without one it is made of what is drawn.
    pub title: String,
    /// How it is drawn; without it, as fits what is asked.
    pub kind: Option<ChartKind>,
    /// What lies along its lower edge: `AXIS`, `AXIS=VALUES`, or the name of a number that is shown.
    pub x: Option<String>,
    /// A line, a row of a heat map or a column of panels for each of its values: `AXIS` or `AXIS=VALUES`.
    pub by: Option<String>,
    /// A panel for each of its values: `AXIS` or `AXIS=VALUES`.
    pub facet: Option<String>,
    /// What is drawn; without any, what fits the check.
    pub queries: Vec<String>,
    /// `name=value` of other inputs, a later one wins.
    pub sets: Vec<String>,
}

/// One of the texts of a [`ChartTexts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChartText {
    Kind,
    X,
    By,
    Facet,
    Query(usize),
    Set(usize),
}

impl ChartText {
    /// What it is called in a file; behind `--`, on a command line.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::X => "x",
            Self::By => "by",
            Self::Facet => "facet",
            Self::Query(_) => "query",
            Self::Set(_) => "set",
        }
    }
}

/// Where a text of a request stands.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// What it is called there: `--x`, or `x` in a file.
    pub(crate) name: String,
    /// What it is a part of.
    pub(crate) source: Arc<Source>,
    /// Which part; if the text is missing, where it was due.
    pub(crate) span: Span,
}

impl Place {
    /// Of a text that was given to an option.
    fn of_option(request: &ChartTexts, part: ChartText) -> Self {
        let text = match part {
            ChartText::Kind => request.kind.map(ChartKind::name),
            ChartText::X => request.x.as_deref(),
            ChartText::By => request.by.as_deref(),
            ChartText::Facet => request.facet.as_deref(),
            ChartText::Query(at) => request.queries.get(at).map(String::as_str),
            ChartText::Set(at) => request.sets.get(at).map(String::as_str),
        };
        let (name, text) = (format!("--{}", part.key()), text.unwrap_or_default());
        Self {
            source: Source::new(&name, text),
            name,
            span: Span::new(0, text.len()),
        }
    }

    /// How a user writes a value of this part: `--set rank=3`, or `set = "rank=3"` in a file.
    fn write(&self, key: &str, value: &str) -> String {
        match self.name.starts_with("--") {
            true => format!("--{key} '{value}'"),
            false if key == "set" => format!("set = [\"{value}\"]"),
            false => format!("{key} = \"{value}\""),
        }
    }
}

impl ChartKind {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        let known = Self::ALL.iter().find(|(_, kind)| *kind == self);
        known.map_or("", |(name, _)| name)
    }

    /// What a chart of this kind is called in messages.
    fn noun(self) -> &'static str {
        match self {
            Self::Bands => "a chart of bands",
            Self::Lines => "a chart of lines",
            Self::Heatmap => "a heat map",
            Self::Dist => "a chart of a distribution",
        }
    }

    /// Whether it draws queries.
    fn takes_queries(self) -> bool {
        matches!(self, Self::Lines | Self::Heatmap)
    }
}

impl Check {
    /// The chart that was asked for on a command line, where messages call the texts `--x`, `--by`, `--facet`,
    /// `--query` and `--set`.
    ///
    /// `AXIS` without values takes those of its `sweep`, or else its whole domain if that is small. Without a kind,
    /// it is a distribution if `x` is missing or names a number that is shown; else bands, if the check has them and
    /// nothing is queried; else lines. Without queries, lines and heat maps draw how often the worst band is beaten
    /// (lines without `by`: how often each band is reached), or flags, or the mean of a number.
    ///
    /// # Errors
    /// All that is wrong with the request: names and values that do not exist, an input that is used twice, what
    /// the kind lacks or can't draw; or that no configuration of the chart is legal.
    ///
    /// ```
    /// use oddsmith_rules::{ChartKind, ChartTexts};
    /// let text = r#"
    /// name = "Demo"
    /// [checks.check]
    /// bands = ["Miss", "Hit"]
    /// axes.stat = { domain = "-1..=3", default = 0 }
    /// rules = """
    /// show total = 2d6 + stat
    /// show band = match total { < 7: Miss, else: Hit }
    /// """
    /// "#;
    /// let model = oddsmith_rules::load("demo.toml", text.as_bytes()).unwrap();
    /// let request = ChartTexts { x: Some("stat".to_owned()), ..ChartTexts::default() };
    /// let chart = model.checks[0].chart(&request).unwrap();
    /// assert_eq!(chart.kind, ChartKind::Bands);
    /// ```
    pub fn chart(&self, request: &ChartTexts) -> Result<Chart, Diagnostics> {
        self.chart_at(request, &|part| Place::of_option(request, part))
    }

    /// As [`Check::chart`], of texts that stand elsewhere.
    pub(crate) fn chart_at(
        &self,
        request: &ChartTexts,
        place: &dyn Fn(ChartText) -> Place,
    ) -> Result<Chart, Diagnostics> {
        let mut reading = Reading {
            check: self,
            request,
            place,
            errors: Vec::new(),
        };
        let chart = reading.chart();
        chart.ok_or(Diagnostics(reading.errors))
    }

    /// The bands that a check, or the end of a track, is in.
    fn end_bands(&self) -> Option<&[String]> {
        let (outcome, bands) = self.band()?;
        (!outcome.first_round).then_some(bands.labels())
    }

    /// The numbers that are shown.
    fn numbers(&self) -> impl Iterator<Item = &Outcome> {
        let outcomes = self.outcomes.iter();
        outcomes.filter(|outcome| outcome.kind == OutcomeKind::Observable)
    }
}

/// A request that is being read.
struct Reading<'r> {
    check: &'r Check,
    request: &'r ChartTexts,
    place: &'r dyn Fn(ChartText) -> Place,
    errors: Vec<Diagnostic>,
}

impl Reading<'_> {
    /// The chart; none if there are errors.
    fn chart(&mut self) -> Option<Chart> {
        let kind = self.kind();
        if kind == ChartKind::Bands && self.check.end_bands().is_none() {
            self.no_bands();
        }
        let x = self.along(kind);
        if kind == ChartKind::Heatmap && self.request.by.is_none() {
            self.no_second_axis();
        }
        let by = self.panels(ChartText::By);
        let facet = self.panels(ChartText::Facet);
        let queries = self.queries(kind);
        let config = self.config();
        let along = match &x {
            Some(Along::Input(range)) => Some(range),
            _ => None,
        };
        self.refuse_twice(&[
            (ChartText::X, along),
            (ChartText::By, by.as_ref()),
            (ChartText::Facet, facet.as_ref()),
        ]);
        let chart = Chart {
            check: self.check.name.clone(),
            title: self.request.title.clone(),
            kind,
            x: x?,
            by,
            facet,
            queries,
            config,
        };
        if self.errors.is_empty() {
            self.demand_legal(&chart);
        }
        self.errors.is_empty().then_some(chart)
    }

    /// As asked, or what fits.
    fn kind(&self) -> ChartKind {
        let along_number = match &self.request.x {
            None => true,
            Some(x) => self.check.numbers().any(|number| number.name == x.trim()),
        };
        let asks_nothing = self.request.queries.is_empty();
        self.request.kind.unwrap_or_else(|| {
            if along_number {
                ChartKind::Dist
            } else if asks_nothing && self.check.end_bands().is_some() {
                ChartKind::Bands
            } else {
                ChartKind::Lines
            }
        })
    }

    fn no_bands(&mut self) {
        let name = &self.check.name;
        let message = match self.check.rounds {
            None => format!("`{name}` has no bands"),
            Some(_) => format!("`{name}` does not end in bands"),
        };
        let error = self.error(ChartText::Kind, message);
        let lines = (self.place)(ChartText::Kind).write("kind", "lines");
        self.errors.push(
            error
                .with_label("there is nothing to stack")
                .with_help(format!("{lines} draws what can be asked of it")),
        );
    }

    fn no_second_axis(&mut self) {
        let error = self.error(ChartText::Kind, "a heat map needs a second axis");
        let help = format!("say which with `{}`", self.name_of(ChartText::By));
        self.errors
            .push(error.with_label("it has none").with_help(help));
    }

    /// The defaults with what was set.
    fn config(&mut self) -> Config {
        let mut config = self.check.defaults();
        for (at, text) in self.request.sets.iter().enumerate() {
            let name = self.name_of(ChartText::Set(at));
            if let Err(error) = self.check.set(&mut config, text, &name) {
                let error = self.moved(ChartText::Set(at), 0, error);
                self.errors.push(error);
            }
        }
        config
    }

    /// An input has one use in a chart.
    fn refuse_twice(&mut self, ranges: &[(ChartText, Option<&InputRange>)]) {
        let mut uses: Vec<(ChartText, InputId)> = Vec::new();
        let ranges = ranges.iter();
        let ranges = ranges.filter_map(|(part, range)| Some((*part, range.as_ref()?.input)));
        let sets = self.request.sets.iter().enumerate();
        let sets = sets.flat_map(|(at, text)| {
            let inputs = self.check.set_by(text).into_iter();
            inputs.map(move |input| (ChartText::Set(at), input))
        });
        for (part, input) in ranges.chain(sets) {
            let earlier = uses.iter().find(|(_, known)| *known == input);
            if let Some((earlier, _)) = earlier
                && earlier.key() != part.key()
            {
                let uses = [self.name_of(*earlier), self.name_of(part)];
                let place = (self.place)(part);
                let error = self
                    .check
                    .given_twice(input, &uses, (&place.source, place.span));
                let error = error.with_help("an axis or a parameter has one use in a chart");
                self.errors.push(error);
                continue;
            }
            uses.push((part, input));
        }
    }

    /// A chart needs a configuration that the rules allow.
    fn demand_legal(&mut self, chart: &Chart) {
        let along = match &chart.x {
            Along::Input(range) => Some(range),
            Along::Number { .. } => None,
        };
        let ranges = [along, chart.by.as_ref(), chart.facet.as_ref()];
        let ranges: Vec<&InputRange> = ranges.into_iter().flatten().collect();
        let Some(first) = all_broken(self.check, &chart.config, &ranges) else {
            return;
        };
        let part = match self.request.sets.len().checked_sub(1) {
            Some(last) => ChartText::Set(last),
            None => ChartText::X,
        };
        let error = self.error(part, "the rules allow no configuration of this chart");
        self.errors
            .push(error.with_label(format!("`{}` is required", first.text)));
    }

    /// An error about the whole of a text.
    fn error(&self, part: ChartText, message: impl Into<String>) -> Diagnostic {
        let place = (self.place)(part);
        Diagnostic::new(&place.source, place.span, message)
    }

    /// An error in a text, which begins behind some blanks, at its place.
    fn moved(&self, part: ChartText, blanks: usize, error: Diagnostic) -> Diagnostic {
        let place = (self.place)(part);
        error.moved(&place.source, place.span.start + blanks)
    }

    /// What a text is called.
    fn name_of(&self, part: ChartText) -> String {
        (self.place)(part).name
    }
}
