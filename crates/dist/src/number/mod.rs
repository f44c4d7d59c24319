//! Unsigned integers of several widths behind one trait.
//!
//! Every operation knows the total of its result before it starts, and no weight exceeds
//! its total. So the width is picked once, and inner loops need no overflow checks.

mod arithmetic;
mod big;
mod cost;
mod limbs;
mod primitive;
pub(crate) mod weights;
mod width;
mod word;

pub(crate) use arithmetic::{Number, binomials, gcd};
pub(crate) use cost::{
    MOST_LIMBS, bytes_of_number, log2_sixteenths, number_bytes, power_bits_guess, product_steps,
    used_words,
};
pub(crate) use limbs::Limbs;
pub(crate) use width::{with_limbs, with_limbs_of, with_width};
pub(crate) use word::{add_product, bits, split, with_zeros, words, write_words};
