//! How many moves a chain makes.

use std::collections::VecDeque;
use std::ops::Range;

use dashu_int::UBig;

use super::graph::Graph;
use super::limbs::{Sum, Term, set_sums};
use super::rows::Rows;
use super::states::{Chain, Lengths};
use crate::number::weights::WeightRow;
use crate::number::{Number, add_product, bits, gcd, words, write_words};
use crate::{Budget, Error};

/// See [`Chain::lengths`].
pub(super) fn lengths(
    chain: &Chain,
    start: &[(usize, UBig)],
    horizon: usize,
    budget: &Budget,
) -> Result<Lengths, Error> {
    let begun = chain.begin(start, budget)?;
    let graph = Graph::new(&chain.moves, start);
    let rows = Rows::new(chain, &graph, budget)?;
    let horizon = rows.most_moves(&graph, horizon);
    let length = bits(&rows.total) as u128 * horizon as u128 + bits(&begun) as u128;
    budget.charge(steps(&rows, horizon, words(length)))?;
    let numbers = 2 * (graph.states.len() as u128 + horizon as u128);
    budget.charge_memory(numbers.saturating_mul(32 + 8 * words(length)))?;
    // The same parts by where they lead, and several moves at once.
    budget.charge_memory(96 * rows.parts.len() as u128)?;

    let sizes = Sizes {
        begun: bits(&begun),
        total: bits(&rows.total),
    };
    let rows = rows.doubled_while_it_pays(horizon);
    let ended = ended(&rows, &graph, start, &sizes, horizon);
    let total = begun * rows.total.pow(horizon);
    Ok(over_one_total(&ended, &rows.total, &sizes, total))
}

/// See [`Chain::lengths_from_each`].
///
/// What ends with the n-th move from a state is what its first move leads to, and ends with the next `n - 1` from there: so what
/// is known of all states after `n - 1` moves tells what ends with the n-th, as going back along every move.
pub(super) fn lengths_from_each(
    chain: &Chain,
    starts: &[usize],
    horizon: usize,
    budget: &Budget,
) -> Result<Vec<Lengths>, Error> {
    let all: Vec<(usize, UBig)> = starts.iter().map(|state| (*state, UBig::ONE)).collect();
    chain.begin(&all, budget)?;
    let graph = Graph::new(&chain.moves, &all);
    let rows = Rows::new(chain, &graph, budget)?;
    let horizon = rows.most_moves(&graph, horizon);
    let sizes = Sizes {
        begun: 1,
        total: bits(&rows.total),
    };
    let width = sizes.words(horizon.max(1)) as u128;
    let own = starts.len() as u128 * horizon as u128;
    budget.charge(steps(&rows, horizon, width))?;
    budget.charge(own.saturating_mul(100 + width * width / 2))?;
    let numbers = 2 * graph.states.len() as u128 + 2 * own;
    budget.charge_memory(numbers.saturating_mul(32 + 8 * width))?;
    budget.charge_memory(144 * rows.parts.len() as u128)?;

    let places: Vec<usize> = starts.iter().map(|state| graph.place(*state)).collect();
    let zeros = || WeightRow::zeros(sizes.words(horizon), horizon + 1);
    let mut ended: Vec<WeightRow> = places.iter().map(|_| zeros()).collect();
    for (place, ended) in places.iter().zip(&mut ended) {
        if (rows.states()..graph.lost()).contains(place) {
            ended.set(0, &UBig::ONE);
        }
    }
    let (back, begin) = rows.turned();
    // What ends with the first move is there from the beginning.
    let room = sizes.words(horizon.max(1));
    let mut flow = Flow::new(&back, &begin, Periods::new(&back, &begin), room);
    for moves in 1..=horizon {
        if moves > 1 {
            flow.make_moves(sizes.words(moves));
        }
        for (place, ended) in places.iter().zip(&mut ended) {
            if *place < rows.states() {
                let ended = ended.get_mut(moves);
                ended.copy_from_slice(&flow.number(*place)[..ended.len()]);
            }
        }
    }
    let total = rows.total.pow(horizon);
    let of_start = |ended| over_one_total(ended, &rows.total, &sizes, total.clone());
    Ok(ended.iter().map(of_start).collect())
}

/// How long numbers become, in bits.
struct Sizes {
    begun: usize,
    total: usize,
}

impl Sizes {
    /// Words of `begun * total^moves`.
    fn words(&self, moves: usize) -> usize {
        (self.begun + moves * self.total).div_ceil(64)
    }

    /// Words of `total^moves`.
    fn words_of_power(&self, moves: usize) -> usize {
        (moves * self.total).div_ceil(64).max(1)
    }
}

