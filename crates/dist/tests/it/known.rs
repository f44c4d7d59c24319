//! Published or hand-derived odds.

use oddsmith_dist::{Budget, Dist, Feature, Pool, RBig, UBig};

fn d(sides: u32) -> Dist {
    Dist::die(sides).unwrap()
}

fn ratio(text: &str) -> RBig {
    text.parse().unwrap()
}

fn read(pool: &Pool, feature: &Feature) -> Dist {
    pool.read(feature, &Budget::unlimited()).unwrap()
}

#[test]
fn four_dice_keep_three() {
    let pool = Pool::new([(d(6), 4)]);
    let sum = read(&pool, &Feature::sum(pool.kept_all().keep_highest(3)));
    assert_eq!(sum.mean(), ratio("15869/1296"));
    assert_eq!(sum.pmf(18), ratio("21/1296"));
    assert_eq!(sum.pmf(3), ratio("1/1296"));
}

#[test]
fn a_hundred_dice_at_their_mean() {
    let sum = d(6).sum_of(100, &Budget::unlimited()).unwrap();
    let reduced = sum.pmf(350);
    let numerator = "211626289699720876779325110056760077261291341544525363062928447069862398743";
    assert_eq!(reduced.numerator().to_string(), numerator);
    assert_eq!(reduced.denominator(), &(UBig::from(6_u8).pow(100) / 72_u8));
}

#[test]
fn twenty_dice_keep_three() {
    let pool = Pool::new([(d(10), 20)]);
    let sum = read(&pool, &Feature::sum(pool.kept_all().keep_highest(3)));
    assert_eq!(
        sum.pmf(30),
        ratio("32307319481053396429/100000000000000000000")
    );
}

#[test]
fn second_of_mixed_dice() {
    let pool = Pool::new([(d(8), 2), (d(6), 2)]);
    let second = read(
        &pool,
        &Feature::sum(pool.kept_all().drop_highest(1).keep_highest(1)),
    );
    assert_eq!(second.pmf(6), ratio("535/2304"));
}

#[test]
fn sets_of_eight_dice() {
    let pool = Pool::new([(d(10), 8)]);
    let largest = read(&pool, &Feature::matches(pool.kept_all(), 1));
    assert_eq!(largest.pmf(1), ratio("567/31250"));
    assert_eq!(largest.at_least(3), ratio("90673/250000"));
}

/// One chance in `6^n` for each further six: the mean of an open-ended d6 is 4.2.
#[test]
fn exploding_die() {
    let depth = 40;
    let die = d(6)
        .explode(|face| face == 6, depth, &Budget::unlimited())
        .unwrap();
    // 7/2 (1 + 1/6 + ... + 1/6^depth)
    let sixth = ratio("1/6");
    let rolls = (0..depth).fold(RBig::ONE, |rolls, _| rolls * &sixth + RBig::ONE);
    assert_eq!(die.mean(), ratio("7/2") * rolls);
}
