//! Readings of a pool: all that is known of each kind. Whoever asks, asks for its [`Form`], of which there are fewer
//! than readings.

use crate::bounds::{Interval, union};
use crate::program::{Expr, Kind, Test, VarId};

/// What is read from a pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The sum of its faces.
    Sum,
    /// The number of its dice.
    Size,
    /// The number of dice whose face fits any of these.
    Count(Vec<Test>),
    /// What the roll as a whole shows.
    Whole(Whole<Box<Expr>>),
    /// The sum over its dice of `value`, in which `face` is the die's face.
    Map {
        /// Bound anew for every die.
        face: VarId,
        /// [Rolls no dice](Expr::rolls_dice).
        value: Box<Expr>,
    },
    /// What is carried from its highest face to its lowest.
    Fold(Box<Fold>),
}

/// How a reading is made of the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form<'r> {
    /// Each die adds its face.
    Sum,
    /// Each die adds 1.
    Size,
    /// Each die whose face fits one of these adds 1.
    Count(&'r [Test]),
    /// Each die adds the value, in which the variable is its face.
    Map(VarId, &'r Expr),
    /// It is carried from face to face.
    Fold(&'r Fold),
    /// It is what the roll as a whole shows.
    Whole(Whole<&'r Expr>),
}

/// A reading of the roll as a whole, 0 of no dice. It turns on a place `K`, or on none: an expression at first, then the
/// number that it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whole<K> {
    /// The size of the set of equal faces at this place: the largest first, of those equally large the one of the higher
    /// face; 0 if there are fewer sets.
    Set(K),
    /// The face of that set; 0 if there are fewer sets.
    SetFace(K),
    /// The number of different faces.
    Distinct,
    /// The number of faces of the longest straight: of faces that follow one another, each shown by some die.
    Straight,
    /// The highest face of the longest straight, of those equally long the highest.
    StraightFace,
}

impl Reading {
    /// How it is made of the dice.
    ///
    /// ```
    /// use oddsmith_rules::Span;
    /// use oddsmith_rules::program::{Expr, Form, Reading, Whole};
    ///
    /// let second = Expr::constant(2, Span::default());
    /// let reading = Reading::Whole(Whole::Set(Box::new(second.clone())));
    /// assert_eq!(reading.form(), Form::Whole(Whole::Set(&second)));
    /// ```
    #[must_use]
    pub fn form(&self) -> Form<'_> {
        match self {
            Self::Sum => Form::Sum,
            Self::Size => Form::Size,
            Self::Count(tests) => Form::Count(tests),
            Self::Whole(whole) => Form::Whole(whole.as_ref()),
            Self::Map { face, value } => Form::Map(*face, value),
            Self::Fold(fold) => Form::Fold(fold),
        }
    }

    /// Its expressions, in the order written; the pool is not one of them.
    ///
    /// ```
    /// use oddsmith_rules::Span;
    /// use oddsmith_rules::program::{CompareOp, Expr, Reading, Test};
    ///
    /// let five = Expr::constant(5, Span::default());
    /// let count = Reading::Count(vec![Test::Compare(CompareOp::GreaterEqual, five.clone())]);
    /// assert!(count.parts().eq([&five]));
    /// assert!(Reading::Sum.parts().next().is_none());
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let (tests, part, fold) = match self.form() {
            Form::Sum | Form::Size => (&[][..], None, None),
            Form::Count(tests) => (tests, None, None),
            Form::Map(_, value) => (&[][..], Some(value), None),
            Form::Whole(whole) => (&[][..], whole.place(), None),
            Form::Fold(fold) => (&[][..], None, Some(fold)),
        };
        let fold = fold.into_iter().flat_map(Fold::parts);
        tests.iter().flat_map(Test::bounds).chain(part).chain(fold)
    }

    /// Whether it is a fold in which something is read of other rolls, which have a name, for each face.
    #[must_use]
    pub fn folds_rolls(&self) -> bool {
        let reads = |part: &Expr| matches!(part.kind, Kind::Read { .. } | Kind::Wins(..));
        matches!(self, Self::Fold(fold) if fold.parts().any(|part| part.any(&mut { reads })))
    }

    /// The variables that it binds anew for each die or each face.
    #[must_use]
    pub fn bound(&self) -> Vec<VarId> {
        match self.form() {
            Form::Sum | Form::Size | Form::Count(_) | Form::Whole(_) => Vec::new(),
            Form::Map(face, _) => vec![face],
            Form::Fold(fold) => fold.bound(),
        }
    }

    /// Renames the variables that it binds.
    pub(crate) fn rename(&mut self, renamed: &dyn Fn(VarId) -> VarId) {
        match self {
            Self::Sum | Self::Size | Self::Count(_) | Self::Whole(_) => {}
            Self::Map { face, .. } => *face = renamed(*face),
            Self::Fold(fold) => fold.rename(renamed),
        }
    }

    /// The same reading with each expression replaced by `change(part)`, in the order written.
    pub(crate) fn map_parts(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        match self {
            Self::Sum => Self::Sum,
            Self::Size => Self::Size,
            Self::Count(tests) => {
                Self::Count(tests.iter().map(|test| test.map_parts(change)).collect())
            }
            Self::Whole(whole) => Self::Whole(whole.as_ref().map(|k| Box::new(change(k)))),
            Self::Map { face, value } => Self::Map {
                face: *face,
                value: Box::new(change(value)),
            },
            Self::Fold(fold) => Self::Fold(Box::new(fold.map_parts(change))),
        }
    }
}

