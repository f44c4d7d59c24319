//! From the last check of a scene to the first, and forward again.

use std::borrow::Borrow;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use oddsmith_dist::BitTest as _;
use oddsmith_exact::{Budget, Decision, Dist, Error as ExactError, IBig, RBig, UBig, Worth, best};
use oddsmith_rules::program::Party;
use oddsmith_rules::{Check, Config, Spending};
use rayon::prelude::*;

use crate::memory;
use crate::plan::code::{Code, Outcome};
use crate::plan::holdings::Holdings;
use crate::plan::scene::{Error, Scene, State, Tally, Turn};
use crate::plan::worth_to_go::{WorthToGo, fits, rest};

/// The advice where a plan is over the budget.
const HELP: &str = "plan fewer checks or fewer points, or raise the budget (`--budget`)";

/// Limits: which values the axis of the points may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limits {
    /// The highest value: as much as is left and as the rules allow, so far as it can't come to more than is left.
    Most,
    /// The best of those values; the least of equals.
    Any,
}

/// A way to play a scene.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// How each resource is spent.
    pub(super) purses: Vec<Purse>,
    /// Whether it counts what is left for later checks.
    pub(super) looks_ahead: bool,
}

/// A way to spend a resource.
#[derive(Clone, Debug)]
pub(super) struct Purse {
    /// The values that the axis of the ways to spend may take, the first of equals; nothing if there is no such axis.
    pub(super) labels: Vec<Option<i64>>,
    pub(super) limits: Limits,
    /// The value of the axis of the ways to spend that leaves it to the player, who spends nothing on a check on which
    /// this way may spend more than is left. None if the check can't be played then.
    pub(super) abstains: Option<i64>,
}

impl Way {
    /// The points that are set before the roll, and those that are a limit: as many as may be, which is judged by how many there
    /// are of all resources together, and of the first one among equals.
    fn parts(&self, points: &[i64]) -> (Vec<i64>, (i64, Vec<i64>)) {
        let of = |limits: Limits| -> Vec<i64> {
            let own = self.purses.iter().zip(points);
            let own = own.filter(|(purse, _)| purse.limits == limits);
            own.map(|(_, points)| *points).collect()
        };
        let most = of(Limits::Most);
        (of(Limits::Any), (most.iter().sum(), most))
    }

    /// The resource that is not spent where nothing else can be played.
    fn abstaining(&self) -> Option<usize> {
        self.purses
            .iter()
            .position(|purse| purse.abstains.is_some())
    }
}

/// The settings of one check.
struct Settings {
    /// The settings by their points, ascending.
    own: Vec<Setting>,
    /// For a check on which nothing is spent of the resource that can be left alone.
    abstaining: Vec<Setting>,
}

/// A setting of a check before it is rolled.
struct Setting {
    labels: Vec<Option<i64>>,
    /// The values of the axes of the points.
    points: Vec<i64>,
    config: Config,
    menu: Menu,
}

/// A check in one configuration.
enum Menu {
    /// A check in which nothing is chosen: it always comes to this.
    Rolled(Dist),
    /// A check whose outcomes depend on what it is played for, as an opponent may choose in it alone.
    Chosen { by_the_player: bool },
}

/// A check that is played with some points left.
#[derive(Clone, Debug)]
pub(super) struct Play {
    /// The worth of this check and all that follow.
    pub(super) value: RBig,
    labels: Vec<Option<i64>>,
    /// The values of the axes of the points.
    points: Vec<i64>,
    /// The outcomes, as [`Code`] writes them.
    goal: Dist,
    decisions: Vec<Decision>,
}

/// The checks of a scene in the order of play, each by the place of the points that are left.
pub(super) type Plays = Vec<Vec<Option<Play>>>;

