//! Readings of a pool: all that is known of each kind. Whoever asks, asks for its [`Form`], of which there are fewer
//! than readings.

use crate::program::{Expr, Test, VarId};

/// What is read from a pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The sum of its faces.
    Sum,
    /// The number of its dice.
    Size,
    /// The number of dice whose face fits any of these.
    Count(Vec<Test>),
    /// The size of the `k`-th largest set of equal faces (1: the largest), 0 if there are fewer.
    Matches(Box<Expr>),
    /// The sum over its dice of `value`, in which `face` is the die's face.
    Map {
        /// Bound anew for every die.
        face: VarId,
        /// Fixed but for `face`.
        value: Box<Expr>,
    },
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
    /// It is a number of dice that the roll as a whole shows.
    Whole(Whole<&'r Expr>),
}

/// A reading of the roll as a whole: between 0 and the number of dice. It turns on a place `K`, or on none: an
/// expression at first, then the number that it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole<K> {
    /// The size of the set of equal faces at this place, the largest first; 0 if there are fewer.
    Set(K),
}

impl Reading {
    /// How it is made of the dice.
    ///
    /// ```
    /// use oddsmith_rules::Span;
    /// use oddsmith_rules::program::{Expr, Form, Reading, Whole};
    ///
    /// let second = Expr::constant(2, Span::default());
    /// let reading = Reading::Matches(Box::new(second.clone()));
    /// assert_eq!(reading.form(), Form::Whole(Whole::Set(&second)));
    /// ```
    #[must_use]
    pub fn form(&self) -> Form<'_> {
        match self {
            Self::Sum => Form::Sum,
            Self::Size => Form::Size,
            Self::Count(tests) => Form::Count(tests),
            Self::Matches(k) => Form::Whole(Whole::Set(k)),
            Self::Map { face, value } => Form::Map(*face, value),
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
        let (tests, part) = match self.form() {
            Form::Sum | Form::Size => (&[][..], None),
            Form::Count(tests) => (tests, None),
            Form::Map(_, value) => (&[][..], Some(value)),
            Form::Whole(whole) => (&[][..], whole.place()),
        };
        tests.iter().flat_map(Test::bounds).chain(part)
    }

    /// The variable that it binds anew for each die.
    #[must_use]
    pub fn face(&self) -> Option<VarId> {
        match self.form() {
            Form::Sum | Form::Size | Form::Count(_) | Form::Whole(_) => None,
            Form::Map(face, _) => Some(face),
        }
    }

    /// The variable that it binds anew for each die, to be changed.
    pub(crate) fn face_mut(&mut self) -> Option<&mut VarId> {
        match self {
            Self::Sum | Self::Size | Self::Count(_) | Self::Matches(_) => None,
            Self::Map { face, .. } => Some(face),
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
            Self::Matches(k) => Self::Matches(Box::new(change(k))),
            Self::Map { face, value } => Self::Map {
                face: *face,
                value: Box::new(change(value)),
            },
        }
    }
}

impl<'r> Whole<&'r Expr> {
    /// The place, counted from 1, if there is one to be known. It is fixed.
    #[must_use]
    pub fn place(self) -> Option<&'r Expr> {
        match self {
            Self::Set(place) => Some(place),
        }
    }

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
        let place = place
            .and_then(|place| usize::try_from(place).ok())
            .filter(|place| *place >= 1);
        match self {
            Self::Set(_) => place.map(Whole::Set),
        }
    }
}

impl Whole<usize> {
    /// What a roll reads, its dice from high to low.
    ///
    /// # Panics
    /// If a place is 0.
    ///
    /// # Cost
    /// A step for each die, and the sets sorted.
    #[must_use]
    pub fn of_roll(self, faces: &[i64]) -> i64 {
        let sets = faces.chunk_by(|a, b| a == b);
        let read = match self {
            Self::Set(place) => {
                let mut sizes: Vec<usize> = sets.map(<[i64]>::len).collect();
                sizes.sort_unstable_by(|a, b| b.cmp(a));
                sizes.get(place - 1).copied().unwrap_or(0)
            }
        };
        i64::try_from(read).expect("a pool fits in memory")
    }
}
