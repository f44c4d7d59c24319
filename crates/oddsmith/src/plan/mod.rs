//! Plans: when to spend what over a scene.

use oddsmith_analysis::plan::{self, Error as PlanError};
use oddsmith_rules::{Check, Config, Domain, Outlay, Resource, ResourceRequest, Spending, Utility};

pub use oddsmith_analysis::plan::{
    Allowance, Chosen, Manner, Played, Scene, ScenePlan, State, Tally, Turn,
};

use crate::{Error, Game, Limits, PlanRequest, ScenePool, Wanted, settings};

/// Checks of a scene where nothing is said.
const CHECKS: usize = 3;

/// The best plan for spending points over a scene, and how other ways to play compare with it.
#[derive(Clone, Debug)]
pub struct PlanAnswer {
    /// The title of the check.
    pub title: String,
    /// The resources that are spent, in the order of the ruleset.
    pub resources: Vec<PlannedResource>,
    /// What is spent, and how.
    pub spending: Spending,
    /// The checks of the scene, and the points for all of them.
    pub scene: Scene,
    /// The configurations that take turns.
    pub settings: Vec<Config>,
    /// The plan.
    pub plan: ScenePlan,
}

/// A resource that is spent over a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedResource {
    /// The name of its points.
    pub name: String,
    /// What people read in its place: of an axis that was named the label.
    pub title: String,
}

/// A resource that is to be spent.
struct Asked {
    name: String,
    how: ResourceRequest,
    points: u32,
}

impl Asked {
    fn new(resource: &Resource, points: u32) -> Self {
        Self {
            name: resource.name.clone(),
            how: resource.request.clone(),
            points,
        }
    }
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
    /// let request = PlanRequest { pool: 2.into(), ..PlanRequest::default() };
    /// let answer = game.plan(&request, &Limits::default())?;
    /// assert_eq!(answer.scene.checks.len(), 3);
    /// let best = answer.plan.ways.last().expect("the plan is one of the ways");
    /// assert_eq!(answer.manner(best.manner), "plan");
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn plan(&self, request: &PlanRequest, limits: &Limits) -> Result<PlanAnswer, Error> {
        let check = self.find(request.check.as_deref(), Wanted::Either)?;
        if self.model().track(&check.name).is_some() {
            return Err(self.of_a_track(check));
        }
        let asked = self.asked(check, request)?;
        let spending = spending(check, request, &asked)?;
        let settings = scene(&spending.check, request)?;
        refuse_set_points(&spending, &settings)?;
        let count = count(request, settings.len())?;
        let scene = Scene {
            checks: settings.iter().cycle().take(count).cloned().collect(),
            pool: asked.iter().map(|asked| asked.points).collect(),
        };
        let plan = limits.run(|| {
            let plan = plan::plan(&spending, &scene, &limits.budget());
            plan.map_err(|error| refused(error, &spending))
        })?;
        let resource = |(asked, outlay): (Asked, &Outlay)| PlannedResource {
            title: match &request.axis {
                Some(_) => spending.check.inputs[outlay.axis.0].title().to_owned(),
                None => asked.name.clone(),
            },
            name: asked.name,
        };
        Ok(PlanAnswer {
            title: self.title_of(check),
            resources: asked
                .into_iter()
                .zip(&spending.outlays)
                .map(resource)
                .collect(),
            spending,
            scene,
            settings,
            plan,
        })
    }

    /// What answers for a track.
    fn of_a_track(&self, track: &Check) -> Error {
        let (name, target) = (&track.name, format!("{}:{}", self.name(), track.name));
        let message = format!("`{name}` is a track: its points are a part of how it stands");
        let help = format!(
            "where its rounds choose, `oddsmith policy {target}` says when to spend them, and `oddsmith balance value {target}` what one more is worth at its start, as an axis"
        );
        Error::advice(message, help)
    }

