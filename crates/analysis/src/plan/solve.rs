//! From the last check of a scene to the first, and forward again.

use std::cmp::Reverse;

use oddsmith_dist::BitTest as _;
use oddsmith_exact::{Budget, Decision, Dist, Error as ExactError, IBig, RBig, UBig, Worth, best};
use oddsmith_rules::program::Party;
use oddsmith_rules::{Check, Config, Spending};
use rayon::prelude::*;

use crate::memory;
use crate::plan::code::{Code, Outcome};
use crate::plan::scene::{Error, Scene, State, Tally, Turn};
use crate::plan::worth_to_go::{WorthToGo, rest};

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
    /// The values that the axis of the ways to spend may take, the first of equals; nothing if there is no such axis.
    pub(super) labels: Vec<Option<i64>>,
    pub(super) limits: Limits,
    /// Whether it counts what is left for later checks.
    pub(super) looks_ahead: bool,
    /// The value of the axis of the ways to spend that leaves it to the player, who spends nothing on a check on which
    /// this way may spend more than is left. None if the check can't be played then.
    pub(super) abstains: Option<i64>,
}

/// The settings of one check.
struct Settings {
    /// The settings by their points, ascending.
    own: Vec<Setting>,
    /// For a check on which nothing is spent.
    abstaining: Vec<Setting>,
}

/// A setting of a check before it is rolled.
struct Setting {
    label: Option<i64>,
    /// The value of the axis of the points.
    points: i64,
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
    label: Option<i64>,
    /// The value of the axis of the points.
    points: i64,
    /// The outcomes, as [`Code`] writes them.
    goal: Dist,
    decisions: Vec<Decision>,
}

/// The checks of a scene in the order of play, each by the points that are left.
pub(super) type Plays = Vec<Vec<Option<Play>>>;

/// Settings in the order in which they are tried: the most points first, if it is to be as many as may be.
fn order(limits: Limits, settings: &[Setting]) -> Vec<&Setting> {
    let mut order: Vec<&Setting> = settings.iter().collect();
    if limits == Limits::Most {
        // Settings with as many points keep their order.
        order.sort_by_key(|setting| Reverse(setting.points));
    }
    order
}

/// A scene with all that is needed to play it.
pub(super) struct Solver<'a> {
    pub(super) check: &'a Check,
    pub(super) spending: &'a Spending,
    pub(super) code: &'a Code,
    pub(super) scene: &'a Scene,
    pub(super) budget: &'a Budget,
    /// The most points that are looked at.
    pub(super) most: i64,
    /// The most of them that the axis allows for one check.
    pub(super) cap: i64,
}

