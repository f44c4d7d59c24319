//! Valuations as they are written for programs.

use oddsmith_analysis::value::{Spread, Summary};
use oddsmith_exact::RBig;
use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::{Configuration, Fraction, Named, Setting};
use crate::valuation::{self, Shift, Valuation, ValuedLever};
use crate::{Game, told_apart};

/// The answer of `oddsmith balance value`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StepValues {
    /// The ruleset as it was named.
    pub ruleset: String,
    /// The check or track.
    pub check: String,
    /// The configuration.
    pub configuration: Configuration,
    /// The swept axes, each with its values.
    pub sweep: Named<Vec<Setting>>,
    /// The number of configurations that the rules allow.
    pub configurations: usize,
    /// The number behind the bands, if there is one.
    pub number: Option<BandNumber>,
    /// The axes, then the parameters.
    pub levers: Vec<LeverValue>,
    /// Steps that can be exchanged for one another, the best one first.
    pub exchange: Vec<Exchange>,
}

/// The number behind the bands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BandNumber {
    /// The name.
    pub name: String,
    /// Whether a higher number is a better band; none if that is not everywhere the same.
    pub rises: Option<bool>,
    /// The numbers at which the bands above the worst begin; none if they are not everywhere the same.
    pub thresholds: Option<Vec<Option<i64>>>,
}

/// A lever, and what its steps are worth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LeverValue {
    /// The axis or parameter.
    pub lever: String,
    /// `axis` or `parameter`.
    pub role: &'static str,
    /// Whether it is swept.
    pub swept: bool,
    /// Each step.
    pub steps: Vec<StepValue>,
    /// All steps of a number that go up, together.
    pub up: StepSummary,
}

/// A step, and what it is worth over all configurations.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StepValue {
    /// What it is worth.
    #[serde(flatten)]
    pub worth: StepSummary,
    /// The value before.
    pub from: Setting,
    /// The value after.
    pub to: Setting,
}

/// What steps are worth over all configurations.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StepSummary {
    /// The number of steps in all configurations.
    pub count: usize,
    /// The number of those that change anything.
    pub active: usize,
    /// The change of reaching each band but the worst, and of each answer; none if there is no answer.
    pub changes: Named<Option<Changes>>,
    /// The flat modifier of the number behind the bands with which a band is reached as often.
    pub flat: Named<Option<Changes>>,
}

/// What a number changes by in many configurations.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Changes {
    /// The median of those that are not 0.
    pub typical: Fraction,
    /// The median of their sizes.
    pub size: Fraction,
    /// The least.
    pub least: Fraction,
    /// The most.
    pub most: Fraction,
    /// The number of configurations in which it changes.
    pub changed: usize,
}

/// A step of an axis beside others.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Exchange {
    /// The step: `circ_boons 0 → 1`.
    pub step: String,
    /// Its worth, as a flat modifier if there are any, else as a change.
    pub worth: Fraction,
    /// The number of steps of each other lever that are worth as much.
    pub is: Named<Fraction>,
}

impl StepValues {
    /// The answer about a game's check.
    pub fn of(game: &Game, valuation: &Valuation) -> Self {
        let sweep = valuation.axes.iter().map(|axis| {
            let values = (0..axis.values.len()).map(|place| axis.setting(place));
            (axis.name.clone(), values.collect())
        });
        let goods = valuation.goods();
        let levers = valuation.levers.iter();
        Self {
            ruleset: game.name().to_owned(),
            check: valuation.check.name.clone(),
            configuration: Configuration::of(&valuation.check, &valuation.config),
            sweep: Named(sweep.collect()),
            configurations: valuation.configurations,
            number: valuation.number.as_ref().map(BandNumber::from),
            levers: levers.map(|moved| lever(valuation, moved)).collect(),
            exchange: goods.iter().map(|good| exchange(good, &goods)).collect(),
        }
    }
}

impl From<&valuation::Number> for BandNumber {
    fn from(number: &valuation::Number) -> Self {
        let thresholds = number.thresholds.as_ref();
        Self {
            name: number.name.clone(),
            rises: thresholds.map(|thresholds| thresholds.rises),
            thresholds: thresholds.map(|thresholds| thresholds.at.clone()),
        }
    }
}

fn lever(valuation: &Valuation, moved: &ValuedLever) -> LeverValue {
    let steps = moved.lever.steps.iter().zip(&moved.steps);
    let steps = steps.map(|(step, own)| StepValue {
        worth: summary(valuation, own),
        from: moved.values.setting(step.from),
        to: moved.values.setting(step.to),
    });
    LeverValue {
        lever: moved.name().to_owned(),
        role: match moved.is_parameter {
            true => "parameter",
            false => "axis",
        },
        swept: moved.is_swept,
        steps: steps.collect(),
        up: summary(valuation, &moved.up),
    }
}

fn summary(valuation: &Valuation, summary: &Summary) -> StepSummary {
    let spread = |spread: &Option<Spread>| spread.as_ref().map(Changes::from);
    let columns = (0..valuation.columns.len()).map(|at| valuation.column(at));
    let changes = told_apart(&[], columns).into_iter().zip(&summary.changes);
    let flats = summary.flats.iter().zip(valuation.bands.iter().skip(1));
    StepSummary {
        count: summary.count,
        active: summary.active,
        changes: Named(changes.map(|(name, own)| (name, spread(own))).collect()),
        flat: Named(
            flats
                .map(|(own, band)| (band.clone(), spread(own)))
                .collect(),
        ),
    }
}

impl From<&Spread> for Changes {
    fn from(spread: &Spread) -> Self {
        Self {
            typical: Fraction::from(&spread.typical),
            size: Fraction::from(&spread.size),
            least: Fraction::from(&spread.least),
            most: Fraction::from(&spread.most),
            changed: spread.count,
        }
    }
}

fn exchange((shift, worth): &(Shift<'_>, &RBig), goods: &[(Shift<'_>, &RBig)]) -> Exchange {
    let rate = |(other, price): &(Shift<'_>, &RBig)| {
        let rate = *worth / *price;
        (other.words(), Fraction::from(&rate))
    };
    Exchange {
        step: shift.words(),
        worth: Fraction::from(*worth),
        is: Named(goods.iter().map(rate).collect()),
    }
}
