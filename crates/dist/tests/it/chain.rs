//! Chains that end: games with known odds, and random chains against plain linear algebra.

use oddsmith_dist::{Budget, Chain, Dist, Error, Form, Lengths, Moments, Move, Pool, RBig, UBig};
use proptest::collection::vec;
use proptest::prelude::*;

fn go(to: usize, weight: u32, gains: &[i64]) -> Move {
    Move {
        to,
        weight: weight.into(),
        gains: gains.into(),
    }
}

/// Moves without gains, as `(to, weight)`.
fn chain(moves: &[&[(usize, u32)]]) -> Chain {
    let row = |row: &&[(usize, u32)]| row.iter().map(|(to, w)| go(*to, *w, &[])).collect();
    Chain::new(moves.iter().map(row).collect())
}

fn from(state: usize) -> [(usize, UBig); 1] {
    [(state, UBig::ONE)]
}

/// An end with its fractions.
#[derive(Clone, Debug, PartialEq)]
struct End {
    state: usize,
    probability: RBig,
    first: RBig,
    second: RBig,
}

struct Ends {
    ends: Vec<End>,
    never: RBig,
}

impl Ends {
    /// The fractions of weights that sum to their total.
    fn of(found: &oddsmith_dist::Ends) -> Self {
        let weights = found.ends.iter().map(|end| &end.weight);
        assert_eq!(weights.sum::<UBig>() + &found.never, found.total);
        let end = |end: &oddsmith_dist::End| End {
            state: end.state,
            probability: found.probability(end),
            first: found.first(end),
            second: found.second(end),
        };
        Self {
            ends: found.ends.iter().map(end).collect(),
            never: found.never(),
        }
    }
}

fn ends(chain: &Chain, start: &[(usize, UBig)], form: &Form) -> Ends {
    Ends::of(&chain.ends(start, form, &Budget::unlimited()).unwrap())
}

fn lengths(chain: &Chain, start: &[(usize, UBig)], horizon: usize) -> Lengths {
    chain.lengths(start, horizon, &Budget::unlimited()).unwrap()
}

fn ratio(numerator: i64, denominator: u64) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

fn sum(terms: impl IntoIterator<Item = RBig>) -> RBig {
    terms.into_iter().fold(RBig::ZERO, |sum, term| sum + term)
}

fn probability(ends: &Ends, state: usize) -> RBig {
    let mut found = ends.ends.iter().filter(|end| end.state == state);
    found
        .next()
        .map_or(RBig::ZERO, |end| end.probability.clone())
}

/// Mean and variance of what was added up, whatever the end; the chain surely ends.
fn mean_and_variance(ends: &Ends) -> (RBig, RBig) {
    assert_eq!(ends.never, RBig::ZERO);
    let first = sum(ends.ends.iter().map(|end| end.first.clone()));
    let second = sum(ends.ends.iter().map(|end| end.second.clone()));
    let variance = second - &first * &first;
    (first, variance)
}

/// D&D: a d20 at death's door; 1 counts as two failures, 20 brings back at once.
#[test]
fn death_saves() {
    let state = |successes: usize, failures: usize| 3 * successes.min(3) + failures.min(3);
    let place = |successes, failures| match (successes, failures) {
        (3, _) => 10,
        (_, 3..) => 9,
        _ => state(successes, failures),
    };
    let mut moves = vec![Vec::new(); 11];
    for successes in 0..3 {
        for failures in 0..3 {
            moves[state(successes, failures)] = vec![
                go(place(successes, failures + 2), 1, &[]),
                go(place(successes, failures + 1), 8, &[]),
                go(place(successes + 1, failures), 10, &[]),
                go(10, 1, &[]),
            ];
        }
    }
    let chain = Chain::new(moves);
    let found = ends(&chain, &from(0), &Form::none());
    assert_eq!(probability(&found, 10), ratio(4761, 8000));
    assert_eq!(probability(&found, 9), ratio(3239, 8000));
    assert!(found.ends.iter().all(|end| end.first == RBig::ZERO));
    // Five rolls at most: two successes and two failures, then one of either.
    let lengths = lengths(&chain, &from(0), 1_000);
    assert_eq!((lengths.weights.len(), &lengths.beyond), (6, &UBig::ZERO));
}

#[test]
fn craps() {
    let (win, lose) = (7, 8);
    let ways = |sum: usize| u32::try_from(6 - sum.abs_diff(7)).unwrap();
    let points = [4, 5, 6, 8, 9, 10];
    let mut moves = vec![vec![
        go(win, ways(7) + ways(11), &[]),
        go(lose, ways(2) + ways(3) + ways(12), &[]),
    ]];
    for (i, point) in points.into_iter().enumerate() {
        moves[0].push(go(i + 1, ways(point), &[]));
        moves.push(vec![
            go(win, ways(point), &[]),
            go(lose, ways(7), &[]),
            go(i + 1, 30 - ways(point), &[]),
        ]);
    }
    moves.extend([Vec::new(), Vec::new()]);
    let found = ends(&Chain::new(moves), &from(0), &Form::moves());
    assert_eq!(probability(&found, win), ratio(244, 495));
    assert_eq!(probability(&found, lose), ratio(251, 495));
    assert_eq!(mean_and_variance(&found).0, ratio(557, 165)); // rolls of a shooter's bet
}

