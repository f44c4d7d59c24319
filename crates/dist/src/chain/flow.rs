//! Mass that moves through a chain until all of it has come to an end, modulo primes.
//!
//! The mass of a state is `E[R^n; the state]`, for `n` below `K`: with moments added up to there, summed over all visits.
//! Exact masses of a long chain have thousands of bits, and every move would pay for all of them. Modulo a prime a mass is
//! one word. Only the masses of the ends are put together, from as many primes as their numerators have bits for: the
//! denominators are known, and so is how long the numerators may be ([`Denominators`]), so what is found is certain.

use std::collections::BTreeMap;

use dashu_int::ops::UnsignedAbs as _;
use dashu_int::{IBig, UBig};
use rayon::prelude::*;

use super::denominators::Denominators;
use super::graph::Graph;
use super::network::{Block, Incoming, Network};
use super::primes::{AT_ONCE, LANES, Lanes, PRIME_BITS, Prime, Sums, all_inverted, primes};
use super::remainders::Remainders;
use super::states::{Chain, End, Ends, Form};
use super::system::{Pattern, Triangles};
use crate::number::bits;
use crate::{Budget, Error};

/// So many groups of primes are worked with at once.
const MOST_GROUPS: usize = 8;

/// The steps of one over a number modulo a prime: as many products as the prime has bits.
const INVERSE_STEPS: u128 = 250;

/// See [`Chain::ends_from_each`], with the moments below `K`.
pub(super) fn ends<const K: usize>(
    chain: &Chain,
    starts: &[&[(usize, UBig)]],
    form: &Form,
    budget: &Budget,
) -> Result<Vec<Ends>, Error> {
    let all = starts.concat();
    chain.begin(&all, budget)?;
    let begun: Vec<UBig> = { starts.iter() }
        .map(|start| start.iter().map(|(_, weight)| weight).sum())
        .collect();
    if begun.iter().any(UBig::is_zero) {
        return Err(Error::Empty);
    }
    let graph = Graph::new(&chain.moves, &all);
    let form = (K > 1).then_some(form);
    let flow = Flow::<K>::new(chain, &graph, form, starts, budget)?;
    let determinants = flow.determinants(budget)?;
    let over = Denominators::new(&flow.network, &graph, &determinants, budget)?;
    let most = begun.iter().max().expect("one start is not empty");
    let count = flow.primes_for(over.bits(most, K - 1), budget)?;
    // What is put together in the end is not charged yet.
    let numbers = Remainders::steps(count, K * (graph.ends.len() + 1));
    let numbers = numbers.saturating_mul(starts.len() as u128);
    budget.foresee(flow.steps(count).saturating_add(numbers))?;
    flow.charge(count, budget)?;
    let (primes, masses) = flow.by_prime(count, budget, |solvers, primes| {
        let starts = solvers.starts.iter();
        let masses = starts.map(|start| flow.run((solvers, start), primes, &mut |_, _| {}));
        Ok(masses.collect::<Vec<_>>())
    });
    flow.collect(&over, begun, primes, &masses, budget)
}

/// A chain to run through.
pub(super) struct Flow<'g, const K: usize> {
    graph: &'g Graph,
    pub(super) network: Network,
    /// For each system of several states.
    pub(super) patterns: Vec<Option<Pattern>>,
    /// For each start what begins at each place that something begins at, ascending.
    starts: Vec<Vec<(usize, UBig)>>,
    /// Whether the weights of all moves to a place are together below `2^61`: sums of products with them need no division.
    is_narrow: bool,
}

/// What some primes make of a network.
pub(super) struct Solvers {
    /// The weights, plain.
    pub(super) weights: Vec<Lanes>,
    /// The numbers that moves add, in form.
    pub(super) gains: Vec<Lanes>,
    pub(super) systems: Vec<Solver>,
    pub(super) starts: Vec<StartLanes>,
}

/// What begins at each place that something begins at, ascending.
pub(super) type StartLanes = Vec<(usize, Lanes)>;

