//! A pool laid out face by face, from the highest down.
//!
//! All algorithms that walk the faces share this view. It rests on *families*: dice that are
//! truncations of one another, as d4, d6 and d8 are. A die of a family joins it at its own
//! highest face; from there on it can't be told from the others that wait for their face. So
//! one counter of waiting dice is enough for a family, whatever dice it is made of.

use dashu_int::UBig;

use super::{Pool, Source};
use crate::Dist;
use crate::number::Number;

/// Dice that are truncations of their `base`, the one that reaches highest.
struct Family {
    base: Dist,
    /// Highest face and number of each kind of die, from the highest face.
    members: Vec<(i64, u32)>,
}

/// Sorts dice into families.
fn families(groups: &[(Dist, u32)]) -> Vec<Family> {
    let mut groups: Vec<_> = groups.iter().collect();
    groups.sort_by_key(|(die, _)| std::cmp::Reverse(die.max()));
    let mut families: Vec<Family> = Vec::new();
    for (die, count) in groups {
        let member = (die.max(), *count);
        match families.iter_mut().find(|f| is_truncation(die, &f.base)) {
            Some(family) => family.members.push(member),
            None => families.push(Family {
                base: die.clone(),
                members: vec![member],
            }),
        }
    }
    families
}

/// Whether `die` has the weights of `base` up to its own highest face.
fn is_truncation(die: &Dist, base: &Dist) -> bool {
    let top = die.max();
    base.iter().take_while(|(x, _)| *x <= top).eq(die.iter())
}

/// One face of a pool.
pub(super) struct Layer<W> {
    pub(super) face: i64,
    pub(super) shares: Vec<Share<W>>,
}

/// How the waiting dice of one family can show one face.
pub(super) struct Share<W> {
    /// What one waiting die of the family adds to the code of a state.
    pub(super) unit: u128,
    /// Counts of the family run below this.
    radix: u128,
    /// Dice that join the family at this face.
    pub(super) joining: u32,
    /// Most dice that can wait at this face, those that join included.
    pub(super) most: u32,
    ways: Ways<W>,
}

/// In how many ways some of the waiting dice show the face.
enum Ways<W> {
    /// All of them, as there is no lower face: `weight^m`.
    All { weight: W },
    /// `C(m, c) * weight^c`.
    Some { weight: W },
    /// Pieces drawn from a bag: `C(here, c)`, where `below` pieces have lower faces, and
    /// `others` lower or higher ones.
    Drawn { here: u32, below: u32, others: u32 },
}

/// The numbers of dice that can show a face, with their ways: `ways[i]` is for `least + i`.
pub(super) struct Options<W> {
    pub(super) least: u32,
    pub(super) ways: Vec<W>,
}

impl<W: Number> Share<W> {
    /// How many dice wait in a state with this code.
    pub(super) fn waiting(&self, code: u128) -> u32 {
        u32::try_from(code / self.unit % self.radix).expect("a family has at most u32::MAX dice")
    }

    /// The weight of the face on one die; of a piece in a bag, 1.
    pub(super) fn weight(&self) -> W {
        match &self.ways {
            Ways::All { weight } | Ways::Some { weight } => weight.clone(),
            Ways::Drawn { .. } => W::from_u64(1),
        }
    }

    /// The options for `0..=most` waiting dice.
    pub(super) fn options(&self) -> Vec<Options<W>> {
        match &self.ways {
            Ways::All { weight } => self.all_show(weight),
            Ways::Some { weight } => self.some_show(weight),
            Ways::Drawn {
                here,
                below,
                others,
            } => self.some_are_drawn(*here, *below, *others),
        }
    }

    fn all_show(&self, weight: &W) -> Vec<Options<W>> {
        let powers = powers(weight, self.most);
        let counts = 0..=self.most;
        counts
            .zip(powers)
            .map(|(least, power)| Options {
                least,
                ways: vec![power],
            })
            .collect()
    }

    fn some_show(&self, weight: &W) -> Vec<Options<W>> {
        let powers = powers(weight, self.most);
        let mut options: Vec<Options<W>> = Vec::with_capacity(powers.len());
        for row in binomials::<W>(self.most) {
            let ways = row
                .iter()
                .zip(&powers)
                .map(|(ways, power)| ways.times(power));
            options.push(Options {
                least: 0,
                ways: ways.collect(),
            });
        }
        options
    }

