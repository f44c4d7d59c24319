//! Plans: when to spend what over a scene.

use oddsmith_analysis::plan::{self, Error as PlanError};
use oddsmith_rules::{Check, Config, Domain, Resource, ResourceRequest, Spending, Utility};

pub use oddsmith_analysis::plan::{Chosen, Manner, Played, Scene, ScenePlan, State, Tally, Turn};

use crate::{Error, Game, Limits, PlanRequest, Wanted, settings};

/// Checks of a scene where nothing is said.
const CHECKS: usize = 3;

/// The best plan for spending points over a scene, and how other ways to play compare with it.
#[derive(Clone, Debug)]
pub struct PlanAnswer {
    /// The title of the check.
    pub title: String,
    /// The name of the points.
    pub resource: String,
    /// What people read in its place: of an axis that was named the label.
    pub resource_title: String,
    /// What is spent, and how.
    pub spending: Spending,
    /// The checks of the scene, and the points for all of them.
    pub scene: Scene,
    /// The configurations that take turns.
    pub settings: Vec<Config>,
    /// The plan.
    pub plan: ScenePlan,
}

impl Game {
    /// The best plan for spending points over the checks of a scene.
    ///
    /// # Errors
    /// If there is no such check, nothing is spent on it, a setting does not fit it, a check may cost more than is left, or the
    /// plan is over the limits.
    ///
    /// ```
    /// use oddsmith::{Game, Limits, PlanRequest};
    /// let game = Game::open("stars-and-signs")?;
    /// let request = PlanRequest { pool: 2, ..PlanRequest::default() };
    /// let answer = game.plan(&request, &Limits::default())?;
    /// assert_eq!(answer.scene.checks.len(), 3);
    /// let best = answer.plan.ways.last().expect("the plan is one of the ways");
    /// assert_eq!(answer.manner(best.manner), "plan");
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn plan(&self, request: &PlanRequest, limits: &Limits) -> Result<PlanAnswer, Error> {
        let check = self.find(request.check.as_deref(), Wanted::Check)?;
        let (resource, spending) = self.spending(check, request)?;
        let settings = scene(&spending.check, request)?;
        refuse_set_points(&spending, &settings)?;
        let count = count(request, settings.len())?;
        let scene = Scene {
            checks: settings.iter().cycle().take(count).cloned().collect(),
            pool: request.pool,
        };
        let plan = limits.run(|| {
            let plan = plan::plan(&spending, &scene, &limits.budget());
            plan.map_err(|error| refused(error, &spending))
        })?;
        Ok(PlanAnswer {
            title: self.title_of(check),
            resource_title: match &request.axis {
                Some(_) => spending.check.inputs[spending.axis.0].title().to_owned(),
                None => resource.clone(),
            },
            resource,
            spending,
            scene,
            settings,
            plan,
        })
    }

    /// What is spent and how, with its name.
    fn spending(&self, check: &Check, request: &PlanRequest) -> Result<(String, Spending), Error> {
        let (name, mut spent) = match &request.axis {
            Some(axis) => {
                let spent = ResourceRequest {
                    axis: axis.clone(),
                    spent: request.spent.clone(),
                    policy: request.policy.clone(),
                    utility: None,
                };
                (axis.clone(), spent)
            }
            None => {
                let resource = self.resource(check, request.resource.as_deref())?;
                (resource.name.clone(), resource.request.clone())
            }
        };
        if request.utility.is_some() {
            spent.utility.clone_from(&request.utility);
        }
        if spent.utility.is_none() && check.band().is_none() {
            let message = format!("`{}` has no bands to be worth something", check.name);
            let help = "say what its outcome is worth: `--utility EXPR`, over what it shows";
            return Err(Error::advice(message, help));
        }
        Ok((name, check.spending(&spent)?))
    }

    /// The resource of that name, or the first that is spent on the check.
    fn resource(&self, check: &Check, name: Option<&str>) -> Result<&Resource, Error> {
        let all = &self.model().resources;
        let fits = |resource: &&Resource| check.can_spend(&resource.request);
        let found = match name {
            Some(name) => all.iter().find(|resource| resource.name == name),
            None => all.iter().find(fits),
        };
        found.ok_or_else(|| {
            let check = &check.name;
            let names: Vec<&str> = all.iter().filter(fits).map(|r| r.name.as_str()).collect();
            let message = match name {
                Some(name) => format!("there is no resource `{name}`"),
                None => format!("the ruleset does not say what is spent on `{check}`"),
            };
            let help = match names.as_slice() {
                [] => "say which axis is how many points are spent, `--axis NAME`; where that is only how many may be, also the number that shows how many were: `--spent NUMBER`"
                    .to_owned(),
                names => format!("what is spent on `{check}`: {}", names.join(", ")),
            };
            Error::advice(message, help)
        })
    }
}