/// How the equations of a system are solved.
pub(super) enum Solver {
    /// One state: one over its determinant, twice in form.
    Single(Lanes),
    Several(Triangles),
}

/// Of an end the masses, prime by prime.
pub(super) type Masses<const K: usize> = [Lanes; K];

impl<'g, const K: usize> Flow<'g, K> {
    pub(super) fn new(
        chain: &Chain,
        graph: &'g Graph,
        form: Option<&Form>,
        starts: &[&[(usize, UBig)]],
        budget: &Budget,
    ) -> Result<Self, Error> {
        let network = Network::new(chain, graph, form, budget)?;
        Self::through(network, graph, starts, budget)
    }

    /// A run through a network, as it is.
    pub(super) fn through(
        network: Network,
        graph: &'g Graph,
        starts: &[&[(usize, UBig)]],
        budget: &Budget,
    ) -> Result<Self, Error> {
        let pattern = |system: usize| match &network.systems[system].diagonal[..] {
            [_] => Ok(None),
            _ => Pattern::new(&network.systems[system], budget).map(Some),
        };
        let patterns = (0..network.systems.len()).map(pattern);
        let patterns = patterns.collect::<Result<_, Error>>()?;
        let by_place = |start: &&[(usize, UBig)]| {
            let mut begins: BTreeMap<usize, UBig> = BTreeMap::new();
            for (state, weight) in start.iter().filter(|(_, weight)| !weight.is_zero()) {
                *begins.entry(graph.place(*state)).or_default() += weight;
            }
            begins.into_iter().collect()
        };
        let places = 0..=graph.lost();
        let incoming = places.map(|place| network.incoming(place).len()).max();
        let widest = network.weights.iter().map(bits).max().unwrap_or(0);
        Ok(Self {
            is_narrow: widest <= 32 && incoming < Some(1 << 28) && network.inner.len() < 1 << 28,
            graph,
            network,
            patterns,
            starts: starts.iter().map(by_place).collect(),
        })
    }

    /// The determinant of each system: no more than the product of its totals.
    pub(super) fn determinants(&self, budget: &Budget) -> Result<Vec<UBig>, Error> {
        let systems = &self.network.systems;
        let longest = |system: usize| {
            let diagonal = self.network.diagonal(system);
            let powers = diagonal.map(|total| bits(&(total - UBig::ONE)) as u128);
            powers.sum::<u128>() + 1
        };
        let several = (0..systems.len()).filter(|system| self.patterns[*system].is_some());
        let Some(most) = several.clone().map(longest).max() else {
            let single = (0..systems.len()).flat_map(|system| self.network.diagonal(system));
            return Ok(single.cloned().collect());
        };
        let count = self.primes_for(most, budget)?;
        budget.charge(self.elimination_steps().saturating_mul(count as u128))?;
        let (primes, found) = self.by_prime(count, budget, |solvers, _| {
            let determinant = |solver: &Solver| match solver {
                Solver::Single(_) => [0; LANES],
                Solver::Several(triangles) => triangles.determinant,
            };
            Ok(solvers
                .systems
                .iter()
                .map(determinant)
                .collect::<Vec<Lanes>>())
        });
        let mut all: Vec<UBig> = Vec::with_capacity(systems.len());
        let mut known: Option<(usize, Remainders)> = None;
        for at in 0..systems.len() {
            if self.patterns[at].is_none() {
                all.extend(self.network.diagonal(at).cloned());
                continue;
            }
            let count = usize::try_from(longest(at) / PRIME_BITS + 1).unwrap_or(primes.len());
            let known = match &mut known {
                Some((of, known)) if *of == count => known,
                other => {
                    &mut other
                        .insert((count, Remainders::new(primes[..count].to_vec(), budget)?))
                        .1
                }
            };
            let forms = found.iter().flat_map(|lanes| lanes[at]).zip(known.primes());
            let rests: Vec<u64> = forms.map(|(form, prime)| prime.product(form, 1)).collect();
            all.push(known.number(&rests)?.unsigned_abs());
        }
        Ok(all)
    }