/// RISK to the end; the attackers that are counted may roll.
#[test]
fn risk() {
    let budget = Budget::unlimited();
    let d6 = Dist::die(6).unwrap();
    let pool = |dice: usize| Pool::new([(d6.clone(), u32::try_from(dice).unwrap())]);
    let (most, side) = (3_usize, 4);
    let mut moves = vec![Vec::new(); side * side];
    for attackers in 1..=most {
        for defenders in 1..=most {
            let (ours, theirs) = (attackers.min(3), defenders.min(2));
            let wins = pool(ours).wins(&pool(theirs), &budget).unwrap();
            for (won, weight) in wins.iter() {
                let won = usize::try_from(won).unwrap();
                let lost = ours.min(theirs) - won;
                moves[attackers * side + defenders].push(Move {
                    to: (attackers - lost) * side + defenders - won,
                    weight,
                    gains: Box::new([]),
                });
            }
        }
    }
    let chain = Chain::new(moves);
    let found = ends(&chain, &from(most * side + most), &Form::moves());
    let wins = found.ends.iter().filter(|end| end.state >= side);
    assert_eq!(
        sum(wins.map(|end| end.probability.clone())),
        ratio(511_817_135, 1_088_391_168)
    );
}

/// From `i` up with the odds `p : q`, down otherwise, until 0 or `n`.
fn ruin(n: usize, p: u32, q: u32) -> Chain {
    let inner = (1..n).map(|i| vec![go(i + 1, p, &[1]), go(i - 1, q, &[-1])]);
    let moves = std::iter::once(Vec::new()).chain(inner).chain([Vec::new()]);
    Chain::new(moves.collect())
}

#[test]
fn gamblers_ruin() {
    let fair = ends(&ruin(40, 1, 1), &from(7), &Form::moves());
    assert_eq!(probability(&fair, 40), ratio(7, 40));
    assert_eq!(mean_and_variance(&fair).0, RBig::from(7 * 33));
    let steps = RBig::from(7 * 33 * (7 * 7 + 33 * 33 - 2)); // i (n-i) (i^2 + (n-i)^2 - 2) / 3
    assert_eq!(mean_and_variance(&fair).1, steps / RBig::from(3));

    let biased = ends(&ruin(10, 2, 3), &from(4), &Form::none());
    let power = |n| RBig::from_parts(3.into(), 2_u8.into()).pow(n) - RBig::ONE;
    assert_eq!(probability(&biased, 10), power(4) / power(10));

    // What is won is known at the end; it is the same whatever the way.
    let gain = Form {
        per_move: 0,
        coefficients: vec![3],
    };
    for end in ends(&ruin(12, 2, 3), &from(5), &gain).ends {
        let won = if end.state == 12 { 7 * 3 } else { -5 * 3 };
        assert_eq!(end.first, &end.probability * RBig::from(won));
        assert_eq!(end.second, &end.probability * RBig::from(won * won));
    }
}

#[test]
fn waiting_for_a_six() {
    let chain = chain(&[&[(0, 5), (1, 1)], &[]]);
    let found = ends(&chain, &from(0), &Form::moves());
    assert_eq!(mean_and_variance(&found), (RBig::from(6), RBig::from(30)));
    let lengths = lengths(&chain, &from(0), 100);
    assert_eq!(lengths.total, UBig::from(6_u8).pow(100));
    assert_eq!(lengths.beyond, UBig::from(5_u8).pow(100));
    for (n, weight) in lengths.weights.iter().enumerate().skip(1) {
        let expected = UBig::from(5_u8).pow(n - 1) * UBig::from(6_u8).pow(100 - n);
        assert_eq!(*weight, expected);
    }
}

#[test]
fn all_six_coupons() {
    let moves = (0..6).map(|have| vec![go(have, u32::try_from(have).unwrap(), &[])]);
    let moves = moves.enumerate().map(|(have, mut row)| {
        row.retain(|step| !step.weight.is_zero());
        row.push(go(have + 1, u32::try_from(6 - have).unwrap(), &[]));
        row
    });
    let chain = Chain::new(moves.chain([Vec::new()]).collect());
    let found = ends(&chain, &from(0), &Form::moves());
    let variance = ratio(3899, 100); // sum of (1 - p) / p^2
    assert_eq!(mean_and_variance(&found), (ratio(147, 10), variance));
    let lengths = lengths(&chain, &from(0), 6);
    let all_at_once = RBig::from_parts(lengths.weights[6].clone().into(), lengths.total);
    assert_eq!(all_at_once, ratio(720, 46656));
}