/// Lengths over `whole`, the largest of the totals `begun * total^n`, from weights over each.
fn over_one_total(ended: &WeightRow, total: &UBig, sizes: &Sizes, whole: UBig) -> Lengths {
    let horizon = ended.len() - 1;
    let width = sizes.words(horizon);
    let total = WeightRow::from_big(std::iter::once(total));
    let [mut power, mut product] = std::array::from_fn(|_| vec![0; width]);
    power[0] = 1;
    let mut weights = Vec::with_capacity(ended.len());
    for moves in (0..=horizon).rev() {
        let known = sizes.words_of_power(horizon - moves);
        product.fill(0);
        let weight = &ended.get(moves)[..sizes.words(moves)];
        add_product(&mut product, weight, &power[..known]);
        weights.push(<UBig as Number>::from_words(&product));
        if moves > 0 {
            product.fill(0);
            add_product(&mut product, &power[..known], total.get(0));
            std::mem::swap(&mut power, &mut product);
        }
    }
    weights.reverse();
    Lengths {
        beyond: &whole - weights.iter().sum::<UBig>(),
        weights,
        total: whole,
    }
}

/// The steps that [`ended`] takes, if it makes moves one by one, with numbers that grow to so many words; and what
/// turns its weights into those over one total.
fn steps(rows: &Rows, horizon: usize, width: u128) -> u128 {
    let parts = (rows.parts.len() + rows.states()) as u128;
    let parts = parts.saturating_mul(3 + width / 4);
    let whole = 100 + width.saturating_mul(width) / 2;
    (parts.saturating_add(whole)).saturating_mul(horizon as u128 + 1)
}

/// The weight that ends after each number of moves `n`, over `begun * total^n`.
fn ended(
    rows: &Rows,
    graph: &Graph,
    start: &[(usize, UBig)],
    sizes: &Sizes,
    horizon: usize,
) -> WeightRow {
    let mut begin = vec![UBig::ZERO; rows.states() + 1];
    for (state, weight) in start.iter().filter(|(_, weight)| !weight.is_zero()) {
        let place = graph.place(*state);
        if place != graph.lost() {
            begin[place.min(rows.states())] += weight;
        }
    }
    let mut ended = WeightRow::zeros(sizes.words(horizon), horizon + 1);
    ended.set(0, &begin[rows.states()]);
    begin.pop();

    let last = horizon.next_multiple_of(rows.at_once);
    let periods = Periods::new(rows, &begin);
    let mut flow = Flow::new(rows, &begin, periods, sizes.words(last));
    let mut blocks = graph.blocks.iter().peekable();
    for made in (rows.at_once..=last).step_by(rows.at_once) {
        while let Some(block) = blocks.next_if(|block| flow.is_zero(block)) {
            flow.from = block.end;
        }
        flow.make_moves(sizes.words(made));
        for moves in made - rows.at_once + 1..=made.min(horizon) {
            let ended = ended.get_mut(moves);
            let number = flow.number(rows.states() + made - moves);
            ended.copy_from_slice(&number[..ended.len()]);
        }
    }
    ended
}

/// When states can have a weight: after `n` moves only those whose phase is `n` modulo the number of phases.
struct Periods {
    /// For each state.
    phases: Vec<usize>,
    count: usize,
}

/// More phases are not told apart.
const MOST_PHASES: usize = 64;

impl Periods {
    fn new(rows: &Rows, begin: &[UBig]) -> Self {
        let states = rows.states();
        if rows.at_once > 1 {
            return Self {
                phases: vec![0; states],
                count: 1,
            };
        }
        // The fewest moves to each state: any other number of moves differs from it by a multiple of the period.
        let mut moves = vec![usize::MAX; states];
        let start = (0..states).filter(|place| !begin[*place].is_zero());
        let mut queue: VecDeque<usize> = start.collect();
        queue.iter().for_each(|place| moves[*place] = 0);
        let mut period = 0;
        while let Some(from) = queue.pop_front() {
            for part in rows.of(from).filter(|part| part.to < states) {
                if moves[part.to] == usize::MAX {
                    moves[part.to] = moves[from] + 1;
                    queue.push_back(part.to);
                }
                let differs = (moves[from] + 1).abs_diff(moves[part.to]);
                period = gcd(period, differs as u64);
            }
        }
        let longest = moves.iter().max().map_or(1, |most| most.saturating_add(2));
        let count = match usize::try_from(period) {
            Ok(0) => longest.min(MOST_PHASES),
            Ok(period) if period <= MOST_PHASES => period,
            _ => 1,
        };
        let phases = moves.into_iter().map(|moves| moves % count).collect();
        Self { phases, count }
    }
}