    /// The primes that numbers of so many bits, and their sign, need.
    pub(super) fn primes_for(&self, bits: u128, budget: &Budget) -> Result<usize, Error> {
        let count = (bits + 1) / PRIME_BITS + 1;
        budget.charge(count.saturating_mul(count))?;
        let lanes = count.next_multiple_of(LANES as u128);
        Ok(usize::try_from(lanes).unwrap_or(usize::MAX))
    }

    /// The steps of all eliminations modulo one prime.
    pub(super) fn elimination_steps(&self) -> u128 {
        let patterns = self.patterns.iter().flatten();
        let several: u128 = patterns
            .map(|pattern| 5 * pattern.products + INVERSE_STEPS * pattern.size() as u128)
            .sum();
        several + 20 * self.network.totals.len() as u128
    }

    /// The steps of solving the systems of all blocks once, modulo one prime.
    pub(super) fn solution_steps(&self) -> u128 {
        let of_block = |block: &Block| match &self.patterns[block.system] {
            Some(pattern) => 12 * block.places.len() as u128 + 4 * pattern.products,
            None => 20,
        };
        self.network.blocks.iter().map(of_block).sum()
    }

    /// The steps of [`run`](Self::run) from each start modulo so many primes.
    fn steps(&self, count: usize) -> u128 {
        let network = &self.network;
        let pairs = (K * (K + 1) / 2) as u128;
        let (moves, inner) = (network.outer_moves() as u128, network.inner.len() as u128);
        let sources = network.sources.len() as u128;
        let moved = K as u128 * moves + 5 * pairs * (inner + sources);
        let run = moved + K as u128 * self.solution_steps();
        let steps = self.elimination_steps() + self.starts.len() as u128 * run;
        steps.saturating_mul(count as u128)
    }

    /// Charges for [`run`](Self::run) from each start modulo so many primes.
    pub(super) fn charge(&self, count: usize, budget: &Budget) -> Result<(), Error> {
        budget.charge(self.steps(count))?;
        let sources = self.network.sources.len() as u128;
        let ends = (self.starts.len() * (self.graph.ends.len() + 1)) as u128;
        let bytes = sources * (LANES * K * 8) as u128 + ends * (count * K * 8) as u128;
        budget.charge_memory(bytes)
    }

    /// What is found modulo so many primes, and the primes: those that divide a pivot are left out. Groups of primes are worked
    /// with at a time, on as many threads as there are.
    pub(super) fn by_prime<T: Send>(
        &self,
        count: usize,
        budget: &Budget,
        find: impl Fn(&Solvers, &[Prime; LANES]) -> Result<T, usize> + Sync,
    ) -> (Vec<Prime>, Vec<T>) {
        let find = |primes: &[Prime; LANES]| {
            let solvers = self.solvers(primes);
            solvers.and_then(|solvers| find(&solvers, primes))
        };
        let beside = self.charge_beside(budget);
        let (mut used, mut found) = (Vec::with_capacity(count), Vec::new());
        // Primes that were met, and not used yet: together with one that divides a pivot.
        let (mut left, mut next) = (Vec::new(), 0);
        while used.len() < count {
            let groups = ((count - used.len()) / LANES).clamp(1, 1 + beside);
            let missing = (groups * LANES).saturating_sub(left.len());
            left.extend(primes(next, missing));
            next += missing;
            let groups: Vec<[Prime; LANES]> = { left.chunks_exact(LANES).take(groups) }
                .map(|group| std::array::from_fn(|lane| group[lane]))
                .collect();
            left.drain(..groups.len() * LANES);
            let results: Vec<Result<T, usize>> = match &groups[..] {
                [group] => vec![find(group)],
                groups => groups.par_iter().map(find).collect(),
            };
            for (mut group, result) in groups.into_iter().map(Vec::from).zip(results) {
                match result {
                    Ok(result) => {
                        used.extend(group);
                        found.push(result);
                    }
                    Err(lane) => {
                        group.remove(lane);
                        left.extend(group);
                    }
                }
            }
        }
        budget.release_memory(self.group_bytes().saturating_mul(beside as u128));
        (used, found)
    }

