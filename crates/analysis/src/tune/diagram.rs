//! Functions of the dials as decision diagrams, so that candidates are counted without being looked at.
//!
//! A diagram asks for the option of one dial after the other, always in the same order, and ends in a leaf, the value of
//! the function. It is **reduced**: where a dial decides nothing it is not asked for, and parts that are the same are
//! kept once. So equal functions are the same diagram, and what two dials never decide together is never multiplied out.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use oddsmith_exact::Error;

use crate::tune::cost::Costs;

/// A function of the dials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Diagram(u32);

/// What marks a leaf; the rest of its number is its value.
const LEAF: u32 = 1 << 31;

/// Branches that all diagrams of a search have together at the most: 128 MiB of them.
const MOST_BRANCHES: usize = 1 << 25;

impl Diagram {
    /// What holds for no candidate.
    pub(crate) const NO: Self = Self(LEAF);
    /// What holds for every candidate.
    pub(crate) const YES: Self = Self(LEAF | 1);

    /// The function that has one value everywhere.
    pub(crate) fn leaf(value: u32) -> Self {
        assert!(value < LEAF, "the value of a leaf is short");
        Self(LEAF | value)
    }

    /// The value, if it is the same everywhere.
    pub(crate) fn value(self) -> Option<u32> {
        (self.0 & LEAF != 0).then_some(self.0 & !LEAF)
    }
}

/// Why a diagram was not made.
#[derive(Clone, Debug)]
pub(crate) enum Halt {
    /// There are more than [`MOST_BRANCHES`], so that candidates are better looked at one by one.
    Full,
    /// Who watches the search has ended it.
    Ended,
    /// Over the budget, or a question has no answer.
    Exact(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Exact(error)
    }
}

/// A dial as a table of values has it, at the level of a diagram.
#[derive(Clone, Debug)]
pub(crate) struct TableDim<'t> {
    pub(crate) level: usize,
    /// The place of each option of the dial among what the table tells apart.
    pub(crate) places: &'t [usize],
    /// How many such places there are.
    pub(crate) len: usize,
    /// How many cells of the table lie between two neighbouring places.
    pub(crate) stride: usize,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    level: usize,
    /// Where its branches begin.
    first: usize,
    /// The last node before it with the same hash.
    same_hash: Option<u32>,
}

/// All diagrams of a search, which share their parts.
#[derive(Debug)]
pub(crate) struct Diagrams<'a> {
    /// How many options the dial of each level has.
    sizes: Vec<usize>,
    nodes: Vec<Node>,
    branches: Vec<Diagram>,
    /// The last node of each hash.
    known: HashMap<u64, u32>,
    costs: Costs<'a>,
}

type Made = Result<Diagram, Halt>;

impl<'a> Diagrams<'a> {
    /// None yet, over dials of these sizes in the order of levels.
    pub(crate) fn new(sizes: Vec<usize>, costs: Costs<'a>) -> Self {
        Self {
            sizes,
            nodes: Vec::new(),
            branches: Vec::new(),
            known: HashMap::new(),
            costs,
        }
    }

    /// The level at which a diagram asks first; of a leaf the one behind all others.
    pub(crate) fn level(&self, diagram: Diagram) -> usize {
        match diagram.value() {
            Some(_) => self.sizes.len(),
            None => self.nodes[diagram.0 as usize].level,
        }
    }

    /// What a diagram becomes with an option at a level, which is the first one that it asks at or one before.
    pub(crate) fn with(&self, diagram: Diagram, level: usize, option: usize) -> Diagram {
        if self.level(diagram) == level {
            self.branches[self.nodes[diagram.0 as usize].first + option]
        } else {
            diagram
        }
    }

