//! Plans for tracks: points for all rounds of one, such as those of a scene, and when to spend them.

use oddsmith_analysis::plan::{Manner, named_labels};
use oddsmith_exact::{Budget, Decision, Error as ExactError, RBig};
use oddsmith_rules::program::{Expr, Kind, VarId};
use oddsmith_rules::{
    Check, Config, Outlay, PurseError, PurseRequest, Pursed, Query, QueryKind, ResourceRequest,
};

use super::asked::{
    Asked, PlannedResource, manner_name, planned_resources, refuse_set_points, unaffordable,
};
use crate::answer::{AnswerKind, NamedAnswer};
use crate::policy::{goal_of, open_decisions};
use crate::{Error, Game, Limits, PlanRequest, Wanted, questions};

/// The best way to spend points over the rounds of a track, and how other ways to play compare with it.
#[derive(Clone, Debug)]
pub struct TrackPlan {
    /// The title of the track.
    pub title: String,
    /// The resources that are spent, in the order of the ruleset.
    pub resources: Vec<PlannedResource>,
    track: Check,
    /// The track with a purse for each resource.
    pub pursed: Pursed,
    /// The points of each resource at the beginning.
    pub pool: Vec<u32>,
    /// The configuration in which the track is played, without points.
    pub config: Config,
    /// Ways to play, the plan last.
    pub ways: Vec<TrackWay>,
    /// What one more point of each resource is worth at the beginning, by how many there are of it and with all of the others; none
    /// where with so few more may be spent than there is.
    pub one_more: Vec<Vec<Option<RBig>>>,
    /// The choices of the plan that leave something to choose.
    pub decisions: Vec<Decision>,
}

/// A way to play a track.
#[derive(Clone, Debug)]
pub struct TrackWay {
    /// How it is played.
    pub manner: Manner,
    /// What comes of it; none if it may spend more than there is.
    pub result: Option<TrackTally>,
}

/// What comes of a track.
#[derive(Clone, Debug)]
pub struct TrackTally {
    /// What is maximised, then the bands.
    pub lines: Vec<NamedAnswer>,
    /// Means; none where it is not sure that the track ends.
    pub means: Option<TrackMeans>,
}

/// Means at the end of a track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackMeans {
    /// The number of rounds.
    pub rounds: RBig,
    /// The points of each resource that are spent, less those that come back.
    pub spent: Vec<RBig>,
}

impl TrackTally {
    /// What is maximised: its mean, which of an event is its probability.
    pub fn value(&self) -> RBig {
        self.lines[0].ratio().unwrap_or(RBig::ZERO)
    }
}

impl Game {
    /// Whether what a plan is asked for is a track, whose plan is [`Game::plan_track`].
    ///
    /// # Errors
    /// If there is no such check or track.
    pub fn plans_track(&self, request: &PlanRequest) -> Result<bool, Error> {
        let found = self.find(request.check.as_deref(), Wanted::Either)?;
        Ok(found.rounds.is_some())
    }

