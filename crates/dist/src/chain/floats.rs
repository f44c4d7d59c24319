//! Bounds by floats that hold for certain: how likely it is to go on for long and to end all the same, and after how
//! many moves so many have ended. All of it comes with a bound of what rounding may have done.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::graph::Graph;
use super::states::{Chain, Move};
use crate::{Budget, Error};

/// Less than this is not told from it: far above what floats can't hold, far below what anybody asks for.
const LEAST: f64 = 1e-250;

/// Moves that are paid for at once.
const BLOCK: usize = 256;

/// The probabilities of all states after some moves.
struct Flow<'b> {
    /// For each state where its moves lead, and how likely: to states from which an end can be reached, and, behind
    /// these, to all ends together.
    moves: Vec<Vec<(usize, f64)>>,
    states: Vec<f64>,
    ended: f64,
    made: usize,
    /// The most moves that lead to one place.
    widest: usize,
    budget: &'b Budget,
}

impl<'b> Flow<'b> {
    fn new(chain: &Chain, start: &[(usize, UBig)], budget: &'b Budget) -> Result<Self, Error> {
        let begun = chain.begin(start, budget)?;
        let graph = Graph::new(&chain.moves, start);
        let count = graph.states.len();
        let mut flow = Self {
            moves: Vec::with_capacity(count),
            states: vec![0.0; count],
            ended: 0.0,
            made: 0,
            widest: 0,
            budget,
        };
        let place = |state: usize| {
            Some(graph.place(state).min(count)).filter(|_| graph.place(state) != graph.lost())
        };
        let mut led_to = vec![0; count + 1];
        for state in &graph.states {
            let steps = &chain.moves[*state];
            let total: UBig = steps.iter().map(|step| &step.weight).sum();
            let to = |step: &Move| Some((place(step.to)?, share(&step.weight, &total)));
            let moves: Vec<(usize, f64)> = steps.iter().filter_map(to).collect();
            moves.iter().for_each(|(to, _)| led_to[*to] += 1);
            flow.moves.push(moves);
        }
        flow.widest = led_to.into_iter().max().unwrap_or(0);
        for (state, weight) in start.iter().filter(|(_, weight)| !weight.is_zero()) {
            match place(*state) {
                Some(place) if place < count => flow.states[place] += share(weight, &begun),
                Some(_) => flow.ended += share(weight, &begun),
                None => {}
            }
        }
        Ok(flow)
    }

    /// One more move.
    fn advance(&mut self) -> Result<(), Error> {
        if self.made.is_multiple_of(BLOCK) {
            let moves: usize = self.moves.iter().map(Vec::len).sum();
            self.budget
                .charge(BLOCK as u128 * (2 * moves + self.states.len()) as u128)?;
        }
        let mut next = vec![0.0; self.states.len()];
        for (weight, moves) in self.states.iter().zip(&self.moves) {
            if *weight > 0.0 {
                for (to, chance) in moves {
                    match next.get_mut(*to) {
                        Some(sum) => *sum += weight * chance,
                        None => self.ended += weight * chance,
                    }
                }
            }
        }
        (self.states, self.made) = (next, self.made + 1);
        Ok(())
    }

    /// The probability that it goes on and can still end.
    fn open(&self) -> f64 {
        self.states.iter().sum()
    }

    /// Every sum and product is off by half an epsilon at the most, and each number has been through no more of them than
    /// this; so it is off by no more than this part of itself, and by [`LEAST`].
    fn error(&self) -> f64 {
        let operations =
            (self.made + 1) as f64 * (self.widest + 4) as f64 + self.states.len() as f64;
        (operations * f64::EPSILON).exp_m1()
    }
}

/// See [`Chain::late`].
pub(super) fn late(
    chain: &Chain,
    start: &[(usize, UBig)],
    moves: usize,
    budget: &Budget,
) -> Result<f64, Error> {
    let mut flow = Flow::new(chain, start, budget)?;
    while flow.made < moves && flow.open() > LEAST {
        flow.advance()?;
    }
    Ok((flow.open() * (1.0 + flow.error()) + LEAST).min(1.0))
}

/// See [`Chain::settled`].
pub(super) fn settled(
    chain: &Chain,
    start: &[(usize, UBig)],
    (parts, most): (u32, usize),
    budget: &Budget,
) -> Result<Option<usize>, Error> {
    let mut flow = Flow::new(chain, start, budget)?;
    let rest = 1.0 / f64::from(parts);
    while flow.open() * (1.0 + flow.error()) + LEAST >= rest {
        if flow.made == most {
            return Ok(None);
        }
        flow.advance()?;
    }
    Ok(Some(flow.made))
}

/// See [`Chain::quantile`].
pub(super) fn quantile(
    chain: &Chain,
    start: &[(usize, UBig)],
    percent: u32,
    budget: &Budget,
) -> Result<Option<usize>, Error> {
    let mut flow = Flow::new(chain, start, budget)?;
    let wanted = f64::from(percent) / 100.0;
    loop {
        let error = flow.error() + f64::EPSILON;
        if flow.ended * (1.0 - error) - LEAST >= wanted {
            return Ok(Some(flow.made));
        }
        let is_open = flow.ended * (1.0 + error) + LEAST >= wanted;
        if is_open || (flow.ended + flow.open()) * (1.0 + error) < wanted {
            return Ok(None);
        }
        flow.advance()?;
    }
}

/// A part of a whole, to half an epsilon.
fn share(part: &UBig, whole: &UBig) -> f64 {
    let ratio = RBig::from_parts(part.clone().into(), whole.clone());
    ratio.to_f64().value().max(f64::MIN_POSITIVE)
}