    /// How many groups of primes are worked with beside another one, with the memory for them charged: fewer where there is
    /// less. Whoever is asked on a thread of many has others to answer on the rest.
    fn charge_beside(&self, budget: &Budget) -> usize {
        let is_alone = rayon::current_thread_index().is_none();
        let has_room = |beside: &usize| {
            let bytes = self.group_bytes().saturating_mul(*beside as u128);
            budget.charge_memory(bytes).is_ok()
        };
        let mut counts = (1..MOST_GROUPS).rev().filter(|_| is_alone);
        counts.find(has_room).unwrap_or(0)
    }

    /// What a group of primes takes while it is worked with.
    fn group_bytes(&self) -> u128 {
        let sources = K * self.network.sources.len();
        let patterns = self.patterns.iter().flatten();
        let coefficients = patterns.map(Pattern::coefficients).sum::<usize>();
        (LANES * 8 * (sources + coefficients)) as u128
    }

    /// # Errors
    /// The lane of a prime that divides a pivot.
    fn solvers(&self, primes: &[Prime; LANES]) -> Result<Solvers, usize> {
        let rests = |number: &UBig| std::array::from_fn(|lane| primes[lane].rest(number));
        let form = |lanes: Lanes| std::array::from_fn(|lane| primes[lane].form(lanes[lane]));
        let weights: Vec<Lanes> = self.network.weights.iter().map(rests).collect();
        let gain = |gain: &IBig| {
            std::array::from_fn(|lane| primes[lane].form(primes[lane].signed_rest(gain)))
        };
        let forms: Vec<Lanes> = match self.patterns.iter().any(Option::is_some) {
            true => weights.iter().map(|lanes| form(*lanes)).collect(),
            false => Vec::new(),
        };
        let totals = self.network.totals.iter().map(|total| form(rests(total)));
        let totals: Vec<Lanes> = totals.collect();
        let over_totals = inverses(&totals, primes)?;
        let mut systems = Vec::with_capacity(self.network.systems.len());
        for (system, pattern) in self.network.systems.iter().zip(&self.patterns) {
            systems.push(match pattern {
                Some(pattern) => {
                    Solver::Several(pattern.triangles((&totals, &over_totals), &forms, primes)?)
                }
                None => Solver::Single(form(over_totals[system.diagonal[0] as usize])),
            });
        }
        let start = |start: &Vec<(usize, UBig)>| {
            let start = start.iter();
            start
                .map(|(place, weight)| (*place, rests(weight)))
                .collect()
        };
        Ok(Solvers {
            gains: self.network.gains.iter().map(gain).collect(),
            starts: self.starts.iter().map(start).collect(),
            weights,
            systems,
        })
    }

    /// Moves all mass from a start until it has come to an end: the masses of all ends, then that of what never ends. `passed` is
    /// told those of the states of each block that comes at or after the start, over their totals.
    pub(super) fn run(
        &self,
        (solvers, start): (&Solvers, &StartLanes),
        primes: &[Prime; LANES],
        passed: &mut dyn FnMut(&Block, &[Masses<K>]),
    ) -> Vec<Masses<K>> {
        let network = &self.network;
        let mut sources = vec![[[0; LANES]; K]; network.sources.len()];
        let mut here: Vec<Masses<K>> = Vec::new();
        let mut column = Vec::new();
        // Moves lead forward from block to block.
        let first = start.first().map_or(0, |(place, _)| *place);
        let later = network.blocks.iter();
        for block in later.skip_while(|block| block.places.end <= first) {
            here.clear();
            here.resize(block.places.len(), [[0; LANES]; K]);
            for n in 0..K {
                self.solve(
                    block,
                    n,
                    ((solvers, start), primes),
                    &sources,
                    &mut here,
                    &mut column,
                );
            }
            passed(block, &here);
            for (place, mass) in block.places.clone().zip(&here) {
                for at in network.sources_of(place) {
                    let gain = network.sources[at].gain;
                    sources[at] = match gain {
                        0 => *mass,
                        _ => added(mass, &solvers.gains[gain as usize], primes),
                    };
                }
            }
        }
        let ends = self.graph.states.len()..=self.graph.lost();
        let mass = |place| {
            std::array::from_fn(|n| {
                let sums = self.coming(place, n, ((solvers, start), primes), &sources);
                std::array::from_fn(|lane| primes[lane].plain(sums[lane]))
            })
        };
        ends.map(mass).collect()
    }

