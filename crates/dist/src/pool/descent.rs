//! The dice of a pool that still wait for their faces, from the highest face down.
//!
//! How many dice of each family wait is one *place*: a number whose digits are the counts of the
//! families that have dice waiting just then. A family takes a digit when its first dice
//! join it, and gives it back at its lowest face.
//!
//! Two d6 and a die with the faces 2 and 4, at the face 4:
//!
//! ```text
//! the d6 have the digit of unit 1 and radix 3, the other die that of unit 3 and radix 2: 6 places
//! both d6 and the other die wait: place 2 + 3·1 = 5;  one d6 shows the 4: place 4
//! below the face 2 the other die is gone: its digit is given back, and 3 places are left
//! ```

use std::rc::Rc;

use dashu_int::UBig;

use super::dice::Pool;
use super::layers::{Options, Share, Tables, Ways, layers};
use crate::number::{Number, words};
use crate::{Budget, Error};

/// Bytes for a stage, besides its numbers.
const STAGE_BYTES: u128 = 200;
/// Bytes for a face of a kind of dice on the way to its stage.
const FACE_BYTES: u128 = 340;

/// One family showing one face.
pub(super) struct Stage<W> {
    pub(super) face: i64,
    /// Whether no other family shows the face after this one.
    pub(super) ends_face: bool,
    share: Share<W>,
    digit: Digit,
    /// Places there are while the family shows the face.
    pub(super) places: usize,
    /// The options that were asked for, by the number of waiting dice.
    options: Vec<Option<Options<W>>>,
}

/// A digit of a place: the count of the waiting dice of one family.
#[derive(Clone, Copy)]
struct Digit {
    family: usize,
    /// The number that one waiting die adds to a place.
    unit: usize,
    radix: usize,
}

impl Digit {
    fn of(self, place: usize) -> u32 {
        u32::try_from(place / self.unit % self.radix).expect("a family has at most u32::MAX dice")
    }
}

impl<W: Number> Stage<W> {
    /// The place after dice have joined the family.
    pub(super) fn joined(&self, place: usize) -> usize {
        place + self.digit.unit * self.share.joining as usize
    }

    /// The dice of the family that wait in a place.
    pub(super) fn waiting(&self, place: usize) -> u32 {
        self.digit.of(place)
    }

    /// The lowest and the highest number of dice that can show the face.
    pub(super) fn counts(&self, place: usize) -> (u32, u32) {
        self.share.counts(self.waiting(place))
    }

    /// The place after `count` dice have shown the face.
    pub(super) fn after(&self, place: usize, count: u32) -> usize {
        let Digit { unit, radix, .. } = self.digit;
        if self.share.is_lowest() {
            place / (unit * radix) * unit + place % unit
        } else {
            place - unit * count as usize
        }
    }

    /// The lowest and the highest place after `count` dice from places `low..=high` have shown
    /// the face: bounds.
    pub(super) fn after_range(&self, low: usize, high: usize, count: u32) -> (usize, usize) {
        let Digit { unit, radix, .. } = self.digit;
        let taken = unit * count as usize;
        if self.share.is_lowest() && unit * radix == self.places {
            // The highest digit goes, and all that the others can be is left.
            if low / unit == high / unit {
                (low % unit, high % unit)
            } else {
                (0, unit - 1)
            }
        } else if self.share.is_lowest() {
            (0, self.places / radix - 1)
        } else {
            (low.max(taken) - taken, high - taken)
        }
    }

    /// The options in a place, which [`Descent::prepare`] has made.
    pub(super) fn options(&self, place: usize) -> &Options<W> {
        let options = self.options[self.waiting(place) as usize].as_ref();
        options.expect("the options were prepared")
    }
}

/// Rests: the weights of all that waiting dice can show from some face down.
pub(super) struct Rests<W> {
    digits: Vec<(Digit, Below<W>)>,
    /// All rolls of dice that join later. It can be the longest number of all, and most stages have the one of the
    /// stage after them.
    joining: Rc<W>,
    /// The rests that were asked for, by place.
    weights: Vec<Option<W>>,
    /// Places there are.
    pub(super) places: usize,
}

/// The rolls that one family can show from some face down.
#[derive(Clone)]
enum Below<W> {
    /// The weight of these faces on one die.
    Weight(W),
    /// Pieces of a bag, by their count; the ways to draw `0, 1, 2 …` of them, as far as they were asked for.
    Pieces { count: u32, ways: Vec<UBig> },
}

