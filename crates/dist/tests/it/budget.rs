//! Work is refused before it is begun, and other errors of construction.

use std::time::{Duration, Instant};

use oddsmith_dist::{Budget, Chain, Dist, Error, Feature, Kept, Move, Pool, UBig, Weighted};

/// A second of work, generously.
const LIMIT: u64 = 1_000_000_000;

fn d(sides: u32) -> Dist {
    Dist::die(sides).unwrap()
}

fn assert_refused<T>(ask: impl FnOnce(&Budget) -> Result<T, Error>) {
    let budget = Budget::new(LIMIT);
    let begun = Instant::now();
    let refused = matches!(ask(&budget), Err(Error::OverBudget { limit: LIMIT, .. }));
    assert!(refused && begun.elapsed() < Duration::from_secs(2));
}

fn pool(n: u32, sides: u32) -> Pool {
    Pool::new([(d(sides), n)])
}

#[test]
fn too_much_is_refused_at_once() {
    let all = Kept::all(u32::MAX);
    let sum = |n, sides| move |b: &Budget| pool(n, sides).read(&Feature::sum(all), b);
    assert_refused(sum(100_000, 100_000));
    assert_refused(sum(u32::MAX, 6));
    let kept = |n, k| move |b: &Budget| pool(n, 100).read(&Feature::sum(all.keep_highest(k)), b);
    assert_refused(kept(10_000, 5_000));
    assert_refused(kept(u32::MAX, 1));
    assert_refused(|b| {
        pool(1_000, 1_000).read(
            &Feature::sum(Kept {
                start: 500,
                end: 501,
            }),
            b,
        )
    });
    assert_refused(|b| {
        pool(500, 100).read(
            &Feature::sum(Kept {
                start: 100,
                end: 200,
            }),
            b,
        )
    });
    assert_refused(|b| pool(100, 20).multisets(b));
    assert_refused(|b| d(1_000).explode(|face| face > 1, 1_000, b));
    assert_refused(|b| d(6).explode(|face| face == 6, u32::MAX, b));
    assert_refused(|b| d(1_000_000).convolve(&d(1_000_000), b));
    assert_refused(|b| d(1_000_000).product(&d(1_000_000), i64::checked_mul, b));
}

/// A fold is charged face by face: it may have begun when it is refused.
#[test]
fn folds_that_grow_are_refused() {
    let assert_refused = |ask: &dyn Fn(&Budget) -> Result<Dist, Error>| {
        let budget = Budget::new(10_000_000);
        assert!(matches!(
            ask(&budget),
            Err(Error::OverBudget {
                limit: 10_000_000,
                ..
            })
        ));
        assert!(budget.spent() <= budget.limit());
    };
    let all = Kept::all(u32::MAX);
    let largest = Feature::matches(all, 1);
    let deck: Vec<(i64, u32)> = (0..40).map(|face| (face, 1_000)).collect();
    let hand = Pool::draw(&deck, 20_000).unwrap();
    assert_refused(&|b| hand.read(&largest, b));
    assert_refused(&|b| pool(200, 200).wins(&pool(200, 200), b));
    let families =
        |count| Pool::new((0..count).map(|i: i64| (Dist::uniform(i, i + 20).unwrap(), 5)));
    assert_refused(&|b| families(40).read(&largest, b));
    assert_refused(&|b| families(400).read(&largest, b)); // too many even to number the states
    // A long number beside many faces: it took gigabytes before anything was charged.
    let long = Pool::new([(d(20), 65_536), (d(100_000), 725)]);
    assert_refused(&|b| long.wins(&long, b));
}

#[test]
fn charges_add_up() {
    let budget = Budget::new(LIMIT);
    let mut last = 0;
    for _ in 0..3 {
        pool(20, 10)
            .read(&Feature::matches(Kept::all(20), 1), &budget)
            .unwrap();
        assert!(budget.spent() > last);
        last = budget.spent();
    }
    let rest = Budget::new(10);
    let error = pool(20, 10).read(&Feature::sum(Kept::all(20)), &rest);
    assert!(matches!(error, Err(Error::OverBudget { limit: 10, .. })));
}

/// Memory that is free again is not counted twice: each of these takes most of it, one after the other.
#[test]
fn memory_is_charged_while_it_is_taken() {
    let budget = Budget::new(130_000_000);
    let coin = |weight, to| Move {
        to,
        weight: UBig::from(weight),
        gains: [].into(),
    };
    let mut moves: Vec<_> = (1..20_000).map(|to| vec![coin(1_u8, to)]).collect();
    moves.push(vec![coin(1, 0), coin(1, 20_000)]);
    moves.push(Vec::new());
    let chain = Chain::new(moves);
    for _ in 0..3 {
        let product = d(500).product(&d(500), i64::checked_mul, &budget);
        assert_eq!(product.unwrap().max(), 250_000);
        pool(3, 100).wins(&pool(3, 100), &budget).unwrap();
        let never = chain.never(&[(0, UBig::ONE)], &budget).unwrap();
        assert_eq!(never, 0_u8.into());
    }
}

#[test]
fn what_is_asked_every_day_is_cheap() {
    let budget = Budget::new(1_000_000);
    pool(4, 6)
        .read(&Feature::sum(Kept::all(3)), &budget)
        .unwrap();
    pool(10, 10)
        .read(&Feature::matches(Kept::all(10), 1), &budget)
        .unwrap();
    pool(3, 6).wins(&pool(2, 6), &budget).unwrap();
}

#[test]
fn nothing_to_roll() {
    assert_eq!(Dist::die(0), Err(Error::Empty));
    assert_eq!(Dist::uniform(3, 2), Err(Error::Empty));
    assert_eq!(Dist::from_weights([(1, UBig::ZERO)]), Err(Error::Empty));
    assert_eq!(Dist::mix(&[(UBig::ZERO, d(6))]), Err(Error::Empty));
    assert_eq!(Weighted::<i64>::from_weights([]), Err(Error::Empty));
    let huge = Error::TooMany {
        count: u64::MAX.into(),
        limit: 1 << 24,
    };
    assert_eq!(Dist::uniform(i64::MIN + 1, i64::MAX), Err(huge));
}

#[test]
fn outcomes_beyond_the_range() {
    let budget = Budget::unlimited();
    let far = Dist::from_weights([(i64::MIN, UBig::ONE), (i64::MAX, UBig::ONE)]).unwrap();
    let error = far.shift(1).unwrap_err();
    let message = "the outcome of `9223372036854775807 + 1` does not fit in 64 bits";
    assert_eq!(error.to_string(), message);
    assert!(far.negate().is_err());
    assert!(far.scale(2).is_err());
    assert_eq!(far.scale(0).unwrap().as_constant(), Some(0));
    assert!(far.convolve(&d(2), &budget).is_err());
    assert!(far.product(&d(2), i64::checked_mul, &budget).is_err());
    assert!(far.sum_of(2, &budget).is_err());
    assert!(far.explode(|_| true, 1, &budget).is_err());
    // What stays inside is exact up to the ends.
    assert_eq!((far.min(), far.max(), far.len()), (i64::MIN, i64::MAX, 2));
    assert_eq!(far.highest_of(&far).weight(i64::MAX), UBig::from(3_u8));
    assert_eq!(far.at_most_weight(0), UBig::ONE);
    let pool = Pool::new([(far, 3)]);
    let middle = pool
        .read(&Feature::sum(Kept { start: 1, end: 2 }), &budget)
        .unwrap();
    assert_eq!(middle.weight(i64::MIN), UBig::from(4_u8));
}
