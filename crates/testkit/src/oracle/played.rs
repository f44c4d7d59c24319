//! Tracks that are played inside other rules: one pick among all their ends.
//!
//! A trial can't go through all rounds of a track, of which there may be any number. So its rounds are laid out by
//! themselves, as those of [`super::tracks`] are, and how likely each end is comes from linear equations.

use std::collections::BTreeMap;

use oddsmith_dist::{RBig, UBig};
use oddsmith_rules::program::{Expr, Kind, Statement, VarId, set_in};

use super::graph::{Graph, MOST_NODES, Move};
use super::trial::{Trial, Value, Values};
use super::{Game, Halt, Play, What};

impl Trial<'_, '_> {
    /// Goes on at one of the ends of a loop.
    pub(super) fn play_out(&mut self, until: &Expr, body: &[Statement]) -> Result<(), Halt> {
        let game = self.play.game;
        let ends = game.ends(&self.values, until, body)?;
        let common = ends
            .iter()
            .fold(UBig::ONE, |common, (_, p)| common * p.denominator());
        let weight = |(_, p): &(Values, RBig)| {
            let (weight, _) = (p * RBig::from(common.clone())).into_parts();
            UBig::try_from(weight).expect("a probability is not negative")
        };
        let weights: Vec<UBig> = ends.iter().map(weight).collect();
        let at = self.tape.roll(&weights);
        self.values.clone_from(&ends[at].0);
        Ok(())
    }
}

impl Game<'_> {
    /// What a loop leaves of what is bound before it.
    fn ends(
        &self,
        from: &Values,
        until: &Expr,
        body: &[Statement],
    ) -> Result<Vec<(Values, RBig)>, Halt> {
        let key = (body.as_ptr() as usize, from.clone());
        if let Some(known) = self.played.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mut graph = Graph::default();
        let start = Move {
            to: graph.place(from.clone()),
            p: RBig::ONE,
            r: RBig::ZERO,
        };
        let unread = self.unread_in(body, until);
        while let Some(state) = graph.nodes.get(graph.moves.len()).cloned() {
            if graph.nodes.len() > MOST_NODES {
                return Err(Halt::TooMany);
            }
            let mut moves = Vec::new();
            if self.number(&state, until) == 0 {
                for (to, p) in self.after_round(&state, from, body, &unread)? {
                    let (to, r) = (graph.place(to), RBig::ZERO);
                    moves.push(Move { to, p, r });
                }
            }
            graph.moves.push(moves);
        }
        let moments = graph.moments(&[start]).into_iter();
        let end = |(at, [p, ..]): (usize, [RBig; 3])| (graph.nodes[at].clone(), p);
        let ends: Vec<(Values, RBig)> = moments.map(end).collect();
        let whole = ends.iter().fold(RBig::ZERO, |sum, (_, p)| sum + p);
        self.needs((whole == RBig::ONE).then_some(()), "what is played ends")?;
        self.played.borrow_mut().insert(key, ends.clone());
        Ok(ends)
    }

    /// All that a round makes of a state: what it binds itself is forgotten, and so is what nothing reads.
    fn after_round(
        &self,
        state: &Values,
        bound: &Values,
        body: &[Statement],
        unread: &[VarId],
    ) -> Result<BTreeMap<Values, RBig>, Halt> {
        let play = Play::new(self, state.clone(), What::Script(body));
        let mut made: BTreeMap<Values, RBig> = BTreeMap::new();
        play.each(&mut |values, _, p| {
            let held = values.iter().zip(bound);
            let mut left: Values = held
                .map(|(value, before)| value.clone().filter(|_| before.is_some()))
                .collect();
            for var in unread {
                left[var.0] = Some(Value::Number(0));
            }
            *made.entry(left).or_default() += p;
        })?;
        Ok(made)
    }

    /// The numbers that rounds set, and that nothing reads but what sets them, such as rounds that nobody counts.
    fn unread_in(&self, body: &[Statement], until: &Expr) -> Vec<VarId> {
        let mut unread = set_in(body);
        let program = self.check.program();
        unread.retain(|var| {
            let is_pool = program.variable(*var).is_pool();
            !is_pool && !reads(until, *var) && !read_in(program.statements(), *var)
        });
        unread
    }
}

fn reads(expr: &Expr, var: VarId) -> bool {
    expr.any(&mut |part| match &part.kind {
        Kind::Var(other) => *other == var,
        Kind::Block { statements, .. } => read_in(statements, var),
        _ => false,
    })
}

/// Whether something reads a variable, but for what sets it.
fn read_in(statements: &[Statement], var: VarId) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Set { var: set, .. } if *set == var => false,
        Statement::Repeat {
            count, until, body, ..
        } => count.iter().chain(until).any(|part| reads(part, var)) || read_in(body, var),
        other => {
            let mut found = false;
            other.for_each_part(&mut |part| found = found || reads(part, var));
            found
        }
    })
}
