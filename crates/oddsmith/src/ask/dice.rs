//! Distributions of dice, laid over one another.

use std::collections::BTreeMap;

use oddsmith_exact::{Dist, OpenEnd, RBig, UBig};
use oddsmith_report::{Axis, Figure, Grid, Lines, Plot, Unit, Values};
use oddsmith_rules::nearest;

use crate::figures::MOST_OUTCOMES;
use crate::wire::{Point, points};
use crate::{Error, Tail};

/// Which probability of an outcome is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DiceMode {
    /// That of the outcome itself.
    #[default]
    Exactly,
    /// That of the outcome or more.
    AtLeast,
    /// That of the outcome or less.
    AtMost,
}

impl DiceMode {
    const ALL: [(&str, Self); 3] = [
        ("exactly", Self::Exactly),
        ("at least", Self::AtLeast),
        ("at most", Self::AtMost),
    ];

    /// The mode that is called so: `exactly`, `at least` or `at most`.
    ///
    /// # Errors
    /// If none is.
    pub fn named(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, mode)| mode).ok_or_else(|| {
            let names = Self::ALL.map(|(known, _)| known);
            let help = match nearest(name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it is one of {}", names.join(", ")),
            };
            Error::advice(format!("odds of dice are not drawn `{name}`"), help)
        })
    }

    /// The probability at each number, in ascending order; of one that can't come up it is that of the outcomes beside it.
    pub fn odds(self, dist: &Dist, numbers: &[i64]) -> Vec<RBig> {
        let weights: BTreeMap<i64, UBig> = points(dist)
            .map(|point| (point.value, self.weight(point)))
            .collect();
        let total = dist.total();
        let at = |number: &i64| {
            let weight = weights.get(number).cloned().unwrap_or_else(|| {
                let below = weights.range(..number).next_back();
                let above = weights.range(number..).next();
                self.between(below.map(|(_, own)| own), above.map(|(_, own)| own), total)
            });
            RBig::from_parts(weight.into(), total.clone())
        };
        numbers.iter().map(at).collect()
    }

    fn weight(self, point: Point) -> UBig {
        match self {
            Self::Exactly => point.weight,
            Self::AtLeast => point.at_least,
            Self::AtMost => point.at_most,
        }
    }

    /// The weight of a value that lies between two outcomes, or beyond all: that of its neighbour, or none.
    fn between(self, below: Option<&UBig>, above: Option<&UBig>, total: &UBig) -> UBig {
        match self {
            Self::Exactly => UBig::ZERO,
            // As likely as the next outcome above or more; nothing lies above the greatest.
            Self::AtLeast => above.cloned().unwrap_or(UBig::ZERO),
            Self::AtMost if above.is_none() => total.clone(),
            Self::AtMost => below.cloned().unwrap_or(UBig::ZERO),
        }
    }
}

/// A line of a picture of dice.
#[derive(Clone, Debug)]
pub struct DiceLine {
    /// What it is called.
    pub name: String,
    /// What is drawn.
    pub dist: Dist,
    /// What is beyond the last value of dice without an end, which is where their line stops.
    pub tail: Option<Tail>,
}

impl DiceLine {
    /// The line of dice that have an end.
    pub fn new(name: impl Into<String>, dist: Dist) -> Self {
        Self {
            name: name.into(),
            dist,
            tail: None,
        }
    }

    /// The numbers that it is drawn between.
    fn ends(&self) -> (i64, i64) {
        let (least, greatest) = (self.dist.min(), self.dist.max());
        match self.tail.as_ref().map(|tail| (tail.end, tail.last)) {
            Some((OpenEnd::Above, last)) => (least.min(last), last),
            Some((OpenEnd::Below, last)) => (last, greatest.max(last)),
            None => (least, greatest),
        }
    }

