//! The search without looking at each candidate: every question is asked only of what it can tell apart, and its answers
//! are multiplied out as diagrams.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::tune::asked::FoundAsked;
use crate::tune::bisect::Bisection;
use crate::tune::cost::Costs;
use crate::tune::diagram::{Diagram, Diagrams, Halt};
use crate::tune::distance::Distance;
use crate::tune::order::order;
use crate::tune::paths::{Paths, Wish};
use crate::tune::probe::{Probe, Table};
use crate::tune::rank::{Best, Place};
use crate::tune::search::{Missed, Probes, Sifted};
use crate::tune::space::Space;

/// Cells of which all are asked for, needed or not, where an answer is a few sums.
const FEW_CELLS: u128 = 1 << 16;

/// Questions that are asked one by one until it is asked again whether to go on.
const ASKED_AT_ONCE: u64 = 1 << 12;

/// A search, and what is known by now.
pub(crate) struct Sharing<'a> {
    space: &'a Space<'a>,
    costs: Costs<'a>,
    diagrams: Diagrams<'a>,
    /// The level of each dial.
    levels: Vec<usize>,
    /// What an option at a level adds to the place of a candidate.
    places: Vec<Vec<Place>>,
    /// The candidates that are searched and that no rule forbids.
    legal: Diagram,
    /// The candidates about which something is asked that has no answer.
    broken: Diagram,
    /// What was asked about goals.
    pub(crate) asked: Vec<FoundAsked>,
}

/// The end of a search that did not go wrong.
pub(crate) enum Outcome<T> {
    /// What it found.
    Found(T),
    /// The first candidate that has no answer.
    Broken(u64),
}

impl<'a> Sharing<'a> {
    /// The search over a range of candidates with the questions of these probes.
    ///
    /// # Errors
    /// If that is over the budget.
    pub(crate) fn new(
        space: &'a Space<'a>,
        costs: Costs<'a>,
        probes: &Probes<'_>,
        range: Range<u64>,
    ) -> Result<Self, Halt> {
        let sizes: Vec<usize> = space.dials.iter().map(|dial| dial.options.len()).collect();
        let reads: Vec<Vec<usize>> = probes.all().map(Probe::dials).collect();
        let order = order(&sizes, &reads);
        let mut levels = vec![0; order.len()];
        for (level, &dial) in order.iter().enumerate() {
            levels[dial] = level;
        }
        let place = |dial: usize, option: usize| Place {
            change: space.dial_change(dial, option),
            number: option as u64 * stride(&sizes, dial),
        };
        let places = order
            .iter()
            .map(|&dial| (0..sizes[dial]).map(|option| place(dial, option)).collect());
        let own = order.iter().map(|&dial| sizes[dial]).collect();
        let mut sharing = Self {
            space,
            costs,
            diagrams: Diagrams::new(own, costs),
            places: places.collect(),
            levels,
            legal: Diagram::NO,
            broken: Diagram::NO,
            asked: Vec::new(),
        };
        let (below, all) = (sharing.below(range.start)?, sharing.below(range.end)?);
        let rule = |all: Diagram, below: Diagram| {
            let is_in = |(all, below): (u32, u32)| Diagram::leaf(all & !below);
            all.value().zip(below.value()).map(is_in)
        };
        sharing.legal = sharing.diagrams.combine(all, below, rule)?;
        Ok(sharing)
    }

    /// The candidates with lower numbers than this one.
    fn below(&mut self, number: u64) -> Result<Diagram, Halt> {
        if number >= self.space.candidates {
            return Ok(Diagram::YES);
        }
        let options = self.space.options(number);
        // From the last dial on: those that are like it in all dials before, and below in the others.
        let mut below = Diagram::NO;
        for (dial, &own) in options.iter().enumerate().rev() {
            let level = self.levels[dial];
            let is = |yes| if yes { Diagram::YES } else { Diagram::NO };
            let same = self.diagrams.of_level(level, |option| is(option == own))?;
            let less = self.diagrams.of_level(level, |option| is(option < own))?;
            let both = self.diagrams.and(same, below)?;
            below = self.diagrams.or(less, both)?;
        }
        Ok(below)
    }

