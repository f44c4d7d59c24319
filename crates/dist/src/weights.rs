//! A row of weights, stored in the narrowest width that holds their total.

use dashu_int::UBig;

use crate::number::{Number, bits, with_width};

/// Weights in `u64`, `u128` or big integers. Which one is a function of the total alone, so
/// equal rows are equal values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Weights {
    Small(Vec<u64>),
    Middle(Vec<u128>),
    Large(Vec<UBig>),
}

impl Weights {
    /// Stores `weights` in the width of `total`.
    pub(crate) fn pack<W: Number>(weights: Vec<W>, total: &UBig) -> Self {
        let packed = W::into_weights(weights);
        match (bits(total), &packed) {
            (0..=64, Self::Small(_)) | (65..=128, Self::Middle(_)) | (129.., Self::Large(_)) => {
                packed
            }
            (width, _) => with_width!(width, V => V::into_weights(packed.unpack::<V>())),
        }
    }

    /// The weights as numbers of width `W`.
    pub(crate) fn unpack<W: Number>(&self) -> Vec<W> {
        match self {
            Self::Small(row) => row.iter().map(|w| W::from_u64(*w)).collect(),
            Self::Middle(row) => row.iter().map(|w| W::from_u128(*w)).collect(),
            Self::Large(row) => row.iter().map(W::from_big).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Small(row) => row.len(),
            Self::Middle(row) => row.len(),
            Self::Large(row) => row.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> UBig {
        match self {
            Self::Small(row) => UBig::from(row[index]),
            Self::Middle(row) => UBig::from(row[index]),
            Self::Large(row) => row[index].clone(),
        }
    }

    pub(crate) fn is_zero(&self, index: usize) -> bool {
        match self {
            Self::Small(row) => row[index] == 0,
            Self::Middle(row) => row[index] == 0,
            Self::Large(row) => row[index].is_zero(),
        }
    }
}