    /// The diagram that goes on like this with the options at a level.
    fn make(&mut self, level: usize, branches: &[Diagram]) -> Made {
        self.costs.branches(branches.len())?;
        if branches.iter().all(|branch| *branch == branches[0]) {
            return Ok(branches[0]);
        }
        let mut hasher = DefaultHasher::new();
        (level, branches).hash(&mut hasher);
        let hash = hasher.finish();
        let last = self.known.get(&hash).copied();
        let mut next = last;
        while let Some(at) = next {
            let Node {
                level: own,
                first,
                same_hash,
            } = self.nodes[at as usize];
            if own == level && self.branches[first..first + branches.len()] == *branches {
                return Ok(Diagram(at));
            }
            next = same_hash;
        }
        if self.branches.len() + branches.len() > MOST_BRANCHES {
            return Err(Halt::Full);
        }
        let at = u32::try_from(self.nodes.len()).expect("fewer nodes than branches");
        self.nodes.push(Node {
            level,
            first: self.branches.len(),
            same_hash: last,
        });
        self.branches.extend(branches);
        self.known.insert(hash, at);
        Ok(Diagram(at))
    }

    /// A diagram that asks only at one level, and has these values.
    pub(crate) fn of_level(&mut self, level: usize, value: impl Fn(usize) -> Diagram) -> Made {
        let branches: Vec<Diagram> = (0..self.sizes[level]).map(value).collect();
        self.make(level, &branches)
    }

