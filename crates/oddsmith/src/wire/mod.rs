//! Answers as they are written for programs: plain types that serialise.
//!
//! Whole numbers without bound are text, since JSON readers may hold no more than 53 bits; the nearest decimal stands
//! beside them. The same thing has the same shape in every answer.

mod anydice;
mod comparison;
mod distribution;
mod explanation;
mod lint;
mod plan;
mod policy;
mod project;
mod shapes;
mod tuning;
mod valuation;
mod value_distribution;

use oddsmith_rules::Check;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;

pub use crate::names::{ContestNames, SimulationNames};
use crate::simulation::{Group, SimulatedRow, Simulation};
use crate::{Contest, ContestAnswer, Game, OddsAnswer, Overview, Track, TrackAnswer};
pub use anydice::{AnyDiceOdds, AnyDiceOutput};
pub use comparison::{
    Compared, ComparedLine, ComparedRow, ComparedSide, ComparisonOdds, ComparisonSummary, Largest,
    Orders, order,
};
pub use distribution::{Distribution, Point, Value, of_points, points, share};
pub use explanation::{ExplainedDistribution, ExplainedStep};
pub use lint::{
    LintEvidence, LintFacts, LintFinding, LintFindings, LintPair, LintStretch, LintValue, LintWins,
    UnmetAcceptance,
};
pub use plan::{
    PlanOdds, PlanState, SceneResult, TrackPlanOdds, TrackResource, TrackResult, WayThroughTrack,
    WayToPlay,
};
pub use policy::{BestOption, Choice, KnownValue, PolicyOdds, Way};
pub use project::{
    ColumnDrift, DriftCause, ExpectationOdds, FailingCase, MovedAnswer, ProjectOdds, RulesetDrift,
    RulesetOdds, RulesetTrouble, TableComparison, TableOdds, TroubleReason,
};
pub use shapes::{
    Configuration, Decimal, Exact, Fraction, Named, Outcome, Setting, Weighted, outcomes,
};
pub use tuning::{
    ChangeSize, DialOption, Distance, ParetoSet, TuningCandidate, TuningGoal, TuningOdds,
    TuningProof,
};
pub use valuation::{
    BandNumber, Changes, Exchange, LeverValue, StepSummary, StepValue, StepValues,
};
pub use value_distribution::{Distributions, ValueDistribution, ValueOutcome};

/// The answer of `oddsmith odds`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Odds {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The check.
    pub check: String,
    /// The configuration.
    pub configuration: Configuration,
    /// Bands, worst first, then flags, then what was asked; if there would be none of these, means.
    pub outcomes: Vec<Outcome>,
}

impl Odds {
    /// The answer about a game's check.
    pub fn of(game: &Game, answer: &OddsAnswer) -> Self {
        Self {
            ruleset: game.name().to_owned(),
            check: answer.check.name.clone(),
            configuration: Configuration::of(&answer.check, &answer.config),
            outcomes: outcomes(&answer.check, &answer.outcomes),
        }
    }
}

/// The answer of `oddsmith track`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TrackOdds {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The track.
    pub track: String,
    /// The configuration.
    pub configuration: Configuration,
    /// What it ends in, what a roll shows, and what was asked or how many rolls it takes.
    pub outcomes: Vec<Outcome>,
}

impl TrackOdds {
    /// The answer about a game's track.
    pub fn of(game: &Game, track: &Track, answer: &TrackAnswer) -> Self {
        Self {
            ruleset: game.name().to_owned(),
            track: track.check.name.clone(),
            configuration: Configuration::of(&track.check, &track.config),
            outcomes: outcomes(&track.check, &answer.outcomes),
        }
    }
}

/// The answer of `oddsmith contest`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContestOdds {
    /// What it is about.
    #[serde(flatten)]
    pub names: ContestNames,
    /// The configuration of both sides, as `a.NAME` and `b.NAME`.
    pub configuration: Configuration,
    /// `A`, `tie`, `B`; who wins if it is decided; the mean of the rounds; flags; what was asked.
    pub outcomes: Vec<Outcome>,
}

impl ContestOdds {
    /// The answer about a game's contest.
    pub fn of(game: &Game, contest: &Contest, answer: &ContestAnswer) -> Self {
        Self {
            names: ContestNames::of(game, contest),
            configuration: Configuration::of(&contest.check, &contest.config),
            outcomes: outcomes(&contest.check, &answer.outcomes()),
        }
    }
}

/// The answer of `oddsmith simulate`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Simulated {
    /// What was rolled.
    #[serde(flatten)]
    pub names: SimulationNames,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Whether it ended before all trials that were planned were done.
    pub interrupted: bool,
    /// The probability of a false alarm in the whole run.
    pub level: f64,
    /// Comparisons with the exact odds.
    pub comparisons: usize,
    /// Those that are farther off than chance allows.
    pub disagreements: usize,
    /// Rounds after which trials of a track were stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_rounds: Option<u32>,
    /// The one configuration, or all of a sweep.
    #[serde(flatten)]
    pub rolled: Rolled,
}

/// What was rolled: one configuration, or those of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Rolled {
    /// One configuration.
    One(RolledConfiguration),
    /// A sweep.
    Swept {
        /// Each combination of the swept axes.
        configurations: Vec<RolledConfiguration>,
    },
}