#[test]
fn what_never_ends() {
    // 0 goes to an end, to itself, to a pair that goes round, or to a state that stays.
    let chain = chain(&[
        &[(0, 1), (1, 2), (2, 3), (4, 4)],
        &[],
        &[(3, 1)],
        &[(2, 5)],
        &[(4, 1)],
    ]);
    let found = ends(&chain, &from(0), &Form::moves());
    assert_eq!(found.ends.len(), 1);
    assert_eq!(probability(&found, 1), ratio(2, 9));
    assert_eq!(found.never, ratio(7, 9));
    assert_eq!(found.ends[0].first, ratio(2, 9) * ratio(10, 9));
    let short = lengths(&chain, &from(0), 2);
    let weights = [0_u8, 20, 2].map(UBig::from);
    assert_eq!(
        (short.weights, short.beyond),
        (weights.to_vec(), UBig::from(78_u8))
    );

    let lost = ends(&chain, &from(3), &Form::moves());
    assert_eq!((lost.ends.len(), lost.never), (0, RBig::ONE));
    let lost = lengths(&chain, &from(3), 5);
    assert_eq!(lost.beyond, lost.total);
}

#[test]
fn several_starts() {
    let chain = ruin(4, 1, 1);
    let start = [(4, 3_u8), (1, 1), (2, 0), (0, 2), (1, 3)].map(|(s, w)| (s, UBig::from(w)));
    let found = ends(&chain, &start, &Form::moves());
    // 4 of 9 begin at 1, and come up with 1/4 after 5 moves, or down with 3/4 after 7/3.
    assert_eq!(probability(&found, 4), ratio(3 + 1, 9));
    assert_eq!(probability(&found, 0), ratio(2 + 3, 9));
    assert_eq!(found.ends[1].first, ratio(5, 9));
    assert_eq!(found.ends[0].first, ratio(7, 9));
    let lengths = lengths(&chain, &start, 1);
    assert_eq!(lengths.weights, [5_u8 * 2, 4].map(UBig::from));
    assert_eq!(lengths.total, UBig::from(18_u8));

    // One begins at its end.
    let there = ends(&chain, &from(4), &Form::moves());
    assert_eq!(probability(&there, 4), RBig::ONE);
    assert_eq!((there.ends.len(), &there.ends[0].first), (1, &RBig::ZERO));
    let there = chain.lengths(&from(4), 0, &Budget::unlimited()).unwrap();
    assert_eq!((there.weights, there.total), (vec![UBig::ONE], UBig::ONE));
}

#[test]
fn nothing_to_start_from() {
    let chain = ruin(4, 1, 1);
    let budget = Budget::unlimited();
    let none = [(1, UBig::ZERO)];
    assert_eq!(chain.ends(&none, &Form::none(), &budget), Err(Error::Empty));
    assert_eq!(chain.ends(&[], &Form::none(), &budget), Err(Error::Empty));
    assert_eq!(chain.lengths(&none, 3, &budget), Err(Error::Empty));
}

/// Long chains need no deep stack, and cycles of many states with few neighbours little work.
#[test]
fn a_hundred_thousand_states() {
    let n = 100_000;
    let line = (0..n).map(|i| vec![go(i, 1, &[]), go(i + 1, 2, &[])]);
    let line = Chain::new(line.chain([Vec::new()]).collect());
    let found = line
        .ends(&from(0), &Form::none(), &Budget::new(10_000_000_000))
        .unwrap();
    assert_eq!(probability(&Ends::of(&found), n), RBig::ONE);

    let mut ring: Vec<_> = (0..n).map(|i| vec![go((i + 1) % n, 1, &[])]).collect();
    ring[n / 2].push(go(n, 2, &[]));
    ring.push(Vec::new());
    let found = ends(&Chain::new(ring), &from(0), &Form::moves());
    let (mean, variance) = mean_and_variance(&found);
    let rounds = |count: usize| RBig::from(count) * ratio(1, 2);
    assert_eq!(mean, rounds(n) + RBig::from(n / 2 + 1));
    assert_eq!(variance, ratio(3, 4) * RBig::from(n) * RBig::from(n));
}

