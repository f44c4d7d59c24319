//! The cost of a walk down the faces of a pool of one family.
//!
//! The walk keeps a row of sums for each number of dice placed so far. At each face it adds every row to those of more
//! dice, as far as dice have joined, and finishes every row if enough dice have. Rows are short where few faces have
//! been passed, and where the placed dice are not kept; and their numbers are short where few dice are placed. So the
//! faces are counted in stretches that the same dice reach, at the middle of each.

use dashu_int::UBig;

use super::kept::Kept;
use crate::number::{bits, log2_sixteenths, power_bits_guess, product_steps, words};

/// Equal dice of a family.
pub(super) struct Kind<'a> {
    pub(super) dice: u128,
    /// How many faces they have. Gaps between them are not counted: the places that no sum has cost little.
    pub(super) faces: u128,
    pub(super) total: &'a UBig,
}

/// Steps for one row at a face, besides its products.
const ROW_STEPS: u128 = 6;

/// Steps of everything else.
const FIXED_STEPS: u128 = 300;

/// Steps of the walk for dice of these kinds, those that reach highest first.
pub(super) fn steps(kinds: &[Kind<'_>], kept: Kept) -> u128 {
    let (size, end) = (dice(kinds), u128::from(kept.end));
    let total = kinds
        .iter()
        .map(|kind| power_bits_guess(kind.total, kind.dice));
    let width = words(total.sum());
    let placed = match width {
        1 => 1, // whatever is placed
        _ => placed_bits(kinds, end - 1).max(bits(kinds[0].total) as u128),
    };
    let words = Words::new(placed, width);
    let choices = (size * end).saturating_mul(words.placed);
    let stretches = (1..=kinds.len()).map(|len| {
        let (reaching, below) = kinds.split_at(len);
        Stretch::new(reaching, below.first(), kept).steps(&words)
    });
    stretches.fold(choices.saturating_add(FIXED_STEPS), u128::saturating_add)
}

fn dice(kinds: &[Kind<'_>]) -> u128 {
    kinds.iter().map(|kind| kind.dice).sum()
}

/// About the bits of the ways to place `placed` dice or fewer.
///
/// With totals of `T` in all, `n` dice have at most `C(n, p) (T / n)^p` ways to place `p`, and `p!` is at least
/// `sqrt(2 pi p) (p / e)^p`.
fn placed_bits(kinds: &[Kind<'_>], placed: u128) -> u128 {
    const MOST: u128 = u128::MAX >> 64;
    let totals = kinds.iter().map(|kind| {
        let total = u128::try_from(kind.total).unwrap_or(MOST).min(MOST);
        total.saturating_mul(kind.dice)
    });
    let (n, totals) = (dice(kinds), totals.fold(0, u128::saturating_add));
    // With more dice placed there are fewer ways.
    let p = placed.min(totals / (totals / n + 1)).max(1);
    // All in sixteenths of bits.
    let base = log2_sixteenths((totals / p).saturating_mul(272).div_ceil(100));
    let root = 8 * u128::from((6 * p).ilog2());
    // `C(n, p) p! / n^p`: each die is placed only once.
    let once = 23 * (p * p / (2 * n) + p * p / n * p / (6 * n));
    (p * base).saturating_sub(root + once) / 16 + 1
}

/// Words of numbers.
struct Words {
    /// The words of everything.
    all: u128,
    /// The weights of what is placed, which stand in one word or in two, or in as many as everything.
    placed: u128,
    /// Bits of what is placed at most.
    bits: u128,
}

impl Words {
    fn new(bits: u128, all: u128) -> Self {
        let placed = match words(bits).min(all) {
            few @ 0..=2 => few,
            _ => all,
        };
        Self { all, placed, bits }
    }
}

/// Faces that the same dice reach.
struct Stretch<'a> {
    /// These dice, those that reach highest first.
    kinds: &'a [Kind<'a>],
    kept: Kept,
    faces: u128,
    /// The lowest face of all is among them.
    is_last: bool,
    /// The face before a later one on average, twice: no sum is below it.
    middle: u128,
}

impl<'a> Stretch<'a> {
    fn new(kinds: &'a [Kind<'a>], below: Option<&Kind<'_>>, kept: Kept) -> Self {
        let own = &kinds[kinds.len() - 1];
        let lower = below.map_or(0, |kind| kind.faces);
        Self {
            kinds,
            kept,
            faces: own.faces - lower,
            is_last: below.is_none(),
            middle: own.faces + lower.max(1),
        }
    }

    /// Steps for these faces.
    fn steps(&self, Words { all, placed, bits }: &Words) -> u128 {
        if self.faces == 0 {
            return 0;
        }
        let (joined, end) = (dice(self.kinds), u128::from(self.kept.end));
        let own = &self.kinds[self.kinds.len() - 1];
        // At the first face there are rows of the dice only that reach further.
        let first = self.rows((joined - own.dice + 1).min(end), 2 * own.faces);
        let later = self.rows((joined + 1).min(end), self.middle);
        let most = joined.min(end - 1);
        // Half of the dice are placed on average.
        let left = words(bits.saturating_mul(most) / (2 * end));
        let product = |width| product_steps(width, left);
        let place = |width| match width {
            1 | 2 => 1, // several at a time
            _ => product(width),
        };
        let row = ROW_STEPS + product_steps(*placed, 1);
        let placing = self.placing([&first, &later], most, (row, place(*placed)));
        if joined < end {
            return placing;
        }
        let ways = 2 * product_steps(*all, 1) + product(*all);
        let powers = 2 * (all * all + 2 * u128::from((joined - end + 1).ilog2()) + 10);
        let finishing = self.finishing([first, later], (ROW_STEPS + ways, place(*all)));
        let powers = powers.saturating_mul(self.faces);
        placing.saturating_add(finishing).saturating_add(powers)
    }

    /// Steps of adding rows of fewer dice to those of more, up to `most`.
    fn placing(&self, [first, later]: [&Rows; 2], most: u128, each: (u128, u128)) -> u128 {
        // Nothing is placed at the lowest face of all.
        let faces = self.faces - u128::from(self.is_last);
        let first = first.below(most).steps(each).saturating_mul(faces.min(1));
        let later = later.below(most).steps(each);
        first.saturating_add(later.saturating_mul(faces.saturating_sub(1)))
    }

    /// Steps of finishing each row.
    fn finishing(&self, [first, mut later]: [Rows; 2], each: (u128, u128)) -> u128 {
        // That includes the lowest face of all, where rows are longer by half a place for each kept die.
        if self.is_last {
            let kept = u128::from(self.kept.len());
            later.places += kept * kept / 4;
        }
        let later = later.steps(each).saturating_mul(self.faces - 1);
        first.steps(each).saturating_add(later)
    }

    /// The rows of fewer than `count` placed dice after a face, of which `last` is the double. No die shows less, and
    /// the highest sum is that of the highest faces.
    fn rows(&self, count: u128, last: u128) -> Rows {
        let (mut from, mut len) = (0, 2); // lengths are doubled
        let mut start = u128::from(self.kept.start);
        let mut rows = Rows {
            rows: count,
            rows_by_dice: count * (count - 1) / 2,
            ..Rows::default()
        };
        for kind in self.kinds {
            if from == count {
                break;
            }
            let skipped = kind.dice.min(start);
            start -= skipped;
            let reach = (2 * kind.faces - 2).saturating_sub(last);
            for (dice, more) in [(skipped, 0), (kind.dice - skipped, reach)] {
                let n = dice.min(count - from);
                if n > 0 {
                    // The sums of `i`, and of its square, for `i` below `n`.
                    let linear = n * (n - 1) / 2;
                    let square = linear * (2 * n - 1) / 3;
                    let places = n * len + more * linear;
                    rows.places += places;
                    rows.places_by_dice += from * places + len * linear + more * square;
                    from += n;
                    len += n * more;
                }
            }
        }
        // All dice are placed.
        rows.places += (count - from) * len;
        rows.places_by_dice += (count - from) * len * from;
        rows.places /= 2;
        rows.places_by_dice /= 2;
        rows
    }
}

/// How many rows there are, and their places in all; and the same with each row counted as often as it has dice.
#[derive(Default)]
struct Rows {
    rows: u128,
    places: u128,
    rows_by_dice: u128,
    places_by_dice: u128,
}

impl Rows {
    /// Each row counted as often as it has fewer dice than `most`.
    fn below(&self, most: u128) -> Self {
        Self {
            rows: most * self.rows - self.rows_by_dice,
            places: most * self.places - self.places_by_dice,
            ..Self::default()
        }
    }

    fn steps(&self, (row, place): (u128, u128)) -> u128 {
        let places = self.places.saturating_mul(place);
        self.rows.saturating_mul(row).saturating_add(places)
    }
}
