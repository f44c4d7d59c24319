//! A pool laid out face by face, from the highest down.
//!
//! All algorithms that walk the faces share this view. It rests on *families*: dice that are
//! truncations of one another, as d4, d6 and d8 are. A die of a family joins it at its own
//! highest face; from there on it can't be told from the others that wait for their face. So
//! one counter of waiting dice is enough for a family, whatever dice it is made of.

use dashu_int::UBig;

use super::dice::{Pool, Source};
use crate::Dist;
use crate::number::{Number, binomials};

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
        match families
            .iter_mut()
            .find(|family| family.base.begins_like(die))
        {
            Some(family) => family.members.push(member),
            None => families.push(Family {
                base: die.clone(),
                members: vec![member],
            }),
        }
    }
    families
}

/// One face of a pool.
pub(super) struct Layer<W> {
    pub(super) face: i64,
    pub(super) shares: Vec<Share<W>>,
}

/// How the waiting dice of one family can show one face.
pub(super) struct Share<W> {
    /// The family, by its place among all.
    pub(super) family: usize,
    /// Dice of the family in all.
    pub(super) size: u32,
    /// Dice that join the family at this face.
    pub(super) joining: u32,
    /// Most dice that can wait at this face, those that join included.
    pub(super) most: u32,
    pub(super) ways: Ways<W>,
}

/// The number of ways in which some of the waiting dice show the face.
pub(super) enum Ways<W> {
    /// All of them, as there is no lower face: `weight^m`.
    All { weight: W },
    /// `C(m, c) * weight^c`.
    Some { weight: W },
    /// Pieces drawn from a bag: `C(here, c)`, where `below` pieces have lower faces, and
    /// `others` lower or higher ones.
    Drawn { here: u32, below: u32, others: u32 },
}

/// The numbers of dice that can show a face, with their ways: `ways[i]` is for `least + i`.
#[derive(Clone)]
pub(super) struct Options<W> {
    pub(super) least: u32,
    pub(super) ways: Vec<W>,
}

impl<W> Options<W> {
    /// The options with fewer than `end` dice, from the highest count down.
    pub(super) fn below(&self, end: u32) -> impl Iterator<Item = (u32, &W)> {
        let len = (end.saturating_sub(self.least) as usize).min(self.ways.len());
        let last = u32::try_from(len).expect("counts of dice") + self.least;
        (self.least..last).zip(&self.ways[..len]).rev()
    }
}

impl<W: Number> Share<W> {
    /// The weight of the face on one die; of a piece in a bag, 1.
    pub(super) fn weight(&self) -> W {
        match &self.ways {
            Ways::All { weight } | Ways::Some { weight } => weight.clone(),
            Ways::Drawn { .. } => W::from_u64(1),
        }
    }

    /// Whether no lower face is left for the family.
    pub(super) fn is_lowest(&self) -> bool {
        match &self.ways {
            Ways::All { .. } => true,
            Ways::Some { .. } => false,
            Ways::Drawn { below, .. } => *below == 0,
        }
    }

    /// The lowest and the highest number of `waiting` dice that can show the face.
    pub(super) fn counts(&self, waiting: u32) -> (u32, u32) {
        match &self.ways {
            Ways::All { .. } => (waiting, waiting),
            Ways::Some { .. } => (0, waiting),
            Ways::Drawn { here, below, .. } => (waiting.saturating_sub(*below), waiting.min(*here)),
        }
    }

    /// The options of `waiting` dice with fewer than `end` of them showing the face.
    pub(super) fn option(&self, waiting: u32, end: u32, tables: &mut Tables<W>) -> Options<W> {
        let (least, most) = self.counts(waiting);
        match &self.ways {
            Ways::All { weight } => Options {
                least,
                ways: (waiting < end)
                    .then(|| weight.power(waiting))
                    .into_iter()
                    .collect(),
            },
            Ways::Some { weight } => {
                let len = (most + 1).min(end);
                let (row, powers) = tables.row_and_powers(waiting, len, weight);
                let row = row.iter().take(len as usize);
                let ways = match powers {
                    None => row.cloned().collect(),
                    Some(powers) => row.zip(powers).map(|(c, power)| c.times(power)).collect(),
                };
                Options { least, ways }
            }
            Ways::Drawn { here, others, .. } => {
                // Fewer can't show the face in any draw, and their ways may exceed the total.
                let fewest = self.most.saturating_sub(*others);
                let least = least.max(fewest);
                let row = tables.pieces(*here, fewest, self.most);
                let len = (most + 1).min(end).saturating_sub(least);
                let ways = row.iter().skip((least - fewest) as usize);
                let ways = ways.take(len as usize).cloned().collect();
                Options { least, ways }
            }
        }
    }
}

