//! Pictures as they are sent.

use oddsmith_report::{Theme, svg};
use oddsmith_rules::{Along, Chart, Check, Config, InputRange};
use serde::{Deserialize, Serialize};

use crate::{ChartAnswer, ChartRequest, Error, Game, Settings, Wanted};

/// A picture that the ruleset declares, in another configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeclaredChartRequest {
    /// The place of the chart among those of the ruleset, from 0.
    pub chart: usize,
    /// Settings that win over those of the chart. What it runs along takes its own values anyway.
    pub settings: Settings,
}

/// A picture, drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// The title.
    pub title: String,
    /// The document.
    pub svg: String,
    /// The number of configurations that it lacks, since they break a rule.
    pub gaps: u64,
}

impl Picture {
    /// Draws what was computed.
    ///
    /// # Errors
    /// If there is more to draw than could be told apart, or nothing.
    pub fn of(chart: &ChartAnswer, theme: Theme) -> Result<Self, Error> {
        let ChartAnswer { figure, gaps } = chart;
        let drawn = svg(figure, theme);
        let svg = drawn.map_err(|error| Error::advice(error.to_string(), ""))?;
        Ok(Self {
            title: figure.title.clone(),
            svg,
            gaps: gaps.count,
        })
    }
}

impl Game {
    /// A chart that the ruleset declares, as it would be asked for: in its own configuration with other settings, but for
    /// what it runs along.
    ///
    /// # Errors
    /// If there is no such chart, or a setting does not fit its check.
    ///
    /// ```
    /// use oddsmith::ask::DeclaredChartRequest;
    /// use oddsmith::{Game, Limits};
    /// let game = Game::open("stars-and-signs")?;
    /// let request = game.declared_chart(&DeclaredChartRequest::default())?;
    /// let chart = game.chart(&request, &Limits::default())?;
    /// assert_eq!(chart.figure.title, game.model().charts[0].title);
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn declared_chart(&self, request: &DeclaredChartRequest) -> Result<ChartRequest, Error> {
        let charts = &self.model().charts;
        let Some(chart) = charts.get(request.chart) else {
            let message = format!("there is no chart {} in `{}`", request.chart, self.name());
            let help = format!("it declares {}; the first is chart 0", charts.len());
            return Err(Error::advice(message, help));
        };
        let check = self.find(Some(&chart.check), Wanted::Either)?;
        let mut config = chart.config.clone();
        request.settings.apply(check, &mut config)?;
        Ok(asked(check, chart, &config))
    }
}

/// What one would ask for to get the chart.
fn asked(check: &Check, chart: &Chart, config: &Config) -> ChartRequest {
    let along = |range: &InputRange| values(check, range);
    let x = match &chart.x {
        Along::Input(range) => along(range),
        Along::Number { name, .. } => name.clone(),
    };
    let mut settings = Settings::default();
    let inputs = check.inputs.iter().zip(config.values()).enumerate();
    for (at, (input, &value)) in inputs {
        let varies = chart.ranges().any(|range| range.input.0 == at);
        if value != input.default && !varies {
            settings.set(&input.name, input.domain.show(value));
        }
    }
    ChartRequest {
        check: Some(check.name.clone()),
        title: (!chart.title.is_empty()).then(|| chart.title.clone()),
        kind: Some(chart.kind.name().to_owned()),
        x: Some(x),
        by: chart.by.as_ref().map(along),
        facet: chart.facet.as_ref().map(along),
        queries: chart
            .queries
            .iter()
            .map(|query| query.text.clone())
            .collect(),
        settings,
        maximise: None,
    }
}

/// `AXIS=VALUES`
fn values(check: &Check, range: &InputRange) -> String {
    let input = &check.inputs[range.input.0];
    let values = range.values.iter().map(|value| input.domain.show(*value));
    format!("{}={}", input.name, values.collect::<Vec<_>>().join(","))
}