/// The number of checks of a scene in which so many are told apart.
fn count(request: &PlanRequest, given: usize) -> Result<usize, Error> {
    match request.checks {
        Some(count) if usize::from(count) < given => {
            let message = format!("`--checks {count}` leaves out checks: `--check` gives {given}");
            let help = "give as many, or more: they are played in turn";
            Err(Error::advice(message, help))
        }
        Some(count) => Ok(usize::from(count)),
        None if request.each.is_empty() => Ok(CHECKS),
        None => Ok(given),
    }
}

/// How many points are spent is for the plan to say.
fn refuse_set_points(spending: &Spending, checks: &[Config]) -> Result<(), Error> {
    let input = &spending.check.inputs[spending.axis.0];
    let mut points = checks.iter().map(|config| config[spending.axis]);
    if points.all(|points| points == input.default) {
        return Ok(());
    }
    let message = format!("`{}` is what the plan finds", input.name);
    let help = "leave it out, and give the points of the scene with `--pool`";
    Err(Error::advice(message, help))
}

/// The configurations of the checks that are told apart, in their order.
fn scene(check: &Check, request: &PlanRequest) -> Result<Vec<Config>, Error> {
    let mut checks = Vec::new();
    for each in &request.each {
        let own = settings::assignments("--check", std::slice::from_ref(each))?;
        let own = own.iter().map(|set| ("--check", set.as_str()));
        let given = request.settings.given().chain(own);
        checks.push(settings::config_of(check, given)?);
    }
    if checks.is_empty() {
        checks.push(request.settings.config(check)?);
    }
    Ok(checks)
}

/// Why there is no plan, with what to do about it.
fn refused(error: PlanError, spending: &Spending) -> Error {
    let axis = &spending.check.inputs[spending.axis.0].name;
    match error {
        PlanError::Exact(error) => error.into(),
        PlanError::Unaffordable => Error::advice(
            "however it is played, a check may cost more points than are left",
            format!(
                "`{axis}` must keep what is spent within it, or the check must leave the choice to the player"
            ),
        ),
    }
}

impl PlanAnswer {
    /// The name of a way to play: `never`, `always`, the label of a policy, `each by itself`, `plan`.
    pub fn manner(&self, manner: Manner) -> String {
        match (manner, self.spending.policy) {
            (Manner::Never, _) => "never".to_owned(),
            (Manner::Always, _) => "always".to_owned(),
            (Manner::Named(label), Some((axis, _))) => {
                self.spending.check.inputs[axis.0].domain.show(label)
            }
            (Manner::Named(_), None) => unreachable!("labels are those of an axis"),
            (Manner::Greedy, _) => "each by itself".to_owned(),
            (Manner::Best, _) => "plan".to_owned(),
        }
    }

    /// The worth of the outcomes: `Miss=0, Graze=1`, or an expression.
    pub fn utility(&self) -> String {
        match (&self.spending.utility, self.spending.check.band()) {
            (Utility::Bands(numbers), Some((_, bands))) => {
                let worth = bands.labels().iter().zip(numbers);
                let worth: Vec<String> = worth
                    .map(|(band, number)| format!("{band}={}", number.text))
                    .collect();
                worth.join(", ")
            }
            (Utility::Measure(measure), _) => measure.text.clone(),
            (Utility::Bands(_), None) => String::new(),
        }
    }

    /// The axis of the points.
    pub fn axis(&self) -> &str {
        &self.spending.check.inputs[self.spending.axis.0].name
    }

    /// The bands of the check, worst first.
    pub fn bands(&self) -> &[String] {
        let bands = self.spending.check.band();
        bands.map_or(&[][..], |(_, bands)| bands.labels())
    }

    /// Every number of checks and points that is left, with what is best there.
    pub fn states(&self) -> impl Iterator<Item = (&Turn, usize, &State)> {
        let turns = self.plan.turns.iter();
        turns.flat_map(|turn| {
            let states = turn.states.iter().enumerate();
            states.filter_map(move |(left, state)| Some((turn, left, state.as_ref()?)))
        })
    }

    /// The label of the way to spend that is set before the roll, if one is.
    pub fn label(&self, state: &State) -> Option<&str> {
        let (axis, _) = self.spending.policy.filter(|_| self.plan.is_before)?;
        match &self.spending.check.inputs[axis.0].domain {
            Domain::Choice(choice) => Some(choice.label(state.label?)),
            Domain::Range(..) => None,
        }
    }
}