/// Tables of which the options of several shares are made, kept from one to the next.
pub(super) struct Tables<W> {
    /// Rows of Pascal's triangle, as far as they were asked for.
    rows: Vec<Vec<W>>,
    /// A weight that is not 1, with its powers.
    powers: Option<(W, Vec<W>)>,
    /// The pieces of a face in a bag, with the ways to draw some of them.
    pieces: Option<(u32, Vec<W>)>,
}

impl<W> Default for Tables<W> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            powers: None,
            pieces: None,
        }
    }
}

impl<W: Number> Tables<W> {
    /// `C(n, 0) ..` and, if `weight` is not 1, its powers: each `len` of them or more.
    fn row_and_powers(&mut self, n: u32, len: u32, weight: &W) -> (&[W], Option<&[W]>) {
        self.extend_row(n as usize, len as usize);
        let powers = if *weight == W::from_u64(1) {
            None
        } else {
            if self.powers.as_ref().is_none_or(|(base, _)| base != weight) {
                self.powers = Some((weight.clone(), vec![W::from_u64(1)]));
            }
            let (_, powers) = self.powers.as_mut().expect("it was just set");
            while powers.len() < len as usize {
                powers.push(powers[powers.len() - 1].times(weight));
            }
            Some(powers.as_slice())
        };
        (&self.rows[n as usize], powers)
    }

    /// Extends a row, from the row above if that is known, as sums are cheaper than products.
    fn extend_row(&mut self, n: usize, len: usize) {
        if self.rows.len() <= n {
            self.rows.resize(n + 1, Vec::new());
        }
        if self.rows[n].len() >= len {
            return;
        }
        let above = n.checked_sub(1).map(|above| &self.rows[above]);
        self.rows[n] = match above.filter(|above| above.len() >= len.min(n)) {
            Some(above) => {
                let sums = above.windows(2).map(|pair| {
                    let mut sum = pair[0].clone();
                    sum.add(&pair[1]);
                    sum
                });
                let one = || std::iter::once(W::from_u64(1));
                let row = one().chain(sums.take(n - 1)).chain(one());
                row.take(len).collect()
            }
            None => {
                let dice = u32::try_from(n).expect("dice of a pool");
                binomials(dice).take(len.min(n + 1)).collect()
            }
        };
    }

    /// `C(here, c)` for `c` from `least` to `most`.
    fn pieces(&mut self, here: u32, least: u32, most: u32) -> &[W] {
        if self.pieces.as_ref().is_none_or(|(known, _)| *known != here) {
            // What is skipped may be more than all draws.
            let ways = binomials::<UBig>(here).take(most.min(here) as usize + 1);
            let ways = ways.skip(least as usize).map(|ways| W::from_big(&ways));
            self.pieces = Some((here, ways.collect()));
        }
        let (_, row) = self.pieces.as_ref().expect("it was just set");
        row
    }
}

/// The layers of a pool, from the highest face.
pub(super) fn layers<W: Number>(pool: &Pool) -> Vec<Layer<W>> {
    match &pool.source {
        Source::Dice(groups) => dice_layers(groups),
        Source::Bag { pieces, drawn } => bag_layers(pieces, *drawn),
    }
}

fn dice_layers<W: Number>(groups: &[(Dist, u32)]) -> Vec<Layer<W>> {
    let mut shares: Vec<(i64, Share<W>)> = Vec::new();
    for (place, family) in families(groups).into_iter().enumerate() {
        let size: u32 = family.members.iter().map(|(_, count)| count).sum();
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
            let share = Share {
                family: place,
                size,
                joining,
                most,
                ways,
            };
            shares.push((face, share));
        }
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
    layers
}

fn bag_layers<W: Number>(pieces: &[(i64, u32)], drawn: u32) -> Vec<Layer<W>> {
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
            family: 0,
            size: drawn,
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
    layers.collect()
}
