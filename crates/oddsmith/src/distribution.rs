//! The whole distribution of what a check shows or binds: of one value, or of several at once.

use oddsmith_exact::{Dist, Joint, UBig, distribution, joint};
use oddsmith_rules::{Check, Config, Outcome, OutcomeKind};

use crate::{DistributionRequest, Error, Game, Limits, Wanted, settings};

/// What errors call the name of a value.
const ORIGIN: &str = "<value>";

/// The distribution of one or several values of a check in one configuration.
#[derive(Clone, Debug)]
pub struct DistributionAnswer {
    /// The check or track, with the goal that was asked for.
    pub check: Check,
    /// The configuration.
    pub config: Config,
    /// What is distributed, in the order asked.
    pub values: Vec<Outcome>,
    /// How.
    pub spread: Spread,
}

/// A distribution of labels' places or of numbers; a flag is 0 or 1.
#[derive(Clone, Debug)]
pub enum Spread {
    /// Of one value.
    One(Dist),
    /// Of several at once.
    Joint(Joint),
}

impl Game {
    /// The whole distribution of a value of a check: a number, a flag, the band or another label that it shows, or what
    /// else its rules bind by `let`, where a pool of dice is its sum; of a track what it shows. Of several values together
    /// it is their joint distribution.
    ///
    /// # Errors
    /// If there is no such check or value, a setting does not fit it, or the exact engine has no answer within the limits.
    /// Of a track several values at once have to be of its first roll.
    ///
    /// ```
    /// use oddsmith::{DistributionRequest, Game, Limits, Spread};
    /// let game = Game::open("stars-and-signs")?;
    /// let request = DistributionRequest { values: vec!["total".to_owned()], ..DistributionRequest::default() };
    /// let Spread::One(total) = game.distribution(&request, &Limits::default())?.spread else { unreachable!() };
    /// assert_eq!(total.min(), 3);
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn distribution(
        &self,
        request: &DistributionRequest,
        limits: &Limits,
    ) -> Result<DistributionAnswer, Error> {
        let check = self.find(request.check.as_deref(), Wanted::Either)?.clone();
        let check = settings::with_goal(check, request.maximise.as_deref())?;
        let (check, values) = check.with_values(&request.values, ORIGIN)?;
        let config = request.settings.config(&check)?;
        let spread = match values.as_slice() {
            [] => return Err(self.nothing_named(&check)),
            [value] if check.rounds == Some(value.var) => {
                return Err(self.without_end(&check, value));
            }
            [value] => limits.run(|| {
                Ok(Spread::One(distribution(
                    &check,
                    &config,
                    value,
                    &limits.budget(),
                )?))
            })?,
            several => {
                demand_one_moment(&check, several)?;
                let several: Vec<&Outcome> = several.iter().collect();
                limits.run(|| {
                    Ok(Spread::Joint(joint(
                        &check,
                        &config,
                        &several,
                        &limits.budget(),
                    )?))
                })?
            }
        };
        Ok(DistributionAnswer {
            check,
            config,
            values,
            spread,
        })
    }

    /// The number of a track's rolls.
    fn without_end(&self, check: &Check, value: &Outcome) -> Error {
        let message = format!(
            "`{}` may be any number, so that its distribution has no last row",
            value.name
        );
        let command = format!("oddsmith track {}:{}", self.name(), check.name);
        Error::advice(
            message,
            format!("`{command}` lists its odds, and how many are left"),
        )
    }

    /// A target without a value.
    fn nothing_named(&self, check: &Check) -> Error {
        let names: Vec<String> = check.values().into_iter().map(|value| value.name).collect();
        let first = names.first().map_or("total", String::as_str);
        let message = format!(
            "`{}:{}` is a check, not a value of it",
            self.name(),
            check.name
        );
        let help = format!(
            "name one, such as `{}:{}.{first}`; there are {}",
            self.name(),
            check.name,
            names.join(", ")
        );
        Error::advice(message, help)
    }
}

/// Of a track the end has no joint distribution.
fn demand_one_moment(check: &Check, values: &[Outcome]) -> Result<(), Error> {
    let is_late = |value: &&Outcome| check.rounds.is_some() && !value.first_round;
    match values.iter().find(is_late) {
        None => Ok(()),
        Some(late) => {
            let message = format!(
                "`{}` is what the track `{}` ends with, which is asked for alone",
                late.name, check.name
            );
            let help = "ask for each by itself, or for a condition on both, as in `oddsmith track … --query 'P(rolls <= 3 & full == 0)'`";
            Err(Error::advice(message, help))
        }
    }
}

impl DistributionAnswer {
    /// A value as it is read: a number, a label, or `yes` and `no` of a flag.
    pub fn text(&self, place: usize, value: i64) -> String {
        match &self.values[place].kind {
            OutcomeKind::Band(labels) | OutcomeKind::Label(labels) => {
                let label = usize::try_from(value)
                    .ok()
                    .and_then(|at| labels.labels().get(at));
                label.cloned().unwrap_or_else(|| value.to_string())
            }
            OutcomeKind::Flag if value == 0 => "no".to_owned(),
            OutcomeKind::Flag => "yes".to_owned(),
            OutcomeKind::Observable => value.to_string(),
        }
    }

    /// Whether a value is a number, and neither a flag nor a label.
    pub fn is_number(&self, place: usize) -> bool {
        self.values[place].kind == OutcomeKind::Observable
    }

    /// The distribution of the only value, if that is a number.
    pub fn number(&self) -> Option<&Dist> {
        match (self.values.as_slice(), &self.spread) {
            ([_], Spread::One(dist)) if self.is_number(0) => Some(dist),
            _ => None,
        }
    }

    /// Every combination of values that comes up with its weight, in ascending order; the total is that of all.
    pub fn rows(&self) -> Vec<(Vec<i64>, UBig)> {
        match &self.spread {
            Spread::One(dist) => dist
                .iter()
                .map(|(value, weight)| (vec![value], weight))
                .collect(),
            Spread::Joint(joint) => {
                let weights = joint.weights.iter();
                weights
                    .map(|(values, weight)| (values.clone(), weight.clone()))
                    .collect()
            }
        }
    }

    /// What the weights are over.
    pub fn total(&self) -> &UBig {
        match &self.spread {
            Spread::One(dist) => dist.total(),
            Spread::Joint(joint) => &joint.total,
        }
    }
}
