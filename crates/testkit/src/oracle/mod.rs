//! A brute-force reading of checked programs, to compare the engine with.
//!
//! One trial is played from top to bottom on concrete numbers, exactly as the language says; every roll is a
//! pick among weighted faces. All trials are played, one for each sequence of picks. At a choice all options
//! are tried, each to the end, knowing everything that was rolled before. Nothing here is clever, and nothing
//! is shared with the engine but the types of numbers.

mod choices;
mod dice;
mod graph;
mod linear;
mod played;
mod tape;
pub mod tracks;
mod trial;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use oddsmith_dist::RBig;
use oddsmith_rules::program::{Expr, Statement, VarId};
use oddsmith_rules::{Check, Config};

use tape::Tape;
pub use trial::{Known, Policy, Trial, Value, Values};

/// The shown values of a trial, in the order of the check's outcomes, with their probabilities.
pub type Joint = BTreeMap<Vec<i64>, RBig>;

/// Plays every trial of a check. None if there are more than `most`, tries of options included.
///
/// # Panics
/// If a rule can't be carried out.
pub fn joint(check: &Check, config: &Config, most: usize) -> Option<Joint> {
    let game = Game::new(check, config, most);
    game.joint(None).map(|played| played.joint)
}

/// Plays every trial of a check that may break a rule: none inside if it does on some roll, none at all as for [`joint`].
pub fn joint_unless_broken(check: &Check, config: &Config, most: usize) -> Option<Option<Joint>> {
    let game = Game {
        may_break: true,
        ..Game::new(check, config, most)
    };
    match game.joint(None) {
        Some(played) => Some(Some(played.joint)),
        None => game.is_broken.get().then_some(None),
    }
}

/// How tracks have ended that were played inside, with their probabilities: by the place of their rounds in memory and what
/// was bound before them.
type Ended = BTreeMap<(usize, Values), Vec<(Values, RBig)>>;

/// A check in one configuration, and how many trials may be played of it.
pub struct Game<'a> {
    /// The check.
    pub check: &'a Check,
    /// The configuration.
    pub config: &'a Config,
    /// Makes choices wherever the game is played, if there is one.
    policy: Option<&'a Policy<'a>>,
    /// The variables that the policy reads.
    policy_reads: &'a [VarId],
    /// What the values of the check's own goal are worth.
    worth: &'a dyn Fn(i64) -> RBig,
    /// What is worth less is barred, which an opponent does not want either.
    bar: Option<RBig>,
    left: Cell<usize>,
    /// How tracks have ended that were played inside.
    played: RefCell<Ended>,
    /// Whether rules may turn out that can't be carried out; else that is a panic.
    may_break: bool,
    /// Whether one has.
    is_broken: Cell<bool>,
}

/// Everything that comes of a check.
pub struct Played {
    /// The shown values, with their probabilities.
    pub joint: Joint,
    /// The choices that were met, also those that only other options lead to.
    pub choices: Vec<Known>,
    /// The mean of what the check strives for, if it chooses.
    pub worth: Option<RBig>,
    /// How likely each value of its goal is.
    pub goals: BTreeMap<i64, RBig>,
}

impl<'a> Game<'a> {
    /// A game of which no more than `most` trials are played.
    pub fn new(check: &'a Check, config: &'a Config, most: usize) -> Self {
        let left = Cell::new(most);
        Self {
            check,
            config,
            policy: None,
            policy_reads: &[],
            worth: &|value| RBig::from(value),
            bar: None,
            left,
            played: RefCell::default(),
            may_break: false,
            is_broken: Cell::new(false),
        }
    }

    /// What a rule needs to be carried out.
    fn needs<T>(&self, value: Option<T>, what: &str) -> Result<T, Halt> {
        assert!(value.is_some() || self.may_break, "{what}");
        if value.is_none() {
            self.is_broken.set(true);
        }
        value.ok_or(Halt::Broken)
    }

    /// The same game with its choices made by a policy, which reads these variables.
    pub fn with_policy(self, policy: &'a Policy<'a>, reads: &'a [VarId]) -> Self {
        Self {
            policy: Some(policy),
            policy_reads: reads,
            ..self
        }
    }

    /// The same game, played for what the values of its goal are worth.
    pub fn with_worth(self, worth: &'a dyn Fn(i64) -> RBig) -> Self {
        Self { worth, ..self }
    }