    /// The best way to spend points over the rounds of a track: each round may spend what is left, and every choice in it, also
    /// one of a check that it plays, strives for the end of the track.
    ///
    /// # Errors
    /// If there is no such track, nothing is spent in its rounds, nothing says what its end is worth, a setting does not fit it, it
    /// may cost more than is left, or the plan is over the limits.
    ///
    /// ```
    /// use oddsmith::{Game, Limits, PlanRequest};
    /// let game = Game::open("stars-and-signs")?;
    /// let check = Some("timed".to_owned());
    /// let request = PlanRequest { check, pool: 2.into(), ..PlanRequest::default() };
    /// let plan = game.plan_track(&request, &Limits::default())?;
    /// // The third point is worth less than the first.
    /// assert!(plan.one_more[0][0] > plan.one_more[0][2]);
    /// # Ok::<(), oddsmith::Error>(())
    /// ```
    pub fn plan_track(&self, request: &PlanRequest, limits: &Limits) -> Result<TrackPlan, Error> {
        let track = self.find(request.check.as_deref(), Wanted::Track)?;
        refuse_checks(track, request)?;
        let asked = self.asked(track, request)?;
        let config = request.settings.config(track)?;
        let requests: Vec<ResourceRequest> = asked.iter().map(|asked| asked.how.clone()).collect();
        let outlays = track.outlays(&requests)?;
        refuse_set_points(track, &outlays, std::slice::from_ref(&config))?;
        let resources = planned_resources(request, track, &asked, &outlays);
        let purse = |(asked, outlay): (&Asked, Outlay)| PurseRequest {
            name: asked.name.clone(),
            outlay,
            most: i64::from(asked.points) + 1,
        };
        let purses: Vec<PurseRequest> = asked.iter().zip(outlays).map(purse).collect();
        let pursed = track
            .with_purses(&purses, request.utility.as_deref())
            .map_err(|error| refused(&error, track, &asked))?;
        let solver = Solver {
            config: pursed.config(&config, &vec![0; purses.len()]),
            pool: asked.iter().map(|asked| i64::from(asked.points)).collect(),
            pursed: &pursed,
            limits,
        };
        let (ways, one_more, decisions) = limits.run(|| solver.plan())?;
        Ok(TrackPlan {
            title: self.title_of(track),
            track: track.clone(),
            resources,
            pool: asked.iter().map(|asked| asked.points).collect(),
            config,
            ways,
            one_more,
            decisions,
            pursed,
        })
    }
}

/// A track plays checks of its own, as many as it needs.
fn refuse_checks(track: &Check, request: &PlanRequest) -> Result<(), Error> {
    let given = match (request.checks, request.each.first()) {
        (Some(checks), _) => format!("--checks {checks}"),
        (None, Some(each)) => format!("--check {each}"),
        (None, None) => return Ok(()),
    };
    let message = format!(
        "`{given}` is for a scene of checks; `{}` is a track, whose rounds say what is rolled",
        track.name
    );
    let help = "leave it out; `--set` sets axes and parameters of the track";
    Err(Error::advice(message, help))
}

/// Why there is no plan for a track, with what to do about it.
fn refused(error: &PurseError, track: &Check, asked: &[Asked]) -> Error {
    let name = &track.name;
    let help = match error {
        PurseError::Worth(errors) => return Error::from(errors.clone()),
        PurseError::Unread { axis } => {
            format!("the checks that its rounds play get it by `..` or by name, as in `check({axis} = {axis}, ..)`")
        }
        PurseError::Outside { axis } => {
            format!("how much may be spent is for each round: read `{axis}` in the loop alone, in what the check gets")
        }
        PurseError::Hidden { .. } => {
            "play the check at the top of a round, as in `let roll = check(..)`, and let what is read of it turn on the rest"
                .to_owned()
        }
        PurseError::Choice => {
            "play checks that choose at the top of a round, as in `let roll = check(..)`, and choose in no loop with a count"
                .to_owned()
        }
        PurseError::Goal => format!(
            "say it, as an expression over what `{name}` shows at its end: `--utility -rolls` for the fewest {many}, `--utility rolls` for the most",
            many = track.unit.many
        ),
        PurseError::Flaw(_) | _ => {
            let axes: Vec<String> = asked.iter().map(|asked| format!("`{}`", asked.how.axis)).collect();
            format!("{} may say how many dice are rolled or how much is added, but not which dice", axes.join(" and "))
        }
    };
    Error::advice(format!("`{name}` can't be planned: {error}"), help)
}

/// Ways to play, what one more point is worth, and what is chosen.
type Solved = (Vec<TrackWay>, Vec<Vec<Option<RBig>>>, Vec<Decision>);

/// A track, the points of which are to be spent as well as can be.
struct Solver<'a> {
    pursed: &'a Pursed,
    limits: &'a Limits,
    /// The configuration without points.
    config: Config,
    pool: Vec<i64>,
}