    fn some_are_drawn(&self, here: u32, below: u32, others: u32) -> Vec<Options<W>> {
        // Fewer can't show the face in any draw, and their ways may exceed the total.
        let fewest = self.most.saturating_sub(others);
        let row: Vec<W> = binomial_row(here, fewest, self.most);
        let counts = 0..=self.most;
        counts
            .map(|waiting| {
                let least = waiting.saturating_sub(below).max(fewest);
                let count = (waiting.min(here) + 1).saturating_sub(least);
                let skipped = (least - fewest) as usize;
                let ways = row.iter().skip(skipped).take(count as usize);
                let ways = ways.cloned().collect();
                Options { least, ways }
            })
            .collect()
    }
}

/// `weight^0 ..= weight^most`.
pub(super) fn powers<W: Number>(weight: &W, most: u32) -> Vec<W> {
    let mut powers = vec![W::from_u64(1)];
    for i in 0..most as usize {
        powers.push(powers[i].times(weight));
    }
    powers
}

/// Rows `0..=most` of Pascal's triangle.
fn binomials<W: Number>(most: u32) -> Vec<Vec<W>> {
    let one = W::from_u64(1);
    let mut rows = vec![vec![one.clone()]];
    for i in 0..most as usize {
        let above = &rows[i];
        let mut row = vec![one.clone()];
        for pair in above.windows(2) {
            let mut sum = pair[0].clone();
            sum.add(&pair[1]);
            row.push(sum);
        }
        row.push(one.clone());
        rows.push(row);
    }
    rows
}

/// `C(n, least) ..= C(n, most)`, as far as they are positive.
pub(super) fn binomial_row<W: Number>(n: u32, least: u32, most: u32) -> Vec<W> {
    let mut ways = UBig::ONE;
    let mut row = Vec::new();
    for c in 0..=most.min(n) {
        if c >= least {
            row.push(W::from_big(&ways));
        }
        ways = ways * (n - c) / (c + 1);
    }
    row
}

/// The layers of a pool, from the highest face, for codes that count in steps of `unit`, and
/// the unit that follows; `None` if codes of 128 bits are too small for so many dice.
pub(super) fn layers<W: Number>(pool: &Pool, unit: u128) -> Option<(Vec<Layer<W>>, u128)> {
    match &pool.source {
        Source::Dice(groups) => dice_layers(groups, unit),
        Source::Bag { pieces, drawn } => bag_layers(pieces, *drawn, unit),
    }
}

fn dice_layers<W: Number>(groups: &[(Dist, u32)], mut unit: u128) -> Option<(Vec<Layer<W>>, u128)> {
    let mut shares: Vec<(i64, Share<W>)> = Vec::new();
    for family in families(groups) {
        let size: u32 = family.members.iter().map(|(_, count)| count).sum();
        let radix = u128::from(size) + 1;
        let mut faces = family.base.pairs::<W>();
        faces.reverse();
        let mut members = family.members.iter().peekable();
        let mut most = 0;
        let lowest = family.base.min();
        for (face, weight) in faces {
            let mut joining = 0;
            while let Some((_, count)) = members.next_if(|(top, _)| *top == face) {
                joining += count;
            }
            most += joining;
            let ways = if face == lowest {
                Ways::All { weight }
            } else {
                Ways::Some { weight }
            };
            shares.push((
                face,
                Share {
                    unit,
                    radix,
                    joining,
                    most,
                    ways,
                },
            ));
        }
        unit = unit.checked_mul(radix)?;
    }
    shares.sort_by_key(|(face, _)| std::cmp::Reverse(*face));
    let mut layers: Vec<Layer<W>> = Vec::new();
    for (face, share) in shares {
        match layers.last_mut().filter(|layer| layer.face == face) {
            Some(layer) => layer.shares.push(share),
            None => layers.push(Layer {
                face,
                shares: vec![share],
            }),
        }
    }
    Some((layers, unit))
}

fn bag_layers<W: Number>(
    pieces: &[(i64, u32)],
    drawn: u32,
    unit: u128,
) -> Option<(Vec<Layer<W>>, u128)> {
    let radix = u128::from(drawn) + 1;
    let held: u32 = pieces.iter().map(|(_, count)| count).sum();
    let mut below = held;
    let mut joining = drawn;
    let layers = pieces.iter().rev().map(|(face, here)| {
        below -= here;
        let ways = Ways::Drawn {
            here: *here,
            below,
            others: held - here,
        };
        let share = Share {
            unit,
            radix,
            joining,
            most: drawn,
            ways,
        };
        joining = 0;
        Layer {
            face: *face,
            shares: vec![share],
        }
    });
    Some((layers.collect(), unit.checked_mul(radix)?))
}