    /// Turns what comes to each state of a block from outside into the sum over all visits, over the total of the state.
    fn solve(
        &self,
        block: &Block,
        n: usize,
        ((solvers, start), primes): ((&Solvers, &StartLanes), &[Prime; LANES]),
        sources: &[Masses<K>],
        here: &mut [Masses<K>],
        column: &mut Vec<Lanes>,
    ) {
        let mut sums = [[0; LANES]; 1];
        let mut many = Vec::new();
        let sums = match here.len() {
            1 => &mut sums[..],
            size => {
                many.resize(size, [0; LANES]);
                &mut many[..]
            }
        };
        for (place, sum) in block.places.clone().zip(&mut *sums) {
            *sum = self.coming(place, n, ((solvers, start), primes), sources);
        }
        if n > 0 {
            self.add_inside(block, n, (solvers, primes), here, sums);
        }
        match (&solvers.systems[block.system], &self.patterns[block.system]) {
            (Solver::Several(triangles), Some(pattern)) => {
                for (place, value) in pattern.solve(triangles, sums, column, primes) {
                    here[place][n] = value;
                }
            }
            (Solver::Single(inverse), _) => {
                for (lane, prime) in primes.iter().enumerate() {
                    here[0][n][lane] = prime.product(inverse[lane], prime.reduce(sums[0][lane]));
                }
            }
            (Solver::Several(_), None) => unreachable!("several states have a pattern"),
        }
    }

    /// Adds what moves inside a block add up, to the moments below `n`, which are known.
    fn add_inside(
        &self,
        block: &Block,
        n: usize,
        (solvers, primes): (&Solvers, &[Prime; LANES]),
        here: &[Masses<K>],
        sums: &mut [Sums],
    ) {
        let first = block.places.start;
        let inner = &self.network.inner[block.inner.clone()];
        // Moves that leave one state stand together, and mostly add the same.
        for same in inner.chunk_by(|one, next| (one.from, one.gain) == (next.from, next.gain)) {
            let mass = &here[same[0].from as usize - first];
            let mass = added(mass, &solvers.gains[same[0].gain as usize], primes)[n];
            for step in same {
                let weight = &solvers.weights[step.weight as usize];
                let sums = &mut sums[step.to as usize - first];
                for (lane, prime) in primes.iter().enumerate() {
                    match self.is_narrow {
                        true => sums[lane] += u128::from(mass[lane]) * u128::from(weight[lane]),
                        false => prime.add_product(&mut sums[lane], mass[lane], weight[lane]),
                    }
                }
            }
        }
    }

    /// What comes to a place from other blocks, and from the start.
    fn coming(
        &self,
        place: usize,
        n: usize,
        ((solvers, start), primes): ((&Solvers, &StartLanes), &[Prime; LANES]),
        sources: &[Masses<K>],
    ) -> Sums {
        let mut sums: Sums = [0; LANES];
        let add = |sums: &mut Sums, step: &Incoming| {
            let mass = &sources[step.source as usize][n];
            let weight = &solvers.weights[step.weight as usize];
            for lane in 0..LANES {
                sums[lane] += u128::from(mass[lane]) * u128::from(weight[lane]);
            }
        };
        let incoming = self.network.incoming(place);
        if self.is_narrow {
            incoming.iter().for_each(|step| add(&mut sums, step));
        } else {
            for some in incoming.chunks(AT_ONCE) {
                let mut products: Sums = [0; LANES];
                some.iter().for_each(|step| add(&mut products, step));
                for (lane, prime) in primes.iter().enumerate() {
                    prime.add_products(&mut sums[lane], products[lane]);
                }
            }
        }
        let begins = start.binary_search_by_key(&place, |(start, _)| *start);
        if let Some((_, weight)) = begins.ok().filter(|_| n == 0).map(|at| &start[at]) {
            for (lane, prime) in primes.iter().enumerate() {
                prime.add_product(&mut sums[lane], weight[lane], 1);
            }
        }
        sums
    }

