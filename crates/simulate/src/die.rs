//! Dice that are more than equally likely numbers in a row.

use oddsmith_rules::program::CompareOp;

use crate::IsOver;
use crate::stream::Stream;
use crate::uniform::Uniform;

/// A die: its faces, then rerolls, then explosions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Die {
    pub(crate) faces: Faces,
    pub(crate) reroll: Option<Reroll>,
    pub(crate) explode: Option<Explode>,
}

/// The faces of a die.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Faces {
    /// `low`, `low + 1`, …, all equally likely.
    Row { low: i64, high: i64, place: Uniform },
    /// All equally likely.
    Listed { faces: Vec<i64>, place: Uniform },
    /// Faces with the sums of the weights up to each.
    Weighted { faces: Vec<i64>, upto: Vec<u128> },
}

/// Faces that are rolled again.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reroll {
    pub(crate) once: bool,
    pub(crate) test: Test,
}

/// Faces that are rolled again and added.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Explode {
    pub(crate) test: Test,
    pub(crate) depth: u64,
}

/// A condition on a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Test {
    Compare(CompareOp, i64),
    Range(i64, i64),
}

impl Test {
    pub(crate) fn fits(self, face: i64) -> bool {
        match self {
            Self::Compare(op, bound) => op.holds(face, bound),
            Self::Range(from, to) => (from..=to).contains(&face),
        }
    }
}

impl Faces {
    /// The highest of those for which `is_meant` holds.
    pub(crate) fn highest(&self, is_meant: impl Fn(i64) -> bool) -> Option<i64> {
        match self {
            Self::Row { low, high, .. } => (*low..=*high).rev().find(|face| is_meant(*face)),
            Self::Listed { faces, .. } | Self::Weighted { faces, .. } => {
                faces.iter().copied().filter(|face| is_meant(*face)).max()
            }
        }
    }

    fn roll(&self, stream: &mut Stream) -> i64 {
        match self {
            Self::Row { low, place, .. } => low + place.roll_one(stream),
            Self::Listed { faces, place } => {
                let at = usize::try_from(place.roll_one(stream));
                faces[at.expect("places are not negative")]
            }
            Self::Weighted { faces, upto } => {
                let total = *upto.last().expect("a die has a face");
                let ticket = stream.below_wide(total);
                faces[upto.partition_point(|&upto| upto <= ticket)]
            }
        }
    }
}

/// Rolls of a die, counted. From the moment on that they are over, what is rolled means nothing.
pub(crate) struct Rolls<'o> {
    pub(crate) count: u64,
    /// Whether there is to be another.
    goes_on: bool,
    is_over: IsOver<'o>,
}

impl<'o> Rolls<'o> {
    /// None yet.
    pub(crate) fn new(is_over: IsOver<'o>) -> Self {
        Self {
            count: 0,
            goes_on: true,
            is_over,
        }
    }

    /// Counts one; whether there is to be another.
    #[inline]
    fn go_on(&mut self) -> bool {
        const LOOKS: u64 = 1 << 16;
        self.count += 1;
        if self.count.is_multiple_of(LOOKS) {
            self.goes_on = !(self.is_over)();
        }
        self.goes_on
    }
}

impl Die {
    /// Rolls it, with all that follows.
    pub(crate) fn roll(&self, stream: &mut Stream, rolls: &mut Rolls<'_>) -> i64 {
        rolls.go_on();
        let first = self.faces.roll(stream);
        self.finish(first, stream, rolls)
    }

    /// Whether more follows if this is its first face.
    #[inline]
    pub(crate) fn goes_on(&self, first: i64) -> bool {
        let is_rerolled = |reroll: &Reroll| reroll.test.fits(first);
        let explodes = |explode: &Explode| explode.test.fits(first);
        self.reroll.as_ref().is_some_and(is_rerolled) || self.explode.as_ref().is_some_and(explodes)
    }

    /// The number that a roll with this first face comes to.
    pub(crate) fn finish(&self, first: i64, stream: &mut Stream, rolls: &mut Rolls<'_>) -> i64 {
        let mut last = self.standing(first, stream, rolls);
        let mut sum = last;
        if let Some(explode) = &self.explode {
            for _ in 0..explode.depth {
                if !explode.test.fits(last) || !rolls.go_on() {
                    break;
                }
                let face = self.faces.roll(stream);
                last = self.standing(face, stream, rolls);
                sum += last;
            }
        }
        sum
    }

    /// The face that stands when this one was rolled.
    fn standing(&self, first: i64, stream: &mut Stream, rolls: &mut Rolls<'_>) -> i64 {
        let mut face = first;
        if let Some(Reroll { once, test }) = &self.reroll {
            while test.fits(face) && rolls.go_on() {
                face = self.faces.roll(stream);
                if *once {
                    break;
                }
            }
        }
        face
    }
}