impl Solver<'_> {
    fn plan(&self) -> Result<Solved, Error> {
        let all = self.with(&self.pool);
        let budget = self.limits.budget();
        let best = self
            .tally(&all, &budget)?
            .ok_or_else(|| self.unaffordable())?;
        self.foresee(budget.spent())?;
        let none = vec![0; self.pool.len()];
        let mut ways = vec![self.way(Manner::Never, &self.with(&none))?];
        for (at, purse) in self.pursed.purses.iter().enumerate() {
            if self.pool.len() > 1 {
                let mut points = self.pool.clone();
                points[at] = 0;
                ways.push(self.way(Manner::Without(at), &self.with(&points))?);
            }
            for label in named_labels(&self.pursed.track, &purse.outlay) {
                let mut config = all.clone();
                let (policy, _) = purse.outlay.policy.expect("it has labels");
                config.put(policy, label);
                ways.push(self.way(Manner::Named(at, label), &config)?);
            }
        }
        let value = best.value();
        ways.push(TrackWay {
            manner: Manner::Best,
            result: Some(best),
        });
        let resources = 0..self.pool.len();
        let one_more = resources.map(|at| self.one_more(at, &value));
        let one_more = one_more.collect::<Result<_, _>>()?;
        let decisions = open_decisions(&self.pursed.track, &all, &self.limits.budget())?;
        Ok((ways, one_more, decisions))
    }

    /// Refuses what asks too often, where one way to play takes so many steps: all questions together have the budget of a run.
    fn foresee(&self, steps: u64) -> Result<(), Error> {
        let points = self
            .pool
            .iter()
            .map(|pool| u128::from(pool.unsigned_abs()) + 1);
        let predicted = points.sum::<u128>().saturating_mul(u128::from(steps));
        let of_run = Budget::new(self.limits.steps.saturating_mul(Limits::TABLES));
        let foreseen = of_run.foresee(predicted);
        let pool: Vec<String> = self.pool.iter().map(i64::to_string).collect();
        foreseen.map_err(|error| {
            let what = format!("what one more of {} points is worth", pool.join(" and "));
            let help = "plan fewer points, or raise the budget (`--budget`)";
            ExactError::refused(&error, what, help).into()
        })
    }

    /// The configuration with so many points of each resource.
    fn with(&self, points: &[i64]) -> Config {
        let mut config = self.config.clone();
        for (purse, points) in self.pursed.purses.iter().zip(points) {
            config.put(purse.points, *points);
        }
        config
    }

    fn way(&self, manner: Manner, config: &Config) -> Result<TrackWay, Error> {
        let result = self.tally(config, &self.limits.budget())?;
        Ok(TrackWay { manner, result })
    }

    /// What one more point of a resource is worth, where there are from none to all of it.
    fn one_more(&self, resource: usize, best: &RBig) -> Result<Vec<Option<RBig>>, Error> {
        let pool = self.pool[resource];
        let mut values = Vec::new();
        for points in 0..=pool + 1 {
            if points == pool {
                values.push(Some(best.clone()));
                continue;
            }
            let mut own = self.pool.clone();
            own[resource] = points;
            let goal = vec![goal_of(&self.pursed.track)];
            let lines = self.lines(&self.with(&own), goal, &self.limits.budget())?;
            values.push(lines.and_then(|lines| lines[0].ratio()));
        }
        let more = |two: &[Option<RBig>]| Some(two[1].as_ref()? - two[0].as_ref()?);
        Ok(values.windows(2).map(more).collect())
    }

    /// What comes of a configuration; none if it may spend more than there is.
    fn tally(&self, config: &Config, budget: &Budget) -> Result<Option<TrackTally>, Error> {
        let track = &self.pursed.track;
        let mut queries = vec![goal_of(track)];
        let own = questions::own(track).into_iter();
        queries.extend(own.filter(|(kind, _)| *kind == AnswerKind::Band));
        let Some(lines) = self.lines(config, queries, budget)? else {
            return Ok(None);
        };
        let means = self.means(config, budget)?;
        Ok(Some(TrackTally { lines, means }))
    }

    /// Answers in a configuration; none if it may spend more than there is.
    fn lines(
        &self,
        config: &Config,
        mut queries: Vec<(AnswerKind, Query)>,
        budget: &Budget,
    ) -> Result<Option<Vec<NamedAnswer>>, Error> {
        let overdrawn = Query::new(
            "overdrawn",
            QueryKind::Probability(self.shown(self.pursed.overdrawn)),
        );
        queries.push((AnswerKind::Probability, overdrawn));
        let mut lines = self.answered(config, queries, budget)?;
        let overdrawn = lines.pop().and_then(|line| line.ratio());
        Ok((overdrawn == Some(RBig::ZERO)).then_some(lines))
    }

    /// The mean number of rounds and of points that are spent; none where it is not sure that there is an end.
    fn means(&self, config: &Config, budget: &Budget) -> Result<Option<TrackMeans>, Error> {
        let rounds = self.pursed.track.rounds.expect("it is a track");
        let left = self.pursed.purses.iter().map(|purse| purse.left);
        let mean = |var: VarId| {
            let query = Query::new("mean", QueryKind::Mean(self.shown(var)));
            (AnswerKind::Mean, query)
        };
        let queries = std::iter::once(rounds).chain(left).map(mean).collect();
        let answers = match self.answered(config, queries, budget) {
            Err(Error::Exact(ExactError::NeverEnds { .. })) => return Ok(None),
            answers => answers?,
        };
        let mut means = answers.iter().map(NamedAnswer::ratio);
        let Some(rounds) = means.next().flatten() else {
            return Ok(None);
        };
        let points = self.pursed.purses.iter().map(|purse| config[purse.points]);
        let spent = points
            .zip(means)
            .map(|(points, left)| Some(RBig::from(points) - left?));
        let spent: Option<Vec<RBig>> = spent.collect();
        Ok(spent.map(|spent| TrackMeans { rounds, spent }))
    }

    fn shown(&self, var: VarId) -> Expr {
        Expr::new(Kind::Var(var), self.pursed.track.span)
    }

    fn answered(
        &self,
        config: &Config,
        queries: Vec<(AnswerKind, Query)>,
        budget: &Budget,
    ) -> Result<Vec<NamedAnswer>, Error> {
        let track = &self.pursed.track;
        Ok(questions::answered(track, config, queries, budget)?)
    }

    fn unaffordable(&self) -> Error {
        let purses = self.pursed.purses.iter();
        let axes = purses.map(|purse| self.pursed.track.inputs[purse.outlay.axis.0].name.as_str());
        unaffordable(axes)
    }
}

impl TrackPlan {
    /// The name of a way to play: `never`, `without hope`, the label of a policy, `plan`.
    pub fn manner(&self, manner: Manner) -> String {
        let purse = |at: usize| self.pursed.purses[at].outlay;
        manner_name(&self.resources, &self.pursed.track, &purse, manner)
    }

    /// The track as it stands in the rules.
    pub fn own_track(&self) -> &Check {
        &self.track
    }

    /// The axis of the points of a resource.
    pub fn axis(&self, resource: usize) -> &str {
        let axis = self.pursed.purses[resource].outlay.axis;
        &self.track.inputs[axis.0].name
    }

    /// Whether points of a resource are set before the roll: by the axis that is called so in the table to play by.
    pub fn is_before(&self, resource: usize) -> bool {
        self.pursed.purses[resource].is_before
    }

    /// Whether what is maximised is an event, so that its mean is its probability.
    pub fn is_chance(&self) -> bool {
        goal_of(&self.pursed.track).0.is_probability()
    }

    /// What is maximised, as written.
    pub fn goal(&self) -> &str {
        let goal = self.pursed.track.goal.as_ref();
        goal.map_or("", |goal| goal.text.as_str())
    }
}