    /// The ends of each start, over the common denominators.
    fn collect(
        &self,
        over: &Denominators,
        begun: Vec<UBig>,
        primes: Vec<Prime>,
        masses: &[Vec<Vec<Masses<K>>>],
        budget: &Budget,
    ) -> Result<Vec<Ends>, Error> {
        let remainders = Remainders::new(primes, budget)?;
        let scale = |prime: &Prime| {
            let unit = prime.form(prime.rest(&over.unit));
            let mut scale = prime.form(prime.rest(&over.total));
            std::array::from_fn(|_| {
                let next = prime.product(scale, unit);
                std::mem::replace(&mut scale, next)
            })
        };
        let scales: Vec<[u64; K]> = remainders.primes().iter().map(scale).collect();
        let moment = |start: usize, at: usize, n: usize| {
            if n >= K {
                return Ok(IBig::ZERO);
            }
            let rests = masses.iter().flat_map(|masses| masses[start][at][n]);
            let known = remainders.primes().iter().zip(&scales).zip(rests);
            let rests: Vec<u64> = known
                .map(|((prime, scale), rest)| prime.product(scale[n], rest))
                .collect();
            remainders.number(&rests)
        };
        let ends_of = |(start, begun): (usize, UBig)| {
            let mut ends = Vec::with_capacity(self.graph.ends.len());
            for (at, state) in self.graph.ends.iter().enumerate() {
                let weight = moment(start, at, 0)?.unsigned_abs();
                // Another start may come to ends that this one does not.
                if !weight.is_zero() {
                    ends.push(End {
                        state: *state,
                        weight,
                        first: moment(start, at, 1)?,
                        second: moment(start, at, 2)?,
                    });
                }
            }
            Ok(Ends {
                never: moment(start, self.graph.ends.len(), 0)?.unsigned_abs(),
                ends,
                total: begun * &over.total,
                unit: over.unit.clone(),
            })
        };
        begun.into_iter().enumerate().map(ends_of).collect()
    }
}

/// One over each number, all in form.
///
/// # Errors
/// The lane in which one is 0.
fn inverses(numbers: &[Lanes], primes: &[Prime; LANES]) -> Result<Vec<Lanes>, usize> {
    // One division for all: one over the product of all, times all others.
    let product = |one: &Lanes, other: &Lanes| -> Lanes {
        std::array::from_fn(|lane| primes[lane].product(one[lane], other[lane]))
    };
    let mut before = std::array::from_fn(|lane| primes[lane].form(1));
    let mut inverses = Vec::with_capacity(numbers.len());
    for number in numbers {
        inverses.push(before);
        before = product(&before, number);
    }
    let mut rest = all_inverted(&before, primes)?;
    for (number, inverse) in numbers.iter().zip(&mut inverses).rev() {
        *inverse = product(&rest, inverse);
        rest = product(&rest, number);
    }
    Ok(inverses)
}

/// The moments of masses after a number was added: `(R + r)^2 = R^2 + r (R + (R + r))`.
fn added<const K: usize>(mass: &Masses<K>, gain: &Lanes, primes: &[Prime; LANES]) -> Masses<K> {
    let mut after = *mass;
    for (lane, prime) in primes.iter().enumerate() {
        let gain = gain[lane];
        if K > 1 {
            after[1][lane] = prime.sum(mass[1][lane], prime.product(gain, mass[0][lane]));
        }
        if K > 2 {
            let both = prime.sum(mass[1][lane], after[1][lane]);
            after[2][lane] = prime.sum(mass[2][lane], prime.product(gain, both));
        }
    }
    after
}