/// Chains are worked through modulo primes just below 2^62, the first of which is 2^62 - 57: one that divides a total or a
/// determinant is passed over.
#[test]
fn totals_that_a_prime_divides() {
    let p = (1_u64 << 62) - 57;
    let go = |to, weight: u64| Move {
        to,
        weight: weight.into(),
        gains: [1].into(),
    };
    let share = |weight: u64| RBig::from_parts(weight.into(), p.into());
    let one = Chain::new(vec![vec![go(1, p - 2), go(2, 2)], vec![], vec![]]);
    let found = ends(&one, &from(0), &Form::moves());
    assert_eq!(probability(&found, 1), share(p - 2));
    assert_eq!(probability(&found, 2), share(2));
    // From 0 to 1, from 1 to 0 or to 3 with even odds: the determinant is 2 (p - 1) - (p - 2) = p.
    let to_and_fro = vec![
        vec![go(1, p - 2), go(2, 1)],
        vec![go(0, 1), go(3, 1)],
        vec![],
        vec![],
    ];
    let found = ends(&Chain::new(to_and_fro), &from(0), &Form::moves());
    assert_eq!(probability(&found, 2), share(2));
    assert_eq!(probability(&found, 3), share(p - 2));
}

/// A common denominator of hundreds of totals that have nothing in common.
#[test]
fn many_different_totals() {
    let n = 300;
    let total = |i: usize| 2 * u32::try_from(i).unwrap() + 17;
    let line = (0..n).map(|i| vec![go(i + 1, total(i) - 1, &[]), go(n + 1, 1, &[])]);
    let line = Chain::new(line.chain([Vec::new(), Vec::new()]).collect());
    let found = ends(&line, &from(0), &Form::moves());
    let stays = |i| ratio(i64::from(total(i)) - 1, total(i).into());
    let all = (0..n).map(stays).fold(RBig::ONE, |all, stays| all * stays);
    assert_eq!(probability(&found, n), all);
    assert_eq!(probability(&found, n + 1), RBig::ONE - &all);
    // One more move for each state that is come to.
    let mut moves = RBig::ZERO;
    let mut comes = RBig::ONE;
    for i in 0..n {
        moves += &comes;
        comes *= stays(i);
    }
    assert_eq!(mean_and_variance(&found).0, moves);
}

#[test]
fn too_much_is_refused() {
    let refused = |chain: &Chain, limit: u64| {
        let budget = Budget::new(limit);
        let result = chain.ends(&from(1), &Form::moves(), &budget);
        matches!(result, Err(Error::OverBudget { .. })) && budget.spent() <= limit
    };
    let row = |i: usize| (0..400).map(move |to| go((i + to) % 401, 7, &[])).collect();
    let dense = (1..400).map(row);
    let dense = std::iter::once(Vec::new()).chain(dense).chain([Vec::new()]);
    assert!(refused(&Chain::new(dense.collect()), 1_000_000_000));
    assert!(refused(&ruin(10_000, 2, 3), 100_000_000));
    assert!(refused(&ruin(10, 2, 3), 100));
    assert!(!refused(&ruin(10, 2, 3), 1_000_000));

    let budget = Budget::new(1_000_000_000);
    for horizon in [1_000_000, usize::MAX] {
        let result = ruin(10, 2, 3).lengths(&from(1), horizon, &budget);
        assert!(matches!(result, Err(Error::OverBudget { .. })));
    }
    // A chain without a way back is not longer than its longest way.
    let short = chain(&[&[(1, 1), (2, 1)], &[(2, 1)], &[]]);
    let short = short.lengths(&from(0), usize::MAX, &budget).unwrap();
    assert_eq!(short.weights, [0_u8, 2, 2].map(UBig::from)); // of 2^2
}

/// Weights of one word, two and many: what is left over after each move is a power.
#[test]
fn lengths_of_any_width() {
    for bits in [1_usize, 31, 32, 63, 64, 65, 127, 128, 129, 1000] {
        let stays = (UBig::ONE << bits) - UBig::ONE;
        let step = |to, weight: &UBig| Move {
            to,
            weight: weight.clone(),
            gains: [].into(),
        };
        let moves = vec![vec![step(0, &stays), step(1, &UBig::ONE)], Vec::new()];
        let chain = Chain::new(moves);
        for horizon in [0, 1, 2, 3, 20, 70] {
            let found = lengths(&chain, &from(0), horizon);
            assert_eq!(found.total, UBig::ONE << (bits * horizon));
            assert_eq!(found.beyond, stays.pow(horizon));
            assert_eq!(found.weights.len(), horizon + 1);
            for (n, weight) in found.weights.iter().enumerate().skip(1) {
                let rest = UBig::ONE << (bits * (horizon - n));
                assert_eq!(*weight, stays.pow(n - 1) * rest);
            }
        }
    }
}

/// Weights of up to so many bits.
fn weights(bits: usize) -> impl Strategy<Value = UBig> {
    let words = vec(any::<u64>(), bits.div_ceil(64));
    (words, 0..bits).prop_map(move |(words, less)| {
        let number = words
            .iter()
            .fold(UBig::ZERO, |sum, word| (sum << 64) + *word);
        (number >> (64 * words.len() - bits + less)) + UBig::ONE
    })
}