    /// Finds the candidates that meet all that they must, the best `top` of them, and their Pareto set. `go_on` is asked
    /// from time to time.
    ///
    /// # Errors
    /// If that is over the budget, it is ended, or diagrams grow too large.
    pub(crate) fn sift(
        &mut self,
        probes: &Probes<'_>,
        (top, goals): (usize, usize),
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome<Sifted>, Halt> {
        let mut found = Sifted::new(top, goals);
        let mut left = self.diagrams.count(self.legal);
        for rule in &probes.rules {
            let table = self.ask(rule, self.legal, go_on)?;
            self.legal = self.kept(self.legal, rule, (&table, 0))?;
        }
        found.forbidden = left - self.diagrams.count(self.legal) - self.diagrams.count(self.broken);
        let mut alive = self.legal;
        for probe in &probes.hard {
            if alive == Diagram::NO {
                break;
            }
            if probe.is_halved() {
                let met = self.halved(probe, go_on)?;
                left = self.diagrams.count(alive);
                alive = self.diagrams.and(alive, met)?;
                found.excluded[probe.goals()[0]] = left - self.diagrams.count(alive);
                continue;
            }
            let table = self.ask(probe, alive, go_on)?;
            for (at, &goal) in probe.goals().iter().enumerate() {
                left = self.diagrams.count(alive);
                alive = self.kept(alive, probe, (&table, at))?;
                found.excluded[goal] = left - self.diagrams.count(alive);
            }
        }
        found.met = self.diagrams.count(alive);
        if alive != Diagram::NO {
            self.rank(probes, (top, alive), &mut found, go_on)?;
        }
        Ok(self.outcome(found))
    }

    fn rank(
        &mut self,
        probes: &Probes<'_>,
        (top, mut alive): (usize, Diagram),
        found: &mut Sifted,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Halt> {
        let mut wishes = Vec::new();
        for probe in &probes.soft {
            let table = self.ask(probe, alive, go_on)?;
            alive = self.unbroken(alive, probe, &table)?;
            wishes.extend(self.wishes(probe, table)?);
        }
        if self.broken == Diagram::NO {
            let paths = self.paths(alive, &wishes);
            found.best = paths.best(top)?;
            if wishes.len() > 1 {
                found.front = paths.front()?;
            }
        }
        Ok(())
    }

    /// The misses of the candidates if all of them miss some goal; `probes.hard` tell how far. The rules were asked when
    /// they were sifted.
    ///
    /// # Errors
    /// As [`Sharing::sift`].
    pub(crate) fn explain(
        &mut self,
        probes: &Probes<'_>,
        goals: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome<Missed>, Halt> {
        let mut wishes = Vec::new();
        let mut legal = self.legal;
        for probe in &probes.hard {
            let table = self.ask(probe, legal, go_on)?;
            legal = self.unbroken(legal, probe, &table)?;
            wishes.extend(self.wishes(probe, table)?);
        }
        let mut missed = Missed::new(goals);
        let order = probes.order();
        if self.broken == Diagram::NO {
            for (mask, weight) in self.masks(legal, &wishes)? {
                missed.add(mask, weight, &order);
            }
            missed.nearest = self.nearest(legal, &wishes)?;
        }
        missed.order = order;
        Ok(self.outcome(missed))
    }

    fn outcome<T>(&self, found: T) -> Outcome<T> {
        let levels = &self.places;
        let number = |level: usize, option: usize| levels[level][option].number;
        match self.diagrams.least(self.broken, &number) {
            None => Outcome::Found(found),
            Some(first) => Outcome::Broken(first),
        }
    }

    fn paths<'s>(&'s self, met: Diagram, wishes: &'s [Wish]) -> Paths<'s, 'a> {
        Paths {
            diagrams: &self.diagrams,
            met,
            wishes,
            places: &self.places,
            costs: self.costs,
        }
    }

    /// The answers of a probe in all cells, or in those that some candidate needs for which a diagram holds.
    fn ask(
        &mut self,
        probe: &Probe<'_>,
        alive: Diagram,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Table, Halt> {
        let needed = if alive == Diagram::YES || probe.is_cheap() && probe.cells() <= FEW_CELLS {
            None
        } else {
            let dims = probe.table_dims(&self.levels);
            let mut kept = vec![false; self.levels.len()];
            dims.iter().for_each(|dim| kept[dim.level] = true);
            let seen = self.diagrams.exists(alive, &kept)?;
            let cells = usize::try_from(probe.cells()).map_err(|_| Halt::Full)?;
            let mut needed = vec![false; cells];
            self.diagrams.mark(seen, &dims, &mut needed);
            Some(needed)
        };
        let table = probe.ask(needed.as_deref(), go_on)?;
        let stretches = table.asked.iter();
        self.note(
            probe,
            stretches.map(|cells| cells.start as u64..cells.end as u64),
        );
        Ok(table)
    }

    /// Takes down of which cells a probe was asked; what rules say is no question.
    fn note(&mut self, probe: &Probe<'_>, cells: impl Iterator<Item = Range<u64>>) {
        if let Some(&goal) = probe.goals().first() {
            let mut asked = FoundAsked {
                goal,
                each: probe.goals().len() as u64,
                ..FoundAsked::default()
            };
            cells.for_each(|cells| asked.push(cells));
            self.asked.push(asked);
        }
    }

    /// What meets the only goal of a probe, whose answers go in one direction with some dials.
    fn halved(
        &mut self,
        probe: &Probe<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Diagram, Halt> {
        let mut asked = 0_u64;
        let dims = probe.bisect_dims(&self.levels);
        let mut bisection = Bisection {
            diagrams: &mut self.diagrams,
            ask: |cell| {
                asked += 1;
                if asked.is_multiple_of(ASKED_AT_ONCE) && !go_on() {
                    return Err(Halt::Ended);
                }
                probe.side(cell)
            },
            known: HashMap::new(),
        };
        let sides = bisection.sides(&dims, 0)?;
        let mut cells: Vec<u64> = bisection.known.keys().map(|cell| *cell as u64).collect();
        cells.sort_unstable();
        self.note(probe, cells.into_iter().map(|cell| cell..cell + 1));
        let is_right = |side| if side == 1 { Diagram::YES } else { Diagram::NO };
        self.diagrams.map(sides, is_right)
    }

    /// Those of the candidates that have an answer.
    fn unbroken(
        &mut self,
        alive: Diagram,
        probe: &Probe<'_>,
        table: &Table,
    ) -> Result<Diagram, Halt> {
        if table.errors.is_empty() {
            return Ok(alive);
        }
        let dims = probe.table_dims(&self.levels);
        let is_broken = |cell| match table.errors.binary_search(&cell) {
            Ok(_) => Diagram::YES,
            Err(_) => Diagram::NO,
        };
        let all = self.diagrams.of_table(&dims, &is_broken)?;
        let own = self.diagrams.and(alive, all)?;
        self.broken = self.diagrams.or(self.broken, own)?;
        let rule = |alive: Diagram, own: Diagram| match (alive, own) {
            (Diagram::NO, _) => Some(Diagram::NO),
            (alive, Diagram::NO) => Some(alive),
            (_, Diagram::YES) => Some(Diagram::NO),
            _ => None,
        };
        self.diagrams.combine(alive, own, rule)
    }

    /// Those of the candidates that do not miss the goal of a probe at a place.
    fn kept(
        &mut self,
        alive: Diagram,
        probe: &Probe<'_>,
        (table, at): (&Table, usize),
    ) -> Result<Diagram, Halt> {
        let alive = self.unbroken(alive, probe, table)?;
        let dims = probe.table_dims(&self.levels);
        let is_met = |cell: usize| match table.missed[cell] >> at & 1 {
            0 => Diagram::YES,
            _ => Diagram::NO,
        };
        let met = self.diagrams.of_table(&dims, &is_met)?;
        self.diagrams.and(alive, met)
    }

    /// How far candidates are from the goals of a probe.
    fn wishes(&mut self, probe: &Probe<'_>, table: Table) -> Result<Vec<Wish>, Halt> {
        let dims = probe.table_dims(&self.levels);
        let goals = table.distances.len();
        let mut wishes = Vec::new();
        for (at, distances) in table.distances.into_iter().enumerate() {
            let off = |cell: usize| Diagram::leaf(table.off[cell * goals + at]);
            wishes.push(Wish {
                diagram: self.diagrams.of_table(&dims, &off)?,
                distances,
            });
        }
        Ok(wishes)
    }

    /// What is at most so far off.
    fn within(&mut self, wish: &Wish, most: &Distance) -> Result<Diagram, Halt> {
        let near = wish.distances.partition_point(|own| own <= most);
        self.diagrams.map(wish.diagram, |value| {
            if (value as usize) < near {
                Diagram::YES
            } else {
                Diagram::NO
            }
        })
    }

    /// Each set of goals that some legal candidate meets, a bit for each, and how many candidates meet just these.
    fn masks(&mut self, legal: Diagram, wishes: &[Wish]) -> Result<Vec<(u64, u64)>, Halt> {
        // The values of the diagram are places in the list, from 1 on; 0 is what is not legal.
        let (mut masks, mut all) = (vec![0_u64], legal);
        for (bit, wish) in wishes.iter().enumerate() {
            let met = self.within(wish, &Distance::zero())?;
            let mut next: Vec<u64> = Vec::new();
            let mut known: BTreeMap<u64, u32> = BTreeMap::new();
            let rule = |all: Diagram, met: Diagram| {
                if all == Diagram::NO {
                    return Some(Diagram::NO);
                }
                let (own, is_met) = all.value().zip(met.value())?;
                let mask = masks[own as usize - 1] | u64::from(is_met) << bit;
                let place = *known.entry(mask).or_insert_with(|| {
                    next.push(mask);
                    u32::try_from(next.len()).expect("fewer sets than leaves")
                });
                Some(Diagram::leaf(place))
            };
            all = self.diagrams.combine(all, met, rule)?;
            masks = next;
        }
        let weights = self.diagrams.weights(all).into_iter();
        let found = weights.filter(|(value, _)| *value > 0);
        Ok(found
            .map(|(value, weight)| (masks[value as usize - 1], weight))
            .collect())
    }

    /// The least that the largest miss of a legal candidate can be, and the first candidate that misses by no more.
    fn nearest(
        &mut self,
        legal: Diagram,
        wishes: &[Wish],
    ) -> Result<Option<(Distance, Place)>, Halt> {
        if legal == Diagram::NO || wishes.is_empty() {
            return Ok(None);
        }
        let mut all: Vec<&Distance> = wishes.iter().flat_map(|wish| &wish.distances).collect();
        all.sort_unstable();
        all.dedup();
        let (mut low, mut high) = (0, all.len() - 1);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.all_within(legal, wishes, all[middle])? == Diagram::NO {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let near = self.all_within(legal, wishes, all[low])?;
        let best: Best = self.paths(near, &[]).best(1)?;
        let first = best.ranked.first().map(|ranked| ranked.place);
        Ok(first.map(|place| (all[low].clone(), place)))
    }

    fn all_within(
        &mut self,
        legal: Diagram,
        wishes: &[Wish],
        most: &Distance,
    ) -> Result<Diagram, Halt> {
        let mut near = legal;
        for wish in wishes {
            let own = self.within(wish, most)?;
            near = self.diagrams.and(near, own)?;
        }
        Ok(near)
    }
}

/// What an option of a dial counts in the number of a candidate.
fn stride(sizes: &[usize], dial: usize) -> u64 {
    sizes[dial + 1..].iter().map(|size| *size as u64).product()
}
