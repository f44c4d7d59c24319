//! Columns of trials, of four widths.

pub(crate) use oddsmith_rules::bounds::{Interval as Range, union};

use crate::lane::Lane;

/// Trials in a batch: few enough for a script's columns to stay in the nearest cache, enough to make the cost of
/// choosing what to do with them small.
pub(crate) const BATCH: usize = 2048;

/// The bits of a column's lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Width {
    /// `i8`
    W8,
    /// `i16`
    W16,
    /// `i32`
    W32,
    /// `i64`
    W64,
}

impl Width {
    /// The narrowest that has all of a range.
    pub(crate) fn holding(range: Range) -> Self {
        let fits = |low: i64, high: i64| low <= range.0 && range.1 <= high;
        if fits(i8::MIN.into(), i8::MAX.into()) {
            Self::W8
        } else if fits(i16::MIN.into(), i16::MAX.into()) {
            Self::W16
        } else if fits(i32::MIN.into(), i32::MAX.into()) {
            Self::W32
        } else {
            Self::W64
        }
    }
}

/// Does the same for the lane type of a width.
macro_rules! by_width {
    ($width:expr, $lane:ident => $body:expr) => {
        match $width {
            $crate::column::Width::W8 => {
                type $lane = i8;
                $body
            }
            $crate::column::Width::W16 => {
                type $lane = i16;
                $body
            }
            $crate::column::Width::W32 => {
                type $lane = i32;
                $body
            }
            $crate::column::Width::W64 => {
                type $lane = i64;
                $body
            }
        }
    };
}
pub(crate) use by_width;

/// The name of a column: while a script is compiled each value has one of its own, in the end values that are
/// needed at different times share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Column {
    pub(crate) width: Width,
    pub(crate) at: usize,
}

/// An operand of an operation: a column, or one number for all trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Column(Column),
    Constant(i64),
}

/// How many columns of each width there are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs([usize; 4]);

impl Needs {
    /// A further column.
    pub(crate) fn add(&mut self, width: Width) -> Column {
        let count = &mut self.0[width as usize];
        *count += 1;
        Column {
            width,
            at: *count - 1,
        }
    }
}

/// The columns themselves.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub(crate) w8: Vec<Vec<i8>>,
    pub(crate) w16: Vec<Vec<i16>>,
    pub(crate) w32: Vec<Vec<i32>>,
    pub(crate) w64: Vec<Vec<i64>>,
}

impl Columns {
    pub(crate) fn new(needs: Needs) -> Self {
        fn all<T: Lane>(count: usize) -> Vec<Vec<T>> {
            vec![vec![T::default(); BATCH]; count]
        }
        let [w8, w16, w32, w64] = needs.0;
        Self {
            w8: all(w8),
            w16: all(w16),
            w32: all(w32),
            w64: all(w64),
        }
    }

    /// The value of one trial.
    pub(crate) fn value(&self, column: Column, trial: usize) -> i64 {
        by_width!(column.width, T => T::all(self)[column.at][trial].wide())
    }

    /// Sets the value of one trial.
    pub(crate) fn set(&mut self, column: Column, trial: usize, value: i64) {
        by_width!(column.width, T => T::all_mut(self)[column.at][trial] = T::wrap(value));
    }
}