    /// The same game, in which nobody chooses what is worth less than this if there is anything else.
    pub fn with_bar(self, bar: RBig) -> Self {
        let bar = Some(bar);
        Self { bar, ..self }
    }

    /// What a value of a goal is worth; that of a check inside is worth itself.
    fn worth_of(&self, goal: VarId, value: i64) -> RBig {
        match self.check.own_goal() == Some(goal) {
            true => (self.worth)(value),
            false => RBig::from(value),
        }
    }

    /// Plays every trial; a policy makes the choices that it knows, all others are made for the best.
    pub fn joint(&self, policy: Option<&Policy<'_>>) -> Option<Played> {
        let values = vec![None; self.check.program().variables().len()];
        let play = Play {
            policy: policy.or(self.policy),
            ..Play::new(
                self,
                values,
                What::Script(self.check.program().statements()),
            )
        };
        let goal = self.check.own_goal();
        let mut joint = Joint::new();
        let mut goals = BTreeMap::new();
        let mut worth = RBig::ZERO;
        let finished = play.each(&mut |values, _, p| {
            let shown = self.check.outcomes.iter();
            let shown = shown.map(|outcome| number(values, outcome.var));
            *joint.entry(shown.collect()).or_default() += &p;
            if let Some(goal) = goal {
                let value = number(values, goal);
                *goals.entry(value).or_default() += &p;
                worth += p * self.worth_of(goal, value);
            }
        });
        finished.ok()?;
        Some(Played {
            joint,
            choices: play.known.into_inner().into_values().collect(),
            worth: goal.map(|_| worth),
            goals,
        })
    }

    /// A number made of values, without dice.
    ///
    /// # Panics
    /// If there are dice in it.
    pub fn number(&self, values: &Values, expr: &Expr) -> i64 {
        let mut tape = Tape::default();
        let play = Play::new(self, values.clone(), What::Number(expr));
        let number = Trial::new(&play, &mut tape, None).number(expr);
        assert!(!tape.advance(), "no dice");
        number.expect("there is no goal in an expression")
    }
}

/// What a variable holds when all is done.
fn number(values: &Values, var: VarId) -> i64 {
    let value = values[var.0].clone();
    value.expect("bound before it is read").number()
}

/// Why a trial goes no further.
#[derive(Debug)]
pub enum Halt {
    /// What a choice strives for is known.
    Goal(i64),
    /// More trials than were allowed.
    TooMany,
    /// A rule can't be carried out.
    Broken,
}

/// What is played.
#[derive(Clone, Copy)]
pub enum What<'a> {
    /// Statements.
    Script(&'a [Statement]),
    /// A number.
    Number(&'a Expr),
}

/// Something that is played again and again from the same values.
pub struct Play<'a> {
    game: &'a Game<'a>,
    policy: Option<&'a Policy<'a>>,
    values: Values,
    /// The rounds of the loops around it.
    rounds: Vec<usize>,
    what: What<'a>,
    /// Choices by all that was picked and chosen before them.
    known: RefCell<BTreeMap<Vec<usize>, Known>>,
}

impl<'a> Play<'a> {
    /// What is played of a game, where these values are bound.
    pub fn new(game: &'a Game<'a>, values: Values, what: What<'a>) -> Self {
        Self {
            game,
            policy: game.policy,
            values,
            rounds: Vec::new(),
            what,
            known: RefCell::default(),
        }
    }

    /// Plays all trials: the values at the end, the number if that is what is played, and the probability.
    pub fn each(&self, visit: &mut dyn FnMut(&Values, i64, RBig)) -> Result<(), Halt> {
        let mut tape = Tape::default();
        loop {
            let (values, number) = self.trial(&mut tape, None)?;
            visit(&values, number, tape.probability());
            if !tape.advance() {
                return Ok(());
            }
        }
    }

    /// Plays one trial, until `goal` is bound after the picks that the tape begins with.
    fn trial(&self, tape: &mut Tape, goal: Option<VarId>) -> Result<(Values, i64), Halt> {
        let left = self.game.left.get().checked_sub(1).ok_or(Halt::TooMany)?;
        self.game.left.set(left);
        tape.rewind();
        let mut trial = Trial::new(self, tape, goal);
        let number = match self.what {
            What::Script(statements) => trial.statements(statements).map(|()| 0)?,
            What::Number(expr) => trial.number(expr)?,
        };
        Ok((trial.values, number))
    }
}