    /// What is drawn at each number, in ascending order; nothing where the line has stopped.
    fn odds(&self, mode: DiceMode, numbers: &[i64]) -> Vec<Option<RBig>> {
        let (least, greatest) = self.ends();
        let is_drawn = |number: i64| match self.tail.as_ref().map(|tail| tail.end) {
            Some(OpenEnd::Above) => number <= greatest,
            Some(OpenEnd::Below) => number >= least,
            None => true,
        };
        let odds = mode.odds(&self.dist, numbers).into_iter().zip(numbers);
        odds.map(|(odds, number)| is_drawn(*number).then_some(odds))
            .collect()
    }
}

/// The odds of every whole number between the least and the greatest outcome, a line for each expression.
///
/// # Errors
/// If there is nothing to draw, or there are more numbers than a chart can show.
///
/// ```
/// use oddsmith::ask::{DiceLine, DiceMode, of_dice};
/// use oddsmith::{Dice, Limits};
/// let dist = Dice::parse("3d6")?.distribution(&Limits::default())?;
/// let figure = of_dice(&[DiceLine::new("3d6", dist)], DiceMode::AtLeast)?;
/// assert_eq!(figure.title, "Odds of at least each value");
/// # Ok::<(), oddsmith::Error>(())
/// ```
pub fn of_dice(dice: &[DiceLine], mode: DiceMode) -> Result<Figure, Error> {
    let ends = dice.iter().map(DiceLine::ends);
    let ends = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let Some((least, greatest)) = ends else {
        return Err(Error::advice(
            "there are no dice to draw",
            "write some: `4d6kh3`",
        ));
    };
    let count = greatest.abs_diff(least).saturating_add(1);
    if count > MOST_OUTCOMES as u64 {
        let message = format!(
            "the values lie between {least} and {greatest}: a chart can show {MOST_OUTCOMES} numbers"
        );
        return Err(Error::advice(
            message,
            "draw dice alone whose values lie closer together",
        ));
    }
    let numbers: Vec<i64> = (least..=greatest).collect();
    let values = dice.iter().map(|line| line.odds(mode, &numbers)).collect();
    let title = match mode {
        DiceMode::Exactly => "Odds of each value",
        DiceMode::AtLeast => "Odds of at least each value",
        DiceMode::AtMost => "Odds of at most each value",
    };
    let names: Vec<String> = dice.iter().map(|line| line.name.clone()).collect();
    Ok(Figure {
        title: title.to_owned(),
        subtitle: names.join(", "),
        plot: Plot::Lines(Lines {
            x: Axis {
                name: "value".to_owned(),
                values: Values::Numbers(numbers),
            },
            unit: Unit::Probability,
            y: "probability".to_owned(),
            by: String::new(),
            series: names,
            values: Grid::of(values),
        }),
    })
}

#[cfg(test)]
mod tests {
    use oddsmith_exact::{Dist, RBig, UBig};

    use super::DiceMode;

    fn fractions(mode: DiceMode) -> Vec<String> {
        // 2 with a chance of 1/4, 5 with one of 3/4.
        let dist = Dist::from_weights([(2, UBig::from(1_u8)), (5, UBig::from(3_u8))])
            .expect("it has weights");
        let values = mode.odds(&dist, &[1, 2, 3, 5, 6]);
        values.iter().map(RBig::to_string).collect()
    }

    #[test]
    fn numbers_between_outcomes_have_the_odds_that_are_said() {
        assert_eq!(fractions(DiceMode::Exactly), ["0", "1/4", "0", "3/4", "0"]);
        assert_eq!(fractions(DiceMode::AtLeast), ["1", "1", "3/4", "3/4", "0"]);
        assert_eq!(fractions(DiceMode::AtMost), ["0", "1/4", "1/4", "1", "1"]);
    }

    #[test]
    fn modes_have_names() {
        assert_eq!(DiceMode::named("at most").ok(), Some(DiceMode::AtMost));
        let error = DiceMode::named("atleast").expect_err("it is none");
        assert_eq!(error.to_string(), "odds of dice are not drawn `atleast`");
    }
}
