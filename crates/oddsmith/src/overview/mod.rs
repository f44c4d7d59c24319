//! Overviews: what a ruleset offers.

mod examples;
mod inputs;

use oddsmith_rules::{
    Along, Chart, Check, Input, InputRange, Model, Outcome, OutcomeKind, Role, RoundName,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::plan::can_spend;
use crate::{Error, Game, Wanted, questions};

pub use examples::Example;
pub use inputs::InputOverview;

/// What a ruleset offers: what can be set, what can be asked, and what its author says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Overview {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The title.
    pub title: String,
    /// The author's words on the game.
    pub help: String,
    /// The parameters; the elements of a list are one.
    pub parameters: Vec<InputOverview>,
    /// The checks, then the tracks.
    pub checks: Vec<CheckOverview>,
    /// The charts of these.
    pub charts: Vec<ChartOverview>,
    /// The expectations of these.
    pub expectations: Vec<ExpectationOverview>,
    /// The resources that are spent on these.
    pub resources: Vec<ResourceOverview>,
}

/// A check or a track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckOverview {
    /// The name.
    pub name: String,
    /// What people read in its place; empty if they read that.
    pub label: String,
    /// Whether it is a track: rolls until something is full.
    pub is_track: bool,
    /// What people call a round of a track, and several of them; nothing of a check.
    pub unit: Vec<String>,
    /// The author's words on it.
    pub help: String,
    /// The axes; the elements of a list are one.
    pub axes: Vec<InputOverview>,
    /// The conditions that a legal configuration meets.
    pub requires: Vec<String>,
    /// The outcomes that it shows: of a track those of the end.
    pub shown: Shown,
    /// The outcomes of a track's first roll; nothing of a check.
    pub first_roll: Shown,
    /// The rule of contests, if it declares one.
    pub contest: Option<ContestOverview>,
    /// What people read in place of names of its script, by these names.
    pub titles: Vec<(String, String)>,
    /// What every choice strives for, if there are choices.
    pub maximise: Option<String>,
    /// A few queries, the most useful first.
    pub examples: Vec<Example>,
}

/// The outcomes that are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Shown {
    /// The bands, worst first.
    pub bands: Vec<String>,
    /// The flags.
    pub flags: Vec<String>,
    /// The numbers.
    pub numbers: Vec<String>,
    /// The names of other labels, each with its values.
    pub labels: Vec<(String, Vec<String>)>,
}

/// The rule of contests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ContestOverview {
    /// What is compared: the higher one wins.
    pub compare: String,
    /// What a tie does: `reroll`, `both` or `defender`.
    pub ties: &'static str,
}

/// A chart that the ruleset declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChartOverview {
    /// The kind: `bands`, `lines`, `heatmap` or `dist`.
    pub kind: &'static str,
    /// The check or track.
    pub check: String,
    /// What it runs along: `rank by boons, facet state`.
    pub axes: String,
    /// The title; may be empty.
    pub title: String,
}

/// An expectation that the ruleset declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExpectationOverview {
    /// The check or track.
    pub check: String,
    /// The intention in a sentence.
    pub intent: String,
}

/// A resource that is spent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ResourceOverview {
    /// The name.
    pub name: String,
    /// The axis of the points.
    pub axis: String,
    /// The checks on which it is spent, and the tracks in whose rounds it is.
    pub checks: Vec<String>,
    /// The author's words on it.
    pub help: String,
}

impl Game {
    /// What the ruleset offers, or what one of its checks or tracks does.
    ///
    /// # Errors
    /// If there is no such check or track.
    ///
    /// ```
    /// use oddsmith::Game;
    /// let overview = Game::open("stars-and-signs")?.overview(Some("check"))?;
    /// let check = &overview.checks[0];
    /// assert_eq!(check.shown.bands, ["Miss", "Graze", "Hit", "Critical"]);
    /// assert_eq!(check.axes[0].name, "ability_rank");
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn overview(&self, check: Option<&str>) -> Result<Overview, Error> {
        let model = self.model();
        let shown: Vec<&Check> = match check {
            Some(_) => vec![self.find(check, Wanted::Either)?],
            None => model.checks.iter().chain(&model.tracks).collect(),
        };
        let params: Vec<&Input> = model.params.iter().collect();
        Ok(Overview {
            ruleset: self.name().to_owned(),
            title: self.title().to_owned(),
            help: model.help.clone(),
            parameters: inputs::overviews(&params),
            checks: shown.iter().map(|check| of_check(check)).collect(),
            charts: charts(model, &shown),
            expectations: expectations(model, &shown),
            resources: resources(model, &shown),
        })
    }
}

