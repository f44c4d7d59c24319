//! The choice of a width for numbers that need so many bits; what is done with them is compiled for each.

/// Runs `$body` with the type `$number` that holds values of `$bits` bits.
macro_rules! with_width {
    ($bits:expr, $number:ident => $body:expr) => {
        match $bits {
            0..=64 => {
                type $number = u64;
                $body
            }
            65..=128 => {
                type $number = u128;
                $body
            }
            _ => {
                type $number = dashu_int::UBig;
                $body
            }
        }
    };
}

/// Like `with_width!`, with fixed numbers of limbs between `u128` and big integers: for long
/// loops over tables. (Each width is compiled on its own, so not for code with many shapes.)
#[cfg(not(target_family = "wasm"))]
macro_rules! with_limbs {
    ($bits:expr, $number:ident => $body:expr) => {
        $crate::number::with_limbs_of!($bits, $number => $body,
            129..=192 => 3, 193..=256 => 4, 257..=320 => 5, 321..=384 => 6,
            385..=448 => 7, 449..=512 => 8, 513..=768 => 12, 769..=1024 => 16)
    };
}

/// In a page, which is loaded before it is used, fewer widths: all code with limbs is half as long.
#[cfg(target_family = "wasm")]
macro_rules! with_limbs {
    ($bits:expr, $number:ident => $body:expr) => {
        $crate::number::with_limbs_of!($bits, $number => $body,
            129..=256 => 4, 257..=512 => 8, 513..=1024 => 16)
    };
}

/// The choice among these numbers of limbs and the widths of `with_width!`.
macro_rules! with_limbs_of {
    ($bits:expr, $number:ident => $body:expr, $($range:pat => $words:literal),*) => {
        match $bits {
            $($range => {
                type $number = $crate::number::Limbs<$words>;
                $body
            })*
            bits => $crate::number::with_width!(bits, $number => $body),
        }
    };
}

pub(crate) use {with_limbs, with_limbs_of, with_width};
