//! Plans as they are written for programs.

use oddsmith_exact::RBig;
use schemars::JsonSchema;
use serde::Serialize;

use super::policy::Choice;
use super::shapes::{Configuration, Exact, Named, Outcome, outcomes};
use crate::plan::{Manner, PlannedResource, Played, State, Tally, TrackTally, TrackWay, Turn};
use crate::{Game, PlanAnswer, TrackPlan};

/// The answer of `oddsmith balance plan`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlanOdds {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The check.
    pub check: String,
    /// The worth of the outcomes: `Miss=0, Graze=1`, or an expression.
    pub utility: String,
    /// The number of checks of the scene.
    pub checks: usize,
    /// The resources that are spent, in the order of the ruleset.
    pub resources: Vec<SceneResource>,
    /// The configurations that take turns.
    pub configurations: Vec<Configuration>,
    /// The ways to play; the plan is the last one.
    pub ways: Vec<WayToPlay>,
    /// Every number of checks and points that is left.
    pub states: Vec<PlanState>,
}

/// A resource that is spent over the checks of a scene.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SceneResource {
    /// The name of the points.
    pub resource: String,
    /// The axis of the points.
    pub axis: String,
    /// The points for all checks.
    pub pool: u32,
    /// The most points that one check takes.
    pub most_for_one_check: i64,
    /// Whether the points are set before the roll.
    pub before_the_roll: bool,
}

/// A way to play.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WayToPlay {
    /// The name: `never`, `without hope`, `always`, the label of a policy, `each by itself`, `plan`.
    pub way: String,
    /// Whether it is the plan.
    pub is_plan: bool,
    /// What comes of the scene on average; none if it may need more points than there are.
    pub result: Option<SceneResult>,
}

/// What comes of a scene on average, in fractions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SceneResult {
    /// The sum of what the outcomes are worth.
    pub value: Exact,
    /// The points of each resource that are spent.
    pub spent: Named<Exact>,
    /// The number of checks that end in each band.
    pub bands: Named<Exact>,
}

/// A number of checks and points that is left, and what is best there; its numbers are fractions.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlanState {
    /// The checks that are left.
    pub checks_left: usize,
    /// The points of each resource that are left.
    pub points_left: Named<i64>,
    /// How likely it is to come there.
    pub probability: Exact,
    /// The worth of what is left of the scene.
    pub value: Exact,
    /// The worth of one more point of each resource; none if there is no more.
    pub one_more: Named<Option<Exact>>,
    /// The points of each resource that are set before the roll, or that may be spent.
    pub points: Named<i64>,
    /// The label of the way to spend each resource that is set before the roll, if one is.
    pub way: Named<Option<String>>,
    /// The choices of the check.
    pub choices: Vec<Choice>,
}

impl PlanOdds {
    /// The answer about a game's check.
    pub fn of(game: &Game, answer: &PlanAnswer) -> Self {
        let check = &answer.spending.check;
        let settings = answer.settings.iter();
        let states = answer.states();
        Self {
            ruleset: game.name().to_owned(),
            check: check.name.clone(),
            utility: answer.utility(),
            checks: answer.scene.checks.len(),
            resources: (0..answer.resources.len())
                .map(|at| resource(answer, at))
                .collect(),
            configurations: settings
                .map(|config| Configuration::of(check, config))
                .collect(),
            ways: answer
                .plan
                .ways
                .iter()
                .map(|own| way(answer, own))
                .collect(),
            states: states.map(|own| state(answer, own)).collect(),
        }
    }
}

fn resource(answer: &PlanAnswer, at: usize) -> SceneResource {
    let allowance = answer.plan.allowances[at];
    SceneResource {
        resource: answer.resources[at].name.clone(),
        axis: answer.axis(at).to_owned(),
        pool: answer.scene.pool[at],
        most_for_one_check: allowance.cap,
        before_the_roll: allowance.is_before,
    }
}

fn way(answer: &PlanAnswer, way: &Played) -> WayToPlay {
    let result = |tally: &Tally| {
        let bands = answer.bands().iter().zip(&tally.bands);
        let bands = bands.map(|(label, mean)| (label.clone(), Exact::of(mean)));
        SceneResult {
            value: Exact::of(&tally.value),
            spent: named(answer, |at| Exact::of(&tally.spent[at])),
            bands: Named(bands.collect()),
        }
    };
    WayToPlay {
        way: answer.manner(way.manner),
        is_plan: way.manner == Manner::Best,
        result: way.result.as_ref().map(result),
    }
}