fn of_check(check: &Check) -> CheckOverview {
    let is_track = check.rounds.is_some();
    let axes = check.inputs.iter().filter(|input| input.role == Role::Axis);
    let requires = check.requires.iter();
    CheckOverview {
        name: check.name.clone(),
        label: check.label.clone(),
        is_track,
        unit: match is_track {
            true => {
                let RoundName { one, many } = questions::round_name(check);
                vec![one, many]
            }
            false => Vec::new(),
        },
        help: check.help.clone(),
        axes: inputs::overviews(&axes.collect::<Vec<_>>()),
        requires: requires
            .map(|requirement| requirement.text.clone())
            .collect(),
        shown: shown(check, |outcome| !is_track || !outcome.first_round),
        first_roll: shown(check, |outcome| is_track && outcome.first_round),
        contest: check.contest.as_ref().map(|contest| ContestOverview {
            compare: contest.text.clone(),
            ties: check.ties.name(),
        }),
        titles: check.labels.clone(),
        maximise: check.goal.as_ref().map(|goal| goal.text.clone()),
        examples: examples::examples(check),
    }
}

/// Bands, flags, numbers and labels.
fn shown(check: &Check, is_meant: impl Fn(&Outcome) -> bool) -> Shown {
    let mut shown = Shown::default();
    for outcome in check.outcomes.iter().filter(|outcome| is_meant(outcome)) {
        let name = outcome.name.clone();
        match &outcome.kind {
            OutcomeKind::Band(choice) => shown.bands.extend_from_slice(choice.labels()),
            OutcomeKind::Flag => shown.flags.push(name),
            OutcomeKind::Observable => shown.numbers.push(name),
            OutcomeKind::Label(choice) => shown.labels.push((name, choice.labels().to_vec())),
        }
    }
    shown
}

fn charts(model: &Model, shown: &[&Check]) -> Vec<ChartOverview> {
    let charts = model.charts.iter().filter_map(|chart| {
        let check = shown.iter().find(|check| check.name == chart.check)?;
        Some(ChartOverview {
            kind: chart.kind.name(),
            check: chart.check.clone(),
            axes: axes_of(chart, check),
            title: chart.title.clone(),
        })
    });
    charts.collect()
}

/// `rank by boons, facet state`
fn axes_of(chart: &Chart, check: &Check) -> String {
    let name = |range: &InputRange| check.inputs[range.input.0].name.clone();
    let mut words = match &chart.x {
        Along::Input(range) => name(range),
        Along::Number { name, .. } => name.clone(),
    };
    if let Some(by) = &chart.by {
        words += &format!(" by {}", name(by));
    }
    if let Some(facet) = &chart.facet {
        words += &format!(", facet {}", name(facet));
    }
    words
}

fn expectations(model: &Model, shown: &[&Check]) -> Vec<ExpectationOverview> {
    let is_shown = |name: &str| shown.iter().any(|check| check.name == name);
    let expectations = model.expectations.iter();
    expectations
        .filter(|expectation| is_shown(&expectation.check))
        .map(|expectation| ExpectationOverview {
            check: expectation.check.clone(),
            intent: expectation.intent.clone(),
        })
        .collect()
}

/// The resources that are spent on any of some checks.
fn resources(model: &Model, shown: &[&Check]) -> Vec<ResourceOverview> {
    let resources = model.resources.iter().map(|resource| {
        let checks = shown.iter().filter(|check| can_spend(check, resource));
        ResourceOverview {
            name: resource.name.clone(),
            axis: resource.request.axis.clone(),
            checks: checks.map(|check| check.name.clone()).collect(),
            help: resource.help.clone(),
        }
    });
    resources
        .filter(|resource| !resource.checks.is_empty())
        .collect()
}