/// Chains of states that return to themselves and to one another, end, or get lost; and weights of starts among them, some
/// of them 0.
fn chains() -> impl Strategy<Value = (Vec<Vec<Move>>, Vec<(usize, UBig)>)> {
    (1..8_usize, prop::sample::select(vec![4_usize, 16, 64, 200])).prop_flat_map(|(n, bits)| {
        let step = (0..n, weights(bits)).prop_map(|(to, weight)| Move {
            to,
            weight,
            gains: [].into(),
        });
        let start = (0..n, prop::option::of(weights(bits)));
        let start = start.prop_map(|(state, weight)| (state, weight.unwrap_or_default()));
        (vec(vec(step, 0..5), n), vec(start, 1..4))
    })
}

proptest! {
    /// Against what is in every state, move after move.
    #[test]
    fn lengths_are_those_of_moves_one_by_one((moves, start) in chains(), horizon in 0..40_usize) {
        let begun: UBig = start.iter().map(|(_, weight)| weight).sum();
        prop_assume!(!begun.is_zero());
        let found = lengths(&Chain::new(moves.clone()), &start, horizon);
        prop_assert!(found.weights.len() <= horizon + 1);
        let mut here = vec![RBig::ZERO; moves.len()];
        for (state, weight) in &start {
            here[*state] += RBig::from_parts(weight.clone().into(), begun.clone());
        }
        for n in 0..=horizon {
            let mut next = vec![RBig::ZERO; moves.len()];
            let mut ended = RBig::ZERO;
            for (state, weight) in here.into_iter().enumerate() {
                let total: UBig = moves[state].iter().map(|step| &step.weight).sum();
                if total.is_zero() {
                    ended += weight;
                    continue;
                }
                for step in &moves[state] {
                    let share = RBig::from_parts(step.weight.clone().into(), total.clone());
                    next[step.to] += &weight * share;
                }
            }
            let weight = found.weights.get(n).cloned().unwrap_or_default();
            prop_assert_eq!(RBig::from_parts(weight.into(), found.total.clone()), ended);
            here = next;
        }
        let sum: UBig = found.weights.iter().sum();
        prop_assert_eq!(sum + found.beyond, found.total);
    }
}

/// A start that weighs more than any move, and parts of it that are over at once or never.
#[test]
fn lengths_from_wide_starts() {
    let chain = chain(&[&[(1, 2), (2, 1)], &[], &[(2, 1)]]);
    let wide = UBig::ONE << 200;
    let start = [(0, wide.clone()), (1, &wide * 3_u8), (2, wide.clone())];
    for horizon in [0, 1, 5] {
        let found = lengths(&chain, &start, horizon);
        let most = horizon.min(1); // there is no longer way to an end
        assert_eq!(found.total, &wide * 5_u8 * UBig::from(3_u8).pow(most));
        let weights = [&wide * 3_u8 * UBig::from(3_u8).pow(most), &wide * 2_u8];
        assert_eq!(found.weights, weights[..=most]);
    }
    assert_eq!(chain.never(&start, &Budget::unlimited()), Ok(ratio(4, 15)));
}

#[test]
fn what_can_always_end() {
    let budget = Budget::new(20_000); // less than to solve it
    assert_eq!(ruin(20, 2, 3).never(&from(3), &budget), Ok(RBig::ZERO));
    assert_eq!(ruin(4, 1, 1).never(&[], &budget), Err(Error::Empty));
}

#[test]
#[should_panic(expected = "every move leads to a state")]
fn a_move_to_nowhere() {
    chain(&[&[(1, 1)]]);
}

#[test]
#[should_panic(expected = "every move has a positive weight")]
fn a_move_without_weight() {
    chain(&[&[(0, 0)]]);
}

#[test]
#[should_panic(expected = "every start is a state")]
fn a_start_that_is_not_there() {
    ends(&chain(&[&[]]), &from(1), &Form::none());
}

#[test]
#[should_panic(expected = "every coefficient belongs to a gain")]
fn a_form_of_more_than_there_is() {
    let form = Form {
        per_move: 0,
        coefficients: vec![1],
    };
    ends(&chain(&[&[(1, 1)], &[]]), &from(0), &form);
}

// The oracle: fractions, and nothing clever.

/// Rows of moves as `(to, weight, gains)`.
type Rows = Vec<Vec<(usize, u64, [i64; 2])>>;

fn built(rows: &Rows) -> Chain {
    widened(rows, 0)
}

/// The same chain with weights that are longer by so many bits.
fn widened(rows: &Rows, bits: usize) -> Chain {
    let step = |(to, weight, gains): &(usize, u64, [i64; 2])| Move {
        to: *to,
        weight: UBig::from(*weight) << bits,
        gains: Box::new(*gains),
    };
    Chain::new(
        rows.iter()
            .map(|row| row.iter().map(step).collect())
            .collect(),
    )
}

