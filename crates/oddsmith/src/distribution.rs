//! The whole distribution of what a check shows or binds: of one value, or of several at once.

use oddsmith_exact::{
    Answer, Dist, Joint, OpenEnd, RBig, UBig, answers, distribution, distribution_up_to, joint,
    open_end,
};
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
    /// What is beyond the last value of a number that has no end; then that value's neighbour stands for it in `spread`.
    pub tail: Option<Tail>,
}

/// All values of a number beyond some value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Whether they are above it, or below.
    pub end: OpenEnd,
    /// The last value that is told by itself.
    pub last: i64,
    /// The mean and the variance of the number, its tail included, where they are known.
    pub moments: Option<[RBig; 2]>,
}

impl Tail {
    /// The value that stands for all beyond the last one.
    pub fn place(&self) -> i64 {
        match self.end {
            OpenEnd::Above => self.last.saturating_add(1),
            OpenEnd::Below => self.last.saturating_sub(1),
        }
    }

    /// `> 60`, or `< -60`.
    pub fn name(&self) -> String {
        match self.end {
            OpenEnd::Above => format!("> {}", self.last),
            OpenEnd::Below => format!("< {}", self.last),
        }
    }
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
        let mut tail = None;
        let spread = match values.as_slice() {
            [] => return Err(self.nothing_named(&check)),
            [value] => limits.run(|| {
                let budget = limits.budget();
                let Some(end) = open_end(&check, &config, value, &budget)? else {
                    return Ok(Spread::One(distribution(&check, &config, value, &budget)?));
                };
                let (dist, beyond) = open(&check, &config, value, (end, request.horizon), limits)?;
                tail = Some(beyond);
                Ok(Spread::One(dist))
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
            tail,
        })
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

/// The distribution of a number that has no end, whose tail begins beyond the horizon, or, without one, where about one part
/// in a thousand is left; of what may never end where fewer are.
fn open(
    check: &Check,
    config: &Config,
    value: &Outcome,
    (end, horizon): (OpenEnd, Option<i64>),
    limits: &Limits,
) -> Result<(Dist, Tail), Error> {
    let name = &value.name;
    let asked = |queries: &[String]| -> Result<Vec<Option<RBig>>, Error> {
        let queries = settings::queries(check, queries)?;
        let found = answers(check, config, &queries, &limits.budget())?;
        Ok(found.iter().map(Answer::to_ratio).collect())
    };
    let far = || {
        let shares = match end {
            OpenEnd::Above => ["0.999", "0.97", "0.9", "0.7", "0.4", "0.1", "0.01"],
            OpenEnd::Below => ["0.001", "0.03", "0.1", "0.3", "0.6", "0.9", "0.99"],
        };
        // What may never end has no value of which that many are at most.
        for share in shares {
            let found = asked(&[format!("quantile({name}, {share})")])?;
            let value = found[0].as_ref();
            if let Some(value) = value.and_then(|value| value.to_int().value().try_into().ok()) {
                return Ok(value);
            }
        }
        Ok::<i64, Error>(0)
    };
    let last = horizon.map_or_else(far, Ok)?;
    let dist = distribution_up_to(check, config, value, last, &limits.budget())?;
    let moments = asked(&[format!("mean({name})"), format!("variance({name})")])?;
    let moments: Option<Vec<RBig>> = moments.into_iter().collect();
    let moments = moments.map(|both| both.try_into().expect("an answer for each query"));
    Ok((dist, Tail { end, last, moments }))
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
    /// A value as it is read: a number, a label, `yes` and `no` of a flag, or `> 60` of all beyond the last value.
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
            OutcomeKind::Observable => match &self.tail {
                Some(tail) if tail.place() == value => tail.name(),
                _ => value.to_string(),
            },
        }
    }

    /// Whether a value is one number, and neither a flag nor a label, nor what stands for all beyond the last one.
    pub fn is_number(&self, place: usize, value: i64) -> bool {
        let is_tail = |tail: &Tail| tail.place() == value;
        self.has_numbers(place) && !self.tail.as_ref().is_some_and(is_tail)
    }

    fn has_numbers(&self, place: usize) -> bool {
        self.values[place].kind == OutcomeKind::Observable
    }

    /// The distribution of the only value, if that is a number with both ends.
    pub fn number(&self) -> Option<&Dist> {
        self.numbers().filter(|_| self.tail.is_none())
    }

    /// The distribution of the only value, if that is a number; its [`Self::tail`] is in it as one value.
    pub fn numbers(&self) -> Option<&Dist> {
        match (self.values.as_slice(), &self.spread) {
            ([_], Spread::One(dist)) if self.has_numbers(0) => Some(dist),
            _ => None,
        }
    }

    /// The mean and the variance of the only value, if that is a number; of one without an end where they are known.
    pub fn moments(&self) -> Option<[RBig; 2]> {
        let of_dist = |dist: &Dist| [dist.mean(), dist.variance()];
        match &self.tail {
            Some(tail) => tail.moments.clone(),
            None => self.number().map(of_dist),
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
