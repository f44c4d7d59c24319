//! Plans: when to spend what over a scene.

mod asked;
mod track;

use oddsmith_analysis::plan::{self, Error as PlanError};
use oddsmith_rules::{Check, Config, Domain, ResourceRequest, Spending, Utility};

pub use asked::PlannedResource;
pub(crate) use asked::can_spend;
use asked::{Asked, manner_name, planned_resources, refuse_set_points, unaffordable};
pub use track::{TrackMeans, TrackPlan, TrackTally, TrackWay};

pub use oddsmith_analysis::plan::{
    Allowance, Chosen, Manner, Played, Scene, ScenePlan, State, Tally, Turn,
};

use crate::{Error, Game, Limits, PlanRequest, Wanted, settings};

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

impl Game {
    /// The best plan for spending points over the checks of a scene.
    ///
    /// That of the rounds of a track is [`Game::plan_track`].
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
        let check = self.find(request.check.as_deref(), Wanted::Check)?;
        let asked = self.asked(check, request)?;
        let spending = spending(check, request, &asked)?;
        let settings = scene(&spending.check, request)?;
        refuse_set_points(check, &spending.outlays, &settings)?;
        let count = count(request, settings.len())?;
        let scene = Scene {
            checks: settings.iter().cycle().take(count).cloned().collect(),
            pool: asked.iter().map(|asked| asked.points).collect(),
        };
        let plan = limits.run(|| {
            let plan = plan::plan(&spending, &scene, &limits.budget());
            plan.map_err(|error| refused(error, &spending))
        })?;
        Ok(PlanAnswer {
            title: self.title_of(check),
            resources: planned_resources(request, check, &asked, &spending.outlays),
            spending,
            scene,
            settings,
            plan,
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
            unaffordable(outlays.map(|outlay| spending.check.inputs[outlay.axis.0].name.as_str()))
        }
    }
}

impl PlanAnswer {
    /// The name of a way to play: `never`, `without hope`, `always`, the label of a policy, `each by itself`, `plan`.
    pub fn manner(&self, manner: Manner) -> String {
        let outlay = |resource: usize| self.spending.outlays[resource];
        manner_name(&self.resources, &self.spending.check, &outlay, manner)
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
