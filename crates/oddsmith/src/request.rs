//! What is asked, as plain data: settings and queries as text, each with where it was given.

use std::fmt::Display;

use oddsmith_rules::{Check, Config, Diagnostics};
use serde::{Deserialize, Serialize};

use crate::{Error, ScenePool, settings};

/// Settings of axes and parameters, in order: the last one of a name wins. They are held against a check when it is
/// asked, with all errors at once.
///
/// ```
/// use oddsmith::Settings;
/// let mut settings = Settings::default();
/// settings.set("circ_boons", 2).set("state", "fragile");
/// assert_eq!(settings, Settings::parse("set", &["circ_boons=2", "state=fragile"]));
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Settings(Vec<Given>);

/// A text, and what errors call the place where it was given.
#[derive(Clone, Debug)]
struct Given {
    text: String,
    origin: String,
}

/// Where a text was given unless something else is said.
const ORIGIN: &str = "set";

impl Settings {
    /// Settings as text, `circ_boons=2`; errors call the place where they were given `origin`.
    pub fn parse(origin: &str, texts: &[impl AsRef<str>]) -> Self {
        let given = texts.iter().map(|text| Given {
            text: text.as_ref().to_owned(),
            origin: origin.to_owned(),
        });
        Self(given.collect())
    }

    /// Sets one input to a number or a label.
    pub fn set(&mut self, name: &str, value: impl Display) -> &mut Self {
        let text = format!("{name}={value}");
        self.0.extend(Self::parse(ORIGIN, &[text]).0);
        self
    }

    /// Adds other settings, which win.
    pub fn extend(&mut self, others: Self) -> &mut Self {
        self.0.extend(others.0);
        self
    }

    /// The settings as text, in order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|given| given.text.as_str())
    }

    /// Each setting by itself, beside its text.
    pub(crate) fn each(&self) -> impl Iterator<Item = (&str, Self)> {
        let each = self.0.iter();
        each.map(|given| (given.text.as_str(), Self(vec![given.clone()])))
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The defaults of a check with these settings.
    ///
    /// # Errors
    /// Every setting that the check does not take, with what was perhaps meant.
    pub fn config(&self, check: &Check) -> Result<Config, Diagnostics> {
        settings::config_of(check, self.given())
    }

    /// Sets a configuration of a check.
    ///
    /// # Errors
    /// As [`Settings::config`].
    pub(crate) fn apply(&self, check: &Check, config: &mut Config) -> Result<(), Diagnostics> {
        settings::apply(check, config, self.given())
    }

    /// The settings in order, each as the place where it was given and its text.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        let given = self.0.iter();
        given.map(|given| (given.origin.as_str(), given.text.as_str()))
    }

    /// The same settings for one side of a contest: `x=1` as `a.x=1`.
    ///
    /// # Errors
    /// If a text is no `name=value`.
    pub(crate) fn of_side(&self, side: &str) -> Result<Self, Error> {
        let mut all = Self::default();
        for Given { text, origin } in &self.0 {
            let sets = settings::assignments(origin, std::slice::from_ref(text))?;
            let sets: Vec<String> = sets.iter().map(|set| format!("{side}.{set}")).collect();
            all.extend(Self::parse(origin, &sets));
        }
        Ok(all)
    }
}

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.texts().eq(other.texts())
    }
}

impl Eq for Settings {}

impl From<Vec<String>> for Settings {
    fn from(texts: Vec<String>) -> Self {
        Self::parse(ORIGIN, &texts)
    }
}

impl From<Settings> for Vec<String> {
    fn from(settings: Settings) -> Self {
        settings.0.into_iter().map(|given| given.text).collect()
    }
}

/// What is asked of one check in one configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OddsRequest {
    /// The check; none is the first one.
    pub check: Option<String>,
    /// The configuration.
    pub settings: Settings,
    /// Queries beside what the check shows by itself: a band or flag, `P(total>=15)`, `mean(total)`.
    pub queries: Vec<String>,
    /// What choices strive for, in place of what the ruleset says.
    pub maximise: Option<String>,
}

/// What is asked of a track: rolls until something is full.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrackRequest {
    /// The track; none is the first one.
    pub track: Option<String>,
    /// The configuration.
    pub settings: Settings,
    /// Queries beside what the track shows by itself: `P(rolls<=5)`.
    pub queries: Vec<String>,
    /// Numbers of rolls that are listed; none is as far as hardly any are left.
    pub horizon: Option<u32>,
}

/// What is asked of two sides against each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContestRequest {
    /// What side A does; none is the first check.
    pub check: Option<String>,
    /// What side B does; none is the same as side A.
    pub against: Option<String>,
    /// The configuration of both sides.
    pub settings: Settings,
    /// The configuration of side A.
    pub a: Settings,
    /// The configuration of side B.
    pub b: Settings,
    /// What is compared, in place of what the ruleset says: a number, or a label such as `band`.
    pub compare: Option<String>,
    /// What a tie means, in place of what the ruleset says: `reroll`, `both` or `defender`.
    pub ties: Option<String>,
    /// Queries beside what a contest shows by itself.
    pub queries: Vec<String>,
}

