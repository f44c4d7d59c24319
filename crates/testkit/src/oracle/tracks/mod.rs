//! Tracks and contests: the states that rounds lead to, and all that queries ask of their ends.
//!
//! A state is all that was bound before the loop; with it goes what a policy reads of the insides of those values,
//! such as what a check that was called there shows. Left out are *sums*: variables whose names begin with `sum`,
//! and the number of rounds unless the rules read it. What a sum has come to is counted only up to a number,
//! and only where a query needs that; beyond, its mean and its square are carried along.

mod ends;
pub mod queries;

use std::cell::RefCell;
use std::collections::BTreeMap;

use oddsmith_dist::RBig;
use oddsmith_rules::program::{Expr, Kind, Statement, VarId};

use super::{Game, Halt, Play, Value, Values, What};

/// A track's script in its parts.
pub struct Track<'a> {
    game: &'a Game<'a>,
    before: &'a [Statement],
    until: &'a Expr,
    body: &'a [Statement],
    after: &'a [Statement],
    /// What is bound before the first round.
    state: Vec<VarId>,
    /// Those of them that rounds only add to.
    sums: Vec<VarId>,
    /// What is bound inside values before the loop, if a policy reads it: rounds leave it as it is.
    inside: Vec<VarId>,
    /// What the first round shows.
    shown: Vec<VarId>,
    /// The number of rounds.
    counter: VarId,
    /// Rounds that have been played, from a state with its sums at 0.
    rounds: RefCell<BTreeMap<Values, Vec<Round>>>,
}

/// One way a round can go.
#[derive(Clone)]
struct Round {
    /// The state after it, with its sums at 0, and what it shows.
    to: Values,
    gains: Vec<i64>,
    p: RBig,
}

impl<'a> Track<'a> {
    /// Takes a track or a contest apart.
    ///
    /// # Panics
    /// If it is neither.
    pub fn new(game: &'a Game<'a>) -> Self {
        let check = game.check;
        let statements = check.program().statements();
        let mut loops = statements.iter();
        let at = loops.position(Statement::is_own_loop).expect("a track");
        let Statement::Repeat {
            until: Some(until),
            body,
            ..
        } = &statements[at]
        else {
            panic!("an endless loop ends somehow")
        };
        let before = &statements[..at];
        let state = bound(before);
        let counter = check.rounds.expect("a track counts its rounds");
        let is_sum = |var: &VarId| {
            let is_counter = *var == counter && !reads_counter(counter, until, body);
            is_counter || check.program().variable(*var).name().starts_with("sum")
        };
        let first = check.outcomes.iter().filter(|outcome| outcome.first_round);
        Self {
            game,
            before,
            until,
            body,
            after: &statements[at + 1..],
            sums: state.iter().copied().filter(is_sum).collect(),
            state,
            inside: read_inside(before, game.policy_reads),
            shown: first.map(|outcome| outcome.var).collect(),
            counter,
            rounds: RefCell::default(),
        }
    }

    /// What the variables can be before the first round.
    fn starts(&self) -> Result<BTreeMap<Values, RBig>, Halt> {
        let values = vec![None; self.game.check.program().variables().len()];
        let keep = [self.state.as_slice(), &self.inside].concat();
        self.play(&values, self.before, &keep)
    }

    /// All that statements can make of values, those of the variables in `keep`.
    fn play(
        &self,
        values: &Values,
        statements: &[Statement],
        keep: &[VarId],
    ) -> Result<BTreeMap<Values, RBig>, Halt> {
        let play = Play::new(self.game, values.clone(), What::Script(statements));
        let mut made: BTreeMap<Values, RBig> = BTreeMap::new();
        play.each(&mut |values, _, p| {
            let mut kept = vec![None; values.len()];
            keep.iter()
                .for_each(|var| kept[var.0].clone_from(&values[var.0]));
            *made.entry(kept).or_default() += p;
        })?;
        Ok(made)
    }

    fn is_over(&self, values: &Values) -> bool {
        self.game.number(values, self.until) != 0
    }