/// A scene with all that is needed to play it.
pub(super) struct Solver<'a> {
    pub(super) check: &'a Check,
    pub(super) spending: &'a Spending,
    pub(super) code: &'a Code,
    pub(super) scene: &'a Scene,
    pub(super) budget: &'a Budget,
    /// The points of the scene.
    pub(super) pool: &'a [i64],
    /// All points that are looked at: one more than there are of each resource.
    pub(super) holdings: Holdings,
    /// All that the axes allow of them for one check.
    pub(super) settings: Holdings,
    /// Whether something was seen to come back.
    pub(super) gives_back: AtomicBool,
}

impl Solver<'_> {
    /// Charges for what every check and every number of points takes at the least.
    pub(super) fn charge(&self) -> Result<(), Error> {
        const STATE_STEPS: u128 = 20_000;
        const STATE_BYTES: u128 = 400;
        /// A check's fractions have about 6 bits of a word, its parts several words each.
        const CHECKS_A_WORD: u128 = 8;
        const WORD_BYTES: u128 = 300;
        let checks = self.scene.checks.len() as u128;
        let states = self.holdings.count_before_charge().saturating_mul(checks);
        let over = (|| self.what(), HELP);
        // Fractions grow with every check that is still to come.
        let words = 1 + self.scene.checks.len() as u128 / CHECKS_A_WORD;
        let steps = states.saturating_mul(STATE_STEPS * words);
        memory::charge_steps(self.budget, steps, over)?;
        let over = (|| self.what(), HELP);
        Ok(memory::charge_bytes(
            self.budget,
            states.saturating_mul(STATE_BYTES + WORD_BYTES * words),
            over,
        )?)
    }

    fn what(&self) -> String {
        let pool: Vec<String> = self.pool.iter().map(i64::to_string).collect();
        let (checks, points) = (self.scene.checks.len(), pool.join(" and "));
        format!("a plan of {checks} checks and {points} points")
    }

    /// The limits of each resource in the best plan: any value of its axis, unless the check itself leaves the choice to the
    /// player.
    pub(super) fn limits(&self, caps: &[i64]) -> Result<Vec<Limits>, Error> {
        let own = self.spending.outlays.iter();
        let labels: Vec<_> = own.map(|outlay| Some(outlay.policy?.1)).collect();
        let limits = |(at, cap): (usize, &i64)| {
            if self.spending.outlays[at].spent.is_none() {
                return Ok(Limits::Any);
            }
            let mut points = vec![0; caps.len()];
            points[at] = *cap;
            for config in self.distinct() {
                let config = self.config(config, &labels, &points);
                if let Some(Menu::Chosen {
                    by_the_player: true,
                }) = self.menu(&config)?
                {
                    return Ok(Limits::Most);
                }
            }
            Ok(Limits::Any)
        };
        caps.iter().enumerate().map(limits).collect()
    }

    /// Plays a scene in some way, with any points.
    pub(super) fn solve(&self, way: &Way) -> Result<Plays, Error> {
        let distinct = self.distinct();
        let mut settings = Vec::with_capacity(distinct.len());
        let labels = combinations(way.purses.iter().map(|purse| purse.labels.clone()));
        for config in &distinct {
            let own = |place| self.settings(&labels, config, &self.settings.at(place));
            let own = in_order(self.settings.count(), own)?;
            settings.push(Settings {
                own: own.into_iter().flatten().collect(),
                abstaining: self.abstaining(way, config)?,
            });
        }
        let mut plays: Plays = Vec::with_capacity(self.scene.checks.len());
        for config in self.scene.checks.iter().rev() {
            let to_go = WorthToGo::new(self.code, plays.last(), (&self.holdings, self.pool));
            let own = distinct.iter().position(|known| *known == config);
            let settings = &settings[own.expect("it is one of them")];
            let play = |place| self.play(way, settings, &self.holdings.at(place), &to_go);
            let turn = in_order(self.holdings.count(), play)?;
            self.hold(&turn)?;
            plays.push(turn);
        }
        plays.reverse();
        Ok(plays)
    }

    /// Looks at the plays of a scene that begins with these points. None if nothing comes back on any check: what the scene began
    /// with makes no difference then.
    pub(super) fn begun_with<T>(
        &self,
        pool: &[i64],
        way: &Way,
        look: impl FnOnce(&Solver<'_>, &Plays) -> T,
    ) -> Result<Option<T>, Error> {
        if !self.gives_back.load(Relaxed) {
            return Ok(None);
        }
        let own = Solver {
            pool,
            holdings: self.holdings.clone(),
            settings: self.settings.clone(),
            gives_back: AtomicBool::new(false),
            ..*self
        };
        let plays = own.solve(way)?;
        let found = look(&own, &plays);
        own.release(&plays);
        Ok(Some(found))
    }

    /// Says what one more point is worth where there are all that the scene begins with: then it begins with one more.
    pub(super) fn price_full_pools(&self, turns: &mut [Turn], way: &Way) -> Result<(), Error> {
        for at in 0..self.pool.len() {
            let mut more = self.pool.to_vec();
            more[at] += 1;
            self.begun_with(&more, way, |own, plays| {
                for (turn, plays) in turns.iter_mut().zip(plays) {
                    let states = turn.states.iter_mut().flatten();
                    for state in states.filter(|state| state.left[at] == self.pool[at]) {
                        let mut left = state.left.clone();
                        left[at] += 1;
                        let richer = plays[own.place(&left)].as_ref();
                        state.more[at] = richer.map(|play| &play.value - &state.value);
                    }
                }
            })?;
        }
        Ok(())
    }

    /// The settings of a check with no points of the resource that can be left alone.
    fn abstaining(&self, way: &Way, base: &Config) -> Result<Vec<Setting>, Error> {
        let Some(at) = way.abstaining() else {
            return Ok(Vec::new());
        };
        let mut labels: Vec<_> = way
            .purses
            .iter()
            .map(|purse| purse.labels.clone())
            .collect();
        labels[at] = vec![way.purses[at].abstains];
        let labels = combinations(labels.into_iter());
        let without = self.settings.all().filter(|points| points[at] == 0);
        let without: Vec<Vec<i64>> = without.collect();
        let of = |place: usize| self.settings(&labels, base, &without[place]);
        Ok(in_order(without.len(), of)?.into_iter().flatten().collect())
    }

    /// The configurations of the scene, each once.
    fn distinct(&self) -> Vec<&Config> {
        let mut distinct: Vec<&Config> = Vec::new();
        for config in &self.scene.checks {
            if !distinct.contains(&config) {
                distinct.push(config);
            }
        }
        distinct
    }

    /// A configuration of the scene with some points allowed.
    fn config(&self, base: &Config, labels: &[Option<i64>], points: &[i64]) -> Config {
        let mut config = base.clone();
        for ((outlay, label), points) in self.spending.outlays.iter().zip(labels).zip(points) {
            config.put(outlay.axis, *points);
            if let (Some((policy, _)), Some(label)) = (outlay.policy, label) {
                config.put(policy, *label);
            }
        }
        config
    }

    /// The settings of a check with so many points; nothing if the rules forbid it.
    fn settings(
        &self,
        labels: &[Vec<Option<i64>>],
        base: &Config,
        points: &[i64],
    ) -> Result<Vec<Setting>, Error> {
        let mut settings = Vec::with_capacity(labels.len());
        for labels in labels {
            let config = self.config(base, labels, points);
            if let Some(menu) = self.menu(&config)? {
                settings.push(Setting {
                    labels: labels.clone(),
                    points: points.to_vec(),
                    config,
                    menu,
                });
            }
        }
        Ok(settings)
    }

    /// Whether anything is chosen in a configuration, found by playing it for nothing; none if the rules forbid it.
    fn menu(&self, config: &Config) -> Result<Option<Menu>, Error> {
        let of = |_| Some(IBig::ZERO);
        let nothing = Worth {
            of: &of,
            total: UBig::ONE,
        };
        let played = match best(self.check, config, &nothing, self.budget) {
            Err(ExactError::Requirement { .. }) => return Ok(None),
            played => played?.expect("nothing is barred"),
        };
        let mut open: Vec<&Decision> = played.decisions.iter().collect();
        open.retain(|choice| is_open(choice));
        let by_the_player = open.iter().any(|choice| choice.party == Party::Player);
        Ok(Some(match open.is_empty() {
            true => Menu::Rolled(played.goal),
            false => Menu::Chosen { by_the_player },
        }))
    }

    /// The best that can be done with what is left; none if whatever is done may spend more.
    fn play(
        &self,
        way: &Way,
        settings: &Settings,
        left: &[i64],
        to_go: &WorthToGo<'_>,
    ) -> Result<Option<Play>, Error> {
        let played = self.best_of(way, &settings.own, (left, left), to_go)?;
        match way.abstaining() {
            Some(at) if played.is_none() => {
                let mut most = left.to_vec();
                most[at] = 0;
                self.best_of(way, &settings.abstaining, (left, &most), to_go)
            }
            _ => Ok(played),
        }
    }

    /// The best of some settings, where of what is left at most so much is spent.
    fn best_of(
        &self,
        way: &Way,
        settings: &[Setting],
        (left, most): (&[i64], &[i64]),
        to_go: &WorthToGo<'_>,
    ) -> Result<Option<Play>, Error> {
        let affordable = settings
            .iter()
            .filter(|setting| fits(&setting.points, left));
        let mut parts: Vec<_> = affordable
            .map(|setting| (way.parts(&setting.points), setting))
            .collect();
        // Settings with as many points keep their order.
        parts.sort_by(|((any, most), _), ((other_any, other_most), _)| {
            any.cmp(other_any).then(other_most.cmp(most))
        });
        let mut best: Option<(RBig, Play)> = None;
        for set_before in parts.chunk_by(|((any, _), _), ((next, _), _)| any == next) {
            let mut own: Option<(RBig, Play)> = None;
            for as_limited in set_before.chunk_by(|((_, most), _), ((_, next), _)| most == next) {
                for (_, setting) in as_limited {
                    let play = self.play_with(way, setting, (left, most), to_go)?;
                    let ranked = play.map(|play| (self.rank(way, &play, left, to_go), play));
                    own = better(own, ranked);
                }
                // With as many points as may be: those who can't come to spend too many.
                if own.is_some() {
                    break;
                }
            }
            best = better(best, own);
        }
        Ok(best.map(|(_, play)| play))
    }

    /// What a play is judged by.
    fn rank(&self, way: &Way, play: &Play, left: &[i64], to_go: &WorthToGo<'_>) -> RBig {
        let rank = match way.looks_ahead {
            true => Some(play.value.clone()),
            false => to_go.mean(&play.goal, |outcome| to_go.worth_now(outcome, left)),
        };
        rank.expect("it can be played")
    }

    /// The best that can be done with what is set, where of what is left at most so much is spent.
    fn play_with(
        &self,
        way: &Way,
        setting: &Setting,
        (left, most): (&[i64], &[i64]),
        to_go: &WorthToGo<'_>,
    ) -> Result<Option<Play>, Error> {
        let worth = |outcome: &Outcome| {
            if outcome.spent.iter().any(|spent| *spent < 0) {
                self.gives_back.store(true, Relaxed);
            }
            match fits(&outcome.spent, most) {
                true => to_go.worth(outcome, left),
                false => None,
            }
        };
        let (goal, decisions) = match &setting.menu {
            Menu::Rolled(goal) => (goal.clone(), Vec::new()),
            Menu::Chosen { .. } => {
                let of = |value| {
                    let outcome = self.code.read(value);
                    match way.looks_ahead {
                        true => worth(&outcome),
                        false => to_go.worth_now(&outcome, left),
                    }
                };
                let worth = Worth {
                    of: &of,
                    total: to_go.denominator.clone(),
                };
                match best(self.check, &setting.config, &worth, self.budget)? {
                    Some(played) => (played.goal, played.decisions),
                    None => return Ok(None),
                }
            }
        };
        let value = to_go.mean(&goal, worth);
        Ok(value.map(|value| Play {
            value,
            labels: setting.labels.clone(),
            points: setting.points.clone(),
            goal,
            decisions,
        }))
    }

    /// Charges for what is kept of a check.
    fn hold(&self, turn: &[Option<Play>]) -> Result<(), Error> {
        let over = (|| self.what(), HELP);
        Ok(memory::charge_bytes(self.budget, bytes_of(turn), over)?)
    }

    /// Gives back what was charged for plays that are not needed any more.
    pub(super) fn release(&self, plays: &Plays) {
        let bytes = plays.iter().map(|turn| bytes_of(turn)).sum();
        self.budget.release_memory(bytes);
    }

    /// How likely a scene comes to each check with all points that may be left, and at last to its end; none if it
    /// can't be played to the end.
    fn occupancy(&self, plays: &Plays, pool: &[i64]) -> Option<Vec<Vec<RBig>>> {
        let count = self.holdings.count();
        let mut here = vec![RBig::ZERO; count];
        here[self.place(pool)] = RBig::ONE;
        let mut all = vec![here];
        for turn in plays {
            let mut next = vec![RBig::ZERO; count];
            let here = &all[all.len() - 1];
            for (place, reached) in here.iter().enumerate().filter(|(_, p)| **p != RBig::ZERO) {
                let goal = &turn[place].as_ref()?.goal;
                let left = self.holdings.at(place);
                let mut after = vec![UBig::ZERO; count];
                for (value, weight) in goal.iter() {
                    let spent = self.code.read(value).spent;
                    after[self.place(rest(&left, &spent, self.pool))] += weight;
                }
                for (next, weight) in next.iter_mut().zip(after) {
                    if weight != UBig::ZERO {
                        *next += reached * ratio(weight, goal.total());
                    }
                }
            }
            all.push(next);
        }
        Some(all)
    }

    /// The place of points that there may be.
    fn place(&self, points: impl IntoIterator<Item = impl Borrow<i64>>) -> usize {
        let points = points.into_iter().map(|points| *points.borrow());
        let place = self.holdings.place(points);
        place.expect("no more is spent than there is, and none comes back beyond")
    }

    /// The tally of a scene that begins with these points; none if it may come to spend more.
    pub(super) fn tally(&self, plays: &Plays, pool: &[i64]) -> Option<Tally> {
        let labels = self
            .check
            .band()
            .map_or(0, |(_, bands)| bands.labels().len());
        let mut tally = Tally {
            value: plays[0][self.place(pool)].as_ref()?.value.clone(),
            spent: vec![RBig::ZERO; pool.len()],
            bands: vec![RBig::ZERO; labels],
        };
        let occupancy = self.occupancy(plays, pool)?;
        for (turn, reached) in plays.iter().zip(&occupancy) {
            for (place, (play, reached)) in turn.iter().zip(reached).enumerate() {
                let Some(play) = play.as_ref().filter(|_| *reached != RBig::ZERO) else {
                    continue;
                };
                let left = self.holdings.at(place);
                let mut bands = vec![UBig::ZERO; labels.max(1)];
                let mut spent = vec![IBig::ZERO; pool.len()];
                for (value, weight) in play.goal.iter() {
                    let outcome = self.code.read(value);
                    let rest = rest(&left, &outcome.spent, self.pool);
                    for ((spent, left), rest) in spent.iter_mut().zip(&left).zip(rest) {
                        *spent += IBig::from(left - rest) * IBig::from(weight.clone());
                    }
                    bands[outcome.band] += weight;
                }
                for (sum, spent) in tally.spent.iter_mut().zip(spent) {
                    *sum += reached * RBig::from_parts(spent, play.goal.total().clone());
                }
                for (sum, weight) in tally.bands.iter_mut().zip(bands) {
                    *sum += reached * ratio(weight, play.goal.total());
                }
            }
        }
        Some(tally)
    }

    /// The best plan by checks and points.
    pub(super) fn turns(&self, plays: &Plays) -> Vec<Turn> {
        let occupancy = self.occupancy(plays, self.pool);
        let occupancy = occupancy.expect("the best plan can be played");
        let pool = Holdings::new(self.pool.to_vec());
        let turns = plays.iter().zip(&occupancy).enumerate();
        let turn = |(at, (turn, reached)): (usize, (&Vec<Option<Play>>, &Vec<RBig>))| Turn {
            left: plays.len() - at,
            states: { pool.all() }
                .map(|left| self.state(turn, left, reached))
                .collect(),
        };
        turns.map(turn).collect()
    }

    /// The best decision in a turn with so many points left.
    fn state(&self, turn: &[Option<Play>], left: Vec<i64>, reached: &[RBig]) -> Option<State> {
        let place = self.place(&left);
        let play = turn[place].as_ref()?;
        let more = |at: usize| {
            let mut left = left.clone();
            left[at] += 1;
            Some(&turn[self.place(&left)].as_ref()?.value - &play.value)
        };
        let mut decisions = play.decisions.clone();
        decisions.retain(|choice| is_open(choice) && choice.party == Party::Player);
        Some(State {
            value: play.value.clone(),
            more: (0..left.len()).map(more).collect(),
            probability: reached[place].clone(),
            labels: play.labels.clone(),
            points: play.points.clone(),
            decisions,
            left,
        })
    }
}