impl Solver<'_> {
    /// Charges for what every check and every number of points takes at the least.
    pub(super) fn charge(&self) -> Result<(), Error> {
        const STATE_STEPS: u128 = 20_000;
        const STATE_BYTES: u128 = 400;
        /// A check's fractions have about 6 bits of a word, its parts several words each.
        const CHECKS_A_WORD: u128 = 8;
        const WORD_BYTES: u128 = 300;
        let states = u128::from(self.most.unsigned_abs() + 1) * self.scene.checks.len() as u128;
        let over = (|| self.what(), HELP);
        // Fractions grow with every check that is still to come.
        let words = 1 + self.scene.checks.len() as u128 / CHECKS_A_WORD;
        memory::charge_steps(self.budget, states * STATE_STEPS * words, over)?;
        let over = (|| self.what(), HELP);
        Ok(memory::charge_bytes(
            self.budget,
            states * (STATE_BYTES + WORD_BYTES * words),
            over,
        )?)
    }

    fn what(&self) -> String {
        let (checks, points) = (self.scene.checks.len(), self.scene.pool);
        format!("a plan of {checks} checks and {points} points")
    }

    /// The limits of the best plan: any value of the axis, unless the check itself leaves the choice to the player.
    pub(super) fn limits(&self) -> Result<Limits, Error> {
        if self.spending.spent.is_none() {
            return Ok(Limits::Any);
        }
        let label = self.spending.policy.map(|(_, value)| value);
        for config in self.distinct() {
            let config = self.config(config, label, self.cap);
            if let Some(Menu::Chosen {
                by_the_player: true,
            }) = self.menu(&config)?
            {
                return Ok(Limits::Most);
            }
        }
        Ok(Limits::Any)
    }

    /// Plays a scene in some way, with any number of points.
    pub(super) fn solve(&self, way: &Way) -> Result<Plays, Error> {
        let distinct = self.distinct();
        let mut settings = Vec::with_capacity(distinct.len());
        for config in &distinct {
            let of = |points| self.settings(&way.labels, config, points);
            let found: Vec<Vec<Setting>> = in_order(0..=self.cap, of)?;
            let abstaining = way
                .abstains
                .map(|label| self.settings(&[Some(label)], config, 0));
            settings.push(Settings {
                own: found.into_iter().flatten().collect(),
                abstaining: abstaining.transpose()?.unwrap_or_default(),
            });
        }
        let mut plays: Plays = Vec::with_capacity(self.scene.checks.len());
        for config in self.scene.checks.iter().rev() {
            let points = (self.most, i64::from(self.scene.pool));
            let to_go = WorthToGo::new(self.code, plays.last(), points);
            let own = distinct.iter().position(|known| *known == config);
            let settings = &settings[own.expect("it is one of them")];
            let play = |left| self.play(way, settings, left, &to_go);
            let turn = in_order(0..=self.most, play)?;
            self.hold(&turn)?;
            plays.push(turn);
        }
        plays.reverse();
        Ok(plays)
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
    fn config(&self, base: &Config, label: Option<i64>, points: i64) -> Config {
        let mut config = base.clone();
        config.put(self.spending.axis, points);
        if let (Some((policy, _)), Some(label)) = (self.spending.policy, label) {
            config.put(policy, label);
        }
        config
    }

    /// The settings of a check with so many points; nothing if the rules forbid it.
    fn settings(
        &self,
        labels: &[Option<i64>],
        base: &Config,
        points: i64,
    ) -> Result<Vec<Setting>, Error> {
        let mut settings = Vec::with_capacity(labels.len());
        for &label in labels {
            let config = self.config(base, label, points);
            if let Some(menu) = self.menu(&config)? {
                settings.push(Setting {
                    label,
                    points,
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

    /// The best that can be done with `left` points; none if whatever is done may spend more.
    fn play(
        &self,
        way: &Way,
        settings: &Settings,
        left: i64,
        to_go: &WorthToGo<'_>,
    ) -> Result<Option<Play>, Error> {
        let affordable = settings
            .own
            .partition_point(|setting| setting.points <= left);
        let mut found: Option<(RBig, Play)> = None;
        for setting in order(way.limits, &settings.own[..affordable]) {
            let is_settled = |(_, known): &(RBig, Play)| known.points > setting.points;
            if way.limits == Limits::Most && found.as_ref().is_some_and(is_settled) {
                break;
            }
            let Some(play) = self.play_with(way, setting, (left, left), to_go)? else {
                continue;
            };
            let rank = match way.looks_ahead {
                true => Some(play.value.clone()),
                false => to_go.mean(&play.goal, |outcome| to_go.worth_now(outcome, left)),
            };
            let rank = rank.expect("it can be played");
            if found.as_ref().is_none_or(|(known, _)| rank > *known) {
                found = Some((rank, play));
            }
        }
        match (found, settings.abstaining.first()) {
            (Some((_, play)), _) => Ok(Some(play)),
            (None, Some(setting)) => self.play_with(way, setting, (left, 0), to_go),
            (None, None) => Ok(None),
        }
    }

    /// The best that can be done with what is set, of `left` points spending at most so many.
    fn play_with(
        &self,
        way: &Way,
        setting: &Setting,
        (left, most): (i64, i64),
        to_go: &WorthToGo<'_>,
    ) -> Result<Option<Play>, Error> {
        let worth = |outcome: &Outcome| match outcome.spent > most {
            true => None,
            false => to_go.worth(outcome, left),
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
            label: setting.label,
            points: setting.points,
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

    /// How likely a scene comes to each check with each number of points left, and at last to its end; none if it
    /// can't be played to the end.
    fn occupancy(&self, plays: &Plays, pool: u32) -> Option<Vec<Vec<RBig>>> {
        let mut here = vec![RBig::ZERO; place(self.most) + 1];
        here[pool as usize] = RBig::ONE;
        let mut all = vec![here];
        for turn in plays {
            let mut next = vec![RBig::ZERO; place(self.most) + 1];
            let here = &all[all.len() - 1];
            for (left, reached) in here.iter().enumerate().filter(|(_, p)| **p != RBig::ZERO) {
                let goal = &turn[left].as_ref()?.goal;
                let mut after = vec![UBig::ZERO; next.len()];
                for (value, weight) in goal.iter() {
                    let spent = self.code.read(value).spent;
                    let left = i64::try_from(left).expect("points are few");
                    after[place(rest(left, spent, i64::from(self.scene.pool)))] += weight;
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

    /// The tally of a scene that begins with `pool` points; none if it may come to spend more.
    pub(super) fn tally(&self, plays: &Plays, pool: u32) -> Option<Tally> {
        let labels = self
            .check
            .band()
            .map_or(0, |(_, bands)| bands.labels().len());
        let mut tally = Tally {
            value: plays[0][pool as usize].as_ref()?.value.clone(),
            spent: RBig::ZERO,
            bands: vec![RBig::ZERO; labels],
        };
        let occupancy = self.occupancy(plays, pool)?;
        for (turn, reached) in plays.iter().zip(&occupancy) {
            for (play, reached) in turn.iter().zip(reached) {
                let Some(play) = play.as_ref().filter(|_| *reached != RBig::ZERO) else {
                    continue;
                };
                let mut bands = vec![UBig::ZERO; labels.max(1)];
                let mut spent = IBig::ZERO;
                for (value, weight) in play.goal.iter() {
                    let outcome = self.code.read(value);
                    spent += IBig::from(outcome.spent) * IBig::from(weight.clone());
                    bands[outcome.band] += weight;
                }
                tally.spent += reached * RBig::from_parts(spent, play.goal.total().clone());
                for (sum, weight) in tally.bands.iter_mut().zip(bands) {
                    *sum += reached * ratio(weight, play.goal.total());
                }
            }
        }
        Some(tally)
    }

    /// The best plan by checks and points.
    pub(super) fn turns(&self, plays: Plays, pool: u32) -> Vec<Turn> {
        let occupancy = self.occupancy(&plays, pool);
        let occupancy = occupancy.expect("the best plan can be played");
        let checks = plays.len();
        let turns = plays.into_iter().zip(&occupancy).enumerate();
        let turn = |(at, (plays, reached)): (usize, (Vec<Option<Play>>, &Vec<RBig>))| {
            let values: Vec<Option<RBig>> = plays
                .iter()
                .map(|play| play.as_ref().map(|play| play.value.clone()))
                .collect();
            let more = |left: usize| Some(values.get(left + 1)?.as_ref()? - values[left].as_ref()?);
            let states = plays.into_iter().zip(reached).take(pool as usize + 1);
            let states = states.enumerate().map(|(left, (play, reached))| {
                play.map(|play| state(play, more(left), reached.clone()))
            });
            Turn {
                left: checks - at,
                states: states.collect(),
            }
        };
        turns.map(turn).collect()
    }
}

fn state(mut play: Play, more: Option<RBig>, probability: RBig) -> State {
    play.decisions
        .retain(|choice| is_open(choice) && choice.party == Party::Player);
    State {
        value: play.value,
        more,
        probability,
        label: play.label,
        points: play.points,
        decisions: play.decisions,
    }
}

/// Whether a choice leaves something to choose.
fn is_open(choice: &Decision) -> bool {
    choice.rows.iter().any(|row| row.lead.is_some())
}

/// The results of `work` on each number, in their order; the first error of several.
fn in_order<T: Send>(
    numbers: std::ops::RangeInclusive<i64>,
    work: impl Fn(i64) -> Result<T, Error> + Sync + Send,
) -> Result<Vec<T>, Error> {
    let made: Vec<Result<T, Error>> = numbers.into_par_iter().map(work).collect();
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

/// A number of points as a place in a list.
fn place(points: i64) -> usize {
    usize::try_from(points).expect("points are not negative")
}