/// Solves `a x = b` by naive elimination with pivots as they come.
fn solve(mut a: Vec<Vec<RBig>>, mut b: Vec<RBig>) -> Vec<RBig> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).find(|row| a[*row][k] != RBig::ZERO).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for row in (0..n).filter(|row| *row != k) {
            let factor = &a[row][k] / &a[k][k];
            let pivot = a[k].clone();
            for (value, other) in a[row].iter_mut().zip(pivot) {
                *value -= &factor * other;
            }
            let change = &factor * &b[k];
            b[row] -= change;
        }
    }
    (0..n).map(|k| &b[k] / &a[k][k]).collect()
}

/// `P_s(end)`, `E_s[R; end]` and `E_s[R^2; end]` for every state `s`, by three linear systems.
fn by_algebra(rows: &Rows, end: usize, r: impl Fn(&[i64; 2]) -> i64) -> [Vec<RBig>; 3] {
    let n = rows.len();
    let mut live: Vec<bool> = rows.iter().map(Vec::is_empty).collect();
    for _ in 0..n {
        for s in 0..n {
            live[s] |= rows[s].iter().any(|(to, _, _)| live[*to]);
        }
    }
    let share = |s: usize, weight: u64| {
        let total: u64 = rows[s].iter().map(|(_, weight, _)| weight).sum();
        RBig::from_parts(weight.into(), total.into())
    };
    let inner = |s: usize| live[s] && !rows[s].is_empty();
    let mut matrix = vec![vec![RBig::ZERO; n]; n];
    for s in 0..n {
        matrix[s][s] += RBig::ONE;
        if inner(s) {
            for (to, weight, _) in rows[s].iter().filter(|(to, _, _)| inner(*to)) {
                matrix[s][*to] -= share(s, *weight);
            }
        }
    }
    // The right side is what one move brings; known values stand for the states left out.
    let system = |known: &dyn Fn(usize) -> RBig, brings: &dyn Fn(usize, &[i64; 2]) -> RBig| {
        let side = (0..n).map(|s| {
            if !inner(s) {
                return known(s);
            }
            let mut sum = RBig::ZERO;
            for (to, weight, gains) in &rows[s] {
                let outside = if inner(*to) { RBig::ZERO } else { known(*to) };
                sum += share(s, *weight) * (outside + brings(*to, gains));
            }
            sum
        });
        solve(matrix.clone(), side.collect())
    };
    let here = |s: usize| if s == end { RBig::ONE } else { RBig::ZERO };
    let zero = |_| RBig::ZERO;
    let chance = system(&here, &|_, _| RBig::ZERO);
    let first = system(&zero, &|to, gains| RBig::from(r(gains)) * &chance[to]);
    let second = system(&zero, &|to, gains| {
        let r = RBig::from(r(gains));
        &r * &r * &chance[to] + RBig::from(2) * &r * &first[to]
    });
    [chance, first, second]
}

/// Random chains: anything, long with few ways back, or of states by twos with one total, whose weights share small primes.
fn rows() -> impl Strategy<Value = Rows> {
    let wild = (1_usize..8).prop_flat_map(|n| {
        let step = (0..n, 1_u64..7, [-3_i64..4, 0_i64..3]);
        vec(vec(step, 0..4), n)
    });
    let weight = prop_oneof![4 => 1_u64..20, 1 => (1_u64 << 40)..(1 << 50)];
    let step = (-2_isize..6, weight, [-1000_i64..1000, 0_i64..2]);
    let long = vec(vec(step, 1..4), 4..16).prop_map(|rows| {
        let n = rows.len();
        let rows = rows.into_iter().enumerate().map(|(i, row)| {
            let target = |by: isize| i.saturating_add_signed(by).min(n + 1);
            row.into_iter()
                .map(|(by, w, gains)| (target(by), w, gains))
                .collect()
        });
        rows.chain([Vec::new(), Vec::new()]).collect()
    });
    let smooth =
        (0_u32..6, 0_u32..5).prop_map(|(twos, threes)| 2_u64.pow(twos) * 3_u64.pow(threes));
    let step = (0_usize..7, smooth, [-3_i64..4, 0_i64..3]);
    let turns = vec(vec(step, 2..5), 2..10).prop_map(|rows| {
        let n = rows.len();
        let target = |i: usize, by: usize| match by {
            0 | 1 => i ^ 1,
            2 => i,
            _ => (i + by - 1).min(n + 1),
        };
        let rows = rows.into_iter().enumerate().map(|(i, row)| {
            let total: u64 = row.iter().map(|(_, weight, _)| weight).sum();
            row.into_iter()
                .chain([(3, (1 << 14) - total, [0, 1])])
                .map(|(by, w, gains)| (target(i, by), w, gains))
                .collect()
        });
        rows.chain([Vec::new(), Vec::new()]).collect()
    });
    prop_oneof![wild, long, turns]
}

