//! All candidates, block by block, in parallel.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use oddsmith_exact::{Budget, Error};
use rayon::prelude::*;

use crate::tune::asked::FoundAsked;
use crate::tune::cost::Costs;
use crate::tune::distance::Distance;
use crate::tune::probe::{Asking, Probe};
use crate::tune::rank::{Best, Front, Place};
use crate::tune::space::Space;

/// The questions that are asked of each candidate, in this order; one that fails is asked nothing more.
pub(crate) struct Probes<'p> {
    /// Requirements: whether it is legal.
    pub(crate) rules: Vec<Probe<'p>>,
    /// Hard goals: what it must meet.
    pub(crate) hard: Vec<Probe<'p>>,
    /// Soft goals: what it should come near to.
    pub(crate) soft: Vec<Probe<'p>>,
}

impl<'p> Probes<'p> {
    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Probe<'p>> {
        self.rules.iter().chain(&self.hard).chain(&self.soft)
    }

    /// What was asked about goals, candidate by candidate.
    pub(crate) fn asked(&self) -> Vec<FoundAsked> {
        let about_goals = self.hard.iter().chain(&self.soft);
        about_goals.map(Probe::asked).collect()
    }

    /// The hard goals in the order in which they are asked.
    pub(crate) fn order(&self) -> Vec<usize> {
        self.hard.iter().flat_map(Probe::goals).copied().collect()
    }

    /// Refuses a search through some candidates that can't fit, before it begins. What is certain counts: so many of them
    /// are looked at; unless a rule may forbid some, the first hard goals are asked of all, or, where there are none, all wishes
    /// are, and all of these candidates are ranked.
    ///
    /// # Errors
    /// If that is over the budget, or a cell is that is asked to learn it.
    pub(crate) fn foresee(
        &mut self,
        costs: Costs<'_>,
        looked: u64,
        range: &Range<u64>,
    ) -> Result<(), Error> {
        let Self { rules, hard, soft } = self;
        let mut wishes = 0;
        let certain: &mut [Probe<'p>] = match (rules.is_empty(), hard.first_mut()) {
            (false, _) => &mut [],
            (true, Some(first)) => std::slice::from_mut(first),
            (true, None) => {
                wishes = soft.iter().map(|probe| probe.goals().len()).sum();
                soft
            }
        };
        let mut steps = costs.least(looked, wishes);
        costs.foresee(steps)?;
        // A search through some of the candidates needs a part of the cells, nobody knows which.
        if *range == (0..costs.candidates) {
            // Nobody knows beforehand how much of a goal is asked that is halved.
            for probe in certain
                .iter_mut()
                .filter(|probe| looked > 0 || !probe.is_halved())
            {
                steps = steps.saturating_add(probe.predict()?);
            }
        }
        costs.foresee(steps)
    }
}

/// A run: where a search is, and what it may cost.
pub(crate) struct Run<'a, 'p> {
    pub(crate) space: &'a Space<'a>,
    pub(crate) probes: &'a Probes<'p>,
    pub(crate) budget: &'a Budget,
    /// The candidates that are looked at.
    pub(crate) range: Range<u64>,
}

/// The result of sifting some candidates.
#[derive(Debug, Default)]
pub(crate) struct Sifted {
    pub(crate) forbidden: u64,
    /// For each goal how many candidates it was the first to exclude.
    pub(crate) excluded: Vec<u64>,
    pub(crate) met: u64,
    pub(crate) best: Best,
    pub(crate) front: Front,
}

/// The misses of candidates none of which is right.
#[derive(Debug, Default)]
pub(crate) struct Missed {
    /// How many are legal.
    pub(crate) legal: u64,
    /// For each goal how many of these meet it.
    pub(crate) alone: Vec<u64>,
    /// For each goal how many miss it and none before it, in the order of the goals.
    pub(crate) excluded: Vec<u64>,
    /// The goals in the order of the probes.
    pub(crate) order: Vec<usize>,
    /// The sets of goals that candidates meet, a bit for each goal in that order.
    pub(crate) masks: BTreeSet<u64>,
    /// The candidate whose largest miss is the least, of equals the one that comes first by its place.
    pub(crate) nearest: Option<(Distance, Place)>,
}

/// Looks at the blocks of the candidates of `run.range`, in parallel, and hands what was found in each to `take` in
/// order, with the number of the first candidate that is not looked at yet. It ends early if `take` says so.
fn for_each_block<T: Send>(
    run: &Run<'_, '_>,
    look: impl Fn(u64) -> Result<T, Error> + Sync,
    mut take: impl FnMut(T, u64) -> Result<ControlFlow<()>, Error>,
) -> Result<u64, Error> {
    let block = run.space.block;
    let candidates = run.range.end;
    let blocks = candidates.div_ceil(block);
    let at_once = 8 * u64::try_from(rayon::current_num_threads()).unwrap_or(1);
    let mut next = run.range.start / block;
    while next < blocks {
        let batch = next..blocks.min(next + at_once);
        let found: Vec<Result<T, Error>> = batch.clone().into_par_iter().map(&look).collect();
        for (at, found) in batch.zip(found) {
            next = at + 1;
            let done = candidates.min(next * block);
            if take(found?, done)?.is_break() {
                return Ok(done);
            }
        }
    }
    Ok(candidates)
}