/// The weights of all places, move after move.
struct Flow {
    /// The terms, by the place that they come to.
    terms: Vec<Term>,
    /// The place that each comes from.
    sources: Vec<usize>,
    /// For each place the end of its terms.
    until: Vec<usize>,
    states: usize,
    /// Whether the digits that are multiplied for one place are more than a word together.
    is_wide: bool,
    /// Words from one number to the next, and those below each: room for what stands below a digit.
    stride: usize,
    below: usize,
    weights: Vec<u64>,
    next: Vec<u64>,
    /// No state before this place has a weight any more.
    from: usize,
    /// No state from this place on has had one yet.
    before: usize,
    /// For each phase the sums of its states that lie between these two rows; and those of what ends.
    sums: Vec<Vec<Sum>>,
    ended: Vec<Sum>,
    between: Range<usize>,
    periods: Periods,
    /// The moves that were made.
    made: usize,
}

impl Flow {
    /// At the start, where states have these weights, with room for so many words.
    fn new(rows: &Rows, begin: &[UBig], periods: Periods, width: usize) -> Self {
        let places = rows.states() + rows.at_once;
        let below = rows.parts.iter().map(|part| part.shift).max();
        let below = below.unwrap_or(0);
        let stride = below + width;
        let mut digits = vec![0_u128; places];
        let mut next = vec![0; places + 1];
        for part in &rows.parts {
            next[part.to + 1] += 1;
            digits[part.to] += u128::from(part.digit);
        }
        for place in 0..places {
            next[place + 1] += next[place];
        }
        let mut terms = vec![Term { at: 0, digit: 0 }; rows.parts.len()];
        let mut sources = vec![0; rows.parts.len()];
        for part in &rows.parts {
            let place = next[part.to];
            next[part.to] += 1;
            terms[place] = Term {
                at: part.from * stride + below - part.shift,
                digit: part.digit,
            };
            sources[place] = part.from;
        }
        next.pop();
        let mut weights = vec![0; stride * places];
        for (weight, words) in begin.iter().zip(weights.chunks_exact_mut(stride)) {
            write_words(weight, &mut words[below..]);
        }
        let last = begin.iter().rposition(|weight| !weight.is_zero());
        Self {
            terms,
            sources,
            until: next,
            states: rows.states(),
            is_wide: digits.iter().any(|sum| *sum > u128::from(u64::MAX)),
            stride,
            below,
            next: vec![0; weights.len()],
            weights,
            from: 0,
            before: last.map_or(0, |last| last + 1),
            sums: vec![Vec::new(); periods.count],
            ended: Vec::with_capacity(rows.at_once),
            between: 0..0,
            periods,
            made: 0,
        }
    }

    /// The weight of a place.
    fn number(&self, place: usize) -> &[u64] {
        &self.weights[place * self.stride..][self.below..self.stride]
    }

    /// Whether no place of a block has a weight.
    fn is_zero(&self, block: &Range<usize>) -> bool {
        let words = &self.weights[block.start * self.stride..block.end * self.stride];
        words.iter().all(|word| *word == 0)
    }

    /// Goes on to weights of so many words.
    fn make_moves(&mut self, words: usize) {
        if self.between != (self.from..self.before) {
            self.find_sums();
        }
        let set_sums = if self.is_wide {
            set_sums::<true>
        } else {
            set_sums::<false>
        };
        let count = self.periods.count;
        self.made += 1;
        if count > 2 {
            // What stands there are the weights two moves before.
            for sum in &self.sums[(self.made + count - 2) % count] {
                self.next[sum.at..][..words].fill(0);
            }
        }
        for sums in [&mut self.sums[self.made % count], &mut self.ended] {
            set_sums(&mut self.next, sums, &self.terms, &self.weights, words);
        }
        std::mem::swap(&mut self.weights, &mut self.next);
    }

    /// Finds the states that may have had a weight or get one, and what comes there from states that may have one; and
    /// what comes to all that ends.
    fn find_sums(&mut self) {
        let (from, before) = (self.from, self.before);
        self.between = from..before;
        self.sums.iter_mut().for_each(Vec::clear);
        self.ended.clear();
        for place in from..self.until.len() {
            let first = place.checked_sub(1).map_or(0, |before| self.until[before]);
            let sources = &self.sources[first..self.until[place]];
            let end = first + sources.partition_point(|source| *source < before);
            if place < before || place >= self.states || end > first {
                let terms = first + sources.partition_point(|source| *source < from)..end;
                let at = place * self.stride + self.below;
                let sums = match self.periods.phases.get(place) {
                    Some(phase) => &mut self.sums[*phase],
                    None => &mut self.ended,
                };
                sums.push(Sum {
                    at,
                    terms,
                    carry: 0,
                });
                self.before = self.before.max((place + 1).min(self.states));
            }
        }
    }
}