proptest! {
    #[test]
    fn ends_like_linear_algebra(
        rows in rows(),
        start in vec((0_usize..100, 0_u64..4), 1..4),
        per_move in -2_i64..3,
        coefficients in vec(-2_i64..3, 0..3),
    ) {
        let start: Vec<_> = start.iter().map(|(s, w)| (s % rows.len(), *w)).collect();
        let total: u64 = start.iter().map(|(_, weight)| weight).sum();
        prop_assume!(total > 0);
        let r = |gains: &[i64; 2]| {
            let terms = coefficients.iter().zip(gains).map(|(c, gain)| c * gain);
            per_move + terms.sum::<i64>()
        };
        let given: Vec<_> = start.iter().map(|(s, w)| (*s, UBig::from(*w))).collect();
        let chain = built(&rows);
        let form = Form { per_move, coefficients: coefficients.clone() };
        let found = ends(&chain, &given, &form);
        let mut reached = RBig::ZERO;
        for end in (0..rows.len()).filter(|s| rows[*s].is_empty()) {
            let [chance, first, second] = by_algebra(&rows, end, r).map(|values| {
                let parts = start.iter().map(|(s, w)| &values[*s] * RBig::from(*w));
                sum(parts) / RBig::from(total)
            });
            let mut here = found.ends.iter().filter(|found| found.state == end);
            match here.next() {
                Some(here) => {
                    prop_assert_eq!(&here.probability, &chance);
                    prop_assert_eq!(&here.first, &first);
                    prop_assert_eq!(&here.second, &second);
                }
                None => prop_assert_eq!(&chance, &RBig::ZERO),
            }
            reached += chance;
        }
        prop_assert_eq!(&found.never, &(RBig::ONE - reached));
        prop_assert!(found.ends.is_sorted_by_key(|end| end.state));
        prop_assert!(found.ends.iter().all(|end| end.probability > RBig::ZERO));

        // From all of it, and from each state by itself, with other denominators.
        let mut starts = vec![given.clone()];
        starts.extend((0..rows.len()).map(|state| from(state).to_vec()));
        let starts: Vec<&[(usize, UBig)]> = starts.iter().map(Vec::as_slice).collect();
        for moments in [Moments::First, Moments::Second] {
            let each = chain.ends_from_each(&starts, &form, moments, &Budget::unlimited()).unwrap();
            prop_assert_eq!(each.len(), starts.len());
            for (start, each) in starts.iter().zip(&each) {
                let mut alone = ends(&chain, start, &form);
                if moments == Moments::First {
                    alone.ends.iter_mut().for_each(|end| end.second = RBig::ZERO);
                }
                let each = Ends::of(each);
                prop_assert_eq!(&each.ends, &alone.ends);
                prop_assert_eq!(&each.never, &alone.never);
            }
        }

        // Long weights: states with the same total are divided by what all of them have in common.
        let wide = ends(&widened(&rows, 60), &given, &form);
        prop_assert_eq!(&wide.ends, &found.ends);
        prop_assert_eq!(&wide.never, &found.never);

        let plain = ends(&chain, &given, &Form::none());
        prop_assert_eq!(&plain.never, &found.never);
        prop_assert_eq!(chain.never(&given, &Budget::unlimited()), Ok(plain.never.clone()));
        let chances = |ends: &Ends| -> Vec<_> {
            ends.ends.iter().map(|end| (end.state, end.probability.clone())).collect()
        };
        prop_assert_eq!(chances(&plain), chances(&found));
    }

    #[test]
    fn worths_like_linear_algebra(
        rows in rows(),
        worth in vec(-50_i64..50, 20),
        per_move in -2_i64..3,
        coefficients in vec(-2_i64..3, 0..3),
    ) {
        let n = rows.len();
        let mut live: Vec<bool> = rows.iter().map(Vec::is_empty).collect();
        for _ in 0..n {
            for s in 0..n {
                live[s] |= rows[s].iter().any(|(to, _, _)| live[*to]);
            }
        }
        let (mut matrix, mut side) = (vec![vec![RBig::ZERO; n]; n], vec![RBig::ZERO; n]);
        for s in 0..n {
            matrix[s][s] += RBig::ONE;
            if rows[s].is_empty() {
                side[s] = RBig::from(worth[s % worth.len()]);
            } else if live[s] {
                let total: u64 = rows[s].iter().map(|(_, weight, _)| weight).sum();
                for (to, weight, gains) in &rows[s] {
                    let share = RBig::from_parts((*weight).into(), total.into());
                    let terms = coefficients.iter().zip(gains).map(|(c, gain)| c * gain);
                    side[s] += &share * RBig::from(per_move + terms.sum::<i64>());
                    matrix[s][*to] -= share;
                }
            }
        }
        let expected = solve(matrix, side);
        let ends = (0..n).filter(|s| rows[*s].is_empty());
        let ends: Vec<_> = ends.map(|s| (s, worth[s % worth.len()].into())).collect();
        let form = Form { per_move, coefficients };
        let worths = built(&rows).worths(&ends, &form, &Budget::unlimited()).unwrap();
        for (s, expected) in expected.into_iter().enumerate() {
            let found = RBig::from_parts(worths.of(s).unwrap(), worths.total().clone());
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn visits_like_linear_algebra(
        rows in rows(),
        start in vec((0_usize..100, 0_u64..4), 1..4),
    ) {
        let n = rows.len();
        let start: Vec<_> = start.iter().map(|(s, w)| (s % n, *w)).collect();
        let total: u64 = start.iter().map(|(_, weight)| weight).sum();
        prop_assume!(total > 0);
        let mut live: Vec<bool> = rows.iter().map(Vec::is_empty).collect();
        for _ in 0..n {
            for s in 0..n {
                live[s] |= rows[s].iter().any(|(to, _, _)| live[*to]);
            }
        }
        // Moves that leave a state, of which there are some where an end can be reached.
        let (mut matrix, mut side) = (vec![vec![RBig::ZERO; n]; n], vec![RBig::ZERO; n]);
        for (s, weight) in start.iter().filter(|(s, _)| live[*s]) {
            side[*s] += RBig::from_parts((*weight).into(), total.into());
        }
        for s in 0..n {
            matrix[s][s] += RBig::ONE;
            let leaving = rows[s].iter().filter(|(to, _, _)| *to != s);
            let all: u64 = leaving.clone().map(|(_, weight, _)| weight).sum();
            for (to, weight, _) in leaving.filter(|(to, _, _)| live[s] && live[*to]) {
                matrix[*to][s] -= RBig::from_parts((*weight).into(), all.into());
            }
        }
        let expected = solve(matrix, side);
        let given: Vec<_> = start.iter().map(|(s, w)| (*s, UBig::from(*w))).collect();
        let visits = built(&rows).visits(&given, &Budget::unlimited()).unwrap();
        for (s, expected) in expected.into_iter().enumerate() {
            let found = RBig::from_parts(visits.of(s).unwrap(), visits.total().clone());
            prop_assert_eq!(found, expected, "{}", s);
        }
    }

    #[test]
    fn lengths_like_powers_of_the_matrix(
        rows in rows(),
        start in vec((0_usize..100, 0_u64..4), 1..4),
        horizon in 0_usize..30,
    ) {
        let start: Vec<_> = start.iter().map(|(s, w)| (s % rows.len(), *w)).collect();
        let total: u64 = start.iter().map(|(_, weight)| weight).sum();
        prop_assume!(total > 0);
        let given: Vec<_> = start.iter().map(|(s, w)| (*s, UBig::from(*w))).collect();
        let found = lengths(&built(&rows), &given, horizon);
        let mut mass = vec![RBig::ZERO; rows.len()];
        for (s, weight) in &start {
            mass[*s] += RBig::from_parts((*weight).into(), total.into());
        }
        let share = |weight: &UBig| RBig::from_parts(weight.clone().into(), found.total.clone());
        let ended: UBig = found.weights.iter().sum();
        prop_assert_eq!(&(ended + &found.beyond), &found.total);
        prop_assert!(found.weights.len() <= horizon + 1);
        for n in 0..=horizon {
            let mut next = vec![RBig::ZERO; rows.len()];
            let mut ended = RBig::ZERO;
            for (s, here) in mass.iter().enumerate() {
                if rows[s].is_empty() {
                    ended += here;
                }
                let whole: u64 = rows[s].iter().map(|(_, weight, _)| weight).sum();
                for (to, weight, _) in &rows[s] {
                    next[*to] += here * RBig::from_parts((*weight).into(), whole.into());
                }
            }
            let weight = found.weights.get(n).map_or(RBig::ZERO, share);
            prop_assert_eq!(weight, ended);
            mass = next;
        }
        let found = share(&found.beyond);
        prop_assert_eq!(found, sum(mass));

        // The other way round, from all states at once.
        let states: Vec<usize> = (0..rows.len()).collect();
        for bits in [0, 60] {
            let chain = widened(&rows, bits);
            let each = chain.lengths_from_each(&states, horizon, &Budget::unlimited()).unwrap();
            prop_assert_eq!(each.len(), states.len());
            for (state, each) in states.iter().zip(&each) {
                let alone = lengths(&chain, &from(*state), horizon);
                prop_assert_eq!(each.weights.iter().sum::<UBig>() + &each.beyond, each.total.clone());
                let share = |weight: Option<&UBig>, of: &Lengths| {
                    weight.map_or(RBig::ZERO, |weight| RBig::from_parts(weight.clone().into(), of.total.clone()))
                };
                for n in 0..=horizon {
                    prop_assert_eq!(share(each.weights.get(n), each), share(alone.weights.get(n), &alone));
                }
                prop_assert_eq!(share(Some(&each.beyond), each), share(Some(&alone.beyond), &alone));
            }
        }
    }
}
