//! What hangs together and on nothing else: statements that lead to one number alone become that number's block.
//!
//! `let hits = count(60d6, >= 3)  let wounds = count(hits d6, >= 4)  let damage = wounds d3 + wounds` beside something
//! that is rolled already would be played for each of its values, and so would what is read together with it. As a block the
//! three are played once, and `damage` is a roll like any other: it moves to where it is read.

use oddsmith_rules::program::{Expr, Kind, Statement, VarId, Variable};

use super::inline::inline_in_block;
use super::names::{collect_vars, goals_in, reads_mutable};
use crate::hash::Map;

/// Encloses what leads to one number alone, here and in loops, where it is of use.
pub(super) fn enclose_independent(
    statements: &mut Vec<Statement>,
    results: &[Expr],
    variables: &[Variable],
    fixed: &Map<VarId, Expr>,
) {
    let mut read = vec![0; variables.len()];
    count_occurrences(statements, &mut read);
    results.iter().for_each(|result| count(result, &mut read));
    // Where no roll is read twice, each moves to its reader, and nothing is left to enclose.
    let is_shared = |at: usize| read[at] > 1 && !variables[at].is_fixed();
    if (0..variables.len()).any(is_shared) {
        let whole = Whole {
            variables,
            fixed,
            read,
        };
        whole.enclose(statements, false);
    }
}

/// A script, of whose statements some are looked at.
struct Whole<'a> {
    variables: &'a [Variable],
    fixed: &'a Map<VarId, Expr>,
    /// How often each variable is read in all of it.
    read: Vec<u32>,
}

impl Whole<'_> {
    fn enclose(&self, statements: &mut Vec<Statement>, in_loop: bool) {
        for statement in statements.iter_mut() {
            if let Statement::Repeat { body, .. } = statement {
                self.enclose(body, true);
            }
        }
        // What is chosen is chosen by those who know what is rolled before, so that no roll moves.
        if goals_in(statements).is_empty() {
            let leads = Leads::new(self, statements);
            let owners = leads.owners(in_loop);
            if owners.iter().any(Option::is_some) {
                put_into_blocks(statements, &owners, self.variables);
            }
        }
    }

    /// Whether a statement is a roll that may stand elsewhere: it reads nothing that changes.
    fn may_move(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Let { var, value } => {
                !self.variables[var.0].is_mutable() && !reads_mutable(value, self.variables)
            }
            _ => false,
        }
    }
}

/// What leads to what among statements, by their places.
struct Leads<'a> {
    whole: &'a Whole<'a>,
    statements: &'a [Statement],
    /// The rolls that each statement reads.
    reads: Vec<Vec<VarId>>,
    /// Where each roll is bound.
    bound: Map<VarId, usize>,
    /// The first place after a statement through which all goes that it does; the number of statements where there is none.
    gate: Vec<usize>,
    /// The last place that reads what a statement binds; the number of statements, if it is read outside.
    last: Vec<usize>,
}

