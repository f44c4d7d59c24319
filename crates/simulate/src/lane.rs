//! The integers that a column can hold.

use std::fmt::Debug;

use crate::column::Columns;

/// A trial's place in a column: `i8`, `i16`, `i32` or `i64`.
///
/// Which one a column has is known before the first trial: the narrowest that holds every value that can occur,
/// so plain arithmetic on them never overflows where it matters.
pub(crate) trait Lane: Copy + Debug + Default + Ord + Send + Sync + 'static {
    /// The low bits of a number; the number itself if it fits.
    fn wrap(value: i64) -> Self;

    /// The low bits of a word; the word itself if it fits.
    fn of_word(word: u16) -> Self;

    /// The number as an `i64`.
    fn wide(self) -> i64;

    /// `self + other`, modulo the lane's range.
    fn plus(self, other: Self) -> Self;

    /// `self - other`, modulo the lane's range.
    fn minus(self, other: Self) -> Self;

    /// `self * other`, modulo the lane's range.
    fn times(self, other: Self) -> Self;

    /// The columns of this width.
    fn all(columns: &Columns) -> &[Vec<Self>];

    /// The columns of this width.
    fn all_mut(columns: &mut Columns) -> &mut Vec<Vec<Self>>;
}

macro_rules! lane {
    ($($int:ty: $columns:ident),*) => {$(
        impl Lane for $int {
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "the low bits are meant")]
            fn wrap(value: i64) -> Self {
                value as Self
            }

            #[inline(always)]
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_possible_wrap,
                reason = "the low bits are meant"
            )]
            fn of_word(word: u16) -> Self {
                word as Self
            }

            #[inline(always)]
            fn wide(self) -> i64 {
                i64::from(self)
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline(always)]
            fn all(columns: &Columns) -> &[Vec<Self>] {
                &columns.$columns
            }

            #[inline(always)]
            fn all_mut(columns: &mut Columns) -> &mut Vec<Vec<Self>> {
                &mut columns.$columns
            }
        }
    )*};
}

lane!(i8: w8, i16: w16, i32: w32, i64: w64);