impl<W: Number> Below<W> {
    fn add(&mut self, share: &Share<W>) {
        match (self, &share.ways) {
            (Self::Pieces { count, ways }, Ways::Drawn { here, .. }) => {
                *count += here;
                ways.truncate(1);
            }
            (Self::Weight(weight), _) => weight.add(&share.weight()),
            (Self::Pieces { .. }, _) => unreachable!("dice are not pieces"),
        }
    }

    /// The weight of everything that so many dice can show.
    fn of(&mut self, dice: u32) -> W {
        match self {
            Self::Weight(weight) => weight.power(dice),
            Self::Pieces { count, ways } => {
                while ways.len() <= dice as usize {
                    let drawn = u32::try_from(ways.len()).expect("fewer than are drawn");
                    let next = &ways[ways.len() - 1] * count.saturating_sub(drawn - 1) / drawn;
                    ways.push(next);
                }
                W::from_big(&ways[dice as usize])
            }
        }
    }
}

impl<W: Number> Rests<W> {
    /// The weight of all that the dice waiting in a place, and those that join later, can show.
    pub(super) fn of(&mut self, place: usize) -> &W {
        if self.weights.is_empty() {
            self.weights = vec![None; self.places];
        }
        if self.weights[place].is_none() {
            self.weights[place] = Some(self.weigh(place));
        }
        self.weights[place].as_ref().expect("it was just set")
    }

    fn weigh(&mut self, place: usize) -> W {
        for (digit, below) in &self.digits {
            // One die fewer is often known, and costs one product.
            if let Below::Weight(weight) = below
                && digit.of(place) > 0
                && let Some(fewer) = &self.weights[place - digit.unit]
            {
                return fewer.times(weight);
            }
        }
        let mut product = W::clone(&self.joining);
        for (digit, below) in &mut self.digits {
            product = product.times(&below.of(digit.of(place)));
        }
        product
    }
}

/// Weights of neighbouring places.
pub(super) struct Row<W> {
    pub(super) first: usize,
    pub(super) weights: Vec<W>,
}

impl<W> Default for Row<W> {
    fn default() -> Self {
        Self {
            first: 0,
            weights: Vec::new(),
        }
    }
}

/// The families of a pool showing their faces one after the other, from the highest face.
pub(super) struct Descent<W> {
    pub(super) stages: Vec<Stage<W>>,
    /// The rests before each stage (its own dice not joined yet) and after the last.
    pub(super) rests: Vec<Rests<W>>,
    tables: Tables<W>,
}

impl<W: Number> Descent<W> {
    /// # Errors
    /// [`Error::OverBudget`], also if there are too many places to number.
    pub(super) fn new(pool: &Pool, budget: &Budget) -> Result<Self, Error> {
        budget.charge_memory(FACE_BYTES.saturating_mul(pool.faces_by_kind() as u128))?;
        let layers = layers::<W>(pool);
        let shares = || layers.iter().flat_map(|layer| &layer.shares);
        let joined = shares().filter(|share| share.joining > 0).count() as u128;
        let bytes = joined.saturating_mul(8 * words(pool.bits_bound()));
        budget.charge_memory(bytes.saturating_add(shares().count() as u128 * STAGE_BYTES))?;
        let mut stages: Vec<Stage<W>> = Vec::new();
        let mut waiting: Vec<Digit> = Vec::new();
        let mut digits_before = Vec::new();
        for layer in layers {
            let last = layer.shares.len() - 1;
            for (at, share) in layer.shares.into_iter().enumerate() {
                digits_before.push(waiting.clone());
                let same = waiting.iter().find(|digit| digit.family == share.family);
                let digit = match same {
                    Some(digit) => *digit,
                    None => take_digit(&mut waiting, &share).ok_or_else(|| budget.refusal())?,
                };
                let places = waiting.iter().map(|digit| digit.radix).product();
                if share.is_lowest() {
                    give_back(&mut waiting, digit);
                }
                let ends_face = at == last;
                stages.push(Stage {
                    face: layer.face,
                    ends_face,
                    share,
                    digit,
                    places,
                    options: Vec::new(),
                });
            }
        }
        let rests = rests(&stages, digits_before);
        Ok(Self {
            stages,
            rests,
            tables: Tables::default(),
        })
    }

    /// Makes the options of a stage, by the number of waiting dice: those with counts below
    /// `ends`.
    pub(super) fn prepare(&mut self, at: usize, ends: &[Option<u32>]) {
        let stage = &mut self.stages[at];
        stage.options.resize(ends.len(), None);
        for (waiting, end) in (0..).zip(ends) {
            if let Some(end) = end {
                let option = stage.share.option(waiting, *end, &mut self.tables);
                stage.options[waiting as usize] = Some(option);
            }
        }
    }

