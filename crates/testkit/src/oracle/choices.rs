//! What is best at a choice: every option, each played to the end.

use std::collections::BTreeSet;

use oddsmith_dist::RBig;
use oddsmith_rules::program::{Expr, Options, Party, VarId};

use super::Halt;
use super::tape::Tape;
use super::trial::{Known, Trial, Value};

impl Trial<'_, '_> {
    /// Which option is taken, and notes it.
    pub(super) fn decide(
        &mut self,
        party: Party,
        var: VarId,
        goal: VarId,
        options: &[Value],
    ) -> Result<usize, Halt> {
        if let Some(policy) = self.play.policy
            && let Some(option) = policy(self, var, options)
        {
            // Not a pick: whoever asks for the same history again gets the same answer.
            return Ok(option);
        }
        if let Some(option) = self.tape.replay() {
            return Ok(option);
        }
        let history = self.tape.history();
        if !self.play.known.borrow().contains_key(&history) {
            let known = self.try_all(party, (var, goal), options, &history)?;
            self.play.known.borrow_mut().insert(history.clone(), known);
        }
        let mut known = self.play.known.borrow_mut();
        let known = known.get_mut(&history).expect("just made");
        if self.tape.is_whole() {
            known.reached = Some(self.tape.probability());
        }
        self.tape.fix(known.best);
        Ok(known.best)
    }

    fn try_all(
        &self,
        party: Party,
        (var, goal): (VarId, VarId),
        options: &[Value],
        history: &[usize],
    ) -> Result<Known, Halt> {
        let mean = |option: usize| {
            let mut tape = Tape::after(&[history, &[option]].concat());
            let mut mean = RBig::ZERO;
            loop {
                match self.play.trial(&mut tape, Some(goal)) {
                    Err(Halt::Goal(worth)) => {
                        mean += tape.probability() * self.play.game.worth_of(goal, worth);
                    }
                    Err(other) => return Err(other),
                    Ok(_) => panic!("a goal is bound after its choices"),
                }
                if !tape.advance() {
                    return Ok(mean);
                }
            }
        };
        let means: Result<Vec<RBig>, Halt> = (0..options.len()).map(mean).collect();
        let means = means?;
        let bar = self.play.game.bar.as_ref();
        let is_barred = |at: usize| bar.is_some_and(|bar| means[at] < *bar);
        let mut best = 0;
        for at in 1..means.len() {
            let is_better = match party {
                Party::Player => means[at] > means[best],
                Party::Opponent if is_barred(at) != is_barred(best) => is_barred(best),
                Party::Opponent => means[at] < means[best],
            };
            if is_better {
                best = at;
            }
        }
        Ok(Known {
            party,
            var,
            rounds: self.rounds.clone(),
            values: self.values.clone(),
            options: options.to_vec(),
            means,
            best,
            reached: None,
        })
    }

    /// The allowed options in their order.
    pub(super) fn options(
        &mut self,
        var: VarId,
        options: &Options,
        condition: Option<&Expr>,
    ) -> Result<Vec<Value>, Halt> {
        let all = match options {
            Options::Range(from, to) => {
                let (from, to) = (self.number(from)?, self.number(to)?);
                (from..=to).map(Value::Number).collect()
            }
            Options::Subsets(pool) => subsets(&self.pool(pool)?)?,
        };
        let mut allowed = Vec::new();
        for option in all {
            self.values[var.0] = Some(option.clone());
            let fits = condition.map(|condition| self.holds(condition));
            if fits.transpose()?.unwrap_or(true) {
                allowed.push(option);
            }
        }
        self.values[var.0] = None;
        self.needs((!allowed.is_empty()).then_some(()), "no option is left")?;
        Ok(allowed)
    }
}

/// Larger rolls are not taken apart.
const MOST_DICE: usize = 8;

/// The parts of a roll, each once: fewest dice first, then the lower highest die, then the next.
fn subsets(roll: &[i64]) -> Result<Vec<Value>, Halt> {
    if roll.len() > MOST_DICE {
        return Err(Halt::TooMany);
    }
    let taken = |mask: usize| -> Vec<i64> {
        let faces = roll.iter().enumerate();
        let taken = faces.filter(|(at, _)| mask & (1 << at) != 0);
        taken.map(|(_, face)| *face).collect()
    };
    // Rolls are from high to low, and so are their parts.
    let parts: BTreeSet<(usize, Vec<i64>)> = (0..1 << roll.len())
        .map(|mask| (taken(mask).len(), taken(mask)))
        .collect();
    Ok(parts
        .into_iter()
        .map(|(_, part)| Value::Pool(part))
        .collect())
}