impl<K> Whole<K> {
    /// The same reading of another place.
    fn map<L>(self, change: impl FnOnce(K) -> L) -> Whole<L> {
        match self {
            Self::Set(place) => Whole::Set(change(place)),
            Self::SetFace(place) => Whole::SetFace(change(place)),
            Self::Distinct => Whole::Distinct,
            Self::Straight => Whole::Straight,
            Self::StraightFace => Whole::StraightFace,
        }
    }

    /// The place, counted from 1, if there is one to be known. It is fixed.
    #[must_use]
    pub fn place(self) -> Option<K> {
        match self {
            Self::Set(place) | Self::SetFace(place) => Some(place),
            Self::Distinct | Self::Straight | Self::StraightFace => None,
        }
    }

    /// The bounds of what it reads of between `size.0` and `size.1` dice with such faces.
    pub(crate) fn bounds(&self, size: Interval, faces: Interval) -> Interval {
        match self {
            Self::Set(_) | Self::Distinct | Self::Straight => (0, size.1.max(0)),
            Self::StraightFace if size.0 >= 1 => faces,
            Self::SetFace(_) | Self::StraightFace => union(faces, (0, 0)),
        }
    }
}

impl Whole<Box<Expr>> {
    fn as_ref(&self) -> Whole<&Expr> {
        match self {
            Self::Set(place) => Whole::Set(place),
            Self::SetFace(place) => Whole::SetFace(place),
            Self::Distinct => Whole::Distinct,
            Self::Straight => Whole::Straight,
            Self::StraightFace => Whole::StraightFace,
        }
    }
}

impl Whole<&Expr> {
    /// The reading, once the number is known that its place comes to; none if that is no place.
    ///
    /// ```
    /// use oddsmith_rules::Span;
    /// use oddsmith_rules::program::{Expr, Whole};
    ///
    /// let place = Expr::constant(2, Span::default());
    /// let second = Whole::Set(&place).known(Some(2)).unwrap();
    /// assert_eq!(second.of_roll(&[6, 6, 6, 4, 4, 1]), 2);
    /// assert!(Whole::Set(&place).known(Some(0)).is_none());
    /// ```
    #[must_use]
    pub fn known(self, place: Option<i64>) -> Option<Whole<usize>> {
        let place = place.and_then(|place| usize::try_from(place).ok());
        let place = place.filter(|place| *place >= 1);
        match self.place() {
            Some(_) => place.map(|place| self.map(|_| place)),
            None => Some(self.map(|_| 1)),
        }
    }
}

impl Whole<usize> {
    /// What a roll reads, its dice from high to low.
    ///
    /// ```
    /// use oddsmith_rules::program::Whole;
    ///
    /// let roll = [9, 6, 5, 5, 4, 2, 2];
    /// assert_eq!(Whole::Set(1).of_roll(&roll), 2);
    /// assert_eq!(Whole::SetFace(1).of_roll(&roll), 5);
    /// assert_eq!(Whole::SetFace(2).of_roll(&roll), 2);
    /// assert_eq!(Whole::Distinct.of_roll(&roll), 5);
    /// assert_eq!(Whole::Straight.of_roll(&roll), 3);
    /// assert_eq!(Whole::StraightFace.of_roll(&roll), 6);
    /// ```
    ///
    /// # Panics
    /// If a place is 0.
    ///
    /// # Cost
    /// A step for each die, and the sets sorted.
    #[must_use]
    pub fn of_roll(self, faces: &[i64]) -> i64 {
        let sets = faces.chunk_by(|a, b| a == b);
        let count = |count: usize| i64::try_from(count).expect("a pool fits in memory");
        match self {
            Self::Set(place) | Self::SetFace(place) => {
                let mut sets: Vec<&[i64]> = sets.collect();
                // Sets that are equally large stay as they are, from high to low.
                sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
                let set = sets.get(place - 1).copied().unwrap_or_default();
                match self {
                    Self::Set(_) => count(set.len()),
                    _ => set.first().copied().unwrap_or(0),
                }
            }
            Self::Distinct => count(sets.count()),
            Self::Straight | Self::StraightFace => {
                let different: Vec<i64> = sets.map(|set| set[0]).collect();
                let straights = different.chunk_by(|a, b| b.checked_add(1) == Some(*a));
                // Of those equally long the last one is taken, so they are looked at from low to high.
                let straights: Vec<&[i64]> = straights.collect();
                let longest = straights.into_iter().rev().max_by_key(|faces| faces.len());
                let longest = longest.unwrap_or_default();
                match self {
                    Self::Straight => count(longest.len()),
                    _ => longest.first().copied().unwrap_or(0),
                }
            }
        }
    }
}