impl<'a> Leads<'a> {
    fn new(whole: &'a Whole<'a>, statements: &'a [Statement]) -> Self {
        let len = statements.len();
        let mut here = vec![0; whole.variables.len()];
        count_occurrences(statements, &mut here);
        let mut leads = Self {
            whole,
            statements,
            reads: Vec::with_capacity(len),
            bound: Map::default(),
            gate: vec![len; len],
            last: vec![0; len],
        };
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); len];
        for (at, statement) in statements.iter().enumerate() {
            let mut read = Vec::new();
            statement.for_each_part(&mut |part| collect_vars(part, whole.fixed, &mut read));
            for var in &read {
                if let Some(from) = leads.bound.get(var) {
                    readers[*from].push(at);
                }
            }
            leads.reads.push(read);
            if let Statement::Let { var, .. } = statement {
                leads.bound.insert(*var, at);
            }
        }
        for at in (0..len).rev() {
            let Statement::Let { var, .. } = &statements[at] else {
                continue;
            };
            let is_read_outside = here[var.0] < whole.read[var.0];
            leads.last[at] = match readers[at].last() {
                Some(last) if !is_read_outside => *last,
                _ => len,
            };
            if !is_read_outside && whole.may_move(&statements[at]) {
                let met = readers[at]
                    .iter()
                    .copied()
                    .reduce(|one, other| leads.meet(one, other));
                leads.gate[at] = met.unwrap_or(len);
            }
        }
        leads
    }

    /// The first place through which all goes that either of two places does.
    fn meet(&self, mut one: usize, mut other: usize) -> usize {
        while one != other {
            if one < other {
                one = self.gate[one];
            } else {
                other = self.gate[other];
            }
        }
        one
    }

    /// For each statement the place of the roll whose block it goes into, if it does; blocks may stand in blocks.
    fn owners(&self, in_loop: bool) -> Vec<Option<usize>> {
        let mut owners: Vec<Option<usize>> = vec![None; self.statements.len()];
        for target in 0..self.statements.len() {
            if self.may_own(target) {
                let all = self.own(target);
                let free: Vec<usize> = all
                    .iter()
                    .copied()
                    .filter(|at| owners[*at].is_none())
                    .collect();
                let is_of_use = self.are_shared(&free) && self.is_closed(target, &all);
                let is_beside = || self.stands_beside(target, &all) || self.meets_others(target);
                if is_of_use && (in_loop || is_beside()) {
                    free.into_iter().for_each(|at| owners[at] = Some(target));
                }
            }
        }
        owners
    }

    /// Whether a statement binds a number and may be moved.
    fn may_own(&self, target: usize) -> bool {
        let is_number = match &self.statements[target] {
            Statement::Let { var, .. } => !self.whole.variables[var.0].is_pool(),
            _ => false,
        };
        is_number && self.gate.contains(&target) && self.whole.may_move(&self.statements[target])
    }

    /// The places of all that leads to a place alone, ascending.
    fn own(&self, target: usize) -> Vec<usize> {
        let mut own = Vec::new();
        for at in (0..target).rev() {
            if self.gate[at] == target || own.contains(&self.gate[at]) {
                own.push(at);
            }
        }
        own.reverse();
        own
    }

    /// Whether one of these rolls is read twice, so that its values would be told apart.
    fn are_shared(&self, own: &[usize]) -> bool {
        own.iter().any(|at| match &self.statements[*at] {
            Statement::Let { var, .. } => self.whole.read[var.0] > 1,
            _ => false,
        })
    }

    /// Whether what leads to a place alone follows from nothing else.
    fn is_closed(&self, target: usize, own: &[usize]) -> bool {
        let is_own = |var: &VarId| self.bound.get(var).is_some_and(|at| own.contains(at));
        let mut reads = own.iter().chain([&target]).flat_map(|at| &self.reads[*at]);
        reads.all(is_own)
    }

    /// Whether something else is known before a place and read after it.
    fn stands_beside(&self, target: usize, own: &[usize]) -> bool {
        (0..target).any(|at| match &self.statements[at] {
            Statement::Let { .. } => self.last[at] > target && !own.contains(&at),
            _ => true,
        })
    }

    /// Whether a statement reads what a place binds together with another roll.
    fn meets_others(&self, target: usize) -> bool {
        let is_own = |var: &VarId| self.bound.get(var) == Some(&target);
        let mut later = self.reads[target + 1..].iter();
        later.any(|reads| reads.len() > 1 && reads.iter().any(is_own))
    }
}

/// Moves statements into the blocks of the rolls that they lead to.
fn put_into_blocks(
    statements: &mut Vec<Statement>,
    owners: &[Option<usize>],
    variables: &[Variable],
) {
    let mut inside: Map<usize, Vec<Statement>> = Map::default();
    let mut kept = Vec::with_capacity(statements.len());
    for (at, mut statement) in std::mem::take(statements).into_iter().enumerate() {
        if let Some(own) = inside.remove(&at)
            && let Statement::Let { value, .. } = &mut statement
        {
            *value = block(own, value.clone(), variables);
        }
        match owners[at] {
            Some(owner) => inside.entry(owner).or_default().push(statement),
            None => kept.push(statement),
        }
    }
    *statements = kept;
}

fn block(mut statements: Vec<Statement>, mut value: Expr, variables: &[Variable]) -> Expr {
    let span = value.span;
    inline_in_block(&mut statements, &mut value, variables);
    let (statements, value) = (statements.into(), Box::new(value));
    Expr::new(Kind::Block { statements, value }, span)
}

fn count_occurrences(statements: &[Statement], read: &mut [u32]) {
    for statement in statements {
        statement.for_each_part(&mut |part| count(part, read));
    }
}

fn count(expr: &Expr, read: &mut [u32]) {
    expr.for_each(&mut |part| {
        if let Kind::Var(var) = part.kind {
            read[var.0] += 1;
        }
    });
}