    /// The function whose values stand in a table with these dials, in the order of levels.
    pub(crate) fn of_table(
        &mut self,
        dims: &[TableDim<'_>],
        value: &dyn Fn(usize) -> Diagram,
    ) -> Made {
        self.of_cells(dims, 0, value)
    }

    fn of_cells(
        &mut self,
        dims: &[TableDim<'_>],
        cell: usize,
        value: &dyn Fn(usize) -> Diagram,
    ) -> Made {
        let Some((dim, rest)) = dims.split_first() else {
            return Ok(value(cell));
        };
        let own = (0..dim.len).map(|place| self.of_cells(rest, cell + place * dim.stride, value));
        let own: Vec<Diagram> = own.collect::<Result<_, _>>()?;
        let branches: Vec<Diagram> = dim.places.iter().map(|&place| own[place]).collect();
        self.make(dim.level, &branches)
    }

    /// The function of two others that `rule` says of any two leaves, and of other pairs where that is known at once.
    pub(crate) fn combine(
        &mut self,
        one: Diagram,
        other: Diagram,
        mut rule: impl FnMut(Diagram, Diagram) -> Option<Diagram>,
    ) -> Made {
        self.combined((one, other), &mut rule, &mut HashMap::new())
    }

    fn combined(
        &mut self,
        (one, other): (Diagram, Diagram),
        rule: &mut dyn FnMut(Diagram, Diagram) -> Option<Diagram>,
        done: &mut HashMap<(Diagram, Diagram), Diagram>,
    ) -> Made {
        if let Some(found) = rule(one, other) {
            return Ok(found);
        }
        if let Some(&found) = done.get(&(one, other)) {
            return Ok(found);
        }
        let level = self.level(one).min(self.level(other));
        let mut branches = Vec::with_capacity(self.sizes[level]);
        for option in 0..self.sizes[level] {
            let both = (
                self.with(one, level, option),
                self.with(other, level, option),
            );
            branches.push(self.combined(both, rule, done)?);
        }
        let made = self.make(level, &branches)?;
        done.insert((one, other), made);
        Ok(made)
    }

    /// What holds where both hold.
    pub(crate) fn and(&mut self, one: Diagram, other: Diagram) -> Made {
        self.combine(one, other, |one, other| match (one, other) {
            (Diagram::NO, _) | (_, Diagram::NO) => Some(Diagram::NO),
            (Diagram::YES, both) | (both, Diagram::YES) => Some(both),
            _ => (one == other).then_some(one),
        })
    }

    /// What holds where one of them holds.
    pub(crate) fn or(&mut self, one: Diagram, other: Diagram) -> Made {
        self.combine(one, other, |one, other| match (one, other) {
            (Diagram::YES, _) | (_, Diagram::YES) => Some(Diagram::YES),
            (Diagram::NO, either) | (either, Diagram::NO) => Some(either),
            _ => (one == other).then_some(one),
        })
    }

    /// The same function with other values.
    pub(crate) fn map(&mut self, diagram: Diagram, value: impl Fn(u32) -> Diagram) -> Made {
        let rule = |one: Diagram, _| one.value().map(&value);
        self.combine(diagram, Diagram::NO, rule)
    }

    /// What holds where the options at levels that are not kept can be such that the diagram holds.
    pub(crate) fn exists(&mut self, diagram: Diagram, kept: &[bool]) -> Made {
        self.existing(diagram, kept, &mut HashMap::new())
    }

    fn existing(
        &mut self,
        diagram: Diagram,
        kept: &[bool],
        done: &mut HashMap<Diagram, Diagram>,
    ) -> Made {
        if diagram.value().is_some() {
            return Ok(diagram);
        }
        if let Some(&found) = done.get(&diagram) {
            return Ok(found);
        }
        let level = self.level(diagram);
        let mut branches = Vec::with_capacity(self.sizes[level]);
        for option in 0..self.sizes[level] {
            let branch = self.with(diagram, level, option);
            branches.push(self.existing(branch, kept, done)?);
        }
        let made = if kept[level] {
            self.make(level, &branches)?
        } else {
            branches.sort_unstable();
            branches.dedup();
            let mut any = Diagram::NO;
            for branch in branches {
                any = self.or(any, branch)?;
            }
            any
        };
        done.insert(diagram, made);
        Ok(made)
    }

    /// Marks the cells of a table in which the diagram, which asks at no other levels, holds for some options.
    pub(crate) fn mark(&self, diagram: Diagram, dims: &[TableDim<'_>], marks: &mut [bool]) {
        self.mark_from((diagram, 0), dims, marks, &mut HashSet::new());
    }

    fn mark_from(
        &self,
        (diagram, cell): (Diagram, usize),
        dims: &[TableDim<'_>],
        marks: &mut [bool],
        seen: &mut HashSet<(Diagram, usize, usize)>,
    ) {
        if diagram == Diagram::NO || !seen.insert((diagram, cell, dims.len())) {
            return;
        }
        let Some((dim, rest)) = dims.split_first() else {
            marks[cell] = true;
            return;
        };
        for (option, place) in dim.places.iter().enumerate() {
            let branch = self.with(diagram, dim.level, option);
            self.mark_from((branch, cell + place * dim.stride), rest, marks, seen);
        }
    }

    /// The number of candidates for which it holds.
    pub(crate) fn count(&self, diagram: Diagram) -> u64 {
        self.weights(diagram).get(&1).copied().unwrap_or(0)
    }

    /// For each value the number of candidates that have it.
    pub(crate) fn weights(&self, diagram: Diagram) -> BTreeMap<u32, u64> {
        let between = |levels: std::ops::Range<usize>| -> u64 {
            self.sizes[levels].iter().map(|size| *size as u64).product()
        };
        let mut leaves = BTreeMap::new();
        let mut open = BTreeMap::from([(
            (self.level(diagram), diagram),
            between(0..self.level(diagram)),
        )]);
        while let Some(((level, diagram), weight)) = open.pop_first() {
            if let Some(value) = diagram.value() {
                *leaves.entry(value).or_default() += weight;
                continue;
            }
            for option in 0..self.sizes[level] {
                let branch = self.with(diagram, level, option);
                let next = self.level(branch);
                *open.entry((next, branch)).or_default() += weight * between(level + 1..next);
            }
        }
        leaves
    }

    /// The least sum of what the options at each level count where it holds; levels that it does not ask at count 0.
    pub(crate) fn least(
        &self,
        diagram: Diagram,
        number: &impl Fn(usize, usize) -> u64,
    ) -> Option<u64> {
        self.least_of(diagram, number, &mut HashMap::new())
    }

    fn least_of(
        &self,
        diagram: Diagram,
        number: &impl Fn(usize, usize) -> u64,
        done: &mut HashMap<Diagram, Option<u64>>,
    ) -> Option<u64> {
        if let Some(value) = diagram.value() {
            return (value == 1).then_some(0);
        }
        if let Some(&found) = done.get(&diagram) {
            return found;
        }
        let level = self.level(diagram);
        let least = (0..self.sizes[level])
            .filter_map(|option| {
                let rest = self.least_of(self.with(diagram, level, option), number, done)?;
                Some(number(level, option) + rest)
            })
            .min();
        done.insert(diagram, least);
        least
    }
}

#[cfg(test)]
mod tests {
    use oddsmith_exact::Budget;
    use proptest::prelude::*;

    use super::{Diagram, Diagrams, TableDim};
    use crate::tune::cost::Costs;

    const SIZES: [usize; 4] = [3, 2, 4, 2];

    /// Every combination of options.
    fn all() -> Vec<[usize; 4]> {
        let mut all = Vec::new();
        for at in 0..SIZES.iter().product::<usize>() {
            let mut rest = at;
            let mut options = [0; 4];
            for (option, size) in options.iter_mut().zip(SIZES).rev() {
                (*option, rest) = (rest % size, rest / size);
            }
            all.push(options);
        }
        all
    }

    fn value(diagrams: &Diagrams<'_>, mut diagram: Diagram, options: &[usize]) -> u32 {
        for (level, option) in options.iter().enumerate() {
            diagram = diagrams.with(diagram, level, *option);
        }
        diagram.value().expect("all are said")
    }

    /// A table over some of the levels.
    fn tables() -> impl Strategy<Value = (Vec<usize>, Vec<u32>)> {
        let levels = proptest::sample::subsequence(vec![0, 1, 2, 3], 0..=3);
        levels.prop_flat_map(|levels| {
            let cells = levels.iter().map(|&level| SIZES[level]).product::<usize>();
            let values = proptest::collection::vec(0_u32..2, cells);
            (Just(levels), values)
        })
    }

    fn places() -> Vec<Vec<usize>> {
        SIZES.iter().map(|&size| (0..size).collect()).collect()
    }

    fn dims<'t>(levels: &[usize], places: &'t [Vec<usize>]) -> Vec<TableDim<'t>> {
        let mut stride = 1;
        let mut dims: Vec<TableDim<'t>> = Vec::new();
        for &level in levels.iter().rev() {
            dims.push(TableDim {
                level,
                places: &places[level],
                len: SIZES[level],
                stride,
            });
            stride *= SIZES[level];
        }
        dims.reverse();
        dims
    }

    fn cell(dims: &[TableDim<'_>], options: &[usize]) -> usize {
        dims.iter().map(|dim| options[dim.level] * dim.stride).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn diagrams_are_the_functions_of_their_tables(one in tables(), other in tables()) {
            let budget = Budget::unlimited();
            let costs = Costs { candidates: 48, budget: &budget };
            let mut diagrams = Diagrams::new(SIZES.to_vec(), costs);
            let places = places();
            let own = [&one, &other].map(|(levels, _)| dims(levels, &places));
            let a = diagrams.of_table(&own[0], &|cell| Diagram::leaf(one.1[cell])).expect("small");
            let b = diagrams.of_table(&own[1], &|cell| Diagram::leaf(other.1[cell])).expect("small");
            let (and, or) = (diagrams.and(a, b).expect("small"), diagrams.or(a, b).expect("small"));
            let not = diagrams.map(a, |value| Diagram::leaf(1 - value)).expect("small");
            let kept: Vec<bool> = (0..4).map(|level| other.0.contains(&level)).collect();
            let exists = diagrams.exists(a, &kept).expect("small");
            let mut marks = vec![false; other.1.len()];
            diagrams.mark(exists, &own[1], &mut marks);
            let mut expected = vec![false; other.1.len()];
            let (mut count, mut least) = (0, None);
            for (number, options) in all().into_iter().enumerate() {
                let [own_a, own_b] = [one.1[cell(&own[0], &options)], other.1[cell(&own[1], &options)]];
                prop_assert_eq!(value(&diagrams, a, &options), own_a);
                prop_assert_eq!(value(&diagrams, and, &options), own_a & own_b);
                prop_assert_eq!(value(&diagrams, or, &options), own_a | own_b);
                prop_assert_eq!(value(&diagrams, not, &options), 1 - own_a);
                expected[cell(&own[1], &options)] |= own_a == 1;
                if own_a & own_b == 1 {
                    count += 1;
                    least = least.or(Some(number as u64));
                }
            }
            prop_assert_eq!(marks, expected);
            prop_assert_eq!(diagrams.count(and), count);
            let number = |level: usize, option: usize| (option * SIZES[level + 1..].iter().product::<usize>()) as u64;
            prop_assert_eq!(diagrams.least(and, &number), least);
            // Reduced diagrams of equal functions are the same.
            let again = diagrams.and(b, a).expect("small");
            prop_assert_eq!(again, and);
        }
    }
}