    /// The resources that are spent, in the order of the ruleset.
    fn asked(&self, check: &Check, request: &PlanRequest) -> Result<Vec<Asked>, Error> {
        let pools = match &request.pool {
            ScenePool::Points(points) => {
                let of = |resource: &Resource| Asked::new(resource, *points);
                return Ok(vec![match &request.axis {
                    Some(axis) => Asked {
                        name: axis.clone(),
                        how: ResourceRequest {
                            axis: axis.clone(),
                            spent: request.spent.clone(),
                            policy: request.policy.clone(),
                            utility: None,
                        },
                        points: *points,
                    },
                    None => of(self.resource(check, request.resource.as_deref())?),
                }]);
            }
            ScenePool::ByResource(pools) => pools,
        };
        if request.axis.is_some() || request.resource.is_some() {
            let message = format!("`--pool {}` names resources already", request.pool);
            let help = "leave out `--resource` and `--axis`, or give one number of points";
            return Err(Error::advice(message, help));
        }
        if pools.is_empty() {
            let help = "give a number of points, or one for each resource: `effort=4,hope=3`";
            return Err(Error::advice("the pool names no resource", help));
        }
        for name in pools.keys() {
            self.resource(check, Some(name))?;
        }
        let all = self.model().resources.iter();
        let asked = all.filter_map(|resource| {
            let points = pools.get(&resource.name)?;
            Some(Asked::new(resource, *points))
        });
        Ok(asked.collect())
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

/// What is spent on the check, and what its outcome is worth.
fn spending(check: &Check, request: &PlanRequest, asked: &[Asked]) -> Result<Spending, Error> {
    let mut requests: Vec<ResourceRequest> = asked.iter().map(|asked| asked.how.clone()).collect();
    if request.utility.is_some() {
        for own in &mut requests {
            own.utility.clone_from(&request.utility);
        }
    }
    let is_worth = |own: &ResourceRequest| own.utility.is_some();
    if !requests.iter().any(is_worth) && check.band().is_none() {
        let message = format!("`{}` has no bands to be worth something", check.name);
        let help = "say what its outcome is worth: `--utility EXPR`, over what it shows";
        return Err(Error::advice(message, help));
    }
    Ok(check.spending(&requests)?)
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
    for outlay in &spending.outlays {
        let input = &spending.check.inputs[outlay.axis.0];
        let mut points = checks.iter().map(|config| config[outlay.axis]);
        if !points.all(|points| points == input.default) {
            let message = format!("`{}` is what the plan finds", input.name);
            let help = "leave it out, and give the points of the scene with `--pool`";
            return Err(Error::advice(message, help));
        }
    }
    Ok(())
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
    match error {
        PlanError::Exact(error) => error.into(),
        PlanError::Unaffordable => {
            let outlays = spending.outlays.iter();
            let axes =
                outlays.map(|outlay| format!("`{}`", spending.check.inputs[outlay.axis.0].name));
            let axes = axes.collect::<Vec<_>>().join(" and ");
            Error::advice(
                "however it is played, a check may cost more points than are left",
                format!(
                    "{axes} must keep what is spent within it, or the check must leave the choice to the player"
                ),
            )
        }
    }
}

impl PlanAnswer {
    /// The name of a way to play: `never`, `without hope`, `always`, the label of a policy, `each by itself`, `plan`.
    pub fn manner(&self, manner: Manner) -> String {
        match manner {
            Manner::Never => "never".to_owned(),
            Manner::Without(resource) => format!("without {}", self.resources[resource].title),
            Manner::Always(_) if self.resources.len() == 1 => "always".to_owned(),
            Manner::Always(resource) => format!("always {}", self.resources[resource].title),
            Manner::Named(resource, label) => self.spending.outlays[resource]
                .policy
                .map_or(String::new(), |(axis, _)| {
                    self.spending.check.inputs[axis.0].domain.show(label)
                }),
            Manner::Greedy => "each by itself".to_owned(),
            Manner::Best => "plan".to_owned(),
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

    /// The axis of the points of a resource.
    pub fn axis(&self, resource: usize) -> &str {
        let outlay = self.spending.outlays[resource];
        &self.spending.check.inputs[outlay.axis.0].name
    }

    /// The bands of the check, worst first.
    pub fn bands(&self) -> &[String] {
        let bands = self.spending.check.band();
        bands.map_or(&[][..], |(_, bands)| bands.labels())
    }

    /// Every number of checks and all points that may be left, with what is best there.
    pub fn states(&self) -> impl Iterator<Item = (&Turn, &State)> {
        let turns = self.plan.turns.iter();
        turns.flat_map(|turn| turn.states.iter().flatten().map(move |state| (turn, state)))
    }

    /// The label of the way to spend a resource that is set before the roll, if one is.
    pub fn label(&self, resource: usize, state: &State) -> Option<&str> {
        let is_before = self.plan.allowances[resource].is_before;
        let (axis, _) = self.spending.outlays[resource]
            .policy
            .filter(|_| is_before)?;
        match &self.spending.check.inputs[axis.0].domain {
            Domain::Choice(choice) => Some(choice.label(state.labels[resource]?)),
            Domain::Range(..) => None,
        }
    }
}