impl Run<'_, '_> {
    fn costs(&self) -> Costs<'_> {
        Costs::new(self.space, self.budget)
    }

    /// Finds the candidates that meet all that they must, the best `top` of them, and their Pareto set. After each
    /// block `progress` hears how many candidates are done, and may end the search. The second part of the result is
    /// the first candidate that was not looked at.
    ///
    /// # Errors
    /// If a candidate has no answer, the first one in order; or over the budget.
    pub(crate) fn sift(
        &self,
        (top, goals): (usize, usize),
        mut progress: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(Sifted, u64), Error> {
        let mut all = Sifted::new(top, goals);
        let look = |block| self.sift_block(block, Sifted::new(top, goals));
        let end = for_each_block(self, look, |found, done| {
            all.merge(found, self.budget)?;
            Ok(progress(done))
        })?;
        Ok((all, end))
    }

    /// The misses of the candidates if all of them miss some goal; `self.probes.hard` tell how far.
    ///
    /// # Errors
    /// As [`Run::sift`].
    pub(crate) fn explain(
        &self,
        goals: usize,
        mut progress: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(Missed, u64), Error> {
        let mut all = Missed::new(goals);
        all.order = self.probes.order();
        let end = for_each_block(
            self,
            |block| self.explain_block(block, Missed::new(goals)),
            |found, done| {
                all.merge(found);
                Ok(progress(done))
            },
        )?;
        Ok((all, end))
    }

    /// One candidate by itself, as [`Run::sift`] finds it.
    ///
    /// # Errors
    /// As [`Run::sift`].
    pub(crate) fn sift_one(
        &self,
        number: u64,
        (top, goals): (usize, usize),
    ) -> Result<Sifted, Error> {
        self.only(number)
            .sift_block(number / self.space.block, Sifted::new(top, goals))
    }

    /// The misses of one candidate by itself, as [`Run::explain`] finds them.
    ///
    /// # Errors
    /// As [`Run::explain`].
    pub(crate) fn explain_one(&self, number: u64, goals: usize) -> Result<Missed, Error> {
        self.only(number)
            .explain_block(number / self.space.block, Missed::new(goals))
    }

    fn only(&self, number: u64) -> Self {
        Self {
            range: number..number + 1,
            ..*self
        }
    }

    /// The places inside of a block of the candidates that are to be looked at, and the number of its first one.
    fn places(&self, block: u64) -> (Range<usize>, u64) {
        let len = self.space.block;
        let first = block * len;
        let place = |number: u64| {
            usize::try_from(number.clamp(first, first + len) - first).expect("a block is small")
        };
        (place(self.range.start)..place(self.range.end), first)
    }

    pub(crate) fn sift_block(&self, block: u64, mut found: Sifted) -> Result<Sifted, Error> {
        let (places, first) = self.places(block);
        let options = self.space.options(first);
        self.costs().look(places.len())?;
        let mut alive: Vec<usize> = places.collect();
        for rule in &self.probes.rules {
            let before = alive.len() as u64;
            sieve(&mut alive, rule.in_block(self.space, &options), |_| {})?;
            found.forbidden += before - alive.len() as u64;
        }
        for probe in &self.probes.hard {
            if alive.is_empty() {
                return Ok(found);
            }
            let goals = probe.goals();
            sieve(&mut alive, probe.in_block(self.space, &options), |goal| {
                found.excluded[goals[goal]] += 1;
            })?;
        }
        found.met = alive.len() as u64;
        self.rank(&alive, (first, &options), &mut found)?;
        Ok(found)
    }

    /// Ranks the candidates of a block that meet what they must.
    fn rank(
        &self,
        alive: &[usize],
        (first, options): (u64, &[usize]),
        found: &mut Sifted,
    ) -> Result<(), Error> {
        let outer = self.space.outer_change(options);
        let soft = self.probes.soft.iter();
        let mut soft: Vec<Asking<'_, '_>> = soft
            .map(|probe| probe.in_block(self.space, options))
            .collect();
        let wishes: usize = soft.iter().map(|asking| asking.goals().len()).sum();
        self.costs().rank(alive.len(), wishes)?;
        for &at in alive {
            let place = Place {
                change: outer.plus(self.space.inner_change(at)),
                number: first + at as u64,
            };
            let mut parts: Vec<&Distance> = Vec::with_capacity(wishes);
            for asking in &mut soft {
                parts.extend(asking.off(at)?);
            }
            found.best.offer(place, &parts);
            if wishes > 1 {
                found.front.offer(place, &parts, self.budget)?;
            }
        }
        Ok(())
    }

    pub(crate) fn explain_block(&self, block: u64, mut found: Missed) -> Result<Missed, Error> {
        let (places, first) = self.places(block);
        let options = self.space.options(first);
        self.costs().look(places.len())?;
        let mut alive: Vec<usize> = places.collect();
        for rule in &self.probes.rules {
            sieve(&mut alive, rule.in_block(self.space, &options), |_| {})?;
        }
        found.legal = alive.len() as u64;
        let outer = self.space.outer_change(&options);
        let hard = self.probes.hard.iter();
        let mut hard: Vec<Asking<'_, '_>> = hard
            .map(|probe| probe.in_block(self.space, &options))
            .collect();
        let goals: usize = hard.iter().map(|asking| asking.goals().len()).sum();
        self.costs().explain(alive.len(), goals)?;
        for at in alive {
            let (mut mask, mut bit) = (0_u64, 0);
            let mut first_missed = usize::MAX;
            let mut worst: Option<Distance> = None;
            for asking in &mut hard {
                let goals = asking.goals();
                for (goal, off) in goals.iter().zip(asking.off(at)?) {
                    if off.is_zero() {
                        mask |= 1 << bit;
                        found.alone[*goal] += 1;
                    } else {
                        first_missed = first_missed.min(*goal);
                    }
                    bit += 1;
                    if worst.as_ref().is_none_or(|worst| off > worst) {
                        worst = Some(off.clone());
                    }
                }
            }
            if let Some(excluded) = found.excluded.get_mut(first_missed) {
                *excluded += 1;
            }
            found.masks.insert(mask);
            let place = Place {
                change: outer.plus(self.space.inner_change(at)),
                number: first + at as u64,
            };
            found.offer(worst, place);
        }
        Ok(found)
    }
}

/// Keeps the candidates that miss none of a probe's goals; `lost` hears which goal each of the others misses first.
fn sieve(
    alive: &mut Vec<usize>,
    mut asking: Asking<'_, '_>,
    mut lost: impl FnMut(usize),
) -> Result<(), Error> {
    let mut error = None;
    alive.retain(|&at| {
        if error.is_some() {
            return false;
        }
        match asking.first_missed(at) {
            Ok(None) => true,
            Ok(Some(goal)) => {
                lost(goal);
                false
            }
            Err(found) => {
                error = Some(found);
                false
            }
        }
    });
    error.map_or(Ok(()), Err)
}

impl Sifted {
    pub(crate) fn new(top: usize, goals: usize) -> Self {
        Self {
            excluded: vec![0; goals],
            best: Best::new(top),
            ..Self::default()
        }
    }

    pub(crate) fn merge(&mut self, later: Self, budget: &Budget) -> Result<(), Error> {
        self.forbidden += later.forbidden;
        self.met += later.met;
        for (all, later) in self.excluded.iter_mut().zip(later.excluded) {
            *all += later;
        }
        self.best.merge(later.best);
        self.front.merge(later.front, budget)
    }
}

impl Missed {
    pub(crate) fn new(goals: usize) -> Self {
        Self {
            alone: vec![0; goals],
            excluded: vec![0; goals],
            ..Self::default()
        }
    }

    /// Counts so many legal candidates that meet a set of goals, a bit for each of `order`, and no others.
    pub(crate) fn add(&mut self, mask: u64, candidates: u64, order: &[usize]) {
        self.legal += candidates;
        self.masks.insert(mask);
        let met = |bit: &usize| mask >> bit & 1 == 1;
        for bit in (0..order.len()).filter(met) {
            self.alone[order[bit]] += candidates;
        }
        let missed = (0..order.len()).filter(|bit| !met(bit));
        if let Some(first) = missed.map(|bit| order[bit]).min() {
            self.excluded[first] += candidates;
        }
    }

    fn offer(&mut self, worst: Option<Distance>, place: Place) {
        let Some(worst) = worst else { return };
        let is_nearer = |(known, at): &(Distance, Place)| {
            let order = worst.cmp(known);
            order.then_with(|| place.cmp(at)).is_lt()
        };
        if self.nearest.as_ref().is_none_or(is_nearer) {
            self.nearest = Some((worst, place));
        }
    }

    pub(crate) fn merge(&mut self, later: Self) {
        self.legal += later.legal;
        for (all, later) in self.alone.iter_mut().zip(later.alone) {
            *all += later;
        }
        for (all, later) in self.excluded.iter_mut().zip(later.excluded) {
            *all += later;
        }
        self.masks.extend(later.masks);
        if let Some((worst, place)) = later.nearest {
            self.offer(Some(worst), place);
        }
    }
}
