//! Leaves out what nobody reads, and lets values that are needed at different times share a column.

use std::collections::{HashMap, HashSet};

use crate::column::{Column, Needs, Operand, Width};
use crate::error::Halt;
use crate::op::{Loop, Op};
use crate::program::{CompiledQuery, Program, Tallied};

/// A program of operations whose values each have a column of their own.
pub(crate) fn program(
    mut ops: Vec<Op>,
    errors: Vec<Halt>,
    mut tallied: Vec<Tallied>,
    asked: Vec<CompiledQuery>,
) -> Program {
    let mut read = HashSet::new();
    for tallied in &mut tallied {
        for_each_tallied(tallied, &mut |column| {
            read.insert(*column);
        });
    }
    let lasting: Vec<Column> = read.iter().copied().collect();
    prune(&mut ops, &mut read);
    let mut places = Places::default();
    places.frame(&mut [&mut ops], &lasting);
    for tallied in &mut tallied {
        for_each_tallied(tallied, &mut |column| *column = places.of[column]);
    }
    Program {
        ops,
        needs: places.needs,
        errors,
        tallied,
        asked,
        beyond: None,
    }
}

fn for_each_tallied(tallied: &mut Tallied, visit: &mut dyn FnMut(&mut Column)) {
    match tallied {
        Tallied::AtLeast { column, .. } | Tallied::Histogram { column, .. } => visit(column),
        Tallied::Powers { value, given, .. } => {
            visit(value);
            given.iter_mut().for_each(visit);
        }
    }
}

/// Leaves out operations of which nothing is read later; `read` are the columns that are read after them, then
/// those that are read before them as well.
fn prune(ops: &mut Vec<Op>, read: &mut HashSet<Column>) {
    let mut kept = Vec::with_capacity(ops.len());
    for mut op in std::mem::take(ops).into_iter().rev() {
        if let Op::Loop(rounds) = &mut op {
            if !prune_loop(rounds, read) {
                continue;
            }
        } else if !is_needed(&mut op, read) {
            continue;
        }
        op.for_each_in(&mut |column| {
            read.insert(*column);
        });
        kept.push(op);
    }
    kept.reverse();
    *ops = kept;
}

fn is_needed(op: &mut Op, read: &HashSet<Column>) -> bool {
    if let Op::Demand { of, .. } = op {
        return of.is_none_or(|of| read.contains(&of));
    }
    let mut is_needed = false;
    op.for_each_out(&mut |column| is_needed |= read.contains(column));
    is_needed
}

/// Leaves out of a loop what neither later rounds nor anybody outside reads; whether anything is left of it.
fn prune_loop(rounds: &mut Loop, read: &HashSet<Column>) -> bool {
    rounds.shown.retain(|(_, outer)| read.contains(outer));
    let mut needed: HashSet<Column> = HashSet::new();
    rounds.stop.column().map(|column| needed.insert(column));
    needed.extend(rounds.shown.iter().map(|(inner, _)| *inner));
    // What is carried on is needed if it is read in a round, which others that are carried on may need.
    loop {
        let mut inside = needed.clone();
        for carried in &rounds.carried {
            if read.contains(&carried.out) || needed.contains(&carried.inner) {
                inside.insert(carried.next);
                inside.insert(carried.inner);
            }
        }
        prune(&mut rounds.body.clone(), &mut inside);
        prune(&mut rounds.head.clone(), &mut inside);
        if inside.is_subset(&needed) {
            break;
        }
        needed.extend(inside);
    }
    let mut inside = needed;
    prune(&mut rounds.body, &mut inside);
    prune(&mut rounds.head, &mut inside);
    rounds
        .carried
        .retain(|carried| inside.contains(&carried.inner));
    rounds.captured.retain(|(_, inner)| inside.contains(inner));
    let has_demand = contains_demand(&rounds.body) || contains_demand(&rounds.head);
    let is_read = rounds
        .carried
        .iter()
        .any(|carried| read.contains(&carried.out));
    is_read || has_demand || !rounds.shown.is_empty() || rounds.must_begin.is_some()
}

/// Whether there is an error in it that does not wait for somebody to need what it is about.
fn contains_demand(ops: &[Op]) -> bool {
    ops.iter().any(|op| match op {
        Op::Demand { of, .. } => of.is_none(),
        Op::Loop(rounds) => contains_demand(&rounds.body) || contains_demand(&rounds.head),
        _ => false,
    })
}

/// The places of columns: which ones values have in the end.
#[derive(Debug, Default)]
struct Places {
    of: HashMap<Column, Column>,
    needs: Needs,
}

impl Places {
    /// Gives the values of a frame their columns. `parts` are run one after the other; `lasting` values are needed
    /// after all of them.
    fn frame(&mut self, parts: &mut [&mut Vec<Op>], lasting: &[Column]) {
        let mut last_use: HashMap<Column, usize> = HashMap::new();
        let mut ops: Vec<&mut Op> = parts.iter_mut().flat_map(|part| part.iter_mut()).collect();
        for (at, op) in ops.iter_mut().enumerate() {
            op.for_each_out(&mut |column| {
                last_use.insert(*column, at);
            });
            op.for_each_in(&mut |column| {
                last_use.insert(*column, at);
            });
        }
        for column in lasting {
            last_use.insert(*column, usize::MAX);
        }
        let mut free: HashMap<Width, Vec<Column>> = HashMap::new();
        for (at, op) in ops.into_iter().enumerate() {
            let mut ending = Vec::new();
            let mut note = |column: &mut Column| {
                if last_use.get(column) == Some(&at) && !ending.contains(column) {
                    ending.push(*column);
                }
            };
            op.for_each_in(&mut note);
            op.for_each_out(&mut note);
            // Results have columns of their own before those of the operands are free.
            op.for_each_out(&mut |column| {
                let place = free.get_mut(&column.width).and_then(Vec::pop);
                let place = place.unwrap_or_else(|| self.needs.add(column.width));
                self.of.insert(*column, place);
            });
            for column in ending {
                if let Some(place) = self.of.get(&column) {
                    free.entry(place.width).or_default().push(*place);
                }
            }
            self.rename(op);
        }
    }

    fn rename(&mut self, op: &mut Op) {
        let of = &self.of;
        op.for_each_in(&mut |column| *column = of[column]);
        op.for_each_out(&mut |column| *column = of[column]);
        match op {
            Op::Demand { of, .. } => *of = None,
            Op::Loop(rounds) => self.inside(rounds),
            _ => {}
        }
    }

    /// The columns of a loop, apart from those outside of it.
    fn inside(&mut self, rounds: &mut Loop) {
        let mut lasting: Vec<Column> = rounds.stop.column().into_iter().collect();
        lasting.extend(rounds.shown.iter().map(|(inner, _)| *inner));
        lasting.extend(rounds.carried.iter().map(|carried| carried.next));
        // These are there before the first round and have to stay.
        let mut own = |column: &mut Column| {
            let place = self.needs.add(column.width);
            self.of.insert(*column, place);
            lasting.push(*column);
            *column = place;
        };
        rounds.captured.iter_mut().for_each(|(_, inner)| own(inner));
        rounds
            .carried
            .iter_mut()
            .for_each(|carried| own(&mut carried.inner));
        self.frame(&mut [&mut rounds.head, &mut rounds.body], &lasting);
        if let Operand::Column(stop) = &mut rounds.stop {
            *stop = self.of[stop];
        }
        for (inner, _) in &mut rounds.shown {
            *inner = self.of[inner];
        }
        for carried in &mut rounds.carried {
            carried.next = self.of[&carried.next];
        }
    }
}