fn state(answer: &PlanAnswer, (turn, state): (&Turn, &State)) -> PlanState {
    PlanState {
        checks_left: turn.left,
        points_left: named(answer, |at| state.left[at]),
        probability: Exact::of(&state.probability),
        value: Exact::of(&state.value),
        one_more: named(answer, |at| state.more[at].as_ref().map(Exact::of)),
        points: named(answer, |at| state.points[at]),
        way: named(answer, |at| answer.label(at, state).map(str::to_owned)),
        choices: state.decisions.iter().map(Choice::from).collect(),
    }
}

/// A value for each resource, by its name.
fn named<T>(answer: &PlanAnswer, of: impl Fn(usize) -> T) -> Named<T> {
    let resources = answer.resources.iter().enumerate();
    Named(
        resources
            .map(|(at, resource)| (resource.name.clone(), of(at)))
            .collect(),
    )
}

/// The answer of `oddsmith balance plan` for a track.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TrackPlanOdds {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The track.
    pub track: String,
    /// The configuration in which it is played.
    pub configuration: Configuration,
    /// What is maximised, as written.
    pub maximise: String,
    /// Whether that is an event, so that its mean is its probability.
    pub is_chance: bool,
    /// The resources that are spent, in the order of the ruleset.
    pub resources: Vec<TrackResource>,
    /// The ways to play; the plan is the last one.
    pub ways: Vec<WayThroughTrack>,
    /// The choices of the plan; what is left of the points of an axis is known by the name of the axis and `left`.
    pub choices: Vec<Choice>,
}

/// A resource that is spent over the rounds of a track.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TrackResource {
    /// The name of the points.
    pub resource: String,
    /// The axis of the points.
    pub axis: String,
    /// The points at the beginning.
    pub pool: u32,
    /// Whether the points are set at the beginning of a round, before the roll.
    pub before_the_roll: bool,
    /// What one more point is worth at the beginning, with none of it, with one, and so on up to all, with all of the others; none
    /// where with so few more may be spent than there is.
    pub one_more: Vec<Option<Exact>>,
}

/// A way to play a track.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct WayThroughTrack {
    /// The name: `never`, `without hope`, the label of a policy, `plan`.
    pub way: String,
    /// Whether it is the plan.
    pub is_plan: bool,
    /// What comes of it; none if it may need more points than there are.
    pub result: Option<TrackResult>,
}

/// What comes of a track out of points.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TrackResult {
    /// What is maximised, then the bands.
    pub outcomes: Vec<Outcome>,
    /// The mean number of rounds; none if it is not sure that there is an end.
    pub rounds: Option<Exact>,
    /// The mean of the points of each resource that are spent; none if it is not sure that there is an end.
    pub spent: Option<Named<Exact>>,
}

impl TrackPlanOdds {
    /// The answer about a game's track.
    pub fn of(game: &Game, plan: &TrackPlan) -> Self {
        let track = &plan.pursed.track;
        let resource = |(at, own): (usize, &PlannedResource)| TrackResource {
            resource: own.name.clone(),
            axis: plan.axis(at).to_owned(),
            pool: plan.pool[at],
            before_the_roll: plan.is_before(at),
            one_more: { plan.one_more[at].iter() }
                .map(|worth| worth.as_ref().map(Exact::of))
                .collect(),
        };
        let way = |way: &TrackWay| WayThroughTrack {
            way: plan.manner(way.manner),
            is_plan: way.manner == Manner::Best,
            result: way.result.as_ref().map(|tally| track_result(plan, tally)),
        };
        Self {
            ruleset: game.name().to_owned(),
            track: track.name.clone(),
            configuration: Configuration::of(plan.own_track(), &plan.config),
            maximise: plan.goal().to_owned(),
            is_chance: plan.is_chance(),
            resources: plan.resources.iter().enumerate().map(resource).collect(),
            ways: plan.ways.iter().map(way).collect(),
            choices: plan.decisions.iter().map(Choice::from).collect(),
        }
    }
}

fn track_result(plan: &TrackPlan, tally: &TrackTally) -> TrackResult {
    let names = plan.resources.iter().map(|own| own.name.clone());
    let spent = |spent: &[RBig]| Named(names.zip(spent.iter().map(Exact::of)).collect());
    let means = tally.means.as_ref();
    TrackResult {
        outcomes: outcomes(&plan.pursed.track, &tally.lines),
        rounds: means.map(|means| Exact::of(&means.rounds)),
        spent: means.map(|means| spent(&means.spent)),
    }
}