/// The better of two plays by their ranks; of equals the first.
fn better(known: Option<(RBig, Play)>, other: Option<(RBig, Play)>) -> Option<(RBig, Play)> {
    match (known, other) {
        (Some(known), Some(other)) if other.0 > known.0 => Some(other),
        (Some(known), _) => Some(known),
        (None, other) => other,
    }
}

/// Every way to take one of each, the last changing quickest.
fn combinations<T: Clone>(of: impl Iterator<Item = Vec<T>>) -> Vec<Vec<T>> {
    of.fold(vec![Vec::new()], |all, own| {
        let with = |first: &Vec<T>, last: &T| first.iter().chain([last]).cloned().collect();
        let all = all.iter();
        all.flat_map(|first| own.iter().map(move |last| with(first, last)))
            .collect()
    })
}

/// Whether a choice leaves something to choose.
fn is_open(choice: &Decision) -> bool {
    choice.rows.iter().any(|row| row.lead.is_some())
}

/// The results of `work` on each number below `count`, in their order; the first error of several.
fn in_order<T: Send>(
    count: usize,
    work: impl Fn(usize) -> Result<T, Error> + Sync + Send,
) -> Result<Vec<T>, Error> {
    let made: Vec<Result<T, Error>> = (0..count).into_par_iter().map(work).collect();
    made.into_iter().collect()
}

/// The memory that a check takes with all numbers of points.
fn bytes_of(turn: &[Option<Play>]) -> u128 {
    const ROW_BYTES: usize = 400;
    let bytes = |play: &Play| {
        let weight = play.goal.total().bit_len() / 8 + 16;
        let rows: usize = play.decisions.iter().map(|choice| choice.rows.len()).sum();
        play.goal.len() * weight + rows * ROW_BYTES
    };
    let bytes: usize = turn.iter().flatten().map(bytes).sum();
    bytes as u128
}

fn ratio(weight: UBig, total: &UBig) -> RBig {
    RBig::from_parts(weight.into(), total.clone())
}