    /// Forgets what only a stage needs, whose dice have shown their face: the options of a hundred stages, each with as
    /// many dice, take a hundred times the memory of one.
    pub(super) fn leave(&mut self, at: usize) {
        self.stages[at].options = Vec::new();
        self.rests[at].weights = Vec::new();
    }

    /// The weight of all that can follow in `place` (with the dice that joined) if `end` dice
    /// or more show the face of a stage: everything, less what shows fewer.
    pub(super) fn tail(&mut self, at: usize, place: usize, end: u32) -> W {
        let stage = &self.stages[at];
        let (before, after) = self.rests.split_at_mut(at + 1);
        let unjoined = place - (stage.joined(place) - place);
        let mut tail = before[at].of(unjoined).clone();
        for (count, ways) in stage.options(place).below(end) {
            tail.sub(&ways.times(after[0].of(stage.after(place, count))));
        }
        tail
    }

    /// The dice that wait in a place before a stage, of all families.
    pub(super) fn all_waiting(&self, at: usize, place: usize) -> u32 {
        let digits = self.rests[at].digits.iter();
        digits.map(|(digit, _)| digit.of(place)).sum()
    }

    /// The dice that join their families at a stage.
    pub(super) fn joining(&self, at: usize) -> u32 {
        self.stages[at].share.joining
    }
}

/// A digit for a new family, above those that are taken.
fn take_digit<W>(waiting: &mut Vec<Digit>, share: &Share<W>) -> Option<Digit> {
    let unit = waiting.last().map_or(1, |last| last.unit * last.radix);
    let radix = share.size as usize + 1;
    unit.checked_mul(radix)?;
    let digit = Digit {
        family: share.family,
        unit,
        radix,
    };
    waiting.push(digit);
    Some(digit)
}

/// Removes a digit; those above move down.
fn give_back(waiting: &mut Vec<Digit>, free: Digit) {
    waiting.retain(|digit| digit.family != free.family);
    for digit in waiting.iter_mut().filter(|digit| digit.unit > free.unit) {
        digit.unit /= free.radix;
    }
}

fn rests<W: Number>(stages: &[Stage<W>], digits_before: Vec<Vec<Digit>>) -> Vec<Rests<W>> {
    let families = stages.iter().map(|stage| stage.digit.family + 1).max();
    let start = |stage: &Stage<W>| match stage.share.ways {
        Ways::Drawn { .. } => Below::Pieces {
            count: 0,
            ways: vec![UBig::ONE],
        },
        _ => Below::Weight(W::zero()),
    };
    let empty = stages.first().map_or(Below::Weight(W::zero()), start);
    let mut below = vec![empty; families.unwrap_or(0)];
    let mut joining = Rc::new(W::from_u64(1));
    let none = Rests {
        digits: Vec::new(),
        joining: Rc::clone(&joining),
        weights: Vec::new(),
        places: 1,
    };
    let mut rests = vec![none];
    for (stage, digits) in stages.iter().zip(digits_before).rev() {
        let own = &mut below[stage.digit.family];
        own.add(&stage.share);
        if stage.share.joining > 0 {
            joining = Rc::new(joining.times(&own.of(stage.share.joining)));
        }
        let with_below = |digit: Digit| (digit, below[digit.family].clone());
        let places = digits.iter().map(|digit| digit.radix).product();
        rests.push(Rests {
            digits: digits.into_iter().map(with_below).collect(),
            joining: Rc::clone(&joining),
            weights: Vec::new(),
            places,
        });
    }
    rests.reverse();
    rests
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dist;

    /// The rolls of dice that join later may be a long number: stages at which no dice join have that of the next
    /// stage, and no copy.
    #[test]
    fn long_numbers_are_shared() {
        let dice = [(6, 50), (20, 2), (100, 1)].map(|(sides, n)| (Dist::die(sides).unwrap(), n));
        let descent = Descent::<UBig>::new(&Pool::new(dice), &Budget::unlimited()).unwrap();
        let mut joins = 0;
        for (stage, rests) in descent.stages.iter().zip(descent.rests.windows(2)) {
            let is_shared = Rc::ptr_eq(&rests[0].joining, &rests[1].joining);
            assert_eq!(is_shared, stage.share.joining == 0, "at {}", stage.face);
            joins += usize::from(!is_shared);
        }
        assert_eq!((descent.stages.len(), joins), (100, 3));
    }
}