    /// All ways a round can go.
    fn round(&self, from: &Values) -> Result<Vec<Round>, Halt> {
        if let Some(known) = self.rounds.borrow().get(from) {
            return Ok(known.clone());
        }
        let keep = [self.state.as_slice(), &self.inside, &self.shown].concat();
        let made = self.play(from, self.body, &keep)?;
        let rounds = made.into_iter().map(|(mut to, p)| Round {
            gains: self.take_sums(&mut to),
            to,
            p,
        });
        let rounds: Vec<Round> = rounds.collect();
        self.rounds
            .borrow_mut()
            .insert(from.clone(), rounds.clone());
        Ok(rounds)
    }

    /// Sets the sums to 0; what they were.
    fn take_sums(&self, values: &mut Values) -> Vec<i64> {
        let take = |sum: &VarId| values[sum.0].replace(Value::Number(0));
        let taken = self.sums.iter().map(take);
        taken
            .map(|value| value.expect("bound before").number())
            .collect()
    }

    /// What was shown, taken out of the values.
    fn take_shown(&self, values: &mut Values) -> Vec<i64> {
        let take = |var: &VarId| values[var.0].take();
        let taken = self.shown.iter().map(take);
        taken
            .map(|value| value.expect("just shown").number())
            .collect()
    }

    /// For each sum whether a round adds to it, of all rounds that were looked at.
    fn moves(&self) -> Vec<bool> {
        let rounds = self.rounds.borrow();
        let adds = |at| rounds.values().flatten().any(|round| round.gains[at] != 0);
        (0..self.sums.len()).map(adds).collect()
    }

    /// The track with these of its sums; the others belong to its state.
    fn with_sums(&self, kept: &[bool]) -> Self {
        let sums = self.sums.iter().zip(kept).filter(|(_, is_kept)| **is_kept);
        Self {
            sums: sums.map(|(sum, _)| *sum).collect(),
            state: self.state.clone(),
            inside: self.inside.clone(),
            shown: self.shown.clone(),
            rounds: RefCell::default(),
            ..*self
        }
    }

    /// `P(rounds = n)` for `n` up to `most`, and the probability of more.
    pub fn lengths(&self, most: usize) -> Result<(Vec<RBig>, RBig), Halt> {
        let mut now: BTreeMap<Values, RBig> = BTreeMap::new();
        for (mut state, p) in self.starts()? {
            self.take_sums(&mut state);
            *now.entry(state).or_default() += p;
        }
        let mut lengths = Vec::new();
        for _ in 0..=most {
            let mut over = RBig::ZERO;
            let mut next: BTreeMap<Values, RBig> = BTreeMap::new();
            for (state, p) in now {
                if self.is_over(&state) {
                    over += p;
                    continue;
                }
                for mut round in self.round(&state)? {
                    self.shown.iter().for_each(|var| round.to[var.0] = None);
                    *next.entry(round.to).or_default() += &p * &round.p;
                }
            }
            lengths.push(over);
            now = next;
        }
        let sum = lengths.iter().fold(RBig::ZERO, |sum, p| sum + p);
        Ok((lengths, RBig::ONE - sum))
    }
}

/// What statements bind, not counting what lives in loops only.
fn bound(statements: &[Statement]) -> Vec<VarId> {
    let bound = statements.iter().filter_map(|statement| match statement {
        Statement::Let { var, .. } | Statement::Choose { var, .. } => Some(*var),
        Statement::Set { .. } | Statement::Repeat { .. } => None,
    });
    bound.collect()
}

/// Those of the variables that are bound inside the values of statements.
fn read_inside(statements: &[Statement], vars: &[VarId]) -> Vec<VarId> {
    let mut inside = Vec::new();
    let mut collect = |part: &Expr| {
        if let Kind::Block { statements, .. } = &part.kind {
            inside.extend(bound(statements));
        }
    };
    for statement in statements {
        statement.for_each_part(&mut |part| part.for_each(&mut collect));
    }
    inside.retain(|var| vars.contains(var));
    inside
}

/// Whether the rules make use of the number of rounds.
fn reads_counter(counter: VarId, until: &Expr, body: &[Statement]) -> bool {
    let reads =
        |expr: &Expr| expr.any(&mut |part| matches!(part.kind, Kind::Var(var) if var == counter));
    let mut found = reads(until);
    for statement in body {
        if !matches!(statement, Statement::Set { var, .. } if *var == counter) {
            statement.for_each_part(&mut |part| found |= reads(part));
        }
    }
    found
}