/// What is carried from the highest face that some die shows to the lowest, by steps at each.
///
/// It may be over several pools at once, which are one here: of `k` pools the face `f` of the pool at place `j` is the face
/// `f * k + j`. All expressions [roll no dice](Expr::rolls_dice).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fold {
    /// The face.
    pub face: VarId,
    /// For each of the pools how many of its dice show the face; at least one pool.
    pub counts: Vec<VarId>,
    /// What is carried, with what it is at first; at least one. The first is what the fold comes to.
    pub states: Vec<(VarId, Expr)>,
    /// What is bound at each face, one after the other: what is carried, anew, or what is for this face alone.
    pub steps: Vec<(VarId, Expr)>,
}

/// A face, with how many dice of each pool show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaceSet {
    /// The face.
    pub face: i64,
    /// A number for each pool.
    pub counts: Vec<i64>,
}

impl Fold {
    /// Its expressions: what is carried at first, then the steps.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        let states = self.states.iter().map(|(_, start)| start);
        states.chain(self.steps.iter().map(|(_, value)| value))
    }

    /// The variables that it binds, each once.
    #[must_use]
    pub fn bound(&self) -> Vec<VarId> {
        let states = self.states.iter().map(|(var, _)| *var);
        let mut bound: Vec<VarId> = std::iter::once(self.face)
            .chain(self.counts.iter().copied())
            .chain(states)
            .collect();
        for (var, _) in &self.steps {
            if !bound.contains(var) {
                bound.push(*var);
            }
        }
        bound
    }

    pub(crate) fn rename(&mut self, renamed: &dyn Fn(VarId) -> VarId) {
        self.face = renamed(self.face);
        self.counts.iter_mut().for_each(|var| *var = renamed(*var));
        let states = self.states.iter_mut().chain(&mut self.steps);
        states.for_each(|(var, _)| *var = renamed(*var));
    }

    /// The same fold with each expression replaced by `change(part)`.
    #[must_use]
    pub fn map_parts(&self, change: &mut dyn FnMut(&Expr) -> Expr) -> Self {
        let mut changed = |bound: &[(VarId, Expr)]| {
            let bound = bound.iter();
            bound.map(|(var, expr)| (*var, change(expr))).collect()
        };
        Self {
            face: self.face,
            counts: self.counts.clone(),
            states: changed(&self.states),
            steps: changed(&self.steps),
        }
    }

    /// The face and the place of the pool of what stands for both.
    ///
    /// ```
    /// use oddsmith_rules::Span;
    /// use oddsmith_rules::program::{Expr, Fold, VarId};
    ///
    /// let start = Expr::constant(0, Span::default());
    /// let fold = Fold {
    ///     face: VarId(0),
    ///     counts: vec![VarId(1), VarId(2)],
    ///     states: vec![(VarId(3), start)],
    ///     steps: vec![],
    /// };
    /// assert_eq!((fold.shown(13), fold.shown(-1)), ((6, 1), (-1, 1)));
    /// let sets = fold.sets(&[13, 12, 12, 8]);
    /// assert_eq!((sets[0].face, sets[0].counts.as_slice()), (6, &[2, 1][..]));
    /// assert_eq!((sets[1].face, sets[1].counts.as_slice()), (4, &[1, 0][..]));
    /// ```
    #[must_use]
    pub fn shown(&self, face: i64) -> (i64, usize) {
        let pools = i64::try_from(self.counts.len()).expect("a fold is over few pools");
        let place = usize::try_from(face.rem_euclid(pools)).expect("a remainder is not negative");
        (face.div_euclid(pools), place)
    }

    /// The faces that some die of a roll shows; its dice from high to low.
    #[must_use]
    pub fn sets(&self, roll: &[i64]) -> Vec<FaceSet> {
        let mut sets: Vec<FaceSet> = Vec::new();
        for (face, place) in roll.iter().map(|face| self.shown(*face)) {
            if sets.last().is_none_or(|set| set.face != face) {
                let counts = vec![0; self.counts.len()];
                sets.push(FaceSet { face, counts });
            }
            if let Some(set) = sets.last_mut() {
                set.counts[place] += 1;
            }
        }
        sets
    }
}