/// The trials of a configuration.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RolledConfiguration {
    /// The configuration.
    pub configuration: Configuration,
    /// The trials.
    pub trials: u64,
    /// Trials that were stopped because they went on for too long.
    pub unfinished: u64,
    /// Dice that were rolled.
    pub dice: u64,
    /// The questions.
    pub outcomes: Vec<Estimated>,
    /// All cells of a partition together, such as the bands, by the chi-square test.
    pub chi_square: Option<ChiSquare>,
}

/// A question that was put to trials.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Estimated {
    /// The band, the flag, or the query as it was asked.
    pub outcome: String,
    /// `band`, `flag`, `probability`, `mean` or `variance`.
    pub kind: &'static str,
    /// Trials in which it happened, or the sum of the values.
    pub count: Option<Count>,
    /// Trials in which it applies.
    pub trials: u64,
    /// What the trials say.
    pub estimate: Option<Decimal>,
    /// The usual distance of the estimate from the truth.
    pub std_error: Option<Decimal>,
    /// The lower end of the interval that nearly surely holds the truth.
    pub low: Option<Decimal>,
    /// Its upper end.
    pub high: Option<Decimal>,
    /// What the exact odds say.
    pub exact: Option<Decimal>,
    /// How many standard errors lie between the two.
    pub z: Option<Decimal>,
    /// How likely it is to be as far off by chance.
    pub p: Option<f64>,
}

/// A whole number, as text where JSON readers may not hold it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Count {
    /// At most 2^53.
    Small(i64),
    /// More than that.
    Text(Exact),
}

impl From<i128> for Count {
    fn from(count: i128) -> Self {
        let small = i64::try_from(count).ok();
        let small = small.filter(|count| count.unsigned_abs() <= 1 << 53);
        small.map_or_else(|| Self::Text(Exact::of(&count)), Self::Small)
    }
}

/// A chi-square test: how well all cells together fit their probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ChiSquare {
    /// What the cells are.
    pub of: String,
    /// The sum of the squared distances, each over what is expected.
    pub statistic: Decimal,
    /// Degrees of freedom.
    pub df: u32,
    /// How likely it is to fit as badly by chance.
    pub p: f64,
}

impl Simulated {
    /// The answer of a run that rolled something.
    pub fn of(simulation: &Simulation) -> Self {
        let check = &simulation.check;
        let groups = simulation.groups.iter();
        let mut configurations: Vec<_> = groups
            .map(|group| RolledConfiguration::of(check, group))
            .collect();
        Self {
            names: simulation.names.clone(),
            seed: simulation.seed,
            interrupted: simulation.is_interrupted,
            level: simulation.level,
            comparisons: simulation.comparisons,
            disagreements: simulation.contrary(),
            most_rounds: simulation.most_rounds,
            rolled: match simulation.axes.is_empty() && configurations.len() == 1 {
                true => Rolled::One(configurations.remove(0)),
                false => Rolled::Swept { configurations },
            },
        }
    }
}

impl RolledConfiguration {
    fn of(check: &Check, group: &Group) -> Self {
        Self {
            configuration: Configuration::of(check, &group.config),
            trials: group.trials,
            unfinished: group.unfinished,
            dice: group.dice,
            outcomes: group.rows.iter().map(Estimated::from).collect(),
            chi_square: group.fit.as_ref().map(|fit| ChiSquare {
                of: fit.of.clone(),
                statistic: fit.test.statistic.into(),
                df: fit.test.df,
                p: fit.test.p,
            }),
        }
    }
}

impl From<&SimulatedRow> for Estimated {
    fn from(row: &SimulatedRow) -> Self {
        let [estimate, std_error, low, high, exact, z] =
            row.numbers().map(|number| number.map(Decimal::from));
        Self {
            outcome: row.name.clone(),
            kind: row.kind.name(),
            count: row.count.map(Count::from),
            trials: row.trials,
            estimate,
            std_error,
            low,
            high,
            exact,
            z,
            p: row.p,
        }
    }
}

/// The answer of `oddsmith dist` to queries.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DiceOdds {
    /// The expression.
    pub expression: String,
    /// What was asked.
    pub outcomes: Vec<Outcome>,
}

/// The JSON Schema of all answers: a definition for each, by its name.
///
/// ```
/// let schema = oddsmith::wire::schema();
/// assert!(schema["$defs"]["Odds"]["properties"]["outcomes"].is_object());
/// ```
pub fn schema() -> serde_json::Value {
    let mut generator = SchemaSettings::default().for_serialize().into_generator();
    let answers = [
        generator.subschema_for::<Odds>(),
        generator.subschema_for::<TrackOdds>(),
        generator.subschema_for::<ContestOdds>(),
        generator.subschema_for::<ComparisonOdds>(),
        generator.subschema_for::<PolicyOdds>(),
        generator.subschema_for::<PlanOdds>(),
        generator.subschema_for::<TrackPlanOdds>(),
        generator.subschema_for::<TuningOdds>(),
        generator.subschema_for::<StepValues>(),
        generator.subschema_for::<ExplainedDistribution>(),
        generator.subschema_for::<ProjectOdds>(),
        generator.subschema_for::<LintFindings>(),
        generator.subschema_for::<Simulated>(),
        generator.subschema_for::<DiceOdds>(),
        generator.subschema_for::<Distribution>(),
        generator.subschema_for::<Distributions>(),
        generator.subschema_for::<ValueDistribution>(),
        generator.subschema_for::<AnyDiceOdds>(),
        generator.subschema_for::<Overview>(),
    ];
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What oddsmith answers as JSON",
        "anyOf": answers,
        "$defs": generator.definitions(),
    })
}