/// What is asked of two checks side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompareRequest {
    /// The check or track of side A; none is the first one.
    pub check: Option<String>,
    /// The check or track of side B; none is the one that A names.
    pub against: Option<String>,
    /// The configuration of both sides.
    pub settings: Settings,
    /// What is set for side B alone.
    pub with: Settings,
    /// Axes and their values, matched by name and value: `stat=0,2,4`, or `all`.
    pub sweeps: Vec<String>,
    /// Queries beside what the sides show by themselves.
    pub queries: Vec<String>,
    /// The number whose whole distribution is compared, in place of the bands.
    pub of: Option<String>,
}

/// What is asked of a check that chooses: what is best.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PolicyRequest {
    /// The check; none is the first one.
    pub check: Option<String>,
    /// The configuration.
    pub settings: Settings,
    /// The axis along which ways to choose are compared, `AXIS` or `AXIS=VALUES`; none is one of whose labels a single
    /// one leaves the choice to the player.
    pub by: Option<String>,
    /// Queries beside the bands.
    pub queries: Vec<String>,
    /// What choices strive for, in place of what the ruleset says.
    pub maximise: Option<String>,
}

/// What is asked of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChartRequest {
    /// The check or track; none is the first check.
    pub check: Option<String>,
    /// The title; none is one that tells what is drawn.
    pub title: Option<String>,
    /// The kind, `bands`, `lines`, `heatmap` or `dist`; none is what fits.
    pub kind: Option<String>,
    /// What lies along its lower edge: `AXIS`, `AXIS=VALUES`, or the name of a number that is shown.
    pub x: Option<String>,
    /// A line, a row of a heat map or a column of panels for each of its values: `AXIS` or `AXIS=VALUES`.
    pub by: Option<String>,
    /// A panel for each of its values: `AXIS` or `AXIS=VALUES`.
    pub facet: Option<String>,
    /// What is drawn; without any, what fits the check.
    pub queries: Vec<String>,
    /// Other inputs.
    pub settings: Settings,
    /// What choices strive for, in place of what the ruleset says.
    pub maximise: Option<String>,
}

/// What is asked of levers: what each of their steps is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ValueRequest {
    /// The check or track; none is the first check.
    pub check: Option<String>,
    /// The configuration from which steps are made, or what all configurations of a sweep have in common.
    pub settings: Settings,
    /// Queries beside bands, flags and means.
    pub queries: Vec<String>,
    /// Axes and their values; without these and settings the ruleset's own sweep.
    pub sweeps: Vec<String>,
    /// Axes and parameters to move, `NAME` or `NAME=VALUES`; none is all that the check looks at.
    pub levers: Vec<String>,
    /// The band by which steps are compared; none is the middle one.
    pub at: Option<String>,
}

/// What is asked of points that are spent over a scene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlanRequest {
    /// The check; none is the first one.
    pub check: Option<String>,
    /// The number of checks of the scene; none is 3, or as many as `each` has.
    pub checks: Option<u16>,
    /// The points for all of them, of one resource or of several.
    pub pool: ScenePool,
    /// Settings of one check each, `ability_rank=8,circ_boons=1`, which are played in turn.
    pub each: Vec<String>,
    /// The settings of all checks.
    pub settings: Settings,
    /// The resource that is spent, where the pool names none; none is the first one of the ruleset that fits the check.
    pub resource: Option<String>,
    /// In place of a resource the axis that says how many points may be spent on a check, or are if there is no `spent`.
    pub axis: Option<String>,
    /// The number that shows how many points were spent.
    pub spent: Option<String>,
    /// The axis that tells ways of spending apart, and the label that leaves it to the player: `AXIS=LABEL`.
    pub policy: Option<String>,
    /// The worth of outcomes: `Hit=2, Critical=5/2`, or an expression; none is what the ruleset says.
    pub utility: Option<String>,
}

impl Default for PlanRequest {
    fn default() -> Self {
        Self {
            check: None,
            checks: None,
            pool: ScenePool::Points(5),
            each: Vec::new(),
            settings: Settings::default(),
            resource: None,
            axis: None,
            spent: None,
            policy: None,
            utility: None,
        }
    }
}

/// What is asked of many configurations: a row each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableRequest {
    /// The check or track; none is the first check.
    pub check: Option<String>,
    /// What all rows have in common.
    pub settings: Settings,
    /// Axes and their values: `stat=0,2,4`, `stat=-5..=5`, `state=all`; or `all`, every axis with a sweep of its own.
    pub sweeps: Vec<String>,
    /// Columns in place of those that the table has by itself.
    pub only: Vec<String>,
    /// Columns beside them.
    pub queries: Vec<String>,
    /// What choices strive for, in place of what the ruleset says.
    pub maximise: Option<String>,
}

/// What is asked about the distribution of values of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DistributionRequest {
    /// The check or track; none is the first check.
    pub check: Option<String>,
    /// What is distributed: names of what the check shows, or of what its rules bind. Several are asked for jointly.
    pub values: Vec<String>,
    /// In which configuration.
    pub settings: Settings,
    /// What choices strive for, in place of what the ruleset says.
    pub maximise: Option<String>,
    /// Of a number without an end: its last value before all that is beyond. None is where one in 1000 is beyond.
    pub horizon: Option<i64>,
}

/// What is asked of a dice expression.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DistRequest {
    /// The expression: `4d6kh3`.
    pub expression: String,
    /// What is asked of it, such as `P(value>=15)`; the whole distribution is answered anyway.
    pub queries: Vec<String>,
}
