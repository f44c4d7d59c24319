//! Which algorithm answers what, and that a note says so.

use oddsmith_dist::{Budget, Dist, Feature, Kept, Note, Pool};

fn d(sides: u32) -> Dist {
    Dist::die(sides).unwrap()
}

fn notes(ask: impl Fn(&Budget)) -> Vec<Note> {
    let budget = Budget::unlimited().with_notes();
    ask(&budget);
    budget.notes()
}

/// A pool, what is read of it, and what the note says: the question, the algorithm, the bits of the total.
#[test]
fn readings() {
    let equal = |n, sides| Pool::new([(d(sides), n)]);
    let mixed = Pool::new([(d(4), 2), (d(6), 2)]);
    let coins = Dist::from_weights([(0, 2_u8.into()), (1, 1_u8.into())]).unwrap();
    let strangers = Pool::new([(d(6), 2), (coins, 2)]);
    let hand = Pool::draw(&[(1, 4), (0, 48)], 5).unwrap();
    let sum = |pool: &Pool, keep: fn(Kept) -> Kept| Feature::sum(keep(pool.kept_all()));
    let sixes =
        |pool: &Pool| Feature::sum_of(pool.kept_all(), pool.faces(), |face| i64::from(face == 6));
    let cases: Vec<(Pool, Feature, &str, &str, usize)> = vec![
        {
            let pool = equal(100, 20);
            let feature = sum(&pool, |all| all.keep_highest(50));
            (
                pool,
                feature,
                "the sum of the highest 50 of 100d20",
                "Horner scheme",
                433,
            )
        },
        {
            let pool = equal(100, 20);
            let feature = sum(&pool, |all| all.keep_lowest(50));
            (
                pool,
                feature,
                "the sum of the lowest 50 of 100d20",
                "Horner scheme",
                433,
            )
        },
        {
            let pool = equal(9, 6);
            let feature = sum(&pool, |all| all.drop_highest(3).keep_highest(1));
            (pool, feature, "place 4 of 9d6", "order statistic", 24)
        },
        {
            let feature = sum(&mixed, |all| all.drop_highest(1).drop_lowest(1));
            (
                mixed,
                feature,
                "the sum of places 2 to 3 of {2d4, 2d6}",
                "walk down the faces",
                10,
            )
        },
        {
            let feature = sum(&strangers, |all| all.keep_lowest(2));
            let asked = "the sum of the lowest 2 of {2d{0: 2, 1: 1}, 2d6}";
            (strangers, feature, asked, "fold over faces", 9)
        },
        {
            let pool = equal(50, 6);
            let feature = sixes(&pool);
            (pool, feature, "how many of 50d6 show 6", "sum of dice", 130)
        },
        {
            let pool = equal(20, 10);
            let feature = Feature::matches(pool.kept_all(), 1);
            (
                pool,
                feature,
                "the largest set in 20d10",
                "recurrence over sets",
                67,
            )
        },
        {
            let pool = equal(5, 6);
            let feature = Feature::matches(pool.kept_all(), 2);
            (
                pool,
                feature,
                "the size of set 2 in 5d6",
                "fold over faces",
                13,
            )
        },
        {
            let feature = sum(&hand, |all| all);
            (
                hand,
                feature,
                "the sum of 5 pieces drawn",
                "fold over faces",
                22,
            )
        },
    ];
    for (pool, feature, question, algorithm, bits) in cases {
        let notes = notes(|budget| drop(pool.read(&feature, budget).unwrap()));
        let Note { plan, steps, .. } = &notes[0];
        assert_eq!(
            (&*plan.question, plan.algorithm, plan.bits),
            (question, algorithm, bits)
        );
        assert!(*steps > 0, "{question}");
    }
}

#[test]
fn sums() {
    let weighted =
        Dist::from_weights([(0, 1_u8.into()), (1, 2_u8.into()), (3, 1_u8.into())]).unwrap();
    let far =
        Dist::from_weights([(0, 1_u8.into()), (1, 1_u8.into()), (1 << 40, 1_u8.into())]).unwrap();
    let cases = [
        (d(6), 100, "recurrence of three terms"),
        (weighted, 100, "Miller's recurrence"),
        (far, 4, "squaring"),
    ];
    for (die, n, algorithm) in cases {
        let notes = notes(|budget| drop(die.sum_of(n, budget).unwrap()));
        assert_eq!(notes[0].plan.algorithm, algorithm);
    }
}

/// Parts of a question follow it, one deeper, and their steps are part of its own.
#[test]
fn parts() {
    let far = Dist::from_weights([
        (0, 1_u8.into()),
        (1 << 40, 2_u8.into()),
        (3 << 41, 1_u8.into()),
        (5, 1_u8.into()),
    ]);
    let far = far.unwrap();
    let notes = notes(|budget| drop(far.sum_of(4, budget).unwrap()));
    let depths: Vec<usize> = notes.iter().map(|note| note.depth).collect();
    assert_eq!(depths, [0, 1, 2, 1]); // 4 of them; 2 of them, by convolution; and both halves
    let parts: u64 = notes
        .iter()
        .filter(|note| note.depth == 1)
        .map(|note| note.steps)
        .sum();
    assert_eq!(notes[0].steps, parts);
}

/// Nothing is remembered unless that is wanted.
#[test]
fn without_notes() {
    let budget = Budget::unlimited();
    d(6).sum_of(100, &budget).unwrap();
    assert_eq!(budget.notes(), []);
}

/// The cheapest of the ways that fit is taken: the sum is the same by any.
#[test]
fn reasons() {
    let pool = Pool::new([(d(20), 100)]);
    let feature = Feature::sum(pool.kept_all().keep_highest(50));
    let notes = notes(|budget| drop(pool.read(&feature, budget).unwrap()));
    let reason = &notes[0].plan.reason;
    assert!(
        reason.starts_with("equal dice, kept from one end; "),
        "{reason}"
    );
    assert!(
        reason.ends_with(" times cheaper than the walk down the faces"),
        "{reason}"
    );
}

/// Dice whose faces are not equally likely are walked through where the scheme would take a product of big numbers for
/// each face of each die.
#[test]
fn many_uneven_dice() {
    let die = d(10).explode(|face| face == 10, 2, &Budget::unlimited());
    let pool = Pool::new([(die.unwrap(), 120)]);
    let feature = Feature::sum(pool.kept_all().keep_highest(8));
    let notes = notes(|budget| drop(pool.read(&feature, budget).unwrap()));
    assert_eq!(notes[0].plan.algorithm, "walk down the faces");
}
